"""Both readings of what a name is (PROTOCOL.md 2.1) agree on anything that somebody could send."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kotp2p.wire import names
from tests.support.names import ALIKE, NAMES, NO_NAMES
from tests.tools.independent import names as independent

PIECES = "".join([*NAMES, *NO_NAMES.values(), *(name for pair in ALIKE for name in pair)])
SENT = (
    st.text(max_size=12) | st.text(PIECES, max_size=26) | st.text("Lx\u0323\u0301 .-1", max_size=9)
)


@given(SENT)
def test_both_know_a_name(text: str) -> None:
    assert independent.is_name(text) == names.is_name(text)
    if names.is_name(text):
        assert independent.looks(text) == names.looks_of(text)


@given(SENT, SENT)
def test_both_know_which_names_are_alike(one: str, other: str) -> None:
    one, other = names.clean_name(one, "Ana"), names.clean_name(other, "Bob")
    assert independent.alike(one, other) == names.are_alike(one, other)
