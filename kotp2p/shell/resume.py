"""Resumes a game from its files, in whatever order its players come back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import trio

from kotp2p.lobby.known_keys import profile_folder, read_identity
from kotp2p.net.connections import ANYWHERE, ListenAt, Listener
from kotp2p.net.invitation import key_fingerprint
from kotp2p.peer.peer import Peer
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.front import Front
from kotp2p.seams.notices import PastLog, Reopened
from kotp2p.seams.seat_view import SeatView
from kotp2p.seams.world import FileTrouble, PortTaken, World
from kotp2p.shell.bot_fronts import BotFactory
from kotp2p.shell.fetched_game import NotFetched, fetch_game
from kotp2p.shell.find_host import TableAddress
from kotp2p.shell.join import listen_again, play_signed_start
from kotp2p.shell.profile import lock_profile
from kotp2p.shell.resumed_session import ResumedSession
from kotp2p.shell.table_loop import TableLoop
from kotp2p.store.game_files import (
    SignedStart,
    UnfinishedGame,
    list_starts,
    list_unfinished,
    sweep_secrets,
)
from kotp2p.store.saved_game import CannotResume, SavedGame, load_game, make_instance
from kotp2p.wire.crypto import Signer
from kotp2p.wire.entries import INSTANCE_BYTES
from kotp2p.wire.names import looks_of

OLD_COPY_SECONDS = 20.0
"""A process that hears so soon of another one which plays its seat was resumed from an older copy
of the files, or another one plays on elsewhere. Its player has just typed `resume` here, so this
one goes on, above the other."""


async def resume(
    world: World,
    game: str | None,
    at: tuple[str, int] | None,
    front: Front,
    bots: BotFactory,
    here: ListenAt = ANYWHERE,
) -> Ending:
    """Goes on with an unfinished game of this profile: the newest, or the one whose phrase begins
    with the words `game`. If there is none, asks after a start that this seat has signed. `at` is
    an address at which a peer of that table listens now: without the game's files its log is
    fetched from there."""
    try:
        free = lock_profile(world)
        own = _own_identity(world)
        signer = own if free and own is not None else Signer(world.entropy(32))
        sweep_secrets(world)
        search = _find_game(world, signer, _look_of_phrase(game or ""))
        start = None if search.saved is not None else find_start(world, signer, words=game or "")
    except FileTrouble as fault:
        return Ending.of_files(fault)
    if search.saved is not None:
        return await continue_game(world, search.saved, front, bots, at, here, announce=True)
    if start is not None:
        return await play_signed_start(world, start, front, Peer, at, here)
    if at is not None and free and own is not None:
        return await _resume_from_peer(world, signer, front, bots, at, here)
    if search.broken is not None:
        return Ending.of_files(search.broken)
    kind = EndKind.NO_GAME if free and not search.some_in_use else EndKind.IN_USE
    return Ending(kind, game or "")


async def _resume_from_peer(
    world: World,
    signer: Signer,
    front: Front,
    bots: BotFactory,
    at: tuple[str, int],
    here: ListenAt,
) -> Ending:
    """Goes on with the game that is played at that address, of which there are no files here."""
    try:
        saved = await fetch_game(world, signer, TableAddress((at[0],), at[1]))
    except NotFetched as fault:
        return fault.ending
    except FileTrouble as fault:
        return Ending(EndKind.FILES, str(fault))
    return await continue_game(world, saved, front, bots, at, here, announce=True)


@dataclass(slots=True)
class _Search:
    """What a search for an unfinished game has found, or why it has found none."""

    saved: SavedGame | None = None
    """Locked by this process."""
    broken: FileTrouble | None = None
    some_in_use: bool = False
    """Another process plays a game that would have been right."""


def _find_game(world: World, signer: Signer, wanted: str) -> _Search:
    """The newest game that can be resumed, and whose phrase begins so. Raises FileTrouble."""
    search = _Search()
    for found in list_unfinished(world, signer.key):
        if isinstance(found, CannotResume):
            search.broken = search.broken or found
        elif not _look_of_phrase(found.genesis.phrase).startswith(wanted):
            continue
        elif not world.disk.lock(found.folder / "lock"):
            search.some_in_use = True
        else:
            try:
                search.saved = load_game(world, found.folder, signer)
            except FileTrouble as fault:
                search.broken = search.broken or fault
            if search.saved is not None:
                break
            world.disk.release(found.folder / "lock")
    return search


def _look_of_phrase(words: str) -> str:
    """With or without spaces and hyphens between the words."""
    return looks_of(words)[0]


def list_games(world: World) -> Iterator[UnfinishedGame | CannotResume]:
    """The games that this profile can resume, the newest first. Raises FileTrouble."""
    own = _own_identity(world)
    return list_unfinished(world, own.key if own is not None else bytes(32))


def list_doubtful_starts(world: World) -> Iterator[SignedStart]:
    """The starts that this profile has signed and that may have become games, the newest first.
    Raises FileTrouble."""
    own = _own_identity(world) or Signer(world.entropy(32))
    return (found for found in list_starts(world, own) if isinstance(found, SignedStart))


def _own_identity(world: World) -> Signer | None:
    """Raises FileTrouble."""
    return read_identity(world.disk, profile_folder(world.data, world.profile))


def find_game_at(world: World, signer: Signer, goal: TableAddress) -> SavedGame | None:
    """The newest unfinished game of this player in which a peer had one of these addresses, or,
    where the goal names its host, in which that key plays. Raises FileTrouble."""
    wanted = {(place, goal.port) for place in goal.places}
    for found in list_unfinished(world, signer.key):
        if not isinstance(found, UnfinishedGame):
            continue
        keys = (key_fingerprint(player.key) for player in found.genesis.players)
        if wanted & set(found.targets()) or (goal.host is not None and goal.host in keys):
            try:
                return load_game(world, found.folder, signer)
            except (CannotResume, FileTrouble):
                continue
    return None


def find_start(
    world: World, own: Signer, goal: TableAddress | None = None, words: str = ""
) -> SignedStart | None:
    """The newest start that this player has signed and that may have become a game, whose phrase
    begins with these words, and of which a seat had one of these addresses. This process locks it.
    Raises FileTrouble."""
    places = set() if goal is None else {(place, goal.port) for place in goal.places}
    for found in list_starts(world, own):
        if isinstance(found, CannotResume) or (goal is not None and not places & found.targets()):
            continue
        is_meant = _look_of_phrase(found.genesis.phrase).startswith(_look_of_phrase(words))
        if is_meant and world.disk.lock(found.folder(world) / "lock"):
            return found
    return None


async def continue_game(
    world: World,
    saved: SavedGame,
    front: Front,
    bots: BotFactory,
    at: tuple[str, int] | None = None,
    here: ListenAt = ANYWHERE,
    *,
    announce: bool,
) -> Ending:
    """Plays a game on from its files, which this process has locked."""
    began = trio.current_time()
    ending = await _continue_once(world, saved, front, bots, at, here, announce=announce)
    is_old_copy = trio.current_time() < began + OLD_COPY_SECONDS
    if ending.kind is not EndKind.ELSEWHERE or not is_old_copy:
        return ending
    try:
        if not world.disk.lock(saved.folder / "lock"):
            return ending
        again = load_game(world, saved.folder, saved.signer)
    except FileTrouble as fault:
        return Ending.of_files(fault)
    if again is None:
        return ending
    return await _continue_once(world, again, front, bots, at, here, announce=False)


async def _continue_once(
    world: World,
    saved: SavedGame,
    front: Front,
    bots: BotFactory,
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
            return await _play_on(world, saved, front, bots, None, at)
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
    ending = await _play_on(world, found, front, bots, listener, at)
    await listener.aclose()
    return ending


def _show_past(front: Front, saved: SavedGame, past: bytes | None) -> None:
    if past is not None:
        genesis, ledger = saved.genesis, saved.ledger
        view = SeatView(saved.seat, genesis.players, ledger.game, genesis.phrase)
        front.show(PastLog(past[: saved.log_bytes], view))


async def _play_on(
    world: World,
    saved: SavedGame,
    front: Front,
    bots: BotFactory,
    listener: Listener | None,
    at: tuple[str, int] | None,
) -> Ending:
    places = saved.places
    instance = make_instance(saved.next_epoch, world.entropy(INSTANCE_BYTES))
    loop = TableLoop(
        world, saved.signer, front, places.secret, instance, listener, watch=places.watch, bots=bots
    )
    async with trio.open_nursery() as nursery:
        if listener is not None:
            nursery.start_soon(listener.serve, loop.connections.accept_connection)
        ending = await loop.run(ResumedSession(saved, at))
        nursery.cancel_scope.cancel()
    return ending
