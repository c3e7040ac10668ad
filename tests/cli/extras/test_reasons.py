"""Why advice is given, in words: whole true sentences, honest figures, two rows at 80 columns."""

from collections import Counter
from dataclasses import replace

import pytest

from bench.bots import player
from bench.whole_game import Player, play
from kotp2p.cli.ask.question import Propose, Question
from kotp2p.cli.extras.advice import coach, describe_reason
from kotp2p.cli.extras.preview import lines_of_proposal
from kotp2p.cli.ui.screen.theme import fold_lines
from kotp2p.extras.bots import Noise, advise, reasons
from kotp2p.extras.bots.dice import Figure
from kotp2p.referee.box.rulesets import RULE_SETS, Setup
from kotp2p.referee.game import Game
from kotp2p.referee.model import decisions
from kotp2p.referee.model.answers import Answer, Answered, Buy, Drawn, Item, Stay, Stop, Yield
from kotp2p.referee.model.decisions import Chance, ChanceKind, Decision, Over, RollDecision
from kotp2p.seams.notices import SeatView
from tests.support.laid_decisions import ask, item, table
from tests.support.local_game import new_view
from tests.support.referee_table import lowest_cards, shorten
from tests.support.staged_turns import all_of, go_on, has, placed, rolled, shop, stopped

COLUMNS_OF_TEXT = 78


def brings(*means: float, few: int | None = None, cannot_heal: bool = False) -> reasons.RollBrings:
    return reasons.RollBrings(dict(zip(Figure, means, strict=False)), few, cannot_heal)


@pytest.mark.parametrize(
    ("answer", "reason", "said"),
    [
        (Stop(), reasons.Plain.WINS_NOW, "That wins the game."),
        (Stop(), reasons.Plain.SURVIVES, "Otherwise you would be out of the game."),
        (Stay(), reasons.Plain.STOPS_ANOTHER, "Otherwise another monster would win."),
        (Stop(), reasons.MayWinThisTurn(0.31),
         "Your dice then win the game in this turn about 3 times out of 10."),
        (Stop(), reasons.MayWinThisTurn(0.97),
         "Your dice then win the game in this turn nearly always."),
        (Stop(), reasons.Plain.ROLLING_BRINGS_NO_MORE,
         "Another roll would bring no more on average."),
        (Stop(), brings(0.4), "That brings about half a point."),
        (Stop(), brings(1.2, 1.3), "That brings about 1 point and 1-2 hearts."),
        (Stop(), brings(1.2, 1.8, few=3),
         "That brings about 1 point and 2 hearts, and you have only 3 hearts."),
        (Stop(), brings(2.5, cannot_heal=True),
         "That brings about 2-3 points; dice do not heal you in Tokyo."),
        (Stay(), reasons.HoldsOut(5, 2, 0.84, wins=False),
         "With 5 hearts you survive there until your turn about 8 times out of 10, and that "
         "brings 2 points."),
        (Stay(), reasons.HoldsOut(1, 1, 0.5, wins=True),
         "With 1 heart you survive there until your turn about 5 times out of 10, and then you "
         "win."),
        (Stay(), reasons.HoldsOut(1, 0, 1.0, wins=False),
         "Your turn comes next, and to begin it in Tokyo brings 2 points."),
        (Stay(), reasons.HoldsOut(1, 0, 1.0, wins=True),
         "Your turn comes next, and to begin it in Tokyo wins the game."),
        (Yield(), reasons.HoldsOut(2, 3, 0.4, wins=False),
         "With 2 hearts you would be out of the game before your turn about 6 times out of 10."),
        (Stay(), reasons.KeepsOut(1, 18),
         "Otherwise Rex enters with 18 points, and wins by beginning a turn there."),
        (Yield(), reasons.IsWornDown(1.7),
         "You would lose about 1-2 hearts there until your turn, and dice do not heal you in "
         "Tokyo."),
        (Stop(), reasons.Plain.CANNOT_PAY,
         "You cannot pay for a card yet, and energy stays with you."),
        (Stop(), reasons.Plain.IS_WORTH_IT, "It is worth its price to you now."),
        (Stop(), reasons.Plain.NOTHING_IS_WORTH_IT,
         "No card that you can pay for is worth its price to you now."),
        (Stop(), reasons.RaisesChance(0.314, 0.27),
         "Wins about 31 %, otherwise 27 %."),
    ],
)  # fmt: skip
def test_a_reason_is_one_sentence(answer: Answer, reason: reasons.Reason, said: str) -> None:
    assert describe_reason(table(), answer, reason) == said


def test_the_card_that_one_saves_for_is_named() -> None:
    view = table()
    said = describe_reason(view, Stop(), reasons.SavesFor(item(view, "wings")))
    assert said == "It is better to save for Wings."


# -- where it stands -----------------------------------------------------------------------


def advised(view: SeatView) -> Question[Decision, Answer]:
    pending = view.game.pending
    assert not isinstance(pending, Chance | Over)
    return ask(view, pending, advise)


def test_enter_says_why() -> None:
    proposed = advised(rolled("HH12BC", all_of(placed(1), has(0, hearts=3)))).reply("")
    assert isinstance(proposed, Propose)
    assert proposed.words == (
        "Advice: keep heart, heart, claw and roll 3 dice. "
        "That brings about 3 hearts, and you have only 3 hearts."
    )


@pytest.mark.parametrize(
    ("points", "reason"),
    [(19, reasons.Plain.STOPS_ANOTHER), (17, reasons.KeepsOut(1, 18)), (16, None)],
)
def test_staying_says_that_it_stops_a_winner(points: int, reason: reasons.Reason | None) -> None:
    view = stopped("CC1123", all_of(placed(0), has(0, hearts=5), has(1, points=points)))
    asked = go_on(view, decisions.YieldDecision)
    assert reasons.explain_advice(view, asked, Stay()) == reason
    assert (reason is None) == ("can stay" in coach(view, asked, Stay())[0])


def test_a_purchase_is_proposed_with_what_the_card_does() -> None:
    view = shop("gas-refinery", energy=6)
    bought = Buy(item(view, "gas-refinery"))
    asked = go_on(view, decisions.BuyDecision)
    assert lines_of_proposal(view, asked, bought) == [
        "Then: Rex and Mia lose 3 hearts, you get 2 points, you lose 6 energy."
    ]


@pytest.mark.parametrize("word", ["advice", "hint", "Advice"])
def test_the_word_for_it_asks_for_advice_where_enter_gives_an_answer(word: str) -> None:
    proposed = advised(shop("acid-attack", "high-altitude-bombing", energy=4)).reply(word)
    assert isinstance(proposed, Propose)
    assert proposed.words == (
        "Advice: buy nothing. No card that you can pay for is worth its price to you now."
    )


# -- in whole games ------------------------------------------------------------------------


def wins_at_once(game: Game, answered: Answered) -> bool:
    """Whether the game is won before anybody else is asked or dice are rolled."""
    fork = game.fork()
    fork.submit(answered)
    while not isinstance(fork.pending, Over):
        pending = fork.pending
        if isinstance(pending, Chance):
            if pending.kind is not ChanceKind.CARDS:
                return False
            fork.submit(Drawn(lowest_cards(pending)))
        elif pending.seat != answered.seat or isinstance(pending, RollDecision):
            return False
        else:
            fork.submit(Answered(pending.seat, pending.default))
    return fork.state.winners == (answered.seat,)


def explained(view: SeatView, told: Counter[str]) -> Player:
    """The bot, whose every answer is explained and checked."""
    inner = player("normal", b"")

    def answer(game: Game, decision: Decision, top: Item | None) -> Answer:
        given = inner(game, decision, top)
        view.game, view.seat, view.top = game, decision.seat, top
        before = game.digest()
        reason = reasons.explain_advice(view, decision, given)
        assert game.digest() == before
        told[str(reason) if isinstance(reason, reasons.Plain) else type(reason).__name__] += 1
        if reason is not None:
            asked = ask(view, decision, lambda _view, _asked: given)
            proposed = replace(asked.propose(given), reason=describe_reason(view, given, reason))
            assert len(fold_lines([proposed.words], COLUMNS_OF_TEXT)) <= 2
        if reason is reasons.Plain.WINS_NOW:
            assert wins_at_once(game, Answered(decision.seat, given))
        return given

    return answer


@pytest.mark.parametrize(("name", "seats"), [("classic", 2), ("second", 4), ("dark", 3)])
def test_advice_in_whole_games_has_reasons_that_hold(name: str, seats: int) -> None:
    told: Counter[str] = Counter()
    for rules, seed in ((shorten(RULE_SETS[name]), 1), (shorten(RULE_SETS[name]), 2),
                        (RULE_SETS[name], 3)):  # fmt: skip
        bot = explained(new_view(seats, rules), told)
        setup = Setup(rules, seats, rules.deck())
        play(setup, [bot] * seats, Noise(b"reasons", bytes([seed])), most=3000)
    assert sum(told.values()) >= 60
    assert {"RollBrings", "Plain.WINS_NOW", "HoldsOut"} <= set(told)
