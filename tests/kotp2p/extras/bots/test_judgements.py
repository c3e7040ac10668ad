"""What bots judge at odd tables, and why, is what has been recorded."""

import pytest

from tests.tools.judgements import TABLES, path_of, written


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_bots_judge_odd_tables_as_recorded(rules: str, seats: int) -> None:
    """After a change that is meant, `python -m tests.tools.judgements` writes them anew, and
    `git diff` shows what it has done."""
    recorded = path_of(rules, seats).read_text(encoding="utf-8")
    assert written(rules, seats).splitlines() == recorded.splitlines()
