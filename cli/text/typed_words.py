"""Words and letters that are typed, in the reader's language: and back to the English ones."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from kotp2p.cli.text.i18n import N_, _, printed

if TYPE_CHECKING:  # a command that looks up a card or a rule needs no answers
    from kotp2p.referee.model.answers import Face

# -- the letters of faces ------------------------------------------------------------------


LETTER_OF_WORD = {"heart": "h", "energy": "e", "bolt": "e", "claw": "c"}
"""Words for faces that every line may use; a word means one die, as its letter does."""
MARKET_LETTERS = "abc"
PATIENT_LETTERS = "abcdef"
"""The monsters that a player may heal, by their place in the decision."""


def letter_of_face(face: Face) -> str:
    return "123hec"[face]


def spell_faces(text: str) -> str:
    words = text.replace(",", " ").split()
    return " ".join(LETTER_OF_WORD.get(word, word) for word in words)


# -- words in the reader's language --------------------------------------------------------
#
# Each word is in the catalogues with a context that says what it does, as one letter can mean
# several things.


class TypedWord(NamedTuple):
    """One thing that can be typed. The command that extracts messages knows this name."""

    context: str
    english: str
    """The English spellings, separated by commas; prompts show the first."""

    @property
    def spellings(self) -> tuple[str, ...]:
        """Return the English spellings; the program reads the first of them."""
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

COMMANDS = (
    TypedWord("command", "state"), TypedWord("command", "shop"), TypedWord("command", "cards"),
    TypedWord("command", "card"), TypedWord("command", "tiles"), TypedWord("command", "dice"),
    TypedWord("command", "who"), TypedWord("command", "log"), TypedWord("command", "wait"),
    TypedWord("command", "adjourn"), TypedWord("command", "start"), TypedWord("command", "bot"),
    TypedWord("command", "remove"), TypedWord("command", "move"), TypedWord("command", "open"),
    TypedWord("command", "code"),
    TypedWord("command", "name"), TypedWord("command", "monster"), TypedWord("command", "monsters"),
    TypedWord("command", "ready"), TypedWord("command", "not"), TypedWord("command", "accept"),
    TypedWord("command", "keys"), TypedWord("command", "leave"),
    TypedWord("command", "quit"), TypedWord("command", "exit"), TypedWord("command", "help"),
    TypedWord("command", "rules"), TypedWord("command", "say"), TypedWord("command", "orders"),
    TypedWord("command", "coach"), TypedWord("command", "since"), TypedWord("command", "speed"),
    TypedWord("command", "back"), TypedWord("command", "look"), TypedWord("command", "copy"),
)  # fmt: skip
_COMMANDS = {word.english: word for word in COMMANDS}

ORDERS = (
    TypedWord("typed behind orders", "yield"),
    TypedWord("typed behind orders", "stay"),
    TypedWord("typed behind orders", "off"),
)
COACH_OFF = TypedWord("typed behind coach", "off")
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
WHERE = TypedWord("typed at a replay: place and verdict", "where")
EXPLAIN = TypedWord("typed at a replay: how it was drawn", "e, explain")
LEAVE = TypedWord("typed at a replay: leave it", "q, quit, exit, leave")
HELP = TypedWord("typed at a replay: help", "help")
REPLAY = (
    BACK, NEXT, PREVIOUS, TURN, TURN_BACK, GO, HOME, END, PLAY, STOP, SPEED, SEAT, WHERE,
    EXPLAIN, LEAVE, HELP,
)  # fmt: skip
"""The first word of a line at a recorded game. One letter is also a key of the drawn table."""
NOBODY = TypedWord("typed behind words of a replay: no player", "none")
RECORD = TypedWord("typed behind words of a replay: a record", "r, record")


def own_command(word: str) -> str:
    return _COMMANDS[word].translations[0]


def own_word(word: str, words: Iterable[TypedWord]) -> str:
    return next(one.translations[0] for one in words if one.english == word)


def words_in_own_language(line: str, words: Iterable[TypedWord]) -> str:
    return next((word.translations[0] for word in words if line == word.spellings[0]), line)


def letters_in_own_language(line: str, letters: Iterable[TypedWord]) -> str:
    known = {letter.spellings[0]: letter.translations[0] for letter in letters}
    return "".join(known.get(sign, sign) for sign in line)


def own_letter_of_face(face: Face) -> str:
    return letters_in_own_language(letter_of_face(face), FACES)


def words_in_english(line: str, words: Iterable[TypedWord]) -> str:
    """Translate the whole line, or else its first word, to what the program reads."""
    known = {said: word.spellings[0] for word in words for said in _own(word)}
    found = known.get(line.strip().lower())
    if found is not None:
        return found
    first, space, rest = line.partition(" ")
    return f"{known.get(first.lower(), first)}{space}{rest}"


def in_english(text: str, words: Iterable[TypedWord]) -> str:
    """Translate one word to what the program reads; return an unknown word unchanged."""
    small = text.lower()
    return next((word.spellings[0] for word in words if word.is_typed(small)), small)


def letters_in_english(line: str, letters: Iterable[TypedWord]) -> str:
    """Translate a line of letters, or of words for them; return any other unchanged."""
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
    """Translate a word or letter; a single capital stays one, as it may mean all of a face."""
    found = known.get(text.lower(), text)
    return found.upper() if len(text) == 1 and text.isupper() else found


def _own(word: TypedWord) -> Iterator[str]:
    return (said for said in word.translations if said not in word.spellings)


def _split(text: str) -> tuple[str, ...]:
    return tuple(word.strip().lower() for word in text.replace("،", ",").split(",") if word.strip())


# -- words that are no answer: one closed table, and near misses ---------------------------


PROGRAM = "kotp2p"
MIN_LETTERS_OF_MISS = 3
"""A shorter word is similar to too many others."""
MAX_WORDS_OF_COMMAND = 2
"""More are a sentence, in which the first word means nothing by itself."""
LIKENESS = 0.74
"""The similarity of a misspelling, as `difflib` counts it. The first letter must be right."""

SAME_AS: Mapping[str, str] = MappingProxyType({
    "stat": "state", "stats": "state", "status": "state", "score": "state", "scores": "state",
    "board": "state", "table": "state", "monsters": "state",
    "market": "shop", "prices": "shop",
    "players": "who", "history": "log",
    "rule": "rules", "manual": "rules", "tutorial": "coach",
    "goal": "rules win", "aim": "rules win", "win": "rules win", "points": "rules points",
    "tokyo": "rules tokyo", "hearts": "rules hearts", "energy": "rules energy",
    "claws": "rules claws", "claw": "rules claws", "tokens": "rules tokens",
    "man": "help", "commands": "help", "hilfe": "help", "aide": "help",
})  # fmt: skip

_OF_THE_LOBBY = N_("{word} is for the lobby; this game has begun.")
_BY_ITSELF = N_("Dice do that by themselves when they count. What they do: rules claws.")
_ENTER = N_("Press the Enter key alone for that. On an empty line it goes on, or gives advice.")
_KEEP = N_("Type the faces that you keep, such as 33c; all other dice are rolled. 0 rolls all.")
_FINAL = N_("What is done cannot be taken back.")

EXPLAINED: Mapping[str, str] = MappingProxyType({
    **dict.fromkeys((
        "start", "remove", "move", "open", "copy", "keys", "name", "monster", "ready",
    ), _OF_THE_LOBBY),
    **dict.fromkeys(("attack", "fight"), _BY_ITSELF),
    **dict.fromkeys(("enter", "next", "continue", "end", "hint", "advice", "ok", "okay"), _ENTER),
    **dict.fromkeys(("roll", "reroll", "keep"), _KEEP),
    "undo": _FINAL,
    "save": N_("Every move is saved at once. Ctrl-C stops for now: you can go on later."),
    "chat": N_("say WORDS sends a line to everyone at the table."),
    "buy": N_("Cards are bought at the end of your turn; shop shows them."),
})  # fmt: skip

_OF_THE_GAME = N_("{word} is for the game, which has not begun yet.")


def known_line(text: str) -> str | None:
    """Return the line that `text` stands for, or None if it stands for itself."""
    word, _space, rest = text.strip().lower().partition(" ")
    if word == PROGRAM and rest:
        return rest.strip()
    found = SAME_AS.get(word)
    if found is None or (rest and " " in found):
        return None
    return f"{found} {rest}".strip()


def explain_word(text: str) -> str:
    """Explain a word that does nothing here; empty if it is not known."""
    word = text.strip().lower().partition(" ")[0]
    return _(EXPLAINED[word], word=word) if word in EXPLAINED else ""


def explain_early_word(text: str, game_words: Iterable[str]) -> str:
    """Explain a word that does nothing in the lobby; empty if it is not known."""
    word = text.strip().lower().partition(" ")[0]
    return _(_OF_THE_GAME, word=word) if word in game_words else ""


def suggest_word(text: str, commands: Iterable[str]) -> str:
    """Name the most similar known word in a sentence; empty if none is similar."""
    word = text.strip().lower().partition(" ")[0]
    if len(word) < MIN_LETTERS_OF_MISS or not word.isalpha():
        return ""
    if len(text.split()) > MAX_WORDS_OF_COMMAND:
        return ""
    here = tuple(commands)
    others = {one: meant for one, meant in SAME_AS.items() if meant.partition(" ")[0] in here}
    known = {**dict.fromkeys((*here, *EXPLAINED), ""), **others}
    alike = [one for one in known if one[0] == word[0]]
    near = difflib.get_close_matches(word, alike, n=1, cutoff=LIKENESS)
    if not near:
        return ""
    if near[0] in EXPLAINED and near[0] not in here:
        return explain_word(near[0])
    return _("{text} is not understood. Did you mean {word}?", text=text.strip(),
             word=known[near[0]] or near[0])  # fmt: skip


# -- letters that look like those of ASCII, as they are typed by another keyboard ----------
#
# Full-width signs, and the letters of other scripts that look like Latin ones: `с` of Cyrillic for
# `c`. A word with any other letter of its script is a word of that script, and stays.


CYRILLIC = "асеоріѕјхувԁһӏкмтнАВСЕНІЈКМОРЅТХУ"
LATIN_OF_CYRILLIC = "aceopisjxybdhlkmthABCEHIJKMOPSTXY"
GREEK = "οαικνρυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"
LATIN_OF_GREEK = "oaikvpuxABEZHIKMNOPTYX"
_LATIN = str.maketrans(CYRILLIC + GREEK, LATIN_OF_CYRILLIC + LATIN_OF_GREEK)


def plain_letters(text: str) -> str:
    return " ".join(map(_plain_word, text.split(" ")))


def plain_first_word(text: str) -> str:
    """Make the first word plain, unless it begins with a sign such as `/`."""
    word, space, rest = text.strip().partition(" ")
    is_sign = word[:1].isascii() and not word[:1].isalnum()
    return f"{word if is_sign else _plain_word(word)}{space}{rest}"


def _plain_word(word: str) -> str:
    if word.isascii():
        return word
    found = "".join(map(_half_width, word)).translate(_LATIN)
    return found if found.isascii() else word


def _half_width(sign: str) -> str:
    is_full = unicodedata.east_asian_width(sign) == "F"
    return unicodedata.normalize("NFKC", sign) if is_full else sign
