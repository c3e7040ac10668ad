"""Standing orders: questions that this seat wants answered without being asked.

Scope: `Orders` is a value. `answer_by_orders` answers a decision from it, or leaves it to the
person: the answer is the decision's own default or one of the two answers about Tokyo. The
person is always asked about a hit that takes the last hearts, if there is a way out, and about an
answer that lets another win. `OrderKeeper` keeps the orders of this program and reads typed lines.
The settings hold the same words with commas between (`parse_setting`), for a table whose rule set
is not known yet.
Not here: I/O. The other players see none of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from kotp2p.cli.ask.foresight import NOTHING_AT_STAKE, find_stakes
from kotp2p.cli.ask.question import fits_any_decision
from kotp2p.cli.text import card_words, names
from kotp2p.cli.text.card_words import printed_name
from kotp2p.cli.text.i18n import _, ascii_digits, list_with_and, list_with_or
from kotp2p.cli.text.typed_words import ORDERS, own_word, words_in_english
from kotp2p.referee.box.rulesets import RULE_SETS, RuleSet
from kotp2p.referee.cards.effects import effect_of
from kotp2p.referee.model.answers import Answer, Item, Seat, Stay, Yield
from kotp2p.referee.model.decisions import (
    AgainDecision,
    BuyDecision,
    ChangeDecision,
    CopyDecision,
    Decision,
    DepositDecision,
    HeartsDecision,
    OpportunistDecision,
    OrderDecision,
    ProbeDecision,
    ResponseDecision,
    RollDecision,
    SellDecision,
    SwapDecision,
    TileDecision,
    YieldDecision,
)
from kotp2p.referee.model.state import NO_ITEM, DamageKind
from kotp2p.referee.table.table import Effect, Hook
from kotp2p.seams.notices import SeatView

ORDERS_WORD = "orders"
HOOKS_THAT_ASK: frozenset[Hook] = frozenset(
    {
        Effect.offer_roll,
        Effect.offer_probe,
        Effect.offer_change,
        Effect.offer_response,
        Effect.offer_anytime,
        Effect.may_buy_out_of_turn,
        Effect.may_swap,
        Effect.may_sell,
        Effect.choose_copied_card,
    }
)
"""Hooks by which a card alone makes its owner be asked something."""


@dataclass(frozen=True, slots=True)
class Orders:
    yield_at: int | None = None
    """Leave Tokyo if staying leaves this many hearts or fewer."""
    stay_at: int | None = None
    """Stay if that leaves this many or more."""
    shop_from_energy: int | None = None
    """Buy nothing with less energy than this."""
    skipped_keys: frozenset[str] = frozenset()
    """Keys of cards and tiles that are not asked about."""


@dataclass(frozen=True, slots=True)
class Followed:
    answer: Answer
    sentence: str
    """A sentence that tells the player what was answered, and why."""


def answer_by_orders(view: SeatView, decision: Decision, orders: Orders) -> Followed | None:
    """Return the answer that the orders give, or None to ask the player.

    No monster falls and no other player wins by an order.
    """
    followed = _follow_orders(view, decision, orders)
    if followed is None:
        return None
    at_stake = find_stakes(view, decision, followed.answer)
    return followed if at_stake == NOTHING_AT_STAKE else None


def _follow_orders(view: SeatView, decision: Decision, orders: Orders) -> Followed | None:
    match decision:
        case YieldDecision():
            return _follow_tokyo(view, decision, orders)
        case BuyDecision():
            energy = view.game.state.monsters[decision.seat].energy
            if orders.shop_from_energy is None or energy >= orders.shop_from_energy:
                return None
            said = _(
                "Standing order: you skip the shop with {energy}.", energy=names.energy(energy)
            )
            return Followed(decision.default, said)
        case ResponseDecision() if _is_lethal(view, decision):
            return None
        case _:  # all others follow the orders about cards, if they are about a card at all
            return _follow_skips(view, decision, orders)


def _follow_tokyo(view: SeatView, decision: YieldDecision, orders: Orders) -> Followed | None:
    left = view.game.state.monsters[decision.seat].hearts - decision.pending
    if left <= 0:
        return None
    hearts = names.hearts(left)
    if orders.yield_at is not None and left <= orders.yield_at:
        said = _(
            "Standing order: you leave Tokyo; staying would leave you {hearts}.", hearts=hearts
        )
        return Followed(Yield(), said)
    if orders.stay_at is not None and left >= orders.stay_at:
        said = _("Standing order: you stay in Tokyo with {hearts}.", hearts=hearts)
        return Followed(Stay(), said)
    return None


def _is_lethal(view: SeatView, decision: ResponseDecision) -> bool:
    hearts = view.game.state.monsters[decision.seat].hearts
    return decision.damage is not DamageKind.LOSS and decision.amount >= hearts


def _follow_skips(view: SeatView, decision: Decision, orders: Orders) -> Followed | None:
    """Return the default answer if every card that raises this question is skipped."""
    about = _cards_behind(view, decision)
    if not about or not set(about) <= orders.skipped_keys:
        return None
    shown = [
        printed_name(card)
        for card in card_words.cards_and_tiles(view.game.setup.rules)
        if card.key in about
    ]
    said = _("Standing order: {cards} not used.", cards=list_with_and(list(dict.fromkeys(shown))))
    return Followed(decision.default, said)


def _cards_behind(view: SeatView, decision: Decision) -> list[str]:
    """Return the keys of the cards that raise this question; none if it is asked anyway."""
    match decision:
        case ResponseDecision():
            return [usable.effect for usable in decision.uses]
        case RollDecision() if decision.rolls_left:
            return []
        case RollDecision() | ProbeDecision() | ChangeDecision():
            # Healing that fits any decision is no reason for one of these.
            rules = view.game.setup.rules
            return [u.effect for u in decision.uses if not fits_any_decision(rules, u)]
        case OpportunistDecision():
            return _keys_with_hook(view, decision.seat, Effect.may_buy_out_of_turn)
        case SwapDecision():
            return _keys_with_hook(view, decision.seat, Effect.may_swap)
        case SellDecision():
            return _keys_with_hook(view, decision.seat, Effect.may_sell)
        case CopyDecision() if decision.keep:
            return [view.game.setup.key(decision.item)]
        case (
            OrderDecision() | HeartsDecision() | YieldDecision() | BuyDecision()
            | DepositDecision() | CopyDecision() | TileDecision() | AgainDecision()
        ):  # fmt: skip
            return []
        case _:
            assert_never(decision)


def _keys_with_hook(view: SeatView, seat: Seat, hook: Hook) -> list[str]:
    """Return the keys of a monster's cards with this hook, by themselves or as copies."""
    found = []
    for holding in view.game.state.monsters[seat].holdings:
        item = holding.item if holding.copies == NO_ITEM else holding.copies
        if hook in _hooks_of(view, item):
            found.append(view.game.setup.key(item))
    return found


def _hooks_of(view: SeatView, item: Item) -> frozenset[Hook]:
    setup = view.game.setup
    effect = effect_of(setup.deck[item] if item < len(setup.deck) else setup.tile(item))
    return effect.hooks if effect is not None else frozenset()


# -- the words ---------------------------------------------------------------------------


def describe_orders(rules: RuleSet, orders: Orders) -> list[str]:
    """Describe the orders, as far as this rule set has such cards."""
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
    if orders.shop_from_energy is not None:
        said.append(
            _(
                "You skip the shop with less than {energy}.",
                energy=names.energy(orders.shop_from_energy),
            )
        )
    shown = sorted(
        {
            printed_name(card)
            for card in card_words.cards_and_tiles(rules)
            if card.key in orders.skipped_keys
        }
    )
    if shown:
        said.append(_("You are not asked about {cards}.", cards=list_with_and(shown)))
    if not said:
        return [_("You have no standing orders: you are asked about everything.")]
    return [
        *said,
        _("You are always asked before an order puts you out or lets another player win."),
    ]


def describe_syntax() -> str:
    return _(
        "Type: orders yield 3, orders stay 6, orders shop 4, orders skip CARD, orders ask CARD; "
        "orders off cancels all of them, orders yield off only that one."
    )


def explain_syntax() -> list[str]:
    """Explain each order and what is typed for it."""
    return [
        _("What you can type, with numbers and cards of your choice:"),
        _("orders yield 3: you leave Tokyo if staying leaves you 3 hearts or fewer."),
        _("orders stay 6: you stay in Tokyo if that leaves you 6 hearts or more."),
        _("orders shop 4: you skip the shop with less than 4 energy."),
        _("orders skip CARD: you are not asked about that card; orders ask CARD: you are again."),
        _("orders off cancels all of them; orders yield off cancels that one."),
    ]


@dataclass
class OrderKeeper:
    orders: Orders = Orders()

    def answer_by_orders(self, view: SeatView, decision: Decision) -> Followed | None:
        return answer_by_orders(view, decision, self.orders)

    def describe_with_syntax(self, rules: RuleSet) -> list[str]:
        return [*describe_orders(rules, self.orders), *explain_syntax()]

    def greet(self, rules: RuleSet) -> list[str]:
        """Describe the orders at the beginning of a game; nothing if there are none."""
        if self.orders == Orders():
            return []
        return [_("Your standing orders:"), *describe_orders(rules, self.orders)]

    def read_line(self, text: str, rules: RuleSet | None) -> list[str] | None:
        """Return the reply to a line about orders, or None for any other line."""
        words = ascii_digits(" ".join(text.split())).lower()
        word, _space, rest = words.partition(" ")
        if word != ORDERS_WORD or rules is None:
            return None
        if not rest:
            return self.describe_with_syntax(rules)
        wish = _parse_orders(rest, card_words.cards_and_tiles(rules), self.orders)
        if isinstance(wish, str):
            return [wish]
        self.orders = wish
        return describe_orders(rules, wish)


def parse_setting(text: str) -> Orders | str:
    """Parse the orders of the settings before there is a table; a string is an error."""
    known = [card for rules in RULE_SETS.values() for card in card_words.cards_and_tiles(rules)]
    return _parse_orders(ascii_digits(" ".join(text.split())).lower(), known, Orders())


def _parse_orders(
    text: str, known: Sequence[card_words.CardOrTile], orders: Orders
) -> Orders | str:
    """Parse orders separated by commas; all of them apply, or none."""
    for part in text.split(","):
        wish = parse_order(part.strip(), known, orders) if part.strip() else orders
        if isinstance(wish, str):
            return wish
        orders = wish
    return orders


def parse_order(rest: str, known: Sequence[card_words.CardOrTile], orders: Orders) -> Orders | str:
    """Return the orders changed by these words, or a sentence that says what is wrong."""
    word, _space, value = words_in_english(rest, ORDERS).partition(" ")
    match word:
        case "off" if not value:
            return Orders()
        case "yield" | "stay" | "shop":
            return _parse_number(word, value, orders)
        case "skip" | "ask" if value:
            key = _find_card(value, known)
            if isinstance(key, _Unknown):
                return key.sentence
            chosen = orders.skipped_keys | {key} if word == "skip" else orders.skipped_keys - {key}
            return replace(orders, skipped_keys=chosen)
        case _:  # a word that is no order
            return describe_syntax()


def _parse_number(word: str, value: str, orders: Orders) -> Orders | str:
    value = words_in_english(value, ORDERS)
    if value != "off" and not re.fullmatch(r"[1-9][0-9]?", value):
        return _("Type a number from 1, or off, after orders {word}.", word=own_word(word, ORDERS))
    n = None if value == "off" else int(value)
    match word:
        case "yield":
            wish = replace(orders, yield_at=n)
        case "stay":
            wish = replace(orders, stay_at=n)
        case _:  # "shop", the last of the three words with a number
            return replace(orders, shop_from_energy=n)
    if wish.yield_at is not None and wish.stay_at is not None and wish.yield_at >= wish.stay_at:
        return _(
            "That would be leaving and staying at {hearts}; your earlier orders stand.",
            hearts=names.hearts(wish.stay_at),
        )
    return wish


@dataclass(frozen=True, slots=True)
class _Unknown:
    sentence: str


def _find_card(words: str, known: Sequence[card_words.CardOrTile]) -> str | _Unknown:
    """Return the key of the one card or tile that these words mean."""
    wanted = card_words.fold_words(words)
    by_name = [card for card in card_words.search_cards(known, words) if _bears_name(card, wanted)]
    shown = {card.key: printed_name(card) for card in by_name}
    if not shown:
        return _Unknown(_("No card is called {words}.", words=words))
    if len(shown) > 1:
        return _Unknown(
            _(
                "{text} may be {names}; type more.",
                text=words,
                names=list_with_or(list(shown.values())),
            )
        )
    effects = [effect_of(card) for card in by_name]
    if not any(effect is not None and effect.hooks & HOOKS_THAT_ASK for effect in effects):
        return _Unknown(_("You are never asked about {card} alone.", card=printed_name(by_name[0])))
    return by_name[0].key


def _bears_name(card: card_words.CardOrTile, wanted: str) -> bool:
    return bool(wanted) and any(
        wanted in card_words.fold_words(name) for name in card_words.all_names(card)
    )
