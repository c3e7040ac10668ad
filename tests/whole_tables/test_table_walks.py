"""Recorded walks of whole tables: broken links, returns, watchers, codes, relays, full disks."""

import json

import pytest

from tests.support.courses import digest_of
from tests.tools.table_walk import RECORDED, walk


@pytest.mark.parametrize(("seed", "digest"), json.loads(RECORDED.read_text()).items())
def test_machines_do_and_show_what_they_did(seed: str, digest: str) -> None:
    """`python -m tests.tools.table_walk --seed SEED` shows all of it. Compare it with what it
    showed before; without a seed it takes what the machines do now for right."""
    assert digest_of(walk(int(seed))) == digest, "something else happens than was recorded"
