"""The dice that lie on the table: which are kept, which are new, where the cursor stands.

Scope: one's own dice while they are asked for, sorted by face, as the cursor moves among them; and
everybody's at any other time, the kept ones first.
Not here: how they look (`dice_boxes`).
"""

from __future__ import annotations

from kotp2p.cli.text import names
from kotp2p.cli.text.i18n import _
from kotp2p.cli.ui.screen.dice_boxes import DieBox
from kotp2p.cli.ui.screen.mouse import DIE
from kotp2p.cli.ui.screen.picker import keepable_dice, shown_as_kept
from kotp2p.cli.ui.screen.screen import Screen
from kotp2p.seams.seat_view import SeatView

DICE_OF_A_ROLL = 6
"""Boxes that stand empty before the first roll."""


def list_boxes(screen: Screen) -> list[DieBox]:
    """The dice of the active monster."""
    view = screen.state.view
    dice = [] if view is None else view.game.state.dice
    if not dice:
        return [DieBox(None)] * DICE_OF_A_ROLL
    rolled = screen.status.last.rolled_of(dice)
    asked = [] if screen.state.is_leave_asked else keepable_dice(screen.state.asking)
    motion = screen.motion
    if asked != sorted(dice):
        kept_first = sorted(range(len(dice)), key=lambda at: (at in rolled, dice[at], at))
        return [
            DieBox(
                motion.face_shown(dice[at], at),
                is_kept=bool(rolled) and at not in rolled,
                is_new=at in rolled,
                is_moving=motion.is_rolling(at),
            )
            for at in kept_first
        ]
    order = sorted(range(len(dice)), key=lambda at: (dice[at], at in rolled, at))
    held = shown_as_kept(screen.picker, screen.state.asking, screen.input.text, asked)
    held = held or [False] * len(asked)
    is_chosen = any(held) or screen.picker.die is not None  # who chooses has seen the dice
    return [
        DieBox(
            dice[at] if is_chosen else motion.face_shown(dice[at], at),
            is_kept=is_held,
            is_new=at in rolled and not is_held,
            is_picked=n == screen.picker.die,
            mark=f"{DIE}{n}",
            is_moving=motion.is_rolling(at) and not is_chosen,
        )
        for n, (at, is_held) in enumerate(zip(order, held, strict=True))
    ]


def describe_roll(view: SeatView) -> str:
    """Whose dice lie there, and after which roll."""
    state = view.game.state
    name = names.player_name(view, state.active)
    if state.active == view.seat:
        return _("Your dice, roll {n}", n=state.rolls) if state.dice else _("Your dice to come")
    if state.dice:
        return _("Dice of {name}, roll {n}", name=name, n=state.rolls)
    return _("Dice of {name} to come", name=name)
