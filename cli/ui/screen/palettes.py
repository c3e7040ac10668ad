"""The colours of the table, by what they mean, for light and for dark terminals.

Scope: a colour only repeats what a word, a letter or a sign says. All are foreground colours with
a contrast of at least 4.5 (WCAG) against the backgrounds of their shade. Where nobody knows the
background, colours of the middle are taken, which have that contrast on black and on white.
`okabe-ito` is for people with colour blindness. As in the palette of Okabe and Ito, any two of its
colours differ also for those who do not see red, green or blue; as that palette is made for shapes
and not for text, these were found by measurement.
The default colours of a known shade are exact in the 256 colours of `xterm`. `mono` has none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kotp2p.cli.system.options import Palette, Shade
from kotp2p.wire.genesis import MAX_SEATS

SEAT_STYLES = tuple(f"seat{seat}" for seat in range(MAX_SEATS))
"""The style of each seat's monster, wherever its name stands."""

MONO: Mapping[str, str] = {
    "title": "reverse",
    "rule": "",
    "log": "",
    "key": "",
    "keyname": "bold",
    "active": "bold",
    "own": "bold",
    "out": "",
    "lost": "",
    "tokyo": "bold",
    "heart": "",
    "energy": "",
    "points": "",
    "damage": "bold",
    "healed": "bold",
    "dear": "",
    "die": "",
    "face": "bold",
    "kept": "bold",
    "new": "bold",
    "moving": "",
    "cursor": "reverse",
    "turn": "",
    "card": "",
    "chat": "",
    "incident": "bold",
    "status": "bold",
    "news": "bold",
    "danger": "bold reverse",
    "prompt": "bold underline",
    **dict.fromkeys(SEAT_STYLES, "bold"),
}
"""All styles. What is bold here stays bold in colour."""


@dataclass(frozen=True, slots=True)
class Hues:
    """The colours of one palette on one shade of terminal, as #rrggbb."""

    grey: str
    red: str
    amber: str
    green: str
    teal: str
    blue: str
    magenta: str
    seats: tuple[str, ...]
    """Of the monsters, by seat: each another hue."""


def _same(grey: str, red: str, amber: str, green: str, teal: str, blue: str, magenta: str) -> Hues:
    """Monsters take the six hues as they are."""
    seats = (green, amber, blue, magenta, teal, red)
    return Hues(grey, red, amber, green, teal, blue, magenta, seats)


HUES: Mapping[tuple[Palette, Shade], Hues] = {
    (Palette.DEFAULT, Shade.DARK): _same(
        "#9e9e9e", "#ff8787", "#ffaf00", "#87d75f", "#5fd7d7", "#87afff", "#ff87ff"
    ),
    (Palette.DEFAULT, Shade.LIGHT): _same(
        "#626262", "#af0000", "#875f00", "#005f00", "#005f5f", "#005faf", "#8700af"
    ),
    (Palette.DEFAULT, Shade.ANY): _same(
        "#767676", "#e12a31", "#a46904", "#0f890f", "#038383", "#356def", "#cc24be"
    ),
    # grey, red, amber, green, teal, blue, magenta
    (Palette.OKABE_ITO, Shade.DARK): _same(
        "#9e9e9e", "#ed7015", "#ebfb2f", "#a1fecb", "#03a78d", "#a57df7", "#edc0e9"
    ),
    (Palette.OKABE_ITO, Shade.LIGHT): _same(
        "#626262", "#c62c52", "#5a520e", "#07361b", "#020dba", "#3f5ee6", "#5b0143"
    ),
    (Palette.OKABE_ITO, Shade.ANY): _same(
        "#767676", "#ed0303", "#917046", "#078378", "#c931b1", "#2f68fe", "#e10977"
    ),
}


def styles_of(palette: Palette, shade: Shade = Shade.ANY) -> Mapping[str, str]:
    """Each style as prompt_toolkit writes it."""
    if palette is Palette.MONO:
        return MONO
    hues = HUES[palette, shade]
    colours = {
        "rule": hues.grey, "out": hues.grey, "lost": hues.grey, "dear": hues.grey,
        "moving": hues.grey, "key": hues.grey, "turn": hues.grey,
        "tokyo": hues.red, "heart": hues.red, "damage": hues.red, "incident": hues.red,
        "energy": hues.amber, "new": hues.amber,
        "points": hues.blue, "card": hues.teal, "chat": hues.magenta,
        "healed": hues.green, "kept": hues.green,
        "status": hues.magenta, "prompt": hues.blue, "news": hues.teal, "danger": hues.red,
    } | dict(zip(SEAT_STYLES, hues.seats, strict=True))  # fmt: skip
    plain = {**MONO, "prompt": "bold"}
    return {style: f"{colours.get(style, '')} {mono}".strip() for style, mono in plain.items()}
