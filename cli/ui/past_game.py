"""What happened in a game before this process resumed it, from its log.

Scope: the log is verified and recorded, and its events are told as if they happened now.
Not here: what is made of them (`cli.text.statistics`, `cli.text.story`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kotp2p.cli.text.statistics import Statistics
from kotp2p.game.recording import LogRecording, record_log, replay_moment
from kotp2p.game.verify import ChangedHands, Result
from kotp2p.seams.notices import GameStarted, Happened
from kotp2p.seams.seat_view import SeatView
from kotp2p.store.files import read_whole_file
from kotp2p.wire.records import MAX_LOG_BYTES


@dataclass(frozen=True, slots=True)
class WholeGame:
    """What a log says of its game beside its course."""

    statistics: Statistics
    changes: tuple[ChangedHands, ...]


def read_log_file(path: Path, view: SeatView) -> WholeGame | None:
    """What the whole log says; None if it cannot be read, or is not a sound log of this game."""
    try:
        data = read_whole_file(path, MAX_LOG_BYTES)
    except OSError:
        return None
    return read_log(data, view)


def read_log(data: bytes, view: SeatView) -> WholeGame | None:
    log = record_log(data)
    counted = Statistics()
    for notice in _tell(log, view):
        counted.count_notice(notice)
    return WholeGame(counted, log.report().changes) if counted.counts else None


def tell_log(data: bytes, view: SeatView) -> Iterator[GameStarted | Happened]:
    """The course of the log; nothing if it is not a sound log of this game. The views of the
    notices stand where each of them was told, until the next one is taken. What does not count any
    more is not told."""
    yield from _tell(record_log(data), view)


def _tell(log: LogRecording, view: SeatView) -> Iterator[GameStarted | Happened]:
    report = log.report()
    if report.result not in (Result.SOUND, Result.UNFINISHED) or report.phrase != view.phrase:
        return
    recording = log.recording
    assert recording is not None  # it has a phrase
    game = recording.game_behind(0)
    past = SeatView(view.seat, view.players, game, view.phrase)
    yield GameStarted(past)
    for moment in recording.moments[1:]:
        replay_moment(game, moment)
        yield Happened(moment.events, past)
