"""Five people at one table, what they sign, and the votes of each against others."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace

from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Cheat
from kotp2p.game.steps import Gather, Moved, Renewal, Solo
from kotp2p.lobby.ceremony import Ceremony
from kotp2p.membership.rejoin import OLDER_STOPS_SECONDS
from kotp2p.mesh.effects import SendFrame
from kotp2p.mesh.gossip import Gossip
from kotp2p.mesh.proof_intake import ProofIntake
from kotp2p.mesh.reachability import Reachability
from kotp2p.mesh.vote_intake import VoteIntake
from kotp2p.peer.peer import Peer
from kotp2p.peer.secrets import Secrets
from kotp2p.votes.voting import Voting
from kotp2p.wire.crypto import Signer, Tag
from kotp2p.wire.entries import Answering, BodyKind, Entry, Head, Signed
from kotp2p.wire.genesis import Charter, Clocks, Genesis, Player, table_id
from kotp2p.wire.proofs import CheatProof
from kotp2p.wire.votes import Vote, VoteChoice
from kotp2p.wishes.clocks import SeatClocks
from referee.box.setup import Options
from referee.model.answers import Answer, Pass, Reroll, Seat
from referee.model.decisions import Chance, Over
from tests.support.hearing import hear_frame
from tests.tools.vector_table import fill

PEOPLE = 5
SIGNERS = [Signer(fill(1 + n)) for n in range(PEOPLE)]
SEEDS = [fill(0x51 + n) for n in range(PEOPLE)]


@functools.cache
def genesis() -> Genesis:
    """Five people at one table."""
    names = ("Ana", "Rex", "Otto", "Kim", "Lou")
    monsters = ("Gigazaur", "The King", "Alienoid", "Meka Dragon", "Cyber Bunny")
    players = tuple(
        Player(name, monster, signer.key, False, n)
        for n, (name, monster, signer) in enumerate(zip(names, monsters, SIGNERS, strict=True))
    )
    table = table_id(players, 0, fill(0x0F))
    charter = Charter(table, fill(0x0F), "second", Options(), players, 0)
    rows = [
        Ceremony(charter, signer, seed, fill(0x60 + n)).row
        for n, (signer, seed) in enumerate(zip(SIGNERS, SEEDS, strict=True))
    ]
    built = Genesis.build(charter, rows)
    signatures = tuple(signer.sign(Tag.GENESIS, built.body) for signer in SIGNERS)
    return replace(built, signatures=signatures)


def owes(ledger: Ledger, seat: Seat) -> Entry:
    """What an honest `seat` signs here."""
    hand = Secrets(ledger, seat, SIGNERS[seat], SEEDS[seat])
    match ledger.step:
        case Gather() as gather:
            return hand.sign_entry(hand.make_opening(gather))
        case Renewal() as renewal:
            return hand.sign_entry(hand.make_commits(renewal))
        case Solo():
            pending = ledger.game.pending
            assert not isinstance(pending, Chance | Over)
            return hand.sign_entry(Answering(pending.default))
        case _:
            raise AssertionError(ledger.step)


def at_a_decision() -> tuple[Ledger, Seat]:
    """The first roll has been rolled; its seat is asked what to keep."""
    ledger = Ledger(genesis())
    while not isinstance(ledger.step, Solo):
        for seat in ledger.owing_seats():
            ledger.accept_entry(owes(ledger, seat))
    return ledger, ledger.step.seat


def two_answers(ledger: Ledger, cheat: Seat) -> tuple[Entry, Entry]:
    """To a roll: what its program would do, and another one."""
    hand = Secrets(ledger, cheat, SIGNERS[cheat], SEEDS[cheat])
    return owes(ledger, cheat), hand.sign_entry(Answering(Reroll((0,))))


def drop(ledger: Ledger, voter: Seat, accused: tuple[Seat, ...], round_: int) -> Vote:
    place = ledger.place
    signer, game = SIGNERS[voter], genesis().id
    return Vote.sign(signer, game, place, ledger.head, voter, VoteChoice.DROP, accused, round_)


def held(ledger: Ledger, keeper: Seat, seat: Seat, *proofs: CheatProof) -> Vote:
    return Vote.sign(
        SIGNERS[keeper], genesis().id, ledger.place, ledger.head, keeper, VoteChoice.HELD, (seat,),
        proofs=[proof.id for proof in proofs],
    )  # fmt: skip


def others(*out: Seat) -> list[Seat]:
    return [seat for seat in range(PEOPLE) if seat not in out]


def proof_against(seat: Seat) -> CheatProof:
    """Two answers of one seat for one place."""
    first = genesis().id
    return CheatProof(
        tuple(
            Entry.sign(SIGNERS[seat], first, 0, 0, first, seat, Answering(answer)).signed
            for answer in (Pass(), Reroll((0,)))
        )
    )


def out_of_turn(ledger: Ledger, seat: Seat, later: int = 0, answer: Answer | None = None) -> Entry:
    view, height = ledger.place
    load = Answering(answer or Pass())
    place = genesis().id, view, height + later, ledger.head
    return Entry.sign(SIGNERS[seat], *place, seat, load)


def offence(ledger: Ledger, seat: Seat) -> Cheat:
    """At the present height, so that it proves nothing behind it."""
    return ledger.judge_proof(CheatProof((out_of_turn(ledger, seat).signed,)))


def accuse(
    there: Ledger,
    voter: Seat,
    accused: tuple[Seat, ...],
    proven: tuple[Seat, ...],
    round_: int = 1,
) -> Vote:
    proofs = [proof_against(seat).id for seat in proven]
    return Vote.sign(
        SIGNERS[voter], genesis().id, there.place, there.head, voter,
        VoteChoice.DROP, accused, round_, proofs,
    )  # fmt: skip


def sitting(ledger: Ledger, seat: Seat) -> Voting:
    gossip = Gossip(ledger, Reachability(seat))
    return Voting(ledger, intake(ledger, gossip), SeatClocks(Clocks()), seat, SIGNERS[seat], {})


def linked(ledger: Ledger, seat: Seat, other: Seat) -> Voting:
    voting = sitting(ledger, seat)
    voting.intake.gossip.reachability.add_link(other, 0.0)
    return voting


def intake(ledger: Ledger, gossip: Gossip) -> VoteIntake:
    return VoteIntake(ledger, gossip, ProofIntake(ledger, gossip))


def count(ledger: Ledger, vote: Vote) -> Moved | None:
    """Takes a vote of `accuse`, behind the proofs that it names."""
    for seat in range(PEOPLE):
        if proof_against(seat).id in vote.proofs:
            ledger.accept_proof(proof_against(seat))
    return ledger.accept_vote(vote)


def tell(voting: Voting, source: Seat, vote: Vote, *proofs: CheatProof) -> Moved | None:
    """A link brings a vote, behind the proofs that it names: `proofs`, or those of `accuse`."""
    for proof in (*proofs, *map(proof_against, range(PEOPLE))):
        if proof.id in vote.proofs:
            voting.intake.proofs.receive_proof(source, proof.signed, ())
    moved = voting.receive_vote(source, vote, 0.0)
    voting.objections.answer_votes()
    return moved


def convict(voting: Voting, fault: Cheat) -> None:
    """This seat has come to know a proof."""
    voting.ledger.accept_proof(fault.proof)
    voting.convicts[fault.seat] = fault


def beyond(height: int, gathers: int = 1) -> Ledger:
    """A copy to which whole gathers behind `height` have come, and an answer is owed behind."""
    ledger, _ = at_a_decision()
    go_beyond(ledger, height, gathers)
    return ledger


def go_beyond(ledger: Ledger, height: int, gathers: int = 1) -> None:
    """Takes what all owe until whole gathers behind `height` have come, and an answer is owed."""
    while (ledger.chain.last_gather, ledger.chain.gather_before_last)[gathers - 1] <= height or len(
        ledger.owing_seats()
    ) > 1:
        for seat in ledger.owing_seats():
            ledger.accept_entry(owes(ledger, seat))


def hear_all(peer: Peer, signers: Sequence[Signer]) -> None:
    """It has returned some time ago, has heard the others, and has no link now."""
    peer.begin(-20.0)
    seats = others(peer.seat)[: len(signers) - 1]
    peer.link_up(seats[0], -20.0)
    for seat in seats:
        early = Head(seat, 0, 0, bytes(32), bytes(8)).sign(signers[seat], peer.genesis.id)
        hear_frame(peer, seats[0], early, -20.0)
    peer.tick(-20.0 + OLDER_STOPS_SECONDS)
    peer.link_down(seats[0], -10.0)
    peer.take_effects()


def answers_of(voting: Voting) -> list[Vote]:
    """What this seat has sent as HELD since."""
    sent = [e.frame for e in voting.intake.gossip.effects if isinstance(e, SendFrame)]
    voting.intake.gossip.effects.clear()
    votes = [
        Vote.parse(frame, genesis().id)
        for frame in sent
        if isinstance(frame, Signed) and frame.kind is BodyKind.VOTE
    ]
    return [v for v in votes if v.choice is VoteChoice.HELD and v.seat == voting.seat]
