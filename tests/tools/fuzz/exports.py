"""JSON lines of logs under fuzz: mutated logs that are exported, and mutated lines.

A log that can be read comes back from its lines, byte by byte, however wrong it is. Lines that were
changed are refused, or tell the log that they told before.
"""

from __future__ import annotations

import json
import random
from typing import Any

from cli.export.back import NotALog, OtherLines, import_lines
from cli.export.lines import export_lines, pack_line
from kotp2p.recording.log_recording import record_log
from kotp2p.wire.records import Unreadable
from tests.support.log_bytes import short_log
from tests.tools.fuzz import seeds
from tests.tools.fuzz.logs import Logs, signatures_taken_for_good

STRANGE: tuple[object, ...] = (
    None, True, -1, 0, 1, 2**53, 2**64, 1.5, "", "00", "zz", "é", "\x1b[2J", [], {}, [[]],
)  # fmt: skip


def changed_lines(chance: random.Random, count: int) -> int:
    """Half of them logs with mutations, half of them lines with mutations."""
    logs = Logs(seeds.logs(), chance)
    data = short_log()
    right = list(map(pack_line, export_lines(record_log(data))))
    taken = 0
    for n in range(count):
        if n % 2:
            taken += comes_back(
                logs.bytes_changed(data) if n % 4 == 1 else _wrong_log(logs, chance)
            )
        else:
            taken += tells(_changed(right, chance), data)
    return taken


def _wrong_log(logs: Logs, chance: random.Random) -> bytes:
    with signatures_taken_for_good():
        return logs.body_changed(chance.randrange(2))


def comes_back(data: bytes) -> bool:
    try:
        lines = list(map(pack_line, export_lines(record_log(data))))
    except Unreadable:
        return False
    assert import_lines(lines) == data
    return True


def tells(lines: list[str], data: bytes) -> bool:
    try:
        made = import_lines(lines)
    except (NotALog, OtherLines):
        return False
    assert made == data
    return True


def _changed(lines: list[str], chance: random.Random) -> list[str]:
    found = list(lines)
    at, other = chance.randrange(len(found)), chance.randrange(len(found))
    match chance.randrange(6):
        case 0:
            del found[at]
        case 1:
            found.insert(other, found[at])
        case 2:
            found[at], found[other] = found[other], found[at]
        case 3:
            line = found[at]
            place = chance.randrange(len(line))
            found[at] = line[:place] + chance.choice('0a"{}[],\\') + line[place + 1 :]
        case _:
            value = json.loads(found[at])
            _put_strange(value, chance)
            found[at] = json.dumps(value)
    return found


def _put_strange(value: Any, chance: random.Random) -> None:
    """Something else at one place, however deep."""
    places = list(value) if isinstance(value, dict) else list(range(len(value)))
    place = chance.choice(places)
    if isinstance(value[place], dict | list) and value[place] and chance.random() < 0.8:
        _put_strange(value[place], chance)
    else:
        value[place] = chance.choice(STRANGE)
