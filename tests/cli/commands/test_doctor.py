"""`kotp2p doctor`: what is looked at, and that what it prints can be sent to a friend."""

import base64
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kotp2p.cli.extras.doctor.finding import hide_user
from kotp2p.cli.extras.doctor.machine import examine_data
from kotp2p.cli.extras.doctor.network import read_target
from kotp2p.cli.text.how_to_join import BadAddress
from kotp2p.net.invitation import Invitation
from kotp2p.net.machine import machine_world
from kotp2p.store.game_files import start_path
from kotp2p.wire.crypto import Signer, in_letters
from tests.support.command_line import run
from tests.support.disk_worlds import unfinished_files
from tests.tools.fuzz.seeds import START

USER = "anamaria"
KEY = bytes(range(100, 132))
SEED_OF_GAME = bytes(range(40, 72))
TABLE_SECRET = bytes(range(200, 210))
PASSPHRASE = "correct horse battery staple"
LINK = Invitation(("127.0.0.1",), 9, TABLE_SECRET, bytes(10)).as_link()
"""Nothing listens on that port."""


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with every secret that this program keeps, and some that it was given."""
    home = tmp_path / "home" / USER
    data = home / ".local" / "share" / "kotp2p"
    monkeypatch.setenv("HOME", str(home))
    for variable in ("LOGNAME", "USER"):
        monkeypatch.setenv(variable, USER)
    monkeypatch.setenv("KOTP2P_DATA", str(data))
    files = unfinished_files()
    world = files.put_into(data)
    seat = data / files.folder
    (seat / "seed").write_bytes(SEED_OF_GAME)
    (seat / "key").write_bytes(KEY)
    profile = data / "profiles" / "default"
    profile.mkdir(parents=True, exist_ok=True)
    (profile / "key").write_bytes(KEY)
    start = replace(START, places=replace(START.places, secret=TABLE_SECRET))
    path = Path(start_path(world, start.genesis.charter.table, start.signer.key))
    path.parent.mkdir(parents=True)
    path.write_bytes(start.encode())
    (data / "games" / "notes").write_text(PASSPHRASE)
    (home / "config.toml").write_text(f"name = '{PASSPHRASE}'\nspeed = '{LINK}'\n")
    monkeypatch.setenv("KOTP2P_CONFIG", str(home / "config.toml"))
    return data


def spellings(secret: bytes) -> Iterator[str]:
    yield secret.hex()
    yield in_letters(secret)
    yield base64.b64encode(secret).decode().rstrip("=")
    yield base64.b32encode(secret).decode().rstrip("=")
    yield str(list(secret))[1:-1]
    yield secret.decode("latin-1")


@pytest.mark.usefixtures("planted")
def test_what_is_printed_contains_no_secret() -> None:
    code, out, err = run("doctor", "terminal", "data", "--peer", LINK)
    assert code == 3
    said = out + err
    assert "kotp2p" in said
    secrets = (KEY, SEED_OF_GAME, TABLE_SECRET, START.seed, START.signer.secret())
    planted = [text for secret in secrets for text in spellings(secret)]
    planted += [LINK, LINK.rpartition("/")[2], PASSPHRASE, USER]
    assert [text for text in planted if text in said] == []


@pytest.mark.usefixtures("planted")
def test_secrets_that_are_planted_are_what_is_found() -> None:
    """The test above would pass on an empty report."""
    said = " ".join(one.what for one in examine_data())
    for what in ("Your keys and games are in", "settings are not understood", "Other users"):
        assert what in said
    assert "~/.local/share/kotp2p" in run("doctor", "data")[1]


@pytest.mark.usefixtures("planted")
def test_a_link_that_cannot_be_read_is_not_repeated() -> None:
    assert LINK.rpartition("/")[2][:6] not in run("doctor", "--peer", LINK[:-3] + "0zz").refused()


def test_the_name_of_the_user_is_taken_out_of_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ana")
    monkeypatch.setenv("LOGNAME", "ana")
    assert hide_user("in /home/ana/data, /home/anabel and /home/ana.") == (
        "in ~/data, /home/anabel and ~."
    )
    assert hide_user("/mnt/ana/kotp2p") == "/mnt/.../kotp2p"
    assert hide_user("ana plays") == "ana plays"


def test_a_target_is_an_address_or_either_kind_of_invitation() -> None:
    assert read_target("192.168.1.20").address == "192.168.1.20"
    assert read_target("[fe80::1]:4243").address == "[fe80::1]:4243"
    found = read_target(LINK)
    assert (found.address, found.secret) == ("127.0.0.1:9", TABLE_SECRET)
    watch = Invitation(("10.0.0.7",), 4242, TABLE_SECRET, bytes(10), to_watch=True).as_link()
    assert read_target(watch).host == "10.0.0.7"
    with pytest.raises(BadAddress):
        read_target("kotp2p://")


HEADINGS = {"terminal": "Terminal:", "data": "Data:", "network": "Network:"}


@pytest.mark.parametrize("flag", ["terminal", "data"])
def test_each_part_is_looked_at_when_it_is_asked_for(flag: str) -> None:
    lines = run("doctor", flag)[1].splitlines()
    assert [line for line in lines if line in HEADINGS.values()] == [HEADINGS[flag]]


def test_a_key_of_one_byte_too_many_is_still_no_secret(planted: Path) -> None:
    world = machine_world(planted, planted / "logs", "default")
    key = Path(world.data) / "profiles" / "default" / "key"
    key.write_bytes(KEY + b"!")
    _code, out, err = run("doctor", "data")
    assert "key does not hold what it should" in out
    assert KEY.hex() not in out + err
    assert Signer(KEY).key.hex() not in out + err
