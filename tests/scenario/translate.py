"""From a line of a script to an answer: whether it fits a decision, and what it means there."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from kotp2p.referee.box.rulesets import Setup
from kotp2p.referee.model import answers
from kotp2p.referee.model.decisions import BuyDecision, Decision
from kotp2p.referee.model.state import State
from tests.scenario.lines import AnswerLine

_WORDS_OF_KIND: Mapping[str, frozenset[str]] = {
    "roll": frozenset({"reroll", "use", "stop"}),
    "probe": frozenset({"use", "pass"}),
    "change": frozenset({"use", "done"}),
    "order": frozenset({"order"}),
    "hearts": frozenset({"hearts"}),
    "response": frozenset({"use", "pass"}),
    "yield": frozenset({"yield", "stay"}),
    "swap": frozenset({"swap", "pass"}),
    "buy": frozenset({"buy", "peek", "sweep", "use", "done"}),
    "opportunist": frozenset({"buy", "pass"}),
    "deposit": frozenset({"deposit"}),
    "copy": frozenset({"copy", "keep"}),
    "tile": frozenset({"take"}),
    "sell": frozenset({"sell", "done"}),
    "again": frozenset({"again", "pass"}),
}
"""The words that fit each kind of decision. The use of Rapid Healing fits everywhere."""

_USED_AT: Mapping[str, str] = {
    "energy-drink": "roll", "smoke-cloud": "roll", "background-dweller": "roll",
    "psychic-probe": "probe", "stretchy": "change", "plot-twist": "change", "herd-culler": "change",
    "hibernation": "change", "wings": "response", "camouflage": "response",
    "super-jump": "response",
}  # fmt: skip
"""The kind of decision at which each effect can be used."""

_FITS_EVERYWHERE = "rapid-healing"

_ONLY_FACE = {"herd-culler": answers.Face.ONE}
"""A face that a line may name, though the effect gives no other."""


@dataclass(frozen=True, slots=True)
class Illegal:
    """No answer of the referee can say what the line says, so the line is refused."""

    why: str


_PLAIN_ANSWERS: Mapping[str, answers.Answer] = {
    "stop": answers.Stop(), "pass": answers.Pass(), "done": answers.Done(),
    "yield": answers.Yield(), "stay": answers.Stay(), "peek": answers.Peek(),
    "sweep": answers.Sweep(), "keep": answers.Keep(), "again": answers.Again(),
}  # fmt: skip

Said: TypeAlias = answers.Answer | Illegal


def line_fits(line: AnswerLine, decision: Decision) -> bool:
    """Whether `line` is by this seat and its word, or its card for `use`, is of this kind."""
    if line.by != decision.seat:
        return False
    if line.do != "use":
        return line.do in _WORDS_OF_KIND[decision.kind]
    if line.card == _FITS_EVERYWHERE or _USED_AT.get(line.card) == decision.kind:
        return True
    return any(usable.effect == line.card for usable in decision.uses)


def translate_line(
    line: AnswerLine, decision: Decision, state: State, setup: Setup, top: answers.Item | None
) -> Said:
    """The answer of a line that fits. `top` is the top card, if a seat has looked at it."""
    cards = _CardsInPlay(state, setup)
    match line.do:
        case "reroll":
            return answers.Reroll(line.dice)
        case "use":
            return _say_use(line, decision, setup)
        case "order":
            return answers.Order(line.groups)
        case "hearts":
            return answers.Hearts(line.heal, line.poison, line.shrink, line.give)
        case "swap":
            return _say_card(cards.of_others(line.card, line.by), answers.Swap, line, decision)
        case "buy":
            return _say_buy(line, decision, cards, top)
        case "deposit":
            return answers.Deposit(line.energy)
        case "copy":
            owned = cards.of(line.card, line.owner)
            return _say_card([i for i in owned if setup.deck[i].keep], answers.Copy, line, decision)
        case "take":
            return cards.tile(line.tile)
        case "sell":
            return _say_sell(line, cards)
        case word:  # the others carry no fields; the form has refused unknown ones
            return _PLAIN_ANSWERS[word]


class _CardsInPlay:
    """Finds cards and tiles by their keys, wherever they lie."""

    def __init__(self, state: State, setup: Setup) -> None:
        self.state = state
        self.setup = setup
        self.deck = setup.deck

    def of(self, key: str, owner: answers.Seat | None) -> list[answers.Item]:
        """The cards in front of `owner`, or of any monster."""
        return [
            holding.item
            for monster in self.state.monsters
            if owner is None or monster.seat == owner
            for holding in monster.holdings
            if holding.item < len(self.deck) and self.deck[holding.item].key == key
        ]

    def of_others(self, key: str, seat: answers.Seat) -> list[answers.Item]:
        own = self.of(key, seat)
        return [item for item in self.of(key, None) if item not in own]

    def market(self, key: str) -> list[answers.Item]:
        face_up = [item for item in self.state.market if item is not None]
        return [item for item in face_up if self.deck[item].key == key]

    def tile(self, key: str) -> Said:
        """Take a tile of the track; `Illegal` if it is not there."""
        lying = [item for item in self.state.tiles if self.setup.key(item) == key]
        return answers.Take(lying[0]) if lying else Illegal(f"the tile {key} is not there")

    def undrawn(self, key: str) -> list[answers.Item]:
        return [item for item in self.state.undrawn if self.deck[item].key == key]


def _say_card(
    items: list[answers.Item],
    say: type[answers.Swap] | type[answers.Copy] | type[answers.Buy],
    line: AnswerLine,
    decision: Decision,
) -> Said:
    """The second of equal cards if the line says so; else the first that may be named now."""
    if line.second:
        items = items[1:]
    if not items:
        return Illegal("there is no second such card" if line.second else "that card is not there")
    said = [say(item) for item in items]
    return next((answer for answer in said if decision.is_legal(answer)), said[0])


def _say_use(line: AnswerLine, decision: Decision, setup: Setup) -> Said:
    """Use the holding named by `via`; else the card itself rather than a copy of it."""
    fitting = [u for u in decision.uses if u.effect == line.card]
    if line.via:
        fitting = [u for u in fitting if setup.key(u.item) == line.via]
    fitting.sort(key=lambda usable: setup.key(usable.item) != line.card)
    if not fitting:
        return Illegal(f"{line.card} cannot be used now")
    face = None if line.face is _ONLY_FACE.get(line.card) else line.face
    said = [answers.Use(usable.item, line.die, face) for usable in fitting]
    return next((use for use in said if decision.is_legal(use)), said[0])


def _say_buy(
    line: AnswerLine, decision: Decision, cards: _CardsInPlay, top: answers.Item | None
) -> Said:
    if line.from_deck:
        if not isinstance(decision, BuyDecision) or not decision.top or top is None:
            return Illegal("the top card has not been looked at")
        if cards.deck[top].key != line.card:
            return Illegal(f"the top card is {cards.deck[top].name}")
        return answers.BuyTop(top)
    if line.owner is not None:
        return _say_card(cards.of(line.card, line.owner), answers.Buy, line, decision)
    return _say_card(cards.market(line.card), answers.Buy, line, decision)


def _say_sell(line: AnswerLine, cards: _CardsInPlay) -> Said:
    sold: list[answers.Item] = []
    for key in line.cards:
        left = [item for item in cards.of(key, line.by) if item not in sold]
        if line.second:
            left = left[1:]
        if not left:
            return Illegal(f"{key} is not there to sell")
        sold.append(left[0])
    return answers.Sell(tuple(sorted(sold)))
