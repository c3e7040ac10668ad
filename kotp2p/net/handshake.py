"""The handshake of a link: TLS, hellos, proofs; from a connection to a `Link` (PROTOCOL.md 4)."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

import trio

from kotp2p.net.entrance import DialledStream, NoRoom, say_no_room
from kotp2p.net.links import LINK, FrameReader, Link, LinkState, LinkStep
from kotp2p.referee.box.rulesets import RULES_VERSION
from kotp2p.seams.cores import Phase
from kotp2p.seams.world import Connection, HungUp, NotLetIn, NotTls, Security
from kotp2p.wire import frames
from kotp2p.wire.crypto import Signer, Tag, is_valid_signature
from kotp2p.wire.encoding import MAX_FRAME_BYTES, BadBytes, pack
from kotp2p.wire.entries import Signed
from kotp2p.wire.genesis import PROTOCOL_VERSION

HANDSHAKE_SECONDS = 10.0


class LinkFault(Exception):
    """The other side does not speak this protocol, or broke off."""


class ClosedSilently(LinkFault):
    """The other side has closed without a word, as a table does with too many in a second."""


class TableBusy(LinkFault):
    """The other side is a table with no room for one more connection at the moment."""


class NotInvited(LinkFault):
    """The other side is a table, and not one to which our secret opens the door."""


class Refused(Exception):
    """The other side, or this one, will not go on."""

    def __init__(self, refusal: frames.Refusal) -> None:
        super().__init__(refusal.text)
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class OwnSide:
    security: Security | None
    """None: a bare stream, as within one process."""
    secret: bytes
    signer: Signer
    hello: frames.Hello
    own_pass: str = ""
    """What a side that dials shows first (`kotp2p.net.entrance`); empty if it has none."""

    async def secure(self, connection: Connection, dialled: bool) -> Connection:
        """Return the connection under TLS; raise NotTls, NotLetIn, or what the stream raises."""
        if self.security is None:
            return connection
        return await self.security.wrap(connection, self.secret, dialled, self.own_pass)


def make_hello(
    signer: Signer,
    instance: bytes,
    table: bytes,
    nonce: bytes,
    role: frames.HelloRole = frames.HelloRole.PLAYER,
) -> frames.Hello:
    return frames.Hello(
        PROTOCOL_VERSION, RULES_VERSION, int(role), instance, table, signer.key, nonce
    )


def make_refusal(why: frames.RefusalCode, words: str) -> frames.Refusal:
    return frames.Refusal(int(why), PROTOCOL_VERSION, RULES_VERSION, words)


async def shake_hands(
    connection: Connection,
    own: OwnSide,
    dialled: bool,
    number: int,
    admit: Callable[[frames.Hello], frames.Refusal | None],
) -> Link:
    """Prove both keys over a new connection (PROTOCOL.md 4).

    `admit` may refuse what the other side says of itself before anything is proved. Raise LinkFault
    or Refused; the stream is closed then.
    """
    phase = Phase.at_start(LINK)
    bare = DialledStream(connection.stream) if dialled else connection.stream
    connection = replace(connection, stream=bare)
    try:
        link = await _greet(connection, own, dialled, number, admit, phase)
        if isinstance(bare, DialledStream):
            bare.is_let_in = True
        return link
    except trio.Cancelled:
        if not dialled:  # its place is needed for another one
            await say_no_room(bare)
        raise
    except NoRoom as fault:
        raise TableBusy(str(fault)) from fault
    except NotLetIn as fault:
        raise NotInvited(str(fault)) from fault
    except HungUp as fault:
        raise ClosedSilently(str(fault)) from fault
    except (NotTls, BadBytes, trio.TooSlowError, trio.BrokenResourceError) as fault:
        raise LinkFault(str(fault)) from fault
    finally:
        if phase.state is not LinkState.OPEN:
            phase.move(LinkStep.ENDED)
            # Shielded: also a handshake that is cancelled gives its socket back.
            with trio.CancelScope(shield=True):
                await trio.aclose_forcefully(connection.stream)


async def _greet(
    connection: Connection,
    own: OwnSide,
    dialled: bool,
    number: int,
    admit: Callable[[frames.Hello], frames.Refusal | None],
    phase: Phase[LinkState, LinkStep],
) -> Link:
    """Take the steps of `shake_hands`, each in its phase; raise what that raises."""
    # One limit for the whole handshake: a stranger that sends a byte now and then must not
    # keep a place among the few that are open at a time.
    with trio.fail_after(HANDSHAKE_SECONDS):
        secured = await own.secure(connection, dialled)
        phase.move(LinkStep.SECURED)
        reader = FrameReader(secured.stream, frames.MAX_HELLO_BYTES)
        try:
            theirs = await _exchange_hellos(secured.stream, reader, own, dialled, admit)
            phase.move(LinkStep.GREETED)
            await _exchange_proofs(secured, reader, own, theirs, dialled)
        except Refused as fault:
            if not dialled:
                # Shielded, but for a second only: the other side should read why.
                with trio.move_on_after(1, shield=True):
                    await _try_sending(secured.stream, frames.encode(fault.refusal))
            raise
        phase.move(LinkStep.PROVED)
    # Until here a frame was as short as a hello: nothing larger is read for a stranger.
    reader.decoder.limit = MAX_FRAME_BYTES
    return Link(
        number, theirs, dialled, secured.address, secured.stream, reader, phase, secured.local
    )


async def _try_sending(stream: trio.abc.Stream, data: bytes) -> None:
    try:
        await stream.send_all(data)
        if isinstance(stream, trio.abc.HalfCloseableStream):
            await stream.send_eof()
        await stream.receive_some(1)
    except (trio.BrokenResourceError, trio.ClosedResourceError):
        pass


async def _exchange_hellos(
    stream: trio.abc.Stream,
    reader: FrameReader,
    own: OwnSide,
    dialled: bool,
    admit: Callable[[frames.Hello], frames.Refusal | None],
) -> frames.Hello:
    # The side that dialled speaks first, so that a listener reveals nothing of itself to strangers.
    if dialled:
        await stream.send_all(frames.encode(own.hello))
    theirs = await _expect_hello(reader, dialled)
    refusal = admit(theirs)
    if dialled and theirs.role == frames.HelloRole.WATCHER:
        refusal = make_refusal(frames.RefusalCode.BAD, "a watcher only dials")
    if refusal is not None:
        raise Refused(refusal)
    if not dialled:
        await stream.send_all(frames.encode(own.hello))
    return theirs


async def _exchange_proofs(
    connection: Connection, reader: FrameReader, own: OwnSide, theirs: frames.Hello, dialled: bool
) -> None:
    """Send this side's proof, and check the other's; raise BadBytes if it is wrong."""
    # Each side signs both hellos and the certificates of this connection, so that a proof is of no
    # use on any other one; and which side it is, so that it cannot be sent back.
    dialler, listener = (own.hello, theirs) if dialled else (theirs, own.hello)
    said, heard = (
        pack((by_dialler, connection.binding, dialler.value(), listener.value()))
        for by_dialler in (dialled, not dialled)
    )
    await connection.stream.send_all(
        frames.encode(frames.LinkProof(own.signer.sign(Tag.HELLO, said)))
    )
    proof = _expect_frame(await _expect_body(reader), frames.LinkProof)
    if not is_valid_signature(theirs.key, Tag.HELLO, heard, proof.signature):
        raise BadBytes("a proof that is not its key's")


async def _expect_hello(reader: FrameReader, dialled: bool) -> frames.Hello:
    """Return the HELLO of the other side; raise Refused for any form of another version."""
    body = await _expect_body(reader)
    versions = frames.read_hello_versions(body)
    if versions is not None and versions != (PROTOCOL_VERSION, RULES_VERSION):
        # A listener sends its refusal. A dialler keeps it, with the versions of the other side, as
        # if that side had refused.
        said = versions if dialled else (PROTOCOL_VERSION, RULES_VERSION)
        raise Refused(frames.Refusal(int(frames.RefusalCode.VERSION), *said, "another version"))
    return _expect_frame(body, frames.Hello)


async def _expect_body(reader: FrameReader) -> bytes:
    body = await reader.next_body()
    if body is None:
        raise BadBytes("broke off in the handshake")
    return body


_H = TypeVar("_H", frames.Hello, frames.LinkProof)


def _expect_frame(body: bytes, kind: type[_H]) -> _H:
    frame = frames.decode(body)
    if isinstance(frame, frames.Refusal):
        raise Refused(frame)
    if not isinstance(frame, kind):
        # The annotation names all that may come too early: a new HandshakeFrame needs a place here.
        _stray: (
            Signed | frames.Hello | frames.LinkProof | frames.LobbyFrame | frames.GameFrame | None
        ) = frame
        raise BadBytes("not the frame that is due in the handshake")
    return frame
