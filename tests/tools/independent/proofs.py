"""The keeper that a proof convicts (5.2, 9.6); `Malformed` means that it convicts nobody."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from tests.tools.independent import bodies
from tests.tools.independent.genesis import Genesis
from tests.tools.independent.line import Line
from tests.tools.independent.wire import Malformed, need, signed

Body: TypeAlias = bodies.Entry | bodies.LineUp | bodies.Leave


@dataclass(frozen=True)
class Part:
    made: Body
    kind: int
    body: bytes
    mark: bytes
    signers: frozenset[int]


def body_of(genesis: Genesis, kind: int, body: bytes) -> Body:
    """Malformed if it is not of this game."""
    made: Body
    if kind in (bodies.PLAY, bodies.SHARE):
        return bodies.entry(kind, body)
    if kind == bodies.LINE_UP:
        made = bodies.line_up(body)
    else:
        need(kind == bodies.LEAVE, "no such kind of body")
        made = bodies.leave(body)
    need(made.game == genesis.game, "of another game")
    return made


def signers(genesis: Genesis, kind: int, body: bytes, mark: bytes) -> frozenset[int]:
    keys = {keeper: genesis.seats[keeper].key for keeper in genesis.keepers}
    return frozenset(k for k, key in keys.items() if signed(key, bodies.TAGS[kind], body, mark))


def read(genesis: Genesis, proof: bytes) -> list[Part]:
    found = [
        Part(body_of(genesis, kind, body), kind, body, mark, signers(genesis, kind, body, mark))
        for kind, body, mark in bodies.proof_parts(proof)
    ]
    need(all(part.signers for part in found), "a body that no keeper has signed")
    return found


def convicted(lines: Mapping[bytes, Line], counting: Line, proof: bytes) -> int:
    parts = read(counting.genesis, proof)
    last = parts[-1].made
    if isinstance(last, bodies.Entry) and isinstance(last.payload, bodies.Blame):
        first = parts[0].made
        blames = isinstance(first, bodies.Entry) and isinstance(first.payload, bodies.Blame)
        need(len(parts) == 1 or not blames, "two blames")
        return _blamed(counting, last, parts[-1])
    if len(parts) == 2:
        return _pair(lines, *parts)
    need(isinstance(last, bodies.Entry), "one body that is no entry")
    assert isinstance(last, bodies.Entry)
    return _offence([counting, *lines.values()], last, parts[0])


def _blamed(line: Line, blame: bodies.Entry, part: Part) -> int:
    height = blame.place[1]
    need(line.base <= height <= line.height, "not on this line")
    there = line if height == line.height else line.back_to(height)
    keepers = there.all_steps()[max(height - 1, 0)].roster.keepers
    need(blame.seat < len(keepers) and keepers[blame.seat] in part.signers, "a forged blame")
    return there.blamed(blame)


def _pair(lines: Mapping[bytes, Line], one: Part, two: Part) -> int:
    both = one.signers & two.signers
    need(both, "two authors")
    author = min(both)
    match one.made, two.made:
        case bodies.Entry(payload=bodies.Blame()), _:
            raise Malformed("a blame contradicts nothing")
        case bodies.Entry() as first, bodies.Entry() as second:
            need(one_place(lines, first, second) and first.id != second.id, "two places, or one")
        case bodies.LineUp() as first, bodies.LineUp() as second:
            need(first.attempt == second.attempt and first.id != second.id, "no double vote")
        case bodies.Entry() as first, bodies.LineUp() as second:
            passes = passes_by(lines, second, first.place[0], author)
            need(passes and not isinstance(first.payload, bodies.End), "no surround vote")
        case bodies.Leave() as first, bodies.Leave() as second:
            need(first.seat == second.seat == author and first.body != second.body, "one LEAVE")
        case bodies.Leave() as first, (bodies.Entry() | bodies.LineUp()) as second:
            later = second.place[0] if isinstance(second, bodies.Entry) else second.attempt
            need(first.seat == author and later > first.attempt, "in good order")
        case _:
            raise Malformed("no such pair")
    return author


def one_place(lines: Mapping[bytes, Line], one: bodies.Entry, two: bodies.Entry) -> bool:
    """Are they of one seat, height and head, and of one line-up or kept gather?"""
    if one.place == two.place:
        return (one.prev, one.seat) == (two.prev, two.seat)
    height, opened = one.place[1], (one.payload, two.payload)
    if not all(isinstance(payload, bodies.Opening) for payload in opened):
        return False
    if (one.prev, one.seat, height) != (two.prev, two.seat, two.place[1]):
        return False
    return any(
        height <= line.height
        and line.heads[height] == one.prev
        and line.names(one.place)
        and line.names(two.place)
        for line in lines.values()
    )


def passes_by(lines: Mapping[bytes, Line], up: bodies.LineUp, attempt: int, keeper: int) -> bool:
    """Does an assent to this line-up go past an entry of that attempt?"""
    if attempt >= up.attempt:
        return False
    name = up.predecessor
    while (line := lines.get(name)) is not None:
        if line.roster.attempt <= attempt:
            return line.roster.attempt < attempt
        if keeper not in line.roster.members:
            return False
        name = line.begun[-1].up.predecessor
    return False


def _offence(lines: list[Line], only: bodies.Entry, part: Part) -> int:
    height = only.place[1]
    named = [one for one in lines if one.base <= height <= one.height and one.names(only.place)]
    for line in named:
        step, has_head = line.all_steps()[height], line.heads[height] == only.prev
        if has_head and step.signer(only.seat) in part.signers & step.roster.members:
            return _judge(line, only, part)
    raise Malformed("on no line that is known, or not signed by who must")


def _judge(line: Line, only: bodies.Entry, part: Part) -> int:
    height = only.place[1]
    taken = line.all_steps()[height].parts.get(only.seat)
    need(taken is None or taken.id != only.id, "an entry that is right")
    there = line.back_to(height)
    keeper = there.step.signer(only.seat)
    assert keeper is not None
    try:
        there.check(only)
    except Malformed:
        return keeper
    raise Malformed("no offence")
