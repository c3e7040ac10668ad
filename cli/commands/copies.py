"""Several copies of one game among many logs: the same, or where they part.

Scope: which logs are copies of one game, which of them have to be held against each other, and the
sentences about it.
Not here: how two logs are compared (`kotp2p.game.verify`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from kotp2p.cli.text.i18n import _, list_with_and, plural
from kotp2p.cli.text.names import names_in_sentences
from kotp2p.cli.text.verdicts import describe_place
from kotp2p.game.verify import Comparison, Relation, Report, Result
from kotp2p.store.log_work import LogPart

MAX_NAMED = 5


@dataclass(frozen=True, slots=True)
class _Copy:
    part: LogPart
    result: Result
    head: bytes
    entries: int

    @property
    def tells(self) -> tuple[bytes, bool]:
        """Copies of which this is the same tell the same game, up to the same end."""
        return self.head, self.result is Result.SOUND


@dataclass(frozen=True, slots=True)
class SameCopies:
    """Logs of one game that tell the same."""

    game: bytes
    phrase: str
    parts: tuple[LogPart, ...]
    is_ended: bool


@dataclass(frozen=True, slots=True)
class Pair:
    """Two logs of one game that do not tell the same: the first one goes further."""

    game: bytes
    names: tuple[str, ...]
    """Of the players, by seat."""
    parts: tuple[LogPart, LogPart]


@dataclass(slots=True)
class _Game:
    phrase: str
    names: tuple[str, ...]
    copies: list[_Copy] = field(default_factory=list)

    def by_content(self) -> list[list[_Copy]]:
        """Copies that tell the same stand together; the longest ones with an end come first."""
        found: dict[tuple[bytes, bool], list[_Copy]] = {}
        for one in self.copies:
            found.setdefault(one.tells, []).append(one)
        return sorted(
            found.values(), key=lambda same: (same[0].tells[1], same[0].entries), reverse=True
        )


class Copies:
    """Collects the logs by game: a few hundred bytes for each."""

    def __init__(self) -> None:
        self._games: dict[bytes, _Game] = {}

    def add(self, part: LogPart, report: Report) -> None:
        if not report.game:
            return
        names = tuple(player.name for player in report.players)
        game = self._games.setdefault(report.game, _Game(report.phrase, names))
        game.copies.append(_Copy(part, report.result, report.head, report.entries))

    def list_same(self) -> Iterator[SameCopies]:
        for game_id, game in self._games.items():
            for same in game.by_content():
                if len(same) > 1:
                    parts = tuple(one.part for one in same)
                    yield SameCopies(game_id, game.phrase, parts, same[0].tells[1])

    def list_pairs(self) -> Iterator[Pair]:
        """One copy of each kind, with the one that goes furthest."""
        for game_id, game in self._games.items():
            first, *others = game.by_content()
            for other in others:
                yield Pair(game_id, game.names, (first[0].part, other[0].part))


def describe_same(same: SameCopies) -> str:
    names = [str(part.path) for part in same.parts[:MAX_NAMED]]
    more = len(same.parts) - len(names)
    if more:
        names.append(plural("{n} more", "{n} more", more))
    fields = {"phrase": same.phrase, "files": list_with_and(names)}
    if same.is_ended:
        return plural(
            "{n} copy of {phrase}, with the same game and end: {files}.",
            "{n} copies of {phrase}, with the same game and end: {files}.",
            len(same.parts),
            **fields,
        )
    return plural(
        "{n} copy of {phrase}, with the same game up to the same place: {files}.",
        "{n} copies of {phrase}, with the same game up to the same place: {files}.",
        len(same.parts),
        **fields,
    )


def describe_pair(pair: Pair, found: Comparison | None) -> str:
    fields: dict[str, object] = {"first": pair.parts[0].path, "second": pair.parts[1].path}
    if found is None:
        return _("{first} and {second} are copies of one game; one of them cannot be read any "
                 "more.", **fields)  # fmt: skip
    fields["place"] = describe_place(found.turn, found.height)
    if found.relation is not Relation.PARTED:
        return _("{second} is a copy of {first} that ends earlier, in {place}.", **fields)
    if not found.signed_both:
        return _(
            "{first} and {second} are copies of one game that part in {place}. Nobody has signed "
            "both.",
            **fields,
        )
    called = names_in_sentences(pair.names)
    return _(
        "{first} and {second} are copies of one game that part in {place}. Signed both, which is "
        "cheating: {names}.",
        names=list_with_and([called[seat] for seat in found.signed_both]),
        **fields,
    )
