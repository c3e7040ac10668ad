"""One attempt of a host to start a game: what the seats have sent, and what they are told.

May live here: the host's side of the ceremony (PROTOCOL.md 6.2), from the proposal to the signed
genesis. May not: who sits where, and who loses his seat when an attempt fails; that is the lobby's
(`lobby_host.py`), which gives the attempt up and makes another one. Nobody sits down or moves
meanwhile, so the seats of an attempt never change. No I/O: effects go into the lobby's list.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from kotp2p.lobby.ceremony import START_STEP_SECONDS, Ceremony, LobbyGuest
from kotp2p.lobby.effects import (
    HOST_ITSELF,
    BeginGame,
    LinkNumber,
    LobbyEffect,
    SaveSeed,
    SendToLink,
)
from kotp2p.wire.crypto import Signer, Tag, is_valid_signature
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.frames import Frame
from kotp2p.wire.frames_lobby import (
    AllAssent,
    AllSealed,
    Assent,
    GenesisShown,
    RowShown,
    Sealed,
    Start,
)
from kotp2p.wire.genesis import Charter, Clocks, Genesis, GenesisRow, Player, table_id
from referee.box.rulesets import RuleSet
from referee.box.setup import Options


class LobbyState(StrEnum):
    """Of a lobby; all but the first are those of an attempt."""

    OPEN = "open"
    SEALING = "sealing"
    SHOWING = "showing"
    SIGNING = "signing"
    BEGUN = "begun"


def make_charter(
    guests: Sequence[LobbyGuest], rules: RuleSet, options: Options, clocks: Clocks, fresh: bytes
) -> Charter:
    """What is proposed to these guests, in seat order; the host keeps the bots."""
    host = [g.link for g in guests].index(HOST_ITSELF)
    players = tuple(
        Player(g.name, g.monster, g.key, g.bot, host if g.bot else i) for i, g in enumerate(guests)
    )
    deck = tuple(card.key for card in rules.deck())
    table = table_id(players, host, fresh)
    return Charter(table, fresh, rules.name, options, deck, players, host, clocks)


@dataclass(slots=True)
class StartAttempt:
    guests: tuple[LobbyGuest, ...]
    """The guests in seat order."""
    effects: list[LobbyEffect]
    """The lobby's."""
    ceremony: Ceremony
    phase: LobbyState = LobbyState.SEALING
    genesis: Genesis | None = None
    """Once all have signed it."""
    _since: float = 0.0
    """When this phase began."""
    _got: dict[int, bytes | GenesisRow] = field(default_factory=dict)
    """What the seats have sent in this phase."""

    @staticmethod
    def of(
        charter: Charter,
        guests: Sequence[LobbyGuest],
        signer: Signer,
        entropy: Callable[[int], bytes],
        effects: list[LobbyEffect],
    ) -> StartAttempt:
        """With a seed and a nonce that no other attempt has."""
        return StartAttempt(
            tuple(guests), effects, Ceremony(charter, signer, entropy(32), entropy(32))
        )

    def propose(self, now: float) -> None:
        charter, seed = self.ceremony.charter, self.ceremony.seed
        self.effects.append(SaveSeed(charter.table, seed))
        self._tell_all(Start(charter, self.addresses))
        self._enter(LobbyState.SEALING, now)
        self._own_part(self.ceremony.own_commitment, now)

    @property
    def addresses(self) -> tuple[tuple[str, int], ...]:
        """Where each seat can be dialled. An empty address stands for the host's machine, so a
        loopback address is never given to anybody who is not on loopback."""
        return tuple((g.address, g.port) for g in self.guests)

    def late_links(self, now: float) -> list[LinkNumber]:
        """Whose part has not come in time; nobody before that."""
        if self.phase is LobbyState.BEGUN or now < self._since + START_STEP_SECONDS:
            return []
        return [g.link for seat, g in enumerate(self.guests) if seat not in self._got]

    def accept_part(self, link: LinkNumber, frame: Sealed | RowShown | Assent, now: float) -> None:
        """Somebody's part; one of an earlier attempt or phase is ignored. Raises BadBytes."""
        seat = [g.link for g in self.guests].index(link)
        table = self.ceremony.charter.table
        match self.phase, frame:
            case LobbyState.SEALING, Sealed() if frame.table == table:
                self._got[seat] = frame.commitment
            case LobbyState.SHOWING, RowShown() if frame.table == table:
                if not self.ceremony.has_committed(seat, frame.row):
                    raise BadBytes("a row that was not sealed so")
                self._got[seat] = frame.row
            case LobbyState.SIGNING, Assent():
                shown = self.ceremony.genesis
                assert shown is not None  # it is shown before this phase begins
                key = self.guests[seat].key
                if not is_valid_signature(key, Tag.GENESIS, shown.body, frame.signature):
                    raise BadBytes("a signature that is not its seat's")
                self._got[seat] = frame.signature
            case _:
                return
        self._go_on(now)

    def begin_game(self) -> BeginGame:
        """Into the game, for the host himself."""
        assert self.genesis is not None  # all have signed
        ceremony = self.ceremony
        links = {g.link: seat for seat, g in enumerate(self.guests) if g.link != HOST_ITSELF}
        return BeginGame(self.genesis, ceremony.seat, ceremony.seed, links, self.addresses)

    def _enter(self, phase: LobbyState, now: float) -> None:
        self.phase, self._since, self._got = phase, now, {}

    def _own_part(self, part: bytes | GenesisRow, now: float) -> None:
        self._got[self.ceremony.seat] = part
        self._go_on(now)

    def _go_on(self, now: float) -> None:
        """To the next phase, once all have sent their part."""
        if len(self._got) < len(self.guests):
            return
        ceremony = self.ceremony
        parts = [self._got[seat] for seat in sorted(self._got)]
        match self.phase:
            case LobbyState.SEALING:
                seals = tuple(p for p in parts if isinstance(p, bytes))
                ceremony.accept_commitments(seals)
                self._tell_all(AllSealed(ceremony.charter.table, seals))
                self._enter(LobbyState.SHOWING, now)
                self._own_part(ceremony.row, now)
            case LobbyState.SHOWING:
                rows = [p for p in parts if isinstance(p, GenesisRow)]
                body = Genesis.build(ceremony.charter, rows).body
                self._tell_all(GenesisShown(body))
                self._enter(LobbyState.SIGNING, now)
                self._own_part(ceremony.sign_genesis(body), now)
            case LobbyState.SIGNING:
                signatures = tuple(p for p in parts if isinstance(p, bytes))
                self.genesis = ceremony.complete_genesis(signatures)
                self.phase = LobbyState.BEGUN
                self._tell_all(AllAssent(signatures))
            case _:
                raise AssertionError(self.phase)

    def _tell_all(self, frame: Frame) -> None:
        self.effects += [SendToLink(g.link, frame) for g in self.guests if g.link != HOST_ITSELF]
