"""The story of a recorded game in sentences, as the plain table has it, for no seat."""

from collections.abc import Iterator
from dataclasses import dataclass

from kotp2p.cli.extras.replay.causes import describe_cause
from kotp2p.cli.text.endings import describe_verdict
from kotp2p.cli.text.i18n import _, clean_line, list_with_and
from kotp2p.cli.text.lobby import describe_signed_seat, describe_signed_table
from kotp2p.cli.text.story import LineKind, Story, ToldLine
from kotp2p.extras.recording import LogRecording, Moment, Recording, replay_moment
from kotp2p.seams.notices import WATCHER, SeatView

# -- a recorded game in sentences, moment by moment, for a reader of no seat ---------------
#
# The sentences of the plain table with their kinds, and of each moment what has closed it.


@dataclass(frozen=True, slots=True)
class ToldMoment:
    moment: Moment
    cause: str
    lines: tuple[ToldLine, ...]

    @property
    def story(self) -> tuple[ToldLine, ...]:
        """Return all sentences, also those about who plays, which no event causes."""
        if self.moment.begun is None:
            return self.lines
        return (ToldLine(self.cause, LineKind.INCIDENT), *self.lines)


def tell_moments(recording: Recording) -> Iterator[ToldMoment]:
    genesis, game = recording.genesis, recording.game_behind(0)
    view = SeatView(WATCHER, genesis.players, game, genesis.phrase)
    story = Story(game.state, asked=False)
    for moment in recording.moments:
        cause = clean_line(describe_cause(moment, view))
        replay_moment(game, moment)
        lines = story.describe_events(moment.events, view)
        yield ToldMoment(moment, cause, tuple(_clean(line) for line in lines))


def tell_story(recording: Recording) -> Iterator[ToldLine]:
    for told in tell_moments(recording):
        yield from told.story


def _clean(line: str) -> ToldLine:
    if isinstance(line, ToldLine):
        return ToldLine(clean_line(line), line.kind, line.seat)
    return ToldLine(clean_line(line), LineKind.FACT)


# -- text ----------------------------------------------------------------------------------


def export_text(name: str, log: LogRecording) -> Iterator[str]:
    """Yield the lines of the story; `name` is that of the log in its verdict."""
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
