"""Why a log is not sound, told apart as far as its readers are told.

Not here: the details, which are the `reason` of a report, and the sentences for people.
"""

from __future__ import annotations

from enum import StrEnum


class LogFault(StrEnum):
    # -- it cannot be read
    NO_FILE = "no-file"
    """The system gives no bytes of it."""
    NO_LOG = "no-log"
    NO_EVIDENCE = "no-evidence"
    DAMAGED_HEAD = "damaged-head"
    OTHER_VERSION = "other-version"
    EVIDENCE = "evidence"
    """It is a file of evidence."""

    # -- it is unfinished
    NO_END = "no-end"
    NOT_CONFIRMED = "not-confirmed"
    """The game is over, and nobody has signed that."""

    # -- a record is wrong
    DAMAGED = "damaged"
    AFTER_END = "after-end"
    NO_GENESIS = "no-genesis"
    GENESIS = "genesis"
    OTHER_GAME = "other-game"
    TWICE = "twice"
    FORM = "form"
    SIGNATURE = "signature"
    PLACE = "place"
    """It does not go on from what stands before it."""
    LINE_UP = "line-up"
    """A line-up, or a LEAVE, that does not fit or tells nothing new."""
    PROOF = "proof"
    """It proves nothing."""
    POSITION = "position"

    # -- a record is a cheat: the values of `CheatKind`
    ILLEGAL_MOVE = "illegal-move"
    WRONG_OPENING = "wrong-opening"
    EQUIVOCATION = "equivocation"
    COPIED_COMMITMENT = "copied-commitment"
    WRONG_SHARE = "wrong-share"
    BAD_ENTRY = "bad-entry"
