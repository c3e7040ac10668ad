"""Why nobody answers: one sentence for each reason, with what to do now."""

import pytest

from kotp2p.cli.text import how_to_join
from kotp2p.cli.text.endings import describe_ending
from kotp2p.seams.endings import Ending, EndKind


@pytest.mark.parametrize(
    ("detail", "said"),
    [
        ("[Errno 101] Network is unreachable", "There is no route from this machine to 10.0.0.9."),
        ("[WinError 10051] unreachable", "There is no route from this machine to 10.0.0.9."),
        ("", "Nobody answers at 10.0.0.9 port 4243."),
        ("[Errno 110] Connection timed out", "Nobody answers at 10.0.0.9 port 4243."),
        (
            "[Errno 113] Error connecting to ('10.0.0.9', 4243): No route to host",
            "Nobody answers at 10.0.0.9 port 4243.",
        ),
        (
            "[Errno 13] Permission denied",
            "This machine does not let a connection to 10.0.0.9 port 4243 out.",
        ),
    ],
)
def test_the_reason_follows_from_the_error_of_the_system(detail: str, said: str) -> None:
    first, advice = describe_ending(Ending(EndKind.NO_ANSWER, detail), "10.0.0.9", 4243)
    assert first == said
    assert ("keep its devices apart" in advice) == said.startswith("Nobody")


def test_a_number_at_which_nobody_answers_may_have_changed() -> None:
    lines = describe_ending(Ending(EndKind.NOBODY_AT_NUMBER, "7412"), "7412-carpet-arctic", 4242)
    assert lines[0] == "Nobody answers at 7412."
    assert "whether the number has changed" in lines[1]


@pytest.mark.parametrize(
    ("theirs", "ours", "whose"),
    [("5.3", "4.9", "Yours"), ("5.3", "5.4", "The host's"), ("9.1", "10.1", "The host's")],
)
def test_the_lower_version_is_to_be_updated(theirs: str, ours: str, whose: str) -> None:
    lines = describe_ending(Ending(EndKind.VERSION, f"{theirs} {ours}"), "kitchen", 4242)
    assert lines[1].startswith(whose)
    assert how_to_join.is_older(ours, theirs) == (whose == "Yours")
