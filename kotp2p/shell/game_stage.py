"""A running game as a stage: moves frames to the peer and performs what it wants done.

Scope: the shell around one `Peer`, as `kotp2p.shell.lobby_stage` is around a lobby: links and their
seats, the log, the questions that are open, and how this process ends.
Not here: which entries a seat signs (`kotp2p.peer`), and dialling (`kotp2p.net.dialer`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import assert_never

import trio

from kotp2p.lobby.lobby_effects import SendToLink
from kotp2p.mesh.effects import (
    AppendRecord,
    AskDecision,
    CloseLink,
    Effect,
    EndPeer,
    KeepEvidence,
    SendFrame,
    ShowNotice,
    WithdrawQuestion,
)
from kotp2p.net.dialer import Dialer
from kotp2p.net.handshake import make_refusal
from kotp2p.net.links import FrameReceived, Link, LinkClosed, LinkOpened
from kotp2p.peer.peer import Peer
from kotp2p.referee.model.answers import Seat
from kotp2p.seams.endings import Ending, EndKind, LastTable
from kotp2p.seams.front import Front, Leave
from kotp2p.seams.notices import EvidenceKept
from kotp2p.seams.seat_view import SeatView
from kotp2p.shell import debug_lines
from kotp2p.shell.commands import (
    AcceptKey,
    AddBot,
    ChangeMonster,
    ChangeName,
    ComeBack,
    GameCommand,
    GoOn,
    KeepSeat,
    LeaveTable,
    LetBack,
    LetBotPlay,
    MarkReady,
    MovePlayer,
    OpenSeats,
    RemovePlayer,
    Say,
    StartGame,
    StopToday,
    TableCommand,
)
from kotp2p.shell.inbox import AnswerGiven, Item
from kotp2p.shell.stage import Stage, TableContext, refuse_stranger
from kotp2p.store.game_files import PlacesFile
from kotp2p.store.log_writer import LogWriter
from kotp2p.store.saved_game import epoch_of, write_epoch
from kotp2p.wire.addresses import is_loopback
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.frames import Frame, Hello, Refusal, RefusalCode


@dataclass(frozen=True, slots=True)
class GameFiles:
    """What a seat keeps on disk while its game runs."""

    places: PlacesFile
    log: LogWriter


@dataclass(slots=True)
class OpenQuestions:
    """The question that is open for each seat of this process, if any. The front of this player is
    asked for the own seat, and a bot for each other one."""

    context: TableContext
    _scopes: dict[Seat, trio.CancelScope] = field(default_factory=dict)

    def ask(self, ask: AskDecision, front: Front, view: SeatView) -> None:
        """Puts a question to a front; an older one about that seat is withdrawn."""
        self.withdraw(ask.seat)
        scope = self._scopes[ask.seat] = trio.CancelScope()
        self.context.nursery.start_soon(self._await_answer, ask, front, view, scope)

    def withdraw(self, seat: Seat) -> None:
        scope = self._scopes.pop(seat, None)
        if scope is not None:
            scope.cancel()

    def withdraw_all(self) -> None:
        for seat in list(self._scopes):
            self.withdraw(seat)

    async def _await_answer(
        self, ask: AskDecision, front: Front, view: SeatView, scope: trio.CancelScope
    ) -> None:
        with scope:
            answer = await front.decide(view, ask.decision)
            self.context.put(AnswerGiven(ask.place, ask.seat, answer))


@dataclass(slots=True)
class GameStage:
    context: TableContext
    files: GameFiles
    peer: Peer
    after_game: Callable[[], Awaitable[None]] | None = None
    """To be done when the game has ended here, if every seat has had a turn."""
    ending: Ending | None = None
    _links: dict[Seat, int] = field(default_factory=dict)
    """Link number of each linked seat."""
    _dialer: Dialer = field(init=False)
    _questions: OpenQuestions = field(init=False)

    def __post_init__(self) -> None:
        self._questions = OpenQuestions(self.context)
        self._dialer = Dialer(
            self.context.world,
            self.context.connections,
            self.peer.genesis,
            self.peer.seat,
            self.context.signer,
            self.files.places,
            self._links,
            self.context.own_faults,
            self.peer.gossip.budgets.may_relay,
            self.context.listener,
        )

    async def begin_game(
        self,
        links: dict[int, int],
        *,
        tell_first: Iterable[SendToLink] = (),
        also_dial: tuple[str, int] | None = None,
    ) -> None:
        """The peer begins, and the others are dialled from now on. `links`: the seat of each link
        that stands already, by its number. `tell_first` goes out as soon as the game is on disk,
        before anything of it."""
        peer, now, connections = self.peer, trio.current_time(), self.context.connections
        connections.join_game(peer.genesis.charter.table, peer.genesis.id)
        connections.judge_newcomer = self.judge_newcomer
        peer.begin(now)
        await self._perform_effects()
        keys = frozenset(peer.genesis.players[seat].key for seat in peer.genesis.keepers)
        self.context.watchers.begin_log(self.files.log.content, keys, now)
        for told in tell_first:
            with self.context.own_faults:
                connections.send_frame(told.link, told.frame)
        for number, seat in links.items():
            if number in connections.links:
                self._add_link(seat, number, now)
        await self._perform_effects()
        self.files.places.name_log(self.files.log.shared)
        self._dialer.start_dialing(self.context.nursery)
        if also_dial is not None:
            self.context.nursery.start_soon(
                self._dialer.dial_until_found, also_dial, lambda: not self._is_linked_to_all
            )

    def judge_newcomer(self, theirs: Hello) -> Refusal | None:
        if not theirs.table:
            return make_refusal(RefusalCode.STARTED, "the game has started")
        if theirs.table != self.context.connections.table:
            return make_refusal(RefusalCode.NO_TABLE, "another table is played here")
        genesis = self.peer.genesis
        return refuse_stranger(theirs, (genesis.players[seat].key for seat in genesis.keepers))

    @property
    def _is_linked_to_all(self) -> bool:
        return self._links.keys() | {self.peer.seat} >= set(self.peer.genesis.keepers)

    # -- the stage ---------------------------------------------------------------------------

    @property
    def deadline(self) -> float:
        return self.peer.deadline

    async def perform_item_effects(self) -> Stage:
        """Nothing yet: the entries of a whole batch are written together."""
        return self

    async def finish_batch(self, now: float) -> Stage:
        if now >= self.peer.deadline:
            self.peer.tick(now)
        await self._perform_effects()
        return self

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
                    self.peer.link_down(seat, now)
                    self._dialer.redial_now(seat)
            case AnswerGiven(answer=Leave()):
                self._obey_command(LeaveTable(), now)
            case AnswerGiven(place=place, seat=seat, answer=answer):
                assert not isinstance(answer, Leave)  # the case above
                self.peer.accept_answer(place, seat, answer, now)
            case (
                StartGame() | AddBot() | RemovePlayer() | MovePlayer() | OpenSeats() | AcceptKey()
                | ChangeName() | ChangeMonster() | MarkReady()
            ):  # fmt: skip
                pass  # of the lobby, a moment too late
            case _:  # the commands of a game
                self._obey_command(item, now)

    def _obey_command(self, command: GameCommand | TableCommand, now: float) -> None:
        peer = self.peer
        match command:
            case GoOn(bot=bot):
                peer.go_on(bot, now)
            case StopToday(wanted=wanted):
                peer.stop_today(wanted, now)
            case LetBotPlay():
                peer.let_bot_play(now)
            case ComeBack():
                peer.come_back(now)
            case LetBack(seat=seat):
                peer.let_back(seat, now)
            case Say(text=text):
                peer.say_line(text, now)
            case LeaveTable():
                peer.give_up(now)
            case KeepSeat():
                peer.keep_seat(now)
            case _:
                assert_never(command)

    # -- links -------------------------------------------------------------------------------

    def _accept_link(self, link: Link, now: float) -> None:
        """A new link to a player of this game becomes the link of its seat.

        If two processes dial each other at once, both sides must keep the same one of the two
        links: the one that the smaller key dialled. Of two processes of one player the newer one
        counts, and the older one is told of it.
        """
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
                self.context.connections.send_frame(link.number, here.signed)
            link.close()
            return
        if old is not None and old.their_hello.instance == link.their_hello.instance:
            if link.is_relayed and not old.is_relayed:
                link.cut()  # a relay carries only what has no direct way
                return
            is_better = old.is_relayed and not link.is_relayed
            smaller_dials = self.context.signer.key < link.key
            if not is_better and link.dialled != smaller_dials and old.dialled == smaller_dials:
                link.cut()
                return
        self._add_link(seat, link.number, now)
        if old is not None:
            old.close()

    def _link_of(self, seat: Seat) -> Link | None:
        return self.context.connections.links.get(self._links.get(seat, -1))

    def _seat_of(self, link: Link) -> Seat | None:
        return next((s for s, number in self._links.items() if number == link.number), None)

    def _add_link(self, seat: Seat, number: int, now: float) -> None:
        self._links[seat] = number
        debug_lines.GAME.debug("link %d is of %s", number, debug_lines.player(seat))
        self.peer.link_up(seat, now)
        link = self.context.connections.links.get(number)
        if link is not None:  # else it is gone already, as this process was stopped
            link.budget = self.peer.gossip.budgets.of(seat)
            self._dialer.greet_link(seat, link)

    def _receive_frame(self, seat: Seat, link: Link, frame: Frame, now: float) -> None:
        match frame:
            case Signed(kind=BodyKind.ADDRESS):
                try:
                    self._dialer.accept_address(seat, frame)
                except BadBytes:  # a player that passes one on has read it
                    link.cut()
            case Signed(kind=BodyKind.GENESIS):
                self._tell_seals(link, frame)
            case _:  # the peer knows which frames have a place in a game
                self.peer.receive_frame(seat, frame, now)

    def _tell_seals(self, link: Link, signed: Signed) -> None:
        """A player who has signed the start, and does not know yet that all have, asks by telling
        the signatures that it knows."""
        genesis = self.peer.genesis.signed
        if signed.body == genesis.body and signed.signature != genesis.signature:
            self.context.connections.send_frame(link.number, genesis)

    # -- effects -----------------------------------------------------------------------------

    async def _perform_effects(self) -> None:
        """All entries go to the log first, and to disk before anything is sent; then the other
        effects follow in order.

        A crash between the two loses frames, which the others ask for again. The reverse order
        could send an entry that this seat, after a crash, would sign anew and differently.
        """
        effects: list[Effect] = self.peer.take_effects()
        bodies = (e.signed for e in effects if isinstance(e, AppendRecord))
        is_sending = any(isinstance(effect, SendFrame) for effect in effects)
        if written := await self.files.log.append_bodies(bodies, is_sending=is_sending):
            self.context.watchers.grow_log(written, trio.current_time())
        debug_lines.note_effects(effects)
        for effect in effects:
            match effect:
                case AppendRecord():
                    pass  # written above
                case SendFrame(seat=seat, frame=frame):
                    self._send_frame(seat, frame)
                case ShowNotice(notice=notice):
                    self.context.front.show(notice)
                    self.context.watchers.note_notice(notice)
                case AskDecision(seat=seat):
                    self._questions.ask(effect, self._front_of(seat), self.peer.view_of(seat))
                case WithdrawQuestion(seat=seat):
                    self._questions.withdraw(seat)
                case CloseLink(seat=seat):
                    link = self._link_of(seat)
                    if link is not None:
                        link.cut()
                case KeepEvidence(seat=seat, height=height, data=data):
                    path = await self.files.log.save_evidence(f"evidence-{seat + 1}-{height}", data)
                    self.context.front.show(EvidenceKept(seat, path))
                case EndPeer(kind=kind, detail=detail):
                    await self._end_game(kind, detail)
                case _:
                    assert_never(effect)

    def _front_of(self, seat: Seat) -> Front:
        """Return the front that answers for a seat of this keeper: one for all people here."""
        player = self.peer.genesis.players[seat]
        if seat == self.peer.seat or (player.keeper == self.peer.seat and not player.automatic):
            return self.context.front
        return self.context.bots.front_of(seat, player)

    def _send_frame(self, seat: Seat, frame: Frame) -> None:
        with self.context.own_faults:
            self.context.connections.send_frame(self._links.get(seat, -1), frame)

    async def _end_game(self, kind: EndKind, detail: str) -> None:
        peer = self.peer
        log = await self.files.log.close_log()
        if kind is EndKind.ELSEWHERE:
            newer = epoch_of(max(peer.newest_instance, self.context.connections.instance))
            folder = self.files.places.path.parent
            await write_epoch(self.context.world.disk, folder, newer)
        # A game that is finished, or that this seat has left, is nothing to come back to.
        self.files.places.close(keep=kind not in (EndKind.FINISHED, EndKind.LEFT))
        self.context.world.disk.release(self.files.places.path.with_name("lock"))
        has_had_a_round = peer.ledger.game.state.turn > len(peer.genesis.players)
        if self.after_game is not None and has_had_a_round:
            await self.after_game()
        self._questions.withdraw_all()
        self.ending = Ending(
            kind,
            detail,
            log,
            peer.view,
            peer.ledger.game.state.winners or (),
            peer.ledger.chain.turns,
            table=self._last_table(),
            one_game_key=self.context.signer if peer.genesis.players[peer.seat].one_game else None,
        )

    def _last_table(self) -> LastTable:
        genesis, places = self.peer.genesis, self.files.places.places
        people = [seat for seat in genesis.keepers if seat != self.peer.seat]
        targets = (
            tuple(self._dialer.trusted_targets_of(seat)) if seat in people else ()
            for seat in range(len(genesis.players))
        )
        charter = genesis.charter
        near = places.near if is_loopback(places.near) else ""
        return LastTable(
            charter.host,
            charter.clocks,
            tuple(targets),
            places.bind or near,
            places.port,
            places.secret,
            places.watch,
        )
