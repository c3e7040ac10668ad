"""What was written to a stream in memory."""

import io
from typing import TextIO


def printed(stream: TextIO) -> str:
    assert isinstance(stream, io.StringIO)
    return stream.getvalue()
