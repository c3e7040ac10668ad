"""Closed tables between processes, known keys without a terminal, and strangers at the port."""

import re
from pathlib import Path

from kotp2p.net.invitation import Invitation
from kotp2p.wire.crypto import key_fingerprint
from tests.support.processes import QUICK, finished, guest, host, join, port_of
from tests.support.program import Program


def closed(home: Path, players: int, *words: str, bot: str = "normal") -> tuple[Program, str]:
    keeper = host(home, players, "--bind", "127.0.0.1", "--invite-only", *words, bot=bot)
    return keeper, keeper.wait_for(r"kotp2p join (kotp2p://\S+)").group(1)


def invited(home: Path, link: str, bot: str = "normal") -> Program:
    return Program(home, "join", link, "--bot", bot)


def test_the_link_lets_in_and_nothing_else_does(tmp_path: Path) -> None:
    keeper, link = closed(tmp_path / "ana", 3, bot=QUICK)
    shown = [line for line in keeper.out if "kotp2p join" in line]
    assert shown == [f"kotp2p join {link}"]

    code, words = join(tmp_path, "127.0.0.1", port_of(link))
    assert code == 4
    assert "is for invited players" in words
    assert "kotp2p join LINK" in words

    old, old_link = closed(tmp_path / "old", 2)
    old.kill()
    stale = re.sub(r":\d+/", f":{port_of(link)}/", old_link)
    late = invited(tmp_path / "late", stale)
    assert late.wait() == 4
    assert any("newest link" in line for line in late.err)

    guests = [invited(tmp_path / name, link, QUICK) for name in ("rex", "mia")]
    reports = finished([keeper, *guests])
    assert {p.name for p in reports[0].players} == {"ana", "rex", "mia"}


def test_a_closed_table_goes_on_from_its_files(tmp_path: Path) -> None:
    keeper, link = closed(tmp_path / "ana", 2)
    other = invited(tmp_path / "rex", link)
    assert other.says_more(40, until="Winner")
    for program in (keeper, other):
        program.kill()
    again = [Program(tmp_path / name, "resume", "--bot", "normal") for name in ("ana", "rex")]
    assert [program.wait() for program in again] == [0, 0]


def test_another_host_behind_the_same_secret_is_noticed(tmp_path: Path) -> None:
    """Whoever has the link could open a table of his own with its secret."""
    keeper, link = closed(tmp_path / "ana", 2)
    invitation = Invitation.parse(link)
    forged = Invitation(
        invitation.places, invitation.port, invitation.secret, key_fingerprint(b"\7" * 32)
    ).as_link()
    misled = invited(tmp_path / "rex", forged)
    assert misled.wait() == 4
    assert any("other than the host of this table answers" in line for line in misled.err)
    keeper.kill()


# -- known keys ----------------------------------------------------------------------------


def play(tmp_path: Path, *words: str, home: str = "rex") -> tuple[int, Program]:
    keeper = host(tmp_path / "ana", 2, "--bind", "127.0.0.1", bot=QUICK)
    other = guest(tmp_path / home, "127.0.0.1", keeper.port(), "--name", "Rex", *words, bot=QUICK)
    code = other.wait()
    if code:
        keeper.kill()
    keeper.wait()
    return code, other


def test_a_changed_key_is_refused_without_a_terminal(tmp_path: Path) -> None:
    assert play(tmp_path)[0] == 0
    assert play(tmp_path)[0] == 0  # the same again

    code, other = play(tmp_path, home="impostor")  # Rex, on a machine that Ana does not know
    assert code == 4
    assert any("removed you from this table" in line for line in other.err)

    keeper = host(tmp_path / "ana", 2, "--bind", "127.0.0.1", "--accept-new-keys", bot=QUICK)
    newer = guest(tmp_path / "impostor", "127.0.0.1", keeper.port(), "--name", "Rex", bot=QUICK)
    assert (keeper.wait(), newer.wait()) == (0, 0)
