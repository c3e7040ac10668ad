"""A question is short: the words below the dice are counted over played games, in each language,
and the log keeps its rows."""

import pytest

from bench.whole_game import play
from kotp2p.cli.ask.dialogue import Explained, QuestionDialogue, question_for
from kotp2p.cli.ask.question import Confirm
from kotp2p.cli.extras.advice import coach
from kotp2p.cli.system.languages import speak
from kotp2p.cli.ui.screen.controls import DrawnTable, seat_screen_player
from kotp2p.cli.ui.screen.draw import draw_key_row, draw_screen
from kotp2p.cli.ui.screen.table_status import count_words, most_words, shorten
from kotp2p.cli.ui.screen.theme import Row
from kotp2p.extras import bots
from kotp2p.extras.bots import Noise
from kotp2p.referee.box.rulesets import DARK, SECOND, RuleSet, Setup
from kotp2p.referee.game import Game
from kotp2p.referee.model.answers import Answer, Item
from kotp2p.referee.model.decisions import Decision
from kotp2p.seams.notices import GameStarted, SeatView
from tests.support.laid_decisions import one_of_each_decision
from tests.support.local_game import new_view

LANGUAGES = ("en", "fr", "it", "nl", "pt-BR", "fa")
MOST_OF_COACH = 30
TITLE_ROW, KEY_ROW = 19, 24
"""At 80x24, counted from 1."""


def text_of(rows: list[Row]) -> str:
    return " ".join("".join(part for _style, part in row) for row in rows)


def seat(view: SeatView) -> DrawnTable:
    table = seat_screen_player(bots.advise)
    table.player.show(GameStarted(view))
    return table


class Reader:
    """Looks at each decision of seat 0 of a game, and at the advice."""

    def __init__(self, view: SeatView, *, has_coach: bool = False) -> None:
        self.view = view
        self.table = seat(view)
        self.has_coach = has_coach
        self.asked: list[tuple[str, int]] = []
        """The kind of each question, and its words below the dice."""
        self.log_rows: list[int] = []
        self.coached: list[int] = []
        self.lines: set[str] = set()
        """All lines of the questions."""

    def look(self, decision: Decision) -> None:
        asking = QuestionDialogue(question_for(self.view, decision, bots.advise), Explained())
        if self.has_coach:
            said = coach(self.view, decision, asking.question.advice())
            asking.coach = " ".join(said)
            self.coached.append(count_words(asking.coach))
        self.table.player.state.asking = asking
        self.table.screen.put_question(asking.first_lines(), new=True)
        self._count(asking)
        lines = asking.read_line("")
        if asking.answer is None:
            self.table.screen.put_question(lines, new=True)
            self._count(asking)
        self.table.player.state.asking = None

    def _count(self, asking: QuestionDialogue) -> None:
        screen = self.table.screen
        rows = draw_screen(screen, 80, 22)
        title = text_of([rows[TITLE_ROW - 1]])
        assert screen.heading in title, "\n".join(text_of([row]) for row in rows)
        self.lines.update(screen.prompt.lines)
        below = "".join([screen.heading, " ", *(f"{line} " for line in screen.prompt.lines)])
        keys = text_of([draw_key_row(screen, 80)])
        if not isinstance(asking.waiting, Confirm):
            self.asked.append((asking.question.decision.kind, count_words(below + keys)))
        self.log_rows.append(screen.log.height)

    def answer(self, game: Game, decision: Decision, top: Item | None) -> Answer:
        self.view.game, self.view.top = game, top
        self.look(decision)
        return bot(game, decision, top)


def bot(game: Game, decision: Decision, top: Item | None) -> Answer:
    return bots.choose("normal", game, decision, Noise(), top)


def watch_game(rules: RuleSet, seats: int, *, has_coach: bool = False) -> Reader:
    reader = Reader(new_view(seats, rules), has_coach=has_coach)
    setup = Setup(rules, seats, rules.deck())
    players = [reader.answer, *(seats - 1) * [bot]]
    play(setup, players, Noise(f"few words {seats}".encode()))
    return reader


@pytest.mark.parametrize(
    ("code", "rules", "seats"),
    [("en", DARK, 4), ("fr", DARK, 4), *((code, SECOND, 6) for code in LANGUAGES)],
)
def test_questions_of_a_game_are_in_few_words_and_none_ends_in_its_middle(
    code: str, rules: RuleSet, seats: int
) -> None:
    speak(code)
    reader = watch_game(rules, seats)
    assert most_words() == (45 if code == "en" else 55)
    assert [one for one in reader.asked if one[1] > most_words()] == []
    assert len({kind for kind, _words in reader.asked}) >= 3
    assert len(reader.lines) > 50
    assert [line for line in reader.lines if ".." in line or line.endswith((",", ":"))] == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_kind_of_question_has_more_words(code: str) -> None:
    speak(code)
    for view, decision in one_of_each_decision():
        reader = Reader(view)
        reader.look(decision)
        assert [one for one in reader.asked if one[1] > most_words()] == []


@pytest.mark.parametrize(("seats", "fewest"), [(2, 8), (4, 8), (5, 6)])
def test_the_log_keeps_its_rows_at_80x24(seats: int, fewest: int) -> None:
    assert min(watch_game(SECOND, seats).log_rows) >= fewest


def test_beside_the_coach_the_log_has_three_rows_and_the_coach_few_words() -> None:
    for rules in (SECOND, DARK):
        reader = watch_game(rules, 4, has_coach=True)
        assert min(reader.log_rows) >= 3
        assert max(reader.coached) <= MOST_OF_COACH


def test_what_has_no_room_is_left_out_by_whole_clauses_and_the_key_that_shows_it_is_named() -> None:
    lines = ["One, two, three.", "Four five six, seven, eight nine ten.", "Ten."]
    assert shorten(lines, 11) == lines
    assert shorten(lines, 10) == lines[:2]
    assert shorten(lines, 9) == [*lines[:1], "Four five six, and more: type ?."]
    assert shorten(lines, 8) == ["One, two, three, and more: type ?."]
    assert shorten(lines, 4) == lines[:1]
    assert shorten(lines, 2) == []
