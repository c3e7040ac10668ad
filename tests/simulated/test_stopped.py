"""What a cheat has told two players at the very place where these stop for the day.

Nobody has compared it yet: a peer shows what it holds of a step on a new link, or when the step has
closed. The law waits until they go on, and no longer.
"""

from __future__ import annotations

from unittest.mock import patch

import msgpack
import pytest

from kotp2p.endings import EndKind
from tests.tools.sim import wire
from tests.tools.sim.accountability import Accountability
from tests.tools.sim.cheat_game import STOPPED, CheatGame
from tests.tools.sim.cheat_mix import cheat_mix
from tests.tools.sim.run import simulate

TOLD_TWO_AND_STOPPED = 7000767
"""In this game both that are honest stop in a gather to which a cheat gave each another share."""
HONEST = 2


def test_what_was_told_two_where_they_have_stopped_convicts_when_they_go_on() -> None:
    went_on = list[EndKind]()
    ends = CheatGame._again

    def goes_on_once(game: CheatGame, kind: EndKind) -> bool:
        if kind in STOPPED and game.healed.is_set() and len(went_on) < HONEST:
            went_on.append(kind)
            return True
        return ends(game, kind)

    before = simulate(cheat_mix(TOLD_TWO_AND_STOPPED))
    assert before.violations == ()
    assert (before.reached["convicted"], before.reached["evidence"]) == (0, 0)
    with patch.object(CheatGame, "_again", goes_on_once):
        after = simulate(cheat_mix(TOLD_TWO_AND_STOPPED))
    assert len(went_on) == HONEST
    assert after.violations == ()
    assert after.reached["evidence"] == HONEST


@pytest.mark.parametrize(
    ("stopped_at", "found"), [((0, 17), []), ((0, 18), ["I3"]), ((1, 17), ["I3"]), (None, ["I3"])]
)
def test_two_bodies_are_excused_at_the_place_of_the_break_alone(
    stopped_at: tuple[int, int] | None, found: list[str]
) -> None:
    laws = Accountability(cheats=frozenset({2}), played_by={0: 0, 1: 1, 2: 2})
    for machine, payload in enumerate((b"one", b"other")):
        body = msgpack.packb([0, b"game", 0, 17, b"head", 2, 1, payload])
        laws.durable[machine, f"10.0.0.{machine}"] = {0: wire.Body(wire.PLAY, body)}
    laws.i3_two_bodies(set(), stopped_at=stopped_at)
    assert [violation.number for violation in laws.violations] == found
