"""A player of the table sends what no unmodified program sends."""

from __future__ import annotations

import pytest

from kotp2p.game.ledger import MAX_LONE_LINE_UPS
from kotp2p.mesh.gossip import MAX_EARLY_ENTRIES, AppendRecord, CloseLink, EndPeer, ShowNotice
from kotp2p.peer.peer import Peer
from kotp2p.seams.cores import MAX_CHAT_LINES
from kotp2p.wire.entries import Blame, BodyKind, ChatLine, Entry, Signed, sign_head
from kotp2p.wire.frames import Links, Ping, PositionShown, Want, Watched, decode
from kotp2p.wire.lineups import Leave, LineUp
from tests.support.forged_bodies import sign_anything
from tests.support.hostile_seats import MALLORY, NOW, OTHER, dropped, genesis, hears, peer
from tests.tools.vector_frames import all_frames
from tests.tools.vector_table import SEATS, SEEDS


def test_blames_somebody_for_a_share_that_nobody_has_given() -> None:
    """Once the program went round and round with it. It may be ahead of us, so that nobody is
    accused before its height is reached."""
    found = peer()
    load = Blame(bytes(32))
    blame = Entry.sign(SEATS[MALLORY], 0, 1, bytes(32), MALLORY, load)
    assert hears(found, blame.signed) == []
    assert hears(found, blame.signed) == []
    assert not found.has_ended


def opening(of: int, game: bytes | None = None) -> Entry:
    """An honest first entry of that seat, or one of another game."""
    honest = Peer(genesis(), of, SEATS[of], SEEDS[of])
    honest.begin(NOW)
    honest.tick(NOW)
    first = next(e.signed for e in honest.take_effects() if isinstance(e, AppendRecord))
    assert first.kind is BodyKind.GENESIS
    entry = honest.ledger.chain.gathered[of]
    return Entry.sign(SEATS[of], 0, 0, game or entry.prev, of, entry.payload)


def test_passes_on_an_entry_with_a_bit_turned() -> None:
    """The link that it came over goes; its author is not accused."""
    true = opening(OTHER).signed
    for at in (0, 40, len(true.body) - 1):
        body = true.body[:at] + bytes((true.body[at] ^ 1,)) + true.body[at + 1 :]
        found = peer()
        assert dropped(hears(found, Signed(true.kind, body, true.signature)))
        assert OTHER not in found.ledger.chain.gathered
    turned = Signed(true.kind, true.body, true.signature[:-1] + b"\x7f")
    assert dropped(hears(peer(), turned))


def test_says_in_the_name_of_another() -> None:
    load = opening(OTHER).payload
    game = genesis().id
    forged = Entry.sign(SEATS[MALLORY], 0, 0, game, OTHER, load)
    assert dropped(hears(peer(), forged.signed))
    for seat in (OTHER, 5):
        farewell = Leave.sign(SEATS[MALLORY], game, seat, 0, 0)
        assert dropped(hears(peer(), farewell.signed))
        beat = sign_head(SEATS[MALLORY], game, seat, 0, 0, game)
        assert dropped(hears(peer(), beat))


def test_says_everything_twice() -> None:
    found = peer()
    hears(found, opening(OTHER).signed)
    assert OTHER in found.ledger.chain.gathered
    before = found.ledger.place
    assert hears(found, opening(OTHER).signed) == []
    assert (found.ledger.place, found.has_ended) == (before, False)


def test_replays_what_was_signed_in_another_game() -> None:
    """An entry names its game by the head before it: here it looks like one on another past."""
    strange, found = opening(MALLORY, game=bytes(32)), peer()
    effects = hears(found, strange.signed)
    assert not [e for e in effects if isinstance(e, AppendRecord | EndPeer | ShowNotice)]
    assert MALLORY not in found.ledger.chain.gathered
    for signed in (
        Leave.sign(SEATS[MALLORY], bytes(32), MALLORY, 0, 0).signed,
        sign_head(SEATS[MALLORY], bytes(32), MALLORY, 0, 0, bytes(32)),
    ):
        assert dropped(hears(peer(), signed))


def test_signs_ahead_without_end() -> None:
    """What may be needed soon is kept, in bounds; the rest is not."""
    found, game = peer(), genesis().id
    load = opening(MALLORY).payload
    for height in range(1, 400):
        hears(found, Entry.sign(SEATS[MALLORY], 0, height, game, MALLORY, load).signed)
    assert not found.has_ended
    assert len(found.intake.early._kept) == MAX_EARLY_ENTRIES


def test_assents_to_line_ups_without_end() -> None:
    """What is kept is bounded, and those of others are not touched by it."""
    found, game = peer(), genesis().id

    def lone(seat: int, attempt: int) -> LineUp:
        lineup = LineUp.build(game, attempt, game, (0, game), bytes(32), (), ())
        hears(found, lineup.signed({seat: lineup.assent(SEATS[seat])}))
        return lineup

    others = lone(OTHER, 1)
    for attempt in range(2, 200):
        lone(MALLORY, attempt)
    assert len(found.ledger.line_ups) == MAX_LONE_LINE_UPS + 1
    assert others.id in found.ledger.line_ups
    assert not found.has_ended


@pytest.mark.parametrize(
    "words", ["a\x1b[2J", "a\u202eb", "a\x00b", "e\u0301", "x" * 201, "\x07", "\u2066"]
)
def test_says_what_could_deceive_a_terminal(words: str) -> None:
    line = sign_anything(SEATS[MALLORY], BodyKind.CHAT, (genesis().id, MALLORY, 1, words))
    assert dropped(hears(peer(), line))


def test_talks_without_end() -> None:
    found, shown = peer(), 0
    for serial in range(1, 200):
        line = ChatLine.sign(SEATS[MALLORY], genesis().id, MALLORY, serial, "hello").signed
        shown += sum(isinstance(e, ShowNotice) for e in hears(found, line))
    assert shown == MAX_CHAT_LINES


def test_sends_frames_of_the_lobby_into_the_game() -> None:
    passed_over = (Ping, Watched)
    for name, data in all_frames().items():
        frame = decode(bytes.fromhex(str(data))[4:])
        if isinstance(frame, (Signed, Links, Want, PositionShown, *passed_over)) or frame is None:
            continue
        assert dropped(hears(peer(), frame)), name


def test_is_linked_to_seats_that_the_table_does_not_have() -> None:
    found = peer()
    assert not [e for e in hears(found, Links((0, 2, 4, 5))) if isinstance(e, CloseLink | EndPeer)]
    found.tick(NOW + 5)
    assert not found.has_ended
