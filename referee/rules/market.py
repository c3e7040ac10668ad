"""Buying: from the market, from the top of the deck, and from other monsters (RULES.md 3.10).

Scope: the buy step and every purchase. The windows of a purchase, in order:

1. the price is paid;
2. `bought_card` of the buyer;
3. the market is refilled;
4. the card is kept, or resolved and discarded;
5. `may_buy_out_of_turn`, clockwise from the active monster, for the cards turned up (K30, A-35).
"""

from dataclasses import dataclass

from kotp2p.referee.model import decisions
from kotp2p.referee.model import events as ev
from kotp2p.referee.model.answers import Buy, BuyTop, Done, Item, Peek, Seat, Sweep
from kotp2p.referee.model.decisions import Offer
from kotp2p.referee.model.state import BY_PAYMENT, Source
from kotp2p.referee.rules.holdings import counters_that_travel, gain_holding, lose_holding
from kotp2p.referee.rules.monsters import gain_energy, lose_energy
from kotp2p.referee.table.table import Effect, Rules, Table

SWEEP_COST = 2
"""Energy for new cards in the market."""


@dataclass(frozen=True, slots=True)
class Purchase:
    card: Item
    source: Source
    slot: int | None = None
    owner: Seat | None = None


def price_of(t: Table, seat: Seat, item: Item) -> int:
    return max(0, t.setup.deck[item].cost - t.total(Effect.discount, seat))


def _affordable_offers(t: Table, seat: Seat, items: list[Item]) -> list[Offer]:
    """Return offers for those of `items` that `seat` can pay for and may gain."""
    energy = t.monsters[seat].energy
    discount = t.total(Effect.discount, seat)
    deck = t.setup.deck
    offers = []
    for item in items:
        cost = deck[item].cost - discount
        if cost > energy:
            continue
        if t.effects[item].may_be_gained(t, seat):
            offers.append(Offer(item, max(0, cost)))
    return offers


def _offers_of_others(t: Table, seat: Seat) -> list[Offer]:
    """Return offers for Keep cards in front of others, by owner clockwise."""
    found = []
    for owner in t.state.seats_clockwise(seat):
        cards = [h.item for h in t.monsters[owner].holdings if t.is_card(h.item)]
        found += [Offer(o.card, o.price, owner) for o in _affordable_offers(t, seat, cards)]
    return found


def _cards_on_offer(t: Table) -> list[Item]:
    """Return the cards in the market, left to right."""
    return [item for item in t.state.market if item is not None]


# -- the step ------------------------------------------------------------------------------------


def buy_step(t: Table) -> Rules[None]:
    """BUY: until the active monster is done, is out, or can do nothing.

    An empty market is filled first if cards have come back meanwhile, even if the step is then
    skipped, since no purchase could ever fill it (A-87, A-101).
    """
    seat = t.state.active
    monster = t.monsters[seat]
    t.buying_over = False
    if not _cards_on_offer(t):
        yield from refill_market(t)
    while monster.alive and not t.buying_over and not t.of(Effect.is_dormant, seat):
        decision = _buy_decision(t, seat)
        if decision is None:
            return
        answer = yield from t.ask(decision)
        if isinstance(answer, Done):
            return
        if isinstance(answer, Buy):
            revealed = yield from buy_card(t, seat, _find_for_sale(t, answer.card))
            yield from offer_out_of_turn(t, revealed)
        elif isinstance(answer, BuyTop):
            yield from buy_card(t, seat, Purchase(answer.card, Source.TOP))
        elif isinstance(answer, Sweep):
            revealed = yield from sweep_market(t, seat)
            yield from offer_out_of_turn(t, revealed)
        elif isinstance(answer, Peek):
            yield from peek_at_top(t, seat)


def _buy_decision(t: Table, seat: Seat) -> decisions.BuyDecision | None:
    """Return the decision, or None if there is nothing but to be done."""
    state = t.state
    there = _cards_on_offer(t)
    offers = _affordable_offers(t, seat, there)
    if t.of(Effect.may_buy_from_others, seat):
        offers += _offers_of_others(t, seat)
    sweep = bool(there) and t.monsters[seat].energy >= SWEEP_COST
    if not t.of(Effect.may_peek, seat):
        if not (offers or sweep):
            return None
        return decisions.BuyDecision(seat, tuple(offers), sweep, False, False)
    top = seat in state.seen_by
    peek = not top and bool(state.undrawn or state.discard)
    if not (offers or sweep or peek or top):
        return None
    tops = tuple(_affordable_offers(t, seat, state.undrawn)) if top else ()
    return decisions.BuyDecision(seat, tuple(offers), sweep, peek, top, tops)


def _find_for_sale(t: Table, card: Item) -> Purchase:
    if card in t.state.market:
        return Purchase(card, Source.MARKET, slot=t.state.market.index(card))
    for monster in t.monsters:
        if any(holding.item == card for holding in monster.holdings):
            return Purchase(card, Source.MONSTER, owner=monster.seat)
    raise AssertionError(f"card {card} is not for sale")


def sweep_market(t: Table, seat: Seat) -> Rules[tuple[Item, ...]]:
    """Discard all cards of the market and turn up three, if there are that many (A-77)."""
    swept = tuple(_cards_on_offer(t))
    lose_energy(t, seat, SWEEP_COST, BY_PAYMENT)
    t.record(ev.MarketSwept(seat, swept))
    return (yield from refill_market(t))


def peek_at_top(t: Table, seat: Seat) -> Rules[None]:
    """Let a seat look at the top card, which is in no input and in no State."""
    if not t.state.undrawn:
        t.record(ev.DeckRenewed())
    piles = (tuple(t.state.undrawn),)
    while t.monsters[seat].alive:
        looked = yield decisions.Chance(decisions.LOOK, (), seat, piles)
        if isinstance(looked, tuple):
            t.record(ev.TopSeen(seat))
            return


def refill_market(t: Table) -> Rules[tuple[Item, ...]]:
    """Fill the market from the deck, then the discard pile (A-62); return what is turned up."""
    state = t.state
    while state.seats_alive():
        gaps = [slot for slot, item in enumerate(state.market) if item is None]
        first = min(len(gaps), len(state.undrawn))
        second = min(len(gaps) - first, len(state.discard))
        if first + second == 0:
            break
        piles = (tuple(state.undrawn), tuple(sorted(state.discard)))
        draws = (decisions.Draw(len(piles[0]), 0),) * first
        if second:
            draws += (decisions.Draw(len(piles[1]), 1),) * second
        values = yield decisions.Chance(decisions.CARDS, draws, piles=piles)
        if isinstance(values, tuple):
            cards = tuple([piles[draws[i].pool][value] for i, value in enumerate(values)])
            drawn = tuple([(gaps[i], card) for i, card in enumerate(cards)])
            if first:
                t.record(ev.MarketFilled(drawn[:first]))
            if second:
                t.record(ev.DeckRenewed())
                t.record(ev.MarketFilled(drawn[first:]))
            return cards
    return ()


# -- one purchase --------------------------------------------------------------------------------


def buy_card(t: Table, seat: Seat, wanted: Purchase) -> Rules[tuple[Item, ...]]:
    """Make one purchase and return the cards that were turned up in the market."""
    card = wanted.card
    # 1. The price is paid, to the owner if the card has one, who still has it.
    cost = price_of(t, seat, card)
    t.record(ev.CardBought(seat, card, cost, wanted.source, wanted.slot, wanted.owner))
    lose_energy(t, seat, cost, BY_PAYMENT, card)
    if wanted.owner is not None:
        gain_energy(t, wanted.owner, cost, BY_PAYMENT, card)
    # 2. The buyer's cards follow the purchase; the new card is not among them yet.
    for me in t.of(Effect.bought_card, seat):
        me.effect.bought_card(t, me)
    # 3. The market is refilled before the card does anything.
    revealed: tuple[Item, ...] = ()
    if wanted.source is Source.MARKET:
        revealed = yield from refill_market(t)
    # 4. The card changes owner, is kept or is resolved. A buyer that left meanwhile gets nothing.
    if wanted.owner is not None:
        yield from _change_owner(t, wanted.owner, seat, card)
    elif t.setup.deck[card].keep:
        if t.monsters[seat].alive:
            yield from gain_holding(t, seat, card)
    else:
        yield from _resolve_discard_card(t, seat, card)
    if card in t.state.resolving:
        t.record(ev.CardDiscarded(card))
    return revealed


def _resolve_discard_card(t: Table, seat: Seat, card: Item) -> Rules[None]:
    """Resolve a Discard card, to its end even if its buyer falls by it."""
    if t.monsters[seat].alive:
        yield from t.effects[card].resolve(t, seat, card)


def _change_owner(t: Table, owner: Seat, seat: Seat, card: Item) -> Rules[None]:
    """Buy a card from another monster; counters travel with it (A-25)."""
    holding = next(h for h in t.monsters[owner].holdings if h.item == card)
    counters = counters_that_travel(holding)
    lose_holding(t, owner, holding, discarded=False)
    yield from gain_holding(t, seat, card, counters)


def offer_out_of_turn(t: Table, revealed: tuple[Item, ...]) -> Rules[None]:
    """Offer the cards turned up, and those that replace them, to who may buy out of turn."""
    if not (revealed and t.of_any(Effect.may_buy_out_of_turn)):
        return
    fresh = set(revealed)
    for seat in t.state.seats_clockwise(t.state.active):
        while t.of(Effect.may_buy_out_of_turn, seat) and not t.of(Effect.is_dormant, seat):
            there = [item for item in _cards_on_offer(t) if item in fresh]
            offers = _affordable_offers(t, seat, there)
            if not offers:
                break
            answer = yield from t.ask(decisions.OpportunistDecision(seat, tuple(offers)))
            if isinstance(answer, Buy):
                fresh |= set((yield from buy_card(t, seat, _find_for_sale(t, answer.card))))
            elif answer is not None:
                break
