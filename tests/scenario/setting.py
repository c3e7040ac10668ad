"""Laying the table of a scenario for one rule set: which card lies where.

Scope: cards are taken off the cards of the rule set in this order: cards in front of monsters, the
market, the discard pile, the deck as listed, the draws of the script, then fillers. Fillers are
cards that the scenario names nowhere, the dear ones first, so that a seat rarely can buy one. With
`deck_size` the cards beyond it are not in the game at all: they must not turn up when the discard
pile becomes the deck.

Of each wickedness tile the face that the scenario names lies up, else the face of `tile_sides`, or
the red one where the sides are mixed.
"""

from dataclasses import dataclass

from kotp2p.referee.box.cards import MIXED, RED, SIDES, TILES, TRACK_STEPS, Card, faces_lying_up
from kotp2p.referee.box.rulesets import RULE_SETS, Options, RuleSet, Setup
from kotp2p.referee.cards.effects import effect_of
from kotp2p.referee.model.answers import Item
from kotp2p.referee.model.state import Holding, Monster, Place, State
from tests.scenario.form import Owned, Scenario
from tests.scenario.lines import AnswerLine, DrawLine


class CannotSet(Exception):
    """The scenario cannot be played in this rule set; the message says why."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A table ready to be played from the start of the active monster's turn."""

    setup: Setup
    state: State
    fillers: frozenset[Item]
    """The cards that the scenario names nowhere."""


class _CardSupply:
    """The cards of a rule set, each handed out once."""

    def __init__(self, deck: tuple[Card, ...]) -> None:
        self.deck = deck
        self._left: dict[str, list[Item]] = {}
        for item, card in enumerate(deck):
            self._left.setdefault(card.key, []).append(item)

    def holds(self, key: str) -> bool:
        """Whether a copy is still to be handed out."""
        return bool(self._left.get(key))

    def take(self, key: str, rules: str) -> Item:
        if key not in self._left:
            raise CannotSet(f"the {rules} deck has no {key}")
        if not self._left[key]:
            raise CannotSet(f"the {rules} deck has no further copy of {key}")
        return self._left[key].pop(0)

    def fillers(self, named: frozenset[str]) -> list[Item]:
        """The cards that the scenario does not name, dear cards first."""
        items = [i for key, left in self._left.items() if key not in named for i in left]
        return sorted(items, key=lambda item: (-self.deck[item].cost, item))

    def rest(self) -> list[Item]:
        return sorted(item for left in self._left.values() for item in left)


def lay_table(scenario: Scenario, rules: str) -> Setting:
    """The table of `scenario` in the rule set `rules`; `CannotSet` if there is none."""
    rule_set = RULE_SETS[rules]
    _check_cards(scenario, rule_set)
    options = Options(
        two_player=scenario.two_player,
        bay_for_beginners=scenario.bay_for_beginners,
        tile_sides=scenario.tile_sides,
    )
    deck = rule_set.deck()
    cards = _CardSupply(deck)
    try:
        setup = Setup(rules=rule_set, seats=len(scenario.seats), deck=deck, options=options)
    except ValueError as error:
        raise CannotSet(str(error)) from error
    track = _lay_track(scenario, setup)
    state = State(monsters=_seat_monsters(scenario, cards, track, rules), active=scenario.active)
    state.home = scenario.active
    state.acquisitions = sum(len(m.holdings) for m in state.monsters)
    state.tiles = sorted(track.values())
    _link_copies(scenario, state, setup)
    fillers = _lay_piles(scenario, state, cards, rules)
    return Setting(setup, state, fillers)


def _check_cards(scenario: Scenario, rule_set: RuleSet) -> None:
    """The cards and tiles that the scenario uses must be those of the rule set."""
    used = [card.key for seat in scenario.seats for card in seat.cards]
    copying = [owned for seat in scenario.seats for owned in (*seat.cards, *seat.tiles)]
    used += [owned.copies for owned in copying if owned.copies]
    for line in scenario.script:
        if isinstance(line, AnswerLine):
            used += [key for key in (line.card, *line.cards) if key]
    cards = {card.key: card for card in rule_set.cards}
    for key in used:
        if key not in cards:
            raise CannotSet(f"the {rule_set.name} deck has no {key}")
    if any(seat.tiles for seat in scenario.seats) and not rule_set.tiles:
        raise CannotSet(f"there are no wickedness tiles in {rule_set.name} rules")


def _lay_track(scenario: Scenario, setup: Setup) -> dict[str, Item]:
    """The faces that lie up, by key."""
    if not setup.rules.tiles:
        return {}
    other = setup.options.tile_sides
    sides = [RED if other == MIXED else other] * (len(TILES) // len(SIDES))
    named: dict[int, str] = {}
    for face, tile in enumerate(TILES):
        if tile.key in scenario.named_tiles:
            number = face // len(SIDES)
            if number in named:
                raise CannotSet(f"{named[number]} and {tile.name} are two sides of one tile")
            named[number] = tile.name
            sides[number] = tile.side
    return {TILES[face].key: len(setup.deck) + face for face in faces_lying_up(tuple(sides))}


def _seat_monsters(
    scenario: Scenario, cards: _CardSupply, track: dict[str, Item], rules: str
) -> list[Monster]:
    monsters = []
    acquired = 0
    taken: dict[Place, str] = {}
    for index, seat in enumerate(scenario.seats):
        if seat.at is not Place.OUTSIDE and seat.at in taken:
            raise CannotSet(f"{taken[seat.at]} and {seat.name} cannot both be in one place")
        taken[seat.at] = seat.name
        monster = Monster(
            seat=index,
            hearts=seat.hearts,
            points=seat.points,
            energy=seat.energy,
            place=seat.at,
            alive=seat.hearts > 0,
            poison=seat.poison,
            shrink=seat.shrink,
            wickedness=seat.wickedness,
            steps=tuple(step for step in TRACK_STEPS if seat.wickedness >= step),
        )
        for owned in seat.cards:
            acquired += 1
            monster.holdings.append(_lay_holding(owned, acquired, cards, rules))
        for owned in seat.tiles:
            acquired += 1
            if owned.key not in track:
                raise CannotSet(f"there is only one {owned.key}")
            monster.holdings.append(Holding(track.pop(owned.key), acquired, owned.counters or 0))
        monsters.append(monster)
    return monsters


def _lay_holding(owned: Owned, acquired: int, cards: _CardSupply, rules: str) -> Holding:
    item = cards.take(owned.key, rules)
    card = cards.deck[item]
    if not card.keep:
        raise CannotSet(f"{card.name} is no Keep card: it lies in front of nobody")
    counters = owned.counters
    if counters is None:
        counters = effect_of(card).counters
    return Holding(item=item, acquired=acquired, counters=counters)


def _link_copies(scenario: Scenario, state: State, setup: Setup) -> None:
    for seat, monster in zip(scenario.seats, state.monsters, strict=True):
        for owned, holding in zip((*seat.cards, *seat.tiles), monster.holdings, strict=True):
            if owned.copies is None:
                continue
            owners = state.monsters if owned.of is None else [state.monsters[owned.of]]
            targets = [
                other.item
                for owner in owners
                for other in owner.holdings
                if setup.key(other.item) == owned.copies and other is not holding
            ]
            if not targets:
                raise CannotSet(f"{seat.name} copies {owned.copies}, which is not there")
            holding.copies = targets[0]
            copied = effect_of(setup.deck[targets[0]])
            if owned.counters is None and copied is not None:
                holding.counters = copied.counters


def _lay_piles(scenario: Scenario, state: State, cards: _CardSupply, rules: str) -> frozenset[Item]:
    if scenario.market is not None:
        market = [cards.take(key, rules) for key in scenario.market]
        state.market = [*market, *[None] * (3 - len(market))]
    state.discard = [cards.take(key, rules) for key in scenario.discard]
    listed = [_listed(key, cards, rules) for key in scenario.deck]
    drawn = [_listed(it.card, cards, rules) for it in scenario.script if isinstance(it, DrawLine)]
    undrawn = [item for item in (*listed, *drawn) if item is not None]
    fillers = cards.fillers(scenario.named)
    if scenario.market is None:
        state.market = [*fillers[:3]]
        spare = fillers[3:]
    else:
        spare = fillers
    if scenario.deck_size is None:
        in_market = set(state.market)
        undrawn += [item for item in cards.rest() if item not in in_market]
    elif scenario.deck_size < len(undrawn):
        raise CannotSet(f"a deck of {scenario.deck_size} cannot hold {len(undrawn)} named cards")
    else:
        undrawn += spare[: scenario.deck_size - len(undrawn)]
        if len(undrawn) < scenario.deck_size:
            raise CannotSet(f"there are not {scenario.deck_size} cards left for the deck")
    state.undrawn = sorted(undrawn)
    return frozenset(fillers)


def _listed(key: str, cards: _CardSupply, rules: str) -> Item | None:
    """A copy for the deck; None if all copies lie elsewhere and may come back by renewal."""
    if cards.holds(key):
        return cards.take(key, rules)
    if not any(card.key == key for card in cards.deck):
        raise CannotSet(f"the {rules} deck has no {key}")
    return None
