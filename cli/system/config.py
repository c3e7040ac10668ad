"""The settings of a person: a file, and a few variables and flags."""

from __future__ import annotations

import codecs
import os
import shlex
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from kotp2p.cli.system import languages
from kotp2p.cli.system.folders import config_file
from kotp2p.cli.system.options import Background, Bidi, CommonFlags, Palette, Speed, Symbols
from kotp2p.cli.system.output import Output
from kotp2p.cli.text.i18n import N_, _, describe_system_error, list_with_or
from kotp2p.rendezvous.servers import (
    PUBLIC_MAILBOX,
    PUBLIC_RELAY,
    Servers,
    check_mailbox,
    check_relay,
)
from kotp2p.store.files import read_whole_file
from kotp2p.wire.names import MONSTERS, are_alike, clean_name, is_changed

if TYPE_CHECKING:
    from kotp2p.cli.ask.standing_orders import Orders

NO_COLOR_VARIABLE = "NO_COLOR"
PLAIN_VARIABLE = "KOTP2P_PLAIN"
ACCESSIBLE_VARIABLE = "ACCESSIBLE"
"""Other programs heed it as well."""
MAX_CONFIG_BYTES = 16_384
"""Many times what all keys need. To read much more TOML can take very long."""
Value: TypeAlias = str | bool | None
SWITCH_WORDS = {"true": True, "1": True, "false": False, "0": False}


class ConfigFault(Exception):
    """A setting is not understood; the message says where, what, and what is allowed."""


class NotAllowed(ValueError):
    """A value is not allowed, and the message says more than which ones are."""


@dataclass(frozen=True, slots=True)
class ConfigKey:
    name: str
    default: Value
    purpose: str
    """Marked for translation, like `meaning_if_unset`."""
    parse_value: Callable[[object], Value]
    """The parser; it raises ValueError for a value that is not allowed."""
    describe_allowed: Callable[[], str]
    meaning_if_unset: str = ""
    """What holds as long as nothing is set; empty if the default says it."""
    sample: str = ""
    """An example in TOML; empty if the default is one."""
    variable: str = ""
    """The variable that sets it, too; empty if there is none."""

    @property
    def example(self) -> str:
        return self.sample or format_toml(self.default)


@dataclass(frozen=True, slots=True)
class Setting:
    value: Value
    origin: str
    """The source as text: `--plain`, `KOTP2P_PLAIN`, the path of the file, or empty if not set."""


@dataclass(frozen=True, slots=True)
class Config:
    settings: Mapping[str, Setting]

    def text_of(self, key: str) -> str | None:
        value = self.settings[key].value
        assert not isinstance(value, bool)
        return value

    @property
    def orders(self) -> Orders:
        from kotp2p.cli.ask.standing_orders import Orders, parse_orders  # it imports the rules

        orders = parse_orders(self.text_of("orders") or "")
        assert isinstance(orders, Orders)  # `_orders` has let it pass
        return orders

    @property
    def servers(self) -> Servers:
        return Servers(self.text_of("mailbox") or "", self.text_of("relay") or "")

    def is_on(self, key: str) -> bool:
        return bool(self.settings[key].value)

    @property
    def symbols(self) -> Symbols:
        return Symbols(self.text_of("symbols") or "")

    @property
    def speed(self) -> Speed:
        return Speed(self.text_of("speed") or "")

    @property
    def palette(self) -> Palette:
        return Palette(self.text_of("palette") or "")

    @property
    def background(self) -> Background:
        return Background(self.text_of("background") or "")


# -- the keys --------------------------------------------------------------------------------


def _parse_name(value: object) -> str:
    name = clean_name(value, "") if isinstance(value, str) else ""
    if not isinstance(value, str) or not name or is_changed(value, name):
        raise ValueError
    return name


def _parse_monster(value: object) -> str:
    for monster in MONSTERS:
        if isinstance(value, str) and are_alike(value.strip(), monster):
            return monster
    raise ValueError


def _parse_switch(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


def _switch(name: str, purpose: str, *, default: bool = True, variable: str = "") -> ConfigKey:
    def describe() -> str:
        return list_with_or(["true", "false"])

    return ConfigKey(name, default, purpose, _parse_switch, describe, variable=variable)


def _choice(name: str, default: StrEnum, purpose: str) -> ConfigKey:
    words = type(default)
    return ConfigKey(
        name,
        str(default),
        purpose,
        lambda value: str(words(str(value))),
        lambda: _list_quoted(list(words)),
    )


def _parse_server(check: Callable[[str], str]) -> Callable[[object], Value]:
    def parse(value: object) -> Value:
        if not isinstance(value, str):
            raise ValueError
        return check(value.strip())

    return parse


def _parse_orders(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError
    from kotp2p.cli.ask.standing_orders import parse_orders

    found = parse_orders(value)
    if isinstance(found, str):
        raise NotAllowed(found)
    return value


def _parse_command(value: object) -> str:
    """Return the words of a command, which is run without a shell; raise ValueError."""
    if not isinstance(value, str) or "\0" in value:
        raise ValueError
    words = shlex.split(value)  # ValueError for a quote that stays open
    if not words or not words[0]:
        raise ValueError
    return value


def _list_quoted(words: list[str]) -> str:
    return list_with_or([f'"{word}"' for word in words])


def _parse_language(value: object) -> str:
    try:
        return languages.parse_language(value)
    except languages.UnknownLanguage:
        raise ValueError from None  # the sentence around it says what there is


CONFIG_KEYS = (
    ConfigKey(
        "lang", None, N_("The language of all texts."), _parse_language,
        lambda: _list_quoted(languages.list_languages()), N_("that of your system, else English"),
        '"en"', languages.LANG_VARIABLE,
    ),
    ConfigKey(
        "name", None, N_("Your name at the table."), _parse_name,
        lambda: _("a name with letters of one script, at most 24 columns wide, and no word of the "
                  "game such as You or Nobody"),
        N_("your login name"), '"Ana"',
    ),
    ConfigKey(
        "monster", None, N_("Your monster."), _parse_monster,
        lambda: _list_quoted(list(MONSTERS)), N_("the first free one"), '"Gigazaur"',
    ),
    _switch("plain", N_("Plain lines, as a screen reader needs them."), default=False,
            variable=PLAIN_VARIABLE),
    _choice("symbols", Symbols.AUTO, N_("The symbols of the drawn table.")),
    _choice("palette", Palette.DEFAULT, N_("The colours of the drawn table.")),
    _choice("background", Background.AUTO, N_("Whether your terminal is dark or light.")),
    _choice("bidi", Bidi.AUTO,
            N_("What puts a language that is read from right to left into order.")),
    _switch("animation", N_("Let rolling dice move for a moment.")),
    _switch("mouse", N_("Let the wheel move the log and clicks choose; with Shift the mouse marks "
                        "text.")),
    _switch("bell", N_("Ring a bell when you are asked something; a terminal that reports that its "
                       "window is not in front is asked for a notice, too.")),
    ConfigKey(
        "on_turn", None,
        N_("A command that is run when you are asked something, unless the window is in front. No "
           "shell reads it."),
        _parse_command, lambda: _("a program and its arguments, with spaces between"),
        N_("no command is run"), '"notify-send kotp2p"',
    ),
    _choice("speed", Speed.NORMAL, N_("How fast you are shown what happens in a game.")),
    _switch("code",
            N_("Give a table that you open a code, by which friends elsewhere find it.")),
    ConfigKey(
        "mailbox", PUBLIC_MAILBOX,
        N_("The server that introduces guests by code; empty for none."),
        _parse_server(check_mailbox), lambda: _("ws://HOST:PORT/v1, wss://HOST/v1, or nothing"),
        sample='"ws://192.168.1.20:4000/v1"',
    ),
    ConfigKey(
        "relay", PUBLIC_RELAY,
        N_("The server that carries sealed bytes where no direct way is found; empty for none."),
        _parse_server(check_relay), lambda: _("tcp:HOST:PORT, or nothing"),
        sample='"tcp:192.168.1.20:4001"',
    ),
    ConfigKey(
        "orders", None,
        N_("Standing orders: what you do not want to be asked. In a game, type orders for more."),
        _parse_orders, lambda: _("yield N and stay N, with a comma between"),
        N_("you are asked about everything"), '"yield 3, stay 6"',
    ),
)  # fmt: skip


# -- where values come from ------------------------------------------------------------------


def load_config() -> Config:
    found = read_config_file(config_file())
    return Config({key.name: _setting_of(key, found) for key in CONFIG_KEYS})


def _setting_of(key: ConfigKey, found: Mapping[str, Value]) -> Setting:
    flag = _setting_by_flag(key.name)
    if flag is not None:
        return flag
    if key.name == "palette" and os.environ.get(NO_COLOR_VARIABLE):
        return Setting(str(Palette.MONO), NO_COLOR_VARIABLE)
    word = os.environ.get(key.variable, "") if key.variable else ""
    if word:
        return Setting(parse_text(key, word, key.variable), key.variable)
    if key.name == "plain" and os.environ.get(ACCESSIBLE_VARIABLE):
        return Setting(True, ACCESSIBLE_VARIABLE)
    if key.name in found:
        return Setting(found[key.name], str(config_file()))
    return Setting(key.default, "")


def _setting_by_flag(name: str) -> Setting | None:
    """Return what was set on the command line, except `--name` and `--monster`."""
    values: dict[str, tuple[Value, str]] = {
        "lang": (CommonFlags.lang, languages.FLAG),
        "plain": (CommonFlags.plain or None, "--plain"),
        "palette": (str(Palette.MONO) if CommonFlags.no_color else None, "--no-color"),
        "speed": (CommonFlags.speed and str(CommonFlags.speed), "--speed"),
    }
    value, flag = values.get(name, (None, ""))
    return None if value is None else Setting(value, flag)


def parse_text(key: ConfigKey, word: str, origin: str) -> Value:
    """Parse a value; `origin` is the variable, the flag or the key. Raise ConfigFault."""
    typed = SWITCH_WORDS.get(word.lower(), word) if isinstance(key.default, bool) else word
    return _parse(key, typed, _(
        "{variable}={value} is not allowed; it takes {allowed}.",
        variable=origin, value=word, allowed=key.describe_allowed(),
    ))  # fmt: skip


def _parse(key: ConfigKey, value: object, refusal: str) -> Value:
    try:
        return key.parse_value(value)
    except NotAllowed as why:
        raise ConfigFault(f"{refusal} {why}") from None
    except ValueError:
        raise ConfigFault(refusal) from None


def is_nowhere(path: Path) -> bool:
    """Return whether this is how people say that there are no settings."""
    return str(path) == os.devnull


def read_config_file(path: Path) -> dict[str, Value]:
    data = None if is_nowhere(path) else read_config_bytes(path)
    return {} if data is None else parse_config(path, data)


def read_config_bytes(path: Path) -> bytes | None:
    try:
        return read_whole_file(path, MAX_CONFIG_BYTES).removeprefix(codecs.BOM_UTF8)
    except FileNotFoundError:
        return None
    except OSError as fault:
        raise ConfigFault(
            _("{file} cannot be read: {detail}.", file=path,
              detail=describe_system_error(fault.errno))
        ) from None  # fmt: skip


def parse_config(path: Path, data: bytes) -> dict[str, Value]:
    """Return the settings in the content of a file; raise ConfigFault."""
    mend = _("Mend it, or move it away: all settings are as at first then; no game is lost.")
    try:
        table = tomllib.loads(data.decode())
    except UnicodeDecodeError:
        raise ConfigFault(f"{_('{file} is not a text in UTF-8.', file=path)} {mend}") from None
    except (ValueError, RecursionError) as fault:  # also numbers and nesting beyond all measure
        said = _("{file} is not TOML: {detail}.", file=path, detail=fault)
        raise ConfigFault(f"{said} {mend}") from None
    for name in table.keys() - {key.name for key in CONFIG_KEYS}:
        _note_unknown(path, name)
    keys = [key for key in CONFIG_KEYS if key.name in table]
    return {key.name: _parse_from_file(path, key, table[key.name]) for key in keys}


@cache
def _note_unknown(path: Path, name: str) -> None:
    """Tell once in a process of a setting that another version has, or a slip of the pen."""
    Output.standard().note_line(
        _("{file}: there is no setting {key}, so it is passed over. Delete the line that begins "
          "with {key}.", file=path, key=name)
    )  # fmt: skip


def _parse_from_file(path: Path, key: ConfigKey, value: object) -> Value:
    return _parse(key, value, _(
        "{file}: {key} = {value} is not allowed; it takes {allowed}.",
        file=path, key=key.name, value=format_toml(value), allowed=key.describe_allowed(),
    ))  # fmt: skip


# -- kotp2p config ---------------------------------------------------------------------------


def format_toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return str(value)
    text = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


KEYS_OF_APPEARANCE = ("symbols", "palette", "background", "bidi", "animation", "mouse", "bell")


def describe_appearance(config: Config) -> list[str]:
    return [
        f"{key.name} = {format_toml(config.settings[key.name].value)}: {_(key.purpose)}"
        for key in CONFIG_KEYS
        if key.name in KEYS_OF_APPEARANCE
    ]


def describe_config(config: Config) -> list[str]:
    found = []
    for key in CONFIG_KEYS:
        setting = config.settings[key.name]
        if setting.origin:
            found.append(
                _("{key} = {value} (from {origin})", key=key.name, value=format_toml(setting.value),
                  origin=setting.origin)
            )  # fmt: skip
        elif setting.value is None:
            found.append(
                _("{key} is not set: {otherwise}", key=key.name, otherwise=_(key.meaning_if_unset))
            )
        else:
            found.append(
                _("{key} = {value} (the default)", key=key.name, value=format_toml(setting.value))
            )
    return found


def default_config_text() -> str:
    rows = ["# " + _("These settings hold unless a variable or a flag says otherwise.")]
    for key in CONFIG_KEYS:
        otherwise = _(key.meaning_if_unset) if key.meaning_if_unset else key.example
        rows += [
            "",
            f"# {_(key.purpose)}",
            "# " + _("Allowed: {allowed}. Not set: {otherwise}.", allowed=key.describe_allowed(),
                     otherwise=otherwise),
            f"# {key.name} = {key.example}",
        ]  # fmt: skip
    return "\n".join(rows) + "\n"
