"""The benchmark works: each way of measuring comes to a figure, and the JSON has its form.

Scope: tiny sizes. No figure is judged, as none depends on the program alone.
"""

import gc
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import partial

import pytest
from _pytest.mark import ParameterSet

from bench.adapters import adapter_of
from bench.instructions import count_instructions
from bench.report import FORM
from bench.row import Missing, Row, spread
from bench.rows import ROWS, choose_rows
from tests.support.paths import ROOT

TOO_LONG = ("simulation.suite",)
"""It would run this test."""
QUICK = (
    "bytes.log-2", "bytes.wire-2", "roll.mesh-2", "rules.alone", "rules.digest",
    "rules.players", "screen.memory", "start.help", "verify.2", "verify.fast-2", "verify.position",
)  # fmt: skip
"""The others need a minute together."""


def one_row_for_each_measure() -> list[ParameterSet]:
    rows: dict[object, Row] = {}
    for row in ROWS:
        measure = row.measure.func if isinstance(row.measure, partial) else row.measure
        if row.name not in TOO_LONG:
            rows.setdefault(measure, row)
    return [
        pytest.param(row, id=row.name, marks=[] if row.name in QUICK else [pytest.mark.soak])
        for row in rows.values()
    ]


@pytest.fixture
def own_garbage_pace() -> Iterator[None]:
    """Rows set that of the program, as each is measured in a process of its own."""
    usual = gc.get_threshold()
    yield
    gc.set_threshold(*usual)


@pytest.mark.usefixtures("own_garbage_pace")
@pytest.mark.parametrize("row", one_row_for_each_measure())
def test_each_way_of_measuring_comes_to_a_figure(row: Row) -> None:
    samples = row.measure(adapter_of(ROOT), True)
    try:
        sample = next(samples)
    except Missing as why:
        pytest.skip(str(why))
    finally:
        samples.close()
    assert isinstance(sample.figure, float)


def bench(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bench", *words], cwd=ROOT, capture_output=True, text=True
    )


def test_the_document_has_what_its_description_says() -> None:
    run = bench("rules.digest", "--tiny", "--json", "--repetitions", "1")
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert found["form"] == FORM
    assert set(found) == {"form", "commit", "against", "machine", "rows"}
    (row,) = found["rows"]
    assert set(row) == {"name", "what", "unit", "target", "bound", "aim", "now", "against"}
    assert (row["name"], row["bound"], row["against"]) == ("rules.digest", "most", None)
    assert set(row["now"]) == {"median", "lower", "upper", "samples"}
    (sample,) = row["now"]["samples"]
    assert sample["figure"] == row["now"]["median"]
    described = (ROOT / "docs" / "BENCHMARKS.md").read_text(encoding="utf-8")
    for key in (*found, *row, *row["now"], *sample):
        assert f"`{key}`" in described


def test_every_row_is_described_and_listed() -> None:
    described = (ROOT / "docs" / "BENCHMARKS.md").read_text(encoding="utf-8")
    listed = bench("--list").stdout
    for row in ROWS:
        assert f"`{row.name}`" in described
        assert re.search(rf"^{re.escape(row.name)} +{re.escape(row.what)}", listed, re.MULTILINE)


def test_a_group_names_its_rows_and_a_slip_is_told() -> None:
    names = {row.name for row in choose_rows(["roll", "verify.4"])}
    assert names == {"roll.mesh-2", "roll.mesh-6", "roll.host-4", "verify.4"}
    run = bench("verifi")
    assert run.returncode == 2
    assert "there is no row and no group verifi" in run.stderr


def test_the_spread_is_the_median_with_its_quartiles() -> None:
    found = spread([3.0, 1.0, 2.0, 5.0, 4.0])
    assert (found.lower, found.median, found.upper) == (2.0, 3.0, 4.0)


def test_a_loop_that_is_longer_has_more_instructions() -> None:
    def count(rounds: int) -> int:
        work = f"for _ in range({rounds}): pass"
        return count_instructions([sys.executable, "-I", "-S", "-c", work])[0]

    try:
        short, long = count(1), count(100_001)
    except Missing as why:
        pytest.skip(str(why))
    assert 100_000 < long - short < 100_000 * 1_000
