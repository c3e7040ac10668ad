"""Files of unknown origin are read whole, or not at all."""

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kotp2p.store.files import read_whole_file

MOST = 1000


def test_a_file_is_read_up_to_its_bound(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(bytes(MOST))
    assert read_whole_file(file, MOST) == bytes(MOST)


@pytest.mark.parametrize("size", [MOST + 1, 10 * MOST])
def test_nothing_of_a_longer_file_is_read(tmp_path: Path, size: int) -> None:
    file = tmp_path / "file"
    file.write_bytes(bytes(size))
    with pytest.raises(OSError, match="longer") as refused:
        read_whole_file(file, MOST)
    assert refused.value.errno == errno.EFBIG


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes in folders")
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_a_pipe_and_a_folder_are_refused_without_waiting(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    make(tmp_path / "thing")
    with pytest.raises(OSError, match="not a file"):
        read_whole_file(tmp_path / "thing", MOST)
