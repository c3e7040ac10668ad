"""How bots differ: the tempers within a level, and the names that go with them.

Scope: values. No rule of a bot asks for a temper by name. A bot has the temper of its name, so
every player can recognize it, also in a game that is resumed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from kotp2p.lobby.monsters import BOT_NAMES
from kotp2p.referee.model.answers import Face
from kotp2p.wire.names import is_free_name_of


class TemperName(StrEnum):
    EVEN = "even"
    BUILDER = "builder"
    BRAWLER = "brawler"
    CAREFUL = "careful"


@dataclass(frozen=True, slots=True)
class Temper:
    """The weights of one temper: factors of the figures for `normal`, where 1 changes nothing."""

    name: TemperName = TemperName.EVEN
    hearts: float = 1.0
    """Its own hearts."""
    blows: float = 1.0
    """The hearts of others."""
    energy: float = 1.0
    cards: float = 1.0
    """The cards and tiles in front of it."""
    favourite: Face | None = None
    """For `easy`: the face that it likes most."""
    heals_below: int = 7
    """With fewer hearts `easy` keeps the hearts that it rolls."""
    leaves_at: int = 5
    """`easy` leaves Tokyo with this many hearts or fewer after a blow."""


EVEN = Temper()
BUILDER = Temper(TemperName.BUILDER, energy=1.4, cards=1.4, favourite=Face.BOLT)
BRAWLER = Temper(
    TemperName.BRAWLER, hearts=0.85, blows=1.5,
    favourite=Face.CLAW, heals_below=5, leaves_at=3,
)  # fmt: skip
CAREFUL = Temper(
    TemperName.CAREFUL, hearts=1.35, blows=0.9,
    favourite=Face.THREE, heals_below=9, leaves_at=7,
)  # fmt: skip

BOTS: Mapping[str, Temper] = dict(zip(BOT_NAMES, 2 * (BUILDER, BRAWLER, CAREFUL), strict=True))
"""The temper of each name."""


@lru_cache
def temper_of(name: str) -> Temper:
    """Return the temper of the bot of this name, also with a number after the name."""
    return next((BOTS[bot] for bot in BOTS if is_free_name_of(bot, name)), EVEN)
