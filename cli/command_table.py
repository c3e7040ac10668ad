"""The table of all commands: what each says of itself, its flags, and what it runs.

A module of its own, so that a command or a flag is added in one file of rows.
"""

from kotp2p.cli.system import flags
from kotp2p.cli.system.command_line import CommandEntry, Flag
from kotp2p.cli.text.i18n import N_
from kotp2p.cli.wing import wing

CORE = (
    CommandEntry(
        "host",
        "kotp2p.cli.commands.play:run_host",
        N_("open a table and play at it"),
        N_(
            "Open a table and play at it. The commands that others type to join are printed. "
            "When everybody is there, type: start"
        ),
        N_("Example: kotp2p host --players 4 --bots 1"),
        (
            flags.PLAYERS, flags.BOTS, *flags.GAME, flags.START_WHEN_FULL, flags.TURN_TIME,
            flags.REACTION_TIME, *flags.SEAT, *flags.WHO, flags.INVITE_ONLY, flags.NO_CODE,
            flags.NO_LAN, flags.BIND, flags.PORT, flags.WATCHERS, flags.WATCHERS_CHAT,
            flags.ACCEPT_NEW_KEYS, flags.SPEED, *flags.COMMON,
        ),
    ),
    CommandEntry(
        "join",
        "kotp2p.cli.commands.join:run_join",
        N_("sit down at a table by its code or address, or at the one found"),
        N_(
            "Sit down at a table. Its CODE, such as 7412-balloon-brook, works from anywhere: one "
            "server introduces you, another carries sealed bytes where no direct way is found. "
            "ADDRESS stands on the host's screen: a name, an IPv4 or an IPv6 address, with :PORT "
            "unless that is 4242. It may also be the link of an invitation, which starts with "
            "kotp2p://. Other users of this machine can see it on the command line: type - in its "
            "place, and you are asked for it, or it is read from a pipe. Without an address, the "
            "only table on this network is joined; of several you choose one by number."
        ),
        N_("Examples: kotp2p join 7412-balloon-brook     kotp2p join 192.168.1.20"),
        (
            flags.ADDRESS, *flags.SEAT, *flags.WHO, flags.ACCEPT_NEW_KEYS, flags.GUEST_BIND,
            flags.GUEST_PORT, flags.SPEED, *flags.COMMON,
        ),
    ),
    CommandEntry(
        "resume",
        "kotp2p.cli.commands.play:run_resume",
        N_("go on with a game that was broken off"),
        N_(
            "Go on with an unfinished game. It is your newest, or the one that the words of its "
            "phrase name. Everybody at the table types this; your bots come back with you."
        ),
        N_("Examples: kotp2p resume     kotp2p resume --peer 192.168.1.20"),
        (
            flags.PHRASE, flags.LIST, flags.PEER, flags.BOT, flags.PROFILE, flags.JSON,
            flags.BIND._replace(is_rare=True), flags.RESUMED_PORT, flags.SPEED, *flags.COMMON,
        ),
    ),
    CommandEntry(
        "solo",
        "kotp2p.cli.commands.play:run_solo",
        N_("play against bots, alone or with people at the same keyboard"),
        N_(
            "Play against bots on this machine, alone or with people at the same keyboard, who are "
            "asked one after the other. The protocol is that of a game over the network."
        ),
        N_("Examples: kotp2p solo --bots 1     kotp2p solo --people Ana,Rex --bots 2"),
        (
            flags.SOLO_BOTS, flags.SOLO_LEVEL, *flags.GAME[1:], *flags.SEAT, flags.PEOPLE,
            *flags.WHO, flags.COACH, flags.SPEED, *flags.COMMON,
        ),
    ),
    CommandEntry(
        "verify",
        "kotp2p.cli.commands.verify:run_verify",
        N_("check the log of a game, or those of a whole club"),
        N_(
            "Check the logs of games, offline. Signatures, dice, cards and rules are checked, "
            "and each log tells its story in five lines; of more than five logs, each has one "
            "line. Of a folder all logs are checked. Copies of one game are held against each "
            "other. Exit code: 0 sound, 7 sound but unfinished, 9 unreadable, 6 wrong; of "
            "several logs the worst counts, in that order, and 5 stands for Ctrl-C. Of the proof "
            "of a cheat: 0 proven, 6 it proves nothing, 9 unreadable."
        ),
        N_("Examples: kotp2p verify     kotp2p verify chisel     kotp2p verify --json evenings"),
        (
            flags.LOGS, flags.EXPECT, flags.FAST, flags.PROFILE, flags.LOG_DIR,
            flags.JSON, *flags.COMMON,
        ),
    ),
    CommandEntry(
        "config",
        "kotp2p.cli.commands.settings:run_config",
        N_("what is set: name, monster, colours, speed ..."),
        N_(
            "Show what is set and where it comes from, or set a value: config set KEY VALUE. A "
            "flag wins over a variable, and a variable over the file. Without a value the setting "
            "is taken out of the file. The comments of the file stay."
        ),
        N_("Examples: kotp2p config     kotp2p config set speed slow"),
        (
            Flag("WORDS", "words", list[str] | None,
                 N_("show, or set, a setting such as speed, and its value. [default: show]"),
                 metavar="show|set KEY VALUE"),
            *flags.COMMON,
        ),
    ),
)  # fmt: skip


def all_commands() -> tuple[CommandEntry, ...]:
    """Return the commands of the core and, if it is installed, of the wing, in help order."""
    found = list(CORE)
    for entry in wing().commands:
        names = [one.name for one in found]
        found.insert(names.index(entry.after) + 1 if entry.after in names else len(names), entry)
    return tuple(found)


COMMANDS = all_commands()
