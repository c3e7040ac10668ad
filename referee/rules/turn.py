"""A turn from start to end, its dice until they are final and resolved, and the next turn.

Scope: the set-up, and the steps of RULES.md section 3 in their order; the market has a module of
its own. When the active monster is out, the rest of its turn falls away (3.13). If a seat leaves
the game while a node of chance is open, the node is made anew, since the piles may have grown. Each
group of dice looks at the State when it is reached (A-106), so their order matters.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial

from kotp2p.referee.box.cards import MIXED, SIDES, TILES, TRACK_STEPS, faces_lying_up
from kotp2p.referee.model import answers, decisions, state
from kotp2p.referee.model import events as ev
from kotp2p.referee.model.answers import CLAW, THREE, Again, Face, Item, Reroll, Seat, Sell, Use
from kotp2p.referee.model.state import (
    BY_PAYMENT,
    FINAL_PUSH,
    FREEZE_TIME,
    FRENZY,
    ORDINARY,
    OUTSIDE,
    DamageKind,
    State,
    TurnKind,
)
from kotp2p.referee.rules.damage import ask_before_energy_loss, deal_damage, would_land
from kotp2p.referee.rules.holdings import gain_holding, lose_holding
from kotp2p.referee.rules.market import buy_step, refill_market
from kotp2p.referee.rules.monsters import (
    enter_step,
    gain_energy,
    gain_hearts,
    gain_points,
    leave_tokyo,
    lose_energy,
    max_hearts,
    remove_tokens,
    start_in_tokyo,
)
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


@cache
def _dice_node(count: int, seat: Seat | None) -> decisions.Chance:
    """Return one node for all such rolls, as nothing writes to a node of chance."""
    return decisions.Chance(decisions.DICE, (DIE_DRAW,) * count, seat)


def draw_dice(t: Table, count: int, seat: Seat | None = None) -> Rules[tuple[Face, ...]]:
    """Roll `count` dice and return the faces; none if their one `seat` leaves the game."""
    while seat is None or t.monsters[seat].alive:
        values = yield _dice_node(count, seat)
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
        answer = yield t.with_offers(decision, uses)
        if isinstance(answer, Reroll):
            faces = yield from draw_dice(t, len(answer.dice))
            dice = list(state.dice)
            for i, position in enumerate(answer.dice):
                dice[position] = faces[i]
            t.record(ev.DiceRolled(seat, answer.dice, tuple(dice)))
        elif isinstance(answer, Use):
            yield from t.use(Effect.offer_roll, seat, answer)
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


# -- wickedness: the track and the taking of its tiles (RULES.md 2.1, 2.2) -----------------
#
# The marker moves with the ones and the twos. Each step that it reaches is paid out once, until
# the marker is back at 0.


TRACK_END = TRACK_STEPS[-1]
WICKEDNESS_PER_TRIPLE = {answers.ONE: 2, answers.TWO: 1}
"""Wickedness for each triple; threes give none."""


def lay_tiles(t: Table) -> Rules[None]:
    """Lay one face of each tile up; mixed sides are drawn, all at once (A-45)."""
    tiles = len(TILES) // len(SIDES)
    sides: Sequence[str] = (t.setup.options.tile_sides,) * tiles
    if t.setup.options.tile_sides == MIXED:
        values = None
        while not isinstance(values, tuple):
            if not t.state.seats_alive():
                return
            values = yield decisions.Chance(
                decisions.ChanceKind.SIDES, (decisions.Draw(len(SIDES)),) * tiles
            )
        sides = [SIDES[value] for value in values]
    deck = len(t.setup.deck)
    t.record(ev.TilesLaid(tuple(deck + face for face in faces_lying_up(tuple(sides)))))


def advance_wickedness(t: Table, face: Face, count: int) -> Rules[None]:
    """Move the marker for a triple, then take a tile for each step reached, the lower first."""
    seat = t.state.active
    monster = t.active
    goal = min(TRACK_END, monster.wickedness + WICKEDNESS_PER_TRIPLE.get(face, 0) * (count // 3))
    if goal == monster.wickedness:
        return
    t.record(ev.WickednessChanged(seat, goal))
    for step in TRACK_STEPS:
        if monster.wickedness >= step and step not in monster.steps:
            yield from _take_tile(t, seat, step)


def _take_tile(t: Table, seat: Seat, step: int) -> Rules[None]:
    """Take a tile, which is a must if there is one (A-44), but no second one of the same step."""
    while True:
        known = _tiles_at_step(t, t.state.tiles, step)
        held = [holding.item for holding in t.monsters[seat].holdings]
        if not known or _tiles_at_step(t, held, step):
            t.record(ev.TileTaken(seat, state.NO_ITEM, step))
            return
        answer = None
        if len(known) == 1:
            answer = answers.Take(known[0])
        else:
            given = yield from t.ask(decisions.TileDecision(seat, step, known))
            if isinstance(given, answers.Take):
                answer = given
        if answer is not None:
            t.record(ev.TileTaken(seat, answer.tile, step))
            yield from gain_holding(t, seat, answer.tile)
            return


def _tiles_at_step(t: Table, items: Sequence[Item], step: int) -> tuple[Item, ...]:
    return tuple(i for i in items if not t.is_card(i) and t.setup.tile(i).step == step)


# -- claws: how many, whom they hit, and the yields (RULES.md 3.7) -------------------------
#
# One order for all rule sets; the hooks `modify_claws` and `extra_damage` of the cards hold what
# differs between them. With at least one claw it is an attack. Damage that cards deal without a
# claw is a hit by a card, after which no monster yields.


def find_neighbours(t: Table) -> tuple[Seat, ...]:
    """Return the nearest living monsters to the left and right, perhaps one (A-63)."""
    alive = t.state.others_alive(t.state.active)
    return (alive[0], alive[-1]) if len(alive) > 1 else tuple(alive)


def count_claws(t: Table) -> int:
    """Return the number of claw dice after the changes by cards (3.7.1)."""
    seat = t.state.active
    claws = t.state.dice.count(CLAW)
    for me in t.of(Effect.modify_claws, seat):
        claws = me.effect.modify_claws(t, me, claws)
    return claws


def find_targets(t: Table) -> list[Seat]:
    """Return the monsters that the active one can attack (3.7.2), clockwise from its left."""
    seat = t.state.active
    others = t.state.others_alive(seat)
    if t.of(Effect.claws_reach_all_others, seat):
        return others
    monsters = t.monsters
    if monsters[seat].place is OUTSIDE:
        return [s for s in others if monsters[s].place is not OUTSIDE]
    return [s for s in others if monsters[s].place is OUTSIDE]


def build_hits(t: Table, claws: int) -> list[Hit]:
    """Return a hit for each victim, clockwise from the left of the active monster (A-06)."""
    seat = t.state.active
    adding = t.of(Effect.extra_damage, seat)
    if not claws and not adding:
        return []
    aimed = find_targets(t)
    if not adding:
        return [Hit(victim, claws, state.CLAWS, seat) for victim in aimed]
    hits = []
    for victim in t.state.others_alive(seat):
        is_target = victim in aimed
        amount = claws if is_target else 0
        item = None
        for me in adding:
            more = me.effect.extra_damage(t, me, claws, victim, aimed)
            amount += more
            item = me.holding.item if more and item is None else item
        if amount > 0:
            # Damage that cards add to claws is one hit with them. Without claws it is a
            # hit by the first card that added to it.
            by_claws = is_target and claws > 0
            kind = state.CLAWS if by_claws else state.DamageKind.CARD
            hits.append(Hit(victim, amount, kind, seat, None if by_claws else item))
    return hits


def resolve_claws(t: Table) -> Rules[None]:
    """Resolve CLAWS (3.7): hits, yields, delayed hits, and effects after the yields.

    A hit on a monster whose card says `yielding_avoids_damage` is put aside until it has answered
    the yield question. If it yields, the hit is void (3.7.4 a).
    """
    claws = count_claws(t)
    attacker = t.state.active
    t.points_at_claws = t.monsters[attacker].points
    hits = build_hits(t, claws)
    if claws:
        for me in t.of(Effect.attack_begins, attacker):
            me.effect.attack_begins(t, me)
    aside: dict[Seat, Hit] = {}
    hurt: list[Seat] = []
    for hit in hits:
        seat = hit.victim
        monster = t.monsters[seat]
        in_tokyo = monster.place is not OUTSIDE and hit.kind is state.CLAWS
        if in_tokyo and t.of(Effect.yielding_avoids_damage, seat) and would_land(t, hit):
            aside[seat] = hit
            continue
        lost = yield from deal_damage(t, hit)
        if lost and in_tokyo:
            hurt.append(seat)
    if hurt or aside:
        yielders = yield from _ask_yields(t, attacker, hurt, aside)
        for hit in aside.values():
            if hit.victim not in yielders:
                yield from deal_damage(t, hit)
        yield from _after_yields(t, attacker, yielders)


def _ask_yields(
    t: Table, attacker: Seat, hurt: list[Seat], aside: dict[Seat, Hit]
) -> Rules[list[Seat]]:
    """Ask the City, then the Bay, which knows the first answer (A-19); return the yielders."""
    yielders: list[Seat] = []
    for seat in [s for s in t.seats_in_tokyo() if s in hurt or s in aside]:
        pending = aside[seat].amount if seat in aside else 0
        while t.monsters[seat].place is not OUTSIDE:
            answer = yield t.with_offers(decisions.YieldDecision(seat, attacker, pending))
            if answer is None:  # a seat has left the game, maybe this one
                continue
            if isinstance(answer, Use):
                yield from t.use(Effect.offer_anytime, seat, answer)
                continue
            yields = isinstance(answer, answers.Yield)
            t.record(ev.YieldAnswered(seat, yields))
            if yields:
                leave_tokyo(t, seat, yielded=True)
                yielders.append(seat)
            break
    return yielders


def _after_yields(t: Table, attacker: Seat, yielders: list[Seat]) -> Rules[None]:
    """Run first all effects on yielding, then all swaps (3.7.6)."""
    for seat in yielders:
        for me in t.adding_up(Effect.yielded_tokyo, seat):
            if t.still_works(me):
                yield from me.effect.yielded_tokyo(t, me, attacker)
    for me in t.each(Effect.may_swap, yielders):
        if t.still_works(me):
            yield from me.effect.may_swap(t, me, attacker)


# -- the groups of dice --------------------------------------------------------------------


NUMBERS = (answers.ONE, answers.TWO, answers.THREE)
HEART_PRICE = 2
"""Energy that a patient pays for a heart (K19)."""


def resolve_dice(t: Table) -> Rules[None]:
    seat = t.state.active
    t.neighbours = find_neighbours(t)
    order = yield from _ask_order(t)
    t.record(ev.DiceResolved(seat, tuple(t.state.dice), order))
    if t.of(Effect.score_whole_roll, seat) and not _is_asleep(t):
        claws = count_claws(t)
        for me in t.of(Effect.score_whole_roll, seat):
            me.effect.score_whole_roll(t, me, claws)
    # Claws that were left out, or that have come into being since, are the last group.
    groups = order if CLAW in order else (*order, CLAW)
    monster = t.monsters[seat]
    for group in groups:
        if not monster.alive:
            return
        # Whether a group counts is judged now, since a tile may have come before it.
        count = t.state.dice.count(group)
        if group is answers.HEART:
            yield from _resolve_hearts(t, count)
        elif group is answers.BOLT:
            _resolve_bolts(t, count)
        elif group is CLAW:
            if not _is_asleep(t):
                yield from resolve_claws(t)
        elif count >= 3 and not _is_asleep(t):  # fewer of a number are worth nothing
            yield from _resolve_number(t, group, count)


def _is_asleep(t: Table) -> bool:
    return bool(t.of(Effect.is_dormant, t.state.active))


def _ask_order(t: Table) -> Rules[tuple[Face, ...]]:
    """Ask for the order of two groups or more, claws of cards among them (A-97, A-105)."""
    seat = t.state.active
    held = tuple(sorted(set(t.state.dice)))
    of_cards = CLAW not in held and not _is_asleep(t) and bool(count_claws(t) or build_hits(t, 0))
    groups = (*held, CLAW) if of_cards else held
    while len(held) > 1:
        answer = yield t.with_offers(decisions.OrderDecision(seat, groups, of_cards))
        if isinstance(answer, answers.Order):
            return answer.groups
        if isinstance(answer, Use):
            yield from t.use(Effect.offer_anytime, seat, answer)
    return groups


def _resolve_number(t: Table, face: Face, count: int) -> Rules[None]:
    """Score a triple: its number, and 1 point for each further die (D-08)."""
    seat = t.state.active
    gain_points(t, seat, face + 1 + count - 3, state.BY_DICE)
    if face is answers.ONE:
        t.record(ev.TripleOnesScored(seat))
    for me in t.of(Effect.triple_scored, seat):
        me.effect.triple_scored(t, me, face, count)
    if t.rules.tiles:
        yield from advance_wickedness(t, face, count)


def _resolve_bolts(t: Table, count: int) -> None:
    seat = t.state.active
    gain_energy(t, seat, count, state.BY_DICE)
    for me in t.of(Effect.bolts_resolved, seat):
        me.effect.bolts_resolved(t, me, count)


# -- hearts ------------------------------------------------------------------------------------


def _resolve_hearts(t: Table, count: int) -> Rules[None]:
    seat = t.state.active
    monster = t.monsters[seat]
    while True:
        own = 0 if monster.place is not OUTSIDE or monster.zombie else count
        poison, shrink = min(own, monster.poison), min(own, monster.shrink)
        patients = _find_patients(t, count)
        if not (own or patients):
            return
        decision = decisions.HeartsDecision(seat, count, own, poison, shrink, patients)
        answer = yield from t.ask(decision)
        if isinstance(answer, answers.Hearts):
            yield from _spend_hearts(t, answer)
            return


def _find_patients(t: Table, count: int) -> tuple[tuple[Seat, int], ...]:
    """Return other monsters that heart dice can heal, with the most hearts (K19, A-21)."""
    seat = t.state.active
    if not t.of(Effect.may_heal_others, seat):
        return ()
    found = []
    for monster in t.monsters:
        if monster.alive and monster.seat != seat:
            most = min(count, _count_lacking(t, monster.seat))
            if most > 0:
                found.append((monster.seat, most))
    return tuple(found)


def _spend_hearts(t: Table, spent: answers.Hearts) -> Rules[None]:
    """Spend the hearts; patients may use their energy first, and pay what they have (A-94)."""
    seat = t.state.active
    for patient, amount in spent.give:
        loss = partial(_price_of_healing, t, patient, amount)
        yield from ask_before_energy_loss(t, patient, seat, loss)
    remove_tokens(t, seat, state.POISON, spent.poison)
    remove_tokens(t, seat, state.SHRINK, spent.shrink)
    if spent.heal:
        gain_hearts(t, seat, spent.heal, state.BY_DICE)
        for me in t.of(Effect.hearts_healed, seat):
            me.effect.hearts_healed(t, me, spent.heal)
    for patient, amount in spent.give:
        paid = _price_of_healing(t, patient, amount)
        gain_hearts(t, patient, min(amount, _count_lacking(t, patient)), state.BY_CARD)
        lose_energy(t, patient, paid, state.BY_PAYMENT)
        gain_energy(t, seat, paid, state.BY_PAYMENT)


def _count_lacking(t: Table, seat: Seat) -> int:
    return max_hearts(t, seat) - t.monsters[seat].hearts


def _price_of_healing(t: Table, patient: Seat, amount: int) -> int:
    """Return what the patient pays for hearts that heal it, at most all it has (A-94)."""
    heals = min(amount, _count_lacking(t, patient))
    return min(t.monsters[patient].energy, HEART_PRICE * heals)
