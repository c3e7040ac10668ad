"""Damage: from a packet on its way to hearts lost (RULES.md 3.7.4, 3.7.5).

Scope: every loss of hearts by damage goes through `damage`, whose windows are, in order:

1. RESPONSE: offers of the victim, until it passes or nothing would land;
2. `absorbs_hit` of the victim;
3. the event HeartsLost;
4. `attack_drew_blood` and `wounded_other` of the dealer, for claws only;
5. `was_wounded` of the victim;
6. `reach_zero`, if no heart is left.
"""

from __future__ import annotations

from referee.model.answers import Item, Seat, Use
from referee.model.damage_decisions import PacketKind, ResponseDecision
from referee.model.events import Cause, DamagePrevented, EnergyLost, HeartsLost
from referee.rules.holdings import reach_zero
from referee.table.hooks import Effect, Rules
from referee.table.table import Packet, Table


def would_land(t: Table, packet: Packet) -> bool:
    """Whether the packet as it stands makes its victim lose hearts."""
    monster = t.monster(packet.victim)
    if not monster.alive or monster.sheltered or packet.amount <= 0:
        return False
    return not any(
        me.effect.absorbs_hit(t, me, packet) for me in t.of(Effect.absorbs_hit, packet.victim)
    )


def damage(t: Table, packet: Packet) -> Rules[int]:
    """Gives the hearts that were lost."""
    seat = packet.victim
    monster = t.monster(seat)
    if monster.holdings:
        yield from _respond(t, packet)
    if not monster.alive or packet.amount <= 0:
        return 0
    if not would_land(t, packet):
        t.record(DamagePrevented(seat, packet.amount, _absorber(t, packet)))
        return 0
    lost = min(monster.hearts, packet.amount)
    t.record(HeartsLost(seat, lost, packet.kind, packet.dealer, packet.item))
    if packet.kind is PacketKind.CLAWS and packet.dealer is not None:
        _wound(t, packet.dealer, seat)
    for me in t.of(Effect.was_wounded, seat):
        if t.works(me):
            yield from me.effect.was_wounded(t, me, packet, lost)
    if monster.alive and not monster.hearts:
        reach_zero(t, seat)
    return lost


def _respond(t: Table, packet: Packet) -> Rules[None]:
    """RESPONSE. Nobody is asked about a packet that would do nothing anyway."""
    seat = packet.victim
    while would_land(t, packet):
        t.packet = packet
        uses = t.offers(Effect.offer_response, seat) + t.anytime(seat)
        if not uses:
            break
        answer = yield ResponseDecision(seat, packet.kind, packet.amount, packet.dealer, uses=uses)
        t.packet = packet
        if isinstance(answer, Use):
            yield from t.use(Effect.offer_response, seat, answer)
        elif answer is not None:
            break
    t.packet = None


def _absorber(t: Table, packet: Packet) -> Item | None:
    """The card that makes the packet do nothing; None for Wings, which have been told."""
    if t.monster(packet.victim).sheltered:
        return None
    found = [
        me for me in t.of(Effect.absorbs_hit, packet.victim) if me.effect.absorbs_hit(t, me, packet)
    ]
    return found[0].holding.item if found else None


def _wound(t: Table, dealer: Seat, victim: Seat) -> None:
    if not t.drawn_blood:
        t.drawn_blood = True
        for me in t.of(Effect.attack_drew_blood, dealer):
            me.effect.attack_drew_blood(t, me)
    for me in t.of(Effect.wounded_other, dealer):
        me.effect.wounded_other(t, me, victim)


def damage_others(t: Table, dealer: Seat, amount: int, item: Item) -> Rules[None]:
    """A card hits everybody but its buyer, clockwise from the buyer's left (A-06)."""
    for seat in t.state.clockwise(dealer):
        if t.monster(seat).alive:
            yield from damage(t, Packet(seat, amount, PacketKind.CARD, dealer, item))


def take_energy(t: Table, seat: Seat, divisor: int, dealer: Seat, item: Item) -> Rules[None]:
    """Another's card takes a part of the energy that is there when nothing more is answered
    (A-86: a window for who can still use it)."""
    monster = t.monster(seat)
    while monster.alive and monster.energy // divisor:
        uses = t.anytime(seat)
        if not uses:
            break
        taken = monster.energy // divisor
        answer = yield ResponseDecision(seat, PacketKind.LOSS, taken, dealer, uses=uses)
        if isinstance(answer, Use):
            yield from t.use(Effect.offer_anytime, seat, answer)
        elif answer is not None:
            break
    if monster.alive and monster.energy // divisor:
        t.record(EnergyLost(seat, monster.energy // divisor, Cause.CARD, item))
