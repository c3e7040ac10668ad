"""What an answer will do, in one line, before it is given.

Scope: the sentences, each around the clauses of `cli.ask.outcomes`. A decision at which the game
does not stand gets no line.
Not here: what will happen (`cli.ask.foresight`).
"""

from __future__ import annotations

from collections.abc import Sequence

from kotp2p.cli.ask.foresight import foresee
from kotp2p.cli.ask.outcomes import describe_outcomes
from kotp2p.cli.text import names
from kotp2p.cli.text.i18n import N_, _, list_with_commas, list_with_semicolons
from kotp2p.referee.model.answers import Answer, Pass, Reroll, Stay, Stop, Yield
from kotp2p.referee.model.decisions import (
    ChangeDecision,
    Decision,
    OrderDecision,
    ProbeDecision,
    ResponseDecision,
    RollDecision,
    YieldDecision,
)
from kotp2p.referee.model.events import (
    DiceRolled,
    DieChanged,
    Eliminated,
    EnergyGained,
    EnergyLost,
    Event,
    HeartsLost,
    LeftTokyo,
)
from kotp2p.referee.model.state import DamageKind
from kotp2p.seams.seat_view import SeatView


def lines_if_stopped(view: SeatView, decision: RollDecision) -> list[str]:
    return _lines_of_answer(view, decision, decision.default, N_("If you stop: {what}."))


def lines_if_left_alone(view: SeatView, decision: ChangeDecision) -> list[str]:
    return _lines_of_answer(view, decision, decision.default, N_("If you change nothing: {what}."))


def lines_of_yield(view: SeatView, decision: YieldDecision) -> list[str]:
    """Both answers, as they lead to more than a change of place."""
    return [
        *_lines_of_stay(view, decision),
        *_lines_of_answer(view, decision, Yield(), N_("If you leave: {what}."), leaves=True),
    ]


def _lines_of_stay(view: SeatView, decision: YieldDecision) -> list[str]:
    """With what the next turn begins with in Tokyo, unless the monster falls before."""
    if view.game.pending != decision:
        return []
    outlook = foresee(view.game, Stay())
    clauses = describe_outcomes(view, outlook)
    events = [*outlook.events, *outlook.later]
    falls = any(isinstance(event, Eliminated) and event.seat == view.seat for event in events)
    if not falls and outlook.winners is None:
        two = view.game.setup.options.two_player  # D-28: energy instead of points
        gain = names.energy(1) if two else names.points(2)
        clauses.append(_("{gain} if still there at your turn", gain=gain))
    return [_("If you stay: {what}.", what=list_with_commas(clauses or [_("nothing changes")]))]


def lines_if_not_rerolled(view: SeatView, decision: ProbeDecision) -> list[str]:
    return _lines_of_answer(view, decision, decision.default, N_("If none: {what}."))


def lines_in_order(view: SeatView, decision: OrderDecision) -> list[str]:
    return _lines_of_answer(view, decision, decision.default, N_("In this order: {what}."))


def lines_of_damage(
    view: SeatView, decision: ResponseDecision, defences: Sequence[tuple[str, Answer]]
) -> list[str]:
    """What happens without a defence, then with each; `defences`: (name, answer)."""
    message = N_("If you take it: {what}.")
    if decision.damage is DamageKind.LOSS:
        message = N_("If you let the energy go: {what}.")
    return [
        *_lines_of_answer(view, decision, Pass(), message),
        *(
            line
            for name, answer in defences
            for line in _lines_of_answer(
                view, decision, answer, N_("With {name}: {what}."), name=name
            )
        ),
    ]


def lines_of_purchases(
    view: SeatView, decision: Decision, purchases: Sequence[tuple[str, Answer]]
) -> list[str]:
    """One line for all that can be bought; `purchases`: (letter that is typed, answer). Each says
    how much energy is left and what the card does at once."""
    if view.game.pending != decision or not purchases:
        return []
    parts = list_with_semicolons(
        _describe_purchase(view, letter, answer) for letter, answer in purchases
    )
    return [_("If you buy {parts}.", parts=parts)]


def lines_of_gains(
    view: SeatView, decision: Decision, purchases: Sequence[tuple[str, Answer]]
) -> list[str]:
    """The same for a reader who sees the prices: only what a card does at once."""
    if view.game.pending != decision:
        return []
    found = []
    for letter, answer in purchases:
        _left, clauses = _foresee_purchase(view, answer)
        if clauses:
            found.append(_("{letter}: {what}", letter=letter, what=list_with_commas(clauses)))
    return [_("If you buy {parts}.", parts=list_with_semicolons(found))] if found else []


def _describe_purchase(view: SeatView, letter: str, answer: Answer) -> str:
    left, clauses = _foresee_purchase(view, answer)
    rest = _("{letter}: {energy} left", letter=letter, energy=names.energy(left))
    return list_with_commas([rest, *clauses])


def _foresee_purchase(view: SeatView, answer: Answer) -> tuple[int, list[str]]:
    """The energy that is left, and what else happens."""
    outlook = foresee(view.game, answer, turning_up=True)
    left = view.game.state.monsters[view.seat].energy
    others: list[Event] = []
    for event in outlook.events:
        match event:
            case EnergyGained(seat=view.seat, amount=n):
                left += n
            case EnergyLost(seat=view.seat, amount=n):
                left -= n
            case _:  # told by its own clause
                others.append(event)
    outlook.events = others
    if view.seat not in (outlook.winners or ()):
        outlook.later = []  # the same after each purchase, and after none
    return left, describe_outcomes(view, outlook)


def lines_of_proposal(view: SeatView, decision: Decision, answer: Answer) -> list[str]:
    """Nothing for a roll: the proposal itself says which dice."""
    if view.game.pending != decision or isinstance(answer, Reroll):
        return []
    clauses = describe_outcomes(view, foresee(view.game, answer))
    return [_("What follows: {what}.", what=list_with_commas(clauses))] if clauses else []


def describe_threat(view: SeatView, events: Sequence[Event]) -> str:
    """What the dice that another monster has just thrown would do to the reader; may be empty."""
    pending = view.game.pending
    if not isinstance(pending, RollDecision) or pending.seat == view.seat:
        return ""
    if not any(isinstance(event, DiceRolled | DieChanged) for event in events):
        return ""
    outlook = foresee(view.game, Stop())
    if any(isinstance(event, Eliminated) and event.seat == view.seat for event in outlook.events):
        return _("These dice would put you out of the game.")
    lost = sum(
        event.amount
        for event in outlook.events
        if isinstance(event, HeartsLost) and event.seat == view.seat
    )
    if not lost:
        return ""
    return _("These dice would cost you {hearts}.", hearts=names.hearts(lost))


def _lines_of_answer(
    view: SeatView,
    decision: Decision,
    answer: Answer,
    message: str,
    *,
    leaves: bool = False,
    **fields: object,
) -> list[str]:
    """`leaves`: the message says already that the reader leaves Tokyo."""
    if view.game.pending != decision:
        return []
    outlook = foresee(view.game, answer)
    if leaves:
        outlook.events = [event for event in outlook.events if not _is_own_leave(view, event)]
    clauses = describe_outcomes(view, outlook) or [_("nothing changes")]
    return [_(message, what=list_with_commas(clauses), **fields)]


def _is_own_leave(view: SeatView, event: Event) -> bool:
    return isinstance(event, LeftTokyo) and event.seat == view.seat
