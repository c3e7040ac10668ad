"""The start of a game: what each seat commits to, shows and signs, and the host's attempts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from kotp2p.lobby.lobby_effects import BeginGame, EffectQueue, LinkNumber, SendToLink
from kotp2p.lobby.seating import LobbyGuest
from kotp2p.referee.box.rulesets import Options, RuleSet
from kotp2p.referee.model.answers import Seat
from kotp2p.seams.cores import Allowance, Phase, StateTable, pace_of_starts
from kotp2p.wire import crypto, encoding
from kotp2p.wire.addresses import can_be_told
from kotp2p.wire.entries import BodyKind, Signed, pack_seals, unpack_seals
from kotp2p.wire.frames import AllSealed, Frame, GenesisShown, RowShown, Sealed, Start, encode
from kotp2p.wire.genesis import (
    Charter,
    Clocks,
    Genesis,
    GenesisRow,
    Player,
    check_rows,
    keepers_of,
    table_id,
)

# -- one seat's side -----------------------------------------------------------------------
#
# The host proposes a charter. Every keeper commits to a row (a nonce and its first commitments to
# chance), then shows the row, then signs the genesis that is made of all rows. As all commit
# before any row is shown, no keeper can choose its row by those of others, and so steer the game
# id. The genesis is line-up 0: its signatures are the assents of its members.


class CeremonyState(StrEnum):
    COMMITTED = "committed"
    SHOWN = "shown"
    SIGNED = "signed"
    """It has signed the genesis: for the others the game may begin at any moment."""


class CeremonyEvent(StrEnum):
    ALL_COMMITTED = "all have committed"
    GENESIS_SHOWN = "the genesis is shown"


CEREMONY = StateTable(
    "start of a game, one seat",
    CeremonyState.COMMITTED,
    {
        CeremonyState.COMMITTED: {CeremonyEvent.ALL_COMMITTED: CeremonyState.SHOWN},
        CeremonyState.SHOWN: {CeremonyEvent.GENESIS_SHOWN: CeremonyState.SIGNED},
        # What is shown twice is signed alike.
        CeremonyState.SIGNED: {CeremonyEvent.GENESIS_SHOWN: CeremonyState.SIGNED},
    },
)


@dataclass(slots=True)
class Ceremony:
    charter: Charter
    signer: crypto.Signer
    seed: bytes
    nonce: bytes
    seat: Seat = field(init=False)
    keepers: tuple[Seat, ...] = field(init=False)
    row: GenesisRow = field(init=False)
    commitments: Mapping[Seat, bytes] = field(default_factory=dict)
    """The commitment of each keeper to its row, once all have committed."""
    genesis: Genesis | None = None
    seals: dict[Seat, bytes] = field(default_factory=dict)
    """The signatures of keepers under the genesis, as far as they are known."""
    _phase: Phase[CeremonyState, CeremonyEvent] = field(
        default_factory=lambda: Phase.at_start(CEREMONY)
    )

    def __post_init__(self) -> None:
        """Prepare the own row; raise BadBytes if this player has no seat at the table."""
        players = self.charter.players
        self.keepers = keepers_of(players)
        own = [seat for seat in self.keepers if players[seat].key == self.signer.key]
        if not own:
            raise encoding.BadBytes("a table without this seat")
        (self.seat,) = own
        table = self.charter.table

        def window(stream: crypto.Stream, size: int) -> tuple[bytes, ...]:
            return tuple(
                crypto.own_commitment(self.seed, table, table, stream, self.seat, s)
                for s in range(size)
            )

        self.row = GenesisRow(
            self.nonce,
            window(crypto.Stream.DICE, crypto.DICE_WINDOW),
            window(crypto.Stream.CARDS, crypto.CARD_WINDOW),
        )

    @property
    def own_commitment(self) -> bytes:
        return self.row.nonce_commitment(self.charter.table, self.signer.key)

    def accept_commitments(self, commitments: Sequence[bytes]) -> None:
        """Accept the commitments of all keepers, in seat order; raise BadBytes."""
        by_seat = dict(zip(self.keepers, commitments, strict=False))
        is_complete = len(commitments) == len(self.keepers)
        if not is_complete or by_seat[self.seat] != self.own_commitment:
            raise encoding.BadBytes("seals that are not this table's")
        if not self._phase.allows(CeremonyEvent.ALL_COMMITTED):
            # Other commitments now could be chosen by the rows that have been shown.
            raise encoding.BadBytes("sealed twice")
        self._phase.move(CeremonyEvent.ALL_COMMITTED)
        self.commitments = by_seat

    def has_committed(self, seat: Seat, row: GenesisRow) -> bool:
        key = self.charter.players[seat].key
        commitment = row.nonce_commitment(self.charter.table, key)
        return commitment == self.commitments.get(seat)

    def sign_genesis(self, body: bytes) -> Signed:
        genesis = Genesis.parse(body)
        if genesis.charter != self.charter:
            raise encoding.BadBytes("a genesis of another table")
        rows = zip(self.keepers, genesis.rows, strict=True)
        if not all(self.has_committed(seat, row) for seat, row in rows):
            raise encoding.BadBytes("a row that was not sealed so")
        self._phase.move(CeremonyEvent.GENESIS_SHOWN)
        self.genesis = genesis
        self.seals[self.seat] = self.signer.sign(crypto.Tag.GENESIS, body)
        return Signed(BodyKind.GENESIS, body, pack_seals({self.seat: self.seals[self.seat]}))

    def add_seals(self, signed: Signed) -> Genesis | None:
        """Take in signatures under the genesis; return it once all are known; raise BadBytes."""
        if self.genesis is None or signed.body != self.genesis.body:
            raise encoding.BadBytes("signatures under a genesis that this seat has not signed")
        for seat, seal in unpack_seals(signed.signature).items():
            if seat not in self.keepers:
                raise encoding.BadBytes("a signature of nobody's")
            key = self.charter.players[seat].key
            if not crypto.is_valid_signature(key, crypto.Tag.GENESIS, signed.body, seal):
                raise encoding.BadBytes("a signature that is not its seat's")
            self.seals.setdefault(seat, seal)
        if len(self.seals) < len(self.keepers):
            return None
        return Genesis.parse(self.genesis.body, pack_seals(self.seals))

    def known_seals(self) -> Signed:
        assert self.genesis is not None
        return Signed(BodyKind.GENESIS, self.genesis.body, pack_seals(self.seals))


# -- the host's side -----------------------------------------------------------------------


START_STEP_SECONDS = 30.0
START_END_SECONDS = 60.0
"""How long a guest that has signed waits for the signatures of all, or for another lobby. An honest
host has one of them after one step."""


class LobbyState(StrEnum):
    """The state of a lobby; all but the first and the last are steps of an attempt."""

    OPEN = "open"
    SEALING = "sealing"
    SHOWING = "showing"
    SIGNING = "signing"
    BEGUN = "begun"


class LobbyEvent(StrEnum):
    PROPOSED = "a charter is proposed"
    ALL_SEALED = "all have sealed"
    ALL_SHOWN = "all have shown"
    ALL_SIGNED = "all have signed"
    GIVEN_UP = "a seat does not follow"


HOST_LOBBY = StateTable(
    "lobby of a host",
    LobbyState.OPEN,
    {
        LobbyState.OPEN: {LobbyEvent.PROPOSED: LobbyState.SEALING},
        LobbyState.SEALING: {
            LobbyEvent.ALL_SEALED: LobbyState.SHOWING,
            LobbyEvent.GIVEN_UP: LobbyState.OPEN,
        },
        LobbyState.SHOWING: {
            LobbyEvent.ALL_SHOWN: LobbyState.SIGNING,
            LobbyEvent.GIVEN_UP: LobbyState.OPEN,
        },
        LobbyState.SIGNING: {
            LobbyEvent.ALL_SIGNED: LobbyState.BEGUN,
            LobbyEvent.GIVEN_UP: LobbyState.OPEN,
        },
        LobbyState.BEGUN: {},
    },
)


def make_charter(
    guests: Sequence[LobbyGuest],
    rules: RuleSet,
    options: Options,
    clocks: Clocks,
    fresh: bytes,
    start: int,
) -> Charter:
    """Make the charter for these guests, in seat order; the host keeps its bots and people."""
    host = [g.is_host for g in guests].index(True)
    players = tuple(
        Player(
            g.name,
            g.monster,
            guests[host].key if g.is_kept else g.key,
            host if g.is_kept else seat,
            g.automatic,
            g.one_game,
        )
        for seat, g in enumerate(guests)
    )
    table = table_id(players, host, fresh)
    return Charter(table, fresh, start, rules.name, options, players, host, clocks)


@dataclass(slots=True)
class StartAttempt:
    """One attempt; it moves the phase of its lobby from step to step."""

    guests: tuple[LobbyGuest, ...]
    ceremony: Ceremony
    phase: Phase[LobbyState, LobbyEvent]
    effects: EffectQueue
    genesis: Genesis | None = None
    _step_began: float = 0.0
    _parts: dict[Seat, Signed | bytes | GenesisRow] = field(default_factory=dict)

    def propose_charter(self, now: float) -> None:
        """Propose the charter to all; raise Unwritable first for one that no guest would take."""
        start = Start(self.ceremony.charter, self.addresses)
        encode(start)
        self._tell_all(start)
        self._enter_step(LobbyEvent.PROPOSED, now)
        self._add_own_part(self.ceremony.own_commitment, now)

    @property
    def addresses(self) -> tuple[tuple[str, int], ...]:
        """Return where each seat can be dialled.

        An empty address means the host's machine, so a loopback address is only given to seats on
        loopback. A bot has no address.
        """
        return tuple(
            (g.address, g.port) if can_be_told(g.address) else ("", 0) for g in self.guests
        )

    def late_links(self, now: float) -> list[LinkNumber]:
        if self.phase.state is LobbyState.BEGUN or now < self._step_began + START_STEP_SECONDS:
            return []
        return [self.guests[s].link for s in self.ceremony.keepers if s not in self._parts]

    def accept_part(self, link: LinkNumber, frame: Sealed | RowShown | Signed, now: float) -> None:
        """Accept a seat's part, unless it is of an earlier attempt or step; raise BadBytes."""
        seat = [g.link for g in self.guests].index(link)
        table = self.ceremony.charter.table
        match self.phase.state, frame:
            case LobbyState.SEALING, Sealed() if frame.table == table:
                self._parts[seat] = frame.commitment
            case LobbyState.SHOWING, RowShown() if frame.table == table:
                if not self.ceremony.has_committed(seat, frame.row):
                    raise encoding.BadBytes("a row that was not sealed so")
                # All that the genesis asks of rows is asked here, while the fault is still that of
                # the seat that sends: the last row must not pay for an earlier one.
                others = [row for row in self._parts.values() if isinstance(row, GenesisRow)]
                if seat not in self._parts:
                    check_rows([*others, frame.row])
                self._parts[seat] = frame.row
            case LobbyState.SIGNING, Signed() if frame.body == self._shown_body:
                if tuple(unpack_seals(frame.signature)) != (seat,):
                    raise encoding.BadBytes("a signature that is not its seat's")
                self.ceremony.add_seals(frame)
                self._parts[seat] = frame
            case _:  # late: links keep their order, but a seat may answer an attempt given up
                return
        self._go_on(now)

    def begin_game(self) -> BeginGame:
        assert self.genesis is not None  # all have signed
        ceremony = self.ceremony
        links = {self.guests[s].link: s for s in ceremony.keepers if s != ceremony.seat}
        return BeginGame(
            self.genesis,
            ceremony.seat,
            ceremony.seed,
            links,
            self.addresses,
            tuple(SendToLink(link, self.genesis.signed) for link in links),
        )

    @property
    def _shown_body(self) -> bytes:
        shown = self.ceremony.genesis
        assert shown is not None  # it is shown before anybody signs
        return shown.body

    def _enter_step(self, event: LobbyEvent, now: float) -> None:
        self.phase.move(event)
        self._step_began, self._parts = now, {}

    def _add_own_part(self, part: Signed | bytes | GenesisRow, now: float) -> None:
        self._parts[self.ceremony.seat] = part
        self._go_on(now)

    def _go_on(self, now: float) -> None:
        if len(self._parts) < len(self.ceremony.keepers):
            return
        ceremony = self.ceremony
        parts = [self._parts[seat] for seat in sorted(self._parts)]
        match self.phase.state:
            case LobbyState.SEALING:
                commitments = tuple(p for p in parts if isinstance(p, bytes))
                ceremony.accept_commitments(commitments)
                self._tell_all(AllSealed(ceremony.charter.table, commitments))
                self._enter_step(LobbyEvent.ALL_SEALED, now)
                self._add_own_part(ceremony.row, now)
            case LobbyState.SHOWING:
                rows = [p for p in parts if isinstance(p, GenesisRow)]
                body = Genesis.build(ceremony.charter, rows).body
                self._tell_all(GenesisShown(body))
                self._enter_step(LobbyEvent.ALL_SHOWN, now)
                self._add_own_part(ceremony.sign_genesis(body), now)
            case LobbyState.SIGNING:
                self.genesis = ceremony.add_seals(ceremony.known_seals())
                self.phase.move(LobbyEvent.ALL_SIGNED)
            case LobbyState.OPEN | LobbyState.BEGUN:
                raise AssertionError(self.phase.state)  # no part is waited for

    def _tell_all(self, frame: Frame) -> None:
        for guest in self.guests:
            if guest.has_link:
                self.effects.send_frame(guest.link, frame)


@dataclass(slots=True)
class LobbyStart:
    """The phase of a host's lobby, and the attempt that is under way or has succeeded."""

    signer: crypto.Signer
    entropy: Callable[[int], bytes]
    effects: EffectQueue
    phase: Phase[LobbyState, LobbyEvent] = field(default_factory=lambda: Phase.at_start(HOST_LOBBY))
    number: int = 0
    _attempt: StartAttempt | None = None
    _pace: Allowance = field(default_factory=pace_of_starts)

    @property
    def is_open(self) -> bool:
        return self.phase.state is LobbyState.OPEN

    @property
    def has_begun(self) -> bool:
        return self.phase.state is LobbyState.BEGUN

    @property
    def is_under_way(self) -> bool:
        return not (self.is_open or self.has_begun)

    def may_begin_alone(self, now: float) -> bool:
        """Return whether an attempt may be made without the player's command."""
        # Guests that come and never follow must not make the program try without end.
        return self._pace.has(1, now)

    def propose_charter(self, charter: Charter, guests: Sequence[LobbyGuest], now: float) -> None:
        """Begin an attempt, with a seed and a nonce that no other attempt has had."""
        self._pace.charge(1, now)
        self.number = charter.start
        seed, nonce = self.entropy(32), self.entropy(32)
        ceremony = Ceremony(charter, self.signer, seed, nonce)
        attempt = StartAttempt(tuple(guests), ceremony, self.phase, self.effects)
        attempt.propose_charter(now)
        self._attempt = attempt

    def accept_part(self, link: LinkNumber, frame: Sealed | RowShown | Signed, now: float) -> None:
        assert self._attempt is not None  # one is under way
        self._attempt.accept_part(link, frame, now)

    def take_game(self) -> BeginGame | None:
        return self._attempt.begin_game() if self.has_begun and self._attempt else None

    def can_decline(self, table: bytes) -> bool:
        """Return whether a guest may still decline, as nothing has been shown yet."""
        attempt, is_first_step = self._attempt, self.phase.state is LobbyState.SEALING
        return is_first_step and attempt is not None and attempt.ceremony.charter.table == table

    def late_links(self, now: float) -> list[LinkNumber]:
        return [] if self._attempt is None else self._attempt.late_links(now)

    def give_up(self) -> None:
        self.phase.move(LobbyEvent.GIVEN_UP)
        self._attempt = None
