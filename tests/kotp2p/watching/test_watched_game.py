"""What somebody without a seat learns of a game from each record of its log."""

from __future__ import annotations

from collections.abc import Iterator

from kotp2p.game.steps import Finished, Gather, Renewal, Solo
from kotp2p.game.verify import LogReading, verify_log
from kotp2p.watching.watched_game import WatchedGame
from referee.game import Game
from referee.model.damage_decisions import YieldDecision
from referee.model.decisions import Chance
from referee.rules.market import SWEEP_COST
from tests.support.five_players import at_a_decision, drop, others, owes
from tests.support.log_bytes import short_log
from tests.support.recorded import golden_log
from tests.support.undone_logs import pack_log


def yields_before_a_purchase(game: Game) -> bool:
    state = game.state
    may_buy = state.monsters[state.active].energy >= SWEEP_COST
    return isinstance(game.pending, YieldDecision) and may_buy


def put_out_while_asked_to_yield() -> bytes:
    """All others have put a seat out that was asked in the turn of another one. That turn goes on
    with a decision, but first all renew their commitments."""
    ledger, _ = at_a_decision()
    while not yields_before_a_purchase(ledger.game):
        for seat in ledger.owing_seats():
            ledger.accept_entry(owes(ledger, seat))
    (gone,) = ledger.owing_seats()
    for vote in [drop(ledger, voter, (gone,), 1) for voter in others(gone)]:
        ledger.accept_vote(vote)
    assert isinstance(ledger.step, Renewal)
    assert not isinstance(ledger.game.pending, Chance)
    return pack_log(ledger.bodies_since(0))


def watched(data: bytes) -> Iterator[tuple[WatchedGame, LogReading]]:
    """The game behind each record, and the log as far as that."""
    game, reading = WatchedGame(), LogReading(data)
    game.feed(data)
    while game.read_record() is not None:
        assert reading.read_record() is not None
        yield game, reading


def test_a_decision_is_told_where_a_seat_is_asked_and_nowhere_else() -> None:
    told = set[type]()
    for data in (golden_log("votes"), put_out_while_asked_to_yield()):
        for game, reading in watched(data):
            assert reading.ledger is not None
            step, pending = reading.ledger.step, reading.ledger.game.pending
            if isinstance(step, Finished):
                continue
            waiting = game.waiting()
            assert waiting is not None
            assert waiting.seats == reading.ledger.owing_seats() != ()
            assert waiting.decision == (pending if isinstance(step, Solo) else None)
            told.add(type(step))
    assert told == {Solo, Gather, Renewal}


def test_a_game_that_is_over_waits_for_nobody() -> None:
    *_others, (game, _reading) = watched(short_log())
    assert game.is_finished
    assert game.waiting() is None


def test_the_turns_are_those_that_have_begun() -> None:
    assert WatchedGame().turns == 0
    data = golden_log("votes")
    turns = [game.turns for game, _reading in watched(data)]
    assert turns == sorted(turns)
    assert (turns[0], turns[-1]) == (0, verify_log(data).turns)
