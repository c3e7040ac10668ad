"""Files that somebody else has made, or broken. Of logs, tests/kotp2p/game/test_verify.py and
test_unfinished.py have cuts, flipped bits and moved records; here is what is left."""

import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path, PurePath
from zlib import crc32

import pytest
import trio

from kotp2p.cli.system import config
from kotp2p.cli.system.output import Output
from kotp2p.cli.text.how_to_join import BadAddress, parse_address
from kotp2p.cli.text.i18n import clean_line
from kotp2p.game.steps import Gather
from kotp2p.game.verify import Result, verify_log
from kotp2p.lineup.absence import Absence
from kotp2p.lineup.plan import find_line_up
from kotp2p.mesh import gossip
from kotp2p.net.invitation import BadLink, Invitation
from kotp2p.peer.bodies import Secrets
from kotp2p.referee.model.answers import Seat
from kotp2p.seams import endings, notices
from kotp2p.seams.world import FileTrouble, World
from kotp2p.shell.resume import resume
from kotp2p.store import log_work, machine_disk, saved_game
from kotp2p.wire import crypto, entries, lineups, records
from tests.support.five_players import SIGNERS
from tests.support.log_bytes import boundaries, cut_to, offsets, short_log
from tests.support.memory_tables import Recorder
from tests.support.memory_world import MemoryDisk, memory_disk
from tests.support.wired_peers import WiredPeers

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
def test_offers_a_log_without_end_or_no_file(make: Callable[[Path], Path], tmp_path: Path) -> None:
    path = make(tmp_path)
    started = time.monotonic()
    report = log_work.check_log(log_work.LogPart(path))
    assert report.result is Result.UNREADABLE
    assert report.reason
    with pytest.raises(FileTrouble, match=path.name):
        machine_disk.MachineDisk().read(path)
    assert time.monotonic() - started < 10  # it does not wait for anybody


def test_fills_a_log_up_to_the_last_byte_that_is_read(tmp_path: Path) -> None:
    path = tmp_path / "long.kotlog"
    path.write_bytes(short_log())
    os.truncate(path, records.MAX_LOG_BYTES)
    assert log_work.check_log(log_work.LogPart(path)).torn
    os.truncate(path, records.MAX_LOG_BYTES + 1)
    assert log_work.check_log(log_work.LogPart(path)).result is Result.UNREADABLE


# -- what is no log ---------------------------------------------------------------------------


def with_versions(*numbers: int) -> bytes:
    fields = (
        b"kotp2plg" + b"".join(n.to_bytes(4, "big") for n in numbers) + bytes(records.SALT_BYTES)
    )
    return fields + crc32(fields).to_bytes(4, "big")


def test_each_kind_of_wrong_head_has_a_reason_of_its_own() -> None:
    strange = {
        "empty": b"",
        "three bytes": b"kot",
        "evidence": records.EVIDENCE_MAGIC,
        "damaged": short_log()[: records.HEAD_BYTES - 1] + b"\xff",
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
    salt, at = records.read_head(log)[1], offsets(log)[2]
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


# -- the folder of a game ---------------------------------------------------------------------


def broken_off() -> tuple[World, PurePath, crypto.Signer]:
    return cut_to(list(boundaries())[5])


def with_file(name: str, data: bytes) -> tuple[World, PurePath, crypto.Signer]:
    """The game, with one of its files as somebody else has left it."""
    world, folder, signer = broken_off()
    disk = memory_disk(world)
    return replace(world, disk=MemoryDisk({**disk.files, folder / name: data})), folder, signer


def test_leaves_another_seed() -> None:
    """As if nothing were, this seat would open what it has not committed to: a cheat."""
    world, folder, signer = with_file("seed", bytes(32))
    other, own = saved_game.load_game(world, folder, signer), saved_game.load_game(*broken_off())
    for saved, is_lost in ((other, True), (own, False)):
        assert saved is not None
        assert saved_game.is_lost_seed(saved.ledger, saved.seat, saved.seed) is is_lost


# -- the profile ------------------------------------------------------------------------------


def test_leaves_a_key_for_the_profile_that_is_none() -> None:
    """It is said and left alone; no new one is made in its place."""
    world, _, _ = broken_off()
    disk = memory_disk(world)
    key = world.data / "profiles" / world.profile / "key"
    disk.files[key] = b"short"

    async def go_on() -> endings.EndKind:
        ending = await resume(world, None, None, Recorder("me"))
        assert str(key) in ending.detail
        return ending.kind

    assert trio.run(go_on) is endings.EndKind.FILES
    assert disk.files[key] == b"short"


# -- invitations and known keys ---------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "kotp2p://" + "a" * 10**6, "kotp2p://" + "a," * 10**6 + "/0", "kotp2p://h/" + "0" * 10**6,
        "kotp2p://h:" + "9" * 10**6 + "/00", "kotp2p://[" + ":" * 10**5 + "]/00", "kotp2p://h/\n00",
        "kotp2p://h /00", "kotp2p://\x1b[2J/00",
    ],
    ids=range(8),
)  # fmt: skip
def test_hands_over_an_invitation_without_end(text: str) -> None:
    started = time.monotonic()
    with pytest.raises(BadLink) as found:
        Invitation.parse(text)
    assert len(str(found.value)) < 100  # and says none of it again
    assert time.monotonic() - started < 5


# -- the settings -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"a = " + b"[" * 20_000, b"name = " + b"9" * 5_000, b"name = 1979-05-27", b"[name]\na = 1",
        b"bell = inf", bytes(256), b"\xff\xfe",
    ],
    ids=["tower", "digits", "date", "table", "infinity", "zeros", "not UTF-8"],
)  # fmt: skip
def test_leaves_settings_that_cannot_be_read(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(data)
    with pytest.raises(config.ConfigFault, match=path.name):
        config.read_config_file(path)


# -- told files ------------------------------------------------------------------------------------

# What hostile names and texts do to the terminal, and a file of settings to its reader.


NASTY = "\x1b]0;gone\x07\x1b[2J"


@pytest.mark.skipif(os.name == "nt", reason="no such file names")
def test_no_name_of_a_file_and_no_pasted_address_steers_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / NASTY
    path.write_bytes(b"= no settings")
    for read in (lambda: config.read_config_file(path), lambda: parse_address(f"table{NASTY}")):
        with pytest.raises((config.ConfigFault, BadAddress)) as fault:
            read()
        Output.standard().refuse(fault.value)
        said = capsys.readouterr().err
        assert "?[2J" in said.replace("\n", "")
        assert "\x1b" not in said


@pytest.mark.parametrize("kind", ["pipe", "endless", "huge"])
def test_settings_are_read_whole_or_not_at_all(tmp_path: Path, kind: str) -> None:
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


# -- own records -----------------------------------------------------------------------------------

# What an honest program signs, writes and sends is read back first, whatever it was sent.


MALLORY = 3


def faults_told(table: WiredPeers, seat: Seat) -> list[str]:
    return [n.detail for n in table.shown[seat] if isinstance(n, notices.ProgramFault)]


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
    lineup = find_line_up(
        ledger, (lineups.Change(MALLORY, lineups.Reason.ABSENT),), ledger.attempt + 1
    )
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

    def wrong(secrets: Secrets, step: Gather) -> entries.Opening:
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
    table.perform(0)
    table.deliver()
    assert len(faults_told(table, 0)) == 1
    assert [n.text for n in table.shown[1] if isinstance(n, notices.Said)] == ["hello"]
    table.check_honest()
