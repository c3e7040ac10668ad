"""Hostile keepers send votes and proofs of cheating, to spoil the logs and programs of all others.

After each attack the log of every honest seat is given to `verify`.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from kotp2p.budgets import JUDGING_UNITS, SEAT_UNITS, SEAT_UNITS_PER_SECOND
from kotp2p.game import conviction, ledger, verdicts
from kotp2p.game.chain import Chain
from kotp2p.game.history import ClosingItem
from kotp2p.game.past import chain_at
from kotp2p.game.refusals import Cheat
from kotp2p.game.report import Result
from kotp2p.game.snapshots import HEIGHTS_BETWEEN_SNAPSHOTS
from kotp2p.game.verify import verify_log
from kotp2p.mesh.proof_intake import MAX_UNUSED_PROOFS
from kotp2p.wire.entries import Answering, Blame, BodyKind, Entry, Share, Signed
from kotp2p.wire.genesis import Genesis
from kotp2p.wire.proofs import MAX_PROOF_BYTES, CheatProof
from kotp2p.wire.votes import MAX_PROOFS, Vote, VoteChoice
from referee.model.answers import Reroll, Seat
from tests.support.five_players import SIGNERS, genesis
from tests.support.hearing import hear_frame
from tests.support.scribe import written
from tests.support.wired_peers import WiredPeers

MALLORY, TRUDY = 3, 4
ACCOMPLICE = {MALLORY: TRUDY, TRUDY: MALLORY}
GAME = genesis().id


def under_way(*hostile: Seat) -> WiredPeers:
    """Some heights into the game, where an honest seat is asked."""
    table = WiredPeers(*hostile)
    table.play_on(12)
    while not (table.asked and table.asked.keys().isdisjoint(hostile)):
        table.answer()
        table.wait(1)
    return table


def drop(
    table: WiredPeers,
    voter: Seat,
    accused: tuple[Seat, ...],
    round_: int,
    head: bytes | None = None,
    proofs: tuple[bytes, ...] = (),
    height: int | None = None,
) -> Vote:
    ledger = table.peers[table.honest[0]].ledger
    at = ledger.height if height is None else height
    return Vote.sign(
        SIGNERS[voter], GAME, (ledger.view, at), head or ledger.heads[at], voter,
        VoteChoice.DROP, accused, round_, proofs,
    )  # fmt: skip


def junk(number: int) -> Signed:
    """A proof of the greatest size whose bodies nobody has signed."""
    body = number.to_bytes(4, "big") * 480
    return CheatProof((Signed(BodyKind.PLAY, body, bytes(64)),) * 2).signed


def large_contradiction(seat: Seat, number: int) -> CheatProof:
    """Two answers of the greatest length for one place, a far one."""
    one, other = (Answering(Reroll((*range(999 - 200 - n, 999 - 1 - n), number))) for n in range(2))
    return CheatProof(
        tuple(
            Entry.sign(SIGNERS[seat], GAME, 9_999, 999_999, bytes(32), seat, load).signed
            for load in (one, other)
        )
    )


def test_two_votes_of_one_round_with_proofs_that_never_come() -> None:
    """Once each honest log with the contradiction was wrong, and all honest seats hung up on each
    other."""
    table = under_way(MALLORY)
    never = tuple(junk(n).body[:32] for n in range(MAX_PROOFS))
    one = drop(table, MALLORY, (0,), 1)
    other = drop(table, MALLORY, (0,), 1, head=bytes(32), proofs=never)
    table.send(MALLORY, (one.signed, other.signed))
    table.send(MALLORY, [junk(n) for n in range(MAX_PROOFS)])
    table.deliver()
    assert len(junk(0).body) <= MAX_PROOF_BYTES
    table.silent.add(MALLORY)
    table.play(lambda: MALLORY not in table.alive())
    table.play_on(20)
    table.check_convicted(MALLORY)
    table.check_honest()


def test_two_votes_of_one_round_the_one_with_unknown_proofs_first() -> None:
    table = under_way(MALLORY)
    never = tuple(bytes((n,)) * 32 for n in range(MAX_PROOFS))
    one = drop(table, MALLORY, (0,), 1, proofs=never)
    other = drop(table, MALLORY, (1,), 1)
    table.send(MALLORY, (one.signed, other.signed, one.signed))
    table.deliver()
    table.play_on(40)
    table.check_convicted(MALLORY)
    table.check_honest()


def test_two_hostile_keepers_name_many_proofs_that_convict() -> None:
    """The votes of the honest name a proof for each of the two, and all that is written down is
    read back."""
    table = under_way(MALLORY, TRUDY)
    for number in range(10):
        for voter in (MALLORY, TRUDY):
            proofs = [
                large_contradiction(ACCOMPLICE[voter], 5 * number + n) for n in range(MAX_PROOFS)
            ]
            assert all(len(proof.pack()) > 1000 for proof in proofs)
            ids = tuple(proof.id for proof in proofs)
            vote = drop(table, voter, (ACCOMPLICE[voter],), number + 1, proofs=ids)
            table.send(voter, [*(proof.signed for proof in proofs), vote.signed])
    table.deliver()
    table.play_on(40)
    table.check_convicted(MALLORY, TRUDY)
    table.check_honest()
    for seat in table.honest:
        votes = [s for s in table.records[seat] if s.kind is BodyKind.VOTE]
        mine = [v for v in (Vote.parse(s, GAME) for s in votes) if v.seat == seat]
        assert mine
        assert max(len(vote.proofs) for vote in mine) <= 2
        assert max(len(vote.signed.body) for vote in mine) < 300


def test_two_hostile_keepers_tell_each_honest_seat_other_proofs() -> None:
    """Each honest seat hears other contradictions first, and other votes."""
    table = under_way(MALLORY, TRUDY)
    for target in table.honest:
        for voter in (MALLORY, TRUDY):
            proofs = [large_contradiction(voter, 5 * target + n) for n in range(MAX_PROOFS)]
            ids = tuple(proof.id for proof in proofs)
            vote = drop(table, ACCOMPLICE[voter], (voter,), target + 1, proofs=ids)
            table.send(voter, [proof.signed for proof in proofs], (target,))
            table.send(ACCOMPLICE[voter], [vote.signed], (target,))
    table.deliver()
    table.play_on(40)
    table.check_convicted(MALLORY, TRUDY)
    table.check_honest()


def offence(table: WiredPeers, seat: Seat, height: int, number: int) -> CheatProof:
    """An answer that the game refuses, on the true past. Each number makes another one."""
    ledger = table.peers[table.honest[0]].ledger
    entry = Entry.sign(
        SIGNERS[seat], GAME, ledger.view, height, ledger.heads[height], seat,
        Answering(Reroll((0, 100 + number))),
    )  # fmt: skip
    return CheatProof((entry.signed,))


# -- what it costs to judge them ---------------------------------------------------------------


@dataclass
class Work:
    """What has been replayed."""

    replays: int = 0
    steps: int = 0


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    found, close_again = Work(), Chain.close_again

    def counted(chain: Chain, height: int) -> Chain:
        found.replays += 1
        return chain_at(chain, height)

    def step(chain: Chain, done: tuple[ClosingItem, ...]) -> None:
        found.steps += 1
        close_again(chain, done)

    for module in (conviction, ledger):
        monkeypatch.setattr(module, "chain_at", counted)
    monkeypatch.setattr(Chain, "close_again", step)
    return found


def test_a_burst_of_forged_proofs_costs_no_replay(work: Work) -> None:
    """Signature and form are looked at first."""
    table = under_way(MALLORY)
    true = offence(table, MALLORY, 10, 0).bodies[0]
    forged = [
        CheatProof((Signed(true.kind, true.body, number.to_bytes(64, "big")),)).signed
        for number in range(500)
    ]
    work.replays = 0
    for target in table.honest:
        for signed in (*forged, *map(junk, range(500))):
            hear_frame(table.peers[target], MALLORY, signed, table.now)
    assert work.replays == 0
    table.play_on(10)
    table.check_honest()


def test_forged_blames_behind_true_shares_cost_no_replay(work: Work) -> None:
    table = under_way(MALLORY)
    ledger_, key = table.peers[0].ledger, SIGNERS[MALLORY]
    share = Entry.sign(key, GAME, 0, 3, bytes(32), MALLORY, Share(0, bytes(32), bytes(48)))
    for number in range(100):
        load = Blame(number, bytes(32))
        head = ledger_.heads[9]
        blame = Entry.sign(key, GAME, 0, 9, head, MALLORY, load).signed
        forged = Signed(blame.kind, blame.body, bytes(64))
        bad_share = Signed(share.signed.kind, share.signed.body, bytes(64))
        for bodies in ((share.signed, forged), (bad_share, blame), (forged,)):
            hear_frame(table.peers[0], MALLORY, CheatProof(bodies).signed, table.now)
    assert work.replays == 0


def test_many_proofs_that_convict_cost_a_bounded_number_of_steps(work: Work) -> None:
    """Each is about an early place, and the game has come far since."""
    table = under_way(MALLORY, TRUDY)
    table.play_on(40)
    proofs = [offence(table, (MALLORY, TRUDY)[n % 2], 3 + n % 40, n) for n in range(200)]
    victim = table.peers[0]
    work.steps = work.replays = 0
    for _twice in range(2):
        for proof in proofs:
            hear_frame(victim, MALLORY, proof.signed, table.now)
    assert set(victim.follower.accusations.convicts) == {MALLORY, TRUDY}
    assert work.replays <= len(proofs)
    assert work.steps <= len(proofs) * HEIGHTS_BETWEEN_SNAPSHOTS
    table.play_on(40)
    table.check_convicted(MALLORY, TRUDY)
    table.check_honest()


@pytest.mark.parametrize("count", [60, 300])
def test_a_log_full_of_votes_with_proofs_replays_once_for_each_proof(
    count: int, work: Work
) -> None:
    """300 votes in rounds that never meet, so that they come to nothing. Each names five proofs."""
    table = under_way(MALLORY, TRUDY)
    table.play_on(60)
    accused = {0: MALLORY, 1: MALLORY, 2: TRUDY, MALLORY: TRUDY, TRUDY: MALLORY}
    proofs = {
        seat: [offence(table, seat, 5 + n % 40, n) for n in range(count // 2)]
        for seat in (MALLORY, TRUDY)
    }
    votes = []
    for voter, seat in accused.items():
        for n in range(60):
            named = {proofs[seat][(5 * n + k) % (count // 2)].id for k in range(MAX_PROOFS)}
            votes.append(drop(table, voter, (seat,), 100 * voter + n + 1, proofs=tuple(named)))
    bodies = [
        *table.records[0],
        *(proof.signed for seat in proofs for proof in proofs[seat]),
        *(vote.signed for vote in votes),
    ]
    work.replays = work.steps = 0
    report = verify_log(written(GAME, bodies))
    assert report.result is Result.UNFINISHED, report
    assert work.replays <= count
    assert work.steps <= count * HEIGHTS_BETWEEN_SNAPSHOTS


def test_a_forged_proof_about_a_place_to_come_is_dropped_when_the_place_is_reached() -> None:
    table = under_way(MALLORY)
    there = table.peers[0].ledger
    place = GAME, 0, there.height + 1, bytes(32)
    entry = Entry.sign(SIGNERS[MALLORY], *place, MALLORY, Answering(Reroll((0,)))).signed
    table.send(MALLORY, [CheatProof((Signed(entry.kind, entry.body, bytes(64)),)).signed])
    table.play_on(10)
    table.check_honest()


def test_an_honest_entry_sent_early_as_a_proof_is_dropped() -> None:
    """A right entry of Mallory, told first as a proof of cheating."""
    table = under_way(MALLORY)
    there = table.peers[0].ledger
    load = Answering(Reroll((0,)))
    entry = Entry.sign(SIGNERS[MALLORY], GAME, 0, there.height + 3, bytes(32), MALLORY, load).signed
    table.send(MALLORY, [CheatProof((entry,)).signed])
    table.play_on(10)
    table.check_honest()


def test_proofs_of_votes_that_are_not_counted_are_not_written_down() -> None:
    table = under_way(MALLORY, TRUDY)
    for number in range(200):
        proofs = [large_contradiction(TRUDY, 5 * number + n) for n in range(MAX_PROOFS)]
        vote = drop(table, MALLORY, (TRUDY,), number + 1, proofs=tuple(p.id for p in proofs))
        table.send(MALLORY, [*(p.signed for p in proofs), vote.signed])
        table.deliver()
    written_down = [s for s in table.records[0] if s.kind is BodyKind.CHEAT_PROOF]
    assert len(written_down) <= 64 * MAX_PROOFS + 2


def test_proofs_of_stale_votes_are_not_written_down() -> None:
    table = under_way(MALLORY, TRUDY)
    for number in range(20):
        proofs = [large_contradiction(TRUDY, 5 * number + n) for n in range(MAX_PROOFS)]
        vote = drop(table, MALLORY, (TRUDY,), 1, head=bytes(32), proofs=tuple(p.id for p in proofs))
        table.send(MALLORY, [*(p.signed for p in proofs), vote.signed])
        table.deliver()
    written_down = [s for s in table.records[0] if s.kind is BodyKind.CHEAT_PROOF]
    assert len(written_down) <= 5


def test_a_burst_of_right_entries_as_proofs_costs_no_replay(work: Work) -> None:
    table = under_way(MALLORY)
    table.play_on(40)
    victim = table.peers[0]
    closed = victim.ledger.chain.closed
    entries = [item for done in closed for item in done if isinstance(item, Entry)]
    right = [CheatProof((entry.signed,)).signed for entry in entries]
    work.replays = work.steps = 0
    for signed in right:
        hear_frame(victim, MALLORY, signed, table.now)
    assert work.replays == 0


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[CheatProof]:
    """The proofs that were looked at, each as often as it was."""
    found: list[CheatProof] = []

    def noted(genesis_: Genesis, proof: CheatProof, chain: Chain) -> Cheat:
        found.append(proof)
        return conviction.convict_by_proof(genesis_, proof, chain)

    monkeypatch.setattr(verdicts, "convict_by_proof", noted)
    return found


def test_proofs_that_nothing_calls_for_are_judged_within_the_budget_of_their_link(
    judged: list[CheatProof],
) -> None:
    """The last few of those beyond it wait."""
    table = under_way(MALLORY, TRUDY)
    victim = table.peers[0]
    for number in range(2 * SEAT_UNITS // JUDGING_UNITS):
        proof = large_contradiction(TRUDY, number)
        hear_frame(victim, MALLORY, proof.signed, table.now)
    assert len(judged) == SEAT_UNITS // JUDGING_UNITS
    victim.tick(table.now + 1 / SEAT_UNITS_PER_SECOND)
    assert len(judged) == SEAT_UNITS // JUDGING_UNITS + 1
    victim.tick(table.now + 60)
    assert len(judged) == SEAT_UNITS // JUDGING_UNITS + MAX_UNUSED_PROOFS


def test_proofs_on_another_past_are_judged_at_new_places_within_the_budget_of_their_link(
    judged: list[CheatProof],
) -> None:
    """They say nothing here, wherever the game comes."""
    table = under_way(MALLORY)
    victim, now = table.peers[0], table.now
    for number in range(MAX_UNUSED_PROOFS):
        load = Answering(Reroll((0, number + 1)))
        entry = Entry.sign(SIGNERS[MALLORY], GAME, 0, 9, bytes(32), MALLORY, load)
        hear_frame(victim, MALLORY, CheatProof((entry.signed,)).signed, now)
    before = victim.ledger.height
    for _ in range(SEAT_UNITS // JUDGING_UNITS):
        table.answer()
        table.deliver()
    assert victim.ledger.height > before + SEAT_UNITS // JUDGING_UNITS // MAX_UNUSED_PROOFS
    assert table.now == now
    assert len(judged) == SEAT_UNITS // JUDGING_UNITS
    table.play_on(20)
    table.check_honest()


def test_what_follows_over_a_link_that_is_closed_is_not_looked_at(
    judged: list[CheatProof],
) -> None:
    """Once a burst of junk was judged to its end, behind the frame that cost the link its life."""
    table = under_way(MALLORY, TRUDY)
    victim = table.peers[0]
    hear_frame(victim, MALLORY, junk(0), table.now)
    for number in range(50):
        hear_frame(victim, MALLORY, large_contradiction(TRUDY, number).signed, table.now)
    assert not judged
    victim.link_down(MALLORY, table.now)
    victim.link_up(MALLORY, table.now)
    hear_frame(victim, MALLORY, large_contradiction(TRUDY, 0).signed, table.now)
    assert len(judged) == 1
