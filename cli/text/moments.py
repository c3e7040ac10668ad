"""What has closed a step of a recorded game, in a sentence, and where it stands in the log.

Scope: the cause of a moment: an answer, a draw, a look, a change of who plays.
Not here: what came of it, which the events tell (`story`).
"""

from __future__ import annotations

from typing import assert_never

from kotp2p.cli.text import names
from kotp2p.cli.text.absences import describe_absence, describe_changes
from kotp2p.cli.text.answers import describe_answer
from kotp2p.cli.text.i18n import _, plural
from kotp2p.cli.text.notices import describe_cheat
from kotp2p.game.recording import Moment
from kotp2p.game.steps import Begun
from kotp2p.game.verify import Caught, changes_of
from kotp2p.referee.model.answers import Answered, Burnt, Drawn, Looked, Out
from kotp2p.referee.model.decisions import Chance, ChanceKind
from kotp2p.seams.notices import BurntBecause, CardBurnt, Cheated
from kotp2p.seams.seat_view import SeatView


def describe_cause(moment: Moment, before: SeatView) -> str:
    """`before` stands where the moment began."""
    if moment.begun is not None:
        return _describe_line_up(moment.begun, moment.caught, before)
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
        case Out() | Burnt():
            raise AssertionError("only a line-up gives these")
        case _:
            assert_never(moment.closed.given)


def _describe_line_up(begun: Begun, caught: tuple[Caught, ...], before: SeatView) -> str:
    proven = [
        describe_cheat(Cheated(one.seat, one.kind, one.height, one.detail), before)
        for one in caught
    ]
    changed = describe_changes(changes_of(begun), before)
    if not changed:
        changed = [_("All who play have agreed to go on as they are.")]
    if begun.burnt is not None:
        burnt = CardBurnt(begun.burnt, BurntBecause.KEEPER_CHANGED)
        changed += describe_absence(burnt, before)
    return " ".join([*proven, *changed])


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
