"""What is counted of one log: players, end, bought cards and rolled dice.

Scope: plain values that can be kept in an index. They follow from the bytes of the log alone.
Not here: sums over many games (`kotp2p.tournament.evenings`), and the day, which no log has.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from kotp2p.game.report import Result
from kotp2p.recording.log_recording import record_log
from kotp2p.recording.recording import Recording
from kotp2p.referee.model.answers import Face, Seat
from kotp2p.referee.model.events import CardBought, DiceRolled
from kotp2p.wire.genesis import Player


@dataclass(frozen=True, slots=True)
class PlayerFacts:
    name: str
    key: str
    """The public key, as hexadecimal text; of a further person at one machine, who has none, that
    of the keeper and the name."""
    monster: str
    bot: bool
    """A bot answers, for its keeper or in place of a person."""
    bought: tuple[str, ...] = ()
    """The names of the cards, in order."""
    dice: tuple[int, ...] = (0,) * len(Face)
    """How often each face was rolled in turns, in the order of `Face`; dice that a card has changed
    or rolled by itself are not among them."""


@dataclass(frozen=True, slots=True)
class LogFacts:
    sha256: str
    """Of the whole log, in hexadecimal; empty if it could not be read."""
    result: str
    """A `Result`."""
    reason: str = ""
    game: str = ""
    """The id in hexadecimal; empty without a genesis."""
    phrase: str = ""
    rules: str = ""
    turns: int = 0
    entries: int = 0
    players: tuple[PlayerFacts, ...] = ()
    winners: tuple[Seat, ...] | None = None
    """None as long as the game is not over; empty if nobody was left."""
    by_points: bool = False
    """The winner has reached the goal, and is not only the last one."""

    @property
    def is_counted(self) -> bool:
        """Whether it is the log of a whole game, with nothing wrong in it."""
        return self.result == Result.SOUND and self.winners is not None


def facts_of_log(data: bytes) -> LogFacts:
    """Never raises for bad bytes."""
    log = record_log(data)
    report = log.report()
    return LogFacts(
        sha256(data).hexdigest(),
        report.result.value,
        report.reason,
        report.game.hex(),
        report.phrase,
        report.rules,
        report.turns,
        report.entries,
        () if log.recording is None else _players_of(log.recording),
        report.winners,
        _is_won_by_points(log.recording, report.winners),
    )


def _players_of(recording: Recording) -> tuple[PlayerFacts, ...]:
    players = recording.genesis.players
    card = recording.game_behind(0).card
    bought: list[list[str]] = [[] for _player in players]
    dice = [[0] * len(Face) for _player in players]
    for moment in recording.moments:
        for event in moment.events:
            match event:
                case CardBought(seat=seat, card=item):
                    bought[seat].append(card(item).name)
                case DiceRolled(seat=seat, positions=positions, dice=after):
                    for position in positions:
                        dice[seat][after[position]] += 1
                case _:  # nothing else is counted
                    pass
    return tuple(
        PlayerFacts(
            player.name, _key_of(seat, player), player.monster, player.automatic,
            tuple(bought[seat]), tuple(dice[seat]),
        )
        for seat, player in enumerate(players)
    )  # fmt: skip


def _key_of(seat: Seat, player: Player) -> str:
    """Text that tells people apart over many games."""
    is_further = player.keeper != seat and not player.automatic
    return f"{player.key.hex()} {player.name}" if is_further else player.key.hex()


def _is_won_by_points(recording: Recording | None, winners: tuple[Seat, ...] | None) -> bool:
    if recording is None or not winners:
        return False
    game = recording.game_behind(recording.last)
    return all(game.state.monsters[seat].points >= game.setup.rules.goal for seat in winners)
