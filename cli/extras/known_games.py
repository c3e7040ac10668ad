"""The games behind many logs, from the index or read anew.

Scope: which logs, what is counted of each, on which executor.
Not here: what `games` makes of them.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from kotp2p.cli.commands.log_files import choose_logs, is_open_folder
from kotp2p.cli.extras.log_index import INDEX_NAME, LogIndex
from kotp2p.cli.system.executors import count_cores, do_in_order, interruptible, open_workers
from kotp2p.cli.system.folders import data_folder, log_folder
from kotp2p.cli.system.options import CommonFlags
from kotp2p.cli.system.output import Output, Progress, has_terminal, shown_progress
from kotp2p.cli.text.i18n import _
from kotp2p.game.recording import LogFacts
from kotp2p.store.log_work import LogPart, gather_facts

DAY_PATTERN = re.compile(r"\d{4}-\d\d-\d\d")
MANY_LOGS = 16


@dataclass(frozen=True, slots=True)
class KnownGame:
    path: Path
    day: str
    """Of its name, else the day on which the file was written last: no log has a clock."""
    facts: LogFacts

    @property
    def age_key(self) -> tuple[str, float, str]:
        """Sorts by time: the day, within it the time at which the file was written last."""
        try:
            written = self.path.stat().st_mtime
        except OSError:
            written = 0.0
        return self.day, written, str(self.path)


def find_games(
    logs: tuple[str, ...], log_dir: Path | None, jobs: int | None, output: Output
) -> list[KnownGame]:
    """All games of the folder of logs, or of these files, folders, patterns and words. Raises
    FileTrouble, and KeyboardInterrupt; what was found until then stays in the index."""
    folder = log_dir or log_folder(data_folder())
    is_there = bool(logs) or is_open_folder(folder)
    paths = choose_logs(logs or (str(folder),), log_dir, output) if is_there else []
    if not is_there:
        output.note_line(_("There is no log in {folder}.", folder=folder))
    index = LogIndex(data_folder() / INDEX_NAME)
    try:
        with interruptible():
            known = dict(_gather(paths, index, jobs))
    finally:
        index.write()
    return [KnownGame(path, day_of(path), known[path]) for path in paths]


def _gather(
    paths: list[Path], index: LogIndex, jobs: int | None
) -> Iterator[tuple[Path, LogFacts]]:
    unknown = []
    for path in paths:
        facts = index.find(_digest(path))
        if facts is None:
            unknown.append(LogPart(path))
        else:
            yield path, facts
    if not unknown:
        return
    at_once = jobs or (count_cores() if len(unknown) >= MANY_LOGS else 1)
    with (
        open_workers(min(at_once, len(unknown))) as workers,
        _shown_progress(len(unknown)) as progress,
    ):
        for part, facts in do_in_order(workers, gather_facts, unknown):
            index.add(facts)
            progress.step()
            yield part.path, facts


def _shown_progress(logs: int) -> AbstractContextManager[Progress]:
    if logs == 1 or not has_terminal():
        return nullcontext(Progress(lambda: None))
    return shown_progress(logs, _("logs"), plain=CommonFlags.plain)


def _digest(path: Path) -> str:
    """Empty if it cannot be read."""
    try:
        return sha256(LogPart(path).read()).hexdigest()
    except OSError:
        return ""


def day_of(path: Path) -> str:
    """Empty if the file is gone."""
    named = DAY_PATTERN.match(path.name)
    if named:
        return named[0]
    try:
        return time.strftime("%Y-%m-%d", time.localtime(path.stat().st_mtime))
    except (OSError, ValueError, OverflowError):
        return ""
