"""Notices: what a peer shows its front, in the order in which it happens; and what a seat may see.

Scope: values without sentences. Each one tells a fact that its player should know; `cli` makes
sentences of them. A new notice joins one of the unions at the end, and the type checker then names
each place that must know it. `SeatView` comes with notices and questions, without anything that
another seat keeps secret.
"""

from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto
from pathlib import PurePath
from typing import TypeAlias

from kotp2p.game.steps import ChangedHands
from kotp2p.referee.game import GameReading
from kotp2p.referee.model.answers import Item, Seat
from kotp2p.referee.model.decisions import Decision
from kotp2p.referee.model.events import Event
from kotp2p.referee.model.state import State
from kotp2p.wire.entries import Signed
from kotp2p.wire.genesis import Charter, LobbyOptions, Player
from kotp2p.wire.lineups import CheatKind

# -- what one seat may see of a running game ---------------------------------------------


WATCHER: Seat = -1
"""The seat of a watcher, live or later: no seat of any table equals it."""


@dataclass(slots=True)
class SeatView:
    """The game as its seat sees it; one object for the whole game, which the peer keeps current."""

    seat: Seat
    players: tuple[Player, ...]
    game: GameReading
    """The peer's own referee. A front reads it and MUST NOT submit anything to it."""
    phrase: str
    keepers: dict[Seat, Seat] = field(default_factory=dict)
    """By living seat: the keeper that plays it now, itself or by a bot."""
    top: Item | None = None
    """The top card of the deck, if this seat has peeked at it and it is still there."""

    def is_played_by_bot(self, seat: Seat) -> bool:
        player = self.players[seat]
        return player.automatic or self.keepers.get(seat, player.keeper) != player.keeper

    @property
    def has_say(self) -> bool:
        """Return whether this player keeps a monster in the game, their own or a bot's."""
        return self.seat in self.keepers.values()


# -- who plays: keepers that do not answer, wishes, changes of line-up ---------------------


@dataclass(frozen=True, slots=True)
class Gone:
    """Nothing has come from this keeper for a while, over any link."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Quiet:
    """Nothing comes over the link to this keeper, or something comes again."""

    seat: Seat
    seconds: int
    """For how long nothing has come; 0: something comes again, or the link has ended."""


@dataclass(frozen=True, slots=True)
class Returned:
    """A keeper that was gone is heard again."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Offer:
    """The game has waited for these keepers for a minute: a bot may play for them meanwhile."""

    seats: tuple[Seat, ...]
    can_go_on: bool
    """Whether those who would stay are enough. Else the players can wait, adjourn, or leave."""
    yours: bool
    """Whether this seat has a say: it is a member of the line-up."""


@dataclass(frozen=True, slots=True)
class OfferEnded:
    """The offer about these keepers is off: they have given all that they owe, or are out."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Wished:
    """A keeper has said whether it would go on without others, perhaps once more."""

    seat: Seat
    without: tuple[Seat, ...]
    """The keepers for which a bot may play; empty if it would rather wait."""
    missing: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class StopWanted:
    """A player wants to stop here for today, or no longer wants to."""

    seat: Seat
    wanted: bool
    missing: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class LineUpBegun:
    """The line-up has changed; `view` shows the game after it."""

    changes: tuple[ChangedHands, ...]
    view: SeatView
    undone_from: State | None = None
    """Some play does not count any more: the position from which the game goes on. The events that
    count from there follow as new notices."""


@dataclass(frozen=True, slots=True)
class CardBurnt:
    """The top card that this seat had looked at goes back unseen: another keeper answers for it."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class PlayedForYou:
    """What a bot has done with this seat while its player was away, in one block."""

    events: tuple[Event, ...]
    view: SeatView


class AskedBecause(StrEnum):
    """Why a program does not let a keeper back by itself."""

    REFUSED_ROLLS = "refused-rolls"
    HELD_UP = "held-up"
    """It has used up its five minutes."""
    VANISHED = "vanished"
    """It asked to come back, and did not follow for ten seconds."""


@dataclass(frozen=True, slots=True)
class ReturnAsked:
    """A keeper wants its seat back, and this program asks its player first."""

    seat: Seat
    because: AskedBecause


@dataclass(frozen=True, slots=True)
class ChangeStalls:
    """A change of who plays waits for these keepers; empty once it does not any more."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Split:
    """Others play this game on from another past, which this copy does not follow."""

    by: tuple[Seat, ...]


AbsenceNotice: TypeAlias = (
    Gone | Returned | Offer | OfferEnded | Wished | StopWanted | LineUpBegun | CardBurnt
    | PlayedForYou | ReturnAsked | ChangeStalls | Split | Quiet
)  # fmt: skip


# -- the start of a game -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StartFailed:
    """The start was broken off, and the lobby goes on."""

    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StartDeclined:
    """A guest takes no part in a start, as it is not the lobby that it saw. The lobby goes on."""

    name: str
    """For the host: the guest. Empty for the guest itself."""


@dataclass(frozen=True, slots=True)
class StartSigned:
    """All players have signed the start: this is what the game is bound to."""

    charter: Charter
    strangers: tuple[Seat, ...] = ()
    """The other players whose keys this player does not know, if at some time of this game they
    may be more than half of the players. More than half can put out anybody. Else empty."""


@dataclass(frozen=True, slots=True)
class StartInDoubt:
    """The host is lost after this seat has signed a start, which may have begun."""


@dataclass(frozen=True, slots=True)
class HostLinkChanged:
    """The link of a guest to the host is lost and dialled again, or is back."""

    stands: bool


StartNotice: TypeAlias = StartFailed | StartDeclined | StartSigned | StartInDoubt | HostLinkChanged


# -- why a command in the lobby is refused -------------------------------------------------


class LobbyFault(StrEnum):
    """Why a command in the lobby is refused."""

    TOO_FEW = "too-few"
    FULL = "full"
    NO_SUCH_NAME = "no-such-name"
    NO_SUCH_SEAT = "no-such-seat"
    NOT_YOURSELF = "not-yourself"
    STARTING = "starting"
    TWO_ONLY = "two-only"
    NEW_KEY = "new-key"
    """A known name has another key, and the host has not accepted it yet."""
    NOTHING_KEPT = "nothing-kept"
    """No seat is kept for anybody."""
    JUST_SEATED = "just-seated"
    """The player of this name sits there for a moment only: the other side may mean another key."""
    UNSURE = "unsure"
    """The guest `name` has not accepted the key of `other`, so no start can succeed."""
    NO_NAME = "no-name"
    RESERVED_NAME = "reserved-name"
    """`name` is no name, as it reads like a word of the game."""
    NAME_TAKEN = "name-taken"
    NAME_KNOWN = "name-known"
    """The host knows `name` by another key, and has no person to ask."""
    NO_MONSTER = "no-monster"
    """No monster of the box, or more than one, is meant by `name`."""
    MONSTER_TAKEN = "monster-taken"
    TOO_OFTEN = "too-often"
    DENIED = "denied"
    """The host has not done it, for a reason of a later version."""


@dataclass(frozen=True, slots=True)
class LobbyRefused:
    """A command about `name` could not be done; `other` is the second player of an UNSURE."""

    why: LobbyFault
    name: str = ""
    other: str = ""


# -- those who watch -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WatchersChanged:
    """The number of those who only watch this table, as far as this process knows."""

    count: int


@dataclass(frozen=True, slots=True)
class WatchAdmitted:
    """The table has let this watcher in."""

    has_begun: bool
    has_chat: bool


@dataclass(frozen=True, slots=True)
class RemarkRefused:
    """No player can hear what this watcher has said."""


@dataclass(frozen=True, slots=True)
class WatchLinkChanged:
    """A watcher's link to the table was lost, or is back."""

    up: bool
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class NextGameAwaited:
    """The game is over for a watcher, and another one may begin at this table."""

    seconds: float


WatchNotice: TypeAlias = (
    WatchersChanged | WatchAdmitted | WatchLinkChanged | RemarkRefused | NextGameAwaited
)


# -- notices about the code of a table: what it is, and whether its servers answer ---------


class CodeStep(StrEnum):
    OPEN = "open"
    MOVED = "moved"
    NO_MAILBOX = "no-mailbox"
    """Its server does not answer; it is asked again."""
    UNPROVEN_MAILBOX = "unproven-mailbox"
    """It shows no certificate that is taken for its name; it is asked again."""
    NO_RELAY = "no-relay"
    """That of the relay does not answer; guests that can dial this machine can still come."""
    USED_UP = "used-up"


@dataclass(frozen=True, slots=True)
class TableCode:
    """The code of this player's table has come to another step."""

    step: CodeStep
    code: str
    in_numbers: str
    mailbox: str
    relay: str
    """The name of the server that carries links; empty: there is none."""
    leads_from_here: bool = False
    """Whether players on this network need no server: the table is announced there."""

    @property
    def leads_here(self) -> bool:
        """Return whether somebody can come by it now."""
        without = (CodeStep.NO_MAILBOX, CodeStep.UNPROVEN_MAILBOX) if self.leads_from_here else ()
        return self.step in (CodeStep.OPEN, CodeStep.MOVED, *without)


@dataclass(frozen=True, slots=True)
class AskingByCode:
    """A guest asks for its table; `is_again` after an attempt without an answer."""

    number: int
    mailbox: str
    is_again: bool = False
    is_played: bool = False
    """A game is on there, and the guest waits for the next one."""


CodeNotice: TypeAlias = TableCode | AskingByCode


# -- at any time -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Said:
    """A line of chat, in the lobby or in the game."""

    name: str
    text: str
    yours: bool
    line: Signed | None = field(default=None, repr=False, compare=False)
    """In a game: the line as its player has signed it."""


@dataclass(frozen=True, slots=True)
class PastLog:
    """What was played in a game before this process has resumed it, or watched it."""

    data: bytes = field(repr=False)
    """The log as it stands, without a torn end."""
    view: SeatView
    """Stands where the log ends."""
    changes: tuple[ChangedHands, ...] = ()


@dataclass(frozen=True, slots=True)
class Reopened:
    """A resumed game listens here; the other players can come back by these addresses."""

    addresses: tuple[str, ...]
    port: int


@dataclass(frozen=True, slots=True)
class Flooded:
    """Far more connections come to this process than players can make."""

    count: int
    """How many were turned away within ten seconds."""
    players_have_passes: bool = True
    """Players come in whatever strangers do; not so in the lobby of an open table."""


# -- the lobby ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LobbySeat:
    """A taken seat of the lobby."""

    name: str
    monster: str
    key: bytes
    bot: bool
    host: bool
    one_game: bool = False
    """The key is made for this game only and will not be known again."""
    ready: bool = False
    """The player says that the game may begin. A bot always is ready."""
    automatic: bool = False
    """A bot answers in place of this player, in their own process."""
    away: bool = False
    """The link of this player is lost, and the seat kept for a while. Only the host knows it."""

    @property
    def is_played_by_bot(self) -> bool:
        return self.bot or self.automatic


@dataclass(frozen=True, slots=True)
class TableOpened:
    """The host listens."""

    addresses: tuple[str, ...]
    """The addresses to type after `join`, best address first."""
    port: int
    only_loopback: bool
    invitation: str = ""
    """The link that admits guests, if the table is closed; else empty."""
    key: bytes = b""
    watch_invitation: str = ""
    """The link that admits those who want to watch, if they need one."""
    most_watchers: int = 0


class RematchStep(Enum):
    SEARCHES = auto()
    """This player looks whether another one has opened the table for the next game."""
    OFFERS = auto()
    """None has, so this player opens it. `names`: of the people for whom seats are kept."""
    GOES = auto()
    """Another player has opened a table, and this player goes there. `names`: of that one."""


@dataclass(frozen=True, slots=True)
class RematchNews:
    """How this player comes to the next game with the same people."""

    step: RematchStep
    names: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    """OFFERS: by seat, for whom it is kept; empty for a bot's."""
    playing: tuple[str, ...] = ()
    """OFFERS: names of those who are in a game already, perhaps in that one."""


@dataclass(frozen=True, slots=True)
class TableAnnounced:
    """Whether the table of this host can be found on the LAN."""

    fault: str = ""


@dataclass(frozen=True, slots=True)
class GuestIdentity:
    """Another process uses the profile, so this process plays under a key for one game."""

    profile: str


@dataclass(frozen=True, slots=True)
class NameChanged:
    """The wanted name was taken; this seat is called `name` at this table."""

    wanted: str
    name: str


@dataclass(frozen=True, slots=True)
class LobbyChanged:
    """The lobby has changed: the seats, and how the table plays."""

    seats: tuple[LobbySeat | None, ...]
    """By seat, for each seat of the table; None for a free one."""
    you: int
    rules: str
    options: LobbyOptions = field(default_factory=LobbyOptions)
    has_kept_seats: bool = False
    """For the host: free seats are kept for players of the last game."""


@dataclass(frozen=True, slots=True)
class KeyChanged:
    """A player sits here under a name that was known under another key."""

    name: str
    known: bytes
    new: bytes
    refused: bool = False
    """The player was turned away, as no person can be asked here."""


@dataclass(frozen=True, slots=True)
class KeyAccepted:
    """The player here has agreed that this key is that of the player of this name."""

    name: str
    key: bytes


# -- the course of the game ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The game has started, or goes on after a restart."""

    view: SeatView
    resumed: bool = False
    """The game goes on after a restart. Its earlier events are not shown again."""
    at: State | None = None
    """The position from which the events that follow count; None: that of the view. A process that
    keeps all seats alone may be further on by the time that this is shown."""

    @property
    def state(self) -> State:
        return self.view.game.state if self.at is None else self.at


@dataclass(frozen=True, slots=True)
class Happened:
    """The game has moved on by these events; `view.game` is after them, or further on."""

    events: tuple[Event, ...]
    view: SeatView


@dataclass(frozen=True, slots=True)
class Waiting:
    """The game waits for other seats."""

    seats: tuple[Seat, ...]
    decision: Decision | None
    """The decision that the game waits for; None if the seats owe their parts of a draw."""


@dataclass(frozen=True, slots=True)
class OwnClock:
    """The time that this player has left for a question, as this peer counts it."""

    seconds_left: float
    """Negative if the time is up. It is a part of `limit`, that of a turn or of one decision."""
    limit: int


@dataclass(frozen=True, slots=True)
class GameFinished:
    """The game is over and sealed."""

    winners: tuple[Seat, ...]
    confirmed_by: tuple[Seat, ...]
    view: SeatView


# -- incidents ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TopRevealed:
    """The top card of the deck, at which this seat alone has peeked."""

    card: Item


@dataclass(frozen=True, slots=True)
class Missing:
    """After a restart: the seats that have not come back yet; empty once all have."""

    seats: tuple[Seat, ...]
    is_alone: bool = False
    """Whether none of the others has been heard for minutes: perhaps they have finished."""


@dataclass(frozen=True, slots=True)
class LinkChanged:
    """The direct connection to a seat was lost, or is back. The game may go on without it."""

    seat: Seat
    up: bool


class UnsteadyMatter(StrEnum):
    """What about a seat changes again and again."""

    CONNECTION = "connection"
    WISHES = "wishes"


@dataclass(frozen=True, slots=True)
class Detour:
    """All that this seat and some others sign goes through one seat, which could keep it back."""

    seat: Seat
    others: tuple[Seat, ...]
    """The seats that are reached through it alone."""


@dataclass(frozen=True, slots=True)
class Unsteady:
    """A seat changes so often that only some of its changes are shown from here on."""

    seat: Seat
    matter: UnsteadyMatter


@dataclass(frozen=True, slots=True)
class Cheated:
    """A seat has been caught cheating."""

    seat: Seat
    kind: CheatKind
    height: int
    detail: str
    """In technical words: the reason of the referee, or a slot."""


@dataclass(frozen=True, slots=True)
class EvidenceKept:
    """A file was written that proves to anybody that the seat has cheated."""

    seat: Seat
    path: PurePath


@dataclass(frozen=True, slots=True)
class ProgramFault:
    """This program has found an error of its own, and left out what it was about to do."""

    detail: str


class Agreement(StrEnum):
    """With which copy of the game most players agree, where two copies differ."""

    OURS = "ours"
    """The game goes on without the other seat."""
    THEIRS = "theirs"
    """The others go on without this seat."""
    OPEN = "open"
    """Not all have shown theirs yet."""
    NONE = "none"
    """No majority agrees, so the game stops for all."""


@dataclass(frozen=True, slots=True)
class Diverged:
    """Two copies of the game differ although both are legal. That proves nothing."""

    seat: Seat
    field: str
    """The name of the number that differs; empty if the other seat has not shown its numbers."""
    ours: str
    theirs: str
    agreement: Agreement


# -- the union ---------------------------------------------------------------------------

LobbyNotice: TypeAlias = (
    TableOpened | TableAnnounced | LobbyChanged | LobbyRefused | StartNotice | GuestIdentity
    | NameChanged | KeyChanged | KeyAccepted | RematchNews
)  # fmt: skip
PlayNotice: TypeAlias = GameStarted | Happened | Waiting | OwnClock | GameFinished
IncidentNotice: TypeAlias = (
    TopRevealed | Missing | LinkChanged | Detour | Unsteady | Cheated | EvidenceKept | Diverged
    | ProgramFault
)  # fmt: skip
Notice: TypeAlias = (
    Said | WatchNotice | CodeNotice | PastLog | Reopened | Flooded | LobbyNotice | PlayNotice
    | AbsenceNotice | IncidentNotice
)  # fmt: skip
