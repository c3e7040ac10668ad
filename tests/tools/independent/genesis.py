"""The genesis: who plays, with what, and what is committed to. Sections 6.2 and 6.3."""

from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from kotp2p.referee.box.rulesets import RULE_SETS, Options, Setup
from tests.tools.independent import wire
from tests.tools.independent.bodies import seals
from tests.tools.independent.file import PROTOCOL, RULES
from tests.tools.independent.names import alike, is_name

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
    protocol, rules, charter, rows = wire.array(wire.decode(body), 4)
    wire.need((protocol, rules) == (PROTOCOL, RULES), "other versions")
    table, fresh, start, rule_set, options, seats, host, clocks = wire.array(charter, 8)
    wire.need(wire.number(start) > 0, "number of a start")
    owners = [wire.array(value, 5)[0] for value in wire.array(seats)]
    players = [_seat(value, seat, owners) for seat, value in enumerate(wire.array(seats))]
    _check_players(players, wire.number(host))
    for clock in wire.array(clocks, 2):
        wire.number(clock, 86_400)
    keys = [player.key for player in players]
    owner = players[wire.number(host)].key
    named = wire.hashed("table", owner, *keys, wire.octets(fresh, 32))
    wire.need(wire.octets(table, 32) == named, "table id")
    keepers = [seat for seat, player in enumerate(players) if player.keeper == seat]
    made = [_row(row) for row in wire.array(rows, len(keepers))]
    every = [c for dice, cards in made for c in (*dice, *cards)]
    wire.need(len(set(every)) == len(every), "a commitment stands twice")
    setup = _setup(wire.text(rule_set), options, len(players))
    by_keeper = dict(zip(keepers, made, strict=True))
    return Genesis(wire.octets(table), setup, players, by_keeper, wire.hashed("genesis", body))


def _seat(value: wire.Value, seat: int, owners: list[wire.Value]) -> Seat:
    owner, name, monster, automatic, one_game = wire.array(value, 5)
    is_automatic, is_for_one_game = wire.truth(automatic), wire.truth(one_game)
    wire.need(is_name(wire.text(name)), "no name")
    wire.need(wire.text(monster) == "" or is_name(wire.text(monster)), "no name of a monster")
    keeper = seat
    if not isinstance(owner, bytes):
        keeper = wire.number(owner, len(owners) - 1)
        wire.need(isinstance(owners[keeper], bytes) and not is_for_one_game, "kept by nobody")
    key = wire.octets(owners[keeper], 32)
    wire.need(wire.good_key(key), "a key that fits any signature")
    return Seat(key, wire.text(name), wire.text(monster), is_automatic, keeper)


def _check_players(players: list[Seat], host: int) -> None:
    wire.need(2 <= len(players) <= 6 and host < len(players), "number of seats")
    keys = [player.key for seat, player in enumerate(players) if player.keeper == seat]
    wire.need(len(set(keys)) == len(keys), "a key sits twice")
    for one, other in combinations(players, 2):
        wire.need(not alike(one.name, other.name), "two names that are alike")
    wire.need(players[host].keeper == host, "a kept seat keeps no table")


def _row(value: wire.Value) -> tuple[list[bytes], list[bytes]]:
    nonce, dice, cards = wire.array(value, 3)
    wire.octets(nonce, 32)
    first = [wire.octets(c, 32) for c in wire.array(dice, WINDOWS[0])]
    return first, [wire.octets(c, 32) for c in wire.array(cards, WINDOWS[1])]


def _setup(name: str, options: wire.Value, seats: int) -> Setup:
    wire.need(name in RULE_SETS, "no such rule set")
    rules = RULE_SETS[name]
    two, bay, sides = wire.array(options, 3)
    deck = [card for card in rules.cards for _ in range(card.copies)]
    chosen = Options(wire.truth(two), wire.truth(bay), wire.text(sides))
    try:
        return Setup(rules, seats, tuple(deck), chosen)
    except ValueError as error:
        wire.need(False, str(error))
        raise


def assented(genesis: Genesis, body: bytes, data: bytes) -> bool:
    found = dict(seals(data))
    if set(found) != set(genesis.keepers):
        return False
    return all(
        wire.signed(genesis.seats[seat].key, "genesis", body, signature)
        for seat, signature in found.items()
    )


def phrase(game: bytes) -> str:
    words = Path("kotp2p/words.txt")
    listed = (Path(__file__).parents[3] / words).read_text("utf-8").split()
    found = int.from_bytes(wire.hashed("phrase", game)[:8], "big") >> 20
    return " ".join(listed[found >> shift & 2047] for shift in (33, 22, 11, 0))
