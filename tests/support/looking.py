"""Prints the tables of this network: `python -m tests.support.looking SECONDS`."""

import json
import os
import sys

import trio

from kotp2p.cli.text.how_to_join import format_address
from kotp2p.net.lan import lan_of_this_machine
from kotp2p.wire.addresses import FoundTable


def as_object(table: FoundTable) -> dict[str, object]:
    poster = table.poster
    address = format_address(table.addresses[0], poster.port)
    return {
        "host": poster.host, "seats": poster.seats, "free": poster.free, "port": poster.port,
        "numbers": list(table.numbers), "addresses": list(table.addresses),
        "join": f"kotp2p join {address}",
    }  # fmt: skip


def main() -> None:
    there = lan_of_this_machine(os.urandom)
    assert there is not None, "tables are looked for nowhere"
    tables = trio.run(there.browse, float(sys.argv[1]))
    print(json.dumps([as_object(table) for table in tables]))


if __name__ == "__main__":
    main()
