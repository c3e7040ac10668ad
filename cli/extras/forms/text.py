"""The story of a recorded game in sentences, as the plain table has it, for no seat."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from kotp2p.cli.text import names
from kotp2p.cli.text.files import describe_verdict
from kotp2p.cli.text.i18n import N_, _, clean_line, list_with_and
from kotp2p.cli.text.notices import describe_absence, describe_changes
from kotp2p.cli.text.players import describe_cheat, describe_signed_seat, describe_signed_table
from kotp2p.cli.text.story import LineKind, Story, ToldLine
from kotp2p.extras.recording import LogRecording, Moment, Recording, replay_moment
from kotp2p.game.steps import Begun, changes_of
from kotp2p.game.verify import Caught
from kotp2p.referee.model import answers
from kotp2p.referee.model.answers import Answer, Answered, Burnt, Drawn, Looked, Out, Seat
from kotp2p.seams import notices as told
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
    for moment in tell_moments(recording):
        yield from moment.story


def _clean(line: str) -> ToldLine:
    if isinstance(line, ToldLine):
        return ToldLine(clean_line(line), line.kind, line.seat)
    return ToldLine(clean_line(line), LineKind.FACT)


# -- how a moment came about: what a player has answered, or what has changed ---------------


def describe_cause(moment: Moment, before: SeatView) -> str:
    if moment.begun is not None:
        return _describe_begun(moment.begun, moment.caught, before)
    if moment.closed is None:
        return _("The game begins: all players have signed its start.")
    match moment.closed.given:
        case None:
            return _("All players have sealed new dice and cards.")
        case Answered(seat=seat, answer=answer):
            return describe_answer(before, seat, answer)
        case Drawn():
            return _("Drawn with the parts that all players have opened.")
        case Looked(seat=seat):
            return _(
                "The part of {name} stays sealed, so that only {name} sees the top card.",
                name=names.player_name(before, seat),
            )
        case Out() | Burnt():
            raise AssertionError("only a line-up gives these")
        case _:
            assert_never(moment.closed.given)


def _describe_begun(begun: Begun, caught: tuple[Caught, ...], before: SeatView) -> str:
    proven = [describe_cheat(one.kind, names.player_name(before, one.seat)) for one in caught]
    changed = describe_changes(changes_of(begun), before)
    if not changed:
        changed = [_("All who play have agreed to go on as they are.")]
    if begun.burnt is not None:
        burnt = told.CardBurnt(begun.burnt)
        changed += describe_absence(burnt, before)
    return " ".join([*proven, *changed])


def describe_answer(view: SeatView, seat: Seat, answer: Answer) -> str:
    """Describe an answer that `seat` has given in `view`; the events after it say more."""
    match answer:
        case answers.Reroll(dice=again):
            return _describe_reroll(view, seat, again)
        case answers.Pass() | answers.Done() | answers.Keep():
            return _fit(view, seat, N_("You do nothing here."), N_("{name} does nothing here."))
        case _:  # its events follow
            return _fit(view, seat, N_("You have decided."), N_("{name} has decided."))


def _describe_reroll(view: SeatView, seat: Seat, again: Sequence[int]) -> str:
    dice = view.game.state.dice
    if len(again) == len(dice):
        return _fit(view, seat, N_("You roll all dice again."), N_("{name} rolls all dice again."))
    return _fit(
        view,
        seat,
        N_("You keep {kept} and roll {rolled} again."),
        N_("{name} keeps {kept} and rolls {rolled} again."),
        kept=names.faces(die for at, die in enumerate(dice) if at not in again),
        rolled=names.dice_count(len(again)),
    )


def _fit(view: SeatView, seat: Seat, to_me: str, to_others: str, **fields: object) -> str:
    """Fill in one of two marked messages: about the reader, or about `{name}`."""
    if seat == view.seat:
        return _(to_me, **fields)
    return _(to_others, name=names.player_name(view, seat), **fields)


# -- text ----------------------------------------------------------------------------------


def export_text(name: str, log: LogRecording) -> Iterator[str]:
    """Yield the lines of the story; `name` is that of the log in its verdict."""
    if log.recording is not None:
        genesis = log.recording.genesis
        players = [describe_signed_seat(genesis.players, s) for s in range(len(genesis.players))]
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
