"""Whether a game against bots is the first of its profile, which begins with a page and a coach.

Scope: a small file in the data folder says that a first game was coached, one for each profile.
Not here: the page and the coach (`cli.ui.first_page`, `cli.ui.coaching`).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

import trio

from kotp2p.referee.box.rulesets import RULE_SETS, RuleSet
from kotp2p.world import FileTrouble, World

FOLDER = "coached"
MARK = b"The first game of this profile was coached.\n"


@dataclass(frozen=True, slots=True)
class FirstGame:
    world: World
    is_wanted: bool = True
    """Whether the player wants a coach in a first game."""

    @property
    def _path(self) -> PurePath:
        return self.world.data / FOLDER / self.world.profile

    def rules_to_teach(self, rules: str, *, terminal: bool) -> RuleSet | None:
        """The rules of the game, if it is to be taught; None if not. Without a terminal nobody
        is taught."""
        wanted = self.is_wanted and terminal and not self.was_coached()
        return RULE_SETS[rules] if wanted else None

    def was_coached(self) -> bool:
        """Also if that cannot be read: a game that begins has more to say about its files."""
        try:
            return self.world.disk.read(self._path) is not None
        except FileTrouble:
            return True

    def remember(self) -> None:
        """From now on games of this profile begin without a coach. Where that cannot be written,
        the next game is taught again, which does no harm."""
        if self.was_coached():
            return
        try:
            trio.run(self.world.disk.write_secret, self._path, MARK)
        except FileTrouble:
            return
