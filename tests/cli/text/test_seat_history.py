"""Who has kept which seat, in sentences."""

from kotp2p.cli.text.notices import describe_seat_history
from kotp2p.game.steps import ChangedHands
from kotp2p.referee.model.answers import Seat
from kotp2p.wire.lineups import Reason
from tests.support.laid_decisions import table

ANA, REX, MIA = range(3)


def changed(
    turn: int, keeper: Seat, reason: Reason, *seats: tuple[Seat, Seat], refused: bool = False
) -> ChangedHands:
    return ChangedHands(keeper, reason, seats, refused, 10 * turn, turn, turn)


def told(*changes: ChangedHands) -> list[str]:
    return describe_seat_history(table().players, changes)


def test_each_change_of_who_plays_is_told_with_its_place() -> None:
    gone = changed(2, MIA, Reason.ABSENT, (MIA, ANA))
    back = changed(5, MIA, Reason.BACK, (MIA, MIA))
    assert told(gone, back) == [
        "turn 2: A bot plays for Mia until Mia is back, in Ana's program.",
        "turn 5: Mia is back and plays again.",
    ]


def test_a_seat_that_passes_on_is_told_with_its_new_keeper() -> None:
    assert told(changed(3, ANA, Reason.LEFT, (MIA, REX))) == [
        "turn 3: Ana has given up. Rex's program now plays for Mia.",
    ]


def test_a_refused_roll_is_told() -> None:
    (line,) = told(changed(3, REX, Reason.AGAIN, refused=True))
    assert line.endswith("The log keeps this as a refused roll.")


def test_a_restart_is_no_matter_of_the_record() -> None:
    assert told(changed(2, MIA, Reason.AGAIN)) == []
