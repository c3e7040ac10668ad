"""The second Enter, which takes what was proposed, and the key that is only held down.

Scope: when it counts. The proposal must have stood there for `UNREAD_SECONDS`, and no other Enter
may follow within half of that. A key that is held down repeats faster, so it takes nothing. The
wait is too short to be noticed.
Not here: what is proposed (`cli.ask`), and the keys of the drawn table that come before a prompt
was drawn (`cli.ui.screen.timing`).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import trio

from kotp2p.cli.ask.question import Propose
from kotp2p.cli.ui.player_state import PlayerState

UNREAD_SECONDS = 0.3
"""What has stood there for less than this cannot have been read."""


class SecondEnter:
    def __init__(self, state: PlayerState, unread_seconds: float) -> None:
        self._state = state
        self._unread_seconds = unread_seconds
        self._quiet_since = -math.inf
        """When the proposal was made, or when the last Enter came that was too early."""
        self._accept: Callable[[], None] | None = None
        """Takes what is proposed, unless another Enter follows."""
        self._pressed = trio.Event()
        self._is_refused = False
        """An Enter for this proposal has come too early."""

    def note_proposal(self) -> None:
        self._quiet_since = trio.current_time()
        self._accept = None
        self._is_refused = False

    def press(self, accept: Callable[[], None]) -> bool:
        """`accept` is called as soon as it is clear that the key is not held down. False if it is,
        or if nobody can have read the proposal: for the first such key only."""
        if self._unread_seconds <= 0:
            accept()
            return True
        now = trio.current_time()
        is_early = now - self._quiet_since < self._unread_seconds
        if not is_early and self._accept is None:
            self._accept = accept
            self._pressed.set()
            return True
        self._accept = None
        self._quiet_since = now
        is_first, self._is_refused = not self._is_refused, True
        return not is_first

    async def run(self) -> None:
        """Runs while a question is open."""
        self._accept = None
        while True:
            self._pressed = trio.Event()
            await self._pressed.wait()
            await self._wait_for_more()

    async def _wait_for_more(self) -> None:
        accept, proposed = self._accept, self._find_proposal()
        await trio.sleep(self._unread_seconds / 2)
        if accept is None or accept is not self._accept:
            return
        self._accept = None
        if proposed is not None and self._find_proposal() is proposed:
            accept()

    def _find_proposal(self) -> Propose | None:
        """What the next Enter would take."""
        asking = self._state.asking
        if asking is None or self._state.is_leave_asked:
            return None
        return asking.waiting if isinstance(asking.waiting, Propose) else None
