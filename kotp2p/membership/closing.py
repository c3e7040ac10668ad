"""How a game closes: everybody signs its end, or where it is left for another day.

One CLOSE record, the last one of its log, holds what was signed (PROTOCOL.md 9.4 and 9.5).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from kotp2p.endings import EndKind
from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Finished
from kotp2p.membership.adjourning import Adjournment
from kotp2p.membership.seals import EndSeals
from kotp2p.membership.voting import Voting
from kotp2p.mesh.effects import AppendRecord, ShowNotice
from kotp2p.mesh.gossip import Gossip
from kotp2p.notices import GameFinished, Unconfirmed
from kotp2p.seat_view import SeatView
from kotp2p.wire.closings import Break, parse_closing
from kotp2p.wire.entries import Signed
from kotp2p.wire.votes import is_majority
from referee.model.answers import Seat


@dataclass(slots=True)
class GameClosing:
    ledger: Ledger
    gossip: Gossip
    view: SeatView
    end_seals: EndSeals
    adjournment: Adjournment
    _electorates: list[set[Seat]] = field(default_factory=list)
    """Of the heights that votes might still undo: the live keepers there."""
    _tired: bool = False
    """The time for confirmations is over."""
    _told: bool = False

    @staticmethod
    def for_seat(ledger: Ledger, gossip: Gossip, view: SeatView, voting: Voting) -> GameClosing:
        genesis = ledger.genesis
        return GameClosing(
            ledger,
            gossip,
            view,
            EndSeals(genesis.id, genesis.players),
            Adjournment(ledger, voting, voting.seat, voting.signer),
        )

    def next_deadline(self) -> float:
        return min(self.end_seals.deadline, self.adjournment.deadline)

    def receive_seals(self, source: Seat, signed: Signed, now: float) -> None:
        """Signatures under an end or a break. Raises BadBytes or Forged."""
        what = parse_closing(signed.body, self.ledger.genesis.id)
        if isinstance(what, Break):
            for seal in self.adjournment.receive_seals(what, signed):
                for seat in sorted(self.gossip.reachability.linked - {source}):
                    self.gossip.send(seat, seal)
            return
        if not isinstance(self.ledger.step, Finished):
            self.gossip.request_missing(source, now)
        for seat in self.end_seals.receive_seals(source, signed):
            self.gossip.relay_frame(source, seat, self.end_seals.build_frame([seat]))

    def close_game(self, now: float) -> EndKind | None:
        """Signs what is to be signed; how the game ends here, once its record is written."""
        finished = isinstance(self.ledger.step, Finished)
        if self.end_seals.end is not None and not (
            finished
            and self.end_seals.end
            == self.ledger.chain.build_end()  # votes may give another end at once
        ):
            self._reopen()
        return self._seal(now) if finished else self._adjourn(now)

    def _reopen(self) -> None:
        """The others have voted about a place before this end: it does not count."""
        self.end_seals.withdraw()
        self._tired = self._told = False

    def _adjourn(self, now: float) -> EndKind | None:
        signed = self.adjournment.sign_break(now)
        if signed is not None:
            self.gossip.broadcast(signed)
        record = self.adjournment.build_record(now)
        if record is None:
            return None
        self.gossip.effects.append(AppendRecord(record))
        stops = self.adjournment.signed_break
        return EndKind.CLAIMED if stops is not None and stops.absent else EndKind.ADJOURNED

    def _seal(self, now: float) -> EndKind | None:
        sealing, voting = self.end_seals, self.adjournment.voting
        if sealing.end is None:
            self._electorates = self.ledger.electorates()
            early = sealing.sign_end(self.ledger.chain.build_end(), voting.seat, voting.signer, now)
            self.gossip.broadcast(sealing.build_frame())
            for source, signed in early:
                self.receive_seals(source, signed, now)
        if now >= sealing.deadline:
            self._tired, sealing.deadline = True, math.inf
        missing = (
            self.gossip.reachability.reachable_seats()
            - set(sealing.seals)
            - set(self.ledger.farewells)
        )
        doubtful = self._doubtful()
        if doubtful and self._tired and not self._told:
            self._told = True
            self.gossip.effects.append(ShowNotice(Unconfirmed(doubtful)))
        if doubtful or (missing and not self._tired):
            return None
        assert sealing.end is not None
        self.gossip.effects.append(AppendRecord(sealing.build_frame()))
        confirmed = tuple(sorted(sealing.seals))
        self.gossip.effects.append(
            ShowNotice(GameFinished(sealing.end.winners, confirmed, self.view))
        )
        return EndKind.FINISHED

    def _doubtful(self) -> tuple[Seat, ...]:
        """Those who might still vote this end away, as they may not know it: more than half of
        the live keepers at some place before it. Who has signed it will not."""
        left, sealed = set(self.ledger.farewells), set(self.end_seals.seals)
        for live in self._electorates:
            silent = live - sealed
            if silent - left and is_majority(len(silent), len(live)):
                return tuple(sorted(silent - left))
        return ()
