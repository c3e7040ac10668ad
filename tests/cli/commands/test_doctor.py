"""`kotp2p doctor`: what is looked at, and what is not printed of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cli.commands.doctor_network import read_target
from cli.system.own_name import hide_user
from cli.text.finding import Part
from cli.text.join_target import BadAddress
from kotp2p.net.invitation import Invitation
from tests.support.command_line import run
from tests.support.findings import FINDINGS
from tests.support.json_schema import faults
from tests.support.paths import ROOT

SCHEMA: dict[str, Any] = json.loads((ROOT / "docs" / "doctor.schema.json").read_text("utf-8"))
TABLE_SECRET = bytes(range(200, 210))
LINK = Invitation(("127.0.0.1",), 9, TABLE_SECRET, bytes(10)).as_link()
"""Nothing listens on that port."""


@pytest.mark.parametrize("form", [(), ("--json",)], ids=["lines", "json"])
def test_the_secret_of_a_link_is_not_printed(form: tuple[str, ...]) -> None:
    code, out, err = run("doctor", "--peer", LINK, *form)
    assert code == 3
    assert "127.0.0.1" in out
    assert LINK.rpartition("/")[2] not in out + err


def test_a_link_that_cannot_be_read_is_not_repeated() -> None:
    code, out, err = run("doctor", "--peer", LINK[:-3] + "0zz")
    assert (code, out) == (2, "")
    assert LINK.rpartition("/")[2][:6] not in err


def test_the_name_of_the_user_is_taken_out_of_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ana")
    monkeypatch.setenv("LOGNAME", "ana")
    assert hide_user("in /home/ana/data, /home/anabel and /home/ana.") == (
        "in ~/data, /home/anabel and ~."
    )
    assert hide_user("/mnt/ana/kotp2p") == "/mnt/.../kotp2p"
    assert hide_user("ana plays") == "ana plays"


def test_a_target_is_an_address_or_either_kind_of_invitation() -> None:
    assert read_target("192.168.1.20").address == "192.168.1.20"
    assert read_target("[fe80::1]:4243").address == "[fe80::1]:4243"
    found = read_target(LINK)
    assert (found.address, found.secret) == ("127.0.0.1:9", TABLE_SECRET)
    watch = Invitation(("10.0.0.7",), 4242, TABLE_SECRET, bytes(10), to_watch=True).as_link()
    assert read_target(watch).host == "10.0.0.7"
    with pytest.raises(BadAddress):
        read_target("kotp2p://")


def test_the_object_is_as_the_schema_says() -> None:
    document = json.loads(run("doctor", "--peer", LINK, "--json")[1])
    assert faults(document, SCHEMA, SCHEMA) == []
    assert document["peer"] == "127.0.0.1:9"
    count = sum(one["severity"] == "problem" for one in document["findings"])
    assert document["problems"] == count > 0
    assert set(FINDINGS) == set(Part)
