"""A player before the drawn table: the player, the screen and the keys, put together."""

from __future__ import annotations

import time
from dataclasses import dataclass

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.key_binding import KeyBindings

from kotp2p.cli.ask.question import Adviser
from kotp2p.cli.ui.line_player import LinePlayer
from kotp2p.cli.ui.notice_feed import Audience, NoticeFeed
from kotp2p.cli.ui.player_state import PlayerState
from kotp2p.cli.ui.screen.controls import Controls
from kotp2p.cli.ui.screen.draw import draw_screen
from kotp2p.cli.ui.screen.key_row import draw_key_row
from kotp2p.cli.ui.screen.keys import bind_keys
from kotp2p.cli.ui.screen.rows import Row
from kotp2p.cli.ui.screen.screen import Screen
from kotp2p.cli.ui.screen.timing import Clock
from kotp2p.cli.ui.second_enter import UNREAD_SECONDS
from kotp2p.seams.front import Front


@dataclass(frozen=True, slots=True)
class DrawnTable:
    player: LinePlayer
    screen: Screen
    controls: Controls

    @property
    def heading(self) -> str:
        return self.screen.heading

    def draw(self, columns: int, height: int) -> list[Row]:
        return draw_screen(self.screen, columns, height)

    def draw_keys(self, columns: int) -> Row:
        return draw_key_row(self.screen, columns)

    def bind_keys(self, line: Buffer) -> KeyBindings:
        return bind_keys(self.controls, line)

    def click(self, mark: str) -> None:
        self.controls.click(mark)


def seat_screen_player(
    adviser: Adviser,
    bot: Front | None = None,
    audience: Audience | None = None,
    *,
    bell: bool = True,
    animation: bool = False,
    unread_seconds: float = UNREAD_SECONDS,
    clock: Clock = time.monotonic,
    keys_are_words: bool = False,
) -> DrawnTable:
    state = PlayerState(NoticeFeed(audience or Audience(answers=bot is None)))
    screen = Screen(
        state,
        bell=bell,
        animation=animation,
        unread_seconds=unread_seconds,
        clock=clock,
        keys_are_words=keys_are_words,
    )
    player = LinePlayer(state, screen, adviser, bot, unread_seconds)
    return DrawnTable(player, screen, Controls(player, screen))
