"""Keep cards about points, energy, and buying."""

from collections.abc import Mapping

from kotp2p.referee.model.answers import Deposit, Seat
from kotp2p.referee.model.decisions import DepositDecision
from kotp2p.referee.model.events import CountersChanged
from kotp2p.referee.model.state import Cause
from kotp2p.referee.rules.holdings import use_up
from kotp2p.referee.rules.monsters import gain_energy, gain_points, lose_energy
from kotp2p.referee.table.table import DiceTraits, Effect, InPlay, Rules, Table


class AlienOrigin(Effect):
    """Cards cost 1 less (K02)."""

    def discount(self, t: Table, me: InPlay) -> int:
        return 1


class Opportunist(Effect):
    """Buys cards that are turned up, before all others (D-30, A-35)."""

    def may_buy_out_of_turn(self, t: Table, me: InPlay) -> bool:
        return True


class MadeInALab(Effect):
    """Looks at the top card and may buy it (A-32)."""

    def may_peek(self, t: Table, me: InPlay) -> bool:
        return True


class ParasiticTentacles(Effect):
    """Buys Keep cards of others (A-25, A-56, A-84)."""

    def may_buy_from_others(self, t: Table, me: InPlay) -> bool:
        return True


class Metamorph(Effect):
    """Sells Keep cards (D-23, A-58)."""

    def may_sell(self, t: Table, me: InPlay) -> bool:
        return True


class MediaFriendly(Effect):
    """1 point for each purchase (A-55)."""

    def bought_card(self, t: Table, me: InPlay) -> None:
        gain_points(t, me.seat, 1, Cause.CARD, me.holding.item)


class EaterOfTheDead(Effect):
    """3 points when the hearts of a monster reach 0."""

    def reached_zero(self, t: Table, me: InPlay, victim: Seat) -> None:
        gain_points(t, me.seat, 3, Cause.CARD, me.holding.item)


class FriendOfChildren(Effect):
    """1 energy more at each gain (A-22)."""

    reads = DiceTraits.ENERGY

    def extra_energy_gained(self, t: Table, me: InPlay) -> int:
        return 1


class RootingForTheUnderdog(Effect, turn_ends=1):
    """1 point for fewer points than each other monster (A-26, A-93)."""

    adds_up = True
    reads = DiceTraits.POINTS

    def turn_ends(self, t: Table, me: InPlay) -> Rules[None]:
        own = t.monsters[me.seat].points
        others = [m.points for m in t.monsters if m.alive and m.seat != me.seat]
        if all(own < points for points in others):
            gain_points(t, me.seat, me.copies, Cause.CARD, me.holding.item)
        yield from ()


class EnergyHoarder(Effect, turn_ends=2):
    """1 point for every full 6 energy."""

    reads = DiceTraits.ENERGY

    def turn_ends(self, t: Table, me: InPlay) -> Rules[None]:
        gain_points(t, me.seat, t.monsters[me.seat].energy // 6, Cause.CARD, me.holding.item)
        yield from ()


class Herbivore(Effect, turn_ends=3):
    """1 point for a turn in which its owner made no monster lose hearts (A-23)."""

    def turn_ends(self, t: Table, me: InPlay) -> Rules[None]:
        if not t.state.drew_blood:
            gain_points(t, me.seat, 1, Cause.CARD, me.holding.item)
        yield from ()


class SolarPowered(Effect, turn_ends=4):
    """1 energy for a turn that ends without energy (A-93)."""

    adds_up = True
    reads = DiceTraits.ENERGY

    def turn_ends(self, t: Table, me: InPlay) -> Rules[None]:
        if not t.monsters[me.seat].energy:
            gain_energy(t, me.seat, me.copies, Cause.CARD, me.holding.item)
        yield from ()


class BatteryMonster(Effect, turn_starts=1):
    """6 energy from the bank, paid out 2 at a time; gone when empty (A-34)."""

    counters = 6

    def turn_starts(self, t: Table, me: InPlay) -> Rules[None]:
        taken = min(2, me.holding.counters)
        left = me.holding.counters - taken
        if taken:
            t.record(CountersChanged(me.seat, me.holding.item, left))
            gain_energy(t, me.seat, taken, Cause.CARD, me.holding.item, refund=True)
        if not left:
            use_up(t, me)
        yield from ()


class MonsterBatteries(BatteryMonster):
    """2011: energy of its owner, which the bank doubles (A-24)."""

    reads = DiceTraits.ENERGY

    counters = 0

    def came_into_play(self, t: Table, me: InPlay) -> Rules[None]:
        """Ask for a deposit, unless the card came with energy on it (A-25)."""
        while not me.holding.counters and t.still_works(me) and t.monsters[me.seat].energy:
            most = t.monsters[me.seat].energy
            answer = yield from t.ask(DepositDecision(me.seat, most))
            if isinstance(answer, Deposit):
                if answer.energy:
                    lose_energy(t, me.seat, answer.energy, Cause.PAYMENT, me.holding.item)
                    full = CountersChanged(me.seat, me.holding.item, 2 * answer.energy)
                    t.record(full)
                return


EFFECTS: Mapping[str, Effect] = {
    "alien-origin": AlienOrigin(),
    "battery-monster": BatteryMonster(),
    "eater-of-the-dead": EaterOfTheDead(),
    "energy-hoarder": EnergyHoarder(),
    "friend-of-children": FriendOfChildren(),
    "herbivore": Herbivore(),
    "made-in-a-lab": MadeInALab(),
    "media-friendly": MediaFriendly(),
    "metamorph": Metamorph(),
    "opportunist": Opportunist(),
    "parasitic-tentacles": ParasiticTentacles(),
    "rooting-for-the-underdog": RootingForTheUnderdog(),
    "solar-powered": SolarPowered(),
    "battery-monster-2011": MonsterBatteries(),
}
