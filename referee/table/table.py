"""The table: the State in the hands of the rules, and the effects that lie on it.

Scope: recording events, finding the effects at a hook, and using an offer. Attributes beside the
State last for one turn at most: a fork computes them anew from the inputs of the turn.

Not here: a rule of the game (`referee.rules`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TypeAlias, TypeVar, get_args

from kotp2p.referee.box.setup import Setup
from kotp2p.referee.model.answers import Face, Item, Seat, Use
from kotp2p.referee.model.apply import APPLIERS
from kotp2p.referee.model.decision_base import DecisionBase, Usable
from kotp2p.referee.model.events import CardKept, CardLost, CardUsed, CopyPlaced, EnergyLost, Event
from kotp2p.referee.model.kinds import BY_PAYMENT, DamageKind
from kotp2p.referee.model.state import OUTSIDE, Holding, Monster, State
from kotp2p.referee.table.hooks import HOOKS, Effect, Hook, InPlay, NumberHook, OfferHook, Rules

D = TypeVar("D", bound=DecisionBase)

ChangesEffects: TypeAlias = CardKept | CardLost | CopyPlaced
"""The events after which other effects are in play in front of their seat."""
CHANGES_EFFECTS: frozenset[type[Event]] = frozenset(get_args(ChangesEffects))
NOTHING_IN_PLAY: Mapping[Hook, tuple[InPlay, ...]] = dict.fromkeys(HOOKS.values(), ())
"""By hook, as `Table` keeps what is in play in front of a seat."""


def _in_order(hook: Hook, found: tuple[InPlay, ...]) -> tuple[InPlay, ...]:
    """`found` in the order of the rules, where it is by seat and acquisition so far."""
    if len(found) < 2:
        return found
    return tuple(sorted(found, key=lambda me: me.effect.orders.get(hook, 0)))  # it is stable


@dataclass(slots=True)
class Hit:
    """Damage on its way to one monster: a packet of RULES.md 0.2."""

    victim: Seat
    amount: int
    kind: DamageKind
    dealer: Seat | None
    item: Item | None = None
    """The card that deals the damage, if a card does."""
    responses_used: tuple[tuple[Item, Item], ...] = ()
    """Used responses of the kind that may be used once for each hit: (holding, card)."""
    reflected: bool = False
    """Whether a card has dealt this damage back, so that it is not dealt back again (A-98)."""
    takes_all: bool = False
    """Whether it is all hearts of the victim: hearts gained in its window add to it (A-95)."""


class Table:
    """One game's State, its set-up, and the events since the last input.

    Once it is made, the State changes by `record` only: the effects in play are known by it.
    """

    __slots__ = (
        "_in_play",
        "attack_drew_blood",
        "buying_over",
        "effects",
        "events",
        "hit",
        "monsters",
        "neighbours",
        "points_at_claws",
        "probed",
        "rules",
        "setup",
        "state",
    )  # fmt: skip

    def __init__(self, setup: Setup, state: State, effects: list[Effect | None]) -> None:
        self.setup = setup
        self.rules = setup.rules
        self.state = state
        self.monsters = state.monsters
        """By seat: the list of the State, which nothing replaces."""
        self.effects = effects
        """The effect of each item of the game, by item number."""
        self._in_play = [self._find_effects(monster.seat) for monster in self.monsters]
        """The effects in play, by seat and hook: all hooks, since the rules ask at each, and few
        effects come or go."""
        self.events: list[Event] = []
        self.hit: Hit | None = None
        """In a RESPONSE window, the hit that is about to land."""
        self.neighbours: tuple[Seat, ...] = ()
        """The neighbours of the active monster when resolving began (A-74)."""
        self.attack_drew_blood = False
        """Whether the attack of this turn has made a monster lose hearts."""
        self.points_at_claws = 0
        """The points of the active monster when its claws began to be resolved."""
        self.buying_over = False
        """Whether a card has ended the buy step (A-36)."""
        self.probed: set[int] = set()
        """Positions of the dice that show the 3 of a probe, or a 3 rerolled from one (A-107)."""

    def new_turn(self) -> None:
        self.hit = None
        self.neighbours = ()
        self.attack_drew_blood = self.buying_over = False
        self.probed = set()

    # -- looking -----------------------------------------------------------------------------

    @property
    def active(self) -> Monster:
        return self.monsters[self.state.active]

    def seats_from_active(self) -> list[Seat]:
        """All seats clockwise, the active one first."""
        return [self.state.active, *self.state.seats_clockwise(self.state.active)]

    def key(self, item: Item) -> str:
        return self.setup.key(item)

    def is_card(self, item: Item) -> bool:
        return item < len(self.setup.deck)

    def seats_in_tokyo(self) -> list[Seat]:
        """City first, then Bay."""
        found = [m for m in self.monsters if m.place is not OUTSIDE]
        if len(found) > 1:
            found.sort(key=lambda m: m.place)
        return [m.seat for m in found]

    # -- recording ---------------------------------------------------------------------------

    def record(self, event: Event) -> None:
        kind = type(event)
        APPLIERS[kind](self.state, event)
        self.events.append(event)
        if kind in CHANGES_EFFECTS:
            assert isinstance(event, ChangesEffects), "these are their classes"
            self._in_play[event.seat] = self._find_effects(event.seat)

    # -- effects -----------------------------------------------------------------------------

    def of(self, hook: Hook, seat: Seat) -> tuple[InPlay, ...]:
        """The effects in front of `seat` that override `hook`, in the order of the rules."""
        return self._in_play[seat][hook]

    def of_any(self, hook: Hook) -> bool:
        """Whether an effect in front of any seat overrides `hook`."""
        return any(map(itemgetter(hook), self._in_play))

    def each(self, hook: Hook, seats: Iterable[Seat]) -> tuple[InPlay, ...]:
        """As `of`, for several seats."""
        return _in_order(hook, tuple([me for seat in seats for me in self.of(hook, seat)]))

    def _find_effects(self, seat: Seat) -> Mapping[Hook, tuple[InPlay, ...]]:
        """What overrides each hook, in front of `seat`."""
        holdings = self.monsters[seat].holdings
        if not holdings:
            return NOTHING_IN_PLAY
        found = dict(NOTHING_IN_PLAY)
        for holding in holdings:
            for me in self.effects_of(seat, holding):
                for hook in me.effect.hooks:
                    found[hook] = _in_order(hook, (*found[hook], me))
        return found

    def total(self, hook: NumberHook, seat: Seat) -> int:
        """The sum of what the effects in front of `seat` give at `hook`."""
        found = self._in_play[seat][hook]
        return sum([getattr(me.effect, hook.__name__)(self, me) for me in found]) if found else 0

    def adding_up(self, hook: Hook, seat: Seat) -> Sequence[InPlay]:
        """As `of`, but copies of an effect that adds up are one, with their number (A-93)."""
        found = self._in_play[seat][hook]
        if len(found) < 2:
            return found
        merged: list[InPlay] = []
        for me in found:
            first = next((i for i, other in enumerate(merged) if other.effect is me.effect), None)
            if me.effect.adds_up and first is not None:
                merged[first] = merged[first]._replace(copies=merged[first].copies + 1)
            else:
                merged.append(me)
        return merged

    def still_works(self, me: InPlay) -> bool:
        """Whether the effect is still in play: an earlier one at the hook may have ended it."""
        holding = me.holding
        if not any(held is holding for held in self.monsters[me.seat].holdings):
            return False
        return me.card in (holding.item, holding.copies)

    def effects_of(self, seat: Seat, holding: Holding) -> list[InPlay]:
        """The effects of one holding: its own, then that of the card that it copies."""
        items = [holding.item] if holding.copies < 0 else [holding.item, holding.copies]
        found = [(item, self.effects[item]) for item in items]
        return [InPlay(seat, holding, item, e) for item, e in found if e is not None]

    # -- offers ------------------------------------------------------------------------------

    def offers(self, hook: OfferHook, seat: Seat) -> tuple[Usable, ...]:
        """The uses that a decision with `hook` offers to `seat`, without the anytime offers."""
        if not self._in_play[seat][hook]:
            return ()
        return tuple([usable for _, usable in self._offers(hook, seat)])

    def anytime_offers(self, seat: Seat) -> tuple[Usable, ...]:
        return self.offers(Effect.offer_anytime, seat)

    def with_offers(self, decision: D, uses: tuple[Usable, ...] = ()) -> D:
        """The decision with these uses and with the anytime offers of its seat (A-86)."""
        if uses or self._in_play[decision.seat][Effect.offer_anytime]:
            decision.uses = uses + self.anytime_offers(decision.seat)
        return decision

    def _offers(self, hook: OfferHook, seat: Seat) -> list[tuple[InPlay, Usable]]:
        energy = self.monsters[seat].energy
        found = []
        for me in self.of(hook, seat):
            usable = getattr(me.effect, hook.__name__)(self, me)
            if usable is not None and usable.cost <= energy:
                found.append((me, usable))
        return found

    def use(self, hook: OfferHook, seat: Seat, use: Use) -> Rules[None]:
        """Carry out the use that `seat` has answered at a decision with the offers of `hook`."""
        for me, usable in self._offers(hook, seat) + self._offers(Effect.offer_anytime, seat):
            if usable.item == use.item and usable.why_illegal(use) is None:
                self.record(CardUsed(seat, use.item, usable.effect))
                if usable.cost:
                    self.record(EnergyLost(seat, usable.cost, BY_PAYMENT, use.item))
                yield from me.effect.use(self, me, use)
                return
        raise AssertionError(f"seat {seat} cannot use item {use.item}")

    def make_usable(
        self, me: InPlay, cost: int = 0, dice: Iterable[int] = (), faces: Iterable[int] = ()
    ) -> Usable:
        """The offer to use the effect `me`."""
        return Usable(
            me.holding.item,
            self.key(me.card),
            cost,
            tuple(dice),
            tuple(Face(face) for face in faces),
        )
