"""How a table plays where its rule set leaves a choice, as the lobby shows it.

Scope: the value, and its spelling in LOBBY as `key=value` texts (PROTOCOL.md 6.1).
Not here: the options that a game is bound to; they stand in the charter
(`kotp2p.wire.genesis`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.wire.genesis import Clocks
from referee.box.setup import TILE_SIDE_OPTIONS, Options


@dataclass(frozen=True, slots=True)
class LobbyOptions:
    """Options and clocks of a table, and the texts that this version does not know."""

    options: Options = field(default_factory=Options)
    clocks: Clocks = field(default_factory=Clocks)
    unknown: tuple[str, ...] = ()
    """As they came: of a later version, or of a host that makes something up."""

    def texts(self) -> tuple[str, ...]:
        """Those of the options and clocks that differ from the default, as `key=value`."""
        chosen: list[tuple[str, object, object]] = [
            ("two_player", self.options.two_player, Options().two_player),
            ("bay_for_beginners", self.options.bay_for_beginners, Options().bay_for_beginners),
            ("tile_sides", self.options.tile_sides, Options().tile_sides),
            ("turn_time", self.clocks.turn, Clocks().turn),
            ("reaction_time", self.clocks.reaction, Clocks().reaction),
        ]
        known = (f"{key}={value}".lower() for key, value, default in chosen if value != default)
        return (*known, *self.unknown)

    @staticmethod
    def parse(texts: tuple[str, ...]) -> LobbyOptions:
        """The options that `texts` spell. Takes any text, as only people read the result."""
        two_player, bay, sides = False, False, Options().tile_sides
        turn, reaction = Clocks().turn, Clocks().reaction
        unknown = []
        for text in texts:
            match text.split("="):
                case ["two_player", "true"]:
                    two_player = True
                case ["bay_for_beginners", "true"]:
                    bay = True
                case ["tile_sides", value] if value in TILE_SIDE_OPTIONS:
                    sides = value
                case ["turn_time", seconds] if seconds.isascii() and seconds.isdecimal():
                    turn = int(seconds)
                case ["reaction_time", seconds] if seconds.isascii() and seconds.isdecimal():
                    reaction = int(seconds)
                case _:  # a text is no closed union
                    unknown.append(text)
        return LobbyOptions(Options(two_player, bay, sides), Clocks(turn, reaction), tuple(unknown))
