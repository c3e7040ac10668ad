"""`kotp2p find`, and `kotp2p join` without an address: the tables on this network as lines.

Known limitation: any machine on the network may announce any table. A name is shown with the
address that a link would go to and never replaces it. Only joining proves that a table is there.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence

import trio

from cli.commands.person import Person
from cli.commands.play import join
from cli.commands.player_process import SIGNALS
from cli.system.exit_codes import Exit
from cli.system.output import Output
from cli.text.i18n import _, ascii_digits
from cli.text.join_target import format_address
from cli.ui.stdin import CHUNK_BYTES, is_terminal
from kotp2p.net import lan
from kotp2p.wire.announcements import MAX_FOUND_TABLES, FoundTable
from kotp2p.wire.genesis import PROTOCOL_VERSION
from kotp2p.wire.names import are_alike
from kotp2p.world import Lan, LanTrouble
from referee.box.rulesets import RULES_VERSION

JOIN_LOOKS_SECONDS = 3
"""How long `join` without an address looks for tables."""


def find_tables(seconds: int, as_json: bool) -> int:
    output = Output.standard(as_json=as_json, terminal=is_terminal())
    tables = _look_for_tables(seconds, output)
    if as_json:
        output.write_document(json.dumps([_table_as_object(table) for table in tables]))
    else:
        for table in tables:
            _print_table(_describe(table, tables), table, output)
    if not tables:
        return Exit.NOTHING_FOUND
    return Exit.DONE


def join_found(person: Person) -> int:
    """Sits down at the only table that takes a guest; asks which if there are several."""
    terminal = is_terminal()
    output = Output.standard(as_json=person.as_json, terminal=terminal)
    tables = _look_for_tables(JOIN_LOOKS_SECONDS, output)
    able = [table for table in tables if table.poster.takes_guests]
    if not able:
        for table in tables:
            _print_table(_describe(table, tables), table, output)
        if tables:
            output.note_line(_("None of these tables takes you in. To open your own: kotp2p host"))
        return Exit.NOTHING_FOUND
    if len(able) == 1:
        output.say_line(_describe(able[0], tables)[0])
        output.say_unbroken(f"kotp2p join {_join_address(able[0])}")
        return join(person, _join_address(able[0]))
    for number, table in enumerate(able, 1):
        first, *rest = _describe(table, tables)
        _print_table([f"{number}. {first}" if terminal else first, *rest], table, output)
    if not terminal:
        output.note_line(_("There are several tables: type one of these commands."))
        return Exit.USAGE
    number = _ask_number(len(able), output)
    if not number:
        output.note_line(_("You have not sat down."))
        return Exit.DONE
    return join(person, _join_address(able[number - 1]))


def _look_for_tables(seconds: int, output: Output) -> Sequence[FoundTable]:
    """The tables that are found; if there is none, it is said what to try."""
    try:
        there = lan.lan_of_this_machine(os.urandom)
        if there is None:
            raise LanTrouble(f"{lan.INTERFACES_VARIABLE} is empty")
        tables = trio.run(_browse, there, seconds, output)
    except LanTrouble as fault:
        output.note_line(_("This machine cannot look for tables: {fault}.", fault=fault))
        tables = ()
    else:
        if not tables:
            output.note_line(_("No table was found."))
        if len(tables) == MAX_FOUND_TABLES:
            output.note_line(_("There may be more than these {n}. With the address of a table you "
                          "need no list: kotp2p join ADDRESS", n=MAX_FOUND_TABLES))  # fmt: skip
    if not tables:
        output.note_line(_("You can always join a table by the address on its host's screen: "
                           "kotp2p join ADDRESS"))  # fmt: skip
        output.note_line(_("It may be on another network or started with --no-lan; guest Wi-Fi, "
                           "a VPN or a firewall (UDP port 5353) may hide it."))  # fmt: skip
        output.note_line(_("To open your own table: kotp2p host"))
    return tables


async def _browse(there: Lan, seconds: int, output: Output) -> Sequence[FoundTable]:
    """Raises LanTrouble, and SystemExit after a signal."""
    found: Sequence[FoundTable] = ()
    trouble: LanTrouble | None = None
    ended = 0
    with trio.open_signal_receiver(*SIGNALS) as signals:
        output.note_line(_("Looking for tables on this network for {n} s.", n=seconds))
        async with trio.open_nursery() as nursery:

            async def watch_signals() -> None:
                nonlocal ended
                async for number in signals:
                    ended = number
                    nursery.cancel_scope.cancel()

            nursery.start_soon(watch_signals)
            try:
                found = await there.browse(seconds)
            except LanTrouble as fault:
                trouble = fault
            nursery.cancel_scope.cancel()
    if ended:
        raise SystemExit(128 + ended)
    if trouble is not None:
        raise trouble
    return found


def _ask_number(count: int, output: Output) -> int:
    """The number that was typed; 0 at the end of the input."""
    while True:
        output.say_line(_("Which table? Type its number."))
        output.show_prompt()
        try:
            chunk = os.read(0, CHUNK_BYTES)
        except OSError:  # the terminal is gone
            chunk = b""
        if not chunk:
            return 0
        text = ascii_digits(chunk.decode("utf-8", "replace")).strip()
        output.echo_line(text)
        if text.isascii() and text.isdigit() and len(text) < 4 and 1 <= int(text) <= count:
            return int(text)


def _join_address(table: FoundTable) -> str:
    return format_address(table.addresses[0], table.poster.port)


def _print_table(lines: Sequence[str], table: FoundTable, output: Output) -> None:
    for line in lines:
        output.say_line(line)
    output.say_unbroken(f"  kotp2p join {_join_address(table)}")


def _describe(table: FoundTable, among: Sequence[FoundTable]) -> list[str]:
    poster = table.poster
    lines = [
        _("{host}'s table: {rules} rules, {taken} of {seats} seats taken.", host=poster.host,
          rules=poster.rules, taken=poster.seats - poster.free, seats=poster.seats)
    ]  # fmt: skip
    if (poster.protocol, poster.rules_version) != (PROTOCOL_VERSION, RULES_VERSION):
        lines.append(
            _("   It plays another kotp2p: version {theirs}, you have {ours}.",
              theirs=f"{poster.protocol}.{poster.rules_version}",
              ours=f"{PROTOCOL_VERSION}.{RULES_VERSION}")
        )  # fmt: skip
    elif not poster.open:
        lines.append(_("   Its game is about to begin."))
    elif not poster.free:
        lines.append(_("   No seat is free."))
    if sum(are_alike(other.poster.host, poster.host) for other in among) > 1:
        lines.append(
            _("   Other tables have the same name, or one that looks like it: compare the "
              "address with the host's screen.")
        )  # fmt: skip
    return lines


def _table_as_object(table: FoundTable) -> dict[str, object]:
    poster = table.poster
    return {
        "host": poster.host,
        "rules": poster.rules,
        "seats": poster.seats,
        "free": poster.free,
        "open": poster.open,
        "joinable": poster.takes_guests,
        "protocol": poster.protocol,
        "rules_version": poster.rules_version,
        "addresses": list(table.addresses),
        "port": poster.port,
        "join": f"kotp2p join {_join_address(table)}",
    }
