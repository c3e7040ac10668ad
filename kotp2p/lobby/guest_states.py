"""The states of a guest's lobby, from its seat to the game.

Scope: the table of states and events.
Not here: what moves it (`kotp2p.lobby.guest`).
"""

from __future__ import annotations

from enum import StrEnum

from kotp2p.seams.state_table import StateTable


class GuestState(StrEnum):
    WAITING = "waiting"
    """No start is proposed for the lobby as it is. An earlier one that this seat has signed can
    still come to its end."""
    HOLDING = "holding"
    """A start was proposed, and waits here until a changed key is accepted, or until the player
    has had time to see the lobby."""
    STARTING = "starting"
    """This seat follows a start (`kotp2p.lobby.ceremony` has its steps)."""
    IN_DOUBT = "in doubt"
    """The host is lost after this seat has signed: the others may have begun."""
    BEGUN = "begun"
    ENDED = "ended"
    """The lobby is over without a game."""


class GuestEvent(StrEnum):
    START_HELD = "a start that has to wait"
    START_FOLLOWED = "a start that can be followed"
    LOBBY_CHANGED = "the lobby is another one"
    ALL_SIGNED = "all have signed"
    HOST_LOST = "the host is lost, and this seat has signed"
    CLOSED = "left, closed or lost"


GUEST_LOBBY = StateTable(
    "lobby of a guest",
    GuestState.WAITING,
    {
        GuestState.WAITING: {
            GuestEvent.START_HELD: GuestState.HOLDING,
            GuestEvent.START_FOLLOWED: GuestState.STARTING,
            GuestEvent.ALL_SIGNED: GuestState.BEGUN,
            GuestEvent.HOST_LOST: GuestState.IN_DOUBT,
            GuestEvent.CLOSED: GuestState.ENDED,
        },
        # The host tells nobody when it gives a start up: the next proposal takes its place, or the
        # next change of the lobby. Until then the start before it can still come to its end.
        GuestState.HOLDING: {
            GuestEvent.START_HELD: GuestState.HOLDING,
            GuestEvent.START_FOLLOWED: GuestState.STARTING,
            GuestEvent.LOBBY_CHANGED: GuestState.WAITING,
            GuestEvent.ALL_SIGNED: GuestState.BEGUN,
            GuestEvent.HOST_LOST: GuestState.IN_DOUBT,
            GuestEvent.CLOSED: GuestState.ENDED,
        },
        GuestState.STARTING: {
            GuestEvent.START_HELD: GuestState.HOLDING,
            GuestEvent.START_FOLLOWED: GuestState.STARTING,
            GuestEvent.LOBBY_CHANGED: GuestState.WAITING,
            GuestEvent.ALL_SIGNED: GuestState.BEGUN,
            GuestEvent.HOST_LOST: GuestState.IN_DOUBT,
            GuestEvent.CLOSED: GuestState.ENDED,
        },
        GuestState.IN_DOUBT: {
            GuestEvent.ALL_SIGNED: GuestState.BEGUN,
            GuestEvent.CLOSED: GuestState.ENDED,
        },
        GuestState.BEGUN: {},
        GuestState.ENDED: {},
    },
)
