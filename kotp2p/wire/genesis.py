"""The genesis: the table as all seats have signed it (PROTOCOL.md 6.3).

Scope: the charter that the host proposes, the rows that the seats add, and the genesis that both
make. It holds everything that a verifier needs beside the entries: rule set, options, clocks, the
seats, and the commitments of the first slots. The deck is that of the rule set: no charter can
name another one.
Not here: the steps of the start, and what a seat agrees to (`kotp2p.lobby`).

The hash of the genesis is the id of the game. Four words of that hash are the table phrase.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

from kotp2p.wire.commitments import CARD_WINDOW, DICE_WINDOW
from kotp2p.wire.crypto import (
    HASH_BYTES,
    KEY_BYTES,
    SIGNATURE_BYTES,
    Tag,
    check_key,
    digest,
    is_valid_signature,
)
from kotp2p.wire.encoding import (
    BadBytes,
    Value,
    array,
    boolean,
    integer,
    octets,
    pack,
    text,
    unpack,
)
from kotp2p.wire.entries import Signed
from kotp2p.wire.names import check_unlike, read_label, read_name
from kotp2p.wire.text_tables import read_table
from referee.box.rulesets import RULE_SETS, RULES_VERSION
from referee.box.setup import TILE_SIDE_OPTIONS, Options, Setup
from referee.model.answers import Seat

PROTOCOL_VERSION = 5
MIN_SEATS, MAX_SEATS = 2, 6
NONCE_BYTES = 32


class OtherVersion(Exception):
    """The bytes belong to a version of the protocol or the rules that this program lacks."""

    def __init__(self, protocol: int, rules: int) -> None:
        super().__init__(f"protocol {protocol}, rules {rules}")
        self.protocol = protocol
        self.rules = rules


@dataclass(frozen=True, slots=True)
class GenesisRow:
    """A seat's part of the genesis, bound by one nonce commitment before any row is shown."""

    nonce: bytes
    dice: tuple[bytes, ...]
    """The commitments of this seat to the first `DICE_WINDOW` dice slots."""
    cards: tuple[bytes, ...]
    """The commitments of this seat to the first `CARD_WINDOW` card slots."""

    def value(self) -> tuple[bytes, tuple[bytes, ...], tuple[bytes, ...]]:
        return (self.nonce, self.dice, self.cards)

    def nonce_commitment(self, table: bytes, key: bytes) -> bytes:
        """The nonce commitment (PROTOCOL.md 6.2).

        All seats send theirs before any row is shown, so that no row can depend on another one.
        """
        return digest(Tag.NONCE, table, key, pack(self.value()))

    @staticmethod
    def parse(value: object) -> GenesisRow:
        nonce, dice, cards = array(value, 3)
        return GenesisRow(
            octets(nonce, NONCE_BYTES),
            tuple(octets(c, HASH_BYTES) for c in array(dice, DICE_WINDOW)),
            tuple(octets(c, HASH_BYTES) for c in array(cards, CARD_WINDOW)),
        )


@dataclass(frozen=True, slots=True)
class Player:
    """A seat of the genesis."""

    name: str
    monster: str
    key: bytes
    bot: bool
    keeper: Seat
    """The seat whose process plays this seat: the host's for a bot, its own for a person."""
    one_game: bool = False
    """The key is made for this game only."""
    automatic: bool = False
    """A bot answers in place of a person, in the process of this seat. Its program has a vote like
    that of a person."""

    @property
    def is_played_by_bot(self) -> bool:
        return self.bot or self.automatic


def signed_by_seat(players: Sequence[Player], seat: Seat, signed: Signed) -> bool:
    """Whether `seat` is at the table and has signed this body."""
    return seat < len(players) and signed.is_by(players[seat].key)


def sealed_by_seat(players: Sequence[Player], seat: Seat, body: bytes, seal: bytes) -> bool:
    """Whether `seat` is at the table and has confirmed this end or break."""
    return seat < len(players) and is_valid_signature(players[seat].key, Tag.CLOSE, body, seal)


@dataclass(frozen=True, slots=True)
class Clocks:
    """Seconds before a seat is called late, 0 for no limit (PROTOCOL.md 9.8).

    Every peer measures them by itself. The referee knows no clock.
    """

    turn: int = 120
    """The time for all decisions of a seat's own turn together."""
    reaction: int = 45
    """The time for each decision in the turn of another seat."""

    def value(self) -> Value:
        return (self.turn, self.reaction)

    @staticmethod
    def parse(value: object) -> Clocks:
        turn, reaction = array(value, 2)
        return Clocks(integer(turn, 0, MAX_CLOCK_SECONDS), integer(reaction, 0, MAX_CLOCK_SECONDS))


MAX_CLOCK_SECONDS = 86_400


def options_to_value(options: Options) -> Value:
    return (options.two_player, options.bay_for_beginners, options.tile_sides)


def parse_options(value: object) -> Options:
    two_player, bay, sides = array(value, 3)
    if sides not in TILE_SIDE_OPTIONS:
        raise BadBytes("tiles with other sides")
    return Options(boolean(two_player), boolean(bay), text(sides, 16))


@dataclass(frozen=True, slots=True)
class Charter:
    """The genesis without the rows of the seats: the table that the host proposes."""

    table: bytes
    fresh: bytes
    rules: str
    options: Options
    players: tuple[Player, ...]
    host: int
    """The seat that opened the table. From the genesis on it is a player like the others."""
    clocks: Clocks = Clocks()

    def value(self) -> Value:
        seats = tuple(
            (p.key, p.name, p.monster, p.bot, p.one_game, p.automatic) for p in self.players
        )
        options, clocks = options_to_value(self.options), self.clocks.value()
        return (self.table, self.fresh, self.rules, options, seats, self.host, clocks)

    @staticmethod
    def parse(value: object) -> Charter:
        table, fresh, rules, options, seats, host, clocks = array(value, 7)
        host_seat = integer(host, 0, MAX_SEATS - 1)
        charter = Charter(
            octets(table, HASH_BYTES),
            octets(fresh, 32),
            text(rules, 32),
            parse_options(options),
            tuple(
                _parse_player(row, seat, host_seat)
                for seat, row in enumerate(array(seats, most=MAX_SEATS))
            ),
            host_seat,
            Clocks.parse(clocks),
        )
        charter.check_playable()
        return charter

    def check_playable(self) -> None:
        """Raises BadBytes unless this program could play the game of this charter."""
        players = self.players
        keys = {p.key for p in players}
        if len(keys) < len(players):
            raise BadBytes("two seats of one key")
        check_unlike([p.name for p in players])
        if self.rules not in RULE_SETS:
            raise BadBytes("no such rule set")
        if self.host >= len(players) or players[self.host].bot:
            raise BadBytes("no host")
        if self.table != table_id(self.players, self.host, self.fresh):
            raise BadBytes("a table id that does not fit its seats")
        try:
            self.setup()
        except ValueError as fault:  # so the number of seats, too
            raise BadBytes(str(fault)) from fault

    def setup(self) -> Setup:
        """The game that the referee starts from; ValueError if it is no game of its rules."""
        rules = RULE_SETS[self.rules]
        return Setup(rules, len(self.players), rules.deck(), self.options)


def check_rows(rows: Sequence[GenesisRow]) -> None:
    """Raises BadBytes if a commitment stands twice. It binds its seat and its slot, so no honest
    one does."""
    shown = [c for row in rows for c in (*row.dice, *row.cards)]
    if len(set(shown)) < len(shown):
        raise BadBytes("a commitment that stands twice")


def _parse_player(value: object, seat: Seat, host: Seat) -> Player:
    key, name, monster, bot, one_game, automatic = array(value, 6)
    is_bot, is_automatic = boolean(bot), boolean(automatic)
    if is_bot and is_automatic:
        raise BadBytes("a bot of the host that is a bot of its own")
    return Player(
        read_name(name),
        read_label(monster),
        check_key(octets(key, KEY_BYTES)),
        is_bot,
        host if is_bot else seat,
        boolean(one_game),
        is_automatic,
    )


def table_id(players: Sequence[Player], host: int, fresh: bytes) -> bytes:
    """The hash of the host's key, all keys in seat order, and the fresh bytes of this attempt.

    Two attempts to start one table have different ids. Nothing that is signed or sealed for the
    first one fits the second.
    """
    return digest(Tag.TABLE, players[host].key, *(p.key for p in players), fresh)


@dataclass(frozen=True, slots=True)
class Genesis:
    """The charter with the rows of all seats: what all of them sign."""

    charter: Charter
    rows: tuple[GenesisRow, ...]
    body: bytes
    id: bytes
    signatures: tuple[bytes, ...] = ()
    """One for each seat, in seat order; empty while they are collected."""

    @staticmethod
    def build(charter: Charter, rows: Sequence[GenesisRow]) -> Genesis:
        """A genesis without signatures. Raises BadBytes if charter and rows do not fit."""
        body = pack(
            (PROTOCOL_VERSION, RULES_VERSION, charter.value(), tuple(r.value() for r in rows))
        )
        return Genesis.parse(body)

    @staticmethod
    def parse(body: bytes, signatures: Sequence[bytes] = ()) -> Genesis:
        """The genesis of `body`.

        `signatures` are checked if there are any: one for each seat, in seat order. Raises
        OtherVersion for another version. Raises BadBytes if the body is malformed or a signature
        is missing or wrong.
        """
        value = array(unpack(body))
        if len(value) < 2:
            raise BadBytes("no genesis")
        # The versions come first: the form of everything behind them may differ.
        protocol, rules = integer(value[0]), integer(value[1])
        if (protocol, rules) != (PROTOCOL_VERSION, RULES_VERSION):
            raise OtherVersion(protocol, rules)
        _, _, charter_value, rows_value = array(value, 4)
        charter = Charter.parse(charter_value)
        rows = tuple(GenesisRow.parse(row) for row in array(rows_value, len(charter.players)))
        check_rows(rows)
        if signatures:
            if len(signatures) != len(charter.players):
                raise BadBytes("a signature is missing")
            for player, signature in zip(charter.players, signatures, strict=True):
                if not is_valid_signature(
                    player.key, Tag.GENESIS, body, octets(signature, SIGNATURE_BYTES)
                ):
                    raise BadBytes(f"the signature of {player.name} is wrong")
        return Genesis(charter, rows, body, digest(Tag.GENESIS, body), tuple(signatures))

    @property
    def players(self) -> tuple[Player, ...]:
        return self.charter.players

    @property
    def phrase(self) -> str:
        return table_phrase(self.id)


@functools.cache
def _phrase_words() -> tuple[str, ...]:
    return tuple(read_table("words").split())


def table_phrase(game: bytes) -> str:
    """Four of 2048 words from the game id, 44 bits: people compare them and name a game by them."""
    number = int.from_bytes(digest(Tag.PHRASE, game)[:8], "big") >> 20
    return " ".join(_phrase_words()[number >> shift & 2047] for shift in (33, 22, 11, 0))
