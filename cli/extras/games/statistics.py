"""Figures of a game in words: what each player did, and how it went."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kotp2p.cli.text import names
from kotp2p.cli.text.i18n import _, list_with_and, list_with_commas, number, plural
from kotp2p.cli.wing import Tally
from kotp2p.extras.bots import judge
from kotp2p.referee.model import events as ev
from kotp2p.referee.model.answers import Seat
from kotp2p.referee.model.state import Cause, Monster, Place, State
from kotp2p.seams import notices

# -- what each player did in a game, counted from its events -------------------------------
#
# Everything is folded from the notices of the peer (`count_notice`). The State is folded along,
# because some counts depend on the table before an event. The events are kept, so that they can be
# counted anew up to where a `LineUpBegun` that has undone some play has gone back to. In a resumed
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
class Statistics(Tally):
    counts: list[PlayerCounts] = field(default_factory=list)
    """The counts by seat; empty before the game."""
    winners: tuple[Seat, ...] = ()
    chances: dict[int, tuple[float, ...]] = field(default_factory=dict)
    """The chances of each seat to win at the start of each turn, as `hard` judges."""
    _turns: dict[int, tuple[Standing, ...]] = field(default_factory=dict)
    _state: State | None = None
    _start: State | None = None
    _seen: list[Sequence[ev.Event]] = field(default_factory=list)
    """The events since the start, batch by batch."""

    def count_notice(self, notice: notices.Notice) -> None:
        match notice:
            case notices.GameStarted(resumed=True) if self.counts:
                pass  # what came before has been counted from the log
            case notices.GameStarted():
                self._start, self._seen = notice.state.copy(), []
                self._count_from_start()
                self.winners, self.chances = (), {}
            case notices.Happened(events=events, view=view):
                self._fold(events, view)
            case notices.LineUpBegun(undone_from=State() as state):
                self._go_back(state)
            case notices.GameFinished(winners=winners):
                self.winners = winners
            case _:  # it changes no count
                pass

    def _count_from_start(self) -> None:
        assert self._start is not None  # GameStarted comes first
        self._state, self._turns = self._start.copy(), {}
        self.counts = [PlayerCounts() for _monster in self._start.monsters]
        for events in self._seen:
            self._count_events(events)

    def _fold(self, events: Sequence[ev.Event], view: notices.SeatView) -> None:
        self._seen.append(events)
        self._count_events(events)
        self._judge(events, view)

    def _count_events(self, events: Sequence[ev.Event]) -> None:
        for event in events:
            if isinstance(event, ev.TurnStarted) and self._table.turn:
                self._turns[self._table.turn] = _standings(self._table)
            self._count(event, self._table)
            event.apply(self._table)

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
        assert self._start is not None  # GameStarted comes first
        table, count = self._start.copy(), 0
        for done, events in enumerate(self._seen, 1):
            for event in events:
                event.apply(table)
            if table == state:
                count = done
        del self._seen[count:]
        self._count_from_start()
        self._state = state.copy()
        self._turns = {n: all_ for n, all_ in self._turns.items() if n < state.turn}
        self.chances = {n: all_ for n, all_ in self.chances.items() if n <= state.turn}

    def describe(self, view: notices.SeatView) -> list[str]:
        return [
            *describe_turning_point(self, view),
            *describe_course(self, view),
            *describe_statistics(self, view),
        ]

    def draw(self, view: notices.SeatView, columns: int) -> list[str]:
        from kotp2p.cli.extras.games.chart import chart_course

        return [
            *describe_turning_point(self, view),
            *chart_course(self, view, columns),
            *describe_statistics(self, view),
        ]

    def course(self) -> dict[int, tuple[Standing, ...]]:
        """Return the standing of each seat at the end of each turn, by turn."""
        if self._state is None or not self._state.turn:
            return {}
        return self._turns | {self._state.turn: _standings(self._state)}

    def _count(self, event: ev.Event, before: State) -> None:
        match event:
            case ev.PointsGained(seat=seat, amount=amount, cause=cause):
                self._points(self.counts[seat], amount, cause)
            case ev.PointsLost(seat=seat, amount=amount, cause=cause):
                self._points(self.counts[seat], -amount, cause)  # so that all add up
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
    ranks = statistics.rank_seats(view)
    return [_("How it went:"), *(_line(statistics, view, *rank) for rank in ranks)]


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
"""A winner with this chance at the start of a turn of the last round has turned the game before."""
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

    Return None without such a turn or without a single winner. A turn of the last round is one only
    if the winner was not the favourite; the end of the last turn needs no judgement.
    """
    if len(counted.winners) != 1:
        return None
    winner, last = counted.winners[0], max(counted.course(), default=0)
    found: TurningPoint | None = None
    for turn, chances in sorted(counted.chances.items()):
        before = chances[winner]
        after = 1.0 if turn == last else counted.chances.get(turn + 1, chances)[winner]
        if turn > last - len(chances) and before >= EVEN_CHANCE:
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
    every, count = sorted(course), min(SAMPLES_IN_WORDS, len(course))
    turns = [every[(n + 1) * len(every) // count - 1] for n in range(count)]
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
