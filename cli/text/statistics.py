"""What each player did in a game, counted from its events.

Scope: everything is folded from the notices of the peer (`count_notice`). The figures of the State
are folded along, because some counts depend on how the table stood before an event. The counts
after each batch of events are kept, so that a `LineUpBegun` that has undone some play can go back
to one of them. In a resumed game only the events since then are counted, and the lines say so.
Not here: I/O. The log is not read.
Known limitation: the notice does not say which batch it goes back to; the latest that fits the
position is taken. So a player may keep a count from a turn that was undone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from kotp2p.bots import judge
from kotp2p.cli.text import names
from kotp2p.cli.text.i18n import _, plural
from kotp2p.referee.model.answers import Seat
from kotp2p.referee.model.apply import apply
from kotp2p.referee.model.events import (
    CardBought,
    DiceRolled,
    Eliminated,
    EnergyGained,
    EnergyLost,
    EnteredTokyo,
    Event,
    HeartsGained,
    HeartsLost,
    HeartsSet,
    LeftTokyo,
    MovedToCity,
    PointsGained,
    PointsLost,
    Resurrected,
    TurnStarted,
)
from kotp2p.referee.model.state import Cause, Monster, Place, State
from kotp2p.seams.notices import (
    AbsenceNotice,
    CodeNotice,
    Flooded,
    GameFinished,
    GameStarted,
    Happened,
    IncidentNotice,
    LineUpBegun,
    LobbyNotice,
    Notice,
    OwnClock,
    PastLog,
    Reopened,
    Said,
    Waiting,
    WatchNotice,
)
from kotp2p.seams.seat_view import SeatView


@dataclass
class PlayerCounts:
    """What one player did."""

    energy_won: int = 0
    """Energy from any source."""
    points_from_dice: int = 0
    points_from_tokyo: int = 0
    points_from_cards: int = 0
    hearts_lost: int = 0
    hearts_healed: int = 0
    hearts_dealt: int = 0
    """Hearts that others lost because of this player."""
    dice_rerolled: int = 0
    """Dice rolled again after the first roll of a turn."""
    turns_in_tokyo: int = 0
    """Turns of this player that began in Tokyo."""
    cards_bought: int = 0
    turn_of_fall: int | None = None
    """The turn in which the monster was eliminated."""
    points_at_fall: int = 0


@dataclass(frozen=True, slots=True)
class Standing:
    """How one monster stands at the end of a turn."""

    points: int
    hearts: int
    alive: bool
    in_tokyo: bool = False


@dataclass
class _Kept:
    """The table and the counts after a batch of events."""

    state: State
    counts: list[PlayerCounts]


@dataclass
class Statistics:
    counts: list[PlayerCounts] = field(default_factory=list)
    """By seat; empty before the game."""
    resumed_in_turn: int | None = None
    """The turn in which the game was resumed: what came before is not counted."""
    winners: tuple[Seat, ...] = ()
    chances: dict[int, tuple[float, ...]] = field(default_factory=dict)
    """By turn, the chance of each seat to win when it began, as `hard` judges."""
    _turns: dict[int, tuple[Standing, ...]] = field(default_factory=dict)
    """By turn, how all stood at its end; without the present turn."""
    _state: State | None = None
    _kept: list[_Kept] = field(default_factory=list)
    _is_undone: bool = False

    def count_notice(self, notice: Notice) -> None:
        """Count what the notice tells; most notices tell nothing that is counted."""
        match notice:
            case GameStarted(resumed=True) if self.counts:
                pass  # what came before has been counted from the log
            case GameStarted(resumed=resumed):
                state = notice.state
                self.counts = [PlayerCounts() for _monster in state.monsters]
                self.resumed_in_turn = state.turn if resumed else None
                self._state = state.copy()
                self._kept, self._is_undone, self.winners = [], False, ()
                self._turns, self.chances = {}, {}
                self._keep()
            case Happened(events=events, view=view):
                self._fold(events, view)
            case LineUpBegun(undone_from=State()):
                self._is_undone = True
            case GameFinished(winners=winners):
                self.winners = winners
            case _:  # the annotation names every notice that changes no count
                _uncounted: (
                    LobbyNotice
                    | AbsenceNotice
                    | IncidentNotice
                    | Said
                    | WatchNotice
                    | CodeNotice
                    | PastLog
                    | Reopened
                    | Flooded
                    | Waiting
                    | OwnClock
                ) = notice

    def _keep(self) -> None:
        self._kept.append(_Kept(self._table.copy(), [replace(one) for one in self.counts]))

    def _fold(self, events: Sequence[Event], view: SeatView) -> None:
        if self._is_undone:
            self._is_undone = False
            self._go_back(events, view.game.state)
        for event in events:
            if isinstance(event, TurnStarted) and self._table.turn:
                self._turns[self._table.turn] = _standings(self._table)
            self._count(event, self._table)
            _apply_figures(self._table, event)
        self._judge(events, view)
        self._keep()

    def _judge(self, events: Sequence[Event], view: SeatView) -> None:
        """Note the chances of a turn that has just begun, where the game stands there."""
        begun = any(isinstance(event, TurnStarted) for event in events)
        state = view.game.state
        if begun and state.turn == self._table.turn and len(state.seats_alive()) > 1:
            self.chances[state.turn] = judge(view.game)

    @property
    def _table(self) -> State:
        assert self._state is not None  # GameStarted comes first
        return self._state

    def _go_back(self, events: Sequence[Event], now: State) -> None:
        """To the latest point from which these events can lead to where the game stands now."""
        started = sum(isinstance(event, TurnStarted) for event in events)
        kept = [one for one in self._kept if one.state.turn <= now.turn - started]
        fitting = [at for at, one in enumerate(kept) if _can_lead_to(one.state, events, now)]
        self._kept = kept[: fitting[-1] + 1] if fitting else kept or self._kept[:1]
        self._state = self._kept[-1].state.copy()
        self.counts = [replace(one) for one in self._kept[-1].counts]
        self._turns = {n: all_ for n, all_ in self._turns.items() if n < self._state.turn}
        self.chances = {n: all_ for n, all_ in self.chances.items() if n <= self._state.turn}

    def course(self) -> dict[int, tuple[Standing, ...]]:
        """By turn, how each seat stood at its end; the last turn as it stands now. Empty before
        the first turn."""
        if self._state is None or not self._state.turn:
            return {}
        return self._turns | {self._state.turn: _standings(self._state)}

    def _count(self, event: Event, before: State) -> None:
        match event:
            case TurnStarted(seat=seat):
                self.counts[seat].turns_in_tokyo += before.monsters[seat].place is not Place.OUTSIDE
            case DiceRolled(seat=seat, positions=positions):
                self.counts[seat].dice_rerolled += len(positions) if before.dice else 0
            case EnergyGained(seat=seat, amount=amount):
                self.counts[seat].energy_won += amount
            case PointsGained(seat=seat, amount=amount, cause=cause):
                self._points(self.counts[seat], amount, cause)
            case HeartsGained(seat=seat, amount=amount):
                self.counts[seat].hearts_healed += amount
            case HeartsLost(seat=seat, amount=amount, dealer=dealer):
                self.counts[seat].hearts_lost += amount
                if dealer is not None and dealer != seat:
                    self.counts[dealer].hearts_dealt += amount
            case CardBought(seat=seat):
                self.counts[seat].cards_bought += 1
            case Eliminated(seat=seat):
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

    def rank_seats(self, view: SeatView) -> list[tuple[int, Seat]]:
        """(place, seat) from the first to the last: the winners, the monsters still alive by their
        points, the others by the turn of their fall, the last to fall first. Ties share a place."""
        found = sorted(range(len(self.counts)), key=lambda seat: self._merit(view, seat))
        merits = [self._merit(view, seat) for seat in found]
        return [(merits.index(merit) + 1, seat) for merit, seat in zip(merits, found, strict=True)]

    def _merit(self, view: SeatView, seat: Seat) -> tuple[int, int]:
        """A key to sort by; a smaller one is better."""
        monster = view.game.state.monsters[seat]
        if seat in self.winners:
            return 0, 0
        if monster.alive:
            return 1, -monster.points
        return 2, -(self.counts[seat].turn_of_fall or 0)


EVENTS_OF_FIGURES = (
    EnteredTokyo, LeftTokyo, MovedToCity, Eliminated, PointsGained, PointsLost, EnergyGained,
    EnergyLost, HeartsGained, HeartsLost, HeartsSet, Resurrected, DiceRolled,
)  # fmt: skip


def _apply_figures(state: State, event: Event) -> None:
    """Apply the figures of an event. After play was undone the table may not be quite the right
    one, where other events would find no card to take away."""
    if isinstance(event, EVENTS_OF_FIGURES):
        apply(state, event)
    elif isinstance(event, TurnStarted):
        state.turn += 1
        state.dice, state.rolls = [], 0


def _can_lead_to(before: State, events: Sequence[Event], now: State) -> bool:
    """True if, as far as figures tell, these events lead from one table to the other."""
    after = before.copy()
    for event in events:
        _apply_figures(after, event)
    if (after.turn, after.rolls) != (now.turn, now.rolls):
        return False
    return [_figures(one) for one in after.monsters] == [_figures(one) for one in now.monsters]


def _standings(state: State) -> tuple[Standing, ...]:
    return tuple(
        Standing(one.points, one.hearts, one.alive, one.place is not Place.OUTSIDE)
        for one in state.monsters
    )


def _figures(monster: Monster) -> tuple[object, ...]:
    return monster.hearts, monster.points, monster.energy, monster.alive, monster.place


def describe_title(statistics: Statistics) -> str:
    if statistics.resumed_in_turn is None:
        return _("How it went:")
    return _(
        "How it went since turn {turn}, when the game was resumed:", turn=statistics.resumed_in_turn
    )


def describe_statistics(statistics: Statistics, view: SeatView) -> list[str]:
    """For the end of the game: a title, and a line for each player, the first place first."""
    if not statistics.counts:
        return []
    return [
        describe_title(statistics),
        *(_line(statistics, view, *rank) for rank in statistics.rank_seats(view)),
    ]


def _line(statistics: Statistics, view: SeatView, place: int, seat: Seat) -> str:
    counts = statistics.counts[seat]
    return _(
        "{place}. {name}: {standing} ({dice} from dice, {tokyo} from Tokyo, {cards} from cards), "
        "{energy} won; hearts: {lost} lost, {healed} healed, {dealt} dealt; {rerolled} rerolled, "
        "{turns} in Tokyo, {bought} bought.",
        place=place,
        name=names.player_name(view, seat),
        standing=_standing(counts, view.game.state.monsters[seat]),
        dice=counts.points_from_dice,
        tokyo=counts.points_from_tokyo,
        cards=counts.points_from_cards,
        energy=names.energy(counts.energy_won),
        lost=counts.hearts_lost,
        healed=counts.hearts_healed,
        dealt=counts.hearts_dealt,
        rerolled=names.dice_count(counts.dice_rerolled),
        turns=plural("{n} turn", "{n} turns", counts.turns_in_tokyo),
        bought=plural("{n} card", "{n} cards", counts.cards_bought),
    )


def _standing(counts: PlayerCounts, monster: Monster) -> str:
    if monster.alive:
        return names.points(monster.points)
    if counts.turn_of_fall is None:  # before what is counted here
        return _("out")
    points = names.points(counts.points_at_fall)
    return _("out in turn {turn} with {points}", turn=counts.turn_of_fall, points=points)
