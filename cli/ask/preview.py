"""What an answer will do, in one line, before it is given.

Law: no rule is known here. The answer is put into a fork of the referee, which goes on until
chance, a choice that nobody can foresee, or the end of the turn; what it then tells has happened
is what the line says. On the way everybody does what silence would do, and who could do
something else is named. No I/O.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from cli.ask.foresight import any_of
from cli.text import names
from cli.text.events_values import tokens
from cli.text.i18n import _, listing, mark, plural
from kotp2p.seat_view import SeatView
from referee.game import Game
from referee.model.answers import Answer, Answered, Drawn, Pass, Reroll, Seat, Stay, Stop, Yield
from referee.model.card_decisions import (
    CopyDecision,
    DepositDecision,
    TileDecision,
)
from referee.model.damage_decisions import ResponseDecision, YieldDecision
from referee.model.decisions import (
    Chance,
    ChanceKind,
    Decision,
    Pending,
    seat_asked,
)
from referee.model.dice_decisions import (
    ChangeDecision,
    HeartsDecision,
    OrderDecision,
    ProbeDecision,
    RollDecision,
)
from referee.model.events import (
    DiceRolled,
    DieChanged,
    Eliminated,
    EnergyGained,
    EnergyLost,
    EnteredTokyo,
    Event,
    GameEnded,
    HeartsGained,
    HeartsLost,
    LeftTokyo,
    PointsGained,
    PointsLost,
    Resurrected,
    TokensGained,
    TokensRemoved,
    TurnEnded,
    WickednessChanged,
)
from referee.model.kinds import DamageKind
from referee.model.state import Place

STEPS = 40
"""Six monsters defending with all they have are over before."""

PASSING = (
    ProbeDecision, ChangeDecision, OrderDecision, HeartsDecision, ResponseDecision, YieldDecision,
)  # fmt: skip
"""Asked between an answer and what comes of it; the others open something new."""

Saying: TypeAlias = tuple[str, str, str]
"""About the reader, about one other, about several."""

LOSES: Saying = (
    mark("you lose {what}"), mark("{names} loses {what}"), mark("{names} lose {what}"),
)  # fmt: skip
GETS: Saying = (mark("you get {what}"), mark("{names} gets {what}"), mark("{names} get {what}"))
OUT: Saying = (
    mark("you are out of the game"),
    mark("{names} is out of the game"),
    mark("{names} are out of the game"),
)
BACK: Saying = (
    mark("you come back with {what}"),
    mark("{names} comes back with {what}"),
    mark("{names} come back with {what}"),
)
WICKED: Saying = (
    mark("your wickedness becomes {what}"),
    mark("the wickedness of {names} becomes {what}"),
    mark("the wickedness of {names} becomes {what}"),
)
LEAVES: Saying = (
    mark("you leave Tokyo"), mark("{names} leaves Tokyo"), mark("{names} leave Tokyo"),
)  # fmt: skip
ENTERS: Saying = (
    mark("you enter Tokyo"), mark("{names} enters Tokyo"), mark("{names} enter Tokyo"),
)  # fmt: skip
ENTERS_BAY: Saying = (
    mark("you enter Tokyo Bay"), mark("{names} enters Tokyo Bay"), mark("{names} enter Tokyo Bay"),
)  # fmt: skip
WINS: Saying = (mark("you win"), mark("{names} wins"), mark("{names} win"))
MAY_PROBE: Saying = (
    mark("you may have a die rolled again"),
    mark("{names} may have a die rolled again"),
    mark("{names} may have a die rolled again"),
)
MAY_DEFEND: Saying = (
    mark("you may defend"), mark("{names} may defend"), mark("{names} may defend"),
)  # fmt: skip
MAY_LEAVE: Saying = (
    mark("you may leave Tokyo"),
    mark("{names} may leave Tokyo"),
    mark("{names} may leave Tokyo"),
)
MAY_CHOOSE: Saying = (
    mark("you have a choice in it"),
    mark("{names} has a choice in it"),
    mark("{names} have a choice in it"),
)


@dataclass
class Outlook:
    """What a fork told."""

    events: list[Event] = field(default_factory=list)
    asked: list[Decision] = field(default_factory=list)
    """Passed on the way, each answered as by silence."""
    stands: Pending | None = None
    """What it stopped at; None at the end of the turn."""


def foresee(game: Game, answer: Answer, *, turning_up: bool = False) -> Outlook:
    """`game` stands at a decision that takes this answer, and is left alone. `turning_up`: goes
    on where cards are turned up, whichever they are, as a bought card works after that only."""
    seat = seat_asked(game.pending)
    assert seat is not None  # an answer is to a decision
    fork = game.fork()
    found = Outlook()
    events = fork.submit(Answered(seat, answer))
    for _step in range(STEPS):
        if any(isinstance(event, TurnEnded) for event in events):
            found.events += _of_turn(events)
            found.stands = None
            return found
        found.events += events
        pending = found.stands = fork.pending
        if turning_up and isinstance(pending, Chance) and pending.kind is ChanceKind.CARDS:
            events = fork.submit(Drawn(any_of(pending.draws)))
            continue
        if not isinstance(pending, PASSING):
            return found
        found.asked.append(pending)
        events = fork.submit(Answered(pending.seat, pending.default))
    return found


def _of_turn(events: Sequence[Event]) -> list[Event]:
    """What comes after belongs to the next turn, but for the end of the game."""
    end = next(n for n, event in enumerate(events) if isinstance(event, TurnEnded))
    return [*events[:end], *(event for event in events[end:] if isinstance(event, GameEnded))]


# -- the lines ---------------------------------------------------------------------------


def if_stopped(view: SeatView, decision: RollDecision) -> list[str]:
    return _lines(view, decision, decision.default, mark("If you stop: {what}."))


def if_left_alone(view: SeatView, decision: ChangeDecision) -> list[str]:
    return _lines(view, decision, decision.default, mark("If you change nothing: {what}."))


def of_yield(view: SeatView, decision: YieldDecision) -> list[str]:
    """Both answers, as what follows differs by more than Tokyo."""
    return [
        *_lines(view, decision, Stay(), mark("If you stay: {what}.")),
        *_lines(view, decision, Yield(), mark("If you leave: {what}.")),
    ]


def if_let_lie(view: SeatView, decision: ProbeDecision) -> list[str]:
    return _lines(view, decision, decision.default, mark("If they stay so: {what}."))


def in_order(view: SeatView, decision: OrderDecision) -> list[str]:
    return _lines(view, decision, decision.default, mark("In this order: {what}."))


def of_damage(
    view: SeatView, decision: ResponseDecision, ways: Sequence[tuple[str, Answer]]
) -> list[str]:
    """Taking it, then each way out by its name."""
    message = mark("If you take it: {what}.")
    if decision.damage is DamageKind.LOSS:
        message = mark("If you let it be taken: {what}.")
    return [
        *_lines(view, decision, Pass(), message),
        *(
            line
            for name, answer in ways
            for line in _lines(view, decision, answer, mark("With {name}: {what}."), name=name)
        ),
    ]


def of_purchases(
    view: SeatView, decision: Decision, ways: Sequence[tuple[str, Answer]]
) -> list[str]:
    """One line for all that can be bought, each by the letter that is typed: what is left of the
    energy, and what the card does at once."""
    if view.game.pending != decision or not ways:
        return []
    return [_("If you buy: {parts}.", parts="; ".join(_bought(view, *way) for way in ways))]


def _bought(view: SeatView, letter: str, answer: Answer) -> str:
    outlook = foresee(view.game, answer, turning_up=True)
    left = view.game.state.monsters[view.seat].energy
    others: list[Event] = []
    for event in outlook.events:
        match event:
            case EnergyGained(seat=view.seat, amount=n):
                left += n
            case EnergyLost(seat=view.seat, amount=n):
                left -= n
            case _:
                others.append(event)
    outlook.events = others
    said = [_("{letter} leaves you {energy}", letter=letter, energy=names.energy(left))]
    return ", ".join([*said, *_all(view, outlook)])


def of_proposal(view: SeatView, decision: Decision, answer: Answer) -> list[str]:
    """Nothing for a roll: the proposal itself says which dice."""
    if view.game.pending != decision or isinstance(answer, Reroll):
        return []
    said = _all(view, foresee(view.game, answer))
    return [_("What comes of it: {what}.", what=", ".join(said))] if said else []


def threat(view: SeatView, events: Sequence[Event]) -> str:
    """What the dice of another monster, just thrown, would do to the reader; may be empty."""
    pending = view.game.pending
    if not isinstance(pending, RollDecision) or pending.seat == view.seat:
        return ""
    if not any(isinstance(event, DiceRolled | DieChanged) for event in events):
        return ""
    outlook = foresee(view.game, Stop())
    if any(isinstance(event, Eliminated) and event.seat == view.seat for event in outlook.events):
        return _("As they lie they would put you out of the game.")
    lost = sum(
        event.amount
        for event in outlook.events
        if isinstance(event, HeartsLost) and event.seat == view.seat
    )
    return _("As they lie you would lose {hearts}.", hearts=names.hearts(lost)) if lost else ""


def _lines(
    view: SeatView, decision: Decision, answer: Answer, message: str, **fields: object
) -> list[str]:
    """None, where the game does not stand at this decision."""
    if view.game.pending != decision:
        return []
    said = _all(view, foresee(view.game, answer)) or [_("nothing changes")]
    return [_(message, what=", ".join(said), **fields)]


def _all(view: SeatView, outlook: Outlook) -> list[str]:
    return [
        *_changes(view, outlook.events),
        *_others(view, outlook.asked),
        *_then(view, outlook.stands),
    ]


# -- the parts ---------------------------------------------------------------------------


def _changes(view: SeatView, events: Sequence[Event]) -> list[str]:
    """Numbers summed up by monster; those of one monster said together, and so equal ones."""
    said: dict[tuple[Saying, str], list[Seat]] = {}
    for saying, seat, what in [*_numbers(events), *_turns(events)]:
        seats = said.setdefault((saying, what), [])
        if seat not in seats:
            seats.append(seat)
    joined: dict[tuple[Saying, tuple[Seat, ...]], list[str]] = {}
    for (saying, what), seats in said.items():
        joined.setdefault((saying, tuple(seats)), []).append(what)
    return [
        part
        for (saying, who), whats in joined.items()
        for part in _say(view, saying, who, listing(whats))
    ]


def _numbers(events: Sequence[Event]) -> list[tuple[Saying, Seat, str]]:
    lost: dict[Seat, int] = {}
    healed: dict[Seat, int] = {}
    points: dict[Seat, int] = {}
    energy: dict[Seat, int] = {}
    for event in events:
        match event:
            case HeartsLost(seat=seat, amount=n):
                lost[seat] = lost.get(seat, 0) + n
            case HeartsGained(seat=seat, amount=n):
                healed[seat] = healed.get(seat, 0) + n
            case PointsGained(seat=seat, amount=n):
                points[seat] = points.get(seat, 0) + n
            case PointsLost(seat=seat, amount=n):
                points[seat] = points.get(seat, 0) - n
            case EnergyGained(seat=seat, amount=n):
                energy[seat] = energy.get(seat, 0) + n
            case EnergyLost(seat=seat, amount=n):
                energy[seat] = energy.get(seat, 0) - n
            case _:
                pass
    return [
        *((LOSES, seat, names.hearts(n)) for seat, n in lost.items() if n),
        *((GETS, seat, names.hearts(n)) for seat, n in healed.items() if n),
        *((_sign(n), seat, names.points(abs(n))) for seat, n in points.items() if n),
        *((_sign(n), seat, names.energy(abs(n))) for seat, n in energy.items() if n),
    ]


def _sign(n: int) -> Saying:
    return GETS if n > 0 else LOSES


def _turns(events: Sequence[Event]) -> list[tuple[Saying, Seat, str]]:
    """What is no sum."""
    out = {event.seat for event in events if isinstance(event, Eliminated)}
    wicked = {event.seat: event for event in events if isinstance(event, WickednessChanged)}
    found: list[tuple[Saying, Seat, str]] = []
    for event in events:
        match event:
            case TokensGained(seat=seat, token=token, amount=n):
                found.append((GETS, seat, tokens(token, n)))
            case TokensRemoved(seat=seat, token=token, amount=n):
                found.append((LOSES, seat, tokens(token, n)))
            case WickednessChanged(seat=seat, wickedness=n) if wicked[seat] is event:
                found.append((WICKED, seat, str(n)))
            case Eliminated(seat=seat):
                found.append((OUT, seat, ""))
            case Resurrected(seat=seat, hearts=n):
                found.append((BACK, seat, names.hearts(n)))
            case LeftTokyo(seat=seat) if seat not in out:
                found.append((LEAVES, seat, ""))
            case EnteredTokyo(seat=seat, place=place):
                found.append((ENTERS_BAY if place is Place.BAY else ENTERS, seat, ""))
            case GameEnded(winners=winners):
                found += [(WINS, seat, "") for seat in winners]
            case _:
                pass
    return found


def _others(view: SeatView, asked: Sequence[Decision]) -> list[str]:
    """Who may do something about it; the reader knows what he may do himself."""
    said: list[str] = []
    for kind, saying in (
        (ProbeDecision, MAY_PROBE),
        (ResponseDecision, MAY_DEFEND),
        (YieldDecision, MAY_LEAVE),
        ((ChangeDecision, OrderDecision, HeartsDecision), MAY_CHOOSE),
    ):
        seats = [one.seat for one in asked if isinstance(one, kind) and one.seat != view.seat]
        said += _say(view, saying, list(dict.fromkeys(seats)), "")
    return said


def _then(view: SeatView, stands: Pending | None) -> list[str]:
    match stands:
        case Chance(kind=ChanceKind.DICE, draws=draws):
            return [plural("then {n} die is rolled", "then {n} dice are rolled", len(draws))]
        case Chance(kind=ChanceKind.CARDS):
            return [_("then cards are turned up")]
        case TileDecision(seat=seat) if seat == view.seat:
            return [_("then you choose a tile")]
        case CopyDecision(seat=seat) if seat == view.seat:
            return [_("then you choose what it copies")]
        case DepositDecision(seat=seat) if seat == view.seat:
            return [_("then you choose how much energy goes on it")]
        case _:
            return []


def _say(view: SeatView, saying: Saying, seats: Sequence[Seat], what: str) -> list[str]:
    """Others and the reader apart, as the verbs differ."""
    others = [names.player(view, seat) for seat in seats if seat != view.seat]
    said = []
    if others:
        said.append(_(saying[1 if len(others) == 1 else 2], names=listing(others), what=what))
    if view.seat in seats:
        said.append(_(saying[0], what=what))
    return said
