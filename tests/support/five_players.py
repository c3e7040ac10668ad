"""Five people at one table, and what they sign."""

import functools
from dataclasses import replace

from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Committing, Gather, Solo
from kotp2p.lobby.start import Ceremony
from kotp2p.peer.bodies import Secrets
from kotp2p.referee.box.rulesets import Options
from kotp2p.referee.model.answers import Answer, Pass, Reroll, Seat
from kotp2p.referee.model.decisions import Chance, Over
from kotp2p.wire.crypto import Signer, Tag
from kotp2p.wire.entries import Answering, Entry, Witness
from kotp2p.wire.genesis import Charter, Genesis, Player, table_id
from tests.tools.vector_table import fill

PEOPLE = 5
SIGNERS = [Signer(fill(1 + n)) for n in range(PEOPLE)]
SEEDS = [fill(0x51 + n) for n in range(PEOPLE)]


NAMES = ("Ana", "Rex", "Otto", "Kim", "Lou")
MONSTERS = ("Gigazaur", "The King", "Alienoid", "Meka Dragon", "Cyber Bunny")


@functools.cache
def genesis_of(people: int, *, two_player: bool = False) -> Genesis:
    signers = SIGNERS[:people]
    players = tuple(Player(NAMES[n], MONSTERS[n], one.key, n) for n, one in enumerate(signers))
    table = table_id(players, 0, fill(0x0F))
    charter = Charter(table, fill(0x0F), 1, "second", Options(two_player=two_player), players, 0)
    rows = [Ceremony(charter, s, SEEDS[n], fill(0x60 + n)).row for n, s in enumerate(signers)]
    built = Genesis.build(charter, rows)
    seals = {n: signer.sign(Tag.GENESIS, built.body) for n, signer in enumerate(signers)}
    return replace(built, seals=seals)


def genesis() -> Genesis:
    return genesis_of(PEOPLE)


def owes(ledger: Ledger, seat: Seat) -> Entry:
    hand = Secrets(ledger, seat, SIGNERS[seat], SEEDS[seat])
    match ledger.step:
        case Gather() | Committing() as step if seat in step.witnesses:
            return hand.sign_entry(seat, Witness())
        case Gather() as gather:
            return hand.sign_entry(seat, hand.make_opening(gather))
        case Committing():
            return hand.sign_entry(seat, hand.make_rows())
        case Solo():
            pending = ledger.game.pending
            assert not isinstance(pending, Chance | Over)
            return hand.sign_entry(seat, Answering(pending.default))
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
    return owes(ledger, cheat), hand.sign_entry(cheat, Answering(Reroll((0,))))


def others(*out: Seat) -> list[Seat]:
    return [seat for seat in range(PEOPLE) if seat not in out]


def out_of_turn(ledger: Ledger, seat: Seat, later: int = 0, answer: Answer | None = None) -> Entry:
    attempt, height = ledger.place
    load = Answering(answer or Pass())
    return Entry.sign(SIGNERS[seat], attempt, height + later, ledger.head, seat, load)


def beyond(height: int, gathers: int = 1) -> Ledger:
    """A copy to which whole gathers after `height` have come, and an answer is owed after them."""
    ledger, _ = at_a_decision()
    go_beyond(ledger, height, gathers)
    return ledger


def go_beyond(ledger: Ledger, height: int, gathers: int = 1) -> None:
    """Takes what all owe until whole gathers after `height` have come, and an answer is owed."""
    while (ledger.chain.last_gather, ledger.chain.gather_before_last)[gathers - 1] <= height or len(
        ledger.owing_seats()
    ) > 1:
        for seat in ledger.owing_seats():
            ledger.accept_entry(owes(ledger, seat))
