"""Recorded games: players of golden logs, and of logs that are not whole."""

from functools import cache

from kotp2p.cli.extras.replay.player import ReplayPlayer
from kotp2p.extras.recording import LogRecording, record_log
from kotp2p.referee.box.rulesets import RULES_VERSION
from kotp2p.referee.model.position import label_numbers
from kotp2p.seams.notices import WATCHER
from kotp2p.wire.genesis import PROTOCOL_VERSION
from tests.support.paths import LOGS, VECTORS

GOLDEN_NAMES = ("classic", "second", "dark", "absent", "quarrel")


@cache
def golden_log(name: str) -> bytes:
    path = LOGS / f"protocol-{PROTOCOL_VERSION}-rules-{RULES_VERSION}-{name}.kotlog"
    return path.read_bytes()


def vector_log(name: str) -> bytes:
    return (VECTORS / "logs" / f"{name}.kotlog").read_bytes()


def place_in_last_position(data: bytes, name: str) -> int:
    """Where a number such as `seat 0.points` stands in the position at the end of a log."""
    recording = record_log(data).recording
    assert recording is not None
    game = recording.game_behind(recording.last)
    return [label for label, _ in label_numbers(game.state, game.pending)].index(name)


def player_of(data: bytes, seat: int = WATCHER) -> ReplayPlayer:
    log = record_log(data)
    assert log.recording is not None
    return ReplayPlayer("game.kotlog", log, log.recording, seat)


def growing_player_of(data: bytes) -> ReplayPlayer:
    """Of which no more than the start is read."""
    log = LogRecording(data)
    log.read_on(2)  # the names of the program, then the genesis
    assert log.recording is not None
    return ReplayPlayer("game.kotlog", log, log.recording)
