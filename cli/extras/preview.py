"""What an answer will do, in one line, before it is given."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from kotp2p.cli.ask.foresight import Outlook, foresee, winning_points
from kotp2p.cli.text import i18n, names
from kotp2p.cli.text.i18n import N_, _, plural
from kotp2p.cli.text.story import DicePoints, count_of_tokens
from kotp2p.cli.wing import Preview
from kotp2p.referee.model import decisions
from kotp2p.referee.model import events as ev
from kotp2p.referee.model.answers import Answer, Buy, BuyTop, Pass, Reroll, Seat, Stay, Yield
from kotp2p.referee.model.state import DamageKind, Place
from kotp2p.seams.notices import SeatView


def lines_of_default(view: SeatView, decision: decisions.Decision, message: str) -> list[str]:
    return _lines_of_answer(view, decision, decision.default, message)


def lines_of_yield(view: SeatView, decision: decisions.YieldDecision) -> list[str]:
    """Describe both answers, as they change more than a place."""
    return [
        *_lines_of_stay(view, decision),
        *_lines_of_answer(view, decision, Yield(), N_("Leave: {what}."), leaves=True),
    ]


def _lines_of_stay(view: SeatView, decision: decisions.YieldDecision) -> list[str]:
    """Describe staying, with what the next turn in Tokyo gives a monster that survives."""
    if view.game.pending != decision:
        return []
    outlook = foresee(view.game, Stay())
    clauses = describe_outcomes(view, outlook)
    events = [*outlook.events, *outlook.later]
    falls = any(isinstance(event, ev.Eliminated) and event.seat == view.seat for event in events)
    if not falls and outlook.winners is None:
        two = view.game.setup.options.two_player  # D-28: energy instead of points
        gain = names.energy(1) if two else names.points(2)
        clauses.append(_("{gain} if there next turn", gain=gain))
    return [_("Stay: {what}.", what=i18n.list_with_commas(clauses or [_("nothing changes")]))]


def lines_of_damage(
    view: SeatView, decision: decisions.ResponseDecision, defences: Sequence[tuple[str, Answer]]
) -> list[str]:
    """Describe what happens without a defence, then with each (name, answer)."""
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
    view: SeatView,
    decision: decisions.Decision,
    purchases: Sequence[tuple[str, Answer]],
    *,
    with_rest: bool = True,
) -> list[str]:
    """Describe all purchases in one line: what they do at once and, `with_rest`, leave."""
    if view.game.pending != decision:
        return []
    found = []
    for letter, answer in purchases:
        left, clauses = _foresee_purchase(view, answer)
        if with_rest:
            rest = _("{letter}: {energy} left", letter=letter, energy=names.energy(left))
            found.append(i18n.list_with_commas([rest, *clauses]))
        elif clauses:
            found.append(_("{letter}: {what}", letter=letter, what=i18n.list_with_commas(clauses)))
    return [_("Buying {parts}.", parts=i18n.list_with_semicolons(found))] if found else []


def _foresee_purchase(view: SeatView, answer: Answer) -> tuple[int, list[str]]:
    """Return the energy that is left, and clauses about what else happens."""
    outlook = foresee(view.game, answer, turning_up=True)
    left = view.game.state.monsters[view.seat].energy
    others: list[ev.Event] = []
    for event in outlook.events:
        match event:
            case ev.EnergyGained(seat=view.seat, amount=n):
                left += n
            case ev.EnergyLost(seat=view.seat, amount=n):
                left -= n
            case _:  # it has a clause of its own
                others.append(event)
    outlook.events = others
    if view.seat not in (outlook.winners or ()):
        outlook.later = []  # the same after each purchase, and after none
    return left, describe_outcomes(view, outlook)


def lines_of_proposal(view: SeatView, decision: decisions.Decision, answer: Answer) -> list[str]:
    """Describe what a proposal does, but nothing for a roll, which names its dice."""
    if view.game.pending != decision or isinstance(answer, Reroll):
        return []
    is_bought = isinstance(answer, Buy | BuyTop)
    clauses = describe_outcomes(view, foresee(view.game, answer, turning_up=is_bought))
    return [_("Then: {what}.", what=i18n.list_with_commas(clauses))] if clauses else []


def _lines_of_answer(
    view: SeatView,
    decision: decisions.Decision,
    answer: Answer,
    message: str,
    *,
    leaves: bool = False,
    **fields: object,
) -> list[str]:
    if view.game.pending != decision:
        return []
    outlook = foresee(view.game, answer)
    if leaves:  # who else may leave has been said of staying
        outlook.asked = [it for it in outlook.asked if not isinstance(it, decisions.YieldDecision)]
        outlook.events = [
            event
            for event in outlook.events
            if not (isinstance(event, ev.LeftTokyo) and event.seat == view.seat)
        ]
    clauses = describe_outcomes(view, outlook) or [_("nothing changes")]
    return [_(message, what=i18n.list_with_commas(clauses), **fields)]


# -- what happened on a fork of the referee, as the clauses of one sentence ----------------


@dataclass(frozen=True, slots=True)
class Clause:
    """Part of a sentence, marked for translation; `{names}`: the others, `{what}`: an amount."""

    about_you: str
    about_others: tuple[str, str]


LOSES = Clause(N_("you lose {what}"), i18n.N_plural("{names} loses {what}", "{names} lose {what}"))
LOSES_AND_MAY_LEAVE = Clause(
    LOSES.about_you,
    i18n.N_plural("{names} loses {what} and may leave", "{names} lose {what} and may leave"),
)
GETS = Clause(N_("you get {what}"), i18n.N_plural("{names} gets {what}", "{names} get {what}"))
OUT = Clause(
    N_("you are out of the game"),
    i18n.N_plural("{names} is out of the game", "{names} are out of the game"),
)
BACK = Clause(
    N_("you come back with {what}"),
    i18n.N_plural("{names} comes back with {what}", "{names} come back with {what}"),
)
WICKED = Clause(
    N_("your wickedness becomes {what}"),
    i18n.N_plural(
        "the wickedness of {names} becomes {what}", "the wickedness of {names} becomes {what}"
    ),
)
LEAVES = Clause(N_("you leave Tokyo"), i18n.N_plural("{names} leaves Tokyo", "{names} leave Tokyo"))
ENTERS = Clause(N_("you enter Tokyo"), i18n.N_plural("{names} enters Tokyo", "{names} enter Tokyo"))
ENTERS_BAY = Clause(
    N_("you enter Tokyo Bay"), i18n.N_plural("{names} enters Tokyo Bay", "{names} enter Tokyo Bay")
)
WINS = Clause(N_("you win"), i18n.N_plural("{names} wins", "{names} win"))
WINS_BY_POINTS = Clause(
    N_("you would have {what} and win"),
    i18n.N_plural("{names} would have {what} and win", "{names} would have {what} and win"),
)
MAY_PROBE = Clause(
    N_("you may reroll a die"),
    i18n.N_plural("{names} may reroll a die", "{names} may reroll a die"),
)
MAY_DEFEND = Clause(N_("you may defend"), i18n.N_plural("{names} may defend", "{names} may defend"))
MAY_LEAVE = Clause(
    N_("you may leave Tokyo"), i18n.N_plural("{names} may leave Tokyo", "{names} may leave Tokyo")
)
MAY_CHOOSE = Clause(
    N_("you have a choice to make"),
    i18n.N_plural("{names} has a choice to make", "{names} have a choice to make"),
)


def describe_outcomes(view: SeatView, outlook: Outlook) -> list[str]:
    """Return clauses about what happens, the gravest first, as the last may have no room."""
    entry = _describe_own_entry(view, outlook)
    asked = {one.seat for one in outlook.asked if isinstance(one, decisions.YieldDecision)}
    may_leave = set() if entry else asked - {view.seat}
    return [
        *_describe_end_of_turn(view, outlook),
        *_describe_changes(view, outlook.events, may_leave),
        *_describe_choices_of_others(view, outlook),
        *entry,
        *_describe_next(view, outlook.stands_at),
    ]


def _describe_changes(
    view: SeatView, events: Sequence[ev.Event], may_leave: set[Seat]
) -> list[str]:
    seats_of: dict[tuple[Clause, str], list[Seat]] = {}
    most = view.game.setup.rules.points_on_dial
    hearts = [monster.hearts for monster in view.game.state.monsters]
    sums = _sum_amounts(events, hearts, most, may_leave)
    found = [*_find_moves(events), *sums, *_find_other_changes(events)]
    for clause, seat, what in sorted(found, key=lambda one: one[0] is not OUT):
        seats = seats_of.setdefault((clause, what), [])
        if seat not in seats:
            seats.append(seat)
    joined: dict[tuple[Clause, tuple[Seat, ...]], list[str]] = {}
    for (clause, what), seats in seats_of.items():
        joined.setdefault((clause, tuple(seats)), []).append(what)
    return [
        part
        for (clause, group), whats in joined.items()
        for part in _fill_clause(view, clause, group, i18n.list_with_and(whats))
    ]


def _sum_amounts(
    events: Sequence[ev.Event], hearts: Sequence[int], most: int, may_leave: set[Seat]
) -> list[tuple[Clause, Seat, str]]:
    """Add up the changes of each monster; `hearts` are those before, `most` ends the dial."""
    lost, healed, points, energy, lost_on_top = (Counter[Seat]() for _sum in range(5))
    dice_points = DicePoints()
    for event in events:
        of_dice = dice_points.note_event(event)
        match event:
            case ev.HeartsLost(seat=seat, amount=n):
                lost[seat] += n
            case ev.HeartsGained(seat=seat, amount=n):
                healed[seat] += n
            case ev.HeartsSet(seat=seat, hearts=n):
                change = n - hearts[seat] - healed[seat] + lost[seat]
                (healed if change > 0 else lost)[seat] += abs(change)
            case ev.PointsGained(seat=seat, amount=n):
                points[seat] += n
                lost_on_top[seat] += max(0, of_dice - n)
            case ev.PointsLost(seat=seat, amount=n):
                points[seat] -= n
            case ev.EnergyGained(seat=seat, amount=n):
                energy[seat] += n
            case ev.EnergyLost(seat=seat, amount=n):
                energy[seat] -= n
            case _:  # no sum: `_find_other_changes` has it, or nothing does
                pass
    loses = {seat: LOSES_AND_MAY_LEAVE if seat in may_leave else LOSES for seat in lost}
    found = [(loses[seat], seat, names.hearts(n)) for seat, n in lost.items() if n]
    found += [(GETS, seat, names.hearts(n)) for seat, n in healed.items() if n]
    found += [(MAY_LEAVE, seat, "") for seat in may_leave if seat not in lost]
    return [*found, *_list_gains(points, lost_on_top, most, energy)]


def _list_gains(
    points: Counter[Seat], lost_on_top: Counter[Seat], most: int, energy: Counter[Seat]
) -> Iterator[tuple[Clause, Seat, str]]:
    for seat, n in points.items():
        if n > 0:
            yield GETS, seat, names.capped_points(n + lost_on_top[seat], n, most)
        elif n < 0:
            yield LOSES, seat, names.points(-n)
    for seat, n in energy.items():
        if n:
            yield GETS if n > 0 else LOSES, seat, names.energy(abs(n))


def _find_moves(events: Sequence[ev.Event]) -> Iterator[tuple[Clause, Seat, str]]:
    out = {event.seat for event in events if isinstance(event, ev.Eliminated)}
    for event in events:
        if isinstance(event, ev.LeftTokyo) and event.seat not in out:
            yield LEAVES, event.seat, ""
        elif isinstance(event, ev.EnteredTokyo):
            yield ENTERS_BAY if event.place is Place.BAY else ENTERS, event.seat, ""


def _find_other_changes(events: Sequence[ev.Event]) -> list[tuple[Clause, Seat, str]]:
    wicked = {event.seat: event for event in events if isinstance(event, ev.WickednessChanged)}
    found: list[tuple[Clause, Seat, str]] = []
    for event in events:
        match event:
            case ev.TokensGained(seat=seat, token=token, amount=n):
                found.append((GETS, seat, count_of_tokens(token, n)))
            case ev.TokensRemoved(seat=seat, token=token, amount=n):
                found.append((LOSES, seat, count_of_tokens(token, n)))
            case ev.WickednessChanged(seat=seat, wickedness=n) if wicked[seat] is event:
                found.append((WICKED, seat, str(n)))
            case ev.Eliminated(seat=seat):
                found.append((OUT, seat, ""))
            case ev.Resurrected(seat=seat, hearts=n):
                found.append((BACK, seat, names.hearts(n)))
            case _:  # an amount, or something that the reader need not know beforehand
                pass
    return found


def _describe_choices_of_others(view: SeatView, outlook: Outlook) -> list[str]:
    """Return clauses about what other players may do; the reader knows their own.

    That every turn may end with a card goes without saying; who may leave Tokyo has been said.
    """
    seats: dict[Clause, list[Seat]] = {}
    for decision in outlook.asked:
        if isinstance(decision, decisions.BuyDecision | decisions.YieldDecision):
            continue
        others = seats.setdefault(CLAUSES_OF_INTERLUDES.get(type(decision), MAY_CHOOSE), [])
        if decision.seat != view.seat and decision.seat not in others:
            others.append(decision.seat)
    order = (MAY_PROBE, MAY_DEFEND, MAY_CHOOSE)
    return [part for one in order for part in _fill_clause(view, one, seats.get(one, []), "")]


def _describe_own_entry(view: SeatView, outlook: Outlook) -> list[str]:
    """Say that the reader takes the place of a monster that leaves."""
    asked = [one for one in outlook.asked if isinstance(one, decisions.YieldDecision)]
    hit = {one.seat for one in asked}
    is_inside = view.game.state.monsters[view.seat].place is not Place.OUTSIDE or any(
        isinstance(event, ev.EnteredTokyo) and event.seat == view.seat for event in outlook.events
    )
    if not hit or is_inside or any(one.attacker != view.seat for one in asked):
        return []
    if len(hit) > 1:
        return [_("you enter if one leaves")]
    return [_("you enter if {name} leaves", name=names.player_name(view, hit.pop()))]


CLAUSES_OF_INTERLUDES: Mapping[type[decisions.Decision], Clause] = MappingProxyType(
    {decisions.ProbeDecision: MAY_PROBE, decisions.ResponseDecision: MAY_DEFEND}
)


def _describe_next(view: SeatView, pending: decisions.Pending | None) -> list[str]:
    """Say where the fork stopped, unless the other clauses make that clear."""
    match pending:
        case decisions.Chance(kind=decisions.ChanceKind.DICE, draws=draws):
            return [plural("{n} die is rolled", "{n} dice are rolled", len(draws))]
        case decisions.Chance(kind=decisions.ChanceKind.CARDS):
            return [_("cards are turned up")]
        case decisions.TileDecision() | decisions.CopyDecision() | decisions.DepositDecision() if (
            pending.seat == view.seat
        ):
            return [_("then you choose")]
        case _:  # the other clauses say it
            return []


def _describe_end_of_turn(view: SeatView, outlook: Outlook) -> list[str]:
    """Name the monsters that fall after `stands_at`, and the winners."""
    out = [event.seat for event in outlook.later if isinstance(event, ev.Eliminated)]
    parts = _fill_clause(view, OUT, out, "")
    points = winning_points(view, outlook)
    if points:
        return parts + _fill_clause(
            view, WINS_BY_POINTS, outlook.winners or (), names.points(points)
        )
    return parts + _fill_clause(view, WINS, outlook.winners or (), "")


def _fill_clause(view: SeatView, clause: Clause, seats: Sequence[Seat], what: str) -> list[str]:
    """Return the clause about other seats and that about the reader, whose verbs differ."""
    others = [names.player_name(view, seat) for seat in seats if seat != view.seat]
    parts = []
    if others:
        parts.append(
            plural(*clause.about_others, len(others), names=i18n.list_with_and(others), what=what)
        )
    if view.seat in seats:
        parts.append(_(clause.about_you, what=what))
    return parts


class Foreseen(Preview):
    """The lines that the questions show."""

    lines_of_default = staticmethod(lines_of_default)
    lines_of_yield = staticmethod(lines_of_yield)
    lines_of_damage = staticmethod(lines_of_damage)
    lines_of_purchases = staticmethod(lines_of_purchases)
    lines_of_proposal = staticmethod(lines_of_proposal)
