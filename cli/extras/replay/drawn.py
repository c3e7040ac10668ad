"""A recorded game on the drawn table: the panels of a game that is played, and a time line.

A module of its own, as a replay in plain lines does not load the drawn table.
"""

import math
from collections.abc import Callable
from functools import partial
from pathlib import PurePath

import trio
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from kotp2p.cli.extras.replay.player import ReplayPlayer, ReplayWords, describe_words, explain_place
from kotp2p.cli.extras.replay.reel import Place
from kotp2p.cli.text.files import describe_verdict
from kotp2p.cli.text.i18n import _, as_cell, in_context, line_width, typed_signs
from kotp2p.cli.ui.notice_feed import Audience, NoticeFeed
from kotp2p.cli.ui.player_state import PlayerState
from kotp2p.cli.ui.screen import draw, theme
from kotp2p.cli.ui.screen.controls import bind_terminal_keys, insert_text
from kotp2p.cli.ui.screen.pages import Page
from kotp2p.cli.ui.screen.panels import LastEvents
from kotp2p.cli.ui.screen.screen import Screen

LOG_LINES = 200
RECORDS_AT_ONCE = 8


class ReplayTable:
    def __init__(self, player: ReplayPlayer, *, animation: bool = False) -> None:
        self.player = player
        state = PlayerState(NoticeFeed(Audience(solo=True, answers=False)))
        self.screen = Screen(state, bell=False, animation=animation)
        self._words = ReplayWords(player)
        self._shown: tuple[Place, int] | None = None
        self._left = trio.Event()
        self._woken = trio.Event()
        self._jobs: trio.MemorySendChannel[Callable[[], object]]
        self._jobs, self._posted = trio.open_memory_channel(math.inf)
        self.refresh()

    def draw(self, columns: int, height: int) -> list[theme.Row]:
        return draw_replay(self.player, self.screen, columns, height)

    def draw_keys(self, columns: int) -> theme.Row:
        return draw_replay_keys(self.player, self.screen, columns)

    def bind_keys(self, line: Buffer) -> KeyBindings:
        return bind_replay_keys(self, line)

    def click(self, mark: str) -> None:
        """Do nothing: there is nothing to choose in a game that is over."""

    async def run(self) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._run_jobs)
            nursery.start_soon(self._read_log)
            nursery.start_soon(self._keep_time)
            await self._left.wait()
            nursery.cancel_scope.cancel()

    def post_job(self, job: Callable[[], object]) -> None:
        """Run `job` on trio's side and show what it has changed."""
        self._jobs.send_nowait(job)

    async def _run_jobs(self) -> None:
        async for job in self._posted:
            job()
            self.refresh()
            self._woken.set()

    async def _read_log(self) -> None:
        while not self.player.log.is_whole:
            self.player.read_on(RECORDS_AT_ONCE)
            self.refresh()
            await trio.lowlevel.checkpoint()

    async def _keep_time(self) -> None:
        while True:
            self._woken = trio.Event()
            seconds = self.player.seconds_of_frame if self.player.is_playing else math.inf
            with trio.move_on_after(seconds) as waiting:
                await self._woken.wait()
            if waiting.cancelled_caught:
                self.player.play_next()
                self.refresh()

    def refresh(self) -> None:
        player, screen = self.player, self.screen
        if player.has_left:
            self._left.set()
        wanted = player.place, player.seat
        if wanted != self._shown:
            before, self._shown = self._shown, wanted
            reel = player.reel
            screen.state.feed.desk.view = reel.view_at(player.place)
            screen.log.lines.clear()
            screen.log.lines.extend(reel.lines_until(player.place, LOG_LINES))
            screen.log.rows_below = 0
            screen.status.out_since = reel.fallen_by(player.place)
            screen.status.last = last = LastEvents()
            for frame in reel.frames_of_turn(player.place):
                last.note_events(frame.events)
            is_next = before is not None and reel.step(before[0], 1) == player.place
            frame = reel.frames_of(player.place.moment)[player.place.frame]
            screen.motion.note_events(frame.events if is_next else ())
        screen.redraw()

    def read_line(self) -> None:
        text = self.screen.input.text
        if self.screen.page is not None and not text.strip():
            self.screen.open_page(None)
            return
        self.screen.clear_input()
        self.post_job(lambda: self._read_line(text))

    def _read_line(self, text: str) -> None:
        self.screen.page = None
        lines = self._words.read_line(text)
        if len(lines) == 1:
            self.player.remark = lines[0]
        elif lines:
            self.screen.page = Page(_("What you asked for"), lines)

    def read_word(self, word: str) -> None:
        self._words.read_line(word)

    def show_help(self) -> None:
        self.screen.page = Page(_("Help"), [*describe_keys(), "", *describe_words()])

    def explain(self) -> None:
        player = self.player
        lines = explain_place(player.reel, player.place)
        self.screen.page = Page(_("How this was drawn"), lines)

    def close_page(self) -> None:
        if self.screen.page is not None:
            self.screen.page = None
        else:
            self.screen.clear_input()
            self.player.remark = ""

    def leave(self) -> None:
        self.player.has_left = True


def describe_keys() -> list[str]:
    return [
        _("Right, Left: the next event, the one before. Down, Up: the next turn, the one before."),
        _("Tab, Shift-Tab: the next decision, the one before."),
        _("Home, End: the start and the end. Space: it plays by itself; + and -: faster, slower."),
        _("F1: this help. F2: the cards. F3: the whole log. F5: look on from the next seat."),
        _("F4: how these dice or cards were drawn, and how to check it without kotp2p."),
        _("Page Up, Page Down: move the log or a page. Esc: close a page. F10: leave."),
    ]


# -- the rows ------------------------------------------------------------------------------


def draw_replay(player: ReplayPlayer, screen: Screen, columns: int, height: int) -> list[theme.Row]:
    """Draw `height` rows, without the input line and the keys."""
    screen.columns = columns
    if columns < draw.SMALLEST_SIZE[0] or height + draw.INPUT_AND_KEYS_ROWS < draw.SMALLEST_SIZE[1]:
        told = [player.describe_place(), player.reel.describe_cause(player.place)]
        return draw.draw_too_small(told, columns, height)
    room = height - draw.PROMPT_ROWS - 2
    if screen.page is not None:
        upper = draw.draw_page(screen, screen.page, columns, room)
    else:
        upper = draw.draw_upper(screen, columns, room, [])
    prompt = _draw_prompt(player, screen, columns)
    return [_draw_title(player, columns), *upper, *prompt]


def _draw_title(player: ReplayPlayer, columns: int) -> theme.Row:
    parts = [
        "kotp2p",
        _("replay"),
        _("turn {turn} of {turns}", turn=player.reel.turn_at(player.place),
          turns=player.recording.turns),
        player.describe_verdict(),
    ]  # fmt: skip
    text = " " + " | ".join(map(as_cell, parts))
    phrase = " | " + player.recording.genesis.phrase
    if line_width(text) + line_width(phrase) < columns:
        text += phrase
    return [("title", theme.pad_to_width(text, columns))]


def _draw_prompt(player: ReplayPlayer, screen: Screen, columns: int) -> list[theme.Row]:
    view = screen.state.view
    assert view is not None  # a recording has a position everywhere
    title = theme.rule_of_monster(
        view, view.game.state.active, columns, screen.heading, _describe_pace(player), "prompt"
    )
    told = player.remark or _describe_moment(player)
    style = "status" if player.remark else "log"
    rows = theme.draw_text([told], columns, style)
    where: theme.Row = [("log", " " + theme.cut_to_width(player.describe_place(), columns - 2))]
    # The place makes room for a long sentence.
    shown = [theme.mark_names(row, view) for row in [*rows, where][: draw.PROMPT_ROWS - 1]]
    return [title, *shown, draw_time_line(player, columns)]


def _describe_moment(player: ReplayPlayer) -> str:
    """Describe what closed the step; at the end, the verdict on the log."""
    if player.is_at_end and player.log.is_whole:
        return describe_verdict(PurePath(player.name).name, player.report)
    return player.reel.describe_cause(player.place)


def _describe_pace(player: ReplayPlayer) -> str:
    speed = f"{player.speed:g}"
    if player.is_playing:
        return _("plays at speed {speed}", speed=speed)
    return _("paused, speed {speed}", speed=speed)


def draw_time_line(player: ReplayPlayer, columns: int) -> theme.Row:
    """Draw a sign for each turn, or for several of a long game, and mark the present one."""
    turns, now = player.recording.turns, player.reel.turn_at(player.place)
    per_sign = max(1, -(-turns // (columns - 2)))
    signs = -(-turns // per_sign)
    text = " " + "".join(".:"[n % 5 == 0] for n in range(1, signs + 1))
    at = -(-now // per_sign)
    return [("rule", text[:at]), ("active", theme.signs().active), ("rule", text[at + 1 :])]


def draw_replay_keys(player: ReplayPlayer, screen: Screen, columns: int) -> theme.Row:
    if screen.page is not None:
        hints = [
            draw.KeyHint(in_context("key", "Esc"), _("Close"), 3),
            draw.KeyHint(in_context("key", "Page Up"), _("Back"), 1),
            draw.KeyHint(in_context("key", "Page Down"), _("On"), 1),
        ]
    else:
        hints = [
            draw.KeyHint("F1", _("Help"), 3),
            draw.KeyHint(in_context("key", "Right"), _("Event"), 2),
            draw.KeyHint(in_context("key", "Down"), _("Turn"), 2),
            draw.KeyHint(in_context("key", "Tab"), _("Decision"), 2),
            draw.KeyHint(
                in_context("key", "Space"), _("Pause") if player.is_playing else _("Play"), 2
            ),
            draw.KeyHint("F4", _("Explain"), 1),
            draw.KeyHint("F5", _("Seat"), 0),
            draw.KeyHint("F10", _("Leave"), 2),
        ]
    return draw.fit_hints(hints, columns)


# -- the keys ------------------------------------------------------------------------------


WORDS_OF_KEYS = {
    "right": "", "left": "b", "down": "t", "up": "u", "tab": "n", "s-tab": "p", "home": "home",
    "end": "end",
}  # fmt: skip


def bind_replay_keys(table: ReplayTable, line: Buffer) -> KeyBindings:
    jobs: dict[str, Callable[[], object]] = {
        **{key: partial(table.read_word, word) for key, word in WORDS_OF_KEYS.items()},
        "f1": table.show_help,
        "f2": table.screen.show_cards,
        "f3": table.screen.show_log,
        "f4": table.explain,
        "f5": table.player.sit_at_next,
        "f10": table.leave,
        "escape": table.close_page,
        "pageup": lambda: table.screen.turn_pages(-1),
        "pagedown": lambda: table.screen.turn_pages(1),
        "c-c": table.leave,
        "c-d": table.leave,
    }
    keys = KeyBindings()
    for key, job in jobs.items():
        keys.add(key, eager=True)(_handler(table, job))
    _bind_signs(keys, table, line)

    bind_terminal_keys(keys)

    @keys.add("enter", eager=True)
    def _enter(event: KeyPressEvent) -> None:
        table.read_line()

    return keys


def _bind_signs(keys: KeyBindings, table: ReplayTable, line: Buffer) -> None:
    jobs: dict[str, Callable[[], object]] = {
        " ": table.player.play_or_pause,
        "+": partial(table.read_word, "+"),
        "-": partial(table.read_word, "-"),
    }

    @keys.add(Keys.Any)
    @keys.add(" ", eager=True)
    def _sign(event: KeyPressEvent) -> None:
        job = None if line.text else jobs.get(event.data)
        if job is not None:
            table.post_job(job)
        elif typed_signs(event.data):
            insert_text(line, event.data)

    @keys.add(Keys.BracketedPaste, eager=True)
    def _paste(event: KeyPressEvent) -> None:
        insert_text(line, "".join(event.data.splitlines()[:1]))


def _handler(table: ReplayTable, job: Callable[[], object]) -> Callable[[KeyPressEvent], None]:
    return lambda _event: table.post_job(job)
