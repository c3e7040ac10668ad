"""The way out of a program error: a report in a file, one sentence on the screen, exit 1."""

from __future__ import annotations

import sys
from types import TracebackType

from kotp2p.cli.system.debug_log import LOGGER
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
        import logging

        logging.getLogger(LOGGER).error("program error\n%s", report)
        _name_report(kind, str(CommonFlags.debug))
        return
    try:
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
