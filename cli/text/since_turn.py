"""What has happened since the reader's last turn: a line for each monster that it concerns.

Scope: hearts and points before and after, claws and cards that hurt, and what was bought, folded
from the events that were told; and what a bot has done for a player who was away.
Not here: each event in order (`story`), and the counts of a whole game (`statistics`).
Known limitation: after a restart, or when a part of the game does not count any more, nothing
before that is known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from kotp2p.cli.text import names
from kotp2p.cli.text.i18n import _, list_with_and, list_with_commas, list_with_semicolons, plural
from kotp2p.cli.text.queries import name_for_reader
from kotp2p.referee.model.answers import Item, Seat
from kotp2p.referee.model.apply import apply
from kotp2p.referee.model.events import (
    CardBought,
    Eliminated,
    Event,
    HeartsLost,
    TurnEnded,
    TurnStarted,
)
from kotp2p.referee.model.state import State
from kotp2p.seams.notices import GameStarted, Happened, LineUpBegun, Notice
from kotp2p.seams.seat_view import WATCHER, SeatView

SINCE_WORD = "since"


class SinceTurn:
    def __init__(self) -> None:
        self.has_had_turn = False
        """A turn of the reader has ended; before that everything counts from the start."""
        self._is_told = False
        self._state: State | None = None
        self._before: State | None = None
        self._hits: Counter[tuple[Seat, Seat]] = Counter()
        """Hearts lost, by who dealt the damage and who took it."""
        self._bought: list[CardBought] = []
        self._fallen: set[Seat] = set()

    def note_notice(self, notice: Notice) -> None:
        match notice:
            case GameStarted():
                self._state, self.has_had_turn = notice.state.copy(), False
                self._begin()
            case LineUpBegun(undone_from=State() as state):
                self._state, self.has_had_turn = state.copy(), False
                self._begin()
            case Happened(events=events, view=view):
                for event in events:
                    self._note_event(event, view.seat)
            case _:  # nothing else changes what lies on the table
                pass

    def _begin(self) -> None:
        assert self._state is not None  # a game has begun
        self._before = self._state.copy()
        self._is_told = False
        self._hits, self._bought, self._fallen = Counter(), [], set()

    def _note_event(self, event: Event, reader: Seat) -> None:
        if self._state is None:
            return
        apply(self._state, event)
        match event:
            case TurnEnded(seat=seat) if seat == reader:
                self.has_had_turn = True
                self._begin()
            case HeartsLost(seat=seat, dealer=dealer, amount=amount) if dealer is not None:
                self._hits[dealer, seat] += amount
            case CardBought():
                self._bought.append(event)
            case Eliminated(seat=seat):
                self._fallen.add(seat)
            case _:  # the figures before and after say the rest
                pass

    def describe_once(self, view: SeatView) -> list[str]:
        """For the first question of a turn; nothing if it has been told since the last turn."""
        if self._is_told or not self.has_had_turn:
            return []
        self._is_told = True
        return self.describe(view)

    def describe(self, view: SeatView) -> list[str]:
        """The reader first, then those who have hurt the reader most, then the others."""
        if self._state is None:
            return []
        if view.seat == WATCHER:
            seats = list(range(len(view.players)))
        else:
            others = list(self._state.seats_clockwise(view.seat))
            others.sort(key=lambda seat: -self._hits[seat, view.seat])
            seats = [view.seat, *others]
        lines = [self._describe_seat(view, seat) for seat in seats]
        return [line for line in lines if line]

    def _describe_seat(self, view: SeatView, seat: Seat) -> str:
        """Empty if nothing has changed for this monster, and it has done nothing."""
        assert self._before is not None
        assert self._state is not None
        before, after = self._before.monsters[seat], self._state.monsters[seat]
        deeds = _deeds(view, seat, self._hits, self._bought)
        same = (before.hearts, before.points) == (after.hearts, after.points)
        if same and not deeds and seat not in self._fallen:
            return ""
        if seat in self._fallen:
            facts = [_("out of the game")]
        else:
            hearts = _change(before.hearts, after.hearts, names.hearts(after.hearts))
            points = _change(before.points, after.points, names.points(after.points))
            facts = [list_with_commas([hearts, points])]
        return _describe_facts(view, seat, [*facts, *deeds])


def describe_turns_of_bot(events: Sequence[Event], view: SeatView) -> list[str]:
    """What a bot has done for the reader, who was away: its turns, then how the reader stands.
    Nothing if nothing happened to the reader."""
    if not events:
        return []
    turns = sum(isinstance(one, TurnStarted) and one.seat == view.seat for one in events)
    hits: Counter[tuple[Seat, Seat]] = Counter()
    for event in events:
        if isinstance(event, HeartsLost) and event.dealer is not None:
            hits[event.dealer, event.seat] += event.amount
    bought = [event for event in events if isinstance(event, CardBought)]
    own = view.game.state.monsters[view.seat]
    stands = list_with_commas([names.hearts(own.hearts), names.points(own.points)])
    facts = [stands if own.alive else _("out of the game"), *_deeds(view, view.seat, hits, bought)]
    return [
        plural(
            "While you were away, a bot played {n} turn for you.",
            "While you were away, a bot played {n} turns for you.",
            turns,
        ),
        _describe_facts(view, view.seat, facts),
    ]


def _deeds(
    view: SeatView, seat: Seat, hits: Counter[tuple[Seat, Seat]], bought: Sequence[CardBought]
) -> list[str]:
    victims = [_victim(view, victim, n) for (dealer, victim), n in hits.items() if dealer == seat]
    cards = [_card(view, one.card, one.price) for one in bought if one.seat == seat]
    deeds = [_("hit {victims}", victims=list_with_and(victims))] if victims else []
    return deeds + ([_("bought {cards}", cards=list_with_and(cards))] if cards else [])


def _describe_facts(view: SeatView, seat: Seat, facts: Sequence[str]) -> str:
    return _(
        "{name}: {facts}.", name=name_for_reader(view, seat), facts=list_with_semicolons(facts)
    )


def _victim(view: SeatView, victim: Seat, n: int) -> str:
    if victim == view.seat:
        return _("you for {n}", n=n)
    return _("{name} for {n}", name=names.player_name(view, victim), n=n)


def _card(view: SeatView, card: Item, price: int) -> str:
    return _("{card} for {n}", card=names.item_name(view.game, card), n=price)


def _change(before: int, after: int, counted: str) -> str:
    """`counted` is `after` with its unit."""
    if before == after:
        return counted
    return _("{after} ({before} before)", before=before, after=counted)
