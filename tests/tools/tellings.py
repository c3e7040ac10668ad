"""Writes anew what is told of some logs: only after a change that is meant.

    python -m tests.tools.tellings [--show LOG]

What a recording says of each moment and draw, and what a watcher does that loses its source and
meets another log, is kept as a digest. `--show` prints it all, to be compared with what it was.
"""

import json
import re
from collections.abc import Iterator
from hashlib import sha256

from kotp2p.extras.recording import explain_draws, facts_of_log, record_log, tell_log
from kotp2p.extras.watching.watcher import Watcher
from kotp2p.seams.notices import SeatView
from kotp2p.wire.frames import Admitted, Closed, LogPart, Ping
from tests.support.paths import ROOT
from tests.support.recorded import vector_log
from tests.support.tool_line import tool_parser

RECORDED = ROOT / "tests" / "kotp2p" / "extras" / "recording" / "tellings.json"
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def digest_of(name: str) -> str:
    return sha256("\n".join(told(name)).encode()).hexdigest()[:16]


def told(name: str) -> Iterator[str]:
    """All that a log makes happen, without the addresses of objects."""
    data = vector_log(name)
    for line in (*_told_by_recording(data), *_told_to_watcher(data, False),
                 *_told_to_watcher(data, True)):  # fmt: skip
        yield _ADDRESS.sub("", repr(line))


def _told_by_recording(data: bytes) -> Iterator[object]:
    yield facts_of_log(data)
    log = record_log(data)
    if (found := log.recording) is None:
        return
    for moment in found.moments:
        yield moment, found.keepers_after(moment.number, found.game_behind(moment.number).state)
    yield found.falls, [found.find_turn(turn) for turn in range(found.turns + 2)]
    yield from explain_draws(log, found.last // 4, found.last)
    view = SeatView(0, found.genesis.players, found.game_behind(0), found.genesis.phrase)
    for notice in tell_log(data, view):
        yield notice, notice.view.game.digest()


def _told_to_watcher(data: bytes, from_start: bool) -> Iterator[object]:
    """A source in three lives: it breaks off, goes on, and then has another log."""
    watcher, half = Watcher(from_start), len(data) // 2
    other = next(log for log in map(vector_log, ("witness", "kept")) if log != data)
    lives = [(data, 0, half, half // 2), (data, half, len(data) - 9, half + 99)]
    for life, (log, begin, end, goal) in enumerate([*lives, (other, 0, len(other), 99_999)]):
        now = 200.0 * life
        watcher.receive_frame(Ping(), now)
        watcher.link_up(now, other[:life])
        watcher.receive_frame(Admitted(goal, life == 1), now)
        for at in range(begin, end, 3000):
            now += 1.5
            watcher.receive_frame(LogPart(at, log[at : min(end, at + 3000)]), now)
            watcher.tick(now)
            while watcher.read_on():
                yield watcher.take_effects(), watcher.game.waiting(), watcher.deadline
        watcher.link_down(now)
        watcher.tick(now + 118 + life)
        yield watcher.take_effects(), watcher.game.end_notices(), watcher.is_over
    watcher.receive_frame(Closed(0), 900.0)
    yield watcher.take_effects()


def main() -> None:
    parser = tool_parser("tests.tools.tellings", __doc__)
    parser.add_argument("--show", metavar="LOG", help="print what is told of one log")
    if shown := parser.parse_args().show:
        print(*told(shown), sep="\n")
        return
    known = {name: digest_of(name) for name in json.loads(RECORDED.read_text())}
    RECORDED.write_text(json.dumps(known, indent=1) + "\n")


if __name__ == "__main__":
    main()
