"""Names that are names, strings that are none, and names that look alike (PROTOCOL.md 2.1)."""

from tests.support.two_verifiers import vectors

LOOKS: dict[str, list[str]] = vectors("names")["names"]
NAMES = list(LOOKS)
"""Each is a name of its own: no two are alike."""
NO_NAMES: dict[str, str] = vectors("names")["refused"]
ALIKE: list[tuple[str, str]] = [(one, other) for one, other, *_looks in vectors("names")["alike"]]
"""Pairs that people could take for one another."""
