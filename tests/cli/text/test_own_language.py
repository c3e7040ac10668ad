"""Whole games in each language, answered in its own letters and words, as a player there types."""

import random
import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice

import pytest
import trio

from kotp2p.cli.ask.question import Confirm, Give
from kotp2p.cli.system.languages import speak
from kotp2p.cli.text import i18n, names, notices
from kotp2p.cli.text.how_to_join import describe_asking
from kotp2p.cli.text.i18n import without_isolates
from kotp2p.cli.text.typed_words import ADVICE, COMMANDS, YES
from kotp2p.cli.ui.line_player import LinePlayer
from kotp2p.referee.box.rulesets import RULE_SETS
from kotp2p.referee.model.answers import Face
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.notices import AskingByCode
from kotp2p.wire.names import MONSTERS
from tests.support.laid_decisions import ask, one_of_each_decision
from tests.support.local_game import NAMES, Table, new_view, notes, piped, said
from tests.tools.catalogues import languages, path_of, read_catalogue, template

FIELD = re.compile(r"\{[^{}]*\}")
WORD = re.compile(r"[^\W\d_]{2,}")
NO_SENTENCES = re.compile(
    r"kotp2p [\w -]+|--[\w-]+|\S*\.kotlog|\b[0-9a-z]{4}(-[0-9a-z]{4}){3}\b|[\w-]+(-[\w]+){3}"
)
"""Commands, flags, logs, fingerprints and table phrases. So are words in capitals."""
ECHO = "> "
"""How a line begins that repeats what was typed."""


def find_english(lines: Iterable[str], code: str, names: Iterable[str] = ()) -> list[str]:
    """The lines with words that are in English messages and in none of this language. `names`: what
    is the same in every language."""
    strange = words_of_english_alone(code)
    own = sorted((*MONSTERS, *names), key=len, reverse=True)
    return [line for line in lines if not line.startswith(ECHO) and strange & _words(line, own)]


@cache
def words_of_english_alone(code: str) -> frozenset[str]:
    """In small letters, but the names of the rule sets, which are the same in every language."""
    english, own = set[str](), set[str]()
    for message in template():
        english |= _words_of_forms(message.id)
    for message in read_catalogue(path_of(code)):
        if message.id:
            own |= _words_of_forms(message.string)
    return frozenset(english - own - RULE_SETS.keys())


def _words_of_forms(forms: str | Iterable[str] | None) -> set[str]:
    texts = [forms or ""] if isinstance(forms, str | None) else forms
    return {word for text in texts for word in _words(FIELD.sub(" ", text), ())}


def _words(text: str, names: Iterable[str]) -> set[str]:
    text = NO_SENTENCES.sub(" ", without_isolates(text))
    for name in names:
        text = text.replace(name, " ")
    return {word.lower() for word in WORD.findall(text) if not word.isupper()}


MAX_ANSWERS_TRIED = 40
ASKED_FOR = (
    "state", "shop", "cards", "tiles", "dice", "who", "log", "rules", "orders", "since", "speed",
    "help", "coach",
)  # fmt: skip
"""Commands that change nothing in the game."""
RULES = dict(zip(languages(), ("classic", "second", "dark", "second", "classic"), strict=True))


@pytest.fixture(params=languages())
def code(request: pytest.FixtureRequest) -> Iterator[str]:
    found: str = request.param
    speak(found)
    yield found


class Player:
    """Types what a sound player would do, in their own letters, and asks for all there is."""

    def __init__(self, front: LinePlayer) -> None:
        self.front = front
        self.commands = [word.translations[0] for word in COMMANDS if word.english in ASKED_FOR]
        self.commands += ["?", ADVICE.translations[0]]
        self.refused: list[str] = []
        self.answered = 0

    async def work(self) -> None:
        while True:
            await self.front.prompts.wait_until_wanted("")
            self.front.read_line(self._choose_line())
            await trio.lowlevel.checkpoint()

    def _choose_line(self) -> str:
        asking = self.front.state.asking
        if asking is None:
            return ""
        if isinstance(asking.waiting, Confirm):
            return YES.translations[0]
        if self.commands and self.answered:
            return self.commands.pop()
        question = asking.question
        line: str = question.line_for(question.advice())
        if not isinstance(question.reply(line), Give | Confirm):
            self.refused.append(line)
        self.answered += 1
        return line


async def test_a_whole_game_is_played_and_told_in_the_language(code: str) -> None:
    front = piped()
    game = Table(new_view(3, RULE_SETS[RULES[code]]), front, random.Random(code))
    player = Player(front)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(player.work)
        await game.play()
        nursery.cancel_scope.cancel()
    await front.show_ending(Ending(EndKind.FINISHED, view=game.view))
    assert player.refused == []
    assert player.commands == []
    assert len(game.decided) > 10
    lines = [*said(front), *notes(front)]
    assert len(lines) > 300
    assert find_english(lines, code, (*NAMES, game.view.phrase)) == []


def test_each_answer_of_a_menu_is_understood_as_it_stands_there(code: str) -> None:
    for view, decision in one_of_each_decision():
        question = ask(view, decision)
        for answer in islice(question.offered(), MAX_ANSWERS_TRIED):
            line = question.line_for(answer)
            reply = question.reply(line)
            assert isinstance(reply, Give | Confirm), (line, reply)
            assert question.line_for(reply.answer) == line  # equal dice are one answer


def test_words_of_english_alone_are_found() -> None:
    assert "hearts" in words_of_english_alone("it")
    assert find_english(["Ottieni 2 punti.", "You gain 2 points.", "> leave"], "it") == [
        "You gain 2 points."
    ]
    assert find_english(["Tocca a The King.", "Ana"], "it", ["Ana"]) == []


def test_numbers_are_written_as_the_reader_writes_them() -> None:
    speak("fa")
    assert i18n.decimal(12.5, 1) == "۱۲٫۵"
    assert names.faces((Face.ONE, Face.THREE)) == "۱، ۳"
    assert notices.minutes_and_seconds(65) == "۱:۰۵"
    assert "3150" in describe_asking(AskingByCode(3150, "m"))  # as it stands on the host's screen
    speak("it")
    assert i18n.decimal(12.5, 1) == "12,5"
    speak("en")
    assert i18n.decimal(12.5, 1) == "12.5"
