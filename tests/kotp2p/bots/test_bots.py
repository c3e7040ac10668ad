"""Bots: they answer everything legally and the same way twice, see only their share, end their
games, and the better one is better."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, product

import pytest

from bench.bots import SEATS, match, player
from bench.table import Player, draw, play
from kotp2p.bots import LEVELS, Noise, advise, choose, make_bot
from kotp2p.bots.dice import Counts, Prospects, count_faces, positions_to_roll
from kotp2p.front import Leave
from kotp2p.seat_view import SeatView
from referee.box.rulesets import RULE_SETS, SECOND, RuleSet
from referee.box.setup import Setup
from referee.game import Game
from referee.model.answers import Answer, Drawn, Face, Item, Reroll, Stay, Yield
from referee.model.damage_decisions import YieldDecision
from referee.model.decisions import Chance, Decision
from referee.model.dice_decisions import RollDecision
from referee.model.state import Place

ONE, TWO, THREE, HEART, BOLT, CLAW = Face


# -- dice ----------------------------------------------------------------------------------


def odd_worth(counts: Counts) -> float:
    """Lumpy on purpose: thresholds, growing and falling parts."""
    return counts[CLAW] ** 2 + 2.0 * (counts[ONE] >= 2) + 0.3 * counts[HEART] - 0.1 * counts[THREE]


def by_trying_everything(
    dice: tuple[Face, ...], rolls: int, worth: Callable[[Counts], float]
) -> float:
    if not rolls:
        return worth(count_faces(dice))
    best = worth(count_faces(dice))
    for size in range(1, len(dice) + 1):
        for chosen in combinations(range(len(dice)), size):
            total = 0.0
            for faces in product(Face, repeat=size):
                after = list(dice)
                for position, face in zip(chosen, faces, strict=True):
                    after[position] = face
                total += by_trying_everything(tuple(after), rolls - 1, worth)
            best = max(best, total / len(Face) ** size)
    return best


@pytest.mark.parametrize("dice", [(ONE, TWO, CLAW), (ONE, ONE, HEART), (THREE, THREE, THREE)])
@pytest.mark.parametrize("rolls", [0, 1])
def test_prospects_are_what_trying_everything_finds(dice: tuple[Face, ...], rolls: int) -> None:
    found = Prospects(len(dice), rolls, odd_worth).worth(dice)
    assert found == pytest.approx(by_trying_everything(dice, rolls, odd_worth))


def test_two_rolls_ahead_agree_with_trying_everything_on_two_dice() -> None:
    for dice in product(Face, repeat=2):
        found = Prospects(2, 2, odd_worth).worth(dice)
        assert found == pytest.approx(by_trying_everything(dice, 2, odd_worth))


def test_what_is_kept_is_kept_and_the_rest_is_rolled() -> None:
    dice = (CLAW, TWO, CLAW, THREE, BOLT, CLAW)
    keep = Prospects(6, 2, odd_worth).dice_to_keep(dice)
    assert keep[CLAW] == 3 and keep[THREE] == 0
    assert positions_to_roll(dice, keep) == (1, 3, 4)


# -- noise ---------------------------------------------------------------------------------


def test_noise_follows_from_its_key_and_its_parts_do_not_run_together() -> None:
    def stream(*key: bytes) -> list[int]:
        noise = Noise(*key)
        return [noise.below(1000) for _ in range(20)]

    assert stream(b"ab", b"c") == stream(b"ab", b"c")
    assert stream(b"ab", b"c") != stream(b"a", b"bc")
    assert set(stream(b"x")) <= set(range(1000))


# -- whole games ---------------------------------------------------------------------------


def watched(level: str, seen: set[str]) -> Player:
    """A bot whose every answer is checked."""
    inner = player(level, level.encode())

    def answer(game: Game, decision: Decision, top: Item | None) -> Answer:
        before = game.digest()
        given = inner(game, decision, top)
        assert game.digest() == before, "a bot must not change the game"
        assert decision.why_illegal(given) is None
        seen.add(decision.kind)
        return given

    return answer


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=list(RULE_SETS))
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_games_between_equals_end_by_legal_answers(level: str, rules: RuleSet, seats: int) -> None:
    seen: set[str] = set()
    played = play(
        Setup(rules, seats, rules.deck()),
        [watched(level, seen)] * seats,
        Noise(level.encode(), bytes([seats])),
        most=5000,
    )
    assert played.game.state.winners == played.winners
    assert {"roll", "yield"} <= seen


@pytest.mark.parametrize("level", LEVELS)
def test_rich_monsters_meet_every_kind_of_decision(level: str) -> None:
    """With energy for the whole market and a far goal, nearly all cards come into play."""
    seen: set[str] = set()
    for rules in RULE_SETS.values():
        long_rules = replace(rules, goal=60, points_on_dial=60)
        for number in range(8):
            noise = Noise(rules.name.encode(), bytes([number]))
            setup = Setup(long_rules, 4, long_rules.deck())
            opened = Game(setup)
            assert isinstance(opened.pending, Chance)
            opened.submit(Drawn(draw(opened.pending, noise, None)))
            state = opened.state.copy()
            for monster in state.monsters:
                monster.energy = 40
            play(Game.at_turn_start(setup, state), [watched(level, seen)] * 4, noise, most=5000)
    assert seen >= {
        "again", "buy", "change", "copy", "deposit", "hearts", "opportunist", "order", "probe",
        "response", "roll", "sell", "yield",
    }  # fmt: skip


def test_the_same_key_plays_the_same_game() -> None:
    assert match(SECOND, ["normal", "easy"], 7) == match(SECOND, ["normal", "easy"], 7)


def test_normal_beats_easy() -> None:
    """By chance alone it would win 5 of 20; `python -m bench.bots` measures it properly."""
    won = 0
    for number in range(20):
        seat = number % SEATS
        levels = ["normal" if s == seat else "easy" for s in range(SEATS)]
        winners, _turns = match(SECOND, levels, number)
        won += seat in winners
    assert won >= 10


# -- single decisions ----------------------------------------------------------------------


def table(seats: int = 3) -> Game:
    """In seat 0's first turn, before its first roll."""
    start = Game(Setup(SECOND, seats, SECOND.deck()))
    state = start.state.copy()
    state.turn = 1
    return Game.at_turn_start(start.setup, state)


@pytest.mark.parametrize(
    ("hearts", "answer"), [(10, Stay()), (6, Stay()), (3, Yield()), (1, Yield())]
)
def test_normal_leaves_tokyo_when_its_hearts_would_not_last(hearts: int, answer: Answer) -> None:
    game = table()
    me, other = game.state.monsters[1], game.state.monsters[2]
    me.hearts, me.place = hearts, Place.CITY
    assert other.place is Place.OUTSIDE
    # Seat 2 attacks; seat 0 plays before seat 1 is on again.
    decision = YieldDecision(1, attacker=2)
    assert choose("normal", game, 1, decision, Noise(b"")) == answer


def test_normal_stays_for_the_last_two_points() -> None:
    game = table()
    me = game.state.monsters[1]
    me.hearts, me.points, me.place = 2, 18, Place.CITY
    assert choose("normal", game, 1, YieldDecision(1, attacker=2), Noise(b"")) == Stay()


def test_normal_never_stays_to_be_killed_by_damage_put_aside() -> None:
    game = table()
    me = game.state.monsters[1]
    me.hearts, me.points, me.place = 3, 18, Place.CITY
    decision = YieldDecision(1, attacker=2, pending=3)
    assert choose("normal", game, 1, decision, Noise(b"")) == Yield()


def test_normal_keeps_the_set_that_wins() -> None:
    game = table()
    game.state.monsters[0].points = 17
    dice = (THREE, ONE, THREE, BOLT, THREE, HEART)
    answer = choose("normal", game, 0, RollDecision(0, dice, rolls_left=1), Noise(b""))
    rolled = answer.dice if isinstance(answer, Reroll) else ()
    assert not set(rolled) & {0, 2, 4}


def test_normal_gathers_hearts_when_it_is_nearly_dead() -> None:
    game = table()
    game.state.monsters[0].hearts = 2
    dice = (HEART, ONE, HEART, TWO, THREE, TWO)
    answer = choose("normal", game, 0, RollDecision(0, dice, rolls_left=2), Noise(b""))
    assert isinstance(answer, Reroll) and not set(answer.dice) & {0, 2}


def test_an_unknown_level_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"'hard'.*easy, normal"):
        make_bot("hard", b"")


# -- the front -----------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
async def test_a_bot_that_is_asked_again_answers_the_same(level: str) -> None:
    game = table()
    view = SeatView(0, (), game, "")
    decision = RollDecision(0, (ONE, TWO, CLAW, HEART, BOLT, ONE), rolls_left=2)
    first = make_bot(level, b"entropy")
    answer = await first.decide(view, decision)
    assert not isinstance(answer, Leave)
    assert decision.is_legal(answer)
    assert await first.decide(view, decision) == answer
    assert await make_bot(level, b"entropy").decide(view, decision) == answer


def test_advice_is_what_normal_does() -> None:
    game = table()
    decision = RollDecision(0, (ONE, ONE, CLAW, HEART, BOLT, ONE), rolls_left=2)
    advised = advise(SeatView(0, (), game, ""), decision)
    assert advised == choose("normal", game, 0, decision, Noise(b"anything"))
