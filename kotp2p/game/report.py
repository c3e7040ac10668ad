"""Reports: what `verify` finds in a log, as values.

Scope: the verdict, and what is told of the game.
Not here: how it is found (`kotp2p.game.verify`), and the words for people.

Sound: the replay reaches the end of the game and a keeper has confirmed it. Unfinished: all is
right as far as it goes. Wrong: some record is not what an honest game contains. Unreadable: not
a log, or one of versions that this program does not carry, which accuses nobody.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from kotp2p.game.chain import Chain
from kotp2p.game.steps import Begun
from kotp2p.referee.model.answers import Seat
from kotp2p.wire.entries import Signed
from kotp2p.wire.genesis import Charter, Player
from kotp2p.wire.lineups import CheatKind, Reason
from kotp2p.wire.records import LogFault, ProgramNamed, Versions, canonical_log


class Result(StrEnum):
    SOUND = "sound"
    UNFINISHED = "unfinished"
    WRONG = "wrong"
    UNREADABLE = "unreadable"


class Signatures(StrEnum):
    """Which signatures of entries a verdict rests on."""

    ALL = "all"
    LAST = "last"
    """The last one of each seat, and those that it does not answer for
    (`kotp2p.game.last_signatures`)."""


@dataclass(frozen=True, slots=True)
class WrongAt:
    record: int
    """Counting from 0."""
    offset: int
    """Byte at which the record starts."""
    height: int | None = None
    seat: Seat | None = None
    """The seat that has rightly signed what is wrong. None: it may be the fault of the writer of
    the log."""
    turn: int | None = None
    """The turn in which that height is; None without a height, 0 before the first one."""


@dataclass(frozen=True, slots=True)
class ChangedHands:
    """What a line-up has changed about one keeper."""

    height: int
    """The height of the base of the line-up."""
    turn: int
    """0 before the first one."""
    attempt: int
    keeper: Seat
    reason: Reason
    seats: tuple[tuple[Seat, Seat], ...]
    """The living seats that have changed hands because of it, each with its keeper from then on."""
    refused: bool
    """It was put out while it owed its part of a roll that others had shown theirs for."""


def changes_of(begun: Begun) -> tuple[ChangedHands, ...]:
    """Return what one line-up has changed, by keeper."""
    players_seats = dict(begun.handed())
    found = []
    for change in begun.lineup.plan:
        keeper, before = change.keeper, begun.before.keepers
        seats = tuple(
            (seat, to)
            for seat, to in players_seats.items()
            if to == keeper or before[seat] == keeper
        )
        found.append(ChangedHands(
            begun.height, begun.turn, begun.lineup.attempt, keeper, change.reason, seats,
            keeper in begun.refused,
        ))  # fmt: skip
    return tuple(found)


def report_changes(chain: Chain) -> tuple[ChangedHands, ...]:
    """Return all changes of who plays on a line, in order."""
    return tuple(change for begun in chain.begun for change in changes_of(begun))


@dataclass(frozen=True, slots=True)
class Caught:
    """What the log proves against a seat."""

    height: int
    seat: Seat
    kind: CheatKind
    detail: str
    turn: int = 0


@dataclass(slots=True)
class Report:
    result: Result
    entries: int = 0
    """Of the winning sequence, those of the open step included."""
    turns: int = 0
    rules: str = ""
    players: tuple[Player, ...] = ()
    phrase: str = ""
    winners: tuple[Seat, ...] | None = None
    """None unless the game is over; empty if nobody was left."""
    confirmed_by: tuple[Seat, ...] = ()
    not_confirmed_by: tuple[Seat, ...] = ()
    """The members that have not signed the end, once the game is over."""
    changes: tuple[ChangedHands, ...] = ()
    """What the line-ups of the sequence that counts have changed, in order."""
    keepers: tuple[Seat | None, ...] = ()
    """By seat: its keeper at the end of the log; None if its player has left or cheated."""
    program: ProgramNamed | None = None
    """What has written the log, by its own word."""
    caught: tuple[Caught, ...] = ()
    """Cheats that the records prove, in the order of these records."""
    wrong_at: WrongAt | None = None
    reason: str = ""
    """Why the result is not SOUND: technical words, in English, for programs."""
    fault: LogFault | None = None
    """The same for sentences; None if the result is SOUND."""
    versions: Versions | None = None
    """Those of the head, if they are not ours."""
    error: int = 0
    """The `errno` of the system, if the file cannot be read."""
    game: bytes = b""
    torn: bool = False
    """An unfinished record at the end was left out."""
    head: bytes = b""
    """The head behind the winning sequence: logs of one head tell one game."""
    bodies: tuple[Signed, ...] = field(default=(), repr=False)
    """The genesis and the winning sequence, of which the canonical log is made."""
    signatures: Signatures = Signatures.ALL
    """Which of them were checked."""
    charter: Charter | None = None
    """What the signatures of all players bind the game to; None if no sound genesis stands here."""

    @property
    def canonical(self) -> bytes:
        """The canonical log (PROTOCOL.md 10.4); empty if there is no sound genesis."""
        return canonical_log(self.game, self.bodies) if self.bodies else b""
