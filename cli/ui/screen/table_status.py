"""The table beside the game: its players, the lobby, and decisions in a few words."""

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from kotp2p.cli.text import how_to_join, lobby, names
from kotp2p.cli.text.how_to_join import Interfaces, code_command, describe_code
from kotp2p.cli.text.i18n import _, close_isolates, language, list_with_commas, number, plural
from kotp2p.cli.text.notices import minutes_and_seconds
from kotp2p.cli.ui.screen.panels import LastEvents
from kotp2p.cli.ui.screen.theme import Row, draw_text, pad_to_width, rule_row
from kotp2p.referee.model.answers import Seat
from kotp2p.referee.model.events import Eliminated, TurnStarted
from kotp2p.seams import notices
from kotp2p.seams import notices as told
from kotp2p.wire.frames import SEAT_KEPT_SECONDS

# -- who is there --------------------------------------------------------------------------


def time_after(seconds: float) -> str:
    return time.strftime("%H:%M", time.localtime(time.time() + seconds))


@dataclass
class TableStatus:
    time_after: Callable[[float], str] = time_after
    opened: told.TableOpened | None = None
    code: notices.TableCode | None = None
    announced: told.TableAnnounced | None = None
    """Whether others find it on this network, if that was tried."""
    rematch: told.RematchNews | None = None
    """The players for whom seats are kept, if this process hosts a rematch."""
    kept_until: dict[bytes, str] = field(default_factory=dict)
    """The time until which the seat of a player with a lost link is kept, by their key."""
    out_since: dict[Seat, int] = field(default_factory=dict)
    last: LastEvents = field(default_factory=LastEvents)
    clock: Callable[[], float] = time.monotonic
    quiet_since: dict[Seat, float] = field(default_factory=dict)
    """Since when nothing has come over the link to a seat, by `clock`."""
    absent: set[Seat] = field(default_factory=set)
    watchers: int = 0

    def note_notice(self, notice: told.Notice) -> None:
        match notice:
            case told.TableOpened():
                self.opened = notice
            case notices.TableCode():
                self.code = notice
            case told.TableAnnounced():
                self.announced = notice
            case told.RematchNews(step=step):
                self.opened = None
                self.rematch = notice if step is told.RematchStep.OFFERS else None
            case told.LobbyChanged(seats=seats):
                self._note_kept(seats)
            case told.Happened(events=events):
                self.last.note_events(events)
                self.note_past(notice)
            case told.WatchersChanged(count=count):
                self.watchers = count
            case _:  # all others are of absence, or change nothing here
                self._note_absence(notice)

    def _note_absence(self, notice: told.Notice) -> None:
        match notice:
            case told.Missing(seats=seats):
                self.absent = set(seats)
            case told.Gone(seat=seat):
                self.absent.add(seat)
            case told.Returned(seat=seat):
                self.absent.discard(seat)
            case told.Quiet(seat=seat, seconds=0):
                self.quiet_since.pop(seat, None)
            case told.Quiet(seat=seat, seconds=seconds):
                self.quiet_since[seat] = self.clock() - seconds
            case told.LineUpBegun(changes=changes):  # the table marks for whom a bot plays
                self.absent.difference_update(change.keeper for change in changes)
            case _:  # it changes nothing that is kept here
                pass

    def _note_kept(self, seats: Sequence[told.LobbySeat | None]) -> None:
        away = [seat.key for seat in seats if seat is not None and seat.away]
        until = self.time_after(SEAT_KEPT_SECONDS)
        self.kept_until = {key: self.kept_until.get(key, until) for key in away}

    def note_past(self, notice: told.Notice) -> None:
        """Record when monsters fell before the game was resumed."""
        if isinstance(notice, told.Happened):
            turn = notice.view.game.state.turn
            for event in reversed(notice.events):  # the view is the one after all of them
                if isinstance(event, TurnStarted):
                    turn -= 1
                elif isinstance(event, Eliminated):
                    self.out_since[event.seat] = turn

    def title_marks(self, view: notices.SeatView) -> list[str]:
        found = []
        absent = [seat for seat in sorted(self.absent) if view.game.state.monsters[seat].alive]
        if absent:
            who = list_with_commas(names.player_name(view, seat) for seat in absent)
            found.append(_("no word from {names}", names=who))
        for seat in sorted(self.quiet_since):
            if seat in self.absent or not view.game.state.monsters[seat].alive:
                continue
            silence = minutes_and_seconds(self.clock() - self.quiet_since[seat])
            name = names.player_name(view, seat)
            found.append(_("{name}: nothing for {time}", name=name, time=silence))
        if self.watchers:
            found.append(self.describe_watchers())
        return found

    def describe_watchers(self) -> str:
        return plural("{n} watches", "{n} watch", self.watchers)


# -- the lobby: the seats, their players, and how others come ------------------------------


SEAT_COLUMNS = 11
PLAYER_COLUMNS = 26
MONSTER_COLUMNS = 16
READY_COLUMNS = 10


def lobby_rows(
    shown: notices.LobbyChanged | None,
    status: TableStatus,
    columns: int,
    interfaces: Interfaces,
    room: int = 99,
) -> list[Row]:
    if shown is None:
        return []
    head = " " + _cells(_("Seat"), _("Player"), _("Monster"), _("Ready"))
    rows: list[Row] = [[("rule", pad_to_width(head, columns))]]
    rows += [[("log", pad_to_width(text, columns))] for text in _seat_texts(shown, status)]
    first, more = _join_rows(status, columns, interfaces)
    if first:
        is_rematch = status.rematch is not None
        title = _("Another game with the same people") if is_rematch else _("How to join")
        rows.append(rule_row(columns, title))
        rows += first
    lines = [_("Rule set: {rules}.", rules=shown.rules), *lobby.describe_options(shown)]
    table = draw_text([" ".join(lines)], columns)
    left = room - len(rows) - 1
    is_cut = len(more) + len(table) > left
    watching = status.describe_watchers() if status.watchers else ""
    ends = [watching, _("? shows the rest") if is_cut else ""]
    if is_cut:  # whole sentences only: half of one misleads
        more, table = [], table if len(table) <= left else []
    title = _("The table") if table else ""
    rule = rule_row(columns, title, ", ".join(filter(None, ends)))
    return [*rows, *more, rule, *table]


def _join_rows(
    status: TableStatus, columns: int, interfaces: Interfaces
) -> tuple[list[Row], list[Row]]:
    """Return what a host needs in sight, and what the help page repeats."""
    if status.opened is None:
        return [], []
    if status.rematch is not None:
        lines = _rematch_lines(status.rematch, status.opened, status.code, interfaces)
        return draw_text(lines, columns), []
    told_here = lobby.describe_announcement(status.announced) if status.announced else []
    is_fault = status.announced is not None and bool(status.announced.fault)
    faults = [
        *([how_to_join.describe_loopback()] if status.opened.only_loopback else []),
        *(told_here if is_fault else []),
    ]
    first = draw_text(faults, columns, "danger")
    ways, rest = _ways_to_join(status.opened, columns, interfaces)
    if not is_fault:
        ways += draw_text(told_here, columns)
    return [*first, *_code_rows(status.code, columns), *ways], rest


def _rematch_lines(
    rematch: notices.RematchNews,
    opened: notices.TableOpened | None,
    code: notices.TableCode | None,
    interfaces: Interfaces,
) -> list[str]:
    said = lobby.describe_rematch(rematch)
    if opened is None:  # it is about to be
        return said
    return [*said, *how_to_join.describe_rematch_access(opened, interfaces, code)]


def _ways_to_join(
    opened: notices.TableOpened, columns: int, interfaces: Interfaces
) -> tuple[list[Row], list[Row]]:
    """Return the ways to join, the command for most players first, and what may block them."""
    best, *others = how_to_join.join_commands(opened, interfaces)
    by_link = how_to_join.watch_command(opened)  # its words say what it does
    said = how_to_join.describe_watching(opened, interfaces) if by_link else []
    said += [how_to_join.describe_loopback()] if opened.only_loopback else []
    access = how_to_join.describe_access(opened, interfaces)
    commands = filter(None, [best, by_link])
    ways = [*draw_text(commands, columns, "own"), *draw_text(others, columns)]
    return ways, draw_text([line for line in access if line not in said], columns)


def _code_rows(code: notices.TableCode | None, columns: int) -> list[Row]:
    """Return the command that works from anywhere, and which servers it asks."""
    if code is None:
        return []
    rows = draw_text(describe_code(code), columns)
    if code.leads_here:
        rows.insert(0, [("own", " " + code_command(code.code))])
    return rows


def lines_in_panels(
    shown: notices.LobbyChanged | None, status: TableStatus, interfaces: Interfaces
) -> list[str]:
    """Return what these rows always say, so that the log need not say it."""
    lines: list[str] = []
    if shown is not None:  # a table is opened before anybody sits down, the host included
        lines += [
            *lobby.list_seats(shown),
            *lobby.describe_first_commands(shown),
            *lobby.describe_options(shown),
        ]
    if status.rematch is not None:
        lines += _rematch_lines(status.rematch, status.opened, status.code, interfaces)
    elif status.opened is not None:
        lines += [
            *how_to_join.join_commands(status.opened, interfaces),
            *how_to_join.describe_access(status.opened, interfaces),
        ]
        if status.announced is not None:
            lines += lobby.describe_announcement(status.announced)
        if status.code is not None and status.code.step is notices.CodeStep.OPEN:
            lines += [code_command(status.code.code), *describe_code(status.code)]
    return lines


def _seat_texts(shown: notices.LobbyChanged, status: TableStatus) -> list[str]:
    texts, free = [], []
    for at, seat in enumerate(shown.seats):
        if seat is not None:
            texts.append(_player_text(shown, status, at, seat))
        elif shown.has_kept_seats and status.rematch and status.rematch.kept[at]:
            name = _("kept for {name}, who has not said yes", name=status.rematch.kept[at])
            texts.append(" " + pad_to_width(number(at + 1), SEAT_COLUMNS) + name)
        else:
            free.append(at + 1)
    if free:
        seats = pad_to_width(",".join(map(number, free)), SEAT_COLUMNS)
        texts.append(" " + seats + plural("{n} seat is free.", "{n} seats are free.", len(free)))
    return texts


def _player_text(
    shown: notices.LobbyChanged, status: TableStatus, at: int, seat: notices.LobbySeat
) -> str:
    name = seat.name
    if at == shown.you:
        name = _("{name} (you)", name=name)
    elif seat.host:
        name = _("{name} (host)", name=name)
    elif seat.is_played_by_bot:
        name = _("{name} ({mark})", name=name, mark=_("bot"))
    ready = _("ready") if seat.ready else ""
    if seat.away:
        ready = _("away, kept until {time}", time=number(status.kept_until.get(seat.key, "")))
        return " " + _cells(number(at + 1), name, seat.monster, "")[:-READY_COLUMNS] + ready
    return " " + _cells(number(at + 1), name, seat.monster, ready)


def _cells(seat: str, player: str, monster: str, ready: str) -> str:
    return (
        pad_to_width(seat, SEAT_COLUMNS)
        + pad_to_width(player, PLAYER_COLUMNS)
        + pad_to_width(monster, MONSTER_COLUMNS)
        + pad_to_width(ready, READY_COLUMNS)
    )


# -- the words of a question: so few that it is read at a glance ---------------------------
#
# How many there may be below the dice, and what is cut if there are more. What has to be answered
# is never cut. What an answer leads to is left out by whole clauses, and `?` shows them.


MOST_WORDS_IN_ENGLISH = 45
MOST_WORDS = 55
WORDS_OF_THE_KEYS = 10
CLAUSE_END = re.compile("[,;\N{ARABIC COMMA}] ")


def count_words(text: str) -> int:
    return sum(any(sign.isalnum() for sign in word) for word in text.split())


def most_words() -> int:
    return MOST_WORDS_IN_ENGLISH if language() == "en" else MOST_WORDS


def room_for_facts(heading: str, asked: Sequence[str]) -> int:
    """Return how many words are left for facts; `asked` is not cut."""
    taken = sum(map(count_words, (heading, *asked)))
    return max(0, most_words() - WORDS_OF_THE_KEYS - taken)


def shorten(lines: Sequence[str], room: int) -> list[str]:
    """Return the lines that have room, without those from the first one that has none on."""
    shown: list[str] = []
    for line in lines:
        count = count_words(line)
        if count > room:
            begun = _begin(line, room)
            return [*shown, begun] if begun else _mark_last(shown, room)
        shown.append(line)
        room -= count
    return shown


def _begin(line: str, room: int) -> str:
    """Return as many clauses as have room, with the mark; empty if not even one has."""
    ends = [found.start() for found in CLAUSE_END.finditer(line)]
    marked = [_with_mark(line[:end]) for end in reversed(ends)]
    return next((text for text in marked if count_words(text) <= room), "")


def _mark_last(lines: list[str], room: int) -> list[str]:
    if not lines:
        return []
    marked = _with_mark(lines[-1].rstrip("."))
    has_room = count_words(marked) - count_words(lines[-1]) <= room
    return [*lines[:-1], marked] if has_room else lines


def _with_mark(text: str) -> str:
    # Translators: the end of a sentence whose last parts are left out; the key ? shows them.
    return close_isolates(text) + _(", and more: type ?.")
