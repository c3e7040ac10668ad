"""`kotp2p join`: where the table comes from.

Known limitation: any machine on the network may announce any table. Only joining proves that a
table is there.
"""

import os
import re
import sys
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any

import trio

from kotp2p.cli.commands import one_game
from kotp2p.cli.commands.person import Person
from kotp2p.cli.commands.play import join
from kotp2p.cli.system.config import ConfigFault, load_config
from kotp2p.cli.system.output import Exit, Output, wants_screen
from kotp2p.cli.text.how_to_join import BadAddress, format_address, read_pasted
from kotp2p.cli.text.i18n import _, ascii_digits, typeable
from kotp2p.cli.ui.plain import CHUNK_BYTES, is_terminal, read_one_line
from kotp2p.net import lan
from kotp2p.net.connections import ListenAt
from kotp2p.referee.box.rulesets import RULES_VERSION
from kotp2p.rendezvous.words import code_words
from kotp2p.seams.world import Lan, LanTrouble
from kotp2p.wire.addresses import MAX_FOUND_TABLES, FoundTable
from kotp2p.wire.genesis import PROTOCOL_VERSION
from kotp2p.wire.names import are_alike

# -- join ----------------------------------------------------------------------------------


ASK_FOR_TARGET = "-"


def run_join(
    *, address: list[str] | None, bind: str | None, port: int | None, **person: Any
) -> int:
    """Run `kotp2p join` with its flags; `person` holds those of the player.

    `address` is a code, an address or a link. `-` reads one of these from the input, so that it
    appears in no list of processes. Without it, search this network for tables.
    """
    player = Person(**person)
    try:
        target = " ".join(address or [])
        target = ask_for_target() if target == ASK_FOR_TARGET else target
    except BadAddress as fault:
        return Output.standard().refuse(fault)
    if not target:
        found = choose_table(Aim.JOIN, as_json=player.as_json)
        if isinstance(found, Exit):
            return found
        target = found
    return join(player, target, ListenAt(bind, port))


def ask_for_target() -> str:
    """Read a target, or the command with it, from a line of the input; raise BadAddress."""
    sys.stderr.write(_("The code or the address of the table, or a link:"))
    sys.stderr.write("\n")
    sys.stderr.flush()
    try:
        target = read_pasted(read_completed("", lambda _question: read_one_line(0)))
    except EOFError:
        target = ""
    if not target:
        raise BadAddress(_("No address was given."))
    return target


def read_completed(question: str, read: Callable[[str], str]) -> str:
    """Read a line with Tab for the words of a code, or by `read` where only lines are wanted."""
    try:
        is_plain = load_config().is_on("plain")
    except ConfigFault:  # the command that follows says so
        is_plain = True
    if not wants_screen(is_terminal(), plain=is_plain):
        return read(question)
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import WordCompleter
    from prompt_toolkit.output import create_output

    ends = WordCompleter(list(code_words()), ignore_case=True, pattern=re.compile(r"[^\s\-]+"))
    output = create_output()
    # It would complain of a terminal that does not tell where its cursor is.
    output.enable_cpr = False  # type: ignore[attr-defined]  # of the outputs that have it
    line = PromptSession[str](completer=ends, complete_while_typing=False, output=output)
    return line.prompt(question)


# -- the tables on this network as lines ---------------------------------------------------


class Aim(StrEnum):
    """The purpose of a search for tables, named as its command."""

    JOIN = "join"
    WATCH = "watch"


JOIN_LOOKS_SECONDS = 3


def choose_table(aim: Aim, *, as_json: bool = False) -> str | Exit:
    """Return the address of the only table that can be taken, or ask which of several."""
    terminal = is_terminal()
    output = Output.standard(as_json=as_json, terminal=terminal)
    around = _look_for_tables(JOIN_LOOKS_SECONDS, output)
    if not around:
        _say_what_to_try(output, around, aim)
        return Exit.NOTHING_FOUND
    able = [table for table in around if _is_able(table, aim)]
    if not able:
        for table in around:
            _print_table(_describe(table, around), table, output, aim)
        output.note_line(
            _(
                "None of these tables takes you in. To open your own: {command}",
                command=typeable("kotp2p host"),
            )
        )
        return Exit.NOTHING_FOUND
    if len(able) == 1:
        output.say_line(_describe(able[0], around)[0])
        output.say_unbroken(typeable(f"kotp2p {aim} {_join_address(able[0])}"))
        return _join_address(able[0])
    for number, table in enumerate(able, 1):
        first, *rest = _describe(table, around)
        lines = [f"{number}. {first}" if terminal else first, *rest]
        _print_table(lines, table, output, aim)
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
    """Return whether the table takes this person, as far as an announcement tells."""
    poster = table.poster
    is_same = (poster.protocol, poster.rules_version) == (PROTOCOL_VERSION, RULES_VERSION)
    return poster.takes_guests if aim is Aim.JOIN else is_same


def _look_for_tables(seconds: int, output: Output) -> Sequence[FoundTable] | None:
    """Return the tables found, or None with a printed reason if this machine cannot look."""
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
    if tables is not None:
        output.note_line(_("No table was found."))
    if aim is Aim.JOIN:
        output.note_line(_("You can always join a table by the code or the address on its host's "
                           "screen: {command}", command=typeable("kotp2p join CODE")))  # fmt: skip
    else:
        output.note_line(_("Once its game has begun, a table is found only by the code or the "
                           "address on its host's screen: {command}",
                           command=typeable(f"kotp2p {aim} CODE")))  # fmt: skip
    output.note_line(_("It may be on another network or started with --no-lan; guest Wi-Fi, "
                       "a VPN or a firewall (UDP port 5353) may hide it."))  # fmt: skip
    output.note_line(_("To open your own table: {command}", command=typeable("kotp2p host")))


async def _browse(there: Lan, seconds: int, output: Output) -> Sequence[FoundTable]:
    """Collect announced tables; raise LanTrouble, and SystemExit after a signal."""
    found: Sequence[FoundTable] = ()
    trouble: LanTrouble | None = None
    ended = 0
    with trio.open_signal_receiver(*one_game.SIGNALS) as signals:
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
    """Ask for a number from 1 to `count`; return 0 at the end of the input."""
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


def _print_table(lines: Sequence[str], table: FoundTable, output: Output, aim: Aim) -> None:
    for line in lines:
        output.say_line(line)
    output.say_unbroken("  " + typeable(f"kotp2p {aim} {_join_address(table)}"))


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
