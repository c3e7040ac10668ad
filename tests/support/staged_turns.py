"""Turns of real games that begin as a test wants, and stand at the decision that it is about."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias, TypeVar

from kotp2p.referee.box.rulesets import SECOND, Options, RuleSet
from kotp2p.referee.game import Game
from kotp2p.referee.model import decisions
from kotp2p.referee.model.answers import Answer, Answered, Drawn, Seat, Stop
from kotp2p.referee.model.state import Holding, Place, State
from kotp2p.seams.notices import SeatView
from tests.support.laid_decisions import dice, item
from tests.support.local_game import new_view, put_in

Change: TypeAlias = Callable[[State], None]
D = TypeVar("D", bound=decisions.DecisionBase)
DEFAULT_OPTIONS = Options()


def unchanged(state: State) -> None:
    pass


def rolled(
    faces: str,
    change: Change = unchanged,
    *,
    by: Seat = 0,
    seats: int = 3,
    rules: RuleSet = SECOND,
    options: Options = DEFAULT_OPTIONS,
) -> SeatView:
    """Seat `by` has rolled these for the first time."""
    view = new_view(seats, rules)
    state = view.game.state.copy()
    state.active = state.home = by
    change(state)
    if not any(card is not None for card in state.market):
        state.market = [state.undrawn.pop(), state.undrawn.pop(), state.undrawn.pop()]
    view.game = Game.at_turn_start(replace(view.game.setup, options=options), state)
    while not isinstance(view.game.pending, decisions.RollDecision):
        pending = view.game.pending
        if isinstance(pending, decisions.Chance):
            put_in(view, Drawn(dice(faces)[: len(pending.draws)]))
        else:
            assert not isinstance(pending, decisions.Over)
            put_in(view, Answered(pending.seat, pending.default))
    return view


def go_on(view: SeatView, kind: type[D], seat: Seat = 0) -> D:
    """Everybody does what silence does, until this seat is asked this."""
    while not isinstance(pending := view.game.pending, kind) or pending.seat != seat:
        assert not isinstance(pending, decisions.Over)
        if isinstance(pending, decisions.Chance):
            assert pending.kind is decisions.ChanceKind.CARDS
            put_in(view, Drawn(tuple(range(len(pending.draws)))))
        else:
            put_in(view, Answered(pending.seat, pending.default))
    return pending


def stopped(
    faces: str, change: Change = unchanged, *, by: Seat = 1, rules: RuleSet = SECOND
) -> SeatView:
    """Seat `by` has rolled these and has stopped."""
    view = rolled(faces, change, by=by, rules=rules)
    answer(view, Stop())
    return view


def answer(view: SeatView, given: Answer) -> None:
    pending = view.game.pending
    assert not isinstance(pending, decisions.Chance | decisions.Over)
    put_in(view, Answered(pending.seat, given))


def placed(*seats: Seat) -> Change:
    """These stand in Tokyo, the City first."""

    def change(state: State) -> None:
        for seat, place in zip(seats, (Place.CITY, Place.BAY), strict=False):
            state.monsters[seat].place = place

    return change


def has(
    seat: Seat, *keys: str, hearts: int = 10, energy: int = 0, points: int = 0, poison: int = 0
) -> Change:
    def change(state: State) -> None:
        monster = state.monsters[seat]
        monster.hearts, monster.energy = hearts, energy
        monster.points, monster.poison = points, poison
        for n, key in enumerate(keys, 1):
            card = item(new_view(3), key)
            state.undrawn.remove(card)
            monster.holdings.append(Holding(card, n))

    return change


def all_of(*changes: Change) -> Change:
    def change(state: State) -> None:
        for one in changes:
            one(state)

    return change


def for_sale(*keys: str) -> Change:
    def change(state: State) -> None:
        cards = [item(new_view(3), key) for key in keys]
        state.undrawn = [card for card in state.undrawn if card not in cards]
        state.market = [*cards, *[None] * (3 - len(cards))]

    return change


def shop(*keys: str, change: Change = unchanged, energy: int = 10) -> SeatView:
    """Seat 0 stands before these cards; its dice gave nothing."""

    def staged(state: State) -> None:
        state.monsters[0].energy = energy
        for_sale(*keys)(state)
        change(state)

    view = rolled("112233", staged)
    go_on(view, decisions.BuyDecision)
    return view
