"""A turn from start to end, its dice until they are final, the set-up, and the next turn.

Scope: the steps of RULES.md section 3 in their order; most have a module of their own. When the
active monster is out, the rest of its turn falls away (3.13). If a seat leaves the game while a
node of chance is open, the node is made anew, since the piles may have grown.
"""

from dataclasses import dataclass

from kotp2p.referee.model import decisions
from kotp2p.referee.model import events as ev
from kotp2p.referee.model.answers import CLAW, THREE, Again, Face, Item, Reroll, Seat, Sell, Use
from kotp2p.referee.model.state import (
    BY_PAYMENT,
    FINAL_PUSH,
    FREEZE_TIME,
    FRENZY,
    ORDINARY,
    DamageKind,
    State,
    TurnKind,
)
from kotp2p.referee.rules.damage import deal_damage
from kotp2p.referee.rules.holdings import lose_holding
from kotp2p.referee.rules.market import buy_step, refill_market
from kotp2p.referee.rules.monsters import enter_step, gain_energy, start_in_tokyo
from kotp2p.referee.rules.resolving import lay_tiles, resolve_dice
from kotp2p.referee.table.table import Effect, Hit, Rules, Table


@dataclass(slots=True)
class NextTurn:
    """Whose turn comes next, and why."""

    seat: Seat
    kind: TurnKind = ORDINARY


# -- set-up --------------------------------------------------------------------------------------


def set_up(t: Table) -> Rules[NextTurn]:
    """Set up the market and the tiles, then roll off (3.0); return the first turn."""
    yield from refill_market(t)
    if t.rules.tiles:
        yield from lay_tiles(t)
    return NextTurn((yield from _roll_off(t)))


def _roll_off(t: Table) -> Rules[Seat]:
    """Return the monster with the most claws; tied monsters roll again (D-05)."""
    tied = t.state.seats_alive()
    while True:
        # If all tied monsters have left, all others roll.
        tied = [seat for seat in tied if t.monsters[seat].alive] or t.state.seats_alive()
        if len(tied) <= 1:
            return tied[0] if tied else 0  # the game ends with the turn of the last one
        values = yield decisions.Chance(decisions.DICE, (decisions.Draw(6),) * (6 * len(tied)))
        if not isinstance(values, tuple):  # a seat has left: the rest roll anew
            continue
        faces = [FACES[value] for value in values]
        rolls = [(seat, tuple(faces[6 * i : 6 * i + 6])) for i, seat in enumerate(tied)]
        t.record(ev.FirstRolled(tuple(rolls)))
        most = max(dice.count(CLAW) for _, dice in rolls)
        tied = [seat for seat, dice in rolls if dice.count(CLAW) == most]


# -- the turn ------------------------------------------------------------------------------------


def play_turn(t: Table, turn: NextTurn) -> Rules[None]:
    t.new_turn()
    if not t.state.seats_alive():
        yield from _turn_end(t)
        return
    t.record(ev.TurnStarted(turn.seat, turn.kind))
    yield from _turn_start(t)
    yield from roll_dice(t)
    yield from _after_roll(t)


def play_final_dice(t: Table, dice: tuple[Face, ...]) -> Rules[None]:
    """Play the rest of a turn whose active monster rolls all of `dice` now, and stops."""
    t.record(ev.DiceRolled(t.state.active, tuple(range(len(dice))), dice))
    yield from _after_roll(t)


def _after_roll(t: Table) -> Rules[None]:
    """Play the steps after the roll, without those that need a card that is not there."""
    seat = t.state.active
    if t.of_any(Effect.offer_probe):
        yield from probe_window(t)
    if t.of(Effect.offer_change, seat):
        yield from change_dice(t)
    yield from resolve_dice(t)
    enter_step(t)
    yield from buy_step(t)
    if t.of(Effect.may_sell, seat):
        yield from _sell_step(t)
    yield from _end_effects(t)
    yield from _turn_end(t)


def cut_short(t: Table, refilling: bool) -> Rules[None]:
    """End the turn of a monster that has left the game, without END_EFFECTS (A-91).

    With `refilling` cards were being turned up, and they still are (A-108). A card that was bought
    and is not resolved by then is discarded.
    """
    if refilling:
        yield from refill_market(t)
    for card in list(t.state.resolving):
        t.record(ev.CardDiscarded(card))
    yield from _turn_end(t)


def _turn_start(t: Table) -> Rules[None]:
    """Do TURN_START, in the order of 3.2; nothing here can hurt the active monster."""
    seat = t.state.active
    for me in t.adding_up(Effect.turn_starts, seat):
        if t.still_works(me):
            yield from me.effect.turn_starts(t, me)
    start_in_tokyo(t)
    for me in t.of(Effect.choose_copied_card, seat):
        if t.still_works(me):
            yield from me.effect.choose_copied_card(t, me)


def _sell_step(t: Table) -> Rules[None]:
    """SELL: cards go for their printed cost, and no bonus is added (A-22, D-23)."""
    seat = t.state.active
    while t.of(Effect.may_sell, seat):
        cards = [h.item for h in t.active.holdings if t.is_card(h.item)]
        if not cards:
            return
        answer = yield from t.ask(decisions.SellDecision(seat, tuple(cards)))
        if isinstance(answer, Sell):
            for card in answer.cards:
                holding = next(h for h in t.active.holdings if h.item == card)
                cost = t.setup.deck[card].cost
                t.record(ev.CardSold(seat, card, cost))
                lose_holding(t, seat, holding)
                gain_energy(t, seat, cost, BY_PAYMENT, card, refund=True)
        elif answer is not None:
            return


def _end_effects(t: Table) -> Rules[None]:
    """Do END_EFFECTS, then deal poison as one hit (3.12)."""
    monster = t.active
    if not monster.alive:
        return
    for me in t.adding_up(Effect.turn_ends, monster.seat):
        if t.still_works(me):
            yield from me.effect.turn_ends(t, me)
    if monster.alive and monster.poison:
        poison = Hit(monster.seat, monster.poison, DamageKind.POISON, None)
        yield from deal_damage(t, poison)


# -- its end -------------------------------------------------------------------------------------


def _turn_end(t: Table) -> Rules[None]:
    """Do TURN_END: victory first, then the offer of another turn for three ones (A-31)."""
    seat = t.state.active
    winners = _find_winners(t)
    while (
        winners is None
        and t.monsters[seat].alive
        and t.state.triple_ones
        and t.of(Effect.three_ones_earn_a_turn, seat)
    ):
        answer = yield t.with_offers(decisions.AgainDecision(seat))
        if isinstance(answer, Use):
            yield from t.use(Effect.offer_anytime, seat, answer)
        elif isinstance(answer, Again):
            t.record(ev.ExtraTurnGained(seat, FREEZE_TIME))
            break
        elif answer is not None:
            break
        else:  # a seat has left: the game may be over by now
            winners = _find_winners(t)
    t.record(ev.TurnEnded(seat))
    if winners is not None:
        t.record(ev.GameEnded(winners))


def _find_winners(t: Table) -> tuple[Seat, ...] | None:
    """Return the winners, or None if the game goes on (3.13)."""
    if t.state.roar is not None:
        return (t.state.roar,)
    alive = [m for m in t.monsters if m.alive]
    if len(alive) <= 1:
        return tuple([m.seat for m in alive])
    goal = t.rules.goal
    return tuple([m.seat for m in alive if m.points >= goal]) or None


def find_next_turn(state: State) -> NextTurn:
    """Return the next turn: extra ones of the active monster, of others, then clockwise (3.13)."""
    if state.monsters[state.active].alive:
        if state.freeze:
            return NextTurn(state.active, FREEZE_TIME)
        if state.final_push:
            return NextTurn(state.active, FINAL_PUSH)
        if state.frenzy:
            return NextTurn(state.active, FRENZY)
    for seat in state.others_frenzy:
        if state.monsters[seat].alive:
            return NextTurn(seat, FRENZY)
    # `home` and not `active`: an extra turn of another seat does not move the clockwise order.
    home = state.home
    for monster in state.monsters[home + 1 :] + state.monsters[:home]:
        if monster.alive:
            return NextTurn(monster.seat)
    return NextTurn(home)


# -- asking chance -------------------------------------------------------------------------


DIE_DRAW = decisions.Draw(6)
FACES = tuple(Face)
_DICE_DRAWS = [(DIE_DRAW,) * n for n in range(32)]


def draw_dice(t: Table, count: int, seat: Seat | None = None) -> Rules[tuple[Face, ...]]:
    """Roll `count` dice and return the faces; none if their one `seat` leaves the game."""
    draws = _DICE_DRAWS[count] if count < len(_DICE_DRAWS) else (DIE_DRAW,) * count
    while seat is None or t.monsters[seat].alive:
        values = yield decisions.Chance(decisions.DICE, draws, seat)
        if isinstance(values, tuple):
            return tuple([FACES[value] for value in values])
    return ()


# -- the dice of a turn --------------------------------------------------------------------


def count_dice(t: Table) -> int:
    """Return how many dice the active monster rolls this turn (3.2.8, A-49, A-51)."""
    seat = t.state.active
    more = t.total(Effect.extra_dice, seat)
    return max(0, t.rules.dice + more - t.monsters[seat].shrink - t.state.frozen)


def roll_dice(t: Table) -> Rules[None]:
    """ROLL: the first roll, then rerolls and cards until the monster stops."""
    count = count_dice(t)
    if not count:
        return
    state = t.state
    seat = state.active
    first = yield from draw_dice(t, count)
    t.record(ev.DiceRolled(seat, tuple(range(count)), first))
    while True:
        allowed = t.rules.rolls + t.total(Effect.extra_rolls, seat)
        left = max(0, allowed + state.extra_rolls - state.rolls)
        uses = t.offers(Effect.offer_roll, seat)
        if not left and not uses:
            return
        decision = decisions.RollDecision(seat, tuple(state.dice), left)
        answer = yield from t.ask(decision, Effect.offer_roll, uses)
        if isinstance(answer, Reroll):
            faces = yield from draw_dice(t, len(answer.dice))
            dice = list(state.dice)
            for i, position in enumerate(answer.dice):
                dice[position] = faces[i]
            t.record(ev.DiceRolled(seat, answer.dice, tuple(dice)))
        elif answer is not None:
            return


def reroll_one(t: Table, seat: Seat, item: Item, position: int) -> Rules[Face]:
    """Reroll one die by a card of `seat`; a 3 of another seat stays one of a probe (A-107)."""
    (face,) = yield from draw_dice(t, 1)
    is_of_probe = seat != t.state.active or position in t.probed
    set_die(t, seat, item, position, face)
    if is_of_probe and face is THREE:
        t.probed.add(position)
    return face


def set_die(t: Table, seat: Seat, item: Item, position: int, face: Face) -> None:
    """Turn one die of the active monster by a card of `seat`. It is no die of a probe then."""
    t.record(ev.DieChanged(seat, item, position, face))
    t.probed.discard(position)


def probe_window(t: Table) -> Rules[None]:
    """Ask each opponent that can reroll a die, clockwise, for one use each (3.4)."""
    active = t.state.active
    if not t.state.dice:
        return
    for seat in t.state.seats_clockwise(active):
        while uses := t.offers(Effect.offer_probe, seat):
            probes = {usable.item for usable in uses}
            answer = yield t.with_offers(
                decisions.ProbeDecision(seat, active, tuple(t.state.dice)), uses
            )
            if isinstance(answer, Use):
                yield from t.use(Effect.offer_probe, seat, answer)
                if answer.item in probes:
                    break
            elif answer is not None:
                break


def change_dice(t: Table) -> Rules[None]:
    """Let cards turn dice until the monster is done (3.5)."""
    seat = t.state.active
    while True:
        uses = t.offers(Effect.offer_change, seat)
        if not uses:
            return
        decision = decisions.ChangeDecision(seat, tuple(t.state.dice))
        answer = yield from t.ask(decision, Effect.offer_change, uses)
        if answer is not None:
            return
