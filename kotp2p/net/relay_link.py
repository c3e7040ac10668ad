"""A connection through a transit relay: from a token to a byte stream to the other side.

Scope: dialling the relay, its two lines, and the stream behind them, which is one more byte stream
under our TLS.
Not here: which tokens there are (`kotp2p.rendezvous.relay`, `kotp2p.net.code_desk`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from math import inf

import trio

from kotp2p.rendezvous.relay import (
    PLACE_OF_RELAYED,
    RelayFault,
    RelayPlace,
    read_answer,
    request_line,
)
from kotp2p.rendezvous.servers import relay_target
from kotp2p.seams.world import CannotReach, Connection

RELAY_GONE, RELAY_SILENT, RELAY_REFUSES = "relay-gone", "relay-silent", "relay-refuses"
"""Why a relay carries nothing: it is not there; the other side is not; it says no."""


async def meet_at_relay(
    dial: Callable[[str, int], Awaitable[Connection]],
    place: RelayPlace,
    side: bytes,
    seconds: float = inf,
) -> Connection:
    """Waits at the relay until the other side is there, for so long. `dial` reaches machines.
    Raises CannotReach."""
    try:
        carrier = await dial(*relay_target(place.relay))
    except CannotReach as fault:
        raise CannotReach(RELAY_GONE, fault.detail) from fault
    stream = carrier.stream
    is_met = False
    try:
        with trio.move_on_after(seconds):
            await stream.send_all(request_line(place.token, side))
            answer = b""
            while not read_answer(answer):
                got = bytes(await stream.receive_some(1))  # nothing of what follows is taken
                if not got:
                    raise CannotReach(RELAY_REFUSES, "it closed without a word")
                answer += got
            is_met = True
            return Connection(stream, PLACE_OF_RELAYED)
        raise CannotReach(RELAY_SILENT, "the other side did not come")
    except RelayFault as fault:
        raise CannotReach(RELAY_REFUSES, str(fault)) from fault
    except (trio.BrokenResourceError, trio.ClosedResourceError) as fault:
        raise CannotReach(RELAY_REFUSES, str(fault)) from fault
    finally:
        if not is_met:
            with trio.CancelScope(shield=True):
                await trio.aclose_forcefully(stream)
