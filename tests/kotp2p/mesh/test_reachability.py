"""Reach, silence and passing on."""

from __future__ import annotations

from kotp2p.mesh.reachability import CUT_OFF, DEAD, SILENCE, Mesh


def mesh(*links: int) -> Mesh:
    it = Mesh(0)
    it.begin(4, 0.0)
    for seat in links:
        it.up(seat, 0.0)
    return it


def test_a_seat_is_in_reach_through_others() -> None:
    it = mesh(1)
    it.tell(1, (0, 2))
    it.tell(2, (1, 3))
    assert it.reach() == {0, 1, 2, 3}
    it.tell(1, (0,))
    assert it.reach() == {0, 1}  # what 2 says of its links counts only on a way to it


def test_a_seat_out_of_reach_is_gone_after_the_grace() -> None:
    it = mesh(1)
    it.tell(1, (0,))
    assert it.silent((1, 2), 10.0) == {}
    for now in (10.0 + CUT_OFF - 0.1, 10.0 + CUT_OFF):
        it.hear(1, now)
        it.hear(2, now)
        assert it.silent((1, 2), now) == ({2: 10.0} if now == 10.0 + CUT_OFF else {})


def test_a_seat_that_comes_back_in_time_is_not_gone() -> None:
    it = mesh(1)
    it.tell(1, (0,))
    it.silent((2,), 1.0)
    it.tell(1, (0, 2))
    it.hear(2, 2.0)
    it.silent((2,), 2.0)
    it.tell(1, (0,))
    assert it.silent((2,), 1.0 + CUT_OFF) == {}


def test_silence_counts_though_the_link_stands() -> None:
    it = mesh(1)
    assert it.silent((1,), SILENCE - 0.1) == {}
    assert it.silent((1,), SILENCE) == {1: 0.0}


def test_who_was_stopped_itself_does_not_call_the_others_silent() -> None:
    it = mesh(1)
    it.slept(100.0)
    assert it.silent((1,), 100.0 + SILENCE - 1) == {}


def test_a_body_is_passed_on_to_those_only_who_cannot_hear_its_author() -> None:
    it = mesh(1, 2, 3)
    it.tell(1, (0, 2))
    it.tell(2, (0, 1))
    it.tell(3, (0,))
    assert it.deaf_to(author=1, source=1) == [3]
    assert it.deaf_to(author=3, source=3) == [1, 2]


def test_a_link_that_swallows_everything_is_dead_after_some_heartbeats() -> None:
    it = mesh(1, 2)
    it.frame(1, 5.0)
    it.hear(2, 5.0)  # passed on by 1: says nothing about the link to 2
    assert it.dead(DEAD - 0.1) == []
    assert it.dead(DEAD) == [2]
    assert it.dead(DEAD) == []
    it.slept(DEAD)
    assert it.dead(DEAD + 5.0) == []
