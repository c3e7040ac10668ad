"""`kotp2p doctor`: looks at this machine, and at the way to one table."""

import platform
from collections import deque
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import trio

from kotp2p.cli.extras.doctor.finding import Finding, count_problems, hide_user, sum_up
from kotp2p.cli.extras.doctor.machine import examine_data, judge_terminal, read_terminal
from kotp2p.cli.extras.doctor.network import Target, look_at_network, look_at_peer, read_target
from kotp2p.cli.system.options import VERSION, CommonFlags
from kotp2p.cli.system.output import Exit, Output
from kotp2p.cli.text.how_to_join import BadAddress
from kotp2p.cli.text.i18n import N_, _, describe_system_error, list_with_or
from kotp2p.cli.ui.plain import is_terminal
from kotp2p.referee.box.rulesets import RULES_VERSION
from kotp2p.wire.genesis import PROTOCOL_VERSION

HEADINGS = {"terminal": N_("Terminal:"), "data": N_("Data:"), "network": N_("Network:")}
"""By the words with which the parts are asked for."""
PEER = N_("The way to the table:")
LAST_LINES = 200
MAX_LINE_SIGNS = 300
LIBRARIES = ("trio", "cryptography", "msgpack", "prompt_toolkit", "typer", "zeroconf")
Found = Mapping[str, Sequence[Finding]]


def run_doctor(
    parts: list[str] | None, peer: str | None, port: int, with_report: bool = False
) -> int:
    """Run `kotp2p doctor`; without `peer` and `parts` it examines all that needs no table."""
    output = Output.standard(terminal=is_terminal())
    unknown = [word for word in parts or () if word not in HEADINGS]
    if unknown:
        fault = _("{text} is not {words}.", text=unknown[0], words=list_with_or(list(HEADINGS)))
        return output.refuse(fault)
    try:
        target = None if peer is None else read_target(peer)
    except BadAddress as bad:
        return output.refuse(bad)
    wanted = parts or ([] if target else [*HEADINGS])
    found = _look(target, port, wanted)
    if with_report:
        _print_block(_("Versions:"), version_lines(), output)
    _print(found, output)
    if with_report:
        _print_log(CommonFlags.debug, output)
    problems = sum(count_problems(findings) for findings in found.values())
    return Exit.UNREACHABLE if problems else Exit.DONE


def _look(target: Target | None, port: int, parts: Sequence[str]) -> Found:
    found: dict[str, Sequence[Finding]] = {}
    if "terminal" in parts:
        found[HEADINGS["terminal"]] = judge_terminal(read_terminal())
    if "data" in parts:
        found[HEADINGS["data"]] = examine_data()
    if "network" in parts:
        found[HEADINGS["network"]] = trio.run(look_at_network, port)
    if target is not None:
        found[PEER] = trio.run(look_at_peer, target)
    return found


def _print(found: Found, output: Output) -> None:
    for heading, findings in found.items():
        output.say_line(_(heading))
        for one in findings:
            output.say_line(hide_user(f"  {one.line()}"))
    output.say_line(sum_up(one for part in found.values() for one in part))


# -- what --report adds: plain lines, which may be sent to a stranger as they are ----------


def version_lines() -> list[str]:
    return [
        f"kotp2p {VERSION}, protocol {PROTOCOL_VERSION}, rules {RULES_VERSION}",
        f"Python {platform.python_version()}, {platform.platform()}",
        ", ".join(f"{name} {_version_of(name)}" for name in LIBRARIES),
    ]


def _version_of(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "?"


def _print_log(path: Path | None, output: Output) -> None:
    if path is None:
        output.say_line(
            _("There is no log of what the program did. Start it with --debug FILE, and name the "
              "same file here.")
        )  # fmt: skip
        return
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            lines = [line.rstrip("\n")[:MAX_LINE_SIGNS] for line in deque(file, LAST_LINES)]
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
