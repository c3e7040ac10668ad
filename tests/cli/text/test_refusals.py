"""The referee's reasons as sentences."""

import pytest

from kotp2p.cli.text.story import describe_refusal
from kotp2p.referee.model.answers import Reason


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_is_one_sentence(reason: Reason) -> None:
    sentence = describe_refusal(reason)
    assert sentence.endswith(".")
    assert sentence.count(".") == 1
    assert "-" not in sentence
