"""When a PING and a HEAD are due, and when this machine was stopped."""

from kotp2p.mesh.gossip import HEAD_SECONDS, MAX_TICK_GAP_SECONDS, PING_SECONDS, Heartbeat


def beating() -> Heartbeat:
    heartbeat = Heartbeat()
    heartbeat.start(100.0)
    return heartbeat


def test_a_ping_is_taken_once_when_it_is_due() -> None:
    heartbeat, due = beating(), 100.0 + PING_SECONDS
    assert heartbeat.due == due
    assert not heartbeat.take_ping(due - 0.1)
    assert heartbeat.take_ping(due + 0.1)
    assert not heartbeat.take_ping(due + 0.2)
    assert heartbeat.due == due + 0.1 + PING_SECONDS


def test_a_head_is_due_while_the_game_stands_still() -> None:
    heartbeat = beating()
    heartbeat.note_move(103.0)
    assert not heartbeat.take_head(103.0 + HEAD_SECONDS - 0.1)
    assert heartbeat.take_head(103.0 + HEAD_SECONDS)
    assert not heartbeat.take_head(103.0 + 2 * HEAD_SECONDS - 0.1)
    assert heartbeat.take_head(103.0 + 2 * HEAD_SECONDS)


def test_a_long_gap_between_ticks_means_that_the_machine_was_stopped() -> None:
    heartbeat = beating()
    last = 100.0 + MAX_TICK_GAP_SECONDS
    assert not heartbeat.note_tick(last)
    assert heartbeat.note_tick(last + MAX_TICK_GAP_SECONDS + 0.1)
    assert not heartbeat.note_tick(last + MAX_TICK_GAP_SECONDS + 0.2)
