"""A peer in a game, without I/O: frames, answers and ticks in; effects out.

Scope: what one keeper signs and when, and the order in which its parts do their work.

How it works (PROTOCOL.md 5 and 9): every body that arrives goes to the `Intake`. Then `_advance`
signs what this keeper owes by itself (openings, shares, commitments) and asks the players of its
seats for what they owe by choice. Only if something has been said about who is to play, or somebody
holds up the game, do the parts of `kotp2p.lineup` come in.
"""

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import assert_never

from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Committing, Finished, Forged, Gather, Moved, Solo
from kotp2p.lineup.absence import Absence, Returning, Welcome
from kotp2p.lineup.attempts import Attempts
from kotp2p.lineup.plan import Facts
from kotp2p.mesh.gossip import (
    Chat,
    Divergence,
    EarlyEntries,
    Effect,
    EndPeer,
    Forks,
    Gossip,
    Heartbeat,
    NoticePace,
    WithdrawQuestion,
    notices_of,
    update_keepers,
)
from kotp2p.mesh.reachability import LinkFaults, Reachability
from kotp2p.peer.bodies import Duties, Intake, Secrets, WrongShare
from kotp2p.peer.presence import Presence
from kotp2p.referee.model.answers import Answer, Seat
from kotp2p.referee.model.events import Event
from kotp2p.seams import cores, endings, notices
from kotp2p.seams.notices import SeatView
from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import INSTANCE_BYTES, BodyKind, Entry, Head, Place, Signed, sign_head
from kotp2p.wire.frames import Frame, FrameElsewhere, Links, Ping, PositionShown, Want
from kotp2p.wire.genesis import Genesis
from kotp2p.wire.lineups import Change, Here, Leave, LineUp, Ready, Reason

END_SECONDS = 60.0
"""The end is written this long after it was reached, with the signatures that are there."""
CHANGING_END_SECONDS = 300.0
"""The same for a keeper that is READY or bound: the game may go on from before its end."""
FOLLOWERS_SECONDS = 10.0
"""At the end, a process that shows no player anything stays this long for keepers that are out."""
LEAVE_SECONDS = 5.0
"""A player who lets a bot play on waits this long until the others have agreed to that."""
AWAY_SECONDS = 60.0
"""A player who has not answered a question for this long is away. A bot plays until they are back:
their program does not come back by itself."""


class Peer:
    deadline: float = math.inf
    has_ended: bool = False
    stays: bool = False
    """After the end of the game this peer goes on to tell it to those that come back."""
    newest_instance: bytes = b""
    """Of the later process of this keeper that has ended this one."""
    _beats: int = 0
    _place: Place = (-1, -1)
    _over_at: float | None = None
    _is_closed: bool = False
    _leaves_at: float | None = None
    """When this process ends although no line-up lets a bot play on yet."""
    _is_away: bool = False
    """The player was away when the others went on without this keeper."""
    _has_slept: bool = False

    def __init__(
        self, genesis: Genesis, seat: Seat, signer: Signer, seed: bytes,
        resumed: Ledger | None = None, instance: bytes = bytes(INSTANCE_BYTES),
        lost_seed: bool = False,
    ) -> None:  # fmt: skip
        """Begin a game, or go on with one that is `resumed` from its log.

        The `instance` of a later process is greater. With `lost_seed` this keeper has committed
        itself with another seed.
        """
        self.genesis, self.seat, self.signer, self.resumed = genesis, seat, signer, resumed
        self.seed, self.lost_seed = seed, lost_seed
        self.ledger = ledger = Ledger(genesis) if resumed is None else resumed
        ledger.is_live = True
        self.view = SeatView(seat, genesis.players, ledger.game, genesis.phrase)
        self._heartbeat = Heartbeat()
        self._was_down: set[Seat] = set()
        self._recorded: dict[bytes, int] = {}
        self._lines_recorded = 0
        self.reachability = Reachability(seat)
        self.gossip = gossip = Gossip(ledger, self.reachability)
        self._guard = cores.OwnFaultGuard(gossip.show)
        self.facts = facts = Facts(ledger)
        secrets = Secrets(ledger, seat, signer, seed)
        self._reporting = Reporting(ledger, gossip, secrets, self.view)
        self._duties = Duties(ledger, gossip, secrets, self._report)
        broadcast = gossip.broadcast
        self.attempts = attempts = Attempts(
            ledger, facts, seat, signer, instance, broadcast, self._record_line_up
        )
        self.absence = Absence(ledger, facts, attempts, seat, signer, broadcast)
        has_returned = resumed is not None
        self.returning = Returning(ledger, facts, seat, signer, instance, broadcast, has_returned)
        self._welcome = Welcome(facts, attempts, self.absence)
        self.chat = Chat(genesis, gossip, seat, signer)
        self.intake = Intake(
            ledger, gossip, facts, attempts, Forks(ledger, gossip), EarlyEntries(ledger),
            Divergence(ledger, gossip, seat), self.chat, self._report,
        )  # fmt: skip
        self._presence = Presence(
            ledger, gossip, facts, attempts, self.absence, self._welcome, seat, has_returned
        )
        self.link_faults = LinkFaults(genesis.players)
        self._notice_pace = NoticePace(seat, gossip.budgets)

    # -- what the shell reads ------------------------------------------------------------

    def view_of(self, seat: Seat) -> SeatView:
        return self._reporting.view_of(seat)

    def take_effects(self) -> list[Effect]:
        effects, self.gossip.effects = self.gossip.effects, []
        self._notice_pace.forget_effects()
        return effects

    # -- receiving: the beginning, links, frames, time -----------------------------------

    def begin(self, now: float) -> None:
        if self.resumed is None:
            self.gossip.append_record(self.genesis.signed)
        now_at = self.view.game.state.copy()
        self.gossip.show(notices.GameStarted(self.view, self.resumed is not None, now_at))
        self.gossip.budgets.now = now
        self.reachability.start_clocks(len(self.genesis.players), now)
        self._heartbeat.start(now)
        self.absence.begin(now)
        self.ledger.is_bound = self.attempts.is_bound
        if not self.ledger.is_bound:
            self.ledger.note_free()
        self._recorded = {name: len(seals) for name, seals in self.ledger.seals.items()}
        with self._guard:
            for blame in self._reporting.update_top_cards():
                self._blame(blame)
            self.returning.begin(now)
        # The front is shown the game where it stands, before anything moves: without links all that
        # is owed may be there at once.
        self.deadline = now

    def link_up(self, seat: Seat, now: float) -> None:
        """Note a new link to a keeper, perhaps a second one in place of the first."""
        if self.has_ended:
            return
        gossip = self.gossip
        self._note_time(now)
        gossip.closing.discard(seat)
        if self.reachability.add_link(seat, now):
            gossip.broadcast_links()
            if seat in self._was_down:
                self._was_down.discard(seat)
                gossip.show(notices.LinkChanged(seat, True))
        else:
            # The new link may lead to a new process, which knows of no link of ours.
            gossip.send(seat, Links(tuple(sorted(self.reachability.linked))))
        gossip.forget_requests(seat)
        self._greet(seat)
        self._advance(now)

    def _greet(self, seat: Seat) -> None:
        """Send what a new link may lack; the head comes last, and lets it ask for the rest."""
        ledger, facts = self.ledger, self.facts
        said = [here.signed for here in facts.heres.values()]
        said += [wish.signed for wish in facts.wishes.values()]
        said += ledger.bodies_after(ledger.attempt, ledger.chain.gather_before_last)
        said += self.attempts.bodies_for_new_link()
        said += self.intake.divergence.bodies_for_new_link()
        for signed in said:
            self.gossip.send(seat, signed)
        with self._guard:
            self.gossip.send(seat, self._sign_head())

    def link_down(self, seat: Seat, now: float) -> None:
        if self.has_ended or seat not in self.reachability.linked:
            return
        self._note_time(now)
        self.gossip.closing.discard(seat)
        self.reachability.remove_link(seat)
        self._was_down.add(seat)
        self.gossip.show(notices.LinkChanged(seat, False))
        self.gossip.broadcast_links()
        self._advance(now)

    def receive_frame(self, source: Seat, frame: Frame, now: float) -> None:
        """Take a frame on the link of `source`; `tick` is due then, before all but more frames."""
        if self.has_ended or source in self.gossip.closing:
            return
        self._note_time(now)
        self.reachability.note_frame(source, now)
        before = self.ledger.revision
        try:
            with self._guard:
                self._receive_frame(source, frame, now)
        except (BadBytes, Forged) as fault:
            if not isinstance(frame, Signed) or self.link_faults.is_of_sender(source, frame, now):
                self.gossip.close_link(source, str(fault))
        self.deadline = now
        if self.ledger.revision != before and self.ledger.is_stirred:
            self._advance(now)  # who plays may change: the next frame may need to know

    def _receive_frame(self, source: Seat, frame: Frame, now: float) -> None:
        if isinstance(frame, FrameElsewhere):
            self.gossip.close_link(source, "a frame that has no place in a game")
            return
        match frame:
            case Signed():
                newer = self._find_later_process(frame)
                if newer is not None:
                    self.newest_instance = newer
                    self._end(endings.EndKind.ELSEWHERE)
                else:
                    self.intake.receive_body(source, frame, now)
            case Want():
                self.gossip.serve_request(source, frame, now)
            case Links(seats=seats):
                table = range(len(self.genesis.players))
                self.reachability.learn_links(source, [seat for seat in seats if seat in table])
            case PositionShown():
                self.intake.divergence.compare_position(source, frame)
            case Ping():
                pass
            case _:
                assert_never(frame)

    def _find_later_process(self, signed: Signed) -> bytes | None:
        """Return the instance of a later process of this keeper that has signed a body."""
        game = self.genesis.id
        said: Here | Head | Ready
        match signed.kind:
            case BodyKind.HERE:
                said = Here.parse(signed, game)
            case BodyKind.HEAD:
                said = Head.parse(signed, game)
            case BodyKind.READY:
                said = Ready.parse(signed, game)
            case _:  # no other body names the process of its author
                return None
        is_own = said.seat == self.seat and said.instance > self.returning.instance
        if is_own and signed.is_by(self.genesis.players[self.seat].key):
            return said.instance
        return None

    def tick(self, now: float) -> None:
        """Do what is due by time, or after frames: heartbeats, silence, all that is owed."""
        if self.has_ended:
            return
        self._note_time(now)
        for seat in self.reachability.find_dead_links(now):
            self.gossip.close_link(seat, "nothing comes over the link")
        if self._heartbeat.take_ping(now):
            self._reporting.show_splits()
            if self._heartbeat.take_head(now):
                with self._guard:
                    self.gossip.broadcast(self._sign_head())
            else:
                self.gossip.broadcast(Ping())
        self._advance(now)

    def _note_time(self, now: float) -> None:
        """Note that this process runs: if its machine was stopped, nobody was silent."""
        self.gossip.budgets.now = now
        if self._heartbeat.note_tick(now):
            self.note_sleep(now)

    def note_sleep(self, now: float) -> None:
        """Note that this machine has slept, also where the clock of `now` has stood still."""
        self.reachability.excuse_silence(now)
        self.absence.excuse_silence(now)
        self.returning.listen_anew()
        self._duties.asked_at = self._welcome.judged_at = now
        self._over_at, self._has_slept = None, True  # it is over from now on

    def _sign_head(self) -> Signed:
        ledger = self.ledger
        self._beats += 1
        return sign_head(
            self.signer, self.genesis.id, self.seat, *ledger.place, ledger.head,
            self.returning.instance, self._beats,
        )  # fmt: skip

    # -- what the player says --------------------------------------------------------------

    def accept_answer(self, place: Place, seat: Seat, answer: Answer, now: float) -> None:
        """Take the reply to `AskDecision(place, seat)`; drop one that comes too late."""
        if seat == self.seat:
            self._note_player(now)
        step = self.ledger.step
        is_open = place == self.ledger.place and step == Solo(seat)
        if self.has_ended or not is_open or self.ledger.roster.keepers[seat] != self.seat:
            return
        if not self._may_sign(now) or not self.returning.may_decide():
            return  # the question was withdrawn while its reply was on the way
        with self._guard:
            self._duties.sign_answer(seat, answer, now)
        self._advance(now)

    def say_line(self, words: str, now: float) -> None:
        self._note_player(now)
        with self._guard:
            if not self.has_ended:
                self.chat.say_line(words)

    def go_on(self, bot: bool, now: float) -> None:
        """Let a bot play for those that are offered, or wait."""
        self._note_player(now)
        with self._guard:
            self.absence.go_on(bot, now)
        self._advance(now)

    def stop_today(self, wanted: bool, now: float) -> None:
        self._note_player(now)
        with self._guard:
            self.absence.stop_today(wanted, now)
        self._advance(now)

    def let_back(self, seat: Seat, now: float) -> None:
        with self._guard:
            self._welcome.let_back(seat, now)
        self._advance(now)

    def come_back(self, now: float) -> None:
        self._note_player(now)
        self._advance(now)

    def _note_player(self, now: float) -> None:
        self._is_away = False
        self._duties.asked_at = now

    def let_bot_play(self, now: float) -> None:
        """Leave, and let a bot play on. The others are asked to agree to that."""
        if isinstance(self.ledger.step, Finished) and self.seat in self.ledger.chain.gathered:
            self.keep_seat(now)
        if self.has_ended:
            return
        with self._guard:
            self.absence.let_bot_play(now)
        self._leaves_at = now + LEAVE_SECONDS
        self._advance(now)

    def give_up(self, now: float) -> None:
        """Leave for good: the monster is out. After the end this process just ends."""
        if self.has_ended:
            return
        ledger = self.ledger
        if self.seat in ledger.roster.members and not isinstance(ledger.step, Finished):
            with self._guard:
                attempt = max(self.attempts.bound, ledger.attempt)
                leave = Leave.sign(self.signer, self.genesis.id, self.seat, ledger.attempt, attempt)
                ledger.accept_leave(leave)
                self.gossip.append_record(leave.signed)
                # A cheat may have told this copy alone what the others miss.
                since = ledger.chain.gather_before_last
                for signed in (*ledger.bodies_after(ledger.attempt, since), leave.signed):
                    self.gossip.broadcast(signed)
        self._end(endings.EndKind.LEFT)

    def keep_seat(self, now: float) -> None:
        """End this process. Its seat stays in the game."""
        if not self.has_ended:
            self._note_time(now)
            self._end(endings.EndKind.KEPT)

    # -- advancing: what this keeper owes --------------------------------------------------

    def _advance(self, now: float) -> None:
        """Do everything that this keeper can do by itself, until nothing moves any more."""
        while not self.has_ended and self._advance_once(now):
            pass
        if self.has_ended:
            return
        if self.ledger.place != self._place:
            self._place = self.ledger.place
            self._heartbeat.note_move(now)
            self.absence.note_step(now)
        self._report_divergence(now)
        if not self._is_closed:
            self._report_absence(now)
        if not self.has_ended:
            self._close_game(now)
        self._notice_pace.pace_effects(self.gossip.effects)
        self.deadline = self._next_deadline(now)

    def _next_deadline(self, now: float) -> float:
        times = [
            self._heartbeat.due,
            self.attempts.deadline,
            self.absence.deadline,
            self.returning.deadline,
            self._presence.deadline,
            self._welcome.deadline,
            self.intake.divergence.deadline,
        ]
        if self._over_at is not None:
            waits = FOLLOWERS_SECONDS, END_SECONDS, CHANGING_END_SECONDS
            times += [self._over_at + wait for wait in waits]
        if self._leaves_at is not None:
            times.append(self._leaves_at)
        return min(due for due in times if due > now)

    def _advance_once(self, now: float) -> bool:
        """Take what has waited, or sign what is owed; return whether the game has moved."""
        self.intake.judge_proofs_again()
        if self.seat in self.ledger.convicts and not self.absence.asked():
            self._end(endings.EndKind.STOPPED, "cheated")  # nobody is left to put it out
            return False
        self.intake.words.tell_some()
        if self.intake.release_early_entry(self.seat, now):
            return True
        self.returning.note_reach(self.reachability.reachable_seats, now)
        if self._is_closed or not self.returning.may_sign(now):
            return False
        if self.ledger.is_stirred or now >= self.attempts.deadline:
            self.absence.look_soon(now)
            with self._guard:
                moved = self.attempts.advance(now)
                self.intake.words.tell_all()
                if moved is not None:
                    self._report(moved)
                    return True
        if not self._may_sign(now):
            self._duties.withdraw_question()
            return False
        # A bound member might go on without what is shown.
        may_open = not (self.ledger.is_stirred and self.attempts.bound_members())
        if self.lost_seed and not self._has_new_seed(now):
            may_open = False
        with self._guard:
            return self._duties.sign_step(
                now, may_open=may_open, may_decide=self.returning.may_decide()
            )
        return False

    def _has_new_seed(self, now: float) -> bool:
        """Return whether it has committed with its new seed; until then a bot must play for it."""
        step, ledger = self.ledger.step, self.ledger
        named = ledger.roster.instances.get(self.seat, b"")
        committed = ledger.chain.slots.origins.get(self.seat)
        if committed is not None and named == self.returning.instance:
            self.lost_seed = isinstance(step, Committing)
            return not self.lost_seed
        if isinstance(step, Gather) and self.seat in step.contributors:
            self.absence.let_bot_play(now)
        return False

    def _may_sign(self, now: float) -> bool:
        ledger = self.ledger
        if self.seat not in ledger.roster.members or self.seat in ledger.leaves:
            return False
        if isinstance(ledger.step, Finished):
            is_still = self.attempts.may_lose_end()
        else:
            is_still = ledger.is_stirred and self.attempts.stands_still()
        return not is_still and self.returning.may_sign(now)

    def _report(self, moved: Moved) -> None:
        """Report what a body has done, and what follows from it for this process."""
        now = self.gossip.budgets.now
        waited = self._duties.has_waited(AWAY_SECONDS, now)
        line_ups = moved.begun
        for begun in line_ups:
            self._welcome.note_begun(begun)
        if len(self.ledger.chains) > self._lines_recorded:  # perhaps beside the line that counts
            self._record_begun()
        if line_ups:
            self._duties.open_question = self._over_at = None
            self.attempts.note_begun(moved, now)
        for blame in self._reporting.report(moved):
            self._blame(blame)
        for begun in line_ups:
            self._note_own_change(begun.lineup.find(self.seat), waited=waited)

    def _record_begun(self) -> None:
        """Write down each line-up that has begun, in the order in which they can begin."""
        line_ups = self.ledger.line_ups
        begun = [line_ups[name] for name in self.ledger.chains if name in line_ups]
        for lineup in sorted(begun, key=lambda found: found.rank):
            self._record_line_up(lineup)
        self._lines_recorded = len(self.ledger.chains)

    def _record_line_up(self, lineup: LineUp) -> None:
        seals = self.ledger.seals[lineup.id]
        if self._recorded.get(lineup.id) != len(seals):
            self._recorded[lineup.id] = len(seals)
            self.gossip.append_record(lineup.signed(seals))

    def _note_own_change(self, change: Change | None, *, waited: bool) -> None:
        """Note that a line-up has begun, which may concern this keeper."""
        reason = None if change is None else change.reason
        if reason is Reason.CHEATED:
            self._end(endings.EndKind.STOPPED, "cheated")
        elif reason is Reason.LEFT:
            self._end(endings.EndKind.LEFT)
        elif reason is Reason.ABSENT and self._leaves_at is not None:
            self._end(endings.EndKind.KEPT)
        elif reason is Reason.ABSENT:
            self._is_away = waited and not self.genesis.players[self.seat].automatic

    def _blame(self, blame: Entry) -> None:
        """Show the secret of a look to all: with it everybody can see that the share is wrong."""
        self.gossip.broadcast(blame.signed)
        self.intake.accept_entry(self.seat, blame, self.gossip.budgets.now)

    # -- absence ---------------------------------------------------------------------------

    def _report_absence(self, now: float) -> None:
        """Add up who holds up the game, show it, and come back if this keeper is out."""
        with self._guard:
            if now >= self.absence.deadline or self.ledger.is_stirred:
                self.absence.advance(now)
            self._presence.update(now)
            self._presence.report_waiting()
            if self.ledger.is_stirred or self._presence.has_news() or now >= self._welcome.deadline:
                self._presence.report_changes(now)
            if self.seat not in self.ledger.roster.members:
                self._come_back(now)
        if self._presence.has_stopped():
            self._end(endings.EndKind.ADJOURNED)
        elif self._leaves_at is not None and now >= self._leaves_at:
            self._end(endings.EndKind.KEPT)

    def _come_back(self, now: float) -> None:
        """Ask for the seat again if others went on without this keeper, and its player is there."""
        ledger, returning = self.ledger, self.returning
        is_out = ledger.roster.out.get(self.seat) is Reason.ABSENT
        is_out &= self.seat in ledger.game.state.seats_alive()
        if not is_out or self._is_away or self._leaves_at is not None:
            return
        # After a sleep it asks again: others may have waited for it in vain.
        is_asked = returning.instance > ledger.roster.instances.get(self.seat, b"")
        is_asked, self._has_slept = is_asked and not self._has_slept, False
        if is_asked and self.seat in self.facts.heres:
            return
        returning.take_new_instance()
        self.attempts.instance = returning.instance
        self.absence.note_return(now)
        returning.say_here()

    def _report_divergence(self, now: float) -> None:
        """Show which keepers have another copy. End where most do not agree with this one."""
        divergence = self.intake.divergence
        divergence.show_position()
        while not self.has_ended and (found := divergence.find_news(now)) is not None:
            self.gossip.show(found)
            if found.agreement in (notices.Agreement.THEIRS, notices.Agreement.NONE):
                self._end(endings.EndKind.STOPPED, f"copies differ: {found.field}")

    # -- the end ---------------------------------------------------------------------------

    def _close_game(self, now: float) -> None:
        """End once all that are not gone have confirmed the end, or after a minute with some."""
        chain, step = self.ledger.chain, self.ledger.step
        if self._is_closed:
            return
        if not isinstance(step, Finished):
            self._over_at = None
            return
        if self._over_at is None:
            self._over_at = now
        missing = set(step.members) - chain.gathered.keys()
        # Who is READY to free others, which most have not signed yet, waits for them as well.
        is_alone = not chain.roster.are_most(chain.gathered, self.ledger.convicts)
        waits = self.attempts.may_lose_end() or (is_alone and self.attempts.own is not None)
        if waits and now < self._over_at + CHANGING_END_SECONDS:
            return
        # Keepers that are gone are not waited for, if enough have confirmed the end.
        out = {seat for seat, why in self.ledger.roster.out.items() if why is Reason.ABSENT}
        gone = self.reachability.find_gone_seats((missing | out) - {self.seat}, now)
        if missing and (missing - gone.keys() or is_alone) and now < self._over_at + END_SECONDS:
            return
        # Who is out may be behind, and asks for the rest at a HEAD. No player keeps this one there.
        followers = out - gone.keys() - {self.seat}
        if followers and not self.stays and now < self._over_at + FOLLOWERS_SECONDS:
            return
        self.gossip.show(
            notices.GameFinished(step.winners, tuple(sorted(chain.gathered)), self.view)
        )
        self._end(endings.EndKind.FINISHED)

    def _end(self, kind: endings.EndKind, detail: str = "") -> None:
        if self.has_ended or (self._is_closed and kind is not endings.EndKind.ELSEWHERE):
            return
        self._notice_pace.pace_effects(self.gossip.effects)
        if kind is endings.EndKind.ELSEWHERE:
            self.gossip.forget_unsent()
        self.gossip.effects.append(EndPeer(kind, detail))
        self._is_closed = kind is endings.EndKind.FINISHED
        self.has_ended = not (self._is_closed and self.stays)


# -- what has happened, as the front of a seat is shown it ---------------------------------


@dataclass(slots=True)
class Reporting:
    ledger: Ledger
    gossip: Gossip
    secrets: Secrets
    view: SeatView
    _views: dict[Seat, SeatView] = field(default_factory=dict)
    _played: list[Event] = field(default_factory=list)
    """What others have done with the own seat since this keeper was put out."""
    _splits_seen: Counter[bytes] = field(default_factory=Counter)
    """The line-ups that this copy does not follow and that were shown."""

    def __post_init__(self) -> None:
        update_keepers(self.view, self.ledger)

    def view_of(self, seat: Seat) -> SeatView:
        if seat == self.view.seat:
            return self.view
        if seat not in self._views:
            view = self.view
            made = SeatView(seat, view.players, view.game, view.phrase, keepers=view.keepers)
            self._views[seat] = made
        return self._views[seat]

    def report(self, moved: Moved) -> list[Entry]:
        """Report what a body has done; return the blames for which it gives a reason."""
        if not moved.parts:
            return []
        for view in (self.view, *self._views.values()):
            view.game = self.ledger.game
        was_away = self._is_away()
        if moved.begun:
            update_keepers(self.view, self.ledger)
            for seat in range(len(self.view.players)):
                self.gossip.effects.append(WithdrawQuestion(seat))
        blames = self.update_top_cards()
        for notice in notices_of(moved, self.view):
            self.gossip.show(notice)
        if was_away or self._is_away():
            own = self.view.seat
            self._played += [e for e in moved.events if getattr(e, "seat", None) == own]
        if moved.looked == self.view.seat and self.view.top is not None:
            self.gossip.show(notices.TopRevealed(self.view.top))
        for begun in moved.begun:
            change = begun.lineup.find(self.view.seat)
            if change is not None and change.reason is Reason.BACK:
                self.gossip.show(notices.PlayedForYou(tuple(self._played), self.view))
                self._played = []
        return blames

    def _is_away(self) -> bool:
        return self.view.seat not in self.ledger.roster.members

    def show_splits(self) -> None:
        """Show a split that stands at a second heartbeat: the next line-up may be on its way."""
        for split in self.ledger.splits:
            self._splits_seen[split.lineup.id] += 1
            if self._splits_seen[split.lineup.id] == 2:
                self.gossip.show(notices.Split(split.by))

    def update_top_cards(self) -> list[Entry]:
        """Let views show the top cards that are still there; return blames of wrong shares."""
        held = self.ledger.chain.slots.half_open
        blames = []
        if held is None:
            for view in (self.view, *self._views.values()):
                view.top = None
            return []
        keepers = self.ledger.roster.keepers
        for seat in self.ledger.game.state.seen_by:
            if keepers[seat] != self.secrets.seat:
                continue
            view = self.view_of(seat)
            try:
                view.top = self.secrets.find_top_card(seat)
            except WrongShare as fault:
                view.top = None
                blames.append(fault.blame)
        return blames
