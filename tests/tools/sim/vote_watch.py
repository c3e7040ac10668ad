"""Tells the laws of the votes what the honest peers of a simulated game do.

Law: the product does the same without. Peers of cheats are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from unittest.mock import patch

from kotp2p.endings import EndKind
from kotp2p.game.steps import Moved
from kotp2p.membership.closing import GameClosing
from kotp2p.mesh.effects import AppendRecord
from kotp2p.peer.duties import Duties
from kotp2p.peer.peer import Peer
from kotp2p.votes.voting import Voting
from kotp2p.wire.entries import Payload
from kotp2p.wire.intents import IntentKind
from kotp2p.wire.votes import Vote
from referee.model.answers import Seat
from tests.tools.sim.vote_laws import VoteLaws


@dataclass
class VoteWatch:
    """The laws of one game, and the honest peers that keep them."""

    laws: VoteLaws
    is_honest: Callable[[Peer], bool]
    peers: dict[int, Peer] = field(default_factory=dict)
    """By the id of each of their parts."""
    times: dict[int, float] = field(default_factory=dict)
    """When each of them has begun its last step, by its own clock."""

    def begins(self, begin: Callable[[Peer, float], None]) -> object:
        def begins(peer: Peer, now: float) -> None:
            if self.is_honest(peer):
                for part in (peer, peer._duties, peer._voting, peer._closing):
                    self.peers[id(part)] = peer
            begin(peer, now)

        return begins

    def advances(self, advance: Callable[[Peer, float], None]) -> object:
        def advances(peer: Peer, now: float) -> None:
            self.times[id(peer)] = now
            advance(peer, now)
            if id(peer) in self.peers:
                self.laws.steps(peer)

        return advances

    def declares(self, declare: Callable[[Peer, IntentKind, float], None]) -> object:
        def declares(peer: Peer, verb: IntentKind, now: float) -> None:
            if id(peer) in self.peers:
                self.laws.says(peer, verb)
            declare(peer, verb, now)

        return declares

    def signs_entry(self, sign: Callable[[Duties, Payload], None]) -> object:
        def signs_entry(duties: Duties, load: Payload) -> None:
            if id(duties) in self.peers:
                self.laws.i14_signs_entry(self.peers[id(duties)])
            sign(duties, load)

        return signs_entry

    def signs_drop(self, sign: Callable[[Voting, int, tuple[Seat, ...]], Moved | None]) -> object:
        def signs_drop(voting: Voting, height: int, accused: tuple[Seat, ...]) -> Moved | None:
            peer = self.peers.get(id(voting))
            if peer is None:
                return sign(voting, height, accused)
            ground = self.laws.ground_for(peer, height, accused, self.times[id(peer)])
            moved = sign(voting, height, accused)
            if moved is not None:
                effects = voting.intake.gossip.effects
                record = [e.signed for e in effects if isinstance(e, AppendRecord)][-1]
                self.laws.signs_drop(peer, Vote.parse(record, peer.genesis.id), ground)
            return moved

        return signs_drop

    def signs_end(self, sign: Callable[[GameClosing, float], None]) -> object:
        def signs_end(closing: GameClosing, now: float) -> None:
            if id(closing) in self.peers:
                self.laws.i14_signs_end(self.peers[id(closing)])
            sign(closing, now)

        return signs_end

    def closes(self, close: Callable[[GameClosing, float], EndKind | None]) -> object:
        def closes(closing: GameClosing, now: float) -> EndKind | None:
            end = close(closing, now)
            if end is EndKind.FINISHED and id(closing) in self.peers:
                self.laws.i16_seals_end(self.peers[id(closing)])
            return end

        return closes


@contextmanager
def watched_votes(laws: VoteLaws, is_honest: Callable[[Peer], bool]) -> Iterator[None]:
    """Within, the laws are told what honest peers do."""
    watch = VoteWatch(laws, is_honest)
    with (
        patch.object(Peer, "begin", watch.begins(Peer.begin)),
        patch.object(Peer, "_advance", watch.advances(Peer._advance)),
        patch.object(Peer, "declare_intent", watch.declares(Peer.declare_intent)),
        patch.object(Duties, "_sign_entry", watch.signs_entry(Duties._sign_entry)),
        patch.object(Voting, "_sign_drop", watch.signs_drop(Voting._sign_drop)),
        patch.object(GameClosing, "_sign_end", watch.signs_end(GameClosing._sign_end)),
        patch.object(GameClosing, "close_game", watch.closes(GameClosing.close_game)),
    ):
        yield
