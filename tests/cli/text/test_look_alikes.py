"""What looks like an answer is taken for it; words of other scripts, names and chat stay."""

import pytest

from kotp2p.cli.ask.dialogue import question_for
from kotp2p.cli.ask.dice import spell_out_faces
from kotp2p.cli.ask.question import Give
from kotp2p.cli.text import typed_words
from kotp2p.extras.bots import advise
from kotp2p.referee.model.answers import Reroll, Stay
from kotp2p.referee.model.decisions import RollDecision, YieldDecision
from tests.support.laid_decisions import dice, table

ROLLED = "33CHB1"


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


def test_full_width_and_cyrillic_letters_answer() -> None:
    view = table(rolled=ROLLED)
    roll = question_for(view, RollDecision(0, dice(ROLLED), 2), advise)
    assert roll.reply("３３с") == Give(Reroll((3, 4, 5)))
    assert spell_out_faces("３с", dice(ROLLED)) == "3c"
    assert question_for(view, YieldDecision(0, 1), advise).reply("ｓ") == Give(Stay())
