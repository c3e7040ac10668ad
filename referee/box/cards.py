"""What is printed on the cards and on the wickedness tiles, in words of our own."""

from dataclasses import dataclass
from functools import partial

# -- what stands on a card or tile: printed data only --------------------------------------


@dataclass(frozen=True, slots=True)
class Card:
    """A card as one rule set prints it. Numbers and names are facts; `text` is our own."""

    key: str
    """The name of 2016 in small letters with hyphens; the same in every rule set."""
    name: str
    first_name: str
    """The name of 2011; equal to the later one if it never changed."""
    keep: bool
    """Lies in front of its owner; otherwise it is resolved at once and discarded."""
    cost: int
    copies: int
    text: str
    """What it does in this rule set, in one or two sentences for its owner."""
    effect: str
    """The name of its effect, mostly its key."""

    @property
    def names(self) -> tuple[str, ...]:
        """Return all names that the card has in this rule set or had in 2011."""
        return tuple(dict.fromkeys((self.name, self.first_name)))


@dataclass(frozen=True, slots=True)
class Tile:
    """One face of a wickedness tile."""

    key: str
    name: str
    step: int
    side: str
    text: str
    effect: str


# -- the cards: one row for each -----------------------------------------------------------


def _slug(name: str) -> str:
    """Return the key of a card: letters and digits of its name in lower case, with hyphens."""
    kept = "".join(c for c in name.lower().replace("-", " ") if c.isalnum() or c == " ")
    return "-".join(kept.split())


def _printed(
    lies_in_front: bool, name: str, cost: int, text: str,
    *, first: str = "", copies: int = 1,
) -> Card:  # fmt: skip
    """Return a card; `first` is its name of 2011 if that was another."""
    key = _slug(name)
    return Card(key, name, first or name, lies_in_front, cost, copies, text, effect=key)


keep = partial(_printed, True)
discard = partial(_printed, False)


SHARED: tuple[Card, ...] = (
    keep(
        "Acid Attack", 6,
        "On each of your turns one claw is added to your dice, even if you rolled none.",
    ),
    keep(
        "Alien Origin", 3,
        "Every power card costs you 1 energy less, but never less than 0.",
        first="Alien Metabolism",
    ),
    keep(
        "Alpha Monster", 5,
        "Once a turn, when you have at least one claw, you gain 1 point, whoever it hits.",
    ),
    keep(
        "Armor Plating", 4,
        "Damage of exactly 1 does nothing to you. What counts is what other cards leave of it.",
    ),
    keep(
        "Background Dweller", 4,
        "As long as one of your dice shows a 3 you may reroll it, one at a time and as often as "
        "you like, without using up a roll. Once you have stopped, only the 3 of a Psychic Probe "
        "may be rerolled, none of Stretchy or Plot Twist.",
    ),
    keep(
        "Burrowing", 5,
        "While you are in Tokyo one claw is added to your dice, even if you rolled none. "
        "When you yield Tokyo, the monster that attacked you takes 1 damage.",
    ),
    keep(
        "Camouflage", 3,
        "When damage is about to reach you, you may roll one die for each point of it: "
        "each heart cancels one point. You roll only once against the same damage.",
    ),
    keep(
        "Complete Destruction", 3,
        "If your final dice show 1, 2, 3, heart, bolt and claw, gain 9 points besides all the "
        "rest. A claw that a card adds will do.",
    ),
    keep(
        "Media-Friendly", 3,
        "Gain 1 point whenever you buy a power card, from then on.",
        first="Dedicated News Team",
    ),
    keep(
        "Eater of the Dead", 4,
        "Gain 3 points each time a monster's hearts go down to 0, even if a card saves it.",
    ),
    keep(
        "Energy Hoarder", 3,
        "At the end of your turn gain 1 point for every full 6 energy you have. You keep it.",
    ),
    keep(
        "Even Bigger", 4,
        "Gain 2 hearts; your maximum is 2 higher, up to 12. When you lose this card only the "
        "maximum falls.",
    ),
    keep(
        "Extra Head", 7,
        "You roll one die more, from your next roll of all dice on.",
        copies=2,
    ),
    keep(
        "Fire Breathing", 4,
        "When you have at least one claw, the next monster on your left and on your right take "
        "1 damage more, wherever they stand; an only opponent takes 1. If you do not attack such "
        "a neighbour, it is no attack.",
    ),
    keep(
        "Freeze Time", 5,
        "If three or more of your dice show 1, you may take another turn after this one, with "
        "one die fewer than in this turn.",
    ),
    keep(
        "Friend of Children", 3,
        "Each time you gain energy, gain 1 more. Energy returned by Metamorph or batteries "
        "does not count.",
    ),
    keep(
        "Giant Brain", 5,
        "You may roll once more in each of your turns.",
    ),
    keep(
        "Gourmet", 4,
        "Gain 2 points more when three or more of your dice show 1, once a turn.",
    ),
    keep(
        "Healing Ray", 4,
        "You may use heart dice to heal other monsters that are below their maximum, 1 heart "
        "each, wherever you and they stand. They must pay you 2 energy a heart, or all they have "
        "if it is less.",
    ),
    keep(
        "Herbivore", 5,
        "At the end of your turn gain 1 point if nobody lost hearts through you, "
        "yourself included.",
    ),
    keep(
        "Herd Culler", 3,
        "Once a turn, after your last roll, you may turn one of your dice to 1.",
    ),
    keep(
        "It Has a Child", 7,
        "When your hearts go down to 0, lose all your cards, this one too, and all your points, "
        "leave Tokyo and go on with 10 hearts. You keep your energy and tokens.",
    ),
    keep(
        "Jets", 5,
        "If you yield Tokyo, you take none of the damage of that attack. You decide before it "
        "reaches you.",
    ),
    keep(
        "Made in a Lab", 2,
        "When you buy, you may look at the top card of the deck in secret and buy it, or "
        "leave it there.",
    ),
    keep(
        "Metamorph", 3,
        "After buying you may discard any of your Keep cards and gain the energy printed as "
        "their cost, whatever you paid.",
    ),
    keep(
        "Mimic", 8,
        "Choose, for free, a Keep card in front of any monster: Mimic works as a new copy and is "
        "used up as that would be. If the card goes, Mimic is empty. At the start of each of your "
        "turns you may pay 1 energy to choose another.",
    ),
    keep(
        "Battery Monster", 3,
        "Comes with 6 energy on it. At the start of each of your turns take 2 of it; when it is "
        "empty, discard it.",
        first="Monster Batteries",
    ),
    keep(
        "Nova Breath", 7,
        "Your claws hit all other monsters, wherever you and they stand.",
    ),
    keep(
        "Detritivore", 4,
        "If your dice show at least one 1, one 2 and one 3, gain 2 points, once a turn. The dice "
        "still count for everything else.",
        first="Omnivore",
    ),
    keep(
        "Opportunist", 3,
        "Whenever a new card is turned up, you may buy it at once, even in another's turn and "
        "before anybody else.",
    ),
    keep(
        "Parasitic Tentacles", 4,
        "When you buy, you may also buy Keep cards in front of other monsters. You pay their "
        "owner, who cannot refuse. Tokens and energy on a card come with it.",
    ),
    keep(
        "Plot Twist", 3,
        "Once, after your last roll, turn one of your dice to any face. Then discard this card.",
    ),
    keep(
        "Poison Quills", 3,
        "When three or more of your dice show 2, two claws are added to them.",
    ),
    keep(
        "Poison Spit", 4,
        "Each monster that loses hearts to your claws gets a poison token. At the end of its turn "
        "a monster takes 1 damage for each; outside Tokyo a heart die may remove one instead of "
        "healing. Tokens stay when this card goes.",
    ),
    keep(
        "Psychic Probe", 3,
        "In each other monster's turn, after its last roll, you may make it reroll one die you "
        "choose. If that shows a heart, discard this card.",
    ),
    keep(
        "Rapid Healing", 3,
        "Pay 2 energy to heal 1 heart, at any decision of yours and just before damage reaches "
        "you, as often as you can pay.",
    ),
    keep(
        "Regeneration", 4,
        "Each time you gain hearts, gain 1 more, up to your maximum.",
    ),
    keep(
        "Rooting for the Underdog", 3,
        "At the end of your turn gain 1 point if you alone have the fewest.",
    ),
    keep(
        "Shrink Ray", 6,
        "Each monster that loses hearts to your claws gets a shrink token. A monster rolls one "
        "die fewer for each; outside Tokyo a heart die may remove one instead of healing. Tokens "
        "stay when this card goes.",
    ),
    keep(
        "Smoke Cloud", 4,
        "Comes with 3 smoke tokens. Spend one to roll once more; discard this card after the "
        "last one.",
    ),
    keep(
        "Solar Powered", 2,
        "At the end of your turn gain 1 energy if you have none.",
    ),
    keep(
        "Spiked Tail", 5,
        "When you have at least one claw, one more is added. The claws of Acid Attack and "
        "Burrowing do not count for this.",
    ),
    keep(
        "Stretchy", 3,
        "After your last roll you may pay 2 energy to turn one of your dice to any face, as often "
        "as you can pay.",
    ),
    keep(
        "Energy Drink", 4,
        "Pay 1 energy to roll once more, as often as you can pay.",
        first="Telepath",
    ),
    keep(
        "Urbavore", 4,
        "Gain 1 point more when you start your turn in Tokyo. While you are there and have at "
        "least one claw, one more is added. The claws of Acid Attack and Burrowing do not count "
        "for this.",
    ),
    keep(
        "We're Only Making It Stronger", 3,
        "Gain 1 energy whenever you lose 2 or more hearts at once.",
    ),
    keep(
        "Wings", 6,
        "When damage is about to reach you, you may pay 2 energy: you take no damage for the rest "
        "of this turn.",
    ),
    discard("Apartment Building", 5, "Gain 3 points."),
    discard("Commuter Train", 4, "Gain 2 points."),
    discard("Corner Store", 3, "Gain 1 point."),
    discard(
        "Death From Above", 5,
        "Gain 2 points and take Tokyo City: all other monsters leave Tokyo. Entering from "
        "outside brings its point.",
        first="Drop from High Altitude",
    ),
    discard("Energize", 8, "Gain 9 energy."),
    discard("Evacuation Orders", 7, "All other monsters lose 5 points.", copies=2),
    discard("Flame Thrower", 3, "All other monsters take 2 damage.", first="Fire Blast"),
    discard("Frenzy", 7, "Take another turn after this one, with all your dice."),
    discard("Gas Refinery", 6, "Gain 2 points. All other monsters take 3 damage."),
    discard("Heal", 3, "Gain 2 hearts, also in Tokyo."),
    discard("High Altitude Bombing", 4, "All monsters take 3 damage, you too."),
    discard("Jet Fighters", 5, "Gain 5 points and take 4 damage."),
    discard("National Guard", 3, "Gain 2 points and take 2 damage."),
    discard("Nuclear Power Plant", 6, "Gain 2 points and 3 hearts, also in Tokyo."),
    discard("Skyscraper", 6, "Gain 4 points."),
    discard("Tank", 4, "Gain 4 points and take 3 damage.", first="Tanks"),
    discard(
        "Vast Storm", 6,
        "Gain 2 points. Every other monster loses 1 energy for each 2 it has.",
    ),
)  # fmt: skip

DARK_ONLY: tuple[Card, ...] = (
    keep(
        "Hibernation", 4,
        "You cannot buy this in Tokyo. While you have it you take no damage, but do not enter "
        "Tokyo, buy no cards, and only your hearts and bolts count. Before your dice are resolved "
        "you may discard it.",
    ),
    keep(
        "Nanobots", 3,
        "At the start of your turn gain 2 hearts if you have fewer than 3, also in Tokyo.",
    ),
    keep(
        "Natural Selection", 2,
        "Gain 4 energy and 4 hearts; you roll one die more. If one of your turns ends with a 3 "
        "among your final dice, you lose all your hearts.",
    ),
    keep(
        "Reflective Hide", 6,
        "Any other monster that makes you lose hearts takes 1 damage.",
    ),
    keep(
        "Super Jump", 4,
        "Once in each monster's turn you may pay 1 energy to cancel 1 damage to you.",
    ),
    keep(
        "Unstable DNA", 3,
        "When you yield Tokyo you may exchange this card for a Keep card of the monster that "
        "attacked you.",
    ),
    keep(
        "Zombify", 4,
        "The first time your hearts go down to 0, lose your other cards, tiles, points and "
        "wickedness, leave Tokyo and go on with 12 hearts. Energy, tokens and this card stay. "
        "Heart dice no longer heal you or remove your tokens.",
    ),
    discard("Monster Pets", 0, "All monsters lose 3 points, you too."),
)  # fmt: skip


# -- the wickedness tiles (RULES.md 2.3) ---------------------------------------------------
#
# Names, steps and texts. Face 2n is the red side of tile n, face 2n + 1 its green side. Tiles are
# sorted by step, then by name. So the number of a face gives its tile and its side, and
# ascending numbers go along the track.


TRACK_STEPS = (3, 6, 10)
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


def faces_lying_up(sides: tuple[str, ...]) -> tuple[int, ...]:
    """Return the faces that lie up if tile n shows `sides[n]`."""
    return tuple(2 * n + SIDES.index(side) for n, side in enumerate(sides))
