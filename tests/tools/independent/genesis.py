"""The genesis: who plays, with what, and what is committed to. Sections 6.2 and 6.3."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from kotp2p.referee.box.rulesets import RULE_SETS, Options, Setup
from tests.tools.independent.bodies import seals
from tests.tools.independent.file import PROTOCOL, RULES
from tests.tools.independent.names import alike, is_name
from tests.tools.independent.wire import (
    Value,
    array,
    decode,
    good_key,
    hashed,
    need,
    number,
    octets,
    signed,
    text,
    truth,
)

WINDOWS = (2, 8)
"""Slots that are committed to ahead, of dice and of cards."""


@dataclass(frozen=True)
class Seat:
    key: bytes
    """Of its keeper."""
    name: str
    monster: str
    automatic: bool
    keeper: int


@dataclass(frozen=True)
class Genesis:
    table: bytes
    setup: Setup
    seats: list[Seat]
    rows: dict[int, tuple[list[bytes], list[bytes]]]
    """Of each keeper, its commitments to slots of dice and of cards."""
    game: bytes

    @property
    def keepers(self) -> list[int]:
        return list(self.rows)


def read(body: bytes) -> Genesis:
    protocol, rules, charter, rows = array(decode(body), 4)
    need((protocol, rules) == (PROTOCOL, RULES), "other versions")
    table, fresh, start, rule_set, options, seats, host, clocks = array(charter, 8)
    need(number(start) > 0, "number of a start")
    owners = [array(value, 5)[0] for value in array(seats)]
    players = [_seat(value, seat, owners) for seat, value in enumerate(array(seats))]
    _check_players(players, number(host))
    for clock in array(clocks, 2):
        number(clock, 86_400)
    keys = [player.key for player in players]
    owner = players[number(host)].key
    need(octets(table, 32) == hashed("table", owner, *keys, octets(fresh, 32)), "table id")
    keepers = [seat for seat, player in enumerate(players) if player.keeper == seat]
    made = [_row(row) for row in array(rows, len(keepers))]
    every = [c for dice, cards in made for c in (*dice, *cards)]
    need(len(set(every)) == len(every), "a commitment stands twice")
    setup = _setup(text(rule_set), options, len(players))
    by_keeper = dict(zip(keepers, made, strict=True))
    return Genesis(octets(table), setup, players, by_keeper, hashed("genesis", body))


def _seat(value: Value, seat: int, owners: list[Value]) -> Seat:
    owner, name, monster, automatic, one_game = array(value, 5)
    is_automatic, is_for_one_game = truth(automatic), truth(one_game)
    need(is_name(text(name)), "no name")
    need(text(monster) == "" or is_name(text(monster)), "no name of a monster")
    keeper = seat
    if not isinstance(owner, bytes):
        keeper = number(owner, len(owners) - 1)
        need(isinstance(owners[keeper], bytes) and not is_for_one_game, "kept by nobody")
    key = octets(owners[keeper], 32)
    need(good_key(key), "a key that fits any signature")
    return Seat(key, text(name), text(monster), is_automatic, keeper)


def _check_players(players: list[Seat], host: int) -> None:
    need(2 <= len(players) <= 6 and host < len(players), "number of seats")
    keys = [player.key for seat, player in enumerate(players) if player.keeper == seat]
    need(len(set(keys)) == len(keys), "a key sits twice")
    for one, other in combinations(players, 2):
        need(not alike(one.name, other.name), "two names that are alike")
    need(players[host].keeper == host, "a kept seat keeps no table")


def _row(value: Value) -> tuple[list[bytes], list[bytes]]:
    nonce, dice, cards = array(value, 3)
    octets(nonce, 32)
    first = [octets(c, 32) for c in array(dice, WINDOWS[0])]
    return first, [octets(c, 32) for c in array(cards, WINDOWS[1])]


def _setup(name: str, options: Value, seats: int) -> Setup:
    need(name in RULE_SETS, "no such rule set")
    rules = RULE_SETS[name]
    two, bay, sides = array(options, 3)
    deck = [card for card in rules.cards for _ in range(card.copies)]
    need(all(card.effect is not None for card in deck), "a card that does not work")
    chosen = Options(truth(two), truth(bay), text(sides))
    try:
        return Setup(rules, seats, tuple(deck), chosen)
    except ValueError as error:
        need(False, str(error))
        raise


def assented(genesis: Genesis, body: bytes, data: bytes) -> bool:
    """Has every keeper signed?"""
    found = dict(seals(data))
    if set(found) != set(genesis.keepers):
        return False
    return all(
        signed(genesis.seats[seat].key, "genesis", body, signature)
        for seat, signature in found.items()
    )


def phrase(game: bytes) -> str:
    words = Path("kotp2p/words.txt")
    listed = (Path(__file__).parents[3] / words).read_text("utf-8").split()
    found = int.from_bytes(hashed("phrase", game)[:8], "big") >> 20
    return " ".join(listed[found >> shift & 2047] for shift in (33, 22, 11, 0))
