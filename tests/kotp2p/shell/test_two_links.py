"""Two links to one player: both sides keep the same one, and of two processes the newer one."""

from typing import cast

import pytest

from kotp2p.net.links import Link
from kotp2p.wire.lineups import Here as SaidHere
from tests.support.five_players import SIGNERS, genesis
from tests.support.game_of_one import NEWER, OLDER, FakeLink, Here

SMALLER, GREATER = sorted(range(5), key=lambda seat: SIGNERS[seat].key)[:2]


@pytest.mark.parametrize("me", [SMALLER, GREATER])
@pytest.mark.parametrize("dialled_first", [True, False])
async def test_of_two_links_that_are_made_at_once_the_one_is_kept_that_the_smaller_key_dialled(
    me: int, dialled_first: bool
) -> None:
    other = GREATER if me == SMALLER else SMALLER
    here = Here(me)
    first, second = FakeLink(other, 1, dialled_first), FakeLink(other, 2, not dialled_first)
    here.accept(first)
    here.accept(second)
    kept = first if first.dialled is (me == SMALLER) else second
    assert [link for link in (first, second) if not link.was_shut] == [kept]
    assert here.stage._link_of(other) is cast(Link, kept)


@pytest.mark.parametrize("dialled", [True, False])
async def test_a_link_that_is_made_again_by_the_same_side_replaces_the_old_one(
    dialled: bool,
) -> None:
    here = Here(SMALLER)
    first, second = FakeLink(GREATER, 1, dialled), FakeLink(GREATER, 2, dialled)
    here.accept(first)
    here.accept(second)
    assert (first.was_shut, second.was_shut) == (True, False)


@pytest.mark.parametrize("older_first", [True, False])
async def test_of_two_processes_of_a_player_the_newer_one_keeps_its_link(older_first: bool) -> None:
    here = Here(SMALLER)
    older, newer = FakeLink(GREATER, 1, False, OLDER), FakeLink(GREATER, 2, False, NEWER)
    said = SaidHere.sign(SIGNERS[GREATER], genesis().id, GREATER, NEWER).signed
    here.accept(older if older_first else newer)
    here.peer.receive_frame(GREATER, said, 0.0)
    here.sent.clear()
    here.accept(newer if older_first else older)
    assert (older.was_shut, newer.was_shut) == (True, False)
    assert ((older.number, said) in here.sent) is not older_first


async def test_a_link_of_a_stranger_or_of_another_table_is_cut() -> None:
    here = Here(SMALLER)
    other_table = FakeLink(GREATER, 1, True)
    other_table.their_hello.table = bytes(32)
    oneself, stranger = FakeLink(SMALLER, 2, True), FakeLink(GREATER, 3, True)
    stranger.key = bytes(32)
    for link in (other_table, oneself, stranger):
        here.accept(link)
        assert link.was_shut
    assert here.stage._link_of(GREATER) is None
