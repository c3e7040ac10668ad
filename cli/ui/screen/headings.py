"""What is decided, in a few words: for the title rows and the title of the window."""

from __future__ import annotations

from typing import assert_never

from kotp2p.cli.text.i18n import _
from kotp2p.referee.model.decisions import (
    AgainDecision,
    BuyDecision,
    ChangeDecision,
    CopyDecision,
    Decision,
    DepositDecision,
    HeartsDecision,
    OpportunistDecision,
    OrderDecision,
    ProbeDecision,
    ResponseDecision,
    RollDecision,
    SellDecision,
    SwapDecision,
    TileDecision,
    YieldDecision,
)
from kotp2p.referee.model.state import DamageKind
from kotp2p.seams.seat_view import SeatView


def decision_heading(view: SeatView, decision: Decision) -> str:
    """The heading for the player who decides."""
    match decision:
        case RollDecision(rolls_left=left):
            used = view.game.state.rolls
            return _("YOUR TURN: roll {n} of {most}", n=used, most=used + left)
        case ChangeDecision():
            return _("YOUR TURN: change dice")
        case OrderDecision():
            return _("YOUR TURN: order your dice")
        case HeartsDecision():
            return _("YOUR TURN: use your hearts")
        case BuyDecision():
            return _("YOUR TURN: buy")
        case SellDecision():
            return _("YOUR TURN: sell")
        case AgainDecision():
            return _("YOUR TURN: once more?")
        case (
            ProbeDecision() | OpportunistDecision() | ResponseDecision() | YieldDecision()
            | DepositDecision() | CopyDecision() | TileDecision() | SwapDecision()
        ):  # fmt: skip
            return _reaction_heading(decision)
        case _:
            assert_never(decision)


def _reaction_heading(
    decision: ProbeDecision
    | OpportunistDecision
    | ResponseDecision
    | YieldDecision
    | DepositDecision
    | CopyDecision
    | TileDecision
    | SwapDecision,
) -> str:
    """The heading of a decision that may come in another player's turn."""
    match decision:
        case ProbeDecision():
            return _("YOUR CHANCE: one die again?")
        case OpportunistDecision():
            return _("YOUR CHANCE: buy first?")
        case ResponseDecision(damage=DamageKind.LOSS):
            return _("YOUR ENERGY IS TAKEN: defend?")
        case ResponseDecision():
            return _("YOU ARE HIT: defend?")
        case YieldDecision():
            return _("YOU ARE HIT: stay or leave?")
        case DepositDecision() | CopyDecision() | TileDecision() | SwapDecision():
            return _("YOUR CHOICE")
        case _:
            assert_never(decision)
