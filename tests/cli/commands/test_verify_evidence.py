"""`kotp2p verify` of a file of evidence: who has cheated, shown from one file alone."""

from pathlib import Path

import pytest

from kotp2p.cli.commands.verify import verify_evidence
from kotp2p.cli.system.output import Exit
from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Cheat
from kotp2p.game.verify import make_evidence
from kotp2p.referee.model.answers import Answer, Pass, Reroll
from kotp2p.wire.entries import Answering, Entry
from kotp2p.wire.lineups import CheatKind
from tests.support.five_players import SIGNERS, at_a_decision, genesis


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
    out = capsys.readouterr().out
    assert f"{path.name}: proven" in " ".join(out.split())
    assert "the set-up: Rex signed two things of which only one can be true." in " ".join(
        out.split()
    )


def test_a_move_against_the_rules_is_shown_with_the_game_up_to_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger, seat = at_a_decision()
    path = file(tmp_path, ledger, answer(seat, Reroll((0, 17)), ledger))
    assert verify_evidence(path) == Exit.DONE
    name = genesis().players[seat].name
    assert f"{name} made an illegal move" in " ".join(capsys.readouterr().out.split())


def test_a_move_that_is_right_proves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger, seat = at_a_decision()
    path = file(tmp_path, ledger, answer(seat, Reroll((0,)), ledger))
    assert verify_evidence(path) == Exit.WRONG
    assert "proves nothing (what it shows is no cheat)" in " ".join(capsys.readouterr().out.split())


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
