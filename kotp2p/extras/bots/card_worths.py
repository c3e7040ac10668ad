"""What cards are worth to a seat at this moment of the game, learned by trying them.

Scope: a card in play adds what its trial has shown for the rounds that are still to come. An offer
adds that, and what its purchase brings at once, which is tried on a fork.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from kotp2p.extras.bots import chances
from kotp2p.extras.bots.judgement import (
    MAX_FORESEEN_STEPS,
    Judgement,
    first_values,
    promising_answers,
)
from kotp2p.referee.box.rulesets import RuleSet, Setup
from kotp2p.referee.game import Game, GameReading
from kotp2p.referee.model import decisions
from kotp2p.referee.model.answers import Answer, Answered, Buy, Drawn, Item, Seat, Stop
from kotp2p.referee.model.state import NO_ITEM, Monster, Place, State
from kotp2p.seams.cores import Noise

MOST_LASTING_WORTH = 1.5
HARMFUL = -0.1
"""A card that loses more than this in the rounds to come is worth what they show. Any other is
worth a share of its price at least, since trials do not show all uses."""
MOST_ENERGY_OF_A_ROLL = 7
SEATS_OF_A_CROWD = 4
"""Cards are tried among this many monsters, unless two are left."""


def lasting_worths(game: GameReading) -> chances.CardWorths:
    """Return what each Keep card in play or for sale adds to its owner's standing."""
    state = game.state
    items = {item for item in state.market if item is not None and game.card(item).keep}
    for monster in state.monsters:
        for holding in monster.holdings:
            item = holding.item if holding.copies == NO_ITEM else holding.copies
            if item < len(game.setup.deck):
                items.add(item)
    return {item: _lasting_worth(game, item) for item in sorted(items)}


def _lasting_worth(game: GameReading, item: Item) -> float:
    rules = game.setup.rules
    seats = 2 if len(game.state.seats_alive()) == 2 else SEATS_OF_A_CROWD
    box = _Box(rules, rules.name, rules.goal, rules.hearts, seats)
    in_a_round, once = _try_card(box, game.card(item).key)
    shown = once + in_a_round * chances.ROUNDS_OF_A_GAME * chances.youth(game)
    if shown < HARMFUL:
        return max(shown, -MOST_LASTING_WORTH)
    return min(max(shown, chances.card_standing(game, item)), MOST_LASTING_WORTH)


def with_gains(game: GameReading, judgement: Judgement) -> Judgement:
    """Return the judgement of one who knows what the offers would add."""
    worths = judgement.view.worths
    return replace(judgement, view=chances.View(worths, offer_gains(game, judgement.seat, worths)))


def offer_gains(game: GameReading, seat: Seat, worths: chances.CardWorths) -> chances.CardWorths:
    """Return what each offer that `seat` could pay for this turn would add to its standing."""
    state = game.state
    most = state.monsters[seat].energy + MOST_ENERGY_OF_A_ROLL
    offers = [item for item in state.market if item is not None and game.card(item).cost <= most]
    if not offers:
        return {}
    own_turn = _own_turn(state, seat)
    judgement = Judgement(seat, view=chances.View(worths))
    idle = after_quiet_turn(game, own_turn, None)
    if idle is None:
        return {}
    found: dict[Item, float] = {}
    for item in offers:
        bought = after_quiet_turn(game, own_turn, item)
        if bought is not None:
            found[item] = chances.log_odds(judgement.chance(bought)) - chances.log_odds(
                judgement.chance(idle)
            )
    return found


def _own_turn(state: State, seat: Seat) -> State:
    """Return the position as if an ordinary turn of `seat` began now."""
    own = state.copy()
    own.active = own.home = seat
    own.dice, own.resolving, own.others_frenzy = [], [], []
    own.frenzy, own.freeze, own.seen_by = 0, False, ()
    own.rolls = own.extra_rolls = 0
    return own


# -- trials: what a Keep card is good for, on tables that are made up ----------------------
#
# A card is bought on a fork, and so is nothing. Both then go through the same dice, and the
# standings of the owner are compared. A card is tried once, when it is first seen, and for all
# games of its rule set.
#
# Known limitations: the dice are final when they are rolled, so a card that gives more rolls
# shows nothing. Rivals use no card that has to be used.


OWNER: Seat = 0
TABLES = 16
"""How many tables each card is tried on."""
ROUNDS = 2
"""How many rounds are played at each of them."""
MOST_CHANGE = 1.5
"""A table counts no more than this in either direction: what decides a game is mostly chance."""
MOST_ENERGY = 4
"""With so much energy, or less, the owner goes into the rounds."""
MAX_STEPS = 400
"""How many steps `ROUNDS` may take."""
QUIET_DICE = (0, 0, 1, 1, 3, 3, 4, 4, 5, 5)
"""Faces that score, hit and pay next to nothing, for as many dice as there may be."""


@dataclass(frozen=True, slots=True)
class _Box:
    """What cards are tried with. Rule sets of one name, goal and number of hearts count as one."""

    rules: RuleSet = field(compare=False)
    name: str
    goal: int
    hearts: int
    seats: int


@cache
def _try_card(box: _Box, card: str) -> tuple[float, float]:
    """Return what a Keep card adds to its owner, in a round and by being used up, once bought."""
    item = next(i for i, one in enumerate(box.rules.deck()) if one.key == card)
    in_rounds = once = 0.0
    for number in range(TABLES):
        idle, owned = _play_table(box, number, None), _play_table(box, number, item)
        if idle is None or owned is None:
            continue
        gain = max(-MOST_CHANGE, min(MOST_CHANGE, owned[0] - idle[0]))
        if owned[1]:
            in_rounds += gain / ROUNDS
        else:
            once += gain
    return in_rounds / TABLES, once / TABLES


@cache
def _play_table(box: _Box, number: int, item: Item | None) -> tuple[float, bool] | None:
    """Return what the rounds change in log odds, and if it stays; None if it cannot be had."""
    table = _made_up(box, number, item)
    start = Game.at_turn_start(Setup(box.rules, box.seats, box.rules.deck()), table)
    game = after_quiet_turn(start, table, item)
    if game is None:
        return None
    assert game.turn_end is not None  # the quiet turn has ended
    state = game.turn_end.copy()
    state.active = state.home = OWNER + 1
    state.monsters[OWNER].energy = number % (MOST_ENERGY + 1)
    fork = start.at_turn_of(state)
    before = _log_odds(fork, item)
    _play_rounds(fork, number)
    holdings = fork.state.monsters[OWNER].holdings
    return _log_odds(fork, item) - before, any(held.item == item for held in holdings)


def _made_up(box: _Box, number: int, item: Item | None) -> State:
    """Return a table in the middle of a game, with no card in sight but `item`."""
    noise = Noise(b"table", bytes([box.seats, number]))
    monsters = [
        Monster(
            seat,
            hearts=max(1, box.hearts - noise.below(7)),
            points=noise.below(box.goal // 2 + 1),
            energy=noise.below(MOST_ENERGY + 1),
        )
        for seat in range(box.seats)
    ]
    monsters[noise.below(box.seats)].place = Place.CITY
    return State(monsters, turn=2 * box.seats, market=[item, None, None])


def after_quiet_turn(game: GameReading, before: State, item: Item | None) -> Game | None:
    """Return the game after a turn of little consequence that begins with `before`.

    With `item` its active monster has bought that card with its last energy; None if it could not.
    """
    seat = before.active
    state = before.copy()
    state.monsters[seat].energy = 0 if item is None else game.card(item).cost
    fork = game.at_turn_of(state)
    judgement = Judgement(seat)
    turn, left = fork.state.turn, item
    for _ in range(MAX_FORESEEN_STEPS):
        pending = fork.pending
        if fork.state.turn != turn or isinstance(pending, decisions.Over):
            return fork if left is None else None
        if isinstance(pending, decisions.Chance):
            if pending.kind is decisions.ChanceKind.LOOK:
                return None
            fork.submit(_draw(pending, QUIET_DICE))
            continue
        answer = judgement.habitual_answer(fork, pending)
        if isinstance(pending, decisions.RollDecision):
            answer = Stop()
        elif (
            isinstance(pending, decisions.BuyDecision)
            and left is not None
            and pending.is_legal(Buy(left))
        ):
            answer, left = Buy(left), None
        fork.submit(Answered(pending.seat, answer))
    return None


def _play_rounds(fork: Game, number: int) -> None:
    """Take `fork` through the rounds, each of which ends with the turn of the owner."""
    played = 0
    active = fork.state.active
    for _ in range(MAX_STEPS):
        pending = fork.pending
        if fork.state.active != active:
            played += active == OWNER
            active = fork.state.active
        if played == ROUNDS or isinstance(pending, decisions.Over):
            return
        if not isinstance(pending, decisions.Chance):
            fork.submit(Answered(pending.seat, _answer(fork, pending)))
        elif pending.kind is decisions.ChanceKind.LOOK:
            return
        else:
            fork.submit(_draw(pending, _typical_roll(number, played, active)))


def _draw(chance: decisions.Chance, roll: Sequence[int]) -> Drawn:
    """Return the dice of `roll`, or any cards."""
    if chance.kind is decisions.ChanceKind.CARDS:
        return Drawn(first_values(chance))
    return Drawn(tuple([roll[i % len(roll)] for i in range(len(chance.draws))]))


def _answer(game: GameReading, decision: decisions.Decision) -> Answer:
    judgement = Judgement(OWNER)
    match decision:
        case decisions.RollDecision():
            return Stop()
        case decisions.ChangeDecision() | decisions.ResponseDecision() if (
            decision.seat == OWNER and decision.uses
        ):
            return judgement.best_answer(game, decision, promising_answers(decision))
        case _:  # all other decisions are taken by habit
            return judgement.habitual_answer(game, decision)


@cache
def _typical_roll(number: int, played: int, seat: Seat) -> tuple[int, ...]:
    """Return the final dice of a player who rerolls twice for faces they happen to like."""
    noise = Noise(b"typical roll", bytes([number, played, seat]))
    liked = {noise.below(6), noise.below(6)}
    dice = [noise.below(6) for _ in range(8)]
    for _ in range(2):
        dice = [face if face in liked else noise.below(6) for face in dice]
    return tuple(dice)


def _log_odds(game: GameReading, item: Item | None) -> float:
    """Return the log odds without the worth of `item`, whose effects they then show."""
    view = chances.View() if item is None else chances.View({item: 0.0})
    return chances.log_odds(Judgement(OWNER, view=view).chance(game))
