"""Rolling, Psychic Probe, changing dice: words, Enter, refusals."""

from typing import Any

import pytest

from kotp2p.cli.ask.question import Confirm, Give, Propose, Question, Refuse
from kotp2p.referee.model.answers import Done, Face, Item, Pass, Reroll, Stop, Use
from kotp2p.referee.model.decisions import ChangeDecision, ProbeDecision, RollDecision, Usable
from kotp2p.referee.model.state import Place, State
from tests.support.laid_decisions import ask, dice, heal, item, table
from tests.support.staged_turns import all_of, go_on, has, rolled, stopped

ROLLED = "33CHB1"


def roll(left: int = 2, rolls: int = 1, uses: tuple[Usable, ...] = ()) -> Question[Any, Any]:
    view = table(rolled=ROLLED, rolls=rolls)
    return ask(view, RollDecision(0, dice(ROLLED), left, uses=uses))


def test_the_question_says_dice_worth_and_keys() -> None:
    question = roll()
    assert question.facts() == [
        "Your roll 1 of 3: 1, 3, 3, heart, energy, claw. Worth 1 claw, 1 energy, 1 heart."
    ]
    assert question.prompt() == "Keep which? 0 rolls all, d stops, Enter for advice."
    assert any("33c" in hint for hint in question.hints())


@pytest.mark.parametrize(
    ("typed", "rolled"),
    [
        ("33c", (3, 4, 5)),
        ("3 3 claw", (3, 4, 5)),
        ("heart", (0, 1, 2, 4, 5)),
        ("3 3 C", (3, 4, 5)),
        ("c,h", (0, 1, 4, 5)),
        ("e", (0, 1, 2, 3, 5)),
        ("b", (0, 1, 2, 3, 5)),
        ("3", (1, 2, 3, 4, 5)),
        ("۳۳", (2, 3, 4, 5)),
        ('""', (2, 3, 4, 5)),  # the key of 3 on a French keyboard, without Shift
        ("0", (0, 1, 2, 3, 4, 5)),
    ],
)
def test_typed_faces_are_kept_and_the_rest_is_rolled(typed: str, rolled: tuple[int, ...]) -> None:
    assert roll().reply(typed) == Give(Reroll(rolled))


def roll_advised(answer: Stop | Reroll, rolls: int = 1) -> Question[Any, Any]:
    view = table(rolled=ROLLED, rolls=rolls)
    return ask(view, RollDecision(0, dice(ROLLED), 3 - rolls), lambda _view, _asked: answer)


def test_stopping_with_rolls_left_is_asked_about_after_the_first_roll_only() -> None:
    on = Reroll((0,))
    assert roll_advised(on).reply("d") == Confirm(
        "You have 2 rolls left, and your dice give: 1 claw, 1 energy, 1 heart. Stop now?", Stop()
    )
    assert isinstance(roll_advised(on).reply("33cheb1"), Refuse)
    assert isinstance(roll_advised(on).reply("33chb1"), Confirm)
    assert roll_advised(on, 2).reply("stop") == Give(Stop())


def test_stopping_as_advised_is_not_asked_about() -> None:
    assert roll_advised(Stop()).reply("d") == Give(Stop())


def test_stopping_that_wins_is_advised_and_not_asked_about() -> None:
    view = rolled("2222HC", has(0, points=18))
    pending = view.game.pending
    assert isinstance(pending, RollDecision)
    question = ask(view, pending, lambda _view, _asked: Reroll((5,)))
    assert question.reply("d") == Give(Stop())
    proposed = question.reply("")
    assert isinstance(proposed, Propose)
    assert proposed.answer == Stop()


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("333", "You have only 2 dice that show: 3."),
        ("2", "None of your dice shows: 2."),
        ("cc", "You have only 1 die that shows: claw."),
        ("3x", "x is not a face. Faces are 1 2 3 h e c; d stops, ? shows help."),
        ("x" * 300, "That line is too long."),
    ],
)
def test_what_cannot_be_kept_is_refused_with_a_reason(typed: str, why: str) -> None:
    assert roll().reply(typed) == Refuse(why)


def test_enter_proposes_in_words() -> None:
    view = table(rolled=ROLLED)
    question = ask(view, RollDecision(0, dice(ROLLED), 2), lambda v, d: Reroll((2, 3, 4, 5)))
    assert question.reply("") == Propose("Advice: keep 3, 3 and roll 4 dice.", Reroll((2, 3, 4, 5)))
    question = ask(view, RollDecision(0, dice(ROLLED), 2), lambda v, d: Stop())
    assert question.reply(" ") == Propose(
        "Advice: stop and take 1 claw, 1 energy, 1 heart.", Stop()
    )


def test_without_rolls_only_cards_and_going_on_are_left() -> None:
    view = table(rolled=ROLLED, rolls=3)
    drink = Usable(item(view, "energy-drink"), "energy-drink", 1)
    question = ask(view, RollDecision(0, dice(ROLLED), 0, uses=(drink, heal(view))))
    assert question.reply("") == Propose("Advice: stop and take 1 claw, 1 energy, 1 heart.", Stop())
    assert question.reply("d") == Give(Stop())
    assert isinstance(question.reply("33"), Refuse)
    assert question.reply("energy") == Give(Use(drink.item))
    assert question.reply("use energy drink") == Give(Use(drink.item))
    assert question.reply("heal") == Give(Use(heal(view).item))
    assert question.prompt() == (
        "No rolls left: d goes on, Enter for advice. Or use a card: energy, heal."
    )
    assert any("1 energy" in hint for hint in question.hints())


def test_a_face_is_never_taken_for_a_card() -> None:
    view = table(rolled=ROLLED)
    culler = Usable(item(view, "herd-culler"), "herd-culler", 0, (0, 1), (Face.ONE,))
    question = ask(view, RollDecision(0, dice(ROLLED), 2, uses=(culler,)))
    assert question.reply("he") == Give(Reroll((0, 1, 2, 5)))


def probe(uses_dice: tuple[int, ...] = (0, 1, 2, 3, 4, 5)) -> tuple[Question[Any, Any], Item]:
    view = table(rolled=ROLLED)
    card = Usable(item(view, "psychic-probe"), "psychic-probe", 0, uses_dice)
    return ask(view, ProbeDecision(0, 1, dice(ROLLED), uses=(card,))), card.item


def test_a_probe_names_a_die_by_its_face() -> None:
    question, card = probe()
    assert question.facts()[0].startswith("Rex's dice: ")
    assert question.reply("h") == Give(Use(card, 3))
    assert question.reply("psychic 3") == Give(Use(card, 0))
    assert question.reply("") == Propose("Advice: leave the dice as they are.", Pass())
    assert question.reply("n") == Give(Pass())
    assert isinstance(question.reply("2"), Refuse)
    assert isinstance(question.reply("h h"), Refuse)
    assert isinstance(question.reply("psychic"), Refuse)
    assert isinstance(question.reply("psychic 9"), Refuse)
    assert isinstance(question.reply("hello"), Refuse)


def change() -> tuple[Question[Any, Any], Item, Item]:
    view = table(rolled=ROLLED)
    stretchy = Usable(item(view, "stretchy"), "stretchy", 2, tuple(range(6)), tuple(Face))
    culler = Usable(item(view, "herd-culler"), "herd-culler", 0, tuple(range(5)), (Face.ONE,))
    decision = ChangeDecision(0, dice(ROLLED), uses=(stretchy, culler))
    return ask(view, decision), stretchy.item, culler.item


def test_changing_dice() -> None:
    question, stretchy, culler = change()
    assert question.reply("stretchy h 3") == Give(Use(stretchy, 3, Face.THREE))
    assert question.reply("stretchy h3") == Give(Use(stretchy, 3, Face.THREE))
    assert question.reply("herd c") == Give(Use(culler, 2, Face.ONE))
    assert question.reply("herd c 1") == Give(Use(culler, 2, Face.ONE))
    assert question.reply("") == Propose("Advice: leave the dice as they are.", Done())
    assert question.reply("d") == Give(Done())
    for typed in ("stretchy", "stretchy h", "stretchy 2 3", "h 3", "herd 1", "herd c 2", "culler"):
        assert isinstance(question.reply(typed), Refuse), typed


def plot(faces: str) -> Question[Any, Any]:
    view = stopped(faces, has(0, "plot-twist"), by=0)
    return ask(view, go_on(view, ChangeDecision))


@pytest.mark.parametrize(
    ("faces", "typed", "sentence"),
    [
        ("333333", "plot 3", "Type it like this: plot 3 h."),
        ("333333", "plot 3 3", "That die shows 3 already."),
        ("33CHB1", "plot h h", "That die shows heart already."),
        ("33CHB1", "plot c", "Type it like this: plot 3 h."),
        ("33CHB1", "plot", "Type it like this: plot 3 h."),
    ],
)
def test_a_card_that_turns_a_die_is_not_wasted(faces: str, typed: str, sentence: str) -> None:
    assert plot(faces).reply(typed) == Refuse(sentence)


def test_a_card_that_turns_a_die_says_both_faces_and_that_it_is_lost() -> None:
    hint = plot("333333").hints()[-1]
    assert hint.startswith("plot 3 h: turn one 3 into one heart with Plot Twist, for no energy, ")
    assert "but the card is lost. " in hint
    assert isinstance(plot("333333").reply("plot h"), Give)


@pytest.mark.parametrize(
    ("tokens", "price"), [(2, ", free. "), (1, ", for no energy, but the card is lost. ")]
)
def test_a_card_with_tokens_is_lost_with_the_last_one(tokens: int, price: str) -> None:
    def has_tokens(state: State) -> None:
        state.monsters[0].holdings[0].counters = tokens

    view = rolled("112233", all_of(has(0, "smoke-cloud"), has_tokens))
    assert price in ask(view, go_on(view, RollDecision)).hints()[-1]


def test_a_card_that_chance_may_take_is_not_said_to_be_lost() -> None:
    view = stopped("112233", has(0, "psychic-probe"), by=1)
    assert ", free. " in ask(view, go_on(view, ProbeDecision)).hints()[-1]


def test_one_changing_card_needs_no_name() -> None:
    view = table(rolled=ROLLED)
    stretchy = Usable(item(view, "stretchy"), "stretchy", 2, tuple(range(6)), tuple(Face))
    question = ask(view, ChangeDecision(0, dice(ROLLED), uses=(stretchy, heal(view))))
    assert question.reply("h 3") == Give(Use(stretchy.item, 3, Face.THREE))
    assert question.reply("heal") == Give(Use(heal(view).item))


def test_proposed_cards_are_named() -> None:
    view = table(rolled=ROLLED)
    dweller = Usable(item(view, "background-dweller"), "background-dweller", 0, (0, 1))
    decision = RollDecision(0, dice(ROLLED), 2, uses=(dweller,))
    question = ask(view, decision, lambda v, d: Use(dweller.item, 1))
    proposed = question.reply("")
    assert isinstance(proposed, Propose)
    assert proposed.sentence == "Advice: use Background Dweller on a die that shows: 3."


def test_hearts_are_not_counted_as_healing_in_tokyo() -> None:
    view = table(rolled="HHBC11")
    question = ask(view, RollDecision(0, dice("HHBC11"), 2))
    assert question.facts()[0].endswith("Worth 1 claw, 1 energy, 2 hearts.")
    view.game.state.monsters[0].place = Place.CITY
    assert question.facts()[0].endswith("1 energy, 2 hearts (no healing in Tokyo).")
