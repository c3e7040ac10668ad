"""The story of a recorded game in sentences, as the plain table tells it, for a reader of no seat.

Scope: the players, every sentence in its order with a line before each turn, and the verdict.
Not here: the sentences themselves (`cli.text`).
"""

from __future__ import annotations

from collections.abc import Iterator

from kotp2p.cli.extras.forms.told import tell_story
from kotp2p.cli.text.endings import describe_verdict
from kotp2p.cli.text.i18n import _, clean_line, list_with_and
from kotp2p.cli.text.lobby import describe_signed_seat, describe_signed_table
from kotp2p.cli.text.story import LineKind
from kotp2p.game.recording import LogRecording


def export_text(name: str, log: LogRecording) -> Iterator[str]:
    """The lines of the story. `name`: what the log is called in its verdict."""
    if log.recording is not None:
        genesis = log.recording.genesis
        players = [
            describe_signed_seat(genesis.players, seat) for seat in range(len(genesis.players))
        ]
        yield clean_line(_("Players: {names}.", names=list_with_and(players)))
        yield clean_line(describe_signed_table(genesis.charter))
        yield clean_line(_("Table phrase: {phrase}.", phrase=genesis.phrase))
        yield ""
        for line in tell_story(log.recording):
            if line.kind is LineKind.TURN:
                yield ""
            yield line
        yield ""
    yield clean_line(describe_verdict(name, log.report()))
