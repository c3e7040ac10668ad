"""Where cards and tiles take part in the rules: the hooks, and what lies in play.

Scope: an `Effect` overrides the few hooks it needs. The rules call an offer or reaction at one
place, which its docstring names; they may read a number or flag at several places. A hook may
serve one card. It is named after what the rule says, never after the card, so that the rules read
without knowing the cards. There are four kinds:

* *modify* gives a number or a flag and changes nothing;
* *shield* stands before damage;
* *offer* adds an answer to a decision, and `use` does what was answered;
* *react* follows what has happened.

An effect belongs to an instance (`InPlay`): two Extra Heads are two effects, and a copying card
works as the copied one with counters of its own.

Effects at one hook come in this order: `orders` of their classes where RULES.md gives an order,
then the seats as the rules go through them (clockwise from the active monster), then acquisition.

A generator hook yields Decisions and Chance nodes exactly like the rules around it. It gets an
answer, the values drawn, or None. None means that a seat has left the game: the hook must look at
the table again, and ask again if there is still something to ask.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from enum import Flag, auto
from types import FunctionType
from typing import TYPE_CHECKING, ClassVar, Concatenate, NamedTuple, TypeAlias, TypeVar

from kotp2p.referee.model.answers import Answer, Face, Item, Seat, Use
from kotp2p.referee.model.decision_base import Usable
from kotp2p.referee.model.decisions import Chance, Decision
from kotp2p.referee.model.state import Holding

if TYPE_CHECKING:
    from kotp2p.referee.table.table import Hit, Table

T = TypeVar("T")
Reply: TypeAlias = Answer | tuple[int, ...] | None
"""What the rules get for a node: an answer, the values drawn, or None (look and ask again)."""
Rules: TypeAlias = Generator[Decision | Chance, Reply, T]
"""A rule as a generator: it yields nodes, gets their replies, and returns a `T`."""

Hook: TypeAlias = "Callable[Concatenate[Effect, Table, InPlay, ...], object]"
"""A hook as the rules name it: by its function, as `Effect.modify_claws`, so that mypy refuses a
hook that does not exist."""
NumberHook: TypeAlias = "Callable[[Effect, Table, InPlay], int]"
"""A hook that gives a number."""
OfferHook: TypeAlias = "Callable[[Effect, Table, InPlay], Usable | None]"
"""A hook that may add an answer to a decision."""


class DiceTraits(Flag):
    """What an effect may look for in the final dice."""

    TRIPLES = auto()
    """Which numbers are there three times or more."""
    FACES = auto()
    """Which faces are there at all."""
    HEARTS = auto()
    """Hearts that do not heal their owner."""


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
    """Counters on the card when it comes into play."""
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
        """`seat` has bought this Discard card (1.5)."""
        yield from ()

    # -- modify ------------------------------------------------------------------------------

    def extra_dice(self, t: Table, me: InPlay) -> int:
        """How many dice more its owner rolls (3.2)."""
        return 0

    def extra_rolls(self, t: Table, me: InPlay) -> int:
        """How many rolls more its owner has (3.3)."""
        return 0

    def extra_max_hearts(self, t: Table, me: InPlay) -> int:
        """How many hearts more its owner can have."""
        return 0

    def discount(self, t: Table, me: InPlay) -> int:
        """How much less energy a power card costs its owner."""
        return 0

    def extra_hearts_gained(self, t: Table, me: InPlay) -> int:
        """How many hearts more its owner gains each time."""
        return 0

    def extra_energy_gained(self, t: Table, me: InPlay) -> int:
        """How much energy more its owner gains each time (A-22 lists what is no gain)."""
        return 0

    def modify_claws(self, t: Table, me: InPlay, claws: int) -> int:
        """The claws of the active monster after this effect, in the order of 3.7.1."""
        return claws

    def extra_damage(
        self, t: Table, me: InPlay, claws: int, victim: Seat, targets: list[Seat]
    ) -> int:
        """How much damage more its owner deals to `victim`, a target or not (3.7.1)."""
        return 0

    def claws_reach_all_others(self, t: Table, me: InPlay) -> bool:
        """Whether its owner's claws hit all others wherever they are."""
        return False

    def is_dormant(self, t: Table, me: InPlay) -> bool:
        """Whether its owner is limited to hearts and bolts, and cannot enter Tokyo or buy."""
        return False

    def yielding_avoids_damage(self, t: Table, me: InPlay) -> bool:
        """Whether damage to its owner in Tokyo waits for the answer to the yield question."""
        return False

    def three_ones_earn_a_turn(self, t: Table, me: InPlay) -> bool:
        """Whether three ones give its owner another turn (TURN_END)."""
        return False

    def may_buy_out_of_turn(self, t: Table, me: InPlay) -> bool:
        """Whether its owner may buy cards that were just turned up, before all others."""
        return False

    def may_peek(self, t: Table, me: InPlay) -> bool:
        """Whether its owner may look at the top card while buying."""
        return False

    def may_buy_from_others(self, t: Table, me: InPlay) -> bool:
        """Whether its owner may buy Keep cards in front of others."""
        return False

    def may_sell(self, t: Table, me: InPlay) -> bool:
        """Whether its owner may sell Keep cards after buying."""
        return False

    def may_heal_others(self, t: Table, me: InPlay) -> bool:
        """Whether its owner's heart dice may heal others for energy."""
        return False

    def may_be_gained(self, t: Table, seat: Seat) -> bool:
        """Whether `seat` may buy or copy this card now."""
        return True

    # -- shield ------------------------------------------------------------------------------

    def absorbs_hit(self, t: Table, me: InPlay, hit: Hit) -> bool:
        """Whether the whole hit does nothing, at the moment when it is applied (3.7.4 c)."""
        return False

    def rescue_at_zero(self, t: Table, me: InPlay) -> bool:
        """Save its owner at 0 hearts, if it can; True if it has done so (3.7.5)."""
        return False

    def wins_at_zero(self, t: Table, me: InPlay) -> bool:
        """Whether its owner is eliminated at 0 hearts and wins all the same (3.7.5)."""
        return False

    # -- offer -------------------------------------------------------------------------------

    def offer_roll(self, t: Table, me: InPlay) -> Usable | None:
        """An offer at ROLL (3.3)."""
        return None

    def offer_probe(self, t: Table, me: InPlay) -> Usable | None:
        """An offer at PROBE_WINDOW (3.4)."""
        return None

    def offer_change(self, t: Table, me: InPlay) -> Usable | None:
        """An offer at CHANGE_DICE (3.5)."""
        return None

    def offer_response(self, t: Table, me: InPlay) -> Usable | None:
        """An offer at RESPONSE (3.7.4 b); `t.hit` is about to land."""
        return None

    def offer_anytime(self, t: Table, me: InPlay) -> Usable | None:
        """An offer at every decision of its owner (A-86)."""
        return None

    def use(self, t: Table, me: InPlay, use: Use) -> Rules[None]:
        """Carry out what was offered; the cost is paid."""
        yield from ()

    # -- react -------------------------------------------------------------------------------

    def came_into_play(self, t: Table, me: InPlay) -> Rules[None]:
        """The effect has just come into play in front of its owner."""
        yield from ()

    def left_play(self, t: Table, me: InPlay) -> None:
        """The effect has left play; its owner is still in the game."""

    def turn_starts(self, t: Table, me: InPlay) -> Rules[None]:
        """TURN_START 1 to 3 of its owner (3.2)."""
        yield from ()

    def starts_in_tokyo(self, t: Table, me: InPlay) -> None:
        """TURN_START 5: its owner starts a turn in Tokyo (3.2)."""

    def choose_copied_card(self, t: Table, me: InPlay) -> Rules[None]:
        """TURN_START 6 and 7: a copying card may choose anew (3.2)."""
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
        """Its owner attacks with at least one claw; no monster is hurt yet (A-70)."""

    def attack_drew_blood(self, t: Table, me: InPlay) -> None:
        """The first hearts have been lost to its owner's attack of this turn (A-70)."""

    def wounded_other(self, t: Table, me: InPlay, victim: Seat) -> None:
        """Its owner's claws have made `victim` lose hearts (3.7.4 e)."""

    def was_wounded(self, t: Table, me: InPlay, hit: Hit, lost: int) -> Rules[None]:
        """`hit` has made its owner lose hearts, `lost` of them (3.7.4 e)."""
        yield from ()

    def reached_zero(self, t: Table, me: InPlay, victim: Seat) -> None:
        """The hearts of `victim`, any monster, have reached 0 (3.7.5)."""

    def yielded_tokyo(self, t: Table, me: InPlay, attacker: Seat) -> Rules[None]:
        """Its owner has yielded Tokyo; all monsters asked have answered (A-79)."""
        yield from ()

    def may_swap(self, t: Table, me: InPlay, attacker: Seat) -> Rules[None]:
        """Its owner has yielded Tokyo; called after `yielded_tokyo` of all effects."""
        yield from ()

    def entered_tokyo(self, t: Table, me: InPlay) -> None:
        """Its owner has entered Tokyo."""

    def bought_card(self, t: Table, me: InPlay) -> None:
        """Its owner has paid for a power card (3.10)."""

    def turn_ends(self, t: Table, me: InPlay) -> Rules[None]:
        """END_EFFECTS 1 to 5 of its owner (3.12)."""
        yield from ()


HOOKS: Mapping[str, Hook] = {
    name: f for name, f in vars(Effect).items() if isinstance(f, FunctionType)
}
"""All hooks, by name."""
