"""The table of the wing: its commands, as rows, and what it adds to sentences of the core."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from kotp2p.cli.system import flags
from kotp2p.cli.system.command_line import FILES, TABLE, CommandEntry, Flag
from kotp2p.cli.system.options import Beginning, Rules
from kotp2p.cli.text.i18n import N_, _, typeable
from kotp2p.cli.wing import Hint, Wing

# -- what the wing adds to sentences of the core: its commands, where they help ------------


HINTS: dict[Hint, Callable[..., str]] = {
    Hint.CANNOT_JOIN: lambda address: _(
        "If somebody cannot join, this command tells them what is in the way: kotp2p doctor "
        "--peer {address}",
        address=address,
    ),
    Hint.NO_LOG: lambda: _("These are here: {command}", command=typeable("kotp2p games")),
    Hint.NOT_PERMITTED: lambda: _(
        "What to permit, and how, is told by: {command}", command=typeable("kotp2p doctor")
    ),
    Hint.KEY_LOST: lambda: _(
        "It is your key. If the file is there, move it away. If you have exported your "
        "identity, type: {command}. Otherwise the next game makes a new key; those who know "
        "you are asked whether it is yours.",
        command=typeable("kotp2p identity import FILE"),
    ),
    Hint.NAME_LOST: lambda: _(
        "Only your name is lost with it. To give another one, type: {command}",
        command=typeable("kotp2p identity rename NAME"),
    ),
    Hint.SEE_AGAIN: lambda log: _(
        "See the game again: {command}", command=typeable(f"kotp2p replay {log}")
    ),
    Hint.WATCH_COMMAND: lambda target: f"kotp2p watch {target}",
    Hint.GAME_IS_ON: lambda: _("Meanwhile kotp2p watch shows it with the same code."),
}


# -- the commands --------------------------------------------------------------------------


HTML = Flag("--html", "as_html", bool, N_("One page for a browser."), False)
FROM = Flag(
    "--from", "beginning", Beginning, N_("See what happens from now on, or all of it."),
    Beginning.NOW, TABLE, "|".join(Beginning), flags.parse_word(Beginning),
)  # fmt: skip
WATCH_LOG = Flag(
    "--log", "log", Path | None,
    N_("Write the log of the game there; verify checks it. [default: keep none]"),
    heading=FILES, metavar="FILE",
)  # fmt: skip
OUTPUT = Flag(
    "--output -o", "output", Path | None, N_("Write it there. [default: the standard output]"),
    heading=FILES, metavar="FILE",
)  # fmt: skip

COMMANDS = (
    CommandEntry(
        "watch",
        "kotp2p.cli.extras.watch:run_watch",
        N_("watch a game that others play"),
        N_(
            "Watch a game without a seat at it. CODE and ADDRESS are those of the host, as after "
            "join. "
            "It may also be the link of an "
            "invitation to watch; with - you are asked for it, so that it is in no list of "
            "processes. Without "
            "it the tables on this network are looked for. Before the game has begun, you wait for "
            "it. All that you are shown is checked as by verify. At a terminal you wait after the "
            "game for the next one at its table. Exit code: 0, 3 if nobody answers or the "
            "connection is lost, 4 if the table lets nobody watch, 5 if the game is broken off or "
            "is none."
        ),
        N_("Examples: kotp2p watch 7412-balloon-brook     kotp2p watch 192.168.1.20"),
        (flags.ADDRESS, FROM, WATCH_LOG, flags.SPEED, *flags.COMMON),
        after="solo",
    ),
    CommandEntry(
        "replay",
        "kotp2p.cli.extras.replay.replay:run_replay",
        N_("look at a game again"),
        N_(
            "Look at a game again, forward and back. It is shown from its log alone, by event, "
            "decision or turn, from any seat. The log is checked as by verify, and nothing "
            "after its first wrong record is shown. Into a pipe the whole game is told. Exit "
            "code: 0, 6 if the log is wrong, 9 if it is unreadable."
        ),
        N_("Examples: kotp2p replay     kotp2p replay chisel"),
        (
            flags.LOG, flags.PROFILE, flags.LOG_DIR, *flags.COMMON,
        ),
        after="verify",
    ),
    CommandEntry(
        "export",
        "kotp2p.cli.extras.export:run_export",
        N_("a game as a story, as data, or as a page for a browser"),
        N_(
            "Write a game as a story, as data, or as a page. The story is in sentences. The "
            "data are JSON lines with every byte of the log. The page replays the game in any "
            "browser and checks its log itself, without any network. The log is checked as by "
            "verify, and nothing after its first wrong record is told. Exit code: 0, 6 if the "
            "log is wrong, 9 if it is unreadable."
        ),
        N_("Examples: kotp2p export chisel     kotp2p export --html -o game.html"),
        (
            flags.LOG._replace(
                help=N_(
                    "A file, or words of a table phrase; none with --html: a page without a "
                    "log, to open any. [default: the newest game]"
                )
            ),
            HTML,
            flags.JSON._replace(
                help=N_("JSON lines, complete; docs/FORMATS.md has the form."), is_rare=False
            ),
            OUTPUT, flags.LOG_DIR, *flags.COMMON,
        ),
        after="replay",
    ),
    CommandEntry(
        "explain",
        "kotp2p.cli.extras.replay.replay:run_explain",
        N_("how the dice and cards of a turn were drawn"),
        N_(
            "Show how dice and cards were drawn. For each draw of a turn it names the records "
            "in which each player has sealed and opened a number, the hash of all, and the "
            "steps from the hash to a face or a card. Exit code: 0, 6 if the log is wrong, 8 "
            "if nothing was drawn there, 9 if it is unreadable."
        ),
        N_("Examples: kotp2p explain chisel 14     kotp2p explain r96"),
        (
            flags.LOG._replace(
                name="LOG TURN", to="words",
                help=N_(
                    "A file or words of a table phrase, then a turn, or r96 for what record 96 "
                    "has drawn. [default: the newest game, its last turn with a draw]"
                ),
            ),
            flags.LOG_DIR, *flags.COMMON,
        ),
        after="export",
    ),
    CommandEntry(
        "games",
        "kotp2p.cli.extras.games.games:run_games",
        N_("what was played, and what the games show: wins, cards, dice"),
        N_(
            "List what was played, and count over it, from the logs alone. The newest game "
            "comes first, each with its day, players, winner and turns, and what verify says "
            "of the log. Then wins by player and monster, bought cards, the length of games, "
            "and the dice against chance; only whole and sound logs count, and each game once. "
            "Exit code: 0, or 8 if there is no such game."
        ),
        N_("Examples: kotp2p games     kotp2p games --json evenings"),
        (
            flags.LOGS._replace(
                help=N_(
                    "Files, folders, patterns or words of table phrases. [default: all your "
                    "logs]"
                )
            ),
            flags.JSON._replace(
                help=N_("Print JSON lines; docs/FORMATS.md has them."), is_rare=False
            ),
            flags.LOG_DIR, *flags.COMMON,
        ),
        after="explain",
    ),
    CommandEntry(
        "cards",
        "kotp2p.cli.extras.book.cards_and_rules:show_cards",
        N_("look up power cards and tiles"),
        N_(
            "Look up power cards and wickedness tiles. Search by any of their names or by words "
            "of their text; without words, all are listed."
        ),
        N_("Examples: kotp2p cards wings     kotp2p cards --rules classic lose hearts"),
        (
            Flag("WORDS", "words", list[str] | None, N_("What to look for. [default: list all]")),
            flags.RULE_SET._replace(
                kind=Rules | None,
                default=None,
                help=N_("Rule set: 2011, 2016, or the Dark Edition. [default: all]"),
            ),
            *flags.COMMON,
        ),
        after="games",
    ),
    CommandEntry(
        "rules",
        "kotp2p.cli.extras.book.cards_and_rules:show_rules",
        N_("how the game is played, by topic"),
        N_(
            "Read how the game is played. Without a topic it fits on one page; a word such as "
            "claws explains more. A number or a label such as A-35, or any other word, is looked "
            "up in the rulebook with its rulings."
        ),
        N_("Examples: kotp2p rules tokyo     kotp2p rules --rules classic 3.7"),
        (
            Flag("TOPIC", "topic", list[str] | None,
                 N_("What to read about; rulings lists the chapters of the rulebook. "
                    "[default: the page]")),
            flags.RULE_SET._replace(
                kind=Rules | None, default=None,
                help=N_(
                    "Rule set: 2011, 2016, or the Dark Edition. "
                    "[default: second; for the rulebook all]"
                ),
            ),
            *flags.COMMON,
        ),
        after="cards",
    ),
    CommandEntry(
        "identity",
        "kotp2p.cli.extras.identity:run_identity",
        N_("your name and your key, also on another machine"),
        N_(
            "Show who you are to others: your name, your key, and the players whose keys you "
            "know. export writes all of it into a file under a passphrase, import takes it "
            "over on another machine, and rename gives this identity another name. A key "
            "cannot be made again: if you lose it, others meet an unknown key under a known "
            "name, and are asked whether that is you. So keep a file that export has written."
        ),
        N_("Examples: kotp2p identity     kotp2p identity export ana.kotid"),
        (
            Flag(
                "WORDS", "words", list[str] | None,
                N_("What to do. [default: show]"),
                metavar="show|export FILE|import FILE|rename NAME",
            ),
            flags.PROFILE._replace(
                help=N_("Which of your identities is meant."), is_rare=False
            ),
            *flags.COMMON,
        ),
        after="rules",
    ),
    CommandEntry(
        "doctor",
        "kotp2p.cli.extras.doctor.doctor:run_doctor",
        N_("what keeps you from a game: terminal, files, network"),
        N_(
            "Look at what may keep you from a game. The terminal, your files and the network "
            "of this machine are looked at, or the parts that you name, or the way to a table. "
            "Each line says what is, whether it matters and what to do. Nothing is changed. No "
            "secret and no name of yours is printed, so you can send it to a friend. Exit "
            "code: 0, or 3 if something stands in the way."
        ),
        N_("Examples: kotp2p doctor terminal     kotp2p doctor --peer 192.168.1.20"),
        (
            Flag(
                "PART", "parts", list[str] | None, N_("What to look at. [default: all]"),
                metavar="terminal|data|network",
            ),
            flags.PEER._replace(
                metavar="ADDRESS", heading=None,
                help=N_("Look at the way to this table; also by its link. [default: none]"),
            ),
            flags.PORT._replace(
                parse=flags.parse_number(1, 65_535), heading=None,
                help=N_("Where a table here would listen."),
            ),
            Flag(
                "--report", "with_report", bool,
                N_("Print versions and the last lines of --debug FILE, too."), False,
            ),
            *flags.COMMON,
        ),
        after="config",
    ),
    CommandEntry(
        "help",
        "kotp2p.cli.extras.help:show_help",
        N_("a command or a topic: accessibility, exit-codes, files, network ..."),
        N_(
            "Explain a command or a topic. The topics are accessibility, environment, "
            "exit-codes, files, network and privacy."
        ),
        N_("Examples: kotp2p help join     kotp2p help exit-codes"),
        (
            Flag("WORDS", "words", list[str] | None,
                 N_("What to explain. [default: list what there is]"), metavar="COMMAND|TOPIC"),
            *flags.COMMON,
        ),
        needs_program=True,
        after="doctor",
    ),
)  # fmt: skip


# -- what is played better with the wing ---------------------------------------------------


def call(place: str, *given: Any) -> Any:
    """Call `module:function`, which is imported now: every command reads this table."""
    module, _colon, function = place.partition(":")
    return getattr(import_module(module), function)(*given)


BOTS = "kotp2p.extras.bots"
ROWS = "kotp2p.cli.extras.pictures.portrait_rows"

WING = Wing(
    commands=COMMANDS,
    hints=HINTS,
    make_bot=partial(call, f"{BOTS}:make_bot"),
    advise=partial(call, f"{BOTS}:advise"),
    give_reason=partial(call, "kotp2p.cli.extras.advice:give_reason"),
    coach=partial(call, "kotp2p.cli.extras.advice:coach"),
    make_preview=partial(call, "kotp2p.cli.extras.preview:Foreseen"),
    make_tally=partial(call, "kotp2p.cli.extras.games.statistics:Statistics"),
    tell_log=partial(call, "kotp2p.extras.recording:tell_log"),
    look_up_rule=partial(call, "kotp2p.cli.extras.book.rulebook:look_up"),
    play_again=partial(call, "kotp2p.extras.shell.rematch:play_again"),
    draw_portraits=partial(call, f"{ROWS}:draw_portraits"),
    draw_lobby_portraits=partial(call, f"{ROWS}:draw_lobby_portraits"),
    draw_moment=partial(call, f"{ROWS}:draw_moment"),
    show_start_screen=partial(call, "kotp2p.cli.extras.start_screen:show_start_screen"),
    introduce=partial(call, "kotp2p.cli.extras.introduction:introduce"),
)
