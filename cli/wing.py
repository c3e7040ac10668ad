"""The one seam to the wing: what the program offers beyond a game, as far as it is installed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kotp2p.referee.box.rulesets import RuleSet
    from kotp2p.referee.model.answers import Answer, Seat
    from kotp2p.referee.model.decisions import Decision, ResponseDecision, YieldDecision
    from kotp2p.seams.commands import Front
    from kotp2p.seams.endings import Ending
    from kotp2p.seams.notices import GameStarted, Happened, Notice, SeatView

PLACE = ("kotp2p.cli.extras", "table")


class Hint(Enum):
    """A place where a sentence of the core continues with one of the wing."""

    CANNOT_JOIN = auto()
    NO_LOG = auto()
    NOT_PERMITTED = auto()
    KEY_LOST = auto()
    NAME_LOST = auto()
    SEE_AGAIN = auto()
    WATCH_COMMAND = auto()
    GAME_IS_ON = auto()


def make_stand_in(level: str, entropy: bytes) -> Front:
    from kotp2p.seams import world  # which a command that plays nothing does without

    return world.make_stand_in(level, entropy)


def take_default(view: SeatView, decision: Decision) -> Answer:
    return decision.default


def give_no_reason(view: SeatView, decision: Decision, answer: Answer) -> str:
    return ""


class Tally:
    """What is counted of a game, from its notices: nothing, but by the wing."""

    def count_notice(self, notice: Notice) -> None: ...

    def describe(self, view: SeatView) -> list[str]:
        """Return the figures in lines for the end of the game."""
        return []

    def draw(self, view: SeatView, columns: int) -> list[str]:
        """Return the same with a chart of the course."""
        return []

    def rank_seats(self, view: SeatView) -> list[tuple[int, Seat]]:
        """Return (place, seat) from the first to the last; ties share a place."""
        return []


def ask_nothing(person: Any) -> Any:
    return person


def draw_nothing(*where: Any) -> list[Any]:
    return []


def tell_no_past(data: bytes, view: SeatView) -> Iterator[GameStarted | Happened]:
    return iter(())


def find_no_rule(wanted: str, rules: RuleSet) -> list[str]:
    return []


class Preview:
    """What an answer will do, in lines: nothing is said of it, but by the wing."""

    def lines_of_default(self, view: SeatView, decision: Decision, message: str) -> list[str]:
        return []

    def lines_of_yield(self, view: SeatView, decision: YieldDecision) -> list[str]:
        return []

    def lines_of_damage(
        self, view: SeatView, decision: ResponseDecision, defences: Sequence[tuple[str, Answer]]
    ) -> list[str]:
        return []

    def lines_of_purchases(
        self,
        view: SeatView,
        decision: Decision,
        purchases: Sequence[tuple[str, Answer]],
        *,
        with_rest: bool = True,
    ) -> list[str]:
        return []

    def lines_of_proposal(self, view: SeatView, decision: Decision, answer: Answer) -> list[str]:
        return []


@dataclass(frozen=True, slots=True)
class Wing:
    """What a wing adds; each field says what holds without it."""

    commands: Sequence[Any] = ()
    """The commands, each a `CommandEntry`, of which this room knows nothing."""
    hints: Mapping[Hint, Callable[..., str]] = field(default_factory=dict)
    make_bot: Callable[[str, bytes], Front] = make_stand_in
    """What plays a seat by itself, of a level: a bot that thinks."""
    advise: Callable[[SeatView, Decision], Answer] = take_default
    """What Enter proposes to a person."""
    give_reason: Callable[[SeatView, Decision, Answer], str] = give_no_reason
    """Why an answer is proposed."""
    make_preview: Callable[[], Preview] = Preview
    """What is said of an answer before it is given."""
    make_tally: Callable[[], Tally] = Tally
    """What is counted of the game that is played."""
    tell_log: Callable[[bytes, SeatView], Iterator[GameStarted | Happened]] = tell_no_past
    """What has happened before this process has resumed the game, or watched it."""
    look_up_rule: Callable[[str, RuleSet], list[str]] = find_no_rule
    """What the rulebook says, beyond the page of players."""

    play_again: Callable[..., Awaitable[Ending]] | None = None
    """Another game with the people of the last one (`kotp2p.extras.shell.rematch.play_again`)."""
    draw_portraits: Callable[[Any, SeatView, int], list[Any]] = draw_nothing
    """Draw monsters for a screen at a table, as rows; the number is that of the columns."""
    draw_lobby_portraits: Callable[[Any, Sequence[str], int], list[Any]] = draw_nothing
    draw_moment: Callable[[Any, SeatView, Any, int, int], list[Any]] = draw_nothing
    """Draw those whom a great moment is about; the numbers are the columns and the rows."""
    coach: Callable[[SeatView, Decision, Answer], list[str]] | None = None
    """Explain a decision to a player in their first turns; it takes the advice."""
    show_start_screen: Callable[[Any], int] | None = None
    """What the bare program shows at a terminal; it takes typer's program."""
    introduce: Callable[[Any], Any] = ask_nothing
    """Ask a `Person` for name and monster, once, and return them with both."""

    def say(self, hint: Hint, **fields: str) -> str:
        describe = self.hints.get(hint)
        return "" if describe is None else describe(**fields)


@cache
def wing() -> Wing:
    package, table = PLACE
    if find_spec(package) is None:
        return Wing()
    found = import_module(f"{package}.{table}").WING
    assert isinstance(found, Wing)
    return found
