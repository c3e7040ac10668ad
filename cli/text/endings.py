"""Why a run ended, and what to try next."""

from collections.abc import Mapping
from types import MappingProxyType

from kotp2p.cli.text import how_to_join, i18n
from kotp2p.cli.text.files import describe_file_fault
from kotp2p.cli.text.i18n import N_, _, list_with_and, plural
from kotp2p.cli.text.names import player_name
from kotp2p.cli.wing import Hint, wing
from kotp2p.rendezvous.words import is_like_code
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.notices import WATCHER

# -- the last lines of a run ---------------------------------------------------------------


# Translators: the place in the final order.
PLACES = (N_("first"), N_("second"), N_("third"), N_("fourth"), N_("fifth"), N_("sixth"))

WORDS_OF_A_PHRASE = 2
"""Enough to find a game among those of one player."""


_ONLY_THERE = N_(
    "The other players may play on. They let nobody watch: only the program that has opened a "
    "table does."
)
_TRY_AGAIN = N_("Try again in a minute, or ask the host for the address.")
_ENDINGS: Mapping[EndKind, tuple[str, ...]] = MappingProxyType({
    EndKind.FINISHED: (),
    EndKind.KEPT: (),
    EndKind.LEFT: (N_("You have left the table."),),
    EndKind.STOPPED: (N_("The game stopped before its end."),),
    EndKind.IN_USE: (
        N_("That game, or your profile, is in use by another kotp2p on this machine."),
        N_("Go on there, or close it first."),
    ),
    EndKind.ELSEWHERE: (
        N_("Your seat is being played by another kotp2p, from a copy of your files."),
        N_("Go on there. To play here instead, type: {command}"),
    ),
    EndKind.PORT_TAKEN: (
        N_("This machine cannot listen there: {detail}."),
        N_("Try another port with --port 0. --bind takes only an address of this machine."),
    ),
    # watching
    EndKind.NO_WATCHERS: (
        N_("The player who answers there lets nobody watch without an invitation, if at all."),
        N_("Only the host's program lets others watch: {command}"),
    ),
    EndKind.LOST_TABLE: (
        N_("The connection to the table broke and did not come back."),
        N_("If the host comes back, watch again: the game is told from where it stands then."),
        _ONLY_THERE,
    ),
    EndKind.SOURCE_LEFT: (
        N_("You watched this game through {detail}'s program. {detail} has left the game for "
           "good."),
        _ONLY_THERE,
    ),
    EndKind.NO_NEXT_GAME: (
        N_("No other game has begun at this table. You have seen the last one whole."),
    ),
    EndKind.WRONG_LOG: (
        N_("What came from that table is not what a game contains."),
        N_("Your program has stopped there. Nothing that was shown before is in doubt."),
    ),
    # turned away
    EndKind.CLOSED: (
        N_("The host has closed the table before the game began."),
        N_("To open your own table: {command}"),
    ),
    EndKind.REMOVED: (N_("The host has removed you from this table. Ask the host why."),),
    EndKind.BUSY: (
        N_("The table at {host} port {port} is busy with other connections."),
        N_("It has let none of yours in for some seconds. Try again in a minute, or ask the host "
           "for a table by invitation."),
    ),
    EndKind.FULL: (N_("That table is full. The host can free a seat: remove NAME."),),
    EndKind.KEPT_FOR_OTHERS: (
        N_("The free seats at that table are kept for the players of the last game. The host can "
           "open them: type open."),
    ),
    EndKind.FALSE_LOBBY: (
        N_("What the host tells of this table is not what you have told the host: {detail}. Your "
           "program has signed nothing and has left."),
    ),
    EndKind.LOST_HOST: (
        N_("The connection to the host broke before the game began."),
        N_("Check that the host's machine is awake, then join again."),
    ),
    EndKind.START_IN_DOUBT: (
        N_("The connection to the host broke as the game began, and no other player could be asked "
           "whether it has. Ask them yourself, in another way."),
    ),
    EndKind.NOT_INVITED: (
        N_("The table at {host} port {port} is for invited players."),
        N_("Ask the host for the link, then type: {command}"),
    ),
    EndKind.OTHER_TABLE: (
        N_("This link does not open the table at {host} port {port}: it was made for another "
           "one."),
        N_("Ask the host for the newest link; each table has its own."),
    ),
    EndKind.OTHER_HOST: (
        N_("Someone other than the host of this table answers at {host} port {port}."),
        N_("Ask the host for a new link, or for the address of the table."),
    ),
    EndKind.NEW_KEY: (
        N_("You have left the table: {detail}'s key is not the one you know."),
        N_("Ask {detail}. If they have a new machine, join again with --accept-new-keys."),
    ),
    # no way there
    EndKind.NAME_UNKNOWN: (
        N_("No machine is known by the name {host}."),
        N_("Check the spelling, or type the numeric address from the host's screen."),
    ),
    EndKind.REFUSED: (
        N_("The machine {host} is there, but no table is open on port {port}."),
        N_("Ask the host whether the table is still open, compare the address and the port with "
           "the host's screen, then try again."),
    ),
    EndKind.NOT_A_TABLE: (
        N_("What answers at {host} port {port} is not a table of this version of kotp2p."),
        N_("Check the port on the host's screen, and install the same version on both machines."),
    ),
    # no way there by a code
    EndKind.NOBODY_AT_NUMBER: (
        N_("Nobody answers at {number}."),
        N_("Ask the host whether the number has changed, or the table is closed."),
    ),
    EndKind.WRONG_WORDS: (
        N_("Whoever answered at {number} has not let you in with these words."),
        N_("Compare the number, both words and their order with the host's screen. If they agree, "
           "a stranger may have answered: try again in a minute."),
    ),
    EndKind.RELAY_GONE: (
        N_("You were introduced to the table, but no direct way leads there, and the relay does "
           "not answer: {detail}."),
        _TRY_AGAIN,
    ),
    EndKind.NO_DIRECT_WAY: (
        N_("You were introduced to the table, but no direct way leads there, and a relay is not "
           "set on both machines."),
        N_("Set one on both, or ask the host for the address."),
    ),
    EndKind.RELAY_SILENT: (
        N_("You were introduced to the table, but no direct way leads there, and the host did not "
           "come to the relay."),
        _TRY_AGAIN,
    ),
    EndKind.RELAY_REFUSES: (
        N_("You were introduced to the table, but no direct way leads there, and the relay carries "
           "nothing for you: {detail}."),
        N_("It may be full. Try again in a minute, or ask the host for the address."),
    ),
})  # fmt: skip
"""What happened, then what to try; of the kinds whose words need no more than an `Ending`."""
_COMMANDS: Mapping[EndKind, str] = MappingProxyType(
    {
        EndKind.ELSEWHERE: "kotp2p resume",
        EndKind.NO_WATCHERS: "kotp2p host --watchers 8",
        EndKind.CLOSED: "kotp2p host",
        EndKind.NOT_INVITED: "kotp2p join LINK",
    }
)


def describe_ending(ending: Ending, host: str, port: int) -> list[str]:
    """Describe what happened, then what to try; empty where the game has said it already."""
    detail = ending.detail
    match ending.kind:
        case EndKind.ADJOURNED:
            return _broken_off(ending)
        case EndKind.NO_GAME:
            return _no_game(detail)
        case EndKind.STARTED:
            return _begun(host, port)
        case EndKind.VERSION:
            return _other_version(*detail.split(" ", 1))
        case EndKind.NO_ANSWER:
            return how_to_join.describe_no_answer(detail, host, port)
        case EndKind.NO_MAILBOX:
            return _no_mailbox(detail)
        case EndKind.UNPROVEN_MAILBOX:
            return how_to_join.describe_unproven(detail)
        case EndKind.FILES if ending.file_fault is not None:
            return describe_file_fault(ending.file_fault)
        case EndKind.FILES:
            return [_("A file cannot be read or written: {detail}.", detail=detail)]
        case kind:  # all others
            command = i18n.typeable(_COMMANDS.get(kind, ""))
            fields = {"host": host, "port": port, "detail": detail, "number": detail}
            return [_(line, command=command, **fields) for line in _ENDINGS[kind]]


def _no_game(words: str) -> list[str]:
    if words:
        return [
            _("You have no unfinished game whose phrase begins with: {words}", words=words),
            _("To list those that you have, type: {command}",
              command=i18n.typeable("kotp2p resume --list")),
        ]  # fmt: skip
    return [
        _("You have no unfinished game here."),
        _("Start a new one: {host} or {solo}",
          host=i18n.typeable("kotp2p host"), solo=i18n.typeable("kotp2p solo")),
    ]  # fmt: skip


def _broken_off(ending: Ending) -> list[str]:
    command = i18n.typeable("kotp2p resume")
    if ending.view is not None and ending.view.seat == WATCHER:
        return [
            _("The players have stopped here for today. They can go on with it another day."),
            _("To watch how it goes on, type the same command when they do."),
        ]
    if ending.view is not None and not ending.view.has_say:
        return [
            _("The players who are still in the game have stopped here for today."),
            _("To watch how it goes on, type when they do: {command}", command=command),
        ]
    return [
        _("All players who are here have stopped for today."),
        _("To go on with it, type when the others do: {command}", command=command),
    ]


def _begun(host: str, port: int) -> list[str]:
    is_code = is_like_code(host)
    target = host if is_code else how_to_join.format_address(host, port)
    lines = [_("The game at that table has begun. Wait for the next one.")]
    watch = wing().say(Hint.WATCH_COMMAND, target=target)
    if watch:
        lines.append(_("To watch it: {command}", command=i18n.typeable(watch)))
    if not is_code:  # a code leads a player back by itself
        back = i18n.typeable(f"kotp2p resume --peer {target}")
        lines.append(_("If you have a seat in it: {command}", command=back))
    return lines


def _other_version(theirs: str, ours: str = "") -> list[str]:
    first = _("That table runs another version of kotp2p: {theirs}; you have {ours}.",
              theirs=theirs, ours=ours)  # fmt: skip
    if how_to_join.is_older(ours, theirs):
        return [first, _("Yours is the older one: update kotp2p on this machine, then join again.")]
    return [
        first,
        _("The host's is the older one: ask the host to update kotp2p and to open the table "
          "again."),
    ]  # fmt: skip


def _no_mailbox(detail: str) -> list[str]:
    """Say why no server introduces the player; `detail` is empty if none is set."""
    if not detail:
        return [
            _("A code needs a server that introduces you, and your settings name none."),
            _("Set one, or join by the address: {command}",
              command=i18n.typeable("kotp2p config set mailbox URL")),
        ]  # fmt: skip
    server, _colon, why = detail.partition(": ")
    return [
        _("The server that introduces you does not answer: {server} ({detail}).",
          server=server, detail=why),
        _("Check your connection to the internet and try again, or ask the host for the address."),
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
    view = ending.view
    if view is None or not ending.winners:
        return _("Nobody wins.")
    if ending.winners == (view.seat,):
        return _("You win!")
    others = list_with_and([player_name(view, s) for s in ending.winners if s != view.seat])
    if view.seat in ending.winners:
        return _("You win together with {others}!", others=others)
    if place is None:
        return plural("{names} wins.", "{names} win.", len(ending.winners), names=others)
    return plural("You are {place}; {names} wins.", "You are {place}; {names} win.",
                  len(ending.winners), place=_(PLACES[place - 1]), names=others)  # fmt: skip


def short_phrase(ending: Ending) -> str:
    phrase = "" if ending.view is None else ending.view.phrase
    return " ".join(phrase.split()[:WORDS_OF_A_PHRASE])


def describe_kept_seat(again: str) -> str:
    return _("The game is saved. To go on: {again}", again=again)
