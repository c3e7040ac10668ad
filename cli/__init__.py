"""The terminal: turns events into sentences and typed lines into answers.

`start` is the `kotp2p` of an installation. The search for garbage is off until the command that
runs is imported, as nothing of it is garbage yet, and it passes over all that from then on. At the
end of the process it is left out: the system takes all memory back. Both together take a fifth of
the time of `kotp2p -h`.
"""

import atexit
import gc


def start() -> None:
    gc.disable()
    from kotp2p.cli.main import run

    atexit.register(gc.freeze)
    run()
