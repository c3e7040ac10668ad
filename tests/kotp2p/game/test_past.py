"""An earlier place of a game is the same, whether it is made from a snapshot or by a replay."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any, cast

import pytest

from kotp2p.game.chain import Chain
from kotp2p.game.history import ClosingItem, StandIn
from kotp2p.game.ledger import Ledger
from kotp2p.game.past import chain_at
from kotp2p.game.snapshots import MAX_SNAPSHOTS, Snapshot, Snapshots
from kotp2p.game.steps import Finished, Sharing
from kotp2p.wire.entries import BodyKind, Entry, Share
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.proofs import CheatProof
from kotp2p.wire.votes import Certificate, Vote
from tests.support.scribe import Scribe, gathering, rolling
from tests.tools.vector_logs.tables import (
    MAX_TABLES_TRIED,
    asked,
    at_second_look,
    begun,
    others,
    two_answers,
)


def with_all() -> Chain:
    """Two look at one card; one of four is voted out, one leaves, and the last two end the game."""
    scribe = at_second_look(4)
    assert isinstance(scribe.ledger.step, Sharing)
    scribe.step()
    scribe.until(rolling)
    gone = asked(scribe)
    for seat in others(scribe, gone):
        scribe.take(scribe.vote(seat, (gone,)))
    scribe.until(lambda ledger: rolling(ledger) and ledger.chain.turns > 8)
    scribe.take(scribe.farewell(others(scribe, gone, asked(scribe))[0], later=3))
    scribe.until(_is_over)
    return scribe.ledger.chain


def gone_back() -> Chain:
    """A proof undoes a gather, and the game goes on from there."""
    scribe = begun(4)
    scribe.until(lambda ledger: gathering(ledger) and ledger.height > 20)
    at, leaver = scribe.place, 0
    one, two = scribe.farewell(leaver), scribe.farewell(leaver, later=1)
    scribe.take(one)
    scribe.step()
    scribe.step()
    proof = CheatProof((one.signed, two.signed))
    scribe.take(proof)
    for seat in others(scribe, leaver):
        scribe.take(scribe.vote(seat, (leaver,), proofs=[proof], at=at))
    scribe.until(_is_over)
    return scribe.ledger.chain


def in_the_last_round() -> Chain:
    """A certificate of a later round has taken the place of one, and there are convicts."""
    scribe = begun(4)
    gone, at = asked(scribe), scribe.place
    for seat in others(scribe, gone):
        scribe.take(scribe.vote(seat, (gone,), at=at))
    slow = (gone + 1) % 4
    scribe.take(scribe.entry(slow))
    proof = two_answers(scribe, slow)
    scribe.take(proof)
    both = tuple(sorted((gone, slow)))
    for seat in others(scribe, gone, slow):
        scribe.take(scribe.vote(seat, both, 3, at=at))
    scribe.until(_is_over)
    return scribe.ledger.chain


def left_at_a_snapshot() -> Chain:
    """The one player that is asked leaves at a height that a snapshot is kept of. No entry will
    close that step: a copy that went back behind it once waited for one for ever."""
    scribe = _rolling_at_a_snapshot()
    scribe.take(scribe.farewell(asked(scribe)))
    scribe.until(_is_over)
    return scribe.ledger.chain


def _rolling_at_a_snapshot() -> Scribe:
    """Searched among some tables, as the dice of every table change with its genesis."""
    for number in range(MAX_TABLES_TRIED):
        scribe = Scribe(4, number=number)
        scribe.until(lambda ledger: _is_rolling_at_a_snapshot(ledger) or _is_over(ledger))
        if not _is_over(scribe.ledger):
            return scribe
    raise AssertionError("at no table of these is a player asked to roll at a snapshot")


def _is_rolling_at_a_snapshot(ledger: Ledger) -> bool:
    return rolling(ledger) and ledger.chain.snapshots.kept[-1].height == ledger.height > 0


def _is_over(ledger: Ledger) -> bool:
    return isinstance(ledger.step, Finished)


GAMES: dict[str, Callable[[], Chain]] = {
    "with a second look, a certificate and a farewell": with_all,
    "gone back behind a closed gather": gone_back,
    "with a certificate of a later round": in_the_last_round,
    "left at a snapshot": left_at_a_snapshot,
}


def replayed(chain: Chain) -> Iterator[Chain]:
    """The chain of a fresh ledger before each height, fed with the same bodies."""
    ledger = Ledger(chain.genesis)
    for height, done in enumerate(chain.closed):
        assert ledger.height == height
        yield ledger.chain
        for item in done:
            feed(ledger, item)
    yield ledger.chain


def feed(ledger: Ledger, item: ClosingItem) -> None:
    match item:
        case Entry():
            ledger.accept_entry(item)
        case StandIn():
            ledger.accept_farewell(item.farewell)
        case Certificate(bodies=bodies):
            for signed in bodies:
                match signed.kind:
                    case BodyKind.CHEAT_PROOF:
                        ledger.accept_proof(CheatProof.parse(signed))
                    case BodyKind.VOTE:
                        ledger.accept_vote(Vote.parse(signed, ledger.genesis.id))
                    case _:
                        ledger.accept_farewell(Farewell.parse(signed, ledger.genesis.id))


def all_but(value: object, *left_out: str) -> dict[str, Any]:
    return {
        field.name: getattr(value, field.name)
        for field in fields(value)  # type: ignore[arg-type]
        if field.name not in left_out
    }


def assert_same(one: Chain, other: Chain) -> None:
    assert all_but(one, "snapshots", "feed") == all_but(other, "snapshots", "feed")
    here, there = one.feed, other.feed
    assert all_but(here, "game", "_digest") == all_but(there, "game", "_digest")
    assert here.game.digest() == there.game.digest()
    assert here.game.pending == there.game.pending
    assert here.position_digest() == there.position_digest()


@pytest.mark.parametrize("name", GAMES)
def test_a_chain_at_each_earlier_height_is_what_a_replay_of_the_same_bodies_makes(
    name: str,
) -> None:
    chain = GAMES[name]()
    before = chain.game.digest(), list(chain.heads)
    for height, fresh in enumerate(replayed(chain)):
        past = chain_at(chain, height)
        assert past.height == height
        if height < chain.height:
            assert_same(past, fresh)
        assert past.snapshots.kept[0].height == 0
        assert past.snapshots.kept[-1].height <= height
    assert (chain.game.digest(), chain.heads) == before


def test_the_game_has_a_second_look_a_certificate_and_a_farewell() -> None:
    items = [item for done in with_all().closed for item in done]
    assert [item for item in items if isinstance(item, Certificate)]
    assert [item for item in items if isinstance(item, StandIn)]
    assert [i for i in items if isinstance(i, Entry) and isinstance(i.payload, Share)]


def test_an_earlier_chain_goes_on_without_a_trace_in_the_other() -> None:
    chain = gone_back()
    copy, again = chain_at(chain, 30), chain_at(chain, 30)
    for done in chain.closed[30:60]:
        copy.close_again(done)
    assert_same(chain_at(chain, 30), again)
    assert_same(copy, chain_at(chain, 60))
    assert_same(chain_at(copy, 45), chain_at(chain, 45))


def kept_heights(heights: int) -> Iterator[tuple[int, Snapshots]]:
    """The snapshots of a game that is so long."""
    snapshots = Snapshots()
    for height in range(heights + 1):
        if snapshots.is_due(height):
            snapshots.keep(Snapshot(height, 0, Finished(()), cast(Any, None), 0, 0))
        yield height, snapshots


def test_there_are_never_more_snapshots_than_their_limit() -> None:
    for height, snapshots in kept_heights(20_000):
        assert len(snapshots.kept) <= MAX_SNAPSHOTS
        last = snapshots.last_before(height)
        assert last is not None
        assert 0 <= height - last.height <= snapshots.distance
    assert len(snapshots.kept) >= MAX_SNAPSHOTS // 2 - 1
    assert snapshots.distance * MAX_SNAPSHOTS <= 4 * 20_000


def test_every_earlier_height_is_near_a_snapshot() -> None:
    *_, (height, snapshots) = kept_heights(3000)
    heights = [snapshot.height for snapshot in snapshots.kept]
    assert heights == sorted({*heights})
    for earlier in range(height):
        found = snapshots.last_before(earlier)
        assert found is not None
        assert found.height <= earlier < found.height + snapshots.distance
        kept = [snapshot.height for snapshot in snapshots.fork_until(earlier).kept]
        assert kept == [one for one in heights if one <= earlier]
