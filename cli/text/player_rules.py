"""The rules for somebody who plays: one page, and an answer of a few sentences for each word.

Scope: what a player asks, in their own words, for the rule set of their table.
Not here: the rulebook with its rulings (`cli.text.rulebook`), which has the last word.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kotp2p.cli.text.i18n import N_, _, list_with_commas
from kotp2p.cli.text.translated_words import (
    TOPICS_OF_RULES,
    own_command,
    own_word,
    words_in_english,
)
from kotp2p.referee.box.rulesets import RuleSet
from kotp2p.referee.box.setup import Options

RULES_WORD = "rules"
DEFAULT_OPTIONS = Options()


@dataclass(frozen=True, slots=True)
class Topic:
    words: tuple[str, ...]
    """What a player may call it in English. The first is the word that is told."""
    title: str
    """Marked for translation."""
    explain: Callable[[RuleSet], list[str]]
    section: str
    """Where the rulebook has the fine points."""


def first_page(rules: RuleSet, options: Options = DEFAULT_OPTIONS) -> list[str]:
    """The game in about twelve rows of 78 columns: all that a first game needs."""
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
    """Its title, and the answer."""
    return [_(topic.title), *topic.explain(rules)]


def list_topics(rules: RuleSet, command: str = "") -> str:
    """One line: the words that can be asked about, behind the word or command that asks. Without
    `command`: the word that is typed at a table."""
    words = [
        own_word(topic.words[0], TOPICS_OF_RULES)
        for topic in TOPICS
        if topic is not WICKEDNESS or rules.tiles
    ]
    return _("{command} WORD explains one of these: {words}.",
             command=command or own_command(RULES_WORD), words=list_with_commas(words))  # fmt: skip


def find_topic(text: str, rules: RuleSet | None = None) -> Topic | None:
    """The topic that a player means, in English or in the reader's language. With `rules`: only if
    these rules have it."""
    word = words_in_english(" ".join(text.lower().split()), TOPICS_OF_RULES)
    topic = _BY_WORD.get(word)
    if topic is WICKEDNESS and rules is not None and not rules.tiles:
        return None
    return topic


# -- the answers -----------------------------------------------------------------------------


def _explain_winning(rules: RuleSet) -> list[str]:
    return [
        _("You win with {goal} points, if you are alive when the turn is over.", goal=rules.goal),
        _("You also win if you are the last monster alive, whatever your points are."),
        _("Several monsters with {goal} points win together. If all are out, nobody wins.",
          goal=rules.goal),
        _("More points than {most} are not counted.", most=rules.points_on_dial),
    ]  # fmt: skip


def _explain_points(rules: RuleSet) -> list[str]:
    return [
        _("Dice: three 1s are 1 point, three 2s are 2 points, three 3s are 3 points. Each further "
          "die of the same number is 1 point more: four 3s are 4 points."),
        _("One or two dice of a number are worth nothing."),
        _("Tokyo: entering is 1 point, beginning your turn there 2 points. With two players these "
          "may be energy instead; the lobby tells."),
        _("Some cards give points, too. {goal} points win.", goal=rules.goal),
    ]  # fmt: skip


def _explain_turn(rules: RuleSet) -> list[str]:
    return [
        _("1. Roll {dice} dice. Up to {again} times you may roll any of them again.",
          dice=rules.dice, again=rules.rolls - 1),
        _("2. The dice count: numbers are points, hearts heal, energy is kept, claws hit."),
        _("3. A monster that is hit in Tokyo stays or leaves. If Tokyo has room, you go in."),
        _("4. Buy as many cards as you can pay for."),
        _("5. If nobody has won by now, it is the turn of the next monster."),
    ]  # fmt: skip


def _explain_dice(rules: RuleSet) -> list[str]:
    return [
        _("You have {dice} dice. On each are 1, 2, 3, a heart, energy and a claw.",
          dice=rules.dice),
        _("After a roll, type the faces that you keep; all others are rolled again. 33c keeps two "
          "3s and a claw, H keeps all hearts, 0 rolls all, d stops."),
        _("You roll {rolls} times at most. A die that you have kept may be rolled again later.",
          rolls=rules.rolls),
        *_describe_faces(rules),
    ]  # fmt: skip


def _explain_hearts(rules: RuleSet) -> list[str]:
    return [
        _("You begin with {hearts} hearts, and have {hearts} at most; only cards raise that.",
          hearts=rules.hearts),
        _("Each heart among your dice heals you by 1. In Tokyo dice heal nobody; cards still do."),
        _("With no hearts left your monster is out of the game."),
    ]  # fmt: skip


def _explain_energy(rules: RuleSet) -> list[str]:
    return [
        _("Each energy among your dice is 1 energy. You keep it until you spend it."),
        _("It pays for cards at the end of your turn, for new cards in the shop (2 energy), and "
          "for what some of your cards do."),
        _("It is worth nothing at the end of the game."),
    ]  # fmt: skip


def _explain_claws(rules: RuleSet) -> list[str]:
    return [
        _("Outside Tokyo, your claws hit each monster in Tokyo. In Tokyo, they hit all monsters "
          "outside. You never choose whom."),
        _("Each monster that is hit loses as many hearts as you have claws."),
        _("A monster that you have hit in Tokyo may leave it. Then you take its place."),
        _("If nobody is in Tokyo, claws from outside hit nobody."),
    ]  # fmt: skip


def _explain_tokyo(rules: RuleSet) -> list[str]:
    return [
        " ".join([_describe_room(DEFAULT_OPTIONS), _describe_going_in(rules)]),
        _("You do not choose whether to go in."),
        _("It is good: 1 point for entering, 2 whenever your turn begins there, and your claws hit "
          "all the others."),
        _("It is dangerous: the claws of all the others hit you, and your dice do not heal you."),
        _("You get out only when you are hit: then you are asked whether you stay or leave."),
        _("The second place is Tokyo Bay. Monsters in Tokyo do not hit each other."),
    ]  # fmt: skip


def _explain_leaving(rules: RuleSet) -> list[str]:
    return [
        _("When claws hit you in Tokyo and you live, you are asked: stay or leave?"),
        _("You lose the hearts in either case. If you leave, the monster that hit you goes in and "
          "has its point; you can be healed by dice again, and hit only from Tokyo."),
        _("If you stay, you get 2 points when your next turn begins, if you live that long."),
    ]  # fmt: skip


def _explain_cards(rules: RuleSet) -> list[str]:
    return [
        _("Three cards are for sale, with their prices in energy. You buy at the end of your turn, "
          "as often as you can pay; a card that is sold is replaced at once."),
        _("A card marked keep stays with you and works from now on. A card marked once does what "
          "it says and is gone."),
        _("For 2 energy all three are put away, and three new ones come."),
        _("shop shows the texts of those for sale, card NAME that of any card."),
    ]  # fmt: skip


def _explain_out(rules: RuleSet) -> list[str]:
    return [
        _("A monster without hearts is out: its cards are gone, and its place in Tokyo is free."),
        _("Its player may watch until the end. The last monster alive wins."),
    ]


def _explain_tokens(rules: RuleSet) -> list[str]:
    return [
        _(
            "Cards of others may give you tokens. Poison: at the end of your turn you lose a heart "
            "for each. Shrink: you roll one die fewer for each."
        ),
        _("Outside Tokyo, a heart among your dice may take a token away instead of healing."),
    ]


def _explain_wickedness(rules: RuleSet) -> list[str]:
    return [
        _("In the dark rules three 1s also raise your wickedness by 2, and three 2s by 1."),
        _(
            "At 3, 6 and 10 you take one of the tiles that lie there. It works from now on; tiles "
            "shows what they do."
        ),
    ]


WICKEDNESS = Topic(
    ("wickedness", "wicked", "tile", "tiles", "track"), N_("Wickedness"), _explain_wickedness, "2"
)
TOPICS = (
    Topic(
        ("win", "winning", "winner", "aim", "goal", "goals", "victory", "end", "tie", "draw"),
        N_("How you win"),
        _explain_winning,
        "3.13",
    ),
    Topic(("turn", "turns", "round", "steps", "play"), N_("Your turn"), _explain_turn, "3"),
    Topic(
        ("dice", "die", "roll", "rolls", "rolling", "reroll", "rerolls", "face", "faces"),
        N_("Dice"),
        _explain_dice,
        "3.3",
    ),
    Topic(
        ("points", "point", "score", "scoring", "stars", "number", "numbers", "triple"),
        N_("Points"),
        _explain_points,
        "3.6",
    ),
    Topic(
        ("hearts", "heart", "heal", "heals", "healing", "health", "life", "lives", "h"),
        N_("Hearts"),
        _explain_hearts,
        "3.6",
    ),
    Topic(
        ("energy", "bolt", "bolts", "lightning", "e"),
        N_("What energy is for"),
        _explain_energy,
        "3.6",
    ),
    Topic(
        ("claws", "claw", "attack", "attacks", "attacking", "hit", "hits", "damage", "fight", "c"),
        N_("Claws"),
        _explain_claws,
        "3.7",
    ),
    Topic(("tokyo", "city", "bay", "enter", "entering"), N_("Tokyo"), _explain_tokyo, "3.8"),
    Topic(
        ("leave", "leaving", "yield", "yields", "yielding", "stay", "staying"),
        N_("Staying in Tokyo or leaving it"),
        _explain_leaving,
        "3.7.6",
    ),
    Topic(
        ("cards", "card", "buy", "buys", "buying", "shop", "power", "powers", "price", "prices",
         "keep", "once", "discard", "sweep"),
        N_("Cards"),
        _explain_cards,
        "3.10",
    ),
    Topic(
        ("out", "dead", "death", "dies", "dying", "killed", "eliminated", "elimination", "lose",
         "losing"),
        N_("Out of the game"),
        _explain_out,
        "3.7.5",
    ),
    Topic(("tokens", "token", "poison", "shrink"), N_("Tokens"), _explain_tokens, "3.12"),
    WICKEDNESS,
)  # fmt: skip
_BY_WORD = {word: topic for topic in TOPICS for word in topic.words}
