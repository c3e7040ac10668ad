"""One that only watches: it follows a finished game to its end without a seat and without a key."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import fields
from random import Random
from types import ModuleType

import pytest

from kotp2p.absence_notices import Dropped
from kotp2p.budgets import NOTICES_AT_ONCE
from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Finished
from kotp2p.game.verify import Replay, verify_log
from kotp2p.mesh.effects import (
    AppendRecord,
    AskDecision,
    CloseLink,
    Effect,
    SendFrame,
    ShowNotice,
)
from kotp2p.mesh.reachability import GONE_AFTER_SILENT_SECONDS
from kotp2p.notices import Cheated, GameStarted, Happened, LinkChanged, SeatLeft, Unsteady
from kotp2p.peer import follower as follower_module
from kotp2p.peer import reporting as reporting_module
from kotp2p.peer.follower import Follower
from kotp2p.seat_view import WATCHER
from kotp2p.wire.crypto import Signer
from kotp2p.wire.entries import BodyKind, Entry, Signed
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.frames import Frame
from kotp2p.wire.frames_game import Links, Want
from kotp2p.wire.frames_lobby import LobbyChat
from kotp2p.wire.genesis import PROTOCOL_VERSION, Genesis
from kotp2p.wire.proofs import CheatProof
from kotp2p.wire.records import RecordReader, read_head
from kotp2p.wire.votes import Vote
from referee.box.rulesets import RULES_VERSION
from referee.model.events import Event
from tests.support.paths import LOGS

OURS = f"protocol-{PROTOCOL_VERSION}-rules-{RULES_VERSION}-*.kotlog"
GOLDEN = sorted(path.name for path in LOGS.glob(OURS))
WITH_VOTES = next(name for name in GOLDEN if name.endswith("-votes.kotlog"))
"""One of its five is voted out, and one says farewell."""
SOURCE = 0
"""The seat over whose link everything comes."""
NOW = 100.0


def records_of(name: str) -> list[Signed]:
    data = (LOGS / name).read_bytes()
    reader, found = RecordReader(data, read_head(data)[1]), []
    while (signed := reader.read_record()) is not None:
        found.append(signed)
    return found


def ledger_of(name: str) -> Ledger:
    """What `verify` makes of the log."""
    replay = Replay(read_head((LOGS / name).read_bytes())[1])
    for signed in records_of(name):
        replay.add_record(signed)
    assert replay.ledger is not None
    return replay.ledger


def genesis_of(name: str) -> Genesis:
    return ledger_of(name).genesis


def bodies_of(name: str) -> list[Signed]:
    """All but the genesis, and the signatures under the end."""
    return [r for r in records_of(name) if r.kind not in (BodyKind.GENESIS, BodyKind.CLOSE)]


def watcher_of(name: str) -> Follower:
    """It has begun and has one link, to a seat of the table."""
    watcher = Follower(genesis_of(name))
    watcher.begin(NOW)
    watcher.link_up(SOURCE, NOW)
    return watcher


def hears(watcher: Follower, *frames: Frame, now: float = NOW) -> list[Effect]:
    for frame in frames:
        watcher.receive_frame(SOURCE, frame, now)
    return watcher.take_effects()


def wants(effects: list[Effect]) -> list[int]:
    """The heights from which on bodies are asked for."""
    return [
        e.frame.height for e in effects if isinstance(e, SendFrame) and isinstance(e.frame, Want)
    ]


def events_of(effects: list[Effect]) -> list[Event]:
    notices = [e.notice for e in effects if isinstance(e, ShowNotice)]
    return [event for n in notices if isinstance(n, Happened) for event in n.events]


def played_events(name: str) -> Iterator[Event]:
    """What the ledger alone says has happened, body by body."""
    genesis = genesis_of(name)
    ledger = Ledger(genesis)
    for signed in bodies_of(name):
        match signed.kind:
            case BodyKind.STAND_IN:
                moved = ledger.accept_farewell(Farewell.parse(signed, genesis.id))
            case BodyKind.VOTE:
                moved = ledger.accept_vote(Vote.parse(signed, genesis.id))
            case BodyKind.CHEAT_PROOF:
                moved = ledger.accept_proof(CheatProof.parse(signed))
            case _:  # plays and shares: a log holds no other kind
                moved = ledger.accept_entry(Entry.parse(signed))
        assert moved is not None
        yield from moved.events


@pytest.mark.parametrize("name", GOLDEN)
def test_a_watcher_reaches_the_end_that_verify_finds(name: str) -> None:
    watcher, report = watcher_of(name), verify_log((LOGS / name).read_bytes())
    hears(watcher, *bodies_of(name))
    assert isinstance(watcher.ledger.step, Finished)
    assert watcher.ledger.step.winners == report.winners
    assert watcher.ledger.head == report.head
    assert watcher.ledger.chain.turns == report.turns
    assert watcher.view.game is watcher.ledger.game
    assert watcher.view.phrase == report.phrase


@pytest.mark.parametrize("name", GOLDEN)
def test_a_watcher_writes_down_what_it_hears_in_the_same_order(name: str) -> None:
    watcher = watcher_of(name)
    written = [e.signed for e in hears(watcher, *bodies_of(name)) if isinstance(e, AppendRecord)]
    assert written == [r for r in records_of(name) if r.kind is not BodyKind.CLOSE]


@pytest.mark.parametrize("name", GOLDEN)
def test_a_watcher_shows_the_game_in_order(name: str) -> None:
    expected = list(played_events(name))
    watcher = watcher_of(name)
    effects = hears(watcher, *bodies_of(name))
    shown = [e.notice for e in effects if isinstance(e, ShowNotice)]
    assert isinstance(shown[0], GameStarted)
    assert events_of(effects) == expected
    assert len(expected) > 100
    holds_proof = any(signed.kind is BodyKind.CHEAT_PROOF for signed in bodies_of(name))
    assert any(isinstance(n, Cheated) for n in shown) is holds_proof


def test_a_watcher_sees_who_is_out() -> None:
    effects = hears(watcher_of(WITH_VOTES), *bodies_of(WITH_VOTES))
    shown = [e.notice for e in effects if isinstance(e, ShowNotice)]
    (dropped,) = [n for n in shown if isinstance(n, Dropped)]
    (left,) = [n for n in shown if isinstance(n, SeatLeft)]
    assert dropped.seats == (4,)
    assert left.seat == 1


def test_a_watcher_takes_entries_that_come_too_early_once_their_place_is_reached() -> None:
    """Two neighbours change places all along: the reader is never more than one step ahead."""
    name = GOLDEN[0]
    bodies, chance = bodies_of(name), Random(1)
    for at in range(0, len(bodies) - 1, 2):
        if chance.random() < 0.5:
            bodies[at : at + 2] = reversed(bodies[at : at + 2])
    assert bodies != bodies_of(name)
    watcher = watcher_of(name)
    hears(watcher, *bodies)
    assert watcher.ledger.head == ledger_of(name).head


def test_a_watcher_asks_for_what_is_missing() -> None:
    bodies = bodies_of(WITH_VOTES)
    votes = [b for b in bodies if b.kind is BodyKind.VOTE]
    entries = [b for b in bodies if b.kind is BodyKind.PLAY]
    late = next(b for b in entries if Entry.parse(b).view == 1)
    (close,) = [r for r in records_of(WITH_VOTES) if r.kind is BodyKind.CLOSE]
    for further in (votes[0], late, close):
        watcher = watcher_of(WITH_VOTES)
        hears(watcher, *bodies[:20])
        (height,) = wants(hears(watcher, further))
        assert 0 < height <= watcher.ledger.height
        assert wants(hears(watcher, further)) == []  # not over and over
        assert wants(hears(watcher, further, now=NOW + 1.0)) == [height]


def test_a_watcher_that_has_seen_the_end_asks_for_nothing_when_it_hears_of_it() -> None:
    watcher = watcher_of(WITH_VOTES)
    (close,) = [r for r in records_of(WITH_VOTES) if r.kind is BodyKind.CLOSE]
    hears(watcher, *bodies_of(WITH_VOTES))
    assert wants(hears(watcher, close, now=NOW + 60)) == []


@pytest.mark.parametrize("name", GOLDEN)
def test_a_watcher_catches_up_from_another_watcher(name: str) -> None:
    """It asks again and again, as one that has joined in the middle does."""
    ahead, behind, now = watcher_of(name), watcher_of(name), NOW
    hears(ahead, *bodies_of(name))
    hears(behind, *bodies_of(name)[:7])
    while behind.ledger.head != ahead.ledger.head:
        before, now = behind.ledger.height, now + 1.0
        sent = [e for e in hears(ahead, Want(before), now=now) if isinstance(e, SendFrame)]
        hears(behind, *(e.frame for e in sent), now=now)
        assert behind.ledger.height > before
    assert isinstance(behind.ledger.step, Finished)


@pytest.mark.parametrize("name", GOLDEN)
def test_a_watcher_signs_nothing_and_is_asked_nothing(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(signer: Signer, tag: str, body: bytes) -> bytes:
        raise AssertionError("a watcher has signed")

    monkeypatch.setattr(Signer, "sign", refuse)
    watcher, known = watcher_of(name), set(records_of(name))
    watcher.link_up(1, NOW)
    effects = hears(watcher, *bodies_of(name))
    for second in range(60):
        watcher.tick(NOW + second)
    effects += watcher.take_effects()
    assert not [e for e in effects if isinstance(e, AskDecision)]
    sent = [e.frame for e in effects if isinstance(e, SendFrame)]
    assert {type(frame) for frame in sent} == {Links, Signed}
    assert {frame for frame in sent if isinstance(frame, Signed)} <= known


@pytest.mark.parametrize("module", [follower_module, reporting_module])
def test_no_part_of_following_knows_of_a_key_or_of_a_vote_of_its_own(module: ModuleType) -> None:
    imported = {value.__name__ for value in vars(module).values() if inspect.isclass(value)}
    assert not imported & {"Signer", "Secrets", "Voting", "Presence", "GameClosing", "SeatClocks"}


def test_a_watcher_has_no_seat() -> None:
    watcher = watcher_of(GOLDEN[0])
    assert watcher.view.seat == watcher.seat == WATCHER
    assert WATCHER not in range(len(watcher.genesis.players))
    assert "signer" not in {item.name for item in fields(Follower)}


def test_a_frame_of_another_phase_ends_the_link() -> None:
    watcher = watcher_of(GOLDEN[0])
    watcher.take_effects()
    assert [type(e) for e in hears(watcher, LobbyChat(b"", bytes(64)))] == [CloseLink]


def test_a_link_that_breaks_is_shown_and_so_is_its_return() -> None:
    watcher = watcher_of(GOLDEN[0])
    watcher.take_effects()
    watcher.link_down(SOURCE)
    watcher.link_up(SOURCE, NOW)
    notices = [e.notice for e in watcher.take_effects() if isinstance(e, ShowNotice)]
    assert notices == [LinkChanged(SOURCE, False), LinkChanged(SOURCE, True)]


def test_a_link_over_which_nothing_comes_is_ended() -> None:
    watcher = watcher_of(GOLDEN[0])
    watcher.take_effects()
    for now in range(1, 60):
        watcher.tick(NOW + now)
    closed = [e for e in watcher.take_effects() if isinstance(e, CloseLink)]
    assert [e.seat for e in closed] == [SOURCE]


def gone(watcher: Follower, now: float) -> set[int]:
    return {*watcher.reachability.find_gone_seats(range(len(watcher.genesis.players)), now)}


@pytest.mark.parametrize("kind", [BodyKind.PLAY, BodyKind.VOTE])
def test_what_another_seat_has_signed_is_a_sign_of_life_by_whatever_way_it_comes(
    kind: BodyKind,
) -> None:
    watcher, bodies = watcher_of(WITH_VOTES), bodies_of(WITH_VOTES)
    hears(watcher, Links(tuple(range(1, len(watcher.genesis.players)))))
    at = next(n for n, body in enumerate(bodies) if body.kind is kind and author(body) != SOURCE)
    hears(watcher, *bodies[:at])
    hears(watcher, bodies[at], now=NOW + 20)
    silent = {*range(len(watcher.genesis.players))} - {SOURCE, author(bodies[at])}
    assert gone(watcher, NOW + 20 + GONE_AFTER_SILENT_SECONDS - 1) == silent


def author(signed: Signed) -> int:
    game = genesis_of(WITH_VOTES).id
    parsed = Vote.parse(signed, game) if signed.kind is BodyKind.VOTE else Entry.parse(signed)
    return parsed.seat


def test_a_link_that_breaks_without_end_fills_no_screen() -> None:
    watcher = watcher_of(GOLDEN[0])
    watcher.take_effects()
    for _ in range(100):
        watcher.link_down(SOURCE)
        watcher.link_up(SOURCE, NOW)
    notices = [e.notice for e in watcher.take_effects() if isinstance(e, ShowNotice)]
    assert len(notices) == NOTICES_AT_ONCE + 1
    assert isinstance(notices[-1], Unsteady)
