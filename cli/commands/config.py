"""`kotp2p config`: what is set, and where it comes from."""

from __future__ import annotations

from cli.system import config
from cli.system.config import ConfigFault
from cli.system.exit_codes import Exit
from cli.system.folders import config_file
from cli.system.output import Output
from cli.text.i18n import _
from cli.text.own_command import typeable
from kotp2p.store.private_files import make_folder
from kotp2p.store.whole_file import write_whole


def show_config(write: bool) -> int:
    output = Output.standard()
    path = config_file()
    if write:
        return _write_file(output)
    try:
        found = config.load_config()
    except ConfigFault as fault:
        output.note_line(_("kotp2p: {fault}", fault=fault))
        return Exit.USAGE
    if path.exists():
        output.say_unbroken(_("File: {file}", file=path))
    else:
        output.say_unbroken(
            _(
                "File: {file} (not there; {command} makes it)",
                file=path,
                command=typeable("kotp2p config --write"),
            )
        )
    for line in config.describe_config(found):
        output.say_line(line)
    return Exit.DONE


def _write_file(output: Output) -> int:
    """Writes the default file, but never over one that is there."""
    path = config_file()
    if path.exists():
        output.say_unbroken(_("There already, and left as it is: {file}", file=path))
        return Exit.DONE
    try:
        make_folder(path.parent)
        write_whole(path, [config.default_config_text().encode()], is_new=True)
    except OSError as fault:
        output.note_line(
            _("kotp2p: {file} cannot be written: {detail}.", file=path,
              detail=fault.strerror or fault)
        )  # fmt: skip
        return Exit.FILES
    output.say_unbroken(_("Written: {file}", file=path))
    return Exit.DONE
