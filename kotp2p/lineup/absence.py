"""Keepers that hold up the others, the offers to go on without them, and their return.

Scope: how long each keeper has held up the game, offers to go on without it, and the wishes of this
keeper (PROTOCOL.md 9.4); the HERE of a process that comes back, what it may sign, and which
processes this program does not want back by itself (9.5). Time is never an input of the referee:
nobody is put out by a clock.

How it works: a keeper holds up the others while it owes something at the place, or while a change
of line-up waits for it. These times add up from one closed gather to the next. After a minute it is
*late*, and the player is offered to go on without it. It is late until it gives what it owes. A
player who has not answered for two minutes goes along with the others where these agree, and a
program without a player does so at once.
"""

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Begun, Finished, Solo
from kotp2p.lineup.attempts import Attempts
from kotp2p.lineup.plan import WORDS_SECONDS, Facts
from kotp2p.referee.model.answers import Seat
from kotp2p.seams.notices import AskedBecause
from kotp2p.wire.crypto import Signer
from kotp2p.wire.entries import INSTANCE_BYTES, Place, Signed
from kotp2p.wire.lineups import Here, Reason, sign_wish

OFFER_AFTER_SECONDS = 60.0
"""How long a keeper may hold up the others before they are offered to go on without it."""
LATE_AFTER_SECONDS = 10.0
"""The same for a keeper that has used up its account."""
ACCOUNT_SECONDS = 300.0
"""How long a keeper may hold up the others in a whole game, beyond `LATE_AFTER_SECONDS` each time.
What a player thinks about a decision is not counted: that is what clocks are for."""
ANSWER_SECONDS = 120.0
"""A player who has not answered an offer for this long goes along with the others."""
WISH_SECONDS = 60.0
"""A wish that has come to nothing ends after this long: while it has, the place may move, or others
are seen to be missing. It is made again after `LATE_AFTER_SECONDS`, without a question."""
MAX_NEW_WISHES = 6
"""How often in `WORDS_SECONDS` a program changes it by itself: others could make it restless."""
SAMPLE_SECONDS = 5.0
"""How often the times are added up while a keeper holds up the game."""


@dataclass(frozen=True, slots=True)
class Offered:
    """What the player is offered now."""

    seats: tuple[Seat, ...] = ()
    can_go_on: bool = False


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
    gone: Collection[Seat] = ()
    """Whom this process does not reach at present."""
    _held: dict[Seat, float] = field(default_factory=dict)
    """By keeper: how long it has held up the others since the last gather has closed."""
    _stalled: dict[Seat, float] = field(default_factory=dict)
    """The same while this keeper stood still for a change of line-up: programs answer at once."""
    _unshared: dict[Seat, float] = field(default_factory=dict)
    """The same while it only did not go without whom most go: that is up to its player."""
    _slow: set[Seat] = field(default_factory=set)
    """Who does only that at present."""
    _spent: dict[Seat, float] = field(default_factory=dict)
    _late: set[Seat] = field(default_factory=set)
    _limits: dict[Seat, float] = field(default_factory=dict)
    """By keeper that has been late: after how long it was."""
    _late_at: dict[Seat, Place] = field(default_factory=dict)
    _resting: set[Seat] = field(default_factory=set)
    """Late keepers about which a wish has come to nothing, and is made again soon."""
    _forgiven: set[Seat] = field(default_factory=set)
    """Who was late at a change of line-up, and is no more, since the last closed gather."""
    _agreed: dict[Seat, bool] = field(default_factory=dict)
    """By late keeper: what the player has answered since the last gather has closed."""
    _wished_at: dict[Seat, float] = field(default_factory=dict)
    _signed_at: list[float] = field(default_factory=list)
    _draws: int = 0
    _line_up: int = 0
    _holding: tuple[Seat, ...] = ()
    _since: float = 0.0
    _offered_at: float = 0.0
    _was_late: bool = False
    _stops: bool = False
    _is_away: bool = False

    # -- time ------------------------------------------------------------------------------

    def begin(self, now: float) -> None:
        self._since = now
        self.deadline = now + SAMPLE_SECONDS

    def excuse_silence(self, now: float) -> None:
        """Excuse the others: this machine was stopped, and has not waited for them."""
        self._since = self._offered_at = now

    def note_step(self, now: float) -> None:
        """Note that the game has moved: those who owe something now begin to hold it up."""
        if now - self._since >= SAMPLE_SECONDS or self.offered.seats:
            self.advance(now)
        else:
            if self.ledger.attempt != self._line_up:
                # Line-ups may come faster than this looks, and need not bring the game on.
                for keeper in self._holding:
                    self._add_time(keeper, now - self._since)
                self._holding = self._holding_up(now)
            self._since = now
            self.deadline = min(self.deadline, now + SAMPLE_SECONDS)

    def look_soon(self, now: float) -> None:
        """Look again before long: where a line-up was looked for in vain, nothing else may stir."""
        if math.isinf(self.deadline):
            self._since = now
        self.deadline = min(self.deadline, now + SAMPLE_SECONDS)

    def advance(self, now: float) -> None:
        """Add up the times, and renew the offer and the wish that follow from them."""
        if math.isinf(self.deadline):
            self._since = now  # nobody has held up the others: this player alone has
        holding, passed = self._holding_up(now), now - self._since
        self._since = now
        if self.ledger.chain.draws > self._draws:
            self._draws, self._agreed = self.ledger.chain.draws, {}
            self._held, self._stalled, self._unshared = {}, {}, {}
            self._forgiven.clear()
        for keeper in holding:
            self._add_time(keeper, passed)
        self._holding = holding
        asking = self.attempts.disturbing(now) - self.ledger.roster.members
        for keeper in asking:  # it is not waited for again and again, a few seconds each time
            self._spent[keeper] = self._spent.get(keeper, 0.0) + passed
        has_begun, self._line_up = self.ledger.attempt != self._line_up, self.ledger.attempt
        for keeper in self._late | self._resting:  # if one begins, all have given what they owe
            if (has_begun and keeper not in self._forgiven) or self._has_given(keeper, now):
                if has_begun or self.attempts.stands_still():
                    self._forgiven.add(keeper)
                self._late.discard(keeper)
                self._resting.discard(keeper)
                self._give_time(keeper)
        self._rest_wishes(now)
        for keeper in holding:
            limit = self._limit(keeper)
            if self._times(keeper)[keeper] >= limit:
                self._late.add(keeper)
                self._limits[keeper], self._late_at[keeper] = limit, self.ledger.place
                self._resting.discard(keeper)
        is_held = holding or asking or self._late
        self.deadline = now + SAMPLE_SECONDS if is_held else math.inf
        self._offer(self._asked_about(holding), now)
        self._renew_wish(now)

    def _times(self, keeper: Seat) -> dict[Seat, float]:
        """Return the times, by keeper, to which that of a keeper is added at present."""
        if keeper in self._slow:
            return self._unshared
        return self._stalled if self.attempts.stands_still() else self._held

    def _add_time(self, keeper: Seat, passed: float) -> None:
        times = self._times(keeper)
        before = times.get(keeper, 0.0)
        times[keeper] = before + passed
        if not self._thinks(keeper):
            beyond = max(0.0, before + passed - LATE_AFTER_SECONDS)
            self._spent[keeper] = self._spent.get(keeper, 0.0) + min(passed, beyond)

    def _give_time(self, keeper: Seat) -> None:
        """Let a keeper that was late hold up the others a little longer before it is late again.

        Otherwise it would be late at the beginning of each attempt, until its READY comes.
        """
        limit = self._limits.get(keeper, LATE_AFTER_SECONDS)
        for times in (self._held, self._stalled, self._unshared):
            times[keeper] = min(times.get(keeper, 0.0), limit - LATE_AFTER_SECONDS)

    def _rest_wishes(self, now: float) -> None:
        """Let wishes rest that have come to nothing for a minute."""
        for keeper, since in list(self._wished_at.items()):
            if keeper in self._late and now >= since + WISH_SECONDS:
                self._late.discard(keeper)
                self._resting.add(keeper)
                self._give_time(keeper)
                self._times(keeper)[keeper] = self._limit(keeper) - LATE_AFTER_SECONDS

    def has_spent_account(self, keeper: Seat) -> bool:
        return self._spent.get(keeper, 0.0) >= ACCOUNT_SECONDS

    def _holding_up(self, now: float) -> tuple[Seat, ...]:
        """Return the other members that the game waits for."""
        owing, slow = self._owing(now), self._slow_to_agree()
        found, self._slow = owing | slow, slow - owing
        if isinstance(self.ledger.step, Finished):
            # The end is written without them. While it may be undone, who has signed it stays.
            if not self.attempts.stands_still():
                found = set()
            elif not self.attempts.stays_at_end():
                found -= self.attempts.confirming()
        return tuple(sorted((found & self.ledger.roster.members) - {self.seat}))

    def _owing(self, now: float) -> set[Seat]:
        """Return who owes an entry, READY or an assent."""
        # While a member is bound none may open, so what is owed at the place counts for none. While
        # this keeper is READY, those that stay owe READY and their assent in its place.
        ledger, attempts = self.ledger, self.attempts
        found = {*attempts.waited_for(), *attempts.disturbing(now)}
        if not (ledger.is_stirred and attempts.bound_members()):
            found |= set(ledger.chain.owing_keepers()) - attempts.staying()
        return found

    def _has_given(self, keeper: Seat, now: float) -> bool:
        """Return whether a late keeper has given what it owed: an entry, READY or assent."""
        attempts = self.attempts
        if keeper in self._slow_to_agree():
            return False
        if attempts.stands_still():
            # One that is READY where it is late, and never assents, must not be asked about again
            # and again for a moment alone.
            is_given = attempts.has_done_its_part(keeper) and keeper not in self._forgiven
            return is_given and keeper not in attempts.disturbing(now)
        has_moved = self._late_at.get(keeper, self.ledger.place) != self.ledger.place
        return has_moved or keeper not in self.ledger.chain.owing_keepers()

    def _slow_to_agree(self) -> set[Seat]:
        """Return the members that do not wish away whom more than half wish away."""
        members, slow = self.asked(), set[Seat]()
        for other in self.ledger.roster.members & self.facts.unwanted():
            wishing = {k for k in members - {other} if self.facts.goes_without(k, other)}
            if 2 * len(wishing) > len(members):
                slow |= members - wishing - {other}
        return slow

    def asked(self) -> frozenset[Seat]:
        """Return the members whose wishes count; those that go for good wish nothing any more."""
        return self.ledger.roster.members - self.ledger.convicts.keys() - self.ledger.leaves.keys()

    def _thinks(self, keeper: Seat) -> bool:
        step = self.ledger.step
        is_asked = isinstance(step, Solo) and self.ledger.roster.keepers[step.seat] == keeper
        return is_asked and not self.attempts.stands_still()

    def _limit(self, keeper: Seat) -> float:
        """Return after how many seconds the others are offered to go on without a keeper."""
        ledger = self.ledger
        if self.has_spent_account(keeper):
            return LATE_AFTER_SECONDS
        if self._thinks(keeper) and isinstance(ledger.step, Solo):
            clocks, own = ledger.genesis.charter.clocks, ledger.step.seat
            is_own_turn = own == ledger.game.state.active
            return max(OFFER_AFTER_SECONDS, float(clocks.turn if is_own_turn else clocks.reaction))
        return ANSWER_SECONDS if keeper in self._slow else OFFER_AFTER_SECONDS

    # -- the offer and the wish --------------------------------------------------------------

    def _offer(self, asked_about: set[Seat], now: float) -> None:
        if not self._was_late:
            self._offered_at = now
        self._was_late = bool(self._late | self._resting)
        late = tuple(sorted(self._late | self._resting | asked_about))
        # Of those that are late, as many are put out as all others agree on and can do without.
        is_member, can_do = self.seat in self.ledger.roster.members, self.facts.can_do_without
        can_go_on = is_member and any(can_do(keeper, now) for keeper in late)
        self.offered = Offered(late, can_go_on)

    def _asked_about(self, holding: tuple[Seat, ...]) -> set[Seat]:
        """Return who holds up the game and is wished away: late once this player says so, too."""
        others = self.asked() - {self.seat} - self._late - self._resting
        without, least = self.facts.goes_without, LATE_AFTER_SECONDS
        slow = {k for k in holding if self._times(k).get(k, 0.0) >= least}
        return {k for k in slow if any(without(other, k) for other in others - {k})}

    def go_on(self, bot: bool, now: float) -> None:
        """Note that the player goes on without the offered keepers, or rather waits."""
        known, offered = self.facts.wishes.get(self.seat), self.offered.seats
        rather_waits = not bot and any(self._agreed.get(k) is not False for k in offered)
        self._agreed |= dict.fromkeys(offered, bot)
        if bot:
            self._late |= self._asked_about(self._holding_up(now)) & set(offered)
        self.advance(now)
        if rather_waits and self.facts.wishes.get(self.seat) is known:
            self._renew_wish(now, again=True)

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
        staying = self.asked() - set(without)
        return tuple(sorted(
            k for k in staying if not all(self.facts.goes_without(k, other) for other in without)
        ))  # fmt: skip

    def missing_to_stop(self, gone: frozenset[Seat]) -> tuple[Seat, ...]:
        """Return the present members that do not want to stop for today."""
        wishes, here = self.facts.wishes, self.asked() - gone
        return tuple(sorted(k for k in here if k not in wishes or not wishes[k].stops))

    def _without(self, now: float) -> tuple[Seat, ...]:
        """Return the keepers to go on without; of too many, those about which others agree."""
        if self.seat not in self.ledger.roster.members:
            return ()
        alive, roster = self.ledger.game.state.seats_alive(), self.ledger.roster
        found = {k for k in self._late if self._agreed.get(k)}
        # Who is late only with its answer may have a player who still reads the offer.
        asked = {k for k in self._late if self._limits.get(k) == ANSWER_SECONDS}
        witnesses = {k for k in self._late - asked if not roster.seats_of(k, alive)}
        found |= self._late if self.attempts.stays_at_end() else witnesses
        open_ones = {k for k in self._late if k not in self._agreed}
        if open_ones and self._goes_along(now):
            found |= {k for k in open_ones if self._others_agree(k)}
        return tuple(sorted(found))

    def _goes_along(self, now: float) -> bool:
        is_program = self.ledger.genesis.players[self.seat].automatic
        due = self._offered_at + ANSWER_SECONDS
        if not is_program and now < due:
            self.deadline = min(self.deadline, due)
        return is_program or now >= due

    def _others_agree(self, keeper: Seat) -> bool:
        """Return whether all persons that are there wish a keeper away; programs go along."""
        players = self.ledger.genesis.players
        staying = self.asked() - self._late - {keeper, self.seat}
        persons = {other for other in staying if not players[other].automatic}
        asked = persons or (set() if players[self.seat].automatic else staying)
        if not asked:
            return players[self.seat].automatic
        agreeing = {other for other in asked if self.facts.goes_without(other, keeper)}
        return bool(agreeing) and asked.difference(agreeing) <= set(self.gone)

    def _renew_wish(self, now: float, *, again: bool = False) -> None:
        """Sign a new wish, if this keeper wants something else than its last one says.

        The same one `again` tells the others that the player would rather wait.
        """
        known = self.facts.wishes.get(self.seat)
        without, refused = self._without(now), tuple(sorted(self.refused.items()))
        self._wished_at = {keeper: self._wished_at.get(keeper, now) for keeper in without}
        said: tuple[object, ...] = ((), (), False, False)
        if known is not None:
            said = (known.without, known.refused, known.stops, known.is_away)
        if said == (without, refused, self._stops, self._is_away) and not again:
            return
        self._signed_at = [at for at in self._signed_at if at > now - WORDS_SECONDS]
        if said[2:] == (self._stops, self._is_away) and len(self._signed_at) >= MAX_NEW_WISHES:
            self.deadline = min(self.deadline, self._signed_at[-MAX_NEW_WISHES] + WORDS_SECONDS)
            return
        self._signed_at.append(now)
        game, serial = self.ledger.genesis.id, 1 if known is None else known.serial + 1
        wish = sign_wish(
            self.signer, game, self.seat, serial,
            without=without, refused=refused, stops=self._stops, is_away=self._is_away,
        )  # fmt: skip
        self.facts.accept_wish(wish)
        self.send(wish.signed)


# -- coming back: a process that was restarted, or plays from another machine (PROTOCOL.md 9.5)


LISTEN_SECONDS = 3.0
"""A process that comes back signs nothing for this long after links lead to another member: an
older process has heard of it by then, and what that one has signed last has come here."""
FOLLOW_SECONDS = 10.0
"""A process that asks to come back and is not READY for this long is not waited for."""
MAX_REFUSALS = 2
"""After this many refused rolls a keeper is not let back without a question."""
ANY_INSTANCE = b"\xff" * INSTANCE_BYTES
"""A refusal names the last process of a keeper that is not wanted. This one refuses all."""


@dataclass(slots=True)
class Returning:
    """The own process, if it comes back."""

    ledger: Ledger
    facts: Facts
    seat: Seat
    signer: Signer
    instance: bytes
    send: Callable[[Signed], None]
    has_returned: bool
    """This process has not begun the game, so another one may have signed in its place."""
    deadline: float = math.inf
    _heard_at: float = math.inf

    def begin(self, now: float) -> None:
        if not self.has_returned:
            return
        if not self._others():
            self._heard_at = now - LISTEN_SECONDS
        self.say_here()

    def say_here(self) -> None:
        here = Here.sign(self.signer, self.ledger.genesis.id, self.seat, self.instance)
        if self.facts.accept_here(here):
            self.send(here.signed)

    def note_reach(self, reachable_seats: Callable[[], set[Seat]], now: float) -> None:
        """Note from when on links lead to another member: HERE has gone over each of them."""
        is_unheard = self.has_returned and self._heard_at == math.inf
        if is_unheard and self._others() & reachable_seats():
            self._heard_at = now
            self.deadline = now + LISTEN_SECONDS

    def _others(self) -> frozenset[Seat]:
        return self.ledger.roster.members - {self.seat}

    def may_sign(self, now: float) -> bool:
        if now >= self._heard_at + LISTEN_SECONDS or not self.has_returned:
            self.deadline = math.inf
            return True
        return False

    def listen_anew(self) -> None:
        """Note that this machine was stopped, perhaps before others could be heard."""
        if self.deadline < math.inf:
            self._heard_at = self.deadline = math.inf

    def may_decide(self) -> bool:
        """Return whether this process may sign decisions: the others have named it."""
        named = self.ledger.roster.instances.get(self.seat, b"")
        return not self.has_returned or named == self.instance

    def take_new_instance(self) -> None:
        """Take a later instance of the same epoch, as the others went on without this process."""
        number = int.from_bytes(self.instance, "big") + 1
        if not self.has_returned:
            self._heard_at = -math.inf
        self.instance, self.has_returned = number.to_bytes(INSTANCE_BYTES, "big"), True


@dataclass(slots=True)
class Welcome:
    """The keepers that this program does not let back by itself."""

    facts: Facts
    attempts: Attempts
    absence: Absence
    refusals: dict[Seat, int] = field(default_factory=dict)
    _allowed: dict[Seat, bytes] = field(default_factory=dict)
    _waited: dict[Seat, tuple[bytes, float]] = field(default_factory=dict)
    """By keeper: its process that wants to come back, and how long the others waited for it."""
    _awaited: set[Seat] = field(default_factory=set)
    judged_at: float = 0.0
    deadline: float = math.inf

    def note_begun(self, begun: Begun) -> None:
        for keeper in begun.refused:
            self.refusals[keeper] = self.refusals.get(keeper, 0) + 1

    def let_back(self, keeper: Seat, now: float) -> None:
        """Let a keeper back, as the player wants; its process has time again to follow."""
        here = self.facts.heres.get(keeper)
        if here is not None:
            self._allowed[keeper] = here.instance
            self._waited[keeper] = (here.instance, 0.0)
        self.absence.let_back(keeper, now)

    def judge(self, now: float) -> list[tuple[Seat, AskedBecause]]:
        """Refuse keepers that are not let back; return those about which to ask the player now."""
        self.deadline, found = math.inf, []
        roster, passed = self.facts.ledger.roster, now - self.judged_at
        for keeper in self._awaited & self._waited.keys():
            process, waited = self._waited[keeper]
            self._waited[keeper] = (process, waited + passed)
        # Not those that are READY like this one, while another member keeps them out.
        self._awaited = {*self.attempts.disturbing(now), *self.attempts.waited_for()}
        self.judged_at = now
        for keeper, here in self.facts.heres.items():
            is_named = here.instance <= roster.instances.get(keeper, b"")
            if is_named or keeper in roster.members or roster.out.get(keeper) is not Reason.ABSENT:
                self._waited.pop(keeper, None)
                if keeper in roster.members:
                    self.absence.refused.pop(keeper, None)
                continue
            why = self._why_not(keeper, here)
            if why is None:
                continue
            last = here.instance if why is AskedBecause.VANISHED else ANY_INSTANCE
            if self.absence.refused.get(keeper, b"") < last:
                self.absence.refuse(keeper, last, now)
                found.append((keeper, why))
        return found

    def _why_not(self, keeper: Seat, here: Here) -> AskedBecause | None:
        is_allowed = self._allowed.get(keeper) == here.instance
        if self.refusals.get(keeper, 0) >= MAX_REFUSALS and not is_allowed:
            return AskedBecause.REFUSED_ROLLS
        if self.absence.has_spent_account(keeper) and not is_allowed:
            return AskedBecause.HELD_UP
        if self._waited.get(keeper, (b"", 0.0))[0] != here.instance:
            self._waited[keeper] = (here.instance, 0.0)
        left = FOLLOW_SECONDS - self._waited[keeper][1]
        if left <= 0.0:
            return AskedBecause.VANISHED
        if keeper in self._awaited:
            self.deadline = min(self.deadline, self.judged_at + left)
        return None
