"""Tricks with what a seat says anyway: other entries than its peer has signed, or none, and votes
and heartbeats that are not as they should be."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from kotp2p.game.past import chain_at
from kotp2p.wire.commitments import CARD_WINDOW, DICE_WINDOW
from kotp2p.wire.entries import Answering, BodyKind, Commits, Entry, Head, Opening, Share, Signed
from kotp2p.wire.frames import Frame
from kotp2p.wire.frames_game import Links
from referee.model.answers import Buy, BuyTop, Pass, Peek, Reroll, Seat
from referee.model.decisions import Chance, Over
from tests.tools.sim.cheats import Mallory, Told, Trick


def everybody(me: Mallory, entry: Entry, wrong: Signed) -> Told:
    """All are told the same, or some the truth."""
    if me.chance.random() < 0.5:
        return lambda seat: (wrong,)
    return me.halves((wrong,), (entry.signed,))


def instead(me: Mallory, entry: Entry, opening: Opening) -> Told:
    return everybody(me, entry, me.writes(opening, height=entry.height, prev=entry.prev))


class TwoAnswers(Trick):
    name = "two answers"

    def lie(self, me: Mallory, entry: Entry) -> Told | None:
        there = me.there(entry)
        if there is None or not isinstance(entry.payload, Answering):
            return None
        pending = chain_at(there.chain, entry.height).game.pending
        if isinstance(pending, Chance | Over):
            return None  # what is to be answered was undone meanwhile
        answers = [
            answer
            for answer in islice(pending.legal_answers(), 40)
            if answer != entry.payload.answer and not isinstance(answer, BuyTop | Peek)
        ]
        if not answers:
            return None
        load = Answering(me.chance.choice(answers))
        return me.halves((me.writes(load, height=entry.height),), (entry.signed,))


class TwoCommitments(Trick):
    name = "two next commitments"

    def lie(self, me: Mallory, entry: Entry) -> Told | None:
        match entry.payload:
            case Opening(commitments=(_, *rest)) as load if me.there(entry):
                other = replace(load, commitments=(me.chance.randbytes(32), *rest))
                return me.halves((me.writes(other, height=entry.height),), (entry.signed,))
            case Commits(dice=(_, *rest)) as renewal if me.there(entry):
                again = replace(renewal, dice=(me.chance.randbytes(32), *rest))
                return me.halves((me.writes(again, height=entry.height),), (entry.signed,))
            case _:
                return None


class WrongOpening(Trick):
    name = "wrong opening"

    def lie(self, me: Mallory, entry: Entry) -> Told | None:
        load = entry.payload
        if not isinstance(load, Opening) or not me.there(entry):
            return None
        if load.top is not None and me.chance.random() < 0.5:
            return instead(me, entry, replace(load, top=me.chance.randbytes(32)))
        if not load.contributions or load.contributions[0] is None:
            return None
        wrong = (me.chance.choice((None, bytes(32))), *load.contributions[1:])
        return instead(me, entry, replace(load, contributions=wrong))


class CopiedCommitment(Trick):
    name = "copied commitment"

    def lie(self, me: Mallory, entry: Entry) -> Told | None:
        load = entry.payload
        if not isinstance(load, Opening) or not load.commitments or not me.there(entry):
            return None
        slots = me.ledger.chain.slots.committed
        found = [c for (_, seat, _), c in slots.items() if seat != me.seat]
        copied = (me.chance.choice(found), *load.commitments[1:])
        return instead(me, entry, replace(load, commitments=copied))


class CopiedAtOnce(Trick):
    """The commitment of another seat in the very gather in which that seat shows it."""

    name = "commitment copied at once"

    def lie(self, me: Mallory, entry: Entry) -> Told | None:
        load = entry.payload
        if not isinstance(load, Opening) or not load.commitments or not me.there(entry):
            return None
        shown = [
            part.payload.commitments
            for seat in me.others
            if (part := me.ledger.chain.find_entry(entry.height, seat)) is not None
            and isinstance(part.payload, Opening)
        ]
        if not shown:
            return None
        return instead(me, entry, replace(load, commitments=me.chance.choice(shown)))


class IllegalMove(Trick):
    name = "illegal move"

    def lie(self, me: Mallory, entry: Entry) -> Told | None:
        if not isinstance(entry.payload, Answering) or not me.there(entry):
            return None
        answer = me.chance.choice((Reroll((0, 17)), Buy(999), BuyTop(3)))
        secret = bytes(32) if isinstance(answer, BuyTop) else None
        wrong = me.writes(Answering(answer, secret), height=entry.height)
        return everybody(me, entry, wrong)


class AnotherKind(Trick):
    name = "another kind of entry"

    def lie(self, me: Mallory, entry: Entry) -> Told | None:
        there = me.there(entry)
        if not there:
            return None
        load = entry.payload
        if isinstance(load, Opening):
            # another digest where one is due would stop the game instead (`forgeries`)
            digest = None if chain_at(there.chain, entry.height).feed.position_due else bytes(32)
            options = (replace(load, position=digest), replace(load, slot=load.slot + 1))
            wrong: Opening | Answering | Commits = me.chance.choice((*options, Answering(Pass())))
        else:
            dice = tuple(me.chance.randbytes(32) for _ in range(DICE_WINDOW))
            cards = tuple(me.chance.randbytes(32) for _ in range(CARD_WINDOW))
            wrong = Commits(0, dice, 0, cards)
        return everybody(me, entry, me.writes(wrong, height=entry.height))


class OldHead(Trick):
    """An entry on a past that is over."""

    name = "old head"

    def lie(self, me: Mallory, entry: Entry) -> Told | None:
        if not me.there(entry) or isinstance(entry.payload, Share):
            return None
        prev = me.ledger.heads[max(0, entry.height - me.chance.randint(1, 6))]
        return everybody(me, entry, me.writes(entry.payload, height=entry.height, prev=prev))


class Withheld(Trick):
    """An entry reaches nobody, or some only."""

    name = "withheld"

    def lie(self, me: Mallory, entry: Entry) -> Told | None:
        if me.chance.random() < 0.5:
            return lambda seat: ()
        return me.halves((), (entry.signed,))


class AnotherDigest(Trick):
    """The game stops where no majority agrees, and nobody is accused (PROTOCOL.md 5.6)."""

    name = "another digest"

    def lie(self, me: Mallory, entry: Entry) -> Told | None:
        load = entry.payload
        if not isinstance(load, Opening) or load.position is None or not me.there(entry):
            return None
        return instead(me, entry, replace(load, position=me.chance.randbytes(32)))


class WrongShare(Trick):
    name = "wrong share"

    def lie(self, me: Mallory, entry: Entry) -> Told | None:
        load = entry.payload
        if not isinstance(load, Share) or not me.there(entry):
            return None
        wrong = replace(load, sealed=me.chance.randbytes(len(load.sealed)))
        return everybody(me, entry, me.writes(wrong, height=entry.height))


# -- frames of other kinds -------------------------------------------------------------------


class NoVotes(Trick):
    """Neither votes nor says what it wants: who protects his accomplices."""

    name = "no votes"

    def frame(self, me: Mallory, seat: Seat, frame: Frame) -> tuple[Frame, ...]:
        own = isinstance(frame, Signed) and frame.kind in (BodyKind.VOTE, BodyKind.WORD)
        return () if own else (frame,)


class SomeVotes(Trick):
    """Votes reach some of the others only."""

    name = "votes for some"

    def frame(self, me: Mallory, seat: Seat, frame: Frame) -> tuple[Frame, ...]:
        vote = isinstance(frame, Signed) and frame.kind is BodyKind.VOTE
        return () if vote and seat % 2 == me.seat % 2 else (frame,)


class FalseHead(Trick):
    """Says it were further, or less far, than it is."""

    name = "false heartbeat"

    def frame(self, me: Mallory, seat: Seat, frame: Frame) -> tuple[Frame, ...]:
        if not isinstance(frame, Signed) or frame.kind is not BodyKind.HEAD:
            return (frame,)
        if me.chance.random() >= me.script.often:
            return (frame,)
        view, height = me.ledger.place
        far = me.chance.choice(((view, height + 40), (view + 1, 0), (9_999, 999_999), (0, 0)))
        head = Head(me.seat, *far, me.chance.randbytes(32))
        return (head.sign(me.signer, me.genesis.id),)


class FalseLinks(Trick):
    """Says it had links to all, so that nobody passes on to it, or to nobody."""

    name = "false links"

    def frame(self, me: Mallory, seat: Seat, frame: Frame) -> tuple[Frame, ...]:
        if not isinstance(frame, Links):
            return (frame,)
        return (Links(me.chance.choice((tuple(me.others), ()))),)


class PassesNothingOn(Trick):
    """What others have signed goes no further."""

    name = "passes nothing on"

    def frame(self, me: Mallory, seat: Seat, frame: Frame) -> tuple[Frame, ...]:
        if isinstance(frame, Signed) and frame.kind in (
            BodyKind.PLAY,
            BodyKind.SHARE,
            BodyKind.STAND_IN,
        ):
            return ()
        return (frame,)
