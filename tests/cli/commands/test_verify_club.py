"""`kotp2p verify` for a club: logs in folders, their copies, and whose keys the reader knows."""

import json
import os
import sys
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import pytest

from kotp2p.lobby.known_keys import KnownKeys
from kotp2p.wire.crypto import fingerprint
from kotp2p.wire.records import LOG_MAGIC
from tests.support.command_line import run
from tests.support.five_players import SIGNERS, genesis
from tests.support.json_schema import faults
from tests.support.log_bytes import offsets
from tests.support.paths import LOGS, ROOT, VECTORS
from tests.support.recorded import golden_log
from tests.support.signed_games import parted_logs

SCHEMA: dict[str, Any] = json.loads((ROOT / "docs" / "verify.schema.json").read_text("utf-8"))
P = ParamSpec("P")
T = TypeVar("T")
STRANGERS = "sound. You know 0 of 5 keys: this log could have been made by one person."


def verify(*words: str | Path) -> tuple[int, list[str], str]:
    code, out, err = run("verify", *map(str, words))
    return code, out.splitlines(), err


def lines_of(*words: str | Path) -> list[dict[str, Any]]:
    """With --json; each line is as the schema says."""
    _code, out, _err = verify("--json", *words)
    found = [json.loads(line) for line in out]
    for line in found:
        assert faults(line, SCHEMA, SCHEMA) == []
    return found


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """Two games, one in two copies, one cut, and other things."""
    folder = tmp_path / "club"
    (folder / "older").mkdir(parents=True)
    (folder / "a.kotlog").write_bytes(golden_log("absent"))
    (folder / "older" / "b.kotlog").write_bytes(golden_log("absent"))
    (folder / "older" / "c.kotlog").write_bytes(golden_log("second"))
    data = golden_log("absent")
    (folder / "older" / "d.kotlog").write_bytes(data[: offsets(data)[100]])
    (folder / "photo.jpg").write_bytes(b"\xff\xd8")
    return folder


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "game.kotlog"
    path.write_bytes(golden_log("absent"))
    return path


# -- which logs ---------------------------------------------------------------------------------


def test_a_folder_stands_for_all_logs_below_it(club: Path) -> None:
    code, out, _err = verify(club)
    assert code == 7
    assert out[0] == f"{club}/a.kotlog: {STRANGERS}"
    assert out[-1] == "4 logs: 3 sound, 1 unfinished, 0 unreadable, 0 wrong."
    assert not any("photo" in line for line in out)


def test_a_pattern_that_no_shell_has_expanded_is_expanded(club: Path) -> None:
    assert [one["file"] for one in lines_of(f"{club}/older/[bc].*")[:2]] == [
        f"{club}/older/b.kotlog", f"{club}/older/c.kotlog",
    ]  # fmt: skip
    assert lines_of(f"{club}/**/*.kotlog")[-1]["logs"] == 4
    code, out, err = verify(f"{club}/*.nothing")
    assert (code, out) == (9, [])
    assert err.endswith("*.nothing.\n")


def test_a_pattern_may_fit_folders(club: Path) -> None:
    assert lines_of(f"{club.parent}/cl*")[-1]["logs"] == 4


def test_a_wrong_log_does_not_say_that_nobody_has_cheated() -> None:
    logs = VECTORS / "logs"
    assert "cheating" not in run("verify", str(logs / "wrong-illegal.kotlog"))[1]
    out = run("verify", str(logs / "convicted.kotlog"))[1]
    assert "turn 1: Otto signed two things of which only one can be true." in out
    left = run("verify", str(logs / "left-with-bots.kotlog"))[1]
    assert "turn 2: Ana has given up. Rex's program now plays for Kim." in left


def test_fast_says_that_not_every_signature_was_checked(club: Path) -> None:
    log, note = club / "a.kotlog", "Of each player only the last signature was checked."
    code, out, _err = verify(log)
    assert note not in out[0]
    assert verify("--fast", log) == (code, [f"{out[0]} {note}", *out[1:]], "")
    assert [one["signatures"] for one in lines_of("--fast", log)[:1]] == ["last"]
    assert [one["signatures"] for one in lines_of(log)[:1]] == ["all"]


def test_fast_has_the_verdict_on_a_wrong_log_that_all_signatures_have() -> None:
    wrong = str(VECTORS / "logs" / "wrong-illegal.kotlog")
    assert run("verify", "--fast", wrong) == run("verify", wrong)


def test_a_log_that_is_named_twice_is_checked_once(club: Path) -> None:
    assert lines_of(club / "a.kotlog", club / "a.kotlog", club)[-1]["logs"] == 4


def test_a_folder_of_other_things_has_no_log(tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    (folder / "photo.jpg").write_bytes(b"\xff\xd8")
    code, out, err = verify(folder)
    assert (code, out) == (9, [])
    assert err == f"There is no log in {folder}.\n"


@pytest.mark.skipif(sys.platform == "win32", reason="a system without such files")
def test_a_folder_with_a_pipe_a_loop_and_junk_is_checked_to_its_end(club: Path) -> None:
    os.mkfifo(club / "pipe.kotlog")
    (club / "loop.kotlog").symlink_to(club / "loop.kotlog")
    (club / "again").symlink_to(club)
    (club / "empty.kotlog").write_bytes(b"")
    (club / "junk.kotlog").write_bytes(LOG_MAGIC + os.urandom(60_000))
    (club / "proof.kotlog").write_bytes((VECTORS / "logs" / "illegal.kotproof").read_bytes())
    (club / "old.kotlog").write_bytes((LOGS / "protocol-4-rules-1-head.kotlog").read_bytes())
    found = {Path(line.get("file", "")).name: line for line in lines_of(club)}
    names = ("pipe", "loop", "empty", "junk", "proof", "old")
    assert {found[f"{name}.kotlog"]["result"] for name in names} == {"unreadable"}
    assert found["a.kotlog"]["result"] == "sound"
    assert "another version" in found["old.kotlog"]["reason"]


def test_a_proof_among_logs_is_told_apart_with_how_to_check_it(log: Path) -> None:
    path = VECTORS / "logs" / "illegal.kotproof"
    code, out, _err = verify(path, log)
    assert code == 9
    assert out[0] == f"{path}: unreadable (it is evidence of a cheat, not a log)"
    assert out[1].endswith(f"verify {path}")


def test_a_proof_alone_is_checked_as_such() -> None:
    path = VECTORS / "logs" / "illegal.kotproof"
    code, out, _err = verify(path)
    assert (code, out[0]) == (0, f"{path}: proven")


# -- copies -------------------------------------------------------------------------------------


def test_copies_of_one_game_are_named_with_what_they_tell(club: Path) -> None:
    _code, out, _err = verify(club)
    assert out[-3].startswith("2 copies of helpful shiny coin advice, with the same game: ")
    assert out[-3].endswith(f"game: {club}/a.kotlog and {club}/older/b.kotlog.")
    assert out[-2].startswith(f"{club}/older/d.kotlog is a copy of {club}/a.kotlog that ends ")
    *_logs, same, earlier, _total = lines_of(club)
    assert same["files"] == [f"{club}/a.kotlog", f"{club}/older/b.kotlog"]
    assert (same["relation"], earlier["relation"]) == ("same", "earlier")
    assert earlier["files"] == [f"{club}/a.kotlog", f"{club}/older/d.kotlog"]


def test_two_copies_that_part_name_the_player_who_has_signed_both(tmp_path: Path) -> None:
    one, other, _before = parted_logs()
    (tmp_path / "one.kotlog").write_bytes(one)
    (tmp_path / "other.kotlog").write_bytes(other)
    code, out, _err = verify(tmp_path)
    assert code == 6
    assert out[-2].startswith(
        f"{tmp_path}/one.kotlog and {tmp_path}/other.kotlog are copies of one game that part in "
    )
    (parted,) = [line for line in lines_of(tmp_path) if line["line"] == "copies"]
    assert parted["relation"] == "parted"
    (name,) = parted["signed_both"]
    assert out[-2].endswith(f"Signed both, which is cheating: {name}.")


# -- keys ---------------------------------------------------------------------------------------


def test_without_a_known_key_a_log_could_be_of_one_person(log: Path) -> None:
    code, out, _err = verify(log)
    assert (code, out[0]) == (0, f"{log}: {STRANGERS}")
    assert len(out) == 6


def players_of(log: Path) -> dict[str, str]:
    return {one["name"]: one["key"] for one in lines_of(log)[0]["players"]}


def test_a_key_can_be_expected_as_hexadecimal_or_as_it_is_shown(log: Path) -> None:
    key = players_of(log)["Ana"]
    for word in (key, key.upper(), fingerprint(bytes.fromhex(key))):
        code, out, _err = verify(log, "--expect", f"Ana={word}")
        assert (code, out[0]) == (0, f"{log}: sound. You know 1 of 5 keys.")
        assert out[-1].startswith("  You know the key of Ana. You do not know the keys of Guest 1")
    all_keys = [word for n, k in players_of(log).items() for word in ("--expect", f"{n}={k}")]
    assert verify(log, *all_keys)[0] == 0


def test_another_key_than_the_expected_one_is_not_accepted(log: Path, club: Path) -> None:
    code, out, _err = verify(log, "--expect", f"Ana={'0' * 64}")
    assert code == 6
    assert out[1] == "  Not accepted: Ana plays with another key than the expected one."
    assert lines_of(club, "--expect", f"Ana={'0' * 64}")[-1]["not_accepted"] == 4


def test_an_expected_player_is_to_be_in_one_of_the_logs(log: Path, club: Path) -> None:
    code, out, _err = verify(log, "--expect", f"Zoe={'0' * 64}")
    assert (code, out[1]) == (6, "  Not accepted: Zoe is expected, and is not at this table.")
    code, out, _err = verify(club, "--expect", f"Zoe={'0' * 64}")
    assert (code, out[-2]) == (6, "Expected, and in none of these logs with that key: Zoe.")
    guest = players_of(log)["Guest 4"]  # the other game has four seats
    assert verify(club, "--expect", f"Guest 4={guest}")[0] == 7


def test_keys_of_a_profile_and_of_those_it_has_met_are_known(data: Path, tmp_path: Path) -> None:
    log = tmp_path / "five.kotlog"
    log.write_bytes(parted_logs()[2])
    folder = data / "profiles" / "club"
    folder.mkdir(parents=True)
    (folder / "key").write_bytes(SIGNERS[0].secret())
    met = KnownKeys()
    names = [player.name for player in genesis().players]
    met.remember([("Roxy", SIGNERS[1].key), (names[2], SIGNERS[4].key)])
    (folder / "known").write_bytes(met.encode())
    code, out, _err = verify(log, "--profile", "club")
    assert code == 7
    assert out[0].endswith("You know 3 of 5 keys.")
    assert out[-1].startswith("  You know the keys of Ana (your own), Rex (whom you know as Roxy)")
    assert "Otto has another key than the player whom you know by that name." in out[-1]
    assert [one["acquaintance"] for one in lines_of(log, "--profile", "club")[0]["players"]] == [
        "own", "met", "other-key", "unknown", "met",
    ]  # fmt: skip


@pytest.mark.parametrize("word", ["Ana", "Ana=", "=abcd", "Ana=xyz", f"Ana={'0' * 63}"])
def test_an_expectation_without_a_key_is_refused(log: Path, word: str) -> None:
    code, out, err = verify(log, "--expect", word)
    assert (code, out) == (2, [])
    assert "is not NAME=KEY" in err


def test_a_broken_file_of_known_keys_is_told(log: Path, data: Path) -> None:
    folder = data / "profiles" / "default"
    folder.mkdir(parents=True)
    (folder / "known").write_bytes(b"junk")
    code, out, err = verify(log)
    assert (code, out) == (9, [])
    assert err.startswith(f"{folder / 'known'} does not hold what it should: it is damaged.\n")
    assert "move it away, and the list begins anew" in " ".join(err.split())
