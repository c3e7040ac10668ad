"""`kotp2p export`: flags, and nothing of what it does.

Not here: what it does (`cli.commands.export`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.commands.completion import complete_log
from cli.commands.option_groups import CommonFlags, with_option_groups
from cli.system.help_layout import FILES
from cli.system.options import LogDir
from cli.text.i18n import N_

Out = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        rich_help_panel=FILES,
        help=N_("Write it there. [default: the standard output]"),
    ),
]


@with_option_groups
def export(
    *,
    log: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="LOG",
            autocompletion=complete_log,
            help=N_("A file, or words of a table phrase. [default: the newest game]"),
        ),
    ] = None,
    as_text: Annotated[bool, typer.Option("--text", help=N_("The story, in sentences."))] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help=N_("JSON lines, complete; docs/EXPORT.md has the form."))
    ] = False,
    as_html: Annotated[bool, typer.Option("--html", help=N_("One page for a browser."))] = False,
    empty: Annotated[
        bool, typer.Option("--empty", help=N_("With --html: the page without a log, to open any."))
    ] = False,
    output: Out = None,
    log_dir: LogDir = None,
    common: CommonFlags,
) -> None:
    from cli.commands.export import ExportRequest, export_log

    forms = {"text": as_text, "json": as_json, "html": as_html}
    chosen = tuple(form for form, is_wanted in forms.items() if is_wanted)
    request = ExportRequest(" ".join(log or []), chosen, empty, output, log_dir)
    raise typer.Exit(export_log(request))

