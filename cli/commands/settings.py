"""`kotp2p config`: what is set and where it comes from, and one setting changed in the file."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING

from kotp2p.cli.system import config
from kotp2p.cli.system.config import CONFIG_KEYS, ConfigFault, ConfigKey, Value
from kotp2p.cli.system.folders import config_file
from kotp2p.cli.system.output import Exit, Output
from kotp2p.cli.text.i18n import _, describe_system_error, list_with_and, typeable
from kotp2p.store.files import make_folder, write_whole

if TYPE_CHECKING:
    from tomlkit import TOMLDocument


def run_config(words: list[str] | None) -> int:
    match words or ["show"]:
        case ["show"]:
            return show_config()
        case ["set", name]:
            return unset_setting(name)
        case ["set", name, *value]:
            return set_setting(name, " ".join(value))
        case _:  # no other words are understood
            Output.standard().note_line(
                _("kotp2p: config takes show, or set with a setting and its value, as in: "
                  "{command}", command=typeable("kotp2p config set speed slow"))
            )  # fmt: skip
            return Exit.USAGE


def show_config() -> int:
    output = Output.standard()
    path = config_file()
    try:
        found = config.load_config()
    except ConfigFault as fault:
        return output.refuse(fault)
    if path.exists():
        output.say_unbroken(_("File: {file}", file=path))
    else:
        output.say_unbroken(
            _(
                "File: {file} (not there; {command} makes it)",
                file=path,
                command=typeable("kotp2p config set KEY VALUE"),
            )
        )
    for line in config.describe_config(found):
        output.say_line(line)
    return Exit.DONE


def set_setting(name: str, words: str) -> int:
    output = Output.standard()
    try:
        key = _find_key(name)
        value = config.parse_text(key, words, key.name)
        text = _text_with({key.name: value})
    except ConfigFault as fault:
        return output.refuse(fault)
    return _save(text, _("{key} = {value}", key=key.name, value=config.format_toml(value)), output)


def keep_settings(values: Mapping[str, Value]) -> bool:
    """Write the values, which are allowed, into the file; return whether it could be done."""
    try:
        _write(_text_with(values))
    except (ConfigFault, OSError):
        return False
    return True


def unset_setting(name: str) -> int:
    output = Output.standard()
    try:
        key = _find_key(name)
        document = _read_document()
        if key.name not in document:
            output.note_line(_("{key} is not set in {file}.", key=key.name, file=config_file()))
            return Exit.NOTHING_FOUND
        document.remove(key.name)
        text = _checked_text(document)
    except ConfigFault as fault:
        return output.refuse(fault)
    return _save(text, _("{key} is no longer set.", key=key.name), output)


def _find_key(name: str) -> ConfigKey:
    names = [key.name for key in CONFIG_KEYS]
    if name in names:
        return CONFIG_KEYS[names.index(name)]
    close = get_close_matches(name, names, n=1)
    if close:
        raise ConfigFault(
            _("There is no setting {name}. Did you mean {near}?", name=name, near=close[0])
        )
    raise ConfigFault(
        _("There is no setting {name}; there are {names}.", name=name, names=list_with_and(names))
    )


def _read_document() -> TOMLDocument:
    import tomlkit.exceptions  # which a look at the settings does without

    path = config_file()
    data = config.read_config_bytes(path)
    try:
        return tomlkit.parse(config.default_config_text() if data is None else data.decode())
    except UnicodeDecodeError:
        raise ConfigFault(_("{file} is not a text in UTF-8.", file=path)) from None
    except (tomlkit.exceptions.TOMLKitError, ValueError, RecursionError) as fault:
        raise ConfigFault(_("{file} is not TOML: {detail}.", file=path, detail=fault)) from None


def _text_with(values: Mapping[str, Value]) -> str:
    document = _read_document()
    for name, value in values.items():
        document[name] = value
    return _checked_text(document)


def _checked_text(document: TOMLDocument) -> str:
    """Return the text, once it is one that the program reads; raise ConfigFault."""
    text = document.as_string()
    config.parse_config(config_file(), text.encode())
    return text


def _save(text: str, sentence: str, output: Output) -> int:
    try:
        _write(text)
    except OSError as fault:
        output.note_line(
            _("kotp2p: {file} cannot be written: {detail}.", file=config_file(),
              detail=describe_system_error(fault.errno, writing=True))
        )  # fmt: skip
        return Exit.FILES
    output.say_line(sentence)
    return Exit.DONE


def _write(text: str) -> None:
    """Write the file atomically, through a link if the path is one; raise OSError."""
    if config.is_nowhere(config_file()):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))
    path = config_file().resolve()
    make_folder(path.parent)
    write_whole(path, [text.encode()])
