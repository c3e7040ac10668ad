"""Whether bodies prove that a seat has cheated (PROTOCOL.md 9.6).

Scope: what a proof shows, given the chain up to the height that it needs.
Not here: which seats have such proofs, and what they do with them (`kotp2p.votes`).

A *contradiction* is two bodies of one seat that cannot both be honest, whatever the game. An
*offence* is one entry that the game itself refuses at its place, so it needs the chain up to there.
A *wrong share* also needs the key that its receiver has published. No seat is convicted by what
might be the network's fault: silence, another past, an entry that comes late.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from kotp2p.game.farewells import require_keeper
from kotp2p.game.past import chain_at
from kotp2p.game.refusals import (
    Cheat,
    Differs,
    Early,
    Forged,
    Fork,
    Stale,
    drop_behind_farewell,
    entry_behind_farewell,
    equivocation,
    require_signed_by_seat,
    two_farewells,
)
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import Blame, BodyKind, Entry, Signed
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.genesis import Genesis
from kotp2p.wire.proofs import CheatKind, CheatProof
from kotp2p.wire.votes import Vote, VoteChoice
from referee.model.answers import Seat

if TYPE_CHECKING:
    from kotp2p.game.chain import Chain

MAX_PROOFS_READ = 256
"""How many proofs are kept as they were read. A seat asks for the place of each that it acts on
after every frame."""


def convict_by_proof(genesis: Genesis, proof: CheatProof, chain: Chain) -> Cheat:
    """What `proof` shows, on a chain that reaches `height_needed`. Raises BadBytes, Forged if it
    shows nothing, or Fork if it is about another past than that of `chain`."""
    offence = _offence(proof)
    if offence is None:
        return _contradiction(genesis, *proof.bodies)
    check_proof(genesis, proof)
    if offence.prev != chain.heads[offence.height]:
        raise Fork("an entry on another past")
    taken = chain.find_entry(offence.height, offence.seat)
    if taken is not None and taken.id == offence.id:
        raise Forged("an entry that is right")
    # This alone grows with the game, so all that is cheap comes before it.
    return _refused(offence, chain_at(chain, offence.height))


def check_proof(genesis: Genesis, proof: CheatProof) -> Seat:
    """The author of the last body of a proof whose bodies are well formed, of this game, and
    signed by seats of the table. What they show is not looked at. Raises BadBytes or Forged."""
    offence = _offence(proof)
    bodies = [_parse(genesis, signed) for signed in proof.bodies[: -1 if offence else None]]
    if offence is not None and offence.game != genesis.id:
        raise Forged("an entry of another game")
    for body in (*bodies, *([offence] if offence is not None else [])):
        require_signed_by_seat(genesis.players, body.seat, body.signed)
    return bodies[-1].seat if offence is None else offence.seat


def height_needed(proof: CheatProof) -> int:
    """The height up to which a judge needs the chain; 0 if not at all. Raises BadBytes."""
    offence = _offence(proof)
    return 0 if offence is None else offence.height


@lru_cache(MAX_PROOFS_READ)
def _offence(proof: CheatProof) -> Entry | None:
    """The entry that the game refuses; None if the proof is two bodies that contradict each other.
    For a wrong share this is the blame, which publishes the key: the share itself was taken."""
    last, alone = proof.bodies[-1], len(proof.bodies) == 1
    found = Entry.parse(last) if last.kind in (BodyKind.PLAY, BodyKind.SHARE) else None
    if found is None and alone:
        raise Forged("a body that proves nothing by itself")
    return found if found is not None and (alone or isinstance(found.payload, Blame)) else None


@lru_cache(MAX_PROOFS_READ)
def forked_place(proof: CheatProof) -> tuple[int, int] | None:
    """The view and height of the last entry of a contradiction: a seat has signed two for it, or
    one behind a farewell of its keeper. None if the proof is of another kind. Raises BadBytes."""
    match [signed.kind for signed in proof.bodies]:
        case [_, BodyKind.PLAY | BodyKind.SHARE]:
            entry = Entry.parse(proof.bodies[1])
            return None if isinstance(entry.payload, Blame) else entry.place
        case _:  # one body alone, or two that forked nothing
            return None


def _refused(entry: Entry, past: Chain) -> Cheat:
    try:
        past.accept_entry(entry)
    except Cheat as fault:
        return fault
    except (Differs, Early, Stale, Fork) as fault:
        raise Forged("an entry that proves nothing here") from fault
    raise Forged("an entry that is right")


def _contradiction(genesis: Genesis, one: Signed, other: Signed) -> Cheat:
    first, second = _parse(genesis, one), _parse(genesis, other)
    for body in (first, second):
        require_signed_by_seat(genesis.players, body.seat, body.signed)
    # A keeper says farewell for its bots, too.
    leaves = isinstance(first, Farewell) and isinstance(second, Entry)
    author = genesis.players[second.seat].keeper if leaves else second.seat
    if first.seat != author:
        raise Forged("bodies of two seats")
    found = find_contradiction(first, second)
    if found is None:
        raise Forged("bodies that agree")
    return found


def _parse(genesis: Genesis, signed: Signed) -> Entry | Farewell | Vote:
    match signed.kind:
        case BodyKind.PLAY | BodyKind.SHARE:
            entry = Entry.parse(signed)
            if entry.game != genesis.id:
                raise Forged("an entry of another game")
            if isinstance(entry.payload, Blame):
                raise Forged("a blame contradicts nothing")
            return entry
        case BodyKind.STAND_IN:
            farewell = Farewell.parse(signed, genesis.id)
            require_keeper(genesis.players, farewell)
            return farewell
        case BodyKind.VOTE:
            vote = Vote.parse(signed, genesis.id)
            if max(vote.seats) >= len(genesis.players):
                raise Forged("a vote against a seat that is not at the table")
            return vote
        case _:  # chat, heads and the like may be signed in any number
            raise BadBytes("a body that contradicts nothing")


def find_contradiction(
    one: Entry | Farewell | Vote, other: Entry | Farewell | Vote
) -> Cheat | None:
    """What two bodies of one seat and game show; None if both may be honest. A farewell may also
    stand before an entry of a bot of its keeper."""
    match one, other:
        case Entry(), Entry() if one.place == other.place and one.id != other.id:
            return equivocation(one, other)
        case Farewell(), Farewell() if one.id != other.id:
            return two_farewells(one, other)
        case Farewell(), Entry() if other.place >= one.place:
            return entry_behind_farewell(one, other)
        case Farewell(), Vote(choice=VoteChoice.DROP) if _is_not_named(one, other):
            return drop_behind_farewell(one, other)
        case Vote(), Vote():
            return _two_votes(one, other)
        case _:  # every other pair may come from an honest seat
            return None


def _is_not_named(farewell: Farewell, drop: Vote) -> bool:
    """Whether a drop vote of the keeper is none of those that its farewell names. It says nothing
    of those of earlier views."""
    is_earlier = drop.view < farewell.view
    return not (is_earlier or (drop.view == farewell.view and drop.round in farewell.rounds))


def _two_votes(one: Vote, other: Vote) -> Cheat | None:
    """Two drop votes in one round. A DROP contradicts no objection: no log holds those, so an
    honest seat may have forgotten at a restart what it has promised."""
    if not one.choice is other.choice is VoteChoice.DROP:
        return None
    same_round = (one.view, one.round) == (other.view, other.round)
    if not same_round or (one.matter, one.head) == (other.matter, other.head):
        return None
    bodies, words = (one.signed, other.signed), "two votes in one round"
    return Cheat(one.seat, CheatKind.EQUIVOCATION, one.height, words, *bodies)
