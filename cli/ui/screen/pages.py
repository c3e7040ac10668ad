"""Pages that cover the table until they are closed: help, cards, the log, longer answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from kotp2p.cli.ask.dialogue import MenuEntry, QuestionDialogue
from kotp2p.cli.ask.standing_orders import ORDERS_WORD
from kotp2p.cli.text import how_to_join, lobby, queries
from kotp2p.cli.text.endings import describe_ending, short_phrase
from kotp2p.cli.text.how_to_join import describe_code_help
from kotp2p.cli.text.i18n import N_, _, in_context, list_with_commas
from kotp2p.cli.text.player_rules import RULES_WORD, first_page, list_topics
from kotp2p.cli.text.queries import SINCE_WORD, list_cards_in_sight
from kotp2p.cli.text.typed_words import own_command
from kotp2p.cli.ui import notice_feed, player_commands
from kotp2p.cli.ui.screen import theme
from kotp2p.cli.ui.screen.panels import WIDE_COLUMNS
from kotp2p.cli.wing import Hint, wing
from kotp2p.referee.box.rulesets import SECOND
from kotp2p.referee.model.answers import Face
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.notices import LobbyChanged, LobbySeat, SeatView


class ChartRow(str):
    """A row with the style of what it shows."""

    style: str

    def __new__(cls, text: str, style: str) -> ChartRow:
        found = super().__new__(cls, text)
        found.style = style
        return found


@dataclass
class Page:
    title: str
    lines: list[str]
    at_end: bool = False
    _top: int | None = None
    _last: int = 0
    _height: int = 1

    def visible_rows(self, columns: int, height: int) -> tuple[list[theme.Part], str]:
        """Return the visible rows with their styles, and their range among all rows."""
        rows = [
            (line.style if isinstance(line, ChartRow) else "log", row)
            for line in self.lines
            for row in theme.fold_lines([line], columns)
        ]
        self._last, self._height = max(0, len(rows) - height), height
        if self._top is None:
            self._top = self._last if self.at_end else 0
        self._top = min(self._top, self._last)
        shown = rows[self._top : self._top + height]
        if len(rows) <= height:
            return shown, ""
        return shown, _("{first} to {last} of {all}", first=self._top + 1,
                        last=self._top + len(shown), all=len(rows))  # fmt: skip

    @property
    def is_longer(self) -> bool:
        """Return whether more than its window held when it was last drawn."""
        return self._last > 0

    def turn(self, pages: int) -> None:
        self.scroll(pages * max(1, self._height - 1))

    def scroll(self, rows: int) -> None:
        self._top = max(0, min((self._top or 0) + rows, self._last))


def key_lines() -> list[str]:
    keys = ("F1", "F2", "F3", "F4", "F5", "F10")
    typed = ("?", *(own_command(word) for word in ("cards", "log", "orders", "look", "leave")))
    words = [f"{key} {word}" for key, word in zip(keys, typed, strict=True)]
    return [
        _("Up, Down: pick an answer; F6: pick a command; Enter: send the line."),
        _("Left, Right: go to another of your dice; Space: keep it, or let it go."),
        _("Esc: clear the line, or close a page. Page Up, Page Down: move the log or a page."),
        _("F1: this help, and the rules. F2: the cards. F3: the whole log. F4: your orders."),
        _(
            "F5: what you see, and how fast. While you are shown what happens, any other key shows "
            "the rest at once and does nothing else."
        ),
        _("Each has a word, too: {words}.", words=list_with_commas(words)),
        _("F10 or Ctrl-C: leave; you are asked first. Ctrl-Z: to the shell. Ctrl-L: draw anew."),
        _(
            "Prices are in energy, {energy}. {sign} stands before your own name.",
            energy=theme.signs().faces[Face.BOLT].strip(),
            sign=theme.signs().own,
        ),
        _(
            "Cards: {keep} stays with you, {once} works once and is gone; too dear costs more than "
            "you have.",
            keep=in_context("kind of card", "keep"),
            once=in_context("kind of card", "once"),
        ),
        _("A die that is kept is lifted, or stands in brackets; a new one was rolled last."),
        theme.describe_marks(),
    ]


def help_page(feed: notice_feed.NoticeFeed, asking: QuestionDialogue | None) -> Page:
    lines: list[str] = []
    if asking is not None:
        lines += [*asking.help_lines(), ""]
    if feed.view is None and feed.lobby is not None:
        return Page(_("Help"), [*_lobby_lines(feed, feed.lobby), "", *lines, *key_lines()])
    lines += key_lines()
    if feed.view is not None:
        lines += ["", *queries.help_lines(feed.view)]
    return Page(_("Help"), lines)


def _lobby_lines(feed: notice_feed.NoticeFeed, here: LobbyChanged) -> list[str]:
    """Return what can be typed, and what a small screen has no room for."""
    lines = [*lobby.describe_commands(here), "", *lobby.describe_options(here)]
    if feed.opened is not None:
        names = feed.audience.interfaces
        lines += how_to_join.join_commands(feed.opened, names)
        lines += how_to_join.describe_access(feed.opened, names)
    if feed.code is not None:
        lines.append(describe_code_help(feed.code))
    return lines


def rules_page(feed: notice_feed.NoticeFeed) -> Page:
    rules = feed.rules or SECOND
    lines = [*first_page(rules, feed.options), "", list_topics(rules)]
    return Page(_("How the game is played"), lines)


def cards_page(view: SeatView) -> Page:
    return Page(_("Cards in sight"), list_cards_in_sight(view))


def end_page(ending: Ending, feed: notice_feed.NoticeFeed, columns: int) -> Page:
    lines = describe_ending(ending, "", 0)
    if ending.kind is EndKind.FINISHED:
        counted = feed.describe_deeds()
        if feed.view is not None and columns >= WIDE_COLUMNS:
            view = notice_feed.view_for_all(feed.view)
            counted = [*feed.describe_changes(), *feed.tally.draw(view, columns - 2)]
        result = ChartRow(feed.describe_result(ending), "points face")
        again = ""
        if ending.log is not None:
            again = wing().say(Hint.SEE_AGAIN, log=short_phrase(ending))
        lines = [result, *lines, *counted, *([again] if again else [])]
    return Page(_("The end"), lines)


# -- what may be typed at any time, as a list to pick from (F6) ----------------------------


CommandRows: TypeAlias = tuple[tuple[str, str], ...]
GAME_COMMANDS: CommandRows = (
    ("state", N_("all monsters, in words")),
    ("shop", N_("the cards for sale, with their texts")),
    ("who", N_("the players, and who is waited for")),
    (RULES_WORD, N_("how the game is played")),
    (player_commands.COACH_WORD, N_("have your next three turns explained")),
    (ORDERS_WORD, N_("your standing orders, and how to change them")),
    (SINCE_WORD, N_("what has happened since your last turn")),
    (player_commands.SPEED_WORD, N_("how fast you are shown what happens, and how to change it")),
    (notice_feed.ADJOURN_WORD, N_("stop here for today, if all agree")),
    (player_commands.LEAVE_WORDS[1], N_("leave the game; you are asked first")),
)
HOST_COMMANDS: CommandRows = (
    (player_commands.START.word, N_("begin the game")),
    (player_commands.ADD_BOT.word, N_("a bot takes a free seat")),
    (player_commands.COPY.word, N_("put the line for your friends into the clipboard")),
)
LOBBY_COMMANDS: CommandRows = (
    (player_commands.WHO.word, N_("the players at this table")),
    (RULES_WORD, N_("how the game is played")),
    (player_commands.LEAVE_WORDS[0], N_("leave the table; you are asked first")),
)


def list_commands(feed: notice_feed.NoticeFeed) -> list[MenuEntry]:
    if feed.view is not None:
        return [*_list_open_matters(feed.view, feed.matters), *_entries(GAME_COMMANDS)]
    if feed.lobby is None:
        return [_entry(player_commands.LEAVE_WORDS[0], _("give up"))]
    own = lobby.own_seat(feed.lobby)
    return [
        *(_entries(HOST_COMMANDS) if own.host else []),
        *_list_choices(feed.lobby, own),
        *_entries(LOBBY_COMMANDS),
    ]


def _entries(rows: CommandRows) -> list[MenuEntry]:
    away = {player_commands.COACH_WORD} if wing().coach is None else set()
    return [_entry(word, _(label)) for word, label in rows if word not in away]


def _entry(command: str, label: str, rest: str = "") -> MenuEntry:
    return MenuEntry(f"{own_command(command)} {rest}".rstrip(), label)


def _list_open_matters(view: SeatView, matters: notice_feed.OpenMatters) -> list[MenuEntry]:
    found, offer = [], matters.offer
    if offer is not None and offer.yours:
        if offer.can_go_on:
            found.append(_entry(notice_feed.BOT_WORD, _("let a bot play for who does not answer")))
        found.append(_entry(notice_feed.WAIT_WORD, _("wait for who does not answer")))
    for asked in matters.returning:
        name = view.players[asked.seat].name
        found.append(_entry(notice_feed.ACCEPT_WORD, _("let {name} back", name=name), name))
    return found


def _list_choices(here: LobbyChanged, own: LobbySeat) -> list[MenuEntry]:
    if own.ready:
        mark = _entry(
            player_commands.NOT_READY.word,
            _("take back that you are ready"),
            own_command(player_commands.READY.word),
        )
    else:
        mark = _entry(player_commands.READY.word, _("tell the others that you are ready"))
    monsters = [
        _entry(player_commands.MONSTER.word, _("play {monster}", monster=monster), monster)
        for monster in lobby.free_monsters(here)
    ]
    return [mark, *monsters]
