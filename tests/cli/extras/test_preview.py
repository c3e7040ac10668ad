"""What an answer will do, said before it is given."""

import random
import re
from collections.abc import Iterator
from itertools import islice

import pytest

from kotp2p.cli.ask.dialogue import Explained, QuestionDialogue
from kotp2p.cli.ask.foresight import Interlude
from kotp2p.cli.extras import preview
from kotp2p.extras import bots
from kotp2p.referee.box.rulesets import RULE_SETS, Options
from kotp2p.referee.model import decisions
from kotp2p.referee.model.answers import Answer, Answered, Buy, BuyTop, Looked, Peek, Reroll, Stop
from kotp2p.referee.model.decisions import YieldDecision as Yields
from kotp2p.referee.model.events import TurnEnded
from kotp2p.referee.model.state import Place, State
from kotp2p.seams.cores import Noise
from kotp2p.seams.notices import SeatView
from tests.support.laid_decisions import ask, dice
from tests.support.local_game import NAMES, draw, new_view, put_in
from tests.support.staged_turns import Change, all_of, go_on, has, placed, rolled, shop, stopped


def facts(view: SeatView) -> list[str]:
    pending = view.game.pending
    assert not isinstance(pending, decisions.Chance | decisions.Over)
    return ask(view, pending).facts()


def go_on_well(view: SeatView) -> Answer:
    """So that games last and come to many positions, at a twentieth of what advice costs."""
    pending = view.game.pending
    assert not isinstance(pending, decisions.Chance | decisions.Over)
    return bots.choose("easy", view.game, pending, Noise())


def stopping(view: SeatView) -> str:
    return facts(view)[1]


@pytest.mark.parametrize(
    ("faces", "change", "told"),
    [
        ("CCBB12", placed(0), "Rex and Mia lose 2 hearts, you get 2 energy."),
        ("C11123", all_of(), "you enter Tokyo, you get 2 points."),
        ("CHHHB2", placed(1), "Rex loses 1 heart, you get 1 energy, you enter if Rex leaves."),
        ("112233", placed(1), "nothing changes."),
        ("333112", all_of(placed(1), has(0, points=17, energy=9)),
         "you would have 20 points and win, you get 3 points."),
        ("112233", all_of(placed(1), has(0, hearts=1, poison=1, energy=9)),
         "you are out of the game."),
    ],
    ids=["a hit from Tokyo", "an empty Tokyo", "a hit on Tokyo", "nothing", "the last points",
         "a fall at the end of the turn"],
)  # fmt: skip
def test_what_comes_of_stopping_is_told(faces: str, change: Change, told: str) -> None:
    assert stopping(rolled(faces, change)) == f"Stop: {told}"


def test_the_two_player_game_pays_the_way_into_tokyo_in_energy() -> None:
    view = rolled("C11123", seats=2, options=Options(two_player=True))
    assert stopping(view) == "Stop: you enter Tokyo, you get 1 point and 1 energy."


def test_a_monster_that_would_fall_and_a_game_that_would_be_won_are_said() -> None:
    def change(state: State) -> None:
        placed(0)(state)
        state.monsters[1].hearts = 2
        state.monsters[2].alive = False

    said = stopping(rolled("CC1123", change))
    assert said == "Stop: you win, Rex is out of the game, Rex loses 2 hearts."


def rex_owns(key: str, energy: int) -> Change:
    return all_of(has(1, key, energy=energy), placed(1))


def test_a_defence_that_can_be_paid_for_is_named_and_one_that_cannot_is_not() -> None:
    assert "Rex may defend" in stopping(rolled("CC1123", rex_owns("wings", 2)))
    assert "defend" not in stopping(rolled("CC1123", rex_owns("wings", 1)))


def test_dice_that_follow_are_counted_and_not_foreseen() -> None:
    view = stopped("CC1123", rex_owns("camouflage", 0), by=0)
    pending = go_on(view, decisions.ResponseDecision, 1)
    used = next(pending.uses[0].legal_answers())
    assert preview.lines_of_proposal(view, pending, used) == ["Then: 2 dice are rolled."]


def test_a_proposal_to_stop_says_again_what_comes_of_it() -> None:
    view = rolled("CCBB12", placed(0))
    pending = view.game.pending
    assert isinstance(pending, decisions.RollDecision)
    asking = QuestionDialogue(ask(view, pending, lambda v, d: Stop()), Explained())
    assert asking.read_line("")[2] == "Then: Rex and Mia lose 2 hearts, you get 2 energy."
    asking = QuestionDialogue(ask(view, pending, lambda v, d: Reroll((4, 5))), Explained())
    assert not any(line.startswith("Then: ") for line in asking.read_line(""))


def in_the_bay(state: State) -> None:
    state.monsters[2].place = Place.BAY


@pytest.mark.parametrize(
    ("change", "stay", "leave"),
    [
        (placed(0), "2 points if there next turn.", "Rex enters Tokyo, Rex gets 1 point."),
        (all_of(placed(0), in_the_bay), "Mia may leave Tokyo, 2 points if there next turn.",
         "Rex enters Tokyo, Rex gets 1 point."),
        (all_of(placed(0), has(1, points=19, energy=9)), "2 points if there next turn.",
         "Rex would have 20 points and win, Rex enters Tokyo, Rex gets 1 point."),
    ],
    ids=["alone", "beside the Bay, which is said once", "to the end of the turn"],
)  # fmt: skip
def test_both_answers_of_one_in_tokyo_are_foreseen(change: Change, stay: str, leave: str) -> None:
    view = stopped("CC1123", change)
    go_on(view, Yields)
    assert facts(view)[1:] == [f"Stay: {stay}", f"Leave: {leave}"]


def test_points_beyond_the_most_are_told_as_what_counts() -> None:
    view = rolled("333BB1", all_of(placed(1), has(0, points=19)))
    assert facts(view) == [
        "Your roll 1 of 3: 1, 3, 3, 3, energy, energy. Worth 3 points (only 1 is needed to "
        "reach 20), 2 energy.",
        "Stop: you would have 20 points and win, you get 3 points (only 1 is needed to reach 20) "
        "and 2 energy.",
    ]
    view = rolled("333222", all_of(placed(1), has(0, points=16)))
    assert "you get 5 points (only 4 are needed to reach 20)" in stopping(view)


def test_a_purchase_tells_that_it_wins_and_nothing_that_comes_without_it_too() -> None:
    view = shop(
        "apartment-building", "wings", change=all_of(placed(1), has(0, points=17, energy=10))
    )
    assert facts(view)[1:] == [
        "Buying a: 5 energy left, you would have 20 points and win, you get 3 points; "
        "b: 4 energy left."
    ]
    view = shop("wings", change=has(0, hearts=1, poison=1, energy=10))
    assert facts(view)[1:] == ["Buying a: 4 energy left."]


def test_a_decision_at_which_the_game_does_not_stand_is_not_foreseen() -> None:
    view = rolled("CC1123")
    other = decisions.RollDecision(0, dice("333333"), 2)
    assert preview.lines_of_default(view, other, "{what}") == []


def _lines(view: SeatView, pending: decisions.Decision) -> list[str]:
    match pending:
        case decisions.RollDecision():
            return preview.lines_of_default(view, pending, "Stop: {what}.")
        case decisions.ChangeDecision():
            return preview.lines_of_default(view, pending, "If you change nothing: {what}.")
        case Yields():
            return preview.lines_of_yield(view, pending)
        case _:
            return preview.lines_of_proposal(view, pending, pending.default)


def decisions_of(
    view: SeatView, chooser: random.Random, steps: int
) -> Iterator[decisions.Decision]:
    """Yields each decision of the first steps of a game, and puts in what chance gives."""
    for _ in range(steps):
        pending = view.game.pending
        if isinstance(pending, decisions.Over):
            return
        if isinstance(pending, decisions.Chance):
            look = pending.kind is decisions.ChanceKind.LOOK
            put_in(view, Looked(0, pending.seat or 0) if look else draw(pending, chooser))
        else:
            yield pending


def test_at_every_decision_of_whole_games_a_line_is_found_and_the_game_left_alone() -> None:
    for seed, rules in enumerate(RULE_SETS.values()):
        chooser = random.Random(seed)
        view = new_view(4, rules)
        for pending in decisions_of(view, chooser, 250):
            seen = SeatView(pending.seat, view.players, view.game, "")
            before = view.game.digest()
            lines = _lines(seen, pending)
            assert all(line.endswith(".") and "{" not in line for line in lines)
            assert view.game.digest() == before
            put_in(view, Answered(pending.seat, go_on_well(seen)))


# -- what is said, against what then happens -----------------------------------------------

NAMED = "|".join([*NAMES, "you"])
NUMBER = r"(\d+) (heart|point|energy)s?"
SAID = re.compile(
    rf"((?:(?:{NAMED})(?:, | and )?)+) (loses?|gets?) ((?:\d+ [a-z]+(?: tokens?)?(?:, | and )?)+)"
)


def foretold(view: SeatView, line: str) -> list[list[int]]:
    """Hearts, points and energy of all after what the line says, read off its words."""
    found = [[m.hearts, m.points, m.energy] for m in view.game.state.monsters]
    line = re.sub(r"\d+ points? \(only (\d+) (?:is|are) needed to reach 20\)", r"\1 points", line)
    for who, verb, what in SAID.findall(line):
        for name in re.findall(NAMED, who):
            seat = view.seat if name == "you" else NAMES.index(name)
            for n, kind in re.findall(NUMBER, what):
                at = ("heart", "point", "energy").index(kind)
                found[seat][at] += int(n) if verb.startswith("get") else -int(n)
    return found


def played(view: SeatView, answer: Answer, chooser: random.Random) -> tuple[State, bool]:
    """Where the table stands when chance, somebody's wish or the end of the turn has come; and
    whether another monster has used what it might."""
    game, table = view.game.fork(), view.game.state.copy()
    used, given = False, Answered(view.seat, answer)
    is_bought = isinstance(answer, Buy | BuyTop)
    while True:
        events = game.submit(given)
        if is_bought and isinstance(game.pending, decisions.Chance):
            events += game.submit(draw(game.pending, chooser))
        for event in events:
            if isinstance(event, TurnEnded):
                return table, used
            event.apply(table)
        pending = game.pending
        if not isinstance(pending, Interlude):
            return table, used
        reply = pending.default
        if pending.seat != view.seat:
            reply = chooser.choice(list(islice(pending.legal_answers(), 20)))
            used = used or reply != pending.default
        given = Answered(pending.seat, reply)


def test_at_three_thousand_positions_what_is_said_is_what_then_happens() -> None:
    """UX check 16: equal, unless another may do something about it, and then it says who."""
    chooser = random.Random(16)
    compared = interfered = 0
    while compared < 3000:
        view = new_view(chooser.randint(2, 5), chooser.choice(list(RULE_SETS.values())))
        for pending in decisions_of(view, chooser, 300):
            seen = SeatView(pending.seat, view.players, view.game, "")
            answer = chooser.choice(list(islice(pending.legal_answers(), 20)))
            if not isinstance(answer, Reroll | Peek):
                line = " ".join(preview.lines_of_proposal(seen, pending, answer))
                after, used = played(seen, answer, chooser)
                if used:
                    assert re.search(
                        r" may (defend|leave|reroll)| choice to| if \w+ leaves", line
                    ), line
                    interfered += 1
                else:
                    said = foretold(seen, line)
                    for monster in after.monsters:
                        if monster.alive and "back" not in line:
                            now = [monster.hearts, monster.points, monster.energy]
                            assert said[monster.seat] == now, (line, monster)
                    compared += 1
            by_chance = chooser.random() < 0.5 and not isinstance(answer, Peek)
            put_in(view, Answered(pending.seat, answer if by_chance else go_on_well(seen)))
    assert interfered > 20


def test_damage_says_what_taking_it_and_each_defence_does() -> None:
    view = stopped("CC1123", all_of(has(0, "wings", energy=2), placed(0)))
    go_on(view, decisions.ResponseDecision)
    _, taken, winged = facts(view)
    assert taken == "If you take it: you lose 2 hearts."
    assert winged == "With Wings: you lose 2 energy."
