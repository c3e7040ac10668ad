"""Exit codes, last words, the JSON document."""

import errno
import io
import json
from pathlib import Path

import pytest

from kotp2p.cli.commands.one_game import ending_as_object, exit_code, finish_game
from kotp2p.cli.system.folders import data_folder, log_folder
from kotp2p.cli.system.output import Exit, Output
from kotp2p.cli.text import how_to_join
from kotp2p.cli.text.endings import describe_ending, describe_result, winners_line
from kotp2p.cli.text.files import PLAIN_FAULTS, describe_fault_of_bytes, describe_log_fault
from kotp2p.cli.text.i18n import describe_system_error
from kotp2p.cli.text.story import describe_refusal
from kotp2p.game.verify import Report, Result, verify_log
from kotp2p.referee.model.answers import Reason
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.wire.lineups import CheatKind
from kotp2p.wire.records import LogFault, Versions
from tests.support.local_game import new_view
from tests.support.paths import LOGS, VECTORS
from tests.support.printed import printed

CODES = {
    0: "FINISHED LEFT NO_NEXT_GAME",
    3: "NAME_UNKNOWN REFUSED NO_ANSWER NOT_A_TABLE LOST_TABLE SOURCE_LEFT NO_MAILBOX "
    "UNPROVEN_MAILBOX NOBODY_AT_NUMBER RELAY_GONE NO_DIRECT_WAY RELAY_SILENT RELAY_REFUSES",
    4: "CLOSED REMOVED BUSY FULL STARTED KEPT_FOR_OTHERS FALSE_LOBBY VERSION NOT_INVITED "
    "OTHER_TABLE OTHER_HOST NEW_KEY LOST_HOST START_IN_DOUBT NO_WATCHERS WRONG_WORDS",
    5: "STOPPED ADJOURNED KEPT ELSEWHERE WRONG_LOG",
    8: "NO_GAME",
    9: "IN_USE PORT_TAKEN FILES",
}  # fmt: skip


@pytest.mark.parametrize("kind", EndKind)
def test_every_ending_has_its_code(kind: EndKind) -> None:
    assert kind.name in CODES[exit_code(kind)].split()


def test_what_went_wrong_is_said_differently_each_time_with_what_to_try() -> None:
    failures = [kind for kind in EndKind if exit_code(kind) in (3, 4, 9)]
    said = [tuple(describe_ending(Ending(kind, "2.1 1.1"), "kitchen", 4243)) for kind in failures]
    assert len(set(said)) == len(failures)
    for kind, lines in zip(failures, said, strict=True):
        if kind is not EndKind.FILES:  # of which nothing is known here
            assert len(" ".join(lines).split(". ")) >= 2, kind
    unreachable = [
        " ".join(lines)
        for kind, lines in zip(failures, said, strict=True)
        if exit_code(kind) == Exit.UNREACHABLE
    ]
    assert len(unreachable) == 13
    assert sum("kitchen" in text for text in unreachable) == 4


@pytest.mark.parametrize("kind", [EndKind.LOST_TABLE, EndKind.SOURCE_LEFT])
def test_whoever_watched_is_told_without_an_address_which_they_may_not_have_typed(
    kind: EndKind,
) -> None:
    (first, *_rest) = describe_ending(Ending(kind, "Ana"), "", 0)
    assert "port" not in first and "  " not in first


def test_words_that_no_game_has_are_told() -> None:
    first = describe_ending(Ending(EndKind.NO_GAME, "old barn"), "", 0)[0]
    assert first.endswith("no unfinished game whose phrase begins with: old barn")


def made() -> Output:
    return Output(io.StringIO(), io.StringIO())


@pytest.mark.parametrize(
    ("terminal", "last", "note"),
    [
        (False, "Log: /tmp/a b.log", "Check the log: kotp2p verify '/tmp/a b.log'\n"),
        (True, "See the game again: kotp2p replay '/tmp/a b.log'", ""),
    ],
)
def test_the_winners_and_the_log_are_the_last_lines(terminal: bool, last: str, note: str) -> None:
    output = Output(io.StringIO(), io.StringIO(), terminal=terminal)
    ending = Ending(EndKind.FINISHED, log=Path("/tmp/a b.log"), view=new_view(), winners=(1,))
    assert finish_game(ending, output, as_json=False) == 0
    assert printed(output.out).splitlines() == ["Winner: Rex", last]
    assert printed(output.err) == note


def test_a_log_found_by_words_has_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOTP2P_DATA", str(tmp_path))
    view, folder = new_view(), log_folder(data_folder())
    folder.mkdir(parents=True)
    log = folder / f"2026-01-01-{view.phrase.replace(' ', '-')}.kotlog"
    log.touch()
    output = Output(io.StringIO(), io.StringIO(), terminal=True)
    finish_game(Ending(EndKind.FINISHED, log=log, view=view, winners=(1,)), output, as_json=False)
    assert printed(output.out).splitlines()[1:] == ["See the game again: kotp2p replay lemon train"]


def test_a_player_reads_last_how_they_did() -> None:
    output = Output(io.StringIO(), io.StringIO(), terminal=True)
    ending = Ending(EndKind.FINISHED, view=new_view(), winners=(1,))
    told = "You are second; Rex wins."
    assert finish_game(ending, output, as_json=False, result=told) == 0
    assert printed(output.out).splitlines()[-1] == told


def test_several_winners_and_none() -> None:
    view = new_view()
    both = Ending(EndKind.FINISHED, view=view, winners=(0, 2))
    assert winners_line(both) == "Winners: Ana and Mia"
    assert winners_line(Ending(EndKind.FINISHED, view=view)) == "Winner: nobody"


def test_a_player_is_told_how_they_did() -> None:
    view = new_view()

    def told(place: int | None, *winners: int) -> str:
        return describe_result(Ending(EndKind.FINISHED, view=view, winners=winners), place)

    me, rex, mia = view.seat, *(seat for seat in range(3) if seat != view.seat)
    names = [player.name for player in view.players]
    assert told(1, me) == "You win!"
    assert told(2, rex) == f"You are second; {names[rex]} wins."
    assert told(3, rex, mia) == f"You are third; {names[rex]} and {names[mia]} win."
    assert told(1, me, rex) == f"You win together with {names[rex]}!"
    assert told(None, rex) == f"{names[rex]} wins."
    assert told(3) == "Nobody wins."


def test_the_document_holds_what_a_program_wants(capsys: pytest.CaptureFixture[str]) -> None:
    ending = Ending(
        EndKind.FINISHED, log=Path("/tmp/a.log"), view=new_view(2), winners=(0,), turns=9
    )
    output = made()
    assert finish_game(ending, output, as_json=True) == 0
    document = json.loads(capsys.readouterr().out)
    assert document == ending_as_object(ending)
    assert document == {
        "winners": ["Ana"],
        "log": "/tmp/a.log",
        "turns": 9,
        "phrase": "lemon train ocean piano",
        "rules": "second",
        "players": [
            {"name": "Ana", "key": "00" * 32, "monster": "Gigazaur", "bot": False},
            {"name": "Rex", "key": "00" * 32, "monster": "The King", "bot": True},
        ],
    }
    assert printed(output.out) == ""


def test_a_failure_has_a_document_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert finish_game(Ending(EndKind.REFUSED), made(), True, "kitchen", 4242) == 3
    assert json.loads(capsys.readouterr().out)["log"] is None


def test_a_player_who_is_out_is_told_that_the_others_have_stopped() -> None:
    view = new_view(3)
    stopped = " ".join(describe_ending(Ending(EndKind.ADJOURNED, view=view), "", 0))
    view.keepers = {1: 1, 2: 2}
    out = " ".join(describe_ending(Ending(EndKind.ADJOURNED, view=view), "", 0))
    assert "To go on with it, type when the others do: kotp2p resume" in stopped
    assert out == (
        "The players who are still in the game have stopped here for today. To watch how it goes "
        "on, type when they do: kotp2p resume"
    )


def test_who_comes_by_code_in_the_game_reads_how_to_watch_it_and_nothing_of_an_address() -> None:
    lines = describe_ending(Ending(EndKind.STARTED), "7412-carpet-arctic", 4242)
    assert lines[-1] == "To watch it: kotp2p watch 7412-carpet-arctic"


# -- refusals -----------------------------------------------------------------------------


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_is_one_sentence(reason: Reason) -> None:
    sentence = describe_refusal(reason)
    assert sentence.endswith(".")
    assert sentence.count(".") == 1
    assert "-" not in sentence


# -- nobody answers -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("detail", "said"),
    [
        ("[Errno 101] Network is unreachable", "There is no route from this machine to 10.0.0.9."),
        ("[WinError 10051] unreachable", "There is no route from this machine to 10.0.0.9."),
        ("", "Nobody answers at 10.0.0.9 port 4243."),
        ("[Errno 110] Connection timed out", "Nobody answers at 10.0.0.9 port 4243."),
        (
            "[Errno 113] Error connecting to ('10.0.0.9', 4243): No route to host",
            "Nobody answers at 10.0.0.9 port 4243.",
        ),
        (
            "[Errno 13] Permission denied",
            "This machine does not let a connection to 10.0.0.9 port 4243 out.",
        ),
    ],
)
def test_the_reason_follows_from_the_error_of_the_system(detail: str, said: str) -> None:
    first, advice = describe_ending(Ending(EndKind.NO_ANSWER, detail), "10.0.0.9", 4243)
    assert first == said
    assert ("keep its devices apart" in advice) == said.startswith("Nobody")


def test_a_number_at_which_nobody_answers_may_have_changed() -> None:
    lines = describe_ending(Ending(EndKind.NOBODY_AT_NUMBER, "7412"), "7412-carpet-arctic", 4242)
    assert lines[0] == "Nobody answers at 7412."
    assert "whether the number has changed" in lines[1]


@pytest.mark.parametrize(
    ("theirs", "ours", "whose"),
    [("5.3", "4.9", "Yours"), ("5.3", "5.4", "The host's"), ("9.1", "10.1", "The host's")],
)
def test_the_lower_version_is_to_be_updated(theirs: str, ours: str, whose: str) -> None:
    lines = describe_ending(Ending(EndKind.VERSION, f"{theirs} {ours}"), "kitchen", 4242)
    assert lines[1].startswith(whose)
    assert theirs in " ".join(lines) and f"you have {ours}" in " ".join(lines)
    assert how_to_join.is_older(ours, theirs) == (whose == "Yours")


# -- faults of logs -----------------------------------------------------------------------


WITH_FIELDS = {LogFault.NO_FILE, LogFault.OTHER_VERSION}


def test_each_fault_has_words() -> None:
    assert set(PLAIN_FAULTS) == set(LogFault) - WITH_FIELDS
    assert {kind.value for kind in CheatKind} <= {fault.value for fault in LogFault}


@pytest.mark.parametrize(
    "path", sorted((VECTORS / "logs").glob("*.kotlog")), ids=lambda path: path.stem
)
def test_each_written_log_has_a_fault_unless_it_is_sound(path: Path) -> None:
    report = verify_log(path.read_bytes())
    assert (report.fault is None) == (report.result is Result.SOUND)
    assert bool(describe_log_fault(report)) == (report.result is not Result.SOUND)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("unfinished", "the log ends before the game"),
        ("wrong-illegal", "the rules do not allow it"),
    ],
)
def test_some_of_them(name: str, words: str) -> None:
    report = verify_log((VECTORS / "logs" / f"{name}.kotlog").read_bytes())
    assert describe_log_fault(report).startswith(words)


def test_of_another_version_all_numbers_are_said() -> None:
    report = verify_log((LOGS / "protocol-4-rules-1-head.kotlog").read_bytes())
    said = describe_log_fault(report)
    assert "from before 1.0 has written it, and no published version reads it" in said
    assert said.endswith("protocol 4, rules 1")
    newer = describe_fault_of_bytes(LogFault.OTHER_VERSION, Versions(9, 1, 2))
    assert newer.startswith("a newer version of kotp2p has written it: format 9, protocol 1")
    assert "this one reads format 2" in newer


def test_what_the_system_says_is_put_into_words() -> None:
    missing = Report(Result.UNREADABLE, fault=LogFault.NO_FILE, error=errno.ENOENT)
    assert describe_log_fault(missing) == "there is no such file"
    assert describe_system_error(errno.EBUSY) == "the system reports EBUSY"
    assert describe_system_error(None) == "the system reports 0"
