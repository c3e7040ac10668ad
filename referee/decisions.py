"""Where a game can stand: the closed union `Pending` = a Decision, a Chance node, or Over.

Prompt, bot and the check of a peer's move share one source: `refuses` says why an answer
is illegal, `answers` enumerates the legal ones, `default` is what stands for silence in a
scenario and is always legal. Every field is filled when the node is reached, from public
facts alone, and everything that a prompt has to show is in the fields or in the State.

A decision with a single legal answer is never asked (Rapid Healing, which fits at every
decision of its owner, is not counted): the rules go on by themselves. RULES A-86.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations, permutations, product
from typing import ClassVar, TypeAlias

from referee.answers import (
    Again,
    Answer,
    Buy,
    BuyTop,
    Copy,
    Deposit,
    Done,
    Face,
    Hearts,
    Item,
    Keep,
    Order,
    Pass,
    Peek,
    Reason,
    Reroll,
    Seat,
    Sell,
    Stay,
    Stop,
    Swap,
    Sweep,
    Take,
    Use,
    Yield,
)


@dataclass(frozen=True, slots=True)
class Usable:
    """An effect that the asked seat can use at this decision."""

    item: Item
    """The card or tile in front of the seat."""
    effect: str
    """Key of the card whose effect it is; differs from the item's own for Mimic and Fluxling."""
    cost: int = 0
    """Energy."""
    dice: tuple[int, ...] = ()
    """Positions it may name; empty: it names no die."""
    faces: tuple[Face, ...] = ()
    """Faces it may name; empty: it names no face."""

    def answers(self) -> Iterator[Use]:
        for die in self.dice or (None,):
            for face in self.faces or (None,):
                yield Use(self.item, die, face)

    def refuses(self, use: Use) -> Reason | None:
        if use.die not in (self.dice or (None,)):
            return Reason.NO_SUCH_DIE
        if use.face not in (self.faces or (None,)):
            return Reason.NO_SUCH_FACE
        return None


@dataclass(frozen=True, slots=True)
class Offer:
    """A card that the asked seat can pay for."""

    card: Item
    price: int
    owner: Seat | None = None
    """The monster it lies in front of (Parasitic Tentacles); None: the market."""


@dataclass(slots=True)
class _Asked:
    """What all decisions share."""

    kind: ClassVar[str]
    seat: Seat
    uses: tuple[Usable, ...] = field(default=(), kw_only=True)

    def answers(self) -> Iterator[Answer]:
        """Every legal answer, the kind's own first, then the uses."""
        yield from self._own()
        for usable in self.uses:
            yield from usable.answers()

    def allows(self, answer: Answer) -> bool:
        return self.refuses(answer) is None

    def refuses(self, answer: Answer) -> Reason | None:
        """Why `answer` is illegal here; None if it is legal."""
        if isinstance(answer, Use):
            fitting = [u for u in self.uses if u.item == answer.item]
            if not fitting:
                return Reason.NOT_USABLE
            refusals = [u.refuses(answer) for u in fitting]
            return None if None in refusals else refusals[0]
        return self._refuses_own(answer)

    def _own(self) -> Iterator[Answer]:
        raise NotImplementedError

    def _refuses_own(self, answer: Answer) -> Reason | None:
        """For kinds whose own answers are few; the others override it."""
        return None if answer in self._own() else Reason.WRONG_KIND


@dataclass(slots=True)
class RollDecision(_Asked):
    """ROLL (RULES 3.3): reroll some dice, use a card, or stop."""

    kind: ClassVar[str] = "roll"
    dice: tuple[Face, ...]
    rolls_left: int
    default: ClassVar[Answer] = Stop()

    def _own(self) -> Iterator[Answer]:
        yield Stop()
        if self.rolls_left:
            for size in range(1, len(self.dice) + 1):
                for chosen in combinations(range(len(self.dice)), size):
                    yield Reroll(chosen)

    def _refuses_own(self, answer: Answer) -> Reason | None:
        if answer == Stop():
            return None
        if not isinstance(answer, Reroll):
            return Reason.WRONG_KIND
        if not self.rolls_left:
            return Reason.NO_ROLL_LEFT
        chosen = answer.dice
        if not chosen or list(chosen) != sorted(set(chosen)):
            return Reason.NO_SUCH_DIE
        if chosen[0] < 0 or chosen[-1] >= len(self.dice):
            return Reason.NO_SUCH_DIE
        return None


@dataclass(slots=True)
class ProbeDecision(_Asked):
    """PROBE_WINDOW (RULES 3.4): `seat` may make `target` reroll one die."""

    kind: ClassVar[str] = "probe"
    target: Seat
    dice: tuple[Face, ...]
    default: ClassVar[Answer] = Pass()

    def _own(self) -> Iterator[Answer]:
        yield Pass()


@dataclass(slots=True)
class ChangeDecision(_Asked):
    """CHANGE_DICE (RULES 3.5)."""

    kind: ClassVar[str] = "change"
    dice: tuple[Face, ...]
    default: ClassVar[Answer] = Done()

    def _own(self) -> Iterator[Answer]:
        yield Done()


@dataclass(slots=True)
class OrderDecision(_Asked):
    """In which order the groups of dice are resolved (RULES 3.6)."""

    kind: ClassVar[str] = "order"
    groups: tuple[Face, ...]
    """Those that can be ordered, in printed order."""

    @property
    def default(self) -> Answer:
        return Order(self.groups)

    def _own(self) -> Iterator[Answer]:
        for order in permutations(self.groups):
            yield Order(order)

    def _refuses_own(self, answer: Answer) -> Reason | None:
        if not isinstance(answer, Order):
            return Reason.WRONG_KIND
        return None if sorted(answer.groups) == sorted(self.groups) else Reason.NOT_THE_GROUPS


@dataclass(slots=True)
class HeartsDecision(_Asked):
    """How the heart dice are split (3.6): asked wherever they can do anything, as they may be
    wasted too; the front answers by itself where there is nothing but healing to do."""

    kind: ClassVar[str] = "hearts"
    hearts: int
    heal: int
    """The most that may be spent on oneself: all hearts, or 0 where hearts do not heal."""
    poison: int
    shrink: int
    """The most tokens that may be removed."""
    patients: tuple[tuple[Seat, int], ...] = ()
    """Healing Ray: (seat, the most hearts it can take), by seat."""

    @property
    def default(self) -> Answer:
        return Hearts(heal=self.heal)

    def _own(self) -> Iterator[Answer]:
        gifts = [range(most + 1) for _, most in self.patients]
        for heal in range(self.heal, -1, -1):
            for poison in range(self.poison + 1):
                for shrink in range(self.shrink + 1):
                    for given in product(*gifts):
                        if heal + poison + shrink + sum(given) <= self.hearts:
                            give = tuple(
                                (seat, n)
                                for (seat, _), n in zip(self.patients, given, strict=True)
                                if n
                            )
                            yield Hearts(heal, poison, shrink, give)

    def _refuses_own(self, answer: Answer) -> Reason | None:
        if not isinstance(answer, Hearts):
            return Reason.WRONG_KIND
        given = [seat for seat, _ in answer.give]
        most = dict(self.patients)
        if given != sorted(set(given)) or any(seat not in most for seat in given):
            return Reason.NOT_A_TARGET
        amounts = (answer.heal, answer.poison, answer.shrink)
        if min(amounts) < 0 or any(n < 1 or n > most[seat] for seat, n in answer.give):
            return Reason.TOO_MANY
        limits = (self.heal, self.poison, self.shrink)
        if any(n > limit for n, limit in zip(amounts, limits, strict=True)):
            return Reason.TOO_MANY
        spent = sum(amounts) + sum(n for _, n in answer.give)
        return Reason.TOO_MANY if spent > self.hearts else None


class PacketKind(StrEnum):
    """Where damage comes from (RULES 0.2)."""

    CLAWS = "claws"
    CARD = "card"
    POISON = "poison"
    LOSS = "loss"
    """No damage yet: the last moment before another's card takes energy (A-86)."""


@dataclass(slots=True)
class ResponseDecision(_Asked):
    """RESPONSE (RULES 3.7.4): damage is about to land."""

    kind: ClassVar[str] = "response"
    packet: PacketKind
    amount: int
    """Hearts about to be lost; for LOSS, energy about to be lost."""
    dealer: Seat | None
    default: ClassVar[Answer] = Pass()

    def _own(self) -> Iterator[Answer]:
        yield Pass()


@dataclass(slots=True)
class YieldDecision(_Asked):
    """YIELD (RULES 3.7.6): City is asked first, then Bay (A-19)."""

    kind: ClassVar[str] = "yield"
    attacker: Seat
    pending: int = 0
    """Damage put aside by Jets: yielding cancels it, staying lets it land."""
    default: ClassVar[Answer] = Stay()

    def _own(self) -> Iterator[Answer]:
        yield Stay()
        yield Yield()


@dataclass(slots=True)
class SwapDecision(_Asked):
    """Unstable DNA: take one of the attacker's Keep cards for it."""

    kind: ClassVar[str] = "swap"
    attacker: Seat
    cards: tuple[Item, ...]
    default: ClassVar[Answer] = Pass()

    def _own(self) -> Iterator[Answer]:
        yield Pass()
        for card in self.cards:
            yield Swap(card)


@dataclass(slots=True)
class BuyDecision(_Asked):
    """BUY (RULES 3.10): the offers that can be paid, a sweep, a look, or done."""

    kind: ClassVar[str] = "buy"
    offers: tuple[Offer, ...]
    sweep: bool
    """2 energy are there and there are cards to sweep."""
    peek: bool
    """Made in a Lab, and the top card has not been seen by this seat."""
    top: bool
    """This seat has seen the top card; whether it can pay shows only when it buys."""
    tops: tuple[Offer, ...] = ()
    """With `top`: the undrawn cards that this seat could pay for."""
    default: ClassVar[Answer] = Done()

    def _own(self) -> Iterator[Answer]:
        """Without `BuyTop`, as only its seat knows the card."""
        yield Done()
        for offer in self.offers:
            yield Buy(offer.card)
        if self.sweep:
            yield Sweep()
        if self.peek:
            yield Peek()

    def _refuses_own(self, answer: Answer) -> Reason | None:
        match answer:
            case Done():
                return None
            case Buy(card=card):
                known = any(offer.card == card for offer in self.offers)
                return None if known else Reason.NOT_FOR_SALE
            case BuyTop(card=card):
                if not self.top:
                    return Reason.NOT_SEEN
                known = any(offer.card == card for offer in self.tops)
                return None if known else Reason.CANNOT_PAY
            case Sweep():
                return None if self.sweep else Reason.CANNOT_PAY
            case Peek():
                return None if self.peek else Reason.ALREADY_SEEN if self.top else Reason.NOT_USABLE
            case _:
                return Reason.WRONG_KIND


@dataclass(slots=True)
class OpportunistDecision(_Asked):
    """A card was just turned up; `seat` may buy it before anybody else (K30)."""

    kind: ClassVar[str] = "opportunist"
    offers: tuple[Offer, ...]
    default: ClassVar[Answer] = Pass()

    def _own(self) -> Iterator[Answer]:
        yield Pass()
        for offer in self.offers:
            yield Buy(offer.card)

    def _refuses_own(self, answer: Answer) -> Reason | None:
        if answer == Pass():
            return None
        if not isinstance(answer, Buy):
            return Reason.WRONG_KIND
        known = any(offer.card == answer.card for offer in self.offers)
        return None if known else Reason.NOT_FOR_SALE


@dataclass(slots=True)
class DepositDecision(_Asked):
    """Monster Batteries, 2011: how much of one's energy goes on the card."""

    kind: ClassVar[str] = "deposit"
    most: int
    default: ClassVar[Answer] = Deposit(0)

    def _own(self) -> Iterator[Answer]:
        for energy in range(self.most + 1):
            yield Deposit(energy)


@dataclass(slots=True)
class CopyDecision(_Asked):
    """Mimic, Fluxling: which Keep card in play to copy."""

    kind: ClassVar[str] = "copy"
    item: Item
    targets: tuple[Item, ...]
    """By owner clockwise from the deciding seat, then by acquisition."""
    keep: bool
    """At the start of a turn one may leave it; on gaining it one may not."""
    cost: int = 0

    @property
    def default(self) -> Answer:
        return Keep() if self.keep else Copy(self.targets[0])

    def _own(self) -> Iterator[Answer]:
        if self.keep:
            yield Keep()
        for card in self.targets:
            yield Copy(card)

    def _refuses_own(self, answer: Answer) -> Reason | None:
        match answer:
            case Keep():
                return None if self.keep else Reason.WRONG_KIND
            case Copy(card=card):
                return None if card in self.targets else Reason.NOT_A_TARGET
            case _:
                return Reason.WRONG_KIND


@dataclass(slots=True)
class TileDecision(_Asked):
    """Which wickedness tile of the step that was reached."""

    kind: ClassVar[str] = "tile"
    step: int
    tiles: tuple[Item, ...]

    @property
    def default(self) -> Answer:
        return Take(self.tiles[0])

    def _own(self) -> Iterator[Answer]:
        for tile in self.tiles:
            yield Take(tile)


@dataclass(slots=True)
class SellDecision(_Asked):
    """SELL (Metamorph): own Keep cards for their printed cost."""

    kind: ClassVar[str] = "sell"
    cards: tuple[Item, ...]
    default: ClassVar[Answer] = Done()

    def _own(self) -> Iterator[Answer]:
        yield Done()
        for size in range(1, len(self.cards) + 1):
            for sold in combinations(sorted(self.cards), size):
                yield Sell(sold)

    def _refuses_own(self, answer: Answer) -> Reason | None:
        if answer == Done():
            return None
        if not isinstance(answer, Sell):
            return Reason.WRONG_KIND
        sold = list(answer.cards)
        legal = sold and sold == sorted(set(sold)) and set(sold) <= set(self.cards)
        return None if legal else Reason.NOT_A_TARGET


@dataclass(slots=True)
class AgainDecision(_Asked):
    """Freeze Time: take the extra turn, or not (A-31)."""

    kind: ClassVar[str] = "again"
    default: ClassVar[Answer] = Again()

    def _own(self) -> Iterator[Answer]:
        yield Again()
        yield Pass()


Decision: TypeAlias = (
    RollDecision | ProbeDecision | ChangeDecision | OrderDecision | HeartsDecision
    | ResponseDecision | YieldDecision | SwapDecision | BuyDecision | OpportunistDecision
    | DepositDecision | CopyDecision | TileDecision | SellDecision | AgainDecision
)  # fmt: skip


class ChanceKind(StrEnum):
    DICE = "dice"
    CARDS = "cards"
    SIDES = "sides"
    LOOK = "look"
    """A secret look: answered by `Looked`, not by `Drawn`."""


@dataclass(frozen=True, slots=True)
class Draw:
    """One value, uniform below `size`."""

    size: int
    pool: int = -1
    """Draws of one pool (>= 0) give different values: cards out of one pile. For CARDS a value
    is an index into that pile, sorted by item number, as it stands at this node."""


@dataclass(slots=True)
class Chance:
    """Chance owes an outcome.

    DICE: one draw of 6 for each die, by ascending position (the roll-off: 6 for each tied
    monster in seat order). CARDS: one draw a card; pool 0 is the undrawn cards, pool 1 the
    discard pile, used when pool 0 has no card left (RULES 3.10, A-62). SIDES: one draw of 2
    for each tile. LOOK: no draw; `seat` sees the top card.
    """

    kind: ChanceKind
    draws: tuple[Draw, ...]
    seat: Seat | None = None
    """The seat that it serves alone; it is withdrawn if that seat leaves."""
    piles: tuple[tuple[Item, ...], ...] = ()
    """CARDS: the pile of each pool, sorted by item number."""

    def refuses(self, values: tuple[int, ...]) -> Reason | None:
        if self.kind is ChanceKind.LOOK or len(values) != len(self.draws):
            return Reason.BAD_OUTCOME
        seen: set[tuple[int, int]] = set()
        for value, draw in zip(values, self.draws, strict=True):
            if not 0 <= value < draw.size or (draw.pool, value) in seen:
                return Reason.BAD_OUTCOME
            if draw.pool >= 0:
                seen.add((draw.pool, value))
        return None


@dataclass(slots=True)
class Over:
    """The game has ended; `winners` by seat, empty if nobody is left (A-02, A-05)."""

    winners: tuple[Seat, ...]


Pending: TypeAlias = Decision | Chance | Over


def seat_asked(pending: Pending) -> Seat | None:
    """The seat that owes an answer; None at a chance node and when the game is over."""
    match pending:
        case Chance() | Over():
            return None
        case _:
            return pending.seat
