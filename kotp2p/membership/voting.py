"""One peer's part in votes: whose absence may be voted on, what is wanted, what binds.

May live here: words of the players (`kotp2p.wire.intents`), and the moment at which this seat signs
a drop vote. May not: clocks (`kotp2p.membership.clocks`), what such a vote forbids its signer
(`kotp2p.membership.vote_locks`), what is answered to those of others
(`kotp2p.membership.objections`), what a certificate does (`kotp2p.game.ledger`).

How it works (PROTOCOL.md 9.2): players say what they want, and may take it back; only when all
that must agree want the same at the same place does each of their programs sign the vote that
binds. Against who is proven to have cheated every program votes by itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Cheat, Early, Forged, Fork, Stale, require_signed_by_seat
from kotp2p.game.steps import Moved
from kotp2p.membership.clocks import MAX_PAUSE_SECONDS, SeatClocks
from kotp2p.membership.objections import Objections
from kotp2p.membership.targets import Target, find_target, proofs_that_convict
from kotp2p.membership.vote_locks import VoteLocks
from kotp2p.mesh.effects import AppendRecord, ShowNotice
from kotp2p.mesh.gossip import Gossip
from kotp2p.mesh.vote_intake import check_vote, count_vote
from kotp2p.notices import AdjournWanted, Notice, Paused, PauseEnded, Voted, VoteEnded, VoteOpened
from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import Signed
from kotp2p.wire.intents import Intent, IntentKind
from kotp2p.wire.votes import Vote, VoteChoice, is_majority, keepers_of, seats_kept_by
from referee.model.answers import Seat


@dataclass(slots=True)
class Voting:
    ledger: Ledger
    gossip: Gossip
    clocks: SeatClocks
    seat: Seat
    signer: Signer
    open_vote: tuple[Seat, ...] = ()
    """The accused of the vote that is open here."""
    intents: dict[Seat, Intent] = field(default_factory=dict)
    """The newest word of each seat about votes and adjourning."""
    _clock_words: dict[Seat, Intent] = field(default_factory=dict)
    _paused: set[tuple[Seat, int]] = field(default_factory=set)
    """Who has used the pause of which turn."""
    _serial: int = 0
    convicts: dict[Seat, Cheat] = field(default_factory=dict)
    """Keepers that have cheated, or whose bots have."""
    locks: VoteLocks = field(init=False)
    objections: Objections = field(init=False)

    def __post_init__(self) -> None:
        self.locks = VoteLocks(self.ledger, self.seat)
        self.objections = Objections(
            self.ledger,
            self.gossip,
            self.locks,
            self.convicts,
            self.seat,
            self.signer,
            lambda: self.open_vote if self.open_vote and self._would_drop(self.seat) else (),
        )

    @property
    def _game(self) -> bytes:
        return self.ledger.genesis.id

    # -- who may vote about whom -----------------------------------------------------------

    def live_keepers(self) -> set[Seat]:
        """The keepers of monsters in the game."""
        return keepers_of(self.ledger.genesis.players, self.ledger.game.state.seats_alive())

    def absent_keepers(self) -> set[Seat]:
        """Live keepers of whom nothing is heard, or whose bots have gone."""
        players, alive = self.ledger.genesis.players, self.ledger.game.state.seats_alive()
        gone = [s for s in alive if s in self.clocks.gone_since and s not in self.ledger.farewells]
        return keepers_of(players, gone)

    def update_open_vote(self, now: float) -> None:
        """Opens a vote, or ends one that has lost its reason."""
        players, alive = self.ledger.genesis.players, self.ledger.game.state.seats_alive()
        votable = self.clocks.votable_seats(now)
        out = keepers_of(players, votable) | self.absent_keepers() if votable else set()
        if out:
            out |= set(self.convicts) & self.live_keepers()
        accused = tuple(sorted(seats_kept_by(players, out, alive)))
        if accused == self.open_vote:
            return
        if self.open_vote:
            self._show(VoteEnded(self.open_vote))
        self.open_vote = accused
        if accused:
            voters = self.live_keepers() - out
            self._show(
                VoteOpened(
                    accused,
                    tuple(sorted(voters)),
                    self._are_enough(voters),
                    self.seat in voters,
                )
            )

    # -- words ---------------------------------------------------------------------------

    def declare_intent(self, verb: IntentKind, seats: tuple[Seat, ...], now: float) -> None:
        """Tells everybody what this seat wants."""
        self._serial += 1
        place = (
            (0, self.ledger.chain.turns)
            if verb in (IntentKind.PAUSE, IntentKind.GO)
            else self.ledger.place
        )
        word = Intent.sign(self.signer, self._game, self.seat, self._serial, verb, place, seats)
        self._keep(word, now)
        self.gossip.broadcast(word.signed)

    def receive_intent(self, source: Seat, signed: Signed, now: float) -> None:
        """A word of some seat. Raises BadBytes or Forged."""
        word = Intent.parse(signed, self._game)
        players = self.ledger.genesis.players
        require_signed_by_seat(players, word.seat, signed, "word")
        if any(seat >= len(players) for seat in word.seats):
            raise Forged("a word about nobody at this table")
        if word.seat == self.seat:
            self._serial = max(self._serial, word.serial)  # said before a restart
            return
        known = (self._clock_words if word.is_about_clocks else self.intents).get(word.seat)
        if known is None or word.serial > known.serial:
            self._keep(word, now)
            self.gossip.relay_frame(source, word.seat, signed)

    def bodies_for_new_link(self) -> list[Signed]:
        """Everything that is still wanted, for somebody who has just come, and what keeps votes
        from binding, as he may have lost it."""
        said = [w.signed for w in (*self.intents.values(), *self._clock_words.values())]
        return [*said, *self.objections.bodies_for_new_link()]

    def _keep(self, word: Intent, now: float) -> None:
        if word.is_about_clocks:
            self._clock_words[word.seat] = word
            self._pause(word, now)
            return
        before = self.intents.get(word.seat)
        self.intents[word.seat] = word
        was = before.kind if before is not None else IntentKind.WAIT
        if word.kind is IntentKind.ADJOURN and was is not IntentKind.ADJOURN:
            self._show(AdjournWanted(word.seat, True, self.keepers_playing_on()))
        elif word.kind is not IntentKind.ADJOURN and was is IntentKind.ADJOURN:
            self._show(AdjournWanted(word.seat, False, ()))
        if word.kind is IntentKind.DROP and word.place == self.ledger.place:
            self._show(Voted(word.seat, word.seats))
        elif before is not None and was is IntentKind.DROP and before.place == self.ledger.place:
            self._show(Voted(word.seat, ()))

    def present_keepers(self) -> set[Seat]:
        """The live keepers that are there: those that must agree to stop here."""
        return self.live_keepers() - self.absent_keepers() - set(self.ledger.farewells)

    def keepers_playing_on(self) -> tuple[Seat, ...]:
        """Who of them does not want to stop here."""
        wants = self.intents
        return tuple(
            sorted(
                s
                for s in self.present_keepers()
                if s not in wants or wants[s].kind is not IntentKind.ADJOURN
            )
        )

    def _pause(self, word: Intent, now: float) -> None:
        pauses = self.clocks.paused_until
        turn = (word.seat, self.ledger.chain.turns)
        if word.kind is IntentKind.GO and pauses.pop(word.seat, None) is not None:
            self._show(PauseEnded(word.seat))
        elif word.kind is IntentKind.PAUSE and word.height == turn[1] and turn not in self._paused:
            self._paused.add(turn)
            pauses[word.seat] = now + MAX_PAUSE_SECONDS
            self._show(Paused(word.seat, int(MAX_PAUSE_SECONDS)))

    # -- the vote that binds -----------------------------------------------------------------

    def is_agreed(self) -> bool:
        """All that must agree want to go on without the accused of the open vote."""
        players = self.ledger.genesis.players
        voters = self.live_keepers() - keepers_of(players, self.open_vote)
        return (
            bool(self.open_vote)
            and self.seat in voters
            and self._are_enough(voters)
            and all(self._would_drop(v) or v in self.ledger.farewells for v in voters)
        )

    def _are_enough(self, voters: set[Seat]) -> bool:
        return is_majority(len(voters), len(self.live_keepers() - set(self.convicts)))

    def _would_drop(self, voter: Seat) -> bool:
        word = self.intents.get(voter)
        if word is None or word.kind is not IntentKind.DROP:
            return False
        return word.place == self.ledger.place and word.seats == self.open_vote

    def sign_agreed_drop(self) -> Moved | None:
        """This seat's vote against the accused of the open vote; None if it was signed before,
        or if this seat has shown that it will not vote against one of them here, or votes because
        of a proof."""
        ledger = self.ledger
        if self._find_target() is not None or self._has_objected(ledger.height):
            return None
        return self._sign_drop(ledger.height, self.open_vote)

    def sign_accusation(self) -> Moved | None:
        """This seat's vote against those that it has proofs of, where they are called; and against
        whom all want to go on without, for who votes about two matters in turn ends with none."""
        found = self._find_target()
        if found is None:
            return None
        height, accused = found
        mine = self.ledger.tally.votes_of(self.seat)
        again = bool(mine) and (mine[-1].height, mine[-1].seats) == (height, self.open_vote)
        agreed = (
            (again or self.is_agreed())
            and not self._has_objected(height)
            and self._proven_at(height)
        )
        if set(accused) < set(self.open_vote) and agreed:
            accused = self.open_vote
        return self._sign_drop(height, accused)

    def _proven_at(self, height: int) -> bool:
        """Whether its vote there against all of the open vote could be enough."""
        live = self.live_keepers()
        voters = live - keepers_of(self.ledger.genesis.players, self.open_vote)
        return is_majority(
            len(voters), len(live - set(proofs_that_convict(self.ledger, self.convicts, height)))
        )

    def _find_target(self) -> Target | None:
        """Where this seat has to vote because of proofs, and against whom."""
        return find_target(self.locks, self.convicts)

    def _has_objected(self, height: int) -> bool:
        """It has shown that it will not vote against somebody of the open vote there."""
        return any(
            (self.ledger.view, height, seat) in self.objections.objected for seat in self.open_vote
        )

    def _sign_drop(self, height: int, accused: tuple[Seat, ...]) -> Moved | None:
        ledger = self.ledger
        round_ = ledger.tally.next_round(self.seat, height, accused)
        if round_ is None or ledger.tally.has_used_all_votes(self.seat):
            return None
        players = ledger.genesis.players
        proofs = proofs_that_convict(ledger, self.convicts, height)
        convicted = sorted(set(proofs) & keepers_of(players, accused))
        vote = Vote.sign(
            self.signer,
            self._game,
            (ledger.view, height),
            ledger.heads[height],
            self.seat,
            VoteChoice.DROP,
            accused,
            round_,
            tuple(proofs[keeper] for keeper in convicted),
        )
        moved = ledger.accept_vote(vote)
        if moved is not None:
            self.gossip.effects.append(AppendRecord(vote.signed))
            self.gossip.broadcast(vote.signed)
        return moved

    def receive_vote(self, source: Seat, vote: Vote, now: float) -> Moved | None:
        """A vote of another seat; also one that contradicts others counts, as others may have had
        it first. Raises BadBytes or Forged."""
        fault = check_vote(self.ledger, vote)
        moved = None
        if vote.choice is VoteChoice.HELD:
            self.objections.receive_objection(source, vote)
        else:
            caught = self._convicted_by(vote)
            self.locks.note_round(vote)
            if self.locks.hold_back_vote(vote):
                moved = Moved(caught=caught) if caught else None
            else:
                moved = self._count_vote(source, vote, now)
        if fault is not None:
            moved = moved or Moved()
            moved.caught = (*moved.caught, fault)
        return moved

    def count_kept_votes(self, now: float) -> Moved | None:
        """Votes that were kept back and may be counted now; whoever sent one that turns out to be
        malformed is linked no more, or was not its author."""
        for vote in self.locks.release_votes():
            try:
                moved = self._count_vote(self.seat, vote, now)
            except (BadBytes, Forged):
                continue
            if moved is not None and moved.dropped:
                return moved
        return None

    def _count_vote(self, source: Seat, vote: Vote, now: float) -> Moved | None:
        try:
            moved = count_vote(self.ledger, self.gossip, source, vote, now)
        except Early:
            if vote.view > self.ledger.view:
                self.locks.note_later_view(vote.seat, vote.head)
            return None
        except (Stale, Fork):
            self.objections.answer_uncounted_vote(vote)
            return None
        if moved is not None and not moved.dropped:
            self.objections.answer_vote(vote, moved.caught)
        return moved

    def _convicted_by(self, vote: Vote) -> tuple[Cheat, ...]:
        """Whom a vote convicts, also if it is not counted yet. Raises BadBytes or Forged."""
        ledger = self.ledger
        here = vote.view == ledger.view and vote.height <= ledger.height
        if not here or vote.head != ledger.heads[vote.height]:
            return ()
        return tuple(ledger.judge_proof(proof, vote.height) for proof in vote.proofs)

    def _show(self, notice: Notice) -> None:
        self.gossip.effects.append(ShowNotice(notice))
