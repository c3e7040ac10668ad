"""Recorded courses: after a change that is meant, the tool of each writes them anew, and `git diff`
shows what it has done."""

import json

import pytest

from tests.support.courses import digest_of
from tests.tools import judgements, lobby_walk, table_walk, tellings


@pytest.mark.parametrize(("seed", "digest"), json.loads(lobby_walk.RECORDED.read_text()).items())
def test_a_lobby_does_what_it_did(seed: str, digest: str) -> None:
    """Joins, wishes, starts, lost links, cheats, pauses; `--seed SEED` shows all that it does."""
    assert lobby_walk.digest_of(lobby_walk.walk(int(seed))) == digest


@pytest.mark.parametrize(("seed", "digest"), json.loads(table_walk.RECORDED.read_text()).items())
def test_machines_do_and_show_what_they_did(seed: str, digest: str) -> None:
    """Broken links, returns, watchers, codes, relays, full disks; `--seed SEED` shows all of it."""
    assert digest_of(table_walk.walk(int(seed))) == digest


@pytest.mark.parametrize(("log", "digest"), json.loads(tellings.RECORDED.read_text()).items())
def test_a_log_is_told_as_ever_to_players_and_watchers(log: str, digest: str) -> None:
    """`python -m tests.tools.tellings --show LOG` prints all that is told."""
    assert tellings.digest_of(log) == digest


@pytest.mark.parametrize(("rules", "seats"), judgements.TABLES)
def test_bots_judge_odd_tables_as_recorded(rules: str, seats: int) -> None:
    recorded = judgements.path_of(rules, seats).read_text(encoding="utf-8")
    assert judgements.written(rules, seats).splitlines() == recorded.splitlines()
