"""Draws of a recorded game as lines: for `kotp2p explain`, and for a page of the drawn table.

Not here: the sentences (`cli.text.draw_words`), and how a draw is worked out
(`kotp2p.recording.draws`).
"""

from __future__ import annotations

from cli.text.draw_words import describe_draw, list_program
from cli.text.i18n import _
from cli.ui.replay.reel import Place, Reel
from kotp2p.recording.draws import ExplainedDraw, explain_draws


def find_draws(reel: Reel, place: Place) -> list[ExplainedDraw]:
    """The draw of the moment at a place, or the last one before it in its turn."""
    turn = reel.recording.moments[place.moment].turn
    first = reel.recording.find_turn(turn) or 0
    return explain_draws(reel.log, first, place.moment)[-1:]


def find_draws_of_turn(reel: Reel, turn: int) -> list[ExplainedDraw]:
    first = reel.recording.find_turn(turn)
    if first is None:
        return []
    behind = reel.recording.find_turn(turn + 1)
    return explain_draws(reel.log, first, reel.recording.last if behind is None else behind - 1)


def words_of_draw(reel: Reel, draw: ExplainedDraw) -> list[str]:
    return describe_draw(draw, reel.view_before(Place(draw.moment.number)))


def program_of_draw(reel: Reel, draw: ExplainedDraw) -> list[str]:
    genesis = reel.recording.genesis
    return list_program(draw, genesis.id, genesis.charter.table)


def explain_place(reel: Reel, place: Place) -> list[str]:
    """For a page; a line that says so where nothing was drawn."""
    lines: list[str] = []
    for draw in find_draws(reel, place):
        lines += words_of_draw(reel, draw)
        lines += ["", _("To check it, run these lines with python3:"), ""]
        lines += program_of_draw(reel, draw)
    return lines or [_("Nothing was drawn in this turn so far.")]
