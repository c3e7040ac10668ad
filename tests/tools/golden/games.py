"""One game for each rule set, from the first roll to the winner, as text.

Chance and answers follow from a name through SHA-256, so a golden game does not hang on any
library's idea of randomness. A difference in these files means that games replay differently:
then `RULES_VERSION` rises, and the files are written anew on purpose.
"""

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from pathlib import Path

from kotp2p.extras.bots import Noise
from kotp2p.referee.box import rulesets
from kotp2p.referee.game import Game
from kotp2p.referee.model import answers
from kotp2p.referee.model.decisions import Chance, ChanceKind, Decision, Over, RollDecision
from kotp2p.referee.model.state import TurnKind

FOLDER = Path(__file__).parent
ITEMS = ("item", "card", "tile")
MOST_INPUTS = 2000


def short(rules: rulesets.RuleSet) -> rulesets.RuleSet:
    """The same rules, over in a dozen turns."""
    return replace(rules, hearts=7, goal=12)


GAMES = {  # keys by which much happens in few turns
    "classic": (rulesets.Setup(short(rulesets.CLASSIC), 3, rulesets.CLASSIC.deck()), b"241"),
    "second": (rulesets.Setup(short(rulesets.SECOND), 5, rulesets.SECOND.deck()), b"143"),
    "dark": (
        rulesets.Setup(
            short(rulesets.DARK), 4, rulesets.DARK.deck(), rulesets.Options(tile_sides="mixed")
        ),
        b"51",
    ),
}


def written(name: str) -> str:
    setup, key = GAMES[name]
    return "\n".join(_lines(Game(setup), Noise(key, name.encode()))) + "\n"


def _lines(game: Game, noise: Noise) -> Iterator[str]:
    rules = game.setup.rules
    yield f"{rules.name}, {game.setup.seats} seats, {rules.hearts} hearts, {rules.goal} points"
    yield f"rules version {rulesets.RULES_VERSION}"
    for _ in range(MOST_INPUTS):
        if isinstance(game.pending, Over):
            winners = " ".join(map(str, game.pending.winners)) or "nobody"
            yield f"winners {winners}"
            yield f"digest {game.digest().hex()}"
            return
        turn = game.state.turn
        given = _given(game, noise)
        yield f"> {_shown(game.setup, given)}"
        for event in game.submit(given):
            yield f"  {_shown(game.setup, event)}"
        if game.state.turn != turn:
            yield f"digest {game.digest().hex()}"
    raise AssertionError("a golden game comes to its end")


# -- what is put in --------------------------------------------------------------------------------


def _given(game: Game, noise: Noise) -> answers.Input:
    pending = game.pending
    assert not isinstance(pending, Over), "the game goes on"
    if not isinstance(pending, Chance):
        return answers.Answered(pending.seat, _answer(pending, noise))
    if pending.kind is ChanceKind.LOOK:
        assert pending.seat is not None, "somebody looks"
        return answers.Looked(0, pending.seat)
    taken: set[tuple[int, int]] = set()
    values = []
    for draw in pending.draws:
        free = [v for v in range(draw.size) if draw.pool < 0 or (draw.pool, v) not in taken]
        values.append(free[noise.below(len(free))])
        taken.add((draw.pool, values[-1]))
    return answers.Drawn(tuple(values))


def _answer(decision: Decision, noise: Noise) -> answers.Answer:
    """Anything that is legal, but with a liking for energy, and for what it buys."""
    if isinstance(decision, RollDecision) and decision.rolls_left and noise.percent(80):
        likes = {answers.Face.BOLT: 10, answers.Face.CLAW: 30}
        dice = tuple(i for i, f in enumerate(decision.dice) if noise.percent(likes.get(f, 60)))
        return answers.Reroll(dice) if dice else decision.default
    legal = [answer for answer in decision.legal_answers() if answer != decision.default]
    bought = [answer for answer in legal if isinstance(answer, answers.Buy | answers.Use)]
    if bought and noise.percent(85):
        legal = list(bought)
    if not legal or noise.percent(20):
        return decision.default
    return legal[noise.below(len(legal))]


# -- how it is written -----------------------------------------------------------------------------


def _shown(setup: rulesets.Setup, value: object, name: str = "") -> str:
    match value:
        case TurnKind():
            return value or "-"
        case Enum():
            return value.name.lower()
        case bool():
            return "yes" if value else "no"
        case int() if name in ITEMS:
            return _item(setup, value)
        case int():
            return str(value)
        case tuple() | list():
            return "(" + " ".join(_shown(setup, one, name) for one in value) + ")"
        case str():
            return value or "-"
        case None:
            return "-"
    assert is_dataclass(value), f"nothing else is in an input or an event: {value!r}"
    parts = [f"{f.name}={_shown(setup, getattr(value, f.name), f.name)}" for f in fields(value)]
    return " ".join([type(value).__name__, *parts])


def _item(setup: rulesets.Setup, item: answers.Item) -> str:
    named: Sequence[object] = (*setup.deck, *setup.rules.tiles)
    return f"{item}:{setup.key(item)}" if 0 <= item < len(named) else str(item)
