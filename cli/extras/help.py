"""`kotp2p help`: a command, or a topic that concerns several."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, TypeAlias

import typer

from kotp2p.cli.system.config import ACCESSIBLE_VARIABLE, CONFIG_KEYS, NO_COLOR_VARIABLE
from kotp2p.cli.system.folders import CONFIG_VARIABLE, DATA_VARIABLE
from kotp2p.cli.system.output import DEFAULT_COLUMNS, Exit, Output, wrap_line
from kotp2p.cli.text.i18n import N_, _, line_width, typeable
from kotp2p.rendezvous.servers import PUBLIC_MAILBOX, PUBLIC_RELAY, mailbox_host, relay_host

MOST_TERM_COLUMNS = 26
"""A wider term has its text below it."""


def show_help(words: list[str] | None, root: Any) -> int:
    """Print the help of a command or a topic; `root` is typer's context of the program."""
    output = Output.standard()
    if not words:
        _list_all(root, output)
        return Exit.DONE
    for topic in TOPICS:
        if words == [topic.name]:
            for line in lines_of_topic(topic):
                output.say_unbroken(line)
            return Exit.DONE
    found = _help_of_command(words, root)
    if found is None:
        output.note_line(_explain_nothing(" ".join(words), root))
        return Exit.NOTHING_FOUND
    typer.echo(found, file=sys.stdout)
    return Exit.DONE


def lines_of_topic(topic: HelpTopic) -> list[str]:
    lines = [_("{name}: {summary}", name=topic.name, summary=_(topic.summary))]
    for block in topic.describe():
        lines += ["", *lines_of_block(block)]
    return lines


def lines_of_block(block: Block) -> list[str]:
    if isinstance(block, str):
        return wrap_line(block, DEFAULT_COLUMNS)
    widest = max(line_width(term) for term, _text in block)
    indent = " " * (min(widest, MOST_TERM_COLUMNS) + 4)
    lines = []
    for term, text in block:
        first, *rest = wrap_line(indent + text, DEFAULT_COLUMNS)
        if line_width(term) > MOST_TERM_COLUMNS:
            lines += [f"  {term}", first, *rest]
        else:
            lines += [f"  {term}{first[line_width(term) + 2 :]}", *rest]
    return lines


def _help_of_command(words: list[str], root: Any) -> str | None:
    name, *more = words
    if more or name not in root.command.commands:
        return None
    context = typer.Context(root.command.commands[name], info_name=name, parent=root)
    return str(context.get_help())


def _list_all(root: Any, output: Output) -> None:
    commands = [(entry.name, _(entry.short)) for entry in root.command.entries]
    output.say_line(
        _(
            "Commands; {command} explains host with all its flags:",
            command=typeable("kotp2p help host"),
        )
    )
    for line in lines_of_block(commands):
        output.say_unbroken(line)
    output.say_line("")
    output.say_line(
        _(
            "Topics; {command} explains where things are kept:",
            command=typeable("kotp2p help files"),
        )
    )
    for line in lines_of_block([(topic.name, _(topic.summary)) for topic in TOPICS]):
        output.say_unbroken(line)
    output.say_line("")
    output.say_line(_("How the game is played: {command}", command=typeable("kotp2p rules")))


def _explain_nothing(typed: str, root: Any) -> str:
    names = [*root.command.commands, *(topic.name for topic in TOPICS)]
    close = get_close_matches(typed, names, n=1)
    if close:
        return _(
            "kotp2p: there is no help on {typed}. Near to it: {command}",
            typed=typed, command=typeable(f"kotp2p help {close[0]}"),
        )  # fmt: skip
    return _(
        "kotp2p: there is no help on {typed}. To list what there is: {command}",
        typed=typed,
        command=typeable("kotp2p help"),
    )


# -- the topics, as blocks -----------------------------------------------------------------


Rows: TypeAlias = Sequence[tuple[str, str]]
"""Pairs of a subject and its explanation."""
Block: TypeAlias = str | Rows
"""A paragraph, or a table."""

EXIT_CODES: dict[Exit, str] = {
    Exit.DONE: N_("success"),
    Exit.BUG: N_("an error in the program"),
    Exit.USAGE: N_(
        "the command is wrong, or join found several tables on this network and there is no "
        "terminal to choose at"
    ),
    Exit.UNREACHABLE: N_(
        "there is no such address, nobody answers there, or it is not a table; or something stands "
        "in the way"
    ),
    Exit.TURNED_AWAY: N_(
        "you did not get to the game: the table is full, busy, closed, already started, by "
        "invitation only, or of another version or host; the host removed you or is gone; or a "
        "known name has another key"
    ),
    Exit.STOPPED: N_("the game stopped before its end, or another program plays your seat"),
    Exit.WRONG: N_(
        "a log is wrong, its keys are not those that you want, or a file of evidence proves nothing"
    ),
    Exit.UNFINISHED: N_("verify: the log is sound but the game has no end"),
    Exit.NOTHING_FOUND: N_(
        "nothing was found: no such card, rule or help topic, a setting that is not set, no "
        "game to resume, list or count, no table on this network, or none of that name"
    ),
    Exit.FILES: N_(
        "a file, a port or a log is missing, in use or unreadable; or the bots of this machine "
        "cannot reach its table"
    ),
}  # fmt: skip
"""The exit codes, as in docs/FORMATS.md."""


@dataclass(frozen=True, slots=True)
class HelpTopic:
    name: str
    summary: str
    describe: Callable[[], list[Block]]


def _accessibility() -> list[Block]:
    return [
        _("With --plain, or KOTP2P_PLAIN=1, the game is told line by line. Lines are only ever "
          "added: nothing is drawn, moved or erased, so a screen reader reads each line once. "
          "kotp2p config set plain true keeps it so."),
        _("Everything that the drawn table shows has its words there: the word state tells the "
          "table, since tells what happened since your last turn, rules explains a word, and help "
          "lists what can be typed."),
        _("Without a terminal, or with TERM=dumb, lines are plain by themselves."),
        [
            ("--no-color, NO_COLOR=1", _("No colours. Nothing is said by colour alone.")),
            ("config set palette okabe-ito",
             _("Colours that colour-blind players can tell apart.")),
            ("config set background light",
             _("Colours for a light terminal; dark for a dark one.")),
            ("config set symbols ascii", _("No signs beyond those of a plain keyboard.")),
            ("config set animation false", _("Nothing moves.")),
            ("config set bell false", _("No sound.")),
            ("config set speed slow",
             _("More time to read what the others do; the game itself does not wait.")),
        ],
        _("The clocks of a table are set by its host. For a slow evening: "
          "kotp2p host --turn-time none --reaction-time none"),
    ]  # fmt: skip


def _environment() -> list[Block]:
    settings = [
        (key.variable, _("As {key} in the settings: {purpose}", key=key.name,
                         purpose=_(key.purpose)))
        for key in CONFIG_KEYS
        if key.variable
    ]  # fmt: skip
    return [
        _("A flag wins over a variable, and a variable over the file of the settings. kotp2p "
          "config shows what holds and where it comes from. A variable that is empty counts as "
          "not set."),
        settings,
        _("Others:"),
        [
            (CONFIG_VARIABLE, _("Another file of settings.")),
            (DATA_VARIABLE, _("Another data folder.")),
            ("LC_ALL, LC_MESSAGES, LANG, LANGUAGE", _("The language of your system.")),
            (ACCESSIBLE_VARIABLE, _("If it is not empty: plain lines, as for a screen reader.")),
            (NO_COLOR_VARIABLE, _("If it is not empty: no colours.")),
            ("TERM", _("If it is dumb or empty: plain lines.")),
            ("COLORTERM", _("truecolor: the terminal has all colours.")),
        ],
    ]  # fmt: skip


def _exit_codes() -> list[Block]:
    return [
        _("Every command ends with one of these. A signal ends it with 128 and the number of the "
          "signal, as usual: Ctrl-C with 130."),
        [(str(int(code)), _(meaning)) for code, meaning in EXIT_CODES.items()],
    ]  # fmt: skip


def _files() -> list[Block]:
    return [
        [
            ("~/.local/share/kotp2p", _("The data folder, on Linux.")),
            ("~/Library/Application Support/kotp2p", _("The data folder, on macOS; the settings "
                                                       "are there, too.")),
            ("~/.config/kotp2p/config.toml", _("The settings, on Linux.")),
        ],
        _("KOTP2P_DATA names another data folder, KOTP2P_CONFIG another file of settings. Only you "
          "can read the data folder. In it are:"),
        [
            ("profiles/default/key", _("Your identity, made on first use. Keep it to yourself.")),
            ("profiles/default/name", _("The name that you have given to this identity.")),
            ("profiles/default/known", _("Names and keys of the people you have played with.")),
            ("coached/", _("Which of your profiles have had a first game with the coach.")),
            ("logs/", _("The logs of your games, one file each, named after the day and the "
                        "table phrase. --log-dir names another folder.")),
            ("games/", _("The state of running games. Its secrets are removed when a game has "
                         "ended, or when you leave it.")),
        ],
        _("The report of a program error goes to a file in the folder for temporary files; its "
          "name is shown."),
        _("To remove all traces, remove the data folder and the settings."),
    ]  # fmt: skip


def _network() -> list[Block]:
    return [
        _("The players' machines talk to each other directly, over TCP. The game has no server. "
          "The host listens on port 4242, or on the next free one."),
        _("A code asks two public servers: {mailbox} introduces a guest to the host, and where no "
          "direct way is found, {relay} carries sealed bytes. The settings mailbox and relay name "
          "others, and host --no-code asks nobody.",
          mailbox=mailbox_host(PUBLIC_MAILBOX), relay=relay_host(PUBLIC_RELAY)),
        _("During the game every machine has a link to every other one. All links are encrypted. A "
          "guest listens on the address that reaches the host, and on any free port: --bind and "
          "--port choose others. If the machine loses that address in the game, the guest listens "
          "on all of its addresses until it is back."),
        [
            ("kotp2p host --bind 127.0.0.1", _("A table for this machine only.")),
            ("kotp2p host --port 5000", _("Another port.")),
            ("kotp2p join 192.168.1.20 --bind 192.168.1.7", _("Where a guest listens.")),
            ("kotp2p host --no-lan", _("The table is not announced.")),
            ("kotp2p join", _("Finds the tables that are announced on this network.")),
        ],
        _("The announcement carries the number of the code: on this network the code leads to the "
          "table without any server, as both machines prove the words to each other. The table "
          "phrase is another thing: four words that all players see when the game has begun, and "
          "that show that you sit at one table."),
        _("Announcements are multicast DNS, UDP port 5353. They stay on the local network, and "
          "many networks drop them: then the address is what works."),
        _("If a friend cannot join: a firewall on the host's machine must let in the TCP port. "
          "Guest Wi-Fi often keeps machines apart; a phone's hotspot does not. Over the internet, "
          "forward the port in the settings of the host's router, or use a VPN."),
    ]  # fmt: skip


def _privacy() -> list[Block]:
    return [
        _("Nothing is sent to anybody but the players at your table and, if you use a code, its "
          "two servers. They see addresses, times and sizes, and no byte of the game. Nothing is "
          "counted or reported."),
        _("The players at your table learn your name, your monster, your key and the address of "
          "your machine. Their programs remember your name and your key when a game of a round or "
          "more has ended, as yours does."),
        _("A table that is announced tells everybody on the local network the name of the host, "
          "the rules, how many seats are free, and the number of its code. With --no-lan or "
          "--invite-only it is not announced."),
        _("The log of a game holds names, public keys, dice and moves, and no secrets of yours. "
          "Chat is not stored."),
        _("The link of an invitation lets its holder in. What stands on a command line, a link "
          "too, can be read by other users of the machine and is kept in the history of the "
          "shell. With kotp2p join - you are asked for it. To read it from a file: "
          "kotp2p join - < FILE"),
        _("With --profile NAME you play with another key, so that no key connects the two."),
    ]  # fmt: skip


TOPICS = (
    HelpTopic("accessibility", N_("screen readers, colours, sounds, pace"), _accessibility),
    HelpTopic("environment", N_("variables that the program reads"), _environment),
    HelpTopic("exit-codes", N_("what the number means with which a command ends"), _exit_codes),
    HelpTopic("files", N_("what is kept, and where"), _files),
    HelpTopic("network", N_("ports, addresses, firewalls"), _network),
    HelpTopic("privacy", N_("who learns what"), _privacy),
)
