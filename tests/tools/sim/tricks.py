"""What keepers do that cheat: they run a program, and make something else of what it says.

Scope: the tricks, each a way to change or keep back the frames of a peer, or to sign more than it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random

from kotp2p.extras.bots import Noise, choose
from kotp2p.game.chain import chain_at
from kotp2p.game.steps import Gather
from kotp2p.referee.model.answers import Seat
from kotp2p.referee.model.decisions import Chance, Over
from kotp2p.wire import entries
from kotp2p.wire.crypto import HASH_BYTES, Signer
from kotp2p.wire.frames import Frame
from kotp2p.wire.lineups import Change, Here, Leave, LineUp, Ready, Reason, sign_wish
from tests.tools.sim.mesh import Mesh, Process

Kind = entries.BodyKind
WORDS = (Kind.WISH, Kind.HERE, Kind.LEAVE, Kind.CHEAT_PROOF)
UNSIGNED = (Kind.CHEAT_PROOF, Kind.LINE_UP, Kind.GENESIS, Kind.PROGRAM)
"""Bodies without a signature, or with several."""
SILENCES: dict[str, tuple[entries.BodyKind, ...]] = {
    "no entries": (entries.BodyKind.PLAY, entries.BodyKind.SHARE),
    "no readies": (entries.BodyKind.READY,),
    "no assents": (entries.BodyKind.LINE_UP,),
    "no facts": WORDS,
    "no heads": (entries.BodyKind.HEAD,),
    "nothing": tuple(entries.BodyKind),
}


@dataclass(eq=False)
class Trickster:
    """A keeper that cheats, through all lives of its program."""

    mesh: Mesh
    keeper: Seat
    tricks: tuple[str, ...]
    chance: Random
    played: dict[str, int] = field(default_factory=dict)
    _silent: tuple[entries.BodyKind, ...] = ()
    _friends: frozenset[Seat] = frozenset()
    """Those that are told the one thing; the others are told the other, or nothing."""
    _forged: dict[bytes, entries.Signed] = field(default_factory=dict)
    """By the body that the program has signed: what is signed besides."""
    _serial: int = 1000
    _instance: int = 1 << 40

    @property
    def signer(self) -> Signer:
        return self.mesh.table.signers[self.keeper]

    @property
    def process(self) -> Process:
        return self.mesh.processes[self.keeper]

    @property
    def game(self) -> bytes:
        return self.mesh.table.genesis.id

    def is_own(self, signed: entries.Signed) -> bool:
        return signed.kind not in UNSIGNED and signed.is_by(self.signer.key)

    def begin(self) -> None:
        self.process.sends = self.send
        self.process.hears = self.hear
        others = [k for k in self.mesh.processes if k != self.keeper]
        self._friends = frozenset(k for k in others if self.chance.random() < 0.5)
        self.mesh.after(self.chance.expovariate(1 / 15), self._act)

    def note(self, trick: str) -> None:
        self.mesh.note("TRICK", trick, "of", self.keeper)
        self.played[trick] = self.played.get(trick, 0) + 1

    # -- what goes through its hands ---------------------------------------------------------

    def hear(self, source: Seat, frame: Frame) -> list[Frame]:
        is_proof = isinstance(frame, entries.Signed) and frame.kind is entries.BodyKind.CHEAT_PROOF
        return [] if is_proof and "deaf to proofs" in self.tricks else [frame]

    def send(self, to: Seat, frame: Frame) -> list[Frame]:
        if not isinstance(frame, entries.Signed):
            return [frame]
        if frame.kind in self._silent:
            return []
        for trick in self.tricks:
            play = SENDING.get(trick)
            if play is not None:
                frames = play(self, to, frame)
                if frames is not None:
                    return frames
        return [frame]

    def later(self, to: Seat, frame: Frame, seconds: float) -> None:
        self.mesh.after(seconds, lambda: self.mesh.send(self.process, to, frame))

    def to_some(self, frame: Frame, chance: float = 0.5) -> None:
        for other in sorted(self.mesh.processes):
            if other != self.keeper and self.chance.random() < chance:
                self.mesh.send(self.process, other, frame)

    def assents_to_some(self, to: Seat, signed: entries.Signed) -> list[Frame] | None:
        return [] if signed.kind is entries.BodyKind.LINE_UP and to not in self._friends else None

    def assents_late(self, to: Seat, signed: entries.Signed) -> list[Frame] | None:
        if signed.kind is not entries.BodyKind.LINE_UP or self.chance.random() < 0.3:
            return None
        self.later(to, signed, self.chance.choice((0.5, 2.0, 10.0, 40.0)))
        return []

    def readies_late(self, to: Seat, signed: entries.Signed) -> list[Frame] | None:
        if signed.kind is not entries.BodyKind.READY or self.chance.random() < 0.3:
            return None
        self.later(to, signed, self.chance.choice((0.2, 1.0, 3.0, 20.0)))
        return []

    def facts_to_one(self, to: Seat, signed: entries.Signed) -> list[Frame] | None:
        one = min(self._friends, default=None)
        return [] if signed.kind in WORDS and to != one else None

    def entries_to_some(self, to: Seat, signed: entries.Signed) -> list[Frame] | None:
        is_entry = signed.kind in (entries.BodyKind.PLAY, entries.BodyKind.SHARE)
        return [] if is_entry and to not in self._friends and self.chance.random() < 0.3 else None

    def bridges_nothing(self, to: Seat, signed: entries.Signed) -> list[Frame] | None:
        """As a hub: what the others have signed goes to some only."""
        is_own = self.is_own(signed)
        return [] if not is_own and to not in self._friends else None

    def flaps(self, to: Seat, signed: entries.Signed) -> list[Frame] | None:
        """Is READY for something else, too, or says so to half of them."""
        if signed.kind is not entries.BodyKind.READY or not self.is_own(signed):
            return None
        ready = Ready.parse(signed, self.game)
        other = self._once(signed.body, lambda: Ready.sign(
            self.signer, self.game, self.keeper, ready.attempt,
            self.chance.randbytes(HASH_BYTES), ready.instance,
        ).signed)  # fmt: skip
        if to in self._friends:
            return [other]
        return [signed, other] if self.chance.randint(1, 2) == 2 else [signed]

    def keeps_end(self, to: Seat, signed: entries.Signed) -> list[Frame] | None:
        if signed.kind is entries.BodyKind.PLAY and isinstance(
            entries.Entry.parse(signed).payload, entries.End
        ):
            return []
        return None

    def _once(self, body: bytes, make: Callable[[], entries.Signed]) -> entries.Signed:
        if body not in self._forged:
            self._forged[body] = make()
        return self._forged[body]

    def forks(self, to: Seat, signed: entries.Signed) -> list[Frame] | None:
        if signed.kind is not entries.BodyKind.PLAY or not self.is_own(signed):
            return None
        entry = entries.Entry.parse(signed)
        if not isinstance(entry.payload, entries.Answering) or to not in self._friends:
            return None
        if signed.body not in self._forged:
            if self.chance.random() < 0.7:
                self._forged[signed.body] = signed
            else:
                self.note("forks")
                self._forged[signed.body] = self._decide_otherwise(entry) or signed
        return [self._forged[signed.body]]

    def _decide_otherwise(self, entry: entries.Entry) -> entries.Signed | None:
        ledger = self.process.peer.ledger
        if entry.height >= ledger.height or entry.payload.__class__ is not entries.Answering:
            return None
        first = ledger.chain.begun[-1].height if ledger.chain.begun else 0
        if entry.height < first:
            return None
        past = chain_at(ledger.chain, entry.height)
        pending = past.game.pending
        if isinstance(pending, Chance | Over):
            return None
        for _ in range(8):
            noise = Noise(self.chance.randbytes(16), b"")
            answer = choose("easy", past.game, pending, noise, None)
            load = entries.Answering(answer, None)
            other = entries.Entry.sign(
                self.signer, entry.attempt, entry.height, entry.prev, entry.seat, load
            )
            if other.id != entry.id:
                return other.signed
        return None

    def opens_wrong(self, to: Seat, signed: entries.Signed) -> list[Frame] | None:
        if signed.kind not in (entries.BodyKind.PLAY, entries.BodyKind.SHARE):
            return None
        if not self.is_own(signed):
            return None
        entry = entries.Entry.parse(signed)
        load = entry.payload
        wrong: entries.Opening | entries.Rows | entries.Share
        if (
            isinstance(load, entries.Opening)
            and load.contributions
            and load.contributions[0] is not None
        ):
            fresh = (self.chance.randbytes(HASH_BYTES), *load.contributions[1:])
            wrong = replace(load, contributions=fresh)
        elif isinstance(load, entries.Share):
            wrong = replace(load, sealed=self.chance.randbytes(len(load.sealed)))
        else:
            return None
        if signed.body not in self._forged and self.chance.random() < 0.9:
            self._forged[signed.body] = signed

        def make() -> entries.Signed:
            self.note("opens wrong")
            return entries.Entry.sign(
                self.signer, entry.attempt, entry.height, entry.prev, entry.seat, wrong
            ).signed

        return [self._once(signed.body, make)]

    def opens_last(self, to: Seat, signed: entries.Signed) -> list[Frame] | None:
        """Opens only when all others have: it knows the roll, and may refuse it."""
        if signed.kind is not entries.BodyKind.PLAY or not self.is_own(signed):
            return None
        if not isinstance(entries.Entry.parse(signed).payload, entries.Opening):
            return None
        if signed.body not in self._forged:
            self._forged[signed.body] = signed
            is_refused = self.chance.random() < 0.2
            for other in sorted(self.mesh.processes):
                if other != self.keeper and not is_refused:
                    self.later(other, signed, self.chance.choice((0.5, 5.0)))
                elif other != self.keeper and other in self._friends:
                    self.later(other, signed, self.chance.uniform(30, 200))
        return []

    # -- what it does by itself --------------------------------------------------------------

    def _act(self) -> None:
        acting = [trick for trick in self.tricks if trick in ACTING]
        if acting and self.mesh.runs(self.keeper) and not self.process.is_asleep:
            trick = self.chance.choice(acting)
            self.note(trick)
            ACTING[trick](self)
        if self.mesh.processes[self.keeper].sends is None:
            self.process.sends, self.process.hears = self.send, self.hear
        self.mesh.after(self.chance.expovariate(1 / 20), self._act)

    def goes_silent(self) -> None:
        self._silent = SILENCES[self.chance.choice(sorted(SILENCES))]

        def speak() -> None:
            self._silent = ()

        self.mesh.after(self.chance.choice((3.0, 30.0, 200.0)), speak)

    def far_ahead(self) -> None:
        attempt = self.process.peer.ledger.attempt + self.chance.choice((2, 30, 70, 100_000))
        name = self.chance.randbytes(HASH_BYTES)
        instance = self.process.peer.returning.instance
        ready = Ready.sign(self.signer, self.game, self.keeper, attempt, name, instance)
        self.to_some(ready.signed)

    def leaves_and_stays(self) -> None:
        ledger = self.process.peer.ledger
        ahead = self.chance.choice((0, 0, 1, 5, 60, 1000))
        leave = Leave.sign(
            self.signer, self.game, self.keeper, ledger.attempt, ledger.attempt + ahead
        )
        self.to_some(leave.signed)

    def vanishes(self) -> None:
        self._instance += 1
        here = Here.sign(self.signer, self.game, self.keeper, self._instance.to_bytes(
            entries.INSTANCE_BYTES, "big"
        ))  # fmt: skip
        self.to_some(here.signed, 0.7)
        self.goes_silent()

    def wishes_away(self) -> None:
        """Wishes all away, some, or nobody, and tells each what it likes."""
        others = [k for k in self.mesh.processes if k != self.keeper]
        for other in others:
            self._serial += 1
            without = tuple(k for k in sorted(others) if self.chance.random() < 0.5)
            wish = sign_wish(
                self.signer, self.game, self.keeper, self._serial, without=without,
                is_away=self.chance.random() < 0.2,
            )  # fmt: skip
            if self.chance.random() < 0.7:
                self.mesh.send(self.process, other, wish.signed)

    def assents_to_its_own(self) -> None:
        """Signs a line-up that nobody has found, or another one in the same attempt."""
        ledger = self.process.peer.ledger
        others = sorted(ledger.roster.members - {self.keeper})
        plan = tuple(Change(k, Reason.ABSENT) for k in others if self.chance.random() < 0.5)
        attempt = self.process.peer.attempts.attempt + self.chance.choice((0, 1, 20, 99_999))
        attempt = min(max(attempt, 1), entries.MAX_ATTEMPT)
        back = self.chance.choice((0, 0, 1, 3))
        height = max(0, ledger.height - back)
        lineup = LineUp.build(
            self.game, attempt, ledger.roster.lineup, (height, ledger.heads[height]),
            ledger.chain.feed.position_digest(), plan, self.chance.choice((None, ())),
        )  # fmt: skip
        instance = self.process.peer.returning.instance
        ready = Ready.sign(self.signer, self.game, self.keeper, lineup.attempt, lineup.id, instance)
        self.to_some(ready.signed)
        self.to_some(lineup.signed({self.keeper: lineup.assent(self.signer)}))

    def plays_on(self) -> None:
        """Plays in a line-up below its assent: what is owed there, whatever it has signed."""
        peer = self.process.peer
        signed = [entry.signed for entry in peer.ledger.chain.gathered.values()]
        with_own, step = peer._duties.secrets, peer.ledger.step
        if isinstance(step, Gather) and self.keeper in step.contributors:
            entry = with_own.sign_entry(self.keeper, with_own.make_opening(step))
            signed.append(entry.signed)
        for body in signed:
            self.to_some(body)

    def lies_about_place(self) -> None:
        ledger = self.process.peer.ledger
        instance = self.process.peer.returning.instance
        self._serial += 1
        head = entries.sign_head(
            self.signer, self.game, self.keeper, ledger.attempt + self.chance.choice((0, 1, 50)),
            max(0, ledger.height + self.chance.choice((-3, 0, 1, 40))),
            self.chance.choice((ledger.head, self.chance.randbytes(HASH_BYTES))), instance,
            self._serial,
        )  # fmt: skip
        self.to_some(head)

    def turns_coat(self) -> None:
        """From now on others are told the one thing."""
        others = [k for k in self.mesh.processes if k != self.keeper]
        self._friends = frozenset(k for k in others if self.chance.random() < 0.5)


Sending = Callable[[Trickster, Seat, entries.Signed], list[Frame] | None]
SENDING: dict[str, Sending] = {
    "assents to some": Trickster.assents_to_some, "late assents": Trickster.assents_late,
    "late readies": Trickster.readies_late, "facts to one": Trickster.facts_to_one,
    "entries to some": Trickster.entries_to_some, "hub": Trickster.bridges_nothing,
    "flaps": Trickster.flaps, "keeps the end": Trickster.keeps_end, "forks": Trickster.forks,
    "opens wrong": Trickster.opens_wrong, "opens last": Trickster.opens_last,
}  # fmt: skip
ACTING: dict[str, Callable[[Trickster], None]] = {
    "silent": Trickster.goes_silent,
    "far ahead": Trickster.far_ahead,
    "leaves and stays": Trickster.leaves_and_stays,
    "vanishes": Trickster.vanishes,
    "wishes": Trickster.wishes_away,
    "own line-ups": Trickster.assents_to_its_own,
    "plays on": Trickster.plays_on,
    "lies about its place": Trickster.lies_about_place,
    "turns its coat": Trickster.turns_coat,
}
TRICKS = (*SENDING, *ACTING, "deaf to proofs")
