"""An earlier place of a game is the same, whether it is made from a snapshot or by a replay."""

from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any, cast

import pytest

from kotp2p.game.chain import (
    HEIGHTS_BETWEEN_SNAPSHOTS,
    MAX_SNAPSHOTS,
    Chain,
    Snapshot,
    Snapshots,
    chain_at,
)
from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Finished, Gather, Sharing
from kotp2p.referee.model.answers import Seat
from kotp2p.wire.entries import BodyKind, Entry, Share, Signed
from kotp2p.wire.lineups import Change, CheatProof, Leave, Reason
from tests.support.scribe import Scribe, gathering, rolling
from tests.tools.vector_logs import tables

LATER = b"\0\0\0\1" + bytes(4)
"""The instance of a process that has come back."""


def with_all() -> Scribe:
    """Two look at one card; one is absent and back, one leaves, and an open roll is kept."""
    scribe = tables.at_second_look(4)
    assert isinstance(scribe.ledger.step, Sharing)
    scribe.step()
    scribe.until(rolling)
    gone = tables.asked(scribe)
    scribe.lose(gone)
    scribe.step()
    scribe.change(Change(gone, Reason.BACK, LATER))
    scribe.until(lambda ledger: rolling(ledger) and ledger.chain.turns > 8)
    scribe.go(tables.others(scribe, gone, tables.asked(scribe))[0])
    scribe.until(lambda ledger: _is_open_to_three(ledger) or _is_over(ledger))
    assert not _is_over(scribe.ledger)
    scribe.step()
    scribe.until(gathering)
    _, second, _ = sorted(scribe.ledger.roster.members)
    scribe.step(silent=scribe.ledger.roster.members - {second})
    scribe.lose(second)
    scribe.until(_is_over)
    return scribe


def _is_open_to_three(ledger: Ledger) -> bool:
    return gathering(ledger) and len(ledger.roster.members) == 3


def gone_back() -> Scribe:
    """A proof undoes a gather, and the game goes on from there."""
    scribe = tables.begun(4)
    scribe.until(lambda ledger: gathering(ledger) and ledger.height > 20)
    cheat: Seat = asked_before(scribe)
    proof = tables.two_answers(scribe, cheat)
    scribe.step()
    scribe.until(rolling)
    closed = scribe.ledger.chain.last_gather
    scribe.take(proof)
    assert scribe.change(Change(cheat, Reason.CHEATED)).height == closed
    scribe.until(_is_over)
    return scribe


def asked_before(scribe: Scribe) -> Seat:
    """A keeper that opens here."""
    step = scribe.ledger.step
    assert isinstance(step, Gather)
    return step.contributors[-1]


def in_a_later_attempt() -> Scribe:
    """A line-up has begun and another one of a later attempt has taken its place."""
    scribe = tables.begun(5)
    gone = tables.asked(scribe)
    slow = (gone + 1) % 5
    lineup = scribe.line_up(Change(gone, Reason.ABSENT))
    both = scribe.line_up(
        Change(gone, Reason.ABSENT), Change(slow, Reason.ABSENT), attempt=lineup.attempt + 1
    )
    scribe.take(scribe.assents(lineup))
    scribe.step()
    scribe.take(scribe.assents(both))
    assert scribe.ledger.roster.lineup == both.id
    scribe.until(_is_over)
    return scribe


def left_at_a_snapshot() -> Scribe:
    """The one player that is asked leaves at a height that a snapshot is kept of. No entry will
    close that step: a copy that went back behind it once waited for one for ever."""
    scribe = _rolling_at_a_snapshot()
    scribe.go(tables.asked(scribe))
    scribe.until(_is_over)
    return scribe


def _rolling_at_a_snapshot() -> Scribe:
    """Searched among some tables, as the dice of every table change with its genesis."""
    for number in range(tables.MAX_TABLES_TRIED):
        scribe = Scribe(4, number=number)
        scribe.until(lambda ledger: _is_rolling_at_a_snapshot(ledger) or _is_over(ledger))
        if not _is_over(scribe.ledger):
            return scribe
    raise AssertionError("at no table of these is a player asked to roll at a snapshot")


def _is_rolling_at_a_snapshot(ledger: Ledger) -> bool:
    return rolling(ledger) and ledger.chain.snapshots.kept[-1].height == ledger.height > 0


def _is_over(ledger: Ledger) -> bool:
    return isinstance(ledger.step, Finished)


GAMES: dict[str, Callable[[], Scribe]] = {
    "with a second look, a return, a leave and a kept roll": with_all,
    "gone back behind a closed gather": gone_back,
    "with a line-up of a later attempt": in_a_later_attempt,
    "left at a snapshot": left_at_a_snapshot,
}


def replayed(ledger: Ledger) -> Iterator[Chain]:
    """The line of a fresh ledger at each height, after the line-ups that begin there."""
    fresh, line = Ledger(ledger.genesis, is_bound=True), ledger.chain
    height = 0
    for signed in ledger.canonical_bodies():
        has_all = len(fresh.chain.begun) == sum(part.height <= fresh.height for part in line.begun)
        if fresh.height >= height and has_all and signed.kind is not BodyKind.LINE_UP:
            height = fresh.height + 1
            yield fresh.chain
        feed(fresh, signed)
    assert fresh.heads == ledger.heads


def feed(ledger: Ledger, signed: Signed) -> None:
    match signed.kind:
        case BodyKind.CHEAT_PROOF:
            ledger.accept_proof(CheatProof.parse(signed))
        case BodyKind.LEAVE:
            ledger.accept_leave(Leave.parse(signed, ledger.genesis.id))
        case BodyKind.LINE_UP:
            ledger.accept_line_up(signed)
        case _:
            ledger.accept_entry(Entry.parse(signed))


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
def test_a_line_at_each_earlier_height_is_what_a_replay_of_the_same_bodies_makes(name: str) -> None:
    ledger = GAMES[name]().ledger
    chain = ledger.chain
    before, seen = (chain.game.digest(), list(chain.heads)), list[int]()
    for fresh in replayed(ledger):
        past = chain_at(chain, fresh.height)
        assert_same(past, fresh)
        assert past.snapshots.kept[0].height == 0
        assert past.snapshots.kept[-1].height <= fresh.height
        seen.append(fresh.height)
    assert len(seen) > chain.height * 0.9
    assert (chain.game.digest(), chain.heads) == before


def test_the_game_has_a_second_look_line_ups_and_a_kept_roll() -> None:
    chain = with_all().ledger.chain
    reasons = [change.reason for begun in chain.begun for change in begun.lineup.plan]
    assert reasons == [Reason.ABSENT, Reason.BACK, Reason.LEFT, Reason.ABSENT]
    assert chain.begun[-1].lineup.openings
    items = [item for done in chain.closed for item in done]
    assert [item for item in items if isinstance(item.payload, Share)]


def test_a_game_keeps_few_of_its_earlier_places() -> None:
    scribe = tables.begun(4)
    scribe.finish()
    chain = scribe.ledger.chain
    assert 1 < len(chain.snapshots.kept) <= 1 + chain.height // HEIGHTS_BETWEEN_SNAPSHOTS


def test_an_earlier_line_goes_on_without_a_trace_in_the_other() -> None:
    chain = gone_back().ledger.chain
    copy, again = chain_at(chain, 30), chain_at(chain, 30)
    for done in chain.closed[30:60]:
        copy.close_again(done)
    assert_same(chain_at(chain, 30), again)
    assert_same(copy, chain_at(chain, 60))
    assert_same(chain_at(copy, 45), chain_at(chain, 45))


def kept_heights(heights: int) -> Iterator[tuple[int, Snapshots]]:
    """The snapshots of a game that is so long."""
    snapshots, nothing = Snapshots(), cast(Any, None)
    for height in range(heights + 1):
        if snapshots.is_due(height):
            snapshots.keep(Snapshot(height, Finished((), ()), nothing, nothing, (0, 0), {}))
        yield height, snapshots


def test_there_are_never_more_snapshots_than_their_limit() -> None:
    for height, snapshots in kept_heights(20_000):
        assert len(snapshots.kept) <= MAX_SNAPSHOTS
        assert 0 <= height - snapshots.last_before(height).height <= snapshots.distance
    assert len(snapshots.kept) >= MAX_SNAPSHOTS // 2 - 1
    assert snapshots.distance * MAX_SNAPSHOTS <= 4 * 20_000


def test_every_earlier_height_is_near_a_snapshot() -> None:
    *_, (height, snapshots) = kept_heights(3000)
    heights = [snapshot.height for snapshot in snapshots.kept]
    assert heights == sorted({*heights})
    for earlier in range(height):
        found = snapshots.last_before(earlier)
        assert found.height <= earlier < found.height + snapshots.distance
        kept = [snapshot.height for snapshot in snapshots.fork_until(earlier).kept]
        assert kept == [one for one in heights if one <= earlier]
