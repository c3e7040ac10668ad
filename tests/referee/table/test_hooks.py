"""Effects: the hooks of a class, the order at a hook, instances, copies."""

import pytest

from kotp2p.referee.box.rulesets import CLASSIC, SECOND, RuleSet
from kotp2p.referee.cards.attack import AcidAttack, FirstUrbavore, SpikedTail
from kotp2p.referee.cards.effects import EFFECTS
from kotp2p.referee.model.answers import Copy, Keep
from kotp2p.referee.model.state import NO_ITEM
from kotp2p.referee.table.table import Effect
from tests.support.referee_table import CITY, Played, Sits, seated


def test_a_class_knows_the_hooks_that_it_overrides() -> None:
    assert Effect.hooks == frozenset()
    assert AcidAttack.hooks == {Effect.modify_claws}
    assert FirstUrbavore.hooks == {Effect.extra_damage, Effect.starts_in_tokyo}
    assert SpikedTail.orders == {Effect.modify_claws: 3}


def test_an_order_at_a_misspelt_hook_is_refused() -> None:
    with pytest.raises(TypeError, match="clawz"):

        class _Misspelt(Effect, clawz=3):
            pass


def test_each_effect_has_something_to_do() -> None:
    assert all(effect.hooks for effect in EFFECTS.values())


def test_effects_at_one_hook_come_in_the_declared_order_then_as_acquired() -> None:
    cards = "acid-attack", "urbavore", "spiked-tail", "poison-quills"
    play = seated(SECOND, Sits(CITY, cards=cards), Sits())
    found = play.game._table.of(Effect.modify_claws, 0)
    keys = [play.game.card(me.card).key for me in found]
    assert keys == ["poison-quills", "spiked-tail", "urbavore", "acid-attack"]
    play = seated(SECOND, Sits(cards=("extra-head", "giant-brain", "extra-head")), Sits())
    heads = [me.card for me in play.game._table.of(Effect.extra_dice, 0)]
    assert heads == [play.item("extra-head", 0), play.item("extra-head", 1)]


def test_two_extra_heads_are_two_dice() -> None:
    play = seated(SECOND, Sits(cards=("extra-head", "extra-head")), Sits())
    assert len(play.chance.draws) == 8


# -- copies ----------------------------------------------------------------------------------------


def copying(rules: RuleSet = CLASSIC, *, of: str, energy: int = 4) -> Played:
    """Seat 0 has Mimic and pays to copy a card of seat 1."""
    play = seated(rules, Sits(CITY, energy=energy, cards=("mimic",)), Sits(cards=(of,)), Sits())
    play.say(0, Copy(play.item(of)))
    return play


def test_a_copy_works_from_its_start() -> None:
    play = copying(of="extra-head")
    assert len(play.chance.draws) == 7
    assert play.monster(0).energy == 3
    assert len(play.monster(1).holdings) == 1, "its owner keeps the card"


def test_a_copy_may_be_left_where_it_is_for_nothing() -> None:
    play = seated(CLASSIC, Sits(CITY, energy=4, cards=("mimic",)), Sits(cards=("wings",)), Sits())
    play.say(0, Keep())
    assert (play.monster(0).holdings[0].copies, play.monster(0).energy) == (NO_ITEM, 4)


def test_mimic_without_energy_is_not_asked() -> None:
    play = seated(CLASSIC, Sits(CITY, cards=("mimic",)), Sits(cards=("wings",)))
    assert play.asked == []
    assert len(play.chance.draws) == 6


def test_mimic_does_not_copy_mimic() -> None:
    play = seated(CLASSIC, Sits(CITY, energy=4, cards=("mimic",)), Sits(), Sits())
    assert play.chance, "there is nothing to copy but itself"
