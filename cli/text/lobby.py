"""The lobby as sentences: arrivals, options, keys and refusals."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import assert_never

from kotp2p.cli.text.i18n import N_, _, list_with_and, list_with_commas, plural
from kotp2p.cli.text.names import MEMBERS_TO_GO_ON
from kotp2p.cli.text.players import (
    describe_chosen_options,
    describe_signed_clocks,
    describe_signed_seat,
    describe_signed_table,
    name_in_sentence,
    names_in_sentences,
)
from kotp2p.seams import notices as told
from kotp2p.seams.notices import LobbyChanged, LobbyFault, LobbySeat
from kotp2p.wire.crypto import fingerprint
from kotp2p.wire.genesis import Charter
from kotp2p.wire.names import MAX_NAME_LENGTH, MONSTERS


def describe_announcement(notice: told.TableAnnounced) -> list[str]:
    if notice.fault:
        return [
            _("The table cannot be announced on this network ({fault}): the others need the "
              "address.", fault=notice.fault)
        ]  # fmt: skip
    return [_("On this network the others may also type: {command}", command="kotp2p join")]


def describe_rematch(notice: told.RematchNews) -> list[str]:
    names = list_with_and([name_in_sentence(name) for name in notice.names])
    match notice.step:
        case told.RematchStep.SEARCHES:
            return [_("Looking whether one of the others has opened the table already …")]
        case told.RematchStep.GOES:
            return [_("{name} has opened the table: you go there.", name=names)]
        case told.RematchStep.OFFERS:
            playing = list_with_and([name_in_sentence(name) for name in notice.playing])
            return [
                plural(
                    "You have opened the table, with a seat kept for {names}: y at the same "
                    "question leads here. The game begins when all have come, or when you type "
                    "start.",
                    "You have opened the table, with seats kept for {names}: y at the same "
                    "question leads here. The game begins when all have come, or when you type "
                    "start.",
                    len(notice.names),
                    names=names,
                ),
                *(
                    [
                        plural(
                            "{names} has not answered, or is in a game already. If it is this "
                            "one, it has begun without you.",
                            "{names} have not answered, or are in a game already. If it is this "
                            "one, it has begun without you.",
                            len(notice.playing),
                            names=playing,
                        )
                    ]
                    if notice.playing
                    else []
                ),
            ]
        case _:
            assert_never(notice.step)


def describe_lobby(new: LobbyChanged) -> list[str]:
    own = own_seat(new)
    return [
        _("Rule set: {rules}. You are {name}, your monster is {monster}.",
          rules=new.rules, name=own.name, monster=own.monster),
        *describe_options(new),
        *list_seats(new),
    ]  # fmt: skip


def describe_host_key(new: LobbyChanged) -> list[str]:
    host = next((seat for seat in new.seats if seat is not None and seat.host), None)
    if host is None or host is own_seat(new):
        return []
    return [_("{name}'s key: {key}", name=host.name, key=fingerprint(host.key))]


def describe_options(lobby: LobbyChanged) -> list[str]:
    lines = describe_chosen_options(lobby.rules, lobby.options.options)
    return [*lines, describe_signed_clocks(lobby.options.clocks)]


def describe_taken_monster(lobby: LobbyChanged, wanted: str | None) -> list[str]:
    monster = own_seat(lobby).monster
    if wanted in (None, monster):
        return []
    return [_("{wanted} is taken; your monster is {monster}.", wanted=wanted, monster=monster)]


def describe_refused_name(lobby: LobbyChanged, login: str | None) -> list[str]:
    if login is None:
        return []
    return [
        _("Your login name {login} reads like a word of the game itself, so you are {name} here. "
          "Choose another name next time: --name Ana",
          login=login, name=own_seat(lobby).name),
    ]  # fmt: skip


def describe_changes(old: LobbyChanged, new: LobbyChanged) -> list[str]:
    before, after = _by_identity(old), _by_identity(new)
    lines = []
    for key, (n, seat) in before.items():
        if key not in after:
            lines.append(_("{name} has left seat {n}.", name=name_in_sentence(seat.name), n=n))
    for key, (n, seat) in after.items():
        if key not in before:
            lines.append(_sits(n, seat))
            continue
        was, then = before[key]
        if was != n:
            lines.append(_("{name} has seat {n} now.", name=name_in_sentence(seat.name), n=n))
        lines += _describe_absence(then, seat)
        if then.one_game != seat.one_game:
            lines.append(_describe_kind_of_key(seat))
        lines += _describe_choice(then, seat)
    lines += describe_marks(old, new)
    if _differs_in_two_players_only(old, new):
        lines.append(_describe_two_players(new))
    elif old.rules != new.rules or old.options != new.options:
        lines.append(_("The table now plays the rule set {rules}.", rules=new.rules))
        lines += describe_options(new)
    free = new.seats.count(None)
    if free != old.seats.count(None):
        taken = _("All seats are taken.")
        lines.append(plural("{n} seat is free.", "{n} seats are free.", free) if free else taken)
    return lines


def _by_identity(lobby: LobbyChanged) -> dict[tuple[bytes, str], tuple[int, LobbySeat]]:
    """Return the taken seats with their numbers, by key; what the host keeps has only its name."""
    return {
        (seat.key, "" if seat.key else seat.name): (n, seat)
        for n, seat in enumerate(lobby.seats, 1)
        if seat
    }


def _differs_in_two_players_only(old: LobbyChanged, new: LobbyChanged) -> bool:
    then, now = old.options.options, new.options.options
    same = replace(old.options, options=replace(then, two_player=now.two_player))
    return old.rules == new.rules and old.options != new.options == same


def _describe_two_players(lobby: LobbyChanged) -> str:
    if lobby.options.options.two_player:
        return _("Option: two players get energy instead of points for Tokyo.")
    return _("Tokyo gives points now: the option for two players is off.")


def _describe_choice(then: LobbySeat, now: LobbySeat) -> list[str]:
    lines, name = [], name_in_sentence(now.name)
    if then.name != now.name:
        lines.append(_("{old} is called {name} now.", old=name_in_sentence(then.name), name=name))
    if then.monster != now.monster:
        lines.append(_("{name} plays {monster} now.", name=name, monster=now.monster))
    return lines


def _describe_absence(then: LobbySeat, now: LobbySeat) -> list[str]:
    name = name_in_sentence(now.name)
    if now.away and not then.away:
        return [
            _("{name} is away: the seat is kept for two minutes, and start begins without {name}. "
              "To free it now: remove {name}", name=name)
        ]  # fmt: skip
    if then.away and not now.away:
        return [_("{name} is back.", name=name)]
    return []


def _describe_kind_of_key(seat: LobbySeat) -> str:
    name = name_in_sentence(seat.name)
    if seat.one_game:
        return _("{name} has a key for this game only now.", name=name)
    return _("{name} has a lasting key now.", name=name)


def own_seat(lobby: LobbyChanged) -> LobbySeat:
    seat = lobby.seats[lobby.you]
    assert seat is not None  # `you` always sits
    return seat


def _sits(n: int, seat: LobbySeat) -> str:
    name = name_in_sentence(seat.name)
    if seat.is_played_by_bot:
        return _("{name}, a bot, takes seat {n} as {monster}.", n=n, name=name,
                 monster=seat.monster)  # fmt: skip
    return _("{name} takes seat {n} as {monster}.", n=n, name=name, monster=seat.monster)


def list_seats(lobby: LobbyChanged) -> list[str]:
    lines = []
    for n, seat in enumerate(lobby.seats, 1):
        if seat is None:
            lines.append(_("{n} free", n=n))
            continue
        marks = [_("you")] if n - 1 == lobby.you else []
        marks += [_("host")] if seat.host else []
        marks += [_("bot")] if seat.is_played_by_bot else []
        marks += [_("ready")] if seat.ready and not seat.is_played_by_bot else []
        marks += [_("away")] if seat.away else []
        marks += [_("key for this game only")] if seat.one_game and not seat.bot else []
        line = _("{n} {name}, {monster}", n=n, name=seat.name, monster=seat.monster)
        lines.append(f"{line} ({', '.join(marks)})" if marks else line)
    return lines


def describe_first_commands(lobby: LobbyChanged) -> list[str]:
    if own_seat(lobby).host:
        return [
            _("start: begin the game. bot: a bot takes a free seat. leave: close the table."),
            _("name NAME, monster NAME: change yours. say WORDS: chat. ?: all commands."),
        ]
    return [
        _("The host starts the game. name NAME, monster NAME: change yours.")
        if own_seat(lobby).ready
        else _("Type ready when you are ready to play. name NAME, monster NAME: change yours."),
        _("say WORDS: chat. leave: give up your seat. ?: all commands."),
    ]


def describe_commands(lobby: LobbyChanged) -> list[str]:
    if own_seat(lobby).host:
        kept = _("open: let anyone take the seats that are kept for players of the last game.")
        return [
            _("start: begin the game. bot: a bot takes a free seat. keys: everyone's keys."),
            _(
                "remove NAME: remove a player. move NAME SEAT: change the order. The number of a "
                "seat will do for NAME."
            ),
            *([kept] if lobby.has_kept_seats else []),
            _("copy: put the line for your friends into the clipboard."),
            *_describe_choices(),
            _("who: the players here. say WORDS: chat. leave: close the table. ?: this help."),
        ]
    return [
        _("who: the players here. say WORDS: chat. leave: give up your seat. ?: this help."),
        *_describe_choices(),
        _("keys: everyone's keys. The host starts the game."),
    ]


def _describe_choices() -> list[str]:
    return [
        _("ready: tell that you are ready; not ready takes it back. name NAME: change your name."),
        _("monster NAME: change your monster. monsters: which there are, and which are free."),
    ]


def describe_automatic_start(lobby: LobbyChanged) -> list[str]:
    if not own_seat(lobby).host:
        return []
    return [_("The game begins as soon as every seat is taken.")]


def describe_key_change(notice: told.KeyChanged) -> str:
    fields: dict[str, object] = {
        "name": notice.name,
        "known": fingerprint(notice.known),
        "new": fingerprint(notice.new),
    }
    if notice.refused:
        return _(
            "{name} was known by the key {known} but now has {new}, and nobody is here to "
            "ask: refused. --accept-new-keys lets such players in.",
            **fields,
        )
    return _(
        "{name} has a different key than before: {new} instead of {known}. A new machine, or "
        "someone else? Ask {name}, then type: accept {name}. Until then no game begins here.",
        **fields,
    )


def describe_accepted_key(notice: told.KeyAccepted) -> str:
    return _(
        "{name} is accepted with the key {key}.", name=notice.name, key=fingerprint(notice.key)
    )


def list_keys(lobby: LobbyChanged) -> list[str]:
    lines = []
    for n, seat in enumerate(lobby.seats, 1):
        if seat is None or seat.bot:
            continue
        line = _("{n} {name}: {key}", n=n, name=seat.name, key=fingerprint(seat.key))
        lines.append(f"{line} ({_('key for this game only')})" if seat.one_game else line)
    return lines


def describe_strangers(notice: told.StartSigned) -> list[str]:
    if not notice.strangers:
        return []
    players = notice.charter.players
    called = names_in_sentences(tuple(player.name for player in players))
    unmet = list_with_and([called[seat] for seat in notice.strangers])
    said = _("You have not met the keys of {names} before.", names=unmet)
    if len({player.keeper for player in players}) < MEMBERS_TO_GO_ON:
        return [said]
    power = _("More than half of the players in the game can together let a bot play for anyone, "
              "even for a player who is on time.")  # fmt: skip
    return [f"{said} {power}"]


def describe_start_trouble(
    notice: told.StartFailed | told.StartDeclined | told.StartInDoubt | told.HostLinkChanged,
) -> str:
    match notice:
        case told.StartFailed():
            return _(
                "The start was cancelled: no answer from {names}. The lobby stays open.",
                names=list_with_commas(map(name_in_sentence, notice.missing)),
            )
        case told.StartDeclined():
            return describe_declined_start(notice)
        case told.StartInDoubt():
            return _(
                "The host is lost just as the game begins. Asking the other players for half a "
                "minute whether it has begun; your seat is kept."
            )
        case told.HostLinkChanged(stands=True):
            return _("Your link to the host stands again, and you have your seat.")
        case told.HostLinkChanged():
            return _(
                "Your link to the host is lost. Your seat is kept for two minutes, and kotp2p goes "
                "on trying to come back."
            )
        case _:
            assert_never(notice)


def describe_declined_start(notice: told.StartDeclined) -> str:
    if notice.name:
        return _(
            "The start was cancelled: the program of {name} says that it is not the lobby that "
            "{name} saw. Type start to try again, or remove {name}.",
            name=notice.name,
        )
    return _(
        "The host tried to start another game than this lobby shows. Your program has signed "
        "nothing, and the lobby goes on. Ask the host why, or type leave."
    )


# -- lobby choices -------------------------------------------------------------------------


def list_monsters(lobby: LobbyChanged) -> list[str]:
    players = {seat.monster: seat.name for seat in lobby.seats if seat is not None}
    mine = lobby.seats[lobby.you]
    lines = []
    for monster in MONSTERS:
        if mine is not None and monster == mine.monster:
            lines.append(_("{monster}: yours", monster=monster))
        elif monster in players:
            lines.append(_("{monster}: taken by {name}", monster=monster, name=players[monster]))
        else:
            lines.append(_("{monster}: free", monster=monster))
    return [*lines, _("Type monster and one of them, as monster King.")]


def free_monsters(lobby: LobbyChanged) -> list[str]:
    taken = {seat.monster for seat in lobby.seats if seat is not None}
    return [monster for monster in MONSTERS if monster not in taken]


# -- who is ready --------------------------------------------------------------------------


def list_unready(lobby: LobbyChanged) -> list[LobbySeat]:
    """Return the players that the host waits for; a start proceeds without who is away."""
    seats = [seat for seat in lobby.seats if seat is not None]
    return [seat for seat in seats if not (seat.ready or seat.host or seat.away)]


def describe_unready(unready: list[LobbySeat]) -> str:
    names = list_with_and([name_in_sentence(seat.name) for seat in unready])
    return plural(
        "{names} is not ready. Press Enter to begin all the same.",
        "{names} are not ready. Press Enter to begin all the same.",
        len(unready),
        names=names,
    )


def describe_marks(old: LobbyChanged, new: LobbyChanged) -> list[str]:
    before = {seat.key for seat in old.seats if seat is not None and seat.ready}
    people = [seat for seat in new.seats if seat is not None and not seat.is_played_by_bot]
    ended = [seat for seat in people if seat.key in before and not seat.ready]
    begun = [seat for seat in people if seat.key not in before and seat.ready]
    mine = new.seats[new.you]
    lines = []
    if ended and _is_other_table(old, new):
        lines.append(_("The table has changed: type ready again, everyone who was."))
        ended = []
    for seat in ended:
        if seat is mine:
            lines.append(_("You are not ready any more: type ready when you are."))
        else:
            lines.append(_("{name} is not ready any more.", name=name_in_sentence(seat.name)))
    for seat in begun:
        if seat is mine:
            lines.append(_("You are ready."))
        else:
            lines.append(_("{name} is ready.", name=name_in_sentence(seat.name)))
    others = [seat for seat in new.seats if seat is not None and seat is not mine]
    if begun and mine is not None and mine.host and others and not list_unready(new):
        lines.append(_("Everyone else is ready: type start to begin the game."))
    return lines


def _is_other_table(old: LobbyChanged, new: LobbyChanged) -> bool:
    def who_sits_where(lobby: LobbyChanged) -> list[bytes | None]:
        return [None if seat is None else seat.key for seat in lobby.seats]

    return (who_sits_where(old), old.rules, old.options) != (
        who_sits_where(new), new.rules, new.options,
    )  # fmt: skip


# -- why a command in the lobby is refused, as a sentence for each reason ------------------


_FAULTS: Mapping[LobbyFault, str] = MappingProxyType({
    LobbyFault.TOO_FEW: N_("Two players are needed; bot adds one."),
    LobbyFault.FULL: N_("All seats are taken."),
    LobbyFault.NO_SUCH_NAME: N_("Nobody here is called {name}; who shows the names and the seats."),
    LobbyFault.NO_SUCH_SEAT: N_("There is no such seat; who shows the seats."),
    LobbyFault.NOT_YOURSELF: N_("You cannot remove yourself; leave closes the table."),
    LobbyFault.STARTING: N_("The game is starting; wait a moment."),
    LobbyFault.TWO_ONLY: N_("The two-player option is for two players; remove NAME removes one."),
    LobbyFault.NOTHING_KEPT: N_("No seat is kept for anybody: whoever comes may take a free one."),
    LobbyFault.NEW_KEY: N_("{name} has a new key: type accept {name} or remove {name}."),
    LobbyFault.JUST_SEATED: N_(
        "{name} has just sat down there: look at the key, then type accept {name} again."
    ),
    LobbyFault.UNSURE: N_(
        "{name} knows {other} by another key, and the game cannot begin until {name} types accept "
        "{other}: ask {name} to do so, or type remove {name}."
    ),
    LobbyFault.NO_NAME: N_(
        "That cannot be a name. A name is at most {n} columns wide and has letters of one script, "
        "digits, and single spaces or signs like - and ' between them: name Ana."
    ),
    LobbyFault.RESERVED_NAME: N_(
        "That reads like a word of the game itself: choose another name, such as name Ana."
    ),
    LobbyFault.NAME_TAKEN: N_(
        "Somebody here is called {name} or looks like it: type another name."
    ),
    LobbyFault.NAME_KNOWN: N_(
        "The host knows another player as {name}, and nobody is there to be asked: type another "
        "name."
    ),
    LobbyFault.NO_MONSTER: N_("No monster is called that; monsters lists them."),
    LobbyFault.MONSTER_TAKEN: N_("{name} is taken; monsters shows which are free."),
    LobbyFault.TOO_OFTEN: N_(
        "You have changed that often just now; wait a few seconds and type it again."
    ),
    LobbyFault.DENIED: N_("The host has not done that; its program gives a reason unknown here."),
})  # fmt: skip


def describe_fault(notice: told.LobbyRefused) -> str:
    return _(_FAULTS[notice.why], name=notice.name, other=notice.other, n=MAX_NAME_LENGTH)


def describe_signed_start(charter: Charter) -> list[str]:
    players = charter.players
    seats = [
        _("{n} {seat}", n=n, seat=describe_signed_seat(players, n - 1))
        for n in range(1, len(players) + 1)
    ]
    return [
        _(
            "All have signed: {table} Seats: {seats}.",
            table=describe_signed_table(charter),
            seats=list_with_commas(seats),
        )
    ]
