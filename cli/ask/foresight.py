"""What an answer leads to, tried out on a fork of the referee.

Scope: no rule is known here. The answer goes into a fork, and the fork plays on: until chance, a
choice that nobody can foresee, or the end of the turn. On the way everybody does what silence
would do. The game itself is never changed.
Not here: sentences about what was found (`cli.ask.preview`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import TypeAlias, TypeGuard, assert_never

from kotp2p.seat_view import SeatView
from referee.game import Game
from referee.model.answers import Answer, Answered, Drawn, Order, Stay, Yield
from referee.model.card_decisions import (
    AgainDecision,
    BuyDecision,
    CopyDecision,
    DepositDecision,
    OpportunistDecision,
    SellDecision,
    TileDecision,
)
from referee.model.damage_decisions import ResponseDecision, SwapDecision, YieldDecision
from referee.model.decisions import Chance, ChanceKind, Draw, Over, Pending, seat_asked
from referee.model.dice_decisions import (
    ChangeDecision,
    HeartsDecision,
    OrderDecision,
    ProbeDecision,
    RollDecision,
)
from referee.model.events import Eliminated, Event, GameEnded, TurnEnded
from referee.model.kinds import DamageKind

MAX_STEPS_OF_TURN = 40
"""Six monsters that defend with all they have need fewer."""
MAX_STEPS_OF_ANSWER = 12
"""A purchase with the cards that it turns up and its defences needs fewer."""

Interlude: TypeAlias = (
    ProbeDecision | ChangeDecision | OrderDecision | HeartsDecision | ResponseDecision
    | YieldDecision
)  # fmt: skip


def is_interlude(pending: Pending) -> TypeGuard[Interlude]:
    """True for what is asked between an answer and its outcome; the rest opens something new."""
    match pending:
        case (
            ProbeDecision() | ChangeDecision() | OrderDecision() | HeartsDecision()
            | ResponseDecision() | YieldDecision()
        ):  # fmt: skip
            return True
        case (
            RollDecision() | SwapDecision() | BuyDecision() | OpportunistDecision()
            | DepositDecision() | CopyDecision() | TileDecision() | SellDecision()
            | AgainDecision() | Chance() | Over()
        ):  # fmt: skip
            return False
        case _:
            assert_never(pending)


@dataclass
class Outlook:
    """What a fork told."""

    events: list[Event] = field(default_factory=list)
    asked: list[Interlude] = field(default_factory=list)
    """The interludes on the way, each answered as by silence."""
    stands_at: Pending | None = None
    """What the fork stopped at; None at the end of the turn."""


def foresee(game: Game, answer: Answer, *, turning_up: bool = False) -> Outlook:
    """`game` stands at a decision that takes this answer, and is left alone. `turning_up`: goes
    on where cards are turned up, whichever they are, as a bought card works only after that."""
    seat = seat_asked(game.pending)
    assert seat is not None  # an answer is to a decision
    fork = game.fork()
    found = Outlook()
    events = fork.submit(Answered(seat, answer))
    for _step in range(MAX_STEPS_OF_TURN):
        if any(isinstance(event, TurnEnded) for event in events):
            found.events += _events_of_turn(events)
            found.stands_at = None
            return found
        found.events += events
        pending = found.stands_at = fork.pending
        if turning_up and isinstance(pending, Chance) and pending.kind is ChanceKind.CARDS:
            events = fork.submit(Drawn(smallest_draw(pending.draws)))
            continue
        if not is_interlude(pending):
            return found
        found.asked.append(pending)
        events = fork.submit(Answered(pending.seat, pending.default))
    return found


def _events_of_turn(events: Sequence[Event]) -> list[Event]:
    """What comes after belongs to the next turn, except for the end of the game."""
    end = next(n for n, event in enumerate(events) if isinstance(event, TurnEnded))
    return [*events[:end], *(event for event in events[end:] if isinstance(event, GameEnded))]


def takes_last_hearts(view: SeatView, answer: Answer) -> bool:
    """True if this seat falls through its own answer, before anybody else acts.

    Which cards are turned up does not matter to it, so any stand for them. The seat's own
    defences and what others may do are left out.
    """
    game = view.game.fork()
    seat = view.seat
    events = game.submit(Answered(seat, answer))
    for _step in range(MAX_STEPS_OF_ANSWER):
        if any(isinstance(event, Eliminated) and event.seat == seat for event in events):
            return True
        pending = game.pending
        if isinstance(pending, Over):
            return False
        if isinstance(pending, Chance):
            if pending.kind is ChanceKind.LOOK:
                return False
            events = game.submit(Drawn(smallest_draw(pending.draws)))
        elif pending.seat != seat:
            events = game.submit(Answered(pending.seat, pending.default))
        elif isinstance(pending, ResponseDecision) and pending.damage is not DamageKind.LOSS:
            events = game.submit(Answered(seat, pending.default))
        else:
            return False
    return False


def only_heals(decision: HeartsDecision) -> bool:
    """True if a heart can do nothing but heal its owner: nobody wants to be asked for that."""
    return not (decision.poison or decision.shrink or decision.patients or decision.uses)


def order_matters(view: SeatView, decision: OrderDecision) -> bool:
    """False if the groups come to the same in every order, whether others stay in Tokyo or leave.

    If nobody owns a card it never matters; otherwise all orders are tried.
    """
    if decision.uses:
        return True
    state = view.game.state
    if not any(monster.holdings or monster.wickedness for monster in state.monsters):
        return False
    orders = list(permutations(decision.groups))  # six groups at most: a tenth of a second
    for yielding in (False, True):
        outcomes = {_outcome(view.game.fork(), Order(order), yielding) for order in orders}
        if len(outcomes) > 1 or None in outcomes:
            return True
    return False


def _outcome(game: Game, order: Order, yielding: bool) -> bytes | None:
    """The position when the player of the turn is asked again; None if nobody can foresee it."""
    me = game.state.active
    game.submit(Answered(me, order))
    for _step in range(MAX_STEPS_OF_ANSWER):
        pending = game.pending
        if isinstance(pending, Over) or game.state.active != me:
            return game.digest()
        if isinstance(pending, YieldDecision) and pending.seat != me:
            game.submit(Answered(pending.seat, Yield() if yielding else Stay()))
        elif isinstance(pending, HeartsDecision) and only_heals(pending):
            game.submit(Answered(me, pending.default))
        elif isinstance(pending, Chance) and pending.kind is not ChanceKind.CARDS:
            return None
        elif isinstance(pending, Chance) or pending.seat == me:
            return game.digest()
        else:
            return None
    return None


def smallest_draw(draws: tuple[Draw, ...]) -> tuple[int, ...]:
    """The smallest values that fit."""
    used: dict[int, int] = {}
    values = []
    for draw in draws:
        value = used.get(draw.pool, 0) if draw.pool >= 0 else 0
        used[draw.pool] = value + 1
        values.append(value)
    return tuple(values)
