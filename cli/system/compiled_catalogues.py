"""Catalogues in the form of gettext: a .po file of a translator becomes a .mo file.

A module of its own, as `setup.py` loads it without the package.
"""

import contextlib
import io
from pathlib import Path


class NotCompiled(Exception):
    """No .mo file is current, and none can be made; the argument says why."""


def compile_text(source: bytes) -> bytes:
    """Return the .mo of a .po without what is fuzzy or missing; raise NotCompiled."""
    try:
        from babel.messages.mofile import write_mo
        from babel.messages.pofile import PoFileError, read_po
    except ImportError as fault:
        raise NotCompiled(str(fault)) from None
    try:
        catalogue = read_po(io.BytesIO(source), abort_invalid=True)
    except (PoFileError, ValueError, LookupError) as fault:
        raise NotCompiled(str(fault)) from None
    if catalogue.locale is None:
        catalogue.locale = (
            "en"  # a language that Babel does not know keeps its plural forms only so
        )
    for message in list(catalogue):
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        if message.id and not all(forms):
            catalogue.delete(message.id, message.context)
    found = io.BytesIO()
    write_mo(found, catalogue)
    return found.getvalue()


def read_compiled(source: Path) -> bytes:
    """Return the .mo beside a .po, compiled if missing or older; raise NotCompiled or OSError."""
    target = source.with_suffix(".mo")
    if not source.exists() or _is_current(target, source):
        return target.read_bytes()
    data = compile_text(source.read_bytes())
    with contextlib.suppress(OSError):  # a folder that is not ours: compiled again next time
        from kotp2p.store.files import write_whole  # which the build does without

        write_whole(target, [data], is_private=False)
    return data


def _is_current(target: Path, source: Path) -> bool:
    return target.exists() and target.stat().st_mtime_ns >= source.stat().st_mtime_ns
