"""How the program is started: the `kotp2p` of an installation.

Scope: the search for garbage is off while modules are imported, as nothing of them is garbage yet,
and it passes over them from then on. At the end of the process it is left out: the system takes
all memory back. Both together take a fifth of the time of `kotp2p -h`. In between it is rare: what
this program makes is nearly all freed without it, and with the usual pace it takes a tenth of the
time of `kotp2p verify` for a long log.
Not here: the program itself (`cli.main`), which the imports are for.
"""

from __future__ import annotations

import atexit
import gc

NEW_OBJECTS_BETWEEN_SEARCHES = 50_000


def start() -> None:
    gc.disable()
    from cli.main import run

    gc.freeze()
    gc.set_threshold(NEW_OBJECTS_BETWEEN_SEARCHES)
    gc.enable()
    atexit.register(gc.freeze)
    run()
