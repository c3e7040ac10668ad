"""A peer in a game, without I/O: frames, answers and ticks in; effects out.

Scope: what one seat signs and when, and the order in which its parts do their work.
Not here: sockets, files, clocks and entropy (`now` is an argument, and everything done to the world
is an `Effect` that `kotp2p.shell.game_stage` performs in order, records first); and what a copy of
the game does without a seat (`kotp2p.peer.follower`).

How it works (PROTOCOL.md 5 and 9): every body that arrives goes to the `Follower`. Then `_advance`
signs what this seat owes by itself (openings, shares, commitments) and asks the front for what it
owes by choice. A seat that is late or gone is waited for (`kotp2p.wishes.clocks`), unless the
others vote (`kotp2p.votes.voting`). Against a proven cheat every program votes by itself.

A drop vote binds its signer. Before an entry or a farewell is taken, the locks of this seat's own
votes say whether it may be (`kotp2p.votes.locks`); after it, every vote against its
author is answered (`kotp2p.votes.objections`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import assert_never

from kotp2p.endings import EndKind
from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Forged
from kotp2p.game.steps import Finished, Moved, Solo
from kotp2p.membership.closing import GameClosing
from kotp2p.membership.departure import Departure
from kotp2p.membership.own_processes import OwnProcesses
from kotp2p.membership.presence import Presence
from kotp2p.membership.rejoin import Rejoin
from kotp2p.mesh.chat import ChatWriter
from kotp2p.mesh.effects import Effect, ShowNotice
from kotp2p.own_faults import OwnFaultGuard
from kotp2p.peer.duties import Duties
from kotp2p.peer.follower import Follower
from kotp2p.peer.seat_reporting import SeatReporting
from kotp2p.peer.secrets import Secrets
from kotp2p.seat_view import SeatView
from kotp2p.votes.stances import Act
from kotp2p.votes.standing import VoteStanding
from kotp2p.votes.voting import Voting
from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import BodyKind, Entry, Signed
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.frames import Frame
from kotp2p.wire.frames_game import Want
from kotp2p.wire.genesis import Genesis
from kotp2p.wire.intents import IntentKind
from kotp2p.wire.votes import Vote
from kotp2p.wishes.clocks import SeatClocks
from referee.model.answers import Answer, Seat


@dataclass(slots=True)
class Peer:
    genesis: Genesis
    seat: Seat
    signer: Signer
    seed: bytes
    resumed: Ledger | None = None
    """After a restart: the game as its log tells it."""
    follower: Follower = field(init=False)
    chat: ChatWriter = field(init=False)
    rejoin: Rejoin = field(default_factory=Rejoin)
    own: OwnProcesses = field(init=False)
    deadline: float = math.inf
    """When `tick` is due at the latest."""
    _guard: OwnFaultGuard = field(init=False)
    _reporting: SeatReporting = field(init=False)
    _duties: Duties = field(init=False)
    _voting: Voting = field(init=False)
    _standing: VoteStanding = field(init=False)
    _presence: Presence = field(init=False)
    _closing: GameClosing = field(init=False)
    _departure: Departure = field(init=False)

    def __post_init__(self) -> None:
        seat, signer = self.seat, self.signer
        self.follower = follower = Follower(self.genesis, seat, self.resumed)
        ledger, gossip = follower.ledger, follower.gossip
        self._guard = OwnFaultGuard(lambda fault: gossip.effects.append(ShowNotice(fault)))
        clocks = SeatClocks(self.genesis.charter.clocks)
        self.own = OwnProcesses(ledger, seat, has_decided=self.resumed is None)
        self._voting = Voting(
            ledger, follower.votes, clocks, seat, signer, follower.accusations.convicts
        )
        self._standing = VoteStanding(self._voting.locks, gossip)
        self._presence = Presence(
            ledger, gossip, follower.reachability, clocks, self._voting, self.rejoin, self.own
        )
        self._closing = GameClosing.for_seat(follower.newest_heads, follower.view, self._voting)
        self._departure = Departure(ledger, seat)
        secrets = Secrets(ledger, seat, signer, self.seed)
        self._reporting = SeatReporting(follower, secrets, self._voting, self._presence.punctuality)
        self._duties = Duties(follower, secrets, self._reporting, self.rejoin)
        self.chat = ChatWriter(follower.chat, signer)

    # -- what the shell reads ------------------------------------------------------------

    @property
    def ledger(self) -> Ledger:
        return self.follower.ledger

    @property
    def view(self) -> SeatView:
        return self.follower.view

    @property
    def has_ended(self) -> bool:
        return self.follower.has_ended

    def take_effects(self) -> list[Effect]:
        """Everything that is to be done now, in order. The list is handed over."""
        return self.follower.take_effects()

    # -- receiving: the beginning, links, frames, time -----------------------------------

    def begin(self, now: float) -> None:
        if self.resumed is not None:
            self._reporting.recall_top_card()
        self.follower.begin(now)
        self._presence.begin(now, resumed=self.resumed is not None)
        self._advance(now)

    def link_up(self, seat: Seat, now: float) -> None:
        if self.has_ended:
            return
        gossip = self.follower.gossip
        self.follower.add_link(seat, now)
        self._voting.objections.note_new_link(seat)
        self.follower.new_links.send_recent_bodies(seat)
        for signed in self._voting.bodies_for_new_link():
            gossip.send(seat, signed)
        # The head comes last: a seat that has come back decides once it has all heads.
        with self._guard:
            gossip.send(seat, self._presence.sign_head())
        self._send_seals(seat)
        self._advance(now)

    def link_down(self, seat: Seat, now: float) -> None:
        if self.has_ended or seat not in self.follower.reachability.linked:
            return
        self.follower.remove_link(seat)
        self._advance(now)

    def receive_frame(self, source: Seat, frame: Frame, now: float) -> None:
        """A frame on the link of `source`. `tick` is due then, before all but more frames: most of
        them bring nothing new. What takes the game on, or proves a cheat, is followed up here."""
        follower, targets = self.follower, self._voting.targets
        if self.has_ended or source in follower.gossip.closing:
            return
        follower.note_frame(source, now)
        before = targets.sources
        try:
            with self._guard:
                self._receive_frame(source, frame, now)
        except (BadBytes, Forged) as fault:
            follower.charge_fault(source, frame, str(fault), now)
        self.deadline = now
        if targets.sources != before:
            self._advance(now)

    def _receive_frame(self, source: Seat, frame: Frame, now: float) -> None:
        match frame:
            case Signed():
                self._receive_body(source, frame, now)
            case Want(height=height):
                if self.follower.gossip.serve_request(source, height, now):
                    self._send_seals(source)
            case _:  # all other frames mean to a seat what they mean to any follower
                self.follower.receive_link_frame(source, frame)

    def tick(self, now: float) -> None:
        """Time has passed, or frames were taken: heartbeats, silence, all that this seat owes."""
        if self.has_ended:
            return
        follower = self.follower
        follower.check_links(now)
        if follower.heartbeat.take_beat(now):
            with self._guard:
                follower.gossip.broadcast(self._presence.sign_head())
        self._advance(now)

    def _receive_body(self, source: Seat, signed: Signed, now: float) -> None:
        if self.own.is_from_elsewhere(signed):
            self.follower.end(EndKind.ELSEWHERE)
            return
        self.rejoin.note_own(self.own.furthest, now)
        match signed.kind:
            case BodyKind.PLAY | BodyKind.SHARE:
                self._accept_entry(source, Entry.parse(signed), now)
            case BodyKind.STAND_IN:
                self._accept_farewell(source, Farewell.parse(signed, self.genesis.id))
            case BodyKind.HEAD:
                self._accept_head(source, signed, now)
            case BodyKind.CLOSE:
                self._closing.receive_seals(source, signed, now)
                self._advance(now)  # the next frame may end the game otherwise
            case BodyKind.VOTE:
                self._accept_vote(source, Vote.parse(signed, self.genesis.id), now)
            case BodyKind.WORD:
                self._voting.intents.receive_intent(source, signed, now)
            case BodyKind.CHAT:
                self.follower.chat.accept_line(source, signed, now)
            case BodyKind.CHEAT_PROOF:
                self._report(self.follower.accusations.receive_proof(source, signed))
            case BodyKind.GENESIS | BodyKind.ADDRESS:
                raise BadBytes("not in a game")
            case _:
                assert_never(signed.kind)

    def _accept_entry(self, source: Seat, entry: Entry, now: float) -> None:
        if self._voting.held_entries.hold_back(entry):
            return
        moved = self.follower.accept_entry(source, entry, now)
        self._report(moved)

    def _accept_farewell(self, source: Seat, farewell: Farewell) -> None:
        if self._voting.locks.hold_back_farewell(farewell):
            return
        self._report(self.follower.accept_farewell(source, farewell))

    def _accept_head(self, source: Seat, signed: Signed, now: float) -> None:
        head = self.follower.accept_head(source, signed, now)
        if head.seat != self.seat:
            self.rejoin.note_head(head.seat, (head.view, head.height), now)

    def _accept_vote(self, source: Seat, vote: Vote, now: float) -> None:
        moved = self._voting.receive_vote(source, vote, now)
        if moved is not None:  # anybody may have kept one that is known
            self.follower.reachability.note_heard(vote.seat, now)
        self._report(moved)

    def _report(self, moved: Moved | None) -> None:
        if moved is not None:
            self._reporting.report_progress(moved)

    # -- advancing: what this seat owes --------------------------------------------------

    def accept_answer(self, place: tuple[int, int], answer: Answer, now: float) -> None:
        """The front's reply to `AskDecision(place)`. Replies that come too late are dropped."""
        if self.has_ended or place != self.ledger.place or self.ledger.step != Solo(self.seat):
            return
        if self._departure.is_wanted or self._voting.locks.forbids(Act.SIGN_ENTRY):
            return  # the question was withdrawn while its reply was on the way
        self.own.has_decided = True
        with self._guard:
            self._duties.sign_answer(answer)
        self._advance(now)

    def _advance(self, now: float) -> None:
        """Does everything that this seat can do by itself, until nothing moves any more.

        The order is part of the protocol's safety: proofs of cheats first, so that nothing more is
        taken from a cheat; then entries; and a vote of the players only when no entry is left that
        could make it needless.
        """
        while not self.has_ended:
            for moved in self.follower.judge_proofs_again():
                self._reporting.report_progress(moved)
            if self._vote_by_proofs(now) or self._advance_once(now):
                continue
            if not self._vote_by_agreement(now):
                break
        if self.rejoin.may_sign(self.ledger.place, now):
            self.follower.new_links.send_unheard()
        self.follower.report_divergence(now)
        self._voting.intake.ask_for_early_votes(now)
        if self.has_ended:
            return
        # The keeper of this bot has left, or this player elsewhere; or this player wants to.
        has_left = self.seat in self.ledger.farewells
        if has_left or (self._departure.is_wanted and self._say_farewell(now)):
            self.follower.end(EndKind.LEFT)
            return
        with self._guard:
            self._voting.objections.answer_votes(is_informed=self.rejoin.has_heard_others(now))
        self._standing.report(now)
        self._presence.report_waiting()
        end = None
        with self._guard:
            end = self._closing.close_game(now)
        if end is not None:
            self.follower.end(end)
        self.follower.pace_notices()
        self.deadline = min(
            self.follower.deadline,
            self._presence.next_change(now),
            self._closing.next_deadline(),
            self._standing.due,
            self._departure.deadline,
        )

    def _advance_once(self, now: float) -> bool:
        """Takes one entry that waited, or signs one that is owed; whether the game has moved."""
        locks, follower = self._voting.locks, self.follower
        for entry in self._voting.held_entries.release():
            self._accept_entry(self.seat, entry, now)
        for farewell in locks.release_farewells():
            self._accept_farewell(self.seat, farewell)
        if locks.forbids(Act.TAKE_ENTRY):
            return False
        early = follower.early_entries.pop_due_entry()
        if early is not None:
            self._accept_entry(self.seat, early, now)
            return True
        if self.seat not in self.ledger.owing_seats() or locks.forbids(Act.SIGN_ENTRY):
            return False
        with self._guard:
            return self._duties.sign_step(now)
        return False

    def say_line(self, words: str, now: float) -> None:
        """A line of chat from the player."""
        with self._guard:
            if not self.has_ended:
                self.chat.say_line(words, now)

    # -- voting --------------------------------------------------------------------------

    def declare_intent(self, verb: IntentKind, now: float) -> None:
        """Tells the others what the player wants of them (`kotp2p.wire.intents`)."""
        intents = self._voting.intents
        is_over = self.has_ended or isinstance(self.ledger.step, Finished)
        if is_over or self.seat not in intents.live_keepers():
            return
        seats = intents.open_vote if verb is IntentKind.DROP else ()
        intents.explain_needless_vote(verb, now)
        if self.seat not in seats and (seats or verb is not IntentKind.DROP):
            with self._guard:
                intents.declare_intent(verb, seats, now)
        self._advance(now)

    def _vote_by_proofs(self, now: float) -> bool:
        """Votes against a seat that is proven to have cheated; whether there was anything to do."""
        voting = self._voting
        # After a restart this seat may have voted already: the others tell before it votes again.
        if not voting.convicts or not self.rejoin.may_accuse(self.ledger.place, now):
            return False
        moved = None
        with self._guard:
            moved = voting.sign_accusation()
        if moved is None:
            return False
        if not moved.dropped and voting.locks.forbids(Act.SIGN_ENTRY):
            self._duties.withdraw_question()  # to be asked again if the vote comes to nothing
        self._reporting.report_progress(moved)
        return True

    def _vote_by_agreement(self, now: float) -> bool:
        """Votes for this seat, if all players that must agree do; whether that moved the game."""
        self._presence.update(now)
        if not self.rejoin.may_sign(self.ledger.place, now):
            return False
        moved = None
        with self._guard:
            moved = self._voting.sign_agreed_drop()
        self.own.has_decided |= moved is not None
        self._report(moved)
        return moved is not None

    # -- ending --------------------------------------------------------------------------

    def leave_game(self, now: float) -> None:
        """Signs a farewell, if this keeper is still in the game, and ends this peer. Where the game
        waits for a bot of this keeper, that takes a moment."""
        if self.has_ended:
            return
        self._departure.begin(now)
        self._advance(now)

    def _say_farewell(self, now: float) -> bool:
        """Whether this seat has nothing more to do here."""
        departure = self._departure
        if not departure.leaving_seats() or self.seat in self.ledger.farewells:
            return True
        # After a restart this seat may have signed more than its log holds, as before a decision.
        is_informed = self.rejoin.may_sign(self.ledger.place, now)
        place = departure.find_place(now) if is_informed else None
        if place is not None:
            with self._guard:
                self._duties.sign_farewell(place, departure.named_rounds(self._voting.locks))
                return True
        if place is not None or now >= departure.deadline:
            self.keep_seat()
        return False

    def keep_seat(self) -> None:
        """This process ends. The seat stays in the game."""
        if not self.has_ended:
            self.follower.end(EndKind.KEPT)

    def _send_seals(self, seat: Seat) -> None:
        """The signatures under the end, once this seat has signed it."""
        confirmation = self._closing.confirmation()
        if confirmation is not None:
            self.follower.gossip.send(seat, confirmation)
