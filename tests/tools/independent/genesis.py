"""The genesis: who plays, with what, and what is committed to. Sections 6.2 and 6.3."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from referee.box.printed import Card
from referee.box.rulesets import RULE_SETS
from referee.box.setup import Options, Setup
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
    name: str
    monster: str
    bot: bool
    keeper: int


@dataclass(frozen=True)
class Genesis:
    table: bytes
    setup: Setup
    seats: list[Seat]
    rows: list[tuple[list[bytes], list[bytes]]]
    """Of each seat, its commitments to slots of dice and of cards."""
    game: bytes


def read(body: bytes) -> Genesis:
    protocol, rules, charter, rows = array(decode(body), 4)
    need((protocol, rules) == (PROTOCOL, RULES), "other versions")
    table, fresh, rule_set, options, deck, seats, host, clocks = array(charter, 8)
    players = [_seat(value) for value in array(seats)]
    _check_players(players, number(host))
    for clock in array(clocks, 2):
        number(clock, 86_400)
    keys = [player.key for player in players]
    owner = players[number(host)].key
    need(octets(table, 32) == hashed("table", owner, *keys, octets(fresh, 32)), "table id")
    made = [_row(row) for row in array(rows, len(players))]
    every = [c for dice, cards in made for c in (*dice, *cards)]
    need(len(set(every)) == len(every), "a commitment stands twice")
    setup = _setup(text(rule_set), options, deck, len(players))
    return Genesis(octets(table), setup, players, made, hashed("genesis", body))


def _seat(value: Value) -> Seat:
    key, name, monster, bot, keeper = array(value, 5)
    need(is_name(text(name)), "no name")
    need(text(monster) == "" or is_name(text(monster)), "no name of a monster")
    need(good_key(octets(key, 32)), "a key that fits any signature")
    return Seat(octets(key), text(name), text(monster), truth(bot), number(keeper, 5))


def _check_players(players: list[Seat], host: int) -> None:
    need(2 <= len(players) <= 6 and host < len(players), "number of seats")
    need(len({player.key for player in players}) == len(players), "a key sits twice")
    for one, other in combinations(players, 2):
        need(not alike(one.name, other.name), "two names that are alike")
    need(not players[host].bot, "a bot keeps no table")
    for i, player in enumerate(players):
        need(player.keeper < len(players), "no such keeper")
        need(not players[player.keeper].bot, "a bot keeps nobody")
        need(player.bot or player.keeper == i, "a person is his own keeper")


def _row(value: Value) -> tuple[list[bytes], list[bytes]]:
    nonce, dice, cards = array(value, 3)
    octets(nonce, 32)
    first = [octets(c, 32) for c in array(dice, WINDOWS[0])]
    return first, [octets(c, 32) for c in array(cards, WINDOWS[1])]


def _setup(name: str, options: Value, deck: Value, seats: int) -> Setup:
    need(name in RULE_SETS, "no such rule set")
    rules = RULE_SETS[name]
    two, bay, sides = array(options, 3)
    cards: dict[str, Card] = {card.key: card for card in rules.cards}
    keys = [text(key) for key in array(deck)]
    need(keys == sorted(keys) and all(key in cards for key in keys), "no such deck")
    need(all(keys.count(key) <= cards[key].copies for key in keys), "too many of a card")
    need(all(cards[key].effect is not None for key in keys), "a card that does not work")
    chosen = Options(truth(two), truth(bay), text(sides))
    try:
        return Setup(rules, seats, tuple(cards[key] for key in keys), chosen)
    except ValueError as error:
        need(False, str(error))
        raise


def assented(genesis: Genesis, body: bytes, signatures: bytes) -> bool:
    """Has every seat signed?"""
    if len(signatures) != 64 * len(genesis.seats):
        return False
    each = [signatures[64 * i : 64 * i + 64] for i in range(len(genesis.seats))]
    pairs = zip(genesis.seats, each, strict=True)
    return all(signed(seat.key, "genesis", body, signature) for seat, signature in pairs)


def phrase(game: bytes) -> str:
    words = Path("kotp2p/words.txt")
    listed = (Path(__file__).parents[3] / words).read_text("utf-8").split()
    found = int.from_bytes(hashed("phrase", game)[:8], "big") >> 20
    return " ".join(listed[found >> shift & 2047] for shift in (33, 22, 11, 0))
