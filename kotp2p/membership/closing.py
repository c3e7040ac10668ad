"""How a game closes: all sign its end, or the place where it is left for another day.

Scope: when the one CLOSE record is written, the last one of a log (PROTOCOL.md 9.4 and 9.5).
Not here: the signatures under an end (`seals`) and under a break (`adjourning`).

How it works: a peer that stops playing at the end can no longer follow votes that undo it. So the
record waits until no majority of any place that may still be undone is without this end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum

from kotp2p.endings import EndKind
from kotp2p.game.breaks import check_closing
from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Forged, OwnFault
from kotp2p.game.steps import Finished
from kotp2p.membership.adjourning import Adjournment
from kotp2p.membership.seals import EndSeals
from kotp2p.mesh.effects import ShowNotice
from kotp2p.mesh.gossip import Gossip
from kotp2p.mesh.newest_heads import NewestHeads
from kotp2p.notices import GameFinished, Unconfirmed
from kotp2p.seat_view import SeatView
from kotp2p.state_table import Phase, StateTable
from kotp2p.votes.locks import VoteLocks
from kotp2p.votes.stances import Act
from kotp2p.votes.voting import Voting
from kotp2p.wire.closings import Break, parse_closing
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import Signed
from kotp2p.wire.votes import is_majority
from referee.model.answers import Seat


class ClosingState(StrEnum):
    PLAYING = "playing"
    STOPPING = "stopping"
    """All present want to adjourn, and this seat has signed the break."""
    CONFIRMING = "confirming"
    """The game is over here, this seat has signed its end, and waits for the others."""
    OVERDUE = "overdue"
    """The time for confirmations is over. The record is written, or the player told of a doubt, in
    the same moment."""
    DOUBTFUL = "doubtful"
    """The player has been told that the others may still undo the end."""
    CLOSED = "closed"
    """The record is written."""


class ClosingEvent(StrEnum):
    SIGNS_BREAK = "this seat signs a break"
    GAME_GOES_ON = "a seat plays on"
    GAME_ENDS = "the game ends"
    TIME_IS_UP = "the time for confirmations is up"
    DOUBT_IS_TOLD = "the player is told of the doubt"
    END_IS_UNDONE = "votes undo the end"
    WRITES_RECORD = "the record is written"


CLOSING = StateTable(
    "closing of a game",
    ClosingState.PLAYING,
    {
        ClosingState.PLAYING: {
            ClosingEvent.SIGNS_BREAK: ClosingState.STOPPING,
            ClosingEvent.GAME_ENDS: ClosingState.CONFIRMING,
            # Others have ended by a break that this seat has signed and taken back.
            ClosingEvent.WRITES_RECORD: ClosingState.CLOSED,
        },
        ClosingState.STOPPING: {
            ClosingEvent.SIGNS_BREAK: ClosingState.STOPPING,
            ClosingEvent.GAME_GOES_ON: ClosingState.PLAYING,
            ClosingEvent.GAME_ENDS: ClosingState.CONFIRMING,
            ClosingEvent.WRITES_RECORD: ClosingState.CLOSED,
        },
        ClosingState.CONFIRMING: {
            ClosingEvent.TIME_IS_UP: ClosingState.OVERDUE,
            ClosingEvent.END_IS_UNDONE: ClosingState.PLAYING,
            ClosingEvent.WRITES_RECORD: ClosingState.CLOSED,
        },
        ClosingState.OVERDUE: {
            ClosingEvent.DOUBT_IS_TOLD: ClosingState.DOUBTFUL,
            ClosingEvent.WRITES_RECORD: ClosingState.CLOSED,
        },
        ClosingState.DOUBTFUL: {
            ClosingEvent.END_IS_UNDONE: ClosingState.PLAYING,
            ClosingEvent.WRITES_RECORD: ClosingState.CLOSED,
        },
        ClosingState.CLOSED: {},
    },
)


@dataclass(slots=True)
class GameClosing:
    ledger: Ledger
    gossip: Gossip
    heads: NewestHeads
    view: SeatView
    end_seals: EndSeals
    adjournment: Adjournment
    locks: VoteLocks
    _phase: Phase[ClosingState, ClosingEvent] = field(
        default_factory=lambda: Phase.at_start(CLOSING)
    )
    _electorates: list[set[Seat]] = field(default_factory=list)
    """The live keepers at each height that votes might still undo."""
    _heads_shown: dict[tuple[Seat, Seat], Signed] = field(default_factory=dict)
    """By link, and by seat that a break names absent: the last head that was shown."""

    @staticmethod
    def for_seat(heads: NewestHeads, view: SeatView, voting: Voting) -> GameClosing:
        ledger, genesis = voting.ledger, voting.ledger.genesis
        return GameClosing(
            ledger,
            heads.gossip,
            heads,
            view,
            EndSeals(genesis.id, genesis.players),
            Adjournment(ledger, voting.intents, voting.seat, voting.signer),
            voting.locks,
        )

    def next_deadline(self) -> float:
        return min(self.end_seals.deadline, self.adjournment.deadline)

    def receive_seals(self, source: Seat, signed: Signed, now: float) -> None:
        """Signatures under an end or a break. Raises BadBytes or Forged."""
        what = parse_closing(signed.body, self.ledger.genesis.id)
        if isinstance(what, Break):
            self._receive_break_seals(source, what, signed)
            return
        if not isinstance(self.ledger.step, Finished):
            self.gossip.request_missing(source, now)
        for seat in self.end_seals.receive_seals(source, signed):
            self.gossip.relay_frame(source, seat, self.end_seals.build_frame([seat]))

    def _receive_break_seals(self, source: Seat, stop: Break, signed: Signed) -> None:
        new = self.adjournment.receive_seals(stop, signed)
        for seal in new:
            for seat in sorted(self.gossip.reachability.linked - {source}):
                self.gossip.send(seat, seal)
        for absent in stop.absent:
            # A cheat may have hidden from the signer. That it is here shows in its last head.
            head = self.heads.find_newest(absent)
            is_gone = absent in self.adjournment.intents.clocks.gone_since
            if head is None or is_gone or self._heads_shown.get((source, absent)) == head:
                continue
            self._heads_shown[source, absent] = head
            self.gossip.send(source, head)

    def confirmation(self) -> Signed | None:
        """For a new link: the end or break that this seat has signed and the signatures that have
        come; None while there is none."""
        if self._has_signed_end():
            return self.end_seals.build_frame()
        return self.adjournment.seals_for_new_link()

    def _has_signed_end(self) -> bool:
        return self._phase.allows(ClosingEvent.END_IS_UNDONE)

    def close_game(self, now: float) -> EndKind | None:
        """Signs what is to be signed. Returns how the game ends here once its record is written."""
        finished = isinstance(self.ledger.step, Finished)
        if self._has_signed_end() and not (
            # Votes may undo one end and lead to another at once.
            finished and self.end_seals.end == self.ledger.chain.build_end()
        ):
            self._phase.move(ClosingEvent.END_IS_UNDONE)
            self.end_seals.withdraw_end()
        if not finished:
            return self._adjourn(now)
        self.adjournment.take_back()
        self._note_time(now)
        # Votes may still undo this end, and this seat has promised to follow them.
        return None if self.locks.forbids(Act.SIGN_END) else self._confirm_end(now)

    def _adjourn(self, now: float) -> EndKind | None:
        told = self.adjournment.sign_break(now)
        if told:
            self._phase.move(ClosingEvent.SIGNS_BREAK)
        for signed in told:
            self.gossip.broadcast(signed)
        agreed = self.adjournment.find_agreed_break(now)
        if agreed is not None:
            self._append_checked(agreed.record)
            # All that have signed it end by it, also a seat that lacks some signatures yet.
            self.gossip.broadcast(agreed.shown)
            self._phase.move(ClosingEvent.WRITES_RECORD)
            return EndKind.CLAIMED if agreed.stop.absent else EndKind.ADJOURNED
        if self.adjournment.signed_break is None and self._phase.allows(ClosingEvent.GAME_GOES_ON):
            self._phase.move(ClosingEvent.GAME_GOES_ON)
        return None

    def _note_time(self, now: float) -> None:
        """The others have had long enough to sign the end. That is noted also while this seat is
        pledged and may not close: a deadline in the past would be looked at without a pause."""
        if now >= self.end_seals.deadline:
            self.end_seals.deadline = math.inf
            self._phase.move(ClosingEvent.TIME_IS_UP)

    def _confirm_end(self, now: float) -> EndKind | None:
        seals = self.end_seals
        if self._phase.allows(ClosingEvent.GAME_ENDS):
            self._sign_end(now)
        reachable = self.gossip.reachability.reachable_seats()
        missing = reachable - set(seals.seals) - set(self.ledger.farewells)
        doubtful = self._doubtful_keepers()
        if doubtful and self._phase.allows(ClosingEvent.DOUBT_IS_TOLD):
            self._phase.move(ClosingEvent.DOUBT_IS_TOLD)
            self.gossip.effects.append(ShowNotice(Unconfirmed(doubtful)))
        is_early = missing and self._phase.state is ClosingState.CONFIRMING
        if doubtful or is_early or self._waits_for_keeper():
            return None
        assert seals.end is not None
        self._append_checked(seals.build_frame())
        self._phase.move(ClosingEvent.WRITES_RECORD)
        confirmed = tuple(sorted(seals.seals))
        notice = GameFinished(seals.end.winners, confirmed, self.view)
        self.gossip.effects.append(ShowNotice(notice))
        return EndKind.FINISHED

    def _waits_for_keeper(self) -> bool:
        """A bot closes behind its keeper, which alone has a vote: a bot once had closed its game,
        and a proof came by which its keeper undid that end."""
        seat = self.adjournment.seat
        keeper = self.ledger.genesis.players[seat].keeper
        return keeper != seat and keeper in self.gossip.reachability.linked

    def _append_checked(self, record: Signed) -> None:
        """Writes a close record, as every reader of this log would take it. Raises OwnFault."""
        try:
            check_closing(self.ledger, record)
        except (BadBytes, Forged) as fault:
            raise OwnFault(f"a close record: {fault}") from fault
        self.gossip.append_record(record)

    def _sign_end(self, now: float) -> None:
        self._phase.move(ClosingEvent.GAME_ENDS)
        self._electorates = self.ledger.electorates()
        seat, signer = self.adjournment.seat, self.adjournment.signer
        early = self.end_seals.sign_end(self.ledger.chain.build_end(), seat, signer, now)
        self.gossip.broadcast(self.end_seals.build_frame())
        for seal in early:
            self.receive_seals(seal.source, seal.signed, now)

    def _doubtful_keepers(self) -> tuple[Seat, ...]:
        """The keepers that might still vote this end away, as they may not know it: more than half
        of the live keepers at some place before it. A keeper that has signed the end will not."""
        left, sealed = set(self.ledger.farewells), set(self.end_seals.seals)
        for live in self._electorates:
            silent = live - sealed
            # Keepers that have all said farewell are not waited for: they will never sign.
            if silent - left and is_majority(len(silent), len(live)):
                return tuple(sorted(silent - left))
        return ()
