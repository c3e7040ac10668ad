"""The tables of the vectors, and how they come to where something happens."""

from __future__ import annotations

import functools

from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Finished, Sharing, Solo
from kotp2p.wire.entries import Answering
from kotp2p.wire.proofs import CheatProof
from referee.box.rulesets import RULE_SETS
from referee.model.answers import Answer, Buy, Copy, Done, Face, Pass, Peek, Reroll, Stop, Yield
from referee.model.card_decisions import BuyDecision, CopyDecision
from referee.model.damage_decisions import YieldDecision
from referee.model.decisions import Decision
from referee.model.dice_decisions import RollDecision
from tests.support.scribe import Scribe, rolling

FEW = ("corner-store", "energize", "extra-head", "extra-head", "heal", "wings")
CLASSIC = tuple(card.key for card in RULE_SETS["classic"].deck()[:8])
DARK = tuple(card.key for card in RULE_SETS["dark"].deck()[:8])
LAB, MIMIC = "made-in-a-lab", "mimic"
LOOKS = ("corner-store", "energize", "extra-head", "extra-head", "heal", LAB, MIMIC, "wings")
MAX_TABLES_TRIED = 400


def looking(ledger: Ledger, decision: Decision) -> Answer:
    """Keeps bolts, buys what looks and what copies that, and looks."""
    deck = ledger.game.setup.deck
    match decision:
        case RollDecision(rolls_left=left, dice=faces) if left:
            dice = tuple(i for i, face in enumerate(faces) if face is not Face.BOLT)
            return Reroll(dice) if dice else Stop()
        case YieldDecision():
            return Yield()
        case BuyDecision(offers=offers, peek=peek):
            wanted = [offer.card for offer in offers if deck[offer.card].key in (LAB, MIMIC)]
            return Buy(wanted[0]) if wanted else Peek() if peek else Done()
        case CopyDecision(targets=targets):
            labs = [item for item in targets if deck[item].key == LAB]
            return Copy(labs[0]) if labs else decision.default
        case _:
            return decision.default


def begun(people: int = 3) -> Scribe:
    """At the first question."""
    scribe = Scribe(people, FEW)
    scribe.until(rolling)
    return scribe


def asked(scribe: Scribe) -> int:
    assert isinstance(scribe.ledger.step, Solo)
    return scribe.ledger.step.seat


def others(scribe: Scribe, *but: int) -> list[int]:
    return [seat for seat in range(len(scribe.signers)) if seat not in but]


def at_second_look(people: int = 2) -> Scribe:
    scribe = Scribe(people, LOOKS, number=_number_of_second_look(people), policy=looking)
    scribe.until(_is_ended_or_shared)
    return scribe


@functools.cache
def _number_of_second_look(people: int) -> int:
    """The number of the first table at which a seat looks at the card that another one has seen.

    It is searched, because the dice of every table change with the versions in its genesis.
    """
    for number in range(MAX_TABLES_TRIED):
        scribe = Scribe(people, LOOKS, number=number, policy=looking)
        scribe.until(_is_ended_or_shared)
        if isinstance(scribe.ledger.step, Sharing):
            return number
    raise AssertionError("no table of these has a second look")


def _is_ended_or_shared(ledger: Ledger) -> bool:
    return isinstance(ledger.step, Finished | Sharing)


def two_answers(scribe: Scribe, seat: int) -> CheatProof:
    both = [scribe.entry(seat, Answering(answer)) for answer in (Pass(), Reroll((0,)))]
    return CheatProof(tuple(entry.signed for entry in both))


def beyond_a_gather(two: bool = False) -> tuple[Scribe, tuple[int, int, bytes], tuple[int, ...]]:
    """A gather or two have closed behind a question, and there is another question; the place of
    the first one, and its seat and the next."""
    scribe = begun()
    at, first = scribe.place, asked(scribe)
    scribe.until(
        lambda it: (
            (it.chain.gather_before_last if two else it.chain.last_gather) > at[1] and rolling(it)
        )
    )
    return scribe, at, tuple(sorted((first, (first + 1) % 3)))
