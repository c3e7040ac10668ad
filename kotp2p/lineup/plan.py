"""Facts, wishes, and the plan that they come to (PROTOCOL.md 9.3).

Scope: the newest wish and the newest process of each keeper; the line-up that a keeper finds.

The plan is a function of the facts, so keepers that know the same find the same.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

from kotp2p.game.chain import Chain, chain_at
from kotp2p.game.ledger import Ledger, forked_place
from kotp2p.game.steps import Gather, require_keeper, require_signed_by_keeper
from kotp2p.referee.model.answers import Seat
from kotp2p.wire.lineups import Change, Here, LineUp, Plan, Reason, Wish

FIRST_PAUSE_SECONDS, MAX_PAUSE_SECONDS = 8.0, 32.0
"""How long a keeper is not named `again` or `back` a second time before a gather has closed; it
doubles with each time."""
MAX_ATTEMPTS_AHEAD = 64
"""A READY, or a LEAVE, further ahead than this names no attempt that comes."""
MAX_WORDS, WORDS_SECONDS = 8, 60.0
"""A keeper of which more HEREs and WISHes than this come within a minute is *restless*: each may
make another plan, so that no two others find the same one."""
NO_POSITION = bytes(32)


@dataclass(slots=True)
class Returns:
    """How often a keeper has come back since the last gather has closed."""

    times: int
    last: float
    draws: int

    def may_return(self, now: float) -> bool:
        pause: float = min(FIRST_PAUSE_SECONDS * 2 ** (self.times - 1), MAX_PAUSE_SECONDS)
        return now >= self.last + pause


@dataclass(slots=True)
class Facts:
    """What has been said about who plays from now on, beyond what the log contains."""

    ledger: Ledger
    wishes: dict[Seat, Wish] = field(default_factory=dict)
    heres: dict[Seat, Here] = field(default_factory=dict)
    returns: dict[Seat, Returns] = field(default_factory=dict)
    revision: int = 0
    _heard_at: dict[Seat, list[float]] = field(default_factory=dict)
    """By keeper: when its last HEREs and WISHes have come."""

    def accept_wish(self, wish: Wish) -> bool:
        """Take a wish; return whether it is the newest of its keeper. Raise Forged."""
        for keeper in (wish.seat, *wish.without, *(seat for seat, _ in wish.refused)):
            require_keeper(self.ledger.genesis.players, keeper)
        known = self.wishes.get(wish.seat)
        if known is not None and known.rank >= wish.rank:
            return False
        require_signed_by_keeper(self.ledger.genesis.players, wish.seat, wish.signed)
        self.wishes[wish.seat] = wish
        self._note_change()
        return True

    def accept_here(self, here: Here) -> bool:
        require_keeper(self.ledger.genesis.players, here.seat)
        known = self.heres.get(here.seat)
        if known is not None and known.instance >= here.instance:
            return False
        require_signed_by_keeper(self.ledger.genesis.players, here.seat, here.signed)
        self.heres[here.seat] = here
        self._note_change()
        return True

    def note_word(self, keeper: Seat, now: float) -> None:
        self._heard_at[keeper] = [*self._heard_at.get(keeper, ()), now][-MAX_WORDS - 1 :]

    def is_restless(self, keeper: Seat, now: float) -> bool:
        heard = self._heard_at.get(keeper, [])
        return len(heard) > MAX_WORDS and heard[0] > now - WORDS_SECONDS

    def note_begun(self, lineup: LineUp, now: float) -> None:
        """Note that a line-up has begun: those that are back in it may not return at once."""
        draws = self.ledger.chain.draws
        for keeper in lineup.names(Reason.AGAIN, Reason.BACK):
            known = self.returns.get(keeper)
            times = known.times + 1 if known is not None and known.draws == draws else 1
            self.returns[keeper] = Returns(times, now, draws)
        self._note_change()

    def may_return(self, keeper: Seat, now: float) -> bool:
        known = self.returns.get(keeper)
        is_new = known is None or known.draws != self.ledger.chain.draws
        return known is None or is_new or known.may_return(now)

    def _note_change(self) -> None:
        self.revision += 1
        self.ledger.is_stirred = True

    # -- what they come to -----------------------------------------------------------------

    def goes_without(self, keeper: Seat, other: Seat) -> bool:
        """Return whether a keeper would go on without another one, by the word of either."""
        own, theirs, said = self.wishes.get(keeper), self.wishes.get(other), self.ledger.leaves
        if theirs is not None and theirs.is_away:
            return True
        if other in said and said[other].attempt > self.ledger.attempt + MAX_ATTEMPTS_AHEAD:
            return True  # it names no attempt that comes
        return own is not None and other in own.without

    def unwanted(self) -> set[Seat]:
        """Return the keepers that any keeper would go on without."""
        named = {other for wish in self.wishes.values() for other in wish.without}
        return named | self.ledger.leaves.keys() | {k for k, w in self.wishes.items() if w.is_away}

    def refuses(self, keeper: Seat, here: Here) -> bool:
        wish = self.wishes.get(keeper)
        return wish is not None and any(
            seat == here.seat and here.instance <= last for seat, last in wish.refused
        )

    def find_plan(self, attempt: int, now: float) -> Plan:
        ledger, chain = self.ledger, self.ledger.chain
        found: dict[Seat, Change] = {}
        for keeper in sorted(chain.roster.members):
            if keeper in ledger.convicts:
                found[keeper] = Change(keeper, Reason.CHEATED)
            elif ledger.has_left(keeper, attempt):
                found[keeper] = Change(keeper, Reason.LEFT)
        for keeper in self._find_absent(chain, found, now):
            found[keeper] = Change(keeper, Reason.ABSENT)
        return self._with_returns(found, now)

    def _with_returns(self, found: dict[Seat, Change], now: float) -> Plan:
        roster = self.ledger.roster
        plan, staying = dict(found), roster.members.difference(found)
        for keeper, here in self.heres.items():
            is_named = here.instance <= roster.instances.get(keeper, b"")
            if is_named or not self.may_return(keeper, now):
                continue
            if keeper in staying:
                plan[keeper] = Change(keeper, Reason.AGAIN, here.instance)
            elif self._is_wanted_back(here, staying):
                plan[keeper] = Change(keeper, Reason.BACK, here.instance)
        return tuple(plan[keeper] for keeper in sorted(plan))

    def can_do_without(self, keeper: Seat, now: float) -> bool:
        plan = self._with_returns({keeper: Change(keeper, Reason.ABSENT)}, now)
        return self.ledger.chain.are_enough(plan)

    def _is_wanted_back(self, here: Here, staying: frozenset[Seat]) -> bool:
        chain = self.ledger.chain
        if here.seat in self.ledger.convicts or here.seat in self.ledger.leaves:
            return False
        own = self.wishes.get(here.seat)
        if own is not None and own.is_away:
            return False  # it would be out again at once, and back, without end
        refusing = [keeper for keeper in staying if self.refuses(keeper, here)]
        alive = chain.game.state.seats_alive()
        return chain.roster.can_be_back(here.seat, alive) and 2 * len(refusing) <= len(staying)

    def _find_absent(self, chain: Chain, found: dict[Seat, Change], now: float) -> tuple[Seat, ...]:
        """Return the largest, lowest set that all who would stay wish away, and that leaves enough.

        Who comes back helps those that stay to be enough.
        """
        rest = chain.roster.members.difference(found)
        asked = sorted(rest & self.unwanted())
        base, _ = find_base(self.ledger, found.values())
        wished = [k for k in asked if any(self.goes_without(o, k) for o in rest)]
        for size in range(len(wished), 0, -1):
            for absent in combinations(wished, size):
                staying = rest.difference(absent)
                if not all(self.goes_without(k, other) for k in staying for other in absent):
                    continue
                out = found | {k: Change(k, Reason.ABSENT) for k in absent}
                if chain.are_enough(self._with_returns(out, now), base):
                    return absent
        return ()


def find_line_up(ledger: Ledger, plan: Plan, attempt: int) -> LineUp:
    """Return the line-up that comes next with a plan."""
    chain = ledger.chain
    height, is_forked_here = find_base(ledger, plan)
    line = chain
    if height < chain.height:
        line = chain_at(chain, height)

    def build(position: bytes, openings: tuple[bytes, ...] | None) -> LineUp:
        base = (height, chain.heads[height])
        return LineUp.build(
            ledger.genesis.id, attempt, chain.roster.lineup, base, position, plan, openings
        )

    openings = None
    if height == chain.height and not is_forked_here:
        openings = line.openings_kept(build(NO_POSITION, ()))
    draft = build(NO_POSITION, openings)
    return build(line.preview(draft), openings)


def find_base(ledger: Ledger, plan: Iterable[Change]) -> tuple[int, bool]:
    """Return the base height of the next line-up, and whether its gather is forked."""
    # The height is the present one, or the lowest at which a keeper that is put out as a cheat has
    # contradicted itself. The gather that is open there is forked if it was opened twice.
    chain = ledger.chain
    lowest, is_forked_here = chain.height, False
    for change in plan:
        if change.reason is not Reason.CHEATED:
            continue
        for cheat in ledger.convicts[change.keeper]:
            place = forked_place(cheat.proof)
            if place is not None and chain.may_go_back(*place):
                lowest = min(lowest, place[0])
                is_forked_here |= place[0] == chain.height
    return lowest, is_forked_here and isinstance(chain.step, Gather)
