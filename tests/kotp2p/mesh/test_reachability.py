"""Reach, silence and passing on."""

from kotp2p.mesh import reachability
from kotp2p.mesh.gossip import HEAD_SECONDS, MAX_TICK_GAP_SECONDS, PING_SECONDS, Heartbeat
from kotp2p.mesh.reachability import DETOUR_SECONDS, Detours, Reachability
from kotp2p.seams.notices import Detour


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


def test_what_a_seat_has_told_of_its_links_ends_with_the_link_to_it() -> None:
    it = mesh(1, 3)
    it.learn_links(1, (0, 2))
    assert it.relay_targets(2, 3) == []
    it.remove_link(1)
    it.add_link(1, 1.0)
    assert it.relay_targets(2, 3) == [1]


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


# -- heartbeats ---------------------------------------------------------------------------


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


# -- detours ------------------------------------------------------------------------------


ME, ANA, MIA, ZOE = range(4)
OTHERS = (ANA, MIA, ZOE)


def through_ana() -> tuple[Reachability, Detours]:
    """This seat has one link, to Ana. She has links to all."""
    links = Reachability(ME)
    links.add_link(ANA, 0.0)
    links.learn_links(ANA, (ME, MIA, ZOE))
    found = Detours(links)
    assert found.find_news(OTHERS, 0.0) == []
    return links, found


def told_of_both() -> tuple[Reachability, Detours]:
    links, found = through_ana()
    assert found.find_news(OTHERS, DETOUR_SECONDS) == [Detour(ANA, (MIA, ZOE))]
    return links, found


def test_it_is_told_once_and_not_before_its_time() -> None:
    _links, found = through_ana()
    assert found.next_change(0.0) == DETOUR_SECONDS
    assert found.find_news(OTHERS, DETOUR_SECONDS - 0.01) == []
    assert found.find_news(OTHERS, DETOUR_SECONDS) == [Detour(ANA, (MIA, ZOE))]
    assert found.find_news(OTHERS, 2 * DETOUR_SECONDS) == []
    assert found.next_change(DETOUR_SECONDS) > 10**9


def test_a_way_that_comes_in_time_is_no_news() -> None:
    links, found = through_ana()
    links.add_link(MIA, 19.0)
    assert found.find_news(OTHERS, 19.0) == []
    assert found.find_news(OTHERS, DETOUR_SECONDS) == [Detour(ANA, (ZOE,))]


def test_a_way_that_comes_later_is_no_news_and_what_was_told_is_told_once() -> None:
    links, found = told_of_both()
    links.add_link(MIA, 30.0)
    assert found.find_news(OTHERS, 30.0) == []
    links.remove_link(MIA)
    assert found.find_news(OTHERS, 40.0) == []
    assert found.find_news(OTHERS, 90.0) == []


def test_the_time_counts_anew_with_another_seat_in_between() -> None:
    links, found = told_of_both()
    links.add_link(MIA, 30.0)
    links.learn_links(MIA, (ZOE,))
    links.learn_links(ANA, ())
    assert found.find_news(OTHERS, 30.0) == []
    assert found.find_news(OTHERS, 49.0) == []
    assert found.find_news(OTHERS, 50.0) == [Detour(MIA, (ZOE,))]


def test_a_seat_that_is_lost_before_it_is_told_of_is_no_news() -> None:
    """Zoe closes her window, and Ana notices that later than this seat."""
    links, found = through_ana()
    links.learn_links(ANA, (ME, MIA))
    assert found.find_news(OTHERS, DETOUR_SECONDS) == [Detour(ANA, (MIA,))]
    assert found.find_news(OTHERS, 2 * DETOUR_SECONDS) == []
