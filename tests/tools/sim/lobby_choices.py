"""What restless people do in a lobby: they change name and monster, and say that they are ready.

Law: it has a chance of its own, so that a seed means for the game what it meant without it.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from kotp2p.front import Control
from kotp2p.lobby.monsters import MONSTERS
from kotp2p.notices import LobbyChanged

if TYPE_CHECKING:
    from tests.tools.sim.people import Person

RESTLESS_GAMES = 0.4
"""The share of games in whose lobby somebody may change something."""
RESTLESS = 0.7
"""The share of the people there who do."""
OFTEN = 0.4
"""How often such a person does so after a change of the lobby. Much less than once, so that it
comes to an end."""
NAMES = ("Otto", "Nina", "Guest 2", "Ana", "the host", "x" * 25, "Zoë", "Rex")
"""Some are taken, some are no names."""


def chance_of(seed: int, life: str) -> Random | None:
    """None for a person who changes nothing."""
    if Random(f"lobby {seed}").random() >= RESTLESS_GAMES:
        return None
    chance = Random(f"lobby {seed} {life}")
    return chance if chance.random() < RESTLESS else None


async def fidget(person: Person, chance: Random, lobby: LobbyChanged) -> None:
    """After a look at the lobby. A player has said so before a mark counts."""
    await person.game.clock.sleep(chance.expovariate(1 / person.thinking))
    own, control = lobby.seats[lobby.you], person.control
    if person.seat >= 0 or not person.life.alive or own is None or control is None:
        return
    what = chance.choice(("name", "monster", "ready", "ready", "not ready"))
    person.game.trace.reach(f"wants {what}", person.life.name)
    if what == "ready":
        person.game.starts.marked.add(own.key)
    _do(what, control, chance)


def _do(what: str, control: Control, chance: Random) -> None:
    match what:
        case "name":
            control.change_name(chance.choice(NAMES))
        case "monster":
            control.change_monster(chance.choice(MONSTERS))
        case _:  # a mark
            control.mark_ready(what == "ready")
