"""`kotp2p export`: a log in another form."""

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from kotp2p.cli.commands.log_files import choose_log, read_log
from kotp2p.cli.extras.forms.html import build_page
from kotp2p.cli.extras.forms.lines import export_lines, pack_line
from kotp2p.cli.extras.forms.text import export_text
from kotp2p.cli.system.output import Exit, Output
from kotp2p.cli.text.files import describe_verdict
from kotp2p.cli.text.i18n import _, describe_system_error
from kotp2p.extras.recording import LogRecording, record_log
from kotp2p.game.verify import Result
from kotp2p.store.files import keep_own_file, write_whole
from kotp2p.store.log_work import report_no_file

WITHOUT_LOG = "none"
"""The word in place of a log that asks for the page alone."""


def run_export(
    *,
    log: list[str] | None,
    as_html: bool,
    as_json: bool,
    output: Path | None,
    log_dir: Path | None,
) -> int:
    words = " ".join(log or [])
    said = Output.standard()
    fault = _fault_of(words, output, as_html=as_html, as_json=as_json)
    if fault:
        return said.refuse(fault)
    if words == WITHOUT_LOG:
        return write_parts([build_page(None).encode()], output, said)
    form = _page if as_html else _json if as_json else _text
    return export_log(words, form, output, log_dir, said)


Form = Callable[[str, LogRecording], Iterator[str]]


def export_log(
    words: str, form: Form, to: Path | None, log_dir: Path | None, output: Output
) -> int:
    path = choose_log(words, log_dir, output)
    if path is None:
        return Exit.FILES
    try:
        log = record_log(read_log(path))
    except OSError as trouble:
        report = report_no_file(trouble)
    else:
        report = log.report()
    if report.result is Result.UNREADABLE:
        output.note_line(describe_verdict(str(path), report))
        return Exit.FILES
    parts = (part.encode() for part in form(path.name, log))
    code = write_parts(parts, to, output)
    if code is not Exit.DONE or report.result is not Result.WRONG:
        return code
    output.note_line(describe_verdict(str(path), report))
    output.note_line(_("What comes after that record is not told."))
    return Exit.WRONG


def _fault_of(words: str, to: Path | None, *, as_html: bool, as_json: bool) -> str:
    """Say why the command makes no sense; empty if it does."""
    if as_html and as_json:
        return _("say in which one form: --json or --html")
    if words == WITHOUT_LOG and not as_html:
        return _("none goes with --html: the page without a log")
    if as_html and to is None and sys.stdout.isatty():
        return _("the page is for a browser; name a file for it: --output game.html")
    return ""


def _text(name: str, log: LogRecording) -> Iterator[str]:
    return (f"{line}\n" for line in export_text(name, log))


def _json(_name: str, log: LogRecording) -> Iterator[str]:
    return (f"{pack_line(line)}\n" for line in export_lines(log))


def _page(_name: str, log: LogRecording) -> Iterator[str]:
    return iter([build_page(log)])


# -- what a command has made, into a file or to the standard output ------------------------
#
# A file is written as a whole or not at all. What is no file, such as a device or a pipe, is
# written to and not replaced; a reader that has gone is no error.

STANDARD_OUTPUT = ("-", "/dev/stdout")


def write_parts(parts: Iterable[bytes], to: Path | None, output: Output) -> Exit:
    """Write to a file, or to the standard output (no file, or its name); return the exit code."""
    if to is None or str(to) in STANDARD_OUTPUT:
        sys.stdout.buffer.writelines(parts)
        sys.stdout.buffer.flush()
        return Exit.DONE
    try:
        if to.exists() and not to.is_file():
            with to.open("wb") as device:
                device.writelines(parts)
        else:
            keep_own_file(to)
            write_whole(to, parts, is_private=False)
    except BrokenPipeError:
        return Exit.DONE
    except OSError as trouble:
        reason = describe_system_error(trouble.errno, writing=True)
        output.note_line(_("{file} cannot be written: {reason}.", file=to, reason=reason))
        return Exit.FILES
    output.note_line(_("Written: {file}", file=to))
    return Exit.DONE
