"""The flags of all commands, one row each, and how their values are read."""

import re
import sys
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path

import typer

from kotp2p.cli.system import options
from kotp2p.cli.system.command_line import (
    DISPLAY,
    FILES,
    GENERAL,
    NETWORK,
    RULES,
    SHOWS_ALL,
    TABLE,
    YOU,
    Flag,
)
from kotp2p.cli.system.process import start_debug_log
from kotp2p.cli.text.i18n import N_, _, ascii_digits, language, list_with_or

# -- numbers in a range, seconds, one word of a few ----------------------------------------


MOST_SECONDS = 86_400
MOST_WATCHERS = 200
WATCHER_WORDS = ("none", "invited")
KEY_PATTERN = re.compile(r"[0-9a-f]{64}|[0-9a-z]{4}(?:-[0-9a-z]{4}){3}")
PROFILE_PATTERN = re.compile(r"\w([\w -]{0,30}\w)?")
DEVICE_NAMES = re.compile(r"con|prn|aux|nul|com\d|lpt\d", re.IGNORECASE)
"""Names of devices on Windows, where no folder can have them."""


def read_number(typed: str, least: int, most: int) -> int | None:
    # the length first: to convert very many digits can take very long
    is_number = typed.isascii() and typed.isdigit() and len(typed.lstrip("0")) < 10
    return int(typed) if is_number and least <= int(typed) <= most else None


def parse_number(least: int, most: int) -> Callable[[str | int], int]:
    def parse(text: str | int) -> int:
        number = read_number(ascii_digits(str(text)).strip(), least, most)
        if number is None:
            raise typer.BadParameter(
                _("{text} is not a number from {least} to {most}.",
                  text=text, least=least, most=most)
            )  # fmt: skip
        return number

    return parse


def parse_seconds(text: str | int) -> int:
    """Parse `--turn-time SECONDS`; 0 means none."""
    typed = ascii_digits(str(text)).strip().lower()
    seconds = 0 if typed == "none" else read_number(typed, 1, MOST_SECONDS)
    if seconds is None:
        raise typer.BadParameter(
            _("{text} is not a number of seconds from 1 to {most}, nor none.",
              text=text, most=MOST_SECONDS)
        )  # fmt: skip
    return seconds


def parse_watchers(text: str | int) -> str:
    """Parse `--watchers N`: a number, `none` or `invited`."""
    typed = ascii_digits(str(text)).strip().lower()
    if typed in WATCHER_WORDS:
        return typed
    number = read_number(typed, 1, MOST_WATCHERS)
    if number is None:
        raise typer.BadParameter(
            _("{text} is not a number from 1 to {most}, nor none or invited.",
              text=text, most=MOST_WATCHERS)
        )  # fmt: skip
    return str(number)


def parse_profile(text: str) -> str:
    """Read the name of a folder that each system can have, and that leads nowhere else."""
    if PROFILE_PATTERN.fullmatch(text) is None or DEVICE_NAMES.fullmatch(text):
        raise typer.BadParameter(
            _(
                "This is no name of a profile: {text}. It has at most 32 letters, digits, spaces, "
                "- and _, such as ana.",
                text=text,
            )
        )
    return text


def parse_expected_key(text: str) -> str:
    """Parse `--expect NAME=KEY`; the key is returned in small letters."""
    name, _sign, key = text.rpartition("=")
    if not name.strip() or not KEY_PATTERN.fullmatch(key.strip().lower()):
        raise typer.BadParameter(
            _("{text} is not NAME=KEY, with a key as verify shows it or 64 hexadecimal digits.",
              text=text)
        )  # fmt: skip
    return f"{name.strip()}={key.strip().lower()}"


def parse_word(words: type[StrEnum]) -> Callable[[str], StrEnum]:
    def parse(text: str) -> StrEnum:
        try:
            return words(str(text).strip().lower())
        except ValueError:
            raise typer.BadParameter(
                _("{text} is not {words}.", text=text, words=list_with_or(list(words)))
            ) from None

    return parse


# -- the language in which a command speaks ------------------------------------------------
#
# The flag also holds for a command line that was not read beforehand, as `cli.main.run` does.


def read_language(word: str) -> str:
    from kotp2p.cli.system.languages import UnknownLanguage, parse_language

    try:
        return parse_language(word)
    except UnknownLanguage as fault:
        raise typer.BadParameter(str(fault)) from None


def speak_language(code: str | None) -> None:
    if code is None:
        return
    options.CommonFlags.lang = code
    if code != language():
        from kotp2p.cli.system.languages import speak

        speak(code)


# -- the rows ------------------------------------------------------------------------------


def show_all(context: typer.Context, wanted: bool) -> None:
    if wanted:
        context.meta[SHOWS_ALL] = True
        typer.echo(context.get_help(), file=sys.stdout)
        raise typer.Exit


# -- every command ---------------------------------------------------------------------------

LANG = Flag(
    "--lang", "lang", str | None,
    N_("The language of all texts, such as en. [default: as kotp2p config shows]"),
    heading=DISPLAY, metavar="CODE", parse=read_language,
    callback=speak_language, is_eager=True, is_kept=True,
)  # fmt: skip
PLAIN = Flag(
    "--plain", "plain", bool,
    N_("Plain lines, as a screen reader needs them; also with KOTP2P_PLAIN=1."),
    False, DISPLAY, callback=options.keep_switch("plain"), is_kept=True,
)  # fmt: skip
NO_COLOR = Flag(
    "--no-color", "no_color", bool, N_("No colours; also with NO_COLOR=1."),
    False, DISPLAY, callback=options.keep_switch("no_color"), is_kept=True, is_rare=True,
)  # fmt: skip
DEBUG = Flag(
    "--debug", "debug", Path | None,
    N_("Write what links, line-ups and the loop do, and program errors. [default: none]"),
    heading=GENERAL, metavar="FILE", callback=start_debug_log, is_kept=True, is_rare=True,
)  # fmt: skip
VERSION = Flag(
    "--version", "version", bool, N_("Show the version and end."),
    False, GENERAL, callback=options.show_version, is_eager=True, is_kept=True, is_rare=True,
)  # fmt: skip
HELP_ALL = Flag(
    "--help-all", "help_all", bool, N_("Show all flags and end."),
    False, GENERAL, callback=show_all, is_eager=True, is_kept=True,
)  # fmt: skip
COMMON = (LANG, PLAIN, NO_COLOR, DEBUG, VERSION, HELP_ALL)

# -- at the table ----------------------------------------------------------------------------

SPEED = Flag(
    "--speed", "speed", options.Speed | None,
    N_("How fast you are shown what happens. [default: as kotp2p config shows]"),
    heading=DISPLAY, metavar="|".join(options.Speed), parse=parse_word(options.Speed),
    callback=options.keep("speed"), is_kept=True, is_rare=True,
)  # fmt: skip
BOT = Flag(
    "--bot", "bot", options.Level | None,
    N_("A bot plays your own seat: easy, normal or hard. [default: you play]"),
    heading=YOU, metavar="LEVEL", parse=parse_word(options.Level),
)  # fmt: skip
PROFILE = Flag(
    "--profile", "profile", str, N_("Which of your identities plays."), "default", YOU, "NAME",
    parse=parse_profile, is_rare=True,
)  # fmt: skip
JSON = Flag(
    "--json", "as_json", bool,
    N_("Print one JSON document on stdout at the end; the rest to stderr."),
    False, FILES, is_rare=True,
)  # fmt: skip
NAME = Flag(
    "--name", "name", str | None, N_("Your name at the table. [default: your login name]"),
    heading=YOU, metavar="NAME",
)  # fmt: skip
MONSTER = Flag(
    "--monster", "monster", str | None, N_("Your monster. [default: the first free one]"),
    heading=YOU, metavar="NAME",
)  # fmt: skip
LOG_DIR = Flag(
    "--log-dir", "log_dir", Path | None,
    N_("Where the game's log goes. [default: the data folder]"),
    heading=FILES, metavar="DIR", is_rare=True,
)  # fmt: skip
COACH = Flag(
    "--no-coach", "no_coach", bool, N_("Do not explain your first game and its first turns."),
    False, YOU,
)  # fmt: skip
SEAT = (NAME, MONSTER, BOT)
WHO = (PROFILE, LOG_DIR, JSON)

# -- a table that is opened ------------------------------------------------------------------

PLAYERS = Flag(
    "--players", "players", int, N_("Seats at the table, 2 to 6."), 6, TABLE, "N",
    parse_number(2, 6),
)  # fmt: skip
BOTS = Flag(
    "--bots", "bots", int, N_("Further seats that bots of this process play, 0 to 5."), 0, TABLE,
    "K", parse_number(0, 5),
)  # fmt: skip
SOLO_BOTS = BOTS._replace(
    kind=int | None, default=None,
    help=N_("Bots of this process, 0 to 5. [default: 3, or as many as find a seat]"),
)  # fmt: skip
PEOPLE = Flag(
    "--people", "people", str | None,
    N_("Two to six people play at this keyboard, one after the other. [default: you alone]"),
    heading=YOU, metavar="NAME,NAME...",
)  # fmt: skip
LEVEL = Flag(
    "--level", "level", options.Level, N_("How well those bots play."), options.Level.NORMAL, TABLE,
    "|".join(options.Level), parse_word(options.Level),
)  # fmt: skip
START_WHEN_FULL = Flag(
    "--start-when-full", "start_when_full", bool,
    N_("Start as soon as every seat is taken; always so without a terminal."), False, TABLE,
    is_rare=True,
)  # fmt: skip
RULE_SET = Flag(
    "--rules", "rules", options.Rules, N_("Rule set: 2011, 2016, or the Dark Edition."),
    options.Rules.SECOND, RULES, "|".join(options.Rules), parse_word(options.Rules),
)  # fmt: skip
OPTION = Flag(
    "--option", "option", list[options.TableOption] | None,
    N_(
        "A rule to play with; may be repeated. two-player: Tokyo gives energy instead of "
        "points. no-two-player: it gives points to two players, too. bay-for-beginners: the "
        "Bay stays shut (classic). [default: two-player for two players]"
    ),
    heading=RULES, metavar="|".join(options.TableOption), parse=parse_word(options.TableOption),
    is_rare=True,
)  # fmt: skip
TILES = Flag(
    "--tiles", "tiles", options.Sides | None,
    N_("Which sides of the wickedness tiles are face up (dark). [default: red]"),
    heading=RULES, metavar="|".join(options.Sides), parse=parse_word(options.Sides), is_rare=True,
)  # fmt: skip
TURN_TIME = Flag(
    "--turn-time", "turn_time", int,
    N_("How long a turn may take; then the others may let a bot play."),
    120, TABLE, "SECONDS|none", parse_seconds, is_rare=True,
)  # fmt: skip
REACTION_TIME = Flag(
    "--reaction-time", "reaction_time", int,
    N_("How long an answer in another player's turn may take."), 45, TABLE, "SECONDS|none",
    parse_seconds, is_rare=True,
)  # fmt: skip
SOLO_LEVEL = LEVEL._replace(
    kind=options.Level | None, default=None,
    help=N_("How well those bots play. [default: easy in your first game, then normal]"),
)  # fmt: skip
GAME = (LEVEL, RULE_SET, OPTION, TILES)

# -- the network -----------------------------------------------------------------------------

INVITE_ONLY = Flag(
    "--invite-only", "invite_only", bool,
    N_("Let in only players with the printed link."), False, NETWORK,
)  # fmt: skip
NO_LAN = Flag(
    "--no-lan", "no_lan", bool,
    N_("Do not announce the table on this network."), False, NETWORK,
)  # fmt: skip
NO_CODE = Flag(
    "--no-code", "no_code", bool,
    N_("Make no code: others need the address, and no server is asked."), False, NETWORK,
)  # fmt: skip
WATCHERS = Flag(
    "--watchers", "watchers", str | None,
    N_(
        "Let this many others watch, or those with a link of their own, which is printed. "
        "[default: 8; none with --invite-only]"
    ),
    heading=NETWORK, metavar="N|none|invited", parse=parse_watchers, is_rare=True,
)  # fmt: skip
WATCHERS_CHAT = Flag(
    "--watchers-chat", "watchers_chat", bool,
    N_("Let those who watch read the chat."), False, NETWORK, is_rare=True,
)  # fmt: skip
ACCEPT_NEW_KEYS = Flag(
    "--accept-new-keys", "accept_new_keys", bool,
    N_("Also play with known names whose keys have changed, without asking."), False, NETWORK,
    is_rare=True,
)  # fmt: skip
BIND = Flag(
    "--bind", "bind", str | None,
    N_("Listen on this address only. [default: all, IPv4 and IPv6]"), heading=NETWORK,
    metavar="ADDR",
)  # fmt: skip
PORT = Flag(
    "--port", "port", int, N_("Listen here; if taken, on the next free one. 0 picks any."), 4242,
    NETWORK, "PORT", parse_number(0, 65_535),
)  # fmt: skip
GUEST_BIND = BIND._replace(
    help=N_("Listen on this address only. [default: the one that reaches the host]")
)
GUEST_PORT = PORT._replace(
    kind=int | None, default=None,
    help=N_("Listen here for the other guests. [default: any that is free]"),
)  # fmt: skip
RESUMED_PORT = GUEST_PORT._replace(
    help=N_("Listen here. [default: the port of before, or the next free one]")
)
PEER = Flag(
    "--peer", "peer", str | None,
    N_("The address of a player who is back. [default: where all were before]"), heading=NETWORK,
    metavar="ADDRESS[:PORT]",
)  # fmt: skip
ADDRESS = Flag(
    "ADDRESS", "address", list[str] | None,
    N_("The code or the address of the table, or a link. [default: the one on this network]"),
    metavar="CODE|ADDRESS[:PORT]|LINK",
)  # fmt: skip
PHRASE = Flag(
    "WORDS", "game", list[str] | None,
    N_("Words that the phrase begins with. [default: the newest game]"),
)  # fmt: skip
LIST = Flag(
    "--list", "only_list", bool, N_("List the games that can be resumed, newest first."), False
)

# -- logs ------------------------------------------------------------------------------------

LOG = Flag(
    "LOG", "log", list[str] | None,
    N_("A file, or words of a table phrase. [default: the newest game]"),
)  # fmt: skip
LOGS = Flag(
    "LOG", "logs", list[str] | None,
    N_(
        "Files, folders or patterns such as '*.kotlog', or words of table phrases; - reads a "
        "log from a pipe. [default: the newest game]"
    ),
)  # fmt: skip
EXPECT = Flag(
    "--expect", "expect", list[str] | None,
    N_(
        "A player who is to be in one of the logs, and in each log only with this key; may be "
        "repeated. If not, the exit code is 6. [default: none]"
    ),
    metavar="NAME=KEY", parse=parse_expected_key,
)  # fmt: skip
FAST = Flag(
    "--fast", "fast", bool,
    N_(
        "Check only the last signature of each player, which binds what they signed before. "
        "Dice, cards and rules are all checked."
    ),
    False,
)  # fmt: skip
