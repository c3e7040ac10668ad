"""`kotp2p explain`: how dice and cards were drawn."""

from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from kotp2p.cli.extras.replay.player import words_of_draw
from kotp2p.cli.text import names
from kotp2p.extras.recording import DrawnSlot, explain_draws
from kotp2p.referee.model.answers import Face
from kotp2p.referee.model.decisions import ChanceKind
from kotp2p.wire.crypto import Stream
from tests.support.command_line import run
from tests.support.log_bytes import offsets
from tests.support.recorded import golden_log, player_of, vector_log
from tests.tools.independent.wire import hashed

explain = partial(run, "explain")


def values_of(slot: DrawnSlot) -> list[int]:
    """What the opened numbers come to by PROTOCOL 7.2 and 7.3."""
    size, found = slot.steps[0].size, list[int]()
    for number in numbers_of(slot.result):
        if number < 2**64 - 2**64 % size and number % size not in slot.gone:
            found.append(number % size)
            if len(found) == len(slot.values):
                break
    return found


def numbers_of(result: bytes) -> Iterator[int]:
    for n in count():
        block = hashed("stream", result, n)
        yield from (int.from_bytes(block[at : at + 8], "big") for at in (0, 8, 16, 24))


@pytest.mark.parametrize(
    "data", [golden_log("second"), golden_log("absent"), vector_log("second-look"),
             vector_log("mixed-tiles")]
)  # fmt: skip
def test_what_is_shown_of_a_draw_comes_to_its_faces_and_cards(data: bytes) -> None:
    reel = player_of(data).reel
    genesis = reel.recording.genesis
    for draw in explain_draws(reel.log, 0, reel.recording.last):
        for slot in draw.slots:
            place = int(slot.stream)
            for part in slot.parts:
                sealed = (genesis.charter.table, place, part.seat, slot.slot, part.opened)
                assert hashed("commitment", *sealed) == part.seal
            opened = [part.opened for part in slot.parts]
            assert hashed("result", genesis.id, slot.head, place, slot.slot, *opened) == slot.result
            assert values_of(slot) == list(slot.values)


def test_hashes_stand_on_lines_of_their_own() -> None:
    reel = player_of(vector_log("second-look")).reel
    for draw in explain_draws(reel.log, 0, reel.recording.last):
        hashes = [line for line in words_of_draw(reel, draw) if line.startswith("    ")]
        assert len(hashes) == sum(2 * len(slot.parts) + 2 for slot in draw.slots)
        assert max(map(len, hashes)) <= 80


def test_the_words_name_each_record_and_each_step() -> None:
    reel = player_of(golden_log("second")).reel
    draw = next(d for d in explain_draws(reel.log, 90, 120) if d.kind is ChanceKind.DICE)
    slot = draw.slots[0]
    lines = words_of_draw(reel, draw)
    assert lines[0].startswith(f"Turn {draw.moment.turn}, ")
    assert lines[0].endswith(f"drawn with record {draw.moment.record}:")
    assert f"The decision before it stands in record {draw.decided_in}." in lines
    for part in slot.parts:
        name = reel.recording.genesis.players[part.seat].name
        assert f"{name} sealed in record {part.sealed_in}:" in lines
        assert f"{name} opened in record {part.opened_in}:" in lines
        assert part.sealed_in < draw.decided_in < part.opened_in
    step = slot.steps[-1]
    assert step.value is not None
    face = names.face(Face(step.value))
    assert lines[-1] == f"{step.number} modulo 6 is {step.value}: {face}."


def test_a_turn_of_a_log_is_explained(log: Path) -> None:
    out = explain("chisel", "22").printed()
    assert out.count("Turn 22, ") == 5  # three times dice, and two cards
    assert out.splitlines()[-1] == f"{log}: sound"
    assert explain("22")[1] == explain(log, "22")[1] == out
    last = explain()[1]
    assert last == explain("47")[1]


@pytest.mark.usefixtures("log")
def test_the_roll_for_the_first_turn_stands_in_turn_0() -> None:
    first = explain("0")[1]
    assert first.count("Turn 0, ") == 3  # three cards, the dice of all, and of those with the most
    assert "Turn 0, " not in explain("1")[1]


@pytest.mark.usefixtures("log")
def test_the_draw_of_a_record_is_explained() -> None:
    out = explain("r218").printed()
    assert "Turn 14, drawn with record 218:" in out
    assert out.count("Turn ") == 1


@pytest.mark.usefixtures("log")
def test_where_nothing_was_drawn_it_says_so() -> None:
    for place in ("99", "r999", "r0"):
        err = explain(place).refused(8)
        assert " ".join(err.split()) == (
            "Nothing was drawn there. This log has 47 turns, and its last record is 746."
        )


def test_of_a_log_that_ends_before_a_roll_the_last_draw_is_explained(log: Path) -> None:
    data = golden_log("second")
    reel = player_of(data).reel
    eighth = reel.place_of_turn(8)
    assert eighth is not None
    log.write_bytes(data[: offsets(data)[reel.moment_at(eighth).record + 1]])
    assert explain("8")[0] == 8, "the turn has begun, and nobody has rolled"
    assert explain().printed() == explain("7")[1]


def test_what_is_wrong_with_a_log_is_its_exit_code(log: Path, tmp_path: Path) -> None:
    data = golden_log("second")
    at = offsets(data)[297] + 30
    log.write_bytes(data[:at] + bytes((data[at] ^ 1,)) + data[at + 1 :])
    assert "WRONG at record 297" in explain("14").printed(6).splitlines()[-1]
    assert "unreadable" in explain(tmp_path, "14").refused(9)
    log.write_bytes(b"junk")
    assert explain("14")[0] == 9


def test_dice_and_tiles_come_of_one_stream() -> None:
    reel = player_of(vector_log("mixed-tiles")).reel
    draws = explain_draws(reel.log, 0, reel.recording.last)
    (sides,) = [draw for draw in draws if draw.kind is ChanceKind.SIDES]
    assert sides.slots[0].stream is Stream.DICE
    assert words_of_draw(reel, sides)[0].startswith("Turn 0, ")
    assert words_of_draw(reel, sides)[-1].endswith((": red.", ": green."))
