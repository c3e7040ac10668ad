"""Damage: from a hit on its way to hearts lost (RULES.md 3.7.4, 3.7.5).

Scope: every loss of hearts by damage goes through `deal_damage`, whose windows are, in order:

1. RESPONSE: offers of the victim, until it passes or nothing would land;
2. `absorbs_hit` of the victim;
3. the event HeartsLost;
4. `attack_drew_blood` and `wounded_other` of the dealer, for claws only;
5. `was_wounded` of the victim;
6. `reach_zero_hearts`, if no heart is left.
"""

from collections.abc import Callable

from kotp2p.referee.model.answers import Item, Seat, Use
from kotp2p.referee.model.decisions import ResponseDecision
from kotp2p.referee.model.events import DamagePrevented, EnergyLost, HeartsLost
from kotp2p.referee.model.state import BY_CARD, CLAWS, DamageKind
from kotp2p.referee.rules.holdings import reach_zero_hearts
from kotp2p.referee.table.table import Effect, Hit, InPlay, Rules, Table


def would_land(t: Table, hit: Hit) -> bool:
    """Return whether the hit, as it is now, makes its victim lose hearts."""
    monster = t.monsters[hit.victim]
    if not monster.alive or monster.sheltered or hit.amount <= 0:
        return False
    return not _absorbing_effects(t, hit)


def deal_damage(t: Table, hit: Hit) -> Rules[int]:
    """Deal `hit`, and return the number of hearts that its victim has lost."""
    seat = hit.victim
    monster = t.monsters[seat]
    if monster.holdings:  # only holdings give responses
        yield from _ask_responses(t, hit)
    if not monster.alive or hit.amount <= 0:
        return 0
    if not would_land(t, hit):
        t.record(DamagePrevented(seat, hit.amount, _absorbing_item(t, hit)))
        return 0
    lost = min(monster.hearts, hit.amount)
    t.record(HeartsLost(seat, lost, hit.kind, hit.dealer, hit.item))
    if hit.kind is CLAWS and hit.dealer is not None:
        _tell_dealer(t, hit.dealer, seat)
    for me in t.adding_up(Effect.was_wounded, seat):
        if t.still_works(me):
            yield from me.effect.was_wounded(t, me, hit, lost)
    if monster.alive and not monster.hearts:
        reach_zero_hearts(t, seat)
    return lost


def _ask_responses(t: Table, hit: Hit) -> Rules[None]:
    """Ask for responses, but not to a hit that would do nothing anyway (A-110)."""
    seat = hit.victim
    hearts = t.monsters[seat].hearts
    while would_land(t, hit):
        t.hit = hit
        uses = t.offers(Effect.offer_response, seat) + t.anytime_offers(seat)
        if not uses:
            break
        answer = yield ResponseDecision(
            seat, hit.kind, hit.amount, hit.dealer, hit.takes_all, uses=uses
        )
        t.hit = hit
        if isinstance(answer, Use):
            yield from t.use(Effect.offer_response, seat, answer)
        elif answer is not None:
            break
        if hit.takes_all:
            hit.amount += t.monsters[seat].hearts - hearts
            hearts = t.monsters[seat].hearts
    t.hit = None


def _absorbing_effects(t: Table, hit: Hit) -> list[InPlay]:
    absorbing = t.of(Effect.absorbs_hit, hit.victim)
    return [me for me in absorbing if me.effect.absorbs_hit(t, me, hit)]


def _absorbing_item(t: Table, hit: Hit) -> Item | None:
    """Return the card that absorbs the hit; None for shelter, which has an event before."""
    if t.monsters[hit.victim].sheltered:
        return None
    found = _absorbing_effects(t, hit)
    return found[0].holding.item if found else None


def _tell_dealer(t: Table, dealer: Seat, victim: Seat) -> None:
    if not t.attack_drew_blood:
        t.attack_drew_blood = True
        for me in t.of(Effect.attack_drew_blood, dealer):
            me.effect.attack_drew_blood(t, me)
    for me in t.of(Effect.wounded_other, dealer):
        me.effect.wounded_other(t, me, victim)


def deal_damage_to_others(t: Table, dealer: Seat, amount: int, item: Item) -> Rules[None]:
    """Hit all but the buyer of a card, clockwise from the buyer's left (A-06)."""
    for seat in t.state.seats_clockwise(dealer):
        if t.monsters[seat].alive:
            yield from deal_damage(t, Hit(seat, amount, DamageKind.CARD, dealer, item))


def ask_before_energy_loss(
    t: Table, seat: Seat, dealer: Seat, count_loss: Callable[[], int]
) -> Rules[None]:
    """Let `seat` use its energy before `dealer` takes what `count_loss` returns now (A-86)."""
    while t.monsters[seat].alive and (loss := count_loss()):
        uses = t.anytime_offers(seat)
        if not uses:
            return
        answer = yield ResponseDecision(seat, DamageKind.LOSS, loss, dealer, uses=uses)
        if isinstance(answer, Use):
            yield from t.use(Effect.offer_anytime, seat, answer)
        elif answer is not None:
            return


def take_energy(t: Table, seat: Seat, divisor: int, dealer: Seat, item: Item) -> Rules[None]:
    """Take one `divisor`-th of the energy that is left after the last use of `seat` (A-86)."""
    monster = t.monsters[seat]
    yield from ask_before_energy_loss(t, seat, dealer, lambda: monster.energy // divisor)
    if monster.alive and monster.energy // divisor:
        t.record(EnergyLost(seat, monster.energy // divisor, BY_CARD, item))
