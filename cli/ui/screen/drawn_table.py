"""A player before the drawn table: the player, the screen and the keys, put together."""

from __future__ import annotations

import time
from dataclasses import dataclass

from cli.ask.question import Adviser
from cli.ui.line_player import LinePlayer
from cli.ui.notice_feed import Audience, NoticeFeed
from cli.ui.player_state import PlayerState
from cli.ui.screen.controls import Controls
from cli.ui.screen.screen import Screen
from cli.ui.screen.timing import UNREAD_SECONDS, Clock
from kotp2p.front import Front


@dataclass(frozen=True, slots=True)
class DrawnTable:
    player: LinePlayer
    screen: Screen
    controls: Controls


def seat_screen_player(
    adviser: Adviser,
    bot: Front | None = None,
    audience: Audience | None = None,
    *,
    bell: bool = True,
    animation: bool = False,
    unread_seconds: float = UNREAD_SECONDS,
    clock: Clock = time.monotonic,
) -> DrawnTable:
    state = PlayerState(NoticeFeed(audience or Audience(answers=bot is None)))
    screen = Screen(
        state, bell=bell, animation=animation, unread_seconds=unread_seconds, clock=clock
    )
    player = LinePlayer(state, screen, adviser, bot)
    return DrawnTable(player, screen, Controls(player, screen))
