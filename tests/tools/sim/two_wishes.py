"""A trick with what a seat wants: it wishes to stop for today in one ear, and not in the other."""

from __future__ import annotations

from dataclasses import dataclass

from kotp2p.wire.closings import Break, pack_seals
from kotp2p.wire.crypto import Tag
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.frames import Frame
from kotp2p.wire.intents import Intent, IntentKind
from referee.model.answers import Seat
from tests.tools.sim.cheats import Mallory, Trick
from tests.tools.sim.forgeries import Sends


@dataclass
class TwoWishes(Trick):
    """What its player wants, and what the peer signs, is told to nobody."""

    name: str = "wishes to stop for some"
    serial: int = 100

    def add(self, me: Mallory) -> Sends:
        self.serial += me.chance.randint(1, 3)
        some = set(me.some())
        kinds = me.chance.choice(
            (
                (IntentKind.ADJOURN, None),
                (IntentKind.ADJOURN, IntentKind.WAIT),
                (IntentKind.WAIT, IntentKind.ADJOURN),
                (IntentKind.ADJOURN, IntentKind.ADJOURN),
            )
        )
        first = self._wish(me, kinds[0])
        self.serial += me.chance.randint(0, 1)  # two wishes may have one number
        second = None if kinds[1] is None else self._wish(me, kinds[1])
        for seat in me.linked:
            frame = first if seat in some else second
            if frame is not None:
                yield seat, frame
            if me.chance.random() < 0.3:  # it signs for some only
                yield seat, self._seal(me)

    def frame(self, me: Mallory, seat: Seat, frame: Frame) -> tuple[Frame, ...]:
        is_told = isinstance(frame, Signed) and frame.kind in (BodyKind.WORD, BodyKind.CLOSE)
        return () if is_told else (frame,)

    def _wish(self, me: Mallory, kind: IntentKind) -> Signed:
        game, place = me.genesis.id, me.ledger.place
        return Intent.sign(me.signer, game, me.seat, self.serial, kind, place).signed

    @staticmethod
    def _seal(me: Mallory) -> Signed:
        ledger = me.ledger
        body = Break(ledger.view, ledger.height, ledger.head, ()).body(me.genesis.id)
        seals = pack_seals({me.seat: me.signer.sign(Tag.CLOSE, body)})
        return Signed(BodyKind.CLOSE, body, seals)
