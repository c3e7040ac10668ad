"""Where cards and tiles take part in the rules: the hooks, and what lies in play.

Law: an `Effect` overrides the few hooks it needs; the rules call a hook at one place, named
in its docstring. Four kinds: *modify* gives a number or a flag and changes nothing, *shield*
stands before damage, *react* follows what has happened, *offer* adds an answer to a decision
(and `use` does what was answered). An effect belongs to an instance (`InPlay`), so that two
Extra Heads are two, and a copying card works as the copied one with its own counters.

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

from referee.answers import Answer, Face, Item, Seat, Use
from referee.asked import Usable
from referee.decisions import Chance, Decision
from referee.state import Holding

if TYPE_CHECKING:
    from referee.table import Packet, Table

T = TypeVar("T")
Given: TypeAlias = Answer | tuple[int, ...] | None
"""What the rules get for a node: an answer, what was drawn, or None (ask again)."""
Rules: TypeAlias = Generator[Decision | Chance, Given, T]

Hook: TypeAlias = "Callable[Concatenate[Effect, Table, InPlay, ...], object]"
"""A hook as the rules name it: by its function, `Effect.claws`, so that mypy knows it."""
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
    made: `class SpikedTail(Effect, claws=3)`."""
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

    def dice(self, t: Table, me: InPlay) -> int:
        """Dice more (3.2)."""
        return 0

    def rolls(self, t: Table, me: InPlay) -> int:
        """Rolls more (3.3)."""
        return 0

    def max_hearts(self, t: Table, me: InPlay) -> int:
        """Hearts more that its owner can have."""
        return 0

    def discount(self, t: Table, me: InPlay) -> int:
        """Energy less for a power card."""
        return 0

    def heart_gain(self, t: Table, me: InPlay) -> int:
        """Hearts more at each gain."""
        return 0

    def energy_gain(self, t: Table, me: InPlay) -> int:
        """Energy more at each gain (A-22 says what is none)."""
        return 0

    def claws(self, t: Table, me: InPlay, claws: int) -> int:
        """All claws of the active monster, in the order of 3.7.1."""
        return claws

    def blow(self, t: Table, me: InPlay, claws: int, victim: Seat, targets: list[Seat]) -> int:
        """Damage more to one monster, target or not (3.7.1)."""
        return 0

    def reaches_all(self, t: Table, me: InPlay) -> bool:
        """Claws hit all others wherever they are."""
        return False

    def sleeps(self, t: Table, me: InPlay) -> bool:
        """Only hearts and bolts count; no entering, no buying."""
        return False

    def dodges(self, t: Table, me: InPlay) -> bool:
        """Damage in Tokyo waits for the answer to the yield question."""
        return False

    def freezes(self, t: Table, me: InPlay) -> bool:
        """Three ones are worth another turn (TURN_END)."""
        return False

    def pounces(self, t: Table, me: InPlay) -> bool:
        """May buy cards just turned up on others' turns."""
        return False

    def peeks(self, t: Table, me: InPlay) -> bool:
        """May look at the top card while buying."""
        return False

    def grabs(self, t: Table, me: InPlay) -> bool:
        """May buy Keep cards in front of others."""
        return False

    def sells(self, t: Table, me: InPlay) -> bool:
        """May sell Keep cards after buying."""
        return False

    def heals_others(self, t: Table, me: InPlay) -> bool:
        """Heart dice may heal others for energy."""
        return False

    def may_gain(self, t: Table, seat: Seat) -> bool:
        """Whether `seat` may buy or copy this card now."""
        return True

    # -- shield ------------------------------------------------------------------------------

    def absorbs(self, t: Table, me: InPlay, packet: Packet) -> bool:
        """At the moment of application: the whole packet does nothing (3.7.4 c)."""
        return False

    def rescue(self, t: Table, me: InPlay) -> bool:
        """At 0 hearts: True if the monster goes on, which this call has seen to (3.7.5)."""
        return False

    def roars(self, t: Table, me: InPlay) -> bool:
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
        """RESPONSE (3.7.4 b); `t.packet` is what is about to land."""
        return None

    def offer_any(self, t: Table, me: InPlay) -> Usable | None:
        """Every decision of its owner (A-86)."""
        return None

    def use(self, t: Table, me: InPlay, use: Use) -> Rules[None]:
        """Its cost is paid."""
        yield from ()

    # -- react -------------------------------------------------------------------------------

    def gained(self, t: Table, me: InPlay) -> Rules[None]:
        """It has just come into play in front of its owner."""
        yield from ()

    def lost(self, t: Table, me: InPlay) -> None:
        """It is not in front of its owner any more, who is still in the game."""

    def turn_starts(self, t: Table, me: InPlay) -> Rules[None]:
        """TURN_START 1 to 3."""
        yield from ()

    def starts_in_tokyo(self, t: Table, me: InPlay) -> None:
        """TURN_START 5."""

    def chooses(self, t: Table, me: InPlay) -> Rules[None]:
        """TURN_START 6 and 7: copying cards."""
        yield from ()

    def whole_roll(self, t: Table, me: InPlay, claws: int) -> None:
        """Before the groups are resolved (3.6); `claws` counts those of cards too."""

    def scores(self, t: Table, me: InPlay, face: Face, count: int) -> None:
        """A triple of numbers has been scored."""

    def bolts(self, t: Table, me: InPlay, count: int) -> None:
        """The bolts have been resolved."""

    def heals(self, t: Table, me: InPlay, count: int) -> None:
        """`count` heart dice have healed their owner."""

    def attacks(self, t: Table, me: InPlay) -> None:
        """There is at least one claw; nobody is hurt yet (A-70)."""

    def first_blood(self, t: Table, me: InPlay) -> None:
        """The first heart of this turn's attack has been lost (A-70)."""

    def wounds(self, t: Table, me: InPlay, victim: Seat) -> None:
        """Its owner's claw packet has made `victim` lose hearts (3.7.4 e)."""

    def wounded(self, t: Table, me: InPlay, packet: Packet, lost: int) -> Rules[None]:
        """Its owner has lost hearts (3.7.4 e)."""
        yield from ()

    def fell(self, t: Table, me: InPlay, victim: Seat) -> None:
        """Somebody's hearts have reached 0 (3.7.5)."""

    def yielded(self, t: Table, me: InPlay, attacker: Seat) -> Rules[None]:
        """Its owner has yielded Tokyo; all answers are in (A-79)."""
        yield from ()

    def swaps(self, t: Table, me: InPlay, attacker: Seat) -> Rules[None]:
        """After `yielded` of all."""
        yield from ()

    def entered(self, t: Table, me: InPlay) -> None:
        """Its owner has entered Tokyo."""

    def bought(self, t: Table, me: InPlay) -> None:
        """Its owner has paid for a power card (3.10)."""

    def turn_ends(self, t: Table, me: InPlay) -> Rules[None]:
        """END_EFFECTS 1 to 5."""
        yield from ()
