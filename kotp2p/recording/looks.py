"""Secret looks at the top card of the deck, as far as the log has made them public later.

Scope: which card a seat had seen at a moment, if what came later tells it: the card was bought from
the top, or turned up.
Not here: cards that only their owner can work out (`kotp2p.peer.secrets`).
"""

from __future__ import annotations

from bisect import bisect_right

from kotp2p.recording.recording import Recording
from kotp2p.referee.model.answers import Item, Seat
from kotp2p.referee.model.events import CardBought, MarketFilled, TopLost
from kotp2p.referee.model.state import Source, State


def find_seen_card(recording: Recording, number: int, state: State, seat: Seat) -> Item | None:
    """The top card that `seat` has seen and that still lies there behind moment `number`, where the
    game has this State; None if there is none, or if the log does not tell it."""
    if seat not in state.seen_by:
        return None
    at = bisect_right(recording.top_moves, number)
    if at == len(recording.top_moves):
        return None
    for event in recording.moments[recording.top_moves[at]].events:
        match event:
            case CardBought(source=Source.TOP, card=card):
                return card
            case MarketFilled(cards=((_slot, card), *_)):
                return card  # the top card is drawn first
            case TopLost():
                return None
            case _:  # the card still lies there
                pass
    return None
