"""How a table plays where its rule set leaves a choice: its options and its clocks.

Scope: the value. LOBBY and the charter spell both alike (PROTOCOL.md 6.2).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.referee.box.rulesets import Options
from kotp2p.wire.genesis import Clocks


@dataclass(frozen=True, slots=True)
class LobbyOptions:
    options: Options = field(default_factory=Options)
    clocks: Clocks = field(default_factory=Clocks)
