"""The genesis: who plays, with what, and what is committed to. Sections 6.2 and 6.3."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

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
    table, fresh, rule_set, options, seats, host, clocks = array(charter, 7)
    players = [_seat(value, seat, number(host)) for seat, value in enumerate(array(seats))]
    _check_players(players, number(host))
    for clock in array(clocks, 2):
        number(clock, 86_400)
    keys = [player.key for player in players]
    owner = players[number(host)].key
    need(octets(table, 32) == hashed("table", owner, *keys, octets(fresh, 32)), "table id")
    made = [_row(row) for row in array(rows, len(players))]
    every = [c for dice, cards in made for c in (*dice, *cards)]
    need(len(set(every)) == len(every), "a commitment stands twice")
    setup = _setup(text(rule_set), options, len(players))
    return Genesis(octets(table), setup, players, made, hashed("genesis", body))


def _seat(value: Value, seat: int, host: int) -> Seat:
    key, name, monster, bot, one_game, automatic = array(value, 6)
    is_bot, is_automatic, _is_for_one_game = truth(bot), truth(automatic), truth(one_game)
    need(not (is_bot and is_automatic), "two marks of a bot")
    need(is_name(text(name)), "no name")
    need(text(monster) == "" or is_name(text(monster)), "no name of a monster")
    need(good_key(octets(key, 32)), "a key that fits any signature")
    return Seat(octets(key), text(name), text(monster), is_bot, host if is_bot else seat)


def _check_players(players: list[Seat], host: int) -> None:
    need(2 <= len(players) <= 6 and host < len(players), "number of seats")
    need(len({player.key for player in players}) == len(players), "a key sits twice")
    for one, other in combinations(players, 2):
        need(not alike(one.name, other.name), "two names that are alike")
    need(not players[host].bot, "a bot keeps no table")


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
