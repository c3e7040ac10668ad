"""What is typed in the reader's language means the same as in English, and nothing else."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest

from kotp2p.cli.ask.dialogue import question_for
from kotp2p.cli.ask.question import Give, Question, Refuse
from kotp2p.cli.ask.standing_orders import Orders, parse_orders
from kotp2p.cli.extras.replay.player import QUERIES
from kotp2p.cli.system.languages import speak
from kotp2p.cli.system.options import Speed
from kotp2p.cli.text import i18n
from kotp2p.cli.text import typed_words as words
from kotp2p.cli.text.player_rules import name_with_english
from kotp2p.cli.ui import player_commands
from kotp2p.cli.ui.line_player import GAME_WORDS, LOBBY_WORDS, WORDS_ANYWHERE
from kotp2p.cli.ui.notice_feed import Audience, NoticeFeed
from kotp2p.cli.ui.player_commands import answer_speed
from kotp2p.cli.ui.screen.pages import list_commands
from kotp2p.cli.ui.shown_game import PresentationQueue
from kotp2p.cli.wing import take_default
from kotp2p.referee.box.rulesets import SECOND
from kotp2p.referee.model.answers import Answer, Reroll, Stay, Stop, Yield
from kotp2p.referee.model.decisions import BuyDecision, Decision, RollDecision, YieldDecision
from kotp2p.seams.notices import LobbyChanged, LobbySeat
from tests.support import local_game
from tests.support.laid_decisions import dice, table
from tests.support.pseudo import Toy
from tests.tools.catalogues import languages

ANA = LobbySeat("Ana", "Gigazaur", b"a", False, True, ready=True)
SAID = {
    "typed: stay in Tokyo": "r, resta",
    "typed: leave Tokyo": "v, via",
    "typed: yes": "o, sì",
    "typed: stop rolling, or end something": "f, fine",
    "typed letter: heart": "ق, قلب",
    "typed letter: claw": "چ، چنگال",
    "typed letter: energy": "f, fulmine",
    "typed letter: first card or monster": "ا",
    ("command", "state"): "stato",
    ("command", "leave"): "via",
    ("command", "ready"): "pronto",
    ("command", "not"): "non",
    ("command", "speed"): "velocità",
    ("typed behind orders", "yield"): "lascia",
    ("typed behind orders", "off"): "annulla",
    ("typed behind coach", "off"): "basta",
    ("typed behind speed", "fast"): "rapida, veloce",
}


@pytest.fixture
def toy() -> None:
    i18n.use_catalogue(Toy(SAID), "xx")


def answer(decision: Decision, line: str) -> Answer | None:
    found = question_for(table(rolled="33CHB1"), decision, take_default).reply(line)
    return found.answer if isinstance(found, Give) else None


@pytest.mark.parametrize(
    ("line", "expected"),
    [("r", Stay()), ("Resta", Stay()), ("s", Stay()), ("v", Yield()), ("via", Yield()),
     ("l", Yield()), ("yield", Yield())],
)  # fmt: skip
def test_words_of_the_language_and_english_answer(toy: None, line: str, expected: Answer) -> None:
    assert answer(YieldDecision(0, 1), line) == expected


def test_faces_are_typed_in_the_letters_and_digits_of_the_language(toy: None) -> None:
    decision = RollDecision(0, dice("33CHB1"), 2)
    wanted = answer(decision, "33c")
    assert isinstance(wanted, Reroll)
    for line in ("۳۳چ", "33چ", "۳ ۳ چنگال", "33 claw", "3*چ"):
        assert answer(decision, line) == wanted, line
    assert answer(decision, "ق") == answer(decision, "h") != wanted
    assert answer(decision, "fine") == answer(decision, "f") == answer(decision, "d") == Stop()


def test_a_capital_letter_of_the_language_keeps_all_of_its_face(toy: None) -> None:
    assert words.letters_in_english("F", words.FACES) == "E"
    assert words.letters_in_english("f", words.FACES) == "e"
    assert words.letters_in_english("33F", words.FACES) == "33E"
    assert words.letters_in_english("Fulmine", words.FACES) == "e"


def test_a_card_for_sale_is_picked_by_a_letter_of_the_language(toy: None) -> None:
    view = table()
    decision = BuyDecision(0, (), True, True, True)
    question = question_for(view, decision, take_default)
    assert question.in_english("ا") == "a"
    assert question.in_english("buy ا") == "buy a"
    assert question.in_english("Wings") == "Wings"
    assert isinstance(question.reply("zz"), Refuse)


def test_yes_after_the_game(toy: None) -> None:
    assert [player_commands.read_answer(line) for line in ("o", "sì", "Y", "n", "x")] == [
        True, True, True, False, None,
    ]  # fmt: skip


def test_commands_are_understood_in_the_language(toy: None) -> None:
    assert words.words_in_english("stato Rex", words.COMMANDS) == "state Rex"
    assert words.words_in_english("Stato", words.COMMANDS) == "state"
    assert words.words_in_english("state", words.COMMANDS) == "state"
    assert words.words_in_english("statone", words.COMMANDS) == "statone"


def test_orders_are_given_in_the_language(toy: None) -> None:
    given = parse_orders("lascia 3")
    assert given == parse_orders("yield 3") == Orders(yield_at=3)
    assert isinstance(given, Orders)
    assert parse_orders("lascia annulla", given) == Orders()
    assert parse_orders("annulla", given) == Orders()
    refusal = parse_orders("lascia x", given)
    assert isinstance(refusal, str) and "orders lascia" in refusal


def test_the_speed_is_chosen_in_the_language(toy: None) -> None:
    pace = PresentationQueue[object](Speed.NORMAL)
    said = answer_speed("speed veloce", pace, can_type=True)
    assert said is not None and "velocità rapida" in said[0]
    off = player_commands.Coaching().read_line
    assert off("coach basta") == off("coach off") != []
    assert pace.speed is Speed.FAST


def test_a_mark_is_taken_back_in_the_language(toy: None) -> None:
    here, orders = LobbyChanged((ANA,), 0, "second"), local_game.Orders()
    line = words.words_in_english("non pronto", words.COMMANDS)
    player_commands.do_command(line, here, orders, player_commands.StartQuestion())
    assert orders.given == ["not ready"]


def test_the_list_of_commands_is_in_the_language(toy: None) -> None:
    feed = NoticeFeed(Audience())
    feed.tell_notice(LobbyChanged((ANA,), 0, "second"))
    lines = [entry.line for entry in list_commands(feed)]
    assert "non pronto" in lines and "via" in lines


def test_every_command_has_its_message() -> None:
    known = {word.english for word in words.COMMANDS}
    assert {*GAME_WORDS, *LOBBY_WORDS, *WORDS_ANYWHERE} - {"?"} <= known


def kinds_of_question(kind: type = Question) -> Iterator[Any]:
    one: type
    for one in kind.__subclasses__():
        yield one
        yield from kinds_of_question(one)


def clashes(group: tuple[words.TypedWord, ...]) -> list[str]:
    """What would mean two things at once."""
    return [
        said
        for one, other in combinations(dict.fromkeys(group), 2)
        for said in {*one.spellings, *one.translations} & {*other.spellings, *other.translations}
    ]


@pytest.mark.parametrize("code", ["en", *languages()])
def test_nothing_that_is_typed_means_two_things_at_one_question(code: str) -> None:
    speak(code)
    for kind in kinds_of_question():
        typed: tuple[words.TypedWord, ...] = kind.typed_words
        letters: tuple[words.TypedWord, ...] = kind.typed_letters
        assert clashes((*typed, *letters, *words.EVERYWHERE)) == [], f"{code}: {kind.__name__}"
    assert clashes(words.COMMANDS) == [], code
    assert clashes((words.YES, words.NO)) == [], code
    assert clashes(words.ORDERS) == [], code
    assert clashes(words.SPEEDS) == [], code
    assert clashes(words.TOPICS_OF_RULES) == [], code
    queries = tuple(word for word in words.COMMANDS if word.english in QUERIES)
    assert clashes((*words.REPLAY, *queries)) == [], code
    behind = (words.RECORD, words.HOME, words.END)
    assert clashes(behind) == [], code
    assert clashes((words.GO, words.RECORD)) == [], code


def test_a_card_is_looked_up_with_its_english_name_behind_that_of_the_language(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    card = next(card for card in SECOND.cards if card.name == "Wings")
    assert name_with_english(card) == "Wings"
    monkeypatch.setitem(SAID, "card name", "Ali")
    monkeypatch.setattr(i18n, "_catalogue", Toy(SAID))
    assert name_with_english(card) == "Ali (Wings)"
