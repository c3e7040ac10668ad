"""The worth of every final roll, each resolved on a fork of the game to the end of the turn.

Scope: one number for each multiset of faces. So the cards of all monsters count for what they do,
and none is known here by its name.

Rolls that come to the same are resolved once: where no effect of the roller looks at the dice
itself, only the points of the numbers, the steps on the track, the hearts of use, the bolts and the
claws count.
Known limitation: changes of dice that cards offer after the last roll are not foreseen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from kotp2p.bots.dice import Counts, Lattice
from kotp2p.bots.hearts import heart_uses
from kotp2p.bots.judgement import Judgement
from kotp2p.referee.cards.effects import effects_by_item
from kotp2p.referee.game import GameReading
from kotp2p.referee.model.answers import Face
from kotp2p.referee.model.decisions import RollDecision
from kotp2p.referee.model.state import NO_ITEM
from kotp2p.referee.table.table import DiceTraits, Effect

FACES = tuple(Face)
NUMBERS = (Face.ONE, Face.TWO, Face.THREE)
TRIPLE = 3
HOOKS_AFTER_BUYING = frozenset([Effect.turn_ends, Effect.three_ones_earn_a_turn])
"""Where a card that is bought in this turn can still look at its dice."""

RollWorths = Mapping[Counts, float]


@dataclass(frozen=True, slots=True)
class _Moment:
    """A turn whose dice are still to be rolled; equal to another if only the dice differ."""

    game: GameReading = field(compare=False)
    judgement: Judgement = field(compare=False)
    dice: int
    key: tuple[object, ...]


class _Looks(NamedTuple):
    """What is looked at in the final dice of a turn, once for all rolls."""

    useful_hearts: int
    at_steps: bool
    """Whether they are steps on the track of the wickedness tiles."""
    at_hearts: bool
    at_faces: bool
    at_triples: bool


def final_roll_worths(
    game: GameReading, decision: RollDecision, judgement: Judgement
) -> RollWorths:
    """The chance to win after each multiset of `decision.dice`, were it the final roll.

    All dice must be free to be rolled anew: `decision.rolls_left` is at least 1.
    """
    assert decision.rolls_left, "the last roll has been made"
    return _resolve_all(_moment(game, len(decision.dice), judgement))


def _moment(game: GameReading, dice: int, judgement: Judgement) -> _Moment:
    state = game.state
    monsters = [
        (
            m.hearts, m.points, m.energy, m.place, m.alive, m.poison, m.shrink, m.wickedness,
            tuple([(h.item, h.counters, h.copies, h.used) for h in m.holdings]),
        )
        for m in state.monsters
    ]  # fmt: skip
    view = judgement.view
    known = tuple(sorted(view.worths.items())), tuple(sorted(view.gains.items()))
    key = (
        game.setup.rules.name, game.setup.options, state.turn, judgement.seat, judgement.temper,
        judgement.appraise, known, tuple(state.market), tuple(monsters), state.extra_rolls,
        tuple(state.undrawn),
    )  # fmt: skip
    return _Moment(game, judgement, dice, key)


@lru_cache(maxsize=16)
def _resolve_all(moment: _Moment) -> RollWorths:
    """Kept for the next rolls of the same turn, which ask for the same again."""
    lattice = Lattice(moment.dice)
    looks = _looks_of(moment)
    found: dict[Counts, float] = {}
    alike: dict[tuple[int, ...], float] = {}
    for i in lattice.full:
        counts = lattice.multisets[i]
        kind = _what_counts(counts, looks)
        if kind not in alike:
            alike[kind] = _resolve(moment, counts)
        found[counts] = alike[kind]
    return found


def _resolve(moment: _Moment, counts: Counts) -> float:
    fork = moment.game.at_final_dice(tuple([face for face in FACES for _ in range(counts[face])]))
    moment.judgement.finish_turn(fork)
    return moment.judgement.chance(fork)


def _looks_of(moment: _Moment) -> _Looks:
    game = moment.game
    read = _traits_read(moment)
    return _Looks(
        len(heart_uses(game, moment.judgement.seat)),
        bool(game.setup.rules.tiles),
        DiceTraits.HEARTS in read,
        DiceTraits.FACES in read,
        DiceTraits.TRIPLES in read,
    )


def _traits_read(moment: _Moment) -> DiceTraits:
    """What effects look for in the dice: those of the roller, and those that may be bought."""
    effects = effects_by_item(moment.game.setup)
    found = DiceTraits(0)
    for holding in moment.game.state.monsters[moment.judgement.seat].holdings:
        for item in (holding.item, holding.copies):
            effect = None if item == NO_ITEM else effects[item]
            found |= DiceTraits(0) if effect is None else effect.reads
    for item in moment.judgement.view.gains:
        effect = effects[item]
        if effect is not None and effect.hooks & HOOKS_AFTER_BUYING:
            found |= effect.reads
    return found


def _what_counts(counts: Counts, looks: _Looks) -> tuple[int, ...]:
    """Equal for rolls that come to the same, if nothing else of them is looked at."""
    ones, twos, threes, hearts, bolts, claws = counts
    numbers: tuple[int, ...]
    steps = 2 * (ones // TRIPLE) + twos // TRIPLE if looks.at_steps else 0
    if not looks.at_hearts and not steps:  # a tile may raise the maximum
        least = min(hearts, 1) if looks.at_faces else 0
        hearts = max(least, min(hearts, looks.useful_hearts))
    if looks.at_faces:
        numbers = tuple([n if n >= TRIPLE else min(n, 1) for n in (ones, twos, threes)])
    elif looks.at_triples:
        numbers = tuple([n if n >= TRIPLE else 0 for n in (ones, twos, threes)])
    else:
        points = [f + 1 + counts[f] - TRIPLE for f in NUMBERS if counts[f] >= TRIPLE]
        numbers = sum(points), steps
    return (*numbers, hearts, bolts, claws)
