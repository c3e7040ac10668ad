"""Signatures in tests: one that many peers of one process check is checked once."""

import functools
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

from kotp2p.net import handshake
from kotp2p.wire import crypto, entries, genesis

VERIFIERS = (entries, genesis, handshake)
"""Modules that check signatures."""
checked_once = functools.lru_cache(100_000)(crypto.is_valid_signature)
"""All peers check one signature, here in one process: it is right or wrong for all of them."""


@contextmanager
def quick_signatures(is_valid: Callable[..., bool] = checked_once) -> Iterator[None]:
    """Check each signature once, or by `is_valid`."""
    with ExitStack() as stack:
        for module in VERIFIERS:
            stack.enter_context(patch.object(module, "is_valid_signature", is_valid))
        yield
