"""`python -m tests.tools.meanings`: changed files before every command that reads files.

A file is changed in one place, as `tests.tools.fuzz` changes it, and written again: with right
checksums, and with right signatures and the right passphrase, as the players themselves could. Each
reader ends without a program error and with the exit code that the verdict asks for, and what
another verifier finds wrong is called sound by none.
"""

import random
import re
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path, PurePath
from unittest.mock import patch

import tomlkit
import trio
from typer.testing import CliRunner

from kotp2p.cli.extras import identity
from kotp2p.cli.main import app
from kotp2p.game.verify import Result, verify_log
from kotp2p.lobby import known_keys
from kotp2p.net.connections import ANYWHERE
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.shell import resume as resume_module
from kotp2p.shell.resume import resume
from kotp2p.store.saved_game import cut_lost_blocks
from kotp2p.wire.crypto import Signer, Tag, digest
from kotp2p.wire.entries import TAG_OF_KIND, BodyKind, Signed, pack_seals, unpack_seals
from kotp2p.wire.records import SALT_BYTES, Damaged
from tests.support import disk_worlds, log_bytes, memory_tables, tool_line
from tests.support.five_players import SIGNERS
from tests.support.paths import VECTORS
from tests.support.scribe import written
from tests.tools.fuzz import mutate, seeds
from tests.tools.fuzz.logs import Logs
from tests.tools.independent.verdict import verdict

# -- logs ------------------------------------------------------------------------------------


@cache
def signed_games() -> list[tuple[bytes, tuple[Signer, ...]]]:
    """Games with the keys of their players: one of now, and those of the vectors."""
    found = [path.read_bytes() for path in sorted(VECTORS.glob("logs/*.kotlog"))]
    whole = [log for log in found if verify_log(log).result is Result.SOUND]
    return [log_bytes.changed_game(), *((log, tuple(SIGNERS)) for log in whole)]


def changed_log(log: bytes, signers: tuple[Signer, ...], chance: random.Random) -> bytes:
    """One change: of bytes, of the order of records, or of what a body says, signed again."""
    logs = Logs((log, log_bytes.long_log()), chance)
    match chance.randrange(5):
        case 0:
            return logs.bytes_changed(log)
        case 1:
            return logs.records_changed(0)
        case _:
            return sign_anew(log, logs.body_changed(0), signers)


def sign_anew(log: bytes, changed: bytes, signers: tuple[Signer, ...]) -> bytes:
    """The changed log with the signatures of the same players, as far as their keys are there."""
    before = [signed for signed, _ in seeds.records(log)]
    after: list[Signed] = []
    with suppress(Damaged):  # by a kind that stands in no log
        after += [signed for signed, _ in seeds.records(changed)]
    if len(after) < len(before):
        return changed
    found = [
        new if new.body == old.body else sign_again(old, new.body, signers)
        for old, new in zip(before, after, strict=True)
    ]
    genesis = [signed.body for signed in found if signed.kind is BodyKind.GENESIS]
    salts = [digest(Tag.GENESIS, body)[:SALT_BYTES] for body in genesis]
    return written(salts[0], found) if salts else changed


def sign_again(signed: Signed, body: bytes, signers: tuple[Signer, ...]) -> Signed:
    tag = TAG_OF_KIND.get(signed.kind)
    if tag is None:
        return Signed(signed.kind, body, signed.signature)

    def anew(signature: bytes) -> bytes:
        made = (one.sign(tag, body) for one in signers if one.sign(tag, signed.body) == signature)
        return next(made, signature)

    if signed.kind not in (BodyKind.GENESIS, BodyKind.LINE_UP):
        return Signed(signed.kind, body, anew(signed.signature))
    seals = {seat: anew(seal) for seat, seal in unpack_seals(signed.signature).items()}
    return Signed(signed.kind, body, pack_seals(seals))


# -- readers ---------------------------------------------------------------------------------


class Fault(AssertionError):
    """A reader has said or done what it must not."""


@dataclass(frozen=True, slots=True)
class Said:
    code: int
    out: str
    err: str


def run_command(folder: Path, *words: str) -> Said:
    """The program in this process. Raises Fault for a program error."""
    variables = {
        "KOTP2P_DATA": str(folder), "KOTP2P_CONFIG": str(folder / "config.toml"), "LOGNAME": "bob",
    }  # fmt: skip
    result = CliRunner().invoke(app, words, env=variables)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise Fault(f"{words[0]}: {result.exception!r}") from result.exception
    return Said(result.exit_code, result.stdout, result.stderr)


def expect(said: Said, codes: set[int], what: str) -> None:
    if said.code not in codes:
        raise Fault(f"{what} ends with {said.code}, not with one of {codes}: {said.err[-300:]}")


CALLED_SOUND = re.compile(r"\bsound\b", re.IGNORECASE)
VERIFY_CODES = {Result.SOUND: 0, Result.UNFINISHED: 7, Result.WRONG: 6, Result.UNREADABLE: 9}
CODES = {Result.SOUND: 0, Result.UNFINISHED: 0, Result.WRONG: 6, Result.UNREADABLE: 9}
NOTHING_DRAWN = 8


def read_log_by(command: str, chance: random.Random, folder: Path) -> None:
    """`verify`, `replay`, `explain`, or `export` in each form."""
    data = changed_log(*chance.choice(signed_games()), chance)
    path = folder / "game.kotlog"
    path.write_bytes(data)
    result = verify_log(data).result
    if result.value != verdict(data).result:
        raise Fault(f"{result.value}, but the other verifier finds {verdict(data).result}")
    words = [*command.split(), str(path)]
    said = run_command(folder, *words)
    if command.startswith("verify"):
        expect(said, {VERIFY_CODES[result]}, command)
    elif command == "explain":
        expect(said, {CODES[result], NOTHING_DRAWN}, command)
    else:
        expect(said, {CODES[result]}, command)
    is_bad = result in (Result.WRONG, Result.UNREADABLE)
    if command == "verify --json":
        if f'"result": "{result.value}"' not in said.out:
            raise Fault(f"{command} does not say {result.value}")
    elif is_bad and not command.startswith("export") and CALLED_SOUND.search(said.out):
        raise Fault(f"{command} calls sound what is {result.value}")


def count_games(chance: random.Random, folder: Path) -> None:
    """`games`, with a good log beside the changed one: one never hides the other."""
    logs = folder / "logs"
    logs.mkdir(exist_ok=True)
    (logs / "good.kotlog").write_bytes(log_bytes.long_log())
    data = changed_log(*chance.choice(signed_games()), chance)
    (logs / "changed.kotlog").write_bytes(data)
    said = run_command(folder, "games", "--json")
    expect(said, {0}, "games")
    if "good.kotlog" not in said.out or "changed.kotlog" not in said.out:
        raise Fault("games leaves out a log")


def go_on(chance: random.Random, folder: Path) -> None:
    """`resume`, as far as the game itself: its list, and whether it would go on."""
    files = disk_worlds.unfinished_files()
    seat = {name: files.files[PurePath(files.folder) / name] for name in ("log", "places")}
    if chance.random() < 0.5:
        seat["log"] = changed_log(seat["log"], (files.signer,), chance)
    else:
        seat["places"] = mutate.Mutator([seat["places"], seeds.places()], chance).next()
    changed = {PurePath(files.folder) / name: data for name, data in seat.items()}
    world = replace(files, files={**files.files, **changed}).put_into(folder)
    expect(run_command(folder, "resume", "--list"), {0, 8}, "resume --list")
    found = list[object]()

    async def note(*_words: object, **_how: object) -> Ending:
        found.append(1)
        return Ending(EndKind.KEPT)

    async def begin() -> Ending:
        return await resume(world, None, None, memory_tables.Recorder("me"), ANYWHERE)

    with patch.object(resume_module, "continue_game", note):
        ending = trio.run(begin)
    if ending.kind not in (EndKind.KEPT, EndKind.FILES, EndKind.NO_GAME):
        raise Fault(f"resume ends with {ending.kind}")
    if found and verify_log(cut_lost_blocks(seat["log"])).result is Result.WRONG:
        raise Fault("resume goes on with a log that is wrong")


PASSPHRASE = "correct horse"


def import_identity(chance: random.Random, folder: Path) -> None:
    """`identity import` of a sealed file; where it refuses, nothing is left of it."""
    text = mutate.Mutator([seeds.identity_text()], chance).next()
    fresh = chance.randbytes(known_keys.SALT_BYTES + known_keys.NONCE_BYTES)
    head = known_keys.MAGIC + known_keys.IDENTITY_FORM.to_bytes(4, "big") + fresh
    with (
        patch.object(known_keys, "SCRYPT_COST", 2),
        patch.object(identity, "read_one_line", lambda _fd: PASSPHRASE),
    ):
        cipher = known_keys._cipher(PASSPHRASE, head)
        sealed = cipher.encrypt(head[-known_keys.NONCE_BYTES :], text, head)
        path = folder / "identity"
        path.write_bytes(head + sealed)
        said = run_command(folder, "identity", "import", str(path))
    expect(said, {0, 2, 9}, "identity import")
    is_there = (folder / "profiles" / "default" / "key").exists()
    if is_there != (said.code == 0):
        raise Fault(f"identity import ends with {said.code}, and a key is there: {is_there}")


STRANGE_VALUES: tuple[object, ...] = (
    True, False, 0, -1, 1.5, "", "a", "a" * 1_000_000, [], [0], {}, {"a": 1},
)  # fmt: skip
SETTINGS: dict[str, object] = {
    "lang": "en", "name": "Ana", "monster": "Gigazaur", "plain": False, "symbols": "auto",
    "bell": True, "on_turn": "notify-send kotp2p", "speed": "normal", "code": True,
    "mailbox": "ws://192.168.1.20:4000/v1", "relay": "tcp:192.168.1.20:4001",
    "orders": "yield 3, stay 6, shop 4, skip Wings",
}  # fmt: skip


def read_settings(chance: random.Random, folder: Path) -> None:
    """`config`; what it takes, `config set` takes, too."""
    values = dict(SETTINGS)
    del values[chance.choice(list(values))]
    values[chance.choice([*values, "layout"])] = chance.choice(STRANGE_VALUES)
    (folder / "config.toml").write_text(tomlkit.dumps(values), encoding="utf-8")
    said = run_command(folder, "config")
    expect(said, {0, 2}, "config")
    again = run_command(folder, "config", "set", "speed", "slow")
    expect(again, {0, said.code}, "config set")


READERS: dict[str, Callable[[random.Random, Path], None]] = {
    **{
        name: partial(read_log_by, name)
        for name in (
            "verify", "verify --json", "replay", "explain", "export", "export --json",
            "export --html",
        )
    },
    "games": count_games,
    "resume": go_on,
    "identity": import_identity,
    "config": read_settings,
}  # fmt: skip


def run_reader(name: str, seed: int, count: int) -> list[str]:
    """The faults that were found, each with the number of its mutant."""
    found = []
    for number in range(seed, seed + count):
        with tempfile.TemporaryDirectory() as folder:
            try:
                READERS[name](random.Random(f"{name} {number}"), Path(folder))
            except Exception as fault:  # noqa: BLE001 whatever a reader raises is what is looked for
                found.append(f"{name} {number}: {type(fault).__name__}: {str(fault)[:500]}")
    return found


def main() -> int:
    parser = tool_line.tool_parser("tests.tools.meanings", __doc__)
    parser.add_argument("--mutants", type=int, default=300, help="for each reader (300)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one (0)")
    parser.add_argument("--only", choices=READERS, help="one reader")
    given = parser.parse_args()
    faults = 0
    for name in READERS if given.only is None else (given.only,):
        found = run_reader(name, given.first, given.mutants)
        faults += len(found)
        print(f"{name}: {given.mutants} mutants, {len(found)} faults", flush=True)
        for fault in found:
            print(f"  {fault}", flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
