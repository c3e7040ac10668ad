"""The arithmetic of the naive turn: prices, cards, and the worth of dice."""

from __future__ import annotations

from collections.abc import Iterable

ATTACK = (
    "Acid Attack", "Alpha Monster", "Spiked Tail", "Urbavore", "Burrowing", "Poison Quills",
    "Fire Breathing", "Nova Breath", "Shrink Ray", "Poison Spit",
)  # fmt: skip
OTHER = (
    "Alien Origin", "Media-Friendly", "Gourmet", "Detritivore", "Complete Destruction",
    "Friend of Children", "Regeneration", "Even Bigger", "Energy Hoarder", "Herbivore",
    "Solar Powered", "Rooting for the Underdog",
)  # fmt: skip
DEFENCE = (
    "Armor Plating", "Camouflage", "Wings", "We're Only Making It Stronger", "Burrowing",
    "Jets", "Eater of the Dead", "It Has a Child", "Even Bigger", "Reflective Hide", "Super Jump",
    "Zombify",
)  # fmt: skip
ONLY_DARK = ("Reflective Hide", "Super Jump", "Zombify", "Monster Pets")
NOT_DARK = ("Poison Spit", "Rooting for the Underdog", "Heal", "National Guard")
TILES = {
    3: (
        ("Barbs",), ("Eternal", "Final Roar"),
        ("Skulking", "Poison Spit"), ("Tireless", "Underdog"),
    ),
    6: (
        ("Cyberbrain", "Defender of Tokyo"), ("Evil Lair",),
        ("Full Regeneration", "Have It All!"), ("Sonic Boomer",),
    ),
    10: (("Antimatter Beam",), ("Skybeam",)),
}  # fmt: skip
"""The tiles by step; a pair holds the two sides of one tile."""
PRICES = {
    "Apartment Building": 5, "Commuter Train": 4, "Corner Store": 3, "Energize": 8,
    "Evacuation Orders": 7, "Fire Blast": 3, "Gas Refinery": 6, "Heal": 3,
    "High Altitude Bombing": 4, "Jet Fighters": 5, "National Guard": 3,
    "Nuclear Power Plant": 6, "Skyscraper": 6, "Tanks": 4, "Vast Storm": 6, "Monster Pets": 0,
}  # fmt: skip
POINTS = {
    "Apartment Building": 3, "Commuter Train": 2, "Corner Store": 1, "Gas Refinery": 2,
    "Jet Fighters": 5, "National Guard": 2, "Nuclear Power Plant": 2, "Skyscraper": 4,
    "Tanks": 4, "Vast Storm": 2,
}  # fmt: skip
TO_OTHERS = {"Fire Blast": 2, "Gas Refinery": 3, "High Altitude Bombing": 3}
TO_BUYER = {"High Altitude Bombing": 3, "Jet Fighters": 4, "National Guard": 2, "Tanks": 3}
GROUPS = ["1", "2", "3", "H", "B", "C"]
KINDS = ("yield", "response")


def number_points(face: int, count: int) -> int:
    """A triple is worth its number, and each further die of it one."""
    return face + count - 3 if count >= 3 else 0


def wickedness(face: int, count: int) -> int:
    """Two steps for a triple of 1s, one step for a triple of 2s (2.1)."""
    return {1: 2, 2: 1, 3: 0}[face] * (count // 3)


def price(printed: int, discounts: int) -> int:
    return max(0, printed - discounts)


def claws(dice: str, cards: Iterable[str], in_tokyo: bool) -> int:
    """Claws in second and dark (3.7.1): each addition in its place, the tiles last."""
    has = set(cards)
    count = dice.count("C")
    if "Poison Quills" in has and dice.count("2") >= 3:
        count += 2
    so_far = count
    if "Spiked Tail" in has and so_far:
        count += 1
    if "Urbavore" in has and so_far and in_tokyo:
        count += 1
    if "Acid Attack" in has:
        count += 1
    if "Burrowing" in has and in_tokyo:
        count += 1
    if "Barbs" in has and count >= 2:
        count += 1
    if "Antimatter Beam" in has:
        count *= 2
    return count


def classic_damage(dice: str, cards: Iterable[str], in_tokyo: bool, victim_in_tokyo: bool) -> int:
    """Damage in classic (3.7.1) without Fire Breathing: a sum whose terms have conditions."""
    has = set(cards)
    attack = "C" in dice
    return sum(
        (
            dice.count("C"),
            attack and "Spiked Tail" in has,
            attack and in_tokyo and "Urbavore" in has,
            attack and not in_tokyo and victim_in_tokyo and "Burrowing" in has,
            "Acid Attack" in has,
            2 * (dice.count("2") >= 3 and "Poison Quills" in has),
        )
    )
