"""Each answer of the referee has a code, and is read back as it was written."""

from __future__ import annotations

import json
from typing import get_args

import pytest

from kotp2p.wire.answer_codec import answer_to_value, parse_answer
from kotp2p.wire.encoding import unpack
from referee.model.answers import Answer
from tests.support.paths import VECTORS


def vector_answers() -> dict[type, list[bytes]]:
    """The encodings in docs/vectors/answers.json, by the class that they are read as."""
    found: dict[type, list[bytes]] = {}
    for text in json.loads((VECTORS / "answers.json").read_text("utf-8")).values():
        data = bytes.fromhex(text)
        answer, _secret = parse_answer(unpack(data))
        found.setdefault(type(answer), []).append(data)
    return found


@pytest.mark.parametrize("answer_class", get_args(Answer))
def test_a_vector_shows_the_answer_and_it_is_read_back_as_written(answer_class: type) -> None:
    for data in vector_answers()[answer_class]:
        assert answer_to_value(*parse_answer(unpack(data))) == unpack(data)


def test_each_answer_has_a_code_of_its_own() -> None:
    codes = set()
    for encodings in vector_answers().values():
        value = unpack(encodings[0])
        assert isinstance(value, tuple)
        codes.add(value[0])
    assert len(codes) == len(get_args(Answer))
