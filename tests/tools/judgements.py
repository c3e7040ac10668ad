"""Writes anew how bots judge the decisions of some odd tables: only after a change that is meant.

Each table has cards, tokens and energy at random, and is played at random, so that its few turns
come to most kinds of decisions. `git diff` shows what a change has done, line by line.
"""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from bench.whole_game import TooLong, play
from kotp2p.extras.bots import LEVELS, Noise, choose, judge
from kotp2p.extras.bots.card_worths import lasting_worths, offer_gains
from kotp2p.extras.bots.chances import View, standings_by_figures, winning_chance
from kotp2p.extras.bots.dice import final_roll_worths
from kotp2p.extras.bots.easy import BRAWLER
from kotp2p.extras.bots.judgement import Judgement
from kotp2p.extras.bots.reasons import explain_advice
from kotp2p.referee.box.cards import TRACK_STEPS
from kotp2p.referee.box.rulesets import RULE_SETS, Options
from kotp2p.referee.game import Game
from kotp2p.referee.model.answers import Answer, Item, Stop
from kotp2p.referee.model.decisions import Decision, RollDecision
from kotp2p.seams.notices import SeatView
from tests.support.paths import ROOT
from tests.support.referee_table import BAY, CITY, OUTSIDE, Sits, seated
from tests.support.tool_line import tool_parser

FOLDER = ROOT / "tests" / "kotp2p" / "extras" / "bots" / "judgements"
TABLES = [(rules, seats) for rules in RULE_SETS for seats in (2, 3, 4, 6)]
MOST_INPUTS = 120
LOOKS = "made-in-a-lab"
"""The card of some first monsters, which may peek at the top card and buy it."""
NOTED = (1, 3, 7)
"""Which decisions of one kind, at one table; each costs as much as a turn of a bot."""
_NUMBER = re.compile(r"-?\d+(?:\.\d+(?:e-\d+)?|e-\d+)")
_ENUM = re.compile(r"<\w+\.(\w+): [^>]+>")


def path_of(rules: str, seats: int) -> Path:
    return FOLDER / f"{rules}-{seats}.txt"


def written(rules: str, seats: int) -> str:
    """How each level judges what comes at a table, as text."""
    noise = Noise(b"judged", rules.encode(), bytes([seats]))
    lines: list[str] = []
    kinds = Counter[str]()

    def answer(game: Game, decision: Decision, top: Item | None) -> Answer:
        kinds[decision.kind] += 1
        if kinds[decision.kind] in NOTED:
            lines.append(f"turn {game.state.turn}: {decision}")
            lines.extend(f"  {line}" for line in _judged(game, decision, top))
        return _any_answer(decision, noise)

    with suppress(TooLong):
        play(_odd_table(rules, seats, noise), [answer] * seats, noise, MOST_INPUTS)
    return "".join(_plain(line) for line in lines)


def _plain(line: str) -> str:
    return _ENUM.sub(r"\1", _NUMBER.sub(_rounded, line)) + "\n"


def _rounded(number: re.Match[str]) -> str:
    """Without the bits in which versions of Python and machines differ, and no zero below zero."""
    return f"{round(float(number[0]), 6) + 0.0:.6f}"


def _odd_table(rules: str, seats: int, noise: Noise) -> Game:
    keys = [card.key for card in RULE_SETS[rules].deck()]
    drawn = [keys.pop(noise.below(len(keys))) for _ in range(3 + 2 * seats)]
    if seats % 3 == 0 and LOOKS in keys:
        keys[keys.index(LOOKS)], drawn[3] = drawn[3], LOOKS
    kept = {card.key for card in RULE_SETS[rules].deck() if card.keep}
    places = [CITY, BAY if seats > 4 else OUTSIDE]
    monsters = [
        Sits(
            places.pop(0) if seat and places else OUTSIDE, 3 + noise.below(8), noise.below(17),
            2 + noise.below(9), tuple(key for key in drawn[3 + seat :: seats] if key in kept),
            noise.below(3) // 2, noise.below(4) // 3,
        )
        for seat in range(seats)
    ]  # fmt: skip
    options = Options(two_player=seats == 2)
    play = seated(RULE_SETS[rules], *monsters, market=drawn[:3], undrawn=keys, options=options)
    state, deck = play.state.copy(), len(play.game.setup.deck)
    state.tiles = [deck + tile for tile in range(len(RULE_SETS[rules].tiles)) if tile % 2]
    for monster in state.monsters if state.tiles else ():
        monster.wickedness = noise.below(9)
        monster.steps = tuple(step for step in TRACK_STEPS if step <= monster.wickedness)
    return Game.at_turn_start(play.game.setup, state)


def _any_answer(decision: Decision, noise: Noise) -> Answer:
    if isinstance(decision, RollDecision) and noise.percent(40):
        return Stop()
    legal = list(decision.legal_answers())
    return legal[noise.below(len(legal))]


def _judged(game: Game, decision: Decision, top: Item | None) -> Iterator[str]:
    seat = decision.seat
    worths = lasting_worths(game)
    view = View(worths, offer_gains(game, seat, worths))
    yield f"worths {view.worths} gains {view.gains}"
    seats = range(game.setup.seats)
    yield f"chances {[winning_chance(game, s, view, standings_by_figures) for s in seats]}"
    yield f"as hard judges {judge(game)}"
    chosen = {level: choose(level, game, decision, Noise(b""), top, BRAWLER) for level in LEVELS}
    for level, answer in chosen.items():
        yield f"{level}: {answer}"
    for answer in dict.fromkeys([*chosen.values(), decision.default]):
        seen = SeatView(seat, (), game, "", top=top)
        yield f"why {answer}: {explain_advice(seen, decision, answer)}"
    if isinstance(decision, RollDecision) and decision.rolls_left:
        found = final_roll_worths(game, decision, Judgement(seat, view))
        yield f"rolls {sum(found.values())} {sum(n * w for n, w in enumerate(found.values()))}"


if __name__ == "__main__":
    tool_parser("tests.tools.judgements", __doc__).parse_args()
    for table in TABLES:
        path_of(*table).write_text(written(*table), encoding="utf-8")
