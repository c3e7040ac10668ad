"""A peer in a game, without I/O: frames, answers and ticks in; effects out.

May live here: what one seat signs and when, and whom it sends what. May not: sockets, files,
clocks, entropy; `now` is an argument and everything done to the world is an `Effect` that the
shell (`kotp2p.shell.game_stage`) performs in order, appends to the log before all else.

How it works (PROTOCOL.md 5 and 9): every accepted body goes to the `Ledger`; then `_advance` does
what this seat owes by itself (openings, shares) and asks the front for what it owes by choice.
A body travels once over each link; who knows that two others have no direct link passes on what
one of them signs. Heartbeats show who lags behind; `Want` fetches what is missing. Who is late
or gone is waited for (`kotp2p.membership.clocks`), unless the others vote
(`kotp2p.membership.voting`). Who is proven to have cheated is voted out by every program by itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from kotp2p.endings import EndKind
from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Cheat, Differs, Early, Forged, Fork, Stale
from kotp2p.game.steps import Finished, Gather, Renewal, Sharing, Solo
from kotp2p.membership.accusations import Accusations
from kotp2p.membership.clocks import SeatClocks
from kotp2p.membership.closing import GameClosing
from kotp2p.membership.presence import Presence
from kotp2p.membership.rejoin import Rejoin
from kotp2p.membership.voting import Voting
from kotp2p.mesh.chat import Chat
from kotp2p.mesh.divergence import Divergence
from kotp2p.mesh.early_entries import EarlyEntries
from kotp2p.mesh.effects import (
    AppendRecord,
    AskDecision,
    CloseLink,
    Effect,
    EndPeer,
    ShowNotice,
    WithdrawQuestion,
)
from kotp2p.mesh.gossip import Gossip
from kotp2p.mesh.reachability import Reachability
from kotp2p.notices import Diverged, GameStarted, LinkChanged, Notice, SeatLeft
from kotp2p.peer.reporting import Reporting
from kotp2p.peer.secrets import Secrets
from kotp2p.seat_view import SeatView
from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import (
    Answering,
    BodyKind,
    Entry,
    Farewell,
    Payload,
    Signed,
)
from kotp2p.wire.frames import Frame
from kotp2p.wire.frames_game import Links, PositionShown, Want
from kotp2p.wire.frames_link import LinkFrame
from kotp2p.wire.frames_lobby import LobbyFrame, Ping
from kotp2p.wire.genesis import Genesis
from kotp2p.wire.intents import IntentKind
from kotp2p.wire.votes import Vote
from referee.model.answers import Answer, Seat
from referee.model.decisions import Chance, Over

HEARTBEAT_SECONDS = 5.0
SUSPENDED_AFTER_SECONDS = 10.0
"""A gap between two ticks that means this machine was stopped, not the others."""


@dataclass(slots=True)
class Peer:
    genesis: Genesis
    seat: Seat
    signer: Signer
    seed: bytes
    resumed: Ledger | None = None
    """After a restart: the game as its log tells it."""
    ledger: Ledger = field(init=False)
    view: SeatView = field(init=False)
    done: bool = False
    chat: Chat = field(init=False)
    comeback: Rejoin = field(default_factory=Rejoin)
    deadline: float = math.inf
    """When `tick` is due at the latest."""
    _courier: Gossip = field(init=False)
    _hand: Secrets = field(init=False)
    _mesh: Reachability = field(init=False)
    _voting: Voting = field(init=False)
    _presence: Presence = field(init=False)
    _closing: GameClosing = field(init=False)
    _dispute: Divergence = field(init=False)
    _ahead: EarlyEntries = field(init=False)
    _accusing: Accusations = field(init=False)
    _telling: Reporting = field(init=False)
    _asked: tuple[int, int] = (-1, -1)
    """View and height of the last decision put to the front."""
    _next_beat: float = 0.0
    _last_tick: float = 0.0
    _was_down: set[Seat] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.ledger = Ledger(self.genesis) if self.resumed is None else self.resumed
        self.view = SeatView(self.seat, self.genesis.players, self.ledger.game, self.genesis.phrase)
        ledger, mesh, seat = self.ledger, Reachability(self.seat), self.seat
        attendance = SeatClocks(self.genesis.charter.clocks)
        courier = Gossip(ledger, mesh)
        voting = Voting(ledger, courier, attendance, seat, self.signer)
        self._hand = Secrets(ledger, seat, self.signer, self.seed)
        self._mesh, self._courier, self._voting = mesh, courier, voting
        self._presence = Presence(ledger, courier, mesh, attendance, voting, self.comeback, seat)
        self._closing = GameClosing.for_seat(ledger, courier, self.view, voting)
        self._dispute = Divergence(ledger, courier)
        self._ahead = EarlyEntries(ledger, courier)
        self._accusing = Accusations(ledger, courier, voting, self.comeback)
        self._telling = Reporting(
            ledger, courier, self._hand, voting, self._accusing, self.view, seat
        )
        self.chat = Chat(self.genesis.id, self.genesis.players, courier, seat, self.signer)

    # -- the outside ---------------------------------------------------------------------

    def take_effects(self) -> list[Effect]:
        """What is to be done now, in order; the list is handed over."""
        effects, self._courier.effects = self._courier.effects, []
        return effects

    def begin(self, now: float) -> None:
        if self.resumed is None:
            signatures = b"".join(self.genesis.signatures)
            genesis = Signed(BodyKind.GENESIS, self.genesis.body, signatures)
            self._courier.effects.append(AppendRecord(genesis))
        else:
            self._telling.recall()
            self._accusing.recall_votes()
        self._show(GameStarted(self.view, self.resumed is not None))
        self._last_tick = now
        self._presence.begin(now, resumed=self.resumed is not None)
        self._next_beat = now + HEARTBEAT_SECONDS
        self._advance(now)

    def link_up(self, seat: Seat, now: float) -> None:
        if self.done:
            return
        again = seat in self._was_down
        if self._mesh.add_link(seat, now):
            self._courier.broadcast_links()
            if again:
                self._was_down.discard(seat)
                self._show(LinkChanged(seat, True))
        else:  # a new link, perhaps of a new process, in place of one that seemed to stand
            self._courier.send(seat, Links(tuple(sorted(self._mesh.linked))))
        self._courier.send(seat, self._presence.sign_head())
        self._voting.objections.note_new_link(seat)
        self._courier.forget_requests(seat)
        for signed in (
            *self.ledger.bodies_since(self.ledger.chain.last_gather),
            *self._voting.bodies_for_new_link(),
        ):
            self._courier.send(seat, signed)
        if self._closing.end_seals.end is not None:
            self._courier.send(seat, self._closing.end_seals.build_frame())
        self._advance(now)

    def link_down(self, seat: Seat, now: float) -> None:
        if self.done or seat not in self._mesh.linked:
            return
        self._mesh.remove_link(seat)
        self._was_down.add(seat)
        self._show(LinkChanged(seat, False))
        self._courier.broadcast_links()
        self._advance(now)

    def receive_frame(self, source: Seat, frame: Frame, now: float) -> None:
        """A frame on the link of `source`."""
        if self.done:
            return
        self._mesh.note_frame(source, now)
        try:
            match frame:
                case Signed():
                    self._receive_signed(source, frame, now)
                case Links(seats=seats):
                    self._mesh.learn_links(source, seats)
                case Want(height=height):
                    sealing = self._closing.end_seals
                    if self._courier.serve_request(source, height, now) and sealing.end is not None:
                        self._courier.send(source, sealing.build_frame())
                case PositionShown():
                    diverged = self._dispute.compare_position(source, frame)
                    if diverged is not None:
                        self._diverged(diverged)
                case Ping():
                    pass  # sent before its sender knew of the start
                case _:  # the annotation names all that belongs to another phase
                    _stray: LinkFrame | LobbyFrame = frame
                    self._courier.effects.append(CloseLink(source, "a lobby frame in the game"))
        except (BadBytes, Forged) as fault:
            self._courier.effects.append(CloseLink(source, str(fault)))
        self._advance(now)

    def accept_answer(self, place: tuple[int, int], answer: Answer, now: float) -> None:
        """The front's reply to `Ask(place)`; too late replies are dropped."""
        if self.done or place != self.ledger.place or self.ledger.step != Solo(self.seat):
            return
        if self._voting.locks.is_blocked():
            return
        self._sign(Answering(answer, self._hand.answer_secret(answer)))
        self._advance(now)

    def declare_intent(self, verb: IntentKind, now: float) -> None:
        """The player wants something of the others (`kotp2p.wire.intents`)."""
        voting = self._voting
        if self.done or self._is_over() or self.seat not in voting.live_keepers():
            return
        if verb is IntentKind.DROP and self.seat in voting.open_vote:
            return
        if verb is not IntentKind.DROP or voting.open_vote:
            voting.declare_intent(verb, voting.open_vote if verb is IntentKind.DROP else (), now)
        self._advance(now)

    def leave_game(self, now: float) -> None:
        """Farewell, if this seat is still in the game; then the end for this peer."""
        if self.done:
            return
        if self.seat in self.ledger.game.state.seats_alive() and not self._is_over():
            view, height = self.ledger.place
            height += self.seat in self.ledger.chain.gathered
            farewell = Farewell.sign(self.signer, self.genesis.id, self.seat, view, height)
            self._courier.effects.append(AppendRecord(farewell.signed))
            self._courier.broadcast(farewell.signed)
        self._finish(EndKind.LEFT)

    def keep_seat(self) -> None:
        """This process ends; the seat stays in the game."""
        if not self.done:
            self._finish(EndKind.KEPT)

    def tick(self, now: float) -> None:
        """Time has passed: heartbeats, silence, sealing."""
        if self.done:
            return
        if now - self._last_tick > SUSPENDED_AFTER_SECONDS + HEARTBEAT_SECONDS:
            self._mesh.excuse_silence(now)
        self._last_tick = now
        for seat in self._mesh.find_dead_links(now):
            self._courier.effects.append(CloseLink(seat, "nothing comes over the link"))
        if now >= self._next_beat:
            self._next_beat = now + HEARTBEAT_SECONDS
            self._courier.broadcast(self._presence.sign_head())
        unanswered = self._dispute.find_timeout(now)
        if unanswered is not None:
            self._diverged(unanswered)
        self._advance(now)

    # -- bodies --------------------------------------------------------------------------

    def _receive_signed(self, source: Seat, signed: Signed, now: float) -> None:
        match signed.kind:
            case BodyKind.PLAY | BodyKind.SHARE:
                self._take(source, Entry.parse(signed), now)
            case BodyKind.STAND_IN:
                self._part(source, Farewell.parse(signed, self.genesis.id), now)
            case BodyKind.HEAD:
                self._ahead.compare_head(source, self._presence.receive_head(source, signed, now))
            case BodyKind.CLOSE:
                self._closing.receive_seals(source, signed, now)
            case BodyKind.VOTE:
                self._vote(source, Vote.parse(signed, self.genesis.id), now)
            case BodyKind.WORD:
                self._voting.receive_intent(source, signed, now)
            case BodyKind.CHAT:
                self.chat.accept_line(source, signed, now)
            case BodyKind.GENESIS | BodyKind.ADDRESS | BodyKind.PROOF:
                raise BadBytes("not in a game")

    def _take(self, source: Seat, entry: Entry, now: float) -> None:
        if self._voting.locks.hold_back_entry(entry):
            return
        try:
            moved = self.ledger.accept_entry(entry)
        except Stale:
            return
        except Early:
            proof = self._ahead.keep_entry(entry)
            if proof is not None:
                self._accusing.note_cheat(proof)
            if entry.view > self.ledger.view:
                self._voting.locks.note_later_view(entry.seat, entry.prev)
                self._courier.request_missing(source, now, later_view=True)
            return
        except Fork:
            self._ahead.answer_fork(source, entry.height)
            return
        except Cheat as fault:
            self._accusing.note_cheat(fault)
            return
        except Differs as fault:
            self._dispute.ask_for_position(fault, now)
            return
        if moved is not None:
            self._mesh.note_heard(entry.seat, now)
            self._courier.effects.append(AppendRecord(entry.signed))
            self._courier.relay_frame(source, entry.seat, entry.signed)
            if self._voting.objections.is_accused_by_others(entry):
                self._courier.broadcast(entry.signed)
                self._voting.objections.send_objection(entry.place, (entry.seat,), ())
            self._telling.report_progress(moved)

    def _vote(self, source: Seat, vote: Vote, now: float) -> None:
        moved = self._voting.receive_vote(source, vote, now)
        self._mesh.note_heard(vote.seat, now)
        if moved is not None:
            self._telling.report_progress(moved)

    def _part(self, source: Seat, farewell: Farewell, now: float) -> None:
        if self._voting.locks.hold_back_farewell(farewell):
            return
        try:
            moved = self.ledger.accept_farewell(farewell)
        except Cheat as fault:
            self._accusing.note_cheat(fault)
            return
        if moved is not None:
            self._courier.effects.append(AppendRecord(farewell.signed))
            self._courier.relay_frame(source, farewell.seat, farewell.signed)
            self._show(SeatLeft(farewell.seat))
            self._telling.report_progress(moved)

    def _sign(self, load: Payload) -> None:
        """Signs what this seat owes and takes it like everybody else's."""
        entry = self._hand.sign_entry(load)
        moved = self.ledger.accept_entry(entry)
        self._courier.effects.append(AppendRecord(entry.signed))
        self._courier.broadcast(entry.signed)
        if moved is not None:
            self._telling.report_progress(moved)

    # -- going on ------------------------------------------------------------------------

    def _advance(self, now: float) -> None:
        """Does what this seat owes by itself and says who is waited for."""
        while not self.done:
            if self._accuse(now) or self._step_once(now):
                continue
            if not self._attend(now):
                break
        if self.done:
            return
        self._voting.objections.answer_earlier_votes()
        self._presence.report_waiting()
        end = self._closing.close_game(now)
        if end is not None:
            self._finish(end)
        self._schedule(now)

    def _attend(self, now: float) -> bool:
        """Votes for this seat, if all agree; whether that moved the game."""
        self._presence.update(now)
        voting = self._voting
        if not voting.is_agreed() or not self.comeback.may_decide(self.ledger.place, now):
            return False
        moved = voting.sign_agreed_drop()
        if moved is not None:
            self._telling.report_progress(moved)
        return moved is not None

    def _accuse(self, now: float) -> bool:
        """Votes against who has cheated before anything else is taken from him; whether there
        was anything to do."""
        moved = self._accusing.vote_by_proofs(now)
        if moved is None:
            return False
        if not moved.dropped and self._voting.locks.is_blocked():
            self._courier.effects.append(WithdrawQuestion())
            self._asked = (-1, -1)
        self._telling.report_progress(moved)
        return True

    def _step_once(self, now: float) -> bool:
        """Whether something has moved."""
        ledger = self.ledger
        for free in self._voting.locks.release_entries():
            self._take(self.seat, free, now)
        for left in self._voting.locks.release_farewells():
            self._part(self.seat, left, now)
        if self._voting.locks.is_blocked():
            return False
        entry = self._ahead.pop_due_entry()
        if entry is not None:
            self._take(self.seat, entry, now)
            return True
        if self.seat not in ledger.owing_seats() or self._dispute.seat is not None:
            return False
        match ledger.step:
            case Gather() as gather:
                self._sign(self._hand.make_opening(gather))
            case Sharing() as sharing:
                self._sign(self._hand.make_share(sharing))
            case Renewal() as renewal:
                self._sign(self._hand.make_commits(renewal))
            case Solo():
                self._ask(now)
                return False
            case Finished():
                return False
        return True

    def _ask(self, now: float) -> None:
        """Puts this seat's decision to the front, once for each place."""
        place, pending = self.ledger.place, self.ledger.game.pending
        if self._asked < place and self.comeback.may_decide(place, now):
            self._asked = place
            assert not isinstance(pending, Chance | Over)
            self._courier.effects.append(AskDecision(place, pending))

    def _schedule(self, now: float) -> None:
        self.deadline = min(
            self._next_beat,
            self._presence.next_change(now),
            self._closing.next_deadline(),
            self._dispute.deadline,
        )

    # -- the ends ------------------------------------------------------------------------

    def _is_over(self) -> bool:
        return isinstance(self.ledger.step, Finished)

    def _finish(self, kind: EndKind, detail: str = "") -> None:
        self._courier.effects.append(EndPeer(kind, detail))
        self.done = True

    def _diverged(self, notice: Diverged) -> None:
        if not self.done:
            self._show(notice)
            self._finish(EndKind.STOPPED, f"copies differ: {notice.field}")

    def _show(self, notice: Notice) -> None:
        self._courier.effects.append(ShowNotice(notice))
