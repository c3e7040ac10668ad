"""What news of a seat may be passed on, and what work may be done for it."""

from kotp2p.mesh.gossip import SeatBudgets
from kotp2p.seams.cores import RELAYS_AT_ONCE, RELAYS_PER_SECOND, SEAT_UNITS


def test_so_much_news_of_one_seat_is_passed_on_and_that_of_others_beside_it() -> None:
    budgets = SeatBudgets()
    assert [budgets.may_relay(1) for _ in range(RELAYS_AT_ONCE + 1)] == [
        *[True] * RELAYS_AT_ONCE,
        False,
    ]
    assert budgets.may_relay(2)
    budgets.now = 1 / RELAYS_PER_SECOND
    assert [budgets.may_relay(1), budgets.may_relay(1)] == [True, False]


def test_work_is_done_for_a_seat_until_its_last_unit_is_spent() -> None:
    budgets = SeatBudgets()
    budgets.charge_work(1, SEAT_UNITS - 1)
    assert budgets.of(1).work.has(1, budgets.now)
    budgets.charge_work(1, 1)
    assert not budgets.of(1).work.has(1, budgets.now)
    assert budgets.of(2).work.has(1, budgets.now)
