"""Find the log files that the words of a command line mean."""

import errno
import glob
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from kotp2p.cli.system.folders import (
    STANDARD_INPUT,
    data_folder,
    find_log,
    log_folder,
    newest_first,
)
from kotp2p.cli.system.output import Output
from kotp2p.cli.text.files import describe_trouble
from kotp2p.cli.text.i18n import _, plural
from kotp2p.cli.wing import Hint, wing
from kotp2p.seams.world import FileTrouble
from kotp2p.store.files import LOG_SUFFIX, fault_at, read_whole_file
from kotp2p.wire.records import MAX_LOG_BYTES


def choose_log(wanted: str, log_dir: Path | None, output: Output) -> Path | None:
    """Return the log that `wanted` names, or the newest; None, with a line, if there is none."""
    data = data_folder()
    folder = log_dir or log_folder(data)
    if wanted:
        named = find_log(wanted, folder, data)
        if named.older:
            output.note_line(
                plural(
                    "{file} is the newest of {n} logs that fit.",
                    "{file} is the newest of {n} logs that fit.",
                    named.older + 1,
                    file=named.path.name,
                )
            )
        if wanted != STANDARD_INPUT and named.path == Path(wanted) and is_missing_word(named.path):
            if not _can_look_into(folder, output):
                return None
            said = _("No log here has {words} in its table phrase.", words=wanted)
            output.note_line(f"{said} {wing().say(Hint.NO_LOG)}".rstrip())
        return named.path
    if not _can_look_into(folder, output):
        return None
    newest = next(iter(newest_first(folder)), None)
    if newest is None:
        output.note_line(_("There is no log in {folder}.", folder=folder))
        output.note_line(_("Name one: a file, or a word of its table phrase."))
    return newest


def _can_look_into(folder: Path, output: Output) -> bool:
    """Return whether the folder can be listed; say why not. A missing one counts as empty."""
    try:
        is_open_folder(folder)
    except FileTrouble as trouble:
        for line in describe_trouble(trouble):
            output.note_line(line)
        return False
    return True


def is_missing_word(path: Path) -> bool:
    """Return whether the path is a single word at which nothing exists."""
    try:
        return len(path.parts) == 1 and not path.exists()
    except (OSError, ValueError):  # too long for a name, or with a zero byte
        return False


def choose_logs(wanted: Iterable[str], log_dir: Path | None, output: Output) -> list[Path]:
    """Return all logs that the words mean, each once; print a line for a folder without any."""
    found = dict[Path, None]()
    for word in wanted:
        paths = _expand(word)
        if paths is None:
            path = choose_log(word, log_dir, output)
            paths = [] if path is None else [path]
        elif not paths:
            output.note_line(_("There is no log in {folder}.", folder=word))
        found |= dict.fromkeys(paths)
    return list(found)


def _expand(word: str) -> list[Path] | None:
    """Return the logs of a folder or pattern, or None if the word is neither."""
    if word in ("", STANDARD_INPUT):
        return None
    try:
        if Path(word).is_dir():
            return sorted(_logs_below(word))
        if glob.has_magic(word) and not Path(word).exists():
            return [*_fitting(word)]
    except (OSError, ValueError):  # too long for a name, or with a zero byte
        pass
    return None


def _fitting(pattern: str) -> Iterator[Path]:
    for found in sorted(glob.iglob(pattern, recursive=True)):
        if Path(found).is_dir():
            yield from sorted(_logs_below(found))
        else:
            yield Path(found)


def _logs_below(folder: str) -> Iterator[Path]:
    """Yield the logs below a folder without following links, which may form a loop."""
    for at, _folders, names in os.walk(folder):
        yield from (Path(at, name) for name in names if name.endswith(LOG_SUFFIX))


def is_open_folder(folder: Path) -> bool:
    """Return whether the folder exists; raise FileTrouble if it cannot be listed."""
    try:
        os.scandir(folder).close()
        os.stat(os.path.join(folder, os.curdir))  # the right to reach what is in it
    except FileNotFoundError:
        return False
    except OSError as fault:
        raise FileTrouble(fault_at(folder, fault)) from None
    return True


def read_log(path: Path) -> bytes:
    """Return the bytes of a log, or of the standard input for `-`; raise OSError."""
    if path == Path(STANDARD_INPUT):
        return _read_standard_input()
    return read_whole_file(path, MAX_LOG_BYTES)


def _read_standard_input() -> bytes:
    data = sys.stdin.buffer.read(MAX_LOG_BYTES + 1)
    if len(data) > MAX_LOG_BYTES:
        raise OSError(errno.EFBIG, f"longer than {MAX_LOG_BYTES // 1024} KiB")
    return data


def describe_stop(done: int, total: int) -> str:
    return _("Stopped: {done} of {total} logs are checked.", done=done, total=total)
