"""A seat that cheats: the real peer, and between it and the others somebody who changes what
it says.

Law: the peer inside is unmodified and believes what it has signed; a *trick* changes, withholds or
adds frames on their way out, and signs with the key of its own seat only. What a seat was told
once about a place it is told again, so that a lie lasts as long as the process. Chance is the
seed's. What each trick does is in `tests.tools.sim.lies` and `tests.tools.sim.forgeries`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random

from kotp2p.game.ledger import Ledger
from kotp2p.mesh.effects import Effect, SendFrame
from kotp2p.peer.peer import Peer
from kotp2p.wire.entries import BodyKind, Entry, Payload, Signed
from kotp2p.wire.frames import Frame
from referee.model.answers import Seat

Told = Callable[[Seat], tuple[Frame, ...]]
"""What each of the others is sent in place of one body."""
REMEMBERED = 60
"""Frames that are kept to be sent again."""


class Trick:
    """One way to cheat; this one does nothing."""

    name: str = ""

    def lie(self, me: Mallory, entry: Entry) -> Told | None:
        """What is told about an entry that this seat has signed; None: the truth."""

    def frame(self, me: Mallory, seat: Seat, frame: Frame) -> tuple[Frame, ...]:
        """What `seat` is sent in place of something else."""
        return (frame,)

    def add(self, me: Mallory) -> Iterable[tuple[Seat, Frame]]:
        """What is sent to whom of this trick's own accord, some times in each game."""
        return ()


@dataclass
class Script:
    """What one cheating machine does in this game."""

    tricks: tuple[Trick, ...]
    chance: Random
    played: Callable[[str], None]
    """Is told what is done."""
    gang: Callable[[], set[Seat]]
    """The seats of all that cheat."""
    after: int = 3
    """The height from which on it cheats."""
    often: float = 0.3
    """The chance that it does at an opportunity."""
    most: int = 8
    """So often each trick of its own accord is played."""
    left: dict[str, int] = field(default_factory=dict)


class Mallory(Peer):
    """Set `script` before it begins."""

    script: Script
    told: dict[bytes, Told | None]
    """By body: what is told about it."""
    heard: list[Frame]

    def __post_init__(self) -> None:
        super().__post_init__()
        self.told, self.heard = {}, []

    # -- for tricks ------------------------------------------------------------------------

    @property
    def chance(self) -> Random:
        return self.script.chance

    @property
    def others(self) -> list[Seat]:
        return [seat for seat in range(len(self.genesis.players)) if seat != self.seat]

    @property
    def linked(self) -> list[Seat]:
        return sorted(self.follower.reachability.linked)

    def writes(
        self,
        load: Payload,
        *,
        height: int | None = None,
        prev: bytes | None = None,
        seat: Seat | None = None,
        game: bytes | None = None,
    ) -> Signed:
        """An entry of any kind at any place, with this seat's signature."""
        ledger = self.ledger
        at = ledger.height if height is None else height
        return Entry.sign(
            self.signer,
            game or ledger.genesis.id,
            ledger.view,
            at,
            prev or ledger.heads[min(at, ledger.height)],
            self.seat if seat is None else seat,
            load,
        ).signed

    def there(self, entry: Entry) -> Ledger | None:
        """Whether what stands at the place of an own entry is still as it was."""
        ledger = self.ledger
        known = entry.view == ledger.view and entry.height <= ledger.height
        return ledger if known and ledger.heads[entry.height] == entry.prev else None

    def halves(self, one: Iterable[Frame], other: Iterable[Frame]) -> Told:
        """Some are told one thing, the others another, and some perhaps both."""
        first, second = tuple(one), tuple(other)
        way = {seat: self.chance.choice((first, second)) for seat in self.others}
        if self.chance.random() < 0.2:
            way[self.chance.choice(self.others)] = first + second
        return lambda seat: way[seat]

    def some(self) -> list[Seat]:
        """All that are linked, or some of them."""
        if self.chance.random() < 0.5:
            return self.linked
        return [seat for seat in self.linked if self.chance.random() < 0.5]

    # -- between the peer and the others -----------------------------------------------------

    def receive_frame(self, source: Seat, frame: Frame, now: float) -> None:
        self._remember(frame)
        super().receive_frame(source, frame, now)

    def _remember(self, frame: Frame) -> None:
        self.heard.append(frame)
        del self.heard[:-REMEMBERED]

    def take_effects(self) -> list[Effect]:
        found: list[Effect] = []
        for effect in super().take_effects():
            if isinstance(effect, SendFrame):
                self._remember(effect.frame)
                found += [
                    SendFrame(effect.seat, f) for f in self._tampered(effect.seat, effect.frame)
                ]
            else:
                found.append(effect)
        if self.ledger.height >= self.script.after and not self.has_ended:
            for trick in self.script.tricks:
                found += [SendFrame(seat, frame) for seat, frame in self._added(trick)]
        return found

    def _added(self, trick: Trick) -> Iterable[tuple[Seat, Frame]]:
        script = self.script
        left = script.left.setdefault(trick.name, script.most)
        if not left or self.chance.random() >= script.often / 8:
            return
        sends = [
            (seat, frame)
            for seat, frame in trick.add(self)
            if seat in self.follower.reachability.linked
        ]
        if sends:
            script.left[trick.name] = left - 1
            script.played(trick.name)
            yield from sends

    def _tampered(self, seat: Seat, frame: Frame) -> tuple[Frame, ...]:
        if isinstance(frame, Signed) and frame.kind in (BodyKind.PLAY, BodyKind.SHARE):
            entry = Entry.parse(frame)
            if entry.seat == self.seat:
                told = self._about(entry)
                return (frame,) if told is None else told(seat)
        frames: tuple[Frame, ...] = (frame,)
        if self.ledger.height >= self.script.after:
            for trick in self.script.tricks:
                new = tuple(f for one in frames for f in trick.frame(self, seat, one))
                if new != frames:
                    self.script.played(trick.name)
                frames = new
        return frames

    def _about(self, entry: Entry) -> Told | None:
        body = entry.signed.body
        if body not in self.told:
            self.told[body] = self._make_up(entry)
        return self.told[body]

    def _make_up(self, entry: Entry) -> Told | None:
        script = self.script
        if entry.height < script.after:
            return None
        for trick in script.tricks:
            if self.chance.random() < script.often:
                told = trick.lie(self, entry)
                if told is not None:
                    script.played(trick.name)
                    return told
        return None
