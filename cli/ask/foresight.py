"""What an answer leads to, tried on a fork of the referee, and which answers are risky.

Scope: no rule is known here. The answer goes into a fork, and the fork plays on: until chance, a
choice that cannot be foreseen, or the end of the turn. On the way every seat gives its default
answer. The game itself is never changed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice, permutations
from typing import TypeAlias

from kotp2p.cli.text import names
from kotp2p.cli.text.i18n import _, list_with_and, plural
from kotp2p.referee.game import Game, GameReading
from kotp2p.referee.model import answers, decisions
from kotp2p.referee.model.events import Eliminated, Event, GameEnded, TurnEnded
from kotp2p.referee.model.state import Place
from kotp2p.seams.notices import SeatView

MAX_STEPS_OF_TURN = 40
"""Six monsters that use all their defences need fewer."""
DICE_OF_A_TRIPLE = 3
MAX_STEPS_OF_ORDER = 12
"""The dice of one turn raise fewer questions to others."""

Interlude: TypeAlias = (
    decisions.ProbeDecision | decisions.ChangeDecision | decisions.OrderDecision
    | decisions.HeartsDecision | decisions.ResponseDecision | decisions.YieldDecision
)  # fmt: skip
"""Questions that lie between an answer and its outcome; others open something new."""
CHOICES: TypeAlias = (
    decisions.RollDecision
    | decisions.DepositDecision
    | decisions.CopyDecision
    | decisions.TileDecision
)
"""Decisions whose default answer makes a choice; others do nothing, or what is expected."""


@dataclass
class Outlook:
    events: list[Event] = field(default_factory=list)
    asked: list[Interlude] = field(default_factory=list)
    """The interludes on the way there, each with its default answer."""
    stands_at: decisions.Pending | None = None
    """The first thing that is no interlude; None at the end of the turn."""
    later: list[Event] = field(default_factory=list)
    """The events from there to the end of the turn, if no more is bought or used, as far as they
    can be foreseen."""
    until_asked_again: list[Event] = field(default_factory=list)
    """All these up to the point at which the seat is asked the same question again."""
    points: tuple[int, ...] = ()
    monsters_left: int = 0

    @property
    def winners(self) -> tuple[answers.Seat, ...] | None:
        """Return the winning seats: none if all fall, and None if the game goes on."""
        ends = [event for event in (*self.events, *self.later) if isinstance(event, GameEnded)]
        return ends[0].winners if ends else None


def foresee(game: GameReading, answer: answers.Answer, *, turning_up: bool = False) -> Outlook:
    """Play the answer, and what follows from it, on a fork of `game`.

    `game` must be at a decision that takes this answer. With `turning_up` the fork goes on where
    cards are turned up, whichever they are, as a bought card works only after that.
    """
    asked = game.pending
    seat = decisions.seat_asked(asked)
    assert seat is not None  # an answer is to a decision
    fork = game.fork()
    found = Outlook()
    telling, is_asked_again = found.events, False
    for events, at in _play_silently(fork, answers.Answered(seat, answer), turning_up=turning_up):
        telling += events
        if not is_asked_again:
            found.until_asked_again += events
        if at is not None and type(at) is type(asked) and decisions.seat_asked(at) == seat:
            is_asked_again = True
        if telling is found.events:
            found.stands_at = at
            if isinstance(at, Interlude):
                found.asked.append(at)
            else:
                telling = found.later
    found.points = tuple(monster.points for monster in fork.state.monsters)
    found.monsters_left = len(fork.state.seats_alive())
    return found


def is_lost_by_use(game: GameReading, use: answers.Use) -> bool:
    """Return whether using the card costs its owner the card, whatever chance does next."""
    seat = decisions.seat_asked(game.pending)
    assert seat is not None  # a use is an answer to a decision
    fork = game.fork()
    fork.submit(answers.Answered(seat, use))
    return all(held.item != use.item for held in fork.state.monsters[seat].holdings)


def _play_silently(
    fork: Game, given: answers.Input, *, turning_up: bool
) -> Iterator[tuple[list[Event], decisions.Pending | None]]:
    """Yield the events of each step and what comes next, with default answers, until chance."""
    events: list[Event] = []
    for _step in range(MAX_STEPS_OF_TURN):
        events += fork.submit(given)
        if any(isinstance(event, TurnEnded) for event in events):
            yield _events_of_turn(events), None
            return
        pending = fork.pending
        if (
            turning_up
            and isinstance(pending, decisions.Chance)
            and pending.kind is decisions.ChanceKind.CARDS
        ):
            given = answers.Drawn(smallest_draw(pending.draws))
            continue
        yield events, pending
        if isinstance(pending, decisions.Chance | decisions.Over | CHOICES):
            return
        events = []
        given = answers.Answered(pending.seat, pending.default)


def _events_of_turn(events: Sequence[Event]) -> list[Event]:
    """Return the events up to the end of the turn, and the end of the game if it follows."""
    end = next(n for n, event in enumerate(events) if isinstance(event, TurnEnded))
    return [*events[:end], *(event for event in events[end:] if isinstance(event, GameEnded))]


def only_heals(decision: decisions.HeartsDecision) -> bool:
    """Return whether a heart can do nothing but heal its owner, so no question is needed."""
    return not (decision.poison or decision.shrink or decision.patients or decision.uses)


def order_matters(view: SeatView, decision: decisions.OrderDecision) -> bool:
    """Return whether the order of the groups changes the outcome.

    All orders are tried, also for the case that others leave Tokyo: even without a card it matters
    to a monster in the Bay whether its claws close the Bay before its hearts are resolved. Numbers
    without a triple do nothing (RULES 3.6), so they stay at the end: six groups with claws in Tokyo
    would take a second.
    """
    if decision.uses:
        return True
    dice = view.game.state.dice
    idle = [
        f for f in decision.groups if f <= answers.Face.THREE and dice.count(f) < DICE_OF_A_TRIPLE
    ]
    acting = [face for face in decision.groups if face not in idle]
    orders = [answers.Order((*order, *idle)) for order in permutations(acting)]
    others = [
        monster.seat
        for monster in view.game.state.monsters
        if monster.place is not Place.OUTSIDE and monster.seat != decision.seat
    ]
    for number in range(len(others) + 1):
        for leaving in combinations(others, number):
            outcomes = {_outcome(view.game.fork(), order, leaving) for order in orders}
            if len(outcomes) > 1 or None in outcomes:
                return True
    return False


def _outcome(game: Game, order: answers.Order, leaving: Sequence[answers.Seat]) -> bytes | None:
    """Return the digest of the position after the order; None if it cannot be foreseen."""
    me = game.state.active
    game.submit(answers.Answered(me, order))
    for _step in range(MAX_STEPS_OF_ORDER):
        pending = game.pending
        if isinstance(pending, decisions.Over) or game.state.active != me:
            return game.digest()
        if isinstance(pending, decisions.YieldDecision) and pending.seat != me:
            answer = answers.Yield() if pending.seat in leaving else answers.Stay()
            game.submit(answers.Answered(pending.seat, answer))
        elif isinstance(pending, decisions.HeartsDecision) and only_heals(pending):
            game.submit(answers.Answered(me, pending.default))
        elif (
            isinstance(pending, decisions.Chance) and pending.kind is not decisions.ChanceKind.CARDS
        ):
            return None
        elif isinstance(pending, decisions.Chance) or pending.seat == me:
            return game.digest()
        else:
            return None
    return None


def smallest_draw(draws: tuple[decisions.Draw, ...]) -> tuple[int, ...]:
    used: dict[int, int] = {}
    values = []
    for draw in draws:
        value = used.get(draw.pool, 0) if draw.pool >= 0 else 0
        used[draw.pool] = value + 1
        values.append(value)
    return tuple(values)


# -- answers that let another win, or put the player out: they are asked about once more ---
#
# All seats, the player's included, are assumed to give their default answers.


MAX_ANSWERS_COMPARED = 24
"""The number of answers compared; there are up to 720 orders of dice."""
MAX_REPETITIONS = 12
"""No monster can pay for more healing at one question."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """What a player would not give away knowingly: their monster or the game."""

    is_out: bool = False
    winners: tuple[answers.Seat, ...] = ()
    """The others who win; empty if the player wins with them."""
    points: int = 0
    """The points with which they win; 0 if the game ends for another reason."""


NOTHING_AT_STAKE = Stakes()


def find_stakes(view: SeatView, decision: decisions.Decision, answer: answers.Answer) -> Stakes:
    """Return what the answer puts at stake; nothing if every answer leads to the same."""
    if view.game.pending != decision or isinstance(answer, answers.Reroll | answers.Peek):
        return NOTHING_AT_STAKE  # chance comes next
    outlook = foresee(view.game, answer, turning_up=True)
    # What comes after the next answer to the same question is not the work of this one.
    found = _stakes_in(view, outlook, outlook.until_asked_again)
    if found == NOTHING_AT_STAKE:
        return found
    others = islice(decision.legal_answers(), MAX_ANSWERS_COMPARED)
    if any(_has_other_end(view, other, found) for other in others):
        return found
    return NOTHING_AT_STAKE


def _has_other_end(view: SeatView, answer: answers.Answer, stakes: Stakes) -> bool:
    """Return whether this answer, repeated while it is legal, leads to other stakes."""
    game = view.game
    for _time in range(MAX_REPETITIONS):
        outlook = foresee(game, answer, turning_up=True)
        if _stakes_in(view, outlook, [*outlook.events, *outlook.later]) != stakes:
            return True
        asked = game.pending
        game = game.fork()
        game.submit(answers.Answered(view.seat, answer))
        again = game.pending
        if type(again) is not type(asked) or isinstance(again, decisions.Chance | decisions.Over):
            return False
        if again.seat != view.seat or not again.is_legal(answer):
            return False
    return False


def _stakes_in(view: SeatView, outlook: Outlook, events: Sequence[Event]) -> Stakes:
    is_out = any(isinstance(event, Eliminated) and event.seat == view.seat for event in events)
    winners: tuple[answers.Seat, ...] = ()
    if any(isinstance(event, GameEnded) for event in events):
        winners = outlook.winners or ()
    if view.seat in winners:
        winners = ()
    return Stakes(is_out, winners, winning_points(view, outlook) if winners else 0)


def winning_points(view: SeatView, outlook: Outlook) -> int:
    """Return the points that win the game, or 0 if it ends for another reason."""
    most = max((outlook.points[seat] for seat in outlook.winners or ()), default=0)
    by_points = outlook.monsters_left > 1 and most >= view.game.setup.rules.goal
    return most if by_points else 0


def describe_stakes(view: SeatView, stakes: Stakes, answer: str) -> str:
    """Describe the stakes and ask for confirmation; `answer` says what the answer does."""
    who = list_with_and([names.player_name(view, seat) for seat in stakes.winners])
    fields = {"names": who, "points": names.points(stakes.points), "answer": answer}
    count = len(stakes.winners)
    if stakes.is_out and not count:
        return _("You would be out of the game. Your answer: {answer}. Do it?", **fields)
    if stakes.is_out:
        return plural(
            "You would be out of the game, and {names} would win. Your answer: {answer}. Do it?",
            "You would be out of the game, and {names} would win together. Your answer: {answer}. "
            "Do it?",
            count,
            **fields,
        )
    if stakes.points:
        return plural(
            "{names} would have {points} and win. Your answer: {answer}. Do it?",
            "{names} would have {points} and win together. Your answer: {answer}. Do it?",
            count,
            **fields,
        )
    return plural(
        "{names} would win. Your answer: {answer}. Do it?",
        "{names} would win together. Your answer: {answer}. Do it?",
        count,
        **fields,
    )
