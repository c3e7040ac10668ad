"""Figures of a game in words: what each player did, how it went, draws, reasons for advice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import floor
from types import MappingProxyType
from typing import assert_never

from kotp2p.cli.text import names
from kotp2p.cli.text.i18n import N_, _, list_with_and, list_with_commas, number, plural
from kotp2p.extras.bots import judge, reasons
from kotp2p.extras.bots.dice import Figure
from kotp2p.extras.bots.reasons import Plain
from kotp2p.game.recording import DrawnSlot, ExplainedDraw, NumberStep
from kotp2p.referee.model import events as ev
from kotp2p.referee.model.answers import Answer, Face, Seat, Stay
from kotp2p.referee.model.decisions import ChanceKind
from kotp2p.referee.model.state import Cause, Monster, Place, State
from kotp2p.seams import notices
from kotp2p.wire.crypto import Stream

# -- what each player did in a game, counted from its events -------------------------------
#
# Everything is folded from the notices of the peer (`count_notice`). The State is folded along,
# because some counts depend on the table before an event. The counts after each batch of events are
# kept, so that a `LineUpBegun` that has undone some play can go back to one of them. In a resumed
# game only the events since then are counted, and the lines say so.


@dataclass
class PlayerCounts:
    points_from_dice: int = 0
    points_from_tokyo: int = 0
    points_from_cards: int = 0
    hearts_lost: int = 0
    hearts_dealt: int = 0
    cards_bought: int = 0
    turn_of_fall: int | None = None
    points_at_fall: int = 0


@dataclass(frozen=True, slots=True)
class Standing:
    points: int
    hearts: int
    alive: bool
    in_tokyo: bool = False


@dataclass
class _Kept:
    state: State
    counts: list[PlayerCounts]


@dataclass
class Statistics:
    counts: list[PlayerCounts] = field(default_factory=list)
    """The counts by seat; empty before the game."""
    resumed_in_turn: int | None = None
    """The turn in which the game was resumed: what came before is not counted."""
    winners: tuple[Seat, ...] = ()
    chances: dict[int, tuple[float, ...]] = field(default_factory=dict)
    """The chances of each seat to win at the start of each turn, as `hard` judges."""
    _turns: dict[int, tuple[Standing, ...]] = field(default_factory=dict)
    _state: State | None = None
    _kept: list[_Kept] = field(default_factory=list)

    def count_notice(self, notice: notices.Notice) -> None:
        match notice:
            case notices.GameStarted(resumed=True) if self.counts:
                pass  # what came before has been counted from the log
            case notices.GameStarted():
                state = notice.state
                self.counts = [PlayerCounts() for _monster in state.monsters]
                self._state = state.copy()
                self._kept, self.winners = [], ()
                self._turns, self.chances = {}, {}
                self._keep()
            case notices.Happened(events=events, view=view):
                self._fold(events, view)
            case notices.LineUpBegun(undone_from=State() as state):
                self._go_back(state)
            case notices.GameFinished(winners=winners):
                self.winners = winners
            case _:  # it changes no count
                pass

    def _keep(self) -> None:
        self._kept.append(_Kept(self._table.copy(), [replace(one) for one in self.counts]))

    def _fold(self, events: Sequence[ev.Event], view: notices.SeatView) -> None:
        for event in events:
            if isinstance(event, ev.TurnStarted) and self._table.turn:
                self._turns[self._table.turn] = _standings(self._table)
            self._count(event, self._table)
            event.apply(self._table)
        self._judge(events, view)
        self._keep()

    def _judge(self, events: Sequence[ev.Event], view: notices.SeatView) -> None:
        """Record the chances at the start of a turn, if the game is still there."""
        begun = any(isinstance(event, ev.TurnStarted) for event in events)
        state = view.game.state
        if begun and state.turn == self._table.turn and len(state.seats_alive()) > 1:
            self.chances[state.turn] = judge(view.game)

    @property
    def _table(self) -> State:
        assert self._state is not None  # GameStarted comes first
        return self._state

    def _go_back(self, state: State) -> None:
        fitting = [at for at, one in enumerate(self._kept) if one.state == state]
        self._kept = self._kept[: fitting[-1] + 1] if fitting else self._kept[:1]
        self._state = state.copy()
        self.counts = [replace(one) for one in self._kept[-1].counts]
        self._turns = {n: all_ for n, all_ in self._turns.items() if n < state.turn}
        self.chances = {n: all_ for n, all_ in self.chances.items() if n <= state.turn}

    def course(self) -> dict[int, tuple[Standing, ...]]:
        """Return the standing of each seat at the end of each turn, by turn."""
        if self._state is None or not self._state.turn:
            return {}
        return self._turns | {self._state.turn: _standings(self._state)}

    def _count(self, event: ev.Event, before: State) -> None:
        match event:
            case ev.PointsGained(seat=seat, amount=amount, cause=cause):
                self._points(self.counts[seat], amount, cause)
            case ev.HeartsLost(seat=seat, amount=amount, dealer=dealer):
                self.counts[seat].hearts_lost += amount
                if dealer is not None and dealer != seat:
                    self.counts[dealer].hearts_dealt += amount
            case ev.CardBought(seat=seat):
                self.counts[seat].cards_bought += 1
            case ev.Eliminated(seat=seat):
                self.counts[seat].turn_of_fall = before.turn
                self.counts[seat].points_at_fall = before.monsters[seat].points
            case _:  # it changes none of these counts
                pass

    @staticmethod
    def _points(counts: PlayerCounts, amount: int, cause: Cause) -> None:
        match cause:
            case Cause.DICE:
                counts.points_from_dice += amount
            case Cause.TOKYO:
                counts.points_from_tokyo += amount
            case Cause.CARD | Cause.PAYMENT:
                counts.points_from_cards += amount

    def rank_seats(self, view: notices.SeatView) -> list[tuple[int, Seat]]:
        """Return (place, seat) from the first to the last; ties share a place.

        First come the winners, then living monsters by their points, then the others, of which the
        last to fall comes first.
        """
        found = sorted(range(len(self.counts)), key=lambda seat: self._merit(view, seat))
        merits = [self._merit(view, seat) for seat in found]
        return [(merits.index(merit) + 1, seat) for merit, seat in zip(merits, found, strict=True)]

    def _merit(self, view: notices.SeatView, seat: Seat) -> tuple[int, int]:
        monster = view.game.state.monsters[seat]
        if seat in self.winners:
            return 0, 0
        if monster.alive:
            return 1, -monster.points
        return 2, -(self.counts[seat].turn_of_fall or 0)


def _standings(state: State) -> tuple[Standing, ...]:
    return tuple(
        Standing(one.points, one.hearts, one.alive, one.place is not Place.OUTSIDE)
        for one in state.monsters
    )


def describe_statistics(statistics: Statistics, view: notices.SeatView) -> list[str]:
    if not statistics.counts:
        return []
    return [
        _("How it went:"),
        *(_line(statistics, view, *rank) for rank in statistics.rank_seats(view)),
    ]


def _line(statistics: Statistics, view: notices.SeatView, place: int, seat: Seat) -> str:
    counts = statistics.counts[seat]
    return _(
        "{place}. {name}: {standing} ({dice} from dice, {tokyo} from Tokyo, {cards} from cards); "
        "hearts: {lost} lost, {dealt} dealt; {bought} bought.",
        place=place,
        name=names.player_name(view, seat),
        standing=_standing(counts, view.game.state.monsters[seat]),
        dice=counts.points_from_dice,
        tokyo=counts.points_from_tokyo,
        cards=counts.points_from_cards,
        lost=counts.hearts_lost,
        dealt=counts.hearts_dealt,
        bought=plural("{n} card", "{n} cards", counts.cards_bought),
    )


def _standing(counts: PlayerCounts, monster: Monster) -> str:
    if monster.alive:
        return names.points(monster.points)
    if counts.turn_of_fall is None:  # before what is counted here
        return _("out")
    points = names.points(counts.points_at_fall)
    return _("out in turn {turn} with {points}", turn=counts.turn_of_fall, points=points)


# -- course --------------------------------------------------------------------------------


SAMPLES_IN_WORDS = 6
EVEN_CHANCE = 0.5
"""A winner with this chance at the start of the last turn has turned the game before."""
LEAST_MOVE = 0.1
"""The least change of a chance that makes a turn the turning point."""

Course = Mapping[int, Sequence[Standing]]


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """The turn that moved the winner's chance most, as `hard` judges."""

    turn: int
    before: float
    after: float


def find_turning_point(counted: Statistics) -> TurningPoint | None:
    """Find the turn that moved the winner's chance most, and by `LEAST_MOVE` at least.

    Return None without such a turn or without a single winner. The last turn, whose end needs no
    judgement, is one only if the winner was not the favourite.
    """
    if len(counted.winners) != 1:
        return None
    winner, last = counted.winners[0], max(counted.course(), default=0)
    found: TurningPoint | None = None
    for turn, chances in sorted(counted.chances.items()):
        before = chances[winner]
        if turn == last and before < EVEN_CHANCE:
            after = 1.0
        elif turn + 1 in counted.chances:
            after = counted.chances[turn + 1][winner]
        else:  # the next turn was not judged, or the game was nearly won when the last one began
            continue
        if after - before >= (LEAST_MOVE if found is None else found.after - found.before):
            found = TurningPoint(turn, before, after)
    return found


def describe_turning_point(counted: Statistics, view: notices.SeatView) -> list[str]:
    if len(counted.winners) != 1 or not counted.course():
        return []
    winner = counted.winners[0]
    found = find_turning_point(counted)
    return [
        _tell_victory(counted, view, winner),
        *([] if found is None else [_tell_turning_point(found, view, winner)]),
    ]


def _tell_victory(counted: Statistics, view: notices.SeatView, winner: Seat) -> str:
    is_reader = winner == view.seat
    name = names.player_name(view, winner)
    last = _last_to_fall(counted, view, winner)
    if last is not None:
        return _tell_last_fall(last, view, name, is_reader=is_reader)
    course = counted.course()
    points = names.points(course[max(course)][winner].points)
    if is_reader:
        return _("You won with {points}.", points=points)
    return _("{name} won with {points}.", name=name, points=points)


def _tell_turning_point(found: TurningPoint, view: notices.SeatView, winner: Seat) -> str:
    fields = {
        "turn": found.turn,
        "before": round(100 * found.before),
        "after": round(100 * found.after),
        "name": names.player_name(view, winner),
    }
    if winner == view.seat:
        return _("The turning point, as a bot of level hard judges: in turn {turn} your chance to "
                 "win rose from {before} to {after} %.", **fields)  # fmt: skip
    return _("The turning point, as a bot of level hard judges: in turn {turn} the chance of "
             "{name} to win rose from {before} to {after} %.", **fields)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Fall:
    turn: int
    seats: Sequence[Seat]


def _last_to_fall(counted: Statistics, view: notices.SeatView, winner: Seat) -> _Fall | None:
    """Return the fall that decided a game won by the last monster alive, else None."""
    course = counted.course()
    standings = course[max(course)]
    is_last = [seat for seat, one in enumerate(standings) if one.alive] == [winner]
    falls = [one.turn_of_fall for one in counted.counts]
    turns = [turn for turn in falls if turn is not None]
    if not is_last or not turns or standings[winner].points >= view.game.setup.rules.goal:
        return None
    last = max(turns)
    return _Fall(last, [seat for seat, turn in enumerate(falls) if turn == last])


def _tell_last_fall(last: _Fall, view: notices.SeatView, name: str, *, is_reader: bool) -> str:
    fallen = list_with_and([names.player_name(view, seat) for seat in last.seats])
    fields = {"turn": last.turn, "fallen": fallen, "name": name}
    if is_reader:
        return plural(
            "The game was decided in turn {turn}: {fallen} was out, and you alone were left.",
            "The game was decided in turn {turn}: {fallen} were out, and you alone were left.",
            len(last.seats),
            **fields,
        )
    if view.seat in last.seats:
        return _("The game was decided in turn {turn}: you were out, and {name} alone was left.",
                 **fields)  # fmt: skip
    return plural(
        "The game was decided in turn {turn}: {fallen} was out, and {name} alone was left.",
        "The game was decided in turn {turn}: {fallen} were out, and {name} alone was left.",
        len(last.seats),
        **fields,
    )


def describe_course(counted: Statistics, view: notices.SeatView) -> list[str]:
    course = counted.course()
    if len(course) < 2:
        return []
    turns = _sample(sorted(course))
    lines = [
        _("Points and hearts at the end of turns {turns}:",
          turns=list_with_and([number(turn) for turn in turns]))
    ]  # fmt: skip
    for _place, seat in counted.rank_seats(view):
        standings = [course[turn][seat] for turn in turns]
        points = (number(one.points) if one.alive else _("out") for one in standings)
        hearts = (number(one.hearts) if one.alive else _("out") for one in standings)
        lines.append(
            _("{name}: points {points}; hearts {hearts}.", name=names.player_name(view, seat),
              points=list_with_commas(points), hearts=list_with_commas(hearts))
        )  # fmt: skip
    return lines


def _sample(turns: Sequence[int]) -> list[int]:
    count = min(SAMPLES_IN_WORDS, len(turns))
    return [turns[(n + 1) * len(turns) // count - 1] for n in range(count)]


# -- how dice or cards came about ----------------------------------------------------------
#
# One draw as lines: the seal and the opening of each player with their records, the hash of all
# parts, and the steps from the hash to a face or a card.


INDENT = "    "


def describe_method() -> list[str]:
    return [
        _(
            "Each player had sealed a secret number for each draw: they had signed its hash. "
            "Behind the decision that made the draw necessary, all of them opened their numbers."
        ),
        _(
            "The hash of all opened numbers, and of the head of the log before the draw, is the "
            "result. So nobody could choose it, as long as one player was honest."
        ),
        _(
            "kotp2p verify checks the seals, the hashes and the signatures, and that the records "
            "are in this order."
        ),
    ]


def describe_draw(draw: ExplainedDraw, before: notices.SeatView) -> list[str]:
    turn, record = before.game.state.turn, draw.moment.record
    lines = [_("Turn {turn}, drawn with record {record}:", turn=turn, record=record)]
    if draw.decided_in:
        decided = _("The decision before it stands in record {record}.", record=draw.decided_in)
        lines.append(decided)
    for slot in draw.slots:
        lines += _describe_slot(slot, before, draw.kind)
    return lines


def _describe_slot(slot: DrawnSlot, before: notices.SeatView, kind: ChanceKind) -> list[str]:
    lines = [_name_slot(slot)]
    for part in slot.parts:
        who = names.player_name(before, part.seat)
        where = (
            _("{name} sealed in the signed start of the game:", name=who)
            if part.sealed_in == 0
            else _("{name} sealed in record {record}:", name=who, record=part.sealed_in)
        )
        lines += [
            where,
            INDENT + part.seal.hex(),
            _("{name} opened in record {record}:", name=who, record=part.opened_in),
            INDENT + part.opened.hex(),
        ]
    lines += [
        _("The head of the log before the draw:"),
        INDENT + slot.head.hex(),
        _("The hash of the head and of all opened numbers, in the order of seats:"),
        INDENT + slot.result.hex(),
    ]
    return lines + [_describe_step(step, slot, before, kind) for step in slot.steps]


def _name_slot(slot: DrawnSlot) -> str:
    if slot.stream is Stream.DICE:
        return _("Number {slot} of the dice:", slot=slot.slot)
    return _("Number {slot} of the cards:", slot=slot.slot)


def _describe_step(
    step: NumberStep, slot: DrawnSlot, before: notices.SeatView, kind: ChanceKind
) -> str:
    fields: dict[str, object] = {"number": step.number, "size": step.size}
    if step.is_taken:
        return _("{number} modulo {size} is a card that is gone already: the next one.", **fields)
    if step.value is None:
        return _("{number} is too high to be fair modulo {size}: the next one.", **fields)
    return _(
        "{number} modulo {size} is {value}: {what}.",
        value=step.value,
        what=_name_value(step.value, slot, before, kind),
        **fields,
    )


def _name_value(value: int, slot: DrawnSlot, before: notices.SeatView, kind: ChanceKind) -> str:
    match kind:
        case ChanceKind.DICE:
            return names.face(Face(value))
        case ChanceKind.CARDS | ChanceKind.LOOK:
            return names.item_name(before.game, slot.pile[value])
        case ChanceKind.SIDES:
            return _("green") if value else _("red")
        case _:
            assert_never(kind)


# -- why an answer is proposed, in one sentence --------------------------------------------
#
# The words for each `Reason`. Figures are no more exact than they are meant: amounts to the half,
# chances in tenths, estimates of who wins in hundredths.


_REASONS: Mapping[Plain, str] = MappingProxyType({
    Plain.WINS_NOW: N_("That wins the game."),
    Plain.SURVIVES: N_("Otherwise you would be out of the game."),
    Plain.ROLLING_BRINGS_NO_MORE: N_("Another roll would bring no more on average."),
    Plain.CANNOT_PAY: N_("You cannot pay for a card yet, and energy stays with you."),
    Plain.NOTHING_IS_WORTH_IT: N_("No card that you can pay for is worth its price to you now."),
    Plain.IS_WORTH_IT: N_("It is worth its price to you now."),
})  # fmt: skip


def describe_reason(view: notices.SeatView, answer: Answer, reason: reasons.Reason) -> str:
    match reason:
        case reasons.MayWinThisTurn(chance=chance):
            return _("Your dice then win the game in this turn {odds}.", odds=_odds(chance))
        case reasons.RollBrings():
            return _describe_means(reason)
        case reasons.HoldsOut():
            return _describe_holding_out(view, answer, reason)
        case reasons.IsWornDown(hearts=lost):
            return _("You would lose about {hearts} there until your turn, and dice do not heal "
                     "you in Tokyo.", hearts=_amount(Figure.HEARTS, lost))  # fmt: skip
        case reasons.SavesFor(item=item):
            return _("It is better to save for {card}.", card=names.item_name(view.game, item))
        case reasons.RaisesChance():
            return _(
                "So you win about {n} times of 100, otherwise {other}.",
                n=_round(100 * reason.chance),
                other=_round(100 * reason.otherwise),
            )
        case Plain():
            return _(_REASONS[reason])
        case _:
            assert_never(reason)


def _describe_means(reason: reasons.RollBrings) -> str:
    what = list_with_and([_amount(figure, mean) for figure, mean in reason.figures.items()])
    if reason.few_hearts is not None:
        return _("That brings about {what} on average, and you have only {hearts}.",
                 what=what, hearts=names.hearts(reason.few_hearts))  # fmt: skip
    if reason.cannot_heal:
        return _("That brings about {what} on average; dice do not heal you in Tokyo.", what=what)
    return _("That brings about {what} on average.", what=what)


def _describe_holding_out(view: notices.SeatView, answer: Answer, reason: reasons.HoldsOut) -> str:
    hearts = names.hearts(reason.hearts)
    if not isinstance(answer, Stay):
        return _("With {hearts} you would be out of the game before your turn {odds}.",
                 hearts=hearts, odds=_odds(1 - reason.chance))  # fmt: skip
    if reason.wins and not reason.attackers:
        return _("Your turn comes next, and to begin it in Tokyo wins the game.")
    odds = _odds(reason.chance)
    if reason.wins:
        return _("With {hearts} you survive there until your turn {odds}, and then you win.",
                 hearts=hearts, odds=odds)  # fmt: skip
    two = view.game.setup.options.two_player  # D-28: energy instead of points
    gain = names.energy(1) if two else names.points(2)
    if not reason.attackers:
        return _("Your turn comes next, and to begin it in Tokyo brings {gain}.", gain=gain)
    return _("With {hearts} you survive there until your turn {odds}, and that brings {gain}.",
             hearts=hearts, odds=odds, gain=gain)  # fmt: skip


def _odds(chance: float) -> str:
    tenths = _round(10 * chance)
    if tenths <= 0:
        return _("hardly ever")
    if tenths >= 10:
        return _("nearly always")
    return plural("about {n} time out of 10", "about {n} times out of 10", tenths)


def _amount(figure: Figure, mean: float) -> str:
    """Describe an amount to the half: `half a point`, `1 point`, `1 or 2 points`."""
    halves = max(1, _round(2 * mean))
    less, has_half = divmod(halves, 2)
    counted, half, between = _AMOUNTS[figure]
    if has_half:
        return _(between, less=less, n=less + 1) if less else _(half)
    return counted(less)


_AMOUNTS: Mapping[Figure, tuple[Callable[[int], str], str, str]] = MappingProxyType({
    Figure.POINTS: (names.points, N_("half a point"), N_("{less} or {n} points")),
    Figure.HEARTS: (names.hearts, N_("half a heart"), N_("{less} or {n} hearts")),
    Figure.ENERGY: (names.energy, N_("half an energy"), N_("{less} or {n} energy")),
    Figure.CLAWS: (names.claws, N_("half a claw"), N_("{less} or {n} claws")),
})  # fmt: skip


def _round(number: float) -> int:
    return floor(number + 0.5)
