"""Queries, which a player may type at any time, also within a question: `state`, `shop`."""

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from types import MappingProxyType

from kotp2p.cli.text import i18n, names, player_rules
from kotp2p.cli.text.i18n import N_, _, plural
from kotp2p.cli.text.names import name_for_reader
from kotp2p.cli.text.story import count_of_tokens
from kotp2p.cli.text.typed_words import MARKET_LETTERS
from kotp2p.cli.wing import wing
from kotp2p.referee.box.cards import Card
from kotp2p.referee.cards.effects import effects_by_item
from kotp2p.referee.model import events as ev
from kotp2p.referee.model.answers import Item, Seat
from kotp2p.referee.model.decisions import Chance, Over
from kotp2p.referee.model.state import Monster, Place, State, Token
from kotp2p.referee.rules.market import price_of
from kotp2p.referee.table.table import Effect, Table
from kotp2p.seams.notices import WATCHER, GameStarted, Happened, LineUpBegun, Notice, SeatView
from kotp2p.wire.genesis import is_bot

MAX_KEPT_LINES = 1000
LINES_SHOWN_OF_LOG = 10
SAY_WORD = "say"
QUERY_WORDS = ("state", "shop", "cards", "card", "tiles", "dice", "who", "log")


def help_lines(view: SeatView) -> list[str]:
    tiles = [_("tiles: the wickedness tiles that are still on the track, with their texts.")]
    among_people = [
        _("say WORDS: chat with everyone at the table; chat is not saved."),
        _("bot, wait: let a bot play for someone who does not answer, or wait."),
        _("adjourn: stop here for today, if all agree; accept NAME: let someone back."),
    ]
    if not names.could_go_on(view):
        del among_people[1]
    coached = _("coach: have your next three turns explained; coach off: no more of that.")
    return [
        _("state: all monsters; state NAME: the one of that player."),
        _("shop: the cards for sale; cards: all cards in sight; card NAME: the text of any card."),
        *(tiles if view.game.setup.rules.tiles else ()),
        _("dice: the dice on the table; who: the players, and who must decide now."),
        _("log: what happened last; log 30: more of it; since: all since your last turn."),
        _("orders: what is answered for you, for example orders yield 3; orders off."),
        *(() if names.is_alone(view) else among_people),
        _("rules: how the game is played; rules WORD: about one thing, for example rules tokyo."),
        _("speed: how fast you are shown what happens; speed slow, normal, fast or instant."),
        _("advice: what a sound player would answer, and why."),
        *(() if wing().coach is None else (coached,)),
        _("quit: leave the game; you are asked first. ?: this help."),
    ]


class TableQueries:
    def __init__(self) -> None:
        self.view: SeatView | None = None
        self.history: deque[str] = deque(maxlen=MAX_KEPT_LINES)

    def answer_query(self, line: str) -> list[str] | None:
        text = " ".join(i18n.ascii_digits(line).split())
        word, _space, rest = text.partition(" ")
        word = word.lower()
        if word == "log":
            return self._log(rest)
        if self.view is None:
            return None
        match word:
            case "state":
                return self._state(self.view, rest)
            case "shop" if not rest:
                return _shop(self.view)
            case "cards" if not rest:
                return list_cards_in_sight(self.view)
            case "tiles" if not rest:
                return _tiles(self.view)
            case "card" if rest:
                return _card(self.view, rest)
            case "card":
                return [_("Say which card: card NAME.")]
            case "dice" if not rest:
                return [_dice(self.view)]
            case "who" if not rest:
                return _who(self.view)
            case _:  # no query
                return None

    def _log(self, rest: str) -> list[str]:
        if rest and not (rest.isdigit() and len(rest) < 6):
            return [_("Say how many lines: log 30.")]
        count = int(rest or LINES_SHOWN_OF_LOG)
        lines = list(self.history)[-count:] if count else []
        return lines or [_("Nothing to show.")]

    def _state(self, view: SeatView, rest: str) -> list[str]:
        monsters = view.game.state.monsters
        if not rest:
            return [describe_monster(view, monster) for monster in monsters]
        found = names.find_players(view.players, rest)
        if not found and rest.lower() in ("me", "my", "you") and view.seat != WATCHER:
            found = [view.seat]
        if not found:
            known = i18n.list_with_and([player.name for player in view.players])
            return [
                _("Nobody here is called {name}; at the table: {known}.", name=rest, known=known)
            ]
        return [describe_monster(view, monsters[seat]) for seat in found]


def describe_monster(view: SeatView, monster: Monster) -> str:
    player = view.players[monster.seat]
    name = name_for_reader(view, monster.seat)
    if not monster.alive:
        return _("{name}, {monster}, out of the game.", name=name, monster=player.monster)
    parts = [
        names.place_name(view, monster.place),
        names.hearts(monster.hearts),
        names.points(monster.points),
        names.energy(monster.energy),
    ]
    if monster.poison:
        parts.append(count_of_tokens(Token.POISON, monster.poison))
    if monster.shrink:
        parts.append(count_of_tokens(Token.SHRINK, monster.shrink))
    if monster.wickedness:
        parts.append(_("wickedness {n}", n=monster.wickedness))
    owned = names.owned_names(view, monster, tiles=False)
    parts.append(
        _("cards: {cards}", cards=i18n.list_with_commas(owned)) if owned else _("no cards")
    )
    tiles = names.owned_names(view, monster, tiles=True)
    if tiles:
        parts.append(_("tiles: {tiles}", tiles=i18n.list_with_commas(tiles)))
    return _("{name}, {monster}, {facts}.", name=name, monster=player.monster,
             facts=i18n.list_with_commas(parts))  # fmt: skip


def _shop(view: SeatView) -> list[str]:
    lines = [
        _("({letter}) {card}", letter=letter, card=tag.line_with_obstacle())
        for letter, tag in tags_of_market(view)
        if tag is not None
    ]
    lines = lines or [_("No cards are for sale.")]
    if view.seat == WATCHER:
        return lines
    have = view.game.state.monsters[view.seat].energy
    return [*lines, _("You have {n} energy.", n=have)]


def _card(view: SeatView, words: str) -> list[str]:
    known = player_rules.cards_and_tiles(view.game.setup.rules)
    found = player_rules.search_cards(known, words)
    if not found:
        alike = player_rules.similar_names(known, words)
        if alike:
            return [_("No card is called {words}. Did you mean {names}?", words=words,
                      names=i18n.list_with_or(alike))]  # fmt: skip
        return [_("No card is called {words}.", words=words)]
    return [player_rules.describe_card(face) for face in found[:5]]


def _tiles(view: SeatView) -> list[str]:
    setup = view.game.setup
    if not setup.rules.tiles:
        return [_("The {rules} rules have no tiles.", rules=setup.rules.name)]
    lines = [player_rules.tile_line(setup.tile(item)) for item in view.game.state.tiles]
    return lines or [_("No tiles are left.")]


def _dice(view: SeatView) -> str:
    state = view.game.state
    if not state.dice:
        return _("No dice have been rolled this turn.")
    worth = names.worth_for(view, state.active, state.dice)
    fields = {"dice": names.faces(state.dice), "worth": worth}
    if state.active == view.seat:
        return _("Your dice: {dice}. Worth {worth}.", **fields)
    name = names.player_name(view, state.active)
    return _("{name}'s dice: {dice}. Worth {worth}.", name=name, **fields)


def _who(view: SeatView) -> list[str]:
    lines = [_describe_seat(view, seat) for seat in range(len(view.players))]
    pending = view.game.pending
    if not isinstance(pending, Chance | Over):
        lines.append(_("It is up to {name} to decide.", name=name_for_reader(view, pending.seat)))
    return lines


def _describe_seat(view: SeatView, seat: Seat) -> str:
    player = view.players[seat]
    keeper = view.keepers.get(seat, player.keeper)
    fields = {"n": seat + 1, "name": name_for_reader(view, seat), "monster": player.monster}
    if is_bot(view.players, seat):
        if names.is_alone(view):
            return _("{n} {name}, {monster}, a bot", **fields)
        fields["keeper"] = name_for_reader(view, keeper)
        return _("{n} {name}, {monster}, a bot played by {keeper}", **fields)
    if keeper != player.keeper and keeper == view.seat:
        return _("{n} {name}, {monster}, away: a bot plays, in your program", **fields)
    if keeper != player.keeper:
        return _("{n} {name}, {monster}, away: a bot plays, in {keeper}'s program",
                 keeper=names.player_name(view, keeper), **fields)  # fmt: skip
    if player.automatic:
        return _("{n} {name}, {monster}, played by a bot", **fields)
    return _("{n} {name}, {monster}", **fields)


def chat_text(text: str) -> str:
    """Return the words of `say WORDS`, or an empty string for another line.

    It is asked before any question and any other query, so it may take no answer away.
    """
    word, _space, rest = text.strip().partition(" ")
    return rest.strip() if word.lower() == SAY_WORD else ""


# -- since turn ----------------------------------------------------------------------------
#
# What has happened since the reader's last turn: a line for each monster that it concerns.
#
# Hearts and points before and after, claws and cards that hurt, and what was bought, folded from
# the events that were described; and what a bot has done for a player who was away.
#
# Known limitation: after a restart, or when a part of the game is undone, nothing before that is
# known.


SINCE_WORD = "since"


class SinceTurn:
    def __init__(self) -> None:
        self.has_had_turn = False
        """Whether a turn of the reader has ended; before that all events count."""
        self._is_told = False
        self._state: State | None = None
        self._before: State | None = None
        self._events: list[ev.Event] = []

    def note_notice(self, notice: Notice) -> None:
        match notice:
            case GameStarted():
                self._state, self.has_had_turn = notice.state.copy(), False
                self._begin()
            case LineUpBegun(undone_from=State() as state):
                self._state, self.has_had_turn = state.copy(), False
                self._begin()
            case Happened(events=events, view=view):
                for event in events:
                    self._note_event(event, view.seat)
            case _:  # nothing else changes the cards on the table
                pass

    def _begin(self) -> None:
        assert self._state is not None  # a game has begun
        self._before = self._state.copy()
        self._is_told = False
        self._events = []

    def _note_event(self, event: ev.Event, reader: Seat) -> None:
        if self._state is None:
            return
        event.apply(self._state)
        self._events.append(event)
        if event == ev.TurnEnded(reader):
            self.has_had_turn = True
            self._begin()

    def describe_once(self, view: SeatView) -> list[str]:
        if self._is_told or not self.has_had_turn:
            return []
        self._is_told = True
        return self.describe(view)

    def describe(self, view: SeatView) -> list[str]:
        """Describe the reader, then those who have hurt them most, then the others."""
        if self._state is None:
            return []
        if view.seat == WATCHER:
            seats = list(range(len(view.players)))
        else:
            others = list(self._state.seats_clockwise(view.seat))
            hits = _count_hits(self._events)
            others.sort(key=lambda seat: -hits[seat, view.seat])
            seats = [view.seat, *others]
        lines = [self._describe_seat(view, seat) for seat in seats]
        return [line for line in lines if line]

    def _describe_seat(self, view: SeatView, seat: Seat) -> str:
        assert self._before is not None
        assert self._state is not None
        before, after = self._before.monsters[seat], self._state.monsters[seat]
        deeds = _deeds(view, seat, self._events)
        figures = (before.alive, before.hearts, before.points)
        if figures == (after.alive, after.hearts, after.points) and not deeds:
            return ""
        if before.alive and not after.alive:
            facts = [_("out of the game")]
        else:
            hearts = _change(before.hearts, after.hearts, names.hearts(after.hearts))
            points = _change(before.points, after.points, names.points(after.points))
            facts = [i18n.list_with_commas([hearts, points])]
        return _describe_facts(view, seat, [*facts, *deeds])


def describe_turns_of_bot(events: Sequence[ev.Event], view: SeatView) -> list[str]:
    if not events:
        return []
    turns = sum(isinstance(one, ev.TurnStarted) and one.seat == view.seat for one in events)
    own = view.game.state.monsters[view.seat]
    stands = i18n.list_with_commas([names.hearts(own.hearts), names.points(own.points)])
    facts = [stands if own.alive else _("out of the game"), *_deeds(view, view.seat, events)]
    return [
        plural(
            "While you were away, a bot played {n} turn for you.",
            "While you were away, a bot played {n} turns for you.",
            turns,
        ),
        _describe_facts(view, view.seat, facts),
    ]


def _count_hits(events: Sequence[ev.Event]) -> Counter[tuple[Seat, Seat]]:
    hits: Counter[tuple[Seat, Seat]] = Counter()
    for event in events:
        if isinstance(event, ev.HeartsLost) and event.dealer is not None:
            hits[event.dealer, event.seat] += event.amount
    return hits


def _deeds(view: SeatView, seat: Seat, events: Sequence[ev.Event]) -> list[str]:
    hits = _count_hits(events)
    victims = [_victim(view, hit, n) for (by, hit), n in hits.items() if by == seat != hit]
    cards = [
        _("{card} for {n}", card=names.item_name(view.game, one.card), n=one.price)
        for one in events
        if isinstance(one, ev.CardBought) and one.seat == seat
    ]
    deeds = [_("hit {victims}", victims=i18n.list_with_and(victims))] if victims else []
    return deeds + ([_("bought {cards}", cards=i18n.list_with_and(cards))] if cards else [])


def _describe_facts(view: SeatView, seat: Seat, facts: Sequence[str]) -> str:
    return _(
        "{name}: {facts}.", name=name_for_reader(view, seat), facts=i18n.list_with_semicolons(facts)
    )


def _victim(view: SeatView, victim: Seat, n: int) -> str:
    if victim == view.seat:
        return _("you for {n}", n=n)
    return _("{name} for {n}", name=names.player_name(view, victim), n=n)


def _change(before: int, after: int, counted: str) -> str:
    """Return the new value, with the old one if it differs; `counted` is `after` with its unit."""
    if before == after:
        return counted
    return _("{after} ({before} before)", before=before, after=counted)


# -- price tags ----------------------------------------------------------------------------
#
# What a card costs the reader now, and why they cannot buy it: one place for every shop that is
# shown or asked about.
#
# The referee is asked for the price and for what a card allows, so discounts count and no card is
# known by name here.


class Obstacle(Enum):
    NONE = auto()
    TOO_EXPENSIVE = auto()
    IN_TOKYO = auto()
    BY_ITS_TEXT = auto()
    BY_ANOTHER_CARD = auto()


@dataclass(frozen=True, slots=True)
class PriceTag:
    card: Card
    price: int
    have: int
    obstacle: Obstacle
    by: str = ""

    @property
    def can_be_bought(self) -> bool:
        return self.obstacle is Obstacle.NONE

    def line(self) -> str:
        return player_rules.card_line(self.card, self.price)

    def head(self, name: str = "") -> str:
        fields = {
            "card": name or player_rules.printed_name(self.card),
            "energy": names.energy(self.price),
            "kind": player_rules.kind_of_card(self.card),
        }  # fmt: skip
        if self.can_be_bought:
            return _("{card}, {energy}, {kind}", **fields)
        return _("{card}, {energy}, {kind} ({why})", why=self.mark_obstacle(), **fields)

    def line_with_obstacle(self) -> str:
        return _("{head}: {text}", head=self.head(), text=player_rules.printed_text(self.card))

    def describe_obstacle(self) -> str:
        """Say in a sentence why the card cannot be bought; empty if it can."""
        fields = {"price": names.energy(self.price), "have": self.have, "by": self.by}
        return self._fill(0, card=player_rules.printed_name(self.card), **fields)

    def mark_obstacle(self) -> str:
        """Say in a few words why the card cannot be bought; empty if it can."""
        return self._fill(1, card=self.by)

    def _fill(self, form: int, **fields: object) -> str:
        return "" if self.can_be_bought else _(_OBSTACLES[self.obstacle][form], **fields)


_OBSTACLES: Mapping[Obstacle, tuple[str, str]] = MappingProxyType({
    Obstacle.TOO_EXPENSIVE: (
        N_("{card} is too dear: it costs {price}, you have {have}."),
        N_("too dear"),
    ),
    Obstacle.IN_TOKYO: (
        N_("You cannot buy {card} while you are in Tokyo."),
        N_("not while you are in Tokyo"),
    ),
    Obstacle.BY_ITS_TEXT: (
        N_("The text of {card} does not let you buy it now."),
        N_("not now, by its text"),
    ),
    Obstacle.BY_ANOTHER_CARD: (
        N_("You cannot buy {card}: {by} lets you buy nothing."),
        N_("not with {card}"),
    ),
})  # fmt: skip


def price_tag(view: SeatView, item: Item) -> PriceTag:
    setup, state, seat = view.game.setup, view.game.state, view.seat
    if seat == WATCHER:  # the printed price: no player's cards take anything off
        card = setup.deck[item]
        return PriceTag(card, card.cost, card.cost, Obstacle.NONE)
    effects = effects_by_item(setup)
    table = Table(setup, state, effects)
    price, have = price_of(table, seat, item), state.monsters[seat].energy
    card = setup.deck[item]
    dormant = table.of(Effect.is_dormant, seat)
    if dormant:
        by = names.item_name(view.game, dormant[0].holding.item)
        return PriceTag(card, price, have, Obstacle.BY_ANOTHER_CARD, by)
    effect = effects[item]
    if not effect.may_be_gained(table, seat):
        outside = Table(setup, _placed_outside(state, seat), effects)
        may_outside = effect.may_be_gained(outside, seat)
        obstacle = Obstacle.IN_TOKYO if may_outside else Obstacle.BY_ITS_TEXT
        return PriceTag(card, price, have, obstacle)
    return PriceTag(card, price, have, Obstacle.TOO_EXPENSIVE if price > have else Obstacle.NONE)


def _placed_outside(state: State, seat: Seat) -> State:
    changed = state.copy()
    changed.monsters[seat].place = Place.OUTSIDE
    return changed


def tags_of_market(view: SeatView) -> list[tuple[str, PriceTag | None]]:
    return [
        (letter, None if item is None else price_tag(view, item))
        for letter, item in zip(MARKET_LETTERS, view.game.state.market, strict=True)
    ]


# -- every card and tile in sight on the table, with its text ------------------------------


def list_cards_in_sight(view: SeatView) -> list[str]:
    game = view.game
    lines = [
        _("keep: the card stays with its owner. once: it works when it is bought, and is gone. "
          "Damage: each point of it takes a heart."),
        "",
        _("For sale:"),
    ]  # fmt: skip
    for letter, tag in tags_of_market(view):
        if tag is not None:
            lines.append(f" {letter} {tag.line_with_obstacle()}")
    if view.top is not None:
        top = player_rules.card_line(game.card(view.top))
        lines.append(_("Your secret: the top card is {card}", card=top))
    for monster in game.state.monsters:
        if not monster.holdings:
            continue
        lines += ["", _("{name} has:", name=names.player_name(view, monster.seat))]
        for holding in monster.holdings:
            item = holding.item
            if names.is_card(game, item):
                lines.append("   " + player_rules.card_line(game.card(item)))
            else:
                lines.append("   " + player_rules.tile_line(game.setup.tile(item)))
            if holding.copies >= 0:
                lines.append(
                    "   "
                    + _(
                        "It copies {card}.",
                        card=player_rules.describe_card(game.card(holding.copies)),
                    )
                )
    if game.state.tiles:
        lines += ["", _("Wickedness tiles on the track:")]
        lines += [
            "   " + player_rules.tile_line(game.setup.tile(item)) for item in game.state.tiles
        ]
    return lines
