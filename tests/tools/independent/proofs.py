"""The seat that a proof convicts: sections 5.2 and 9.6.

Law: a function of the line of play and the bytes; `Malformed` means that it convicts nobody.
"""

from __future__ import annotations

from tests.tools.independent.bodies import (
    DROP,
    PLAY,
    SHARE,
    STAND_IN,
    TAGS,
    VOTE,
    Blame,
    Entry,
    Farewell,
    Vote,
    entry,
    farewell,
    proof_parts,
    vote,
)
from tests.tools.independent.genesis import Genesis
from tests.tools.independent.line import Line
from tests.tools.independent.wire import Malformed, need, signed


def read(genesis: Genesis, proof: bytes) -> list[Entry | Farewell | Vote]:
    """The bodies of a proof, each signed by its author."""
    return [body_of(genesis, *part) for part in proof_parts(proof)]


def body_of(genesis: Genesis, kind: int, body: bytes, signature: bytes) -> Entry | Farewell | Vote:
    """Malformed if it is not of this game, or not signed by the seat that it names."""
    need(kind in (PLAY, VOTE, STAND_IN, SHARE), "no such kind of body")
    made: Entry | Farewell | Vote
    if kind == VOTE:
        made = vote(body)
    elif kind == STAND_IN:
        made = farewell(body)
    else:
        made = entry(kind, body)
    need(made.game == genesis.game, "of another game")
    named = (made.seat, *made.accused) if isinstance(made, Vote) else (made.seat,)
    need(max(named) < len(genesis.seats), "no such seat")
    key, keeper = genesis.seats[made.seat].key, genesis.seats[made.seat].keeper
    need(not isinstance(made, Farewell) or keeper == made.seat, "a farewell of a bot")
    need(signed(key, TAGS[kind], body, signature), "a forged signature")
    return made


def needs_line(genesis: Genesis, proof: bytes) -> int | None:
    """How many steps of the line it is judged on; None for a contradiction, which needs none."""
    bodies = read(genesis, proof)
    last = bodies[-1]
    if not isinstance(last, Entry) or (len(bodies) == 2 and not isinstance(last.payload, Blame)):
        return None
    return last.place[1]


def farewells(genesis: Genesis, proof: bytes) -> list[Farewell]:
    return [body for body in read(genesis, proof) if isinstance(body, Farewell)]


def convicted(line: Line, proof: bytes) -> int:
    bodies = read(line.genesis, proof)
    if len(bodies) == 2:
        return _pair(line, bodies[0], bodies[1])
    only = bodies[0]
    if not isinstance(only, Entry):
        raise Malformed("one body that is no entry")
    if isinstance(only.payload, Blame):
        return line.blamed(only)
    return _offence(line, only)


def _pair(line: Line, one: Entry | Farewell | Vote, two: Entry | Farewell | Vote) -> int:
    if isinstance(two, Entry) and isinstance(two.payload, Blame):
        need(not (isinstance(one, Entry) and isinstance(one.payload, Blame)), "two blames")
        return line.blamed(two)
    leaver = isinstance(one, Farewell) and isinstance(two, Entry)
    author = line.genesis.seats[two.seat].keeper if leaver else two.seat
    need(one.seat == author and one != two, "two authors, or one body")
    if isinstance(one, Entry) and isinstance(two, Entry):
        need(not isinstance(one.payload, Blame) and one.place == two.place, "two places")
    elif isinstance(one, Farewell):
        if isinstance(two, Vote):
            need(two.choice == DROP and two.view >= one.place[0], "not a vote that it must name")
            need(two.view > one.place[0] or two.round not in one.rounds, "a vote that it names")
        else:
            need(isinstance(two, Farewell) or two.place >= one.place, "in good order")
    elif isinstance(one, Vote) and isinstance(two, Vote):
        need(_contradict(one, two), "two votes that agree")
    else:
        raise Malformed("no such pair")
    return two.seat


def _contradict(one: Vote, two: Vote) -> bool:
    both = one.choice == two.choice == DROP
    return both and (one.view, one.round) == (two.view, two.round) and one.matter != two.matter


def _offence(line: Line, only: Entry) -> int:
    view, height = only.place
    need(height <= line.height, "behind the line")
    need(line.heads[height] == only.prev and line.views[height] == view, "another past")
    there = line if height == line.height else line.at(height)
    try:
        there.check(only)
    except Malformed:
        return only.seat
    raise Malformed("no offence")
