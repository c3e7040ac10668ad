"""The program, as a host that dies while it tells its guests that the game begins.

Run as `python -m tests.support.dying_host host …`: the first guest gets the genesis that all have
signed, the others get nothing more. The process dies as soon as the first guest has begun.
"""

import os

from kotp2p.cli.main import run
from kotp2p.net.connections import Connections
from kotp2p.net.links import FrameReceived
from kotp2p.shell.game_stage import GameStage
from kotp2p.shell.table_loop import Item
from kotp2p.wire.frames import Frame
from tests.support.lobby_room import ends_start

_send, _accept = Connections.send_frame, GameStage.accept_item
_told: list[int] = []


def _send_to_one(connections: Connections, number: int, frame: Frame) -> None:
    if not _told or (number == _told[0] and not ends_start(frame)):
        _send(connections, number, frame)
    if ends_start(frame) and not _told:
        _told.append(number)


def _die(stage: GameStage, item: Item, now: float) -> None:
    if isinstance(item, FrameReceived):
        os._exit(9)
    _accept(stage, item, now)


if __name__ == "__main__":
    Connections.send_frame = _send_to_one  # type: ignore[method-assign, assignment]
    GameStage.accept_item = _die  # type: ignore[method-assign, assignment]
    run()
