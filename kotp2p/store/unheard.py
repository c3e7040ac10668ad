"""The end of a log that perhaps nobody else has heard, and how it is cut off.

Scope: the log of a seat whose process has stopped because the seat was played elsewhere.
Not here: torn tails (`kotp2p.wire.records`).

Such a process may have signed a decision or a vote in its last moment that reached nobody, while
the newer process decided otherwise. Sent later, the two would convict their seat. What nobody else
builds on is cut off: a keeper and its bots are one process, so that they have not told it to
anybody by building on it themselves. If somebody has heard it after all, this seat learns it again
from the others (PROTOCOL.md 10.6).
"""

from __future__ import annotations

from kotp2p.wire.entries import Answering, BodyKind, Entry
from kotp2p.wire.genesis import Genesis
from kotp2p.wire.records import RecordReader, read_salt
from kotp2p.wire.votes import Vote, seats_kept_by


def cut_unheard(data: bytes, key: bytes) -> bytes:
    """The log without what its keeper's seats have signed last and no other keeper has built on:
    from their first answer behind the last entry of another keeper's seat, or from their first vote
    in the last view. All of it where no other keeper plays. Raises Unreadable, Damaged or
    BadBytes."""
    reader = RecordReader(data, read_salt(data))
    first = reader.read_record()
    if first is None:
        return data
    genesis = Genesis.parse(first.body)
    keys = [player.key for player in genesis.players]
    if key not in keys:
        return data
    keeper = genesis.players[keys.index(key)].keeper
    own = seats_kept_by(genesis.players, {keeper}, range(len(keys)))
    if len(own) == len(keys):
        return data
    answered: int | None = None
    voted: tuple[int, int] | None = None
    """The offset, and the view."""
    while True:
        offset, signed = reader.offset, reader.read_record()
        if signed is None:
            break
        if signed.kind in (BodyKind.PLAY, BodyKind.SHARE):
            entry = Entry.parse(signed)
            if voted is not None and entry.view > voted[1]:
                voted = None
            if entry.seat not in own:
                answered = None
            elif answered is None and isinstance(entry.payload, Answering):
                answered = offset
        elif signed.kind is BodyKind.VOTE:
            vote = Vote.parse(signed, genesis.id)
            if vote.seat in own and (voted is None or vote.view > voted[1]):
                voted = offset, vote.view
    cuts = [at for at in (answered, voted[0] if voted else None) if at is not None]
    return data[: min(cuts, default=len(data))]
