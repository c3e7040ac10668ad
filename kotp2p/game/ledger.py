"""The ledger: one game, as what its seats have signed. It says which line of play counts.

May live here: drop votes, certificates, views. May not: how a line goes on (`kotp2p.game.chain`),
links, clocks, files, keys of our own. A live peer, a replay after a restart and `verify` all feed
the same ledger, so there is one place that says what a game is.

How it works (PROTOCOL.md 9.2): a drop certificate begins a new view. What its accused, and others
behind them, have signed at its height or later does not count any more; the line is made again
up to there. What was closed before the last gather is never undone; where proofs convict all of
the accused, what was closed before the gather before it (a copy may have closed a gather whose
last part its voters lack). Until the first gather of the new view has closed, a certificate of a
later round of the old view takes its place: whoever voted in that round had promised not to
follow the earlier one.

Known wart: such a later round is not followed at a height behind the certificate that it beats,
as the line up to there is gone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields

from kotp2p.game.ballots import VoteTally
from kotp2p.game.chain import Chain
from kotp2p.game.conviction import convict_by_proof, height_needed
from kotp2p.game.steps import Cheat, Early, Finished, Forged, Fork, Moved, Stale
from kotp2p.wire.entries import Entry, Farewell, Signed
from kotp2p.wire.proofs import Proof
from kotp2p.wire.votes import Certificate, Choice, Matter, Vote, keepers
from referee.model.answers import Seat


@dataclass(slots=True)
class Ledger(Chain):
    tally: VoteTally = field(init=False)
    """The votes of the present view."""
    former_view: tuple[Certificate, VoteTally] | None = None
    """The certificate that began this view, with all votes of the view that it ended."""
    drops_cast: set[tuple[Seat, int, int, Seat]] = field(default_factory=set)
    """Voter, view, height, accused: who has ever voted against whom."""
    _judged: dict[tuple[bytes, bytes], Cheat | Forged] = field(default_factory=dict)
    """What proofs have shown, by the head they were judged at."""
    _called: dict[bytes, tuple[tuple[Seat, ...], tuple[Seat, ...]]] = field(default_factory=dict)
    """By head: who was alive and called behind it."""

    def __post_init__(self) -> None:
        Chain.__post_init__(self)
        self.tally = VoteTally(self.genesis.id, self.genesis.players)

    def bodies_since(self, height: int) -> list[Signed]:
        """Everything signed from `height` on, in an order that another ledger accepts; first the
        certificates before it, as one that undoes more may have passed a copy by."""
        before = [
            signed
            for done in self.closed[:height]
            for item in done
            if isinstance(item, Certificate)
            for signed in item.bodies
        ]
        votes = self.tally.all_votes()
        counted = [v.signed for v in votes if v.proofs or v.height >= self.undo_floor]
        return [*before, *Chain.bodies_since(self, height), *counted]

    def judge_proof(self, proof: Proof, height: int | None = None) -> Cheat:
        """What a proof shows in the line up to `height`. Raises BadBytes, Forged or Early."""
        if height is not None and height_needed(proof) > height:
            raise Forged("a proof from behind its vote")
        known = (proof.pack(), self.heads[self.height if height is None else height])
        if known not in self._judged:
            try:
                self._judged[known] = convict_by_proof(self.genesis, proof, self.chain_at)
            except Forged as fault:
                self._judged[known] = fault
        found = self._judged[known]
        if isinstance(found, Forged):
            raise Forged(str(found))
        return found

    def accept_vote(self, vote: Vote) -> Moved | None:
        """Takes a drop vote; with the last one that is needed its accused are out. None if it
        is known. Raises Forged, BadBytes, Early, Stale or Fork; then nothing has changed."""
        players = self.genesis.players
        if vote.seat >= len(players) or players[vote.seat].keeper != vote.seat:
            raise Forged("a vote of who has none")
        if vote.choice is not Choice.DROP:
            raise Forged("not a drop vote")
        if max(vote.seats) >= len(players):
            raise Forged("a vote against who is not at the table")
        ballots = self._ballots(vote)
        if ballots.has_vote(vote):
            return None
        if not vote.signed.by(players[vote.seat].key):
            raise Forged("a signature that is not its seat's")
        if vote.height > self.height:
            raise Early("a vote at a later height")
        deep = vote.height < self._floor(ballots)
        if deep and (not vote.proofs or vote.height < self._least(ballots)):
            raise Stale("a vote behind a closed gather")
        if vote.head != self.heads[vote.height]:
            raise Fork("a vote on another past")
        if ballots.has_used_all_votes(vote.seat):
            raise Stale("too many votes")  # another copy may have counted others of them
        caught = tuple(self.judge_proof(proof, vote.height) for proof in vote.proofs)
        convicts = {players[fault.seat].keeper for fault in caught}
        if not convicts <= keepers(players, vote.seats):
            raise Forged("a proof against who is not accused")
        if deep and convicts != keepers(players, vote.seats):
            raise Stale("a vote behind a closed gather, not about convicts alone")
        ballots.add_vote(vote, convicts)
        self.drops_cast |= {(vote.seat, vote.view, vote.height, seat) for seat in vote.seats}
        moved = Moved(caught=caught)
        self._try_dropping(ballots, vote.matter, moved)
        return moved

    def _ballots(self, vote: Vote) -> VoteTally:
        """Where the vote belongs: to this view, or to the former one if it may still change
        how this one began. Raises Early or Stale."""
        former = self.former_view
        if former is not None and vote.view == former[0].view and self._undecided():
            if vote.round <= former[0].round or vote.height > former[0].height:
                raise Stale("of an earlier round")
            return former[1]
        self._check_view(vote.view)
        return self.tally

    @property
    def undo_floor(self) -> int:
        """Below this height nothing of this view is undone, but for convicts."""
        return self._floor(self.tally)

    def _floor(self, ballots: VoteTally) -> int:
        if ballots is self.tally and self.former_view is not None and self._undecided():
            return max(self.last_gather, self.former_view[0].height + 1)
        return self.last_gather

    def _least(self, ballots: VoteTally) -> int:
        """Below this height not even convicts are voted out in that view."""
        if ballots is not self.tally:
            return self._floor(ballots)
        return max(
            self.gather_before_last,
            self.former_view[0].height + 1 if self.former_view is not None else 0,
        )

    def _undecided(self) -> bool:
        """No gather has closed in this view."""
        return self.renewing or isinstance(self.step, Finished)

    def accept_farewell(self, farewell: Farewell) -> Moved | None:
        """As a line does; and a farewell is as good as a vote of who has left."""
        moved = Chain.accept_farewell(self, farewell)
        if moved is not None:
            for matter in list(self.tally.votes):
                self._try_dropping(self.tally, matter, moved)
        return moved

    def _try_dropping(self, ballots: VoteTally, matter: Matter, moved: Moved) -> None:
        """Begins a new view if the votes about `matter` suffice."""
        height, _, accused = matter
        proven = ballots.convicts.get(matter) == keepers(self.genesis.players, accused)
        least = self._least(ballots) if proven else self._floor(ballots)
        if not least <= height <= self.height or matter not in ballots.votes:
            return
        there: Chain = (
            self if (height, ballots.view) == (self.height, self.view) else self.chain_at(height)
        )
        left = {s: f for s, f in self.farewells.items() if f.place <= there.place}
        found = ballots.find_certificate(matter, there, left)
        if found is None:
            return
        if there is not self:
            there.farewells = self.farewells
            for item in fields(Chain):
                setattr(self, item.name, getattr(there, item.name))
            moved.rewound, moved.before = True, there.game.state.copy()
            moved.events.clear()
        moved.dropped = (*moved.dropped, found)
        self.former_view = (found, ballots)
        self.tally = VoteTally(self.genesis.id, self.genesis.players, found.next_view)
        self.apply_certificate(found, moved)

    def chain_at(self, height: int) -> Chain:
        """This line as it was when `height` began, made again from what closed the steps; a
        copy that may be changed. Raises Early if it has not come so far."""
        if height > self.height:
            raise Early("a place that has not been reached")
        *_, past = self._again(height)
        return past

    def called_at(self, height: int) -> tuple[tuple[Seat, ...], tuple[Seat, ...]]:
        """Who was alive when `height` began, and whom it needed (`Chain.called_seats`)."""
        if height == self.height:
            return tuple(self.game.state.seats_alive()), self.called_seats()
        head = self.heads[height]
        if head not in self._called:
            there = self.chain_at(height)
            self._called[head] = (tuple(there.game.state.seats_alive()), there.called_seats())
        return self._called[head]

    def electorates(self) -> list[set[Seat]]:
        """The live keepers at each height that votes might still undo."""
        players = self.genesis.players
        return [
            keepers(players, past.game.state.seats_alive())
            for past in self._again(self.height)
            if self.undo_floor <= past.height < self.height
        ]

    def _again(self, height: int) -> Iterator[Chain]:
        """One line, made again and changed from step to step up to `height`."""
        past = Chain(self.genesis)
        past.farewells = {
            item.seat: item
            for done in self.closed[:height]
            for item in done
            if isinstance(item, Farewell)
        }
        yield past
        for done in self.closed[:height]:
            for item in done:
                match item:
                    case Entry():
                        past.accept_entry(item)
                    case Certificate():
                        past.apply_certificate(item, Moved())
                    case Farewell():
                        pass  # stands in by itself once the others have come
            yield past
        assert past.height == height
