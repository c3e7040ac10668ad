"""Mimic, tiles, the extra turn."""

from typing import Any

from kotp2p.cli.ask.question import Give, Propose, Question, Refuse
from kotp2p.referee.box.rulesets import DARK
from kotp2p.referee.model.answers import Again, Copy, Item, Keep, Pass, Take
from kotp2p.referee.model.decisions import AgainDecision, CopyDecision, TileDecision
from kotp2p.referee.model.state import Holding
from tests.support.laid_decisions import ask, item, table, tile


def mimic(keep: bool) -> tuple[Question[Any, Any], Item, Item]:
    view = table()
    wings, jets = item(view, "wings"), item(view, "jets")
    view.game.state.monsters[1].holdings = [Holding(wings, 1)]
    view.game.state.monsters[0].holdings = [Holding(jets, 2)]
    decision = CopyDecision(0, item(view, "mimic"), (wings, jets), keep, 1 if keep else 0)
    return ask(view, decision), wings, jets


def test_mimic_names_the_cards_and_their_owners() -> None:
    question, wings, jets = mimic(keep=True)
    assert question.hints()[:2] == ["1: Wings (Rex)", "2: Jets (yours)"]
    assert question.reply("1") == Give(Copy(wings))
    assert question.reply("je") == Give(Copy(jets))
    assert question.reply("n") == Give(Keep())
    assert question.reply("") == Propose("Advice: leave it as it is.", Keep())
    for typed in ("3", "0", "tank"):
        assert isinstance(question.reply(typed), Refuse)


def test_a_new_mimic_must_copy_something() -> None:
    question, wings, _jets = mimic(keep=False)
    assert question.reply("") == Propose("Advice: copy Wings.", Copy(wings))
    assert isinstance(question.reply("n"), Refuse)


def test_fluxling_moves_for_nothing() -> None:
    view = table(rules=DARK)
    wings = item(view, "wings")
    view.game.state.monsters[1].holdings = [Holding(wings, 1)]
    question = ask(view, CopyDecision(0, tile(view, "fluxling"), (wings,), True))
    assert question.facts() == ["Your Fluxling may copy another card in play for free."]
    assert question.reply("wings") == Give(Copy(wings))
    assert question.reply("") == Propose("Advice: leave it as it is.", Keep())


def test_a_tile_is_taken_by_number_or_name() -> None:
    view = table(rules=DARK)
    devious, tireless = tile(view, "devious"), tile(view, "tireless")
    question = ask(view, TileDecision(0, 3, (devious, tireless)))
    assert question.facts() == [
        "Your wickedness has reached 3: choose a tile.",
        "1 Devious: You have one roll more in each of your turns, from the next one on.",
        "2 Tireless: Gain 1 energy at the start of each of your turns.",
    ]
    assert question.reply("2") == Give(Take(tireless))
    assert question.reply("dev") == Give(Take(devious))
    assert question.reply("") == Propose("Advice: Devious.", Take(devious))
    assert isinstance(question.reply("wings"), Refuse)


def test_the_extra_turn() -> None:
    question = ask(table(), AgainDecision(0), lambda _view, _asked: Again())
    assert question.reply("") == Propose("Advice: take the extra turn.", Again())
    assert question.reply("y") == Give(Again())
    assert question.reply("n") == Give(Pass())
    assert isinstance(question.reply("x"), Refuse)
