"""A copy of a game that is kept current, without I/O: no seat, no key and no signature needed.

Scope: what every process does that follows a game. It takes bodies into the ledger, writes them
down and passes them on, asks for what is missing, and shows the front what happens.
Not here: what a seat adds (`kotp2p.peer.peer`): secrets, answers, clocks, votes and the signatures
under the end.
Known limitation: a follower alone does not collect the signatures under an end. It has seen the
game to its end when its ledger stands at `Finished`.

Two ways to use it. A process that only watches feeds it frames and ticks (`receive_frame`, `tick`)
and performs its effects. A `Peer` calls the single operations instead, and does what its seat has
to do before and after each.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import assert_never

from kotp2p.endings import EndKind
from kotp2p.game.conviction import find_contradiction
from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import (
    Cheat,
    Differs,
    Early,
    Forged,
    Fork,
    Stale,
    require_signed_by_seat,
)
from kotp2p.game.steps import Finished, Moved
from kotp2p.mesh.chat import ChatReader
from kotp2p.mesh.divergence import Divergence
from kotp2p.mesh.early_entries import EarlyEntries
from kotp2p.mesh.effects import AppendRecord, Effect, EndPeer
from kotp2p.mesh.forks import Forks
from kotp2p.mesh.gossip import Gossip
from kotp2p.mesh.heartbeat import Heartbeat
from kotp2p.mesh.link_faults import LinkFaults
from kotp2p.mesh.newest_heads import NewestHeads
from kotp2p.mesh.notice_pace import NoticePace
from kotp2p.mesh.proof_intake import ProofIntake
from kotp2p.mesh.reachability import Reachability
from kotp2p.mesh.vote_intake import VoteIntake
from kotp2p.notices import Agreement, GameStarted, LinkChanged, SeatLeft
from kotp2p.peer.new_links import NewLinks
from kotp2p.peer.reporting import Reporting
from kotp2p.seat_view import WATCHER, SeatView
from kotp2p.votes.accusations import Accusations
from kotp2p.wire.closings import End, parse_closing
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import BodyKind, Entry, Head, Signed
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.frames import Frame
from kotp2p.wire.frames_game import Links, PositionShown, Want
from kotp2p.wire.frames_link import HandshakeFrame
from kotp2p.wire.frames_lobby import AllAssent, Assent, LobbyFrame, Ping
from kotp2p.wire.frames_watch import Remark, Watched, WatchFrame
from kotp2p.wire.genesis import Genesis
from kotp2p.wire.votes import Vote, VoteChoice, seats_kept_by
from referee.model.answers import Seat


@dataclass(slots=True)
class Follower:
    genesis: Genesis
    seat: Seat = WATCHER
    """The seat that this process plays, which a follower never signs for."""
    resumed: Ledger | None = None
    """After a restart: the game as its log tells it."""
    ledger: Ledger = field(init=False)
    view: SeatView = field(init=False)
    reachability: Reachability = field(init=False)
    gossip: Gossip = field(init=False)
    early_entries: EarlyEntries = field(init=False)
    forks: Forks = field(init=False)
    newest_heads: NewestHeads = field(init=False)
    new_links: NewLinks = field(init=False)
    divergence: Divergence = field(init=False)
    votes: VoteIntake = field(init=False)
    accusations: Accusations = field(init=False)
    reporting: Reporting = field(init=False)
    chat: ChatReader = field(init=False)
    link_faults: LinkFaults = field(init=False)
    heartbeat: Heartbeat = field(default_factory=Heartbeat)
    notice_pace: NoticePace = field(init=False)
    has_ended: bool = False
    _was_down: set[Seat] = field(default_factory=set)
    """Seats whose lost link the front has been told of."""

    def __post_init__(self) -> None:
        genesis = self.genesis
        self.ledger = ledger = Ledger(genesis) if self.resumed is None else self.resumed
        self.view = SeatView(self.seat, genesis.players, ledger.game, genesis.phrase)
        self.reachability = Reachability(self.seat)
        self.gossip = gossip = Gossip(ledger, self.reachability)
        self.notice_pace = NoticePace(self.seat, gossip.budgets)
        self.early_entries = EarlyEntries(ledger)
        self.forks = Forks(ledger, gossip)
        self.newest_heads = NewestHeads(gossip)
        proofs = ProofIntake(ledger, gossip)
        self.votes = VoteIntake(ledger, gossip, proofs)
        self.accusations = Accusations(ledger, gossip, proofs)
        self.divergence = Divergence(ledger, gossip, self.accusations.convicts, self.seat)
        self.new_links = NewLinks(
            self.seat, ledger, gossip, self.newest_heads, self.accusations, self.divergence
        )
        self.reporting = Reporting(gossip, self.accusations, self.view)
        self.chat = ChatReader(genesis, gossip, self.seat)
        self.link_faults = LinkFaults(genesis.players)

    # -- following alone -----------------------------------------------------------------

    @property
    def deadline(self) -> float:
        """When `tick` is due at the latest."""
        return min(self.heartbeat.due, self.divergence.deadline, self.notice_pace.due)

    def link_up(self, seat: Seat, now: float) -> None:
        if not self.has_ended:
            self.add_link(seat, now)
            self.new_links.send_recent_bodies(seat)
            self.pace_notices()

    def link_down(self, seat: Seat) -> None:
        if not self.has_ended and seat in self.reachability.linked:
            self.remove_link(seat)
            self.pace_notices()

    def receive_frame(self, source: Seat, frame: Frame, now: float) -> None:
        """A frame on the link of `source`."""
        if self.has_ended or source in self.gossip.closing:
            return
        self.note_frame(source, now)
        try:
            match frame:
                case Signed():
                    self._receive_body(source, frame, now)
                case Want(height=height):
                    self.gossip.serve_request(source, height, now)
                case _:  # the frames about the links themselves, and stray ones
                    self.receive_link_frame(source, frame)
        except (BadBytes, Forged) as fault:
            self.charge_fault(source, frame, str(fault), now)
        self._catch_up(now)

    def tick(self, now: float) -> None:
        """Time has passed."""
        if self.has_ended:
            return
        self.check_links(now)
        self.heartbeat.take_beat(now)  # only a seat says at each beat how far it has come
        self.report_divergence(now)
        self.pace_notices()

    def _receive_body(self, source: Seat, signed: Signed, now: float) -> None:
        moved: Moved | None = None
        match signed.kind:
            case BodyKind.PLAY | BodyKind.SHARE:
                moved = self.accept_entry(source, Entry.parse(signed), now)
            case BodyKind.STAND_IN:
                moved = self.accept_farewell(source, Farewell.parse(signed, self.genesis.id))
            case BodyKind.VOTE:
                moved = self._accept_vote(source, Vote.parse(signed, self.genesis.id), now)
            case BodyKind.HEAD:
                self.accept_head(source, signed, now)
            case BodyKind.CHAT:
                self.chat.accept_line(source, signed, now)
            case BodyKind.CLOSE:
                is_end = isinstance(parse_closing(signed.body, self.genesis.id), End)
                if is_end and not isinstance(self.ledger.step, Finished):
                    self.gossip.request_missing(source, now)  # the sender has come further
            case BodyKind.WORD:
                pass  # what players want of each other: nothing of it changes the game
            case BodyKind.CHEAT_PROOF:
                moved = self.accusations.receive_proof(source, signed)
            case BodyKind.GENESIS | BodyKind.ADDRESS:
                raise BadBytes("not in a game")
            case _:
                assert_never(signed.kind)
        if moved is not None:
            self.reporting.report_progress(moved)

    def _accept_vote(self, source: Seat, vote: Vote, now: float) -> Moved | None:
        """Raises BadBytes or Forged."""
        fault = self.votes.check_vote(vote)
        moved = None
        if vote.choice is not VoteChoice.HELD:  # an answer between voters, which no ledger counts
            # A vote that cannot be counted here comes again with what is missing here.
            with suppress(Early, Stale, Fork):
                moved = self.votes.count_vote(source, vote, now)
        if moved is not None:  # anybody may have kept one that is known
            self.reachability.note_heard(vote.seat, now)
        if fault is not None:
            moved = moved or Moved()
            moved.caught = (*moved.caught, fault)
        return moved

    def _catch_up(self, now: float) -> None:
        """Takes what came early and whose place is reached now."""
        for proven in self.judge_proofs_again():
            self.reporting.report_progress(proven)
        while not self.has_ended and (entry := self.early_entries.pop_due_entry()) is not None:
            moved = self.accept_entry(self.seat, entry, now)
            if moved is not None:
                self.reporting.report_progress(moved)
        self.report_divergence(now)
        self.pace_notices()

    # -- the beginning and the end -------------------------------------------------------

    def begin(self, now: float) -> None:
        if self.resumed is None:
            signatures = b"".join(self.genesis.signatures)
            genesis = Signed(BodyKind.GENESIS, self.genesis.body, signatures)
            self.gossip.effects.append(AppendRecord(genesis))
        else:
            self.accusations.recall_proofs()
        self.reporting.show_notice(GameStarted(self.view, self.resumed is not None))
        self.reachability.start_clocks(len(self.genesis.players), now)
        self.heartbeat.start(now)

    def end(self, kind: EndKind, detail: str = "") -> None:
        """Nothing is done or shown any more."""
        self.pace_notices()
        if kind is EndKind.ELSEWHERE:
            self.gossip.forget_unsent()
        self.gossip.effects.append(EndPeer(kind, detail))
        self.has_ended = True

    def take_effects(self) -> list[Effect]:
        """Everything that is to be done now, in order. The list is handed over."""
        effects, self.gossip.effects = self.gossip.effects, []
        self.notice_pace.forget_effects()
        return effects

    def pace_notices(self) -> None:
        """After each frame, tick and link: leaves the notices that may be told now."""
        self.notice_pace.pace_effects(self.gossip.effects)

    # -- links ---------------------------------------------------------------------------

    def add_link(self, seat: Seat, now: float) -> None:
        """A link to `seat` stands, perhaps a second one in place of the first."""
        self.gossip.budgets.now = now
        self.gossip.closing.discard(seat)
        was_down = seat in self._was_down
        if self.reachability.add_link(seat, now):
            self.gossip.broadcast_links()
            if was_down:
                self._was_down.discard(seat)
                self.reporting.show_notice(LinkChanged(seat, True))
        else:
            # The new link may lead to a new process, which knows of no link of ours.
            self.gossip.send(seat, Links(tuple(sorted(self.reachability.linked))))
        self.gossip.forget_requests(seat)

    def remove_link(self, seat: Seat) -> None:
        self.gossip.closing.discard(seat)
        self.reachability.remove_link(seat)
        self._was_down.add(seat)
        self.reporting.show_notice(LinkChanged(seat, False))
        self.gossip.broadcast_links()

    def receive_link_frame(
        self, source: Seat, frame: Links | PositionShown | LobbyFrame | HandshakeFrame | WatchFrame
    ) -> None:
        """A frame that is neither a body nor a request. A stray one ends its link."""
        match frame:
            case Links(seats=seats):
                table = range(len(self.genesis.players))
                self.reachability.learn_links(source, [seat for seat in seats if seat in table])
            case PositionShown():
                self.divergence.compare_position(source, frame)
            case Assent():
                self.new_links.tell_start(source)
            case Ping() | AllAssent() | Watched() | Remark():
                pass  # sent before its sender knew of the start, known here, or about watchers
            case _:  # the annotation names all that belongs to another phase
                _stray: HandshakeFrame | LobbyFrame | WatchFrame = frame
                self.gossip.close_link(source, "a lobby frame in the game")

    def note_frame(self, source: Seat, now: float) -> None:
        """A frame has come over the link of `source`, and is looked at now."""
        self.gossip.budgets.now = now
        self.reachability.note_frame(source, now)

    def charge_fault(self, source: Seat, frame: Frame, fault: str, now: float) -> None:
        """A frame that cannot be taken: its link ends if its other side answers for it."""
        if not isinstance(frame, Signed) or self.link_faults.is_of_sender(source, frame, now):
            self.gossip.close_link(source, fault)

    def check_links(self, now: float) -> None:
        """Finds the links that have died without a word."""
        self.gossip.budgets.now = now
        if self.heartbeat.note_tick(now):
            self.reachability.excuse_silence(now)
        for seat in self.reachability.find_dead_links(now):
            self.gossip.close_link(seat, "nothing comes over the link")

    # -- bodies --------------------------------------------------------------------------

    def accept_entry(self, source: Seat, entry: Entry, now: float) -> Moved | None:
        """What an entry does to the game; None if it is known or cannot be taken now.

        Raises BadBytes or Forged. An entry that proves a cheat is reported at once.
        """
        try:
            moved = self.ledger.accept_entry(entry)
        except Stale:
            return None
        except Early:
            return self._keep_early_entry(source, entry, now)
        except Fork:
            self.forks.answer_fork(source, entry.height)
            return None
        except Cheat as fault:
            return self.accusations.note_cheat(fault)
        except Differs:
            second = self.divergence.note_entry(source, entry, now)
            return None if second is None else self.accusations.note_cheat(second)
        if moved is not None:
            self.reachability.note_heard(entry.seat, now)
            self.gossip.append_record(entry.signed)
            self.newest_heads.relay_entry(source, entry)
            second = self.divergence.find_second_entry(entry)
            if second is not None:
                moved.caught = (*moved.caught, second)
        return moved

    def _keep_early_entry(self, source: Seat, entry: Entry, now: float) -> Moved | None:
        proof = self.early_entries.keep_entry(entry)
        moved = None if proof is None else self.accusations.note_cheat(proof)
        if entry.view > self.ledger.view:
            # Of the same view all that is missing comes by itself. A later view begins with votes
            # that have passed this copy by.
            self.gossip.request_missing(source, now, later_view=True)
        return moved

    def accept_farewell(self, source: Seat, farewell: Farewell) -> Moved | None:
        """What a farewell does to the game; None if known or proof of a cheat. Raises Forged."""
        keeper = farewell.seat
        said: list[Vote | Entry] = [*self.ledger.tally.votes_of(keeper)]
        said += self.divergence.entries_of(keeper)
        alive = self.ledger.game.state.seats_alive()
        try:
            moved = self.ledger.accept_farewell(farewell)
        except Cheat as fault:
            return self.accusations.note_cheat(fault)
        if moved is None:
            return None
        self.gossip.append_record(farewell.signed)
        self.gossip.relay_frame(source, keeper, farewell.signed)
        for seat in sorted(seats_kept_by(self.genesis.players, {keeper}, alive)):
            self.reporting.show_notice(SeatLeft(seat))
        moved.caught += tuple(filter(None, (find_contradiction(farewell, body) for body in said)))
        return moved

    def judge_proofs_again(self) -> list[Moved]:
        """Judges the proofs that came before the place that they are about. Returns what they have
        done to the game."""
        found = [self.accusations.note_cheat(f) for f in self.accusations.proofs.judge_again()]
        return [moved for moved in found if moved is not None]

    def accept_head(self, source: Seat, signed: Signed, now: float) -> Head:
        """How far another seat has come. What this copy lacks is asked for.

        Raises BadBytes or Forged.
        """
        head = Head.parse(signed, self.genesis.id)
        require_signed_by_seat(self.genesis.players, head.seat, signed, "heartbeat")
        if head.seat != self.seat:  # else it is this seat's own, which others pass on
            if self.newest_heads.is_of_newer_process(head):
                self.heartbeat.hasten(now)
            if self.newest_heads.note_head(source, head, signed):
                self.reachability.note_heard(head.seat, now)
            if source == head.seat:
                self.new_links.note_head(source, head)
                self.gossip.relay_news(source, head.seat, signed)
            if (head.view, head.height) > self.ledger.place:
                self.gossip.request_missing(source, now, later_view=head.view > self.ledger.view)
        self.forks.compare_head(source, head)
        return head

    # -- copies that differ --------------------------------------------------------------

    def report_divergence(self, now: float) -> None:
        """Shows which seats have another copy. Ends here where most do not agree with this one."""
        self.divergence.show_position()
        while not self.has_ended and (found := self.divergence.find_news(now)) is not None:
            self.reporting.show_notice(found)
            match found.agreement:
                case Agreement.OURS | Agreement.OPEN:
                    pass  # the game goes on, or may still
                case Agreement.THEIRS | Agreement.NONE:
                    self.end(EndKind.STOPPED, f"copies differ: {found.field}")
                case _:
                    assert_never(found.agreement)
