"""All seats of a table in one hand: keys, commitments, and the entries that each seat owes.

Law: what is opened is remembered by its commitment, so an entry can be made for any line of play.
The numbers come from one generator: the same `Random` makes the same table.
"""

from collections.abc import Sequence
from random import Random

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from kotp2p.referee.model import answers as a
from kotp2p.referee.model.decisions import Chance, ChanceKind, Over
from tests.tools.independent.bodies import OPENED, PLAY, SHARE, TAGS, answer_value
from tests.tools.independent.file import PROTOCOL, RULES, Record
from tests.tools.independent.genesis import WINDOWS
from tests.tools.independent.line import Line, Owed
from tests.tools.independent.slots import CARDS, DICE
from tests.tools.independent.wire import Value, derived, encode, hashed

OPTIONS: dict[str, tuple[str, ...]] = {"dark": ("red", "green", "mixed")}
"""Sides of tiles, where there are any."""


class Hands:
    """All seats of a table: their keys, and what they have committed to."""

    def __init__(self, chance: Random, rule_sets: Sequence[str]) -> None:
        self.chance = chance
        self.opened: dict[bytes, bytes] = {}
        """By commitment: the contribution."""
        self.looks: dict[bytes, X25519PrivateKey] = {}
        """By public key."""
        seats = chance.randint(2, 6)
        self.keys = [
            Ed25519PrivateKey.from_private_bytes(chance.randbytes(32)) for _ in range(seats)
        ]
        public = [key.public_key().public_bytes_raw() for key in self.keys]
        self.keepers = [0 if n > 1 and chance.random() < 0.2 else n for n in range(seats)]
        own = [n for n in range(seats) if self.keepers[n] == n]
        players: list[Value] = [
            [public[n] if k == n else k, f"P{n}", "", k != n or chance.random() < 0.2, False]
            for n, k in enumerate(self.keepers)
        ]
        fresh = chance.randbytes(32)
        keys = [public[keeper] for keeper in self.keepers]
        self.table = hashed("table", public[0], *keys, fresh)
        name = chance.choice(rule_sets)
        options: Value = [False, False, chance.choice(OPTIONS.get(name, ("red",)))]
        charter: Value = [self.table, fresh, 1, name, options, players, 0, [0, 0]]
        rows: list[Value] = [
            [chance.randbytes(32), self.window(n, DICE, 0), self.window(n, CARDS, 0)] for n in own
        ]
        body = encode([PROTOCOL, RULES, charter, rows])
        seals = b"".join(bytes((n,)) + self.sign(n, "genesis", body) for n in own)
        self.genesis = Record(1, body, seals)
        self.game = hashed("genesis", body)

    def sign(self, seat: int, tag: str, body: bytes) -> bytes:
        return self.keys[seat].sign(f"kotp2p/{tag}/1".encode() + b"\0" + body)

    def signed(self, kind: int, seat: int, value: list[Value]) -> Record:
        body = encode(value)
        return Record(kind, body, self.sign(seat, TAGS[kind], body))

    def committed(self, seat: int, which: int, slot: int) -> bytes:
        part = self.chance.randbytes(32)
        made = hashed("commitment", self.table, which, seat, slot, part)
        self.opened[made] = part
        return made

    def window(self, seat: int, which: int, slot: int) -> list[Value]:
        return [self.committed(seat, which, slot + i) for i in range(WINDOWS[which])]

    # -- entries -----------------------------------------------------------------------------

    def signer(self, line: Line, seat: int) -> int:
        """Who signs for a seat here; now and then somebody else."""
        keeper = line.step.signer(seat)
        wrong = keeper is None or keeper >= len(self.keys) or self.chance.random() < 0.01
        return self.chance.randrange(len(self.keys)) if wrong or keeper is None else keeper

    def entry(self, line: Line, seat: int) -> Record:
        """What this seat owes there, or would owe if it were asked; now and then it is wrong."""
        kind, what, payload = self._owed(line, seat)
        prev = line.head if self.chance.random() < 0.99 else self.chance.randbytes(32)
        return self._entry(line, seat, prev, kind, what, payload)

    def _entry(
        self, line: Line, seat: int, prev: bytes, kind: int, what: int, payload: Value
    ) -> Record:
        signer, (attempt, height) = self.signer(line, seat), line.place
        if what in OPENED and self.chance.random() < 0.3:
            attempt = line.roster.attempt
        return self.signed(kind, signer, [attempt, height, prev, seat, what, payload])

    def wrong_entry(self, line: Line, seat: int) -> Record:
        kind, what, payload = self._owed(line, seat)
        chance, own = self.chance, self.chance.randbytes(32)
        if what == 1:
            others: list[Value] = [[0], [3], [4], [10, 3], [11, 2, own], [9, 1], [12, None]]
            payload = chance.choice(others)
        elif what == 2 and isinstance(payload, list):
            at = chance.randrange(4)
            parts = payload[0] if isinstance(payload[0], list) else []
            shown = payload[1] if isinstance(payload[1], list) else []
            wrong: list[Value] = [
                [own for _ in parts], [self.game for _ in shown] or [own], own, own,
            ]  # fmt: skip
            old = sorted(line.slots.stood)
            if at == 1 and chance.random() < 0.7:
                repeated: list[Value] = [chance.choice(old) for _ in shown]
                wrong[1] = repeated
            payload = [*payload[:at], wrong[at], *payload[at + 1 :]]
        elif what == 3 and isinstance(payload, list):
            payload = [[chance.choice(sorted(line.slots.stood)), own], payload[1]]
        elif what == 7:
            payload = [[0], own]
        else:
            ended: list[Value] = [[0], own]
            misplaced: list[tuple[int, Value]] = [(6, None), (7, ended)]
            what, payload = chance.choice(misplaced)
            kind = PLAY
        return self._entry(line, seat, line.head, kind, what, payload)

    def _owed(self, line: Line, seat: int) -> tuple[int, int, Value]:
        pending, slots, step = line.game.pending, line.slots, line.step
        if step.owed is Owed.END:
            winners: list[Value] = [*(line.game.state.winners or ())]
            return PLAY, 7, [winners, line.game.digest()]
        if step.owed in (Owed.ROWS, Owed.OPENINGS) and seat not in step.makers:
            return PLAY, 6, None
        if step.owed is Owed.ROWS:
            windows: list[Value] = [self.window(seat, n, slots.next[n]) for n in (DICE, CARDS)]
            return PLAY, 3, windows
        if step.owed is Owed.SHARE:
            return SHARE, 4, self._share(line)
        assert not isinstance(pending, Over)
        if isinstance(pending, Chance):
            return PLAY, 2, self._opening(line, pending, seat)
        answers = [pending.default, *pending.legal_answers()]
        rare = [answer for answer in answers if isinstance(answer, a.Peek | a.BuyTop)]
        return PLAY, 1, self._answer(line, seat, self.chance.choice(rare or answers))

    def _answer(self, line: Line, seat: int, answer: a.Answer) -> Value:
        half = line.slots.half
        if isinstance(answer, a.Peek):
            if half is None or half.owner == line.roster.keepers[seat]:
                return [12, None]
            private = X25519PrivateKey.from_private_bytes(self.chance.randbytes(32))
            public = private.public_key().public_bytes_raw()
            self.looks[public] = private
            return [12, public]
        if isinstance(answer, a.BuyTop):
            if half is None:
                return [4]
            secret = self.opened[line.slots.committed[CARDS, half.owner, half.slot]]
            return [11, line.slots.top_card(secret, line.game.state.undrawn), secret]
        return answer_value(answer)

    def _opening(self, line: Line, node: Chance, seat: int) -> Value:
        slots = line.slots
        which, many = slots.wanted(node)
        first = slots.next[which]
        known = [slots.committed.get((which, seat, first + i), b"") for i in range(many)]
        parts: list[Value] = [self.opened.get(one, bytes(32)) for one in known]
        if node.kind is ChanceKind.LOOK and line.looker() == seat:
            parts = [None for _ in parts]
        ahead = first + WINDOWS[which]
        shown: list[Value] = [self.committed(seat, which, ahead + i) for i in range(many)]
        half, top = slots.half, None
        if half is not None and half.owner == seat and node.kind is ChanceKind.CARDS:
            top = self.opened[slots.committed[CARDS, seat, half.slot]]
        return [parts, shown, top, line.step.position]

    def _share(self, line: Line) -> Value:
        half, node = line.slots.half, line.game.pending
        assert half is not None and isinstance(node, Chance) and node.seat is not None
        taker = line.look_key or bytes(32)
        private = X25519PrivateKey.from_private_bytes(self.chance.randbytes(32))
        public = private.public_key().public_bytes_raw()
        common = private.exchange(X25519PublicKey.from_public_bytes(taker))
        context: list[Value] = [self.game, line.height, half.slot, half.seat, node.seat]
        secret = self.opened[line.slots.committed[CARDS, half.owner, half.slot]]
        if self.chance.random() < 0.4:
            secret = bytes(32)
        key = derived(common, "seal", public, taker)
        sealed = ChaCha20Poly1305(key).encrypt(bytes(12), secret, encode(context))
        return [public, sealed]
