"""The ledger: one game, as what its seats have signed. It says which chain counts.

Scope: drop votes, certificates, views, and going back to an earlier height.
Not here: how a chain goes on (`kotp2p.game.chain`), how far back votes may reach (`undo_floors`),
links, clocks, files, keys of our own. A live
peer, a replay after a restart and `verify` all feed the same ledger, so there is one place that
says what a game is.

How it works (PROTOCOL.md 9.2): a drop certificate begins a new view. What its accused, and others
behind them, have signed at its height or later does not count any more. Going back is a fresh
replay: the chain is made again up to that height and replaces the present one.

Until the first gather of the new view has closed, a certificate of a later round of the former view
takes the place of the one that began it. All its voters have promised by that vote to sign no
entry, vote or end in the new view, so none of them has gone on there. Such votes are judged on the
chain of the former view as it stood here (`FormerView`).

Known limitation: a later round about a height that this chain had not reached is not followed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kotp2p.game import history, undo_floors
from kotp2p.game.chain import Chain
from kotp2p.game.leavers import find_leavers
from kotp2p.game.past import chain_at
from kotp2p.game.refusals import (
    Cheat,
    Early,
    Forged,
    Fork,
    SignatureCheck,
    Stale,
    require_signed_by_seat,
)
from kotp2p.game.steps import Moved, Step
from kotp2p.game.verdicts import Verdicts
from kotp2p.game.vote_tally import ProvenCheat, VoteTally, authors_in_turn
from kotp2p.wire.entries import Entry, Signed
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.genesis import Genesis
from kotp2p.wire.proofs import CheatProof
from kotp2p.wire.votes import Certificate, Matter, Vote, VoteChoice, keepers_of, needed_keepers
from referee.game import Game
from referee.model.answers import Seat


@dataclass(frozen=True, slots=True)
class FormerView:
    """The view before the present one, as it stood here when a certificate ended it."""

    certificate: Certificate
    tally: VoteTally
    chain: Chain


@dataclass(frozen=True, slots=True)
class CheckedVote:
    """A vote that counts, with the tally and the chain that it belongs to."""

    vote: Vote
    tally: VoteTally
    chain: Chain
    caught: tuple[Cheat, ...]
    """What its proofs show, in their order."""


@dataclass(slots=True)
class Ledger:
    genesis: Genesis
    check_signature: SignatureCheck = require_signed_by_seat
    """For entries of the chain that counts. All else is always checked at once."""
    chain: Chain = field(init=False)
    """The chain that counts. Going back puts another one in its place: do not keep it."""
    tally: VoteTally = field(init=False)
    """The votes of the present view."""
    former: FormerView | None = None
    proofs: dict[bytes, CheatProof] = field(default_factory=dict)
    """By id: the proofs that votes may name. Each convicted its seat when it came."""
    revision: int = 0
    """Rises with everything that is accepted. What was worked out from this ledger is right while
    it stays the same."""
    _verdicts: Verdicts = field(init=False)

    def __post_init__(self) -> None:
        self.chain = Chain(self.genesis, self.check_signature)
        self.tally = VoteTally(self.genesis.id, self.genesis.players)
        self._verdicts = Verdicts(self.genesis)

    # -- where the game stands -----------------------------------------------------------

    @property
    def view(self) -> int:
        return self.chain.view

    @property
    def height(self) -> int:
        return self.chain.height

    @property
    def place(self) -> tuple[int, int]:
        """View and height."""
        return self.chain.place

    @property
    def heads(self) -> list[bytes]:
        """heads[h]: the head before height h; the last one is the current head."""
        return self.chain.heads

    @property
    def head(self) -> bytes:
        return self.chain.heads[-1]

    @property
    def step(self) -> Step:
        return self.chain.step

    @property
    def game(self) -> Game:
        return self.chain.game

    @property
    def farewells(self) -> dict[Seat, Farewell]:
        """By each seat that leaves by it, also from places that are not reached yet."""
        return self.chain.farewells

    def owing_seats(self) -> tuple[Seat, ...]:
        """The seats that owe an entry now and have signed none."""
        return self.chain.owing_seats()

    def bodies_since(self, height: int) -> list[Signed]:
        """Everything signed from `height` on, in an order that another ledger accepts; first the
        certificates before it, as one that undoes more may have passed a copy by.

        Of the votes the latest of each author come first: a link gets so many bodies at once, and
        a cheat's flood of votes must not hide those of the others.
        """
        before = [
            signed
            for certificate in history.certificates(self.chain.closed[:height])
            for signed in certificate.bodies
        ]
        former = self.open_former()
        later = [] if former is None else former.tally.votes_behind(former.certificate.round)
        votes = [v for v in self.tally.all_votes() if v.proofs or v.height >= self.undo_floor]
        counted = [
            signed
            for vote in authors_in_turn([*later, *votes])
            for signed in (*(self.proofs[named].signed for named in vote.proofs), vote.signed)
        ]
        return [*before, *self.chain.bodies_since(height), *dict.fromkeys(counted)]

    def has_taken(self, height: int, seat: Seat) -> bool:
        """Whether the game has gone on at `height` with what `seat` has signed."""
        if self.chain.find_entry(height, seat) is not None:
            return True
        return height < self.height and history.has_stood_in(self.chain.closed[height], seat)

    # -- accepting -----------------------------------------------------------------------

    def accept_entry(self, entry: Entry) -> Moved | None:
        """As `Chain.accept_entry`: raises Forged, Early, Stale, Fork, Differs, or Cheat."""
        moved = self.chain.accept_entry(entry)
        if moved is not None:
            self.revision += 1
        return moved

    def accept_farewell(self, farewell: Farewell) -> Moved | None:
        """Raises as `Chain.note_farewell`. A seat that has left needs no vote, so its farewell may
        be the last body that a certificate lacks. That certificate comes before the stand-in, which
        might close a gather, and with it the way back."""
        if not self.chain.note_farewell(farewell):
            return None
        self.revision += 1
        moved = Moved()
        self._try_all(moved)
        if not moved.dropped:
            moved.add(self.chain.close_by_farewells())
            self._try_all(moved)
        return moved

    def accept_proof(self, proof: CheatProof) -> Moved | None:
        """Takes a proof that votes may name; None if it is known. A farewell in it may be the last
        body that a certificate lacks. Raises BadBytes, Forged, Early or Fork."""
        if proof.id in self.proofs:
            return None
        moved = Moved(caught=(self._judge_on_any_line(proof),))
        self.revision += 1
        self.proofs[proof.id] = proof
        self._try_all(moved)
        return moved

    def accept_vote(self, vote: Vote) -> Moved | None:
        """Takes a drop vote; with the last one that is needed its accused are out. None if it
        is known. Raises Forged, BadBytes, Early, Stale or Fork; then nothing has changed."""
        checked = self.check_vote(vote, {})
        return None if checked is None else self.add_vote(checked)

    def check_vote(self, vote: Vote, offered: Mapping[bytes, CheatProof]) -> CheckedVote | None:
        """Whether a drop vote counts here, with the known proofs and those `offered`, by id. None
        if it is known. Raises as `accept_vote`; nothing changes."""
        self._check_form(vote)
        tally, chain = self._find_line(vote)
        if tally.has_vote(vote):
            return None
        require_signed_by_seat(self.genesis.players, vote.seat, vote.signed)
        deep = self._check_place(vote, tally, chain)
        if tally.has_used_all_votes(vote.seat):
            raise Stale("too many votes")  # another copy may have counted others of them
        caught = self._judge_proofs(vote, chain, {**offered, **self.proofs})
        convicts = {self.genesis.players[fault.seat].keeper for fault in caught}
        if deep and convicts != keepers_of(self.genesis.players, vote.seats):
            raise Stale("a vote behind a closed gather, not about convicts alone")
        return CheckedVote(vote, tally, chain, caught)

    def add_vote(self, checked: CheckedVote) -> Moved:
        """Counts a vote that was just checked. Its proofs MUST be known by now."""
        vote, tally = checked.vote, checked.tally
        proven = {
            name: ProvenCheat(self.proofs[name], self.genesis.players[fault.seat].keeper)
            for name, fault in zip(vote.proofs, checked.caught, strict=True)
        }
        self.revision += 1
        tally.add_vote(vote, proven)
        moved = Moved(caught=checked.caught)
        self._try_dropping(tally, checked.chain, vote.matter, moved)
        return moved

    def _check_form(self, vote: Vote) -> None:
        """What holds for a vote wherever the game stands. Raises Forged."""
        players = self.genesis.players
        if vote.seat >= len(players) or players[vote.seat].keeper != vote.seat:
            raise Forged("a vote of who has none")
        if vote.choice is not VoteChoice.DROP:
            raise Forged("not a drop vote")
        if max(vote.seats) >= len(players):
            raise Forged("a vote against who is not at the table")

    def _find_line(self, vote: Vote) -> tuple[VoteTally, Chain]:
        """Where the vote belongs: to this view, or to the former one if it may still change how
        this one began. Raises Early or Stale."""
        former = self.open_former()
        if former is not None and vote.view == former.tally.view:
            if vote.round <= former.certificate.round:
                raise Stale("of an earlier round")
            return former.tally, former.chain
        self.chain.check_view(vote.view)
        return self.tally, self.chain

    @staticmethod
    def _check_place(vote: Vote, tally: VoteTally, chain: Chain) -> bool:
        """Whether the vote is behind a closed gather, so that only proofs can justify it. Raises
        Early, Stale or Fork."""
        if vote.height > chain.height:
            raise Early("a vote at a later height")
        if undo_floors.is_too_late(vote, tally, chain):
            raise Stale("a vote behind a closed gather")
        if vote.head != chain.heads[vote.height]:
            raise Fork("a vote on another past")
        return vote.height < undo_floors.undo_floor(tally, chain)

    def _judge_proofs(
        self, vote: Vote, chain: Chain, known: Mapping[bytes, CheatProof]
    ) -> tuple[Cheat, ...]:
        """What the proofs show that a vote names, in their order. Raises Forged or Early."""
        players, found = self.genesis.players, []
        for name in vote.proofs:
            if name not in known:
                raise Early("a vote that names a proof which has not come")
            try:
                fault = self._verdicts.judge_proof(known[name], chain, vote.height)
            except Fork as refusal:
                raise Forged("a proof on another past than its vote") from refusal
            if players[fault.seat].keeper not in keepers_of(players, vote.seats):
                raise Forged("a proof against a seat that is not accused")
            found.append(fault)
        return tuple(found)

    # -- certificates --------------------------------------------------------------------

    @property
    def undo_floor(self) -> int:
        """Below this height nothing of this view is undone, except by votes about convicts."""
        return undo_floors.undo_floor(self.tally, self.chain)

    def is_too_late(self, vote: Vote) -> bool:
        """Whether a vote of this view undoes nothing any more, as gathers have closed behind it."""
        return undo_floors.is_too_late(vote, self.tally, self.chain)

    def next_round(
        self, seat: Seat, height: int, accused: tuple[Seat, ...], behind: int = 0
    ) -> int | None:
        """As `VoteTally.next_round`, in the present view."""
        alive = self.chain.starts[height].alive
        needed = needed_keepers(self.genesis.players, alive, accused)
        return self.tally.next_round(seat, height, accused, needed, behind)

    def open_former(self) -> FormerView | None:
        """The former view, while a certificate of a later round may still end it otherwise: until
        a gather of this view has closed."""
        return self.former if self.chain.last_gather < self.tally.begins_at else None

    def line_of(self, view: int) -> tuple[VoteTally, Chain]:
        """The votes of the former view or of the present one, and the chain that they are about."""
        former = self.former
        if former is not None and view == former.tally.view:
            return former.tally, former.chain
        return self.tally, self.chain

    def open_views(self) -> set[int]:
        """The views whose votes may still count."""
        former = self.open_former()
        return {self.view} if former is None else {self.view, former.tally.view}

    def _try_all(self, moved: Moved) -> None:
        """Looks for a certificate among all votes: something else than a vote has come."""
        lines, former = [(self.tally, self.chain, 0)], self.open_former()
        if former is not None:  # its own certificate is not made again, nor one of an earlier round
            lines.append((former.tally, former.chain, former.certificate.round))
        for tally, chain, round_ in lines:
            for matter in {vote.matter: None for vote in tally.votes_behind(round_)}:
                if not moved.dropped:
                    self._try_dropping(tally, chain, matter, moved)

    def _try_dropping(self, tally: VoteTally, chain: Chain, matter: Matter, moved: Moved) -> None:
        """Begins a new view if the votes about `matter` suffice."""
        height, _, accused = matter
        if not undo_floors.convict_floor(tally, chain) <= height <= chain.height:
            return
        left = find_leavers((tally.view, height), chain, self.proofs.values())
        found = tally.find_certificate(matter, chain.heads[height], chain.starts[height], left)
        if found is not None and height < undo_floors.undo_floor(tally, chain):
            proofs = tally.proofs_of(matter, found.voters)
            convicts = {cheat.keeper for cheat in proofs.values()}
            if convicts != keepers_of(self.genesis.players, accused):
                return
        if found is not None:
            self._follow(found, tally, chain, moved)

    def _follow(self, found: Certificate, tally: VoteTally, chain: Chain, moved: Moved) -> None:
        """Puts the chain as it was at the height of a certificate in the place of the present one,
        and begins the next view. What is undone are places, not farewells: a seat that has left
        stays away."""
        there = chain_at(chain, found.height)
        there.farewells, there.check_signature = self.chain.farewells, self.check_signature
        if (tally.view, found.height) != self.place:
            moved.rewound, moved.before = True, there.game.state.copy()
            moved.steps.clear()
        self.former = FormerView(found, tally, chain)
        self.chain = there
        self.tally = VoteTally(
            self.genesis.id, self.genesis.players, found.next_view, begins_at=found.height + 1
        )
        moved.dropped = (*moved.dropped, found)
        moved.add(there.apply_certificate(found))

    # -- the past ------------------------------------------------------------------------

    def judge_proof(self, proof: CheatProof, height: int | None = None) -> Cheat:
        """What a proof shows on the chain up to `height`. Raises BadBytes, Forged, Early or Fork.

        A vote's proof is judged at the vote's height and not at the present one: copies that are
        further on, or have gone another way behind it, must come to the same verdict.
        """
        return self._verdicts.judge_proof(
            proof, self.chain, self.height if height is None else height
        )

    def _judge_on_any_line(self, proof: CheatProof) -> Cheat:
        """As `judge_proof`, also on the line of the former view while its votes still count."""
        try:
            return self.judge_proof(proof)
        except (Early, Fork):
            former = self.open_former()
            if former is None:
                raise
            return self._verdicts.judge_proof(proof, former.chain, former.chain.height)

    def electorates(self) -> list[set[Seat]]:
        """The live keepers at each height that votes might still undo."""
        players, starts = self.genesis.players, self.chain.starts
        return [keepers_of(players, start.alive) for start in starts[self.undo_floor : self.height]]
