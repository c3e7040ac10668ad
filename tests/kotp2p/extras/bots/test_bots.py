"""Bots: they answer everything legally and the same way twice, see only their share, end their
games, and the better one is better."""

from collections.abc import Callable
from hashlib import sha256
from itertools import combinations, product

import pytest

from bench.bots import EASY, NORMAL, player
from bench.contest import Contest, contender_at, play_game
from bench.whole_game import Player, play
from kotp2p.extras.bots import LEVELS, Noise, advise, choose, make_bot
from kotp2p.extras.bots.dice import Counts, Prospects, count_faces, positions_to_roll
from kotp2p.referee.box.rulesets import DARK, RULE_SETS, SECOND, Setup
from kotp2p.referee.game import Game
from kotp2p.referee.model.answers import Answer, Face, Item, Stay, Take, Yield
from kotp2p.referee.model.decisions import Decision, YieldDecision
from kotp2p.seams.commands import Leave
from kotp2p.seams.notices import SeatView
from tests.support.referee_table import CITY, Played, Sits, seated

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
    found = Prospects(dice, rolls, odd_worth).worth()
    assert found == pytest.approx(by_trying_everything(dice, rolls, odd_worth))


def test_two_rolls_ahead_agree_with_trying_everything_on_two_dice() -> None:
    for dice in product(Face, repeat=2):
        found = Prospects(dice, 2, odd_worth).worth()
        assert found == pytest.approx(by_trying_everything(dice, 2, odd_worth))


def test_what_is_kept_is_kept_and_the_rest_is_rolled() -> None:
    dice = (CLAW, TWO, CLAW, THREE, BOLT, CLAW)
    keep = Prospects(dice, 2, odd_worth).dice_to_keep()
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


def test_normal_beats_easy_which_is_not_without_hope() -> None:
    """By chance alone it would win 3 of 12; `python -m bench.bots` measures it properly."""
    contest = Contest("second", (NORMAL, EASY, EASY, EASY), seed=1)
    results = [play_game(contest, number) for number in range(12)]
    won = [contender_at(contest, game.number, seat) for game in results for seat in game.winners]
    assert 5 <= won.count(0) <= 8


# -- single decisions ----------------------------------------------------------------------


def answer_of_normal(play: Played) -> Answer:
    return choose("normal", play.game, play.decision, Noise(b""))


def hit_in_tokyo(hearts: int) -> Played:
    """Seat 2 has lost a heart in the City; seat 1 plays before it is on again."""
    play = seated(SECOND, Sits(hearts=7), Sits(hearts=7), Sits(CITY, hearts=hearts + 1))
    play.roll("C11223")
    play.default_until("yield")
    assert play.monster(2).hearts == hearts
    return play


@pytest.mark.parametrize(
    ("hearts", "answer"), [(10, Stay()), (9, Stay()), (8, Yield()), (1, Yield())]
)
def test_normal_leaves_tokyo_when_its_hearts_would_not_last(hearts: int, answer: Answer) -> None:
    assert answer_of_normal(hit_in_tokyo(hearts)) == answer


def test_normal_never_stays_to_be_killed_by_damage_put_aside() -> None:
    """Jets put the damage aside until their owner has answered."""
    there = Sits(CITY, hearts=3, points=18, cards=("jets",))
    play = seated(SECOND, Sits(), Sits(), there)
    play.roll("CCC112")
    play.default_until("yield")
    assert isinstance(play.decision, YieldDecision) and play.decision.pending == 3
    assert answer_of_normal(play) == Yield()


def rolled(dice: str, *monsters: Sits) -> Played:
    play = seated(SECOND, *monsters)
    play.roll(dice)
    return play


def test_an_unknown_level_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"'brutal'.*easy, normal, hard"):
        make_bot("brutal", b"")


# -- the front -----------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
async def test_a_bot_that_is_asked_again_answers_the_same(level: str) -> None:
    play = rolled("12CHB1", Sits(), Sits(CITY), Sits())
    view = SeatView(0, (), play.game, "")
    first = make_bot(level, b"entropy")
    answer = await first.decide(view, play.decision)
    assert not isinstance(answer, Leave)
    assert play.decision.is_legal(answer)
    assert await first.decide(view, play.decision) == answer
    assert await make_bot(level, b"entropy").decide(view, play.decision) == answer


def test_advice_is_what_normal_does() -> None:
    play = rolled("11CHB1", Sits(), Sits(CITY), Sits())
    assert advise(SeatView(0, (), play.game, ""), play.decision) == answer_of_normal(play)


# -- tiles --------------------------------------------------------------------------------


DECK = len(DARK.deck())


def reached_six(hearts: int, rival: int) -> Played:
    """Two tiles of step 6 lie there: Full Regeneration and Widespread Panic."""
    there = seated(DARK, Sits(hearts=hearts), Sits(CITY, points=rival), Sits())
    state = there.state.copy()
    state.monsters[0].wickedness = 5
    state.monsters[0].steps = (3,)
    state.tiles = [DECK + 12, DECK + 14]
    play = Played(there.game.setup, state)
    play.roll("222113")
    play.default_until("tile")
    return play


@pytest.mark.parametrize(("hearts", "rival", "tile"), [(1, 0, DECK + 12), (10, 19, DECK + 14)])
def test_normal_takes_what_helps_now(hearts: int, rival: int, tile: int) -> None:
    play = reached_six(hearts, rival)
    assert choose("normal", play.game, play.decision, Noise(b"tiles"), None) == Take(tile)


# -- golden games -------------------------------------------------------------------------


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
            before = game.digest()
            given = inner(game, decision, top)
            assert game.digest() == before, "a bot must not change the game"
            assert decision.why_illegal(given) is None
            found.update(f"{decision.seat} {given}\n".encode())
            return given

        return answer

    for seats in SEATS[level]:
        setup = Setup(RULE_SETS[rules], seats, RULE_SETS[rules].deck())
        players = [noted(seat) for seat in range(seats)]
        played = play(setup, players, Noise(bytes([seats])), most=5000)
        assert played.game.state.winners == played.winners
    return found.hexdigest()[:16]


@pytest.mark.parametrize(("level", "rules"), GOLDEN)
def test_bots_of_fixed_keys_play_the_legal_games_they_always_played(level: str, rules: str) -> None:
    assert course(level, rules) == GOLDEN[level, rules]
