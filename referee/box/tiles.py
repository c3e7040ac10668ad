"""The wickedness tiles: twenty faces of ten tiles, in words of our own (RULES.md 2.3).

Scope: names, steps and texts. Face 2n is the red side of tile n, face 2n + 1 its green side. Tiles
are sorted by step, then by name (A-45). So the number of a face gives its tile and its side, and
ascending numbers go along the track.

Not here: what a face does (`referee.cards.tile_effects`).
"""

from __future__ import annotations

from kotp2p.referee.box.printed import Tile

TRACK_STEPS = (3, 6, 10)
"""The steps of the track at which tiles lie."""
RED, GREEN = "red", "green"
SIDES = (RED, GREEN)
"""A draw of 2 for a tile is an index into this."""
MIXED = "mixed"

_RED: tuple[tuple[int, str, str], ...] = (
    (3, "Devious", "You have one roll more in each of your turns, from the next one on."),
    (3, "Eternal", "Gain 1 heart at the start of each of your turns, in Tokyo too."),
    (3, "Skulking", "Gain 1 point more when three or more of your dice show 1."),
    (3, "Tireless", "Gain 1 energy at the start of each of your turns."),
    (6, "Cyberbrain", "You roll one die more, from your next turn on."),
    (6, "Evil Lair", "Every power card costs you 1 energy less, but never less than 0."),
    (6, "Full Regeneration", "Your hearts go up to 12, and 12 is your maximum from now on."),
    (6, "Widespread Panic", "All others lose 4 points. Then this tile leaves the game."),
    (10, "Antimatter Beam", "All your claws count double, those that cards add too."),
    (
        10,
        "Skybeam",
        "Gain 1 energy more for each of your bolts, and 1 heart more for each of your dice that "
        "heals you.",
    ),
)
_GREEN: tuple[tuple[int, str, str], ...] = (
    (3, "Barbs", "When you have two claws or more, one claw is added to them."),
    (
        3,
        "Final Roar",
        "If your hearts go down to 0 while you have 16 points or more, you are eliminated, but at "
        "the end of the turn you win, and alone.",
    ),
    (
        3,
        "Poison Spit",
        "Each monster that loses hearts to your claws gets a poison token. At the end of its turn "
        "a monster takes 1 damage for each; outside Tokyo a heart die may remove one instead of "
        "healing. Tokens stay when this tile goes.",
    ),
    (
        3,
        "Underdog",
        "Each monster that loses hearts to your claws gives you 1 point, if it has more points "
        "than you had before your claws hit.",
    ),
    (
        6,
        "Defender of Tokyo",
        "All others lose 1 point when you enter Tokyo, and whenever you start your turn there.",
    ),
    (
        6,
        "Fluxling",
        "Choose a Keep card in front of any monster: this tile works as a new copy of it. If the "
        "card goes, or your use would use it up, the tile is empty. At the start of each of your "
        "turns you may choose another for free.",
    ),
    (
        6,
        "Have It All!",
        "Gain 1 point for each Keep card that you have now, and 1 point whenever you buy a power "
        "card.",
    ),
    (6, "Sonic Boomer", "Gain 1 point at the start of each of your turns."),
    (
        10,
        "Final Push",
        "Gain 2 hearts and 2 energy, and take another turn after this one. This tile leaves the "
        "game when that turn begins.",
    ),
    (10, "Starburst", "Gain 12 energy. Then this tile leaves the game."),
)


def _face(side: str, row: tuple[int, str, str]) -> Tile:
    step, name, text = row
    key = name.lower().rstrip("!").replace(" ", "-")
    return Tile(key, name, step, side, text, effect=key)


TILES: tuple[Tile, ...] = tuple(
    _face(side, row)
    for pair in zip(_RED, _GREEN, strict=True)
    for side, row in zip(SIDES, pair, strict=True)
)
"""All faces in the order of their numbers."""


def faces_lying_up(sides: tuple[str, ...]) -> tuple[int, ...]:
    """The faces that lie up if tile n shows `sides[n]`."""
    return tuple(2 * n + SIDES.index(side) for n, side in enumerate(sides))
