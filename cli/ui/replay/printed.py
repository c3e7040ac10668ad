"""A recorded game in plain lines: all of it into a pipe, or step by step at a terminal.

Scope: which lines a step adds. Lines are only ever added, also when the reader goes back.
Not here: what the typed words mean (`player`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kotp2p.cli.system.output import Output
from kotp2p.cli.text.endings import describe_verdict
from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.statistics import INDENT
from kotp2p.cli.ui.replay.player import ReplayPlayer, ReplayWords
from kotp2p.cli.ui.replay.reel import Place

ReadLine = Callable[[float | None], str]
"""The next typed line; with seconds, TimeoutError if none comes within them. EOFError at the end of
the input."""


class PlainReplay:
    def __init__(self, player: ReplayPlayer, output: Output) -> None:
        self._player = player
        self._output = output
        self._words = ReplayWords(player)

    def tell_all(self) -> None:
        player = self._player
        place: Place | None = player.place
        while place is not None:
            self._say_lines(player.reel.lines_at(place))
            place = player.reel.step(place, 1)
        self._say_lines([self._verdict()])

    def step_through(self, read_line: ReadLine) -> None:
        self._say_lines([_("Enter shows the next event; ? lists the other words.")])
        self._say_place()
        while not self._player.has_left:
            try:
                line = read_line(self._begin_wait())
            except TimeoutError:
                self._play_next()
                continue
            except EOFError:
                return
            self._output.echo_line(line)
            self._follow(line)

    def _begin_wait(self) -> float | None:
        """Return the seconds to wait for a line; None for no limit."""
        if self._player.is_playing:
            return self._player.seconds_of_frame
        self._output.show_prompt()
        return None

    def _play_next(self) -> None:
        before = self._player.place
        self._player.play_next()
        if self._player.place != before:
            self._say_lines(self._player.reel.lines_at(self._player.place))
        self._say_if_at_end()

    def _follow(self, line: str) -> None:
        player, before = self._player, self._player.place
        seat = player.seat
        if player.is_playing and not line.strip():
            player.is_playing = False
            self._say_place()
            return
        self._say_lines(self._words.read_line(line))
        if player.remark:
            self._say_lines([player.remark])
        if player.place == player.reel.step(before, 1):
            self._say_lines(player.reel.lines_at(player.place))
        elif player.place != before or player.seat != seat:
            self._say_place()
        if player.place != before:
            self._say_if_at_end()

    def _say_place(self) -> None:
        """Print the place after a jump, and its lines."""
        player = self._player
        self._say_lines([player.describe_place(), *player.reel.lines_at(player.place)])

    def _say_if_at_end(self) -> None:
        if self._player.is_at_end:
            self._say_lines([self._verdict()])

    def _verdict(self) -> str:
        return describe_verdict(self._player.name, self._player.report)

    def _say_lines(self, lines: Iterator[str] | list[str] | tuple[str, ...]) -> None:
        for line in lines:
            if line.startswith(INDENT):  # a hash or a command, for copying
                self._output.say_unbroken(line)
            else:
                self._output.say_line(line)
