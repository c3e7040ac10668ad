"""A running game as a stage: moves frames to the peer and performs what it wants done."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import assert_never

import trio

from kotp2p.lobby.lobby_effects import BeginGame, KeepStart, SendToLink
from kotp2p.mesh import gossip
from kotp2p.net.dialer import Dialer
from kotp2p.net.handshake import make_refusal
from kotp2p.net.links import FrameReceived, Link, LinkClosed, LinkOpened
from kotp2p.peer.peer import Peer
from kotp2p.referee.model.answers import Seat
from kotp2p.seams import commands, endings, notices
from kotp2p.seams.commands import Front
from kotp2p.seams.world import World
from kotp2p.shell import debug_lines, profile, table_code
from kotp2p.shell.table_loop import Item, Stage, TableLoop, refuse_stranger
from kotp2p.store import game_files, log_writer, saved_game
from kotp2p.wire.addresses import is_loopback
from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.frames import CodeTold, Frame, Hello, Refusal, RefusalCode

LATE_SECONDS = 20.0
"""A guest who waits for the next game has asked within this time."""


# -- the stage of a game -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameFiles:
    places: game_files.PlacesFile
    log: log_writer.LogWriter


@dataclass(slots=True)
class OpenQuestions:
    """The open question of each seat here: the own one asks the front, each other one a bot."""

    loop: TableLoop
    _scopes: dict[Seat, trio.CancelScope] = field(default_factory=dict)

    def ask(self, ask: gossip.AskDecision, front: Front, view: notices.SeatView) -> None:
        self.withdraw(ask.seat)
        scope = self._scopes[ask.seat] = trio.CancelScope()
        self.loop.nursery.start_soon(self._await_answer, ask, front, view, scope)

    def withdraw(self, seat: Seat) -> None:
        scope = self._scopes.pop(seat, None)
        if scope is not None:
            scope.cancel()

    async def _await_answer(
        self, ask: gossip.AskDecision, front: Front, view: notices.SeatView, scope: trio.CancelScope
    ) -> None:
        with scope:
            answer = await front.decide(view, ask.decision)
            self.loop.put(commands.AnswerGiven(ask.place, ask.seat, answer))


@dataclass(slots=True)
class GameStage:
    loop: TableLoop
    files: GameFiles
    peer: Peer
    ending: endings.Ending | None = None
    _links: dict[Seat, int] = field(default_factory=dict)
    _relayed: set[Seat] = field(default_factory=set)
    _late: dict[bytes, float] = field(default_factory=dict)
    """When each guest who is too late for this game was here last."""
    _links_changed: trio.Event = field(default_factory=trio.Event)
    _dialer: Dialer = field(init=False)
    _questions: OpenQuestions = field(init=False)

    def __post_init__(self) -> None:
        self._questions = OpenQuestions(self.loop)
        loop, peer = self.loop, self.peer
        self._dialer = Dialer(
            loop.world,
            loop.connections,
            peer.genesis,
            peer.seat,
            loop.signer,
            self.files.places,
            self._links,
            loop.own_faults,
            peer.gossip.budgets.may_relay,
            loop.listener,
            peer.note_sleep,
        )

    async def begin_game(
        self,
        links: dict[int, int],
        *,
        tell_first: Iterable[SendToLink] = (),
        also_dial: tuple[str, int] | None = None,
    ) -> None:
        """Begin the game of the peer, and dial the others from now on.

        `links` holds the seat of each link that stands already, by its number. `tell_first` is sent
        as soon as the game is on disk, before anything of it.
        """
        peer, now, connections = self.peer, trio.current_time(), self.loop.connections
        peer.stays = isinstance(self.loop.front, endings.StayingFront)
        connections.join_game(peer.genesis.charter.table, peer.genesis.id)
        connections.judge_newcomer = self.judge_newcomer
        peer.begin(now)
        await self._perform_effects()
        self._begin_code()
        keys = frozenset(peer.genesis.players[seat].key for seat in peer.genesis.keepers)
        self.loop.watchers.begin_log(self.files.log.content, keys, now)
        for told in tell_first:
            with self.loop.own_faults:
                connections.send_frame(told.link, told.frame)
        for number, seat in links.items():
            if number in connections.links:
                self._add_link(seat, number, now)
        await self._perform_effects()
        self.files.places.name_log(self.files.log.shared)
        self._dialer.start_dialing(self.loop.nursery)
        self.loop.nursery.start_soon(self._answer_in_turn)
        if also_dial is not None:
            self.loop.nursery.start_soon(
                self._dialer.dial_until_found, also_dial, lambda: not self._is_linked_to_all
            )

    def judge_newcomer(self, theirs: Hello) -> Refusal | None:
        if not theirs.table:
            now = trio.current_time()
            self._count_late(now)  # strangers have as many keys as they like
            self._late[theirs.key] = now
            return make_refusal(RefusalCode.STARTED, "the game has started")
        if theirs.table != self.loop.connections.table:
            return make_refusal(RefusalCode.NO_TABLE, "another table is played here")
        genesis = self.peer.genesis
        return refuse_stranger(theirs, (genesis.players[seat].key for seat in genesis.keepers))

    @property
    def _is_linked_to_all(self) -> bool:
        return self._links.keys() | {self.peer.seat} >= set(self.peer.genesis.keepers)

    # -- the stage ---------------------------------------------------------------------------

    @property
    def deadline(self) -> float:
        return math.inf if self.peer.has_ended else self.peer.deadline

    async def perform_item_effects(self) -> Stage:
        """Perform nothing yet: the entries of a whole batch are written together."""
        return self

    async def finish_batch(self, now: float) -> Stage:
        if now >= self.peer.deadline:
            self.peer.tick(now)
        await self._perform_effects()
        if self.ending is not None and self.ending.table is not None:
            table = replace(self.ending.table, late=self._count_late(now))
            self.ending = replace(self.ending, table=table)
        return self

    def _count_late(self, now: float) -> int:
        self._late = {key: at for key, at in self._late.items() if now < at + LATE_SECONDS}
        return len(self._late)

    def is_player_link(self, link: Link) -> bool:
        return self._seat_of(link) is not None

    def accept_item(self, item: Item, now: float) -> None:
        if not isinstance(item, FrameReceived) and now >= self.peer.deadline:
            self.peer.tick(now)  # a player's word is about the game as the frames before leave it
        match item:
            case LinkOpened(link=link):
                self._accept_link(link, now)
            case FrameReceived(link=link, frame=frame):
                seat = self._seat_of(link)
                if seat is not None:
                    self._receive_frame(seat, link, frame, now)
            case LinkClosed(link=link):
                seat = self._seat_of(link)
                if seat is not None:
                    del self._links[seat]
                    self._links_changed.set()
                    self.peer.link_down(seat, now)
                    self._dialer.redial_now(seat)
            case commands.AnswerGiven(answer=commands.Leave()):
                self.peer.give_up(now)
            case commands.AnswerGiven(place=place, seat=seat, answer=answer):
                assert not isinstance(answer, commands.Leave)  # the case above
                self.peer.accept_answer(place, seat, answer, now)
            case _:  # the rest are commands
                self._obey_command(item, now)

    def _obey_command(self, command: commands.Command, now: float) -> None:
        peer = self.peer
        match command:
            case commands.GoOn(bot=bot):
                peer.go_on(bot, now)
            case commands.StopToday(wanted=wanted):
                peer.stop_today(wanted, now)
            case commands.LetBotPlay():
                peer.let_bot_play(now)
            case commands.ComeBack():
                peer.come_back(now)
            case commands.LetBack(seat=seat):
                peer.let_back(seat, now)
            case commands.Say(text=text):
                peer.say_line(text, now)
            case commands.LeaveTable():
                peer.give_up(now)
            case commands.KeepSeat():
                peer.keep_seat(now)
            case _:  # of the lobby, a moment too late
                pass

    # -- links -------------------------------------------------------------------------------

    def _accept_link(self, link: Link, now: float) -> None:
        # If two processes dial each other at once, both sides must keep the same one of the two
        # links: the one that the smaller key dialled. Of two processes of one player the newer one
        # counts, and the older one is sent the HERE of it.
        peer, table = self.peer, self.peer.genesis.charter.table
        seat = peer.genesis.seat_of(link.key)
        # A peer that we dialled may not have had its genesis yet when it said hello.
        tables = (table, b"") if link.dialled else (table,)
        if seat is None or seat == peer.seat or link.their_hello.table not in tables:
            link.cut()
            return
        old = self._link_of(seat)
        if old is not None and link.their_hello.instance < old.their_hello.instance:
            here = peer.facts.heres.get(seat)
            if here is not None:
                self.loop.connections.send_frame(link.number, here.signed)
            link.close()
            return
        if old is not None and old.their_hello.instance == link.their_hello.instance:
            if link.is_relayed and not old.is_relayed:
                link.cut()  # a relay carries only what has no direct way
                return
            is_better = old.is_relayed and not link.is_relayed
            smaller_dials = self.loop.signer.key < link.key
            if not is_better and link.dialled != smaller_dials and old.dialled == smaller_dials:
                link.cut()
                return
        self._add_link(seat, link.number, now)
        if old is not None:
            old.close()

    def _link_of(self, seat: Seat) -> Link | None:
        return self.loop.connections.links.get(self._links.get(seat, -1))

    def _seat_of(self, link: Link) -> Seat | None:
        return next((s for s, number in self._links.items() if number == link.number), None)

    def _add_link(self, seat: Seat, number: int, now: float) -> None:
        self._links[seat] = number
        self._links_changed.set()
        debug_lines.GAME.debug("link %d is of %s", number, debug_lines.player(seat))
        self.peer.link_up(seat, now)
        link = self.loop.connections.links.get(number)
        if link is not None:  # else it is gone already, as this process was stopped
            (self._relayed.add if link.is_relayed else self._relayed.discard)(seat)
            link.budget = self.peer.gossip.budgets.of(seat)
            self._dialer.greet_link(seat, link)
            if (known := self.loop.code.known) is not None:
                self._send_frame(seat, known)

    def _receive_frame(self, seat: Seat, link: Link, frame: Frame, now: float) -> None:
        match frame:
            case Signed(kind=BodyKind.ADDRESS):
                try:
                    self._dialer.accept_address(seat, frame)
                except BadBytes:  # a player that passes one on has read it
                    link.cut()
            case Signed(kind=BodyKind.GENESIS):
                self._tell_seals(link, frame)
            case CodeTold():
                self._hear_code(seat, frame, now)
            case _:  # the peer knows which frames have a place in a game
                self.peer.receive_frame(seat, frame, now)

    def _tell_seals(self, link: Link, signed: Signed) -> None:
        """Send the signatures of all to a player who has signed the start."""
        # Such a player does not know yet that all have signed, and asks by sending the known
        # signatures.
        genesis = self.peer.genesis.signed
        if signed.body == genesis.body and signed.signature != genesis.signature:
            self.loop.connections.send_frame(link.number, genesis)

    # -- the code of the table ---------------------------------------------------------------

    @property
    def _answering_seat(self) -> Seat:
        """Return who answers the code: the host, or else the first present keeper."""
        host = self.peer.genesis.charter.host
        return min((self.peer.seat, *self._links), key=lambda seat: (seat != host, seat))

    def _hear_code(self, seat: Seat, told: CodeTold, now: float) -> None:
        """Take a code from the seat that answers it; a process that knows none takes any."""
        code = self.loop.code
        if code.known is None or seat == self._answering_seat:
            code.hear(seat, told, now)

    def _begin_code(self) -> None:
        """Send all players the code, which each of them may answer from now on."""
        code, places = self.loop.code, self.files.places.places
        code.known = code.known or places.code
        code.note_change = self._take_code
        code.share()
        if code.known is not None:
            self._take_code()

    def _take_code(self) -> None:
        known = self.loop.code.known
        assert known is not None  # it was drawn or heard
        self._dialer.keep_code(known)
        for seat in self._links:
            self._send_frame(seat, known)

    async def _answer_in_turn(self) -> None:
        peer, code = self.peer, self.loop.code
        if not code.can_answer:
            return
        while True:
            self._links_changed = trio.Event()
            is_first = self._answering_seat == peer.seat
            if is_first and peer.seat != peer.genesis.charter.host:
                with trio.move_on_after(table_code.ABSENCE_SECONDS) as absence:
                    await self._links_changed.wait()
                if not absence.cancelled_caught:
                    continue
                if self.ending is not None:
                    return  # who has answered may be the host of the next table at this code
            code.answer(wanted=is_first)
            await self._links_changed.wait()

    # -- effects -----------------------------------------------------------------------------

    async def _perform_effects(self) -> None:
        """Write all entries to the log, and to disk before anything is sent."""
        # Then the other effects follow in order.
        # A crash between the two loses frames, which the others ask for again. The reverse order
        # could send an entry that this seat, after a crash, would sign anew and differently.
        effects: list[gossip.Effect] = self.peer.take_effects()
        if self.ending is not None:  # it is written and shown, and told to those that come back
            self._tell_seats(effects)
            return
        bodies = (e.signed for e in effects if isinstance(e, gossip.AppendRecord))
        is_sending = any(isinstance(effect, gossip.SendFrame) for effect in effects)
        if written := await self.files.log.append_bodies(bodies, is_sending=is_sending):
            self.loop.watchers.grow_log(written, trio.current_time())
        debug_lines.note_effects(effects)
        for effect in effects:
            match effect:
                case gossip.AppendRecord():
                    pass  # written above
                case gossip.SendFrame(seat=seat, frame=frame):
                    self._send_frame(seat, frame)
                case gossip.CloseLink():
                    self._tell_seats([effect])
                case gossip.ShowNotice(notice=notice):
                    self.loop.front.show(notice)
                    self.loop.watchers.note_notice(notice)
                case gossip.AskDecision(seat=seat):
                    self._questions.ask(effect, self._front_of(seat), self.peer.view_of(seat))
                case gossip.WithdrawQuestion(seat=seat):
                    self._questions.withdraw(seat)
                case gossip.KeepEvidence(seat=seat, height=height, data=data):
                    path = await self.files.log.save_evidence(f"evidence-{seat + 1}-{height}", data)
                    self.loop.front.show(notices.EvidenceKept(seat, path))
                case gossip.EndPeer(kind=kind, detail=detail):
                    await self._end_game(kind, detail)
                case _:
                    assert_never(effect)

    def _tell_seats(self, effects: Iterable[gossip.Effect]) -> None:
        for effect in effects:
            link = self._link_of(effect.seat) if isinstance(effect, gossip.CloseLink) else None
            if isinstance(effect, gossip.SendFrame):
                self._send_frame(effect.seat, effect.frame)
            elif link is not None:
                link.cut()

    def _front_of(self, seat: Seat) -> Front:
        """Return the front that answers for a seat of this keeper: one for all people here."""
        player = self.peer.genesis.players[seat]
        if seat == self.peer.seat or (player.keeper == self.peer.seat and not player.automatic):
            return self.loop.front
        return self.loop.bots.front_of(seat, player)

    def _send_frame(self, seat: Seat, frame: Frame) -> None:
        with self.loop.own_faults:
            self.loop.connections.send_frame(self._links.get(seat, -1), frame)

    async def _end_game(self, kind: endings.EndKind, detail: str) -> None:
        peer = self.peer
        log = await self.files.log.close_log()
        if kind is endings.EndKind.ELSEWHERE:
            newer = saved_game.epoch_of(max(peer.newest_instance, self.loop.connections.instance))
            folder = self.files.places.path.parent
            await saved_game.write_epoch(self.loop.world.disk, folder, newer)
        # A game that is finished, or that this seat has left, is nothing to come back to.
        self.files.places.close(keep=kind not in (endings.EndKind.FINISHED, endings.EndKind.LEFT))
        self.loop.world.disk.release(self.files.places.path.with_name("lock"))
        has_had_a_round = peer.ledger.game.state.turn > len(peer.genesis.players)
        if has_had_a_round:
            await profile.remember_players(self.loop.world, peer.genesis, self.loop.signer.key)
        for seat in peer.genesis.keepers:
            self._questions.withdraw(seat)
        self.ending = endings.Ending(
            kind,
            detail,
            log,
            peer.view,
            peer.ledger.game.state.winners or (),
            peer.ledger.chain.turns,
            table=self._last_table(),
            one_game_key=self.loop.signer if peer.genesis.players[peer.seat].one_game else None,
        )

    def _last_table(self) -> endings.LastTable:
        genesis, places = self.peer.genesis, self.files.places.places
        people = [seat for seat in genesis.keepers if seat != self.peer.seat]
        targets = (
            tuple(self._dialer.trusted_targets_of(seat)) if seat in people else ()
            for seat in range(len(genesis.players))
        )
        charter = genesis.charter
        near = places.near if is_loopback(places.near) else ""
        members = frozenset(self.peer.ledger.chain.roster.members)
        return endings.LastTable(
            charter.host,
            charter.clocks,
            tuple(targets),
            places.bind or near,
            places.port,
            places.secret,
            places.watch,
            places.code,
            members,
            frozenset(self._relayed),
            self._count_late(trio.current_time()),
        )


# -- from a signed start to the stage of its game ------------------------------------------
#
# What is written before a game begins, and in which order, so that a crash at any point leaves
# either a game that can be resumed or nothing that would mislead anybody.


@dataclass(frozen=True, slots=True)
class SeatSetup:
    one_game: bool
    """The identity is made for this game alone: its key is kept beside it."""
    places: saved_game.SavedPlaces
    """Without the addresses of the others, which a start tells."""


@dataclass(slots=True)
class PendingStarts:
    """The starts that this seat has signed: each may have become a game for the others."""

    world: World
    signer: Signer
    setup: SeatSetup
    _numbers: dict[PurePath, int] = field(default_factory=dict)

    async def keep(self, start: KeepStart) -> None:
        setup, signer, charter = self.setup, self.signer, start.genesis.charter
        path = game_files.start_path(self.world, charter.table, signer.key)
        places = replace(setup.places, addresses=start.addresses)
        signed = game_files.SignedStart(start.genesis, signer, setup.one_game, start.seed, places)
        await self.world.disk.replace(path, signed.encode())
        self._numbers[path] = charter.start

    def discard(self, newest: float = math.inf) -> None:
        """Remove the starts up to this number, which are over or have a log; raise FileTrouble."""
        for path, number in self._numbers.items():
            if number <= newest:
                self.world.disk.remove(path)


async def create_game(loop: TableLoop, setup: SeatSetup, begin: BeginGame) -> GameStage:
    """Create the folder of a new game; raise FileTrouble."""
    # Its log comes last: a game whose log is there can be resumed.
    world, signer, genesis = loop.world, loop.signer, begin.genesis
    folder, disk = saved_game.game_folder(world, genesis.id, signer.key), world.disk
    disk.lock(folder / "lock")
    if setup.one_game:
        await disk.replace(folder / "key", signer.secret())
    places = replace(setup.places, addresses=begin.addresses)
    await disk.replace(folder / "places", places.encode())
    await disk.replace(folder / "seed", begin.seed)
    log = log_writer.LogWriter(world, folder / "log", genesis)
    instance = loop.connections.instance
    peer = Peer(genesis, begin.seat, signer, begin.seed, None, instance)
    file = game_files.PlacesFile(disk, folder / "places", places)
    return GameStage(loop, GameFiles(file, log), peer)


async def reopen_game(loop: TableLoop, saved: saved_game.SavedGame) -> GameStage:
    """Open a game again from its folder, to go on with it; raise FileTrouble."""
    disk, folder = loop.world.disk, saved.folder
    log = await log_writer.LogWriter.reopen(loop.world, saved)
    await saved_game.write_epoch(disk, folder, saved.next_epoch)
    lost_seed = saved_game.is_lost_seed(saved.ledger, saved.seat, saved.seed)
    peer = Peer(
        saved.genesis,
        saved.seat,
        saved.signer,
        saved.seed,
        saved.ledger,
        loop.connections.instance,
        lost_seed,
    )
    places = game_files.PlacesFile(disk, folder / "places", saved.places)
    return GameStage(loop, GameFiles(places, log), peer)
