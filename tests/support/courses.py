"""Digests of what a course of events shows: any change of what the program does changes them.

To see what has changed, print what is given to `digest_of` before and after. If the new course is
right, the test takes the new digest.
"""

from collections.abc import Iterable
from hashlib import sha256


def digest_of(seen: Iterable[object]) -> str:
    return sha256("\n".join(map(repr, seen)).encode()).hexdigest()[:16]
