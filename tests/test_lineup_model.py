"""A sample of the walks of `tests.tools.lineup_model`, and some of its rules by example."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.tools.lineup_model import book, finding, hostile, laws, lineups, patience
from tests.tools.lineup_model.bodies import Assent, Body, Entry, Kind, Leave
from tests.tools.lineup_model.book import Book, has_two_pasts
from tests.tools.lineup_model.finding import build
from tests.tools.lineup_model.hostile import Coalition, Habit
from tests.tools.lineup_model.keeper import Process
from tests.tools.lineup_model.line import Line
from tests.tools.lineup_model.lineups import Archive, LineUp, Named, Why, is_enough
from tests.tools.lineup_model.positions import Gather
from tests.tools.lineup_model.walks import Tally, walk_all
from tests.tools.lineup_model.words import Words
from tests.tools.lineup_model.world import Table, World

NOBODY = frozenset[int]()


def laws_broken(seeds: range) -> set[str]:
    tally = walk_all(seeds, Tally())
    return {said.partition(":")[0] for _, _, said in tally.violations}


@pytest.mark.parametrize("first", [20, 500, 1000])
def test_walks_keep_all_laws(first: int) -> None:
    tally = walk_all(range(first, first + 25), Tally())
    assert tally.violations == []
    assert tally.ends["to the end"] > 8


@pytest.mark.parametrize(
    "seed",
    [2000104, 2000809, 2001201, 5201848, 5221138, 5207046, 5212654, 5213264, 6001080],
    ids=[
        "T differs",
        "READY when a line-up begins",
        "a decision that one seat has not heard",
        "READY beside it",
        "a decision that is taken back",
        "who is back helps",
        "floors while bound",
        "proofs are kept",
        "others are bound above",
    ],
)
def test_a_walk_that_once_broke_a_law_keeps_them(seed: int) -> None:
    assert walk_all(range(seed, seed + 1), Tally()).violations == []


def test_a_half_that_goes_on_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def half(pred: LineUp, confirmed: bool, gone: frozenset[int], rest: frozenset[int]) -> bool:
        counted = pred.members - gone
        return 2 * len(rest & counted) >= len(counted)

    for module in (book, lineups, laws):
        monkeypatch.setattr(module, "is_enough", half)
    assert "no split" in laws_broken(range(30072, 30073))


def test_an_open_roll_that_is_drawn_anew_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    keep = finding.keep_gather

    def forget_who_is_out(*gather: Any) -> Gather | None:
        kept = keep(*gather)
        return kept and kept._replace(pinned=())

    monkeypatch.setattr(finding, "keep_gather", forget_who_is_out)
    assert "one result" in laws_broken(range(30118, 30119))


def nobody_disturbs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "disturbing", lambda process: set())


def dropped_beyond_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    def pass_on(words: Words, body: Body, process: Process) -> list[Body]:
        is_fact = isinstance(body, Entry | Leave)
        return [body] if is_fact or words.may_tell(body, process.now) else []

    monkeypatch.setattr(Words, "pass_on", pass_on)


def all_assents_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Book, "forget_idle", lambda book, last: None)


def who_is_left_out_signs_although_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    def is_bound(p: Process) -> bool:
        finds_itself = p.found is not None and p.me in p.found.members
        return finds_itself and p.bound > p.lineup.attempt

    monkeypatch.setattr(Process, "is_bound", property(is_bound))


def the_first_entry_of_a_fork_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Line, "_further", lambda line, place, got: got)


def nobody_meets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Process, "meet", lambda process, found, sent: found)


@pytest.mark.parametrize(
    ("trick", "plant", "seed", "law"),
    [
        (Coalition._comes_back_for_ever, nobody_disturbs, 656, "to the end"),
        (Coalition._is_ready_for_one, dropped_beyond_a_budget, 38, "to the end"),
        (Coalition._is_ready_further_up, nobody_meets, 6, "to the end"),
        (Coalition._is_ready_further_up, nobody_meets, 339, "no present seat out"),
        (Coalition._equivocates, the_first_entry_of_a_fork_counts, 701042, "one line"),
        (Coalition._fills_with_assents, all_assents_are_kept, 11, "bounded"),
        (Coalition._wrecks, who_is_left_out_signs_although_bound, 175, "no honest conviction"),
    ],
)
def test_a_trick_breaks_a_law_where_its_mend_is_missing_and_none_where_it_is_not(
    monkeypatch: pytest.MonkeyPatch,
    trick: Habit,
    plant: Callable[[pytest.MonkeyPatch], None],
    seed: int,
    law: str,
) -> None:
    monkeypatch.setattr(hostile, "HABITS", (trick,))
    assert laws_broken(range(seed, seed + 1)) == set()
    plant(monkeypatch)
    assert laws_broken(range(seed, seed + 1)) == {law}


def absent(pred: LineUp, archive: Archive, attempt: int, *keepers: int) -> LineUp:
    """The line-up without these keepers, from the place where its predecessor begins."""
    plan = tuple(Named(k, Why.ABSENT) for k in keepers)
    return build(Line(pred, Book()), 0, plan, attempt, archive)


@pytest.fixture
def five() -> World:
    return World(0, Table(5, 0))


def test_more_than_half_are_enough_and_half_are_not(five: World) -> None:
    assert is_enough(five.root, True, NOBODY, frozenset({0, 1, 2}))
    assert not is_enough(five.root, True, NOBODY, frozenset({0, 1}))
    assert not is_enough(five.root, True, frozenset({4}), frozenset({0, 1}))
    assert is_enough(five.root, True, frozenset({3, 4}), frozenset({0, 1}))


def test_two_of_an_unconfirmed_three_are_not_enough_of_five(five: World) -> None:
    three = absent(five.root, five.archive, 3, 0, 1)
    assert is_enough(three, True, NOBODY, frozenset({3, 4}))
    assert not is_enough(three, False, NOBODY, frozenset({3, 4}))


def test_an_entry_and_an_assent_to_another_past_are_a_proof(five: World) -> None:
    one = absent(five.root, five.archive, 1, 3, 4)
    two = absent(five.root, five.archive, 2, 0, 1)
    assert has_two_pasts(2, 1, two)
    assert not has_two_pasts(2, 1, absent(one, five.archive, 2, 0))
    assert not has_two_pasts(2, 2, one)


def test_who_is_out_of_an_earlier_line_up_cannot_play_both_pasts(five: World) -> None:
    """A line-up on the way excuses a keeper only if its attempt is above that of the entry."""
    without = absent(five.root, five.archive, 1, 3, 4)
    plan = (Named(2, Why.ABSENT), Named(3, Why.BACK, 2))
    back = build(Line(without, Book()), 0, plan, 3, five.archive)
    assert back.members == {0, 1, 3}
    assert has_two_pasts(3, 2, back)
    assert not has_two_pasts(3, 0, back)


def test_a_kept_opening_is_no_second_past(five: World) -> None:
    """Who opens in a kept gather signs in the later line-up, whatever it assented to between."""
    one = absent(five.root, five.archive, 1, 4)
    between = absent(five.root, five.archive, 3, 3)
    kept = build(Line(one, Book()), 0, (), 6, five.archive)
    for under, cheats in ((1, {1}), (6, set())):
        taken = Book()
        taken.take(Assent(1, between))
        taken.take(Assent(1, kept))
        taken.take(Entry(1, 1, 3, 7, Kind.OPENING, (5, 0), under))
        assert taken.cheats == cheats
