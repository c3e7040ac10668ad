"""Reach, silence and passing on."""

from kotp2p.mesh import reachability


def mesh(*links: int) -> reachability.Reachability:
    it = reachability.Reachability(0)
    it.start_clocks(4, 0.0)
    for seat in links:
        it.add_link(seat, 0.0)
    return it


def test_a_seat_is_in_reach_through_others() -> None:
    it = mesh(1)
    it.learn_links(1, (0, 2))
    it.learn_links(2, (1, 3))
    assert it.reachable_seats() == {0, 1, 2, 3}
    it.learn_links(1, (0,))
    assert it.reachable_seats() == {0, 1}  # what 2 says of its links counts only on a way to it


def test_a_seat_out_of_reach_is_gone_after_the_grace() -> None:
    it = mesh(1)
    it.learn_links(1, (0,))
    assert it.find_gone_seats((1, 2), 10.0) == {}
    for now in (
        10.0 + reachability.GONE_AFTER_UNREACHABLE_SECONDS - 0.1,
        10.0 + reachability.GONE_AFTER_UNREACHABLE_SECONDS,
    ):
        it.note_heard(1, now)
        it.note_heard(2, now)
        assert it.find_gone_seats((1, 2), now) == (
            {2: 10.0} if now == 10.0 + reachability.GONE_AFTER_UNREACHABLE_SECONDS else {}
        )


def test_a_seat_that_comes_back_in_time_is_not_gone() -> None:
    it = mesh(1)
    it.learn_links(1, (0,))
    it.find_gone_seats((2,), 1.0)
    it.learn_links(1, (0, 2))
    it.note_heard(2, 2.0)
    it.find_gone_seats((2,), 2.0)
    it.learn_links(1, (0,))
    assert it.find_gone_seats((2,), 1.0 + reachability.GONE_AFTER_UNREACHABLE_SECONDS) == {}


def test_silence_counts_though_the_link_stands() -> None:
    it = mesh(1)
    assert it.find_gone_seats((1,), reachability.GONE_AFTER_SILENT_SECONDS - 0.1) == {}
    assert it.find_gone_seats((1,), reachability.GONE_AFTER_SILENT_SECONDS) == {1: 0.0}


def test_a_peer_that_was_stopped_itself_does_not_call_the_others_silent() -> None:
    it = mesh(1)
    it.excuse_silence(100.0)
    assert it.find_gone_seats((1,), 100.0 + reachability.GONE_AFTER_SILENT_SECONDS - 1) == {}


def test_a_body_is_passed_on_only_to_seats_that_cannot_hear_its_author() -> None:
    it = mesh(1, 2, 3)
    it.learn_links(1, (0, 2))
    it.learn_links(2, (0, 1))
    it.learn_links(3, (0,))
    assert it.relay_targets(author=1, source=1) == [3]
    assert it.relay_targets(author=3, source=3) == [1, 2]


def test_a_link_that_swallows_everything_is_dead_after_some_heartbeats() -> None:
    it = mesh(1, 2)
    it.note_frame(1, 5.0)
    it.note_heard(2, 5.0)  # passed on by 1: says nothing about the link to 2
    assert it.find_dead_links(reachability.DEAD_LINK_AFTER_SECONDS - 0.1) == []
    assert it.find_dead_links(reachability.DEAD_LINK_AFTER_SECONDS) == [2]
    assert it.find_dead_links(reachability.DEAD_LINK_AFTER_SECONDS) == []
    it.excuse_silence(reachability.DEAD_LINK_AFTER_SECONDS)
    assert it.find_dead_links(reachability.DEAD_LINK_AFTER_SECONDS + 5.0) == []


def test_a_link_ends_the_time_without_a_way_even_if_it_breaks_at_once() -> None:
    it = mesh(1)
    it.learn_links(1, (0,))
    it.find_gone_seats((2,), 1.0)
    assert it.add_link(2, 20.0)
    it.remove_link(2)
    assert it.find_gone_seats((2,), 1.0 + reachability.GONE_AFTER_UNREACHABLE_SECONDS) == {}


def test_a_link_is_quiet_after_five_seconds_without_a_frame_until_the_next_one() -> None:
    it = mesh(1, 2)
    it.note_frame(2, 1.0)
    assert it.find_quiet_links(reachability.QUIET_AFTER_SECONDS - 0.1) == {}
    assert it.find_quiet_links(reachability.QUIET_AFTER_SECONDS) == {1: 5}
    it.note_heard(1, 5.5)  # by another way
    assert it.find_quiet_links(reachability.QUIET_AFTER_SECONDS + 1.0) == {1: 6, 2: 5}
    it.note_frame(1, 6.5)
    it.remove_link(2)
    assert it.find_quiet_links(reachability.QUIET_AFTER_SECONDS + 2.0) == {}
