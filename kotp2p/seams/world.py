"""The seam between a peer and the machine: everything that is not deterministic is in a `World`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    import trio

    from kotp2p.rendezvous.exchange import RelayPlace
    from kotp2p.rendezvous.mailbox import Heard
    from kotp2p.rendezvous.servers import Servers
    from kotp2p.seams.commands import Front
    from kotp2p.wire.addresses import FoundTable, Poster


# -- what is wrong with a file -------------------------------------------------------------


class FaultOfFile(StrEnum):
    SYSTEM = "system"
    CONTENT = "content"
    UNBEGUN = "unbegun"
    """The log of a game that says nothing: it was broken off as it began, or the log is lost."""
    EARLIER = "earlier"
    """An earlier version of the program has written it, in a form that this one does not read."""
    NEWER = "newer"


@dataclass(frozen=True, slots=True)
class FileFault:
    path: PurePath
    detail: str
    kind: FaultOfFile = FaultOfFile.CONTENT
    error: int = 0

    def __str__(self) -> str:
        return f"{self.path}: {self.detail}"


# -- the world -----------------------------------------------------------------------------


class FileTrouble(Exception):
    """A file could not be read or written; the message names it and says why."""

    def __init__(self, what: FileFault | str) -> None:
        super().__init__(str(what))
        self.fault = what if isinstance(what, FileFault) else None


class CannotReach(Exception):
    """No connection to an address: name-unknown, refused or no-answer; `detail` is technical."""

    def __init__(self, why: str, detail: str) -> None:
        super().__init__(detail)
        self.why = why
        self.detail = detail


class PortTaken(Exception):
    """No socket can listen on that port; the message says why."""


class NotTls(Exception):
    """The other side does not speak kotp2p under TLS; the message is technical."""


class HungUp(NotTls):
    """The other side has closed without a word, as a busy table does."""


class NotLetIn(Exception):
    """The table has another secret: it is closed to this peer, or was opened anew since."""


@dataclass(frozen=True, slots=True)
class Connection:
    """A byte stream to another process."""

    stream: trio.abc.Stream
    address: str
    """The address of the other side; empty for this machine's loopback."""
    local: str = ""
    """The address of this side; empty if it is not known."""
    binding: bytes = bytes(32)
    """A hash over the certificates of both sides; zeros on a stream without TLS.

    The link proof signs it, so that no proof can be relayed to another connection.
    """


class Security(Protocol):
    """TLS under the secret of a table (PROTOCOL.md 4.1)."""

    async def wrap(
        self, connection: Connection, secret: bytes, dialled: bool, name: str = ""
    ) -> Connection:
        """Return the same connection, encrypted, and closed to peers that lack `secret`.

        A side that dials says `name` before anything is encrypted, if it is not empty.

        Raise NotTls, NotLetIn, or the errors of the stream.
        """


class Acceptor(Protocol):
    """Open listening sockets, all on one port."""

    port: int

    async def serve(self, admit: Callable[[Connection], None]) -> None:
        """Hand every new connection to `admit`, until cancelled."""

    async def aclose(self) -> None: ...


class Net(Protocol):
    """The addresses and sockets of this machine."""

    async def dial(self, address: str, port: int) -> Connection:
        """Open a connection; raise CannotReach."""

    async def listen(self, bind: str | None, port: int, tries: int) -> Acceptor:
        """Listen on `bind` or everywhere, at the first free of `tries` ports; raise PortTaken."""

    def addresses(self, bind: str | None) -> tuple[tuple[str, ...], bool]:
        """Return the addresses that others may dial, best first, and whether all are loopback."""

    def has_address(self, address: str) -> bool:
        """Return whether this machine has the address now, loopback included."""


class LanTrouble(Exception):
    """Nothing can be announced or found on the LAN; the message says why."""


class Lan(Protocol):
    """The machines that hear each other without knowing an address."""

    async def announce(
        self,
        bind: str | None,
        posters: trio.MemoryReceiveChannel[Poster],
        announced: Callable[[], None],
    ) -> None:
        """Keep the newest of `posters` announced until there are no more, then withdraw it.

        `bind` is the only address that listens, if there is one. `announced` is called once others
        can find the table. Raise LanTrouble.
        """

    async def browse(self, seconds: float) -> tuple[FoundTable, ...]:
        """Return the tables that are found within `seconds`; raise LanTrouble."""


class MailboxTrouble(Exception):
    """A mailbox server is not there, or says what none says; the message is technical."""


class MailboxUnproven(MailboxTrouble):
    """It shows no certificate that this machine takes for its name."""


class MailboxFlooded(MailboxTrouble):
    """More is said at a number than is read of strangers; another number may be quiet."""


class Mailbox(Protocol):
    """One mailbox at a server, to which anybody may listen and add."""

    @property
    def seen_at(self) -> str:
        """Return where the server sees this process, as soon as it has said so."""

    async def hear(self) -> Heard:
        """Wait for what comes next, and return it; raise MailboxTrouble."""

    async def add(self, phase: str, body: bytes) -> None:
        """Add a message; raise MailboxTrouble."""

    async def clear(self) -> None:
        """Give the mailbox up for this side; raise MailboxTrouble."""


class Rendezvous(Protocol):
    """The two servers by which people far from each other meet."""

    @property
    def servers(self) -> Servers: ...

    def mailbox(self, side: str, number: int) -> AbstractAsyncContextManager[Mailbox]:
        """Open the mailbox of a number; raise MailboxTrouble."""

    async def wait_at_relay(self, place: RelayPlace) -> Connection:
        """Wait until another side comes there with the same token; raise CannotReach."""


class LogFile(Protocol):
    """An open log. It is only appended to."""

    def write(self, data: bytes) -> None:
        """Write `data`, which may be lost until the next `append`; raise FileTrouble, once."""

    async def append(self, data: bytes) -> None:
        """Write `data` and all before it to the disk; raise FileTrouble, once."""

    async def aclose(self) -> None: ...


class Disk(Protocol):
    """The files of this machine. Every call may raise FileTrouble."""

    def read(self, path: PurePath) -> bytes | None:
        """Return the content of a file; None if there is no such file."""

    async def write_secret(self, path: PurePath, data: bytes) -> None:
        """Write a new file on the disk, and its parents, that only its owner can read."""

    async def replace(self, path: PurePath, data: bytes) -> None:
        """Give a file new content, all of it or nothing; only its owner can read it."""

    async def create_log(self, path: PurePath, data: bytes) -> LogFile:
        """Make a new log that begins with `data`, and its parents."""

    async def reopen_log(self, path: PurePath, size: int) -> LogFile:
        """Open a log after its first `size` bytes; move the rest into a file beside it."""

    def newest(self, folder: PurePath) -> list[PurePath]:
        """Return the entries of a folder, last changed first; empty if there is no such folder."""

    async def share(self, path: PurePath, folder: PurePath, name: str, suffix: str) -> PurePath:
        """Return a second name of the file in `folder`, or a copy where links are impossible."""

    async def refresh(self, path: PurePath, shared: PurePath) -> bool:
        """Bring a copy of `share` up to date; return False if it was moved away meanwhile."""

    def lock(self, path: PurePath) -> bool:
        """Lock a file for the life of this process; return False if another one holds it."""

    def release(self, path: PurePath) -> None:
        """Give a lock back before the process ends; without the lock, do nothing."""

    def remove(self, path: PurePath) -> None: ...


def _time_of_run() -> float:
    import trio

    return trio.current_time()


def make_stand_in(level: str, entropy: bytes) -> Front:
    """Return what plays where no bots are installed, whatever the level."""
    from kotp2p.seams.commands import StandIn

    return StandIn()


@dataclass(frozen=True, slots=True)
class World:
    """The machine of one peer."""

    entropy: Callable[[int], bytes]
    """Return as many random bytes as it is asked for, fit for keys."""
    net: Net
    disk: Disk
    data: PurePath
    logs: PurePath
    profile: str
    today: Callable[[], str]
    wall_clock: Callable[[], float] = _time_of_run
    """Seconds of a clock that goes on while the machine sleeps. Only its jumps matter."""
    security: Security | None = None
    """None: links are bare streams, as within one process."""
    rendezvous: Rendezvous | None = None
    """None: a table that is opened here has no code."""
    lan: Lan | None = None
    """None: a table that is opened here is not announced."""
    make_bot: Callable[[str, bytes], Front] = make_stand_in
    """Make what plays a seat by itself, of a level; its entropy makes bots of one level differ."""
    program: tuple[str, str] = ("kotp2p", "")
    """Name and version of this program, for the first record of a log that it writes."""

    @property
    def profile_folder(self) -> PurePath:
        """Return the folder of the profile: its key, its name, and the keys that it has met."""
        return self.data / "profiles" / self.profile
