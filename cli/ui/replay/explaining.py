"""Draws of a recorded game as lines: for `kotp2p explain`, and for a page of the drawn table.

Not here: the sentences (`cli.text.statistics`), and how a draw is worked out
(`kotp2p.game.draws`).
"""

from __future__ import annotations

from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.program_words import Hint, wing
from kotp2p.cli.text.statistics import INDENT, describe_draw, list_program
from kotp2p.cli.ui.replay.reel import Place, Reel
from kotp2p.game.draws import ExplainedDraw, explain_draws


def find_draws(reel: Reel, place: Place) -> list[ExplainedDraw]:
    """The draw of the moment at a place, or the last one before it."""
    for turn in range(reel.recording.moments[place.moment].turn, -1, -1):
        first = reel.recording.find_turn(turn)
        found = [] if first is None else explain_draws(reel.log, first, place.moment)
        if found:
            return found[-1:]
    return []


def find_draws_of_turn(reel: Reel, turn: int) -> list[ExplainedDraw]:
    """The draws that were owed in a turn; in turn 0, before the first."""
    first, next_turn = reel.recording.find_turn(turn), reel.recording.find_turn(turn + 1)
    if first is None:
        return []
    return explain_draws(reel.log, first + 1, next_turn or reel.recording.last)


def words_of_draw(reel: Reel, draw: ExplainedDraw) -> list[str]:
    return describe_draw(draw, reel.view_before(Place(draw.moment.number)))


def program_of_draw(reel: Reel, draw: ExplainedDraw) -> list[str]:
    genesis = reel.recording.genesis
    return list_program(draw, genesis.id, genesis.charter.table)


def explain_place(reel: Reel, place: Place, log: str) -> list[str]:
    """For a page, from which no program can be copied; a line that says so where nothing was drawn.
    `log`: what it is called."""
    lines: list[str] = []
    for draw in find_draws(reel, place):
        lines += words_of_draw(reel, draw)
        lines.append("")
        command = wing().say(Hint.DRAW, log=log, record=f"r{draw.moment.record}")
        if command:
            lines.append(_("This also prints a program that checks it without kotp2p:"))
            lines.append(f"{INDENT}{command}")
    return lines or [_("Nothing was drawn so far.")]
