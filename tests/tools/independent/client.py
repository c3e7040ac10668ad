"""A player that knows the text only: it joins an open table, plays to the end, and seals it.

Law: sections 3, 4, 6 and what of 7 and 9 a player owes who never leaves; it answers as the
referee proposes. One socket, no threads: to be dialled, to change who plays or to resume needs
more.
"""

import datetime
import os
import socket
import ssl
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from kotp2p.referee.model.decisions import Chance, Over
from tests.tools.independent import bodies, file, wire
from tests.tools.independent.file import PROTOCOL, RULES, Record
from tests.tools.independent.genesis import WINDOWS, Genesis, read
from tests.tools.independent.judge import Judge
from tests.tools.independent.line import Line, Owed

OPEN = b"kotp2p open table"
HELLO, PROVED, SIT, LOBBY, START, SEALED, ALL_SEALED, ROW = 64, 65, 67, 68, 71, 72, 73, 74
SHOWN, LINKS, PING = 75, 78, 82
HEAD = 7
OF_THE_LOG = (bodies.PLAY, bodies.LINE_UP, bodies.LEAVE, bodies.SHARE, bodies.PROOF)
FROM = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)
UNTIL = datetime.datetime(2049, 12, 31, 23, 59, 59, tzinfo=datetime.UTC)


# -- certificates, 4.1 -----------------------------------------------------------------------


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _usage(signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(not signs, False, False, False, False, signs, False, False, False)


def authority(secret: bytes) -> tuple[Ed25519PrivateKey, x509.Certificate]:
    key = Ed25519PrivateKey.from_private_bytes(wire.derived(secret, "authority"))
    made = _certificate(key, "kotp2p", 1)
    made = made.add_extension(x509.BasicConstraints(True, 0), critical=True)
    made = made.add_extension(_usage(signs=True), critical=True)
    return key, _identified(made, key).sign(key, None)


def leaf(secret: bytes) -> tuple[Ed25519PrivateKey, x509.Certificate]:
    above, _ = authority(secret)
    key = Ed25519PrivateKey.generate()
    made = _certificate(key, "peer", 2 + int.from_bytes(os.urandom(8), "big"))
    made = made.add_extension(x509.BasicConstraints(False, None), critical=True)
    made = made.add_extension(_usage(signs=False), critical=True)
    both = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
    made = _identified(made.add_extension(x509.ExtendedKeyUsage(both), critical=False), key)
    over = x509.AuthorityKeyIdentifier.from_issuer_public_key(above.public_key())
    return key, made.add_extension(over, critical=False).sign(above, None)


def _certificate(key: Ed25519PrivateKey, name: str, serial: int) -> x509.CertificateBuilder:
    made = x509.CertificateBuilder().serial_number(serial).public_key(key.public_key())
    made = made.issuer_name(_named("kotp2p")).subject_name(_named(name))
    return made.not_valid_before(FROM).not_valid_after(UNTIL)


def _identified(made: x509.CertificateBuilder, key: Ed25519PrivateKey) -> x509.CertificateBuilder:
    named = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    return made.add_extension(named, critical=False)


def _pem(key: Ed25519PrivateKey, certificate: x509.Certificate) -> bytes:
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return private + certificate.public_bytes(serialization.Encoding.PEM)


def connected(port: int, secret: bytes) -> tuple[ssl.SSLSocket, bytes]:
    key, own = leaf(secret)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.set_alpn_protocols(["kotp2p/1"])
    context.verify_flags |= ssl.VerifyFlags(0x200000)  # X509_V_FLAG_NO_CHECK_TIME
    _, above = authority(secret)
    context.load_verify_locations(cadata=above.public_bytes(serialization.Encoding.DER))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "leaf.pem")
        path.write_bytes(_pem(key, own))
        context.load_cert_chain(path)
    stream = context.wrap_socket(socket.create_connection(("127.0.0.1", port), 10))
    theirs = stream.getpeercert(binary_form=True)
    wire.need(stream.selected_alpn_protocol() == "kotp2p/1" and theirs, "another protocol")
    mine = own.public_bytes(serialization.Encoding.DER)
    return stream, wire.hashed("binding", theirs or b"", mine)


# -- the player ------------------------------------------------------------------------------


@dataclass
class Client:
    name: str
    secret: bytes = OPEN
    key: Ed25519PrivateKey = field(default_factory=Ed25519PrivateKey.generate)
    seed: bytes = field(default_factory=lambda: os.urandom(32))
    seat: int = -1
    buffer: bytes = b""
    told: float = 0.0
    """When the other side was last told that we are there."""
    beats: int = 0
    """The HEADs that were sent."""
    lobby: list[wire.Value] = field(default_factory=list)
    """The fields of the last LOBBY."""
    waiting: list[Record] = field(default_factory=list)
    """Entries that have come before their place."""
    log: list[Record] = field(default_factory=list)

    def close(self) -> None:
        self.stream.close()

    @property
    def public(self) -> bytes:
        return self.key.public_key().public_bytes_raw()

    def sign(self, tag: str, body: bytes) -> bytes:
        return self.key.sign(f"kotp2p/{tag}/1".encode() + b"\0" + body)

    def send(self, *fields: wire.Value) -> None:
        body = wire.encode(list(fields))
        self.stream.sendall(len(body).to_bytes(4, "big") + body)

    def next(self) -> list[wire.Value]:
        """The next frame; meanwhile the other side is told every 3 s that we are there."""
        while True:
            size = int.from_bytes(self.buffer[:4], "big") if len(self.buffer) >= 4 else None
            if size is not None and len(self.buffer) >= 4 + size:
                body, self.buffer = self.buffer[4 : 4 + size], self.buffer[4 + size :]
                return wire.array(wire.decode(body))
            try:
                data = self.stream.recv(65_536)
            except TimeoutError:
                data = None
            if data == b"":
                raise wire.Malformed("the link has ended")
            self.buffer += data or b""
            if time.monotonic() > self.told + 3:
                self.told = time.monotonic()
                self.beat()

    def expect(self, *types: int) -> list[wire.Value]:
        """The next frame of these types; all others are of no interest yet, but entries."""
        while True:
            frame = self.next()
            if wire.number(frame[0]) in types:
                return frame
            self.keep(frame)
            if wire.number(frame[0]) == LOBBY:
                self.lobby = frame[1:]

    def keep(self, frame: list[wire.Value]) -> None:
        if wire.number(frame[0]) in OF_THE_LOG:
            self.waiting.append(
                Record(wire.number(frame[0]), wire.octets(frame[1]), wire.octets(frame[2]))
            )

    def beat(self) -> None:
        if not self.log:
            self.send(PING)
            return
        line = self.judge.line
        self.beats += 1
        where: list[wire.Value] = [self.genesis.game, *line.place, line.head, self.seat]
        body = wire.encode([*where, bytes(8), self.beats])
        self.send(HEAD, body, self.sign("head", body))

    # -- 4.2 and 6 ---------------------------------------------------------------------------

    def join(self, port: int) -> None:
        self.stream, binding = connected(port, self.secret)
        self.stream.settimeout(1)
        self.told = time.monotonic() + 5
        fresh, nonce = os.urandom(8), os.urandom(32)
        own: list[wire.Value] = [HELLO, PROTOCOL, RULES, 0, fresh, b"", self.public, nonce]
        self.send(*own)
        theirs, proof = self.expect(HELLO), self.expect(PROVED)
        heard = wire.encode([False, binding, own, theirs])
        wire.need(
            wire.signed(wire.octets(theirs[6]), "hello", heard, wire.octets(proof[1])),
            "a proof of another key",
        )
        self.send(PROVED, self.sign("hello", wire.encode([True, binding, own, theirs])))
        self.send(SIT, self.name, "", 0, True, os.urandom(16), False)

    def _committed(self, which: int, slot: int) -> bytes:
        part = self._part(which, slot)
        return wire.hashed("commitment", self.table, which, self.seat, slot, part)

    def _part(self, which: int, slot: int) -> bytes:
        return wire.derived(self.seed, "contribution", self.table, which, slot)

    def _window(self, which: int, slot: int) -> list[wire.Value]:
        return [self._committed(which, slot + i) for i in range(WINDOWS[which])]

    def begin(self) -> None:
        charter = wire.array(self.expect(START)[1], 8)
        wire.need(
            wire.encode(self._seen(charter)) == wire.encode(charter), "another start than the lobby"
        )
        self.table = wire.octets(charter[0])
        owners = [wire.array(seat)[0] for seat in wire.array(charter[5])]
        keys = [owner for owner in owners if isinstance(owner, bytes)]
        self.seat = owners.index(self.public)
        row: wire.Value = [os.urandom(32), self._window(0, 0), self._window(1, 0)]
        seal = wire.hashed("nonce", self.table, self.public, wire.encode(row))
        self.send(SEALED, self.table, seal)
        sealed = wire.array(self.expect(ALL_SEALED)[2], len(keys))
        wire.need(sealed[keys.index(self.public)] == seal, "another seal")
        self.send(ROW, self.table, row)
        body = wire.octets(self.expect(SHOWN)[1])
        self.genesis: Genesis = read(body)
        shown = wire.array(wire.decode(body))
        wire.need(wire.encode(shown[2]) == wire.encode(charter), "another charter")
        for key, theirs, one in zip(keys, sealed, wire.array(shown[3]), strict=True):
            wire.need(
                theirs == wire.hashed("nonce", self.table, wire.octets(key), wire.encode(one)),
                "another row",
            )
        self.send(bodies.GENESIS, body, bytes((self.seat,)) + self.sign("genesis", body))
        seals = wire.octets(self.expect(bodies.GENESIS)[2])
        self.judge = Judge(self.genesis.game[:16])
        self._take(Record(bodies.GENESIS, body, seals))

    def _seen(self, charter: list[wire.Value]) -> list[wire.Value]:
        """The charter that the last LOBBY makes."""
        places, rule_set, options, clocks, _marks = self.lobby
        taken = [seat for seat, place in enumerate(wire.array(places)) if place is not None]
        rows = [wire.array(wire.array(places)[seat], 7) for seat in taken]
        seats: wire.Value = [
            [
                taken.index(wire.number(row[0])) if isinstance(row[0], int) else row[0],
                *row[1:3],
                *row[4:6],
            ]
            for row in rows
        ]
        host = [row[3] for row in rows].index(True)
        return [*charter[:3], rule_set, options, seats, host, clocks]

    def _take(self, record: Record) -> None:
        self.judge.add(record)
        self.log.append(record)

    # -- 5, 7 and 9.4 ------------------------------------------------------------------------

    def play(self, host: int = 0) -> bytes:
        """To the end; gives the log."""
        self.send(LINKS, [host])
        self.beat()
        while not self.judge.line.over:
            line = self.judge.line
            if self.seat in line.step.asked and self.seat not in line.step.parts:
                self._say(line)
            elif not self._take_waiting():
                self.keep(self.next())
        return file.written(self.genesis.game[:16], self.log)

    def _take_waiting(self) -> bool:
        for record in self.waiting:
            try:
                self._take(record)
            except wire.Malformed:
                continue
            self.waiting.remove(record)
            return True
        return False

    def _say(self, line: Line) -> None:
        what, payload = self._owed(line)
        body = wire.encode([*line.place, line.head, self.seat, what, payload])
        record = Record(bodies.PLAY, body, self.sign(bodies.TAGS[bodies.PLAY], body))
        self._take(record)
        self.send(record.kind, record.body, record.signature)

    def _owed(self, line: Line) -> tuple[int, wire.Value]:
        pending, step, slots = line.game.pending, line.step, line.slots
        if step.owed is Owed.END:
            winners: list[wire.Value] = list(line.game.state.winners or ())
            return 7, [winners, line.game.digest()]
        if step.owed in (Owed.ROWS, Owed.OPENINGS) and self.seat not in step.makers:
            return 6, None
        assert not isinstance(pending, Over)
        if not isinstance(pending, Chance):
            return 1, bodies.answer_value(pending.default)
        which, many = slots.wanted(pending)
        first, ahead = slots.next[which], WINDOWS[which]
        parts: list[wire.Value] = [self._part(which, first + i) for i in range(many)]
        shown: list[wire.Value] = [self._committed(which, first + ahead + i) for i in range(many)]
        return 2, [parts, shown, None, step.position]
