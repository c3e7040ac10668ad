"""Who does not answer, what the others wish, and how who plays has changed, in sentences."""

from dataclasses import replace

import pytest

from kotp2p.cli.text.notices import describe_absence, describe_witness
from kotp2p.cli.text.players import describe_cheat, describe_seat_history
from kotp2p.game.steps import ChangedHands
from kotp2p.referee.model.answers import Seat
from kotp2p.referee.model.events import CardBought, HeartsLost, TurnStarted
from kotp2p.referee.model.state import DamageKind, Source
from kotp2p.seams import notices
from kotp2p.wire.lineups import CheatKind, Reason
from tests.support.laid_decisions import among_persons, item

SURE = notices.Offer((2,), can_go_on=True, yours=True)


def told(notice: notices.AbsenceNotice, view: notices.SeatView | None = None) -> str:
    return " ".join(describe_absence(notice, view or among_persons()))


def begun(*changes: ChangedHands, view: notices.SeatView | None = None) -> str:
    return told(notices.LineUpBegun(changes, view or among_persons()))


def test_gone_absent_and_cheated_are_three_different_sentences() -> None:
    gone = told(notices.Gone(2))
    absent = begun(ChangedHands(2, Reason.ABSENT, ((2, 0),), False))
    cheat = describe_cheat(CheatKind.EQUIVOCATION, "Mia")
    assert gone == (
        "Mia no longer answers. The game waits. A program that still runs comes back by itself. "
        "Otherwise Mia types: kotp2p resume"
    )
    assert len({gone, absent, cheat}) == 3


# -- the offer -------------------------------------------------------------------------------


def test_an_offer_says_what_can_be_typed_and_that_it_can_be_changed() -> None:
    assert told(SURE) == (
        "Mia does not answer. b lets a bot play for Mia until Mia is back, w waits. You can change "
        "it until all agree."
    )
    assert "b lets bots play for Rex and Mia" in told(
        notices.Offer((1, 2), can_go_on=True, yours=True)
    )


def test_two_who_are_not_enough_read_why_and_what_they_can_do() -> None:
    said = told(notices.Offer((1,), can_go_on=False, yours=True))
    assert "b lets" not in said
    assert "not more than half of all" in said
    assert all(word in said for word in ("w waits", "adjourn stops", "leave leaves"))


def test_the_one_who_does_not_answer_reads_that_the_game_waits_for_them() -> None:
    said = told(notices.Offer((0,), can_go_on=True, yours=False))
    assert said.startswith("The game waits for you. The others may now let a bot play")
    assert told(notices.Offer((0,), can_go_on=False, yours=True)) == "The game waits for you."


def test_who_has_no_say_is_asked_for_nothing() -> None:
    for can_go_on in (True, False):
        said = told(notices.Offer((2,), can_go_on, yours=False))
        assert said.endswith("The others decide whether a bot plays on meanwhile.")


def test_the_end_of_an_offer_is_told_unless_a_bot_plays_on() -> None:
    assert told(notices.OfferEnded((2,))) == "The game no longer waits for Mia."
    assert told(notices.OfferEnded((2,)), among_persons(2)) == ""


def test_a_wish_names_those_who_have_not_agreed_yet() -> None:
    assert told(notices.Wished(1, (2,), (0,))) == (
        "Rex wants a bot to play for Mia. Still to agree: Ana (you)."
    )
    assert told(notices.Wished(1, (2,), ())) == "Rex wants a bot to play for Mia. Everyone agrees."
    assert told(notices.Wished(1, (), ())) == "Rex would rather wait."
    said = "You want a bot to play for Mia. Still to agree: Rex."
    assert told(notices.Wished(0, (2,), (1,))) == said
    assert told(notices.Wished(0, (), ())) == "You would rather wait."


def test_a_bot_that_has_a_say_is_named_as_one() -> None:
    view = among_persons()
    view.players = (*view.players[:1], replace(view.players[1], automatic=True), view.players[2])
    assert told(notices.StopWanted(0, True, (1,)), view).endswith("Still to agree: Rex (bot).")


def test_only_those_who_have_not_agreed_to_stop_are_asked_to() -> None:
    assert "type adjourn" in told(notices.StopWanted(1, True, (0, 2)))
    assert "type adjourn" not in told(notices.StopWanted(1, True, (2,)))
    assert told(notices.StopWanted(1, True, ())).endswith(
        "; everyone can resume later. Everyone agrees."
    )
    assert told(notices.StopWanted(1, False, ())) == "Rex wants to play on."
    assert told(notices.StopWanted(0, True, (1,))).startswith("You want to stop here for today; ")
    assert told(notices.StopWanted(0, False, ())) == "You want to play on."


# -- a change of who plays -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reason", "to_others", "to_the_own"),
    [
        (Reason.CHEATED, "Mia is out of the game for cheating.", "You are out of the game"),
        (Reason.LEFT, "Mia has given up.", "You have given up."),
        (Reason.AGAIN, "Mia has started the program again", "You play on with this program"),
        (Reason.BACK, "Mia is back and plays again.", "You are back,"),
        (Reason.ABSENT, "A bot plays for Mia until Mia is back, in Rex's program.",
         "The others go on with a bot in your place."),
    ],
)  # fmt: skip
def test_each_reason_has_its_sentence(reason: Reason, to_others: str, to_the_own: str) -> None:
    seats = ((2, 1), (0, 1)) if reason is Reason.ABSENT else ()
    assert begun(ChangedHands(2, reason, seats, False)).startswith(to_others)
    assert begun(ChangedHands(0, reason, seats, False)).startswith(to_the_own)


def test_a_refused_roll_is_told_by_name() -> None:
    change = ChangedHands(2, Reason.ABSENT, ((2, 0),), True)
    assert "Mia owed a part of a roll" in begun(change)
    assert "You owed a part of a roll" in begun(replace(change, keeper=0))
    assert "owed a part" not in begun(replace(change, refused=False))


def test_the_bots_of_who_goes_pass_on_by_name() -> None:
    said = begun(ChangedHands(2, Reason.LEFT, ((1, 0), (0, 1)), False))
    assert said == (
        "Mia has given up. Your program now plays for Rex. Rex's program now plays for Ana (you)."
    )
    assert begun(ChangedHands(2, Reason.ABSENT, ((2, 0),), False)).endswith(", in your program.")


def test_a_witness_that_goes_is_no_bot_in_the_making() -> None:
    assert begun(ChangedHands(2, Reason.ABSENT, (), False)) == "Mia no longer watches."
    assert begun(ChangedHands(0, Reason.ABSENT, (), False)) == "The others go on without you."


def test_what_does_not_count_any_more_is_said() -> None:
    view = among_persons()
    notice = notices.LineUpBegun((), view, view.game.state)
    assert told(notice).startswith("The last moves do not count any more.")


def test_a_burnt_card_says_which_and_why() -> None:
    assert "another program plays for you now" in told(notices.CardBurnt(0))
    assert told(notices.CardBurnt(2)) == (
        "The top card that Mia had looked at goes back unseen: another program plays for Mia now, "
        "and does not know it."
    )


@pytest.mark.parametrize("because", notices.AskedBecause)
def test_each_return_that_is_asked_about_names_what_to_type(because: notices.AskedBecause) -> None:
    said = told(notices.ReturnAsked(2, because))
    assert said.startswith("Mia wants to come back, and ")
    assert said.endswith("type: accept Mia")


@pytest.mark.parametrize(
    ("notice", "sentence"),
    [
        (notices.Returned(1), "Rex is heard again."),
        (notices.ChangeStalls((1,)),
         "Who plays is about to change. The game waits for Rex to agree."),
        (notices.ChangeStalls(()), ""),
        (notices.Quiet(2, 6), "For 6 seconds nothing has come from Mia."),
        (notices.Quiet(2, 0), ""),
        (notices.PlayedForYou((), among_persons()), ""),
        (notices.Split(()), "The others play this game on from another past than yours."),
        (notices.Split((2,)),
         "The others play this game on from another past than yours. Mia signed both."),
    ],
)  # fmt: skip
def test_each_notice_has_its_sentence(notice: notices.AbsenceNotice, sentence: str) -> None:
    assert told(notice) == sentence


def test_a_return_to_a_seat_that_a_bot_plays_is_told_once() -> None:
    assert told(notices.Returned(1), replace(among_persons(), keepers={1: 0})) == ""


# -- back again, and out ---------------------------------------------------------------------


def test_what_the_bot_did_comes_in_one_block() -> None:
    view = among_persons()
    card = item(view, "wings")
    events = (
        TurnStarted(0), HeartsLost(1, 2, DamageKind.CLAWS, dealer=0),
        CardBought(0, card, 6, Source.MARKET),
        TurnStarted(1), HeartsLost(0, 1, DamageKind.CLAWS, dealer=1), TurnStarted(0),
    )  # fmt: skip
    first, second = describe_absence(notices.PlayedForYou(events, view), view)
    assert first == "While you were away, a bot played 2 turns for you."
    own = view.game.state.monsters[0]
    assert second.startswith(f"Ana (you): {own.hearts} hearts, ")
    assert "hit Rex for 2" in second
    assert "bought Wings for 6" in second


def test_a_monster_that_falls_leaves_a_witness_if_two_others_play_on() -> None:
    view = among_persons()
    view.keepers = {1: 1, 2: 2}
    assert describe_witness(view).startswith("Stay and watch, and the others can finish")
    view.keepers = {1: 1, 2: 1}
    assert describe_witness(view) == ""


# -- who has played a seat ----------------------------------------------------------------


ANA, REX, MIA = range(3)


def changed(
    turn: int, keeper: Seat, reason: Reason, *seats: tuple[Seat, Seat], refused: bool = False
) -> ChangedHands:
    return ChangedHands(keeper, reason, seats, refused, 10 * turn, turn, turn)


def told_history(*changes: ChangedHands) -> list[str]:
    return describe_seat_history(among_persons().players, changes)


def test_each_change_of_who_plays_is_told_with_its_place() -> None:
    gone = changed(2, MIA, Reason.ABSENT, (MIA, ANA))
    back = changed(5, MIA, Reason.BACK, (MIA, MIA))
    assert told_history(gone, back) == [
        "turn 2: A bot plays for Mia until Mia is back, in Ana's program.",
        "turn 5: Mia is back and plays again.",
    ]


def test_a_restart_is_no_matter_of_the_record() -> None:
    assert told_history(changed(2, MIA, Reason.AGAIN)) == []
