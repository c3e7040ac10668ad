"""Machines of a test: network namespaces that it makes, where it may."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache


@contextmanager
def three_machines() -> Iterator[list[str]]:
    """Three network namespaces with an address each, joined by a bridge in a fourth."""
    tag = f"kot{os.getpid()}"
    names = [f"{tag}{n}" for n in range(3)]

    def ip(*words: str) -> None:
        subprocess.run(["ip", *words], check=True, capture_output=True)

    try:
        ip("netns", "add", tag)
        ip("-n", tag, "link", "add", "bridge", "type", "bridge")
        ip("-n", tag, "link", "set", "bridge", "up")
        for n, name in enumerate(names):
            ip("netns", "add", name)
            ip("-n", name, "link", "add", "eth0", "type", "veth", "peer", "name", f"v{n}",
               "netns", tag)  # fmt: skip
            ip("-n", tag, "link", "set", f"v{n}", "master", "bridge", "up")
            ip("-n", name, "addr", "add", f"10.77.0.{n + 1}/24", "dev", "eth0")
            ip("-n", name, "link", "set", "eth0", "up")
            ip("-n", name, "link", "set", "lo", "up")
        yield names
    finally:
        for name in (*names, tag):
            subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)


@cache
def can_make_machines() -> bool:
    if os.name != "posix" or os.geteuid() != 0 or shutil.which("ip") is None:
        return False
    try:
        with three_machines():
            return True
    except subprocess.CalledProcessError:
        return False
