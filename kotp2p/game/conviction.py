"""Whether bodies prove that a keeper has cheated (PROTOCOL.md 9.6).

Scope: what a proof shows, given the lines of play that it needs.
Not here: which keepers have such proofs, and what the others do with them (`kotp2p.lineup`).

A *contradiction* is two bodies of one keeper that cannot both be honest, whatever the game. An
*offence* is one entry that the game itself refuses at its place, so it needs the line up to there.
A *wrong share* also needs the key that its receiver has published. Nobody is convicted by what
might be the network's fault: silence, another past, an entry that comes late.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Protocol

from kotp2p.game.chain import Chain, chain_at
from kotp2p.game.steps import Cheat, Differs, Early, Forged, Fork, Stale, equivocation, shown_by_two
from kotp2p.referee.model.answers import Seat
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import Blame, BodyKind, Entry, Opening, Signed
from kotp2p.wire.genesis import Genesis, Player, keepers_of
from kotp2p.wire.lineups import CheatProof, Leave, LineUp


class Lines(Protocol):
    """What of a ledger a proof is judged by."""

    @property
    def genesis(self) -> Genesis: ...
    @property
    def chain(self) -> Chain:
        """Return the line that counts."""

    @property
    def chains(self) -> Mapping[bytes, Chain]:
        """Return the line of each line-up that has begun, by its id."""

    @property
    def attempt(self) -> int:
        """Return the attempt of the line-up that counts."""


MAX_PROOFS_READ = 256
"""How many proofs are kept as they were read."""


# -- contradictions ------------------------------------------------------------------------


def two_assents(keeper: Seat, height: int, one: Signed, other: Signed) -> Cheat:
    """Return the cheat of a keeper that has assented to two line-ups of one attempt."""
    return shown_by_two(keeper, height, "two line-ups in one attempt", one, other)


def past_its_assent(keeper: Seat, entry: Entry, assent: Signed) -> Cheat:
    """Return the cheat of a keeper that has played on in a line-up it has left behind.

    It has assented to a later one that does not come from it: a surround vote.
    """
    detail = "an entry in a line-up that its assent passes by"
    return shown_by_two(keeper, entry.height, detail, entry.signed, assent)


def after_leaving(keeper: Seat, leave: Leave, later: Signed, height: int) -> Cheat:
    """Return the cheat of a keeper that has signed in an attempt after its LEAVE."""
    return shown_by_two(keeper, height, "signed after it has left", leave.signed, later)


def two_leaves(one: Leave, other: Leave) -> Cheat:
    """Return the cheat of a keeper that has left twice."""
    return shown_by_two(one.seat, 0, "it has left twice", one.signed, other.signed)


def excludes(ledger: Lines, lineup: LineUp, attempt: int, keeper: Seat) -> bool:
    """Return whether an assent of `keeper` contradicts its entry in an earlier `attempt`.

    That is so if the line-up does not come from the earlier one, and no line-up on the way is
    without the keeper. The result is False as long as a line-up on the way is not known.
    """
    if attempt >= lineup.attempt:
        return False
    name = lineup.predecessor
    while (chain := ledger.chains.get(name)) is not None:
        if chain.attempt == attempt:
            return False
        if chain.attempt < attempt:
            return True
        if keeper not in chain.roster.members:
            return False
        name = chain.begun[-1].lineup.predecessor
    return False


def find_own_entry(chain: Chain, keeper: Seat) -> Entry | None:
    """Return the last entry that a keeper has signed in the last line-up of a line."""
    for height in range(chain.height, _base_of(chain) - 1, -1):
        start = chain.starts[height]
        for entry in chain.entries_at(height):
            if start.signer_of(entry.seat) == keeper and entry.attempt == chain.attempt:
                return entry
    return None


# -- proofs --------------------------------------------------------------------------------


def convict(ledger: Lines, proof: CheatProof) -> Cheat:
    """Return what `proof` shows.

    Raise BadBytes; Forged if it shows nothing; Early or Fork if it is about a place, a line-up or a
    past that this copy does not have.
    """
    offence = _offence(proof)
    if offence is None:
        return _contradiction(ledger, *proof.bodies)
    for signed in proof.bodies[:-1]:
        _parse(signed, ledger.genesis.id)
    for signed in proof.bodies:
        if find_author(ledger.genesis.players, signed, first=_seat_of(signed)) is None:
            raise Forged("a body that no keeper has signed")
    line = _line_of(ledger, offence)
    taken = line.find_entry(offence.height, offence.seat)
    if taken is not None and taken.id == offence.id:
        raise Forged("an entry that is right")
    # This alone grows with the game, so all that is cheap comes before it.
    return _refused(offence, _place_of(line, offence))


def _line_of(ledger: Lines, entry: Entry) -> Chain:
    """Return the line by which a refused entry is judged.

    Several lines have the place of a kept gather. Only one on which the signer plays will do.
    """
    if isinstance(entry.payload, Blame):
        named = [ledger.chain]
    else:
        named = [
            chain
            for chain in (ledger.chain, *ledger.chains.values())
            if entry.height >= _base_of(chain) and chain.is_named_by(entry)
        ]
    if not named and entry.attempt > ledger.attempt:
        raise Early("of a later line-up")
    there = [chain for chain in named if chain.has_head(entry)]
    if not there:
        is_later = any(entry.height > chain.height for chain in named)
        raise Early("of a later height") if is_later else Fork("an entry on another past")
    for chain in there:
        start = chain.starts[entry.height]
        if isinstance(entry.payload, Blame) or start.signer_of(entry.seat) in start.roster.members:
            return chain
    raise Forged("an entry of a keeper that does not play there")


def _base_of(chain: Chain) -> int:
    return chain.begun[-1].height if chain.begun else 0


def _place_of(line: Chain, entry: Entry) -> Chain:
    """Return the line at the place of an entry, with what else has come there."""
    if entry.height < _base_of(line):
        raise Fork("an entry before the line-up")
    return chain_at(line, entry.height)


def _refused(entry: Entry, past: Chain) -> Cheat:
    try:
        past.accept_entry(entry)
    except Cheat as fault:
        return fault
    except (Differs, Early, Stale, Fork) as fault:
        raise Forged("an entry that proves nothing here") from fault
    raise Forged("an entry that is right")


@lru_cache(MAX_PROOFS_READ)
def _offence(proof: CheatProof) -> Entry | None:
    """Return the entry that the game refuses, or None for two bodies that contradict each other.

    For a wrong share this is the blame, which publishes the key: the share was taken.
    """
    last, alone = proof.bodies[-1], len(proof.bodies) == 1
    found = Entry.parse(last) if last.kind in (BodyKind.PLAY, BodyKind.SHARE) else None
    if found is None and alone:
        raise Forged("a body that proves nothing by itself")
    return found if found is not None and (alone or isinstance(found.payload, Blame)) else None


def find_author(players: Sequence[Player], signed: Signed, first: Seat = 0) -> Seat | None:
    """Return the keeper whose key has signed a body, looking at `first` before all others."""
    keepers = keepers_of(players)
    guess = players[first].keeper if first < len(players) else keepers[0]
    for keeper in (guess, *(k for k in keepers if k != guess)):
        if signed.is_by(players[keeper].key):
            return keeper
    return None


def _seat_of(signed: Signed) -> Seat:
    """Return whose body this is most likely."""
    return Entry.parse(signed).seat if signed.kind in (BodyKind.PLAY, BodyKind.SHARE) else 0


def _contradiction(ledger: Lines, one: Signed, other: Signed) -> Cheat:
    players, game = ledger.genesis.players, ledger.genesis.id
    first, second = _parse(one, game), _parse(other, game)
    guess = second.seat if isinstance(second, Entry) else 0
    author = find_author(players, one, guess)
    if author is None or not other.is_by(players[author].key):
        raise Forged("bodies that no keeper has signed")
    match first, second:
        case Entry(), Entry() if _is_one_place(ledger, first, second) and first.id != second.id:
            return equivocation(author, first, second)
        case LineUp(), LineUp() if first.attempt == second.attempt and first.id != second.id:
            return two_assents(author, second.height, one, other)
        case Entry(), LineUp() if first.attempt < second.attempt:
            return _judge_past_assent(ledger, author, first, second, other)
        case Leave(), Leave() if one.body != other.body and author == first.seat == second.seat:
            return two_leaves(first, second)
        case Leave(), Entry() if second.attempt > first.attempt and author == first.seat:
            return after_leaving(author, first, other, second.height)
        case Leave(), LineUp() if second.attempt > first.attempt and author == first.seat:
            return after_leaving(author, first, other, second.height)
        case _:  # every other pair may come from an honest keeper
            raise Forged("bodies that agree")


def _judge_past_assent(
    ledger: Lines, keeper: Seat, entry: Entry, lineup: LineUp, assent: Signed
) -> Cheat:
    if excludes(ledger, lineup, entry.attempt, keeper):
        return past_its_assent(keeper, entry, assent)
    if lineup.predecessor not in ledger.chains:
        raise Early("a line-up whose predecessor is not known")
    raise Forged("bodies that agree")


def _is_one_place(ledger: Lines, one: Entry, other: Entry) -> bool:
    """Return whether two entries are of one seat, height and head, and of one line-up or gather.

    Raise Early as long as no line shows that a gather was kept.
    """
    places = [(entry.height, entry.prev, entry.seat) for entry in (one, other)]
    if places[0] != places[1]:
        return False
    if one.attempt == other.attempt:
        return True
    if not (isinstance(one.payload, Opening) and isinstance(other.payload, Opening)):
        return False
    for chain in ledger.chains.values():
        if chain.has_head(one) and chain.is_named_by(one) and chain.is_named_by(other):
            return True
    raise Early("openings of two line-ups")


def _parse(signed: Signed, game: bytes) -> Entry | LineUp | Leave:
    match signed.kind:
        case BodyKind.PLAY | BodyKind.SHARE:
            entry = Entry.parse(signed)
            if isinstance(entry.payload, Blame):
                raise Forged("a blame contradicts nothing")
            return entry
        case BodyKind.LINE_UP:
            return LineUp.parse(signed.body, game)
        case BodyKind.LEAVE:
            return Leave.parse(signed, game)
        case _:  # chat, heads and the like may be signed in any number
            raise BadBytes("a body that contradicts nothing")


def forked_place(proof: CheatProof) -> tuple[int, bytes] | None:
    """Return the place (height and head) of a contradiction of two entries.

    Return None for any other proof. Raise BadBytes.
    """
    if [s.kind in (BodyKind.PLAY, BodyKind.SHARE) for s in proof.bodies] != [True, True]:
        return None
    entry = Entry.parse(proof.bodies[1])
    return None if isinstance(entry.payload, Blame) else (entry.height, entry.prev)
