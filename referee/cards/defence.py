"""Keep cards that protect, heal or save their owner."""

from collections.abc import Mapping

from kotp2p.referee.model import events
from kotp2p.referee.model.answers import HEART, Use
from kotp2p.referee.model.decisions import Usable
from kotp2p.referee.model.state import Cause
from kotp2p.referee.rules import monsters
from kotp2p.referee.rules.holdings import lose_all_holdings
from kotp2p.referee.rules.turn import draw_dice
from kotp2p.referee.table.table import DiceTraits, Effect, Hit, InPlay, Rules, Table


class ArmorPlating(Effect):
    """Damage of exactly 1, after all reductions, does nothing (A-08)."""

    def absorbs_hit(self, t: Table, me: InPlay, hit: Hit) -> bool:
        return hit.amount == 1


class Camouflage(Effect):
    """One die for each point of damage: a heart cancels the point. Once a hit and copy (A-27)."""

    def offer_response(self, t: Table, me: InPlay) -> Usable | None:
        assert t.hit is not None, "a response is asked about a hit"
        used = (me.holding.item, me.card) in t.hit.responses_used
        return None if used else t.make_usable(me)

    def use(self, t: Table, me: InPlay, use: Use) -> Rules[None]:
        hit = t.hit
        assert hit is not None, "a response is given to a hit"
        hit.responses_used += ((me.holding.item, me.card),)
        faces = yield from draw_dice(t, hit.amount, me.seat)
        if not faces:
            return
        t.record(events.CardRolled(me.seat, me.holding.item, faces))
        cancelled = faces.count(HEART)
        if cancelled:
            hit.amount -= cancelled
            t.record(events.DamagePrevented(me.seat, cancelled, me.holding.item))


class Wings(Effect):
    """For 2 energy no damage for the rest of the turn (A-27, A-65)."""

    def offer_response(self, t: Table, me: InPlay) -> Usable | None:
        return t.make_usable(me, cost=2)

    def use(self, t: Table, me: InPlay, use: Use) -> Rules[None]:
        t.record(events.Sheltered(me.seat, me.holding.item))
        yield from ()


class RapidHealing(Effect):
    """For 2 energy 1 heart, at every decision of its owner (A-64, A-86)."""

    def offer_anytime(self, t: Table, me: InPlay) -> Usable | None:
        hurt = t.monsters[me.seat].hearts < monsters.max_hearts(t, me.seat)
        return t.make_usable(me, cost=2) if hurt else None

    def use(self, t: Table, me: InPlay, use: Use) -> Rules[None]:
        monsters.gain_hearts(t, me.seat, 1, Cause.CARD, me.holding.item)
        yield from ()


class Jets(Effect):
    """Its owner, on yielding, takes no damage of that attack (A-69)."""

    def yielding_avoids_damage(self, t: Table, me: InPlay) -> bool:
        return True


class ItHasAChild(Effect, rescue_at_zero=2):
    """At 0 hearts its owner loses all but energy and tokens (A-20, A-39, A-92)."""

    def rescue_at_zero(self, t: Table, me: InPlay) -> bool:
        monster = t.monsters[me.seat]
        item = me.holding.item
        lose_all_holdings(t, me.seat)
        monsters.lose_points(t, me.seat, monster.points, Cause.CARD, item)
        if monster.wickedness or monster.steps:
            t.record(events.WickednessChanged(me.seat, 0))
        monsters.leave_tokyo(t, me.seat)
        t.record(events.Resurrected(me.seat, item, t.rules.hearts))
        return True


class EvenBigger(Effect):
    """2 hearts more, now and as a maximum (A-18)."""

    def extra_max_hearts(self, t: Table, me: InPlay) -> int:
        return 2

    def came_into_play(self, t: Table, me: InPlay) -> Rules[None]:
        monsters.gain_hearts(t, me.seat, 2, Cause.CARD, me.holding.item)
        yield from ()


class FirstEvenBigger(EvenBigger):
    """2011: the 2 hearts are lost with the card, but never the last heart (D-20, A-18)."""

    def left_play(self, t: Table, me: InPlay) -> None:
        hearts = t.monsters[me.seat].hearts
        if hearts > 1:
            t.record(events.HeartsSet(me.seat, max(1, hearts - 2), me.holding.item))


class Regeneration(Effect):
    """1 heart more at each gain."""

    reads = DiceTraits.HEALING

    def extra_hearts_gained(self, t: Table, me: InPlay) -> int:
        return 1


class HealingRay(Effect):
    """Its owner's heart dice may heal other monsters, which pay for it (A-21)."""

    reads = DiceTraits.HEARTS

    def may_heal_others(self, t: Table, me: InPlay) -> bool:
        return True


class MakingItStronger(Effect):
    """1 energy for losing 2 hearts or more at once (A-93)."""

    adds_up = True

    def was_wounded(self, t: Table, me: InPlay, hit: Hit, lost: int) -> Rules[None]:
        if lost >= 2:
            monsters.gain_energy(t, me.seat, me.copies, Cause.CARD, me.holding.item)
        yield from ()


EFFECTS: Mapping[str, Effect] = {
    "armor-plating": ArmorPlating(),
    "camouflage": Camouflage(),
    "even-bigger": EvenBigger(),
    "healing-ray": HealingRay(),
    "it-has-a-child": ItHasAChild(),
    "jets": Jets(),
    "rapid-healing": RapidHealing(),
    "regeneration": Regeneration(),
    "were-only-making-it-stronger": MakingItStronger(),
    "wings": Wings(),
    "even-bigger-2011": FirstEvenBigger(),
}
