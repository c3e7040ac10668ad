"""A recording has what counts of a log, and every position of it."""

import itertools
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from kotp2p.extras import recording
from kotp2p.extras import recording as recording_module
from kotp2p.game.steps import Begun, ClosedStep
from kotp2p.game.verify import Result, verify_log
from kotp2p.referee.box.rulesets import RULES_VERSION
from kotp2p.referee.model.answers import Answered, BuyTop, Drawn
from kotp2p.referee.model.decisions import Chance, ChanceKind, Draw
from kotp2p.referee.model.events import CardBought
from kotp2p.wire.crypto import commitment, draw_untaken, draw_values
from kotp2p.wire.entries import BodyKind
from kotp2p.wire.genesis import PROTOCOL_VERSION
from kotp2p.wire.lineups import Reason
from kotp2p.wire.records import HEAD_BYTES, read_head
from tests.support.endless_log import endless_log
from tests.support.log_bytes import offsets, short_log, without_end
from tests.support.paths import LOGS, VECTORS
from tests.support.recorded import GOLDEN_NAMES, golden_log, vector_log
from tests.support.undone_logs import returned_log, undone_log

WRITTEN = sorted(
    [
        *LOGS.glob(f"protocol-{PROTOCOL_VERSION}-rules-{RULES_VERSION}-*.kotlog"),
        *(VECTORS / "logs").glob("*.kotlog"),
    ]
)
"""Logs of the present versions, and wrong ones."""
LONG = next(path for path in WRITTEN if path.stem.endswith("-second"))


def moments_of(data: bytes) -> recording.Recording:
    found = recording.record_log(data).recording
    assert found is not None
    return found


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.stem)
def test_the_verdict_with_a_recording_is_that_of_verify(path: Path) -> None:
    data = path.read_bytes()
    recorded = recording.record_log(data)
    assert recorded.report() == verify_log(data)
    assert recorded.is_whole


def told_parts(recording: recording.Recording) -> list[ClosedStep | Begun | None]:
    """The parts of all moments, without who has refused a roll."""
    return [
        replace(moment.part, refused=()) if isinstance(moment.part, Begun) else moment.part
        for moment in recording.moments
    ]


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.stem)
def test_a_recording_has_the_moments_of_the_canonical_log(path: Path) -> None:
    """What line-ups have undone is in no canonical log, so it is no moment. The canonical log does
    not tell who has refused a roll: the openings of the others count no more."""
    recorded = recording.record_log(path.read_bytes())
    if recorded.recording is None:
        assert recorded.report().result in (Result.UNREADABLE, Result.WRONG, Result.UNFINISHED)
        return
    again = moments_of(recorded.report().canonical)
    assert told_parts(recorded.recording) == told_parts(again)
    assert recorded.recording.last == len(again.moments) - 1


@pytest.mark.parametrize("path", WRITTEN[:4], ids=lambda path: path.stem)
def test_every_position_is_the_same_from_both_sides(path: Path) -> None:
    found = moments_of(path.read_bytes())
    game = found.game_behind(0)
    forward = []
    for moment in found.moments:
        recording.replay_moment(game, moment)
        forward.append(game.digest())
        assert game.state.turn == moment.turn
    backward = [found.game_behind(n).digest() for n in reversed(range(len(forward)))]
    assert backward[::-1] == forward


def test_a_position_costs_the_moments_of_its_turn_and_no_more() -> None:
    found = moments_of(LONG.read_bytes())
    kept = {kept.moment for kept in found._kept}
    begins = {moment.number for moment in found.moments if moment.begins_turn}
    assert begins <= kept


def test_a_position_that_was_handed_out_is_nobody_elses() -> None:
    found = moments_of(short_log())
    before = found.game_behind(found.last - 1).digest()
    recording.replay_moment(found.game_behind(found.last - 1), found.moments[-1])
    assert found.game_behind(found.last - 1).digest() == before


def test_a_turn_is_found_by_its_number() -> None:
    found = moments_of(LONG.read_bytes())
    assert found.find_turn(0) == 0
    for turn in range(1, found.turns + 1):
        number = found.find_turn(turn)
        assert number is not None
        assert found.moments[number].begins_turn
        assert found.moments[number - 1].turn == turn - 1
    assert found.find_turn(found.turns + 1) is None


def test_the_moment_of_a_step_names_the_record_that_has_closed_it() -> None:
    data = LONG.read_bytes()
    recorded = recording.record_log(data)
    found = moments_of(data)
    for moment in found.moments[1:]:
        read = recorded.records[moment.record]
        assert read.offset == offsets(data)[moment.record]
        assert read.moved is not None
        assert moment.part in read.moved.parts


# -- what line-ups have undone ------------------------------------------------------------------


def test_an_answer_that_a_line_up_has_undone_is_no_moment() -> None:
    data = undone_log()
    assert verify_log(data).result is Result.UNFINISHED
    found = moments_of(data)
    steps = [moment.closed for moment in found.moments if moment.closed is not None]
    assert [closed.height for closed in steps] == list(range(len(steps)))
    (gone,) = (
        change.keeper
        for moment in found.moments
        if moment.begun is not None
        for change in moment.begun.lineup.plan
    )
    (number,) = found.line_ups
    before = [moment.closed for moment in found.moments[:number]]
    assert not [c for c in before if c is not None and isinstance(c.given, Answered)]
    first = found.moments[number + 1].closed
    assert first is not None
    assert isinstance(first.given, Answered)
    assert first.given.seat == gone
    state = found.game_behind(number).state
    keepers = found.keepers_after(number, state)
    assert found.keepers_after(number - 1, state)[gone] == gone
    assert keepers[gone] == (gone + 1) % 5


Part = ClosedStep | Begun | None


def growth_of(data: bytes) -> list[list[Part]]:
    growing, found = recording.LogRecording(data), []
    while not growing.is_whole:
        growing.read_on(1)
        assert growing.recording is not None
        found.append([moment.part for moment in growing.recording.moments])
    return found


def undone_in(growth: list[list[Part]]) -> list[Part]:
    return [it for before, after in itertools.pairwise(growth) for it in before if it not in after]


def test_an_undone_answer_is_a_moment_until_the_line_up_has_undone_it() -> None:
    (undone,) = undone_in(growth_of(undone_log()))
    assert isinstance(undone, ClosedStep)
    assert isinstance(undone.given, Answered)


def test_an_undone_answer_that_a_later_line_up_brings_back_is_a_moment_again() -> None:
    growth = growth_of(returned_log())
    answer, lineup = undone_in(growth)
    assert isinstance(answer, ClosedStep)
    assert isinstance(answer.given, Answered)
    assert isinstance(lineup, Begun)
    assert answer in growth[-1]
    assert lineup not in growth[-1]
    found, again = moments_of(returned_log()), moments_of(verify_log(returned_log()).canonical)
    assert [m.part for m in found.moments] == [m.part for m in again.moments]
    for number in range(found.last + 1):
        assert found.game_behind(number).digest() == again.game_behind(number).digest()


# -- logs that are not whole --------------------------------------------------------------------


def test_what_is_no_log_of_ours_has_no_moment() -> None:
    data = short_log()
    older = (LOGS / "protocol-4-rules-1-head.kotlog").read_bytes()
    for bad in (b"", b"x" * 1000, data[: HEAD_BYTES - 1], older, bytes(2**20)):
        recorded = recording.record_log(bad)
        assert recorded.report().result is Result.UNREADABLE
        assert recorded.recording is None
        assert recorded.records == []
        assert recorded.share_read == 1.0


def test_reading_on_in_small_parts_comes_to_the_same() -> None:
    data = LONG.read_bytes()
    growing = recording.LogRecording(data)
    shares = []
    while not growing.is_whole:
        before = len(growing.records)
        growing.read_on(7)
        assert growing.is_whole or len(growing.records) == before + 7
        shares.append(growing.share_read)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    whole = recording.record_log(data)
    assert growing.records == whole.records
    assert growing.report() == whole.report()
    assert read_head(data)[1] == whole.report().game[:16]


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.stem)
def test_verify_tells_each_change_of_who_plays_with_its_turn(path: Path) -> None:
    found = recording.record_log(path.read_bytes())
    changes = found.report().changes
    if found.recording is None:
        assert changes == ()
        return
    moments = found.recording.moments
    assert [(one.height, one.turn, one.keeper, one.reason) for one in changes] == [
        (moment.height, before.turn, change.keeper, change.reason)
        for before, moment in itertools.pairwise(moments)
        if moment.begun is not None
        for change in moment.begun.lineup.plan
    ]


def test_verify_tells_the_turn_of_a_cheat_also_if_a_line_up_has_undone_it() -> None:
    report = verify_log((VECTORS / "logs" / "convicted-far-back.kotlog").read_bytes())
    (out,) = report.changes
    assert (out.reason, out.height) == (Reason.CHEATED, 3)
    (caught,) = report.caught
    assert caught.seat == out.keeper
    assert caught.height >= out.height


# -- very many turns ----------------------------------------------------------------------------


def test_of_many_turns_few_copies_of_the_game_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = moments_of(LONG.read_bytes())
    monkeypatch.setattr(recording_module, "MAX_KEPT_GAMES", 8)
    sparse = moments_of(LONG.read_bytes())
    assert len(sparse._kept) < 8 < len(whole._kept)
    gaps = [b.moment - a.moment for a, b in itertools.pairwise(sparse._kept[:-1])]
    assert max(gaps) < 3 * min(gaps)
    for number in range(whole.last + 1):
        assert sparse.game_behind(number).digest() == whole.game_behind(number).digest()


def test_a_game_in_which_nothing_happens_is_recorded_for_as_long_as_it_goes() -> None:
    data = endless_log(30)
    recorded = recording.record_log(data)
    assert recorded.report() == verify_log(data)
    assert recorded.report().result is Result.UNFINISHED
    assert recorded.recording is not None
    assert recorded.recording.turns == 30


# -- facts --------------------------------------------------------------------------------


def test_facts_are_those_of_the_verdict() -> None:
    for name in GOLDEN_NAMES:
        data = golden_log(name)
        facts, report = recording.facts_of_log(data), verify_log(data)
        assert (facts.result, facts.turns, facts.winners) == ("sound", report.turns, report.winners)
        assert facts.sha256 == sha256(data).hexdigest()
        assert facts.game == report.game.hex()
        assert [one.name for one in facts.players] == [one.name for one in report.players]
        assert facts.is_counted


def test_bought_cards_are_counted_seat_by_seat() -> None:
    data = golden_log("absent")
    found = recording.record_log(data).recording
    assert found is not None
    events = [event for moment in found.moments for event in moment.events]
    facts = recording.facts_of_log(data)
    for seat, player in enumerate(facts.players):
        bought = [e for e in events if isinstance(e, CardBought) and e.seat == seat]
        assert len(player.bought) == len(bought)
    assert any(player.bought for player in facts.players)


def test_a_game_is_won_by_points_if_the_winner_has_the_goal() -> None:
    for name in GOLDEN_NAMES:
        data = golden_log(name)
        found = recording.record_log(data).recording
        assert found is not None
        game, facts = found.game_behind(found.last), recording.facts_of_log(data)
        assert facts.winners
        points = game.state.monsters[facts.winners[0]].points
        assert facts.by_points == (points >= game.setup.rules.goal)


def test_a_log_that_ends_early_does_not_count() -> None:
    data = golden_log("second")
    cut = recording.facts_of_log(without_end(data))
    assert (cut.result, cut.is_counted) == ("unfinished", False)
    begun = recording.facts_of_log(data[: offsets(data)[2]])
    assert (begun.winners, begun.by_points) == (None, False)
    assert cut.reason
    assert recording.facts_of_log(b"junk").players == ()
    assert recording.facts_of_log(b"junk").result == "unreadable"


# -- draws --------------------------------------------------------------------------------


DRAWN = [golden_log(name) for name in GOLDEN_NAMES] + [
    vector_log(name)
    for name in ("second-look", "again", "kept", "mixed-tiles", "refused-roll", "convicted")
]


def all_draws(data: bytes) -> tuple[recording.LogRecording, list[recording.ExplainedDraw]]:
    log = recording.record_log(data)
    assert log.recording is not None
    return log, recording.explain_draws(log, 0, log.recording.last)


@pytest.mark.parametrize("data", DRAWN)
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


@pytest.mark.parametrize("data", DRAWN)
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
        assert all(s.is_taken for s in list(recording.trace_numbers(result, [Draw(5)], gone))[:-1])
