"""The terminal and the files of a user, as `kotp2p doctor` judges them."""

import errno
import os
import re
import shlex
import shutil
import stat
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePath

from kotp2p.cli.extras.doctor.finding import HIDDEN, Finding, Severity, hide_user
from kotp2p.cli.system.config import CONFIG_KEYS, Config, ConfigFault, Setting, load_config
from kotp2p.cli.system.folders import config_file, data_folder, log_folder
from kotp2p.cli.system.languages import choose_mode, is_shown_on_terminal
from kotp2p.cli.system.options import Bidi, Palette, Symbols
from kotp2p.cli.system.terminal import choose_symbols, has_true_colour
from kotp2p.cli.text import i18n
from kotp2p.cli.text.files import FORBIDDEN, describe_trouble, take_from_others
from kotp2p.cli.text.i18n import _, describe_system_error, plural, typeable
from kotp2p.cli.ui.screen.theme import signs_for
from kotp2p.net import machine
from kotp2p.seams.world import FileTrouble
from kotp2p.shell import resume
from kotp2p.store.files import GAMES_FOLDER, own_user
from kotp2p.store.saved_game import CannotResume

# -- the terminal ------------------------------------------------------------------------------


SMALLEST_WINDOW = (60, 20)
"""Columns and rows without which the table is not drawn."""
USUAL_WINDOW = (80, 24)
FEW_COLOURS = ("linux", "eterm-color")
"""Values of TERM for which the screen is drawn with 16 colours."""


@dataclass(frozen=True, slots=True)
class TerminalFacts:
    size: tuple[int, int] | None
    """Columns and rows; None without a terminal, or if it does not say."""
    encoding: str
    environment: Mapping[str, str]
    is_plain_set: bool
    palette: Palette
    palette_origin: str
    symbols: Symbols
    bidi_used: Bidi
    is_right_to_left: bool

    @property
    def term(self) -> str:
        return self.environment.get("TERM", "")

    @property
    def is_dumb(self) -> bool:
        return self.term in ("", "dumb")


def read_terminal() -> TerminalFacts:
    config = _settings()
    environment = dict(os.environ)
    bidi = config.text_of("bidi") or Bidi.AUTO
    return TerminalFacts(
        size=_window_size(),
        encoding=str(sys.stdout.encoding or "ascii"),
        environment=environment,
        is_plain_set=config.is_on("plain"),
        palette=config.palette,
        palette_origin=config.settings["palette"].origin,
        symbols=config.symbols,
        bidi_used=choose_mode(bidi, environment, has_terminal=is_shown_on_terminal()),
        is_right_to_left=i18n.is_right_to_left(),
    )


def _settings() -> Config:
    try:
        return load_config()
    except ConfigFault:
        return Config({key.name: Setting(key.default, "") for key in CONFIG_KEYS})


def _window_size() -> tuple[int, int] | None:
    try:
        if not sys.stdout.isatty():
            return None
        size = os.get_terminal_size(sys.stdout.fileno())
    except (OSError, ValueError):  # it does not tell, or the stream is closed
        return None
    return (size.columns, size.lines) if size.columns and size.lines else None


def judge_terminal(facts: TerminalFacts) -> list[Finding]:
    return [
        _judge_size(facts.size),
        _judge_drawing(facts),
        _judge_colours(facts),
        _judge_encoding(facts.encoding),
        _judge_symbols(facts),
        *([_judge_direction(facts)] if facts.is_right_to_left else []),
    ]


def _judge_size(size: tuple[int, int] | None) -> Finding:
    if size is None:
        return Finding(
            Severity.NOTE,
            _("What is printed here does not go to a terminal."),
            _("So nothing can be said about its size, and a game would be told line by line."),
            _("Type the command in the window in which you play, without | and >."),
        )
    what = _("The window has {columns} columns and {rows} rows.", columns=size[0], rows=size[1])
    todo = _("Make it larger, or its letters smaller.")
    if _is_below(size, SMALLEST_WINDOW):
        return Finding(
            Severity.PROBLEM, what,
            _("The table needs {columns} and {rows}, so it is not drawn.",
              columns=SMALLEST_WINDOW[0], rows=SMALLEST_WINDOW[1]),
            todo + " " + _("Or play line by line: {command}",
                           command=typeable("kotp2p host --plain")),
        )  # fmt: skip
    if _is_below(size, USUAL_WINDOW):
        return Finding(
            Severity.NOTE, what,
            _("The table is made for {columns} and {rows}: in this window parts of it are left "
              "out.", columns=USUAL_WINDOW[0], rows=USUAL_WINDOW[1]),
            todo,
        )  # fmt: skip
    return Finding(Severity.OK, what, _("The whole table fits into it."))


def _is_below(size: tuple[int, int], wanted: tuple[int, int]) -> bool:
    return size[0] < wanted[0] or size[1] < wanted[1]


def _judge_drawing(facts: TerminalFacts) -> Finding:
    if facts.is_plain_set:
        return Finding(Severity.OK, _("Plain lines are set, so the game is told line by line."))
    if not facts.is_dumb:
        return Finding(Severity.OK, _("TERM is {term}, so the table is drawn.", term=facts.term))
    return Finding(
        Severity.NOTE,
        _("TERM is dumb or not set."),
        _("So the table is not drawn, and the game is told line by line."),
        _("In a window that can do more, type: {command}", command="export TERM=xterm-256color"),
    )


def _judge_colours(facts: TerminalFacts) -> Finding:
    if facts.is_dumb or facts.palette is Palette.MONO:
        origin = "TERM" if facts.is_dumb else facts.palette_origin
        what = _("The table has no colours, because of {origin}.", origin=origin)
        return Finding(Severity.OK, what, _("Nothing is said by colour alone."))
    if has_true_colour(facts.environment):
        return Finding(Severity.OK, _("COLORTERM tells that this terminal has all colours."))
    if facts.term in FEW_COLOURS:
        matters = _("Some of the table look alike; nothing is said by colour alone.")
        return Finding(Severity.OK, _("This terminal has 16 colours."), matters)
    return Finding(Severity.OK, _("The table has 256 colours."))


def _judge_encoding(encoding: str) -> Finding:
    if encoding.lower().replace("-", "").replace("_", "").startswith("utf"):
        return Finding(Severity.OK, _("Letters are written in {encoding}.", encoding=encoding))
    return Finding(
        Severity.NOTE,
        _("Letters are written in {encoding}, which is not UTF-8.", encoding=encoding),
        _("Names of other players may show question marks, and the table is drawn with the signs "
          "of a plain keyboard."),
        _("Choose a locale with UTF-8, for example: {command}", command="export LC_ALL=C.UTF-8"),
    )  # fmt: skip


def _judge_symbols(facts: TerminalFacts) -> Finding:
    chosen = choose_symbols(facts.symbols, facts.encoding, facts.environment)
    signs = signs_for(chosen, facts.encoding)
    drawn = chosen if signs is signs_for(chosen) else Symbols.ASCII
    what = _("The set of symbols in use is {symbols}.", symbols=drawn.value)
    if drawn is Symbols.ASCII:
        return Finding(Severity.OK, what)
    todo = _("If the table is crooked, or if you see boxes or question marks, type: {command}",
             command=typeable("kotp2p config set symbols ascii"))  # fmt: skip
    return Finding(Severity.OK, what, todo=todo)


def _judge_direction(facts: TerminalFacts) -> Finding:
    other = Bidi.PROGRAM
    match facts.bidi_used:
        case Bidi.TERMINAL:
            what = _("Text that is read from right to left is put into order by the terminal.")
        case Bidi.PROGRAM:
            what = _("Text that is read from right to left is put into order by this program.")
            other = Bidi.TERMINAL
        case _:  # off
            what = _("Text that is read from right to left is left as it is.")
    todo = _("If it is not in order, type: {command}",
             command=typeable(f"kotp2p config set bidi {other.value}"))  # fmt: skip
    return Finding(Severity.NOTE if facts.bidi_used is Bidi.OFF else Severity.OK, what, todo=todo)


# -- the files ---------------------------------------------------------------------------------


MAX_FILES = 50_000
MAX_NAMED = 5
BYTES_OF_MEGABYTE = 1_000_000
LEAST_MEGABYTES = 10
"""Less may not hold the log of another evening, which needs about one MB a game."""
DEFAULT_PROFILE = "default"
_HASH = re.compile(r"\b([0-9a-f]{8})[0-9a-f]{24,}")


def examine_data() -> list[Finding]:
    data = data_folder().resolve()
    files = list(islice(_walk(data), MAX_FILES))
    return [*_judge_folder(data, files), *_judge_settings(), *(_judge_games(data) if files else ())]


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
    said = _("Your first game makes the folder of your keys and games, {path}", path=path)
    if files:
        said = _("Your keys and games are in {path}", path=path)
    yield Finding(Severity.OK, said)
    here = next((one for one in (data, *data.parents) if os.path.isdir(one)), data)
    closed = _closed_folder(here, files)
    if closed is not None:
        yield _not_writable(closed)
    if files and own_user() is not None:
        yield _judge_access(data)
    yield judge_space(shutil.disk_usage(here).free // BYTES_OF_MEGABYTE)
    others = [path for path in files if path != closed]
    yield from islice(_list_unreadable(data, others), MAX_NAMED)


def _closed_folder(here: Path, files: list[Path]) -> Path | None:
    folders = [path for path in files if os.path.isdir(path)] or [here]
    return next((path for path in folders if not _may(path, os.W_OK | os.X_OK)), None)


def _not_writable(folder: Path) -> Finding:
    path = shown_path(folder)
    if _is_own(folder):
        what = _("Nothing can be written into {path}: its permissions forbid it.", path=path)
        todo = _("To permit it, type: {command}", command=f"chmod u+rwx {_in_shell(folder)}")
    else:
        what = _("Nothing can be written into {path}: it belongs to another user.", path=path)
        take = f'sudo chown -R "$(id -un)" {_in_shell(folder)}'
        todo = _("To make it yours, type: {command}", command=take)
    matters = _("No game can be played, as every move is written down first.")
    return Finding(Severity.PROBLEM, what, matters, todo)


def _may(path: Path, what: int) -> bool:
    return os.access(path, what, effective_ids=os.access in os.supports_effective_ids)


def _is_own(path: Path) -> bool:
    try:
        return own_user() in (None, 0, path.lstat().st_uid)
    except OSError:  # it is gone meanwhile
        return True


def _judge_access(data: Path) -> Finding:
    """Judge what other users can do; the content of a closed folder is closed, too."""
    if not stat.S_IMODE(data.stat().st_mode) & 0o077:
        return Finding(Severity.OK, _("Only you can read and change your keys and games."))
    return Finding(
        Severity.PROBLEM,
        _("Other users of this machine can read {paths}.", paths=shown_path(data)),
        _("They can play in your name, and see what is hidden in your games."),
        _("To close it to others, type: {command}", command=f"chmod -R go= {_in_shell(data)}"),
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
        yield _unreadable(data, errno.ENOTDIR)
    for path in files:
        wanted = os.R_OK | os.X_OK if os.path.isdir(path) else os.R_OK
        if not os.path.islink(path) and not _may(path, wanted):
            yield _unreadable(path, errno.EACCES)


def _unreadable(path: Path, error: int) -> Finding:
    detail = describe_system_error(error)
    return Finding(
        Severity.PROBLEM,
        _("{path} cannot be read: {detail}.", path=shown_path(path), detail=detail),
        _("Commands that need it stop there."),
        _("Permit reading it, put it back from a copy, or move it away."),
    )


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
    said = _("You have no file of settings. It would be {path}", path=path)
    if os.path.exists(file):
        said = _("Your settings are in {path}", path=path)
    yield Finding(Severity.OK, said)
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
        world = machine.machine_world(data, log_folder(data), profile)
        try:
            for game in resume.list_games(world):
                if isinstance(game, CannotResume):
                    found |= _judge_trouble(game)
        except FileTrouble as fault:
            found |= _judge_trouble(fault)
    yield from found.values()


def _profiles(data: Path) -> list[str]:
    try:
        found = [path.name for path in (data / "profiles").iterdir() if path.is_dir()]
    except OSError:
        found = []
    return [DEFAULT_PROFILE, *sorted(set(found) - {DEFAULT_PROFILE})]


def _judge_trouble(trouble: FileTrouble) -> dict[object, Finding]:
    """Judge a file of a game, or of all games; what is forbidden is found among the files."""
    if trouble.fault is not None and trouble.fault.error in FORBIDDEN:
        return {}
    return {str(trouble): broken_file(trouble)}


def broken_file(trouble: FileTrouble) -> Finding:
    first, *more = map(shown_path, describe_trouble(trouble))
    todo = more[-1] if more else take_from_others()
    if trouble.fault and GAMES_FOLDER not in (one.name for one in trouble.fault.path.parents):
        return Finding(Severity.PROBLEM, first, _("Commands that need it stop there."), todo)
    return Finding(
        Severity.PROBLEM,
        _("This game cannot be resumed: {fault}", fault=first),
        _("The other games are not concerned."),
        todo,
    )
