"""Keys that somebody else has read: the loop does not wait for the next one."""

import os
import pty
import subprocess
import sys

import pytest

from tests.support.paths import ROOT
from tests.support.program import PATIENCE

READ_WHAT_IS_GONE = """
import fcntl, select, sys, termios
from prompt_toolkit.input import create_input
from kotp2p.cli.ui.screen.stage import unblocked_keys

fcntl.ioctl(0, termios.TIOCSCTTY, 0)
source = create_input()
before = source.stdin_reader
with source.raw_mode(), unblocked_keys(source):
    told, select.select = select.select, lambda *_: ([0], [], [])  # as before the shell read
    assert source.read_keys() == []
    select.select = told
    assert not source.closed
    print("ready", flush=True)
    found = []
    while not found:
        select.select([0], [], [])
        found = source.read_keys()
    assert [press.data for press in found] == ["x"], found
assert source.stdin_reader is before
print("done", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no shell that takes turns")
def test_keys_that_the_shell_has_read_are_not_waited_for() -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", READ_WHAT_IS_GONE],
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        text=True,
        start_new_session=True,
    )
    os.close(theirs)
    with process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            os.write(ours, b"x")
            out, err = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
            os.close(ours)
    assert (out, err) == ("done\n", "")


def test_a_terminal_that_no_shell_shares_is_read_as_ever() -> None:
    from kotp2p.cli.ui.screen.stage import open_unblocked

    ours, theirs = pty.openpty()
    assert open_unblocked(theirs) is None
    os.close(ours)
    os.close(theirs)
