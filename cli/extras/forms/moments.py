"""What happens in a recorded game, moment by moment, as numbers (docs/FORMATS.md).

Scope: of each moment what chance gave out of which pile, the events and the position behind it; the
players, cards and tiles that the numbers mean. No sentences: these lines are the same in any
language.
Not here: the bytes of the log (`lines`), and sentences (`told`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum

from kotp2p.cli.extras.forms.said import Json
from kotp2p.game.recording import Moment, Recording, replay_moment
from kotp2p.net.invitation import fingerprint
from kotp2p.referee.box.cards import Card, Tile
from kotp2p.referee.game import Game
from kotp2p.referee.model.answers import Answered, BuyTop, Drawn
from kotp2p.referee.model.decisions import Chance, ChanceKind
from kotp2p.referee.model.events import Event
from kotp2p.referee.model.position import position_numbers
from kotp2p.wire.genesis import Genesis, is_bot

Line = dict[str, Json]


def moment_lines(recording: Recording) -> Iterator[Line]:
    game = recording.game_behind(0)
    line_up = head = recording.genesis.id
    for moment in recording.moments:
        if moment.begun is not None:
            line_up, head = moment.begun.lineup.id, moment.begun.lineup.head
        elif moment.closed is not None:
            head = moment.closed.head
        draw = describe_draw(moment, game)
        replay_moment(game, moment)
        yield {
            "line": "moment",
            "moment": moment.number,
            "turn": moment.turn,
            "record": moment.record,
            "line_up": line_up.hex(),
            "head": head.hex(),
            "draw": draw,
            "events": [event_as_object(event) for event in moment.events],
            "position": [int(n) for n in position_numbers(game.state, game.pending)],
        }


def describe_draw(moment: Moment, before: Game) -> dict[str, Json] | None:
    """What chance has given in a moment, and what of: enough to make it again from the result of
    each slot (PROTOCOL.md 7.2 and 7.3). None if nothing was drawn."""
    given = None if moment.closed is None else moment.closed.given
    pending = before.pending
    if isinstance(given, Answered) and isinstance(given.answer, BuyTop):
        pile = list(before.state.undrawn)
        return {
            "stream": "cards",
            "kind": "top",
            "draws": [{"size": len(pile), "pool": 0}],
            "piles": [[*pile]],
            "values": [pile.index(given.answer.card)],
        }
    if not isinstance(given, Drawn) or not isinstance(pending, Chance):
        return None
    return {
        "stream": "cards" if pending.kind is ChanceKind.CARDS else "dice",
        "kind": pending.kind.value,
        "draws": [{"size": draw.size, "pool": draw.pool} for draw in pending.draws],
        "piles": [[*pile] for pile in pending.piles],
        "values": [*given.values],
    }


def event_as_object(event: Event) -> dict[str, Json]:
    """The fields of an event by name; `event` is the name of its class."""
    named = {field.name: _as_json(getattr(event, field.name)) for field in fields(event)}
    return {"event": type(event).__name__, **named}


def _as_json(value: object) -> Json:
    if isinstance(value, Enum):
        return str(value.value) if isinstance(value.value, str) else int(value.value)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple | list):
        return [_as_json(item) for item in value]
    if is_dataclass(value):
        return {field.name: _as_json(getattr(value, field.name)) for field in fields(value)}
    assert value is None or isinstance(value, bool | int | str)  # events hold nothing else
    return value


def describe_table(genesis: Genesis) -> Line:
    """The players, and what the numbers of cards and tiles mean."""
    setup = genesis.charter.setup()
    faces: dict[str, Json] = {card.key: _describe_card(card) for card in setup.deck}
    faces |= {tile.key: _describe_tile(tile) for tile in setup.rules.tiles}
    return {
        "line": "table",
        "rule_set": genesis.charter.rules,
        "points_to_win": setup.rules.points_on_dial,
        "players": [
            {
                "seat": seat,
                "name": player.name,
                "monster": player.monster,
                "key": player.key.hex(),
                "fingerprint": fingerprint(player.key),
                "bot": is_bot(genesis.players, seat),
                "automatic": player.automatic and player.keeper == seat,
                "one_game": player.one_game,
                "keeper": player.keeper,
            }
            for seat, player in enumerate(genesis.players)
        ],
        "items": [face.key for face in (*setup.deck, *setup.rules.tiles)],
        "faces": faces,
    }


def _describe_card(card: Card) -> dict[str, Json]:
    return {
        "name": card.name, "cost": card.cost, "keep": card.keep, "text": card.text,
    }  # fmt: skip


def _describe_tile(tile: Tile) -> dict[str, Json]:
    return {"name": tile.name, "step": tile.step, "side": tile.side, "text": tile.text}
