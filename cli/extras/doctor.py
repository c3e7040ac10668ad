"""`kotp2p doctor`: looks at this machine, and at the way to one table.

Scope: which parts are looked at, and how the findings are printed. Whatever is printed may
be sent to a friend, so the name of the user is taken out of all of it.
Not here: each part (`doctor_network`, `doctor_terminal`, `doctor_data`), and the sentences
(`cli.text`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import assert_never

import trio

from kotp2p.cli.extras.doctor_data import examine_data
from kotp2p.cli.extras.doctor_network import Target, look_at_network, look_at_peer, read_target
from kotp2p.cli.extras.doctor_terminal import judge_terminal, read_terminal, rows_below
from kotp2p.cli.extras.finding import Finding, Part, count_problems, hide_user, sum_up
from kotp2p.cli.extras.report import last_lines, version_lines
from kotp2p.cli.system.options import CommonFlags
from kotp2p.cli.system.output import DEFAULT_COLUMNS, Exit, Output, terminal_columns
from kotp2p.cli.text.how_to_join import BadAddress
from kotp2p.cli.text.i18n import _, list_with_or
from kotp2p.cli.text.program_words import describe_system_error
from kotp2p.cli.ui.plain import is_terminal

PARTS_WITHOUT_PEER = (Part.TERMINAL, Part.DATA, Part.NETWORK)
INDENT = " " * 4
"""The indent of what a person compares, below the line of its finding."""
Found = Mapping[Part, Sequence[Finding]]


def run_doctor(
    parts: list[str] | None, peer: str | None, port: int, with_report: bool = False
) -> int:
    """Run `kotp2p doctor` with its words and flags."""
    known = {part.value: part for part in PARTS_WITHOUT_PEER}
    unknown = [word for word in parts or () if word not in known]
    if unknown:
        Output.standard().note_line(
            _("kotp2p: {fault}", fault=_("{text} is not {words}.", text=unknown[0],
                                         words=list_with_or(list(known))))
        )  # fmt: skip
        return Exit.USAGE
    wanted = [part for word, part in known.items() if word in (parts or ())]
    return examine(parts=wanted, peer=peer, port=port, with_report=with_report)


def examine(
    *, parts: Sequence[Part], peer: str | None, port: int, with_report: bool = False
) -> int:
    """Examine this machine and print the findings.

    `peer` is the address of a table, or the link of an invitation. Without `peer` and `parts`,
    everything is examined that needs no table.
    """
    output = Output.standard(terminal=is_terminal())
    try:
        target = None if peer is None else read_target(peer)
    except BadAddress as fault:
        output.note_line(_("kotp2p: {fault}", fault=fault))
        return Exit.USAGE
    found = _look(target, port, parts or ([] if target else PARTS_WITHOUT_PEER))
    findings = [one for part in found.values() for one in part]
    if with_report:
        _print_block(_("Versions:"), version_lines(), output)
    _print(found, output)
    if with_report:
        _print_log(CommonFlags.debug, output)
    return Exit.UNREACHABLE if count_problems(findings) else Exit.DONE


def _look(target: Target | None, port: int, parts: Sequence[Part]) -> Found:
    found: dict[Part, Sequence[Finding]] = {}
    if Part.TERMINAL in parts:
        found[Part.TERMINAL] = judge_terminal(read_terminal())
    if Part.DATA in parts:
        found[Part.DATA] = examine_data()
    if Part.NETWORK in parts:
        found[Part.NETWORK] = trio.run(look_at_network, port)
    if target is not None:
        found[Part.PEER] = trio.run(look_at_peer, target)
    return found


def _print(found: Found, output: Output) -> None:
    columns = terminal_columns(output.out) or DEFAULT_COLUMNS
    for part, findings in found.items():
        output.say_line(_heading(part))
        for one in findings:
            output.say_line(hide_user(f"  {one.line()}"))
            for row in rows_below(one, columns - len(INDENT)):
                output.say_unbroken(INDENT + row)
    output.say_line(sum_up(one for part in found.values() for one in part))


def _print_log(path: Path | None, output: Output) -> None:
    if path is None:
        output.say_line(
            _("There is no log of what the program did. Start it with --debug FILE, and name the "
              "same file here.")
        )  # fmt: skip
        return
    try:
        lines = last_lines(path)
    except OSError as fault:
        output.say_line(hide_user(
            _("{file} cannot be read: {detail}.", file=path,
              detail=describe_system_error(fault.errno))
        ))  # fmt: skip
        return
    _print_block(_("The last lines of {file}:", file=path), lines, output)


def _print_block(heading: str, lines: Sequence[str], output: Output) -> None:
    output.say_line(hide_user(heading))
    for line in lines:
        output.say_unbroken(hide_user("  " + line))


def _heading(part: Part) -> str:
    match part:
        case Part.TERMINAL:
            return _("Terminal:")
        case Part.DATA:
            return _("Data:")
        case Part.NETWORK:
            return _("Network:")
        case Part.PEER:
            return _("The way to the table:")
        case _:
            assert_never(part)
