"""Late, gone, dropped: three different sentences, and the words that a player types."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from cli.text import absences
from cli.ui import table_commands
from kotp2p.absence_notices import (
    AbsenceNotice,
    AdjournWanted,
    Dropped,
    Gone,
    Late,
    NoVote,
    Paused,
    PauseEnded,
    Returned,
    Rewound,
    Voted,
    VoteEnded,
    VoteFailed,
    VoteOpened,
    VoteStands,
)
from kotp2p.notices import Cheated
from kotp2p.wire.proofs import CheatKind
from tests.support.laid_decisions import table
from tests.support.recorded_control import Orders


def told(notice: AbsenceNotice) -> str:
    return " ".join(absences.describe_absence(notice, table()))


def test_late_gone_and_cheated_are_three_different_sentences() -> None:
    from cli.text.notices import describe_cheat

    late, gone = told(Late((2,), 60)), told(Gone(2, 60))
    cheat = describe_cheat(Cheated(2, CheatKind.EQUIVOCATION, 9, ""), table())
    assert late == ("Time is up for Mia. No move is made for anyone; in 60 s the others may vote.")
    assert gone.startswith("Mia no longer answers. The game waits;")
    assert len({late, gone, cheat}) == 3


def test_a_bot_comes_back_with_the_person_whose_machine_plays_it() -> None:
    view = table()
    players = list(view.players)
    players[2] = replace(players[2], bot=True, keeper=1)
    view.players = tuple(players)
    (words,) = absences.describe_absence(Gone(2, 60), view)
    assert "Mia no longer answers" in words
    assert words.endswith("To come back, Rex types: kotp2p resume")


def test_a_vote_says_who_must_agree_and_what_to_type() -> None:
    said = told(VoteOpened((2,), (0, 1), True, True))
    assert "without Mia if all the others agree: Ana and Rex." in said
    assert "Type drop to vote for that, wait to withdraw your vote" in said
    assert "drop votes" not in told(VoteOpened((2,), (0, 1), True, False))


def test_too_few_read_what_they_can_do() -> None:
    assert "Wait, or type adjourn to stop here; everyone can resume later." in told(
        VoteOpened((1, 2), (0,), False, True)
    )


@pytest.mark.parametrize(
    ("notice", "sentence"),
    [
        (Returned(1), "Rex is back."),
        (NoVote(()), "There is nobody to vote on: the game waits for you."),
        (
            NoVote(((1, 102.0), (2, 42.2))),
            "There is nobody to vote on yet: Mia has 0:43 left until a vote can open.",
        ),
        (
            NoVote(((1, math.inf),)),
            "There is nobody to vote on: Rex is connected, and has no time limit.",
        ),
        (Voted(1, (2,)), "Rex votes to go on without Mia."),
        (Voted(1, ()), "Rex wants to wait."),
        (VoteStands((2,), (1,), False), "Your vote to go on without Mia still needs Rex."),
        (
            VoteStands((2,), (1,), True),
            "Your vote to go on without Mia still needs Rex. You can do nothing else until it has "
            "passed or failed.",
        ),
        (VoteFailed((2,)), "The vote to go on without Mia has failed."),
        (VoteEnded((2,)), "The vote about Mia is over; nobody is out."),
        (Dropped((2,), (0, 1), table()), "Mia is out by the votes of Ana and Rex."),
        (PauseEnded(1), "Rex's pause is over; the clocks run again."),
        (AdjournWanted(1, False, ()), "Rex wants to play on."),
        (AdjournWanted(1, True, ()), "Rex wants to stop here for today. Everyone agrees."),
    ],
)
def test_each_notice_has_its_sentence(notice: AbsenceNotice, sentence: str) -> None:
    assert told(notice) == sentence


def test_that_somebody_was_put_out_on_time_is_said() -> None:
    said = told(Dropped((1, 2), (0,), table(), (1, 2)))
    assert said == (
        "Rex and Mia are out by the votes of Ana. Rex and Mia were on time all the same: neither "
        "late nor gone, as seen from here."
    )
    own = absences.describe_absence(Dropped((0, 2), (1,), table(), (0,)), table())
    assert own == [
        "Ana and Mia are out by the votes of Rex.",
        "They have put you out although you were on time: as seen from here, you were neither late "
        "nor gone. More than half of the players can do that together. Your log shows who voted: "
        "kotp2p verify",
        "The game goes on without you. You can go on watching; type leave to go.",
    ]


def test_what_does_not_count_any_more_is_said() -> None:
    said = told(Rewound(41, table(), table().game.state))
    assert said.startswith("The last moves do not count")


def test_a_pause_says_how_long() -> None:
    assert "for 10 minutes at most" in told(Paused(1, 600))


@pytest.mark.parametrize("word", [command.word for command in table_commands.COMMANDS])
def test_each_word_reaches_the_control(word: str) -> None:
    control = Orders()
    command = table_commands.find_command(word.upper())
    assert command is not None
    command.do(control)
    assert control.given


def test_other_words_do_not() -> None:
    assert table_commands.find_command("33c") is None


def test_whoever_is_voted_out_reads_by_whom_and_what_they_can_do() -> None:
    by_votes, now = absences.describe_absence(Dropped((0,), (1, 2), table()), table())
    assert by_votes == "You are out by the votes of Rex and Mia."
    assert now == "The game goes on without you. You can go on watching; type leave to go."
    assert "goes on without you" not in told(Dropped((1,), (0, 2), table()))


def test_the_accused_of_a_vote_is_told_how_to_end_it() -> None:
    assert told(VoteOpened((0,), (1, 2), True, False)).endswith("nobody is out then.")
    assert "Your answer" not in told(VoteOpened((2,), (0, 1), True, True))


def test_only_those_who_have_not_agreed_to_stop_are_asked_to() -> None:
    assert "type adjourn" in told(AdjournWanted(1, True, (0, 2)))
    assert "type adjourn" not in told(AdjournWanted(1, True, (2,)))


def test_a_bot_that_has_a_vote_is_named_as_one() -> None:
    view = table()
    view.players = tuple(
        replace(p, bot=False, keeper=seat, automatic=seat == 1)
        for seat, p in enumerate(view.players)
    )

    def said(notice: AbsenceNotice) -> str:
        return " ".join(absences.describe_absence(notice, view))

    assert "if all the others agree: Ana and Rex (bot)." in said(
        VoteOpened((2,), (0, 1), True, True)
    )
    assert said(Voted(1, (2,))) == "Rex, a bot, goes along with the vote about Mia."
    assert said(Dropped((2,), (0, 1), view)) == "Mia is out by the votes of Ana and Rex (bot)."
    assert said(AdjournWanted(0, True, (1,))).endswith("Still to agree: Rex (bot).")
