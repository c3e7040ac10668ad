"""Pages that lie over the table until they are closed: help, cards, the log, longer answers."""

from __future__ import annotations

from dataclasses import dataclass

from kotp2p.cli.ask.dialogue import QuestionDialogue
from kotp2p.cli.text import how_to_join, lobby, queries
from kotp2p.cli.text.endings import describe_ending, describe_way_back, short_phrase
from kotp2p.cli.text.how_to_join import describe_code_help
from kotp2p.cli.text.i18n import _, list_with_commas
from kotp2p.cli.text.queries import list_cards_in_sight
from kotp2p.cli.text.rulebook import first_page, list_topics
from kotp2p.cli.text.statistics import describe_turning_point
from kotp2p.cli.text.typed_words import own_command
from kotp2p.cli.ui.notice_feed import NoticeFeed
from kotp2p.cli.ui.people import view_for_all
from kotp2p.cli.ui.screen.course_chart import ChartRow, chart_course
from kotp2p.cli.ui.screen.log_marks import describe_marks
from kotp2p.cli.ui.screen.panels import WIDE_COLUMNS
from kotp2p.cli.ui.screen.rows import Part, fold_lines
from kotp2p.cli.ui.screen.score import score_table
from kotp2p.cli.ui.screen.theme import signs
from kotp2p.referee.box.rulesets import SECOND
from kotp2p.referee.model.answers import Face
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.notices import LobbyChanged
from kotp2p.seams.seat_view import SeatView


@dataclass
class Page:
    title: str
    lines: list[str]
    at_end: bool = False
    """Whether the page opens at its last line."""
    _top: int | None = None
    _last: int = 0
    """The highest possible first row, when the page was last drawn."""
    _height: int = 1
    """Its rows then."""

    def visible_rows(self, columns: int, height: int) -> tuple[list[Part], str]:
        """The rows in sight with their styles, and which of all rows they are."""
        rows = [
            (line.style if isinstance(line, ChartRow) else "log", row)
            for line in self.lines
            for row in fold_lines([line], columns)
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

    def turn(self, pages: int) -> None:
        """So many windows down, or up; the last row of one window is the first of the next."""
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
            energy=signs().faces[Face.BOLT].strip(),
            sign=signs().own,
        ),
        _("A die that is kept is lifted, or stands in brackets; a new one was rolled last."),
        describe_marks(),
    ]


def help_page(feed: NoticeFeed, asking: QuestionDialogue | None) -> Page:
    lines = [_("F1 once more shows how the game is played."), ""]
    if asking is not None:
        lines += [*asking.help_lines(), ""]
    if feed.view is None and feed.lobby is not None:
        return Page(_("Help"), [*_lobby_lines(feed, feed.lobby), "", *lines, *key_lines()])
    lines += key_lines()
    if feed.view is not None:
        lines += ["", *queries.help_lines(feed.view)]
    return Page(_("Help"), lines)


def _lobby_lines(feed: NoticeFeed, here: LobbyChanged) -> list[str]:
    """What can be typed, and what a small screen has no room for."""
    lines = [*lobby.describe_commands(here), "", *lobby.describe_options(here)]
    if feed.opened is not None:
        names = feed.audience.interfaces
        lines += how_to_join.join_commands(feed.opened, names)
        lines += how_to_join.describe_access(feed.opened, names)
    if feed.code is not None:
        lines.append(describe_code_help(feed.code))
    return lines


def rules_page(feed: NoticeFeed) -> Page:
    rules = feed.rules or SECOND
    lines = [*first_page(rules, feed.options), "", list_topics(rules)]
    return Page(_("How the game is played"), lines)


def cards_page(view: SeatView) -> Page:
    return Page(_("Cards in sight"), list_cards_in_sight(view))


def end_page(ending: Ending, feed: NoticeFeed, columns: int) -> Page:
    lines = describe_ending(ending, "", 0)
    if ending.kind is EndKind.FINISHED:
        counted = feed.describe_deeds()
        if feed.view is not None and columns >= WIDE_COLUMNS:
            view = view_for_all(feed.view)
            counted = [
                *feed.describe_changes(),
                *describe_turning_point(feed.statistics, view),
                *chart_course(feed.statistics, view, columns - 2),
                *score_table(feed.statistics, view, columns - 2),
            ]
        way_back = [describe_way_back(short_phrase(ending))] if ending.log is not None else []
        result = ChartRow(feed.describe_result(ending), "points face")
        lines = [result, *lines, *counted, *way_back]
    return Page(_("The end"), lines)
