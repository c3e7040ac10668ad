"""Stances: what one seat's own votes at one height make of it, as a table (PROTOCOL.md 9.2).

Scope: the states of a seat's part in the votes about one height, and what each state forbids.
Known limitation: events may come together. A vote that others have answered already fails when it
is signed, and a vote of a later round may fail when an earlier one wins.
Not here: how a state is found (`kotp2p.votes.locks`), and when a seat signs a vote
(`kotp2p.votes.voting`).

A drop vote is a promise. A certificate undoes what the accused have signed at its place. If a
voter had built on such an entry, it would have served both: the certificate that undoes the entry,
and the gather that makes it final. Then two honest copies could go two ways for good. So each
promise holds until another keeper shows that the certificate cannot come about.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from kotp2p.state_table import StateTable


class Stance(StrEnum):
    FREE = "free"
    """It has signed nothing about a vote there."""
    HOLDING = "holding"
    """It has objected there: it keeps what it has taken of an accused seat."""
    LOCKED = "locked"
    """It has signed a drop vote there that may still become part of a certificate."""
    BLOCKED = "blocked"
    """As locked, but it had taken something of the accused there: its vote is to undo that."""
    RELEASED = "released"
    """Its drop votes there can become part of no certificate any more."""
    PLEDGED = "pledged"
    """Its drop vote there is of a later round than the certificate that has begun another view, and
    may still begin that view otherwise."""


class VoteEvent(StrEnum):
    SIGNS_OBJECTION = "it objects"
    """It shows what it has taken of an accused seat, and says that it will not vote."""
    SIGNS_DROP = "it votes"
    """Something of the accused is missing there, so the step cannot close on what it has taken."""
    SIGNS_DROP_TO_UNDO = "it votes to undo"
    """Nothing of the accused is missing there. It does so only because of proofs."""
    ACCUSED_LEAVE = "the accused leave"
    """What is missing of them comes by a farewell from that place or an earlier one, or the step
    closes on their stand-ins."""
    ACCUSED_ANSWER = "the accused answer"
    """What is missing of them comes, and only absent keepers have not voted yet."""
    VOTE_FAILS = "its vote fails"
    """The last of its votes that bind there can pass no more: a keeper that the certificate needs
    has shown that it will not vote so."""
    VOTE_TO_UNDO_FAILS = "its vote to undo fails"
    """Another of its votes there still binds."""
    VOTE_COUNTS_AGAIN = "its vote counts again"
    """A keeper that had shown otherwise votes so after all, because of a proof. Something of the
    accused is missing there."""
    VOTE_UNDOES_AGAIN = "its vote undoes again"
    """As before, and nothing of the accused is missing there."""
    VIEW_ENDS = "the view ends"
    """A certificate begins another view."""
    EARLIER_ROUND_WINS = "an earlier round wins"
    """A certificate of an earlier round than that of its vote begins another view."""


STANCES = StateTable(
    "stance of a seat at a height",
    Stance.FREE,
    {
        Stance.FREE: {
            VoteEvent.SIGNS_OBJECTION: Stance.HOLDING,
            VoteEvent.SIGNS_DROP: Stance.LOCKED,
            VoteEvent.SIGNS_DROP_TO_UNDO: Stance.BLOCKED,
            VoteEvent.VIEW_ENDS: Stance.FREE,
            VoteEvent.VOTE_COUNTS_AGAIN: Stance.PLEDGED,
        },
        Stance.HOLDING: {
            VoteEvent.SIGNS_OBJECTION: Stance.HOLDING,
            VoteEvent.SIGNS_DROP: Stance.LOCKED,
            VoteEvent.SIGNS_DROP_TO_UNDO: Stance.BLOCKED,
            VoteEvent.VIEW_ENDS: Stance.FREE,
        },
        Stance.LOCKED: {
            VoteEvent.SIGNS_OBJECTION: Stance.LOCKED,
            VoteEvent.SIGNS_DROP: Stance.LOCKED,
            VoteEvent.SIGNS_DROP_TO_UNDO: Stance.BLOCKED,
            VoteEvent.ACCUSED_LEAVE: Stance.BLOCKED,
            VoteEvent.ACCUSED_ANSWER: Stance.BLOCKED,
            VoteEvent.VOTE_FAILS: Stance.RELEASED,
            VoteEvent.VIEW_ENDS: Stance.FREE,
            VoteEvent.EARLIER_ROUND_WINS: Stance.PLEDGED,
        },
        Stance.BLOCKED: {
            VoteEvent.SIGNS_OBJECTION: Stance.BLOCKED,
            VoteEvent.SIGNS_DROP: Stance.BLOCKED,
            VoteEvent.SIGNS_DROP_TO_UNDO: Stance.BLOCKED,
            VoteEvent.VOTE_FAILS: Stance.RELEASED,
            VoteEvent.VOTE_TO_UNDO_FAILS: Stance.LOCKED,
            VoteEvent.VIEW_ENDS: Stance.FREE,
            VoteEvent.EARLIER_ROUND_WINS: Stance.PLEDGED,
        },
        Stance.RELEASED: {
            VoteEvent.VOTE_COUNTS_AGAIN: Stance.LOCKED,
            VoteEvent.VOTE_UNDOES_AGAIN: Stance.BLOCKED,
            VoteEvent.SIGNS_OBJECTION: Stance.RELEASED,
            VoteEvent.SIGNS_DROP: Stance.LOCKED,
            VoteEvent.SIGNS_DROP_TO_UNDO: Stance.BLOCKED,
            VoteEvent.VIEW_ENDS: Stance.FREE,
        },
        Stance.PLEDGED: {
            VoteEvent.VOTE_FAILS: Stance.FREE,
            VoteEvent.VIEW_ENDS: Stance.FREE,
            VoteEvent.EARLIER_ROUND_WINS: Stance.PLEDGED,
        },
    },
)


class Act(StrEnum):
    """What a stance may forbid."""

    VOTE_FOR_THE_PLAYER = "sign a drop vote without proofs against seats that it has objected for"
    TAKE_ENTRY_OF_ACCUSED = "take an entry of the accused at that place"
    TAKE_ENTRY = "take any entry"
    TAKE_FAREWELL_FROM_BEHIND = "take a farewell from a place behind the vote"
    SIGN_ENTRY = "sign an entry"
    SIGN_DROP = "sign a drop vote"
    SIGN_END = "sign the end of the game"


FORBIDDEN: Mapping[Stance, frozenset[Act]] = {
    Stance.FREE: frozenset(),
    # The others have gone on because of the objection.
    Stance.HOLDING: frozenset({Act.VOTE_FOR_THE_PLAYER}),
    # On such an entry the step could close, and the certificate would undo it. A seat whose vote
    # lacks absent keepers alone may take it (`kotp2p.votes.locks`).
    Stance.LOCKED: frozenset({Act.VOTE_FOR_THE_PLAYER, Act.TAKE_ENTRY_OF_ACCUSED}),
    # Each further entry would build on the one that the vote is to undo. An entry that is taken
    # could close a gather, and with it the way back. So could the stand-in of a farewell. A seat
    # that waits for absent keepers alone may go on where no gather is open.
    Stance.BLOCKED: frozenset(
        {
            Act.VOTE_FOR_THE_PLAYER,
            Act.TAKE_ENTRY_OF_ACCUSED,
            Act.TAKE_ENTRY,
            Act.TAKE_FAREWELL_FROM_BEHIND,
            Act.SIGN_ENTRY,
        }
    ),
    Stance.RELEASED: frozenset({Act.VOTE_FOR_THE_PLAYER}),
    # The certificate of the later round takes the place of the one that has begun this view. It
    # cannot if its voters have gone on in this view. What others sign here it takes: that tells it
    # that the later certificate cannot come.
    Stance.PLEDGED: frozenset({Act.SIGN_ENTRY, Act.SIGN_DROP, Act.SIGN_END}),
}
