"""A seat that all the others reach through one seat alone is told, and when that is over."""

from kotp2p.mesh.reachability import DETOUR_SECONDS, Detours, Reachability
from kotp2p.seams.notices import Detour

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


def test_a_direct_link_is_told_and_so_is_the_last_one() -> None:
    links, found = told_of_both()
    links.add_link(MIA, 30.0)
    assert found.find_news(OTHERS, 30.0) == [Detour(ANA, (ZOE,))]
    links.add_link(ZOE, 40.0)
    assert found.find_news(OTHERS, 40.0) == [Detour(ANA, ())]
    assert found.find_news(OTHERS, 90.0) == []


def test_a_second_way_is_as_good_as_a_direct_link() -> None:
    links, found = told_of_both()
    links.add_link(MIA, 30.0)
    links.learn_links(MIA, (ZOE, ANA))
    assert found.find_news(OTHERS, 30.0) == [Detour(ANA, ())]


def test_the_time_counts_anew_with_another_seat_in_between() -> None:
    links, found = told_of_both()
    links.add_link(MIA, 30.0)
    links.learn_links(MIA, (ZOE,))
    links.learn_links(ANA, ())
    assert found.find_news(OTHERS, 30.0) == [Detour(ANA, ())]
    assert found.find_news(OTHERS, 49.0) == []
    assert found.find_news(OTHERS, 50.0) == [Detour(MIA, (ZOE,))]


def test_a_seat_that_is_lost_before_it_is_told_of_is_no_news() -> None:
    """Zoe closes her window, and Ana notices that later than this seat."""
    links, found = through_ana()
    links.learn_links(ANA, (ME, MIA))
    assert found.find_news(OTHERS, DETOUR_SECONDS) == [Detour(ANA, (MIA,))]
    assert found.find_news(OTHERS, 2 * DETOUR_SECONDS) == []


def test_a_seat_that_is_not_reached_or_has_left_is_told_of_in_other_words() -> None:
    links, found = told_of_both()
    links.learn_links(ANA, (ME, MIA))
    assert found.find_news(OTHERS, 30.0) == []  # Zoe is gone, as far as this seat can see
    assert found.find_news((ANA, MIA), 31.0) == []  # she has left
    links.remove_link(ANA)
    assert found.find_news((ANA, MIA), 32.0) == []
    assert found.find_news((ANA,), 33.0) == []
