"""The frames of a recorded game are those of the table, both ways."""

import pytest

from kotp2p.cli.extras.replay.reel import START, Place, Reel
from kotp2p.cli.text.story import Story
from kotp2p.extras.recording import find_seen_card, replay_moment
from kotp2p.referee.model.answers import Answered, BuyTop
from kotp2p.referee.model.events import TurnStarted
from kotp2p.seams.notices import WATCHER, SeatView
from tests.support.recorded import GOLDEN_NAMES, golden_log, player_of, vector_log


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
    told = {
        p: list(reel.lines_at(p))[-len(whole[p]) :]
        for p in reversed(all_places(reel))
        if p in whole
    }
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


# -- secret looks --------------------------------------------------------------------------------


def test_a_look_is_shown_to_its_own_seat_where_the_log_has_made_it_public() -> None:
    """The second look of this log ends when its owner buys the card."""
    reel = reel_of(vector_log("second-look"))
    recording = reel.recording
    seen = {}
    for moment in recording.moments:
        state = recording.game_behind(moment.number).state
        for seat in range(len(recording.genesis.players)):
            card = find_seen_card(recording, moment.number, state, seat)
            assert card is None or seat in state.seen_by
            if card is not None:
                seen[moment.number, seat] = card
    bought = [
        moment.closed.given.answer.card
        for moment in recording.moments
        if moment.closed is not None
        and isinstance(moment.closed.given, Answered)
        and isinstance(moment.closed.given.answer, BuyTop)
    ]
    assert seen
    assert set(seen.values()) <= {*bought, *recording.game_behind(0).state.undrawn}
    (number, seat), card = next(iter(seen.items()))
    assert Reel(reel.log, recording, seat).view_at(Place(number)).top == card
    assert reel.view_at(Place(number)).top is None


def test_a_card_that_was_seen_in_secret_is_told_to_its_own_seat_alone() -> None:
    data = vector_log("second-look")
    told = {
        seat: sum(line.startswith("Only you see it") for line in _all_lines(reel_of(data, seat)))
        for seat in (WATCHER, 0, 1, 2)
    }
    assert told[WATCHER] == 0
    assert any(told.values())


def _all_lines(reel: Reel) -> list[str]:
    return reel.lines_until(reel.last, 100_000)
