"""What an accepted body means for anybody who follows the game, as notices.

Scope: the seats that votes have put out, and what has happened.
Not here: cheats (`kotp2p.votes.accusations`), and what one seat is told beside
(`kotp2p.peer.seat_reporting`).
"""

from __future__ import annotations

from collections.abc import Callable

from kotp2p.absence_notices import Dropped, Rewound
from kotp2p.game.steps import Moved
from kotp2p.notices import Happened
from kotp2p.seat_view import SeatView
from kotp2p.wire.votes import Certificate
from referee.model.answers import Seat


def drop_notices(
    moved: Moved,
    view: SeatView,
    punctual_among: Callable[[Certificate], tuple[Seat, ...]] = lambda _: (),
) -> list[Rewound | Dropped]:
    """`view` shows the game as it is now. `punctual_among`: which of the seats that these votes
    have put out were on time, for a copy with clocks."""
    found: list[Rewound | Dropped] = []
    if moved.rewound:
        assert moved.before is not None  # comes with `rewound`
        found.append(Rewound(moved.dropped[0].height, view, moved.before))
    for dropped in moved.dropped:
        found.append(Dropped(dropped.seats, dropped.voters, view, punctual_among(dropped)))
    return found


def event_notices(moved: Moved, view: SeatView) -> list[Happened]:
    return [Happened(tuple(moved.events), view)] if moved.events else []
