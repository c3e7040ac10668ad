"""Keepers that hold up the others, and what their players are offered (PROTOCOL.md 9.4).

Scope: how long each keeper has held up the game, offers to go on without it, and the wishes of
this keeper.
Not here: what the wishes of all come to (`kotp2p.lineup.plan`). Time is never an input of the
referee: nobody is put out by a clock.

How it works: a keeper holds up the others while it owes something at the place, or while a change
of line-up waits for it. These times add up from one closed gather to the next. After a minute it is
*late*, and the player is offered to go on without it. It is late until it gives what it owes. A
player who has not answered for two minutes goes along with the others where these agree, and a
program without a player does so at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Finished, Solo
from kotp2p.lineup.attempts import Attempts
from kotp2p.lineup.plan import Facts
from kotp2p.referee.model.answers import Seat
from kotp2p.wire.crypto import Signer
from kotp2p.wire.entries import Signed
from kotp2p.wire.lineups import Change, Reason, sign_wish

OFFER_AFTER_SECONDS = 60.0
"""How long a keeper may hold up the others before they are offered to go on without it."""
LATE_AFTER_SECONDS = 10.0
"""The same for a keeper that has used up its account, and for a witness."""
ACCOUNT_SECONDS = 300.0
"""How long a keeper may hold up the others in a whole game, beyond `LATE_AFTER_SECONDS` each time.
What a player thinks about a decision is not counted: that is what clocks are for."""
ANSWER_SECONDS = 120.0
"""A player who has not answered an offer for this long goes along with the others."""
WISH_SECONDS = 60.0
"""A wish that has come to nothing ends after this long: while it has, the place may move, or others
are seen to be missing. It is made again after `LATE_AFTER_SECONDS`, without a question."""
SAMPLE_SECONDS = 5.0
"""How often the times are added up while a keeper holds up the game."""


@dataclass(frozen=True, slots=True)
class Offered:
    """What the player is offered now."""

    seats: tuple[Seat, ...] = ()
    """The keepers to go on without, ascending."""
    can_go_on: bool = False
    """Whether those who would stay are enough."""


@dataclass(slots=True)
class Absence:
    ledger: Ledger
    facts: Facts
    attempts: Attempts
    seat: Seat
    signer: Signer
    send: Callable[[Signed], None]
    deadline: float = math.inf
    offered: Offered = field(default_factory=Offered)
    refused: dict[Seat, bytes] = field(default_factory=dict)
    """The processes that this program does not want back by itself."""
    _held: dict[Seat, float] = field(default_factory=dict)
    """By keeper: how long it has held up the others since the last gather has closed."""
    _stalled: dict[Seat, float] = field(default_factory=dict)
    """The same while this keeper stood still for a change of line-up: a player may think for long,
    a program answers at once."""
    _spent: dict[Seat, float] = field(default_factory=dict)
    """By keeper: what it has used of its account."""
    _late: set[Seat] = field(default_factory=set)
    _resting: set[Seat] = field(default_factory=set)
    """Late keepers about which a wish has come to nothing, and is made again soon."""
    _agreed: dict[Seat, bool] = field(default_factory=dict)
    """By late keeper: what the player has answered since the last gather has closed."""
    _wished_at: dict[Seat, float] = field(default_factory=dict)
    """By keeper: since when this one wishes to go on without it."""
    _gather: int = 0
    _since: float = 0.0
    """Until when the times are added up."""
    _offered_at: float = 0.0
    """Since when a keeper is late."""
    _was_late: bool = False
    _stops: bool = False
    _is_away: bool = False

    # -- time ------------------------------------------------------------------------------

    def begin(self, now: float) -> None:
        self._since = now
        self.deadline = now + SAMPLE_SECONDS

    def excuse_silence(self, now: float) -> None:
        """Excuse the others: this machine was stopped, and has not waited for them."""
        self._since = now

    def note_step(self, now: float) -> None:
        """Note that the game has moved: those who owe something now begin to hold it up."""
        if math.isinf(self.deadline):
            self._since = now  # nobody has held up the others: this player alone has
        if now - self._since >= SAMPLE_SECONDS or self.offered.seats:
            self.advance(now)
        else:
            self._since = now
            self.deadline = min(self.deadline, now + SAMPLE_SECONDS)

    def advance(self, now: float) -> None:
        """Add up the times, and renew the offer and the wish that follow from them."""
        holding, passed = self._holding_up(), now - self._since
        self._since = now
        if self.ledger.floor != self._gather:
            self._gather, self._agreed = self.ledger.floor, {}
            self._held, self._stalled = {}, {}
        for keeper in holding:
            self._add_time(keeper, passed)
        for keeper in self._late | self._resting:
            if keeper not in self.ledger.roster.members or self._has_given(keeper):
                self._forget(keeper)
        self._rest_wishes(now)
        for keeper in holding:
            if self._times()[keeper] >= self._limit(keeper):
                self._late.add(keeper)
                self._resting.discard(keeper)
        self.deadline = now + SAMPLE_SECONDS if holding or self._late else math.inf
        self._offer(now)
        self._renew_wish(now)

    def _times(self) -> dict[Seat, float]:
        """Return what is added up now."""
        return self._stalled if self.attempts.stands_still() else self._held

    def _add_time(self, keeper: Seat, passed: float) -> None:
        times = self._times()
        before = times.get(keeper, 0.0)
        times[keeper] = before + passed
        if not self._thinks(keeper):
            beyond = max(0.0, before + passed - LATE_AFTER_SECONDS)
            self._spent[keeper] = self._spent.get(keeper, 0.0) + min(passed, beyond)

    def _forget(self, keeper: Seat) -> None:
        self._late.discard(keeper)
        self._resting.discard(keeper)

    def _rest_wishes(self, now: float) -> None:
        """Let wishes rest that have come to nothing for a minute."""
        for keeper, since in list(self._wished_at.items()):
            if keeper in self._late and now >= since + WISH_SECONDS:
                self._late.discard(keeper)
                self._resting.add(keeper)
                self._times()[keeper] = self._limit(keeper) - LATE_AFTER_SECONDS

    def has_spent_account(self, keeper: Seat) -> bool:
        return self._spent.get(keeper, 0.0) >= ACCOUNT_SECONDS

    def _holding_up(self) -> tuple[Seat, ...]:
        """Return the other members that the game waits for.

        While a member is bound none may open, so what is owed at the place counts for none. While
        this keeper is READY, those that stay owe READY and their assent in its place.
        """
        ledger, attempts = self.ledger, self.attempts
        if isinstance(ledger.step, Finished):
            return ()  # the end is written without them
        found = {*attempts.waited_for(), *self._slow_to_agree()}
        if not (ledger.is_stirred and attempts.bound_members()):
            found |= set(ledger.chain.owing_keepers()) - attempts.staying()
        return tuple(sorted((found & ledger.roster.members) - {self.seat}))

    def _has_given(self, keeper: Seat) -> bool:
        """Return whether a late keeper has given what it owed.

        That is an entry, or READY or an assent like this keeper's.
        """
        if self.attempts.stands_still():
            return self.attempts.has_done_its_part(keeper)
        return keeper not in self.ledger.chain.owing_keepers()

    def _slow_to_agree(self) -> tuple[Seat, ...]:
        """Return the members that do not wish away whom more than half wish away."""
        members, slow = self.ledger.roster.members, set[Seat]()
        for other in members:
            wishing = {k for k in members - {other} if self.facts.goes_without(k, other)}
            if 2 * len(wishing) > len(members):
                slow |= members - wishing - {other}
        return tuple(sorted(slow))

    def _thinks(self, keeper: Seat) -> bool:
        """Return whether a keeper owes a decision: a player thinks, no program is late."""
        if self.attempts.stands_still():
            return False
        step = self.ledger.step
        return isinstance(step, Solo) and self.ledger.roster.keepers[step.seat] == keeper

    def _limit(self, keeper: Seat) -> float:
        """Return after how many seconds the others are offered to go on without a keeper."""
        ledger = self.ledger
        alive = ledger.game.state.seats_alive()
        if not ledger.roster.seats_of(keeper, alive) or self.has_spent_account(keeper):
            return LATE_AFTER_SECONDS
        if self._thinks(keeper) and isinstance(ledger.step, Solo):
            clocks, own = ledger.genesis.charter.clocks, ledger.step.seat
            is_own_turn = own == ledger.game.state.active
            return max(OFFER_AFTER_SECONDS, float(clocks.turn if is_own_turn else clocks.reaction))
        if keeper in self._slow_to_agree() and keeper not in ledger.chain.owing_keepers():
            return ANSWER_SECONDS
        return OFFER_AFTER_SECONDS

    # -- the offer and the wish --------------------------------------------------------------

    def _offer(self, now: float) -> None:
        if not self._was_late:
            self._offered_at = now
        self._was_late = bool(self._late | self._resting)
        late = tuple(sorted(self._late | self._resting | self._asked_about()))
        # Of those that are late, as many are put out as all others agree on and can do without.
        chain = self.ledger.chain
        is_member, are_enough = self.seat in chain.roster.members, chain.are_enough
        can_go_on = is_member and any(are_enough((Change(k, Reason.ABSENT),)) for k in late)
        self.offered = Offered(late, can_go_on)

    def _asked_about(self) -> set[Seat]:
        """Return the keepers that hold up the game and that another member wishes away.

        They are late as soon as this player says so, too.
        """
        others = self.ledger.roster.members - {self.seat}
        return {
            keeper
            for keeper in self._holding_up()
            if any(self.facts.goes_without(other, keeper) for other in others - {keeper})
        }

    def go_on(self, bot: bool, now: float) -> None:
        """Note that the player goes on without the offered keepers, or rather waits."""
        self._agreed |= dict.fromkeys(self.offered.seats, bot)
        if bot:
            self._late |= self._asked_about() & set(self.offered.seats)
        self.advance(now)

    def stop_today(self, wanted: bool, now: float) -> None:
        self._stops = wanted
        self._renew_wish(now)

    def let_bot_play(self, now: float) -> None:
        self._is_away = True
        self._renew_wish(now)

    def let_back(self, keeper: Seat, now: float) -> None:
        self.refused.pop(keeper, None)
        self._renew_wish(now)

    def refuse(self, keeper: Seat, instance: bytes, now: float) -> None:
        """Refuse a process that wants to come back, until its player says otherwise."""
        self.refused[keeper] = instance
        self._renew_wish(now)

    def note_return(self, now: float) -> None:
        """Note that this process has come back: earlier wishes do not hold."""
        self._is_away = self._stops = False
        self._renew_wish(now)

    def missing_for(self, without: tuple[Seat, ...]) -> tuple[Seat, ...]:
        """Return the members that have not agreed to go on without these keepers."""
        staying = self.ledger.roster.members - set(without)
        return tuple(sorted(
            k for k in staying if not all(self.facts.goes_without(k, other) for other in without)
        ))  # fmt: skip

    def missing_to_stop(self, gone: frozenset[Seat]) -> tuple[Seat, ...]:
        """Return the present members that do not want to stop for today."""
        wishes, here = self.facts.wishes, self.ledger.roster.members - gone
        return tuple(sorted(k for k in here if k not in wishes or not wishes[k].stops))

    def _without(self, now: float) -> tuple[Seat, ...]:
        """Return the keepers that this one would go on without.

        Where all that are offered are too many, those about which others agree may do.
        """
        if self.seat not in self.ledger.roster.members:
            return ()
        alive, roster = self.ledger.game.state.seats_alive(), self.ledger.roster
        found = {k for k in self._late if self._agreed.get(k)}
        found |= {k for k in self._late if not roster.seats_of(k, alive)}  # gone witnesses
        open_ones = {k for k in self._late if k not in self._agreed}
        if open_ones and self._goes_along(now):
            found |= {k for k in open_ones if self._others_agree(k)}
        return tuple(sorted(found))

    def _goes_along(self, now: float) -> bool:
        """Return whether this program agrees with the others by itself."""
        is_program = self.ledger.genesis.players[self.seat].automatic
        due = self._offered_at + ANSWER_SECONDS
        if not is_program and now < due:
            self.deadline = min(self.deadline, due)
        return is_program or now >= due

    def _others_agree(self, keeper: Seat) -> bool:
        """Return whether all others who would stay wish a keeper away.

        Where only programs would stay, they agree by themselves.
        """
        players = self.ledger.genesis.players
        staying = self.ledger.roster.members - self._late - {keeper, self.seat}
        persons = {other for other in staying if not players[other].automatic}
        asked = persons or (set() if players[self.seat].automatic else staying)
        if not asked:
            return players[self.seat].automatic
        return all(self.facts.goes_without(other, keeper) for other in asked)

    def _renew_wish(self, now: float) -> None:
        """Sign a new wish, if this keeper wants something else than its last one says."""
        known = self.facts.wishes.get(self.seat)
        without, refused = self._without(now), tuple(sorted(self.refused.items()))
        self._wished_at = {keeper: self._wished_at.get(keeper, now) for keeper in without}
        wanted = (without, refused, self._stops, self._is_away)
        if known is None:
            is_same = wanted == ((), (), False, False)
        else:
            is_same = wanted == (known.without, known.refused, known.stops, known.is_away)
        if is_same:
            return
        wish = sign_wish(
            self.signer,
            self.ledger.genesis.id,
            self.seat,
            known.serial + 1 if known is not None else 1,
            without=without,
            refused=refused,
            stops=self._stops,
            is_away=self._is_away,
        )
        self.facts.accept_wish(wish)
        self.send(wish.signed)
