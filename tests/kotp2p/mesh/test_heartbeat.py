"""When a beat is due, and when this machine was stopped."""

from __future__ import annotations

from kotp2p.mesh.heartbeat import HEARTBEAT_SECONDS, MAX_TICK_GAP_SECONDS, Heartbeat


def beating() -> Heartbeat:
    heartbeat = Heartbeat()
    heartbeat.start(100.0)
    return heartbeat


def test_a_beat_is_taken_once_when_it_is_due() -> None:
    heartbeat, due = beating(), 100.0 + HEARTBEAT_SECONDS
    assert heartbeat.due == due
    assert not heartbeat.take_beat(due - 0.1)
    assert heartbeat.take_beat(due + 0.1)
    assert not heartbeat.take_beat(due + 0.2)
    assert heartbeat.due == due + 0.1 + HEARTBEAT_SECONDS


def test_a_long_gap_between_ticks_means_that_the_machine_was_stopped() -> None:
    heartbeat = beating()
    last = 100.0 + MAX_TICK_GAP_SECONDS
    assert not heartbeat.note_tick(last)
    assert heartbeat.note_tick(last + MAX_TICK_GAP_SECONDS + 0.1)
    assert not heartbeat.note_tick(last + MAX_TICK_GAP_SECONDS + 0.2)
