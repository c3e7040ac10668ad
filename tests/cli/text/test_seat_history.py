"""Who has kept which seat from where to where, in sentences."""

from __future__ import annotations

from dataclasses import replace

from kotp2p.cli.text.notices import describe_seat_history
from kotp2p.game.steps import ChangedHands
from kotp2p.referee.model.answers import Seat
from kotp2p.wire.genesis import Player
from kotp2p.wire.lineups import Reason
from tests.support.laid_decisions import table

ANA, REX, MIA = range(3)
HANDED = ((MIA, ANA),)


def changed(
    turn: int, keeper: Seat, reason: Reason, *seats: tuple[Seat, Seat], refused: bool = False
) -> ChangedHands:
    return ChangedHands(keeper, reason, seats, refused, 10 * turn, turn, turn)


def told(*changes: ChangedHands, bots: tuple[Seat, ...] = ()) -> list[str]:
    players: list[Player] = [
        replace(p, keeper=ANA if seat in bots else seat, automatic=seat in bots)
        for seat, p in enumerate(table().players)
    ]
    return describe_seat_history(players, changes)


def test_who_was_away_for_a_while() -> None:
    gone = changed(2, MIA, Reason.ABSENT, (MIA, ANA))
    back = changed(5, MIA, Reason.BACK, (MIA, MIA))
    assert told(gone, back) == ["A bot played for Mia from turn 2 to turn 5, kept by Ana."]
    assert told(gone) == ["A bot played for Mia from turn 2 to the end, kept by Ana."]
    at_once = replace(back, turn=2)
    assert told(gone, at_once) == ["A bot played for Mia in turn 2, kept by Ana."]


def test_a_seat_that_passes_on_is_told_for_each_keeper() -> None:
    assert told(
        changed(2, MIA, Reason.ABSENT, (MIA, ANA)), changed(3, ANA, Reason.LEFT, (MIA, REX))
    ) == [
        "A bot played for Mia from turn 2 to turn 3, kept by Ana.",
        "A bot played for Mia from turn 3 to the end, kept by Rex.",
        "Ana gave up in turn 3.",
    ]


def test_who_gives_up_while_away_is_kept_until_then() -> None:
    found = told(changed(2, MIA, Reason.ABSENT, (MIA, ANA)), changed(4, MIA, Reason.LEFT))
    assert found == [
        "A bot played for Mia from turn 2 to turn 4, kept by Ana.", "Mia gave up in turn 4.",
    ]  # fmt: skip


def test_a_bot_of_the_host_is_told_only_once_it_passes_on() -> None:
    assert told(bots=(MIA,)) == []
    assert told(changed(0, ANA, Reason.ABSENT, (ANA, REX), (MIA, REX)), bots=(MIA,)) == [
        "A bot played for Ana from the set-up to the end, kept by Rex.",
        "A bot played for Mia from the set-up to the end, kept by Rex.",
    ]


def test_refused_rolls_are_counted_by_name() -> None:
    refusals = [changed(n, REX, Reason.ABSENT, refused=True) for n in (3, 7)]
    assert told(*refusals[:1]) == ["Rex refused 1 roll, in turn 3."]
    assert told(*refusals) == ["Rex refused 2 rolls, in turn 3 and turn 7."]


def test_a_restart_is_no_matter_of_the_record() -> None:
    assert told(changed(2, MIA, Reason.AGAIN)) == []
