"""A hostile seat signs what others cannot read, so that honest relays pay for it with their links.

The relay is taken to run another program, which has read it and passed it on.
"""

from collections.abc import Iterator

import pytest

from kotp2p.mesh.reachability import MAX_BAD_BODIES, LinkFaults
from kotp2p.referee.model.answers import Seat
from kotp2p.wire import entries
from kotp2p.wire.encoding import Value, pack
from kotp2p.wire.entries import TAG_OF_KIND, BodyKind, Signed, pack_seals
from kotp2p.wire.lineups import Change, CheatProof, Leave, LineUp, Ready, Reason, sign_wish
from tests.support.five_players import PEOPLE, SIGNERS, genesis
from tests.support.forged_bodies import seal_anything, sign_anything
from tests.support.wired_peers import WiredPeers

RELAY, READER, MALLORY = 0, 1, 3
GAME = genesis().id


def signed_by(seat: Seat, kind: BodyKind, value: Value) -> Signed:
    if kind is BodyKind.LINE_UP:
        return seal_anything(SIGNERS[seat], seat, value)
    return sign_anything(SIGNERS[seat], kind, value)


def unreadable(seat: Seat) -> Iterator[tuple[str, Signed]]:
    """What `seat` has rightly signed, and what no unmodified program reads."""
    for kind in TAG_OF_KIND:
        if kind not in (BodyKind.GENESIS, BodyKind.ADDRESS):
            yield f"{kind.name} of another form", signed_by(seat, kind, (GAME, seat, "?"))
            yield f"{kind.name} of the greatest size", signed_by(seat, kind, bytes(65_000))
            yield f"{kind.name} of no value", signed_by(seat, kind, None)
    for words in ("\U0001fae8", "a\x1b[2J", "x" * 201):
        yield f"chat {words[:3]!r}", signed_by(seat, BodyKind.CHAT, (GAME, seat, 1, words))
    other = Leave.sign(SIGNERS[seat], bytes(32), seat, 0, 3)
    yield "a farewell to another game", other.signed
    for at in (PEOPLE, (seat + 1) % PEOPLE):
        yield f"a farewell of {at}", Leave.sign(SIGNERS[seat], GAME, at, 0, 3).signed
        yield f"a wish of {at}", sign_wish(SIGNERS[seat], GAME, at, 1).signed
        ready = Ready.sign(SIGNERS[seat], GAME, at, 1, bytes(32), bytes(8))
        yield f"a readiness of {at}", ready.signed
    elsewhere = line_up(bytes(32))
    seal = elsewhere.assent(SIGNERS[seat])
    signed = Signed(BodyKind.LINE_UP, elsewhere.body, pack_seals({seat: seal}))
    yield "an assent in another game", signed


def line_up(game: bytes) -> LineUp:
    plan = (Change(READER, Reason.ABSENT),)
    return LineUp.build(game, 1, GAME, (0, GAME), bytes(32), plan, ())


BODIES = dict(unreadable(MALLORY))


@pytest.mark.parametrize("name", BODIES)
def test_what_a_third_seat_has_signed_costs_a_relay_nothing(name: str) -> None:
    table = WiredPeers(MALLORY)
    table.play_on(3)
    before = len(table.shown[READER])
    table.send(RELAY, [BODIES[name]], (READER,))
    table.deliver()
    assert not table.closed
    assert len(table.shown[READER]) == before, "nothing of it is told"
    table.play_on(5)
    table.check_honest()


def assent_of_another() -> Signed:
    own = line_up(GAME).assent(SIGNERS[MALLORY])
    seals = pack_seals({MALLORY: own, RELAY: own})
    return Signed(BodyKind.LINE_UP, line_up(GAME).body, seals)


FORGED = {
    "forged chat": Signed(BodyKind.CHAT, pack((GAME, RELAY, 1, "hello")), bytes(64)),
    "unreadable forged chat": Signed(BodyKind.CHAT, pack((GAME, RELAY, 1, "\x1b")), bytes(64)),
    "forged assent": Signed(BodyKind.LINE_UP, pack(None), b"\x00" + bytes(64)),
    "no assent": Signed(BodyKind.LINE_UP, pack(None), b""),
    "one forged assent": assent_of_another(),
    "a proof of nothing": CheatProof((Signed(BodyKind.PLAY, bytes(9), bytes(64)),)).signed,
}


@pytest.mark.parametrize("name", BODIES | FORGED)
def test_what_a_seat_or_nobody_has_signed_costs_the_link_that_it_came_on(name: str) -> None:
    """The seat sends it itself."""
    table = WiredPeers(MALLORY)
    table.play_on(3)
    table.send(MALLORY, [(BODIES | FORGED)[name]], (READER,))
    table.deliver()
    assert table.closed == [(READER, MALLORY)]


def test_a_flood_of_unreadable_bodies_costs_few_signature_checks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    checks = 0

    def counted(*_given: object) -> bool:
        nonlocal checks
        checks += 1
        return False

    faults = LinkFaults(genesis().players)
    bad = [signed_by(MALLORY, BodyKind.CHAT, (GAME, MALLORY, n, "\x1b")) for n in range(500)]
    monkeypatch.setattr(entries, "is_valid_signature", counted)
    for signed in bad:
        faults.is_of_sender(RELAY, signed, 100.0)
    assert checks == MAX_BAD_BODIES * PEOPLE
    faults.is_of_sender(RELAY, bad[0], 120.0)
    assert checks == (MAX_BAD_BODIES + 1) * PEOPLE


def test_who_floods_through_a_relay_cannot_make_it_lose_its_link() -> None:
    table = WiredPeers(MALLORY)
    table.play_on(3)
    bad = [signed_by(MALLORY, BodyKind.CHAT, (GAME, MALLORY, n, "\x1b")) for n in range(100)]
    table.send(RELAY, bad, (READER,))
    table.deliver()
    assert not table.closed
    table.play_on(3)
    table.check_honest()
