"""What keys and words do at a recorded game."""

from functools import cache

import pytest

from kotp2p.cli.extras.replay.player import (
    QUERIES,
    SPEEDS,
    ReplayPlayer,
    ReplayWords,
    describe_words,
)
from kotp2p.cli.extras.replay.reel import START
from kotp2p.cli.system.languages import speak
from kotp2p.cli.text import typed_words as words
from kotp2p.cli.text.i18n import in_context
from kotp2p.extras.recording import LogRecording, record_log
from kotp2p.seams.notices import WATCHER
from tests.support.log_bytes import offsets
from tests.support.recorded import golden_log, growing_player_of, player_of
from tests.support.undone_logs import returned_log, undone_log
from tests.tools.catalogues import languages


@pytest.fixture
def player() -> ReplayPlayer:
    return player_of(golden_log("second"))


def say(player: ReplayPlayer, *lines: str) -> list[str]:
    answers: list[str] = []
    for line in lines:
        answers += ReplayWords(player).read_line(line)
    return answers


def test_words_lead_where_they_say(player: ReplayPlayer) -> None:
    reel = player.reel
    say(player, "")
    assert player.place == reel.step(START, 1)
    say(player, "b")
    assert player.place == START
    say(player, "g 14")
    assert player.place == reel.place_of_turn(14)
    say(player, "t")
    assert player.place == reel.place_of_turn(15)
    say(player, "n", "n", "u")
    assert player.place == reel.place_of_turn(15)
    say(player, "u")
    assert player.place == reel.place_of_turn(14)
    say(player, "g r96")
    assert player.place == reel.place_of_record(96)
    say(player, "g 4")
    assert player.place == reel.place_of_turn(4)
    say(player, "G R96")
    assert player.place == reel.place_of_record(96)
    say(player, "end")
    assert player.place == reel.last
    say(player, "home")
    assert player.place == START
    assert player.remark == ""


PLAIN_WORDS = {
    "b": "b", "next": "n", "previous": "p", "turn": "t", "up": "u", "start": "home", "end": "end",
    "go 14": "g 14", "go record 96": "g r96", "pause": "stop", "speed 0,5": "speed 0.5",
    "g14": "g 14", "gr96": "g r96", "speed2": "speed 2",
}  # fmt: skip


@pytest.mark.parametrize(("long", "short"), PLAIN_WORDS.items())
def test_whole_words_do_the_same_as_letters(long: str, short: str) -> None:
    assert state_behind(long) == state_behind(short)


@cache
def whole_log() -> LogRecording:
    return record_log(golden_log("second"))


def state_behind(line: str) -> tuple[object, ...]:
    """What a line comes to in the middle of a game, while it plays from a seat."""
    log = whole_log()
    assert log.recording is not None
    player = ReplayPlayer("game.kotlog", log, log.recording)
    say(player, "g 4", "n", "n", "seat Ana", "play")
    answers = say(player, line)
    return (
        player.place, player.seat, player.speed, player.is_playing, player.has_left,
        player.remark, answers,
    )  # fmt: skip


LINES = {
    words.GO: ("{} 14", "{} ۱۴"),
    words.SPEED: ("{} 4", "{} 0,5"),
    words.SEAT: ("{} 2", "{}"),
    words.NEXT: ("{}", "{} 2"),
    words.PREVIOUS: ("{}", "{} 2"),
}
"""What is typed with some words; all others stand alone."""


@pytest.mark.parametrize("code", languages())
def test_the_words_of_each_language_do_the_same_as_the_english_ones(code: str) -> None:
    speak(code)
    for word in words.REPLAY:
        for form in LINES.get(word, ("{}",)):
            meant = state_behind(form.format(word.spellings[0]))
            for said in word.translations:
                assert state_behind(form.format(said)) == meant, said
    seat, go = (word.translations[0] for word in (words.SEAT, words.GO))
    for said in words.NOBODY.translations:
        assert state_behind(f"{seat} {said}") == state_behind("seat none")
    for said in words.RECORD.translations:
        assert state_behind(f"{go} {said}96") == state_behind("g r96")
    for word in words.COMMANDS:
        if word.english in QUERIES:
            assert state_behind(word.translations[0]) == state_behind(word.english)


@pytest.mark.parametrize("code", ["en", *languages()])
def test_help_names_words_that_are_understood(code: str) -> None:
    """What stands in front of a colon, and behind semicolons, is typed as it stands there."""
    speak(code)
    enter = in_context("key", "Enter")
    for line in describe_words():
        first = line.partition(":")[0].strip()
        for said in first.replace("،", ",").replace("؛", ";").split(","):
            typed = said.split(";")[0].strip().split(" NA")[0].split(" NOM")[0]
            for one in typed.replace(" یا ", "|").split("|"):
                if one != enter:
                    answers = state_behind(one)
                    assert "?" not in str(answers[-2]), (line, one)


def test_a_name_with_a_number_is_left_whole(player: ReplayPlayer) -> None:
    say(player, "n R2")
    assert "R2" in player.remark


def test_the_next_decision_may_be_that_of_one_player(player: ReplayPlayer) -> None:
    reel = player.reel
    say(player, "n Ana")
    assert player.place == reel.find_decision(START, 1, 0)
    first = player.place
    say(player, "n 3")
    assert player.place == reel.find_decision(first, 1, 2)
    say(player, "end", "p guest 3", "n guest 3")
    assert player.remark == "No later decision of Guest 3."


@pytest.mark.parametrize(
    ("line", "remark"),
    [
        ("b", "This is the start."),
        ("p", "This is the start."),
        ("u", "This is the start."),
        ("g 48", "This log has 47 turns."),
        ("g 99999999999999999999", "Say where: g 14 is turn 14, g r96 is record 96."),
        ("g r9999", "The records of this log go from 0 to 746."),
        ("g", "Say where: g 14 is turn 14, g r96 is record 96."),
        ("speed", "Say how fast, from 0.5 to 16: speed 4"),
        ("speed nan", "Say how fast, from 0.5 to 16: speed 4"),
        ("n Kim", "Nobody here is called Kim; at the table: Ana, Guest 1, Guest 2, Guest 3."),
        ("seat gu", "Nobody here is called gu; at the table: Ana, Guest 1, Guest 2, Guest 3."),
        ("seat", "Say which player; at the table: Ana, Guest 1, Guest 2, Guest 3."),
        ("frobnicate", "frobnicate: no such word here; ? lists them."),
        ("who", "who: no such word here; ? lists them."),
    ],
)  # fmt: skip
def test_a_word_that_leads_nowhere_says_why(player: ReplayPlayer, line: str, remark: str) -> None:
    assert say(player, line) == []
    assert player.remark == remark
    assert player.place == START
    assert not player.has_left


def test_words_about_the_table_are_answered_for_the_place(player: ReplayPlayer) -> None:
    assert say(player, "?") == describe_words()
    (where, verdict) = say(player, "g 14", "where")
    assert where.startswith("Turn 14 of 47, step 1 of 9, record 2")
    assert verdict == "game.kotlog: sound"
    assert say(player, "state ana") == [
        "Ana, Gigazaur, outside Tokyo, 4 hearts, 4 points, 2 energy, cards: Gourmet."
    ]
    assert say(player, "end", "state ana") == ["Ana, Gigazaur, out of the game."]
    assert "10 hearts" in say(player, "home", "state ana")[0]
    assert len(say(player, "shop")) > 0


def test_the_reader_can_sit_anywhere_and_nowhere(player: ReplayPlayer) -> None:
    say(player, "g 3", "seat guest 3")
    assert player.seat == 3
    assert "you" in " ".join(player.reel.lines_until(player.place, 9)).lower()
    say(player, "seat none")
    assert player.seat == WATCHER
    for seat in (0, 1, 2, 3, WATCHER):
        player.sit_at_next()
        assert player.seat == seat


def test_it_plays_to_the_end_and_then_from_the_start(player: ReplayPlayer) -> None:
    player.play_or_pause()
    steps = 0
    while player.is_playing:
        player.play_next()
        steps += 1
    assert player.is_at_end
    assert steps > 200
    player.play_or_pause()
    assert player.place == START


def test_twice_the_speed_is_half_the_time(player: ReplayPlayer) -> None:
    say(player, "g 2")
    normal = player.seconds_of_frame
    say(player, "speed 2")
    assert player.seconds_of_frame == normal / 2
    for _ in SPEEDS:
        player.change_speed(1)
    assert player.speed == 16
    say(player, "speed 0.1")
    assert player.speed == 0.5


# -- logs that are not whole ---------------------------------------------------------------------


def test_nothing_behind_the_first_wrong_record_is_shown() -> None:
    data = golden_log("second")
    at = offsets(data)[97] + 30
    player = player_of(data[:at] + bytes((data[at] ^ 1,)) + data[at + 1 :])
    say(player, "end")
    assert player.reel.moment_at(player.place).record <= 96
    assert player.describe_verdict() == "WRONG at record 97"
    say(player, "")
    assert player.remark == "This is the end."
    (_, verdict) = say(player, "where")
    assert verdict.startswith("game.kotlog: WRONG at record 97, ")


def test_what_is_read_so_far_can_be_looked_at() -> None:
    player = growing_player_of(golden_log("second"))
    assert player.describe_verdict() == "1 % checked"
    say(player, "")
    assert player.remark == "The rest of the log is still being checked."
    player.is_playing = True
    player.play_next()
    assert player.is_playing
    player.read_on(40)
    say(player, "end")
    first_end = player.place
    player.read_on()
    assert player.place == first_end
    say(player, "")
    assert player.place > first_end
    assert player.describe_verdict() == "sound"


def test_a_reader_who_stands_at_what_a_line_up_undoes_is_taken_back_and_told() -> None:
    player = growing_player_of(undone_log())
    told = []
    while not player.log.is_whole:
        player.read_on(1)
        if player.remark:
            told.append((player.remark, *player.reel.lines_at(player.place)))
        say(player, "end")
        player.reel.view_at(player.place)
        assert player.place == player.reel.last
    assert player.describe_verdict() == "sound so far"
    assert told == [
        (
            "What you saw does not count any more: the game goes on from here.",
            "A bot plays for Ana until Ana is back, in Rex's program.",
        )
    ]


def test_a_reader_who_stands_before_what_a_line_up_undoes_stays_there() -> None:
    player = growing_player_of(undone_log())
    while not player.recording.line_ups:
        say(player, "end", "b")
        place, player.remark = player.place, ""
        player.read_on(1)
        assert (player.place, player.remark) == (place, "")


def reader_of_an_answer_that_comes_back() -> ReplayPlayer:
    player = growing_player_of(returned_log())
    while player.reel.find_decision(START, 1) is None:
        player.read_on(1)
    say(player, "end")
    return player


def test_a_reader_of_an_undone_answer_that_is_brought_back_is_told_both_times() -> None:
    player = reader_of_an_answer_that_comes_back()
    answer = player.reel.moment_at(player.place).part
    moved = []
    while not player.log.is_whole:
        player.read_on(1)
        if player.remark:
            moved.append(player.reel.moment_at(player.place))
            player.remark = ""
    undone, back = moved
    assert undone.begun is not None
    assert back.part == answer


def test_a_reader_sees_nothing_of_an_undoing_that_is_taken_back_meanwhile() -> None:
    player = reader_of_an_answer_that_comes_back()
    place = player.place
    player.read_on()
    assert (player.place, player.remark) == (place, "")
