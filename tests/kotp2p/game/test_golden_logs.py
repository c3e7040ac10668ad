"""Logs of each published version stay readable, and say what they always said."""

from __future__ import annotations

import pytest

from kotp2p.game.verify import Result, verify_log
from kotp2p.wire.genesis import PROTOCOL_VERSION
from tests.tools.golden_logs import FOLDER, TABLES, golden_name, saying, stored


@pytest.mark.parametrize("name", sorted(stored()))
def test_a_golden_log_says_what_it_always_said(name: str) -> None:
    data = (FOLDER / name).read_bytes()
    assert saying(data) == stored()[name]
    ours = name.startswith(f"protocol-{PROTOCOL_VERSION}-")
    assert verify_log(data).result is (Result.SOUND if ours else Result.UNREADABLE)


def test_a_log_of_an_older_protocol_is_unreadable_and_accuses_nobody() -> None:
    report = verify_log((FOLDER / "protocol-1-rules-1-second.kotlog").read_bytes())
    assert report.result is Result.UNREADABLE
    assert report.wrong_at is None
    assert report.reason == (
        f"format, protocol and rules are (1, 1, 1); this program reads (1, {PROTOCOL_VERSION}, 1)"
    )


def test_the_present_rules_have_a_golden_log_of_each_rule_set() -> None:
    names = {golden_name(rules) for rules in TABLES}
    assert names <= set(stored())
    assert {path.name for path in FOLDER.glob("*.kotlog")} == set(stored())
