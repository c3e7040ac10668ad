"""Sockets that trio-websocket leaves to the garbage collector, where a side has broken a bound."""

import gc
import warnings


def sweep_websockets() -> None:
    """Collect them now, so that no other test is told of them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()
