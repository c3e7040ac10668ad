"""Answers that let another player win, or put the player out: they are asked about once more.

Scope: which answers these are, by what a fork of the referee shows, and the sentence. Silence is
assumed of everybody, and of the player too.
Not here: the fork (`cli.ask.foresight`), and how it is asked (`cli.ask.dialogue`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from kotp2p.cli.ask.foresight import Outlook, foresee
from kotp2p.cli.text import names
from kotp2p.cli.text.i18n import _, list_with_and, plural
from kotp2p.referee.model.answers import Answer, Answered, Peek, Reroll, Seat
from kotp2p.referee.model.decisions import Chance, Decision, Over
from kotp2p.referee.model.events import Eliminated, Event, GameEnded
from kotp2p.seams.seat_view import SeatView

MAX_ANSWERS_COMPARED = 24
"""Answers that are tried to find one with another end; orders of dice are up to 720."""
MAX_REPETITIONS = 12
"""No monster can pay for more healing at one question."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """What nobody does by accident twice."""

    is_out: bool = False
    """The player's monster falls."""
    winners: tuple[Seat, ...] = ()
    """Others who win; nobody if the player wins with them."""
    points: int = 0
    """With which they win; 0 if it is not the points that end the game."""


NOTHING_AT_STAKE = Stakes()


def find_stakes(view: SeatView, decision: Decision, answer: Answer) -> Stakes:
    """Nothing, if every answer comes to the same: then there is nothing to think about again."""
    if view.game.pending != decision or isinstance(answer, Reroll | Peek):
        return NOTHING_AT_STAKE  # chance comes next
    outlook = foresee(view.game, answer, turning_up=True)
    # What comes after the next answer to the same question is not the work of this one.
    found = _stakes_in(view, outlook, outlook.until_asked_again)
    if found == NOTHING_AT_STAKE:
        return found
    others = islice(decision.legal_answers(), MAX_ANSWERS_COMPARED)
    if any(_has_other_end(view, other, found) for other in others):
        return found
    return NOTHING_AT_STAKE


def _has_other_end(view: SeatView, answer: Answer, stakes: Stakes) -> bool:
    """Whether this answer, given as often as it may be, leads to other stakes."""
    game = view.game
    for _time in range(MAX_REPETITIONS):
        outlook = foresee(game, answer, turning_up=True)
        if _stakes_in(view, outlook, [*outlook.events, *outlook.later]) != stakes:
            return True
        asked = game.pending
        game = game.fork()
        game.submit(Answered(view.seat, answer))
        again = game.pending
        if type(again) is not type(asked) or isinstance(again, Chance | Over):
            return False
        if again.seat != view.seat or not again.is_legal(answer):
            return False
    return False


def _stakes_in(view: SeatView, outlook: Outlook, events: Sequence[Event]) -> Stakes:
    is_out = any(isinstance(event, Eliminated) and event.seat == view.seat for event in events)
    winners: tuple[Seat, ...] = ()
    if any(isinstance(event, GameEnded) for event in events):
        winners = outlook.winners or ()
    if view.seat in winners:
        winners = ()
    return Stakes(is_out, winners, winning_points(view, outlook) if winners else 0)


def winning_points(view: SeatView, outlook: Outlook) -> int:
    """The points that win the game; 0 if it ends for another reason."""
    most = max((outlook.points[seat] for seat in outlook.winners or ()), default=0)
    by_points = outlook.monsters_left > 1 and most >= view.game.setup.rules.goal
    return most if by_points else 0


def describe_stakes(view: SeatView, stakes: Stakes, answer: str) -> str:
    """`answer`: what the answer does, in a few words."""
    who = list_with_and([names.player_name(view, seat) for seat in stakes.winners])
    fields = {"names": who, "points": names.points(stakes.points), "answer": answer}
    count = len(stakes.winners)
    if stakes.is_out and not count:
        return _("You would be out of the game. Your answer: {answer}. Do it?", **fields)
    if stakes.is_out:
        return plural(
            "You would be out of the game, and {names} would win. Your answer: {answer}. Do it?",
            "You would be out of the game, and {names} would win together. Your answer: {answer}. "
            "Do it?",
            count,
            **fields,
        )
    if stakes.points:
        return plural(
            "{names} would have {points} and win. Your answer: {answer}. Do it?",
            "{names} would have {points} and win together. Your answer: {answer}. Do it?",
            count,
            **fields,
        )
    return plural(
        "{names} would win. Your answer: {answer}. Do it?",
        "{names} would win together. Your answer: {answer}. Do it?",
        count,
        **fields,
    )
