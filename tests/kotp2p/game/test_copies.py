"""Copies of one game: the same, one that ends earlier, or two that part."""

import pytest

from kotp2p.game.verify import Comparison, Relation, compare_copies, verify_log
from tests.support.five_players import at_a_decision
from tests.support.log_bytes import long_log, offsets, without_end
from tests.support.recorded import golden_log, vector_log
from tests.support.signed_games import parted_logs


def test_a_copy_is_the_same_as_itself() -> None:
    for data in (long_log(), golden_log("absent")):
        assert compare_copies(data, data).relation is Relation.SAME


def test_a_copy_that_is_cut_ends_earlier_and_nobody_has_signed_both() -> None:
    data = golden_log("absent")
    at = offsets(data)
    report = verify_log(data)
    for copy in (data[: at[2]], data[: at[len(at) // 2]], without_end(data)):
        found = compare_copies(data, copy)
        assert found.relation is Relation.EARLIER
        assert not found.signed_both
        assert found.turn <= report.turns
    assert compare_copies(data, without_end(data)).turn == report.turns
    assert compare_copies(data, data[: at[2]]) == Comparison(Relation.EARLIER, 0, 0)


def test_a_copy_without_a_record_ends_at_the_start() -> None:
    assert compare_copies(long_log(), long_log()[:60]).height == 0


def test_copies_without_a_step_are_the_same_before_the_first_turn() -> None:
    data = long_log()
    begun = data[: offsets(data)[2]]
    assert compare_copies(begun, begun) == Comparison(Relation.SAME, 0, 0)


def test_copies_part_where_a_seat_has_answered_twice() -> None:
    one, other, before = parted_logs()
    ledger, seat = at_a_decision()
    assert compare_copies(one, other) == Comparison(
        Relation.PARTED, ledger.height, ledger.chain.turns, (seat,)
    )
    for log in (one, other):
        assert compare_copies(log, before).relation is Relation.EARLIER


def test_a_wrong_copy_is_compared_up_to_its_wrong_record() -> None:
    data = long_log()
    half = offsets(data)[20]
    found = compare_copies(data, data[:half] + b"\xff" * 40)
    assert found.relation is Relation.EARLIER
    assert found == compare_copies(data, data[:half])


@pytest.mark.parametrize("name", ["back", "convicted-far-back", "replaced"])
def test_a_copy_that_a_line_up_has_overtaken_parts_and_nobody_has_signed_both(name: str) -> None:
    data = vector_log(name)
    at = offsets(data)
    found = [compare_copies(data, data[:cut]) for cut in at[1 :: max(1, len(at) // 40)]]
    assert not any(one.signed_both for one in found)
    has_undone = name != "back"
    assert any(one.relation is Relation.PARTED for one in found) == has_undone
    assert Relation.EARLIER in {one.relation for one in found}
