"""Vectors of each frame, and of what proves a link."""

from dataclasses import replace

from kotp2p.lobby.lobby_chat import LobbyLine
from kotp2p.lobby.lobby_effects import sign_mark
from kotp2p.net.entrance import NONCE_BYTES, Passes
from kotp2p.net.handshake import make_refusal
from kotp2p.net.invitation import Invitation
from kotp2p.net.tls import LEAF_ENTROPY_BYTES, bind_certificates, make_authority, make_leaf
from kotp2p.referee.box.rulesets import RULES_VERSION, Options
from kotp2p.wire import frames
from kotp2p.wire.addresses import Poster, txt_properties
from kotp2p.wire.crypto import OPEN_TABLE_SECRET, Tag, fingerprint, key_fingerprint
from kotp2p.wire.encoding import Value, pack
from kotp2p.wire.entries import BodyKind, Signed, pack_seals
from kotp2p.wire.frames import NO_MARK, Frame
from kotp2p.wire.genesis import PROTOCOL_VERSION, LobbyOptions
from tests.tools.vector_table import SEATS, fill, small_genesis

LATER_HELLO: Value = (int(frames.Hello.TYPE), PROTOCOL_VERSION + 1, 9, (b"another form",), "")
"""Of its fields only the type and the versions are as they are now."""


def _hello(seat: int, table: bytes) -> frames.Hello:
    return frames.Hello(
        PROTOCOL_VERSION,
        RULES_VERSION,
        0,
        fill(1 + seat, 8),
        table,
        SEATS[seat].key,
        fill(2 + seat),
    )


def _watch_frames() -> dict[str, Frame]:
    return {
        "watch": frames.Watch(0, b""),
        "watch after a break": frames.Watch(4096, fill(10)),
        "admitted": frames.Admitted(4892, True),
        "log part": frames.LogPart(4096, b"bytes of the log"),
        "watched": frames.Watched(2),
    }


def all_frames() -> dict[str, object]:
    genesis, rows = small_genesis()
    charter, table = genesis.charter, genesis.charter.table
    taken = frames.TakenSeat(SEATS[0].key, "Ana", "Gigazaur", host=True, fresh=fill(0x0D, 16))
    bot = frames.TakenSeat(0, "Otto", "Alienoid", automatic=True)
    lobby = frames.Lobby((taken, None), "dark", LobbyOptions(Options(tile_sides="green")))
    mark = sign_mark(lobby, SEATS[0])
    started = frames.Start(charter, (("", 4242), ("192.168.1.7", 40_001), ("", 0)))
    made: dict[str, Frame] = {
        "hello": _hello(0, b""),
        "hello of the mesh": _hello(0, table),
        "proof": frames.LinkProof(fill(3, 64)),
        "hello of a watcher": replace(_hello(0, b""), role=int(frames.HelloRole.WATCHER)),
        "refusal of a watcher": make_refusal(
            frames.RefusalCode.NO_WATCHERS, "this table takes no watchers"
        ),
        "refusal": frames.Refusal(1, PROTOCOL_VERSION, RULES_VERSION, "another version"),
        "sit": frames.Sit("Rex", "", 40_001, fresh=fill(0x0E, 16)),
        "lobby": lobby,
        "lobby with a bot": replace(lobby, seats=(taken, None, bot)),
        "lobby with a mark": replace(lobby, marks=(mark, NO_MARK)),
        "choose": frames.Choose(1, "Otto", "Kraken"),
        "ready": frames.Mark(2, mark),
        "not ready": frames.Mark(3, NO_MARK),
        "denied": frames.Denied(1, int(frames.DenialCode.NAME_TAKEN)),
        "stand": frames.Stand(),
        "ping": frames.Ping(),
        "said": LobbyLine(lobby.id, SEATS[1].key, 1, "hello").sign(SEATS[1]),
        "closed": frames.Closed(6),
        "start": started,
        "declined": frames.Declined(table),
        "sealed": frames.Sealed(table, fill(4)),
        "all sealed": frames.AllSealed(table, (fill(4), fill(5))),
        "row": frames.RowShown(table, rows[0]),
        "genesis shown": frames.GenesisShown(genesis.body),
        "genesis with a seal": Signed(BodyKind.GENESIS, genesis.body, pack_seals({1: fill(7, 64)})),
        "links": frames.Links((1, 2)),
        "want": frames.Want(3, 17),
        "position": frames.PositionShown(17, (1, 2, 3)),
        "code": frames.CodeTold(7412, 1033, 576),
        "ask": frames.Ask("0011223344556677/1", b"an opening"),
        "unsure": frames.Unsure((SEATS[1].key,)),
        **_watch_frames(),
        "play": Signed(BodyKind.PLAY, b"body", fill(7, 64)),
        **_frames_of_an_automatic_guest(lobby, started),
    }
    return {name: frames.encode(frame).hex() for name, frame in made.items()}


def _frames_of_an_automatic_guest(lobby: frames.Lobby, started: frames.Start) -> dict[str, Frame]:
    """The frames that say that a bot answers in place of the second seat."""
    host, guest, *bots = started.charter.players
    players = (host, replace(guest, automatic=True), *bots)
    fresh = fill(0x0E, 16)
    taken = frames.TakenSeat(guest.key, guest.name, guest.monster, fresh=fresh, automatic=True)
    return {
        "sit of an automatic guest": frames.Sit("Rex", "", 40_001, False, fresh, True),
        "lobby with an automatic guest": replace(lobby, seats=(*lobby.taken_seats, taken, None)),
        "start with an automatic guest": replace(
            started, charter=replace(started.charter, players=players)
        ),
    }


def links() -> dict[str, object]:
    secret = bytes(range(10))
    own, theirs = (
        make_leaf(OPEN_TABLE_SECRET, fill(1, LEAF_ENTROPY_BYTES)),
        make_leaf(OPEN_TABLE_SECRET, fill(2, LEAF_ENTROPY_BYTES)),
    )
    bound = bind_certificates(own.certificate, theirs.certificate)
    listener, dialler = _hello(0, b""), _hello(1, b"")
    said, answered = (
        pack((by_dialler, bound, dialler.value(), listener.value())) for by_dialler in (True, False)
    )
    invited = Invitation(
        ("192.168.1.20", "2001:db8::7"), 4243, secret, key_fingerprint(SEATS[0].key)
    )
    return {
        "secret of an open table": OPEN_TABLE_SECRET.hex(),
        "authority of an open table": make_authority(OPEN_TABLE_SECRET).hex(),
        "authority of the secret 00..09": make_authority(secret).hex(),
        "leaf of the listener, key 01*32": own.certificate.hex(),
        "leaf of the dialler, key 02*32": theirs.certificate.hex(),
        "binding": bound.hex(),
        "dialler's HELLO": pack(dialler.value()).hex(),
        "listener's HELLO": pack(listener.value()).hex(),
        "HELLO of a later protocol": pack(LATER_HELLO).hex(),
        "its REFUSAL": pack(
            make_refusal(frames.RefusalCode.VERSION, "another version").value()
        ).hex(),
        "signed by the dialler": said.hex(),
        "dialler's proof": SEATS[1].sign(Tag.HELLO, said).hex(),
        "listener's proof": SEATS[0].sign(Tag.HELLO, answered).hex(),
        "fingerprint of the host's key": fingerprint(SEATS[0].key),
        "invitation": {
            "host": SEATS[0].key.hex(),
            "secret": secret.hex(),
            "link": invited.as_link(),
            "link to watch, of the same secret": replace(invited, to_watch=True).as_link(),
        },
        "passes, nonce 03*12": {
            "secret 00..09, no game": Passes(secret).make(fill(3, NONCE_BYTES)),
            "secret 00..09, game 04*32": Passes(secret, fill(4)).make(fill(3, NONCE_BYTES)),
            "open table, game 04*32": Passes(OPEN_TABLE_SECRET, fill(4)).make(fill(3, NONCE_BYTES)),
        },
    }


def announcements() -> dict[str, object]:
    poster = Poster("Ana", "second", 6, 4, 4242, code_number=7412)
    return {"record": txt_properties(poster)}
