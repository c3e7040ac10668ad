"""Resumes a game from its files, in whatever order its players come back."""

import errno
import math
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import PurePath

import trio

from kotp2p.game.verify import WrongLog, report_changes
from kotp2p.lobby.known_keys import read_identity
from kotp2p.mesh.feeds import WINDOW_BYTES
from kotp2p.net.connections import ANYWHERE, Connections, ListenAt, Listener
from kotp2p.net.links import Link
from kotp2p.rendezvous.words import Code
from kotp2p.seams.commands import Front
from kotp2p.seams.cores import Budget
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.notices import PastLog, Reopened, SeatView
from kotp2p.seams.world import FaultOfFile, FileFault, FileTrouble, PortTaken, World
from kotp2p.shell.find_host import NotSeated, TableAddress, connect_to_host
from kotp2p.shell.game_stage import reopen_game
from kotp2p.shell.join import listen_again, play_signed_start
from kotp2p.shell.profile import lock_profile
from kotp2p.shell.table_loop import Stage, TableLoop, refuse_without_lobby
from kotp2p.store import game_files, saved_game
from kotp2p.wire import encoding, entries, frames
from kotp2p.wire.crypto import Signer, key_fingerprint
from kotp2p.wire.genesis import OtherVersion
from kotp2p.wire.names import looks_of
from kotp2p.wire.records import MAX_LOG_BYTES, Damaged, Unreadable

OLD_COPY_SECONDS = 20.0
"""A process that hears so soon of another one which plays its seat was resumed from an older copy
of the files, or another one plays on elsewhere. Its player has just typed `resume` here, so this
one goes on, above the other."""


async def resume(
    world: World,
    game: str | None,
    at: tuple[str, int] | None,
    front: Front,
    here: ListenAt = ANYWHERE,
) -> Ending:
    """Go on with an unfinished game of this profile.

    It is the newest, or the one whose phrase begins with the words `game`. If there is none, ask
    after a start that this seat has signed. `at` is an address at which a peer of that table
    listens now: without the game's files its log is fetched from there.
    """
    try:
        free = lock_profile(world)
        own = _own_identity(world)
        signer = own if free and own is not None else Signer(world.entropy(32))
        game_files.sweep_secrets(world)
        search = _find_game(world, signer, _look_of_phrase(game or ""))
        start = None if search.saved is not None else find_start(world, signer, words=game or "")
    except FileTrouble as fault:
        return Ending.of_files(fault)
    if search.saved is not None:
        return await continue_game(world, search.saved, front, at, here, announce=True)
    if start is not None:
        return await play_signed_start(world, start, front, at, here)
    if at is not None and free and own is not None:
        return await _resume_from_peer(world, signer, front, at, here)
    if search.broken is not None:
        return Ending.of_files(search.broken)
    kind = EndKind.NO_GAME if free and not search.some_in_use else EndKind.IN_USE
    return Ending(kind, game or "")


async def _resume_from_peer(
    world: World, signer: Signer, front: Front, at: tuple[str, int], here: ListenAt
) -> Ending:
    """Go on with the game played at that address, of which there are no files here."""
    try:
        saved = await fetch_game(world, signer, TableAddress((at[0],), at[1]))
    except NotFetched as fault:
        return fault.ending
    except FileTrouble as fault:
        return Ending(EndKind.FILES, str(fault))
    return await continue_game(world, saved, front, at, here, announce=True)


@dataclass(slots=True)
class _Search:
    saved: saved_game.SavedGame | None = None
    broken: FileTrouble | None = None
    some_in_use: bool = False
    """Another process plays a game that would have been right."""


def _find_game(world: World, signer: Signer, wanted: str) -> _Search:
    """Find the newest game that can be resumed, and whose phrase begins so; raise FileTrouble."""
    search = _Search()
    for found in game_files.list_unfinished(world, signer.key):
        if isinstance(found, saved_game.CannotResume):
            search.broken = search.broken or found
        elif not _look_of_phrase(found.genesis.phrase).startswith(wanted):
            continue
        elif not world.disk.lock(found.folder / "lock"):
            search.some_in_use = True
        else:
            try:
                search.saved = saved_game.load_game(world, found.folder, signer)
            except FileTrouble as fault:
                search.broken = search.broken or fault
            if search.saved is not None:
                break
            world.disk.release(found.folder / "lock")
    return search


def _look_of_phrase(words: str) -> str:
    """Return the look of a phrase, the same with spaces and hyphens or without."""
    return looks_of(words)[0]


def list_games(world: World) -> Iterator[game_files.UnfinishedGame | saved_game.CannotResume]:
    """Yield the games that this profile can resume, the newest first; raise FileTrouble."""
    own = _own_identity(world)
    return game_files.list_unfinished(world, own.key if own is not None else bytes(32))


def list_doubtful_starts(world: World) -> Iterator[game_files.SignedStart]:
    """Yield the signed starts that may have become games, the newest first; raise FileTrouble."""
    own = _own_identity(world) or Signer(world.entropy(32))
    starts = game_files.list_starts(world, own)
    return (found for found in starts if isinstance(found, game_files.SignedStart))


def _own_identity(world: World) -> Signer | None:
    """Return the key of the profile, if it was ever used; raise FileTrouble, also if it is gone."""
    own, folder = read_identity(world.disk, world.profile_folder), world.profile_folder
    if own is None and any(path.name != "lock" for path in world.disk.newest(folder)):
        why = os.strerror(errno.ENOENT)
        raise FileTrouble(FileFault(folder / "key", why, FaultOfFile.SYSTEM, errno.ENOENT))
    return own


def find_game_at(world: World, signer: Signer, goal: TableAddress) -> saved_game.SavedGame | None:
    """Find this player's newest unfinished game with one of these addresses; raise FileTrouble."""
    wanted = {(place, goal.port) for place in goal.places}

    def is_there(found: game_files.UnfinishedGame) -> bool:
        keys = (key_fingerprint(player.key) for player in found.genesis.players)
        return bool(wanted & found.targets()) or (goal.host is not None and goal.host in keys)

    return _load_first(world, signer, is_there)


def find_game_of_code(world: World, signer: Signer, code: Code) -> saved_game.SavedGame | None:
    """Find this player's newest unfinished game with these words; raise FileTrouble."""
    # Its number may have changed since.

    def has_words(found: game_files.UnfinishedGame) -> bool:
        known = found.places.code
        return known is not None and Code.of(known).words == code.words

    return _load_first(world, signer, has_words)


def _load_first(
    world: World, signer: Signer, fits: Callable[[game_files.UnfinishedGame], bool]
) -> saved_game.SavedGame | None:
    for found in game_files.list_unfinished(world, signer.key):
        if isinstance(found, game_files.UnfinishedGame) and fits(found):
            with suppress(FileTrouble):
                return saved_game.load_game(world, found.folder, signer)
    return None


def find_start(
    world: World, own: Signer, goal: TableAddress | None = None, words: str = ""
) -> game_files.SignedStart | None:
    """Find and lock the newest signed start with these words and addresses; raise FileTrouble."""
    places = set() if goal is None else {(place, goal.port) for place in goal.places}
    for found in game_files.list_starts(world, own):
        if isinstance(found, saved_game.CannotResume) or (
            goal is not None and not places & found.targets()
        ):
            continue
        is_meant = _look_of_phrase(found.genesis.phrase).startswith(_look_of_phrase(words))
        if is_meant and world.disk.lock(found.folder(world) / "lock"):
            return found
    return None


async def continue_game(
    world: World,
    saved: saved_game.SavedGame,
    front: Front,
    at: tuple[str, int] | None = None,
    here: ListenAt = ANYWHERE,
    *,
    announce: bool,
) -> Ending:
    """Play a game on from its files, which this process has locked."""
    began = trio.current_time()
    ending = await _continue_once(world, saved, front, at, here, announce=announce)
    is_old_copy = trio.current_time() < began + OLD_COPY_SECONDS
    if ending.kind is not EndKind.ELSEWHERE or not is_old_copy:
        return ending
    try:
        if not world.disk.lock(saved.folder / "lock"):
            return ending
        again = saved_game.load_game(world, saved.folder, saved.signer)
    except FileTrouble as fault:
        return Ending.of_files(fault)
    if again is None:
        return ending
    return await _continue_once(world, again, front, at, here, announce=False)


async def _continue_once(
    world: World,
    saved: saved_game.SavedGame,
    front: Front,
    at: tuple[str, int] | None,
    here: ListenAt,
    *,
    announce: bool,
) -> Ending:
    genesis, places = saved.genesis, saved.places
    try:
        past = world.disk.read(saved.folder / "log")
        if len(genesis.keepers) == 1:  # nobody comes: the others are bots of this process
            _show_past(front, saved, past)
            return await _play_on(world, saved, front, None, at)
        listener = await listen_again(world, places, here)
    except FileTrouble as fault:
        return Ending.of_files(fault)
    except PortTaken as fault:
        return Ending(EndKind.PORT_TAKEN, str(fault))
    places = replace(places, bind=listener.bind, near=listener.near, port=listener.port)
    _show_past(front, saved, past)

    if announce:
        front.show(Reopened(listener.addresses(), listener.port))
    found = replace(saved, places=places)
    ending = await _play_on(world, found, front, listener, at)
    await listener.aclose()
    return ending


def _show_past(front: Front, saved: saved_game.SavedGame, past: bytes | None) -> None:
    if past is not None:
        genesis, ledger = saved.genesis, saved.ledger
        view = SeatView(saved.seat, genesis.players, ledger.game, genesis.phrase)
        front.show(PastLog(past[: saved.log_bytes], view, report_changes(ledger.chain)))


async def _play_on(
    world: World,
    saved: saved_game.SavedGame,
    front: Front,
    listener: Listener | None,
    at: tuple[str, int] | None,
) -> Ending:
    places = saved.places
    instance = saved_game.make_instance(saved.next_epoch, world.entropy(entries.INSTANCE_BYTES))
    loop = TableLoop(
        world, saved.signer, front, places.secret, instance, listener, watch=places.watch
    )
    loop.code.is_host = saved.seat == saved.genesis.charter.host
    async with trio.open_nursery() as nursery:
        if listener is not None:
            loop.code.listen_at(listener, saved.signer.key, places.secret)
            nursery.start_soon(listener.serve, loop.connections.accept_connection)
        ending = await loop.run(ResumedSession(loop, saved, at))
        nursery.cancel_scope.cancel()
    return ending


# -- how a process comes back to its table from saved files; there is no lobby -------------


@dataclass(frozen=True, slots=True)
class ResumedSession:
    loop: TableLoop
    saved: saved_game.SavedGame
    also_dial: tuple[str, int] | None = None
    """An address at which a player of this game may be, besides those in the files."""

    def judge_newcomer(self, theirs: frames.Hello) -> frames.Refusal | None:
        return refuse_without_lobby(theirs)

    async def open(self) -> Stage:
        loop, saved = self.loop, self.saved
        game = await reopen_game(loop, saved)
        await game.begin_game({}, also_dial=self.also_dial)
        # All that was kept of the start has its place in the folder now.
        path = game_files.start_path(loop.world, saved.genesis.charter.table, loop.signer.key)
        loop.world.disk.remove(path)
        return game


# -- a game that is fetched from the others ------------------------------------------------
#
# A keeper proves its key as everybody does who dials, says that it wants to read, and is sent the
# log like a watcher. The source could keep back the end of the log, and no more: all is signed.
# What it keeps back comes from the other players once the game goes on.


class NotFetched(Exception):
    """No game of this player could be fetched; `ending` is what the run came to."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending.kind)
        self.ending = ending


@dataclass(slots=True)
class _Reader:
    """A reader of the log's parts as they come, up to the size that the source has named."""

    link: Link
    data: bytearray = field(default_factory=bytearray)
    goal: float = math.inf
    is_wrong: bool = False
    heard: trio.Event = field(default_factory=trio.Event)
    _told: int = 0

    @property
    def is_over(self) -> bool:
        return self.is_wrong or len(self.data) >= self.goal

    def receive_frame(self, frame: frames.Frame) -> None:
        self.link.note_taken()
        match frame:
            case frames.Admitted(size=size) if self.goal == math.inf and 0 < size <= MAX_LOG_BYTES:
                self.goal = size
            case frames.LogPart(offset=offset, data=data) if offset == len(self.data) < self.goal:
                self.data += data
                if len(self.data) - self._told >= WINDOW_BYTES // 2 and not self.is_over:
                    self._told = len(self.data)
                    self.link.send(frames.Watch(self._told, b""))
            case frames.Ping() | frames.Watched():
                pass
            case frames.Closed():
                self.is_wrong = True
            case _:  # nothing else is a source's to send
                self.is_wrong = True
        self.heard.set()


async def fetch_game(world: World, signer: Signer, table: TableAddress) -> saved_game.SavedGame:
    """Fetch this player's game at `table`, and lock its folder; raise NotFetched or FileTrouble."""
    try:
        data, place = await _fetch_log(world, signer, table)
        reader, ledger = saved_game.replay_log(data)
    except NotSeated as fault:
        raise NotFetched(fault.ending) from fault
    except (Unreadable, Damaged, WrongLog, encoding.BadBytes, OtherVersion) as fault:
        raise NotFetched(Ending(EndKind.WRONG_LOG, str(fault))) from fault
    if ledger is None or reader.is_torn:
        torn = "a log that does not come as far as its genesis, or is torn"
        raise NotFetched(Ending(EndKind.WRONG_LOG, torn))
    genesis = ledger.genesis
    folder = saved_game.game_folder(world, genesis.id, signer.key)
    if genesis.seat_of(signer.key) is None:
        raise NotFetched(Ending(EndKind.NO_GAME))
    if not world.disk.lock(folder / "lock"):
        raise NotFetched(Ending(EndKind.IN_USE))
    await _set_aside(world, folder)
    nowhere = tuple(("", 0) for _ in genesis.players)
    places = saved_game.SavedPlaces("", 0, place, nowhere, shared="", secret=table.secret)
    await world.disk.replace(folder / "places", places.encode())
    seed = world.entropy(saved_game.SEED_BYTES)
    await world.disk.replace(folder / "seed", seed)
    await world.disk.replace(folder / "log", data)
    world.disk.remove(folder / "epoch")
    if not saved_game.may_go_on(ledger, signer.key):
        world.disk.release(folder / "lock")
        raise NotFetched(Ending(EndKind.NO_GAME))
    return saved_game.make_saved_game(folder, ledger, signer, seed, places, reader)


async def find_game_played_at(
    world: World, signer: Signer, goal: TableAddress
) -> saved_game.SavedGame | None:
    """Find this player's unfinished game that is played there now; raise FileTrouble."""
    # The same people may play a later game by now, which is not among the files.
    own = find_game_at(world, signer, goal)
    if own is None:
        return None
    try:
        link, _place = await _connect_to_read(world, signer, goal)
    except NotSeated as fault:  # keepers may always read
        return own if fault.ending.kind is not EndKind.NO_WATCHERS else None
    link.cut()
    await link.run(lambda _frame: None)  # it closes
    table = link.their_hello.table
    return _load_first(world, signer, lambda found: found.genesis.charter.table == table)


async def _connect_to_read(world: World, signer: Signer, table: TableAddress) -> tuple[Link, str]:
    instance = saved_game.make_instance(0, world.entropy(entries.INSTANCE_BYTES))
    connections = Connections(
        world,
        signer,
        instance,
        lambda _event: None,
        refuse_without_lobby,
        table.secret,
        role=frames.HelloRole.WATCHER,
    )
    return await connect_to_host(connections, table)


async def _fetch_log(world: World, signer: Signer, table: TableAddress) -> tuple[bytes, str]:
    """Return all that the log holds now, and where its source was; raise NotSeated or BadBytes."""
    link, place = await _connect_to_read(world, signer, table)
    link.budget = Budget.for_seat()
    reader = _Reader(link)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.run, reader.receive_frame)
        link.send(frames.Watch(0, b""))
        while not reader.is_over:
            reader.heard = trio.Event()
            with trio.move_on_after(frames.LINK_DEAD_SECONDS) as silence:
                await reader.heard.wait()
            reader.is_wrong |= silence.cancelled_caught
        link.cut()
        nursery.cancel_scope.cancel()
    if reader.is_wrong:
        raise encoding.BadBytes("the log did not come as a whole")
    return bytes(reader.data), place


async def _set_aside(world: World, folder: PurePath) -> None:
    old = world.disk.read(folder / "log")
    if old:
        names = {path.name for path in world.disk.newest(folder)}
        number = next(n for n in range(1, len(names) + 2) if f"log.torn-{n}" not in names)
        await world.disk.replace(folder / f"log.torn-{number}", old)
