"""Whole games against bots in each language, played by a script as a person there types:
`python -m tests.tools.spoken_games`, or with the codes of some languages behind it.

Scope: the real program on a terminal, line by line. The script knows the questions from the
catalogue, and answers them with the letters, words and commands that stand there. A game is good if
it comes to its end, its log is sound, no answer was refused, and no line has a word that only
English messages have.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from kotp2p.cli.system.languages import list_languages, speak
from kotp2p.cli.text import i18n, names
from kotp2p.cli.text.typed_words import (
    ADVICE,
    COMMANDS,
    DONE,
    FACES,
    NO,
    STAY,
    SWEEP,
    TOPICS_OF_RULES,
    YES,
    YIELD,
    TypedWord,
    own_command,
    own_letter_of_face,
    own_word,
)
from kotp2p.game.verify import Result, verify_log
from kotp2p.referee.model.answers import Face
from tests.support.english_words import FIELD, find_english
from tests.support.person import Person
from tests.support.settings import write_settings

MAX_PROMPTS = 3_000
COLUMNS = 1_000
"""So wide that no line is folded."""
ANSWERS_PER_COMMAND = 2
ASKED_FOR = ("state", "shop", "cards", "dice", "who", "log", "rules", "orders", "since", "speed",
             "help")  # fmt: skip
KEEP_DICE = ("Keep which? 0 rolls all, d stops, Enter for advice.",)
ROLLED = "Your roll {n} of {most}: {dice}. Worth {worth}."
NO_ROLL_LEFT = "No rolls left: d or Enter goes on."
STAY_OR_LEAVE = "s stays in Tokyo, l leaves, Enter for advice."
BUY = "Do you buy {letters}?"
BUY_NONE = "You can buy none of them."
SWEEP_FOR = "r pays {energy} for new cards."
CONFIRM = "y does it, Enter goes back."
PROPOSED = "Enter does it."
ANOTHER = "Another game against the same bots? y plays it, n or Enter ends."
REFUSALS = (
    "{text} names no dice. Faces are 1 2 3 h e c; d stops, ? shows help.",
    "{sign} is not a face. Faces are 1 2 3 h e c; d stops, ? shows help.",
    "That names no dice: type the faces to keep, or 0 to roll all dice.",
    "None of your dice shows: {face}.",
    "{text} is not an answer; type s to stay in Tokyo or l to leave it.",
    "{text} is not for sale; type {keys}, or n to end your turn.",
    "{text} is not understood. Did you mean {word}?",
    "Type y to do it, or press Enter to go back.",
    "No topic of the rules is called {topic}.",
    "That is neither y nor n.",
)


def pattern_of(message: str) -> re.Pattern[str]:
    """What the translated sentence looks like with its fields filled in."""
    text = i18n.plain_message(message)
    parts = [re.escape(part) for part in FIELD.split(text)]
    fields = [f"(?P<{name[1:-1]}>.+?)" for name in FIELD.findall(text)]
    return re.compile("".join(a + b for a, b in zip(parts, [*fields, ""], strict=True)))


def find_fields(message: str, text: str) -> Mapping[str, str] | None:
    """What fills the fields of the last such sentence; None if the text has none."""
    found = list(pattern_of(message).finditer(text))
    return found[-1].groupdict() if found else None


@dataclass
class Speaker:
    """Reads what a player is shown and types in their language."""

    chooser: Random
    commands: Iterator[str] = field(default_factory=lambda: iter(list_commands()))
    typed: Counter[str] = field(default_factory=Counter)
    """How often each line of the language was typed."""
    answers: int = 0

    def answer(self, text: str) -> str:
        """The line for what stands before the prompt."""
        line = self._answer(text)
        self.typed[line] += bool(line)
        return line

    def _answer(self, text: str) -> str:
        if find_fields(CONFIRM, text) is not None:
            return self._say(YES)
        if find_fields(ANOTHER, text) is not None:
            return self._say(NO)
        if find_fields(PROPOSED, text) is not None:
            return ""
        self.answers += 1
        if self.answers % ANSWERS_PER_COMMAND == 0:
            command = next(self.commands, "")
            if command:
                return command
        return self._answer_question(text)

    def _answer_question(self, text: str) -> str:
        if any(find_fields(message, text) is not None for message in KEEP_DICE):
            return self._keep_dice(text)
        if find_fields(NO_ROLL_LEFT, text) is not None:
            return self._say(DONE)
        if find_fields(STAY_OR_LEAVE, text) is not None:
            return self._say(self.chooser.choice((STAY, YIELD)))
        offered = find_fields(BUY, text)
        if offered is not None:
            return offered["letters"][0]
        if find_fields(BUY_NONE, text) is not None:
            can_sweep = find_fields(SWEEP_FOR, text) is not None
            return self._say(SWEEP if can_sweep else NO)
        return self._say(ADVICE)

    def _keep_dice(self, text: str) -> str:
        """The most frequent face, by its letter or by its name."""
        rolled = find_fields(ROLLED, text)
        if rolled is None:  # the question comes again behind something else
            return self._say(ADVICE)
        faces = {names.face(face): face for face in Face}
        shown = re.split(r"\W+", rolled["dice"])
        name, count = Counter(shown).most_common(1)[0]
        letter = own_letter_of_face(faces[name])
        if letter.isdigit():
            return self.chooser.choice((letter, i18n.number(letter))) * count
        word = next(word for word in FACES if word.translations[0] == letter)
        return " ".join([self._say(word)] * count)

    def _say(self, word: TypedWord) -> str:
        """One of the ways to say it; each of them is understood."""
        return self.chooser.choice(word.translations)


def list_commands() -> list[str]:
    """All that ask for something, with what may be typed behind one of them."""
    found = [said for word in COMMANDS if word.english in ASKED_FOR for said in word.translations]
    rules = own_command("rules")
    return [*found, *(f"{rules} {own_word(word.english, TOPICS_OF_RULES)}" for word in
                      TOPICS_OF_RULES if word.english != "wickedness")]  # fmt: skip


def play(code: str, folder: Path, seed: int) -> list[str]:
    """What is wrong with a game in this language; nothing if all is well."""
    speak(code)
    ana = Person(folder / "ana", "solo", "--lang", code, "--name", "Ana", "--bots", "2",
                 columns=COLUMNS)  # fmt: skip
    speaker = Speaker(Random(seed))
    for _prompt in range(MAX_PROMPTS):
        text = ana.prompted()
        if text is None:
            break
        ana.type(speaker.answer(text))
    else:
        ana.child.close(force=True)
        return [f"no end after {MAX_PROMPTS} prompts"]
    (folder / "said.txt").write_text(ana.said, encoding="utf-8")
    lines = ana.said.splitlines()
    status = ana.ended()
    wrong = [f"exit code {status}"] if status else []
    if verify_log(ana.log().read_bytes()).result is not Result.SOUND:
        wrong.append("the log is not sound")
    refusals = [pattern_of(message) for message in REFUSALS]
    wrong += [f"refused: {line}" for line in lines if any(p.search(line) for p in refusals)]
    wrong += [f"English: {line}" for line in find_english(lines, code)]
    print(f"{code}: {len(lines)} lines, {sum(speaker.typed.values())} typed,"
          f" {len(speaker.typed)} different: {' '.join(sorted(speaker.typed))}")  # fmt: skip
    return wrong


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("codes", nargs="*", default=[c for c in list_languages() if c != "en"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="an empty one, which keeps what was said")
    wanted = parser.parse_args(words)
    os.environ["KOTP2P_CONFIG"] = write_settings(Path(tempfile.mkdtemp()), bidi="off")
    folder = wanted.folder or Path(tempfile.mkdtemp())
    has_faults = False
    for code in wanted.codes:
        for fault in play(code, folder / code, wanted.seed):
            has_faults = True
            print(f"{code}: {fault}")
    return int(has_faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
