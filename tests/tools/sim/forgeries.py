"""Tricks of their own accord: what no peer would ever send, sent some times in each game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from kotp2p.game.disclosure import sign_blame
from kotp2p.game.steps import Finished, Gather, Solo
from kotp2p.peer.secrets import Secrets
from kotp2p.wire.chat_line import ChatLine
from kotp2p.wire.closings import End, pack_seals
from kotp2p.wire.crypto import Tag
from kotp2p.wire.entries import Answering, Blame, BodyKind, Commits, Head, Opening, Signed
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.frames import Frame
from kotp2p.wire.frames_game import Links, PositionShown, Want
from kotp2p.wire.intents import Intent, IntentKind
from kotp2p.wire.proofs import MAX_PROOF_BYTES, CheatProof
from kotp2p.wire.votes import Vote, VoteChoice, seats_kept_by
from referee.model.answers import Pass, Reroll, Seat, Stop
from tests.tools.sim.cheats import Mallory, Trick

Sends = Iterable[tuple[Seat, Frame]]


def to_all(me: Mallory, *frames: Frame) -> Sends:
    return [(seat, frame) for seat in me.linked for frame in frames]


def to_halves(me: Mallory, one: Frame, other: Frame) -> Sends:
    told = me.halves((one,), (other,))
    return [(seat, frame) for seat in me.linked for frame in told(seat)]


def accused(me: Mallory, seat: Seat) -> tuple[Seat, ...]:
    """A seat, with all that its keeper plays."""
    players, alive = me.genesis.players, me.ledger.game.state.seats_alive()
    return tuple(sorted(seats_kept_by(players, {players[seat].keeper}, alive)))


def drop(
    me: Mallory, seats: tuple[Seat, ...], round_: int, proofs: tuple[bytes, ...] = ()
) -> Signed:
    ledger, choice = me.ledger, VoteChoice.DROP if round_ else VoteChoice.HELD
    return Vote.sign(
        me.signer, ledger.genesis.id, ledger.place, ledger.head, me.seat, choice, seats, round_,
        proofs,
    ).signed  # fmt: skip


def targets(me: Mallory) -> list[tuple[Seat, ...]]:
    """Whom it can vote against."""
    alive = me.ledger.game.state.seats_alive()
    found = {accused(me, seat) for seat in alive}
    return sorted(seats for seats in found if seats and me.seat not in seats)


class OutOfTurn(Trick):
    name = "out of turn"

    def add(self, me: Mallory) -> Sends:
        step = me.ledger.step
        if isinstance(step, Solo) and step.seat != me.seat:
            load = Answering(me.chance.choice((Stop(), Pass(), Reroll((0,)))))
            return [(seat, me.writes(load)) for seat in me.some()]
        return ()


class AheadOfTime(Trick):
    """Opens what nobody has asked for."""

    name = "ahead of time"

    def add(self, me: Mallory) -> Sends:
        if isinstance(me.ledger.step, Finished):
            return ()
        later = me.ledger.height + me.chance.randint(1, 80)
        load = me.chance.choice((Answering(Stop()), Answering(Pass())))
        return to_all(me, me.writes(load, height=later, prev=me.chance.randbytes(32)))


class ForgedAuthor(Trick):
    name = "forged author"

    def add(self, me: Mallory) -> Sends:
        owed = [seat for seat in me.ledger.owing_seats() if seat != me.seat]
        if not owed:
            return ()
        seat = me.chance.choice(owed)
        step = me.ledger.step
        if isinstance(step, Gather):
            hand = Secrets(me.ledger, seat, me.signer, me.seed)
            return to_all(me, me.writes(hand.make_opening(step), seat=seat))
        return to_all(me, me.writes(Answering(Stop()), seat=seat))


class AnotherGame(Trick):
    """What it has signed for another game, and somebody else's as well."""

    name = "replay of another game"

    def add(self, me: Mallory) -> Sends:
        game = me.chance.randbytes(32)
        mine = me.writes(Answering(Stop()), game=game)
        farewell = Farewell.sign(me.signer, game, me.seat, 0, 3).signed
        return to_all(me, me.chance.choice((mine, farewell)))


class Replay(Trick):
    name = "replay of this game"

    def add(self, me: Mallory) -> Sends:
        found = [f for f in me.heard if isinstance(f, Signed)]
        again = [me.chance.choice(found) for _ in range(20)] if found else []
        return [(seat, frame) for seat in me.some() for frame in again]


class PastAgain(Trick):
    """Another entry for a place that is long over."""

    name = "past again"

    def add(self, me: Mallory) -> Sends:
        ledger = me.ledger
        if ledger.height < 6:
            return ()
        height = me.chance.randrange(ledger.height)
        load = Answering(Reroll((0, me.chance.randint(1, 5))))
        return [(seat, me.writes(load, height=height)) for seat in me.some()]


class Spam(Trick):
    name = "spam"

    def add(self, me: Mallory) -> Sends:
        game, chance = me.genesis.id, me.chance
        frames: list[Frame] = [Want(chance.choice((0, 5, 999_999))) for _ in range(30)]
        frames += [Links(tuple(range(chance.randint(0, 5)))) for _ in range(10)]
        for serial in range(30):
            place, seats = (0, chance.randint(0, 99)), (chance.choice(me.others),)
            word = Intent.sign(
                me.signer, game, me.seat, serial * 1000, IntentKind.DROP, place, seats
            )
            said = ChatLine.sign(me.signer, game, me.seat, serial, "spam" * 40)
            frames += [word.signed, said.signed]
            far = Head(me.seat, me.ledger.view, me.ledger.height, chance.randbytes(32))
            frames.append(far.sign(me.signer, game))
        return [(seat, frame) for seat in me.some() for frame in frames]


class Huge(Trick):
    name = "huge frames"

    def add(self, me: Mallory) -> Sends:
        kind = me.chance.choice(
            (BodyKind.PLAY, BodyKind.VOTE, BodyKind.SHARE, BodyKind.STAND_IN, BodyKind.CLOSE)
        )
        body = me.chance.choice((bytes(60_000), b"\x91" * 60_000, me.chance.randbytes(60_000)))
        return to_all(me, Signed(kind, body, bytes(64)))


class TwoFarewells(Trick):
    name = "two farewells"

    def add(self, me: Mallory) -> Sends:
        view, height = me.ledger.place
        at = [height + 1 + later for later in me.chance.sample(range(4), 2)]
        one, other = (Farewell.sign(me.signer, me.genesis.id, me.seat, view, h) for h in at)
        return to_halves(me, one.signed, other.signed)


class PlaysOn(Trick):
    """Says farewell, for now or for before, and plays on."""

    name = "farewell and on"

    def add(self, me: Mallory) -> Sends:
        view, height = me.ledger.place
        at = max(0, height - me.chance.randint(-2, 4))
        farewell = Farewell.sign(me.signer, me.genesis.id, me.seat, view, at)
        return [(seat, farewell.signed) for seat in me.some()]


class TwoVotes(Trick):
    name = "two votes in a round"

    def add(self, me: Mallory) -> Sends:
        found = targets(me)
        if len(found) < 2:
            return ()
        one, other = me.chance.sample(found, 2)
        return to_halves(me, drop(me, one, 1), drop(me, other, 1))


class VotesAndHolds(Trick):
    name = "vote and held"

    def add(self, me: Mallory) -> Sends:
        found = targets(me)
        if not found:
            return ()
        seats = me.chance.choice(found)
        return to_halves(me, drop(me, seats, me.chance.randint(1, 9)), drop(me, seats, 0))


class FalseHeld(Trick):
    name = "false held"

    def add(self, me: Mallory) -> Sends:
        found = targets(me)
        if not found:
            return ()
        known = [vote.proofs for vote in me.ledger.tally.all_votes() if vote.proofs]
        proofs = me.chance.choice(((), *known))
        return to_all(me, drop(me, me.chance.choice(found), 0, proofs))


class EmptyVotes(Trick):
    """Votes against who is there, in rounds that go up."""

    name = "votes against the innocent"

    def add(self, me: Mallory) -> Sends:
        found = [seats for seats in targets(me) if not set(seats) & me.script.gang()]
        if not found:
            return ()
        rounds = me.chance.choice(((1,), (1, 2, 3), (7, 30, 900), tuple(range(1, 40))))
        votes = [drop(me, me.chance.choice(found), round_) for round_ in rounds]
        return [(seat, vote) for seat in me.some() for vote in votes]


class BogusProof(Trick):
    name = "bogus proof"

    def add(self, me: Mallory) -> Sends:
        signed = [
            f for f in me.heard
            if isinstance(f, Signed) and f.kind in (BodyKind.PLAY, BodyKind.VOTE, BodyKind.SHARE)
            if len(f.body) < MAX_PROOF_BYTES
        ]  # fmt: skip
        found = targets(me)
        if len(signed) < 2 or not found:
            return ()
        one, other = me.chance.choice(signed), me.chance.choice(signed)
        proofs = (
            CheatProof((one,)),
            CheatProof((one, other)),
            CheatProof((one, one)),
            CheatProof((Signed(one.kind, one.body, bytes(64)), one)),
            CheatProof((me.writes(Answering(Stop())), one)),
        )
        proof = me.chance.choice(proofs)
        vote = drop(me, me.chance.choice(found), me.chance.randint(1, 5), (proof.id,))
        frames = me.chance.choice(((proof.signed, vote), (vote, proof.signed), (vote,)))
        return [(seat, frame) for seat in me.some() for frame in frames]


@dataclass
class FalseBlame(Trick):
    """Blames a share that was right, with its own secret or with another one."""

    name: str = "false accusation"
    blamed: set[int] = field(default_factory=set)

    def add(self, me: Mallory) -> Sends:
        for share, step in me.ledger.chain.feed.shares:
            if step.taker == me.seat and share.height not in self.blamed:
                self.blamed.add(share.height)
                true = Secrets(me.ledger, me.seat, me.signer, me.seed)._peek_secret(step.slot)
                secret = me.chance.choice((true, me.chance.randbytes(32)))
                return to_all(me, sign_blame(me.signer, share, step, secret).signed)
        return ()


class BlamesNothing(Trick):
    """A blame where nobody has shared anything."""

    name = "accusation of nothing"

    def add(self, me: Mallory) -> Sends:
        height = me.chance.randint(0, me.ledger.height)
        return to_all(me, me.writes(Blame(0, me.chance.randbytes(32)), height=height))


class AnotherEnd(Trick):
    """Confirms an end that is not this game's."""

    name = "another end"

    def add(self, me: Mallory) -> Sends:
        ledger, game = me.ledger, me.genesis.id
        end = End(ledger.height, ledger.head, (me.seat,), ledger.chain.feed.position_digest())
        seal = me.signer.sign(Tag.CLOSE, end.body(game))
        return to_all(me, Signed(BodyKind.CLOSE, end.body(game), pack_seals({me.seat: seal})))


class AnotherPosition(Trick):
    """Shows a position that nobody has asked for, and that is not the game's."""

    name = "another position"

    def add(self, me: Mallory) -> Sends:
        return to_all(me, PositionShown(me.ledger.height, (1, 2, 3)))


class EarlyCommits(Trick):
    name = "commitments that nobody asked for"

    def add(self, me: Mallory) -> Sends:
        step = me.ledger.step
        if not isinstance(step, Solo):
            return ()
        new = tuple(me.chance.randbytes(32) for _ in range(10))
        load: Commits | Opening = Commits(0, new[:2], 0, new[2:])
        return [(seat, me.writes(load)) for seat in me.some()]
