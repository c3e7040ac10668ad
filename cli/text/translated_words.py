"""Words and letters that are typed, in the reader's language: back to the English ones.

Scope: what the program reads is English, and its other languages are turned into that before a line
is read. So both go on working. Each word stands in the catalogues with a context that says what it
does, as one letter can mean several things.
Not here: what the words do (`cli.ask`, `cli.ui`), the prompts that name them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kotp2p.cli.text.i18n import printed
from kotp2p.cli.text.letters import letter_of_face
from kotp2p.referee.model.answers import Face


@dataclass(frozen=True, slots=True)
class TypedWord:
    """One thing that can be typed. The command that extracts messages knows this name."""

    context: str
    english: str
    """What is typed for it, with commas between; the first stands in the prompts."""

    @property
    def spellings(self) -> tuple[str, ...]:
        """In English; the program reads the first of them."""
        return _split(self.english)

    @property
    def translations(self) -> tuple[str, ...]:
        return _split(printed(self.context, self.english))

    def is_typed(self, text: str) -> bool:
        return text.strip().lower() in (*self.spellings, *self.translations)


# Translators: of each of these, what a player may type, with commas between. The first stands in
# the questions, so use the same letter there. What is typed at one question must differ from all
# else that can be typed there, also from the English letters.
YES = TypedWord("typed: yes", "y, yes")
NO = TypedWord("typed: no", "n, no")
DONE = TypedWord("typed: stop rolling, or end something", "d, done, stop")
PASS = TypedWord("typed: do without", "pass")
KEEP = TypedWord("typed: keep what you have", "keep")
NONE = TypedWord("typed: use no defence, take the damage", "none, take")
STAY = TypedWord("typed: stay in Tokyo", "s, stay")
YIELD = TypedWord("typed: leave Tokyo", "l, yield")
SWEEP = TypedWord("typed: pay for three new cards", "r")
LOOK = TypedWord("typed: look at the top card", "l")
TOP = TypedWord("typed: buy the top card", "t")
BUY = TypedWord("typed: buy, in front of a card", "buy")
USE = TypedWord("typed: use, in front of a card", "use")
HEAL = TypedWord("typed: heal with a card", "heal")
ADVICE = TypedWord("typed: ask for advice", "advice, hint")
BOT_PLAYS = TypedWord("typed: let a bot play for who does not answer", "b, bot")
WAITS = TypedWord("typed: wait for who does not answer", "w, wait")

HEART = TypedWord("typed letter: heart", "h, heart")
ENERGY = TypedWord("typed letter: energy", "e, energy, b, bolt")
CLAW = TypedWord("typed letter: claw", "c, claw")
POISON = TypedWord("typed letter: poison token", "p")
SHRINK = TypedWord("typed letter: shrink token", "s")
FIRST = TypedWord("typed letter: first card or monster", "a")
SECOND = TypedWord("typed letter: second card or monster", "b")
THIRD = TypedWord("typed letter: third card or monster", "c")
FOURTH = TypedWord("typed letter: fourth monster", "d")
FIFTH = TypedWord("typed letter: fifth monster", "e")
FACES = (HEART, ENERGY, CLAW)
PLACES = (FIRST, SECOND, THIRD)
PATIENTS = (*PLACES, FOURTH, FIFTH)
EVERYWHERE = (ADVICE, USE, HEAL)
"""What every question understands."""

COMMANDS = (
    TypedWord("command", "state"), TypedWord("command", "shop"), TypedWord("command", "cards"),
    TypedWord("command", "card"), TypedWord("command", "tiles"), TypedWord("command", "dice"),
    TypedWord("command", "who"), TypedWord("command", "log"), TypedWord("command", "wait"),
    TypedWord("command", "adjourn"), TypedWord("command", "start"), TypedWord("command", "bot"),
    TypedWord("command", "remove"), TypedWord("command", "move"), TypedWord("command", "open"),
    TypedWord("command", "name"), TypedWord("command", "monster"), TypedWord("command", "monsters"),
    TypedWord("command", "ready"), TypedWord("command", "not"), TypedWord("command", "accept"),
    TypedWord("command", "keys"), TypedWord("command", "leave"),
    TypedWord("command", "quit"), TypedWord("command", "exit"), TypedWord("command", "help"),
    TypedWord("command", "rules"), TypedWord("command", "say"), TypedWord("command", "orders"),
    TypedWord("command", "coach"), TypedWord("command", "since"), TypedWord("command", "speed"),
    TypedWord("command", "back"), TypedWord("command", "look"), TypedWord("command", "copy"),
)  # fmt: skip
"""The first word of a line, in a game and in the lobby."""
_COMMANDS = {word.english: word for word in COMMANDS}

ORDERS = (
    TypedWord("typed behind orders", "yield"), TypedWord("typed behind orders", "stay"),
    TypedWord("typed behind orders", "shop"), TypedWord("typed behind orders", "skip"),
    TypedWord("typed behind orders", "ask"), TypedWord("typed behind orders", "off"),
)  # fmt: skip
SPEEDS = (
    TypedWord("typed behind speed", "slow"), TypedWord("typed behind speed", "normal"),
    TypedWord("typed behind speed", "fast"), TypedWord("typed behind speed", "instant"),
)  # fmt: skip

TOPICS_OF_RULES = (
    TypedWord("typed behind rules", "win"), TypedWord("typed behind rules", "turn"),
    TypedWord("typed behind rules", "dice"), TypedWord("typed behind rules", "points"),
    TypedWord("typed behind rules", "hearts"), TypedWord("typed behind rules", "energy"),
    TypedWord("typed behind rules", "claws"), TypedWord("typed behind rules", "tokyo"),
    TypedWord("typed behind rules", "leave"), TypedWord("typed behind rules", "cards"),
    TypedWord("typed behind rules", "out"), TypedWord("typed behind rules", "tokens"),
    TypedWord("typed behind rules", "wickedness"),
)  # fmt: skip
BACK = TypedWord("typed at a replay: the event before", "b, back")
NEXT = TypedWord("typed at a replay: the next decision", "n, next")
PREVIOUS = TypedWord("typed at a replay: the decision before", "p, previous")
TURN = TypedWord("typed at a replay: the next turn", "t, turn")
TURN_BACK = TypedWord("typed at a replay: the start of the turn", "u, up")
GO = TypedWord("typed at a replay: go to a turn", "g, go")
HOME = TypedWord("typed at a replay: the start", "home, start")
END = TypedWord("typed at a replay: the end", "end")
PLAY = TypedWord("typed at a replay: it plays by itself", "play")
STOP = TypedWord("typed at a replay: it stops", "stop, pause")
SPEED = TypedWord("typed at a replay: how fast it plays", "speed")
SEAT = TypedWord("typed at a replay: look on from a seat", "seat")
ONLY = TypedWord("typed at a replay: stop at one player only", "only")
WHERE = TypedWord("typed at a replay: place and verdict", "where")
EXPLAIN = TypedWord("typed at a replay: how it was drawn", "e, explain")
LEAVE = TypedWord("typed at a replay: leave it", "q, quit, exit, leave")
HELP = TypedWord("typed at a replay: help", "help")
REPLAY = (
    BACK, NEXT, PREVIOUS, TURN, TURN_BACK, GO, HOME, END, PLAY, STOP, SPEED, SEAT, ONLY, WHERE,
    EXPLAIN, LEAVE, HELP,
)  # fmt: skip
"""The first word of a line at a recorded game. One letter is also a key of the drawn table."""
NOBODY = TypedWord("typed behind words of a replay: no player", "none")
EVERYBODY = TypedWord("typed behind words of a replay: all players", "all")
RECORD = TypedWord("typed behind words of a replay: a record", "r, record")


def own_command(word: str) -> str:
    """A command as it stands in the prompts of the reader's language."""
    return _COMMANDS[word].translations[0]


def own_word(word: str, words: Iterable[TypedWord]) -> str:
    """One of the words that are typed behind a command, as it stands in the prompts."""
    return next(one.translations[0] for one in words if one.english == word)


def words_in_own_language(line: str, words: Iterable[TypedWord]) -> str:
    """The inverse of `words_in_english`, for a line that is one word and shown to the reader."""
    return next((word.translations[0] for word in words if line == word.spellings[0]), line)


def letters_in_own_language(line: str, letters: Iterable[TypedWord]) -> str:
    """The inverse of `letters_in_english`, for a line of letters that is shown to the reader."""
    known = {letter.spellings[0]: letter.translations[0] for letter in letters}
    return "".join(known.get(sign, sign) for sign in line)


def own_letter_of_face(face: Face) -> str:
    """What the reader types for a die that shows this face."""
    return letters_in_own_language(letter_of_face(face), FACES)


def words_in_english(line: str, words: Iterable[TypedWord]) -> str:
    """The line with its first word, or all of it, as the program reads it."""
    known = {said: word.spellings[0] for word in words for said in _own(word)}
    found = known.get(line.strip().lower())
    if found is not None:
        return found
    first, space, rest = line.partition(" ")
    return f"{known.get(first.lower(), first)}{space}{rest}"


def in_english(text: str, words: Iterable[TypedWord]) -> str:
    """One word as the program reads it: the first spelling of what it is, or itself."""
    small = text.lower()
    return next((word.spellings[0] for word in words if word.is_typed(small)), small)


def letters_in_english(line: str, letters: Iterable[TypedWord]) -> str:
    """A line of letters, or of words for them, as the program reads it; any other line as it is."""
    letters = tuple(letters)
    known = {said: letter.spellings[0] for letter in letters for said in _own(letter)}
    if not known:
        return line
    spelled = " ".join(_with_case(word, known) for word in line.split(" "))
    english = {one for letter in letters for one in letter.spellings}
    if all(
        sign in " ,*" or sign.isdigit() or sign.lower() in {*known, *english} for sign in spelled
    ):
        return "".join(_with_case(sign, known) for sign in spelled)
    return spelled


def _with_case(text: str, known: dict[str, str]) -> str:
    """A word or letter in English. One capital letter stays one: it may mean all of its face."""
    found = known.get(text.lower(), text)
    return found.upper() if len(text) == 1 and text.isupper() else found


def _own(word: TypedWord) -> Iterator[str]:
    """What is typed in the language alone."""
    return (said for said in word.translations if said not in word.spellings)


def _split(text: str) -> tuple[str, ...]:
    return tuple(word.strip().lower() for word in text.replace("،", ",").split(",") if word.strip())
