"""The genesis: the table as all seats have signed it (PROTOCOL.md 6.3).

Scope: the charter that the host proposes, the rows that the seats add, and the genesis that both
make. It holds everything that a verifier needs besides the entries: rule set, options, clocks, the
seats, and the commitments of the first slots. The deck is that of the rule set: no charter can name
another one.

The hash of the genesis is the id of the game. Four words of that hash are the table phrase.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from kotp2p.referee.box.rulesets import RULE_SETS, RULES_VERSION, TILE_SIDE_OPTIONS, Options, Setup
from kotp2p.referee.model.answers import Seat
from kotp2p.wire import crypto, encoding, entries
from kotp2p.wire.crypto import Tag, digest, is_valid_signature
from kotp2p.wire.encoding import BadBytes, array, boolean, integer, octets
from kotp2p.wire.entries import Entry, Signed
from kotp2p.wire.names import check_unlike, read_label, read_name

PROTOCOL_VERSION = 6
MIN_SEATS, MAX_SEATS = 2, 6
NONCE_BYTES = 32


class OtherVersion(Exception):
    """The bytes belong to a version of the protocol or the rules that this program lacks."""

    def __init__(self, protocol: int, rules: int) -> None:
        super().__init__(f"protocol {protocol}, rules {rules}")
        self.protocol = protocol
        self.rules = rules


@dataclass(frozen=True, slots=True)
class GenesisRow(encoding.WireArray):
    """A keeper's part of the genesis, bound by one nonce commitment before any row is shown."""

    READERS = (partial(octets, size=NONCE_BYTES), entries.read_dice_row, entries.read_card_row)
    nonce: bytes
    dice: tuple[bytes, ...]
    cards: tuple[bytes, ...]

    def nonce_commitment(self, table: bytes, key: bytes) -> bytes:
        """Return the nonce commitment, sent before any row is shown (PROTOCOL.md 6.2)."""
        return digest(Tag.NONCE, table, key, encoding.pack(self.value()))


@dataclass(frozen=True, slots=True)
class Player:
    """A seat of the genesis."""

    name: str
    monster: str
    key: bytes
    keeper: Seat
    """The seat whose process plays this one from the start: its own, or that of the machine at
    which a second person or a bot plays."""
    automatic: bool = False
    one_game: bool = False


def keepers_of(players: Sequence[Player]) -> tuple[Seat, ...]:
    """Return the seats that keep themselves, ascending: one for each process of the game."""
    return tuple([seat for seat, player in enumerate(players) if player.keeper == seat])


def is_bot(players: Sequence[Player], seat: Seat) -> bool:
    """Return whether `seat` is a bot in the process of another seat, from the start."""
    return players[seat].automatic and players[seat].keeper != seat


def signed_by_keeper(players: Sequence[Player], keeper: Seat, signed: Signed | Entry) -> bool:
    return keeper < len(players) and signed.is_by(players[keeper].key)


MAX_CLOCK_SECONDS = 86_400


@dataclass(frozen=True, slots=True)
class Clocks(encoding.WireArray):
    """Seconds before a seat is called late, 0 for no limit, by each peer's own measure."""

    READERS = (partial(integer, most=MAX_CLOCK_SECONDS),) * 2
    turn: int = 120
    """The time for all decisions of a seat's own turn together."""
    reaction: int = 45
    """The time for each decision in the turn of another seat."""


def options_to_value(options: Options) -> encoding.Value:
    return (options.two_player, options.bay_for_beginners, options.tile_sides)


def parse_options(value: object) -> Options:
    two_player, bay, sides = array(value, 3)
    if sides not in TILE_SIDE_OPTIONS:
        raise BadBytes("tiles with other sides")
    return Options(boolean(two_player), boolean(bay), encoding.text(sides, 16))


@dataclass(frozen=True, slots=True)
class Charter(encoding.WireArray):
    """The genesis without the rows of the seats: the table that the host proposes."""

    table: bytes
    fresh: bytes
    start: int
    """Ascends with each start that the host proposes in one lobby."""
    rules: str
    options: Options
    players: tuple[Player, ...]
    host: int
    """The seat that opened the table. From the genesis on it is a player like the others."""
    clocks: Clocks = Clocks()

    def value(self) -> tuple[encoding.Value, ...]:
        seats = tuple(_player_value(p, seat) for seat, p in enumerate(self.players))
        options, clocks = options_to_value(self.options), self.clocks.value()
        named = (self.table, self.fresh, self.start, self.rules)
        return (*named, options, seats, self.host, clocks)

    @classmethod
    def parse(cls, value: object) -> Charter:
        table, fresh, start, rules, options, seats, host, clocks = array(value, 8)
        charter = Charter(
            octets(table, crypto.HASH_BYTES),
            octets(fresh, 32),
            integer(start, 1),
            encoding.text(rules, 32),
            parse_options(options),
            parse_players(seats),
            integer(host, 0, MAX_SEATS - 1),
            Clocks.parse(clocks),
        )
        charter.check_playable()
        return charter

    def check_playable(self) -> None:
        """Raise BadBytes unless this program could play the game of this charter."""
        players = self.players
        keepers = keepers_of(players)
        if len({players[seat].key for seat in keepers}) < len(keepers):
            raise BadBytes("two keepers of one key")
        check_unlike([p.name for p in players])
        if self.rules not in RULE_SETS:
            raise BadBytes("no such rule set")
        if self.host not in keepers:
            raise BadBytes("no host")
        if self.table != table_id(self.players, self.host, self.fresh):
            raise BadBytes("a table id that does not fit its seats")
        try:
            self.setup()
        except ValueError as fault:  # so the number of seats, too
            raise BadBytes(str(fault)) from fault

    def setup(self) -> Setup:
        rules = RULE_SETS[self.rules]
        return Setup(rules, len(self.players), rules.deck(), self.options)


def check_rows(rows: Sequence[GenesisRow]) -> None:
    """Raise BadBytes if a commitment stands twice: it binds its seat and its slot."""
    shown = [c for row in rows for c in (*row.dice, *row.cards)]
    if len(set(shown)) < len(shown):
        raise BadBytes("a commitment that stands twice")


def _player_value(player: Player, seat: Seat) -> encoding.Value:
    owner = player.key if player.keeper == seat else player.keeper
    return (owner, player.name, player.monster, player.automatic, player.one_game)


def parse_players(value: object) -> tuple[Player, ...]:
    """Read the seats of a charter, each of a key or of another seat's keeper; raise BadBytes."""
    rows = [array(row, 5) for row in array(value, most=MAX_SEATS)]
    owners = [row[0] for row in rows]
    return tuple([_parse_player(row, seat, owners) for seat, row in enumerate(rows)])


def _parse_player(row: Sequence[object], seat: Seat, owners: Sequence[object]) -> Player:
    owner, name, monster, automatic, one_game = row
    keeper = seat if isinstance(owner, bytes) else integer(owner, 0, len(owners) - 1)
    is_kept = keeper != seat or not isinstance(owner, bytes)
    if is_kept and (boolean(one_game) or not isinstance(owners[keeper], bytes)):
        raise BadBytes("a seat of nobody's")
    return Player(
        read_name(name),
        read_label(monster),
        crypto.check_key(octets(owners[keeper], crypto.KEY_BYTES)),
        keeper,
        boolean(automatic),
        boolean(one_game),
    )


def table_id(players: Sequence[Player], host: int, fresh: bytes) -> bytes:
    """Return the id of a start: nothing signed or sealed for another one fits it."""
    return digest(Tag.TABLE, players[host].key, *(p.key for p in players), fresh)


@dataclass(frozen=True, slots=True)
class Genesis:
    """The charter with the rows of all keepers: line-up 0, to which all of them assent."""

    charter: Charter
    rows: tuple[GenesisRow, ...]
    body: bytes
    id: bytes
    seals: Mapping[Seat, bytes] = field(default_factory=dict)
    """The signature of each keeper; empty while they are collected."""

    @staticmethod
    def build(charter: Charter, rows: Sequence[GenesisRow]) -> Genesis:
        body = encoding.pack(
            (PROTOCOL_VERSION, RULES_VERSION, charter.value(), tuple(r.value() for r in rows))
        )
        return Genesis.parse(body)

    @staticmethod
    def parse(body: bytes, seals: bytes = b"") -> Genesis:
        """Read a genesis, and check its `seals` if any; raise OtherVersion or BadBytes."""
        value = array(encoding.unpack(body))
        if len(value) < 2:
            raise BadBytes("no genesis")
        # The versions come first: the form of everything after them may differ.
        protocol, rules = integer(value[0]), integer(value[1])
        if (protocol, rules) != (PROTOCOL_VERSION, RULES_VERSION):
            raise OtherVersion(protocol, rules)
        _, _, charter_value, rows_value = array(value, 4)
        charter = Charter.parse(charter_value)
        keepers = keepers_of(charter.players)
        rows = tuple(GenesisRow.parse(row) for row in array(rows_value, len(keepers)))
        check_rows(rows)
        signed = entries.unpack_seals(seals) if seals else {}
        if signed:
            if tuple(signed) != keepers:
                raise BadBytes("a signature is missing")
            for seat, signature in signed.items():
                player = charter.players[seat]
                if not is_valid_signature(player.key, Tag.GENESIS, body, signature):
                    raise BadBytes(f"the signature of {player.name} is wrong")
        return Genesis(charter, rows, body, digest(Tag.GENESIS, body), signed)

    @property
    def signed(self) -> Signed:
        return Signed(entries.BodyKind.GENESIS, self.body, entries.pack_seals(self.seals))

    @property
    def keepers(self) -> tuple[Seat, ...]:
        return keepers_of(self.players)

    def seat_of(self, key: bytes) -> Seat | None:
        return next((seat for seat in self.keepers if self.players[seat].key == key), None)

    @property
    def players(self) -> tuple[Player, ...]:
        return self.charter.players

    @property
    def phrase(self) -> str:
        return table_phrase(self.id)


@functools.cache
def _phrase_words() -> tuple[str, ...]:
    return tuple(encoding.read_table("words").split())


def table_phrase(game: bytes) -> str:
    """Return four of 2048 words from the game id, 44 bits, which people compare."""
    number = int.from_bytes(digest(Tag.PHRASE, game)[:8], "big") >> 20
    return " ".join(_phrase_words()[number >> shift & 2047] for shift in (33, 22, 11, 0))


# -- how a table plays where its rule set leaves a choice: its options and its clocks ------


@dataclass(frozen=True, slots=True)
class LobbyOptions:
    options: Options = field(default_factory=Options)
    clocks: Clocks = field(default_factory=Clocks)
