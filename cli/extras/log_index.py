"""What is known of logs from an earlier run: a cache beside the data, and nothing more.

Scope: facts by the hash of the whole log, so that a changed log is read again. An index of another
program, or one that is damaged, is left aside; one that cannot be written is not written. Without
it, everything is found anew.
Not here: the facts (`kotp2p.game.recording`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from kotp2p.cli.system.executors import program_digest
from kotp2p.game.recording import LogFacts, PlayerFacts
from kotp2p.store.files import read_whole_file, write_whole

INDEX_NAME = "index.json"
MAX_INDEX_BYTES = 64 * 2**20
MAX_LOGS = 20_000
"""Kept in the index; those that were looked up last stay."""


class LogIndex:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._program = program_digest()
        self._facts = _read(path, self._program)
        self._is_changed = False

    def find(self, digest: str) -> LogFacts | None:
        """The facts of the log with this hash."""
        found = self._facts.pop(digest, None)
        if found is not None:
            self._facts[digest] = found
        return found

    def add(self, facts: LogFacts) -> None:
        if facts.sha256:
            self._facts[facts.sha256] = facts
            self._is_changed = True

    def write(self) -> None:
        """Keeps it for the next run, if it can be."""
        if not self._is_changed:
            return
        kept = list(self._facts.values())[-MAX_LOGS:]
        body = "".join(f"{json.dumps(asdict(facts))}\n" for facts in kept)
        head = {"program": self._program, "sha256": _hash(body)}
        with suppress(OSError):
            write_whole(self._path, [f"{json.dumps(head)}\n{body}".encode("ascii")])


def _read(path: Path, program: str) -> dict[str, LogFacts]:
    try:
        text = read_whole_file(path, MAX_INDEX_BYTES).decode("ascii")
        head, _end, body = text.partition("\n")
        if json.loads(head) != {"program": program, "sha256": _hash(body)}:
            return {}
    except (OSError, ValueError, RecursionError):
        return {}
    return {facts.sha256: facts for facts in _parse(body)}


def _parse(body: str) -> Iterator[LogFacts]:
    """This program has written it: its hash is right."""
    for line in body.splitlines():
        fields: dict[str, Any] = json.loads(line)
        winners = fields.pop("winners")
        players = tuple(
            PlayerFacts(**{**one, "bought": tuple(one["bought"]), "dice": tuple(one["dice"])})
            for one in fields.pop("players")
        )
        yield LogFacts(
            **fields, players=players, winners=None if winners is None else tuple(winners)
        )


def _hash(body: str) -> str:
    return sha256(body.encode()).hexdigest()
