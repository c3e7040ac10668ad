"""What the players want: the vote that is open, intents about it, adjourning, pauses.

Scope: intents (`kotp2p.wire.intents`), which bind nobody, are in no log, and may be taken back;
which seats may vote here and now, and about which (PROTOCOL.md 9.5 and 9.8).
Not here: votes, which bind (`voting`), and the seconds of the clocks (`clocks`).

How it works: a vote is *open* here while a seat that owes something has been late or gone for long
enough. It is about all seats of all keepers that are away, as a vote about one of them would leave
the game waiting for the next. Only when all that must agree want the same at the same place do
their programs sign it.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass, field
from typing import NamedTuple

from kotp2p.absence_notices import (
    AdjournWanted,
    NoVote,
    Paused,
    PauseEnded,
    Voted,
    VoteEnded,
    VoteOpened,
)
from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Forged, require_signed_by_seat
from kotp2p.mesh.effects import ShowNotice
from kotp2p.mesh.gossip import Gossip
from kotp2p.notices import Notice
from kotp2p.wire.crypto import Signer
from kotp2p.wire.entries import Signed
from kotp2p.wire.intents import Intent, IntentKind
from kotp2p.wire.votes import is_majority, keepers_of, seats_kept_by
from kotp2p.wishes.clocks import MAX_PAUSE_SECONDS, SeatClocks
from referee.model.answers import Seat


class HeldUp(NamedTuple):
    """What waits for votes that may never come."""

    waiting: frozenset[Seat]
    """The keepers that have voted so, and are bound by it."""
    lacked: frozenset[Seat]
    """The absent keepers whose votes these need."""


NOTHING_HELD_UP = HeldUp(frozenset(), frozenset())


@dataclass(slots=True)
class Intents:
    ledger: Ledger
    gossip: Gossip
    clocks: SeatClocks
    seat: Seat
    signer: Signer
    find_convicted: Callable[[], Set[Seat]]
    """The keepers that a proof convicts at the present place."""
    find_held_seats: Callable[[], Set[Seat]]
    """The seats whose entry for the present place is here, but must not be taken yet."""
    find_held_up: Callable[[], HeldUp]
    """Which keepers votes hold up that absent keepers alone have not signed."""
    find_bound: Callable[[tuple[Seat, ...]], Set[Seat]]
    """The keepers whose votes without proofs against just these seats, here, bind them."""
    open_vote: tuple[Seat, ...] = ()
    """The accused of the vote that is open here; empty if none is."""
    newest: dict[Seat, Intent] = field(default_factory=dict)
    """The newest intent of each seat about votes and adjourning."""
    _about_clocks: dict[Seat, Intent] = field(default_factory=dict)
    """The newest intent of each seat about pauses."""
    _paused: set[tuple[Seat, int]] = field(default_factory=set)
    """Seat and turn of each pause that was used: a seat has one in a turn."""
    _wanted_drops: set[tuple[tuple[int, int], tuple[Seat, ...]]] = field(default_factory=set)
    """Each place at which this player has wanted to go on without some, and without which."""
    _began_at: tuple[int, int] = field(init=False)
    """The last place at which an earlier process of this seat may have said what it wants."""
    _serial: int = 0

    def __post_init__(self) -> None:
        self._began_at = self.ledger.place

    # -- the open vote -------------------------------------------------------------------

    def live_keepers(self) -> set[Seat]:
        """The keepers of monsters in the game."""
        return keepers_of(self.ledger.genesis.players, self.ledger.game.state.seats_alive())

    def absent_keepers(self) -> set[Seat]:
        """Live keepers of which nothing is heard, or whose bots have gone."""
        players, alive = self.ledger.genesis.players, self.ledger.game.state.seats_alive()
        # A farewell from a later place excuses nobody from what is owed here.
        excused = set(self.ledger.farewells) - set(self.ledger.owing_seats())
        gone = [s for s in alive if s in self.clocks.gone_since and s not in excused]
        return keepers_of(players, gone)

    def update_open_vote(self, now: float) -> None:
        """Opens a vote, or ends one that has lost its reason."""
        votable = self._find_votable_seats(now)
        if not votable and not self.open_vote:
            return
        players, alive = self.ledger.genesis.players, self.ledger.game.state.seats_alive()
        out = keepers_of(players, votable) | self.absent_keepers() if votable else set()
        if out:
            # Those that a proof convicts are voted out anyhow. Two votes about two sets of seats
            # would both lack the keepers that signed the other one.
            out |= self.find_convicted() & self.live_keepers()
            while silent := self._leavers_without_vote(out):
                out |= silent
        accused = tuple(sorted(seats_kept_by(players, out, alive)))
        if accused == self.open_vote:
            return
        if self.open_vote:
            self._show(VoteEnded(self.open_vote))
        self.open_vote = accused
        if accused:
            needed = self.live_keepers() - out
            by, can_pass = tuple(sorted(needed)), self._are_enough(needed)
            self._show(VoteOpened(accused, by, can_pass, self.seat in needed))

    def _find_votable_seats(self, now: float) -> set[Seat]:
        """The seats that are a reason for a vote. Where votes wait for absent keepers alone, these
        are, if they are asked here: one of them may have left, or have signed all that it owes."""
        votable = set(self.clocks.votable_seats(now))
        if votable:
            votable -= self.excused_seats()
        lacked = self.find_held_up().lacked
        return votable | {
            seat
            for seat in lacked.intersection(self.ledger.chain.starts[-1].asked)
            if seat in self.ledger.farewells or self.clocks.is_long_gone(seat, now)
        }

    def excused_seats(self) -> set[Seat]:
        """The seats that are there, and that votes keep from signing what they owe, or whose entry
        must not be taken yet. Votes about them and others lock those that have voted. Some that had
        not voted so had taken such an entry: each half wanted other seats out, for ever."""
        kept = {*self.find_held_up().waiting, *self.find_held_seats()}
        return kept - self.clocks.gone_since.keys()

    def _leavers_without_vote(self, out: set[Seat]) -> set[Seat]:
        """The other live keepers that leave from a later place and have not voted here against
        `out`. Their votes would be needed, and will never come: nobody could go on."""
        ledger, live = self.ledger, self.live_keepers()
        accused = tuple(
            sorted(seats_kept_by(ledger.genesis.players, out, ledger.game.state.seats_alive()))
        )
        votes = ledger.tally.all_votes()
        voted = {v.seat for v in votes if (v.height, v.seats) == (ledger.height, accused)}
        said = ledger.farewells
        return {k for k in live - out - voted if k in said and said[k].place > ledger.place}

    def is_agreed(self) -> bool:
        """All that must agree want to go on without the accused of the open vote."""
        if not self.open_vote:
            return False
        needed = self.live_keepers() - keepers_of(self.ledger.genesis.players, self.open_vote)
        wanting = {s for s in needed if self.wants_drop(s) or s in self.ledger.farewells}
        return (
            self.seat in needed
            and self._are_enough(needed)
            # After a power failure a keeper has its vote and no longer its wish. Where no vote is
            # open it cannot wish again: a cheat once showed its late entry to that keeper alone,
            # whose vote kept it from taking the entry, and the others waited for ever.
            and needed <= wanting | self.find_bound(self.open_vote)
        )

    def wants_drop(self, keeper: Seat) -> bool:
        """Whether `keeper` wants to go on without just these seats, here. What was said at another
        place is over: the accused may have answered since."""
        intent = self.newest.get(keeper)
        if intent is None or intent.kind is not IntentKind.DROP:
            return False
        return intent.place == self.ledger.place and intent.seats == self.open_vote

    def may_have_wanted(self, place: tuple[int, int], seats: tuple[Seat, ...]) -> bool:
        """Whether this player has wanted at any time to go on there without just these seats, as
        far as this process can know."""
        return (place, seats) in self._wanted_drops or place <= self._began_at

    def _are_enough(self, needed: set[Seat]) -> bool:
        """A keeper that no proof convicts here counts, even if one did before votes undid the place
        of its offence. A vote could not name that proof, and would be in vain."""
        return is_majority(len(needed), len(self.live_keepers() - self.find_convicted()))

    # -- adjourning ----------------------------------------------------------------------

    def present_keepers(self) -> set[Seat]:
        """The live keepers that are there: those that must agree to stop here."""
        return self.live_keepers() - self.absent_keepers() - set(self.ledger.farewells)

    def keepers_playing_on(self) -> tuple[Seat, ...]:
        """The present keepers that do not want to stop here."""
        return tuple(sorted(s for s in self.present_keepers() if not self._wants_adjourn(s)))

    def find_adjourn_wishes(self) -> dict[Seat, bytes]:
        """By present keeper: the intent to stop here, if all of them have it; else nothing."""
        if not any(self._wants_adjourn(s) for s in self.newest) or self.keepers_playing_on():
            return {}
        return {seat: self.newest[seat].signed.body for seat in sorted(self.present_keepers())}

    def _wants_adjourn(self, seat: Seat) -> bool:
        return seat in self.newest and self.newest[seat].kind is IntentKind.ADJOURN

    # -- intents -------------------------------------------------------------------------

    def declare_intent(self, kind: IntentKind, seats: tuple[Seat, ...], now: float) -> None:
        """Tells all seats what this seat wants."""
        self._serial += 1
        is_about_clocks = kind in (IntentKind.PAUSE, IntentKind.GO)
        place = (0, self.ledger.chain.turns) if is_about_clocks else self.ledger.place
        game = self.ledger.genesis.id
        intent = Intent.sign(self.signer, game, self.seat, self._serial, kind, place, seats)
        if kind is IntentKind.DROP:
            self._wanted_drops.add((place, seats))
        self._note_intent(intent, now)
        self.gossip.broadcast(intent.signed)

    def explain_needless_vote(self, kind: IntentKind, now: float) -> None:
        """Tells a player that votes while no vote is open when one could be."""
        own = self.newest.get(self.seat)
        takes_back = own is not None and own.kind in (IntentKind.DROP, IntentKind.ADJOURN)
        is_vote = kind is IntentKind.DROP or (kind is IntentKind.WAIT and not takes_back)
        if is_vote and not self.open_vote:
            players, owing = self.ledger.genesis.players, self.ledger.owing_seats()
            others = [s for s in owing if players[s].keeper != self.seat]
            seconds = [self.clocks.votable_in(s, now) for s in others]
            self._show(NoVote(tuple(zip(others, seconds, strict=True))))

    def receive_intent(self, source: Seat, signed: Signed, now: float) -> None:
        """An intent of some seat. Raises BadBytes or Forged."""
        intent = Intent.parse(signed, self.ledger.genesis.id)
        players = self.ledger.genesis.players
        require_signed_by_seat(players, intent.seat, signed, "intent")
        if any(seat >= len(players) for seat in intent.seats):
            raise Forged("an intent about nobody at this table")
        if intent.seat == self.seat and intent.serial > self._serial:
            self._note_own_intent(intent, now)
            return
        known = (self._about_clocks if intent.is_about_clocks else self.newest).get(intent.seat)
        if known is not None and intent.rank < known.rank:
            self.gossip.send(source, known.signed)
        elif intent.seat != self.seat and (known is None or intent.rank > known.rank):
            self._note_intent(intent, now)
            self.gossip.spread_news(source, intent.seat, signed)

    def _note_own_intent(self, intent: Intent, now: float) -> None:
        """What an earlier process of this seat has said. Nobody may show it later as the wish of
        this player to stop."""
        self._serial = intent.serial
        if intent.kind is IntentKind.DROP:
            self._wanted_drops.add((intent.place, intent.seats))
        if intent.kind is IntentKind.ADJOURN:
            self.declare_intent(IntentKind.WAIT, (), now)

    def newest_wishes(self) -> list[Signed]:
        """What all have wanted last about votes and adjourning."""
        return [intent.signed for intent in self.newest.values()]

    def bodies_for_new_link(self) -> list[Signed]:
        """All that is still wanted, for a peer that has just come."""
        return [*self.newest_wishes(), *(i.signed for i in self._about_clocks.values())]

    def _note_intent(self, intent: Intent, now: float) -> None:
        # A seat that is out has no say here, nor has a bot.
        has_say = intent.seat in self.live_keepers()
        if intent.is_about_clocks:
            self._about_clocks[intent.seat] = intent
            if has_say or intent.kind is IntentKind.GO:
                self._pause(intent, now)
            return
        before = self.newest.get(intent.seat)
        self.newest[intent.seat] = intent
        if not has_say:
            return
        was = before.kind if before is not None else IntentKind.WAIT
        if intent.kind is IntentKind.ADJOURN and was is not IntentKind.ADJOURN:
            self._show(AdjournWanted(intent.seat, True, self.keepers_playing_on()))
        elif intent.kind is not IntentKind.ADJOURN and was is IntentKind.ADJOURN:
            self._show(AdjournWanted(intent.seat, False, ()))
        if intent.kind is IntentKind.DROP and intent.place == self.ledger.place:
            self._show(Voted(intent.seat, intent.seats))
        elif before is not None and was is IntentKind.DROP and before.place == self.ledger.place:
            self._show(Voted(intent.seat, ()))

    def _pause(self, intent: Intent, now: float) -> None:
        """A pause is told by the number of its turn: an old one that comes late stops nothing."""
        pauses = self.clocks.paused_until
        turn = (intent.seat, self.ledger.chain.turns)
        if intent.kind is IntentKind.GO and pauses.pop(intent.seat, None) is not None:
            self._show(PauseEnded(intent.seat))
        elif (
            intent.kind is IntentKind.PAUSE
            and intent.height == turn[1]
            and turn not in self._paused
        ):
            self._paused.add(turn)
            pauses[intent.seat] = now + MAX_PAUSE_SECONDS
            self._show(Paused(intent.seat, int(MAX_PAUSE_SECONDS)))

    def _show(self, notice: Notice) -> None:
        self.gossip.effects.append(ShowNotice(notice))
