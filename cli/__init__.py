"""The terminal: turns events into sentences and typed lines into answers.

`start` is the `kotp2p` of an installation. The search for garbage is off while modules are
imported, as nothing of them is garbage yet, and it passes over them from then on. At the end of the
process it is left out: the system takes all memory back. Both together take a fifth of the time of
`kotp2p -h`.
"""

import atexit
import gc


def start() -> None:
    gc.disable()
    from kotp2p.cli.main import run
    from kotp2p.cli.system.process import search_rarely

    gc.freeze()
    search_rarely()
    gc.enable()
    atexit.register(gc.freeze)
    run()
