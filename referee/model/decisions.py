"""The nodes of a game: the closed union `Pending` = a Decision, a Chance node, or Over.

Scope: every question to a seat, with what is legal. `why_illegal` gives the reason against an
answer, `legal_answers` lists the legal ones, and `default` is the legal answer for a seat that does
not answer: prompt, bot and the check of a peer's move share this one source. Every field is filled
when the node is reached, from public facts alone. All that a prompt has to show is in the fields or
in the State.

A decision with a single legal answer is never asked: the rules go on without it. Rapid Healing,
which its owner may use at every decision, is not counted here (RULES A-86).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain, combinations, permutations, product
from typing import Any, ClassVar, TypeAlias

from kotp2p.referee.model import answers
from kotp2p.referee.model.answers import Answer, Done, Face, Item, Order, Pass, Reason, Seat, Use
from kotp2p.referee.model.state import DamageKind

# -- what all decisions share --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Usable:
    """An effect that the asked seat can use at this decision."""

    item: Item
    effect: str
    """Key of the card with this effect; for a copying card it is not the key of `item`."""
    cost: int = 0
    dice: tuple[int, ...] = ()
    """The positions that an answer may name; empty: it names no die."""
    faces: tuple[Face, ...] = ()
    """The faces that an answer may name; empty: it names no face."""

    def legal_answers(self) -> Iterator[Use]:
        for die in self.dice or (None,):
            for face in self.faces or (None,):
                yield Use(self.item, die, face)

    def why_illegal(self, use: Use) -> Reason | None:
        if use.die not in (self.dice or (None,)):
            return Reason.NO_SUCH_DIE
        if use.face not in (self.faces or (None,)):
            return Reason.NO_SUCH_FACE
        return None


@dataclass(slots=True)
class DecisionBase:
    """What all decisions share."""

    kind: ClassVar[str]
    default: ClassVar[Any]
    """The legal answer for a seat that does not answer."""
    refusals: ClassVar[Mapping[type[Answer], Reason]] = {}
    """Why an answer of a kind that this decision takes is refused."""
    seat: Seat
    uses: tuple[Usable, ...] = field(default=(), kw_only=True)

    def legal_answers(self) -> Iterator[Answer]:
        """Yield every legal answer: first those of this kind, then the uses of cards."""
        own = self._own_answers()
        return chain(own, *[u.legal_answers() for u in self.uses]) if self.uses else own

    def is_legal(self, answer: Answer) -> bool:
        return self.why_illegal(answer) is None

    def why_illegal(self, answer: Answer) -> Reason | None:
        if type(answer) is not Use:  # by `type`, as an `isinstance` that fails is slow
            return self._why_own_illegal(answer)
        fitting = [u for u in self.uses if u.item == answer.item]
        if not fitting:
            return Reason.NOT_USABLE
        refusals = [u.why_illegal(answer) for u in fitting]
        return None if None in refusals else refusals[0]

    def _own_answers(self) -> Iterator[Answer]:
        yield self.default

    def _why_own_illegal(self, answer: Answer) -> Reason | None:
        """Compare with all own answers; kinds that have many override this."""
        if answer == self.default or answer in self._own_answers():
            return None
        return self.refusals.get(type(answer), Reason.WRONG_KIND)


# -- dice: rolling, changing, and what to do with the faces (RULES 3.3 to 3.6) -------------


@dataclass(slots=True)
class RollDecision(DecisionBase):
    """ROLL (RULES 3.3): reroll some dice, use a card, or stop."""

    kind: ClassVar[str] = "roll"
    dice: tuple[Face, ...]
    rolls_left: int
    default: ClassVar[Answer] = answers.Stop()

    def _own_answers(self) -> Iterator[Answer]:
        yield self.default
        if self.rolls_left:
            for size in range(1, len(self.dice) + 1):
                for chosen in combinations(range(len(self.dice)), size):
                    yield answers.Reroll(chosen)

    def _why_own_illegal(self, answer: Answer) -> Reason | None:
        if type(answer) is not answers.Reroll:
            return None if isinstance(answer, answers.Stop) else Reason.WRONG_KIND
        if not self.rolls_left:
            return Reason.NO_ROLL_LEFT
        last = -1
        for position in answer.dice:
            if position <= last:
                return Reason.NO_SUCH_DIE
            last = position
        return None if 0 <= last < len(self.dice) else Reason.NO_SUCH_DIE


@dataclass(slots=True)
class ProbeDecision(DecisionBase):
    """PROBE_WINDOW (RULES 3.4): `seat` may make `target` reroll one die."""

    kind: ClassVar[str] = "probe"
    target: Seat
    dice: tuple[Face, ...]
    default: ClassVar[Answer] = Pass()


@dataclass(slots=True)
class ChangeDecision(DecisionBase):
    """CHANGE_DICE (RULES 3.5)."""

    kind: ClassVar[str] = "change"
    dice: tuple[Face, ...]
    default: ClassVar[Answer] = Done()


@dataclass(slots=True)
class OrderDecision(DecisionBase):
    """In which order the groups of dice are resolved (RULES 3.6, A-105)."""

    kind: ClassVar[str] = "order"
    groups: tuple[Face, ...]
    """The groups that can be ordered, in the order of the faces."""
    optional_claws: bool = False
    """Whether the claws come from cards alone: an order that leaves them out has them last."""

    @property
    def default(self) -> Answer:
        return Order(self.groups)

    def _own_answers(self) -> Iterator[Answer]:
        for order in permutations(self.groups):
            yield Order(order)
        if self.optional_claws:
            for order in permutations(self._groups_with_dice()):
                yield Order(order)

    def _why_own_illegal(self, answer: Answer) -> Reason | None:
        if not isinstance(answer, Order):
            return Reason.WRONG_KIND
        named = sorted(answer.groups)
        if named == list(self.groups):
            return None
        if self.optional_claws and named == self._groups_with_dice():
            return None
        return Reason.NOT_THE_GROUPS

    def _groups_with_dice(self) -> list[Face]:
        return [face for face in self.groups if face is not answers.CLAW or not self.optional_claws]


@dataclass(slots=True)
class HeartsDecision(DecisionBase):
    """How the heart dice are split (3.6).

    It is asked whenever a heart die can do anything, since hearts may also be wasted. The front
    answers by itself where there is nothing but healing to do.
    """

    kind: ClassVar[str] = "hearts"
    hearts: int
    heal: int
    """The most hearts that may heal the seat itself: all, or 0 where hearts do not heal."""
    poison: int
    shrink: int
    patients: tuple[tuple[Seat, int], ...] = ()
    """Healing Ray: (seat, the most hearts that it can take), by seat."""

    @property
    def default(self) -> Answer:
        return answers.Hearts(heal=self.heal)

    def _own_answers(self) -> Iterator[Answer]:
        if not (self.poison or self.shrink or self.patients):  # as mostly
            yield from map(answers.Hearts, range(self.heal, -1, -1))
            return
        all_gifts = self._list_gifts()
        for heal in range(self.heal, -1, -1):
            for poison in range(self.poison + 1):
                for shrink in range(self.shrink + 1):
                    left = self.hearts - heal - poison - shrink
                    for gifts, given in all_gifts:
                        if given <= left:
                            yield answers.Hearts(heal, poison, shrink, gifts)

    def _list_gifts(self) -> list[tuple[tuple[tuple[Seat, int], ...], int]]:
        """Return the possible gifts to patients, each with the sum of its hearts."""
        if not self.patients:
            return [((), 0)]
        seats = [seat for seat, _ in self.patients]
        found = []
        for amounts in product(*[range(most + 1) for _, most in self.patients]):
            gifts = [(seat, n) for seat, n in zip(seats, amounts, strict=True) if n]
            found.append((tuple(gifts), sum(amounts)))
        return found

    def _why_own_illegal(self, answer: Answer) -> Reason | None:
        if not isinstance(answer, answers.Hearts):
            return Reason.WRONG_KIND
        spent = answer.heal + answer.poison + answer.shrink
        if answer.give:
            if (reason := self._why_gifts_illegal(answer.give)) is not None:
                return reason
            spent += sum([n for _, n in answer.give])
        if not (
            0 <= answer.heal <= self.heal
            and 0 <= answer.poison <= self.poison
            and 0 <= answer.shrink <= self.shrink
        ):
            return Reason.TOO_MANY
        return Reason.TOO_MANY if spent > self.hearts else None

    def _why_gifts_illegal(self, gifts: tuple[tuple[Seat, int], ...]) -> Reason | None:
        given = [seat for seat, _ in gifts]
        most = dict(self.patients)
        if given != sorted(set(given)) or not most.keys() >= set(given):
            return Reason.NOT_A_TARGET
        return Reason.TOO_MANY if any(n < 1 or n > most[seat] for seat, n in gifts) else None


# -- damage: before it lands, and after a hit in Tokyo (RULES 3.7) -------------------------


@dataclass(slots=True)
class ResponseDecision(DecisionBase):
    """RESPONSE (RULES 3.7.4): damage is about to land."""

    kind: ClassVar[str] = "response"
    damage: DamageKind
    amount: int
    """Hearts about to be lost; for LOSS, energy about to be lost."""
    dealer: Seat | None
    takes_all: bool = False
    """Whether hearts gained before it lands are lost with the rest (A-95)."""
    default: ClassVar[Answer] = Pass()


@dataclass(slots=True)
class YieldDecision(DecisionBase):
    """YIELD (RULES 3.7.6): leave Tokyo or stay. City is asked first, then Bay (A-19)."""

    kind: ClassVar[str] = "yield"
    attacker: Seat
    pending: int = 0
    """Damage put aside by Jets: yielding cancels it, staying lets it land."""
    default: ClassVar[Answer] = answers.Stay()

    def _own_answers(self) -> Iterator[Answer]:
        yield self.default
        yield answers.Yield()


@dataclass(slots=True)
class SwapDecision(DecisionBase):
    """Unstable DNA: take one of the attacker's Keep cards for it."""

    kind: ClassVar[str] = "swap"
    attacker: Seat
    cards: tuple[Item, ...]
    default: ClassVar[Answer] = Pass()

    def _own_answers(self) -> Iterator[Answer]:
        yield self.default
        for card in self.cards:
            yield answers.Swap(card)


# -- cards and tiles: buying, selling, copying, taking (RULES 3.10) ------------------------


@dataclass(frozen=True, slots=True)
class Offer:
    """A card that the asked seat can pay for."""

    card: Item
    price: int
    owner: Seat | None = None
    """The monster that the card lies in front of (Parasitic Tentacles); None: the market."""


@dataclass(slots=True)
class BuyDecision(DecisionBase):
    """BUY (RULES 3.10): the offers that can be paid, a sweep, a look, or done."""

    kind: ClassVar[str] = "buy"
    refusals: ClassVar[Mapping[type[Answer], Reason]] = {
        answers.Buy: Reason.NOT_FOR_SALE,
        answers.BuyTop: Reason.NOT_SEEN,
        answers.Sweep: Reason.CANNOT_PAY,
        answers.Peek: Reason.NOT_USABLE,
    }
    offers: tuple[Offer, ...]
    sweep: bool
    """Whether the seat can pay for a sweep and there are cards to sweep."""
    peek: bool
    """Whether the seat may look at the top card (Made in a Lab) and has not seen it."""
    top: bool
    """Whether the seat has seen the top card. Only the seat knows if it can pay for the card."""
    tops: tuple[Offer, ...] = ()
    """With `top`: the undrawn cards that this seat could pay for."""
    default: ClassVar[Answer] = Done()

    def _own_answers(self) -> Iterator[Answer]:
        """Yield the answers without `BuyTop`, since only the seat knows the card."""
        yield self.default
        for offer in self.offers:
            yield answers.Buy(offer.card)
        if self.sweep:
            yield answers.Sweep()
        if self.peek:
            yield answers.Peek()

    def _why_own_illegal(self, answer: Answer) -> Reason | None:
        if self.top and isinstance(answer, answers.BuyTop):
            known = any(offer.card == answer.card for offer in self.tops)
            return None if known else Reason.CANNOT_PAY
        if self.top and isinstance(answer, answers.Peek):
            return None if self.peek else Reason.ALREADY_SEEN
        return DecisionBase._why_own_illegal(self, answer)


@dataclass(slots=True)
class OpportunistDecision(DecisionBase):
    """Cards were just turned up; `seat` may buy one before all others (K30)."""

    kind: ClassVar[str] = "opportunist"
    refusals: ClassVar[Mapping[type[Answer], Reason]] = {answers.Buy: Reason.NOT_FOR_SALE}
    offers: tuple[Offer, ...]
    default: ClassVar[Answer] = Pass()

    def _own_answers(self) -> Iterator[Answer]:
        yield self.default
        for offer in self.offers:
            yield answers.Buy(offer.card)


@dataclass(slots=True)
class DepositDecision(DecisionBase):
    """Monster Batteries, 2011: how much energy the seat puts on the card."""

    kind: ClassVar[str] = "deposit"
    max_energy: int
    default: ClassVar[Answer] = answers.Deposit(0)

    def _own_answers(self) -> Iterator[Answer]:
        for energy in range(self.max_energy + 1):
            yield answers.Deposit(energy)


@dataclass(slots=True)
class CopyDecision(DecisionBase):
    """Mimic, Fluxling: which Keep card in play to copy."""

    kind: ClassVar[str] = "copy"
    refusals: ClassVar[Mapping[type[Answer], Reason]] = {answers.Copy: Reason.NOT_A_TARGET}
    item: Item
    targets: tuple[Item, ...]
    """By owner clockwise from the deciding seat, then by acquisition."""
    keep: bool
    """Whether the seat may leave the link as it is: at the start of a turn, not when the card
    comes into play."""
    cost: int = 0

    @property
    def default(self) -> Answer:
        return answers.Keep() if self.keep else answers.Copy(self.targets[0])

    def _own_answers(self) -> Iterator[Answer]:
        if self.keep:
            yield answers.Keep()
        for card in self.targets:
            yield answers.Copy(card)


@dataclass(slots=True)
class TileDecision(DecisionBase):
    """Which wickedness tile of the step that was reached."""

    kind: ClassVar[str] = "tile"
    step: int
    tiles: tuple[Item, ...]

    @property
    def default(self) -> Answer:
        return answers.Take(self.tiles[0])

    def _own_answers(self) -> Iterator[Answer]:
        for tile in self.tiles:
            yield answers.Take(tile)


@dataclass(slots=True)
class SellDecision(DecisionBase):
    """SELL (Metamorph): own Keep cards for their printed cost."""

    kind: ClassVar[str] = "sell"
    cards: tuple[Item, ...]
    default: ClassVar[Answer] = Done()

    def _own_answers(self) -> Iterator[Answer]:
        yield self.default
        for size in range(1, len(self.cards) + 1):
            for sold in combinations(sorted(self.cards), size):
                yield answers.Sell(sold)

    def _why_own_illegal(self, answer: Answer) -> Reason | None:
        if answer == Done():
            return None
        if not isinstance(answer, answers.Sell):
            return Reason.WRONG_KIND
        sold = list(answer.cards)
        legal = sold and sold == sorted(set(sold)) and set(sold) <= set(self.cards)
        return None if legal else Reason.NOT_A_TARGET


@dataclass(slots=True)
class AgainDecision(DecisionBase):
    """Freeze Time: take the extra turn, or not (A-31)."""

    kind: ClassVar[str] = "again"
    default: ClassVar[Answer] = answers.Again()

    def _own_answers(self) -> Iterator[Answer]:
        yield self.default
        yield Pass()


# -- the union -----------------------------------------------------------------------------


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
    """A secret look at the top card; the input is `Looked`, not `Drawn`."""


DICE, CARDS, SIDES, LOOK = ChanceKind


@dataclass(frozen=True, slots=True)
class Draw:
    """One value, uniform below `size`."""

    size: int
    pool: int = -1
    """Draws of one pool (>= 0) give different values, as cards out of one pile do. For CARDS a
    value is an index into that pile, sorted by item number, as it stands at this node."""


DIE_VALUES = frozenset(range(6))


@dataclass(slots=True)
class Chance:
    """Chance owes an outcome.

    * DICE: one draw of 6 for each die, by ascending position. In the roll-off six draws for each
      tied monster, in seat order.
    * CARDS: one draw for each card. Pool 0 is the undrawn cards; pool 1 is the discard pile, used
      when pool 0 has no card left (RULES 3.10, A-62).
    * SIDES: one draw of 2 for each tile.
    * LOOK: no draw; `seat` sees the top card.
    """

    kind: ChanceKind
    draws: tuple[Draw, ...]
    seat: Seat | None = None
    """The one seat that needs the outcome; if that seat leaves, the node is withdrawn."""
    piles: tuple[tuple[Item, ...], ...] = ()
    """CARDS: the pile of each pool, sorted by item number."""

    def why_illegal(self, values: tuple[int, ...]) -> Reason | None:
        if self.kind is DICE:
            is_legal = len(values) == len(self.draws) and DIE_VALUES.issuperset(values)
        else:
            is_legal = self.kind is not LOOK and self._is_one_of_each(values)
        return None if is_legal else Reason.BAD_OUTCOME

    def _is_one_of_each(self, values: tuple[int, ...]) -> bool:
        """Return whether each draw has a value, different within one pool."""
        if len(values) != len(self.draws):
            return False
        taken: set[tuple[int, int]] = set()
        for i, value in enumerate(values):
            draw = self.draws[i]
            card = (draw.pool, value)
            if not 0 <= value < draw.size or card in taken:
                return False
            if draw.pool >= 0:
                taken.add(card)
        return True


@dataclass(slots=True)
class Over:
    """The game has ended; `winners` by seat, empty if no monster is left (A-02, A-05)."""

    winners: tuple[Seat, ...]


Pending: TypeAlias = Decision | Chance | Over


def seat_asked(pending: Pending) -> Seat | None:
    """Return the seat that owes an answer, or None at a chance node and after the end."""
    match pending:
        case Chance() | Over():
            return None
        case _:  # every decision has a seat; mypy refuses a node without one
            return pending.seat
