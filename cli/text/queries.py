"""Queries, which a player may type at any time, also in the middle of a question: `state`, `shop`.

Scope: the answers, from what the player's seat may see.
Not here: commands that do something (`cli.ui`).
"""

from __future__ import annotations

from collections import deque

from kotp2p.cli.text import card_search, card_words, names
from kotp2p.cli.text.cards_in_sight import list_cards_in_sight
from kotp2p.cli.text.events_values import count_of_tokens
from kotp2p.cli.text.i18n import _, ascii_digits, list_with_and, list_with_commas, list_with_or
from kotp2p.cli.text.price_tags import tags_of_market
from kotp2p.cli.text.tempers import temper_word
from kotp2p.referee.model.answers import Seat
from kotp2p.referee.model.decisions import Chance, Over
from kotp2p.referee.model.state import Monster, Token
from kotp2p.seams.seat_view import WATCHER, SeatView
from kotp2p.wire.genesis import is_bot
from kotp2p.wire.names import find_seat

MAX_KEPT_LINES = 1000
LINES_SHOWN_OF_LOG = 10
SAY_WORD = "say"
QUERY_WORDS = ("state", "shop", "cards", "card", "tiles", "dice", "who", "log")


def help_lines(view: SeatView) -> list[str]:
    return [
        _("state: all monsters; state NAME: the one of that player."),
        _("shop: the cards for sale; cards: all cards in sight; card NAME: the text of any card."),
        *_tile_lines(view),
        _("dice: the dice on the table; who: the players, and who must decide now."),
        _("log: what happened last; log 30: more of it; since: all since your last turn."),
        _("orders: what is answered for you, for example orders yield 3; orders off."),
        *([] if names.is_alone(view) else _lines_among_people()),
        _("rules: how the game is played; rules WORD: about one thing, for example rules tokyo."),
        _("speed: how fast you are shown what happens; speed slow, normal, fast or instant."),
        _("advice: what a sound player would answer, and why."),
        _("coach: have your next three turns explained; coach off: no more of that."),
        _("quit: leave the game; you are asked first. ?: this help."),
    ]


def _tile_lines(view: SeatView) -> list[str]:
    if not view.game.setup.rules.tiles:
        return []
    return [_("tiles: the wickedness tiles that are still on the track, with their texts.")]


def _lines_among_people() -> list[str]:
    return [
        _("say WORDS: chat with everyone at the table; chat is not saved."),
        _("bot, wait: let a bot play for someone who does not answer, or wait."),
        _("adjourn: stop here for today, if all agree; accept NAME: let someone back."),
    ]


class TableQueries:
    """Answers questions about the table from what its seat may see."""

    def __init__(self) -> None:
        self.view: SeatView | None = None
        self.history: deque[str] = deque(maxlen=MAX_KEPT_LINES)

    def answer_query(self, line: str) -> list[str] | None:
        """The answer; None if the line is no such question."""
        text = " ".join(ascii_digits(line).split())
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
        wanted = rest.lower()
        numbered = find_seat(rest, [player.name for player in view.players])
        found = (
            [numbered]
            if numbered is not None
            else [
                seat
                for seat, player in enumerate(view.players)
                if player.name.lower().startswith(wanted)
                or player.monster.lower().startswith(wanted)
            ]
        )
        if not found and wanted in ("me", "my", "you") and view.seat != WATCHER:
            found = [view.seat]
        if not found:
            known = list_with_and([player.name for player in view.players])
            return [
                _("Nobody here is called {name}; at the table: {known}.", name=rest, known=known)
            ]
        return [describe_monster(view, monsters[seat]) for seat in found]


def describe_monster(view: SeatView, monster: Monster) -> str:
    """Everything that is public about one monster, in one line."""
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
    parts.append(_("cards: {cards}", cards=list_with_commas(owned)) if owned else _("no cards"))
    tiles = names.owned_names(view, monster, tiles=True)
    if tiles:
        parts.append(_("tiles: {tiles}", tiles=list_with_commas(tiles)))
    return _("{name}, {monster}, {facts}.", name=name, monster=player.monster,
             facts=list_with_commas(parts))  # fmt: skip


def name_for_reader(view: SeatView, seat: Seat) -> str:
    """The name, saying which is the reader's own."""
    name = names.player_name(view, seat)
    return _("{name} (you)", name=name) if seat == view.seat else name


def _shop(view: SeatView) -> list[str]:
    lines = [
        _("{letter} {card}", letter=letter, card=tag.line_with_obstacle())
        for letter, tag in tags_of_market(view)
        if tag is not None
    ]
    lines = lines or [_("No cards are for sale.")]
    if view.seat == WATCHER:
        return lines
    have = view.game.state.monsters[view.seat].energy
    return [*lines, _("You have {n} energy.", n=have)]


def _card(view: SeatView, words: str) -> list[str]:
    known = card_search.cards_and_tiles(view.game.setup.rules)
    found = card_search.search_cards(known, words)
    if not found:
        alike = card_search.similar_names(known, words)
        if alike:
            return [_("No card is called {words}. Did you mean {names}?", words=words,
                      names=list_with_or(alike))]  # fmt: skip
        return [_("No card is called {words}.", words=words)]
    return [card_search.describe_card(face) for face in found[:5]]


def _tiles(view: SeatView) -> list[str]:
    """Those that still lie on the track."""
    setup = view.game.setup
    if not setup.rules.tiles:
        return [_("The {rules} rules have no tiles.", rules=setup.rules.name)]
    lines = [card_words.tile_line(setup.tile(item)) for item in view.game.state.tiles]
    return lines or [_("No tiles are left.")]


def _dice(view: SeatView) -> str:
    state = view.game.state
    if not state.dice:
        return _("No dice have been rolled this turn.")
    worth = names.worth_for(view, state.active, state.dice)
    fields = {"dice": names.faces(state.dice), "worth": worth}
    if state.active == view.seat:
        return _("Your dice: {dice}. Worth {worth}.", **fields)
    return _(
        "{name}'s dice: {dice}. Worth {worth}.",
        name=names.player_name(view, state.active),
        **fields,
    )


def _who(view: SeatView) -> list[str]:
    lines = [_describe_seat(view, seat) for seat in range(len(view.players))]
    pending = view.game.pending
    if not isinstance(pending, Chance | Over):
        lines.append(_("It is up to {name} to decide.", name=name_for_reader(view, pending.seat)))
    return lines


def _describe_seat(view: SeatView, seat: Seat) -> str:
    """The player of a seat, and the one that plays it now."""
    player = view.players[seat]
    keeper = view.keepers.get(seat, player.keeper)
    fields = {"n": seat + 1, "name": name_for_reader(view, seat), "monster": player.monster}
    if is_bot(view.players, seat):
        if names.is_alone(view):
            return _("{n} {name}, {monster}, a bot", **fields)
        fields["keeper"] = names.player_name(view, keeper)
        if temper := temper_word(player.name):
            return _("{n} {name}, {monster}, a bot ({temper}) played by {keeper}",
                     temper=temper, **fields)  # fmt: skip
        return _("{n} {name}, {monster}, a bot played by {keeper}", **fields)
    if keeper != player.keeper:
        return _("{n} {name}, {monster}, away: a bot plays, in {keeper}'s program",
                 keeper=names.player_name(view, keeper), **fields)  # fmt: skip
    if player.automatic:
        return _("{n} {name}, {monster}, played by a bot", **fields)
    return _("{n} {name}, {monster}", **fields)


def chat_text(text: str) -> str:
    """What is said to all: `say WORDS`; empty if the line is nothing of that kind."""
    word, _space, rest = text.strip().partition(" ")
    return rest.strip() if word.lower() == SAY_WORD else ""
