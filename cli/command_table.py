"""The table of all commands: what each says of itself, and where its flags are.

Scope: names, help and examples, in the order in which help lists them. This is all that the list of
commands needs, so a command's flags are imported when it is typed (`cli.system.command_group`).
Not here: the flags (`cli.commands`, in modules that end in `_flags`), and what a command does.
"""

from __future__ import annotations

from cli.system.command_group import CommandEntry
from cli.text.i18n import N_

COMMANDS = (
    CommandEntry(
        "host",
        "cli.commands.host_flags",
        "host",
        N_(
            "Open a table and play at it. The commands that others type to join are printed. "
            "When everybody is there, type: start"
        ),
        N_("Example: kotp2p host --players 4 --bots 1"),
    ),
    CommandEntry(
        "find",
        "cli.commands.find_flags",
        "find",
        N_(
            "List the tables on this network. Each stands with the command that joins it. To "
            "join a table on another network, ask its host for the address."
        ),
        N_("Examples: kotp2p find     kotp2p find --wait 10 --json"),
    ),
    CommandEntry(
        "doctor",
        "cli.commands.doctor_flags",
        "doctor",
        N_(
            "Look at what may keep you from a game. The terminal, your files and the network of "
            "this machine are looked at, or the parts that you name, or the way to a table. Each "
            "line says what is, whether it matters and what to do. Nothing is changed. No secret "
            "and no name of yours is printed, so you can send it to a friend. Exit code: 0, or 3 "
            "if something stands in the way."
        ),
        N_("Examples: kotp2p doctor --terminal     kotp2p doctor --peer 192.168.1.20"),
    ),
    CommandEntry(
        "join",
        "cli.commands.join_flags",
        "join",
        N_(
            "Sit down at a table. ADDRESS stands on the host's screen: a name, an IPv4 or an "
            "IPv6 address, with :PORT unless that is 4242. It may also be the link of an "
            "invitation, which starts with kotp2p://. Other users of this machine can see it "
            "there: with - you are asked for it, or it is read from a pipe. The two WORDS that "
            "the host's screen shows find a table on this network, such as kangaroo umbrella. "
            "They are not the table phrase and prove nothing: anybody there can announce any "
            "words. Without an address, the only table on this network is joined; of several you "
            "choose one by number."
        ),
        N_("Examples: kotp2p join 192.168.1.20     kotp2p join kangaroo umbrella"),
    ),
    CommandEntry(
        "resume",
        "cli.commands.resume_flags",
        "resume",
        N_(
            "Go on with an unfinished game. It is your newest, or the one that the words of its "
            "phrase name. Everybody at the table types this; your bots come back with you."
        ),
        N_("Examples: kotp2p resume     kotp2p resume --peer 192.168.1.20"),
    ),
    CommandEntry(
        "solo",
        "cli.commands.solo_flags",
        "solo",
        N_("Play against bots on this machine. The protocol is that of a game over the network."),
        N_("Examples: kotp2p solo --bots 1     kotp2p solo --bot normal --rules second"),
    ),
    CommandEntry(
        "watch",
        "cli.commands.watch_flags",
        "watch",
        N_(
            "Watch a game without a seat at it. ADDRESS is that of the host, as behind join, or "
            "that of another watcher who lets others watch. It may also be the link of an "
            "invitation to watch, or the two words of a table on this network that waits for "
            "players; with - you are asked for it, so that it is in no list of processes. Without "
            "it the tables on this network are looked for. Before the game has begun, you wait for "
            "it. All that you are shown is checked as by verify. At a terminal you wait after the "
            "game for the next one at its table. Exit code: 0, 3 if nobody answers or the "
            "connection is lost, 4 if the table lets nobody watch, 5 if the game is broken off or "
            "is none."
        ),
        N_("Examples: kotp2p watch 192.168.1.20     kotp2p watch kangaroo umbrella"),
    ),
    CommandEntry(
        "verify",
        "cli.commands.verify_flags",
        "verify",
        N_(
            "Check the logs of games, offline. Signatures, dice, cards and rules are checked, "
            "and each log tells its story in five lines; of more than five logs, each has one "
            "line. Of a folder all logs are checked. Copies of one game are held against each "
            "other. Exit code: 0 sound, 7 sound but unfinished, 9 unreadable, 6 wrong; of "
            "several logs the worst counts, in that order, and 5 stands for Ctrl-C. Of the proof "
            "of a cheat: 0 proven, 6 it proves nothing, 9 unreadable."
        ),
        N_("Examples: kotp2p verify     kotp2p verify chisel     kotp2p verify --json evenings"),
    ),
    CommandEntry(
        "games",
        "cli.commands.games_flags",
        "games",
        N_(
            "List what was played. The newest game comes first, each with its day, players, "
            "winner and turns, and what verify says of the log. Logs that were read before are "
            "known from an index; without it they are read again. Exit code: 0, or 8 if there is "
            "no such game."
        ),
        N_("Examples: kotp2p games     kotp2p games --player Ana --limit 5"),
    ),
    CommandEntry(
        "stats",
        "cli.commands.games_flags",
        "stats",
        N_(
            "Count over games, from their logs alone. Shown are wins by player and monster, "
            "bought cards, the length of games, and the dice against chance. Only whole and "
            "sound logs count, and each game once. Exit code: 0, or 8 if there is no finished "
            "game."
        ),
        N_("Examples: kotp2p stats     kotp2p stats --html stats.html evenings"),
    ),
    CommandEntry(
        "replay",
        "cli.commands.replay_flags",
        "replay",
        N_(
            "Look at a game again, forward and back. It is shown from its log alone, by event, "
            "decision or turn, from any seat. The log is checked as by verify, and nothing "
            "behind its first wrong record is shown. Into a pipe the whole game is told. Exit "
            "code: 0, 6 if the log is wrong, 9 if it is unreadable."
        ),
        N_("Examples: kotp2p replay     kotp2p replay chisel --at 14"),
    ),
    CommandEntry(
        "explain",
        "cli.commands.replay_flags",
        "explain",
        N_(
            "Show how dice and cards were drawn. For each draw of a turn it names the records in "
            "which each player has sealed and opened a number, the hash of all, and the steps "
            "from the hash to a face or a card. Behind that stand a few lines that check it with "
            "any Python, without kotp2p. Exit code: 0, 6 if the log is wrong, 8 if nothing was "
            "drawn there, 9 if it is unreadable."
        ),
        N_("Examples: kotp2p explain chisel 14     kotp2p explain r96"),
    ),
    CommandEntry(
        "export",
        "cli.commands.export_flags",
        "export",
        N_(
            "Write a game as a story, as data, or as a page. The story is in sentences. The data "
            "are JSON lines with every byte of the log. The page replays the "
            "game in any browser and checks its log itself, without any network. The log is "
            "checked as by verify, and nothing behind its first wrong record is told. Exit code: "
            "0, 6 if the log is wrong, 9 if it is unreadable."
        ),
        N_("Examples: kotp2p export --html -o game.html     kotp2p export --text chisel"),
    ),
    CommandEntry(
        "cards",
        "cli.commands.cards_flags",
        "cards",
        N_(
            "Look up power cards and wickedness tiles. Search by any of their names or by words "
            "of their text; without words, all are listed."
        ),
        N_("Examples: kotp2p cards wings     kotp2p cards --rules classic lose hearts"),
    ),
    CommandEntry(
        "rules",
        "cli.commands.rules_flags",
        "rules",
        N_(
            "Read how the game is played. Without a topic it fits on one page; a word such as "
            "claws explains more. A number or a label such as A-35, or any other word, is looked "
            "up in the rulebook with its rulings."
        ),
        N_("Examples: kotp2p rules tokyo     kotp2p rules --rules classic 3.7"),
    ),
    CommandEntry(
        "identity",
        "cli.commands.identity_flags",
        "app",
        N_(
            "Show who you are to others: your name and your key. The commands below take both to "
            "another machine, and list the players whose keys you know. A key cannot be made "
            "again: if you lose it, others meet an unknown key under a known name, and are asked "
            "whether that is you. So keep a file that export has written."
        ),
        N_("Examples: kotp2p identity     kotp2p identity export ana.kotid"),
    ),
    CommandEntry(
        "help",
        "cli.commands.help_flags",
        "show_help",
        N_(
            "Explain a command or a topic. The topics are accessibility, environment, "
            "exit-codes, files, network and privacy."
        ),
        N_("Examples: kotp2p help join     kotp2p help exit-codes"),
    ),
    CommandEntry(
        "config",
        "cli.commands.config_flags",
        "app",
        N_(
            "Show what is set and where it comes from. A flag wins over a variable (KOTP2P_NAME, "
            "KOTP2P_SYMBOLS and so on), and a variable over the file. The commands below read "
            "and write one setting, or open the file."
        ),
        N_("Examples: kotp2p config     kotp2p config set speed slow"),
    ),
)
