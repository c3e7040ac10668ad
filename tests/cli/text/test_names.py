"""What players are called in sentences, so that no name makes one lie."""

import gettext
from dataclasses import replace

import pytest

from kotp2p.cli.text import i18n, names
from kotp2p.cli.text.names import place_name
from kotp2p.cli.text.players import name_in_sentence, names_in_sentences
from kotp2p.referee.box.rulesets import CLASSIC, SECOND, Options
from kotp2p.referee.game import Game
from kotp2p.referee.model.state import Place
from tests.support.local_game import new_view

DECEIVING = ["Ana and Rex", "Rex or Ana", "Ana has left", "not Rex", "Ana Maria", "Salt and Rock"]
HONEST = ["rex 2", "Rex 3", "Kid", "Mia-Lou", "O'Neil", "Andy", "Hanna", "Mia Lou"]
"""Also numbered ones, as hosts give them."""


@pytest.fixture(autouse=True)
def no_other_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is remembered is of one language."""
    names_in_sentences.cache_clear()
    monkeypatch.setattr(i18n, "_catalogue", gettext.NullTranslations())


@pytest.mark.parametrize("name", [*DECEIVING, *HONEST])
def test_a_name_that_reads_as_something_else_stands_in_quotation_marks(name: str) -> None:
    shown = f'"{name}"' if name in DECEIVING else name
    assert names_in_sentences(("Ana", "Rex", name)) == ("Ana", "Rex", shown)


def test_words_of_another_language_count_for_its_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """The protocol knows the English ones only."""
    own_words = "nobody, everyone, everybody, someone, somebody, anyone, anybody, you, your"
    words = {own_words: "nessuno, tutti, tu", "{first} and {last}": "{first} e {last}"}

    class Italian(gettext.NullTranslations):
        def gettext(self, message: str) -> str:
            return words.get(message, message)

    lines = ["Nessuno", "tutt1 gli altri", "Pia e Ugo"]
    assert [name_in_sentence(name) for name in lines] == lines
    names_in_sentences.cache_clear()
    monkeypatch.setattr(i18n, "_catalogue", Italian())
    assert [name_in_sentence(name) for name in lines] == [f'"{name}"' for name in lines]
    assert name_in_sentence("Ugo") == "Ugo"
    names_in_sentences.cache_clear()


def test_a_player_is_called_so_in_the_story() -> None:
    view = new_view()
    first, second, *_rest = view.players
    both = replace(second, name=f"{first.name} and others")
    view = replace(view, players=(first, both, *view.players[2:]))
    assert names.player_name(view, 0) == first.name
    assert names.player_name(view, 1) == f'"{first.name} and others"'


def test_a_number_does_not_hide_the_name_of_another_player() -> None:
    assert names_in_sentences(("Ana", "Rex", "Mia Rex 2"))[2] == '"Mia Rex 2"'


@pytest.mark.parametrize(
    ("seats", "options", "place"),
    [
        (4, Options(), "in Tokyo"), (5, Options(), "in Tokyo City"),
        (6, Options(), "in Tokyo City"),
        (6, Options(bay_for_beginners=True), "in Tokyo"), (2, Options(two_player=True), "in Tokyo"),
    ],
)  # fmt: skip
def test_tokyo_has_a_bay_only_where_one_can_be(seats: int, options: Options, place: str) -> None:
    rules = CLASSIC if options.bay_for_beginners else SECOND
    view = new_view(seats, rules)
    view.game = Game(replace(view.game.setup, options=options))
    assert place_name(view, Place.CITY) == place
    assert place_name(view, Place.OUTSIDE) == "outside Tokyo"
