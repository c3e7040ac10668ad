"""Every state table is whole, and drawn in docs/DESIGN.md as it is."""

from __future__ import annotations

from enum import StrEnum

import pytest

from kotp2p.state_table import NoTransition, Phase
from tests.tools.design import Table, documents, reached, state_tables

TABLES = [pytest.param(table, id=table.name) for _, table in state_tables()]


def members(one: StrEnum) -> set[StrEnum]:
    return set(type(one).__members__.values())


@pytest.mark.parametrize("table", TABLES)
def test_every_state_is_reached_and_has_its_row(table: Table) -> None:
    states = members(table.start)
    assert reached(table) == states
    assert set(table.transitions) == states


@pytest.mark.parametrize("table", TABLES)
def test_every_event_leads_somewhere(table: Table) -> None:
    used = {event for ways in table.transitions.values() for event in ways}
    assert used == members(next(iter(used)))


@pytest.mark.parametrize("table", TABLES)
def test_an_event_without_a_transition_is_refused_and_changes_nothing(table: Table) -> None:
    events = {event for ways in table.transitions.values() for event in ways}
    for state, ways in table.transitions.items():
        for event in events - set(ways):
            phase = Phase(table, state)
            assert not phase.allows(event)
            with pytest.raises(NoTransition, match=table.name):
                phase.move(event)
            assert phase.state is state


def test_the_document_says_what_follows_from_the_code() -> None:
    for path, text in documents().items():
        assert path.read_text("utf-8") == text, "run python -m tests.tools.design"
