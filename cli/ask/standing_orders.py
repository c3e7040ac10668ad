"""Standing orders: when to leave Tokyo and when to stay there, without being asked."""

import re
from dataclasses import dataclass, replace
from typing import TypeAlias

from kotp2p.cli.ask.foresight import NOTHING_AT_STAKE, find_stakes
from kotp2p.cli.text import names
from kotp2p.cli.text.i18n import _, ascii_digits
from kotp2p.cli.text.typed_words import ORDERS, own_word, words_in_english
from kotp2p.referee.model.answers import Answer, Stay, Yield
from kotp2p.referee.model.decisions import Decision, YieldDecision
from kotp2p.seams.notices import SeatView

ORDERS_WORD = "orders"


@dataclass(frozen=True, slots=True)
class Orders:
    yield_at: int | None = None
    """Leave Tokyo if staying leaves this many hearts or fewer."""
    stay_at: int | None = None
    """Stay if that leaves this many or more."""


Followed: TypeAlias = tuple[Answer, str]
"""An answer, and a sentence that tells the player of it, and why."""


def answer_by_orders(view: SeatView, decision: Decision, orders: Orders) -> Followed | None:
    if not isinstance(decision, YieldDecision):
        return None
    followed = _follow_orders(view, decision, orders)
    if followed is None or find_stakes(view, decision, followed[0]) != NOTHING_AT_STAKE:
        return None
    return followed


def _follow_orders(view: SeatView, decision: YieldDecision, orders: Orders) -> Followed | None:
    left = view.game.state.monsters[decision.seat].hearts - decision.pending
    if left <= 0:
        return None
    hearts = names.hearts(left)
    if orders.yield_at is not None and left <= orders.yield_at:
        said = _(
            "Standing order: you leave Tokyo; staying would leave you {hearts}.", hearts=hearts
        )
        return Yield(), said
    if orders.stay_at is not None and left >= orders.stay_at:
        said = _("Standing order: you stay in Tokyo with {hearts}.", hearts=hearts)
        return Stay(), said
    return None


# -- the words ---------------------------------------------------------------------------


def describe_orders(orders: Orders) -> list[str]:
    said = []
    if orders.yield_at is not None:
        said.append(
            _("You leave Tokyo if staying leaves you {hearts} or fewer.",
              hearts=names.hearts(orders.yield_at))
        )  # fmt: skip
    if orders.stay_at is not None:
        said.append(
            _("You stay in Tokyo if that leaves you {hearts} or more.",
              hearts=names.hearts(orders.stay_at))
        )  # fmt: skip
    if not said:
        return [_("You have no standing orders: you are asked about everything.")]
    always = _("You are always asked before an order puts you out or lets another player win.")
    return [*said, always]


def _explain_syntax() -> list[str]:
    return [
        _("orders yield 3: you leave Tokyo if staying leaves you 3 hearts or fewer."),
        _("orders stay 6: you stay in Tokyo if that leaves you 6 hearts or more."),
        _("orders off cancels all of them; orders yield off cancels that one."),
    ]


@dataclass
class OrderKeeper:
    orders: Orders = Orders()

    def greet(self) -> list[str]:
        """Describe the orders at the beginning of a game; nothing if there are none."""
        if self.orders == Orders():
            return []
        return [_("Your standing orders:"), *describe_orders(self.orders)]

    def read_line(self, text: str) -> list[str] | None:
        """Return the reply to a line about orders, or None for any other line."""
        word, _space, rest = ascii_digits(" ".join(text.split())).lower().partition(" ")
        if word != ORDERS_WORD:
            return None
        if not rest:
            return [*describe_orders(self.orders), *_explain_syntax()]
        wish = parse_orders(rest, self.orders)
        if isinstance(wish, str):
            return [wish]
        self.orders = wish
        return describe_orders(wish)


def parse_orders(text: str, orders: Orders = Orders()) -> Orders | str:
    """Return the orders changed by all words with commas between, or what is wrong with them."""
    for part in filter(None, map(str.strip, ascii_digits(text).lower().split(","))):
        wish = _parse_order(" ".join(part.split()), orders)
        if isinstance(wish, str):
            return wish
        orders = wish
    return orders


def _parse_order(text: str, orders: Orders) -> Orders | str:
    word, _space, value = words_in_english(text, ORDERS).partition(" ")
    if word == "off" and not value:
        return Orders()
    if word not in ("yield", "stay"):
        return " ".join(_explain_syntax())
    value = words_in_english(value, ORDERS)
    if value != "off" and not re.fullmatch(r"[1-9][0-9]?", value):
        return _("Type a number from 1, or off, after orders {word}.", word=own_word(word, ORDERS))
    n = None if value == "off" else int(value)
    wish = replace(orders, yield_at=n) if word == "yield" else replace(orders, stay_at=n)
    if wish.yield_at is not None and wish.stay_at is not None and wish.yield_at >= wish.stay_at:
        return _(
            "That would be leaving and staying at {hearts}; your earlier orders stand.",
            hearts=names.hearts(wish.stay_at),
        )
    return wish
