"""What is counted of one log, held against the events of the log itself."""

from hashlib import sha256

from kotp2p.extras.recording import facts_of_log, record_log
from kotp2p.game.verify import verify_log
from kotp2p.referee.model.events import CardBought, DiceRolled
from tests.support.log_bytes import offsets, without_end
from tests.support.recorded import GOLDEN_NAMES, golden_log


def test_facts_are_those_of_the_verdict() -> None:
    for name in GOLDEN_NAMES:
        data = golden_log(name)
        facts, report = facts_of_log(data), verify_log(data)
        assert (facts.result, facts.turns, facts.winners) == ("sound", report.turns, report.winners)
        assert facts.sha256 == sha256(data).hexdigest()
        assert facts.game == report.game.hex()
        assert [one.name for one in facts.players] == [one.name for one in report.players]
        assert facts.is_counted


def test_dice_and_cards_are_counted_seat_by_seat() -> None:
    data = golden_log("absent")
    recording = record_log(data).recording
    assert recording is not None
    events = [event for moment in recording.moments for event in moment.events]
    facts = facts_of_log(data)
    for seat, player in enumerate(facts.players):
        rolled = [e for e in events if isinstance(e, DiceRolled) and e.seat == seat]
        bought = [e for e in events if isinstance(e, CardBought) and e.seat == seat]
        assert sum(player.dice) == sum(len(event.positions) for event in rolled)
        assert len(player.bought) == len(bought)
    assert sum(sum(player.dice) for player in facts.players) > 100
    assert any(player.bought for player in facts.players)


def test_a_game_is_won_by_points_if_the_winner_has_the_goal() -> None:
    for name in GOLDEN_NAMES:
        data = golden_log(name)
        recording = record_log(data).recording
        assert recording is not None
        game, facts = recording.game_behind(recording.last), facts_of_log(data)
        assert facts.winners
        points = game.state.monsters[facts.winners[0]].points
        assert facts.by_points == (points >= game.setup.rules.goal)


def test_a_log_that_ends_early_does_not_count() -> None:
    data = golden_log("second")
    cut = facts_of_log(without_end(data))
    assert (cut.result, cut.is_counted) == ("unfinished", False)
    begun = facts_of_log(data[: offsets(data)[2]])
    assert (begun.winners, begun.by_points) == (None, False)
    assert cut.reason
    assert facts_of_log(b"junk").players == ()
    assert facts_of_log(b"junk").result == "unreadable"
