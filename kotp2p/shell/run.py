"""The ways to sit down at a table: host, join, solo, resume. This is what `cli` calls.

Each returns the `Ending` of the local seat, and raises nothing that a person could cause.
"""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace

import trio

from kotp2p.lobby.host import HostLobby, TableOffer
from kotp2p.lobby.known_keys import NewKeyPolicy
from kotp2p.net.code_desk import HostPlace
from kotp2p.net.connections import ANYWHERE, MAX_PORT_TRIES, ListenAt
from kotp2p.net.invitation import Invitation
from kotp2p.referee.box.rulesets import RULE_SETS, Setup
from kotp2p.rendezvous.words import Code
from kotp2p.seams.commands import NO_WATCHERS, Front, WatchOffer
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.notices import AskingByCode, TableOpened
from kotp2p.seams.world import Acceptor, FileTrouble, PortTaken, World
from kotp2p.shell.find_host import NotSeated, TableAddress, find_by_code, knock, without_relay
from kotp2p.shell.game_stage import SeatSetup
from kotp2p.shell.join import SeatRequest, play_as_guest, play_signed_start
from kotp2p.shell.lobby_stage import Announcer, HostStage
from kotp2p.shell.profile import Profile, open_profile
from kotp2p.shell.resume import (
    NotFetched,
    continue_game,
    fetch_game,
    find_game_at,
    find_game_of_code,
    find_game_played_at,
    find_start,
    resume,
)
from kotp2p.shell.table_code import HeldCode
from kotp2p.shell.table_loop import TableLoop
from kotp2p.store.game_files import SignedStart
from kotp2p.store.saved_game import SavedGame, SavedPlaces
from kotp2p.wire.addresses import DEFAULT_PORT
from kotp2p.wire.crypto import OPEN_TABLE_SECRET, Signer, key_fingerprint
from kotp2p.wire.frames import CodeTold
from kotp2p.wire.genesis import MAX_SEATS, MIN_SEATS, Clocks

__all__ = ["HostOptions", "SeatWish", "host", "join", "resume", "solo"]

ADDRESS_CHECK_SECONDS = 5.0
"""How often an open table looks whether this machine has other addresses."""
NOBODY_THERE = (
    EndKind.STARTED, EndKind.NAME_UNKNOWN, EndKind.REFUSED, EndKind.NO_ANSWER, EndKind.NOT_A_TABLE,
    EndKind.NOT_INVITED, EndKind.OTHER_TABLE,
)  # fmt: skip
"""No table is open at that address, or not any more."""
BETWEEN_GAMES = (
    EndKind.STARTED, EndKind.NOBODY_AT_NUMBER, EndKind.NO_MAILBOX, EndKind.UNPROVEN_MAILBOX,
    EndKind.REFUSED, EndKind.NO_ANSWER, EndKind.BUSY, EndKind.NO_DIRECT_WAY, EndKind.RELAY_GONE,
    EndKind.RELAY_SILENT, EndKind.RELAY_REFUSES,
)  # fmt: skip
"""What a guest may meet at a table whose next game is not open yet."""
BETWEEN_GAMES_SECONDS = 90.0
"""How long nobody may be there between two games."""
NEXT_GAME_PAUSE_SECONDS = 5.0
"""The time between two questions whether the next game is open."""
ASK_AGAIN_SECONDS = 60.0
"""How long such a guest knocks where its code has led. Somebody else may open the next game, but a
code answers only some hundred times in an hour."""


@dataclass(frozen=True, slots=True)
class SeatWish:
    name: str
    monster: str | None = None
    automatic: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HostOptions(TableOffer):
    bots: int = 0
    people: tuple[str, ...] = ()
    """Names of further people at this machine."""
    level: str = "normal"
    bind: str | None = None
    port: int = DEFAULT_PORT
    secret: bytes = OPEN_TABLE_SECRET
    """What a guest must know. Another one than OPEN_TABLE_SECRET: the table is by invitation."""
    new_keys: NewKeyPolicy = NewKeyPolicy.ASK
    watch: WatchOffer = NO_WATCHERS
    with_code: bool = True
    """Whether the table has a code, where its servers are set."""
    code: CodeTold | None = None
    """That of the last game, for a rematch; None: one is drawn."""

    def check(self) -> None:
        if not MIN_SEATS <= self.players <= MAX_SEATS:
            raise ValueError("2 to 6 seats")
        if len(self.order) > self.players:
            raise ValueError("more seats are kept than there are")
        fewest = self.players if self.start_when_full else MIN_SEATS
        rules = RULE_SETS[self.rules]
        Setup(rules, fewest, rules.deck(), self.options)


@dataclass(slots=True)
class HostedTable:
    world: World
    front: Front
    host: SeatWish
    options: HostOptions
    profile: Profile
    is_solo: bool = False
    """This process keeps all seats: no other player comes, and nothing is announced."""
    beside: Callable[[HostLobby, TableLoop], Awaitable[None]] | None = None
    """Runs beside the lobby, and until the end."""
    acceptor: Acceptor | None = None
    """None while it accepts no links."""

    async def open(self) -> Ending:
        options = self.options
        if self.is_solo:
            self.world = replace(self.world, lan=None)
            return await self._play()
        try:
            acceptor = await self.world.net.listen(options.bind, options.port, MAX_PORT_TRIES)
        except PortTaken as fault:
            return Ending(EndKind.PORT_TAKEN, str(fault))
        self.acceptor = acceptor
        self._show_opened()
        if options.secret != OPEN_TABLE_SECRET:
            self.world = replace(self.world, lan=None)  # it is for invited players only
        ending = await self._play()
        await acceptor.aclose()
        return ending

    @property
    def port(self) -> int:
        return self.acceptor.port if self.acceptor is not None else 0

    async def _play(self) -> Ending:
        world, options, profile, front = self.world, self.options, self.profile, self.front
        lobby = HostLobby(
            profile.signer,
            self.host.name,
            self.host.monster or "",
            options,
            self.port,
            world.entropy,
            profile.known,
            profile.one_game,
            self.host.automatic,
        )
        loop = TableLoop(
            world, profile.signer, front, options.secret, watch=options.watch, level=options.level
        )
        announcer = Announcer(world, options.bind, front, loop.code)
        loop.code.note_change = lambda: announcer.announce_lobby(lobby)
        async with trio.open_nursery() as nursery:
            if self.acceptor is not None:
                nursery.start_soon(self.acceptor.serve, loop.connections.accept_connection)
                nursery.start_soon(self._follow_addresses, lobby, announcer)
            nursery.start_soon(announcer.run)
            for name in options.people:
                lobby.add_person(name)
            for _ in range(options.bots):
                lobby.add_bot()
            if self.beside is not None:
                nursery.start_soon(self.beside, lobby, loop)
            places = SavedPlaces(
                options.bind or "",
                self.port,
                secret=options.secret,
                watch=options.watch,
                relay=self.open_code(loop.code),
            )
            setup = SeatSetup(profile.one_game, places)
            stage = HostStage(loop=loop, lobby=lobby, setup=setup, announcer=announcer)
            ending = await loop.run(stage)
            announcer.close()
            nursery.cancel_scope.cancel()
        return ending

    def open_code(self, code: HeldCode) -> str:
        """Let others come by a code, if this table has one; return the relay of those who do."""
        options, world, port = self.options, self.world, self.port
        rendezvous = world.rendezvous
        _addresses, only_loopback = world.net.addresses(options.bind)
        is_bound_here = options.bind is not None and only_loopback
        if not options.with_code or self.is_solo or is_bound_here or rendezvous is None:
            return ""
        if not rendezvous.servers.mailbox:
            return ""
        code.place = HostPlace(
            options.secret,
            key_fingerprint(self.profile.signer.key),
            lambda: world.net.addresses(options.bind)[0],
            lambda: port,
        )
        code.is_host = True
        code.known = options.code or Code.draw(world.entropy).told()
        if options.code is not None:  # the last host has answered here a moment ago
            code.share()
        code.answer()
        return rendezvous.servers.relay

    def _show_opened(self) -> None:
        """Show how others come to this table; a closed one has a link."""
        options, key, watch = self.options, self.profile.signer.key, self.options.watch
        addresses, only_loopback = self.world.net.addresses(options.bind)

        def link(secret: bytes, *, to_watch: bool) -> str:
            host = key_fingerprint(key)
            return Invitation.create(
                addresses, self.port, secret, host, to_watch=to_watch
            ).as_link()

        by_link = options.secret != OPEN_TABLE_SECRET
        self.front.show(
            TableOpened(
                addresses,
                self.port,
                only_loopback,
                link(options.secret, to_watch=False) if by_link else "",
                key,
                link(watch.secret, to_watch=True) if watch.secret else "",
                watch.most,
            )
        )

    async def _follow_addresses(self, lobby: HostLobby, announcer: Announcer) -> None:
        """Show and announce an open lobby anew whenever this machine has other addresses."""
        # A laptop may find its network after the table was opened, or change it. Those who come by
        # the code are sent the present addresses anyhow.
        known = self.world.net.addresses(self.options.bind)
        while True:
            await trio.sleep(ADDRESS_CHECK_SECONDS)
            if lobby.start.has_begun:
                return
            now = self.world.net.addresses(self.options.bind)
            if now != known:
                known = now
                self._show_opened()
                announcer.renew()


async def host(
    world: World, seating: SeatWish, options: HostOptions, front: Front, *, is_solo: bool = False
) -> Ending:
    options.check()
    try:
        profile = await open_profile(world, front, options.new_keys)
    except FileTrouble as fault:
        return Ending.of_files(fault)
    return await HostedTable(world, front, seating, options, profile, is_solo).open()


async def solo(world: World, seating: SeatWish, options: HostOptions, front: Front) -> Ending:
    """Play the whole protocol without a network, against bots and people before the same front."""
    alone = replace(
        options,
        players=1 + len(options.people) + options.bots,
        start_when_full=True,
        port=0,
        clocks=Clocks(0, 0),
    )
    return await host(world, seating, alone, front, is_solo=True)


async def join(
    world: World,
    seating: SeatWish,
    table: TableAddress | Code,
    front: Front,
    new_keys: NewKeyPolicy = NewKeyPolicy.ASK,
    here: ListenAt = ANYWHERE,
) -> Ending:
    """Sit down at the table of that address or code."""
    # Where none is open, continue the game that was left there, also if its files are lost.
    try:
        profile = await open_profile(world, front, new_keys)
        goal = await find_by_code(world, table, front) if isinstance(table, Code) else table
    except NotSeated as fault:
        own = _take_game_of_code(world, profile, table)
        if own is None:
            return fault.ending
        return await continue_game(world, own, front, here=here, announce=True)
    except FileTrouble as fault:
        return Ending.of_files(fault)
    request = SeatRequest(
        profile.signer,
        seating.name,
        seating.monster,
        goal,
        one_game=profile.one_game,
        automatic=seating.automatic,
        known=profile.known,
        here=here,
    )
    ending = await play_as_guest(world, request, front)
    if ending.kind not in NOBODY_THERE:
        return ending
    at = (goal.places[-1 if isinstance(table, Code) else 0], goal.port)
    has_begun = ending.kind is EndKind.STARTED
    try:
        own, is_ours, start = await _find_left(world, profile.signer, goal, has_begun=has_begun)
    except FileTrouble as fault:
        return Ending.of_files(fault)
    if own is not None and is_ours:
        return await continue_game(world, own, front, at, here, announce=False)
    if start is not None:
        return await play_signed_start(world, start, front, here=here)
    if own is None and has_begun and not seating.automatic and isinstance(table, Code):
        return await _wait_for_next(world, request, table, front)
    return without_relay(ending, goal) if isinstance(table, Code) else ending


async def _find_left(
    world: World, signer: Signer, goal: TableAddress, *, has_begun: bool
) -> tuple[SavedGame | None, bool, SignedStart | None]:
    """Return the own game there, whether it was locked, and the own start; raise FileTrouble."""
    if has_begun:
        own = await find_game_played_at(world, signer, goal)
    else:
        own = find_game_at(world, signer, goal)
    if own is not None:
        return own, world.disk.lock(own.folder / "lock"), None
    start = find_start(world, signer, goal)
    if start is None and has_begun:
        with suppress(NotFetched):  # the game there is one of others
            return await fetch_game(world, signer, goal), True, None
    return None, False, start


async def _wait_for_next(world: World, request: SeatRequest, code: Code, front: Front) -> Ending:
    """Ask again and again for a seat at a table that plays, until its next game is open."""
    front.show(AskingByCode(code.number, "", is_played=True))
    heard_at = asked_at = trio.current_time()
    goal = request.table
    while True:
        await trio.sleep(NEXT_GAME_PAUSE_SECONDS)
        may_knock = trio.current_time() < asked_at + ASK_AGAIN_SECONDS
        if may_knock and await knock(world, request.signer, goal) is EndKind.STARTED:
            heard_at = trio.current_time()
            continue
        asked_at = trio.current_time()
        try:
            goal = await find_by_code(world, code, None)
            ending = await play_as_guest(world, replace(request, table=goal), front)
        except NotSeated as fault:
            ending = fault.ending
        if ending.kind is EndKind.STARTED:
            heard_at = trio.current_time()
        is_between = ending.kind in BETWEEN_GAMES
        if not is_between or trio.current_time() > heard_at + BETWEEN_GAMES_SECONDS:
            return ending


def _take_game_of_code(
    world: World, profile: Profile, table: TableAddress | Code
) -> SavedGame | None:
    """Return the unfinished game of that code, locked for this process; None if there is none."""
    # Its files lead back to the others where nobody answers.
    if not isinstance(table, Code):
        return None
    try:
        own = find_game_of_code(world, profile.signer, table)
        is_ours = own is not None and world.disk.lock(own.folder / "lock")
    except FileTrouble:
        return None
    return own if is_ours else None
