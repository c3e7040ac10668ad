"""Logs of this version say what they always said; those of older versions are unreadable."""

import zlib
from dataclasses import astuple, replace

import pytest

from kotp2p.game.verify import Result, examine_evidence, verify_log
from kotp2p.referee.box.rulesets import RULES_VERSION
from kotp2p.wire import records
from kotp2p.wire.genesis import PROTOCOL_VERSION
from tests.tools import golden_logs


@pytest.mark.parametrize("name", sorted(golden_logs.stored()))
def test_a_golden_log_says_what_it_always_said(name: str) -> None:
    data = (golden_logs.FOLDER / name).read_bytes()
    assert golden_logs.saying(data) == golden_logs.stored()[name]
    ours = name.startswith(f"protocol-{PROTOCOL_VERSION}-rules-{RULES_VERSION}-")
    assert verify_log(data).result is (Result.SOUND if ours else Result.UNREADABLE)


@pytest.mark.parametrize(("form", "protocol", "rules"), [(1, 4, 1), (2, 5, 2)])
def test_a_log_of_an_older_protocol_accuses_nobody(form: int, protocol: int, rules: int) -> None:
    data = (golden_logs.FOLDER / f"protocol-{protocol}-rules-{rules}-head.kotlog").read_bytes()
    report = verify_log(data)
    assert report.result is Result.UNREADABLE
    assert report.wrong_at is None
    assert report.players == ()
    assert report.reason == (
        "written by another version of kotp2p: "
        f"log format {form}, protocol {protocol}, rules {rules}; "
        f"this program reads {records.OUR_VERSIONS}"
    )


def test_a_log_of_this_protocol_with_older_rules_is_unreadable_and_accuses_nobody() -> None:
    data = (golden_logs.FOLDER / golden_logs.golden_name("second")).read_bytes()
    older = replace(records.OUR_VERSIONS, rules=RULES_VERSION - 1)
    head = records.LOG_MAGIC + b"".join(n.to_bytes(4, "big") for n in astuple(older)) + data[20:36]
    report = verify_log(head + zlib.crc32(head).to_bytes(4, "big") + data[records.HEAD_BYTES :])
    assert (report.result, report.wrong_at) == (Result.UNREADABLE, None)
    assert report.reason == (
        f"written by another version of kotp2p: {older}; this program reads {records.OUR_VERSIONS}"
    )


def test_a_head_of_log_format_1_is_read_as_such() -> None:
    """The form of a head never changes, so these bytes of protocol 4 stay readable for ever."""
    head = bytes.fromhex("6b6f747032706c67000000010000000400000001" + "ab" * 16)
    data = head + zlib.crc32(head).to_bytes(4, "big")
    assert records.read_head(data) == (records.Versions(1, 4, 1), bytes.fromhex("ab" * 16))
    assert verify_log(data).result is Result.UNREADABLE


def test_evidence_of_an_older_format_proves_nothing() -> None:
    head = records.EVIDENCE_MAGIC + bytes.fromhex("000000010000000400000001" + "ab" * 16)
    finding = examine_evidence(head + zlib.crc32(head).to_bytes(4, "big"))
    assert finding.cheat is None
    assert finding.reason.startswith("written by another version of kotp2p: log format 1, ")


def test_the_present_rules_have_a_golden_log_of_each_rule_set_and_one_with_absent_players() -> None:
    names = {golden_logs.golden_name(name) for name in golden_logs.NAMES}
    assert names <= set(golden_logs.stored())
    assert {path.name for path in golden_logs.FOLDER.glob("*.kotlog")} == set(golden_logs.stored())
