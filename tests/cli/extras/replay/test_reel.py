"""The frames of a recorded game are those of the table, both ways."""

import io

import pytest

from kotp2p.cli.extras.forms.text import describe_answer
from kotp2p.cli.extras.replay.player import ReplayPlayer
from kotp2p.cli.extras.replay.reel import START, Place, Reel
from kotp2p.cli.extras.replay.replay import PlainReplay
from kotp2p.cli.system.output import Output
from kotp2p.cli.text.story import Story
from kotp2p.extras.recording import replay_moment
from kotp2p.referee.model import answers
from kotp2p.referee.model.answers import Answer, Answered
from kotp2p.referee.model.events import TurnStarted
from kotp2p.seams.notices import WATCHER, SeatView
from tests.support.laid_decisions import table
from tests.support.log_bytes import offsets
from tests.support.recorded import GOLDEN_NAMES, golden_log, player_of


def reel_of(data: bytes, seat: int = WATCHER) -> Reel:
    return player_of(data, seat).reel


def all_places(reel: Reel) -> list[Place]:
    found: list[Place] = []
    place: Place | None = START
    while place is not None:
        found.append(place)
        place = reel.step(place, 1)
    return found


@pytest.mark.parametrize("name", GOLDEN_NAMES)
def test_the_way_back_leads_over_the_same_places(name: str) -> None:
    reel = reel_of(golden_log(name))
    forward = all_places(reel)
    back = [place := reel.last]
    while (before := reel.step(place, -1)) is not None:
        back.append(place := before)
    assert back[::-1] == forward
    assert forward == sorted(forward)
    assert len(forward) > len(reel.recording.moments)


@pytest.mark.parametrize("name", ["second", "absent"])
def test_each_position_is_the_fold_of_the_events_before_it(name: str) -> None:
    reel = reel_of(golden_log(name))
    state = reel.recording.game_behind(0).state
    for place in all_places(reel):
        for event in reel.frames_of(place.moment)[place.frame].events:
            event.apply(state)
        assert reel.view_at(place).game.state == state
        assert reel.turn_at(place) == state.turn


@pytest.mark.parametrize("seat", [WATCHER, 0, 2])
@pytest.mark.parametrize("name", GOLDEN_NAMES)
def test_a_turn_is_told_as_in_one_long_story(name: str, seat: int) -> None:
    """Whatever turn the reader comes to first."""
    reel = reel_of(golden_log(name), seat)
    recording = reel.recording
    game = recording.game_behind(0)
    story, whole = Story(game.state, asked=False), {}
    for moment in recording.moments:
        players, phrase = recording.genesis.players, recording.genesis.phrase
        replay_moment(game, moment)
        view = SeatView(seat, players, game, phrase)
        for n, frame in enumerate(reel.frames_of(moment.number)):
            lines = story.describe_events(frame.events, view)
            if lines:
                whole[Place(moment.number, n)] = lines
    # Where a seat is out, the cause is told before the events.
    places = [p for p in reversed(all_places(reel)) if p in whole]
    told = {p: list(reel.lines_at(p))[-len(whole[p]) :] for p in places}
    assert told == whole


def test_every_moment_tells_something_once() -> None:
    reel = reel_of(golden_log("absent"))
    for moment in reel.recording.moments:
        frames = range(len(reel.frames_of(moment.number)))
        assert any(reel.lines_at(Place(moment.number, frame)) for frame in frames)


def test_the_place_of_a_turn_is_where_it_begins() -> None:
    reel = reel_of(golden_log("second"))
    assert reel.place_of_turn(0) == START
    for turn in range(1, reel.recording.turns + 1):
        place = reel.place_of_turn(turn)
        assert place is not None
        assert reel.turn_at(place) == turn
        events = reel.frames_of(place.moment)[place.frame].events
        assert any(isinstance(event, TurnStarted) for event in events)
    assert reel.place_of_turn(reel.recording.turns + 1) is None
    assert reel.place_of_turn(-1) is None


def test_decisions_are_found_both_ways_and_of_one_player() -> None:
    reel = reel_of(golden_log("second"))
    for seat in (None, 0, 3):
        forward, place = [], reel.find_decision(START, 1, seat)
        while place is not None:
            forward.append(place)
            place = reel.find_decision(place, 1, seat)
        back, place = [], reel.find_decision(reel.last, -1, seat)
        while place is not None:
            back.append(place)
            place = reel.find_decision(place, -1, seat)
        if forward[-1].moment == reel.last.moment:
            forward.pop()
        assert back[::-1] == forward
        for at in forward:
            closed = reel.recording.moments[at.moment].closed
            assert closed is not None
            assert isinstance(closed.given, Answered)
            assert seat in (None, closed.given.seat)


def test_a_monster_that_is_out_is_so_from_its_fall_on() -> None:
    reel = reel_of(golden_log("classic"))
    for place in all_places(reel)[::5]:
        monsters = reel.view_at(place).game.state.monsters
        assert set(reel.fallen_by(place)) == {m.seat for m in monsters if not m.alive}


def test_a_monster_whose_player_has_given_up_fell_in_the_turn_that_was_going_on() -> None:
    reel = reel_of(golden_log("absent"))
    told = "Guest 1 has given up."
    place = next(at for at in all_places(reel) if told in " ".join(reel.lines_at(at)))
    assert reel.turn_at(place) == 8
    assert reel.fallen_by(reel.step(place, -1) or START) == {}
    assert reel.fallen_by(place) == {1: 8}
    assert reel.fallen_by(reel.step(place, 1) or START) == {1: 8}


# -- answers ------------------------------------------------------------------------------


ROLLED = "33CHB1"


def described(answer: Answer) -> list[str]:
    view = table(rolled=ROLLED)
    return [describe_answer(view, seat, answer) for seat in (view.seat, 1)]


SAID: list[tuple[Answer, str, str]] = [
    (
        answers.Reroll((2, 3)),
        "You keep 1, 3, 3, energy and roll 2 dice again.",
        "Rex keeps 1, 3, 3, energy and rolls 2 dice again.",
    ),
    (answers.Reroll((0, 1, 2, 3, 4, 5)), "You roll all dice again.", "Rex rolls all dice again."),
    (answers.Pass(), "You do nothing here.", "Rex does nothing here."),
    (answers.Done(), "You do nothing here.", "Rex does nothing here."),
    (answers.Keep(), "You do nothing here.", "Rex does nothing here."),
    (answers.Yield(), "You have decided.", "Rex has decided."),
]


@pytest.mark.parametrize(("answer", "to_me", "of_another"), SAID)
def test_an_answer_is_told_to_all_its_hearers(answer: Answer, to_me: str, of_another: str) -> None:
    assert described(answer) == [to_me, of_another]


# -- in plain lines -----------------------------------------------------------------------


def tell(player: ReplayPlayer, *lines: str) -> list[str]:
    paper, typed = io.StringIO(), list(lines)

    def read_line() -> str:
        if not typed:
            raise EOFError
        return typed.pop(0)

    PlainReplay(player, Output(paper, paper)).step_through(read_line)
    return paper.getvalue().splitlines()


def told_in_full(data: bytes) -> list[str]:
    paper = io.StringIO()
    PlainReplay(player_of(data), Output(paper, paper)).tell_all()
    return paper.getvalue().splitlines()


def test_the_whole_game_is_told_with_its_verdict() -> None:
    lines = told_in_full(golden_log("second"))
    assert lines[0] == "The game begins: all players have signed its start."
    assert lines[-2:] == ["The game is over: Guest 3 wins.", "game.kotlog: sound"]
    assert sum(line.startswith("Turn ") for line in lines) == 47


def test_who_plays_for_the_absent_is_told_and_who_has_given_up() -> None:
    lines = told_in_full(golden_log("absent"))
    assert lines.count("A bot plays for Guest 4 until Guest 4 is back, in Ana's program.") == 1
    assert lines.count("Guest 1 has given up.") == 1


def test_enter_tells_one_event_after_the_other() -> None:
    lines = tell(player_of(golden_log("second")), "", "", "")
    assert lines[:3] == [
        "Enter shows the next event; ? lists the other words.",
        "Before the first turn, step 1 of 4, record 0 of 746.",
        "The game begins: all players have signed its start.",
    ]
    assert lines[3:5] == ["> ", "For sale now: (a) Gourmet, 4 energy, keep."]


def test_a_jump_says_where_it_leads() -> None:
    lines = tell(player_of(golden_log("second")), "g 14", "b", "g 99", "q")
    at = lines.index("> g 14")
    assert lines[at + 1].startswith("Turn 14 of 47, step 1 of ")
    assert lines[at + 2].startswith("Turn 14, Guest 3: ")
    assert lines[lines.index("> b") + 1].startswith("Turn 13 of 47, step 9 of 9, ")
    assert lines[lines.index("> g 99") + 1] == "This log has 47 turns."
    assert lines[-1] == "> q"


def test_play_tells_the_rest() -> None:
    player = player_of(golden_log("second"))
    lines = tell(player, "g 46", "play", "b", "q")
    at = lines.index("> play")
    assert [line[:7] for line in lines[at:] if line.startswith("Turn 4")] == ["Turn 47"] * 2
    assert lines[lines.index("> b") - 1] == "game.kotlog: sound"
    assert not player.is_playing


def test_what_is_asked_about_the_table_is_answered() -> None:
    lines = tell(player_of(golden_log("second")), "shop", "where", "?", "q")
    assert "game.kotlog: sound" in lines
    assert lines.count("n: the next decision; p: the one before; n NAME, p NAME: of one player.")


def test_a_wrong_log_is_told_up_to_its_first_wrong_record() -> None:
    data = golden_log("second")
    at = offsets(data)[97] + 30
    wrong = data[:at] + bytes((data[at] ^ 1,)) + data[at + 1 :]
    *lines, verdict = told_in_full(wrong)
    assert verdict.startswith("game.kotlog: WRONG at record 97, ")
    assert lines == told_in_full(data)[: len(lines)]
    assert tell(player_of(wrong), "end", "q")[-2] == verdict
