"""What an opening must show, above all of the slot whose card one seat has looked at.

Two seats at a table without a game: `ANA` has looked at the top card and withholds her part.
"""

from dataclasses import replace

import pytest

from kotp2p.game.steps import GatherPlan, HalfOpen, Slots, WrongContribution
from kotp2p.referee.model.decisions import Chance, ChanceKind, Draw
from kotp2p.wire.crypto import Stream, commitment, draw_untaken, slot_result
from kotp2p.wire.entries import Opening
from kotp2p.wire.lineups import CheatKind
from tests.tools.vector_table import fill

ANA, REX = 0, 1
GAME, TABLE, HEAD, NEXT_HEAD = fill(0xA1), fill(0xA2), fill(0xA3), fill(0xA4)
LOOKED, FIRST = 0, 1
"""The half-open slot, and the first fresh one."""
FRESH = 2
PILE = tuple(range(10, 40))
DRAWS = Chance(ChanceKind.CARDS, tuple(Draw(len(PILE), 0) for _ in range(FRESH + 1)), None, (PILE,))
"""A whole market: the looked-at card and two more."""


def part(seat: int, slot: int) -> bytes:
    return fill(1 + 16 * seat + slot)


def shown(seat: int, slot: int) -> bytes:
    return commitment(TABLE, Stream.CARDS, seat, slot, part(seat, slot))


@pytest.fixture
def slots() -> Slots:
    committed = {
        (Stream.CARDS, seat, slot): shown(seat, slot)
        for seat in (ANA, REX)
        for slot in range(FIRST + FRESH)
    }
    first_shown_by = {value: seat for (_, seat, _), value in committed.items()}
    parts = {REX: part(REX, LOOKED)}
    half_open = HalfOpen(LOOKED, TABLE, HEAD, ANA, ANA, (ANA, REX), parts, PILE)
    at = {Stream.DICE: 0, Stream.CARDS: FIRST}
    return Slots(GAME, TABLE, at, committed, first_shown_by, half_open)


@pytest.fixture
def plan(slots: Slots) -> GatherPlan:
    return slots.plan_gather(DRAWS, None)


def opening(seat: int, top: bytes | None = None) -> Opening:
    fresh = range(FIRST, FIRST + FRESH)
    new = tuple(fill(0xC0 + 16 * seat + slot) for slot in fresh)
    return Opening(tuple(part(seat, slot) for slot in fresh), new, top)


def test_the_seat_that_has_looked_alone_opens_the_card(slots: Slots, plan: GatherPlan) -> None:
    slots.check_opening(plan, ANA, opening(ANA, part(ANA, LOOKED)))
    slots.check_opening(plan, REX, opening(REX))


NOT_WITHHELD = {
    "none": None,
    "of another slot": part(ANA, FIRST),
    "of another seat": part(REX, LOOKED),
    "of no slot": fill(0xEE),
}


def test_at_a_draw_each_seat_opens_every_slot(slots: Slots, plan: GatherPlan) -> None:
    whole = opening(REX)
    without_one = replace(whole, contributions=(whole.contributions[0], None))
    slots.check_opening(plan, REX, whole)
    with pytest.raises(WrongContribution, match="nothing opened"):
        slots.check_opening(plan, REX, without_one)


def test_at_a_look_the_others_open_the_slot_and_the_one_that_looks_does_not() -> None:
    """A seat that looks alone knows the card until it is drawn."""
    committed = {(Stream.CARDS, seat, LOOKED): shown(seat, LOOKED) for seat in (ANA, REX)}
    first_shown_by = {value: seat for (_, seat, _), value in committed.items()}
    at = {Stream.DICE: 0, Stream.CARDS: LOOKED}
    slots = Slots(GAME, TABLE, at, committed, first_shown_by)
    plan = slots.plan_gather(Chance(ChanceKind.LOOK, (), ANA, (PILE,)), ANA)
    new = (fill(0xC0),)
    opened = Opening((part(REX, LOOKED),), new)
    kept = Opening((None,), new)
    slots.check_opening(plan, REX, opened)
    slots.check_opening(plan, ANA, kept)
    for seat, wrong in ((REX, kept), (ANA, replace(opened, contributions=(part(ANA, LOOKED),)))):
        with pytest.raises(WrongContribution, match="nothing opened"):
            slots.check_opening(plan, seat, wrong)


@pytest.mark.parametrize("top", NOT_WITHHELD.values(), ids=NOT_WITHHELD)
def test_the_seat_that_has_looked_can_make_no_other_card_of_it(
    slots: Slots, plan: GatherPlan, top: bytes | None
) -> None:
    with pytest.raises(WrongContribution) as fault:
        slots.check_opening(plan, ANA, opening(ANA, top))
    assert fault.value.kind is CheatKind.WRONG_OPENING


@pytest.mark.parametrize("top", [part(ANA, LOOKED), part(REX, LOOKED)], ids=["hers", "own"])
def test_who_has_not_looked_opens_no_top_card(slots: Slots, plan: GatherPlan, top: bytes) -> None:
    with pytest.raises(WrongContribution) as fault:
        slots.check_opening(plan, REX, opening(REX, top))
    assert fault.value.kind is CheatKind.WRONG_OPENING


def test_where_the_top_card_is_not_drawn_nobody_opens_it(slots: Slots, plan: GatherPlan) -> None:
    without = replace(plan, top=False)
    slots.check_opening(without, ANA, opening(ANA))
    with pytest.raises(WrongContribution):
        slots.check_opening(without, ANA, opening(ANA, part(ANA, LOOKED)))


def test_a_card_that_is_bought_from_the_top_is_opened_by_the_same_part(slots: Slots) -> None:
    assert slots.opens_top(part(ANA, LOOKED))
    assert not slots.opens_top(part(ANA, FIRST))
    assert not slots.opens_top(part(REX, LOOKED))
    slots.half_open = None
    assert not slots.opens_top(part(ANA, LOOKED))


def test_the_card_looked_at_comes_before_fresh_slots(slots: Slots, plan: GatherPlan) -> None:
    held = slots.half_open
    assert held is not None
    openings = {ANA: opening(ANA, part(ANA, LOOKED)), REX: opening(REX)}
    drawn = slots.draw_outcome(plan, NEXT_HEAD, openings, DRAWS)
    taken = [PILE.index(held.card(GAME, part(ANA, LOOKED)))]
    for slot in range(FIRST, FIRST + FRESH):
        parts = [part(ANA, slot), part(REX, slot)]
        mixed = slot_result(GAME, NEXT_HEAD, Stream.CARDS, slot, parts)
        taken.append(draw_untaken(mixed, len(PILE), set(taken)))
    assert drawn == tuple(taken)
    assert slots.next_slot[Stream.CARDS] == FIRST + FRESH


def test_the_card_of_a_look_follows_from_the_parts_of_all_in_order_of_seats(slots: Slots) -> None:
    held = slots.half_open
    assert held is not None
    parts = [part(ANA, LOOKED), part(REX, LOOKED)]
    mixed = slot_result(GAME, HEAD, Stream.CARDS, LOOKED, parts)
    assert held.card(GAME, part(ANA, LOOKED)) == PILE[draw_untaken(mixed, len(PILE), ())]
