"""What a command has made, into a file or to the standard output.

Scope: a file is written as a whole or not at all. What is no file, such as a device or a pipe, is
written to and not replaced.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from kotp2p.cli.system.output import Exit, Output
from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.system_errors import describe_system_error
from kotp2p.store.files import write_whole


def write_parts(parts: Iterable[bytes], to: Path | None, output: Output) -> Exit:
    """`to`: None for the standard output."""
    if to is None:
        return _write_out(parts)
    try:
        if to.exists() and not to.is_file():
            with to.open("wb") as device:
                device.writelines(parts)
        else:
            write_whole(to, parts, is_private=False)
    except OSError as trouble:
        reason = describe_system_error(trouble.errno, writing=True)
        output.note_line(_("{file} cannot be written: {reason}.", file=to, reason=reason))
        return Exit.FILES
    output.note_line(_("Written: {file}", file=to))
    return Exit.DONE


def _write_out(parts: Iterable[bytes]) -> Exit:
    for part in parts:
        sys.stdout.buffer.write(part)
    sys.stdout.buffer.flush()
    return Exit.DONE
