"""One peer's part in votes: whose absence may be voted on, what is wanted, what binds.

May live here: words of the players (`kotp2p.words`), the moment at which this seat signs a drop
vote, and the entries that such a vote locks out. May not: clocks (`kotp2p.attendance`), what a
certificate does (`kotp2p.ledger`).

How it works (PROTOCOL.md 9.2): players say what they want, and may take it back; only when all
that must agree want the same at the same place does each of their programs sign the vote that
binds. From then on an entry of the accused counts for this seat only if another keeper shows
that it had that entry first and will not vote.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.attendance import PAUSE, Attendance
from kotp2p.courier import Courier
from kotp2p.crypto import Signer
from kotp2p.effects import Append, Show
from kotp2p.entries import Entry, Signed
from kotp2p.front import (
    AdjournWanted,
    CheatKind,
    Notice,
    Paused,
    PauseEnded,
    Voted,
    VoteEnded,
    VoteOpened,
)
from kotp2p.ledger import Ledger
from kotp2p.steps import Cheat, Early, Forged, Fork, Moved, Stale
from kotp2p.votes import Choice, Vote, enough, keepers, kept_by
from kotp2p.words import Verb, Word
from referee.answers import Seat

EntryPlace = tuple[int, int, Seat]
"""View, height, seat."""


@dataclass(slots=True)
class Voting:
    ledger: Ledger
    courier: Courier
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
    _held: dict[EntryPlace, set[Seat]] = field(default_factory=dict)
    """Entries that others have shown to have had before any vote of theirs."""
    _locked_out: dict[EntryPlace, Entry] = field(default_factory=dict)

    @property
    def _game(self) -> bytes:
        return self.ledger.genesis.id

    # -- who may vote about whom -----------------------------------------------------------

    def live(self) -> set[Seat]:
        """The keepers of monsters in the game."""
        return keepers(self.ledger.genesis.players, self.ledger.game.state.alive())

    def absent(self) -> set[Seat]:
        """Live keepers of whom nothing is heard, or whose bots have gone."""
        players, alive = self.ledger.genesis.players, self.ledger.game.state.alive()
        gone = [s for s in alive if s in self.attendance.gone and s not in self.ledger.farewells]
        return keepers(players, gone)

    def look(self, now: float) -> None:
        """Opens a vote, or ends one that has lost its reason."""
        players, alive = self.ledger.genesis.players, self.ledger.game.state.alive()
        votable = self.attendance.votable(now)
        out = keepers(players, votable) | self.absent() if votable else set()
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
                    enough(len(voters), len(self.live())),
                    self.seat in voters,
                )
            )

    # -- words ---------------------------------------------------------------------------

    def say(self, verb: Verb, seats: tuple[Seat, ...], now: float) -> None:
        """Tells everybody what this seat wants."""
        self._serial += 1
        place = (0, self.ledger.turns) if verb in (Verb.PAUSE, Verb.GO) else self.ledger.place
        word = Word.sign(self.signer, self._game, self.seat, self._serial, verb, place, seats)
        self._keep(word, now)
        self.courier.broadcast(word.signed)

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
            self.courier.pass_on(source, word.seat, signed)

    def words(self) -> list[Signed]:
        """Everything that is still wanted, for somebody who has just come."""
        return [w.signed for w in (*self.wants.values(), *self._clock_words.values())]

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
        turn = (word.seat, self.ledger.turns)
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
            and enough(len(voters), len(self.live()))
            and all(self._would_drop(v) or v in self.ledger.farewells for v in voters)
        )

    def _would_drop(self, voter: Seat) -> bool:
        word = self.wants.get(voter)
        if word is None or word.verb is not Verb.DROP:
            return False
        return word.place == self.ledger.place and word.seats == self.open

    def sign(self) -> Moved | None:
        """This seat's vote against the accused of the open vote; None if it was signed before,
        or if it would contradict an earlier one."""
        view, height = self.ledger.place
        before = {s for v, w, h, s in self.ledger.drops if (v, w, h) == (self.seat, view, height)}
        if before and not before < set(self.open):
            return None
        vote = Vote.sign(
            self.signer,
            self._game,
            (view, height),
            self.ledger.head,
            self.seat,
            Choice.DROP,
            self.open,
        )
        moved = self.ledger.vote(vote)
        if moved is not None:
            self.courier.effects.append(Append(vote.signed))
            self.courier.broadcast(vote.signed)
        return moved

    def take(self, source: Seat, vote: Vote, now: float) -> Moved | None:
        """A vote of another seat. Raises Forged or Cheat."""
        if vote.choice is Choice.HELD:
            self._take_held(source, vote)
            return None
        try:
            moved = self.ledger.vote(vote)
        except Early:
            self.courier.want(source, now)
            return None
        except (Stale, Fork):
            self._show_held(vote)
            return None
        if moved is not None:
            self.courier.effects.append(Append(vote.signed))
            self.courier.pass_on(source, vote.seat, vote.signed)
            if not moved.dropped:
                self._show_held(vote)
        return moved

    def _show_held(self, vote: Vote) -> None:
        """Somebody votes against a seat whose entry has come to us: show it."""
        ledger = self.ledger
        if vote.view != ledger.view or vote.height > ledger.height:
            return
        entries = [e for s in vote.seats if (e := ledger.entry(vote.height, s)) is not None]
        for entry in entries:
            self.courier.broadcast(entry.signed)
        held = tuple(
            e.seat for e in entries if (self.seat, *vote.place, e.seat) not in ledger.drops
        )
        if held and self.seat in self.live() and self.seat not in vote.seats:
            self.hold(vote.place, held)

    def hold(self, place: tuple[int, int], seats: tuple[Seat, ...]) -> None:
        """Tells all that this seat has entries of `seats` and will not vote against them."""
        head = self.ledger.heads[place[1]]
        shown = Vote.sign(self.signer, self._game, place, head, self.seat, Choice.HELD, seats)
        self.courier.broadcast(shown.signed)

    def _take_held(self, source: Seat, vote: Vote) -> None:
        players = self.ledger.genesis.players
        if vote.seat >= len(players) or not vote.signed.by(players[vote.seat].key):
            raise Forged("a signature that is not its seat's")
        if vote.seats[-1] >= len(players):
            raise Forged("a vote about nobody at this table")
        places = [(*vote.place, seat) for seat in vote.seats]
        if all(vote.seat in self._held.get(place, ()) for place in places):
            return
        for drop in self.ledger.ballots.all():
            same = (drop.seat, drop.place) == (vote.seat, vote.place)
            if same and set(drop.seats) & set(vote.seats):
                raise Cheat(
                    vote.seat,
                    CheatKind.EQUIVOCATION,
                    vote.height,
                    "voted, and held",
                    drop.signed,
                    vote.signed,
                )
        for place in places:
            self._held.setdefault(place, set()).add(vote.seat)
        self.courier.pass_on(source, vote.seat, vote.signed)

    # -- entries that a vote locks out -----------------------------------------------------

    def locks(self, entry: Entry) -> bool:
        """Whether this seat has voted against the entry's author there, and nobody else has
        shown the entry; it is kept until then."""
        place = (*entry.place, entry.seat)
        if (self.seat, *place) not in self.ledger.drops or entry.view != self.ledger.view:
            return False
        if any((seat, *place) not in self.ledger.drops for seat in self._held.get(place, ())):
            return False
        if entry.height >= self.ledger.final:
            self._locked_out[place] = entry
        return True

    def released(self) -> list[Entry]:
        """Entries that were kept and may be taken now."""
        found = [e for e in self._locked_out.values() if e.view == self.ledger.view]
        self._locked_out = {}
        return [entry for entry in found if not self.locks(entry)]

    def accused_by_others(self, entry: Entry) -> bool:
        """An entry has come that others have voted against: they need to know it."""
        place = (*entry.place, entry.seat)
        accusers = {v for v, *at in self.ledger.drops if tuple(at) == place}
        return bool(accusers) and self.seat not in accusers and self.seat != entry.seat

    def _show(self, notice: Notice) -> None:
        self.courier.effects.append(Show(notice))
