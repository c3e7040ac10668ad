"""The lobby as sentences: arrivals, departures, options, keys, and what a player may type there."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from kotp2p.cli.text.i18n import _, list_with_and, list_with_commas, plural
from kotp2p.cli.text.lobby_choices import describe_marks
from kotp2p.cli.text.names import name_in_sentence, names_in_sentences
from kotp2p.cli.text.tempers import bot_mark, temper_word
from kotp2p.cli.text.terms import describe_chosen_options
from kotp2p.net.invitation import fingerprint
from kotp2p.seams.notices import (
    HostLinkChanged,
    KeyAccepted,
    KeyChanged,
    LobbyChanged,
    LobbySeat,
    RematchNews,
    RematchStep,
    StartDeclined,
    StartDifference,
    StartFailed,
    StartInDoubt,
    StartSigned,
    TableAnnounced,
)
from kotp2p.wire.genesis import Clocks


def describe_announcement(notice: TableAnnounced) -> list[str]:
    if notice.fault:
        return [
            _("The table cannot be announced on this network ({fault}): the others need the "
              "address.", fault=notice.fault)
        ]  # fmt: skip
    return [
        describe_table_name(notice.name),
        _("These two words only find the table: they prove nothing, and are not the table phrase."),
    ]


def describe_table_name(name: str) -> str:
    return _("On this network the others may also type: kotp2p join {name}", name=name)


def describe_rematch(notice: RematchNews) -> list[str]:
    """How the reader comes to another game with the same people."""
    names = list_with_and([name_in_sentence(name) for name in notice.names])
    match notice.step:
        case RematchStep.SEARCHES:
            return [_("Looking whether one of the others has opened the table already …")]
        case RematchStep.GOES:
            return [_("{name} has opened the table: you go there.", name=names)]
        case RematchStep.OFFERS:
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
                            "{names} is in a game already. If it is this one, it has begun "
                            "without you.",
                            "{names} are in a game already. If it is this one, it has begun "
                            "without you.",
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
    """For a guest: whose table it is."""
    host = next((seat for seat in new.seats if seat is not None and seat.host), None)
    if host is None or host is own_seat(new):
        return []
    return [_("{name}'s key: {key}", name=host.name, key=fingerprint(host.key))]


def describe_options(lobby: LobbyChanged) -> list[str]:
    """How this table plays where the rule set leaves a choice."""
    lines = describe_chosen_options(lobby.rules, lobby.options.options)
    return [*lines, _clocks(lobby.options.clocks)]


def _clocks(clocks: Clocks) -> str:
    """How long a player may think before the others may let a bot play."""
    turn, reaction = clocks.turn, clocks.reaction
    match turn, reaction:
        case 0, 0:
            return _("No clocks: everyone may think as long as they like.")
        case 0, _other:
            return _("Clocks: none for a turn, {reaction} s for a reaction.", reaction=reaction)
        case _other, 0:
            return _("Clocks: {turn} s for a turn, none for a reaction.", turn=turn)
        case _:  # both clocks run
            return _("Clocks: {turn} s for a turn, {reaction} s for a reaction. Running out of "
                     "time puts nobody out; then the others may let a bot play.",
                     turn=turn, reaction=reaction)  # fmt: skip


def describe_taken_monster(lobby: LobbyChanged, wanted: str | None) -> list[str]:
    """Somebody else has the monster that one wished for."""
    monster = own_seat(lobby).monster
    if wanted in (None, monster):
        return []
    return [_("{wanted} is taken; your monster is {monster}.", wanted=wanted, monster=monster)]


def describe_refused_name(lobby: LobbyChanged, login: str | None) -> list[str]:
    """Nobody can be called by the login name that would have been the default."""
    if login is None:
        return []
    return [
        _("Your login name {login} reads like a word of the game itself, so you are {name} here. "
          "Choose another name next time: --name Ana",
          login=login, name=own_seat(lobby).name),
    ]  # fmt: skip


def describe_changes(old: LobbyChanged, new: LobbyChanged) -> list[str]:
    """One line for each change."""
    before = {seat.key: (n, seat) for n, seat in enumerate(old.seats, 1) if seat}
    after = {seat.key: (n, seat) for n, seat in enumerate(new.seats, 1) if seat}
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


def _differs_in_two_players_only(old: LobbyChanged, new: LobbyChanged) -> bool:
    """Whether the option for two players has come or gone with the number of players."""
    then, now = old.options.options, new.options.options
    same = replace(old.options, options=replace(then, two_player=now.two_player))
    return old.rules == new.rules and old.options != new.options == same


def _describe_two_players(lobby: LobbyChanged) -> str:
    if lobby.options.options.two_player:
        return _("Option: two players get energy instead of points for Tokyo.")
    return _("Tokyo gives points now: the option for two players is off.")


def _describe_choice(then: LobbySeat, now: LobbySeat) -> list[str]:
    """What a player is called, and plays, if that has changed."""
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
        fields = {"n": n, "name": name, "monster": seat.monster, "temper": temper_word(seat.name)}
        if fields["temper"]:
            return _("{name}, a bot ({temper}), takes seat {n} as {monster}.", **fields)
        return _("{name}, a bot, takes seat {n} as {monster}.", **fields)
    return _("{name} takes seat {n} as {monster}.", n=n, name=name, monster=seat.monster)


def list_seats(lobby: LobbyChanged) -> list[str]:
    lines = []
    for n, seat in enumerate(lobby.seats, 1):
        if seat is None:
            lines.append(_("{n} free", n=n))
            continue
        marks = [_("you")] if n - 1 == lobby.you else []
        marks += [_("host")] if seat.host else []
        marks += [bot_mark(seat.name)] if seat.is_played_by_bot else []
        marks += [_("ready")] if seat.ready and not seat.is_played_by_bot else []
        marks += [_("away")] if seat.away else []
        marks += [_("key for this game only")] if seat.one_game and not seat.bot else []
        line = _("{n} {name}, {monster}", n=n, name=seat.name, monster=seat.monster)
        lines.append(f"{line} ({', '.join(marks)})" if marks else line)
    return lines


def describe_first_commands(lobby: LobbyChanged) -> list[str]:
    """What most players need, and where the rest is."""
    if own_seat(lobby).host:
        return [
            _("start: begin the game. bot: a bot takes a free seat. leave: close the table."),
            _("name NAME, monster NAME: change yours. say WORDS: chat. ?: all commands."),
        ]
    return [
        _("Type ready when you are ready to play. name NAME, monster NAME: change yours."),
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
    """For a host who cannot type."""
    if not own_seat(lobby).host:
        return []
    return [_("The game begins as soon as every seat is taken.")]


def describe_ready() -> list[str]:
    return [_("Type start to begin the game.")]


def describe_key_change(notice: KeyChanged) -> str:
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


def describe_accepted_key(notice: KeyAccepted) -> str:
    return _(
        "{name} is accepted with the key {key}.", name=notice.name, key=fingerprint(notice.key)
    )


def list_keys(lobby: LobbyChanged) -> list[str]:
    """The fingerprints, for players who want to compare them."""
    lines = []
    for n, seat in enumerate(lobby.seats, 1):
        if seat is None or seat.bot:
            continue
        line = _("{n} {name}: {key}", n=n, name=seat.name, key=fingerprint(seat.key))
        mark = _("(key for this game only)")
        lines.append(f"{line} {mark}" if seat.one_game else line)
    return lines


def describe_failed_start(notice: StartFailed) -> str:
    return _(
        "The start was cancelled: no answer from {names}. The lobby stays open.",
        names=list_with_commas(map(name_in_sentence, notice.missing)),
    )


def describe_strangers(notice: StartSigned) -> list[str]:
    """What players can do that nobody here has met before."""
    if not notice.strangers:
        return []
    called = names_in_sentences(tuple(player.name for player in notice.charter.players))
    return [
        _(
            "You have not met the keys of {names} before. More than half of the players in the "
            "game can together let a bot play for anyone, even for a player who is on time.",
            names=list_with_and([called[seat] for seat in notice.strangers]),
        )
    ]


def describe_start_trouble(
    notice: StartFailed | StartDeclined | StartInDoubt | HostLinkChanged,
) -> str:
    match notice:
        case StartFailed():
            return describe_failed_start(notice)
        case StartDeclined():
            return describe_declined_start(notice)
        case StartInDoubt():
            return _(
                "The host is lost just as the game begins. Asking the other players for half a "
                "minute whether it has begun; your seat is kept."
            )
        case HostLinkChanged(stands=True):
            return _("Your link to the host stands again, and you have your seat.")
        case HostLinkChanged():
            return _(
                "Your link to the host is lost. Your seat is kept for two minutes, and kotp2p goes "
                "on trying to come back."
            )
        case _:
            assert_never(notice)


def describe_declined_start(notice: StartDeclined) -> str:
    if notice.name:
        return _(
            "The start was cancelled: the program of {name} says that it is not the lobby that "
            "{name} saw. Type start to try again, or remove {name}.",
            name=notice.name,
        )
    return _(
        "The host tried to start another game than this lobby shows. Different: {what}. Your "
        "program has signed nothing, and the lobby goes on. Ask the host why, or type leave.",
        what=list_with_commas(_describe_difference(what) for what in notice.differences),
    )


def _describe_difference(what: StartDifference) -> str:
    match what:
        case StartDifference.PLAYERS:
            return _("the players")
        case StartDifference.ORDER:
            return _("the order of the seats")
        case StartDifference.NAMES:
            return _("the names")
        case StartDifference.MONSTERS:
            return _("the monsters")
        case StartDifference.BOTS:
            return _("who is a bot")
        case StartDifference.HOST:
            return _("who is the host")
        case StartDifference.KEYS:
            return _("whose keys are for this game only")
        case StartDifference.RULES:
            return _("the rule set")
        case StartDifference.OPTIONS:
            return _("the options")
        case StartDifference.CLOCKS:
            return _("the clocks")
        case _:
            assert_never(what)
