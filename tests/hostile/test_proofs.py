"""Hostile keepers send proofs of cheating, to spoil the logs and programs of all others.

After each attack the log of every honest seat is given to `verify`.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import pytest

from kotp2p.game import ledger
from kotp2p.game.chain import HEIGHTS_BETWEEN_SNAPSHOTS, Chain, chain_at
from kotp2p.game.ledger import MAX_PROOFS, Ledger
from kotp2p.game.steps import Cheat, Moved
from kotp2p.game.verify import Result, verify_log
from kotp2p.peer.bodies import MAX_KEPT_PROOFS
from kotp2p.referee.model.answers import Reroll, Seat
from kotp2p.seams.cores import JUDGING_UNITS, SEAT_UNITS
from kotp2p.wire.entries import Answering, Blame, BodyKind, Entry, Share, Signed
from kotp2p.wire.lineups import MAX_PROOF_BYTES, CheatProof
from tests.support.five_players import SIGNERS, genesis
from tests.support.hearing import hear_frame
from tests.support.scribe import written
from tests.support.two_verifiers import agree
from tests.support.wired_peers import WiredPeers

MALLORY, TRUDY = 3, 4
GAME = genesis().id


def under_way(*hostile: Seat) -> WiredPeers:
    table = WiredPeers(*hostile)
    table.play_on(12)
    while not (table.asked and table.asked.keys().isdisjoint(hostile)):
        table.answer()
        table.wait(1)
    return table


def junk(number: int) -> Signed:
    """A proof of the greatest size whose bodies nobody has signed."""
    body = number.to_bytes(4, "big") * 480
    return CheatProof((Signed(BodyKind.PLAY, body, bytes(64)),) * 2).signed


def large_contradiction(seat: Seat, number: int) -> CheatProof:
    """Two answers of the greatest length for one place, a far one."""
    one, other = (Answering(Reroll((*range(999 - 200 - n, 999 - 1 - n), number))) for n in range(2))
    return CheatProof(
        tuple(
            Entry.sign(SIGNERS[seat], 9_999, 999_999, bytes(32), seat, load).signed
            for load in (one, other)
        )
    )


def test_two_hostile_keepers_send_many_proofs_that_convict() -> None:
    """So many are written down for each of them, and all that is written down is read back."""
    table = under_way(MALLORY, TRUDY)
    assert len(junk(0).body) <= MAX_PROOF_BYTES
    for number in range(2 * MAX_PROOFS):
        for seat in (MALLORY, TRUDY):
            proof = large_contradiction(seat, number)
            assert len(proof.pack()) > 1000
            table.send(seat, [proof.signed])
        table.wait(1)
    table.play_on(40)
    table.check_convicted(MALLORY, TRUDY)
    table.check_honest()
    for seat in table.honest:
        proofs = [s for s in table.records[seat] if s.kind is BodyKind.CHEAT_PROOF]
        assert MAX_PROOFS <= len(proofs) <= 2 * MAX_PROOFS
    before = len([s for s in table.records[0] if s.kind is BodyKind.CHEAT_PROOF])
    for _ in range(9):  # who is out is kept no place of
        place, head = table.peers[0].ledger.place, table.peers[0].ledger.head
        two = [
            Entry.sign(SIGNERS[MALLORY], *place, head, MALLORY, Answering(Reroll((n,)))).signed
            for n in range(2)
        ]
        table.send(MALLORY, [CheatProof(tuple(two)).signed])
        table.play_on(1)
    assert len([s for s in table.records[0] if s.kind is BodyKind.CHEAT_PROOF]) == before


def test_two_hostile_keepers_tell_each_honest_seat_other_proofs() -> None:
    table = under_way(MALLORY, TRUDY)
    for target in table.honest:
        for seat in (MALLORY, TRUDY):
            proofs = [large_contradiction(seat, 5 * target + n) for n in range(5)]
            table.send(seat, [proof.signed for proof in proofs], (target,))
    table.deliver()
    table.play_on(40)
    table.check_convicted(MALLORY, TRUDY)
    table.check_honest()


def test_more_proofs_than_are_kept_do_not_hide_from_one_where_the_game_goes_back_to() -> None:
    table = under_way(MALLORY)
    chain = table.peers[0].ledger.chain
    place = (chain.attempt, chain.last_gather)
    one = chain.find_entry(chain.last_gather, MALLORY)
    assert one is not None
    other = Entry.sign(SIGNERS[MALLORY], *place, one.prev, MALLORY, Answering(Reroll((0,))))
    many = [large_contradiction(MALLORY, number).signed for number in range(MAX_PROOFS)]
    table.send(MALLORY, many, (0,))
    table.send(MALLORY, [CheatProof((one.signed, other.signed)).signed], table.honest[1:])
    table.play_on(10)
    table.check_convicted(MALLORY)
    table.check_honest()
    agree(table.log(0))  # it has one more than all others are kept


def offence(table: WiredPeers, seat: Seat, height: int, number: int) -> CheatProof:
    """An answer that the game refuses, on the true past. Each number makes another one."""
    ledger = table.peers[table.honest[0]].ledger
    entry = Entry.sign(
        SIGNERS[seat], ledger.attempt, height, ledger.heads[height], seat,
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

    def step(chain: Chain, done: Iterable[Entry]) -> Moved:
        found.steps += 1
        return close_again(chain, done)

    monkeypatch.setattr(ledger, "chain_at", counted)
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


def test_forged_blames_after_true_shares_cost_no_replay(work: Work) -> None:
    table = under_way(MALLORY)
    ledger_, key = table.peers[0].ledger, SIGNERS[MALLORY]
    share = Entry.sign(key, 0, 3, bytes(32), MALLORY, Share(bytes(32), bytes(48)))
    for number in range(100):
        load = Blame(number.to_bytes(32, "big"))
        head = ledger_.heads[9]
        blame = Entry.sign(key, 0, 9, head, MALLORY, load).signed
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
    assert set(victim.ledger.convicts) == {MALLORY, TRUDY}
    assert work.replays <= len(proofs)
    assert work.steps <= len(proofs) * HEIGHTS_BETWEEN_SNAPSHOTS
    table.play_on(40)
    table.check_convicted(MALLORY, TRUDY)
    table.check_honest()


@pytest.mark.parametrize("count", [60, 2 * MAX_PROOFS])
def test_a_log_full_of_proofs_replays_once_for_each_proof(count: int, work: Work) -> None:
    table = under_way(MALLORY, TRUDY)
    table.play_on(60)
    proofs = [offence(table, (MALLORY, TRUDY)[n % 2], 5 + n % 40, n) for n in range(count)]
    work.replays = work.steps = 0
    report = verify_log(written(GAME, [*table.records[0], *(proof.signed for proof in proofs)]))
    assert report.result is Result.UNFINISHED, report
    assert {caught.seat for caught in report.caught} == {MALLORY, TRUDY}
    assert 0 < work.replays <= count
    assert work.steps <= count * HEIGHTS_BETWEEN_SNAPSHOTS


def test_a_forged_proof_about_a_place_to_come_is_dropped_when_the_place_is_reached() -> None:
    table = under_way(MALLORY)
    there = table.peers[0].ledger
    place = 0, there.height + 1, bytes(32)
    entry = Entry.sign(SIGNERS[MALLORY], *place, MALLORY, Answering(Reroll((0,)))).signed
    table.send(MALLORY, [CheatProof((Signed(entry.kind, entry.body, bytes(64)),)).signed])
    table.play_on(10)
    table.check_honest()


def test_an_honest_entry_sent_early_as_a_proof_is_dropped() -> None:
    table = under_way(MALLORY)
    there = table.peers[0].ledger
    load = Answering(Reroll((0,)))
    entry = Entry.sign(SIGNERS[MALLORY], 0, there.height + 3, bytes(32), MALLORY, load).signed
    table.send(MALLORY, [CheatProof((entry,)).signed])
    table.play_on(10)
    table.check_honest()


def test_a_burst_of_right_entries_as_proofs_costs_no_replay(work: Work) -> None:
    table = under_way(MALLORY)
    table.play_on(40)
    victim = table.peers[0]
    closed = victim.ledger.chain.closed
    entries = [entry for done in closed for entry in done]
    right = [CheatProof((entry.signed,)).signed for entry in entries]
    work.replays = work.steps = 0
    for signed in right:
        hear_frame(victim, MALLORY, signed, table.now)
    assert work.replays == 0


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[CheatProof]:
    """The proofs that were looked at, each as often as it was."""
    found: list[CheatProof] = []
    convict = ledger.convict

    def noted(ledger_: Ledger, proof: CheatProof) -> Cheat:
        found.append(proof)
        return convict(ledger_, proof)

    monkeypatch.setattr(ledger, "convict", noted)
    return found


def test_proofs_are_judged_at_the_cost_of_their_link(judged: list[CheatProof]) -> None:
    """Once its budget is spent, nothing more is read of it (`kotp2p.net.links`)."""
    table = under_way(MALLORY, TRUDY)
    victim, most = table.peers[0], SEAT_UNITS // JUDGING_UNITS
    work = victim.gossip.budgets.of(MALLORY).work
    for number in range(most):
        assert work.has(1, table.now)
        proof = large_contradiction((MALLORY, TRUDY)[number % 2], number)
        hear_frame(victim, MALLORY, proof.signed, table.now)
    assert len(judged) == most
    assert not work.has(1, table.now)
    assert victim.gossip.budgets.of(TRUDY).work.has(SEAT_UNITS, table.now)


def test_proofs_on_another_past_are_judged_at_new_places_at_the_cost_of_their_link(
    judged: list[CheatProof],
) -> None:
    """They say nothing here, wherever the game comes."""
    table = under_way(MALLORY)
    victim, now = table.peers[0], table.now
    work = victim.gossip.budgets.of(MALLORY).work
    for number in range(2 * MAX_KEPT_PROOFS):
        load = Answering(Reroll((0, number + 1)))
        entry = Entry.sign(SIGNERS[MALLORY], 0, 9, bytes(32), MALLORY, load)
        hear_frame(victim, MALLORY, CheatProof((entry.signed,)).signed, now)
    before, again = victim.ledger.revision, len(judged)
    table.answer()
    table.deliver()
    revisions = victim.ledger.revision - before
    assert 0 < len(judged) - again <= MAX_KEPT_PROOFS * revisions  # no more are kept
    spent = 2 * MAX_KEPT_PROOFS * (JUDGING_UNITS - 1) + len(judged)
    assert work.has(SEAT_UNITS - spent, now)
    assert not work.has(SEAT_UNITS - spent + 1, now)
    table.play_on(20)
    table.check_honest()


def test_what_follows_over_a_link_that_is_closed_is_not_looked_at(judged: list[CheatProof]) -> None:
    """Once a burst of junk was judged to its end, after the frame that cost the link its life."""
    table = under_way(MALLORY, TRUDY)
    victim = table.peers[0]
    hear_frame(victim, MALLORY, junk(0), table.now)
    judged.clear()
    for number in range(50):
        hear_frame(victim, MALLORY, large_contradiction(TRUDY, number).signed, table.now)
    assert not judged
    victim.link_down(MALLORY, table.now)
    victim.link_up(MALLORY, table.now)
    hear_frame(victim, MALLORY, large_contradiction(TRUDY, 0).signed, table.now)
    assert len(judged) == 1
