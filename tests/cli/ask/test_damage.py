"""Defences, staying in Tokyo, Unstable DNA."""

from typing import Any

import pytest

from kotp2p.cli.ask.dialogue import Explained, QuestionDialogue
from kotp2p.cli.ask.question import Confirm, Give, Propose, Question, Refuse
from kotp2p.extras import bots
from kotp2p.referee.model.answers import Answer, Pass, Stay, Swap, Use, Yield
from kotp2p.referee.model.decisions import ResponseDecision, SwapDecision, Usable, YieldDecision
from kotp2p.referee.model.state import DamageKind
from kotp2p.seams.notices import SeatView
from tests.support.laid_decisions import ask, heal, item, table
from tests.support.staged_turns import all_of, go_on, has, placed, stopped


def hit(hearts: int, energy: int, amount: int, *keys: str) -> tuple[Question[Any, Any], SeatView]:
    view = table()
    view.game.state.monsters[0].hearts = hearts
    view.game.state.monsters[0].energy = energy
    uses = tuple(Usable(item(view, key), key, 0 if key == "camouflage" else 2) for key in keys)
    return ask(view, ResponseDecision(0, DamageKind.CLAWS, amount, 1, uses=uses)), view


def test_what_would_be_left_is_said() -> None:
    question, _view = hit(5, 2, 3, "wings", "rapid-healing")
    assert question.facts() == ["Your monster is hit by Rex for 3 hearts; you have 5."]
    assert question.own_hints() == ["n: take the damage; 2 hearts left."]
    assert "the damage leaves you 3 hearts" in question.hints()[-1]
    assert question.prompt().endswith("n for none? Enter for advice.")


def test_the_advice_is_to_take_what_is_not_lethal() -> None:
    question, view = hit(5, 2, 3, "wings")
    assert question.reply("") == Propose("Advice: take the damage.", Pass())
    assert question.reply("n") == Give(Pass())
    assert question.reply("wings") == Give(Use(item(view, "wings")))
    assert isinstance(question.reply("wing it"), Refuse)
    assert isinstance(question.reply("y"), Refuse)


def struck(hearts: int, energy: int, claws: int, key: str) -> tuple[Question[Any, Any], SeatView]:
    """Like `hit`, in a real game."""
    owns = has(0, key, hearts=hearts, energy=energy)
    view = stopped("C" * claws + "112233"[: 6 - claws], all_of(placed(1), owns))
    return ask(view, go_on(view, ResponseDecision)), view


def test_rapid_healing_saves_only_if_it_is_enough() -> None:
    question, view = struck(3, 4, 4, "rapid-healing")
    saved = question.reply("")
    assert isinstance(saved, Propose)
    assert saved.answer == Use(item(view, "rapid-healing"))
    assert isinstance(question.reply("n"), Confirm)
    question, _view = struck(3, 2, 4, "rapid-healing")
    assert question.reply("n") == Give(Pass())
    assert question.reply("") == Propose("Advice: take the damage.", Pass())


def test_healing_is_no_defence_against_damage_that_takes_all_hearts() -> None:
    """A-95: Natural Selection takes the hearts that are bought in its window, too."""
    view = table()
    view.game.state.monsters[0].hearts, view.game.state.monsters[0].energy = 3, 4
    uses = (heal(view),)
    question = ask(view, ResponseDecision(0, DamageKind.CARD, 3, 0, takes_all=True, uses=uses))
    assert question.reply("") == Propose("Advice: take the damage.", Pass())
    assert question.reply("n") == Give(Pass())
    assert not any("leaves you" in hint for hint in question.hints())


def test_a_free_defence_is_advised() -> None:
    _question, view = struck(9, 0, 1, "camouflage")
    decision = view.game.pending
    assert isinstance(decision, ResponseDecision)
    question = ask(view, decision, bots.advise)
    assert question.reply("") == Propose("Advice: use Camouflage.", Use(item(view, "camouflage")))


def test_energy_about_to_be_taken() -> None:
    view = table()
    view.game.state.monsters[0].energy = 4
    question = ask(view, ResponseDecision(0, DamageKind.LOSS, 2, 1, uses=(heal(view),)))
    assert question.facts() == ["You are about to lose 2 of your 4 energy."]
    assert question.reply("") == Propose("Advice: let the energy go.", Pass())
    assert question.reply("heal") == Give(Use(heal(view).item))


def in_tokyo(hearts: int, pending: int) -> Question[Any, Any]:
    view = table()
    view.game.state.monsters[0].hearts = hearts
    return ask(view, YieldDecision(0, 1, pending))


def test_stay_or_leave() -> None:
    question = in_tokyo(5, 0)
    assert question.reply("s") == Give(Stay())
    assert question.reply("l") == Give(Yield())
    assert isinstance(question.reply("x"), Refuse)
    assert question.prompt().endswith("Enter for advice.")


@pytest.mark.parametrize(
    ("answer", "sentence"), [(Stay(), "Advice: stay in Tokyo."), (Yield(), "Advice: leave Tokyo.")]
)
def test_enter_proposes_advice_about_tokyo_and_then_does_it(answer: Answer, sentence: str) -> None:
    asked = YieldDecision(0, 1)
    asking = QuestionDialogue(ask(table(), asked, lambda _view, _asked: answer), Explained())
    assert asking.read_line("")[0] == sentence
    assert asking.answer is None
    asking.read_line("")
    assert asking.answer == answer


@pytest.mark.parametrize("typed", ["y", "yes", "Y", "n", "no"])
def test_neither_yes_nor_no_says_whether_to_stay(typed: str) -> None:
    assert in_tokyo(5, 0).reply(typed) == Refuse(
        f"{typed.lower()} could mean either: type s to stay in Tokyo or l to leave it."
    )


def test_the_word_that_leaves_the_game_does_not_leave_tokyo_or_the_game() -> None:
    asking = QuestionDialogue(in_tokyo(5, 0), Explained())
    assert asking.claims("leave")
    assert not asking.claims("quit")
    assert asking.read_line("leave")[0] == ("Type l to leave Tokyo; to leave the game, type quit.")
    assert asking.answer is None


def test_unstable_dna_picks_a_card() -> None:
    view: SeatView = table()
    cards = (item(view, "wings"), item(view, "jets"))
    question = ask(view, SwapDecision(0, 1, cards))
    assert question.reply("2") == Give(Swap(cards[1]))
    assert question.reply("win") == Give(Swap(cards[0]))
    assert question.reply("n") == Give(Pass())
    assert question.reply("") == Propose("Advice: leave it as it is.", Pass())
    for typed in ("0", "3", "tank"):
        assert isinstance(question.reply(typed), Refuse)
