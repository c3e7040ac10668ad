"""Keep cards that make claws hurt more, or that act on the monsters hurt by claws.

Scope: the cards of 2016 and of dark add claws, in the order of RULES.md 3.7.1 (`orders`). The cards
of 2011 add damage to the hit instead; they are at the end.
"""

from collections.abc import Mapping

from kotp2p.referee.model.answers import TWO, Seat
from kotp2p.referee.model.state import OUTSIDE, Cause, DamageKind, Token
from kotp2p.referee.rules.damage import deal_damage
from kotp2p.referee.rules.monsters import gain_points, gain_tokens
from kotp2p.referee.table.table import DiceTraits, Effect, Hit, InPlay, Rules, Table


def in_tokyo(t: Table, seat: Seat) -> bool:
    return t.monsters[seat].place is not OUTSIDE


class AcidAttack(Effect, modify_claws=5):
    """One claw more every turn, with or without claw dice (A-11)."""

    def modify_claws(self, t: Table, me: InPlay, claws: int) -> int:
        return claws + 1


class StingingYielder(Effect):
    """A monster that drives its owner out of Tokyo takes 1 damage (A-28, A-93)."""

    adds_up = True

    def yielded_tokyo(self, t: Table, me: InPlay, attacker: Seat) -> Rules[None]:
        sting = Hit(attacker, me.copies, DamageKind.CARD, me.seat, me.holding.item)
        yield from deal_damage(t, sting)


class Burrowing(StingingYielder, modify_claws=5):
    """One claw more in Tokyo, with or without claw dice (A-11)."""

    def modify_claws(self, t: Table, me: InPlay, claws: int) -> int:
        return claws + in_tokyo(t, me.seat)


class FireBreathing(Effect):
    """With a claw, neighbours take 1 damage more, wherever they are (D-10, A-63, A-74)."""

    def extra_damage(
        self, t: Table, me: InPlay, claws: int, victim: Seat, targets: list[Seat]
    ) -> int:
        return int(claws > 0 and victim in t.neighbours)


class NovaBreath(Effect):
    """Claws hit all others (A-14, A-15)."""

    def claws_reach_all_others(self, t: Table, me: InPlay) -> bool:
        return True


class AlphaMonster(Effect):
    """1 point for an attack, before a monster is hurt (A-70)."""

    def attack_begins(self, t: Table, me: InPlay) -> None:
        gain_points(t, me.seat, 1, Cause.CARD, me.holding.item)


class PoisonQuills(Effect, modify_claws=2):
    """Two claws more for three twos."""

    reads = DiceTraits.TRIPLES

    def modify_claws(self, t: Table, me: InPlay, claws: int) -> int:
        return claws + 2 * (t.state.dice.count(TWO) >= 3)


class SpikedTail(Effect, modify_claws=3):
    """One claw more if there is one; the claws of Acid Attack and Burrowing come later (A-11)."""

    def modify_claws(self, t: Table, me: InPlay, claws: int) -> int:
        return claws + (claws > 0)


class TokyoLover(Effect):
    """1 point more for starting in Tokyo."""

    def starts_in_tokyo(self, t: Table, me: InPlay) -> None:
        gain_points(t, me.seat, 1, Cause.CARD, me.holding.item)


class Urbavore(TokyoLover, modify_claws=4):
    """Also one claw more in Tokyo, if there is one (A-11)."""

    def modify_claws(self, t: Table, me: InPlay, claws: int) -> int:
        return claws + (claws > 0 and in_tokyo(t, me.seat))


class TokenGiver(Effect):
    """A token for each monster that loses hearts to its owner's claws (K34, K39)."""

    def __init__(self, token: Token) -> None:
        self.token = token

    def wounded_other(self, t: Table, me: InPlay, victim: Seat) -> None:
        gain_tokens(t, victim, self.token, 1)


# -- 2011 ------------------------------------------------------------------------------------------


class FirstAcidAttack(Effect):
    """1 damage more to each target, even without a claw, but that is no attack (A-10)."""

    def extra_damage(
        self, t: Table, me: InPlay, claws: int, victim: Seat, targets: list[Seat]
    ) -> int:
        return int(victim in targets)


class FirstBurrowing(StingingYielder):
    """1 damage more to monsters in Tokyo that are attacked from outside (D-31)."""

    def extra_damage(
        self, t: Table, me: InPlay, claws: int, victim: Seat, targets: list[Seat]
    ) -> int:
        from_outside = not in_tokyo(t, me.seat) and in_tokyo(t, victim)
        return int(claws > 0 and from_outside)


class FirstFireBreathing(FireBreathing):
    """2011: only if the claws have a target (D-10)."""

    def extra_damage(
        self, t: Table, me: InPlay, claws: int, victim: Seat, targets: list[Seat]
    ) -> int:
        return super().extra_damage(t, me, claws, victim, targets) if targets else 0


class FirstAlphaMonster(Effect):
    """2011: 1 point when the attack has made a monster lose hearts (A-09, A-70)."""

    def attack_drew_blood(self, t: Table, me: InPlay) -> None:
        gain_points(t, me.seat, 1, Cause.CARD, me.holding.item)


class FirstPoisonQuills(Effect):
    """2011: 2 damage more for three twos; without a claw that is no attack (A-12)."""

    reads = DiceTraits.TRIPLES

    def extra_damage(
        self, t: Table, me: InPlay, claws: int, victim: Seat, targets: list[Seat]
    ) -> int:
        return 2 * (victim in targets and t.state.dice.count(TWO) >= 3)


class FirstSpikedTail(Effect):
    """2011: 1 damage more with a claw."""

    def extra_damage(
        self, t: Table, me: InPlay, claws: int, victim: Seat, targets: list[Seat]
    ) -> int:
        return int(claws > 0 and victim in targets)


class FirstUrbavore(TokyoLover):
    """2011: 1 damage more with a claw, in Tokyo (A-13)."""

    def extra_damage(
        self, t: Table, me: InPlay, claws: int, victim: Seat, targets: list[Seat]
    ) -> int:
        return int(claws > 0 and victim in targets and in_tokyo(t, me.seat))


EFFECTS: Mapping[str, Effect] = {
    "acid-attack": AcidAttack(),
    "alpha-monster": AlphaMonster(),
    "burrowing": Burrowing(),
    "fire-breathing": FireBreathing(),
    "nova-breath": NovaBreath(),
    "poison-quills": PoisonQuills(),
    "poison-spit": TokenGiver(Token.POISON),
    "shrink-ray": TokenGiver(Token.SHRINK),
    "spiked-tail": SpikedTail(),
    "urbavore": Urbavore(),
    "acid-attack-2011": FirstAcidAttack(),
    "alpha-monster-2011": FirstAlphaMonster(),
    "burrowing-2011": FirstBurrowing(),
    "fire-breathing-2011": FirstFireBreathing(),
    "poison-quills-2011": FirstPoisonQuills(),
    "spiked-tail-2011": FirstSpikedTail(),
    "urbavore-2011": FirstUrbavore(),
}
