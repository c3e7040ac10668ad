"""A game in which one seat signs whatever it likes: a ledger and a peer must refuse it, and stand
where they stood.

Signatures are taken for good. The envelopes are right as far as the place goes, so that what is
inside comes as deep as it can; a body that is taken after all begins another game.
"""

import random
from collections.abc import Iterator

from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Finished, Sharing, Solo
from kotp2p.wire.encoding import pack, unpack
from kotp2p.wire.entries import BodyKind, Entry, Signed, pack_seals
from kotp2p.wire.genesis import Genesis
from kotp2p.wire.lineups import CheatProof, Leave
from tests.tools.fuzz import errors, seeds
from tests.tools.fuzz.logs import signatures_taken_for_good
from tests.tools.fuzz.mutate import STRANGE, Mutator


def payloads() -> list[bytes]:
    """Type and payload of every kind of entry, as an array."""
    found = []
    for signed in seeds.bodies():
        if signed.kind in (BodyKind.PLAY, BodyKind.SHARE):
            value = unpack(signed.body)
            assert isinstance(value, tuple)
            found.append(pack(value[4:]))
    return found


class Liar:
    """Bodies for the place at which a ledger stands."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._loads = Mutator(payloads(), chance)
        self._answers = Mutator([one for one in payloads() if one[1] == 1], chance)

    def body(self, ledger: Ledger, true: Signed | None) -> Signed:
        roll = self._chance.random()
        if true is not None and roll < 0.15:
            return Signed(true.kind, Mutator([true.body], self._chance).next(), bytes(64))
        if roll < 0.75:
            return self._entry(ledger)
        if roll < 0.8:
            attempt, _ = self._place(ledger)
            later = attempt + self._chance.choice((0, 0, 1, 5))
            return self._signed(BodyKind.LEAVE, ledger.genesis.id, self._seat(), attempt, later)
        if roll < 0.97:
            return self.line_up(ledger)
        return CheatProof(tuple(self._entry(ledger) for _ in range(1 + (roll < 0.98)))).signed

    def _entry(self, ledger: Ledger) -> Signed:
        owed = ledger.owing_seats()
        seat = self._chance.choice(owed) if owed and self._chance.random() < 0.9 else self._seat()
        place = ledger.place if self._chance.random() < 0.9 else self._place(ledger)
        attempt, height = place
        prev = ledger.heads[height] if 0 <= height < len(ledger.heads) else bytes(32)
        deciding = isinstance(ledger.step, Solo) and self._chance.random() < 0.8
        load = (self._answers if deciding else self._loads).next()
        envelope = pack((attempt, height, prev, seat))
        sharing = load[1:2] in (b"\x04", b"\x05") or isinstance(ledger.step, Sharing)
        body = b"\x96" + envelope[1:] + load[1:]
        return Signed(BodyKind.SHARE if sharing else BodyKind.PLAY, body, bytes(64))

    def line_up(self, ledger: Ledger) -> Signed:
        """One that might begin here, with some assents."""
        attempt, height = self._place(ledger)
        head = ledger.heads[height] if 0 <= height < len(ledger.heads) else bytes(32)
        position = ledger.chain.feed.position_digest()
        plan = tuple(self._change(seat) for seat in self._seats())
        openings = self._chance.choice((None, (), tuple(self._opening_ids(ledger))))
        place = (attempt + 1, ledger.roster.lineup, height, head, position)
        made = self._signed(BodyKind.LINE_UP, ledger.genesis.id, *place, plan, openings)
        signers = range(6) if self._chance.random() < 0.3 else ledger.roster.members
        out = {change[0] for change in plan}
        seals = {seat: bytes(64) for seat in signers if seat not in out}
        return made._replace(signature=pack_seals(seals or {self._seat(): bytes(64)}))

    def _change(self, keeper: int) -> tuple[int, int, bytes | None]:
        reason = self._chance.choice((1, 2, 3, 3, 3, 4, 5))
        return (keeper, reason, self._instance() if reason > 3 else None)

    def _opening_ids(self, ledger: Ledger) -> list[bytes]:
        shown = list(ledger.chain.gathered.values())
        return [entry.id for entry in shown if self._chance.random() < 0.3]

    def _instance(self) -> bytes:
        return int(self._chance.random() * 4).to_bytes(8, "big")

    def word(self, ledger: Ledger) -> Signed:
        """What is said beside the game: wishes, processes, heartbeats, chat."""
        game, seat, roll = ledger.genesis.id, self._seat(), self._chance.random()
        serial = int(roll * 10**6)
        if roll < 0.3:
            without = self._seats() if self._chance.random() < 0.7 else ()
            refused = tuple((one, self._instance()) for one in self._seats())
            flags = self._chance.choice((0, 0, 0, 1, 2, 3))
            return self._signed(BodyKind.WISH, game, seat, serial, without, refused, flags)
        if roll < 0.4:
            return self._signed(BodyKind.HERE, game, seat, self._instance())
        if roll < 0.6:
            attempt = ledger.attempt + self._chance.choice((1, 1, 1, 2, 70))
            name = self._chance.choice((ledger.roster.lineup, bytes(32)))
            return self._signed(BodyKind.READY, game, seat, attempt, name, self._instance())
        if roll < 0.9:
            where = (*self._place(ledger), ledger.head, seat)
            return self._signed(BodyKind.HEAD, game, *where, bytes(8), serial)
        return self._signed(BodyKind.CHAT, game, seat, serial, "hello")

    def _signed(self, kind: BodyKind, *fields: object) -> Signed:
        body = pack(fields)  # type: ignore[arg-type]
        if self._chance.random() < 0.1:
            at = 1 + int(self._chance.random() * (len(body) - 1))
            body = body[:at] + self._chance.choice(STRANGE)
        return Signed(kind, body, bytes(64))

    def _place(self, ledger: Ledger) -> tuple[int, int]:
        attempt, height = ledger.place
        if self._chance.random() < 0.5:
            return attempt, height
        return (
            max(0, attempt + self._chance.choice((-1, 0, 0, 1, 5))),
            max(0, height + self._chance.choice((-20, -2, -1, 0, 1, 2, 70, 10**6))),
        )

    def _seat(self) -> int:
        return int(self._chance.random() * 6)

    def _seats(self) -> tuple[int, ...]:
        return tuple(sorted({self._seat() for _ in range(1 + int(self._chance.random() * 3))}))


def take(ledger: Ledger, signed: Signed) -> bool:
    """Whether the ledger takes it, as a peer or a replay would give it."""
    match signed.kind:
        case BodyKind.PLAY | BodyKind.SHARE:
            return ledger.accept_entry(Entry.parse(signed)) is not None
        case BodyKind.LEAVE:
            return ledger.accept_leave(Leave.parse(signed, ledger.genesis.id)) is not None
        case BodyKind.LINE_UP:
            return ledger.accept_line_up(signed) is not None
        case BodyKind.CHEAT_PROOF:
            return ledger.accept_proof(CheatProof.parse(signed)) is not None
        case _:
            return False


def standing(ledger: Ledger) -> tuple[object, ...]:
    """Where it stands: equal before and after a refusal."""
    chain = ledger.chain
    return (
        chain.place, chain.last_gather, chain.head, chain.step, sorted(chain.gathered),
        sorted(ledger.leaves), len(chain.closed), sorted(ledger.seals), chain.turns,
        chain.slots.next_slot, len(chain.slots.committed), chain.game.digest(),
    )  # fmt: skip


def begun(log: bytes, until: int) -> tuple[Ledger, list[Signed]]:
    """The ledger of a log's first records, and the records behind them."""
    whole = [signed for signed, _ in seeds.records(log)]
    at = 1 + [signed.kind for signed in whole].index(BodyKind.GENESIS)
    ledger = Ledger(Genesis.parse(whole[at - 1].body))
    for signed in whole[at:until]:
        take(ledger, signed)
    return ledger, whole[max(at, until) :]


def lies(chance: random.Random, count: int) -> int:
    """The ledger, with a few lies before each true record; how many of them it took."""
    liar, taken, done = Liar(chance), 0, 0
    with signatures_taken_for_good():
        games = _games(chance)
        while done < count:
            ledger, rest = next(games)
            for true in [*rest, None]:
                before = standing(ledger)
                new = 0
                for _ in range(12):
                    new += _lie(ledger, liar.body(ledger, true), before)
                    done += 1
                    if new:
                        break
                taken += new
                if new or done >= count or true is None or isinstance(ledger.step, Finished):
                    break
                take(ledger, true)
    return taken


def _games(chance: random.Random) -> Iterator[tuple[Ledger, list[Signed]]]:
    while True:
        log = chance.choice(seeds.logs())
        yield begun(log, int(chance.random() * 60))


def _lie(ledger: Ledger, signed: Signed, before: tuple[object, ...]) -> bool:
    try:
        return take(ledger, signed)
    except errors.REFUSALS:
        assert standing(ledger) == before, "refused, but something has changed"
        return False
