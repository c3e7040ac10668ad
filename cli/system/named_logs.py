"""Logs by a short name: a word of the table phrase, or the day.

Scope: which file in the folder of logs a word on the command line means. A path that exists always
means itself. Names of files are read, no log is.
Not here: what is done with the log.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from kotp2p.cli.system.last_game import SHARED_LOG_PATTERN, list_phrases_by_log

STANDARD_INPUT = "-"


@dataclass(frozen=True, slots=True)
class NamedLog:
    path: Path
    older: int = 0
    """How many other logs the word could mean; this is the newest."""


def find_log(wanted: str, logs: Path, data: Path) -> NamedLog:
    """The log that a word means: the path itself, if it is one or nothing else is found."""
    path = Path(wanted)
    words = wanted.replace("-", " ").lower().split()
    if wanted == STANDARD_INPUT or not words or _exists(path) or len(path.parts) != 1:
        return NamedLog(path)
    found = [log for log in _newest_first(logs) if _is_meant(words, log.name)]
    found = found or [
        log for log, phrase in list_phrases_by_log(data) if _begins_or_has(words, phrase.split())
    ]
    return NamedLog(found[0], len(found) - 1) if found else NamedLog(path)


def list_words(logs: Path, data: Path) -> list[str]:
    """The table phrases of all logs, the newest first."""
    matches = (SHARED_LOG_PATTERN.fullmatch(log.name.encode()) for log in _newest_first(logs))
    phrases = [match[1].decode().replace("-", " ") for match in matches if match]
    return list(dict.fromkeys([*phrases, *(phrase for _log, phrase in list_phrases_by_log(data))]))


def _newest_first(folder: Path) -> list[Path]:
    try:
        return sorted(folder.glob("*.kotlog"), key=_changed_at, reverse=True)
    except OSError:
        return []


def _changed_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # too long for a name, or with a zero byte
        return False


def _is_meant(words: list[str], name: str) -> bool:
    stem = name.removesuffix(".kotlog").lower().replace("-", " ").split()
    match = SHARED_LOG_PATTERN.fullmatch(name.encode("utf-8", "replace"))
    phrase = match[1].decode().split("-") if match else stem
    return stem[: len(words)] == words or _begins_or_has(words, phrase)


def _begins_or_has(words: list[str], phrase: Iterable[str]) -> bool:
    """Whether the phrase begins so, as `resume` takes it, or has this one word."""
    told = list(phrase)
    return " ".join(told).startswith(" ".join(words)) or words == [w for w in told if w in words]
