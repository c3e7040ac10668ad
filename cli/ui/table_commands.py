"""What a player may type at the table at any time: votes, pauses, adjourning. No I/O."""

from __future__ import annotations

from kotp2p.front import Control


def command(text: str, control: Control) -> bool:
    """Whether `text` was one of `WORDS`; what comes of it is told by notices."""
    match text.strip().lower():
        case "drop":
            control.vote(drop=True)
        case "wait":
            # It takes back whatever was agreed to.
            control.vote(drop=False)
            control.adjourn(wanted=False)
        case "pause":
            control.pause()
        case "go":
            control.go_on()
        case "adjourn":
            control.adjourn(wanted=True)
        case _:
            return False
    return True


WORDS = ("drop", "wait", "pause", "go", "adjourn")
"""What a player may type at any time in a game."""
