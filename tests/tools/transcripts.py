"""What a person reads and types at every kind of decision: `python -m tests.tools.transcripts`.

Each begins in a staged position and goes through the real line mode: the question, a line that
is no answer, `?`, and an answer.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

import trio
import trio.testing

from kotp2p.referee.box.rulesets import DARK
from kotp2p.referee.model.answers import Answer, Face
from kotp2p.referee.model.decisions import (
    AgainDecision,
    BuyDecision,
    ChangeDecision,
    CopyDecision,
    Decision,
    DepositDecision,
    HeartsDecision,
    Offer,
    OpportunistDecision,
    OrderDecision,
    ProbeDecision,
    ResponseDecision,
    RollDecision,
    SellDecision,
    SwapDecision,
    TileDecision,
    Usable,
    YieldDecision,
)
from kotp2p.referee.model.state import DamageKind, Holding, Place
from kotp2p.seams.front import Leave
from kotp2p.seams.notices import SeatView
from tests.support.laid_decisions import dice, heal, item, table, tile
from tests.support.local_game import Orders, piped, said
from tests.support.tool_line import tool_parser

ROLLED = "1233HC"


@dataclass(frozen=True, slots=True)
class Scene:
    view: SeatView
    decision: Decision
    wrong: str
    answer: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Transcript:
    kind: str
    lines: list[str]
    answer: Answer | Leave | None


def everywhere() -> SeatView:
    """Three monsters, some cards before them, three in the market."""
    view = table(rolled=ROLLED)
    own, rex, mia = view.game.state.monsters
    own.hearts, own.energy, own.points = 5, 6, 7
    own.place = Place.CITY
    own.holdings = [Holding(item(view, "jets"), 1), Holding(item(view, "wings"), 2)]
    rex.holdings = [Holding(item(view, "camouflage"), 3)]
    mia.hearts = 4
    view.game.state.market = [item(view, key) for key in ("regeneration", "gourmet", "energize")]
    return view


def roll() -> Scene:
    view = everywhere()
    return Scene(view, RollDecision(0, dice(ROLLED), 2), "7", ("33c",))


def probe() -> Scene:
    view = everywhere()
    card = Usable(item(view, "psychic-probe"), "psychic-probe", 0, tuple(range(6)))
    return Scene(view, ProbeDecision(0, 1, dice(ROLLED), uses=(card,)), "e", ("c",))


def change() -> Scene:
    view = everywhere()
    stretchy = Usable(item(view, "stretchy"), "stretchy", 2, tuple(range(6)), tuple(Face))
    decision = ChangeDecision(0, dice(ROLLED), uses=(stretchy, heal(view)))
    return Scene(view, decision, "stretchy e", ("stretchy h 3",))


def order() -> Scene:
    view = everywhere()
    groups = (Face.THREE, Face.HEART, Face.CLAW)
    return Scene(view, OrderDecision(0, groups, uses=(heal(view),)), "2", ("c",))


def hearts() -> Scene:
    view = everywhere()
    view.game.state.monsters[0].poison = 1
    return Scene(view, HeartsDecision(0, 3, 3, 1, 0, ((2, 2),)), "x", ("", ""))


def response() -> Scene:
    view = everywhere()
    uses = (Usable(item(view, "wings"), "wings", 2), heal(view))
    return Scene(view, ResponseDecision(0, DamageKind.CLAWS, 3, 1, uses=uses), "jets", ("wings",))


def yields() -> Scene:
    return Scene(everywhere(), YieldDecision(0, 1), "y", ("l",))


def swap() -> Scene:
    view = everywhere()
    return Scene(view, SwapDecision(0, 1, (item(view, "camouflage"),)), "wings", ("1",))


def buy() -> Scene:
    view = everywhere()
    offers = (Offer(item(view, "regeneration"), 4), Offer(item(view, "gourmet"), 4))
    return Scene(view, BuyDecision(0, offers, True, False, False), "c", ("r",))


def opportunist() -> Scene:
    view = everywhere()
    offer = Offer(item(view, "gourmet"), 4)
    return Scene(view, OpportunistDecision(0, (offer,)), "c", ("", ""))


def deposit() -> Scene:
    return Scene(everywhere(), DepositDecision(0, 5), "9", ("4",))


def copy() -> Scene:
    view = everywhere()
    targets = (item(view, "camouflage"), item(view, "jets"))
    return Scene(view, CopyDecision(0, item(view, "mimic"), targets, False), "4", ("camouflage",))


def take() -> Scene:
    view = table(rules=DARK)
    tiles = (tile(view, "devious"), tile(view, "tireless"))
    return Scene(view, TileDecision(0, 3, tiles), "wings", ("devious",))


def sell() -> Scene:
    view = everywhere()
    return Scene(
        view, SellDecision(0, (item(view, "jets"), item(view, "wings"))), "mimic", ("jets", "y")
    )


def again() -> Scene:
    return Scene(everywhere(), AgainDecision(0), "x", ("", ""))


SCENES: tuple[Callable[[], Scene], ...] = (
    roll, probe, change, order, hearts, response, yields, swap, buy, opportunist, deposit, copy,
    take, sell, again,
)  # fmt: skip


async def play(scene: Scene) -> Transcript:
    front = piped()
    front.attach(Orders())
    found: Answer | Leave | None = None

    async def ask() -> None:
        nonlocal found
        found = await front.decide(scene.view, scene.decision)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask)
        for line in (scene.wrong, "?", *scene.answer):
            await trio.testing.wait_all_tasks_blocked()
            front.read_line(line)
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    return Transcript(scene.decision.kind, said(front), found)


def main() -> None:
    for make in SCENES:
        shown = trio.run(play, make())
        sys.stdout.write("\n".join([f"== {shown.kind}", *shown.lines, "", ""]))


if __name__ == "__main__":
    tool_parser("tests.tools.transcripts", __doc__).parse_args()
    main()
