"""Files that somebody else has made, or broken. Of logs, tests/kotp2p/game/test_verify.py and
test_unfinished.py have cuts, flipped bits and moved records; here is what is left."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path, PurePath
from zlib import crc32

import pytest
import trio

from kotp2p.cli.commands import one_game
from kotp2p.cli.commands.one_game import list_games
from kotp2p.cli.system import config
from kotp2p.cli.system.output import Exit, Output
from kotp2p.cli.text.how_to_join import BadAddress, parse_address
from kotp2p.cli.text.i18n import clean_line
from kotp2p.game.steps import Gather
from kotp2p.game.verify import Result, verify_log
from kotp2p.lineup.absence import Absence
from kotp2p.lineup.plan import find_line_up
from kotp2p.lobby.known_keys import KnownKeys
from kotp2p.mesh import gossip
from kotp2p.net.invitation import BadLink, Invitation
from kotp2p.peer.bodies import Secrets
from kotp2p.referee.model.answers import Seat
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import ProgramFault, Said
from kotp2p.seams.world import FileTrouble, World
from kotp2p.shell.resume import resume
from kotp2p.store.game_files import UnfinishedGame, glance, list_unfinished
from kotp2p.store.log_work import LogPart, check_log
from kotp2p.store.machine_disk import MachineDisk
from kotp2p.store.saved_game import CannotResume, SavedPlaces, is_lost_seed, load_game
from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import BadBytes, Value, pack, unpack
from kotp2p.wire.entries import BodyKind, EntryType, Opening, Signed
from kotp2p.wire.lineups import Change, Reason
from kotp2p.wire.records import (
    EVIDENCE_MAGIC,
    HEAD_BYTES,
    MAX_LOG_BYTES,
    SALT_BYTES,
    pack_head,
    pack_record,
    read_head,
)
from tests.support.five_players import SIGNERS, genesis
from tests.support.forged_bodies import sign_anything
from tests.support.log_bytes import boundaries, cut_to, offsets, short_log
from tests.support.memory_tables import Recorder
from tests.support.memory_world import MemoryDisk
from tests.support.wired_peers import WiredPeers
from tests.tools.fuzz.seeds import records

# -- what is no file --------------------------------------------------------------------------


def pipe(folder: Path) -> Path:
    os.mkfifo(folder / "pipe")
    return folder / "pipe"


def desert(folder: Path) -> Path:
    """1 GiB of nothing, that takes no room on the disk."""
    with (folder / "desert").open("wb") as file:
        file.truncate(2**30)
    return folder / "desert"


def loop(folder: Path) -> Path:
    (folder / "loop").symlink_to(folder / "loop")
    return folder / "loop"


def zeros(folder: Path) -> Path:
    return Path("/dev/zero")


def directory(folder: Path) -> Path:
    return folder


STRANGE = (pipe, desert, loop, zeros, directory)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a system without such files")
@pytest.mark.parametrize("make", STRANGE)
def test_offers_as_a_log_what_has_no_end_or_is_no_file(
    make: Callable[[Path], Path], tmp_path: Path
) -> None:
    path = make(tmp_path)
    started = time.monotonic()
    report = check_log(LogPart(path))
    assert report.result is Result.UNREADABLE
    assert report.reason
    with pytest.raises(FileTrouble, match=path.name):
        MachineDisk().read(path)
    assert time.monotonic() - started < 10  # it does not wait for anybody


def test_fills_a_log_up_to_the_last_byte_that_is_read(tmp_path: Path) -> None:
    path = tmp_path / "long.kotlog"
    path.write_bytes(short_log())
    os.truncate(path, MAX_LOG_BYTES)
    assert check_log(LogPart(path)).torn
    os.truncate(path, MAX_LOG_BYTES + 1)
    assert check_log(LogPart(path)).result is Result.UNREADABLE


# -- what is no log ---------------------------------------------------------------------------


def with_versions(*numbers: int) -> bytes:
    fields = b"kotp2plg" + b"".join(n.to_bytes(4, "big") for n in numbers) + bytes(SALT_BYTES)
    return fields + crc32(fields).to_bytes(4, "big")


def test_each_kind_of_wrong_head_has_a_reason_of_its_own() -> None:
    strange = {
        "empty": b"",
        "three bytes": b"kot",
        "evidence": EVIDENCE_MAGIC,
        "damaged": short_log()[: HEAD_BYTES - 1] + b"\xff",
        "newer": with_versions(1, 99, 1),
    }
    reports = {name: verify_log(data) for name, data in strange.items()}
    assert {r.result for r in reports.values()} == {Result.UNREADABLE}
    assert "99" in reports["newer"].reason
    assert "damaged" in reports["damaged"].reason
    assert reports["empty"].reason == reports["three bytes"].reason == "not a kotp2p log"
    assert reports["evidence"].reason == "the proof of a cheat, not a log"


@pytest.mark.parametrize("size", [0, 65_537, 2**31, 2**32 - 1])
def test_writes_a_length_that_no_record_has_with_a_right_checksum(size: int) -> None:
    """A length beyond the end is a torn tail, as a crash might leave it (zeros behind a length
    are one too, so here are none); never read, never kept."""
    log = short_log()
    salt, at = read_head(log)[1], offsets(log)[2]
    length = size.to_bytes(4, "big")
    crc = crc32(salt + (2).to_bytes(4, "big") + length).to_bytes(4, "big")
    report = verify_log(log[:at] + length + crc + b"\1" * 100_000)
    if size in (0, 65_537):
        assert report.result is Result.WRONG
        assert report.wrong_at is not None
        assert (report.wrong_at.record, report.wrong_at.offset) == (2, at)
    else:
        assert report.result is Result.UNFINISHED
        assert report.torn


def resealed(change: Callable[[list[Signed]], None]) -> bytes:
    log = short_log()
    whole = [signed for signed, _ in records(log)]
    change(whole)
    salt = read_head(log)[1]
    return pack_head(salt) + b"".join(
        pack_record(salt, i, signed) for i, signed in enumerate(whole)
    )


def test_signs_the_entry_of_another_seat_with_its_own_key() -> None:
    mallory = Signer(b"\x66" * 32)

    def change(whole: list[Signed]) -> None:
        value = unpack(whole[2].body)
        whole[2] = sign_anything(mallory, BodyKind.PLAY, value)

    report = verify_log(resealed(change))
    assert report.result is Result.WRONG
    assert report.wrong_at is not None
    assert report.wrong_at.record == 2
    assert "signature" in report.reason


def last_line_up(whole: list[Signed]) -> int:
    return max(n for n, signed in enumerate(whole) if signed.kind is BodyKind.LINE_UP)


def test_assents_to_the_line_up_of_another_game() -> None:
    def change(whole: list[Signed]) -> None:
        at = last_line_up(whole)
        body = pack((bytes(32), *unpack(whole[at].body)[1:]))  # type: ignore[index]
        whole[at] = Signed(BodyKind.LINE_UP, body, whole[at].signature)

    assert verify_log(resealed(change)).result is Result.WRONG


@pytest.mark.parametrize("seat", [2, 5, 255])
def test_assents_as_a_seat_that_the_table_does_not_have(seat: int) -> None:
    def change(whole: list[Signed]) -> None:
        at = last_line_up(whole)
        seals = bytes((seat,)) + bytes(64)
        whole[at] = Signed(BodyKind.LINE_UP, whole[at].body, whole[at].signature + seals)

    assert verify_log(resealed(change)).result is Result.WRONG


@pytest.mark.parametrize("seat", [2, 5, 255])
def test_confirms_the_end_as_a_seat_that_the_table_does_not_have(seat: int) -> None:
    def change(whole: list[Signed]) -> None:
        attempt, height, prev, _seat, *load = unpack(whole[-1].body)  # type: ignore[misc]
        assert load[0] == EntryType.END
        body = pack((attempt, height, prev, seat, *load))
        whole.append(Signed(BodyKind.PLAY, body, whole[-1].signature))

    assert verify_log(resealed(change)).result is Result.WRONG


# -- the folder of a game ---------------------------------------------------------------------


def broken_off() -> tuple[World, PurePath, Signer]:
    return cut_to(list(boundaries())[5])


def with_file(name: str, data: bytes) -> tuple[World, PurePath, Signer]:
    """The game, with one of its files as somebody else has left it."""
    world, folder, signer = broken_off()
    disk = world.disk
    assert isinstance(disk, MemoryDisk)
    return replace(world, disk=MemoryDisk({**disk.files, folder / name: data})), folder, signer


def test_the_game_that_all_of_these_break_can_be_resumed() -> None:
    world, folder, signer = broken_off()
    assert load_game(world, folder, signer) is not None
    assert glance(world, folder) is not None


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33), b"\x07" * 4096])
def test_leaves_a_seed_that_is_none(seed: bytes) -> None:
    world, folder, signer = with_file("seed", seed)
    with pytest.raises(CannotResume, match="seed"):
        load_game(world, folder, signer)


def test_leaves_another_seed() -> None:
    """Played on with it as if nothing were, this seat would open what it has not committed to: a
    cheat."""
    world, folder, signer = with_file("seed", bytes(32))
    other, own = load_game(world, folder, signer), load_game(*broken_off())
    for saved, is_lost in ((other, True), (own, False)):
        assert saved is not None
        assert is_lost_seed(saved.ledger, saved.seat, saved.seed) is is_lost


@pytest.mark.parametrize("key", [b"", bytes(31), bytes(33), b"-----BEGIN"])
def test_leaves_a_key_that_is_none(key: bytes) -> None:
    world, folder, signer = with_file("key", key)
    with pytest.raises(CannotResume, match="key"):
        load_game(world, folder, signer)


def test_leaves_the_key_of_somebody_that_does_not_sit_there() -> None:
    """A bot with it would be missed for ever, so it is said."""
    world, folder, signer = with_file("key", b"\x09" * 32)
    with pytest.raises(CannotResume, match="key"):
        load_game(world, folder, signer)


def places_with(field: int, value: Value) -> bytes:
    world, folder, _ = broken_off()
    data = world.disk.read(folder / "places")
    assert data is not None
    fields = list(unpack(data))  # type: ignore[arg-type]
    fields[field] = value
    return pack(tuple(fields))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (0, "a\x1b[2J"),
        (1, 65_536),
        (3, ()),
        (3, (("", 1),) * 6),
        (5, ((b"", b""),)),
        (5, ((b"\x94" + b"\xc4\x20" + bytes(32) + b"\x00\x01\x90", bytes(64)),)),
        (6, ((6, ""),)),
        (6, ((0, "x" * 256),)),
    ],
)
def test_leaves_places_that_no_program_has_written(field: int, value: Value) -> None:
    """Nothing of them is used, and they keep nobody from the game."""
    world, folder, signer = with_file("places", places_with(field, value))
    saved, found = load_game(world, folder, signer), glance(world, folder)
    assert saved is not None
    assert found is not None
    assert saved.places == found.places == SavedPlaces.unknown(saved.genesis)
    assert [type(found) for found in list_unfinished(world, signer.key)] == [UnfinishedGame]


@pytest.mark.parametrize("data", [b"", b"\x00", b"\xff" * 100_000])
def test_leaves_anything_for_a_log(data: bytes) -> None:
    world, folder, signer = with_file("log", data)
    with pytest.raises(CannotResume):
        load_game(world, folder, signer)
    with pytest.raises(CannotResume):
        glance(world, folder)


# -- the profile ------------------------------------------------------------------------------


def test_leaves_a_key_for_the_profile_that_is_none() -> None:
    """It is said and left alone; no new one is made in its place."""
    world, _, _ = broken_off()
    disk = world.disk
    assert isinstance(disk, MemoryDisk)
    key = world.data / "profiles" / world.profile / "key"
    disk.files[key] = b"short"

    async def go_on() -> EndKind:
        ending = await resume(world, None, None, Recorder("me"))
        assert str(key) in ending.detail
        return ending.kind

    assert trio.run(go_on) is EndKind.FILES
    assert disk.files[key] == b"short"


def test_lists_the_games_of_a_profile_whose_key_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KOTP2P_DATA", str(tmp_path))
    key = tmp_path / "profiles" / "default" / "key"
    key.parent.mkdir(parents=True)
    key.write_bytes(b"short")
    assert list_games("default", as_json=False) == Exit.FILES
    assert str(key) in capsys.readouterr().err


# -- invitations and known keys ---------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "kotp2p://" + "a" * 10**6,
        "kotp2p://" + "a," * 10**6 + "/0",
        "kotp2p://h/" + "0" * 10**6,
        "kotp2p://h:" + "9" * 10**6 + "/00",
        "kotp2p://[" + ":" * 10**5 + "]/00",
        "kotp2p://h/\n00",
        "kotp2p://h /00",
        "kotp2p://\x1b[2J/00",
    ],
    ids=range(8),
)
def test_hands_over_an_invitation_without_end(text: str) -> None:
    started = time.monotonic()
    with pytest.raises(BadLink) as found:
        Invitation.parse(text)
    assert len(str(found.value)) < 100  # and says none of it again
    assert time.monotonic() - started < 5


@pytest.mark.parametrize("data", [b"", b"\x91\x90", b"\x91\x92\xa1a\xc4\x00", b"\xff" * 70_000])
def test_leaves_known_keys_that_no_program_has_written(data: bytes) -> None:
    with pytest.raises(BadBytes):
        KnownKeys().decode(data)


# -- the settings -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"a = " + b"[" * 20_000,
        b"name = " + b"9" * 5_000,
        b"name = 1979-05-27",
        b"[name]\na = 1",
        b"bell = inf",
        bytes(256),
        b"\xff\xfe",
    ],
    ids=["tower", "digits", "date", "table", "infinity", "zeros", "not UTF-8"],
)
def test_leaves_settings_that_cannot_be_read(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(data)
    with pytest.raises(config.ConfigFault, match=path.name):
        config.read_config_file(path)


# -- told files ------------------------------------------------------------------------------------

# What hostile names and texts do to the terminal, and a file of settings to its reader.


NASTY = "\x1b]0;gone\x07\x1b[2J"


@pytest.mark.skipif(os.name == "nt", reason="no such file names")
def test_no_name_of_a_file_steers_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KOTP2P_DATA", str(tmp_path))
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / NASTY).touch()
    one_game.list_games("default", as_json=False)
    said = capsys.readouterr()
    assert "?[2J" in said.err
    assert "\x1b" not in said.err + said.out


def test_no_pasted_address_steers_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BadAddress) as fault:
        parse_address(f"table{NASTY}")
    Output.standard().refuse(fault.value)
    said = capsys.readouterr().err
    assert "table?" in said
    assert "\x1b" not in said


@pytest.mark.parametrize("kind", ["pipe", "endless", "huge"])
def test_settings_are_read_whole_or_not_at_all(tmp_path: Path, kind: str) -> None:
    """A file that never ends, or takes hours to be read as TOML."""
    path = tmp_path / "config.toml"
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "endless":
            path.symlink_to("/dev/zero")
        case _:
            path.write_text("a" + ".a" * 1_000_000 + " = 1")
    with pytest.raises(config.ConfigFault, match="cannot be read"):
        config.read_config_file(path)


def test_marks_do_not_pile_up_over_other_lines() -> None:
    assert clean_line("Ana says: a" + "\u0301\u0489" * 90) == "Ana says: a" + "\u0301\u0489" * 2
    assert clean_line("vi\u1ec7t na\u0323\u0302m") == "vi\u1ec7t na\u0323\u0302m"


@pytest.mark.parametrize("name", [".bashrc", "notes.txt", "..", "../a.kotlog", "a/b.kotlog"])
def test_a_saved_game_names_no_file_but_a_log(name: str) -> None:
    """When the game goes on, the file of that name in the folder of logs is written anew."""
    places = SavedPlaces("", 4242, "", (("", 4242), ("", 0)), name)
    with pytest.raises(BadBytes):
        SavedPlaces.decode(places.encode())


# -- own records -----------------------------------------------------------------------------------

# What an honest program signs, writes and sends is read back first, whatever it was sent.


MALLORY = 3
GAME = genesis().id


def faults_told(table: WiredPeers, seat: Seat) -> list[str]:
    return [n.detail for n in table.shown[seat] if isinstance(n, ProgramFault)]


def where_mallory_is_asked() -> WiredPeers:
    table = WiredPeers(MALLORY)
    table.silent.add(MALLORY)
    table.play(lambda: MALLORY in table.asked)
    return table


def waits_for_mallory() -> WiredPeers:
    """Mallory says nothing any more, and the others are offered to go on without."""
    table = where_mallory_is_asked()
    table.tamper[MALLORY] = lambda _target, _frame: ()
    table.play(lambda: all(table.offered(seat) == (MALLORY,) for seat in table.honest))
    return table


# -- assents -----------------------------------------------------------------------------------


@pytest.mark.parametrize("signers", [(MALLORY,), (MALLORY, 0)])
def test_an_assent_of_the_keeper_that_is_put_out_spoils_no_log(signers: tuple[Seat, ...]) -> None:
    """Nobody else has found that line-up yet, and one of its seals is by another key."""
    table = waits_for_mallory()
    ledger = table.peers[table.honest[0]].ledger
    lineup = find_line_up(ledger, (Change(MALLORY, Reason.ABSENT),), ledger.attempt + 1)
    seals = {seat: lineup.assent(SIGNERS[MALLORY]) for seat in signers}
    table.send(MALLORY, [lineup.signed(seals)])
    table.deliver()
    table.go_on()
    table.play_on(5)
    assert MALLORY not in table.members()
    for seat in table.honest:
        assert table.report(seat).result is Result.UNFINISHED
        assert [change.keeper for change in table.report(seat).changes] == [MALLORY]
    table.check_honest()


# -- entries, wishes, chat ---------------------------------------------------------------------


def test_an_entry_that_its_own_ledger_refuses_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    make_opening = Secrets.make_opening

    def wrong(secrets: Secrets, step: Gather) -> Opening:
        opening = make_opening(secrets, step)
        if secrets.seat != 0 or secrets.ledger.height < 4:
            return opening
        return replace(opening, top=bytes(32))

    table = WiredPeers(MALLORY)
    monkeypatch.setattr(Secrets, "make_opening", wrong)
    table.wait(1)
    table.play(lambda: bool(faults_told(table, 0)))
    table.wait(20)
    assert len(faults_told(table, 0)) == 1
    assert not table.ended
    assert not any(table.accused[seat] for seat in table.honest)
    monkeypatch.undo()
    table.play_on(5)
    table.check_honest()


def test_a_wish_that_nobody_reads_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    table = waits_for_mallory()
    without = Absence._without

    def descending(absence: Absence, now: float) -> tuple[Seat, ...]:
        return (*without(absence, now), 0)

    monkeypatch.setattr(Absence, "_without", descending)
    table.go_on()
    for seat in table.honest:
        assert faults_told(table, seat)
        assert table.peers[seat].facts.wishes == {}
    assert not table.ended
    monkeypatch.undo()
    table.go_on()
    table.play_on(5)
    assert MALLORY not in table.members()
    table.check_honest()


def test_a_line_of_chat_that_nobody_reads_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    table = WiredPeers(MALLORY)
    monkeypatch.setattr(gossip, "clean_chat_line", lambda words: words)
    table.peers[0].say_line("a\x1b[2J", table.now)
    table.peers[0].say_line("hello", table.now)
    table._perform(0)
    table.deliver()
    assert len(faults_told(table, 0)) == 1
    assert [n.text for n in table.shown[1] if isinstance(n, Said)] == ["hello"]
    table.check_honest()
