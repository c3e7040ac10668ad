"""The standard output and the error output of this process, whatever stands behind them.

Scope: writing to them never raises. A reader that has gone (a closed pipe, a terminal that is no
more) is no error: the rest goes nowhere. Any other failure, such as a full disk, is remembered, and
at the end of the process it becomes a sentence and an exit code.
Not here: what is written (`cli.system.output`), and files (`kotp2p.store.files`).
"""

from __future__ import annotations

import errno
import io
import select
import sys
from typing import Any, TextIO

from kotp2p.cli.system.exit_codes import Exit
from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.system_errors import describe_system_error

OUTPUTS = ("stdout", "stderr")


class Outlet(io.RawIOBase):
    """The bytes of a standard stream. After the first failure nothing more is written, as a text
    with a hole is worse than one that ends."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream
        """Kept, as it would close what it is a stream of."""
        buffer: Any = stream.buffer
        self._raw = getattr(buffer, "raw", buffer)
        self._was_terminal = stream.isatty()
        self._is_over = False
        self.fault: OSError | None = None
        """Why not everything was written, unless nobody wanted it any more."""

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return bool(self._raw.isatty())

    def fileno(self) -> int:
        return int(self._raw.fileno())

    def write(self, data: Any, /) -> int:
        size = memoryview(data).nbytes
        while not self._is_over:
            try:
                written = self._raw.write(data)
                if written is not None:
                    return int(written)
                # Another process has made the pipe non-blocking, and it is full.
                select.select([], [self._raw], [])
            except OSError as fault:
                self._is_over = True
                if not self._is_reader_gone(fault):
                    self.fault = fault
        return size

    def _is_reader_gone(self, fault: OSError) -> bool:
        hung_up = self._was_terminal and fault.errno == errno.EIO
        return hung_up or isinstance(fault, BrokenPipeError | ConnectionResetError)


def install_outlets() -> None:
    """Puts an outlet under each output of this process. A name that the encoding of a terminal
    lacks must not end a game, so such letters are replaced."""
    for name in OUTPUTS:
        stream = getattr(sys, name)
        if not hasattr(stream, "buffer") or outlet_of(stream) is not None:
            continue
        stream.flush()
        outlet = Outlet(stream)
        text = io.TextIOWrapper(
            io.BufferedWriter(outlet),
            encoding=stream.encoding,
            errors="replace",
            line_buffering=stream.line_buffering or stream.write_through,
        )
        setattr(sys, name, text)


def outlet_of(stream: Any) -> Outlet | None:
    raw = getattr(getattr(stream, "buffer", None), "raw", None)
    return raw if isinstance(raw, Outlet) else None


def end_output(code: Any) -> Any:
    """Writes what is still held back. Returns the exit code of the process that was to end with
    `code`: another one if all went well but for the output, which is then told."""
    fault = None
    for stream in map(sys.__dict__.get, OUTPUTS):
        outlet = outlet_of(stream)
        if stream is not None and outlet is not None:
            stream.flush()
            fault = fault or outlet.fault
    if fault is None:
        return code
    reason = describe_system_error(fault.errno, writing=True)
    sys.stderr.write(_("kotp2p: the output is incomplete: {reason}.", reason=reason) + "\n")
    return code or int(Exit.FILES)
