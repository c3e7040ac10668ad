"""The printed cards of each rule set: the shared rows, and what a rule set prints differently.

Scope: costs, copies and names of the card table in RULES.md. Where an effect differs between the
rule sets, the text differs too.

Not here: the effects (`referee.cards`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kotp2p.referee.box.cards import DARK_ONLY, SHARED
from kotp2p.referee.box.printed import Card

_CLASSIC_TEXTS: Mapping[str, str] = {
    "acid-attack": "On each of your turns you deal 1 damage more to the monsters you can attack, "
    "even without a claw. Without a claw die it is no attack: nobody yields, no place is taken.",
    "alpha-monster": "Gain 1 point when your attack makes a monster lose hearts, once a turn.",
    "burrowing": "When you attack Tokyo from outside with at least one claw, you deal 1 damage "
    "more to each monster there. When you yield Tokyo, your attacker takes 1 damage.",
    "battery-monster": "Put as much of your energy on it as you like; the bank adds the same. At "
    "the start of each of your turns take 2 of it; when it is empty, discard it.",
    "even-bigger": "Gain 2 hearts; your maximum is 2 higher, up to 12. When you lose this card "
    "you lose the 2 hearts again, but never your last one.",
    "fire-breathing": "When your claws have somebody to hit, the next monster on your left and on "
    "your right take 1 damage more, wherever they stand; an only opponent takes 1. If you do not "
    "attack such a neighbour, it is no attack.",
    "poison-quills": "When three or more of your dice show 2, you deal 2 damage more to the "
    "monsters you can attack. Without a claw die it is no attack.",
    "spiked-tail": "When you attack with at least one claw, you deal 1 damage more.",
    "urbavore": "Gain 1 point more when you start your turn in Tokyo. When you attack from there "
    "with at least one claw, you deal 1 damage more.",
    "death-from-above": "Gain 2 points. If you are outside Tokyo, take the City, with the point "
    "for entering; the monster in the City leaves.",
    "frenzy": "Your buying ends, and you take another turn after this one, with all your dice.",
}
"""The cards that did something else in 2011. Their effects are named `KEY-2011`."""
_CLASSIC_WORDS: Mapping[str, str] = {
    "complete-destruction": "If your final dice show 1, 2, 3, heart, bolt and claw, gain 9 points "
    "besides all the rest.",
}
"""The cards that do the same as later, but say less, as cards added no claws in 2011."""

_DARK_COSTS: Mapping[str, int] = {
    "freeze-time": 6,
    "gourmet": 6,
    "herd-culler": 5,
    "solar-powered": 3,
}
_DARK_LEAVES_OUT = frozenset(
    {
        "healing-ray",
        "mimic",
        "battery-monster",
        "poison-spit",
        "rooting-for-the-underdog",
        "heal",
        "national-guard",
    }
)
_DARK_TEXTS: Mapping[str, str] = {
    "friend-of-children": "Each time you gain energy, gain 1 more. Energy returned by Metamorph "
    "does not count.",
    "it-has-a-child": "When your hearts go down to 0, lose all your cards, this one too, your "
    "tiles, points and wickedness, leave Tokyo and go on with 10 hearts. You keep your energy "
    "and tokens.",
}
_DARK_NAMES: Mapping[str, str] = {"solar-powered": "Lunar Powered"}


def _classic(card: Card) -> Card:
    cost = 2 if card.key == "battery-monster" else card.cost
    card = replace(card, name=card.first_name, cost=cost)
    if card.key not in _CLASSIC_TEXTS:
        return replace(card, text=_CLASSIC_WORDS.get(card.key, card.text))
    return replace(card, text=_CLASSIC_TEXTS[card.key], effect=f"{card.key}-2011")


def _dark(card: Card) -> Card:
    return replace(
        card,
        name=_DARK_NAMES.get(card.key, card.name),
        cost=_DARK_COSTS.get(card.key, card.cost),
        copies=1 if card.key == "extra-head" else card.copies,
        text=_DARK_TEXTS.get(card.key, card.text),
    )


def _by_key(cards: list[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=lambda card: card.key))


CLASSIC: tuple[Card, ...] = _by_key([_classic(card) for card in SHARED])
SECOND: tuple[Card, ...] = _by_key(list(SHARED))
DARK: tuple[Card, ...] = _by_key(
    [_dark(card) for card in (*SHARED, *DARK_ONLY) if card.key not in _DARK_LEAVES_OUT]
)


def _all_names() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for printed in (SECOND, CLASSIC, DARK):
        for card in printed:
            known = found.setdefault(card.key, [])
            known += [name for name in (card.name, card.first_name) if name not in known]
    return {key: tuple(known) for key, known in found.items()}


_NAMES = _all_names()


def names_in_all_editions(card: Card) -> tuple[str, ...]:
    """All names of the card: first that of 2016, then that of 2011, then that of dark."""
    return tuple(dict.fromkeys(_NAMES[card.key]))
