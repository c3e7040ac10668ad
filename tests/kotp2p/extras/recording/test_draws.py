"""Dice and cards are explained by what stands in the log, and come to what was drawn."""

import pytest

from kotp2p.extras import recording
from kotp2p.referee.model.answers import Answered, BuyTop, Drawn
from kotp2p.referee.model.decisions import Chance, ChanceKind, Draw
from kotp2p.wire.crypto import commitment, draw_untaken, draw_values
from kotp2p.wire.entries import BodyKind
from tests.support.recorded import GOLDEN_NAMES, golden_log, vector_log

LOGS = [golden_log(name) for name in GOLDEN_NAMES] + [
    vector_log(name)
    for name in ("second-look", "again", "kept", "mixed-tiles", "refused-roll", "convicted")
]


def all_draws(data: bytes) -> tuple[recording.LogRecording, list[recording.ExplainedDraw]]:
    log = recording.record_log(data)
    assert log.recording is not None
    return log, recording.explain_draws(log, 0, log.recording.last)


@pytest.mark.parametrize("data", LOGS)
def test_the_explanation_comes_to_the_values_that_the_game_was_given(data: bytes) -> None:
    log, draws = all_draws(data)
    assert log.recording is not None
    explained = {draw.moment.number: draw for draw in draws}
    for moment in log.recording.moments[1:]:
        if moment.closed is None:
            continue  # a line-up draws nothing
        given = moment.closed.given
        if isinstance(given, Drawn):
            draw = explained.pop(moment.number)
            values = [value for slot in draw.slots for value in slot.values]
            if draw.kind is ChanceKind.CARDS:
                pending = log.recording.game_behind(moment.number - 1).pending
                assert isinstance(pending, Chance)
                piles = [pending.piles[one.pool] for one in pending.draws]
                cards = [slot.pile[value] for slot, value in zip(draw.slots, values, strict=True)]
                values = [pile.index(card) for pile, card in zip(piles, cards, strict=True)]
            assert tuple(values) == given.values
        elif isinstance(given, Answered) and isinstance(given.answer, BuyTop):
            (slot,) = explained.pop(moment.number).slots
            assert slot.pile[slot.values[0]] == given.answer.card
    assert not explained


@pytest.mark.parametrize("data", LOGS)
def test_every_part_was_sealed_in_an_earlier_record_than_it_was_opened(data: bytes) -> None:
    log, draws = all_draws(data)
    assert log.recording is not None
    table = log.recording.genesis.charter.table
    genesis = [read.signed.kind for read in log.records].index(BodyKind.GENESIS)
    for draw in draws:
        for slot in draw.slots:
            assert [part.seat for part in slot.parts] == sorted({p.seat for p in slot.parts})
            for part in slot.parts:
                assert part.sealed_in < part.opened_in <= draw.moment.record
                sealed = commitment(table, slot.stream, part.seat, slot.slot, part.opened)
                assert sealed == part.seal
                record = log.records[part.sealed_in].signed
                assert part.seal in record.body
                assert (record.kind is BodyKind.GENESIS) == (part.sealed_in == genesis)
                assert part.opened in log.records[part.opened_in].signed.body


def test_a_card_that_was_looked_at_before_is_explained_where_it_is_opened() -> None:
    log, draws = all_draws(vector_log("second-look"))
    late = [
        (draw, slot)
        for draw in draws
        for slot in draw.slots
        if min(part.opened_in for part in slot.parts) < draw.moment.record - 20
    ]
    assert late
    assert all(draw.kind is ChanceKind.CARDS for draw, _slot in late)
    assert log.is_whole


def test_only_the_moments_that_are_asked_for_are_explained() -> None:
    log, draws = all_draws(golden_log("second"))
    some = recording.explain_draws(log, 20, 40)
    assert [d.moment.number for d in some] == [
        d.moment.number for d in draws if 20 <= d.moment.number <= 40
    ]
    assert some[0] in draws
    assert recording.explain_draws(recording.record_log(b"junk"), 0, 9) == []


def test_the_steps_from_hash_to_value_are_those_of_the_protocol() -> None:
    for n in range(300):
        result = n.to_bytes(32, "big")
        dice = [Draw(6)] * 6
        steps = list(recording.trace_numbers(result, dice))
        assert tuple(s.value for s in steps if s.value is not None) == draw_values(result, [6] * 6)
        gone = frozenset({1, 3, n % 5})
        last = list(recording.trace_numbers(result, [Draw(5)], gone))[-1]
        assert last.value == draw_untaken(result, 5, gone)
        assert all(
            step.is_taken for step in list(recording.trace_numbers(result, [Draw(5)], gone))[:-1]
        )
