"""`kotp2p export`: a log in another form.

Scope: which log, which form, where it is written, the exit code.
Not here: the forms (`cli.export`).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cli.commands.log_files import choose_log, read_log
from cli.commands.written_file import write_parts
from cli.export.html import build_page
from cli.export.lines import export_lines, pack_line
from cli.export.text import export_text
from cli.system.exit_codes import Exit
from cli.system.output import Output
from cli.text.i18n import _
from cli.text.verdicts import describe_verdict
from kotp2p.game.report import Result
from kotp2p.recording.log_recording import LogRecording, record_log
from kotp2p.store.log_work import report_no_file


@dataclass(frozen=True, slots=True)
class ExportRequest:
    log: str
    """A file or words; empty: the newest game."""
    forms: tuple[str, ...]
    """Of text, json and html. Just one makes sense."""
    empty: bool
    output: Path | None
    log_dir: Path | None


def export_log(request: ExportRequest) -> int:
    output = Output.standard()
    fault = _fault_of(request)
    if fault:
        output.note_line(_("kotp2p: {fault}", fault=fault))
        return Exit.USAGE
    if request.empty:
        return write_parts([build_page(None).encode()], request.output, output)
    path = choose_log(request.log, request.log_dir, output)
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
    (form,) = request.forms
    code = write_parts(_parts_of(form, path.name, log), request.output, output)
    if code is not Exit.DONE or report.result is not Result.WRONG:
        return code
    output.note_line(describe_verdict(str(path), report))
    output.note_line(_("What stands behind that record is not told."))
    return Exit.WRONG


def _fault_of(request: ExportRequest) -> str:
    """Why the command makes no sense; empty if it does."""
    if len(request.forms) != 1:
        return _("say in which one form: --text, --json or --html")
    if request.empty and request.forms != ("html",):
        return _("--empty goes with --html")
    if request.empty and request.log:
        return _("--empty makes a page without a log, so name none")
    if request.forms == ("html",) and request.output is None and sys.stdout.isatty():
        return _("the page is for a browser; name a file for it: --output game.html")
    return ""


def _parts_of(form: str, name: str, log: LogRecording) -> Iterator[bytes]:
    match form:
        case "text":
            for line in export_text(name, log):
                yield f"{line}\n".encode()
        case "json":
            for line in map(pack_line, export_lines(log)):
                yield f"{line}\n".encode("ascii")
        case _:  # html
            yield build_page(log).encode()

