"""The bot of a beginner who is single-minded.

Scope: the rules of this level, in words and in code. It weighs no chances.

* Dice: it goes for the face of which it has most, if that is of use to it now, and rolls all
  others. Its favourite face counts as one more. It keeps hearts when it is hurt.
* Buying: it buys the dearest card that it can pay for, whatever that does.
* Tokyo: it leaves at few hearts.
* Hearts: it spends each where it helps most.
* It takes protection that costs nothing, any tile, and copies any card.
* It makes no obvious mistake: it gives no answer by which it dies in this turn, if another answer
  saves it, and it takes an offer that wins.

Which face it likes, and how much it fears for its hearts, is a matter of its temper. It has the
temper of its name, so every player can recognize it, also in a game that is resumed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from kotp2p.extras.bots.dice import count_faces
from kotp2p.extras.bots.judgement import Judgement, spend_hearts
from kotp2p.referee.game import GameReading
from kotp2p.referee.model import decisions
from kotp2p.referee.model.answers import Answer, Buy, Face, Reroll, Seat, Stay, Stop, Yield
from kotp2p.referee.model.state import Place
from kotp2p.seams.cores import Noise
from kotp2p.wire.names import BOT_NAMES, is_free_name_of


@dataclass(frozen=True, slots=True)
class Temper:
    """What `easy` likes and fears. The other levels judge alike."""

    favourite: Face | None = None
    heals_below: int = 7
    """With fewer hearts it keeps the hearts that it rolls."""
    leaves_at: int = 5
    """It leaves Tokyo with this many hearts or fewer after a blow."""


EVEN = Temper()
BUILDER = Temper(Face.BOLT)
BRAWLER = Temper(Face.CLAW, heals_below=5, leaves_at=3)
CAREFUL = Temper(Face.THREE, heals_below=9, leaves_at=7)

BOTS: Mapping[str, Temper] = dict(zip(BOT_NAMES, 2 * (BUILDER, BRAWLER, CAREFUL), strict=True))
"""The temper of each name."""


@lru_cache
def temper_of(name: str) -> Temper:
    """Return the temper of the bot of this name, also with a number after the name."""
    return next((BOTS[bot] for bot in BOTS if is_free_name_of(bot, name)), EVEN)


def choose_answer(
    game: GameReading, decision: decisions.Decision, noise: Noise, temper: Temper
) -> Answer:
    """Return the answer of this level; `noise` picks tiles and cards to copy."""
    match decision:
        case decisions.RollDecision():
            return _choose_roll(game, decision, temper)
        case decisions.YieldDecision():
            hearts = game.state.monsters[decision.seat].hearts - decision.pending
            wanted: Answer = Yield() if hearts <= temper.leaves_at else Stay()
            return _unless_deadly(game, decision, wanted)
        case decisions.BuyDecision() | decisions.OpportunistDecision():
            return _choose_offer(game, decision)
        case decisions.ResponseDecision():
            free = [use for use in decision.uses if not use.cost]
            wanted = next(free[0].legal_answers()) if free else decision.default
            return _unless_deadly(game, decision, wanted)
        case decisions.HeartsDecision():
            return spend_hearts(game, decision)
        case decisions.TileDecision() | decisions.CopyDecision(keep=False):
            answers = list(decision.legal_answers())
            return answers[noise.below(len(answers))]
        case _:  # a beginner has no rule for the other kinds
            return decision.default


def _choose_offer(
    game: GameReading, decision: decisions.BuyDecision | decisions.OpportunistDecision
) -> Answer:
    dearest_first = sorted(decision.offers, key=lambda offer: -offer.price)
    chances = {Buy(o.card): _chance(game, decision.seat, Buy(o.card)) for o in dearest_first}
    bearable = [buy for buy, chance in chances.items() if chance]
    winning = [buy for buy in bearable if chances[buy] == 1]
    return next(iter(winning + bearable), decision.default)


def _unless_deadly(
    game: GameReading,
    decision: decisions.YieldDecision | decisions.ResponseDecision,
    wanted: Answer,
) -> Answer:
    """Return `wanted`, or the first answer that saves the monster if this one does not."""
    if _chance(game, decision.seat, wanted):
        return wanted
    saving = (a for a in decision.legal_answers() if _chance(game, decision.seat, a))
    return next(saving, wanted)


def _chance(game: GameReading, seat: Seat, answer: Answer) -> float:
    """Return the outlook of `answer`: 0 if the monster dies this turn, 1 if it wins."""
    return Judgement(seat).outlook(game, answer) or 0.0


def _choose_roll(game: GameReading, decision: decisions.RollDecision, temper: Temper) -> Answer:
    monsters = game.state.monsters
    me = monsters[decision.seat]
    is_outside = me.place is Place.OUTSIDE
    useful = [Face.THREE, Face.TWO, Face.ONE, Face.BOLT]
    if any(m.alive and (m.place is Place.OUTSIDE) is not is_outside for m in monsters):
        useful.insert(0, Face.CLAW)
    kept = set()
    if is_outside and me.hearts < temper.heals_below:
        useful.insert(0, Face.HEART)
        kept.add(Face.HEART)
    counts = count_faces(decision.dice)
    kept.add(max(useful, key=lambda face: counts[face] + (face is temper.favourite)))
    rolled = tuple(i for i, face in enumerate(decision.dice) if face not in kept)
    return Reroll(rolled) if rolled and decision.rolls_left else Stop()
