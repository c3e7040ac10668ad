"""What holds for this process whatever command runs: its streams, its name, signals, errors."""

import gc
import os
import shlex
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType, TracebackType

import typer

from kotp2p.cli.system.options import VERSION, CommonFlags
from kotp2p.cli.system.output import install_outlets
from kotp2p.cli.text.i18n import IS_PUBLISHED, PROGRAM, _, describe_system_error, use_program

ENDING_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
"""The names of signals, as no system has all. Windows has no SIGHUP and sends no SIGTERM: there a
closed window, and Ctrl-Break, come as SIGBREAK."""


def ending_signals() -> list[signal.Signals]:
    return [getattr(signal, name) for name in ENDING_SIGNALS if hasattr(signal, name)]


def prepare_process() -> None:
    _fill_streams()
    install_outlets()
    use_program(find_program())
    for number in ending_signals():
        signal.signal(number, _end_by_signal)


def _fill_streams() -> None:
    """Open closed standard streams, so that no socket or log gets their number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def _end_by_signal(number: int, frame: FrameType | None) -> None:
    """Exit on a signal, until a game handles signals itself."""
    raise SystemExit(128 + number)


# -- the command that runs this program, as its shell needs it -----------------------------
#
# The bare word where the shell finds it; otherwise, as after an installation into a folder
# `.venv` that is not activated, the shorter of the two paths. One file with everything
# (`kotp2p.pyz`) is called by the interpreter that runs it now. What `uvx` and `pipx run` bring is
# gone from the path of the shell once it ends.


ARCHIVE = ".pyz"
UV = "UV"
"""The variable by which uv says to a program that it has started it."""
UV_CACHE = "archive-v0"
"""The folder of the environments that uv makes for one command, for itself and for pipx."""
PIPX_FILE = "pipx_metadata.json"
"""In each environment that pipx makes without uv. One that stays has the name of the program."""


def find_program() -> str:
    started = Path(sys.argv[0] if sys.argv else "")
    is_archive = started.suffix == ARCHIVE
    if started.stem != PROGRAM or not (is_archive or _has_folder(sys.argv[0])):
        return PROGRAM
    if IS_PUBLISHED and (runner := _find_runner(started)) is not None:
        return f"{runner} {PROGRAM}"
    if shutil.which(started.name) is not None:
        return started.name
    try:
        path = min(os.path.abspath(started), os.path.relpath(started), key=len)
    except (OSError, ValueError):  # the folder is gone, or another drive of Windows
        return PROGRAM
    if is_archive:
        return f"{shlex.quote(sys.orig_argv[0])} {shlex.quote(path)}"
    return shlex.quote(path if _has_folder(path) else os.path.join(os.curdir, path))


def _find_runner(started: Path) -> str | None:
    """Return what has made an environment for this one command."""
    if UV in os.environ and UV_CACHE in started.parts:
        return "uvx" if shutil.which("uvx") else "pipx run"
    environment = started.parent.parent
    is_pipx = environment.name != PROGRAM and (environment / PIPX_FILE).exists()
    return "pipx run" if is_pipx else None


def _has_folder(path: str) -> bool:
    return os.path.basename(path) != path


# -- Ctrl-C ----------------------------------------------------------------------------------


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt within the block, so that the program can report."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


# -- how often a process of this program searches for garbage ------------------------------
#
# Nearly all that the program makes is freed without the search. With the usual pace it takes a
# tenth of the time of `kotp2p verify` for a long log. One search of what a game has imported takes
# as long as two rolls.


NEW_OBJECTS_BETWEEN_SEARCHES = 50_000


def begin_search() -> None:
    """Search from now on, if that was off: rarely, and not among what is imported by now."""
    if not gc.isenabled():
        gc.freeze()
        search_rarely()
        gc.enable()


def search_rarely() -> None:
    gc.set_threshold(NEW_OBJECTS_BETWEEN_SEARCHES)


# -- the log of `--debug FILE`: what links, line-ups and the loop of a table do ------------
#
# It may be sent to a stranger, so nothing in it is secret and players are P1 to P6: each line is
# made of values that the program has chosen (`kotp2p.net.connections`, `kotp2p.shell.debug_lines`).


LOGGER = "kotp2p"
MAX_FILE_BYTES = 1_000_000
"""With the file before it, whose name ends in .1, there are never more than two such files."""
FORM = "%(asctime)s.%(msecs)03d %(name)s %(message)s"
TIME_FORM = "%Y-%m-%d %H:%M:%S"


def start_debug_log(path: Path | None) -> None:
    """Append to this file from now on. The lines of earlier runs stay, as far as there is room."""
    if path is None:
        return
    import logging  # no other run needs these
    import platform
    from logging.handlers import RotatingFileHandler

    from kotp2p.store.files import keep_own_file

    if os.path.islink(path) or (os.path.exists(path) and not os.path.isfile(path)):
        raise typer.BadParameter(_("{file} is no ordinary file.", file=path))
    try:
        keep_own_file(path)
        with path.open("ab", buffering=0) as file:
            file.write(b"\n")  # a full disk is told now, not by an empty file
        handler = RotatingFileHandler(
            path, maxBytes=MAX_FILE_BYTES, backupCount=1, encoding="utf-8"
        )
        path.chmod(0o600)
    except OSError as fault:
        raise typer.BadParameter(
            _("{file} cannot be written: {detail}.", file=path,
              detail=describe_system_error(fault.errno, writing=True))
        ) from None  # fmt: skip
    logging.raiseExceptions = False  # a disk that fills up must not end a game
    handler.setFormatter(logging.Formatter(FORM, TIME_FORM))
    logger = logging.getLogger(LOGGER)
    for earlier in logger.handlers[:]:
        logger.removeHandler(earlier)
        earlier.close()
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    CommonFlags.debug = path
    python, system = platform.python_version(), platform.platform()
    logger.info("this is version %s on Python %s, %s", VERSION, python, system)


# -- a program error: a report in a file, one sentence on the screen, exit 1 ---------------


def report_crash(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Write a program error to a file, as `sys.excepthook`; Python then exits with 1."""
    import tempfile  # its imports are long, and no other run needs them
    import traceback

    report = "".join(traceback.format_exception(kind, error, trace))
    try:
        if CommonFlags.debug:
            import logging

            logging.getLogger(LOGGER).error("program error\n%s", report)
            if report in CommonFlags.debug.read_text("utf-8", "replace"):
                _name_report(kind, str(CommonFlags.debug))
                return
        with tempfile.NamedTemporaryFile(
            "w", prefix="kotp2p-error-", suffix=".txt", delete=False, encoding="utf-8"
        ) as file:
            file.write(report)
    except OSError:  # a full disk must not hide the error
        sys.stderr.write(report)
        return
    _name_report(kind, file.name)


def _name_report(kind: type[BaseException], path: str) -> None:
    sys.stderr.write(
        _(
            "kotp2p: an error in this program, {error}. The report is in {path}.",
            error=kind.__name__,
            path=path,
        )
        + "\n"
    )
