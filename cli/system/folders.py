"""Where this system keeps a user's data and settings, and which games are there at a glance."""

import os
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from kotp2p.cli.text.i18n import _, typeable

# -- folders -------------------------------------------------------------------------------


DATA_VARIABLE = "KOTP2P_DATA"
"""Names another data folder, for tests and for two players on one account."""

CONFIG_VARIABLE = "KOTP2P_CONFIG"
"""Names another file of settings, likewise."""
CATALOGUES_VARIABLE = "KOTP2P_CATALOGUES"
"""Names a folder with further languages, for translators and tests."""
CONFIG_FILE_NAME = "config.toml"


def data_folder() -> Path:
    named = os.environ.get(DATA_VARIABLE)
    return Path(named) if named else platformdirs.user_data_path("kotp2p", appauthor=False)


def log_folder(data: Path) -> Path:
    return data / "logs"


def config_file() -> Path:
    named = os.environ.get(CONFIG_VARIABLE)
    if named:
        return Path(named)
    return platformdirs.user_config_path("kotp2p", appauthor=False) / CONFIG_FILE_NAME


# -- the last unfinished game --------------------------------------------------------------
#
# Enough for one line on the first screen, with the standard library and without reading more of a
# log than how it begins. `kotp2p resume` then reads the game itself, and says so if it cannot go
# on.


SHARED_LOG_PATTERN = rb"\d{4}-\d\d-\d\d-([a-z]+(?:-[a-z]+){3})(?:-\d+)?\.kotlog"
"""The name of a log, as the file `places` of its game has it: the day, then the table phrase. It is
compiled where it is used, as most commands look at no log."""
MAX_PLACES_BYTES = 65_536


@dataclass(frozen=True, slots=True)
class LastGame:
    phrase: str
    """The table phrase; empty if the files do not have it."""
    day: str


def find_last_game(data: Path) -> LastGame | None:
    """Return the unfinished game that was played last and is not open elsewhere, or None."""
    from kotp2p.store.files import is_locked  # which the other commands do without

    every = filter(os.path.isfile, list_places(data))
    found = [(_changed_at(path.with_name("log")), path) for path in every]
    for changed, places in sorted(found, reverse=True):
        is_begun = changed and not os.path.exists(places.with_name("key"))
        if not is_begun or is_locked(places.with_name("lock")):
            continue
        day = time.strftime("%Y-%m-%d", time.localtime(changed))
        return LastGame(_phrase_in(places), day)
    return None


def last_game_reminder() -> str:
    last = find_last_game(data_folder())
    if last is None:
        return ""
    resume = typeable(" ".join(["kotp2p", "resume", *last.phrase.split()[:2]]))
    if not last.phrase:
        return _("A game of {day} is unfinished. Go on with it: {resume}", day=last.day,
                 resume=resume)  # fmt: skip
    return _("An unfinished game: {phrase}. Go on with it: {resume}", phrase=last.phrase,
             resume=resume)  # fmt: skip


def list_places(data: Path) -> list[Path]:
    """Return the files `places` of the unfinished games; none if a folder is closed."""
    try:
        return list(data.glob("games/*/*/places"))
    except OSError:
        return []


def list_phrases_by_log(data: Path) -> list[tuple[Path, str]]:
    """Return the log and the phrase of each readable unfinished game, the latest log first."""
    found = [(path.with_name("log"), _phrase_in(path)) for path in list_places(data)]
    told = [(log, phrase) for log, phrase in found if phrase]
    return sorted(told, key=lambda pair: _changed_at(pair[0]), reverse=True)


def _changed_at(path: Path) -> float:
    """Return the time of the last change; 0 for what is no file, such as a pipe."""
    try:
        return path.stat().st_mtime if path.is_file() else 0.0
    except OSError:
        return 0.0


def _phrase_in(places: Path) -> str:
    try:
        if not places.is_file():
            return ""
        with places.open("rb") as file:
            found = re.search(SHARED_LOG_PATTERN, file.read(MAX_PLACES_BYTES))
    except OSError:
        return ""
    return found[1].decode().replace("-", " ") if found else ""


# -- logs by a short name: a word of the table phrase, or the day --------------------------
#
# Which file in the folder of logs a word on the command line means. A path that exists always
# means itself. Names of files are read, no log is.


STANDARD_INPUT = "-"


@dataclass(frozen=True, slots=True)
class NamedLog:
    path: Path
    older: int = 0


def find_log(wanted: str, logs: Path, data: Path) -> NamedLog:
    """Return the log that a word names; the path itself if it exists or nothing else is found."""
    path = Path(wanted)
    words = wanted.replace("-", " ").lower().split()
    if wanted == STANDARD_INPUT or not words or _exists(path) or len(path.parts) != 1:
        return NamedLog(path)
    found = [log for log in newest_first(logs) if _is_meant(words, log.name)]
    found = found or [
        log for log, phrase in list_phrases_by_log(data) if _begins_or_has(words, phrase.split())
    ]
    return NamedLog(found[0], len(found) - 1) if found else NamedLog(path)


def newest_first(folder: Path) -> list[Path]:
    try:
        found = [(_changed_at(path), path) for path in folder.glob("*.kotlog")]
    except OSError:
        return []
    return [path for changed, path in sorted(found, reverse=True) if changed]


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # too long for a name, or with a zero byte
        return False


def _is_meant(words: list[str], name: str) -> bool:
    stem = name.removesuffix(".kotlog").lower().replace("-", " ").split()
    match = re.fullmatch(SHARED_LOG_PATTERN, name.encode("utf-8", "replace"))
    phrase = match[1].decode().split("-") if match else stem
    return stem[: len(words)] == words or _begins_or_has(words, phrase)


def _begins_or_has(words: list[str], phrase: Iterable[str]) -> bool:
    told = list(phrase)
    return " ".join(told).startswith(" ".join(words)) or words == [w for w in told if w in words]
