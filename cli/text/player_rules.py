"""The rules on one page, topics that explain more, cards and tiles: in the reader's language."""

import difflib
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

from kotp2p.cli.text.i18n import N_, _, ascii_digits, in_context, list_with_commas, plural, printed
from kotp2p.cli.text.typed_words import TOPICS_OF_RULES, own_command, own_word, words_in_english
from kotp2p.cli.wing import wing
from kotp2p.referee.box.cards import Card, Tile
from kotp2p.referee.box.rulesets import RULE_SETS, Options, RuleSet

RULES_WORD = "rules"
DEFAULT_OPTIONS = Options()


class Topic(NamedTuple):
    words: tuple[str, ...]
    title: str
    lines: tuple[str, ...]
    section: str


def first_page(rules: RuleSet, options: Options = DEFAULT_OPTIONS) -> list[str]:
    return [
        _("The aim: {goal} points at the end of a turn, or to be the last monster alive.",
          goal=rules.goal),
        _("Your turn: roll {dice} dice, keep what you like, and roll the others again, up to "
          "{again} times. Then they count:", dice=rules.dice, again=rules.rolls - 1),
        *_describe_faces(rules),
        " ".join([
            _describe_room(options),
            _describe_going_in(rules),
            _("That is 1 energy, and 1 more whenever your turn begins there.")
            if options.two_player
            else _("That is 1 point, and 2 whenever your turn begins there."),
            _("But the claws of all others hit you there, and your dice do not heal you. When you "
              "are hit you may leave; then the monster that hit you goes in."),
        ]),
        _("Enter on an empty line shows what a sound player would do, and Enter again does it. "
          "Type ? for help, rules for more."),
    ]  # fmt: skip


def _describe_faces(rules: RuleSet) -> list[str]:
    return [
        _("- Three 1s: 1 point; three 2s: 2; three 3s: 3. One more of them: 1 point more."),
        _("- A heart heals you by 1, up to {most}, unless you are in Tokyo.", most=rules.hearts),
        _("- Energy is kept; with it you buy cards at the end of your turn."),
        _("- A claw takes a heart from each monster in Tokyo; in Tokyo, from all others."),
    ]  # fmt: skip


def _describe_room(options: Options) -> str:
    if options.two_player or options.bay_for_beginners:
        return _("Tokyo has room for one monster.")
    return _("Tokyo has room for one monster, or for two while five or six are alive.")


def _describe_going_in(rules: RuleSet) -> str:
    if rules.entering_takes_a_claw:
        return _("If there is room and you have rolled a claw, you go in.")
    return _("If there is room after your dice, you go in.")


def describe_topic(topic: Topic, rules: RuleSet) -> list[str]:
    fields = {
        "goal": rules.goal, "most": rules.points_on_dial, "dice": rules.dice,
        "again": rules.rolls - 1, "rolls": rules.rolls, "hearts": rules.hearts,
    }  # fmt: skip
    lines = [_(line, **fields) for line in topic.lines]
    if topic.words[0] == "dice":
        lines += _describe_faces(rules)
    elif topic.words[0] == "tokyo":
        lines.insert(0, f"{_describe_room(DEFAULT_OPTIONS)} {_describe_going_in(rules)}")
    return [_(topic.title), *lines]


def list_topics(rules: RuleSet, command: str = "") -> str:
    words = [
        own_word(topic.words[0], TOPICS_OF_RULES)
        for topic in TOPICS
        if topic is not WICKEDNESS or rules.tiles
    ]
    return _("{command} WORD explains one of these: {words}.",
             command=command or own_command(RULES_WORD), words=list_with_commas(words))  # fmt: skip


def find_topic(text: str, rules: RuleSet | None = None) -> Topic | None:
    word = words_in_english(" ".join(text.lower().split()), TOPICS_OF_RULES)
    topic = _BY_WORD.get(word)
    if topic is WICKEDNESS and rules is not None and not rules.tiles:
        return None
    return topic


def topic_of(words: tuple[str, ...], title: str, section: str, *lines: str) -> Topic:
    return Topic(words, title, lines, section)


WICKEDNESS = topic_of(
    ("wickedness", "wicked", "tile", "tiles", "track"),
    N_("Wickedness"),
    "2",
    N_("In the dark rules three 1s also raise your wickedness by 2, and three 2s by 1."),
    N_(
        "At 3, 6 and 10 you take one of the tiles that lie there. It works from now on; tiles "
        "shows what they do."
    ),
)
TOPICS = (
    topic_of(
        ("win", "winning", "winner", "aim", "goal", "goals", "victory", "end", "tie", "draw"),
        N_("How you win"), "3.13",
        N_("You win with {goal} points, if you are alive when the turn is over."),
        N_("You also win if you are the last monster alive, whatever your points are."),
        N_("Several monsters with {goal} points win together. If all are out, nobody wins."),
        N_("More points than {most} are not counted."),
    ),
    topic_of(
        ("turn", "turns", "round", "steps", "play"),
        N_("Your turn"), "3",
        N_("1. Roll {dice} dice. Up to {again} times you may roll any of them again."),
        N_("2. The dice count: numbers are points, hearts heal, energy is kept, claws hit."),
        N_("3. A monster that is hit in Tokyo stays or leaves. If Tokyo has room, you go in."),
        N_("4. Buy as many cards as you can pay for."),
        N_("5. If nobody has won by now, it is the turn of the next monster."),
    ),
    topic_of(
        ("dice", "die", "roll", "rolls", "rolling", "reroll", "rerolls", "face", "faces"),
        N_("Dice"), "3.3",
        N_("You have {dice} dice. On each are 1, 2, 3, a heart, energy and a claw."),
        N_("After a roll, type the faces that you keep; all others are rolled again. 33c keeps two "
           "3s and a claw, H keeps all hearts, 0 rolls all, d stops."),
        N_("You roll {rolls} times at most. A die that you have kept may be rolled again later."),
    ),
    topic_of(
        ("points", "point", "score", "scoring", "stars", "number", "numbers", "triple"),
        N_("Points"), "3.6",
        N_("Dice: three 1s are 1 point, three 2s are 2 points, three 3s are 3 points. Each further "
           "die of the same number is 1 point more: four 3s are 4 points."),
        N_("One or two dice of a number are worth nothing."),
        N_("Tokyo: entering is 1 point, beginning your turn there 2 points. With two players these "
           "may be energy instead; the lobby tells."),
        N_("Some cards give points, too. {goal} points win."),
    ),
    topic_of(
        ("hearts", "heart", "heal", "heals", "healing", "health", "life", "lives", "h"),
        N_("Hearts"), "3.6",
        N_("You begin with {hearts} hearts, and have {hearts} at most; only cards raise that."),
        N_("Each heart among your dice heals you by 1. In Tokyo dice heal nobody; cards still do."),
        N_("With no hearts left your monster is out of the game."),
    ),
    topic_of(
        ("energy", "bolt", "bolts", "lightning", "e"),
        N_("What energy is for"), "3.6",
        N_("Each energy among your dice is 1 energy. You keep it until you spend it."),
        N_("It pays for cards at the end of your turn, for new cards in the shop (2 energy), and "
           "for what some of your cards do."),
        N_("It is worth nothing at the end of the game."),
    ),
    topic_of(
        ("claws", "claw", "attack", "attacks", "attacking", "hit", "hits", "damage", "fight", "c"),
        N_("Claws"), "3.7",
        N_("Outside Tokyo, your claws hit each monster in Tokyo. In Tokyo, they hit all monsters "
           "outside. You never choose whom."),
        N_("Each monster that is hit loses as many hearts as you have claws."),
        N_("A monster that you have hit in Tokyo may leave it. Then you take its place."),
        N_("If nobody is in Tokyo, claws from outside hit nobody."),
    ),
    topic_of(
        ("tokyo", "city", "bay", "enter", "entering"),
        N_("Tokyo"), "3.8",
        N_("You do not choose whether to go in."),
        N_("It is good: 1 point for entering, 2 whenever your turn begins there, and your claws "
           "hit all the others."),
        N_("It is dangerous: the claws of all the others hit you, and your dice do not heal you."),
        N_("You get out only when you are hit: then you are asked whether you stay or leave."),
        N_("The second place is Tokyo Bay. Monsters in Tokyo do not hit each other."),
    ),
    topic_of(
        ("leave", "leaving", "yield", "yields", "yielding", "stay", "staying"),
        N_("Staying in Tokyo or leaving it"), "3.7.6",
        N_("When claws hit you in Tokyo and you live, you are asked: stay or leave?"),
        N_("You lose the hearts in either case. If you leave, the monster that hit you goes in and "
           "has its point; you can be healed by dice again, and hit only from Tokyo."),
        N_("If you stay, you get 2 points when your next turn begins, if you live that long."),
    ),
    topic_of(
        ("cards", "card", "buy", "buys", "buying", "shop", "power", "powers", "price",
         "prices", "keep", "once", "discard", "sweep"),
        N_("Cards"), "3.10",
        N_("Three cards are for sale, with their prices in energy. You buy at the end of your "
           "turn, as often as you can pay; a card that is sold is replaced at once."),
        N_("A card marked keep stays with you and works from now on. A card marked once does what "
           "it says and is gone."),
        N_("For 2 energy all three are put away, and three new ones come."),
        N_("shop shows the texts of those for sale, card NAME that of any card."),
    ),
    topic_of(
        ("out", "dead", "death", "dies", "dying", "killed", "eliminated", "elimination",
         "lose", "losing"),
        N_("Out of the game"), "3.7.5",
        N_("A monster without hearts is out: its cards are gone, and its place in Tokyo is free."),
        N_("Its player may watch until the end. The last monster alive wins."),
    ),
    topic_of(
        ("tokens", "token", "poison", "shrink"),
        N_("Tokens"), "3.12",
        N_(
            "Cards of others may give you tokens. Poison: at the end of your turn you lose a heart "
            "for each. Shrink: you roll one die fewer for each."
        ),
        N_("Outside Tokyo, a heart among your dice may take a token away instead of healing."),
    ),
    WICKEDNESS,
)  # fmt: skip
_BY_WORD = {word: topic for topic in TOPICS for word in topic.words}


def answer_rules(line: str, rules: RuleSet, options: Options = DEFAULT_OPTIONS) -> list[str] | None:
    """Return the answer to a query about rules, or None for any other line."""
    word, *rest = ascii_digits(line).split() or [""]
    if word.lower() != RULES_WORD:
        return None
    wanted = " ".join(rest)
    if not wanted:
        return [*first_page(rules, options), list_topics(rules)]
    topic = find_topic(wanted, rules)
    if topic is not None:
        more = _("Every fine point: rules {section}", section=topic.section)
        has_more = wing().look_up_rule(topic.section, rules)
        return [*describe_topic(topic, rules), *([more] if has_more else [])]
    found = wing().look_up_rule(wanted, rules)
    return found or [explain_no_topic(wanted), list_topics(rules)]


def explain_no_topic(wanted: str) -> str:
    return _("No topic of the rules is called {topic}.", topic=wanted)


# -- the texts of cards and tiles, in the reader's language --------------------------------
#
# The rules are data without a language; here their names and texts pass the door, each with a
# context, as a card may be called like something else.


CARD_NAME = "card name"
CARD_TEXT = "card text"
TILE_NAME = "tile name"
TILE_TEXT = "tile text"


def printed_name(one: Card | Tile) -> str:
    return printed(TILE_NAME if isinstance(one, Tile) else CARD_NAME, one.name)


def name_with_english(one: Card | Tile) -> str:
    """Return the name to look up: with the English one after it, where it differs."""
    name = printed_name(one)
    return name if name == one.name else f"{name} ({one.name})"


def printed_text(one: Card | Tile) -> str:
    return printed(TILE_TEXT if isinstance(one, Tile) else CARD_TEXT, one.text)


# -- a card or a tile in one line ----------------------------------------------------------


def price_in_energy(n: int) -> str:
    return plural("{n} energy", "{n} energy", n)


def kind_of_card(card: Card) -> str:
    return in_context("kind of card", "keep") if card.keep else in_context("kind of card", "once")


def card_head(card: Card) -> str:
    return _("{card}, {kind}", card=printed_name(card), kind=kind_of_card(card))


def card_line(card: Card, price: int | None = None, name: str = "") -> str:
    """Describe a card in one line, with the reader's `price` and `name` in place of the printed."""
    return _(
        "{name}, {energy}, {kind}: {text}",
        name=name or printed_name(card),
        energy=price_in_energy(card.cost if price is None else price),
        kind=kind_of_card(card),
        text=printed_text(card),
    )


def tile_line(tile: Tile, name: str = "") -> str:
    return _(
        "{name}, tile of step {step}: {text}",
        name=name or printed_name(tile),
        step=tile.step,
        text=printed_text(tile),
    )


# -- the search of `kotp2p cards` and of `card NAME` in a game -----------------------------


CardOrTile: TypeAlias = Card | Tile


def cards_and_tiles(rules: RuleSet) -> tuple[CardOrTile, ...]:
    """Return the cards of a rule set, sorted by name, then its tiles."""
    return (*sorted(rules.cards, key=printed_name), *rules.tiles)


def describe_card(found: CardOrTile) -> str:
    name = name_with_english(found)
    return tile_line(found, name) if isinstance(found, Tile) else card_line(found, name=name)


def search_cards(cards: Sequence[CardOrTile], words: str) -> list[CardOrTile]:
    wanted = fold_words(words)
    if not wanted:
        return list(cards)
    known = [(card, [fold_words(name) for name in all_names(card)]) for card in cards]
    if named := [card for card, names in known if wanted in names]:
        return named
    if begun := [c for c, names in known if any(name.startswith(wanted) for name in names)]:
        return begun
    within, texts = list[CardOrTile](), list[CardOrTile]()
    for card, names in known:
        if any(wanted in name for name in names):
            within.append(card)
        elif all(word in fold_words(printed_text(card)) for word in wanted.split()):
            texts.append(card)
    return within + texts


def similar_names(cards: Sequence[CardOrTile], words: str) -> list[str]:
    known = {fold_words(name): printed_name(card) for card in cards for name in all_names(card)}
    for name, shown in list(known.items()):
        for word in name.split():
            known.setdefault(word, shown)
    found = difflib.get_close_matches(fold_words(words), list(known), n=6, cutoff=0.6)
    return list(dict.fromkeys(known[name] for name in found))[:3]


def fold_words(text: str) -> str:
    return " ".join(re.sub(r"[^\w ]+", "", text.lower().replace("-", " ")).split())


def all_names(card: CardOrTile) -> list[str]:
    return list(dict.fromkeys([*known_names(card), *printed_in_english(card)]))


def known_names(card: CardOrTile) -> list[str]:
    """Return its names in the reader's language: first that of its rule set, then the others."""
    if isinstance(card, Tile):
        return [printed_name(card)]
    known = [printed(CARD_NAME, name) for other in _editions()[card.key] for name in other.names]
    return list(dict.fromkeys([printed_name(card), *known]))


def printed_in_english(card: CardOrTile) -> list[str]:
    """Return its English names: first that of its rule set, then the others."""
    if isinstance(card, Tile):
        return [card.name]
    known = [name for other in _editions()[card.key] for name in other.names]
    return list(dict.fromkeys([card.name, *known]))


@cache
def _editions() -> Mapping[str, Sequence[Card]]:
    """Return the cards of all rule sets, by key."""
    found: dict[str, list[Card]] = {}
    for rules in RULE_SETS.values():
        for card in rules.cards:
            found.setdefault(card.key, []).append(card)
    return found
