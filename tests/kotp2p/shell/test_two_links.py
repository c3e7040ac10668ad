"""Two links to one player: both sides keep the same one, and of two processes the newer one."""

from itertools import product
from typing import cast

import pytest

from kotp2p.net.links import Link
from kotp2p.wire.lineups import Here as SaidHere
from tests.support.five_players import SIGNERS, genesis
from tests.support.game_of_one import NEWER, OLDER, FakeLink, Here

SMALLER, GREATER = sorted(range(5), key=lambda seat: SIGNERS[seat].key)[:2]
KINDS = [*product((True, False), (True, False), (OLDER, NEWER))]
"""Of links: whether we dialled, whether a relay carries it, and the process at the other end."""


@pytest.mark.parametrize("me", [SMALLER, GREATER])
@pytest.mark.parametrize("kinds", [*product(KINDS, repeat=2)])
async def test_the_newer_process_counts_then_a_direct_link_then_that_of_the_smaller_key(
    me: int, kinds: tuple[tuple[bool, bool, bytes], tuple[bool, bool, bytes]]
) -> None:
    """Of two links that are alike in all of this the one that was made last."""
    here, other = Here(me), GREATER if me == SMALLER else SMALLER
    said = SaidHere.sign(SIGNERS[other], genesis().id, other, NEWER).signed
    links = []
    for number, (dialled, is_relayed, instance) in enumerate(kinds):
        links.append(FakeLink(other, number, dialled, instance))
        links[-1].is_relayed = is_relayed
        here.sent.clear()
        here.accept(links[-1])
        here.peer.receive_frame(other, said, 0.0)

    def rank(link: FakeLink) -> tuple[bytes, bool, bool]:
        is_of_smaller = link.dialled is (me == SMALLER)
        return link.their_hello.instance, not link.is_relayed, is_of_smaller

    kept = max(links[::-1], key=rank)
    assert [link for link in links if not link.was_shut] == [kept]
    assert here.stage._link_of(other) is cast(Link, kept)
    assert here.stage._relayed == ({other} if kept.is_relayed else set())
    assert ((1, said) in here.sent) is (kinds[0][2] > kinds[1][2])


async def test_a_link_of_a_stranger_or_of_another_table_is_cut() -> None:
    here = Here(SMALLER)
    other_table = FakeLink(GREATER, 1, True)
    other_table.their_hello.table = bytes(32)
    early = FakeLink(GREATER, 4, False)  # without a table, though it has dialled us
    early.their_hello.table = b""
    oneself, stranger = FakeLink(SMALLER, 2, True), FakeLink(GREATER, 3, True)
    stranger.key = bytes(32)
    for link in (other_table, oneself, stranger, early):
        here.accept(link)
        assert link.was_shut
    assert here.stage._link_of(GREATER) is None
    early.was_shut, early.dialled = False, True
    here.accept(early)
    assert here.stage._link_of(GREATER) is cast(Link, early)
