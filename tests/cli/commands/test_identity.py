"""`kotp2p identity`: what is shown, what is changed, and what is explained before."""

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import pytest
import trio

from kotp2p.cli.commands.person import Person, choose_seating
from kotp2p.cli.extras import identity
from kotp2p.cli.extras.identity import NotDone, confirm_by_yes
from kotp2p.cli.system.config import load_config
from kotp2p.lobby import known_keys
from kotp2p.lobby.known_keys import KnownKeys, NewKeyPolicy, read_known_keys
from kotp2p.store.machine_disk import MachineDisk
from kotp2p.wire.crypto import Signer, fingerprint
from tests.support import command_line
from tests.support.settings import write_settings

REX, MIA = Signer(b"r" * 32).key, Signer(b"m" * 32).key


@pytest.fixture(autouse=True)
def quick_guesses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_keys, "SCRYPT_COST", 2)
    monkeypatch.setenv("LOGNAME", "bob")


run = partial(command_line.run, "identity")


def profile(data: Path, name: str = "default") -> Path:
    return data / "profiles" / name


def play_once(data: Path, secret: bytes = b"a" * 32) -> None:
    """The files of somebody that has played with Rex and Mia."""
    folder = profile(data)
    folder.mkdir(parents=True, mode=0o700)
    known = KnownKeys()
    known.remember([("Rex", REX), ("Mia", MIA)], "2026-10-02")
    for name, content in (("key", secret), ("known", known.encode())):
        trio.run(MachineDisk().write_secret, folder / name, content)


def people(data: Path) -> list[str]:
    known = read_known_keys(MachineDisk(), profile(data), NewKeyPolicy.ASK)
    return [one.name for one in known.people()]


@pytest.fixture(autouse=True)
def piped(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Puts the first line into the pipe; without it, it is a passphrase that is long enough."""

    def pipe(line: str) -> None:
        monkeypatch.setattr(identity, "read_one_line", lambda _fd: line)

    pipe("correct horse")
    return pipe


# -- one's own -----------------------------------------------------------------------------


def test_who_plays_is_shown(data: Path) -> None:
    out = run("show").printed()
    assert "Name: bob (as you are logged in)" in out
    assert "There is no key yet" in out
    play_once(data)
    out = run().printed()
    assert f"Key: {fingerprint(Signer(b'a' * 32).key)}\n" in out
    assert "You know 2 other players." in out


def test_a_name_holds_where_nothing_else_does(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("rename", "Ana", "Bo")[:2] == (0, "Your name in this profile is Ana Bo now.\n")
    person = Person()
    assert choose_seating(person, load_config()).name == "Ana Bo"
    assert choose_seating(Person(profile="x"), load_config()).name == "bob"
    assert (profile(data) / "name").stat().st_mode & 0o077 == 0
    monkeypatch.setenv("KOTP2P_CONFIG", write_settings(data, name="Eve"))
    assert choose_seating(person, load_config()).name == "Eve"
    out = run("rename", "Ana")[1]
    assert "The settings name you Eve, and that goes first." in out
    assert "(from the settings)" in run("show")[1]


@pytest.mark.parametrize("words", [("You",), ("@",), ("An\u0430",)])
def test_what_is_no_name_is_refused(data: Path, words: tuple[str, ...]) -> None:
    err = run("rename", *words).told(2)
    assert "--name" in err or "letter" in err
    assert not (profile(data) / "name").exists()


def test_a_name_of_somebody_else_is_taken(data: Path) -> None:
    play_once(data)
    assert "You know another player as Rex" in run("rename", "REX").told(2)


def test_a_file_that_holds_no_name_is_named_and_mended(data: Path) -> None:
    play_once(data)
    (profile(data) / "name").write_bytes(b"\xff\n")
    assert "kotp2p identity rename NAME" in run("show").told(2)
    assert run("rename", "Ana")[0] == 0
    assert run("show")[1].startswith("Name: Ana\n")


# -- to another machine ----------------------------------------------------------------------


def test_a_new_machine_has_key_name_friends(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play_once(data)
    run("rename", "Ana")
    file = data / "ana.kotid"
    assert run("export", str(file))[0] == 0
    assert file.stat().st_mode & 0o777 == 0o600
    other = data / "other"
    monkeypatch.setenv("KOTP2P_DATA", str(other))
    assert "plays as Ana now" in run("import", str(file)).printed()
    assert (profile(other) / "key").read_bytes() == b"a" * 32
    assert people(other) == ["Rex", "Mia"]
    assert choose_seating(Person(), load_config()).name == "Ana"
    for path in (profile(other), *profile(other).iterdir()):
        assert path.stat().st_mode & 0o077 == 0, path


def test_a_short_passphrase_and_none_are_refused(data: Path, piped: Callable[[str], None]) -> None:
    play_once(data)
    file = data / "ana.kotid"
    piped("short")
    assert "at least 8 letters" in run("export", str(file)).told(2)
    piped("")
    assert "typed at a terminal, or is the first line of a pipe" in run("export", str(file)).told(2)
    assert not file.exists()


def test_a_profile_without_a_key_has_nothing_to_export(data: Path) -> None:
    assert "no key to export" in run("export", str(data / "a")).told(8)


def exported(data: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """That of another machine, on which somebody else plays now."""
    elsewhere = data / "elsewhere"
    monkeypatch.setenv("KOTP2P_DATA", str(elsewhere))
    play_once(elsewhere)
    run("rename", "Ana")
    file = data / "ana.kotid"
    assert run("export", str(file))[0] == 0
    monkeypatch.setenv("KOTP2P_DATA", str(data))
    return file


def test_another_identity_is_replaced_by_yes(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = exported(data, monkeypatch)
    play_once(data, b"b" * 32)
    words = ("import", str(file))
    out = run(*words).printed(2)
    assert "This profile has another identity: bob. That of the file, Ana," in out
    assert (profile(data) / "key").read_bytes() == b"b" * 32
    assert not (profile(data) / "name").exists()
    monkeypatch.setattr(identity, "is_terminal", lambda: True)
    monkeypatch.setattr(identity, "ask_line", lambda _sentence: "y")
    assert run(*words)[0] == 0
    assert (profile(data) / "key").read_bytes() == b"a" * 32
    assert run(*words)[0] == 0  # it is there already


def test_a_machine_keeps_what_it_knows_and_does_not_know_its_own_key(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = exported(data, monkeypatch)
    known = KnownKeys()
    known.remember([("Rex", MIA), ("Ana", Signer(b"a" * 32).key)], "2026-09-30")
    trio.run(MachineDisk().write_secret, profile(data) / "known", known.encode())
    assert run("import", str(file))[0] == 0
    now = read_known_keys(MachineDisk(), profile(data), NewKeyPolicy.ASK)
    assert [(one.name, one.key) for one in now.people()] == [("Rex", MIA)]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: b"dear Mia", "is no exported identity"),
        (lambda data: data[:30], "is no exported identity"),
        (lambda data: data[:8] + b"\0\0\0\7" + data[12:], "was written by a newer kotp2p"),
        (lambda data: data[:-1] + bytes((data[-1] ^ 1,)), "or the file was changed"),
    ],
)
def test_what_cannot_be_imported_says_why(
    change: object, said: str, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = exported(data, monkeypatch)
    assert callable(change)
    file.write_bytes(change(file.read_bytes()))
    assert said in run("import", str(file)).told(9)
    assert not (profile(data) / "key").exists()


def test_a_wrong_passphrase_changes_nothing(
    data: Path, monkeypatch: pytest.MonkeyPatch, piped: Callable[[str], None]
) -> None:
    file = exported(data, monkeypatch)
    piped("correct house")
    assert "That is not the passphrase of" in run("import", str(file)).told(9)
    assert not (profile(data) / "key").exists()
    assert "cannot be read" in run("import", str(data / "nothing")).told(9)


# -- others --------------------------------------------------------------------------------


def test_known_players_are_listed_with_their_keys(data: Path) -> None:
    play_once(data)
    code, out, _err = run()
    rows = [line for line in out.splitlines() if line.startswith("  ")]
    assert code == 0
    assert [row.split()[0] for row in rows] == ["Mia", "Rex"]
    keys = [fingerprint(MIA), fingerprint(REX)]
    assert [row.split()[1:] for row in rows] == [[key, "2026-10-02"] for key in keys]


@pytest.mark.parametrize("words", [("new",), ("export",), ("rename",), ("show", "x")])
def test_other_words_are_answered_by_those_that_there_are(words: tuple[str, ...]) -> None:
    err = run(*words).refused()
    assert "show, export FILE, import FILE or rename NAME" in " ".join(err.split())


@pytest.mark.parametrize(
    ("answer", "goes_on"), [("y", True), ("yes", True), ("", False), ("no", False)]
)
def test_only_yes_goes_on(answer: str, goes_on: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identity, "is_terminal", lambda: True)
    monkeypatch.setattr(identity, "ask_line", lambda _sentence: answer)
    with nullcontext() if goes_on else pytest.raises(NotDone, match="Nothing was changed"):
        confirm_by_yes()
