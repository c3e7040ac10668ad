"""What is answered to a vote against a seat whose entry this copy has taken (PROTOCOL.md 9.2).

Scope: the objections of this seat (`HELD` on the wire).
Not here: when this seat votes (`voting`), and what an objection of another seat releases (`locks`).

How it works: a vote locks its signer until it can come to nothing. The signer waits for that news,
so each vote is answered as soon as there is something of the accused to show. This seat shows the
entry. If it will not vote against its author there, it also signs an objection. The objection
repeats the proofs of the vote, as one without them may be older than the proof: its author may vote
because of it yet.

An objection is a promise. A seat that signs one and votes all the same can leave others on two
pasts: they have gone on because of it. Hence the conditions in `_seats_to_protect`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Early, Forged, Fork
from kotp2p.game.vote_tally import MAX_VOTES_PER_VIEW
from kotp2p.mesh.gossip import Gossip
from kotp2p.mesh.proof_intake import ProofIntake
from kotp2p.votes.locks import VoteLocks
from kotp2p.votes.targets import TargetFinder
from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import Signed
from kotp2p.wire.votes import Vote, VoteChoice, keepers_of
from referee.model.answers import Seat

MAX_ANSWERS = MAX_VOTES_PER_VIEW
"""How many votes of one seat in one view are answered, until it links anew."""
MAX_SHOWN = 4 * MAX_VOTES_PER_VIEW
"""To how many votes of one seat, of any view, is shown what was taken, until it links anew."""


@dataclass(slots=True)
class Objections:
    ledger: Ledger
    gossip: Gossip
    proofs: ProofIntake
    locks: VoteLocks
    targets: TargetFinder
    seat: Seat
    signer: Signer
    find_open_vote: Callable[[], tuple[Seat, ...]]
    """The accused of the vote that is open here; empty if none is."""
    may_have_wanted: Callable[[tuple[int, int], tuple[Seat, ...]], bool]
    """Whether the player of this seat may have wanted to go on at a place without just these."""
    _answered: dict[Seat, set[tuple[int, int, int, int]]] = field(default_factory=dict)
    """By voter: this view, and view, height and round of each vote that was objected to in it."""
    _shown: dict[Seat, set[tuple[int, int, int, tuple[Seat, ...]]]] = field(default_factory=dict)
    """By voter: view, height and round of each vote to which this seat has shown what it had taken,
    and from whom. A cheat may send one vote again and again."""
    _told: dict[Seat, set[tuple[object, ...]]] = field(default_factory=dict)
    """By voter: which of these answers all seats were told, so many as `MAX_SHOWN`. A cheat may
    also link again and again: it alone is told anew."""
    _signed: dict[Seat, list[Vote]] = field(default_factory=dict)
    """By voter: the objections to its votes that this process has signed last, each once."""

    def __post_init__(self) -> None:
        """After a restart: the objections that this seat has signed, or would have. No log holds
        them, so they are worked out anew from the votes. If all seats have been away, nobody else
        remembers either, and the signers of those votes would wait for ever."""
        for vote in self.ledger.tally.all_votes():
            if self.seat not in (vote.seat, *vote.seats) and not self._is_waited_for(vote):
                self.locks.objected |= {
                    (*vote.place, seat)
                    for seat in self._seats_taken(vote)
                    if not any(seat in mine.seats for mine in self._own_votes_at(vote.height))
                }

    # -- answering -----------------------------------------------------------------------

    def answer_votes(self, *, is_informed: bool = True) -> None:
        """Answers the votes of this view of whose accused something has been taken by now, and the
        votes of the former view that need this seat. `is_informed`: this process knows what its
        seat has signed. After a restart the others have to tell."""
        if is_informed:
            self._answer_former_votes()
        for vote in self.ledger.tally.all_votes():
            if vote.seat != self.seat and not self._was_answered(vote):
                self.answer_vote(vote)

    def answer_vote(self, vote: Vote) -> None:
        """Shows what this copy has taken of the accused, and objects if it keeps that. It also
        answers votes that cannot be counted here, as their signers wait all the same; but each
        only once, or a cheat's flood of votes would be doubled by all."""
        ledger = self.ledger
        if vote.view != ledger.view or vote.height > ledger.height:
            return
        seats = self._seats_to_protect(vote) if self._may_bind(vote) else ()
        if self._may_answer(vote, seats):
            self.show_taken_of(vote)
            self.locks.objected |= {(*vote.place, seat) for seat in seats}
            self._object(vote, ledger.heads[vote.height], seats, self._checked_proofs(vote))

    def _answer_former_votes(self) -> None:
        """Objects to the votes that may still end the former view otherwise, and need one of this
        seat. It has followed an earlier round and can vote there no more (PROTOCOL.md 9.2 R23).

        Their signers sign nothing in this view until they know that. A seat that this view has put
        out could tell them by nothing else: two honest seats once waited for it for ever."""
        former = self.ledger.open_former()
        if former is None:
            return
        for vote in former.tally.votes_behind(former.certificate.round):
            alive = former.chain.starts[vote.height].alive
            needed = keepers_of(self.ledger.genesis.players, alive) - {vote.seat, *vote.seats}
            mine = {s for own in self._votes_still_open(vote) for s in own.seats}
            seats = tuple(seat for seat in vote.seats if seat not in mine)
            if self.seat in needed and self._may_answer(vote, seats):
                self._object(vote, vote.head, seats, vote.proofs)

    def _votes_still_open(self, vote: Vote) -> list[Vote]:
        """The votes of this seat that may still end the former view, at the place of this one."""
        former = self.ledger.open_former()
        assert former is not None
        mine = former.tally.votes_of(self.seat)
        return [v for v in mine if v.round > former.certificate.round and v.height == vote.height]

    def _may_answer(self, vote: Vote, seats: tuple[Seat, ...]) -> bool:
        """Whether there is one to object for, and this vote has not been answered. So many of
        its author in one view are."""
        if not seats or self._was_answered(vote):
            return False
        view = self.ledger.view
        answered = {known for known in self._answered.get(vote.seat, ()) if known[0] == view}
        self._answered[vote.seat] = answered
        return len([known for known in answered if known[1] == vote.view]) < MAX_ANSWERS

    def _object(
        self, vote: Vote, head: bytes, seats: tuple[Seat, ...], proofs: tuple[bytes, ...]
    ) -> None:
        """Answers a vote with an objection that names these proofs."""
        self._answered.setdefault(vote.seat, set()).add(self._answer_to(vote))
        held = self._sign(vote.place, head, seats, proofs)
        signed = self._signed.setdefault(vote.seat, [])
        if held not in signed:
            signed.append(held)
            del signed[:-MAX_ANSWERS]
        self._tell(vote.seat, self._answer_to(vote), [held.signed])

    def _may_bind(self, vote: Vote) -> bool:
        """Whether a program that keeps the rules may have signed the vote, and so waits for an
        answer. Without a proof it has signed because all wanted it, this player too. To answer the
        others would be a promise for nothing: a cheat could so have each seat promise to spare all
        others at a place, and nobody could be voted out there any more."""
        return bool(vote.proofs) or self.may_have_wanted(vote.place, vote.seats)

    def show_taken_of(self, vote: Vote) -> None:
        """Shows to all what this copy has taken of the accused of a vote, once for each vote."""
        taken = self._seats_taken(vote)
        known = self._shown.setdefault(vote.seat, set())
        news = (*vote.place, vote.round, taken)
        if news in known or len(known) >= MAX_SHOWN:
            return
        known.add(news)
        entries = {seat: self.ledger.chain.find_entry(vote.height, seat) for seat in taken}
        shown = [e.signed if e else self.ledger.farewells[s].signed for s, e in entries.items()]
        self._tell(vote.seat, news, shown)

    def _tell(self, voter: Seat, news: tuple[object, ...], answer: list[Signed]) -> None:
        """Answers a vote: to all the first time, and to its author alone over a new link."""
        told = self._told.setdefault(voter, set())
        is_new = news not in told and len(told) < MAX_SHOWN
        if is_new:
            told.add(news)
        for signed in answer:
            if is_new:
                self.gossip.broadcast(signed)
            else:
                self.gossip.send(voter, signed)

    def note_new_link(self, seat: Seat) -> None:
        """A peer on a new link may have lost what it was answered."""
        self._answered.pop(seat, None)
        self._shown.pop(seat, None)

    def bodies_for_new_link(self) -> list[Signed]:
        """For a new link: the objections of this view, but not those of this seat where it is about
        to vote all the same because of a proof; and those of others in the former view. Those of
        this seat there it signs again, as answers."""
        heard = [vote for known in self.locks.shown.heard.values() for vote in known]
        signed = [vote for known in self._signed.values() for vote in known]
        mine = [
            vote
            for vote in signed
            if vote.view == self.ledger.view and not set(vote.seats) & self._seats_due(vote.height)
        ]
        views = self.ledger.open_views()
        return [vote.signed for vote in heard if vote.view in views] + [v.signed for v in mine]

    def _seats_due(self, height: int) -> set[Seat]:
        """The seats that this seat has to vote against there because of a proof."""
        due = self.targets.find()
        return set(due[1]) if due is not None and due[0] == height else set()

    def _was_answered(self, vote: Vote) -> bool:
        return self._answer_to(vote) in self._answered.get(vote.seat, ())

    def _answer_to(self, vote: Vote) -> tuple[int, int, int, int]:
        """What an objection answers. One of the view before may have named no proofs, and a pledge
        needs them all."""
        return (self.ledger.view, *vote.place, vote.round)

    def _seats_taken(self, vote: Vote) -> tuple[Seat, ...]:
        return tuple(seat for seat in vote.seats if self.ledger.has_taken(vote.height, seat))

    # -- which seats it protects -----------------------------------------------------------

    def _seats_to_protect(self, vote: Vote) -> tuple[Seat, ...]:
        """The accused of which this copy has taken something, and which this seat will not vote
        against there. Not:

        * those against which it will vote there because of a proof. The vote's signer would go on,
          and might close a gather before this seat's vote comes;
        * those of a vote of whose accused one still owes something at the present step, and those
          of the open vote. The step may need a vote about all of them, as some may never come
          back. Of a keeper and the keeper's bots one may have signed its opening and another is
          waited for; a promise to spare the one would keep the other, for good;
        * those that it has voted against already.
        """
        ledger = self.ledger
        if vote.height > ledger.height or self.seat in vote.seats or self._is_waited_for(vote):
            return ()
        taken = self._seats_taken(vote)
        start = ledger.chain.starts[vote.height]
        if not taken or self.seat not in keepers_of(ledger.genesis.players, start.alive):
            return ()
        out = self._seats_due(vote.height)
        if vote.place == ledger.place:
            out.update(self.find_open_vote())
        return tuple(s for s in taken if s not in out and self._may_object(vote.height, s))

    def _is_waited_for(self, vote: Vote) -> bool:
        """Whether an accused owes something at the present step, and the vote is about that."""
        return vote.place == self.ledger.place and not set(vote.seats).isdisjoint(
            self.ledger.owing_seats()
        )

    def _may_object(self, height: int, seat: Seat) -> bool:
        """Whether this seat has not voted against `seat` there. Below the undo floor it votes no
        more, whatever it has voted: the others may vote there in a later round, and need to
        know."""
        return height < self.ledger.undo_floor or not any(
            seat in mine.seats for mine in self._own_votes_at(height)
        )

    def _own_votes_at(self, height: int) -> list[Vote]:
        return [v for v in self.ledger.tally.votes_of(self.seat) if v.height == height]

    def _checked_proofs(self, vote: Vote) -> tuple[bytes, ...]:
        """The proofs that a vote names, if they all convict here. This seat must not sign that it
        knows a proof that it cannot judge: another copy may find it right."""
        known = {**self.proofs.find_named_by(vote), **self.ledger.proofs}
        try:
            for named in vote.proofs:
                self.ledger.judge_proof(known[named], vote.height)
        except (KeyError, BadBytes, Forged, Early, Fork):
            return ()
        return vote.proofs

    def _sign(
        self,
        place: tuple[int, int],
        head: bytes,
        seats: tuple[Seat, ...],
        proofs: tuple[bytes, ...],
    ) -> Vote:
        game, held = self.ledger.genesis.id, VoteChoice.HELD
        return Vote.sign(self.signer, game, place, head, self.seat, held, seats, proofs=proofs)

    # -- objections of others --------------------------------------------------------------

    def receive_objection(self, source: Seat, vote: Vote) -> None:
        """An objection of another seat."""
        if self.locks.shown.note_objection(vote):
            self.gossip.relay_frame(source, vote.seat, vote.signed)
