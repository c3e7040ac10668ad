"""Errors of this program that its own reader has found before anything left it.

Scope: an action that would have signed, written or sent what nobody takes is left out and told.
The process and the game, or the lobby, go on.
Not here: the checks themselves: `Signed.sign`, `pack_readable`, `encode`, `Gossip.append_record`,
and the ledger, which takes each entry of this seat before that is written and sent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from kotp2p.game.steps import OwnFault
from kotp2p.notices import ProgramFault
from kotp2p.wire.encoding import Unwritable

MAX_FAULTS_TOLD = 16
"""More different faults of one process are not told."""


@dataclass(slots=True)
class OwnFaultGuard:
    """A block under it ends at such an error. Each one is told once, as it may come again at every
    frame."""

    show: Callable[[ProgramFault], None]
    _told: set[str] = field(default_factory=set)

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, _kind: type[BaseException] | None, fault: BaseException | None, _where: object
    ) -> bool:
        if fault is None or not isinstance(fault, OwnFault | Unwritable):
            return False
        detail = str(fault)
        if detail not in self._told and len(self._told) < MAX_FAULTS_TOLD:
            self._told.add(detail)
            self.show(ProgramFault(detail))
        return True
