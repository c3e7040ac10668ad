"""What cards are worth to a seat at this moment of the game.

Scope: a card in play adds what its trial has shown (`card_trials`) for the rounds that are still to
come. An offer adds that, and what its purchase brings at once, which is tried on a fork.
"""

from __future__ import annotations

from kotp2p.bots.card_trials import after_quiet_turn, try_card
from kotp2p.bots.chances import CardWorths, View, card_standing, log_odds, youth
from kotp2p.bots.figures import ROUNDS_OF_A_GAME
from kotp2p.bots.judgement import Judgement
from kotp2p.referee.game import GameReading
from kotp2p.referee.model.answers import Item, Seat
from kotp2p.referee.model.state import NO_ITEM, State

MOST_LASTING_WORTH = 1.5
HARMFUL = -0.1
"""A card that loses more than this in the rounds to come is worth what they show. Any other is
worth a share of its price at least, since trials do not show all uses."""
MOST_ENERGY_OF_A_ROLL = 7
SEATS_OF_A_CROWD = 4
"""Cards are tried among so many monsters, unless two are left."""


def lasting_worths(game: GameReading) -> CardWorths:
    """What the Keep cards in play and in the market add to the standing of their owner."""
    state = game.state
    items = {item for item in state.market if item is not None and game.card(item).keep}
    for monster in state.monsters:
        for holding in monster.holdings:
            item = holding.item if holding.copies == NO_ITEM else holding.copies
            if item < len(game.setup.deck):
                items.add(item)
    return {item: _lasting_worth(game, item) for item in sorted(items)}


def _lasting_worth(game: GameReading, item: Item) -> float:
    seats = 2 if len(game.state.seats_alive()) == 2 else SEATS_OF_A_CROWD
    trial = try_card(game.setup.rules, game.card(item).key, seats)
    shown = trial.once + trial.in_a_round * ROUNDS_OF_A_GAME * youth(game)
    if shown < HARMFUL:
        return max(shown, -MOST_LASTING_WORTH)
    return min(max(shown, card_standing(game, item)), MOST_LASTING_WORTH)


def offer_gains(game: GameReading, seat: Seat, worths: CardWorths) -> CardWorths:
    """What each offer that `seat` could pay for this turn would add to its standing."""
    state = game.state
    most = state.monsters[seat].energy + MOST_ENERGY_OF_A_ROLL
    offers = [item for item in state.market if item is not None and game.card(item).cost <= most]
    if not offers:
        return {}
    own_turn = _own_turn(state, seat)
    judgement = Judgement(seat, view=View(worths))
    idle = after_quiet_turn(game, own_turn, None)
    if idle is None:
        return {}
    found: dict[Item, float] = {}
    for item in offers:
        bought = after_quiet_turn(game, own_turn, item)
        if bought is not None:
            found[item] = log_odds(judgement.chance(bought)) - log_odds(judgement.chance(idle))
    return found


def _own_turn(state: State, seat: Seat) -> State:
    """The position as it would be if an ordinary turn of `seat` began now."""
    own = state.copy()
    own.active = own.home = seat
    own.dice, own.resolving, own.others_frenzy = [], [], []
    own.frenzy, own.freeze, own.seen_by = 0, False, ()
    own.rolls = own.extra_rolls = 0
    return own
