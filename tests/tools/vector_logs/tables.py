"""The tables of the vectors, and how they come to where something happens."""

import functools

from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Finished, Sharing, Solo
from kotp2p.referee.model import answers, decisions
from kotp2p.wire.entries import Answering
from kotp2p.wire.lineups import CheatProof
from tests.support.scribe import Scribe, rolling

LAB, MIMIC = "made-in-a-lab", "mimic"
MAX_TABLES_TRIED = 400


def looking(ledger: Ledger, decision: decisions.Decision) -> answers.Answer:
    """Keeps bolts, sweeps until a card that looks is for sale, then one that copies it; looks."""
    match decision:
        case decisions.RollDecision(rolls_left=left, dice=faces) if left:
            dice = tuple(i for i, face in enumerate(faces) if face is not answers.Face.BOLT)
            return answers.Reroll(dice) if dice else answers.Stop()
        case decisions.YieldDecision():
            return answers.Yield()
        case decisions.BuyDecision():
            return _buying(ledger, decision)
        case decisions.CopyDecision(targets=targets):
            labs = [item for item in targets if ledger.game.setup.key(item) == LAB]
            return answers.Copy(labs[0]) if labs else decision.default
        case _:
            return decision.default


def _buying(ledger: Ledger, decision: decisions.BuyDecision) -> answers.Answer:
    game = ledger.game
    owners: dict[str, int] = {}
    for seat, monster in enumerate(game.state.monsters):
        owners |= {game.setup.key(held.item): seat for held in monster.holdings}
    wanted = MIMIC if LAB in owners else LAB
    if decision.peek:
        return answers.Peek()
    if owners.get(LAB) == decision.seat or MIMIC in owners:
        return answers.Done()
    offers = [offer.card for offer in decision.offers if game.setup.key(offer.card) == wanted]
    if offers:
        return answers.Buy(offers[0])
    market = [item for item in game.state.market if item is not None]
    is_for_sale = any(game.setup.key(item) == wanted for item in market)
    return answers.Sweep() if decision.sweep and not is_for_sale else answers.Done()


def begun(people: int = 3) -> Scribe:
    scribe = Scribe(people)
    scribe.until(rolling)
    return scribe


def asked(scribe: Scribe) -> int:
    assert isinstance(scribe.ledger.step, Solo)
    return scribe.ledger.step.seat


def others(scribe: Scribe, *but: int) -> list[int]:
    return [seat for seat in range(len(scribe.signers)) if seat not in but]


def at_second_look(people: int = 2) -> Scribe:
    scribe = Scribe(people, number=_number_of_second_look(people), policy=looking)
    scribe.until(_is_ended_or_shared)
    return scribe


@functools.cache
def _number_of_second_look(people: int) -> int:
    """The number of the first table at which a seat looks at the card that another one has seen.

    It is searched, because the dice of every table change with the versions in its genesis.
    """
    for number in range(MAX_TABLES_TRIED):
        scribe = Scribe(people, number=number, policy=looking)
        scribe.until(_is_ended_or_shared)
        if isinstance(scribe.ledger.step, Sharing):
            return number
    raise AssertionError("no table of these has a second look")


def _is_ended_or_shared(ledger: Ledger) -> bool:
    return isinstance(ledger.step, Finished | Sharing)


def two_answers(scribe: Scribe, seat: int) -> CheatProof:
    both = [scribe.entry(seat, Answering(one)) for one in (answers.Pass(), answers.Reroll((0,)))]
    return CheatProof(tuple(entry.signed for entry in both))
