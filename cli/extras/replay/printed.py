"""A recorded game in plain lines: all of it into a pipe, or step by step at a terminal.

Scope: which lines a step adds. Lines are only ever added, also when the reader goes back.
Not here: what the typed words mean (`player`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kotp2p.cli.extras.replay.draws import INDENT
from kotp2p.cli.extras.replay.player import ReplayPlayer, ReplayWords
from kotp2p.cli.system.output import Output
from kotp2p.cli.text.endings import describe_verdict
from kotp2p.cli.text.i18n import _

ReadLine = Callable[[], str]
"""Returns the next typed line, or raises EOFError at the end of the input."""


class PlainReplay:
    def __init__(self, player: ReplayPlayer, output: Output) -> None:
        self._player = player
        self._output = output
        self._words = ReplayWords(player)

    def tell_all(self) -> None:
        self._say_lines(self._player.reel.lines_at(self._player.place))
        self._tell_rest()

    def _tell_rest(self) -> None:
        player = self._player
        while (following := player.reel.step(player.place, 1)) is not None:
            player.place = following
            self._say_lines(player.reel.lines_at(following))
        self._say_lines([self._verdict()])

    def step_through(self, read_line: ReadLine) -> None:
        self._say_lines([_("Enter shows the next event; ? lists the other words.")])
        self._say_place()
        while not self._player.has_left:
            if self._player.is_playing:
                self._player.is_playing = False
                self._tell_rest()
            self._output.show_prompt()
            try:
                line = read_line()
            except EOFError:
                return
            self._output.echo_line(line)
            self._follow(line)

    def _follow(self, line: str) -> None:
        player, before = self._player, self._player.place
        seat = player.seat
        self._say_lines(self._words.read_line(line))
        if player.remark:
            self._say_lines([player.remark])
        if player.place == player.reel.step(before, 1):
            self._say_lines(player.reel.lines_at(player.place))
        elif player.place != before or player.seat != seat:
            self._say_place()
        if player.place != before and player.is_at_end:
            self._say_lines([self._verdict()])

    def _say_place(self) -> None:
        """Print the place after a jump, and its lines."""
        player = self._player
        self._say_lines([player.describe_place(), *player.reel.lines_at(player.place)])

    def _verdict(self) -> str:
        return describe_verdict(self._player.name, self._player.report)

    def _say_lines(self, lines: Iterator[str] | list[str] | tuple[str, ...]) -> None:
        for line in lines:
            if line.startswith(INDENT):  # a hash or a command, for copying
                self._output.say_unbroken(line)
            else:
                self._output.say_line(line)
