"""Words that are no answer: each is understood or explained, and a slip is named."""

import pytest
import trio
import trio.testing

from kotp2p.cli.ask.dialogue import question_for
from kotp2p.cli.ask.dice import spell_out_faces
from kotp2p.cli.ask.question import Give
from kotp2p.cli.text import typed_words
from kotp2p.cli.ui import line_player
from kotp2p.extras.bots import advise
from kotp2p.referee.model.answers import Reroll, Stay
from kotp2p.referee.model.decisions import BuyDecision, Decision, RollDecision, YieldDecision
from kotp2p.seams.notices import GameStarted, LobbyChanged, LobbySeat
from tests.support.laid_decisions import dice, table
from tests.support.local_game import Orders, piped, said

ROLLED = "33CHB1"
ROLL = RollDecision(0, dice(ROLLED), 2)
PROMPTS: tuple[Decision, ...] = (ROLL, YieldDecision(0, 1), BuyDecision(0, (), True, True, True))
COMMANDS = ("rules", "goal", "stat", "score", "help", "cards", "tokyo", "start")


async def replies(decision: Decision, *lines: str) -> tuple[list[str], object]:
    """What each line is answered with, and the answer to the decision, if there was one."""
    front = piped()
    view = table(rolled=ROLLED)
    front.attach(Orders())
    front.show(GameStarted(view))
    answer: list[object] = []

    async def ask() -> None:
        answer.append(await front.decide(view, decision))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask)
        await trio.testing.wait_all_tasks_blocked()
        before = len(said(front))
        for line in lines:
            front.read_line(line)
            await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    return said(front)[before:], answer[0] if answer else None


@pytest.mark.parametrize("decision", PROMPTS, ids=lambda decision: decision.kind)
@pytest.mark.parametrize("word", COMMANDS)
async def test_a_command_of_elsewhere_is_taken_or_explained(decision: Decision, word: str) -> None:
    lines, answer = await replies(decision, word)
    assert answer is None
    text = " ".join(lines)
    for refusal in ("not a face", "names no dice", "not an answer", "not for sale", "Nothing is"):
        assert refusal not in text
    assert len(lines) > 2  # the echo, something about the word, the prompt


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("goal", "You win with 20 points"),
        ("score", "Ana (you), Gigazaur"),
        ("cards", "For sale:"),
        ("kotp2p rules win", "You win with 20 points"),
        ("start", "start is for the lobby"),
        ("ruels", "Did you mean rules?"),
        ("shpo", "Did you mean shop?"),
        ("statt", "Did you mean state?"),
        ("adjorn", "Did you mean adjourn?"),
        ("scoer", "Did you mean state?"),
        ("hello", "hello names no dice."),
        ("what is a coach", "what is a coach names no dice."),
    ],
)
async def test_what_a_word_leads_to(word: str, told: str) -> None:
    lines, answer = await replies(ROLL, word)
    assert answer is None
    assert told in " ".join(lines)


async def test_an_answer_is_read_before_any_word() -> None:
    _lines, answer = await replies(ROLL, "3ec")
    assert isinstance(answer, Reroll)
    for word in (*typed_words.SAME_AS, *typed_words.EXPLAINED):
        assert not set(word) <= set("123hebc"), word


async def test_a_word_when_nothing_is_asked() -> None:
    front = piped()
    front.attach(Orders())
    front.show(GameStarted(table(rolled=ROLLED)))
    for word in ("goal", "ruels", "xyzzy"):
        front.read_line(word)
    text = " ".join(said(front))
    assert "You win with 20 points" in text
    assert "Did you mean rules?" in text
    assert "Nothing is asked of you now" in text


def test_words_in_the_lobby() -> None:
    front = piped()
    front.attach(Orders())
    ana = LobbySeat("Ana", "Gigazaur", b"a", bot=False, host=True)
    front.show(LobbyChanged((ana, None), 0, "second"))
    for word in ("rules win", "shop", "strat", "bot"):
        front.read_line(word)
    text = " ".join(said(front))
    assert "You win with 20 points" in text
    assert "shop is for the game, which has not begun yet." in text
    assert "Did you mean start?" in text


def test_the_table_of_words_is_closed_and_leads_to_what_exists() -> None:
    known = {*line_player.GAME_WORDS, *line_player.WORDS_ANYWHERE, "coach"}
    for word, meant in typed_words.SAME_AS.items():
        assert word not in known, word
        assert meant.partition(" ")[0] in known, meant
    assert not set(typed_words.SAME_AS) & set(typed_words.EXPLAINED)
    assert not known & set(typed_words.EXPLAINED)


# -- letters that look alike --------------------------------------------------------------


def test_each_look_alike_has_its_letter() -> None:
    assert len(typed_words.CYRILLIC) == len(typed_words.LATIN_OF_CYRILLIC)
    assert len(typed_words.GREEK) == len(typed_words.LATIN_OF_GREEK)
    assert len(set(typed_words.CYRILLIC + typed_words.GREEK)) == len(
        typed_words.CYRILLIC + typed_words.GREEK
    )


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("ｄ", "d"), ("３３ｃ", "33c"), ("с", "c"), ("3с", "3c"), ("һ3 е", "h3 e"), ("Ｈ", "H"),
        ("привет", "привет"), ("ذ", "ذ"), ("é", "é"), ("sì", "sì"), ("", ""),
    ],
)  # fmt: skip
def test_a_line_of_look_alikes_is_read_as_ascii(typed: str, meant: str) -> None:
    assert typed_words.plain_letters(typed) == meant


def test_only_the_first_word_of_a_command_is_read_so() -> None:
    assert typed_words.plain_first_word("ｓａｙ Оса ｄ") == "say Оса ｄ"
    assert typed_words.plain_first_word("name Оса") == "name Оса"
    assert typed_words.plain_first_word("/Оса ｄ") == "/Оса ｄ", "what follows a sign is no command"
    assert typed_words.plain_first_word("33с") == "33c"


def test_full_width_and_cyrillic_letters_answer() -> None:
    view = table(rolled=ROLLED)
    roll = question_for(view, RollDecision(0, dice(ROLLED), 2), advise)
    assert roll.reply("３３с") == Give(Reroll((3, 4, 5)))
    assert spell_out_faces("３с", dice(ROLLED)) == "3c"
    assert question_for(view, YieldDecision(0, 1), advise).reply("ｓ") == Give(Stay())
