"""`kotp2p verify`: codes, words, JSON; the verifier itself is replaced."""

import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from kotp2p.cli.commands.verify import verify_evidence
from kotp2p.cli.system.output import Exit
from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import ChangedHands, Cheat
from kotp2p.game.verify import Caught, Report, Result, WrongAt, make_evidence
from kotp2p.referee.box.rulesets import Options
from kotp2p.referee.model.answers import Answer, Pass, Reroll
from kotp2p.wire.crypto import fingerprint
from kotp2p.wire.entries import Answering, Entry
from kotp2p.wire.genesis import Charter, Clocks, Player
from kotp2p.wire.lineups import CheatKind, Reason
from kotp2p.wire.records import LogFault, ProgramNamed
from tests.support.command_line import run
from tests.support.five_players import SIGNERS, at_a_decision, genesis

verify = partial(run, "verify")

REX = Player("Rex", "The King", b"r" * 32, 1, automatic=True)
PLAYERS = (Player("Ana", "Gigazaur", b"a" * 32, 0), REX)
CHARTER = Charter(bytes(32), bytes(32), 1, "dark", Options(True), PLAYERS, 0, Clocks(90, 0))
SOUND = Report(
    Result.SOUND, 214, 31, "second", PLAYERS, "lemon train ocean piano", (0,), (0, 1),
    charter=CHARTER, not_confirmed_by=(1,), program=ProgramNamed("kotp2p", "2.0"), keepers=(0, 1),
    changes=(
        ChangedHands(1, Reason.ABSENT, ((1, 0),), True, 97, 4, 2),
        ChangedHands(1, Reason.BACK, ((1, 1),), False, 99, 5, 3),
    ),
    caught=(Caught(96, 1, CheatKind.EQUIVOCATION, "two entries for one place", 4),),
)  # fmt: skip
FIRST = "sound. You know 0 of 2 keys: this log could have been made by one person."
UNFINISHED = Report(
    Result.UNFINISHED, 10, 2, "second", PLAYERS, reason="no end record", fault=LogFault.NO_END
)
UNREADABLE = Report(Result.UNREADABLE, reason="not a log", fault=LogFault.NO_LOG)
WRONG = Report(
    Result.WRONG, 97, 14, "second", PLAYERS, wrong_at=WrongAt(98, 4000, 97, 1, 14),
    reason="forged", fault=LogFault.SIGNATURE,
)  # fmt: skip
BY_TEXT = {b"sound": SOUND, b"unfinished": UNFINISHED, b"unreadable": UNREADABLE, b"wrong": WRONG}


@pytest.fixture
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a log of each result; the newest is the sound one."""
    monkeypatch.setattr("kotp2p.game.verify.verify_log", lambda data: BY_TEXT[data])
    for age, text in enumerate(BY_TEXT):
        path = tmp_path / (text.decode() + ".kotlog")
        path.write_bytes(text)
        os.utime(path, (1_000_000 - age, 1_000_000 - age))
    (tmp_path / "notes.txt").write_text("newer than all logs")
    return tmp_path


@pytest.fixture
def at(logs: Path) -> Callable[[str], Path]:
    return lambda name: logs / f"{name}.kotlog"


@pytest.mark.usefixtures("logs")
def test_a_log_can_come_through_a_pipe() -> None:
    assert verify("-", input=b"sound").printed().splitlines()[0] == f"-: {FIRST}"


@pytest.mark.usefixtures("logs")
def test_a_pipe_that_never_ends_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kotp2p.cli.commands.log_files.MAX_LOG_BYTES", 4)
    assert verify("-", input=b"sound")[:2] == (9, "-: unreadable (it is too long)\n")


@pytest.mark.parametrize(
    ("name", "code"), [("sound", 0), ("unfinished", 7), ("unreadable", 9), ("wrong", 6), ("no", 9)]
)
def test_each_result_has_its_code(at: Callable[[str], Path], name: str, code: int) -> None:
    assert verify(at(name))[0] == code


def test_a_word_of_the_table_phrase_names_a_log(logs: Path, data: Path) -> None:
    (data / "logs").mkdir()
    for day in ("18", "20"):
        name = f"2026-11-{day}-lemon-train-ocean-piano.kotlog"
        (data / "logs" / name).write_bytes(b"sound")
        os.utime(data / "logs" / name, (int(day), int(day)))
    code, out, err = verify("ocean")
    assert code == 0
    assert out.splitlines()[0].endswith(f"2026-11-20-lemon-train-ocean-piano.kotlog: {FIRST}")
    assert err == "2026-11-20-lemon-train-ocean-piano.kotlog is the newest of 2 logs that fit.\n"
    assert verify("zebra")[0] == 9
    assert verify("lemon", "--log-dir", str(logs))[0] == 9


def test_the_worst_of_several_counts(at: Callable[[str], Path]) -> None:
    assert verify(at("sound"), at("unfinished"))[0] == 7
    assert verify(at("unreadable"), at("unfinished"), at("sound"))[0] == 9
    assert verify(at("wrong"), at("unreadable"), at("unfinished"))[0] == 6


def test_people_read_the_verdict_and_five_lines(at: Callable[[str], Path]) -> None:
    _code, out, err = verify(at("sound"))
    assert err == ""
    assert out.splitlines() == [
        f"{at('sound')}: {FIRST}",
        "  Table phrase: lemon train ocean piano. Played: 31 turns, 214 entries. Winners: Ana. End "
        "confirmed by: Ana and Rex. Not signed by: Rex. Written by kotp2p 2.0, by its own word.",
        f"  Players: Ana (Gigazaur, key {fingerprint(b'a' * 32)}) and Rex (The King, played by a "
        f"bot, key {fingerprint(b'r' * 32)}).",
        "  Signed by all: Rule set dark, with its whole deck. Option: two players get energy "
        "instead of points for Tokyo. The wickedness tiles show their red sides. Clocks: 90 s for "
        "a turn, none for a reaction.",
        "  turn 4: A bot plays for Rex until Rex is back, in Ana's program. Rex owed a part of a "
        "roll for which others had shown theirs. The log keeps this as a refused roll; a broken "
        "link looks the same. turn 5: Rex is back and plays again. turn 4: Rex signed two things "
        "of which only one can be true.",
        "  You do not know the keys of Ana and Rex.",
    ]
    _code, out, _err = verify(at("wrong"))
    assert out.splitlines()[0].endswith(
        "WRONG at record 98, in turn 14, by Rex (it is not signed by the player whom it names)"
    )


def test_of_many_logs_each_has_one_line(logs: Path) -> None:
    for n in range(2):
        (logs / f"more-{n}.kotlog").write_bytes(b"unreadable")
    code, out, _err = verify(logs)
    lines = out.splitlines()
    assert code == 6
    assert [line.split(":")[0].rpartition("/")[2] for line in lines[:6]] == [
        "more-0.kotlog", "more-1.kotlog", "sound.kotlog", "unfinished.kotlog",
        "unreadable.kotlog", "wrong.kotlog",
    ]  # fmt: skip
    assert lines[6:] == ["6 logs: 1 sound, 1 unfinished, 3 unreadable, 1 wrong."]


def test_programs_read_one_line_a_log(at: Callable[[str], Path]) -> None:
    code, out, _err = verify("--json", at("sound"), at("wrong"), at("missing"))
    *found, total = map(json.loads, out.splitlines())
    assert code == 6
    assert [(one["line"], one["result"]) for one in found] == [
        ("log", "sound"), ("log", "wrong"), ("log", "unreadable"),
    ]  # fmt: skip
    assert found[0]["winners"] == ["Ana"]
    absent, back = found[0]["changes"]
    assert absent == {
        "height": 97, "turn": 4, "attempt": 2, "name": "Rex", "reason": "absent",
        "kept_by": {"Rex": "Ana"}, "refused": True,
    }  # fmt: skip
    assert (back["reason"], back["kept_by"]) == ("back", {"Rex": "Rex"})
    assert found[0]["not_confirmed_by"] == ["Rex"]
    assert found[0]["program"] == {"name": "kotp2p", "version": "2.0"}
    assert [one["detail"] for one in found[0]["caught"]] == ["two entries for one place"]
    assert found[0]["players"][1] == {
        "name": "Rex", "key": "72" * 32, "monster": "The King", "bot_of": None,
        "played_by_bot": True, "kept_by": "Rex", "acquaintance": "unknown", "known_as": None,
    }  # fmt: skip
    assert found[0]["players"][0]["bot_of"] is None
    assert found[0]["clocks"] == {"turn": 90, "reaction": 0}
    assert found[0]["options"]["two_player"] is True
    assert found[1]["options"] is found[1]["clocks"] is None
    assert found[1]["wrong_at"] == {
        "record": 98, "offset": 4000, "height": 97, "turn": 14, "seat": 1,
    }  # fmt: skip
    assert found[1]["winners"] is None
    assert total == {
        "line": "total", "version": 3, "logs": 3, "sound": 1, "unfinished": 0, "wrong": 1,
        "unreadable": 1, "not_accepted": 0, "missing": [], "exit": 6,
    }  # fmt: skip


def test_without_a_file_the_newest_is_checked(logs: Path, at: Callable[[str], Path]) -> None:
    assert verify("--log-dir", logs).printed().startswith(f"{at('sound')}: {FIRST}")


def test_no_log_at_all(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "missing"):
        assert "no log" in verify("--log-dir", folder).refused(9)


# -- proofs of a cheat --------------------------------------------------------------------


def answer(seat: int, given: Answer, ledger: Ledger | None = None) -> Entry:
    height, head = (0, genesis().id) if ledger is None else (ledger.height, ledger.head)
    return Entry.sign(SIGNERS[seat], 0, height, head, seat, Answering(given))


def file(tmp_path: Path, ledger: Ledger, *bodies: Entry) -> Path:
    path = tmp_path / "evening.kotproof"
    seat, kind = bodies[0].seat, CheatKind.EQUIVOCATION
    shown = Cheat(seat, kind, bodies[0].height, "shown", *(entry.signed for entry in bodies))
    path.write_bytes(make_evidence(ledger, shown))
    return path


def test_two_answers_for_one_place_need_nothing_but_the_genesis(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = file(tmp_path, Ledger(genesis()), answer(1, Pass()), answer(1, Reroll((0,))))
    assert verify_evidence(path) == Exit.DONE
    out = " ".join(capsys.readouterr().out.split())
    assert f"{path.name}: proven" in out
    assert "the set-up: Rex signed two things of which only one can be true." in out


@pytest.mark.parametrize(
    ("dice", "code", "told"),
    [
        ((0, 17), Exit.DONE, "{name} made an illegal move"),
        ((0,), Exit.WRONG, "proves nothing (what it shows is no cheat)"),
    ],
)
def test_only_a_move_against_the_rules_proves_something_with_the_game_up_to_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], dice: tuple[int, ...], code: Exit, told: str
) -> None:
    ledger, seat = at_a_decision()
    path = file(tmp_path, ledger, answer(seat, Reroll(dice), ledger))
    assert verify_evidence(path) == code
    name = genesis().players[seat].name
    assert told.format(name=name) in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("cut", [1, 40, 200])
def test_a_file_that_is_cut_off_proves_nothing(
    tmp_path: Path, cut: int, capsys: pytest.CaptureFixture[str]
) -> None:
    path = file(tmp_path, Ledger(genesis()), answer(1, Pass()), answer(1, Reroll((0,))))
    path.write_bytes(path.read_bytes()[:-cut])
    assert verify_evidence(path) == Exit.WRONG
    assert "proves nothing" in capsys.readouterr().out


@pytest.mark.parametrize("content", [b"", b"kotp2plg", bytes(200)])
def test_what_is_no_evidence_is_unreadable(
    tmp_path: Path, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "something"
    path.write_bytes(content)
    assert verify_evidence(path) == Exit.FILES
    assert verify_evidence(tmp_path / "nothing") == Exit.FILES
    assert capsys.readouterr().out.count("unreadable") == 2
