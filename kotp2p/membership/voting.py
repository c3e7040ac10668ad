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

from kotp2p.game.conviction import find_contradiction
from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Cheat, Early, Forged, Fork, Stale
from kotp2p.game.steps import Moved
from kotp2p.membership.clocks import PAUSE, Attendance
from kotp2p.membership.objections import Holding
from kotp2p.membership.targets import Charge, charge, proven
from kotp2p.membership.vote_locks import Promises
from kotp2p.mesh.effects import AppendRecord, ShowNotice
from kotp2p.mesh.gossip import Gossip
from kotp2p.notices import AdjournWanted, Notice, Paused, PauseEnded, Voted, VoteEnded, VoteOpened
from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import Signed
from kotp2p.wire.intents import Verb, Word
from kotp2p.wire.votes import Choice, Vote, enough, keepers, kept_by
from referee.model.answers import Seat


@dataclass(slots=True)
class Voting:
    ledger: Ledger
    gossip: Gossip
    attendance: Attendance
    seat: Seat
    signer: Signer
    open: tuple[Seat, ...] = ()
    """The accused of the vote that is open here."""
    wants: dict[Seat, Word] = field(default_factory=dict)
    """The newest word of each seat about votes and adjourning."""
    _clock_words: dict[Seat, Word] = field(default_factory=dict)
    _paused: set[tuple[Seat, int]] = field(default_factory=set)
    """Who has used the pause of which turn."""
    _serial: int = 0
    convicts: dict[Seat, Cheat] = field(default_factory=dict)
    """Keepers that have cheated, or whose bots have."""
    promises: Promises = field(init=False)
    holding: Holding = field(init=False)

    def __post_init__(self) -> None:
        self.promises = Promises(self.ledger, self.seat)
        self.holding = Holding(
            self.ledger,
            self.gossip,
            self.promises,
            self.convicts,
            self.seat,
            self.signer,
            lambda: self.open if self.open and self._would_drop(self.seat) else (),
        )

    @property
    def _game(self) -> bytes:
        return self.ledger.genesis.id

    # -- who may vote about whom -----------------------------------------------------------

    def live(self) -> set[Seat]:
        """The keepers of monsters in the game."""
        return keepers(self.ledger.genesis.players, self.ledger.game.state.seats_alive())

    def absent(self) -> set[Seat]:
        """Live keepers of whom nothing is heard, or whose bots have gone."""
        players, alive = self.ledger.genesis.players, self.ledger.game.state.seats_alive()
        gone = [s for s in alive if s in self.attendance.gone and s not in self.ledger.farewells]
        return keepers(players, gone)

    def look(self, now: float) -> None:
        """Opens a vote, or ends one that has lost its reason."""
        players, alive = self.ledger.genesis.players, self.ledger.game.state.seats_alive()
        votable = self.attendance.votable(now)
        out = keepers(players, votable) | self.absent() if votable else set()
        if out:
            out |= set(self.convicts) & self.live()
        accused = tuple(sorted(kept_by(players, out, alive)))
        if accused == self.open:
            return
        if self.open:
            self._show(VoteEnded(self.open))
        self.open = accused
        if accused:
            voters = self.live() - out
            self._show(
                VoteOpened(
                    accused,
                    tuple(sorted(voters)),
                    self._suffice(voters),
                    self.seat in voters,
                )
            )

    # -- words ---------------------------------------------------------------------------

    def say(self, verb: Verb, seats: tuple[Seat, ...], now: float) -> None:
        """Tells everybody what this seat wants."""
        self._serial += 1
        place = (0, self.ledger.chain.turns) if verb in (Verb.PAUSE, Verb.GO) else self.ledger.place
        word = Word.sign(self.signer, self._game, self.seat, self._serial, verb, place, seats)
        self._keep(word, now)
        self.gossip.broadcast(word.signed)

    def hear(self, source: Seat, signed: Signed, now: float) -> None:
        """A word of some seat. Raises BadBytes or Forged."""
        word = Word.parse(signed, self._game)
        players = self.ledger.genesis.players
        if word.seat >= len(players) or not signed.by(players[word.seat].key):
            raise Forged("a word that is not its seat's")
        if any(seat >= len(players) for seat in word.seats):
            raise Forged("a word about nobody at this table")
        if word.seat == self.seat:
            self._serial = max(self._serial, word.serial)  # said before a restart
            return
        known = (self._clock_words if word.about_clocks else self.wants).get(word.seat)
        if known is None or word.serial > known.serial:
            self._keep(word, now)
            self.gossip.relay_frame(source, word.seat, signed)

    def words(self) -> list[Signed]:
        """Everything that is still wanted, for somebody who has just come, and what keeps votes
        from binding, as he may have lost it."""
        said = [w.signed for w in (*self.wants.values(), *self._clock_words.values())]
        return [*said, *self.holding.words()]

    def _keep(self, word: Word, now: float) -> None:
        if word.about_clocks:
            self._clock_words[word.seat] = word
            self._pause(word, now)
            return
        before = self.wants.get(word.seat)
        self.wants[word.seat] = word
        was = before.verb if before is not None else Verb.WAIT
        if word.verb is Verb.ADJOURN and was is not Verb.ADJOURN:
            self._show(AdjournWanted(word.seat, True, self.missing()))
        elif word.verb is not Verb.ADJOURN and was is Verb.ADJOURN:
            self._show(AdjournWanted(word.seat, False, ()))
        if word.verb is Verb.DROP and word.place == self.ledger.place:
            self._show(Voted(word.seat, word.seats))
        elif before is not None and was is Verb.DROP and before.place == self.ledger.place:
            self._show(Voted(word.seat, ()))

    def present(self) -> set[Seat]:
        """The live keepers that are there: those that must agree to stop here."""
        return self.live() - self.absent() - set(self.ledger.farewells)

    def missing(self) -> tuple[Seat, ...]:
        """Who of them does not want to stop here."""
        wants = self.wants
        return tuple(
            sorted(s for s in self.present() if s not in wants or wants[s].verb is not Verb.ADJOURN)
        )

    def _pause(self, word: Word, now: float) -> None:
        pauses = self.attendance.pauses
        turn = (word.seat, self.ledger.chain.turns)
        if word.verb is Verb.GO and pauses.pop(word.seat, None) is not None:
            self._show(PauseEnded(word.seat))
        elif word.verb is Verb.PAUSE and word.height == turn[1] and turn not in self._paused:
            self._paused.add(turn)
            pauses[word.seat] = now + PAUSE
            self._show(Paused(word.seat, int(PAUSE)))

    # -- the vote that binds -----------------------------------------------------------------

    def agreed(self) -> bool:
        """All that must agree want to go on without the accused of the open vote."""
        players = self.ledger.genesis.players
        voters = self.live() - keepers(players, self.open)
        return (
            bool(self.open)
            and self.seat in voters
            and self._suffice(voters)
            and all(self._would_drop(v) or v in self.ledger.farewells for v in voters)
        )

    def _suffice(self, voters: set[Seat]) -> bool:
        return enough(len(voters), len(self.live() - set(self.convicts)))

    def _would_drop(self, voter: Seat) -> bool:
        word = self.wants.get(voter)
        if word is None or word.verb is not Verb.DROP:
            return False
        return word.place == self.ledger.place and word.seats == self.open

    def sign(self) -> Moved | None:
        """This seat's vote against the accused of the open vote; None if it was signed before,
        or if this seat has shown that it will not vote against one of them here, or votes because
        of a proof."""
        ledger = self.ledger
        if self._charge() is not None or self._holds(ledger.height):
            return None
        return self._vote(ledger.height, self.open)

    def accuse(self) -> Moved | None:
        """This seat's vote against those that it has proofs of, where they are called; and against
        whom all want to go on without, for who votes about two matters in turn ends with none."""
        found = self._charge()
        if found is None:
            return None
        height, accused = found
        mine = self.ledger.tally.votes_of(self.seat)
        again = bool(mine) and (mine[-1].height, mine[-1].seats) == (height, self.open)
        agreed = (again or self.agreed()) and not self._holds(height) and self._proven_at(height)
        if set(accused) < set(self.open) and agreed:
            accused = self.open
        return self._vote(height, accused)

    def _proven_at(self, height: int) -> bool:
        """Whether its vote there against all of the open vote could be enough."""
        live = self.live()
        voters = live - keepers(self.ledger.genesis.players, self.open)
        return enough(len(voters), len(live - set(proven(self.ledger, self.convicts, height))))

    def _charge(self) -> Charge | None:
        """Where this seat has to vote because of proofs, and against whom."""
        return charge(self.promises, self.convicts)

    def _holds(self, height: int) -> bool:
        """It has shown that it will not vote against somebody of the open vote there."""
        return any((self.ledger.view, height, seat) in self.holding.held for seat in self.open)

    def _vote(self, height: int, accused: tuple[Seat, ...]) -> Moved | None:
        ledger = self.ledger
        round_ = ledger.tally.next_round(self.seat, height, accused)
        if round_ is None or ledger.tally.has_used_all_votes(self.seat):
            return None
        players = ledger.genesis.players
        proofs = proven(ledger, self.convicts, height)
        convicted = sorted(set(proofs) & keepers(players, accused))
        vote = Vote.sign(
            self.signer,
            self._game,
            (ledger.view, height),
            ledger.heads[height],
            self.seat,
            Choice.DROP,
            accused,
            round_,
            tuple(proofs[keeper] for keeper in convicted),
        )
        moved = ledger.accept_vote(vote)
        if moved is not None:
            self.gossip.effects.append(AppendRecord(vote.signed))
            self.gossip.broadcast(vote.signed)
        return moved

    def take(self, source: Seat, vote: Vote, now: float) -> Moved | None:
        """A vote of another seat; also one that contradicts others counts, as others may have had
        it first. Raises BadBytes or Forged."""
        ledger = self.ledger
        players = ledger.genesis.players
        if max(vote.seat, *vote.seats) >= len(players):
            raise Forged("a vote of or against who is not at the table")
        if not vote.signed.by(players[vote.seat].key):
            raise Forged("a signature that is not its seat's")
        fault = self._contradicted(vote)
        moved = None
        if vote.choice is Choice.HELD:
            self.holding.take(source, vote)
        else:
            caught = self._convicted_by(vote)
            self.promises.see(vote)
            if self.promises.forbid(vote):
                moved = Moved(caught=caught) if caught else None
            else:
                moved = self._count(source, vote, now)
        if fault is not None:
            moved = moved or Moved()
            moved.caught = (*moved.caught, fault)
        return moved

    def count_kept(self, now: float) -> Moved | None:
        """Votes that were kept back and may be counted now; whoever sent one that turns out to be
        malformed is linked no more, or was not its author."""
        for vote in self.promises.votes():
            try:
                moved = self._count(self.seat, vote, now)
            except (BadBytes, Forged):
                continue
            if moved is not None and moved.dropped:
                return moved
        return None

    def _count(self, source: Seat, vote: Vote, now: float) -> Moved | None:
        try:
            moved = self.ledger.accept_vote(vote)
        except Early:
            later = vote.view > self.ledger.view
            if later:
                self.promises.follow(vote.seat, vote.head)
            self.gossip.request_missing(source, now, later_view=later)
            return None
        except (Stale, Fork):
            self.holding.answer_once(vote)
            return None
        if moved is not None:
            self.gossip.effects.append(AppendRecord(vote.signed))
            self.gossip.relay_frame(source, vote.seat, vote.signed)
            if not moved.dropped:
                self.holding.answer(vote, moved.caught)
        return moved

    def _convicted_by(self, vote: Vote) -> tuple[Cheat, ...]:
        """Whom a vote convicts, also if it is not counted yet. Raises BadBytes or Forged."""
        ledger = self.ledger
        here = vote.view == ledger.view and vote.height <= ledger.height
        if not here or vote.head != ledger.heads[vote.height]:
            return ()
        return tuple(ledger.judge_proof(proof, vote.height) for proof in vote.proofs)

    def _contradicted(self, vote: Vote) -> Cheat | None:
        """What its seat has done if it has signed another one that it must not have signed too."""
        for known in self.ledger.tally.votes_of(vote.seat):
            found = find_contradiction(known, vote)
            if found is not None:
                return found
        return None

    def _show(self, notice: Notice) -> None:
        self.gossip.effects.append(ShowNotice(notice))
