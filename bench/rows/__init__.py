"""The rows of the benchmark, by what they are about; `ROWS` has them all, in the order of print."""

from __future__ import annotations

from bench.row import Row
from bench.rows.growth import GROWTH_ROWS
from bench.rows.peer import PEER_ROWS
from bench.rows.referee import REFEREE_ROWS
from bench.rows.relay import RELAY_ROWS
from bench.rows.screen import SCREEN_ROWS
from bench.rows.simulation import SIMULATION_ROWS
from bench.rows.start import START_ROWS
from bench.rows.table import TABLE_ROWS
from bench.rows.verify import VERIFY_ROWS

ROWS: tuple[Row, ...] = (
    *TABLE_ROWS,
    *VERIFY_ROWS,
    *REFEREE_ROWS,
    *START_ROWS,
    *SCREEN_ROWS,
    *PEER_ROWS,
    *RELAY_ROWS,
    *SIMULATION_ROWS,
    *GROWTH_ROWS,
)


def find_row(name: str) -> Row:
    return next(row for row in ROWS if row.name == name)


def choose_rows(names: list[str]) -> list[Row]:
    """Return the rows with these names or groups; without names all usual ones.

    Raise LookupError for an unknown name.
    """
    for name in names:
        if not any(_is_named(row, name) for row in ROWS):
            raise LookupError(name)
    if not names:
        return [row for row in ROWS if row.is_usual]
    return [row for row in ROWS if any(_is_named(row, name) for name in names)]


def _is_named(row: Row, name: str) -> bool:
    group = row.name.partition(".")[0]
    return row.name == name or (group == name and row.is_usual)
