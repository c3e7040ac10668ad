"""The way out of a program error: a report in a file, one sentence on the screen, exit 1."""

from __future__ import annotations

import sys
from types import TracebackType

from kotp2p.cli.system.options import CommonFlags
from kotp2p.cli.text.i18n import _


def report_crash(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """As `sys.excepthook`: Python exits with 1 afterwards."""
    import tempfile  # with much behind it that no other run needs
    import traceback

    report = "".join(traceback.format_exception(kind, error, trace))
    if CommonFlags.debug:
        sys.stderr.write(report)
        return
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="kotp2p-error-", suffix=".txt", delete=False, encoding="utf-8"
        ) as file:
            file.write(report)
    except OSError:  # a full disk must not hide the error
        sys.stderr.write(report)
        return
    sys.stderr.write(
        _(
            "kotp2p: an error in this program, {error}. The report is in {path}; "
            "with --debug it is shown here.",
            error=kind.__name__,
            path=file.name,
        )
        + "\n"
    )
