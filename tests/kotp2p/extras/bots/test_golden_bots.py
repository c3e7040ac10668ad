"""A bot with the same key answers the same for ever, so that a change of its judgement is meant.

Where a digest differs, the bot judges otherwise now. If that is what you want, take the new one.
"""

from __future__ import annotations

from hashlib import sha256

import pytest

from bench.bots import player
from bench.whole_game import Player, play
from kotp2p.extras.bots import Noise
from kotp2p.referee.box.rulesets import RULE_SETS, Setup
from kotp2p.referee.game import Game
from kotp2p.referee.model.answers import Answer, Item
from kotp2p.referee.model.decisions import Decision

GOLDEN = {
    ("easy", "classic"): "136d09d455a17801",
    ("easy", "second"): "2fd88ae79756b339",
    ("easy", "dark"): "e39d252667485971",
    ("normal", "classic"): "c824924425b92244",
    ("normal", "second"): "d878a44beeb177d3",
    ("normal", "dark"): "1ee3a0bbf81ecd45",
    ("hard", "second"): "670747101447461f",
}
"""By level and rule set: the digest of all answers of games between such bots."""
SEATS = {"easy": range(2, 7), "normal": range(2, 5), "hard": range(2, 4)}


def course(level: str, rules: str) -> str:
    found = sha256()

    def noted(seat: int) -> Player:
        inner = player(level, f"{rules} {seat}".encode())

        def answer(game: Game, decision: Decision, top: Item | None) -> Answer:
            given = inner(game, decision, top)
            found.update(f"{decision.seat} {given}\n".encode())
            return given

        return answer

    for seats in SEATS[level]:
        setup = Setup(RULE_SETS[rules], seats, RULE_SETS[rules].deck())
        play(setup, [noted(seat) for seat in range(seats)], Noise(bytes([seats])), most=5000)
    return found.hexdigest()[:16]


@pytest.mark.parametrize(("level", "rules"), GOLDEN)
def test_bots_of_fixed_keys_play_the_games_that_they_always_played(level: str, rules: str) -> None:
    assert course(level, rules) == GOLDEN[level, rules]
