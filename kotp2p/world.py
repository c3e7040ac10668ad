"""Everything that is not deterministic comes into a peer through a `World`.

Entropy, the network, files and the date of today. `kotp2p.net.machine` is this machine; the tests
have one of memory streams, seeded entropy and an in-memory disk, so that whole tables run in one
process under a virtual clock. Time itself is trio's clock.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Protocol

import trio

from kotp2p.wire.announcements import FoundTable, Poster


class FileTrouble(Exception):
    """A file could not be read or written; the message names it and says why."""


class CannotReach(Exception):
    """Nobody could be reached; `why` is one of name-unknown, refused, no-answer."""

    def __init__(self, why: str, detail: str) -> None:
        super().__init__(detail)
        self.why = why
        self.detail = detail


class PortTaken(Exception):
    """Nothing can listen there; the message says why."""


class NotTls(Exception):
    """What answers does not speak kotp2p under TLS; the message is technical."""


class HungUp(NotTls):
    """The other side has closed without a word, as a table does when too many come at once."""


class NotLetIn(Exception):
    """A table of another secret: it is closed to us, or was opened anew since."""


@dataclass(frozen=True, slots=True)
class Connection:
    """A byte stream to another process."""

    stream: trio.abc.Stream
    address: str
    """Where the other side was seen; empty: on this machine's loopback."""
    binding: bytes = bytes(32)
    """A hash over the certificates of both sides; zeros on a bare stream, which has none."""


class Security(Protocol):
    async def wrap(self, connection: Connection, secret: bytes, dialled: bool) -> Connection:
        """The same connection, closed to peers that lack the table's secret. Raises NotTls,
        NotLetIn, or what the stream raises."""


class Acceptor(Protocol):
    """Open listening sockets, all on one port."""

    port: int

    async def serve(self, admit: Callable[[Connection], None]) -> None:
        """Hands over every connection, for ever; survives clients that reset at once."""

    async def aclose(self) -> None: ...


class Net(Protocol):
    async def dial(self, address: str, port: int) -> Connection:
        """Raises NoTable."""

    async def listen(self, bind: str | None, port: int, tries: int) -> Acceptor:
        """On `bind`, or on all addresses of both families. Tries up to `tries` ports from `port`
        on; 0 picks any. Raises PortTaken."""

    def addresses(self, bind: str | None) -> tuple[tuple[str, ...], bool]:
        """Addresses that another machine may dial, best first, and whether there is nothing but
        loopback."""


class LanTrouble(Exception):
    """Nothing can be announced or looked for on the LAN; the message says why."""


class Lan(Protocol):
    """The machines that hear each other without knowing an address."""

    async def announce(
        self,
        bind: str | None,
        posters: trio.MemoryReceiveChannel[Poster],
        announced: Callable[[], None],
    ) -> None:
        """Keeps the newest of `posters` announced until there are no more or it is cancelled,
        then withdraws it; calls `announced` once others can find it. `bind`: the only address
        that listens. Raises LanTrouble."""

    async def browse(self, seconds: float) -> tuple[FoundTable, ...]:
        """What is found in that time. Raises LanTrouble."""


class LogFile(Protocol):
    async def append(self, data: bytes) -> None:
        """Written and on disk when it returns. Raises FileTrouble; then never call it again."""

    async def aclose(self) -> None: ...


class Disk(Protocol):
    """Files; every call raises FileTrouble."""

    def read(self, path: PurePath) -> bytes | None:
        """None if there is no such file."""

    async def write_secret(self, path: PurePath, data: bytes) -> None:
        """A new file that only its owner can read, on disk when it returns; parents are made."""

    async def replace(self, path: PurePath, data: bytes) -> None:
        """A file of ours gets new content, all of it or nothing; only its owner can read it."""

    async def create_log(self, path: PurePath, data: bytes) -> LogFile:
        """A new file; parents are made."""

    async def reopen_log(self, path: PurePath, size: int) -> LogFile:
        """An existing log, to be appended to behind its first `size` bytes; what stands behind
        them (a torn tail) is kept in a file beside it and cut off."""

    def newest(self, folder: PurePath) -> list[PurePath]:
        """What lies in a folder, last changed first; nothing if there is no such folder."""

    def share(self, path: PurePath, folder: PurePath, name: str, suffix: str) -> PurePath:
        """A second name for the file in `folder`, made different if it is taken: the file itself
        where links are possible, else a copy as it stands. Gives the new path."""

    def refresh(self, path: PurePath, shared: PurePath) -> bool:
        """Brings a copy made by `share` up to date; nothing to do for a link. False if somebody
        has moved it away meanwhile."""

    def lock(self, path: PurePath) -> bool:
        """Takes the lock for the life of this process, which may have it already; False if another
        process has it."""

    def remove(self, path: PurePath) -> None: ...


@dataclass(frozen=True, slots=True)
class World:
    entropy: Callable[[int], bytes]
    net: Net
    disk: Disk
    data: PurePath
    """Folder of the games and profiles of this user."""
    logs: PurePath
    """Folder of the logs that people may share."""
    profile: str
    today: Callable[[], str]
    """The date, for the name of a log."""
    wall_clock: Callable[[], float] = trio.current_time
    """Seconds of the clock on the wall, which goes on while the machine sleeps. What it shows is
    never used, only whether it jumps."""
    security: Security | None = None
    """None: links are bare streams, as in one process."""
    lan: Lan | None = None
    """None: a table that is opened here is not announced."""
