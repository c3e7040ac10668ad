"""Another game with the people of the last one: one of them opens a table, and the others find it.

Scope: the search for a table that one of the others has opened; where there is none, one is opened
here; and which of two tables closes. Everybody does the same, so it does not matter who hosted the
last game, who is still there, or who comes first.

All players have one order: the host of the last game, then by seat. The first of those that were
there at the end opens the table at once; each other one waits a turn for everybody before it, and
searches meanwhile. Two tables can be open at once all the same, as those before may have taken
their time. So a host goes on searching. A table closes for one of an earlier player, and its guests
search again. A host to whom nobody has come for a while may be one whom nobody can reach: then it
goes to any other table.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import trio

from kotp2p.lobby.host import HostLobby
from kotp2p.lobby.known_keys import NewKeyPolicy
from kotp2p.net.connections import ListenAt
from kotp2p.referee.model.answers import Seat
from kotp2p.rendezvous.words import Code
from kotp2p.seams.commands import Front, LeaveTable
from kotp2p.seams.endings import Ending, EndKind, LastTable
from kotp2p.seams.notices import RematchNews, RematchStep, SeatView
from kotp2p.seams.world import FileTrouble, MailboxTrouble, World
from kotp2p.shell.find_host import NotSeated, TableAddress, ask_at_mailbox, knock
from kotp2p.shell.join import SeatRequest, play_as_guest
from kotp2p.shell.profile import Profile, open_profile
from kotp2p.shell.run import HostedTable, HostOptions, SeatWish
from kotp2p.shell.table_loop import TableLoop
from kotp2p.wire.crypto import key_fingerprint
from kotp2p.wire.genesis import MAX_SEATS, MIN_SEATS, Player

SEARCH_SECONDS = 3.0
"""How long the others have to answer in one search; all are dialled at once."""
CODE_SEARCH_SECONDS = 6.0
"""The same for the search by the code, through a mailbox and perhaps a relay."""
TURN_SECONDS, CODE_TURN_SECONDS = 5.0, 13.0
"""How long a player waits for one who comes before, also where the search by code is needed: that
one searches, opens a table, and is found there."""
PAUSE_SECONDS = 1.0
WATCH_SECONDS = 2.0
CODE_WATCH_SECONDS = 60.0
"""The time between two searches of a host by the code: each costs all hosts an answer."""
PLAYING_SECONDS = 12.0
"""How long a search goes on while a game runs there: the last one may be closing still."""
LONELY_SECONDS = 10.0
"""A host to whom no player has come for this long goes to any other table."""
NOT_THAT_TABLE = (
    EndKind.KEPT_FOR_OTHERS, EndKind.FULL, EndKind.NOT_INVITED, EndKind.OTHER_TABLE,
    EndKind.NOT_A_TABLE, EndKind.VERSION,
)  # fmt: skip
"""What is open there is no table for this player."""
GONE = (
    EndKind.CLOSED, EndKind.LOST_HOST, EndKind.STARTED, EndKind.BUSY, EndKind.REFUSED,
    EndKind.NO_ANSWER, EndKind.NAME_UNKNOWN, EndKind.OTHER_HOST,
    EndKind.RELAY_GONE, EndKind.RELAY_SILENT, EndKind.RELAY_REFUSES,
)  # fmt: skip
"""The table is not open any more, or not yet."""


def next_seat_order(view: SeatView) -> tuple[bytes, ...]:
    """Return the keys by seat of the next game: the player on seat 2 comes first.

    A seat for which a bot has answered from the start has none: there is no player who could be
    asked to come again. A player whom a bot has stood in for meanwhile is asked.
    """
    players = view.players
    keys = [p.key if _is_person(players, seat) else b"" for seat, p in enumerate(players)]
    return (*keys[1:], keys[0])


def _is_person(players: Sequence[Player], seat: Seat) -> bool:
    return players[seat].keeper == seat and not players[seat].automatic


async def play_again(
    world: World,
    seating: SeatWish,
    last: Ending,
    front: Front,
    level: str = "normal",
    new_keys: NewKeyPolicy = NewKeyPolicy.ASK,
) -> Ending:
    """Play the next game after `last`; `level` is that of the bots, if this player opens it."""
    assert last.view is not None and last.table is not None
    try:
        profile = await open_profile(world, front, new_keys, last.one_game_key)
    except FileTrouble as fault:
        return Ending.of_files(fault)
    if profile.signer.key != last.view.players[last.view.seat].key:
        return Ending(EndKind.IN_USE)  # the others keep the seat for the key of the last game
    search = TableSearch(world, profile, last.view, last.table)
    players = min(len(last.view.players) + last.table.late, MAX_SEATS)
    chosen = last.view.game.setup.options
    options = HostOptions(
        rules=last.view.game.setup.rules.name,
        players=players,
        bots=next_seat_order(last.view).count(b""),
        level=level,
        start_when_full=True,
        bind=last.table.bind or None,
        port=last.table.port,
        options=replace(chosen, two_player=chosen.two_player and players == MIN_SEATS),
        energy_for_two=chosen.two_player,
        clocks=last.table.clocks,
        secret=last.table.secret,
        order=next_seat_order(last.view),
        monsters=tuple(p.monster for p in (*last.view.players[1:], last.view.players[0])),
        watch=last.table.watch,
        with_code=last.table.code is not None,
        code=last.table.code,
    )
    return await Gathering(world, profile, search, seating, options, front).run()


@dataclass(slots=True)
class TableSearch:
    """Finds the tables that the other people of the last game have open now."""

    world: World
    profile: Profile
    view: SeatView
    last: LastTable
    passed_over: set[Seat] = field(default_factory=set)
    """Their tables were no tables for this player."""
    playing: set[Seat] = field(default_factory=set)
    """They said in the last search that a game runs there."""

    @property
    def others(self) -> list[Seat]:
        players = self.view.players
        others = [seat for seat in range(len(players)) if seat != self.view.seat]
        return [seat for seat in others if _is_person(players, seat)]

    def rank(self, seat: Seat) -> tuple[bool, Seat]:
        """Return the rank of a seat, the same on all machines; the lowest comes first."""
        return (seat != self.last.host, seat)

    @property
    def needs_code(self) -> bool:
        """Return whether some of the others may have no direct way to here."""
        return self.last.code is not None and any(
            seat in self.last.relayed or not self.last.targets[seat] for seat in self.others
        )

    @property
    def seconds_to_turn(self) -> float:
        own = self.rank(self.view.seat)
        before = [s for s in self.others if s in self.last.present and self.rank(s) < own]
        return len(before) * (CODE_TURN_SECONDS if self.needs_code else TURN_SECONDS)

    def names(self, seats: Iterable[Seat]) -> tuple[str, ...]:
        return tuple(self.view.players[seat].name for seat in sorted(seats))

    def address_of(self, seat: Seat, place: str, port: int) -> TableAddress:
        host = key_fingerprint(self.view.players[seat].key)
        return TableAddress((place,), port, self.last.secret, host)

    async def find(self, *, by_code: bool = True) -> dict[Seat, TableAddress]:
        """Dial all others at once; where no table is found, ask for one by the code."""
        found: dict[Seat, TableAddress] = {}
        self.playing.clear()
        with trio.move_on_after(SEARCH_SECONDS):
            async with trio.open_nursery() as nursery:
                for seat in self.others:
                    if seat not in self.passed_over:
                        nursery.start_soon(self._look, seat, found)
        if by_code and not found and self.needs_code and self.last.code is not None:
            with trio.move_on_after(CODE_SEARCH_SECONDS):
                await self._look_by_code(Code.of(self.last.code), found)
        return found

    async def _look(self, seat: Seat, found: dict[Seat, TableAddress]) -> None:
        for place, port in self.last.targets[seat]:
            address = self.address_of(seat, place, port)
            if await self._is_open(seat, address):
                found[seat] = address
                return

    async def _look_by_code(self, code: Code, found: dict[Seat, TableAddress]) -> None:
        try:
            address = await ask_at_mailbox(self.world, code)
        except (MailboxTrouble, NotSeated):
            return
        for seat in self.others:
            own_print = key_fingerprint(self.view.players[seat].key)
            if address is None or address.host != own_print or seat in self.passed_over:
                continue
            if await self._is_open(seat, address):
                found[seat] = address

    async def _is_open(self, seat: Seat, address: TableAddress) -> bool:
        """Return whether the player of `seat` lets guests in there, and note whether they play."""
        why = await knock(self.world, self.profile.signer, address)
        if why is EndKind.STARTED:
            self.playing.add(seat)
        return why is None


@dataclass(slots=True)
class Gathering:
    world: World
    profile: Profile
    search: TableSearch
    seating: SeatWish
    options: HostOptions
    front: Front
    _gives_way: bool = False
    """The table of this player closes for another one."""

    async def run(self) -> Ending:
        while True:
            self.front.show(RematchNews(RematchStep.SEARCHES))
            found = await self._find_table()
            if not found:
                ending = await self._open_table()
                if not self._gives_way:
                    return ending
                continue
            seat = min(found, key=self.search.rank)
            self.front.show(RematchNews(RematchStep.GOES, self.search.names([seat])))
            ending = await self._sit_down(found[seat])
            if ending.kind in NOT_THAT_TABLE:
                self.search.passed_over.add(seat)
            elif ending.kind not in GONE:
                return ending
            await trio.sleep(PAUSE_SECONDS)

    async def _find_table(self) -> dict[Seat, TableAddress]:
        """Search until a table is found, or it is this player's turn to open one."""
        began = trio.current_time()
        while True:
            found = await self.search.find()
            waits = PLAYING_SECONDS if self.search.playing else 0.0
            if found or trio.current_time() >= began + max(waits, self.search.seconds_to_turn):
                return found
            await trio.sleep(PAUSE_SECONDS)

    async def _sit_down(self, table: TableAddress) -> Ending:
        profile = self.profile
        request = SeatRequest(
            profile.signer,
            self.seating.name,
            self.seating.monster,
            table,
            one_game=profile.one_game,
            known=profile.known,
            here=ListenAt(self.options.bind, self.options.port or None),
            watch=self.options.watch,
        )
        return await play_as_guest(self.world, request, self.front)

    async def _open_table(self) -> Ending:
        self._gives_way = False
        search = self.search
        names, playing = search.names(search.others), search.names(search.playing)
        players = search.view.players
        called = {p.key: p.name for seat, p in enumerate(players) if p.keeper == seat}
        kept = tuple(called.get(key, "") for key in self.options.order)
        kept += ("",) * (self.options.players - len(kept))
        self.front.show(RematchNews(RematchStep.OFFERS, names, kept, playing))
        self.options.check()
        world = replace(self.world, lan=None)  # its seats are kept
        table = HostedTable(
            world, self.front, self.seating, self.options, self.profile, beside=self._watch_others
        )
        return await table.open()

    async def _watch_others(self, lobby: HostLobby, loop: TableLoop) -> None:
        """Watch for other tables, and close the own lobby if there is one to go to."""
        search, lonely_at = self.search, trio.current_time() + LONELY_SECONDS
        seats_of_others = self.options.players - 1 - self.options.bots
        own_rank, asks_at = search.rank(search.view.seat), lonely_at
        while not lobby.start.has_begun:
            await trio.sleep(WATCH_SECONDS)
            is_alone = lobby.free_seats >= seats_of_others
            by_code = is_alone and trio.current_time() >= asks_at
            if by_code:
                asks_at = trio.current_time() + CODE_WATCH_SECONDS
            found = await search.find(by_code=by_code)
            if not found or not lobby.start.is_open:
                continue
            is_lonely = lobby.free_seats >= seats_of_others and trio.current_time() >= lonely_at
            if is_lonely or search.rank(min(found, key=search.rank)) < own_rank:
                self._gives_way = True
                loop.put(LeaveTable())
                return
