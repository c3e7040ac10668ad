"""What somebody without a seat learns of a game from each record of its log."""

from collections.abc import Iterator

from kotp2p.extras.watching.watcher import WatchedGame
from kotp2p.game.steps import Committing, Finished, Gather, Solo
from kotp2p.game.verify import LogReading
from tests.support.log_bytes import changed_log, short_log


def watched(data: bytes) -> Iterator[tuple[WatchedGame, LogReading]]:
    """The game behind each record, and the log as far as that."""
    game, reading = WatchedGame(), LogReading(data)
    game.reading.feed(data)
    while game.read_record() is not None:
        assert reading.read_record() is not None
        yield game, reading


def test_a_decision_is_told_where_a_seat_is_asked_and_nowhere_else() -> None:
    told = set[type]()
    for data in (short_log(), changed_log()):
        for game, reading in watched(data):
            if reading.ledger is None:
                continue  # the program that has written the log
            step, pending = reading.ledger.step, reading.ledger.game.pending
            if isinstance(step, Finished):
                assert game.waiting() is None
                continue
            waiting = game.waiting()
            assert waiting is not None
            assert waiting.seats == reading.ledger.owing_seats() != ()
            assert waiting.decision == (pending if isinstance(step, Solo) else None)
            told.add(type(step))
    assert told == {Solo, Gather, Committing}


def test_a_game_that_is_over_waits_for_nobody() -> None:
    *_others, (game, _reading) = watched(short_log())
    assert game.reading.ledger is not None and game.reading.ledger.chain.is_over
    assert game.waiting() is None
