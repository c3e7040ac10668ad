"""Bugs about second processes of one player, planted on purpose; see `tests.tools.sim.planted`.

Each is shown by games in which nothing else happens than that files are copied, in the ways that
may show it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from unittest.mock import patch

from kotp2p.membership.own_processes import OwnProcesses
from kotp2p.peer.new_links import NewLinks
from kotp2p.watching.served_log import ServedLog
from kotp2p.wire.entries import Entry, Head
from referee.model.answers import Seat
from tests.tools.sim import second_processes
from tests.tools.sim.mix import SECOND_PROCESS, Mix, mix
from tests.tools.sim.second_processes import Way
from tests.tools.sim.watchers import Kind


def copied_mix(seed: int) -> Mix:
    """A game in which files are copied, and nothing else happens."""
    calm = mix(seed)
    return replace(
        calm,
        players=max(calm.players, 3),
        rules="short-second",
        level="easy",
        latency=0.04,
        thinking=0.2,
        every=8.0,
        lasting=200.0,
        weights={**dict.fromkeys(calm.weights, 0.0), SECOND_PROCESS: 1.0},
        lost=None,
    )


def slowly_copied_mix(seed: int) -> Mix:
    """The same, but others often still wait for the decision that only one process has made."""
    return replace(copied_mix(seed), latency=0.2, thinking=0.8)


def watched_and_copied_mix(seed: int) -> Mix:
    """The same, and two watch who sit beside the host."""
    return replace(slowly_copied_mix(seed), watchers=(Kind.FOLLOWS, Kind.FOLLOWS))


@dataclass(frozen=True, slots=True)
class CopyBug:
    words: str
    plant: Callable[[], AbstractContextManager[object]]
    ways: tuple[Way, ...]
    caught_by: frozenset[str]
    """Invariants of which at least one must break."""
    seeds: tuple[int, ...] = ()
    """Games that are known to show it; they are played first."""
    of_seed: Callable[[int], Mix] = copied_mix
    """The game of a seed in which it is looked for."""

    def only_its_ways(self) -> AbstractContextManager[object]:
        return patch.object(second_processes, "WAYS", self.ways)


COPY_BUGS: dict[str, CopyBug] = {}


def bug(
    words: str,
    *caught_by: str,
    ways: tuple[Way, ...],
    seeds: tuple[int, ...] = (),
    of_seed: Callable[[int], Mix] = copied_mix,
) -> Callable[
    [Callable[[], AbstractContextManager[object]]], Callable[[], AbstractContextManager[object]]
]:  # fmt: skip
    def add(
        plant: Callable[[], AbstractContextManager[object]],
    ) -> Callable[[], AbstractContextManager[object]]:
        caught = frozenset(caught_by)
        COPY_BUGS[plant.__name__] = CopyBug(words, plant, ways, caught, seeds, of_seed)
        return plant

    return add


@bug(
    "a process that hears of a newer one of its own seat plays on",
    "I22", ways=(Way.PLAYS,), seeds=(23,),
)  # fmt: skip
def older_process_plays_on() -> AbstractContextManager[object]:
    return patch.object(OwnProcesses, "is_from_elsewhere", lambda own, signed: False)


@bug(
    "a process that is back takes no notice of a decision that excludes its own",
    "I2", ways=(Way.UNHEARD,), seeds=(65, 72, 73),
)  # fmt: skip
def unheard_decision_is_kept() -> AbstractContextManager[object]:
    is_foreign = OwnProcesses._is_foreign_entry

    def only_once_it_has_decided(own: OwnProcesses, entry: Entry) -> bool:
        return own.has_decided and is_foreign(own, entry)

    return patch.object(OwnProcesses, "_is_foreign_entry", only_once_it_has_decided)


@bug(
    "a process that is back tells what nobody had heard before it has heard of an older one",
    "I7", ways=(Way.UNHEARD,), seeds=(342, 442, 546), of_seed=slowly_copied_mix,
)  # fmt: skip
def unheard_decision_is_told_at_once() -> AbstractContextManager[object]:
    note_head = NewLinks.note_head

    def and_sends(links: NewLinks, link: Seat, head: Head) -> None:
        note_head(links, link, head)
        links.send_unheard()

    return patch.object(NewLinks, "note_head", and_sends)


@bug(
    "watchers are sent what no other player has built on",
    "I1", ways=(Way.UNHEARD,), seeds=(11, 48), of_seed=watched_and_copied_mix,
)  # fmt: skip
def watchers_know_first() -> AbstractContextManager[object]:
    append = ServedLog.append

    def appends(log: ServedLog, data: bytes, *, others_play: bool = True) -> None:
        append(log, data, others_play=False)

    return patch.object(ServedLog, "append", appends)
