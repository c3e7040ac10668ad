"""A table for tests: monsters set down as wanted, and chance from the test."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import pytest

from kotp2p.referee.box.rulesets import Options, RuleSet, Setup
from kotp2p.referee.game import Game
from kotp2p.referee.model import answers
from kotp2p.referee.model.answers import Answer, Answered, Drawn, Face, Item, Looked, Out, Seat
from kotp2p.referee.model.decisions import Chance, ChanceKind, Decision, Over
from kotp2p.referee.model.events import Event, TurnEnded
from kotp2p.referee.model.state import Holding, Monster, Place, State

OUTSIDE, CITY, BAY = Place.OUTSIDE, Place.CITY, Place.BAY


@dataclass(frozen=True)
class Sits:
    """One monster as a test sets it down; cards by key."""

    place: Place = OUTSIDE
    hearts: int = 10
    points: int = 0
    energy: int = 0
    cards: tuple[str, ...] = ()
    poison: int = 0
    shrink: int = 0


class Played:
    """A game that a test plays: rolls, draws and answers, and what came of them."""

    def __init__(self, setup: Setup, state: State) -> None:
        self.game = Game.at_turn_start(setup, state)
        self.events: list[Event] = []
        self.asked: list[tuple[Seat, str]] = []

    @property
    def state(self) -> State:
        return self.game.state

    @property
    def asks(self) -> tuple[Seat, str]:
        pending = self.game.pending
        assert not isinstance(pending, Chance | Over), f"no seat is asked: {pending}"
        return pending.seat, pending.kind

    @property
    def decision(self) -> Decision:
        pending = self.game.pending
        assert not isinstance(pending, Chance | Over), f"no seat is asked: {pending}"
        return pending

    @property
    def chance(self) -> Chance:
        pending = self.game.pending
        assert isinstance(pending, Chance), f"chance is not asked: {pending}"
        return pending

    def monster(self, seat: Seat) -> Monster:
        return self.state.monsters[seat]

    def item(self, key: str, copy: int = 0) -> Item:
        return [i for i, card in enumerate(self.game.setup.deck) if card.key == key][copy]

    def kinds(self) -> list[type]:
        return [type(event) for event in self.events]

    def roll(self, faces: str) -> None:
        assert self.chance.kind is ChanceKind.DICE
        self._submit(Drawn(tuple(int(Face.of(letter)) for letter in faces)))

    def draw(self, *keys: str) -> None:
        chance = self.chance
        assert chance.kind is ChanceKind.CARDS
        values = []
        for draw, key in zip(chance.draws, keys, strict=True):
            pile = chance.piles[draw.pool]
            values.append(next(i for i, c in enumerate(pile) if self.game.card(c).key == key))
        self._submit(Drawn(tuple(values)))

    def say(self, seat: Seat, answer: Answer) -> None:
        self._submit(Answered(seat, answer))

    def refuses(self, answer: Answer, reason: answers.Reason) -> None:
        """Seat 0 gives an answer against the rules."""
        refuses(self.game, Answered(0, answer), reason)

    def look(self, seat: Seat) -> None:
        self._submit(Looked(0, seat))

    def out(self, *seats: Seat) -> None:
        self._submit(Out(seats))

    def default_until(self, kind: str) -> None:
        """Take the defaults until a seat is asked for `kind`."""
        while self.asks[1] != kind:
            self.say(self.decision.seat, self.decision.default)

    def finish_turn(self) -> State:
        """Take the defaults and the lowest cards to the end of the turn; the State there."""
        self.events = []
        while not any(isinstance(event, TurnEnded) for event in self.events):
            pending = self.game.pending
            if isinstance(pending, Chance):
                assert pending.kind is ChanceKind.CARDS, "the test has not rolled these dice"
                self._submit(Drawn(lowest_cards(pending)))
            else:
                self.say(self.decision.seat, self.decision.default)
        return self.game.turn_end or self.state

    def _submit(self, given: Answered | Drawn | Looked | Out) -> None:
        self.events += self.game.submit(given)
        pending = self.game.pending
        if not isinstance(pending, Chance | Over):
            self.asked.append((pending.seat, pending.kind))


def refuses(game: Game, given: answers.Input, reason: answers.Reason) -> None:
    """Put in what is against the rules: it is refused for this reason."""
    with pytest.raises(answers.IllegalAction) as refused:
        game.submit(given)
    assert refused.value.reason is reason


def lowest_cards(chance: Chance) -> tuple[int, ...]:
    """The first cards of each pile."""
    used: dict[int, int] = {}
    values = []
    for draw in chance.draws:
        values.append(used.get(draw.pool, 0))
        used[draw.pool] = values[-1] + 1
    return tuple(values)


def seated(
    rules: RuleSet,
    *monsters: Sits,
    market: Sequence[str] = (),
    undrawn: Sequence[str] | None = None,
    discard: Sequence[str] = (),
    options: Options | None = None,
) -> Played:
    """A game at the start of seat 0's turn. Without `undrawn` there is no further card."""
    setup = Setup(rules, len(monsters), rules.deck(), options or Options())
    left: dict[str, list[Item]] = {}
    for item, card in enumerate(setup.deck):
        left.setdefault(card.key, []).append(item)

    def take(key: str) -> Item:
        return left[key].pop(0)

    state = State([_monster(seat, sits, take) for seat, sits in enumerate(monsters)])
    state.acquisitions = sum(len(sits.cards) for sits in monsters)
    there: list[Item | None] = [take(key) for key in market]
    state.market = there + [None] * (3 - len(there))
    state.discard = [take(key) for key in discard]
    state.undrawn = sorted(take(key) for key in undrawn or ())
    return Played(setup, state)


def _monster(seat: Seat, sits: Sits, take: Callable[[str], Item]) -> Monster:
    holdings = [Holding(take(key), 10 * seat + i) for i, key in enumerate(sits.cards)]
    return Monster(
        seat,
        sits.hearts,
        sits.points,
        sits.energy,
        sits.place,
        poison=sits.poison,
        shrink=sits.shrink,
        holdings=holdings,
    )


def shorten(rules: RuleSet) -> RuleSet:
    """The same rules, soon over."""
    return replace(rules, hearts=4, goal=6)


SHOP = ("wings", "jets", "tank")


def go_to_buying(play: Played, dice: str = "112233") -> None:
    play.roll(dice)
    play.default_until("buy")
