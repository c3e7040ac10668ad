"""Why nobody answers: one sentence for each reason, with what to do now."""

import pytest

from kotp2p.cli.system.network import has_answered
from kotp2p.cli.text import how_to_join
from kotp2p.cli.text.endings import describe_ending
from kotp2p.seams.endings import Ending, EndKind

TIME_IS_UP = ""
NO_ROUTE = "[Errno 113] Error connecting to ('10.0.0.9', 4242): No route to host"
NO_NETWORK = "[Errno 101] Network is unreachable"
FORBIDDEN = "[Errno 13] Permission denied"
NEAR = how_to_join.WayThere("wlan0")
MET = how_to_join.WayThere("wlan0", has_neighbour=True)


@pytest.mark.parametrize(
    ("detail", "way", "kind"),
    [
        (NO_NETWORK, how_to_join.ELSEWHERE, how_to_join.NoAnswer.NO_ROUTE),
        (NO_ROUTE, how_to_join.ELSEWHERE, how_to_join.NoAnswer.NO_ROUTE),
        (TIME_IS_UP, how_to_join.ELSEWHERE, how_to_join.NoAnswer.SILENT),
        ("[Errno 110] Connection timed out", how_to_join.ELSEWHERE, how_to_join.NoAnswer.SILENT),
        (NO_ROUTE, NEAR, how_to_join.NoAnswer.NOBODY_NEAR),
        (NO_ROUTE, MET, how_to_join.NoAnswer.TURNED_BACK),
        (TIME_IS_UP, NEAR, how_to_join.NoAnswer.SILENT_NEAR),
        (TIME_IS_UP, MET, how_to_join.NoAnswer.SILENT_NEAR),
        (FORBIDDEN, NEAR, how_to_join.NoAnswer.FORBIDDEN_HERE),
        ("[WinError 10065] unreachable", how_to_join.ELSEWHERE, how_to_join.NoAnswer.NO_ROUTE),
    ],
)
def test_the_reason_follows_from_the_fault_and_the_own_networks(
    detail: str, way: how_to_join.WayThere, kind: how_to_join.NoAnswer
) -> None:
    assert how_to_join.judge_no_answer(detail, way) is kind


def test_each_reason_has_its_own_sentence_and_its_own_advice() -> None:
    told = [
        how_to_join.describe_no_answer(kind, "10.0.0.9", 4243, MET) for kind in how_to_join.NoAnswer
    ]
    said, advice = zip(*told, strict=True)
    assert len(set(said)) == len(set(advice)) == len(how_to_join.NoAnswer)
    assert all("10.0.0.9" in sentence for sentence in said)


def test_a_wifi_that_keeps_devices_apart_is_named_on_the_own_network_only() -> None:
    near = describe_ending(Ending(EndKind.NO_ANSWER, TIME_IS_UP), "10.0.0.9", 4242, NEAR)
    far = describe_ending(Ending(EndKind.NO_ANSWER, TIME_IS_UP), "10.0.0.9", 4242)
    assert "keeps its devices apart" in near[1]
    assert "wlan0" in near[0]
    assert not any("Wi-Fi" in line for line in far)


@pytest.mark.parametrize(
    ("theirs", "ours", "whose"),
    [("5.3", "4.9", "Yours"), ("5.3", "5.4", "The host's"), ("9.1", "10.1", "The host's")],
)
def test_the_lower_version_is_to_be_updated(theirs: str, ours: str, whose: str) -> None:
    lines = describe_ending(Ending(EndKind.VERSION, f"{theirs} {ours}"), "kitchen", 4242)
    assert lines[1].startswith(whose)
    assert how_to_join.is_older(ours, theirs) == (whose == "Yours")


def test_only_a_neighbour_that_has_answered_counts() -> None:
    lines = [
        "IP address       HW type     Flags       HW address            Mask     Device",
        "10.0.0.1         0x1         0x2         02:42:ac:11:00:02     *        eth0",
        "10.0.0.9         0x1         0x0         00:00:00:00:00:00     *        eth0",
    ]
    assert has_answered(lines, "10.0.0.1")
    assert not has_answered(lines, "10.0.0.9")
    assert not has_answered(lines, "10.0.0.2")
