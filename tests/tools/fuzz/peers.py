"""A whole peer that hears anything from the other seats of its table, and what its player is shown.

A recorded game is played again from the view of seat 0, with lies before each true record. The
peer may drop links, find a cheat and stop, or say nothing. It raises nothing, and the terminal
has words for whatever it shows. All seats but its own are in one hostile hand: only the
signatures of seat 0 are asked for.
"""

import functools
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import trio
import trio.testing

from kotp2p.cli.ui.notice_feed import Audience, NoticeFeed
from kotp2p.game.ledger import Ledger
from kotp2p.mesh.gossip import AskDecision, CloseLink, ShowNotice
from kotp2p.peer.peer import Peer
from kotp2p.wire.crypto import Signer, Tag, is_valid_signature
from kotp2p.wire.entries import Answering, BodyKind, Entry, Signed, sign_head
from kotp2p.wire.frames import Frame, decode
from tests.support.hearing import hear_frame
from tests.support.memory_tables import TestTable
from tests.support.memory_world import memory_disk
from tests.tools.fuzz import errors, logs, seeds, table
from tests.tools.fuzz.mutate import Mutator

ME = 0


@dataclass(frozen=True, slots=True)
class Recorded:
    log: bytes
    signer: Signer
    seed: bytes


@functools.cache
def games() -> tuple[Recorded, ...]:
    return tuple(_played(rules, players) for rules, players in (("second", 3), ("dark", 4)))


def _played(rules: str, players: int) -> Recorded:
    held = TestTable(players=players, rules=rules)
    trio.run(held.run, clock=trio.testing.MockClock(autojump_threshold=0))
    disk = memory_disk(held.world_of(ME))
    found = {path.name: data for path, data in (*disk.removed.items(), *disk.files.items())}
    return Recorded(found["log"], Signer(found["key"]), found["seed"])


@contextmanager
def others_forge(key: bytes) -> Iterator[None]:
    """Signatures of all keys but this one are taken for good."""

    def lenient(author: bytes, tag: Tag, body: bytes, signature: bytes) -> bool:
        return author != key or is_valid_signature(author, tag, body, signature)

    with logs.signatures_judged_by(lenient):
        yield


class Victim:
    """Seat 0 in a recorded game, somewhere on its way."""

    def __init__(self, game: Recorded, until: int) -> None:
        self.now = 1000.0
        ledger, self.rest = table.begun(game.log, until)
        self.peer = Peer(ledger.genesis, ME, game.signer, game.seed, ledger)
        self.news = NoticeFeed(Audience())
        self.seats = range(1, len(ledger.genesis.players))
        self.peer.begin(self.now)
        for seat in self.seats:
            self.peer.link_up(seat, self.now)
            place = *ledger.place, ledger.head
            self.hear(seat, sign_head(game.signer, ledger.genesis.id, seat, *place))
        self.perform()

    @property
    def ledger(self) -> Ledger:
        return self.peer.ledger

    def hear(self, source: int, frame: Frame) -> None:
        hear_frame(self.peer, source, frame, self.now)
        self.perform()

    def perform(self) -> None:
        """Shows what is to be shown; a dropped link comes again at once."""
        for effect in self.peer.take_effects():
            match effect:
                case ShowNotice(notice=notice):
                    told = self.news.tell_notice(notice)
                    assert all(isinstance(line, str) for line in told.lines + told.hints)
                case CloseLink(seat=seat):
                    self.peer.link_down(seat, self.now)
                    self.peer.link_up(seat, self.now)
                case AskDecision(place=place):
                    assert place == self.ledger.place
                case _:
                    pass

    def go_on(self, true: Signed) -> None:
        """The next true record, whoever it is of, if the game is still that one."""
        if true.kind in (BodyKind.PLAY, BodyKind.SHARE):
            entry = Entry.parse(true)
            if entry.seat != ME:
                self.hear(entry.seat, true)
            elif isinstance(entry.payload, Answering) and entry.prev == self.ledger.head:
                self.peer.accept_answer(self.ledger.place, ME, entry.payload.answer, self.now)
                self.perform()

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.peer.tick(self.now)
        self.perform()


def lies(chance: random.Random, count: int) -> int:
    """How many lies did not stop the game."""
    liar, frames, done, survived = table.Liar(chance), Mutator(seeds.frames(), chance), 0, 0
    while done < count:
        game = chance.choice(games())
        with others_forge(game.signer.key):
            victim = Victim(game, 1 + int(chance.random() * 80))
            for true in victim.rest:
                for _ in range(5):
                    done += 1
                    victim.hear(chance.choice(victim.seats), _lie(liar, frames, victim, chance))
                    survived += not victim.peer.has_ended
                _pass_time(victim, chance)
                if victim.peer.has_ended or done >= count:
                    break
                victim.go_on(true)
    return survived


def _lie(liar: table.Liar, frames: Mutator, victim: Victim, chance: random.Random) -> Frame:
    """Often about the very place; now and then any frame that can be decoded at all."""
    if chance.random() < 0.8:
        return liar.word(victim.ledger) if chance.random() < 0.3 else liar.body(victim.ledger, None)
    while True:
        try:
            found = decode(frames.next())
        except errors.DECODING:
            continue
        if found is not None:
            return found


def _pass_time(victim: Victim, chance: random.Random) -> None:
    roll = chance.random()
    if roll < 0.3:
        victim.wait(chance.choice((0.1, 1.0, 5.0, 5.0, 16.0)))
    if roll < 0.02:
        peer, now = victim.peer, victim.now
        wishes: list[Callable[[], None]] = [
            lambda: peer.go_on(True, now), lambda: peer.go_on(False, now),
            lambda: peer.stop_today(True, now), lambda: peer.come_back(now),
            lambda: peer.let_back(chance.choice(victim.seats), now),
        ]  # fmt: skip
        chance.choice(wishes)()
        victim.perform()
