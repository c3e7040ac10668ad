"""What a seat or chance can put into the game: the closed union `Input`.

Scope: an answer says what its seat wants: no price, no result, no seat. Cards are named by their
item number, the index into the deck of the genesis, so two copies of a card give two answers.
Answers are frozen, as they are shared. Inputs are not, like events (`referee.model.events`).
Whether an answer is legal, its decision knows.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import TypeAlias, final

Seat: TypeAlias = int
"""0 … n-1, clockwise."""

Item: TypeAlias = int
"""A card (its index in the deck of the table) or a tile (len(deck) + its index in `TILES`)."""


class Face(IntEnum):
    """A face of a die; its value is what a draw of size 6 gives for it."""

    ONE = 0
    TWO = 1
    THREE = 2
    HEART = 3
    BOLT = 4
    CLAW = 5

    @property
    def letter(self) -> str:
        return "123HBC"[self]

    @staticmethod
    def of(letter: str) -> Face:
        """Return the face of a letter in scenarios and prompts; raise ValueError if it is none."""
        return Face("123HBC".index(letter))


ONE, TWO, THREE, HEART, BOLT, CLAW = Face
"""The faces as the rules name them. Python 3.11 takes longer for `Face.CLAW` than for a call."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Roll no more."""


@dataclass(frozen=True, slots=True)
class Reroll:
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Use:
    """Use the effect of a card in front of the answering seat; `Decision.uses` lists what fits."""

    item: Item
    die: int | None = None
    face: Face | None = None


@dataclass(frozen=True, slots=True)
class Pass:
    """Let this window go by. A window whose seat has left the game gets this answer too."""


@dataclass(frozen=True, slots=True)
class Done:
    """Change no more dice, or buy or sell no more."""


@dataclass(frozen=True, slots=True)
class Order:
    groups: tuple[Face, ...]
    """All groups that hold dice (and the claws, if cards give some), in the order wanted."""


@dataclass(frozen=True, slots=True)
class Hearts:
    """How the heart dice are spent; hearts left over are wasted."""

    heal: int = 0
    poison: int = 0
    shrink: int = 0
    give: tuple[tuple[Seat, int], ...] = ()
    """Healing Ray: (seat, hearts), by ascending seat, each at least 1."""


@dataclass(frozen=True, slots=True)
class Yield:
    """Leave Tokyo to the attacker."""


@dataclass(frozen=True, slots=True)
class Stay:
    """Stay in Tokyo."""


@dataclass(frozen=True, slots=True)
class Swap:
    card: Item


@dataclass(frozen=True, slots=True)
class Buy:
    card: Item
    """It lies in the market or in front of another monster, which is the seller then."""


@dataclass(frozen=True, slots=True)
class BuyTop:
    card: Item
    """The top of the deck, seen through Made in a Lab. The opening in the same entry proves it."""


@dataclass(frozen=True, slots=True)
class Peek:
    """Look at the top card of the deck."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """Pay 2 energy for new cards in the market."""


@dataclass(frozen=True, slots=True)
class Deposit:
    energy: int


@dataclass(frozen=True, slots=True)
class Copy:
    card: Item


@dataclass(frozen=True, slots=True)
class Keep:
    """Leave Mimic or Fluxling where it is."""


@dataclass(frozen=True, slots=True)
class Take:
    tile: Item


@dataclass(frozen=True, slots=True)
class Sell:
    cards: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Again:
    """Take the extra turn."""


Answer: TypeAlias = (
    Stop | Reroll | Use | Pass | Done | Order | Hearts | Yield | Stay | Swap | Buy | BuyTop
    | Peek | Sweep | Deposit | Copy | Keep | Take | Sell | Again
)  # fmt: skip


@dataclass(slots=True)
class Answered:
    """`seat` answers the decision that it is asked."""

    seat: Seat
    answer: Answer


@dataclass(slots=True)
class Drawn:
    """Chance answers: one value for each draw of the pending chance node, each below its size."""

    values: tuple[int, ...]


@dataclass(slots=True)
class Looked:
    """`seat` has seen the top card, drawn at card slot `slot`; no other seat knows the card."""

    slot: int
    seat: Seat


@final
@dataclass(slots=True)
class Out:
    """These seats have left the game: legal at every node, without being asked (A-91)."""

    seats: tuple[Seat, ...]


@final
@dataclass(frozen=True, slots=True)
class Burnt:
    """The top card that a seat has looked at is unknown again, as that seat is gone."""


Input: TypeAlias = Answered | Drawn | Looked | Out | Burnt


class Reason(StrEnum):
    """Why an input is refused. The terminal turns each into a sentence."""

    NOT_ASKED = "not-asked"
    WRONG_KIND = "wrong-kind"
    NO_ROLL_LEFT = "no-roll-left"
    NO_SUCH_DIE = "no-such-die"
    """A position that is not on the table, repeated, or not open to this card."""
    NO_SUCH_FACE = "no-such-face"
    NOT_USABLE = "not-usable"
    """The card cannot be used here and now by this seat."""
    CANNOT_PAY = "cannot-pay"
    NOT_FOR_SALE = "not-for-sale"
    FORBIDDEN = "forbidden"
    """A card forbids it (Hibernation in Tokyo)."""
    FULL_HEARTS = "full-hearts"
    TOO_MANY = "too-many"
    NOT_A_TARGET = "not-a-target"
    NOT_THE_GROUPS = "not-the-groups"
    ALREADY_SEEN = "already-seen"
    NOT_SEEN = "not-seen"
    BAD_OUTCOME = "bad-outcome"
    """A draw out of range, repeated, or of the wrong number."""
    NOT_ALIVE = "not-alive"
    OVER = "over"


class IllegalAction(Exception):
    """An input is against the rule `reason`, about `detail`. The game has not changed."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else str(reason))
        self.reason = reason
        self.detail = detail
