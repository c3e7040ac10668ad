"""`join` or `watch` without an address or by a table's name: the tables on this network as lines.

Known limitation: any machine on the network may announce any table, with any name. A name is shown
with the address that a link would go to and never replaces it. Only joining proves that a table is
there.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from difflib import get_close_matches
from enum import StrEnum

import trio

from kotp2p.cli.commands.person import Person
from kotp2p.cli.commands.play import join
from kotp2p.cli.commands.player_process import SIGNALS
from kotp2p.cli.system.output import Exit, Output
from kotp2p.cli.text.i18n import _, ascii_digits, list_with_or
from kotp2p.cli.text.join_target import format_address
from kotp2p.cli.text.own_command import typeable
from kotp2p.cli.text.registered import Hint, wing
from kotp2p.cli.ui.stdin import CHUNK_BYTES, is_terminal
from kotp2p.net import lan
from kotp2p.net.listener import ANYWHERE, ListenAt
from kotp2p.referee.box.rulesets import RULES_VERSION
from kotp2p.wire.addresses import MAX_FOUND_TABLES, FoundTable
from kotp2p.wire.genesis import PROTOCOL_VERSION
from kotp2p.wire.names import are_alike
from kotp2p.world import Lan, LanTrouble


class Aim(StrEnum):
    """What a table is looked for; as the command is called."""

    JOIN = "join"
    WATCH = "watch"


JOIN_LOOKS_SECONDS = 3
"""How long `join` looks for tables."""
NEAR_NAME_RATIO = 0.8
"""How much a typed name must have in common with one that is there, of 1, to be a slip of it."""


def join_found(person: Person, name: str = "", here: ListenAt = ANYWHERE) -> int:
    """Sits down at a table of this network."""
    found = choose_table(Aim.JOIN, name, as_json=person.as_json)
    return found if isinstance(found, Exit) else join(person, found, here)


def choose_table(aim: Aim, name: str = "", *, as_json: bool = False) -> str | Exit:
    """The address of the only table that can be taken; asks which if there are several. With the
    name of a table, only those that bear it count, and of several one is chosen also if only one
    can be taken: it need not be the one that is meant."""
    terminal = is_terminal()
    output = Output.standard(as_json=as_json, terminal=terminal)
    around = _look_for_tables(JOIN_LOOKS_SECONDS, output)
    if around is None or not (around or name):
        _say_what_to_try(output, around, aim)
        return Exit.NOTHING_FOUND
    tables = [table for table in around if not name or name in table.names]
    if not tables:
        output.note_line(_explain_no_table(name, around, aim))
        return Exit.NOTHING_FOUND
    able = [table for table in tables if _is_able(table, aim)]
    if not able:
        for table in tables:
            _print_table(_describe(table, around), table, around, output, aim)
        output.note_line(
            _(
                "None of these tables takes you in. To open your own: {command}",
                command=typeable("kotp2p host"),
            )
        )
        return Exit.NOTHING_FOUND
    if len(able) == 1 and not (name and len(tables) > 1):
        output.say_line(_describe(able[0], around)[0])
        output.say_unbroken(typeable(f"kotp2p {aim} {_join_address(able[0])}"))
        if name:
            output.note_line(_explain_name())
        return _join_address(able[0])
    for table in tables if name else ():
        if table not in able:
            _print_table(_describe(table, around), table, around, output, aim)
    for number, table in enumerate(able, 1):
        first, *rest = _describe(table, around)
        lines = [f"{number}. {first}" if terminal else first, *rest]
        _print_table(lines, table, around, output, aim)
    if not terminal:
        output.note_line(_("There are several tables: type one of these commands."))
        return Exit.USAGE
    number = _ask_number(len(able), output)
    if not number:
        output.note_line(
            _("You have not sat down.") if aim is Aim.JOIN else _("You watch none of them.")
        )
        return Exit.DONE
    return _join_address(able[number - 1])


def _is_able(table: FoundTable, aim: Aim) -> bool:
    """Whether it takes this person, as far as it tells: not whether it lets anybody watch."""
    poster = table.poster
    is_same = (poster.protocol, poster.rules_version) == (PROTOCOL_VERSION, RULES_VERSION)
    return poster.takes_guests if aim is Aim.JOIN else is_same


def _look_for_tables(seconds: int, output: Output) -> Sequence[FoundTable] | None:
    """The tables that are found. None if this machine cannot look; it is said why."""
    try:
        there = lan.lan_of_this_machine(os.urandom)
        if there is None:
            raise LanTrouble(f"{lan.INTERFACES_VARIABLE} is empty")
        tables = trio.run(_browse, there, seconds, output)
    except LanTrouble as fault:
        output.note_line(_("This machine cannot look for tables: {fault}.", fault=fault))
        return None
    if len(tables) == MAX_FOUND_TABLES:
        output.note_line(_("There may be more than these {n}. With the address of a table you "
                           "need no list: {command}", n=MAX_FOUND_TABLES,
                           command=typeable("kotp2p join ADDRESS")))  # fmt: skip
    return tables


def _say_what_to_try(
    output: Output, tables: Sequence[FoundTable] | None, aim: Aim = Aim.JOIN
) -> None:
    """No table was found; None: nor could it be."""
    if tables is not None:
        output.note_line(_("No table was found."))
    if aim is Aim.JOIN:
        output.note_line(_("You can always join a table by the address on its host's screen: "
                           "{command}", command=typeable("kotp2p join ADDRESS")))  # fmt: skip
    else:
        output.note_line(_("Once its game has begun, a table is found by the address on its "
                           "host's screen alone: {command}",
                           command=typeable("kotp2p watch ADDRESS")))  # fmt: skip
    output.note_line(_("It may be on another network or started with --no-lan; guest Wi-Fi, "
                       "a VPN or a firewall (UDP port 5353) may hide it."))  # fmt: skip
    output.note_line(_("To open your own table: {command}", command=typeable("kotp2p host")))


def _explain_name() -> str:
    return _(
        "Two words only find a table, and anybody here can announce them. Compare the table phrase "
        "with the others when the game begins."
    )


def _explain_no_table(name: str, around: Sequence[FoundTable], aim: Aim) -> str:
    """No table here is called so."""
    there = [one for table in around for one in table.names]
    near = get_close_matches(name, there, n=1, cutoff=NEAR_NAME_RATIO)
    if near:
        return _("No table called {name} was found on this network; near to it: "
                 "{command}", name=name,
                 command=typeable(f"kotp2p {aim} {near[0]}"))  # fmt: skip
    if aim is Aim.WATCH:
        return _("No table called {name} was found on this network within {n} s: check both "
                 "words. Once its game has begun, a table has no name any more: type {watch} with "
                 "the address on the host's screen.", name=name, n=JOIN_LOOKS_SECONDS,
                 watch=typeable("kotp2p watch ADDRESS"))  # fmt: skip
    said = _("No table called {name} was found on this network within {n} s: check both words, or "
             "type {join} with the address on the host's screen.", name=name,
             n=JOIN_LOOKS_SECONDS, join=typeable("kotp2p join ADDRESS"))  # fmt: skip
    return f"{said} {wing().say(Hint.NO_TABLE)}".rstrip()


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


def _print_table(
    lines: Sequence[str],
    table: FoundTable,
    among: Sequence[FoundTable],
    output: Output,
    aim: Aim = Aim.JOIN,
) -> None:
    for line in lines:
        output.say_line(line)
    if len(table.names) == 1 and not _shares_name(table, among):
        output.say_unbroken("  " + typeable(f"kotp2p {aim} {table.names[0]}"))
    output.say_unbroken("  " + typeable(f"kotp2p {aim} {_join_address(table)}"))


def _shares_name(table: FoundTable, among: Sequence[FoundTable]) -> bool:
    return any(other is not table and set(other.names) & set(table.names) for other in among)


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
    if table.names:
        names = list_with_or([one.upper() for one in table.names])
        lines.insert(1, _("   On this network it is called {names}.", names=names))
    if _shares_name(table, among):
        lines.append(
            _("   Another table is called the same: compare the address with the host's screen.")
        )
    elif sum(are_alike(other.poster.host, poster.host) for other in among) > 1:
        lines.append(
            _("   Other tables have the same name, or one that looks like it: compare the "
              "address with the host's screen.")
        )  # fmt: skip
    return lines
