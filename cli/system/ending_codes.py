"""Which exit code the ending of a game stands for."""

from __future__ import annotations

from typing import assert_never

from kotp2p.cli.system.output import Exit
from kotp2p.endings import EndKind


def exit_code(kind: EndKind) -> Exit:
    match kind:
        case EndKind.FINISHED | EndKind.LEFT | EndKind.NO_NEXT_GAME:
            return Exit.DONE
        case (
            EndKind.STOPPED | EndKind.ADJOURNED | EndKind.KEPT
            | EndKind.ELSEWHERE | EndKind.WRONG_LOG
        ):  # fmt: skip
            return Exit.STOPPED
        case EndKind.NO_GAME:
            return Exit.NOTHING_FOUND
        case (
            EndKind.CLOSED | EndKind.REMOVED | EndKind.BUSY | EndKind.FULL | EndKind.STARTED
            | EndKind.VERSION | EndKind.NO_WATCHERS
            | EndKind.KEPT_FOR_OTHERS | EndKind.FALSE_LOBBY | EndKind.LOST_HOST
            | EndKind.NOT_INVITED | EndKind.OTHER_TABLE | EndKind.OTHER_HOST | EndKind.NEW_KEY
            | EndKind.START_IN_DOUBT
        ):  # fmt: skip
            return Exit.TURNED_AWAY
        case (
            EndKind.NAME_UNKNOWN | EndKind.REFUSED | EndKind.NO_ANSWER | EndKind.NOT_A_TABLE
            | EndKind.LOST_TABLE | EndKind.SOURCE_LEFT
        ):  # fmt: skip
            return Exit.UNREACHABLE
        case (
            EndKind.PORT_TAKEN | EndKind.FILES | EndKind.IN_USE
        ):  # fmt: skip
            return Exit.FILES
        case _:
            assert_never(kind)
