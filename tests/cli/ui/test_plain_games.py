"""Whole games in the plain mode, by typed lines."""

import random

import pytest
import trio
import trio.testing

from kotp2p.cli.ui.line_player import LinePlayer
from kotp2p.referee.box.rulesets import RULE_SETS
from tests.support.local_game import Table, new_view, piped, said

WRONG = (
    "foo", "99", "-1", "q", "0 0", "33333333", "buy", "buy z", "stretchy", "heal me", "h9",
    "state of the art", "card", "log -1", "\x1b[A", "d d", "yes please", "1 2 3 4 5 6 7 8 9",
    "\t", "猫", "%s{name}", "{", "use", "use use", "move Rex 3", "start", "ۀ", "e e e e e e e",
)  # fmt: skip


class Typist:
    """Presses Enter until all is done; before that, now and then types nonsense."""

    def __init__(self, front: LinePlayer, chooser: random.Random, wrong: int) -> None:
        self.front = front
        self.chooser = chooser
        self.wrong = wrong
        self.typed = 0

    async def work(self) -> None:
        while True:
            await self.front.prompts.wait_until_wanted("")
            if self.wrong and self.chooser.random() < 0.6:
                self.wrong -= 1
                self.typed += 1
                self.front.read_line(self._nonsense())
            else:
                self.front.read_line("")
            await trio.lowlevel.checkpoint()

    def _nonsense(self) -> str:
        if self.chooser.random() < 0.5:
            return self.chooser.choice(WRONG)
        letters = "abcdehnprstwy0123456789 ,-?{}"
        return "".join(self.chooser.choice(letters) for _ in range(self.chooser.randint(1, 6)))


@pytest.mark.parametrize("rules", ["classic", "second", "dark"])
async def test_whole_games_by_typed_lines(rules: str) -> None:
    """100 wrong lines are mixed in; whatever they do is legal, and every game ends."""
    chooser = random.Random(rules)
    wrong = 100
    for seats in (2, 4, 6, 3, 5) * 10:
        front = piped()
        game = Table(new_view(seats, RULE_SETS[rules]), front, chooser)
        typist = Typist(front, chooser, wrong)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(typist.work)
            await game.play()
            nursery.cancel_scope.cancel()
        wrong = typist.wrong
        lines = said(front)
        assert lines[0] == "The game begins. Table phrase: lemon train ocean piano."
        assert any(line.startswith("The game is over") for line in lines)
        assert not any("\x1b" in line for line in lines)
        if not wrong:
            break
    assert wrong == 0
