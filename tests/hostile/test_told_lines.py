"""A seat makes the same happen again and again: its player is told of by few lines."""

from __future__ import annotations

from kotp2p.mesh.gossip import Effect, SendFrame, ShowNotice
from kotp2p.peer.peer import Peer
from kotp2p.seams.cores import (
    NOTICES_AT_ONCE,
    NOTICES_PER_SECOND,
    RELAYS_AT_ONCE,
    RELAYS_PER_SECOND,
)
from kotp2p.seams.notices import LinkChanged, Notice, StopWanted, Unsteady, UnsteadyMatter, Wished
from kotp2p.wire.entries import Signed, sign_head
from kotp2p.wire.lineups import sign_wish
from tests.support.hearing import hear_frame
from tests.support.hostile_seats import MALLORY, ME, NOW, OTHER, genesis, hears, peer
from tests.tools.vector_table import SEATS


def shown(effects: list[Effect]) -> list[Notice]:
    return [effect.notice for effect in effects if isinstance(effect, ShowNotice)]


def wish(serial: int, *, stops: bool = False, without: tuple[int, ...] = ()) -> Signed:
    game = genesis().id
    return sign_wish(SEATS[MALLORY], game, MALLORY, serial, stops=stops, without=without).signed


def changes_its_mind(
    found: Peer, times: int, *, stops: bool = False, without: tuple[int, ...] = ()
) -> list[Notice]:
    """Mallory wants something, and does not want it any more, so many times."""
    return [
        notice
        for turn in range(1, 2 * times, 2)
        for frame in (wish(turn, stops=stops, without=without), wish(turn + 1))
        for notice in shown(hears(found, frame))
    ]


def ticked(found: Peer, now: float) -> list[Notice]:
    """What is told by now, but that nothing comes over the link: there nothing does."""
    found.tick(now)
    return [
        n
        for n in shown(found.take_effects())
        if isinstance(n, LinkChanged | StopWanted | Wished | Unsteady)
        and n != Unsteady(MALLORY, UnsteadyMatter.CONNECTION)
    ]


def test_a_wish_to_stop_that_comes_and_goes() -> None:
    """Once 4,000 lines stood on every honest terminal."""
    found = peer()
    told = changes_its_mind(found, 2_000, stops=True)
    assert len(told) == NOTICES_AT_ONCE + 1
    assert told[-1] == Unsteady(MALLORY, UnsteadyMatter.WISHES)
    assert ticked(found, NOW + 0.99 / NOTICES_PER_SECOND) == []
    assert ticked(found, NOW + 1 / NOTICES_PER_SECOND) == []  # as it was told last: it plays on


def test_the_newest_wish_is_told_in_the_end() -> None:
    found = peer()
    changes_its_mind(found, 100, stops=True)
    assert not shown(hears(found, wish(999, stops=True)))
    assert found.deadline <= NOW + 1 / NOTICES_PER_SECOND
    assert ticked(found, NOW + 0.99 / NOTICES_PER_SECOND) == []
    (told,) = ticked(found, NOW + 1 / NOTICES_PER_SECOND)
    assert isinstance(told, StopWanted)
    assert told.wanted


def test_that_a_seat_is_unsteady_is_told_anew_only_after_a_calm_time() -> None:
    found, calm = peer(), NOTICES_AT_ONCE / NOTICES_PER_SECOND
    changes_its_mind(found, 100, stops=True)
    ticked(found, NOW + calm / 2)
    again = shown(hears(found, wish(1_001, stops=True), NOW + calm / 2))
    assert again
    later = [
        notice
        for turn in range(1_002, 1_100)
        for stops in (False, True)
        for notice in shown(hears(found, wish(2 * turn + stops, stops=stops), NOW + calm / 2))
    ]
    assert Unsteady(MALLORY, UnsteadyMatter.WISHES) not in later


def test_a_wish_to_go_on_without_this_player_is_told_whatever_else_was_told() -> None:
    found, told = peer(), Wished(MALLORY, (ME,), (OTHER,))
    changes_its_mind(found, 100, stops=True)
    assert shown(hears(found, wish(1_001, without=(ME,)))) == [told]
    for turn in range(1_002, 2_000, 2):
        assert not shown(hears(found, wish(turn)))
        assert not shown(hears(found, wish(turn + 1, without=(ME,))))


def test_wishes_to_go_on_without_others_that_come_and_go_are_told_within_the_budget() -> None:
    told = changes_its_mind(peer(), 2_000, without=(ME,))
    assert told[0] == Wished(MALLORY, (ME,), (OTHER,))
    assert len(told) == 2 * NOTICES_AT_ONCE + 2


def test_a_link_that_breaks_again_and_again() -> None:
    """Once about 18 lines a second."""
    found, told = peer(), list[Notice]()
    for _ in range(500):
        found.link_down(MALLORY, NOW)
        found.link_up(MALLORY, NOW)
        told += shown(found.take_effects())
    assert told == [
        *[LinkChanged(MALLORY, up) for up in (False, True) * (NOTICES_AT_ONCE // 2)],
        Unsteady(MALLORY, UnsteadyMatter.CONNECTION),
    ]
    found.link_down(MALLORY, NOW)
    assert not shown(found.take_effects())
    assert ticked(found, NOW + 1 / NOTICES_PER_SECOND) == [LinkChanged(MALLORY, False)]


def test_what_one_seat_makes_happen_costs_no_other_seat_a_line() -> None:
    found = peer()
    changes_its_mind(found, 100, stops=True)
    found.link_down(OTHER, NOW)
    assert shown(found.take_effects()) == [LinkChanged(OTHER, False)]


def test_news_without_end_is_not_passed_on_without_end() -> None:
    """An honest link that is filled with it would be read too slowly by its other side."""
    found, game = peer(), genesis().id
    for turn in range(1, 200):
        frames = wish(turn), sign_head(SEATS[MALLORY], game, MALLORY, 0, 0, game)
        for frame in frames:
            hear_frame(found, MALLORY, frame, NOW)
    sent = [e.frame for e in found.take_effects() if isinstance(e, SendFrame) and e.seat == OTHER]
    assert sum(isinstance(frame, Signed) for frame in sent) == RELAYS_AT_ONCE
    for later, more in ((0.99, 0), (1.0, 1)):
        effects = hears(found, wish(1_000 + more), NOW + later / RELAYS_PER_SECOND)
        sent = [e.frame for e in effects if isinstance(e, SendFrame) and e.seat == OTHER]
        assert len(sent) == more
