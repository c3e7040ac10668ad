"""Where cards and tiles take part in the rules: the hooks, and what lies in play.

Scope: an `Effect` overrides the few hooks it needs. The rules call a hook at one place, which its
docstring names. A hook may serve one card only: it is named after what the rule says, never
after the card, so that the rules read without knowing the cards. There are four kinds:

* *modify* gives a number or a flag and changes nothing;
* *shield* stands before damage;
* *offer* adds an answer to a decision, and `use` does what was answered;
* *react* follows what has happened.

An effect belongs to an instance (`InPlay`): two Extra Heads are two effects, and a copying card
works as the copied one with counters of its own.

Order of effects at one hook: `orders` of their classes where RULES.md gives an order, then the
seats as the rules go through them (clockwise from the active monster), then acquisition.

A generator hook yields Decisions and Chance nodes exactly like the rules around it; it gets an
answer, the values drawn, or None: somebody has left the game meanwhile, look at the table
again and ask again if there is still something to ask.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from types import FunctionType
from typing import TYPE_CHECKING, ClassVar, Concatenate, NamedTuple, TypeAlias, TypeVar

from referee.model.answers import Answer, Face, Item, Seat, Use
from referee.model.decision_base import Usable
from referee.model.decisions import Chance, Decision
from referee.model.state import Holding

if TYPE_CHECKING:
    from referee.table.table import Hit, Table

T = TypeVar("T")
Reply: TypeAlias = Answer | tuple[int, ...] | None
"""What the rules get for a node: an answer, what was drawn, or None (ask again)."""
Rules: TypeAlias = Generator[Decision | Chance, Reply, T]

Hook: TypeAlias = "Callable[Concatenate[Effect, Table, InPlay, ...], object]"
"""A hook as the rules name it: by its function, `Effect.modify_claws`, so that mypy knows it."""
OfferHook: TypeAlias = "Callable[[Effect, Table, InPlay], Usable | None]"
"""A hook that may add an answer to a decision."""


class InPlay(NamedTuple):
    """An effect in front of a monster."""

    seat: Seat
    holding: Holding
    card: Item
    """Whose effect it is: the holding's own item, or the card that it copies."""
    effect: Effect


class Effect:
    """A card or tile at work; every hook does nothing by default."""

    hooks: ClassVar[frozenset[Hook]] = frozenset()
    """The hooks that the class overrides, each as the function of `Effect`."""
    orders: ClassVar[Mapping[Hook, int]] = {}
    """Where RULES.md orders effects at one hook: lower comes first. Given where the class is
    made: `class SpikedTail(Effect, modify_claws=3)`."""
    counters: ClassVar[int] = 0
    """Put on the card when it comes into play."""
    copyable: ClassVar[bool] = True

    def __init_subclass__(cls, **orders: int) -> None:
        super().__init_subclass__()
        hooks = {n: f for n, f in vars(Effect).items() if isinstance(f, FunctionType)}
        if unknown := orders.keys() - hooks.keys():
            raise TypeError(f"{cls.__name__} is ordered at {sorted(unknown)}, which is no hook")
        cls.orders = {**cls.orders, **{hooks[name]: order for name, order in orders.items()}}
        cls.hooks = frozenset(f for name, f in hooks.items() if getattr(cls, name) is not f)

    # -- Discard cards -----------------------------------------------------------------------

    def resolve(self, t: Table, seat: Seat, item: Item) -> Rules[None]:
        """A Discard card bought by `seat` (1.5)."""
        yield from ()

    # -- modify ------------------------------------------------------------------------------

    def extra_dice(self, t: Table, me: InPlay) -> int:
        """Dice more (3.2)."""
        return 0

    def extra_rolls(self, t: Table, me: InPlay) -> int:
        """Rolls more (3.3)."""
        return 0

    def extra_max_hearts(self, t: Table, me: InPlay) -> int:
        """Hearts more that its owner can have."""
        return 0

    def discount(self, t: Table, me: InPlay) -> int:
        """Energy less for a power card."""
        return 0

    def extra_hearts_gained(self, t: Table, me: InPlay) -> int:
        """Hearts more at each gain."""
        return 0

    def extra_energy_gained(self, t: Table, me: InPlay) -> int:
        """Energy more at each gain (A-22 says what is none)."""
        return 0

    def modify_claws(self, t: Table, me: InPlay, claws: int) -> int:
        """All claws of the active monster, in the order of 3.7.1."""
        return claws

    def extra_damage(
        self, t: Table, me: InPlay, claws: int, victim: Seat, targets: list[Seat]
    ) -> int:
        """Damage more to one monster, target or not (3.7.1)."""
        return 0

    def claws_reach_all_others(self, t: Table, me: InPlay) -> bool:
        """Claws hit all others wherever they are."""
        return False

    def is_dormant(self, t: Table, me: InPlay) -> bool:
        """Only hearts and bolts count; no entering, no buying."""
        return False

    def yielding_avoids_damage(self, t: Table, me: InPlay) -> bool:
        """Damage in Tokyo waits for the answer to the yield question."""
        return False

    def three_ones_earn_a_turn(self, t: Table, me: InPlay) -> bool:
        """Three ones are worth another turn (TURN_END)."""
        return False

    def may_buy_out_of_turn(self, t: Table, me: InPlay) -> bool:
        """May buy cards just turned up on others' turns."""
        return False

    def may_peek(self, t: Table, me: InPlay) -> bool:
        """May look at the top card while buying."""
        return False

    def may_buy_from_others(self, t: Table, me: InPlay) -> bool:
        """May buy Keep cards in front of others."""
        return False

    def may_sell(self, t: Table, me: InPlay) -> bool:
        """May sell Keep cards after buying."""
        return False

    def may_heal_others(self, t: Table, me: InPlay) -> bool:
        """Heart dice may heal others for energy."""
        return False

    def may_be_gained(self, t: Table, seat: Seat) -> bool:
        """Whether `seat` may buy or copy this card now."""
        return True

    # -- shield ------------------------------------------------------------------------------

    def absorbs_hit(self, t: Table, me: InPlay, hit: Hit) -> bool:
        """At the moment of application: the whole hit does nothing (3.7.4 c)."""
        return False

    def rescue_at_zero(self, t: Table, me: InPlay) -> bool:
        """At 0 hearts: True if the monster goes on, which this call has seen to (3.7.5)."""
        return False

    def wins_at_zero(self, t: Table, me: InPlay) -> bool:
        """At 0 hearts: eliminated, but the winner (3.7.5)."""
        return False

    # -- offer -------------------------------------------------------------------------------

    def offer_roll(self, t: Table, me: InPlay) -> Usable | None:
        """ROLL (3.3)."""
        return None

    def offer_probe(self, t: Table, me: InPlay) -> Usable | None:
        """PROBE_WINDOW (3.4)."""
        return None

    def offer_change(self, t: Table, me: InPlay) -> Usable | None:
        """CHANGE_DICE (3.5)."""
        return None

    def offer_response(self, t: Table, me: InPlay) -> Usable | None:
        """RESPONSE (3.7.4 b); `t.hit` is what is about to land."""
        return None

    def offer_anytime(self, t: Table, me: InPlay) -> Usable | None:
        """Every decision of its owner (A-86)."""
        return None

    def use(self, t: Table, me: InPlay, use: Use) -> Rules[None]:
        """Its cost is paid."""
        yield from ()

    # -- react -------------------------------------------------------------------------------

    def came_into_play(self, t: Table, me: InPlay) -> Rules[None]:
        """It has just come into play in front of its owner."""
        yield from ()

    def left_play(self, t: Table, me: InPlay) -> None:
        """It is not in front of its owner any more, who is still in the game."""

    def turn_starts(self, t: Table, me: InPlay) -> Rules[None]:
        """TURN_START 1 to 3."""
        yield from ()

    def starts_in_tokyo(self, t: Table, me: InPlay) -> None:
        """TURN_START 5."""

    def choose_copied_card(self, t: Table, me: InPlay) -> Rules[None]:
        """TURN_START 6 and 7: copying cards."""
        yield from ()

    def score_whole_roll(self, t: Table, me: InPlay, claws: int) -> None:
        """Before the groups are resolved (3.6); `claws` counts those of cards too."""

    def triple_scored(self, t: Table, me: InPlay, face: Face, count: int) -> None:
        """A triple of numbers has been scored."""

    def bolts_resolved(self, t: Table, me: InPlay, count: int) -> None:
        """The bolts have been resolved."""

    def hearts_healed(self, t: Table, me: InPlay, count: int) -> None:
        """`count` heart dice have healed their owner."""

    def attack_begins(self, t: Table, me: InPlay) -> None:
        """There is at least one claw; nobody is hurt yet (A-70)."""

    def attack_drew_blood(self, t: Table, me: InPlay) -> None:
        """The first heart of this turn's attack has been lost (A-70)."""

    def wounded_other(self, t: Table, me: InPlay, victim: Seat) -> None:
        """Its owner's claw hit has made `victim` lose hearts (3.7.4 e)."""

    def was_wounded(self, t: Table, me: InPlay, hit: Hit, lost: int) -> Rules[None]:
        """Its owner has lost hearts (3.7.4 e)."""
        yield from ()

    def reached_zero(self, t: Table, me: InPlay, victim: Seat) -> None:
        """Somebody's hearts have reached 0 (3.7.5)."""

    def yielded_tokyo(self, t: Table, me: InPlay, attacker: Seat) -> Rules[None]:
        """Its owner has yielded Tokyo; all answers are in (A-79)."""
        yield from ()

    def may_swap(self, t: Table, me: InPlay, attacker: Seat) -> Rules[None]:
        """After `yielded_tokyo` of all."""
        yield from ()

    def entered_tokyo(self, t: Table, me: InPlay) -> None:
        """Its owner has entered Tokyo."""

    def bought_card(self, t: Table, me: InPlay) -> None:
        """Its owner has paid for a power card (3.10)."""

    def turn_ends(self, t: Table, me: InPlay) -> Rules[None]:
        """END_EFFECTS 1 to 5."""
        yield from ()
