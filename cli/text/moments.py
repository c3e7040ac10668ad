"""What has closed a step of a recorded game, in a sentence, and where it stands in the log.

Scope: the cause of a moment: an answer, a draw, a look, seats that are out.
Not here: what came of it, which the events tell (`story`).
"""

from __future__ import annotations

from typing import assert_never

from cli.text import names
from cli.text.answers import describe_answer
from cli.text.i18n import _, list_with_and, plural
from cli.text.notices import describe_cheat
from kotp2p.game.history import StandIn
from kotp2p.game.steps import ClosedStep
from kotp2p.notices import Cheated
from kotp2p.recording.recording import Moment
from kotp2p.seat_view import SeatView
from kotp2p.wire.votes import Certificate
from referee.model.answers import Answered, Drawn, Looked, Out, Seat
from referee.model.decisions import Chance, ChanceKind


def describe_cause(moment: Moment, before: SeatView) -> str:
    """`before` stands where the moment began."""
    if moment.closed is None:
        return _("The game begins: all players have signed its start.")
    match moment.closed.given:
        case None:
            return _("All players have sealed new dice and cards.")
        case Answered(seat=seat, answer=answer):
            return describe_answer(before, seat, answer)
        case Drawn():
            return _describe_draw(before)
        case Looked(seat=seat):
            return _(
                "The part of {name} stays sealed, so that only {name} sees the top card.",
                name=names.player_name(before, seat),
            )
        case Out(seats=seats):
            proven = [
                describe_cheat(Cheated(one.seat, one.kind, one.height, one.detail), before)
                for one in moment.caught
            ]
            return " ".join([*proven, _describe_leaving(moment.closed, before, seats)])
        case _:
            assert_never(moment.closed.given)


def _describe_draw(before: SeatView) -> str:
    pending = before.game.pending
    assert isinstance(pending, Chance)  # else nothing was drawn
    match pending.kind:
        case ChanceKind.DICE:
            return plural(
                "{n} die was rolled with the parts that all players have opened.",
                "{n} dice were rolled with the parts that all players have opened.",
                len(pending.draws),
            )
        case ChanceKind.CARDS | ChanceKind.LOOK:
            return plural(
                "{n} card was turned up with the parts that all players have opened.",
                "{n} cards were turned up with the parts that all players have opened.",
                len(pending.draws),
            )
        case ChanceKind.SIDES:
            return _("The sides of the tiles were drawn with the parts of all players.")
        case _:
            assert_never(pending.kind)


def _describe_leaving(closed: ClosedStep, before: SeatView, seats: tuple[Seat, ...]) -> str:
    who = list_with_and([names.player_name(before, seat) for seat in seats])
    for item in closed.done:
        if isinstance(item, Certificate):
            voters = list_with_and([names.player_name(before, seat) for seat in item.voters])
            return plural(
                "{names} is out, by the votes of {voters}.",
                "{names} are out, by the votes of {voters}.",
                len(seats),
                names=who,
                voters=voters,
            )
    assert any(isinstance(item, StandIn) for item in closed.done)  # else nobody is out
    return plural(
        "{names} has left the game.", "{names} have left the game.", len(seats), names=who
    )
