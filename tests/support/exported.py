"""The bytes of a log from the JSON lines of `kotp2p export --json`, as docs/FORMATS.md has them."""

import json
from collections.abc import Iterable

from kotp2p.cli.extras.forms.lines import KINDS
from kotp2p.wire.entries import Signed
from kotp2p.wire.records import pack_head, pack_record

KINDS_BY_NAME = {name: kind for kind, name in KINDS.items()}


def log_of_lines(texts: Iterable[str]) -> bytes:
    data, salt, index = b"", b"", 0
    for line in map(json.loads, texts):
        match line:
            case {"line": "log", "salt": str(text)}:
                salt = bytes.fromhex(text)
                data = pack_head(salt)
            case {"line": "record", "kind": str(kind), "body": str(body), "signature": str(signed)}:
                one = Signed(KINDS_BY_NAME[kind], bytes.fromhex(body), bytes.fromhex(signed))
                data += pack_record(salt, index, one)
                index += 1
            case {"line": "rest", "bytes": str(text)}:
                data += bytes.fromhex(text)
            case _:  # said of these bytes, and made of them
                pass
    return data
