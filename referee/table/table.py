"""The table: the State in the hands of the rules, and the hooks at which effects take part."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Flag, auto
from operator import itemgetter
from types import FunctionType
from typing import ClassVar, Concatenate, NamedTuple, TypeAlias, TypeVar, get_args

from kotp2p.referee.box.rulesets import Setup
from kotp2p.referee.model.answers import Answer, Face, Item, Seat, Use
from kotp2p.referee.model.decisions import Chance, Decision, DecisionBase, Usable
from kotp2p.referee.model.events import CardKept, CardLost, CardUsed, CopyPlaced, EnergyLost, Event
from kotp2p.referee.model.state import BY_PAYMENT, OUTSIDE, DamageKind, Holding, Monster, State

# -- where cards and tiles take part -------------------------------------------------------
#
# An `Effect` overrides the few hooks it needs. The rules call an offer or reaction at one place,
# which its docstring names; they may read a number or flag at several places. A hook may serve
# one card. It is named after what the rule says, never after the card, so that the rules read
# without knowing the cards. There are four kinds:
#
# * *modify* gives a number or a flag and changes nothing;
# * *shield* stands before damage;
# * *offer* adds an answer to a decision, and `use` does what was answered;
# * *react* follows what has happened.
#
# An effect belongs to an instance (`InPlay`): two Extra Heads are two effects, and a copying card
# works as the copied one with counters of its own.
#
# Effects at one hook come in this order: `orders` of their classes where RULES.md gives an order,
# then the seats as the rules go through them (clockwise from the active monster), then
# acquisition.
#
# A generator hook yields Decisions and Chance nodes exactly like the rules around it. It gets an
# answer, the values drawn, or None. None means that a seat has left the game: the hook must look
# at the table again, and ask again if there is still something to ask.


T = TypeVar("T")
Reply: TypeAlias = Answer | tuple[int, ...] | None
"""What the rules get for a node: an answer, the values drawn, or None (look and ask again)."""
Rules: TypeAlias = Generator[Decision | Chance, Reply, T]
"""A rule as a generator: it yields nodes, gets their replies, and returns a `T`."""

Hook: TypeAlias = "Callable[Concatenate[Effect, Table, InPlay, ...], object]"
"""A hook as the rules name it: by its function, as `Effect.modify_claws`, so that mypy refuses a
hook that does not exist."""
NumberHook: TypeAlias = "Callable[[Effect, Table, InPlay], int]"
OfferHook: TypeAlias = "Callable[[Effect, Table, InPlay], Usable | None]"


class DiceTraits(Flag):
    """What an effect may look for in the final dice."""

    TRIPLES = auto()
    """Which numbers are there three times or more."""
    SETS = auto()
    """Whether 1, 2 and 3 are there, and whether all faces are."""
    THREES = auto()
    """Whether there is a 3."""
    HEARTS = auto()
    """Hearts that do not heal their owner."""
    POINTS = auto()
    """How many points the roller gains, or has then: they are no plain sum."""
    HEALING = auto()
    """The same of its hearts."""
    ENERGY = auto()
    """The same of its energy."""
    POINTS_OF_OTHERS = auto()
    """The same of the points of a roller that is not the owner."""


class InPlay(NamedTuple):
    """An effect in front of a monster."""

    seat: Seat
    holding: Holding
    card: Item
    """Whose effect it is: the holding's own item, or the card that it copies."""
    effect: Effect
    copies: int = 1
    """How many copies of the effect act as this one (`Table.adding_up`)."""


class Effect:
    """What a card or tile does; by default every hook does nothing."""

    hooks: ClassVar[frozenset[Hook]] = frozenset()
    """The hooks that the class overrides, each as the function of `Effect`.

    The rules ask for this set before they call a hook, since most effects have one or two hooks
    of almost fifty."""
    orders: ClassVar[Mapping[Hook, int]] = {}
    """The place of the effect at a hook for which RULES.md gives an order; lower comes first. It
    is given where the class is made: `class SpikedTail(Effect, modify_claws=3)`."""
    counters: ClassVar[int] = 0
    copyable: ClassVar[bool] = True
    adds_up: ClassVar[bool] = False
    """Whether copies in front of one monster react as one, which looks at the table once and
    counts `InPlay.copies` (A-93)."""

    reads: ClassVar[DiceTraits] = DiceTraits(0)
    """What it looks for in the final dice, beyond what the rules make of them without it: the
    points of triples, the hearts that heal their owner, the bolts and the claws."""

    def __init_subclass__(cls, **orders: int) -> None:
        super().__init_subclass__()
        if unknown := orders.keys() - HOOKS.keys():
            raise TypeError(f"{cls.__name__} is ordered at {sorted(unknown)}, which is no hook")
        cls.orders = {**cls.orders, **{HOOKS[name]: order for name, order in orders.items()}}
        cls.hooks = frozenset(f for name, f in HOOKS.items() if getattr(cls, name) is not f)

    # -- Discard cards -----------------------------------------------------------------------

    def resolve(self, t: Table, seat: Seat, item: Item) -> Rules[None]:
        """Resolve a Discard card that `seat` has bought (1.5)."""
        yield from ()

    # -- modify ------------------------------------------------------------------------------

    def extra_dice(self, t: Table, me: InPlay) -> int:
        """Return how many more dice its owner rolls (3.2)."""
        return 0

    def extra_rolls(self, t: Table, me: InPlay) -> int:
        """Return how many more rolls its owner has (3.3)."""
        return 0

    def extra_max_hearts(self, t: Table, me: InPlay) -> int:
        """Return how many more hearts its owner can have."""
        return 0

    def discount(self, t: Table, me: InPlay) -> int:
        """Return how much less energy a power card costs its owner."""
        return 0

    def extra_hearts_gained(self, t: Table, me: InPlay) -> int:
        """Return how many more hearts its owner gains each time."""
        return 0

    def extra_energy_gained(self, t: Table, me: InPlay) -> int:
        """Return how much more energy its owner gains each time (A-22: what is no gain)."""
        return 0

    def modify_claws(self, t: Table, me: InPlay, claws: int) -> int:
        """Return the claws of the active monster after this effect, in the order of 3.7.1."""
        return claws

    def extra_damage(
        self, t: Table, me: InPlay, claws: int, victim: Seat, targets: list[Seat]
    ) -> int:
        """Return how much more damage its owner deals to `victim`, a target or not (3.7.1)."""
        return 0

    def claws_reach_all_others(self, t: Table, me: InPlay) -> bool:
        """Return whether its owner's claws hit all others wherever they are."""
        return False

    def is_dormant(self, t: Table, me: InPlay) -> bool:
        """Return whether its owner counts only hearts and bolts, and cannot enter or buy."""
        return False

    def yielding_avoids_damage(self, t: Table, me: InPlay) -> bool:
        """Return whether damage to its owner in Tokyo waits for the yield question."""
        return False

    def three_ones_earn_a_turn(self, t: Table, me: InPlay) -> bool:
        """Return whether three ones give its owner another turn (TURN_END)."""
        return False

    def may_buy_out_of_turn(self, t: Table, me: InPlay) -> bool:
        """Return whether its owner may buy cards just turned up, before all others."""
        return False

    def may_peek(self, t: Table, me: InPlay) -> bool:
        """Return whether its owner may look at the top card while buying."""
        return False

    def may_buy_from_others(self, t: Table, me: InPlay) -> bool:
        """Return whether its owner may buy Keep cards in front of others."""
        return False

    def may_sell(self, t: Table, me: InPlay) -> bool:
        """Return whether its owner may sell Keep cards after buying."""
        return False

    def may_heal_others(self, t: Table, me: InPlay) -> bool:
        """Return whether its owner's heart dice may heal others for energy."""
        return False

    def may_be_gained(self, t: Table, seat: Seat) -> bool:
        """Return whether `seat` may buy or copy this card now."""
        return True

    # -- shield ------------------------------------------------------------------------------

    def absorbs_hit(self, t: Table, me: InPlay, hit: Hit) -> bool:
        """Return whether the whole hit does nothing, when it is applied (3.7.4 c)."""
        return False

    def rescue_at_zero(self, t: Table, me: InPlay) -> bool:
        """Save its owner at 0 hearts, if it can; True if it has done so (3.7.5)."""
        return False

    def wins_at_zero(self, t: Table, me: InPlay) -> bool:
        """Return whether its owner is eliminated at 0 hearts and wins all the same (3.7.5)."""
        return False

    # -- offer -------------------------------------------------------------------------------

    def offer_roll(self, t: Table, me: InPlay) -> Usable | None:
        """Return an offer at ROLL (3.3)."""
        return None

    def offer_probe(self, t: Table, me: InPlay) -> Usable | None:
        """Return an offer at PROBE_WINDOW (3.4)."""
        return None

    def offer_change(self, t: Table, me: InPlay) -> Usable | None:
        """Return an offer at CHANGE_DICE (3.5)."""
        return None

    def offer_response(self, t: Table, me: InPlay) -> Usable | None:
        """Return an offer at RESPONSE (3.7.4 b); `t.hit` is about to land."""
        return None

    def offer_anytime(self, t: Table, me: InPlay) -> Usable | None:
        """Return an offer at every decision of its owner (A-86)."""
        return None

    def use(self, t: Table, me: InPlay, use: Use) -> Rules[None]:
        yield from ()

    # -- react -------------------------------------------------------------------------------

    def came_into_play(self, t: Table, me: InPlay) -> Rules[None]:
        """Act when the effect has just come into play in front of its owner."""
        yield from ()

    def left_play(self, t: Table, me: InPlay) -> None:
        """Act when the effect has left play; its owner is still in the game."""

    def turn_starts(self, t: Table, me: InPlay) -> Rules[None]:
        """Act at TURN_START 1 to 3 of its owner (3.2)."""
        yield from ()

    def starts_in_tokyo(self, t: Table, me: InPlay) -> None:
        """Act at TURN_START 5, when its owner starts a turn in Tokyo (3.2)."""

    def choose_copied_card(self, t: Table, me: InPlay) -> Rules[None]:
        """Let a copying card choose anew, at TURN_START 6 and 7 (3.2)."""
        yield from ()

    def score_whole_roll(self, t: Table, me: InPlay, claws: int) -> None:
        """Act before the groups are resolved (3.6); `claws` counts those of cards too."""

    def triple_scored(self, t: Table, me: InPlay, face: Face, count: int) -> None:
        """Act when a triple of numbers has been scored."""

    def bolts_resolved(self, t: Table, me: InPlay, count: int) -> None:
        """Act when the bolts have been resolved."""

    def hearts_healed(self, t: Table, me: InPlay, count: int) -> None:
        """Act when `count` heart dice have healed its owner."""

    def attack_begins(self, t: Table, me: InPlay) -> None:
        """Act when its owner attacks with a claw or more; no monster is hurt yet (A-70)."""

    def attack_drew_blood(self, t: Table, me: InPlay) -> None:
        """Act on the first hearts lost to its owner's attack of this turn (A-70)."""

    def wounded_other(self, t: Table, me: InPlay, victim: Seat) -> None:
        """Act when its owner's claws have made `victim` lose hearts (3.7.4 e)."""

    def was_wounded(self, t: Table, me: InPlay, hit: Hit, lost: int) -> Rules[None]:
        """Act when `hit` has made its owner lose `lost` hearts (3.7.4 e)."""
        yield from ()

    def reached_zero(self, t: Table, me: InPlay, victim: Seat) -> None:
        """Act when the hearts of `victim`, any monster, have reached 0 (3.7.5)."""

    def yielded_tokyo(self, t: Table, me: InPlay, attacker: Seat) -> Rules[None]:
        """Act when its owner has yielded Tokyo; all monsters asked have answered (A-79)."""
        yield from ()

    def may_swap(self, t: Table, me: InPlay, attacker: Seat) -> Rules[None]:
        """Act when its owner has yielded Tokyo, after `yielded_tokyo` of all effects."""
        yield from ()

    def entered_tokyo(self, t: Table, me: InPlay) -> None:
        """Act when its owner has entered Tokyo and gained its point; each copy acts by itself."""

    def bought_card(self, t: Table, me: InPlay) -> None:
        """Act when its owner has paid for a power card (3.10)."""

    def turn_ends(self, t: Table, me: InPlay) -> Rules[None]:
        """Act at END_EFFECTS 1 to 5 of its owner (3.12)."""
        yield from ()


HOOKS: Mapping[str, Hook] = {
    name: f for name, f in vars(Effect).items() if isinstance(f, FunctionType)
}


# -- the table -----------------------------------------------------------------------------


D = TypeVar("D", bound=DecisionBase)

ChangesEffects: TypeAlias = CardKept | CardLost | CopyPlaced
"""The events after which other effects are in play in front of their seat."""
CHANGES_EFFECTS: frozenset[type[Event]] = frozenset(get_args(ChangesEffects))
NOTHING_IN_PLAY: Mapping[Hook, tuple[InPlay, ...]] = dict.fromkeys(HOOKS.values(), ())
"""By hook, as `Table` keeps what is in play in front of a seat."""


def _in_order(hook: Hook, found: tuple[InPlay, ...]) -> tuple[InPlay, ...]:
    """Sort `found` in the order of the rules; it is by seat and acquisition so far."""
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
    responses_used: tuple[tuple[Item, Item], ...] = ()
    """Used responses of the kind that may be used once for each hit: (holding, card)."""
    reflected: bool = False
    """Whether a card has dealt this damage back, so that it is not dealt back again (A-98)."""
    takes_all: bool = False
    """Whether it is all hearts of the victim: hearts gained in its window add to it (A-95)."""


class Table:
    """One game's State, its set-up, and the events since the last input."""

    # The State changes by `record` only: the effects in play are known by it.

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

    def __init__(self, setup: Setup, state: State, effects: list[Effect]) -> None:
        self.setup = setup
        self.rules = setup.rules
        self.state = state
        self.monsters = state.monsters
        """By seat: the list of the State, which nothing replaces."""
        self.effects = effects
        self._in_play = [self._find_effects(monster.seat) for monster in self.monsters]
        """The effects in play, by seat and hook: all hooks, since the rules ask at each, and few
        effects come or go."""
        self.events: list[Event] = []
        self.hit: Hit | None = None
        self.neighbours: tuple[Seat, ...] = ()
        """The neighbours of the active monster when resolving began (A-74)."""
        self.attack_drew_blood = False
        """Whether the attack of this turn has made a monster lose hearts."""
        self.points_at_claws = 0
        """The points of the active monster when its claws began to be resolved."""
        self.buying_over = False
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
        """Return all seats clockwise, the active one first."""
        return [self.state.active, *self.state.seats_clockwise(self.state.active)]

    def key(self, item: Item) -> str:
        return self.setup.key(item)

    def is_card(self, item: Item) -> bool:
        return item < len(self.setup.deck)

    def seats_in_tokyo(self) -> list[Seat]:
        """Return the seats in Tokyo, City first, then Bay."""
        found = [m for m in self.monsters if m.place is not OUTSIDE]
        if len(found) > 1:
            found.sort(key=lambda m: m.place)
        return [m.seat for m in found]

    # -- recording ---------------------------------------------------------------------------

    def record(self, event: Event) -> None:
        event.apply(self.state)
        self.events.append(event)
        if type(event) in CHANGES_EFFECTS:
            assert isinstance(event, ChangesEffects), "these are their classes"
            self._in_play[event.seat] = self._find_effects(event.seat)

    # -- effects -----------------------------------------------------------------------------

    def of(self, hook: Hook, seat: Seat) -> tuple[InPlay, ...]:
        """Return the effects in front of `seat` that override `hook`, in the order of the rules."""
        return self._in_play[seat][hook]

    def of_any(self, hook: Hook) -> bool:
        return any(map(itemgetter(hook), self._in_play))

    def each(self, hook: Hook, seats: Iterable[Seat]) -> tuple[InPlay, ...]:
        return _in_order(hook, tuple([me for seat in seats for me in self.of(hook, seat)]))

    def _find_effects(self, seat: Seat) -> Mapping[Hook, tuple[InPlay, ...]]:
        """Return the effects in front of `seat`, by the hook that they override."""
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
        """Return the sum of what the effects in front of `seat` give at `hook`."""
        total = 0
        for me in self._in_play[seat][hook]:
            total += getattr(me.effect, hook.__name__)(self, me)
        return total

    def adding_up(self, hook: Hook, seat: Seat) -> Sequence[InPlay]:
        """Return what `of` returns, with copies of an effect that adds up as one (A-93)."""
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
        """Return whether the effect is still in play, as an earlier one may have ended it."""
        holding = me.holding
        if not any(held is holding for held in self.monsters[me.seat].holdings):
            return False
        return me.card in (holding.item, holding.copies)

    def effects_of(self, seat: Seat, holding: Holding) -> list[InPlay]:
        """Return the effects of a holding: its own, then that of the card that it copies."""
        items = [holding.item] if holding.copies < 0 else [holding.item, holding.copies]
        return [InPlay(seat, holding, item, self.effects[item]) for item in items]

    # -- offers ------------------------------------------------------------------------------

    def offers(self, hook: OfferHook, seat: Seat) -> tuple[Usable, ...]:
        """Return the uses that a decision with `hook` offers to `seat`, but anytime offers."""
        if not self._in_play[seat][hook]:
            return ()
        return tuple([usable for _, usable in self._offers(hook, seat)])

    def anytime_offers(self, seat: Seat) -> tuple[Usable, ...]:
        return self.offers(Effect.offer_anytime, seat)

    def with_offers(self, decision: D, uses: tuple[Usable, ...] = ()) -> D:
        """Return the decision with these uses and the anytime offers of its seat (A-86)."""
        if uses or self._in_play[decision.seat][Effect.offer_anytime]:
            decision.uses = uses + self.anytime_offers(decision.seat)
        return decision

    def ask(
        self,
        decision: Decision,
        hook: OfferHook = Effect.offer_anytime,
        uses: tuple[Usable, ...] = (),
    ) -> Rules[Reply]:
        """Put a decision, and carry out the use of a card; return another answer, or None."""
        answer = yield self.with_offers(decision, uses)
        if type(answer) is not Use:
            return answer
        yield from self.use(hook, decision.seat, answer)
        return None

    def _offers(self, hook: OfferHook, seat: Seat) -> list[tuple[InPlay, Usable]]:
        energy = self.monsters[seat].energy
        found = []
        for me in self.of(hook, seat):
            usable = getattr(me.effect, hook.__name__)(self, me)
            if usable is not None and usable.cost <= energy:
                found.append((me, usable))
        return found

    def use(self, hook: OfferHook, seat: Seat, use: Use) -> Rules[None]:
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
        """Return the offer to use the effect `me`."""
        return Usable(
            me.holding.item,
            self.key(me.card),
            cost,
            tuple(dice),
            tuple(Face(face) for face in faces),
        )
