"""A 67th card: its data, a few lines of effect, its tests, and no change of the rules.

The card below is the worked example of docs/DESIGN.md, word for word.
"""

import inspect
from dataclasses import replace

import pytest

from kotp2p.referee.box.cards import keep
from kotp2p.referee.box.rulesets import SECOND, RuleSet
from kotp2p.referee.cards.effects import EFFECTS
from kotp2p.referee.model.answers import Copy
from kotp2p.referee.model.state import Cause, DamageKind, Place
from kotp2p.referee.rules import monsters
from kotp2p.referee.rules.damage import deal_damage
from kotp2p.referee.table.table import Effect, Hit, InPlay, Rules, Table
from tests.support.paths import ROOT
from tests.support.referee_table import CITY, OUTSIDE, Sits, seated


class HighVoltage(Effect):
    """Pays 1 energy in Tokyo, and strikes back at a monster that wounds its owner with claws."""

    adds_up = True

    def turn_ends(self, t: Table, me: InPlay) -> Rules[None]:
        if t.monsters[me.seat].place is not Place.OUTSIDE:
            monsters.gain_energy(t, me.seat, me.copies, Cause.CARD, me.holding.item)
        yield from ()

    def was_wounded(self, t: Table, me: InPlay, hit: Hit, lost: int) -> Rules[None]:
        if hit.kind is DamageKind.CLAWS and hit.dealer is not None:
            spark = Hit(hit.dealer, me.copies, DamageKind.CARD, me.seat, me.holding.item)
            yield from deal_damage(t, spark)


@pytest.fixture(autouse=True)
def _with_the_effect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EFFECTS, "high-voltage", HighVoltage())


def with_the_card() -> RuleSet:
    card = keep("High Voltage", 4, "…")
    cards = sorted((*SECOND.cards, card), key=lambda card: card.key)
    return replace(SECOND, cards=tuple(cards))


@pytest.mark.parametrize(("place", "energy"), [(CITY, 1), (OUTSIDE, 0)])
def test_it_pays_its_owner_for_a_turn_that_ends_in_tokyo(place: Place, energy: int) -> None:
    other = Sits(OUTSIDE if place is CITY else CITY)
    table = seated(with_the_card(), Sits(place, cards=("high-voltage",)), other, Sits())
    table.roll("112233")
    assert table.finish_turn().monsters[0].energy == energy


@pytest.mark.parametrize(
    ("cards", "rolled", "hearts"),
    [(("high-voltage",), "CC1122", [9, 8, 10]),
     (("armor-plating", "high-voltage"), "C11223", [10, 10, 10])],
    ids=["wounded", "armored"],
)  # fmt: skip
def test_a_monster_that_wounds_its_owner_takes_one_and_a_bystander_none(
    cards: tuple[str, ...], rolled: str, hearts: list[int]
) -> None:
    table = seated(with_the_card(), Sits(), Sits(CITY, cards=cards), Sits())
    table.roll(rolled)
    assert [monster.hearts for monster in table.finish_turn().monsters] == hearts


def test_mimic_lends_it_without_a_further_line() -> None:
    owner = Sits(CITY, energy=1, cards=("mimic",))
    table = seated(with_the_card(), owner, Sits(cards=("high-voltage",)))
    table.say(0, Copy(table.item("high-voltage")))
    table.roll("112233")
    assert table.finish_turn().monsters[0].energy == 1


def test_the_map_shows_this_very_card() -> None:
    text = (ROOT / "docs" / "DESIGN.md").read_text("utf-8")
    assert inspect.getsource(HighVoltage) in text
