"""When this seat signs a drop vote, and what it does with the votes of others.

Scope: one peer's part in the votes that bind (PROTOCOL.md 9.2 and 9.6).
Not here: what players want (`kotp2p.wishes.intents`), where proofs call for a vote (`targets`),
what a vote forbids its signer (`stances`, `locks`, `held_entries`), what is answered to the votes
of others (`objections`), what a certificate does (`kotp2p.game.ledger`).

An honest seat signs a drop vote in two cases:

* `sign_agreed_drop`: all that must agree want to go on without the accused of the open vote, or
  have wanted it when this seat voted so. A clock alone must not decide (R15).
* `sign_accusation`: it has proofs against the accused. Then its player is not asked.

In both cases these hold, each for a reason:

* Its vote is needed: its keeper was live there and is not accused. The vote is of the present view,
  and at a height that may still be undone. Its own copy could not follow otherwise (R10).
* It is in the next round, or in the greatest in which others vote so: two votes in one round would
  convict this seat, and voters in different rounds would never meet (R11).
* It names all proofs that convict the accused there: otherwise convicts count for the majority
  (R12).
* This seat has not objected there for an accused, unless a proof convicts it: the others have gone
  on because of the objection (R13).
* It is not pledged to another certificate. After a restart it has heard the others, as it may have
  promised something that its log does not tell (R14; `kotp2p.peer.peer` asks for that).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import REFUSALS, Cheat, Early, Fork, OwnFault, Stale
from kotp2p.game.steps import Moved
from kotp2p.mesh.vote_intake import VoteIntake
from kotp2p.votes.held_entries import HeldEntries
from kotp2p.votes.locks import VoteLocks
from kotp2p.votes.objections import Objections
from kotp2p.votes.stances import FORBIDDEN, Act
from kotp2p.votes.targets import TargetFinder, proofs_that_convict
from kotp2p.wire.crypto import Signer
from kotp2p.wire.entries import Signed
from kotp2p.wire.votes import Vote, VoteChoice, is_majority, keepers_of
from kotp2p.wishes.clocks import SeatClocks
from kotp2p.wishes.intents import Intents
from referee.model.answers import Seat


@dataclass(slots=True)
class Voting:
    ledger: Ledger
    intake: VoteIntake
    clocks: SeatClocks
    seat: Seat
    signer: Signer
    convicts: dict[Seat, Cheat]
    """Keepers that have cheated, or whose bots have."""
    intents: Intents = field(init=False)
    locks: VoteLocks = field(init=False)
    held_entries: HeldEntries = field(init=False)
    targets: TargetFinder = field(init=False)
    objections: Objections = field(init=False)

    def __post_init__(self) -> None:
        gossip = self.intake.gossip
        self.locks = VoteLocks(self.ledger, self.seat, self.convicts, self.clocks.gone_since.keys())
        self.held_entries = HeldEntries(self.locks)
        self.targets = TargetFinder(self.locks, self.convicts)
        self.intents = Intents(
            self.ledger,
            gossip,
            self.clocks,
            self.seat,
            self.signer,
            self.targets.find_convicted,
            self.held_entries.find_seats,
            self.locks.find_held_up,
            self.locks.find_bound,
        )
        self.objections = Objections(
            self.ledger,
            gossip,
            self.intake.proofs,
            self.locks,
            self.targets,
            self.seat,
            self.signer,
            lambda: self.intents.open_vote,
            self.intents.may_have_wanted,
        )

    def bodies_for_new_link(self) -> list[Signed]:
        """For a peer that has just come: all that is still wanted, and the objections that keep
        votes from binding. It may have lost those, and no log holds them."""
        return [*self.intents.bodies_for_new_link(), *self.objections.bodies_for_new_link()]

    # -- votes of this seat --------------------------------------------------------------

    def sign_agreed_drop(self) -> Moved | None:
        """This seat's vote against the accused of the open vote, if all that must agree want it;
        otherwise its vote here once more, in a later round that others have begun. None if it was
        signed before, or if this seat has objected to it, or has to vote because of a proof."""
        height = self.ledger.height
        is_agreed = self.intents.is_agreed()
        accused = self.intents.open_vote if is_agreed else self._accused_by_binding_vote(height)
        if not accused or self.targets.find() is not None:
            return None
        forbidden = FORBIDDEN[self.locks.stance_at(height)]
        if Act.VOTE_FOR_THE_PLAYER in forbidden and self._has_objected(height, accused):
            return None
        return self._sign_drop(height, accused)

    def _accused_by_binding_vote(self, height: int) -> tuple[Seat, ...]:
        """The accused of the last vote of this seat, if it is about that height and binds.

        The entry of the accused may come right behind such votes, which ends the open vote. Where
        one keeper had to vote in a later round, some had followed it by then and some had not. All
        were locked, so that none could take the entry, for ever.
        """
        mine = self.ledger.tally.votes_of(self.seat)
        binds = mine and mine[-1].height == height and self.locks.shown.may_still_count(mine[-1])
        return mine[-1].seats if binds else ()

    def sign_accusation(self) -> Moved | None:
        """This seat's vote against the seats that it has proofs of, where they are asked.

        Where all want to go on without more seats than those, the vote is about all of them. A
        seat that votes about two matters in turn, one because of a proof and one because of an
        absence, ends with no certificate for either.
        """
        found = self.targets.find()
        if found is None:
            return None
        height, accused = found
        wider = self.intents.open_vote
        mine = self.ledger.tally.votes_of(self.seat)
        # Once it has voted about all of them it stays with that, though an intent may be taken
        # back: the others may have signed the same by then.
        has_voted_so = bool(mine) and (mine[-1].height, mine[-1].seats) == (height, wider)
        is_wanted = (
            (has_voted_so or self.intents.is_agreed())
            and not self._has_objected(height, wider)
            and self._could_pass_at(height)
        )
        if set(accused) < set(wider) and is_wanted:
            accused = wider
        return self._sign_drop(height, accused)

    def _could_pass_at(self, height: int) -> bool:
        """Whether votes there against all of the open vote could be enough. Fewer proofs may
        convict on the chain up to an earlier height, and each convict that is missing makes the
        majority larger."""
        live = self.intents.live_keepers()
        needed = live - keepers_of(self.ledger.genesis.players, self.intents.open_vote)
        proofs = proofs_that_convict(self.ledger, self.convicts, height)
        return is_majority(len(needed), len(live - set(proofs)))

    def _has_objected(self, height: int, accused: tuple[Seat, ...]) -> bool:
        """Whether it has told the others that it will not vote against one of the accused there,
        and no proof convicts that one. They have gone on because of that."""
        view, convicts = self.ledger.view, proofs_that_convict(self.ledger, self.convicts, height)
        players = self.ledger.genesis.players
        return any(
            (view, height, seat) in self.locks.objected and players[seat].keeper not in convicts
            for seat in accused
        )

    def _sign_drop(self, height: int, accused: tuple[Seat, ...]) -> Moved | None:
        ledger = self.ledger
        round_ = self._find_round(height, accused)
        if round_ is None or ledger.tally.has_used_all_votes(self.seat):
            return None
        if self.locks.forbids(Act.SIGN_DROP):
            return None
        proofs = proofs_that_convict(ledger, self.convicts, height)
        convicted = sorted(set(proofs) & keepers_of(ledger.genesis.players, accused))
        vote = Vote.sign(
            self.signer,
            ledger.genesis.id,
            (ledger.view, height),
            ledger.heads[height],
            self.seat,
            VoteChoice.DROP,
            accused,
            round_,
            [proofs[keeper].id for keeper in convicted],
        )
        try:
            moved = ledger.accept_vote(vote)
        except REFUSALS as fault:
            raise OwnFault(f"a vote: {fault}") from fault
        if moved is not None:
            self.intake.gossip.append_record(vote.signed)
            self.intake.gossip.broadcast(vote.signed)
        return moved

    def _find_round(self, height: int, accused: tuple[Seat, ...]) -> int | None:
        """Behind all of its votes in this view, also those that only others know: two in one round
        would convict this seat. The same vote once more is none."""
        ledger, shown = self.ledger, self.locks.shown.find_own_votes()
        found = ledger.next_round(self.seat, height, accused)
        if not shown or found is None or found > shown[-1].round:
            return found
        lost = shown[-1]
        now = (height, found, accused), ledger.heads[height]
        if now == (lost.matter, lost.head):
            return found
        return ledger.next_round(self.seat, height, accused, lost.round)

    # -- votes of others -----------------------------------------------------------------

    def receive_vote(self, source: Seat, vote: Vote, now: float) -> Moved | None:
        """A vote of another seat. One that contradicts another of that seat counts all the same,
        as others may have had it first: copies that count different votes of a cheat would find
        different certificates. Raises BadBytes or Forged."""
        fault = self.intake.check_vote(vote)
        moved = None
        if vote.choice is VoteChoice.HELD:
            self.objections.receive_objection(source, vote)
        else:
            self.locks.shown.note_vote(vote)
            moved = self._count_vote(source, vote, now)
        if fault is not None:
            moved = moved or Moved()
            moved.caught = (*moved.caught, fault)
        return moved

    def _count_vote(self, source: Seat, vote: Vote, now: float) -> Moved | None:
        try:
            moved = self.intake.count_vote(source, vote, now)
        except Early:
            return None
        except (Stale, Fork):
            self.objections.show_taken_of(vote)
            self.objections.answer_vote(vote)
            return None
        if moved is not None and not moved.dropped:
            self.objections.show_taken_of(vote)
        return moved
