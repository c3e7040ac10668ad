"""A user's files, as `kotp2p doctor` judges them: folders, permissions, space, locks, games.

Scope: what the system reports of them. Paths are named without the name of the user, contents
never, and a game by the phrase of its table. Of a file that is secret only its mode is read, and
nothing is made.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import stat
from collections.abc import Iterator
from itertools import islice
from pathlib import Path, PurePath

from kotp2p.cli.extras.finding import HIDDEN, Finding, Severity, hide_user
from kotp2p.cli.system.config import ConfigFault, load_config
from kotp2p.cli.system.folders import config_file, data_folder, log_folder
from kotp2p.cli.text.endings import FORBIDDEN, describe_file_fault, take_from_others
from kotp2p.cli.text.i18n import _, list_with_and, plural
from kotp2p.cli.text.program_words import typeable
from kotp2p.net import machine
from kotp2p.seams.world import FileTrouble
from kotp2p.shell import resume
from kotp2p.store.files import UNFINISHED, is_locked, own_user
from kotp2p.store.saved_game import GAMES_FOLDER, CannotResume

MAX_FILES = 50_000
MAX_NAMED = 5
SECRET_FILES = frozenset({"key", "seed"})
"""The names of secret files, in the folders of profiles and games."""
SECRET_FOLDERS = frozenset({"starting"})
BYTES_OF_MEGABYTE = 1_000_000
LEAST_MEGABYTES = 10
"""Less may not hold the log of another evening, which needs about one MB a game."""
DEFAULT_PROFILE = "default"
_HASH = re.compile(r"\b([0-9a-f]{8})[0-9a-f]{24,}")


def examine_data() -> list[Finding]:
    data = data_folder().resolve()
    files = list(islice(_walk(data), MAX_FILES))
    return [
        *_judge_folder(data, files),
        *_judge_settings(),
        *(_judge_games(data) if files else ()),
    ]


def shown_path(path: PurePath | str) -> str:
    """Return a path fit to be sent: without the name of the user, long numbers cut."""
    return _HASH.sub(r"\1...", hide_user(str(path)))


def _walk(data: Path) -> Iterator[Path]:
    """Yield the folder and its content, folders before what they contain, also closed ones."""
    if os.path.isdir(data):
        yield data
    for at, folders, names in os.walk(data):
        yield from (Path(at, name) for name in (*folders, *names))


# -- the folder of the data ----------------------------------------------------------------


def _judge_folder(data: Path, files: list[Path]) -> Iterator[Finding]:
    path = shown_path(data)
    if files:
        yield Finding(Severity.OK, _("Your keys and games are in {path}", path=path))
    else:
        yield Finding(
            Severity.OK,
            _("Your first game makes the folder of your keys and games, {path}", path=path),
        )
    here = next((one for one in (data, *data.parents) if os.path.isdir(one)), data)
    closed = _closed_folder(here, files)
    yield from _judge_writing(data, closed, files)
    if files and own_user() is not None:
        yield _judge_access(data, files)
    yield judge_space(shutil.disk_usage(here).free // BYTES_OF_MEGABYTE)
    others = [path for path in files if path != closed]
    yield from islice(_list_unreadable(data, others), MAX_NAMED)


def _closed_folder(here: Path, files: list[Path]) -> Path | None:
    folders = [path for path in files if os.path.isdir(path)] or [here]
    return next((path for path in folders if not _may(path, os.W_OK | os.X_OK)), None)


def _judge_writing(data: Path, closed: Path | None, files: list[Path]) -> Iterator[Finding]:
    if closed is not None:
        yield _not_writable(closed)
    count = sum(not _is_own(path) for path in files)
    if count and (closed is None or _is_own(closed)):
        yield Finding(
            Severity.PROBLEM,
            plural("{n} file in {path} belongs to another user, as after a start with sudo.",
                   "{n} files in {path} belong to another user, as after a start with sudo.",
                   count, path=shown_path(data)),
            _("What cannot be read or written there stops a game."),
            _("To make it yours, type: {command}", command=_own_command(data)),
        )  # fmt: skip


def _not_writable(folder: Path) -> Finding:
    path = shown_path(folder)
    if _is_own(folder):
        what = _("Nothing can be written into {path}: its permissions forbid it.", path=path)
        todo = _("To permit it, type: {command}", command=f"chmod u+rwx {_in_shell(folder)}")
    else:
        what = _("Nothing can be written into {path}: it belongs to another user.", path=path)
        todo = _("To make it yours, type: {command}", command=_own_command(folder))
    matters = _("No game can be played, as every move is written down first.")
    return Finding(Severity.PROBLEM, what, matters, todo)


def _may(path: Path, what: int) -> bool:
    return os.access(path, what, effective_ids=os.access in os.supports_effective_ids)


def _is_own(path: Path) -> bool:
    """Return whether the path belongs to this user; an administrator owns everything."""
    try:
        return own_user() in (None, 0, path.lstat().st_uid)
    except OSError:  # it is gone meanwhile
        return True


def _judge_access(data: Path, files: list[Path]) -> Finding:
    """Judge what other users can do; the content of a closed folder counts as closed."""
    reachable = {data.parent}
    changeable, secret = list[Path](), list[Path]()
    for path in files:
        if path.parent not in reachable:
            continue
        try:
            mode = path.lstat().st_mode
        except OSError:
            continue
        if stat.S_ISDIR(mode) and mode & 0o011:
            reachable.add(path)
        if stat.S_ISLNK(mode):
            continue
        if mode & 0o022:
            changeable.append(path)
        elif mode & 0o044 and _is_secret(path):
            secret.append(path)
    paths = list_with_and([shown_path(one) for one in (changeable or secret)[:MAX_NAMED]])
    todo = _("To close it to others, type: {command}", command=f"chmod -R go= {_in_shell(data)}")
    if changeable:
        return Finding(
            Severity.PROBLEM,
            _("Other users of this machine can change {paths}.", paths=paths),
            _("They can give you another key, and take your games away."), todo,
        )  # fmt: skip
    if secret:
        return Finding(
            Severity.PROBLEM,
            _("Other users of this machine can read {paths}.", paths=paths),
            _("They can play in your name, and see what is hidden in your games."), todo,
        )  # fmt: skip
    return Finding(Severity.OK, _("Only you can read and change your keys and games."))


def _is_secret(path: Path) -> bool:
    return (
        path.name in SECRET_FILES
        or path.parent.name in SECRET_FOLDERS
        or UNFINISHED.fullmatch(path.name) is not None
    )


def judge_space(free: int) -> Finding:
    what = plural("{n} MB is free on the disk of your games.",
                  "{n} MB are free on the disk of your games.", free)  # fmt: skip
    if free >= LEAST_MEGABYTES:
        return Finding(Severity.OK, what)
    return Finding(
        Severity.PROBLEM, what, _("A game stops when its log cannot be written."),
        _("Remove what you do not need from that disk, or name a folder on another one with the "
          "variable KOTP2P_DATA."),
    )  # fmt: skip


def _list_unreadable(data: Path, files: list[Path]) -> Iterator[Finding]:
    if os.path.exists(data) and not os.path.isdir(data):
        yield _unreadable(data, "not a folder")
    for path in files:
        wanted = os.R_OK | os.X_OK if os.path.isdir(path) else os.R_OK
        if not os.path.islink(path) and not _may(path, wanted):
            yield _unreadable(path, "permission denied")


def _unreadable(path: Path, detail: str) -> Finding:
    return Finding(
        Severity.PROBLEM,
        _("{path} cannot be read: {detail}.", path=shown_path(path), detail=detail),
        _("Commands that need it stop there."),
        _("Permit reading it, put it back from a copy, or move it away."),
    )


def _own_command(path: Path) -> str:
    return f'sudo chown -R "$(id -un)" {_in_shell(path)}'


def _in_shell(path: Path) -> str:
    """Quote a path for a shell, which completes `~` and the part that is cut out."""
    shown = shown_path(path)
    home = "~/" if shown.startswith("~/") else ""
    parts = shown.removeprefix(home).split(HIDDEN)
    return home + "*".join(shlex.quote(part) if part else "" for part in parts)


# -- settings and games --------------------------------------------------------------------


def _judge_settings() -> Iterator[Finding]:
    file = config_file()
    path = shown_path(file)
    if os.path.exists(file):
        yield Finding(Severity.OK, _("Your settings are in {path}", path=path))
    else:
        yield Finding(Severity.OK, _("You have no file of settings. It would be {path}", path=path))
    try:
        load_config()
    except ConfigFault:
        yield Finding(
            Severity.PROBLEM,
            _("The settings are not understood, in {path} or in a variable.", path=path),
            _("No game begins until they are."),
            _("To see which one is wrong, type: {command}", command=typeable("kotp2p config")),
        )


def _judge_games(data: Path) -> Iterator[Finding]:
    found: dict[object, Finding] = {}
    for profile in _profiles(data):
        if is_locked(data / "profiles" / profile / "lock"):
            found[profile] = _held(_("the profile {profile}", profile=profile))
        world = machine.machine_world(data, log_folder(data), profile)
        try:
            for game in resume.list_games(world):
                if isinstance(game, CannotResume):
                    found |= _judge_trouble(game)
                elif is_locked(Path(game.folder) / "lock"):  # its log is being written
                    found[game.folder] = _held(_("the game {phrase}", phrase=game.genesis.phrase))
        except FileTrouble as fault:
            found |= _judge_trouble(fault)
    yield from found.values()


def _profiles(data: Path) -> list[str]:
    try:
        found = [path.name for path in (data / "profiles").iterdir() if path.is_dir()]
    except OSError:
        found = []
    return [DEFAULT_PROFILE, *sorted(set(found) - {DEFAULT_PROFILE})]


def _held(held: str) -> Finding:
    return Finding(
        Severity.NOTE,
        _("Another process holds {held}.", held=held),
        _("A second program would play under another key, and cannot go on with that game."),
        _("Go on in its window, or close that."),
    )


def _judge_trouble(trouble: FileTrouble) -> dict[object, Finding]:
    """Judge a file of a game, or of all games; what is forbidden is found among the files."""
    fault = trouble.fault
    if fault is not None and fault.error in FORBIDDEN:
        return {}
    if fault is not None and GAMES_FOLDER not in (one.name for one in fault.path.parents):
        return {str(fault): _unreadable(Path(fault.path), fault.detail)}
    return {str(trouble): broken_game(trouble)}


def broken_game(trouble: FileTrouble) -> Finding:
    advice = take_from_others()
    if trouble.fault is not None:
        advice = describe_file_fault(trouble.fault)[-1]
    return Finding(
        Severity.PROBLEM,
        _("A game cannot be resumed: {fault}.", fault=shown_path(str(trouble))),
        _("The other games are not concerned."),
        advice,
    )
