"""Every state table is whole: each state is reached, and each event leads somewhere."""

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from enum import StrEnum
from typing import Any, TypeAlias

import pytest

import kotp2p
from kotp2p.seams.cores import NoTransition, Phase, StateTable

Table: TypeAlias = StateTable[Any, Any]


def state_tables() -> Iterator[Table]:
    """A table counts where its constant is assigned, not where it is imported."""
    for module in pkgutil.walk_packages(kotp2p.__path__, "kotp2p."):
        if module.name.endswith("__main__"):
            continue
        found = importlib.import_module(module.name)
        tables = {key: it for key, it in vars(found).items() if isinstance(it, StateTable)}
        own = assigned_names(ast.parse(inspect.getsource(found))) if tables else set()
        yield from (table for key, table in tables.items() if key in own)


def assigned_names(tree: ast.Module) -> set[str]:
    """The names that a module assigns at its top."""
    found = set()
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
        found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def reached(table: Table) -> set[Any]:
    known, ahead = {table.start}, [table.start]
    while ahead:
        for state in table.transitions[ahead.pop()].values():
            if state not in known:
                known.add(state)
                ahead.append(state)
    return known


TABLES = [pytest.param(table, id=table.name) for table in state_tables()]


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


def test_there_are_tables() -> None:
    assert len(TABLES) >= 5
