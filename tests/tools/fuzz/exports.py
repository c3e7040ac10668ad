"""Mutated logs that are exported: what can be read comes back byte by byte, however wrong."""

import random

from kotp2p.cli.extras.forms.lines import export_lines, pack_line
from kotp2p.extras.recording import record_log
from kotp2p.wire.records import Unreadable
from tests.support.exported import log_of_lines
from tests.support.log_bytes import short_log
from tests.tools.fuzz import seeds
from tests.tools.fuzz.logs import Logs, signatures_taken_for_good


def changed_logs(chance: random.Random, count: int) -> int:
    """Export logs, half of them with other bytes, half of them with another body."""
    logs = Logs(seeds.logs(), chance)
    data = short_log()
    return sum(
        comes_back(logs.bytes_changed(data) if n % 2 else _wrong_log(logs, chance))
        for n in range(count)
    )


def _wrong_log(logs: Logs, chance: random.Random) -> bytes:
    with signatures_taken_for_good():
        return logs.body_changed(chance.randrange(2))


def comes_back(data: bytes) -> bool:
    try:
        lines = list(map(pack_line, export_lines(record_log(data))))
    except Unreadable:
        return False
    assert log_of_lines(lines) == data
    return True
