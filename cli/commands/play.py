"""`kotp2p host`, `join` and `solo`: a peer, a front for its seat, and what ends them.

May live here: putting the parts together. A run is one trio task that plays (`kotp2p.shell.run`)
and three beside it: lines from stdin, signals, and who is waited for. They end with the game.
"""

from __future__ import annotations

import getpass
import os
import signal
import stat
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import trio

from cli.commands import rematch
from cli.commands.finish import finish
from cli.commands.resume_list import reminder, resume_command
from cli.commands.table_options import (
    Refused,
    Table,
    check_options,
    check_table,
    host_options,
    same,
)
from cli.system.config import Config, ConfigFault, in_effect
from cli.system.exit_codes import Exit
from cli.system.folders import data_folder, log_folder
from cli.system.output import Output, wants_screen
from cli.text import endings as endings
from cli.text.i18n import _, choice
from cli.text.join_target import BadAddress, parse_invitation
from cli.text.join_target import parse as parse_address
from cli.ui.line_player import Typist
from cli.ui.notice_feed import Reader
from cli.ui.plain import Plain
from cli.ui.stdin import ask, forget_typed, is_terminal, read_lines
from kotp2p import bots
from kotp2p.endings import Ending, EndKind
from kotp2p.front import Front
from kotp2p.lobby.ceremony import MONSTERS
from kotp2p.lobby.known_keys import NewKeyPolicy
from kotp2p.net import lan, machine
from kotp2p.net.invitation import SECRET_BYTES, is_link
from kotp2p.shell import run
from kotp2p.shell.resume import ListenAt
from kotp2p.shell.run import Seating
from kotp2p.wire.names import clean_name
from kotp2p.world import World

GRACE = 3.0
"""Seconds after a signal for files and sockets to be closed."""
SIGNALS = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]


@dataclass(frozen=True, slots=True)
class Person:
    """Who plays on this side, and where it is written down."""

    name: str | None
    monster: str | None
    bot: str | None
    log_dir: Path | None
    profile: str
    as_json: bool
    accept_new_keys: bool = False

    def new_keys(self, terminal: bool) -> NewKeyPolicy:
        """What is done when a known name comes with another key."""
        if self.accept_new_keys:
            return NewKeyPolicy.ACCEPT
        return NewKeyPolicy.ASK if terminal else NewKeyPolicy.REFUSE


Play = Callable[[World, Seating, Front], Awaitable[Ending]]


def host(person: Person, table: Table) -> int:
    line = reminder(person.profile)
    if line is not None:
        sys.stderr.write(f"{line}\n")

    if table.invite_only:
        table = replace(table, secret=os.urandom(SECRET_BYTES))  # a rematch has the same link
    here = _world(person)
    code, found = _play(person, _hosting(person, table), here, table=table)
    while rematch.wanted(found, _asking(person)):
        assert found is not None
        order = rematch.order(found)
        table = replace(
            table, players=len(order), bots=rematch.bots(found), order=order, port=found.port,
            start_when_full=True,
        )  # fmt: skip
        code, found = _play(person, _hosting(person, table), here, table=table)
    return code


def _hosting(person: Person, table: Table) -> Play:
    def play(world: World, seating: Seating, front: Front) -> Awaitable[Ending]:
        if table.lan and not table.order:
            world = replace(world, lan=lan.lan_of_this_machine(world.entropy))
        options = replace(
            host_options(table, is_terminal()), new_keys=person.new_keys(is_terminal())
        )
        return run.host(world, seating, options, front, bots.make_bot)

    return play


def solo(person: Person, table: Table) -> int:
    def play(world: World, seating: Seating, front: Front) -> Awaitable[Ending]:
        return run.solo(world, seating, host_options(table, is_terminal()), front, bots.make_bot)

    here = _world(person)
    while True:
        code, found = _play(person, play, here, table=table, alone=True)
        if not rematch.wanted(found, _asking(person)):
            return code


def join(person: Person, target: str) -> int:
    """`target`: an address, or the link of an invitation."""
    invitation = None
    try:
        if is_link(target):
            invitation = parse_invitation(target)
            host_name, port = invitation.places[0], invitation.port
        else:
            host_name, port = parse_address(target)
    except BadAddress as fault:
        sys.stderr.write(f"kotp2p: {fault}\n")
        return Exit.USAGE

    def play(patience: float, world: World, seating: Seating, front: Front) -> Awaitable[Ending]:
        return run.join(
            world, seating, host_name, port, front, bots=bots.make_bot, patience=patience,
            invitation=invitation, new_keys=person.new_keys(is_terminal()),
        )  # fmt: skip

    here, patience = _world(person), 0.0
    while True:
        code, found = _play(person, partial(play, patience), here, target=(host_name, port))
        if not rematch.wanted(found, _asking(person)):
            return code
        patience = rematch.PATIENCE
        sys.stderr.write(_("Waiting for the host to open the table rematch.") + "\n")


def resume(
    person: Person, game: str, peer: str | None, bind: str | None = None, port: int | None = None
) -> int:
    try:
        at = parse_address(peer) if peer is not None else None
    except BadAddress as fault:
        sys.stderr.write(f"kotp2p: {fault}\n")
        return Exit.USAGE

    def play(world: World, seating: Seating, front: Front) -> Awaitable[Ending]:
        return run.resume(world, game or None, at, front, bots.make_bot, ListenAt(bind, port))

    code, found = _play(person, play, _world(person))
    if found is not None and rematch.alone(found) and rematch.wanted(found, _asking(person)):
        assert found.view is not None  # it was played to its end
        me = found.view.players[found.view.seat]
        return solo(replace(person, name=me.name, monster=me.monster), same(found))
    if sentence := rematch.no_host(found):
        sys.stderr.write(f"{sentence}\n")
    return code


def _world(person: Person) -> World:
    data = data_folder()
    return machine.machine_world(data, person.log_dir or log_folder(data), person.profile)


def _asking(person: Person) -> Callable[[str], str]:
    """Reads a line from a person at a terminal; from nobody, nothing."""
    if not is_terminal() or person.as_json or person.bot is not None:
        return lambda _sentence: ""

    return ask


def _play(
    person: Person,
    play: Play,
    world: World,
    *,
    table: Table | None = None,
    target: tuple[str, int] = ("", 0),
    alone: bool = False,
) -> tuple[int, Ending | None]:
    """Plays one game; the exit code, and how it ended (None: a signal came first)."""
    terminal = is_terminal()
    output = Output.standard(as_json=person.as_json, terminal=terminal)
    try:
        config = in_effect()
        output.bell = config.on("bell")
        seating = _seating(person, config)
        if table is not None:
            check_table(table)
            check_options(table, waits=terminal and not table.start_when_full and not alone)
            target = ("", table.port)
        if person.bot is None and not terminal and _is_nothing():
            raise Refused(
                _("A terminal is needed to play; a bot can play for you: add --bot normal")
            )
    except (Refused, ConfigFault) as fault:
        output.note(_("kotp2p: {fault}", fault=fault))
        return Exit.USAGE, None
    bot = None if person.bot is None else bots.make_bot(person.bot, os.urandom(32))
    reader = Reader(
        alone=alone,
        types=terminal,
        starts=table is not None and not host_options(table, terminal).start_when_full,
        asked=bot is None,
        monster=seating.monster,
    )
    if wants_screen(terminal, plain=config.on("plain") or person.as_json):
        front, run_, found = _on_screen(
            config, bot, reader, lambda front: play(world, seating, front)
        )
    else:
        front = Plain(output, bots.advise, bot, forget_typed(0) if terminal else None, reader)
        front.standing.orders = config.orders
        run_ = Run(front, terminal, partial(read_lines, 0, front, terminal))
        found = trio.run(run_.until_end, lambda: play(world, seating, front))
    back = resume_command(person.profile)
    if found is None:
        if front.news.view is not None:  # each move was on disk before it was sent
            output.say(endings.kept(back))
        return 128 + run_.signalled, None
    code: int = finish(found, output, person.as_json, *target, again=back)
    if run_.signalled:
        return 128 + run_.signalled, None
    if front.farewell and found.kind is EndKind.LEFT:
        code = Exit.STOPPED
    return code, found


def _on_screen(
    config: Config, bot: Front | None, reader: Reader, play: Callable[[Front], Awaitable[Ending]]
) -> tuple[Typist, Run, Ending | None]:
    from cli.ui.screen import theme
    from cli.ui.screen.screen import Screen
    from cli.ui.screen.stage import Stage

    theme.wear(config.symbols, sys.stdout.encoding)
    front = Screen(bots.advise, bot, reader, bell=config.on("bell"))
    front.standing.orders = config.orders
    run_ = Run(front, True, front.read)
    front.interrupted = partial(run_.end_by, signal.SIGINT)
    stage: Stage[Ending | None] = Stage(front, palette=config.palette)
    stage.hung_up = partial(front.do, partial(run_.end_by, SIGNALS[-1]))
    return front, run_, stage.run(lambda: run_.until_end(lambda: play(front)))


def _seating(person: Person, config: Config) -> Seating:
    wanted = config.text("name") if person.name is None else person.name
    if wanted is None:
        try:
            wanted = getpass.getuser()
        except (OSError, KeyError, ImportError):  # no login name on this system
            wanted = ""
    name = clean_name(wanted, "")
    if not name and person.name is not None:
        raise Refused(_("A name needs at least one letter: --name Ana"))
    monster = config.text("monster") if person.monster is None else person.monster
    if monster is not None:
        fitting = [m for m in MONSTERS if m.lower() == monster.strip().lower()]
        if not fitting:
            raise Refused(
                _("No monster is called {name}; there are {monsters}.", name=monster,
                  monsters=choice(MONSTERS))
            )  # fmt: skip
        monster = fitting[0]
    return Seating(name or _("Player"), monster)


def _is_nothing() -> bool:
    """stdin is closed, or is a device without a person (/dev/null)."""
    try:
        return stat.S_ISCHR(os.fstat(0).st_mode) and not os.isatty(0)
    except OSError:
        return True


class Run:
    """One run of a peer with its input and its signals."""

    def __init__(self, front: Typist, terminal: bool, read: Callable[[], Awaitable[None]]) -> None:
        """`read` takes what is typed."""
        self._front = front
        self._terminal = terminal
        self._read = read
        self._scope: trio.CancelScope | None = None
        self._over = False
        """Only the player still looks at the end."""
        self.signalled = 0
        """The signal that ends the run."""

    async def until_end(self, play: Callable[[], Awaitable[Ending]]) -> Ending | None:
        """None if a signal ended it before all was closed."""
        found: Ending | None = None
        async with trio.open_nursery() as nursery:
            self._scope = nursery.cancel_scope
            nursery.start_soon(self._read)
            nursery.start_soon(self._front.watch)
            await nursery.start(self._watch_signals)
            found = await play()
            if not self.signalled:
                self._over = True
                await self._front.linger(found)
            nursery.cancel_scope.cancel()
        return found

    async def _watch_signals(
        self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Ctrl-C asks first, where somebody can answer."""
        with trio.open_signal_receiver(*SIGNALS) as signals:
            task_status.started()
            async for number in signals:
                asked = self._front.is_leaving or self.signalled or self._over
                if number == signal.SIGINT and self._terminal and not asked:
                    self._front.interrupt()
                else:
                    self.end_by(number)

    def end_by(self, number: int) -> None:
        """Ends the process and keeps the seat: a closed window is no farewell. The second time
        nothing is waited for."""
        assert self._scope is not None  # it runs
        if self.signalled or self._over:
            self.signalled = number
            self._scope.cancel()
            return
        self.signalled = number
        if not self._front.keep_now():
            self._scope.cancel()
        self._scope.deadline = trio.current_time() + GRACE
