"""The keepers of seats over a game, the players that have left, and rolls that were refused.

Scope: sentences about the changes of who plays, once a game is over or its log is read.
Not here: the same while it happens (`absences`), and proven cheats.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from kotp2p.cli.text.i18n import _, list_with_and, plural
from kotp2p.cli.text.names import names_in_sentences
from kotp2p.cli.text.verdicts import describe_place
from kotp2p.game.verify import ChangedHands
from kotp2p.referee.model.answers import Seat
from kotp2p.wire.genesis import Player
from kotp2p.wire.lineups import Reason


@dataclass(frozen=True, slots=True)
class Keeping:
    """A seat was kept by another keeper than at the start."""

    seat: Seat
    keeper: Seat
    since: ChangedHands
    until: ChangedHands | None
    """None: to the end."""


def list_keepings(players: Sequence[Player], changes: Iterable[ChangedHands]) -> Iterator[Keeping]:
    """In the order in which they ended; those that go on last, by seat."""
    kept: dict[Seat, Keeping] = {}
    for change in changes:
        if change.reason in (Reason.LEFT, Reason.CHEATED) and change.keeper in kept:
            yield _end(kept.pop(change.keeper), change)
        for seat, keeper in change.seats:
            if seat in kept:
                yield _end(kept.pop(seat), change)
            if keeper != players[seat].keeper:
                kept[seat] = Keeping(seat, keeper, change, None)
    yield from (kept[seat] for seat in sorted(kept))


def _end(keeping: Keeping, until: ChangedHands) -> Keeping:
    return Keeping(keeping.seat, keeping.keeper, keeping.since, until)


def describe_seat_history(players: Sequence[Player], changes: Sequence[ChangedHands]) -> list[str]:
    """Nothing if all have played their seats from the start to the end."""
    called = names_in_sentences(tuple(player.name for player in players))
    lines = [_describe_keeping(one, called) for one in list_keepings(players, changes)]
    lines += [
        _("{name} gave up in {place}.", name=called[change.keeper], place=_place(change))
        for change in changes
        if change.reason is Reason.LEFT
    ]
    for seat in range(len(players)):
        places = [_place(one) for one in changes if one.refused and one.keeper == seat]
        if places:
            lines.append(
                plural("{name} refused {n} roll, in {places}.",
                       "{name} refused {n} rolls, in {places}.", len(places),
                       name=called[seat], places=list_with_and(places))
            )  # fmt: skip
    return lines


def _describe_keeping(keeping: Keeping, called: Sequence[str]) -> str:
    name, keeper, place = called[keeping.seat], called[keeping.keeper], _place(keeping.since)
    end = _("the end") if keeping.until is None else _place(keeping.until)
    if place == end:
        return _("A bot played for {name} in {place}, kept by {keeper}.", name=name, place=place,
                 keeper=keeper)  # fmt: skip
    return _("A bot played for {name} from {place} to {end}, kept by {keeper}.", name=name,
             place=place, end=end, keeper=keeper)  # fmt: skip


def _place(change: ChangedHands) -> str:
    return describe_place(change.turn, change.height)
