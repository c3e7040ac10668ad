"""The last lines of a run: why it ended, and what to try next."""

from __future__ import annotations

from typing import assert_never

from kotp2p.cli.text import code_words
from kotp2p.cli.text.file_faults import describe_file_fault
from kotp2p.cli.text.i18n import N_, _, list_with_and, plural
from kotp2p.cli.text.join_target import format_address
from kotp2p.cli.text.names import player_name
from kotp2p.cli.text.no_answer import (
    ELSEWHERE,
    WayThere,
    advise_on_no_answer,
    describe_no_answer,
    is_older,
    judge_no_answer,
)
from kotp2p.cli.text.own_command import typeable
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.seat_view import WATCHER

# Translators: the place in the final order.
PLACES = (N_("first"), N_("second"), N_("third"), N_("fourth"), N_("fifth"), N_("sixth"))

WORDS_OF_A_PHRASE = 2
"""Enough to find a game among those of one player."""


def describe_ending(ending: Ending, host: str, port: int, way: WayThere = ELSEWHERE) -> list[str]:
    """What happened, then what to try; nothing where the game's own lines have said it. `way`
    matters where nobody has answered."""
    fields: dict[str, object] = {"host": host, "port": port, "detail": ending.detail}
    match ending.kind:
        case EndKind.FINISHED | EndKind.KEPT:
            return []
        case EndKind.LEFT:
            return [_("You have left the table.")]
        case EndKind.STOPPED:
            return [_("The game stopped before its end.")]
        case EndKind.ADJOURNED:
            return _broken_off(ending)
        case EndKind.NO_GAME if ending.detail:
            return [
                _("You have no unfinished game whose phrase begins with: {words}",
                  words=ending.detail),
                _("To list those that you have, type: {command}",
                  command=typeable("kotp2p resume --list")),
            ]  # fmt: skip
        case EndKind.NO_GAME:
            return [
                _("You have no unfinished game here."),
                _("Start a new one: {host} or {solo}",
                  host=typeable("kotp2p host"), solo=typeable("kotp2p solo")),
            ]  # fmt: skip
        case EndKind.IN_USE | EndKind.ELSEWHERE:
            return _played_twice(ending.kind)
        case (
            EndKind.CLOSED | EndKind.REMOVED | EndKind.BUSY | EndKind.FULL | EndKind.STARTED
            | EndKind.VERSION | EndKind.KEPT_FOR_OTHERS | EndKind.FALSE_LOBBY | EndKind.LOST_HOST
            | EndKind.NOT_INVITED | EndKind.OTHER_TABLE | EndKind.OTHER_HOST | EndKind.NEW_KEY
            | EndKind.START_IN_DOUBT
        ):  # fmt: skip
            return _turned_away(ending.kind, fields)
        case (
            EndKind.NAME_UNKNOWN | EndKind.REFUSED | EndKind.NO_ANSWER | EndKind.NOT_A_TABLE
            | EndKind.NO_MAILBOX | EndKind.NOBODY_AT_NUMBER | EndKind.WRONG_WORDS
            | EndKind.RELAY_GONE | EndKind.RELAY_SILENT | EndKind.RELAY_REFUSES
        ):  # fmt: skip
            return _unreachable(ending, host, port, way)
        case (
            EndKind.NO_WATCHERS | EndKind.LOST_TABLE | EndKind.SOURCE_LEFT | EndKind.NO_NEXT_GAME
            | EndKind.WRONG_LOG
        ):  # fmt: skip
            return _watched_no_more(ending.kind, fields)
        case EndKind.PORT_TAKEN | EndKind.FILES:
            return _own_machine(ending, fields)
        case _:
            assert_never(ending.kind)


def _watched_no_more(kind: EndKind, fields: dict[str, object]) -> list[str]:
    match kind:
        case EndKind.NO_WATCHERS:
            return [
                _("Nobody can watch the table at {host} port {port} without an invitation to "
                  "watch, if at all.", **fields),
                _("The host lets others watch by: {command}",
                  command=typeable("kotp2p host --watchers 8")),
            ]  # fmt: skip
        case EndKind.LOST_TABLE:
            return [
                _("The connection to the table broke and did not come back."),
                _("If the host comes back, watch again: the game is told from where it stands "
                  "then."),
                _only_there(),
            ]  # fmt: skip
        case EndKind.SOURCE_LEFT:
            return [
                _("You watched this game through {detail}'s program. {detail} has left the game "
                  "for good.", **fields),
                _only_there(),
            ]  # fmt: skip
        case EndKind.NO_NEXT_GAME:
            return [_("No other game has begun at this table. You have seen the last one whole.")]
        case _:  # WRONG_LOG, the last that `describe_ending` passes here
            return [
                _("What came from that table is not what a game contains."),
                _("Your program has stopped there. Nothing that was shown before is in doubt."),
            ]


def _only_there() -> str:
    return _(
        "The other players may play on. They let nobody watch: only the program that has opened a "
        "table does."
    )


def _played_twice(kind: EndKind) -> list[str]:
    if kind is EndKind.IN_USE:
        return [
            _("That game, or your profile, is in use by another kotp2p on this machine."),
            _("Go on there, or close it first."),
        ]
    return [
        _("Your seat is being played by another kotp2p, from a copy of your files."),
        _("Go on there. To play here instead, type: {command}", command=typeable("kotp2p resume")),
    ]


def _own_machine(ending: Ending, fields: dict[str, object]) -> list[str]:
    match ending.kind:
        case EndKind.PORT_TAKEN:
            return [
                _("This machine cannot listen there: {detail}.", **fields),
                _("Try another port with --port 0. --bind takes only an address of this machine."),
            ]
        case _:  # FILES, the last that `describe_ending` passes here
            if ending.file_fault is not None:
                return describe_file_fault(ending.file_fault)
            return [_("A file cannot be read or written: {detail}.", **fields)]


def _broken_off(ending: Ending) -> list[str]:
    if ending.view is not None and ending.view.seat == WATCHER:
        return [
            _("The players have stopped here for today. They can go on with it another day."),
            _("To watch how it goes on, type the same command when they do."),
        ]
    if ending.view is not None and not ending.view.has_say:
        return [
            _("The players who are still in the game have stopped here for today."),
            _(
                "To watch how it goes on, type when they do: {command}",
                command=typeable("kotp2p resume"),
            ),
        ]
    return [
        _("All players who are here have stopped for today."),
        _(
            "To go on with it, type when the others do: {command}",
            command=typeable("kotp2p resume"),
        ),
    ]


def _turned_away(kind: EndKind, fields: dict[str, object]) -> list[str]:
    theirs, _space, ours = str(fields["detail"]).partition(" ")
    match kind:
        case EndKind.CLOSED:
            return [
                _("The host has closed the table before the game began."),
                _("To open your own table: {command}", command=typeable("kotp2p host")),
            ]
        case EndKind.REMOVED:
            return [_("The host has removed you from this table. Ask the host why.")]
        case EndKind.BUSY:
            return [
                _("The table at {host} port {port} is busy with other connections.", **fields),
                _("It has let none of yours in for some seconds. Try again in a minute, or ask the "
                  "host for a table by invitation."),
            ]  # fmt: skip
        case EndKind.FULL:
            return [_("That table is full. The host can free a seat: remove NAME.")]
        case EndKind.KEPT_FOR_OTHERS:
            return [
                _("The free seats at that table are kept for the players of the last game. The "
                  "host can open them: type open."),
            ]  # fmt: skip
        case EndKind.FALSE_LOBBY:
            return [
                _("What the host tells of this table is not what you have told the host: {detail}. "
                  "Your program has signed nothing and has left.", **fields),
            ]  # fmt: skip
        case EndKind.STARTED:
            address = format_address(str(fields["host"]), int(str(fields["port"])))
            return [
                _("The game at that table has begun. Wait for the next one."),
                _(
                    "If you have a seat in it: {command}",
                    command=typeable(f"kotp2p resume --peer {address}"),
                ),
            ]
        case EndKind.VERSION:
            return _other_version(theirs, ours)
        case EndKind.NOT_INVITED | EndKind.OTHER_TABLE | EndKind.OTHER_HOST | EndKind.NEW_KEY:
            return _not_let_in(kind, fields)
        case _:  # the last two that `describe_ending` passes here
            return _without_host(is_bound=kind is EndKind.START_IN_DOUBT)


def _other_version(theirs: str, ours: str) -> list[str]:
    first = _("That table runs another version of kotp2p: {theirs}; you have {ours}.",
              theirs=theirs, ours=ours)  # fmt: skip
    if is_older(ours, theirs):
        return [first, _("Yours is the older one: update kotp2p on this machine, then join again.")]
    return [
        first,
        _("The host's is the older one: ask the host to update kotp2p and to open the table "
          "again."),
    ]  # fmt: skip


def _without_host(*, is_bound: bool) -> list[str]:
    if is_bound:
        return [
            _("The connection to the host broke as the game began, and no other player could be "
              "asked whether it has. Ask them yourself, in another way."),
        ]  # fmt: skip
    return [
        _("The connection to the host broke before the game began."),
        _("Check that the host's machine is awake, then join again."),
    ]


def _not_let_in(kind: EndKind, fields: dict[str, object]) -> list[str]:
    match kind:
        case EndKind.NOT_INVITED:
            return [
                _("The table at {host} port {port} is for invited players.", **fields),
                _(
                    "Ask the host for the link, then type: {command}",
                    command=typeable("kotp2p join LINK"),
                ),
            ]
        case EndKind.OTHER_TABLE:
            return [
                _("This link does not open the table at {host} port {port}: it was made for "
                  "another one.", **fields),
                _("Ask the host for the newest link; each table has its own."),
            ]  # fmt: skip
        case EndKind.OTHER_HOST:
            return [
                _("Someone other than the host of this table answers at {host} port {port}.",
                  **fields),
                _("Ask the host for a new link, or for the address of the table."),
            ]  # fmt: skip
        case _:  # NEW_KEY, the last that `_turned_away` passes here
            return [
                _("You have left the table: {detail}'s key is not the one you know.", **fields),
                _("Ask {detail}. If they have a new machine, join again with --accept-new-keys.",
                  **fields),
            ]  # fmt: skip


def _unreachable(ending: Ending, host: str, port: int, way: WayThere) -> list[str]:
    fields: dict[str, object] = {"host": host, "port": port}
    if ending.kind in code_words.KINDS:
        return code_words.describe_code_ending(ending)
    match ending.kind:
        case EndKind.NO_ANSWER:
            why = judge_no_answer(ending.detail, way)
            return [describe_no_answer(why, host, port, way), advise_on_no_answer(why, port)]
        case EndKind.NAME_UNKNOWN:
            return [
                _("No machine is known by the name {host}.", **fields),
                _("Check the spelling, or type the numeric address from the host's screen."),
            ]
        case EndKind.REFUSED:
            return [
                _("The machine {host} is there, but no table is open on port {port}.", **fields),
                _("Ask the host whether the table is still open, compare the address and the port "
                  "with the host's screen, then join again."),
            ]  # fmt: skip
        case _:  # NOT_A_TABLE, the last that `describe_ending` passes here
            return [
                _("What answers at {host} port {port} is not a table of this version of kotp2p.",
                  **fields),
                _("Check the port on the host's screen, and install the same version on both "
                  "machines."),
            ]  # fmt: skip


def winners_line(ending: Ending) -> str:
    view = ending.view
    found = [player_name(view, seat) for seat in ending.winners] if view else []
    if not found:
        return _("Winner: nobody")
    if len(found) == 1:
        return _("Winner: {name}", name=found[0])
    return _("Winners: {names}", names=list_with_and(found))


def describe_result(ending: Ending, place: int | None = None) -> str:
    """The end for a reader at the table. `place`: that of the reader, from 1, if known."""
    view = ending.view
    if view is None or not ending.winners:
        return _("Nobody wins.")
    if ending.winners == (view.seat,):
        return _("You win!")
    others = list_with_and(
        [player_name(view, seat) for seat in ending.winners if seat != view.seat]
    )
    if view.seat in ending.winners:
        return _("You win together with {others}!", others=others)
    if place is None:
        return plural("{names} wins.", "{names} win.", len(ending.winners), names=others)
    return plural("You are {place}; {names} wins.", "You are {place}; {names} win.",
                  len(ending.winners), place=_(PLACES[place - 1]), names=others)  # fmt: skip


def short_phrase(ending: Ending) -> str:
    """The words by which a player names the game; empty without a game."""
    phrase = "" if ending.view is None else ending.view.phrase
    return " ".join(phrase.split()[:WORDS_OF_A_PHRASE])


def describe_way_back(log: str) -> str:
    """How to see the game again. `log`: what names it in a shell."""
    return _("See the game again: {command}", command=typeable(f"kotp2p replay {log}"))


def describe_kept_start(again: str) -> str:
    """`again`: the command that comes into the game, if it has begun."""
    return _("Your seat is kept. If they are playing: {again}", again=again)


def describe_kept_seat(again: str) -> str:
    """`again`: the command that goes on."""
    return _("The game is saved. To go on: {again}", again=again)
