"""Each frame is complete: a number, a writer, a reader, a row in PROTOCOL.md, a vector, a seed."""

import json
from typing import get_args

import pytest

from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import Signed
from kotp2p.wire.frames import SESSION_FRAMES, Frame, FrameType, SessionFrame, decode, encode
from tests.support.paths import ROOT, VECTORS
from tests.tools.fuzz import seeds

FRAMES = get_args(Frame)


def vector_frames() -> dict[type, Frame]:
    """A frame of each class that docs/vectors/frames.json shows."""
    texts = json.loads((VECTORS / "frames.json").read_text("utf-8"))
    shown = [decode(bytes.fromhex(text)[4:]) for text in texts.values()]
    return {type(frame): frame for frame in shown if frame is not None}


def test_each_type_number_has_one_frame_and_each_frame_one_number() -> None:
    classes = [frame for frame in FRAMES if frame is not Signed]
    assert set(classes) == set(get_args(SessionFrame))
    assert sorted(frame.TYPE for frame in classes) == sorted(FrameType)
    assert {number: SESSION_FRAMES[number] for number in FrameType} == SESSION_FRAMES


def test_session_frames_have_numbers_of_their_own() -> None:
    assert all(64 <= number <= 127 for number in FrameType)
    with pytest.raises(BadBytes):  # a float, in a frame of a number that is not known
        decode(b"\x92\x7f\xcb" + bytes(8))


@pytest.mark.parametrize("frame_class", FRAMES)
def test_a_vector_shows_the_frame_and_it_is_read_back_as_written(frame_class: type) -> None:
    shown = vector_frames()
    assert frame_class in shown, "no sample in tests/tools/vector_frames.py, or vectors not made"
    frame = shown[frame_class]
    assert decode(encode(frame)[4:]) == frame


@pytest.mark.parametrize("frame_class", FRAMES)
def test_the_fuzz_starts_from_the_frame(frame_class: type) -> None:
    assert frame_class in {type(decode(body)) for body in seeds.frames()}


@pytest.mark.parametrize("number", FrameType, ids=lambda number: number.name)
def test_the_protocol_lists_the_frame_under_its_number(number: FrameType) -> None:
    protocol = (ROOT / "docs" / "PROTOCOL.md").read_text("utf-8")
    name = number.name.replace("_", "-")
    row = f"| {int(number)} | {name} |"
    assert f"\n{row}" in protocol, f"no row {row} in the table of docs/PROTOCOL.md 3.1"
