"""What one keeper owes the game: entries that it signs by itself, and decisions of its seats.

Scope: the entry for the present step, the question to the player of a seat, and the reply that is
signed.
Not here: whether this keeper may sign now (`kotp2p.peer.peer`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import REFUSALS, Committing, Finished, Gather, Moved, OwnFault, Sharing, Solo
from kotp2p.mesh.effects import AskDecision, WithdrawQuestion
from kotp2p.mesh.gossip import Gossip
from kotp2p.notices import OwnClock
from kotp2p.peer.secrets import Secrets
from kotp2p.referee.model.answers import Answer, Seat
from kotp2p.referee.model.decisions import Chance, Over
from kotp2p.wire.entries import Answering, Payload, Place, Witness


@dataclass(slots=True)
class OwnTime:
    """The time that the player of the own seat has left, as this process counts it."""

    ledger: Ledger
    _turn: int = -1
    _used: float = 0.0
    _asked_at: float | None = None

    def note_question(self, now: float) -> OwnClock | None:
        """A decision of the own seat is asked; return what is left for it, if there is a limit."""
        clocks, state = self.ledger.genesis.charter.clocks, self.ledger.game.state
        step = self.ledger.step
        is_own_turn = isinstance(step, Solo) and step.seat == state.active
        if self._turn != self.ledger.chain.turns:
            self._turn, self._used = self.ledger.chain.turns, 0.0
        self._asked_at = now
        limit = clocks.turn if is_own_turn else clocks.reaction
        used = self._used if is_own_turn else 0.0
        return OwnClock(limit - used, limit) if limit else None

    def note_answer(self, now: float) -> None:
        if self._asked_at is not None:
            self._used += now - self._asked_at
            self._asked_at = None


@dataclass(slots=True)
class Duties:
    ledger: Ledger
    gossip: Gossip
    secrets: Secrets
    report: Callable[[Moved], None]
    own_time: OwnTime = field(init=False)
    open_question: tuple[Place, Seat] | None = None
    """The decision that a player of this keeper was asked for last."""
    asked_at: float = 0.0

    def __post_init__(self) -> None:
        self.own_time = OwnTime(self.ledger)

    def sign_step(self, now: float, *, may_open: bool, may_decide: bool) -> bool:
        """Sign what this keeper owes in the present step; return whether the game has moved.

        A decision is put to its player instead: the game moves once the reply has come.
        """
        keeper, ledger = self.secrets.seat, self.ledger
        step = ledger.step
        match step:
            case Solo(seat=seat):
                if ledger.roster.keepers[seat] == keeper and may_decide:
                    self._ask(seat, now)
                return False
            case Sharing(seat=seat):
                if ledger.roster.keepers[seat] != keeper:
                    return False
                self._sign(seat, self.secrets.make_share(step))
                return True
            case Gather() | Committing() | Finished():
                pass
        if keeper in ledger.chain.gathered or keeper not in ledger.chain.starts[-1].asked:
            return False
        match step:
            case Gather() if keeper in step.contributors:
                if not may_open:
                    return False
                self._sign(keeper, self.secrets.make_opening(step))
            case Committing() if keeper in step.contributors:
                self._sign(keeper, self.secrets.make_rows())
            case Finished():
                self._sign(keeper, ledger.chain.build_end())
            case _:  # a gather in which this keeper has no living seat
                self._sign(keeper, Witness())
        return True

    def sign_answer(self, seat: Seat, answer: Answer, now: float) -> None:
        """Sign what the player of a seat has decided."""
        if seat == self.secrets.seat:
            self.own_time.note_answer(now)
        self.open_question = None
        self._sign(seat, Answering(answer, self.secrets.answer_secret(seat, answer)))

    def has_waited(self, seconds: float, now: float) -> bool:
        """Whether the player of the own seat was asked this long ago, and has not answered."""
        question = self.open_question
        is_own = question is not None and question[1] == self.secrets.seat
        return is_own and now >= self.asked_at + seconds

    def withdraw_question(self) -> None:
        """Take back the open question. At the same place it may be asked again."""
        if self.open_question is not None:
            self.gossip.effects.append(WithdrawQuestion(self.open_question[1]))
            self.open_question = None

    def _sign(self, seat: Seat, load: Payload) -> None:
        """Sign an entry, and take it like everybody else's. Raises OwnFault."""
        entry = self.secrets.sign_entry(seat, load)
        try:
            moved = self.ledger.accept_entry(entry)
        except REFUSALS as fault:
            raise OwnFault(f"an entry: {fault}") from fault
        self.gossip.append_record(entry.signed)
        self.gossip.broadcast(entry.signed)
        if moved is not None:
            self.report(moved)

    def _ask(self, seat: Seat, now: float) -> None:
        """Put a decision to the player of a seat, once for each place."""
        place, pending = self.ledger.place, self.ledger.game.pending
        if self.open_question == (place, seat):
            return
        self.open_question, self.asked_at = (place, seat), now
        assert not isinstance(pending, Chance | Over)  # a Solo step is a decision
        if seat == self.secrets.seat:
            clock = self.own_time.note_question(now)
            if clock is not None:
                self.gossip.show(clock)
        self.gossip.effects.append(AskDecision(place, seat, pending))
