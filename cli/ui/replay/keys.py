"""The keys at a recorded game.

Scope: which key does what. Letters act at once on an empty line and are text behind other text;
each of them has a twin that is no letter, whatever keyboard is in use.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from kotp2p.cli.text.typed_words import (
    BACK,
    EXPLAIN,
    LEAVE,
    NEXT,
    PREVIOUS,
    TURN,
    TURN_BACK,
    in_english,
)
from kotp2p.cli.ui.screen.keys import insert_text

KEYS = (BACK, NEXT, PREVIOUS, TURN, TURN_BACK, EXPLAIN, LEAVE)
"""Those of which a letter is a key, in the reader's language as well."""

if TYPE_CHECKING:
    from kotp2p.cli.ui.replay.table import ReplayTable


def bind_replay_keys(table: ReplayTable, line: Buffer) -> KeyBindings:
    player = table.player
    jobs: dict[str, Callable[[], None]] = {
        "right": lambda: player.step(1),
        "left": lambda: player.step(-1),
        "down": lambda: player.step_turn(1),
        "up": lambda: player.step_turn(-1),
        "tab": lambda: player.go_to_decision(1),
        "s-tab": lambda: player.go_to_decision(-1),
        "home": player.go_to_start,
        "end": player.go_to_end,
        "f1": table.show_help,
        "f2": table.show_cards,
        "f3": table.show_log,
        "f4": table.explain,
        "f5": player.sit_at_next,
        "f10": table.leave,
        "escape": table.close_page,
        "pageup": lambda: table.turn_pages(-1),
        "pagedown": lambda: table.turn_pages(1),
        "c-c": table.leave,
        "c-d": table.leave,
    }
    keys = KeyBindings()
    for key, job in jobs.items():
        keys.add(key, eager=True)(_handler(table, job))
    _bind_signs(keys, table, line)

    @keys.add("enter", eager=True)
    def _enter(event: KeyPressEvent) -> None:
        table.read_line()

    @keys.add("c-z", eager=True)
    def _suspend(event: KeyPressEvent) -> None:
        event.app.suspend_to_background()

    @keys.add("c-l", eager=True)
    def _redraw(event: KeyPressEvent) -> None:
        event.app.renderer.clear()

    return keys


def _bind_signs(keys: KeyBindings, table: ReplayTable, line: Buffer) -> None:
    player = table.player
    jobs: dict[str, Callable[[], None]] = {
        " ": player.play_or_pause,
        "+": lambda: player.change_speed(1),
        "-": lambda: player.change_speed(-1),
        "n": lambda: player.go_to_decision(1),
        "p": lambda: player.go_to_decision(-1),
        "b": lambda: player.step(-1),
        "t": lambda: player.step_turn(1),
        "u": lambda: player.step_turn(-1),
        "v": player.sit_at_next,
        "e": table.explain,
        "q": table.leave,
    }
    for seat in range(len(player.recording.genesis.players)):
        jobs[str(seat + 1)] = _decision_of(table, seat)

    @keys.add(Keys.Any)
    @keys.add(" ", eager=True)
    def _sign(event: KeyPressEvent) -> None:
        job = None if line.text else jobs.get(event.data) or jobs.get(in_english(event.data, KEYS))
        if job is not None:
            table.post_job(job)
        elif event.data.isprintable():
            insert_text(line, event.data)

    @keys.add(Keys.BracketedPaste, eager=True)
    def _paste(event: KeyPressEvent) -> None:
        insert_text(line, "".join(event.data.splitlines()[:1]))


def _decision_of(table: ReplayTable, seat: int) -> Callable[[], None]:
    return lambda: table.player.go_to_decision(1, seat)


def _handler(table: ReplayTable, job: Callable[[], None]) -> Callable[[KeyPressEvent], None]:
    return lambda _event: table.post_job(job)
