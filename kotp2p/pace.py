"""So often within so long and no more: the lines of one speaker."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field


@dataclass(slots=True)
class Pace:
    most: int
    within: float
    """Seconds."""
    _times: deque[float] = field(default_factory=deque)
    """Of what was allowed, at most `most` of them."""

    def allows(self, now: float) -> bool:
        """Whether one more may be; if so it counts."""
        while self._times and now >= self._times[0] + self.within:
            self._times.popleft()
        if len(self._times) >= self.most:
            return False
        self._times.append(now)
        return True
