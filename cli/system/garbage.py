"""How often a process of this program searches for garbage.

Scope: nearly all that the program makes is freed without the search. With the usual pace it takes a
tenth of the time of `kotp2p verify` for a long log.
"""

from __future__ import annotations

import gc

NEW_OBJECTS_BETWEEN_SEARCHES = 50_000


def search_rarely() -> None:
    gc.set_threshold(NEW_OBJECTS_BETWEEN_SEARCHES)
