"""Games that were broken off are named where somebody may look for them."""

import json
from pathlib import Path

import trio
import trio.testing

from kotp2p.game.verify import Result, verify_log
from kotp2p.net.machine import machine_world
from kotp2p.store.game_files import start_path
from kotp2p.wire.records import HEAD_BYTES
from tests.support.command_line import run
from tests.support.memory_tables import TestTable
from tests.support.whole_games import Slow
from tests.tools.fuzz.seeds import START


def test_without_one_nothing_is_said(data: Path) -> None:
    assert "unfinished" not in run()[1]
    assert "no unfinished game" in run("resume", "--list").refused(8)


def broken_off(data: Path) -> str:
    """A game of two, one of them a bot, that a closed window has broken off; its phrase."""
    table = TestTable(players=2, bots=1, fronts={0: Slow("Ana")})
    trio.run(table.run, table.keep_seat, clock=trio.testing.MockClock(autojump_threshold=0))
    disk = table.world_of(0).disk
    for path, content in disk.files.items():  # type: ignore[attr-defined]
        real = data / path.relative_to("data")
        real.parent.mkdir(parents=True, exist_ok=True)
        real.write_bytes(content)
    return table.report(0).phrase


def test_one_is_named_by_the_bare_command_and_by_the_list(data: Path) -> None:
    phrase = broken_off(data)
    first = " ".join(phrase.split()[:2])
    line = f"An unfinished game: {phrase}. Go on with it: kotp2p resume {first}"
    assert run()[1].splitlines()[-1] == line
    (listed,) = run("resume", "--list").printed().splitlines()
    assert listed.startswith(f"{phrase}: turn ")
    assert listed.endswith(f"Go on: kotp2p resume {first}")
    (row,) = json.loads(run("resume", "--list", "--json")[1])
    assert row["phrase"] == phrase
    assert row["players"][0] == "Ana"


def test_it_is_no_longer_named_once_it_is_over(data: Path) -> None:
    phrase = broken_off(data)
    code, _out, err = run("resume", *phrase.split()[:2], "--bot", "normal")
    assert code == 0, err
    assert "unfinished" not in run()[1]
    assert run("resume", "--list")[0] == 8
    logs = list(data.glob("games/*/*/log"))
    assert Result.SOUND in {verify_log(log.read_bytes()).result for log in logs}


def test_one_that_broke_off_as_it_began_is_not_hidden(data: Path) -> None:
    phrase = broken_off(data)
    own = next(path.parent for path in data.glob("games/*/*/log") if not _is_bot(path))
    whole = (own / "log").read_bytes()
    for left in (b"", whole[:HEAD_BYTES], whole[: HEAD_BYTES + 100], None):
        (own / "log").write_bytes(left or b"")
        if left is None:
            (own / "log").unlink()
        err = run("resume", "--list").refused(8)
        assert f"{own}: it was broken off before its log said anything" in err
        assert err.count("cannot be resumed") == 1
    (own / "log").write_bytes(whole)
    assert run("resume", "--list")[1].startswith(phrase)


def _is_bot(log: Path) -> bool:
    """Its key lies beside its log."""
    return log.with_name("key").exists()


def test_a_start_that_may_have_become_a_game_is_named_by_the_list(data: Path) -> None:
    world = machine_world(data, data / "logs", "default")
    path = Path(start_path(world, START.genesis.charter.table, START.signer.key))
    path.parent.mkdir(parents=True)
    path.write_bytes(START.encode())
    code, out, err = run("resume", "--list")
    assert (code, out) == (0, "")
    first = " ".join(START.genesis.phrase.split()[:2])
    assert START.genesis.phrase in err
    assert err.rstrip().endswith(f"kotp2p resume {first}")
