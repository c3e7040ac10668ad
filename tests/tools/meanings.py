"""`python -m tests.tools.meanings`: files with one changed meaning, before every reader of files.

A file is parsed, one value is swapped, doubled, left out, of another type, of another game, one
beyond or below what it was, or very long, and it is written again: with right checksums, and with
right signatures and the right passphrase, as the players themselves could. Each reader ends
without a program error and with the exit code that the verdict asks for, and what another
verifier finds wrong is called sound by none. `page` needs Chromium.
"""

from __future__ import annotations

import random
import re
import struct
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path, PurePath
from typing import Any, cast
from unittest.mock import patch

import msgpack
import tomlkit
import trio
from typer.testing import CliRunner

from kotp2p.cli.extras import identity
from kotp2p.cli.extras.forms.html import build_page
from kotp2p.cli.main import app
from kotp2p.game.verify import Result, verify_log
from kotp2p.lobby import known_keys
from kotp2p.net.connections import ANYWHERE
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.shell import resume as resume_module
from kotp2p.shell.resume import resume
from kotp2p.wire.crypto import Signer, Tag, digest
from kotp2p.wire.entries import TAG_OF_KIND, BodyKind, Signed, pack_seals, unpack_seals
from kotp2p.wire.records import HEAD_BYTES, SALT_BYTES
from tests.support.browser import started_browser
from tests.support.disk_worlds import UnfinishedFiles, unfinished_files
from tests.support.log_bytes import changed_game, long_log
from tests.support.memory_tables import Recorder
from tests.support.pages import GamePage
from tests.support.tool_line import tool_parser
from tests.tools.fuzz import seeds
from tests.tools.independent.verdict import verdict
from tests.tools.page_verdicts import differ

# -- one changed meaning ---------------------------------------------------------------------


A_MILLION = 1_000_000
NOT_ITS_TYPE: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1.5,
    "",
    "a",
    b"",
    b"\7" * 32,
    [],
    [0],
    {},
    {"a": 1},
)
OF_TOML: tuple[Any, ...] = (True, False, 0, -1, 1.5, "", "a", [], [0], {}, {"a": 1})
Node = tuple[Any, Any]
"""A list or a table, and the index or key of what is meant in it."""


@dataclass(frozen=True, slots=True)
class Changes:
    """Makes one change at a time; `foreign` is what another game has in such a place."""

    chance: random.Random
    other_types: tuple[Any, ...] = NOT_ITS_TYPE

    def change(self, value: Any, foreign: Any) -> Any:
        """The value with one change in it; lists and tables inside are not shared."""
        root = [deepcopy(value)]
        nodes = list(_nodes(root))
        holder, key = self.chance.choice(nodes)
        hows = (
            self._swap, self._double, self._leave_out, self._retype, self._borrow, self._step,
            self._lengthen,
        )  # fmt: skip
        self.chance.choice(hows)(holder, key, foreign)
        return root[0] if root else None

    def _swap(self, holder: Any, key: Any, _foreign: Any) -> None:
        other = self.chance.choice(_keys(holder))
        holder[key], holder[other] = holder[other], holder[key]

    def _double(self, holder: Any, key: Any, _foreign: Any) -> None:
        if isinstance(holder, list):
            holder.insert(key, deepcopy(holder[key]))
        else:
            holder[f"{key}2"] = deepcopy(holder[key])

    def _leave_out(self, holder: Any, key: Any, _foreign: Any) -> None:
        del holder[key]

    def _retype(self, holder: Any, key: Any, _foreign: Any) -> None:
        holder[key] = deepcopy(self.chance.choice(self.other_types))

    def _borrow(self, holder: Any, key: Any, foreign: Any) -> None:
        other, at = self.chance.choice(list(_nodes([foreign])))
        holder[key] = deepcopy(other[at])

    def _step(self, holder: Any, key: Any, _foreign: Any) -> None:
        step = self.chance.choice((-1, 1))
        match holder[key]:
            case bool(held):
                holder[key] = not held
            case int(held):
                holder[key] = held + step
            case str(held):
                holder[key] = held[:-1] if step < 0 else held + "a"
            case bytes(held):
                holder[key] = held[:-1] if step < 0 else held + b"\0"
            case list(held) if held:
                holder[key] = held[:-1] if step < 0 else [*held, held[-1]]
            case _:  # it has no neighbour
                holder[key] = None if None in self.other_types else step

    def _lengthen(self, holder: Any, key: Any, _foreign: Any) -> None:
        match holder[key]:
            case str(held):
                holder[key] = (held or "a") * A_MILLION
            case bytes(held):
                holder[key] = held.ljust(A_MILLION, b"\7")  # zeros would be lost blocks
            case list(held) if held:
                holder[key] = held * (A_MILLION // len(held) // 100)
            case _:
                holder[key] = self.chance.choice((2**32, 2**53, 2**63 - 1, -(2**63)))


def _nodes(holder: Any) -> Iterator[Node]:
    for key in _keys(holder):
        yield holder, key
        if isinstance(holder[key], list | dict):
            yield from _nodes(holder[key])


def _keys(holder: Any) -> list[Any]:
    return list(range(len(holder))) if isinstance(holder, list) else list(holder)


# -- logs ------------------------------------------------------------------------------------


Record = list[Any]
"""The number of its kind, the value of its body, its signature."""


@dataclass(frozen=True, slots=True)
class Game:
    """A log in parts, and the keys with which its records can be signed again."""

    head: tuple[int, int, int]
    salt: bytes
    records: tuple[Signed, ...]
    signers: tuple[Signer, ...]

    @staticmethod
    def parse(log: bytes, signers: tuple[Signer, ...]) -> Game:
        format_, protocol, rules = struct.unpack_from(">3I", log, 8)
        records = tuple(signed for signed, _end in seeds.records(log))
        return Game((format_, protocol, rules), log[20 : 20 + SALT_BYTES], records, signers)


def pack_log(head: tuple[int, ...], salt: bytes, records: list[bytes]) -> bytes:
    """A log of these packed records, with all checksums."""
    fields = b"kotp2plg" + struct.pack(">3I", *(number % 2**32 for number in head)) + salt
    found = [fields, _crc(fields)]
    assert len(b"".join(found)) == HEAD_BYTES
    for index, payload in enumerate(records):
        number, length = struct.pack(">I", index), struct.pack(">I", len(payload))
        found += [length, _crc(salt + number + length), payload, _crc(salt + number + payload)]
    return b"".join(found)


def _crc(data: bytes) -> bytes:
    return struct.pack(">I", zlib.crc32(data))


def pack_value(value: Any) -> bytes:
    return cast(bytes, msgpack.packb(value, use_bin_type=True))


def read_value(data: bytes) -> Any:
    return msgpack.unpackb(data, strict_map_key=False)


def changed_log_of(game: Game, other: Game, chance: random.Random) -> bytes:
    """One change: of the head, of the order of records, of a record, or of what its body says."""
    changes, records = Changes(chance), list(map(_pack_signed, game.records))
    head, salt = game.head, game.salt
    match chance.randrange(10):
        case 0:
            numbers = list(head)
            numbers[chance.randrange(3)] += chance.choice((-1, 1, 2**31))
            head = (numbers[0], numbers[1], numbers[2])
        case 1 | 2:
            records = changes.change(records, list(map(_pack_signed, other.records)))
            records = [one if isinstance(one, bytes) else pack_value(one) for one in records or []]
        case 3 | 4:
            at = chance.randrange(len(records))
            foreign = list(chance.choice(other.records))
            records[at] = pack_value(changes.change(list(game.records[at]), foreign))
        case _:
            at = _place(game, chance)
            body = changes.change(
                read_value(game.records[at].body), read_value(chance.choice(other.records).body)
            )
            signed = sign_again(game.records[at], pack_value(body), game.signers)
            if signed.kind is BodyKind.GENESIS:
                salt = digest(Tag.GENESIS, signed.body)[:SALT_BYTES]
            records[at] = _pack_signed(signed)
    return pack_log(head, salt, records)


def _pack_signed(signed: Signed) -> bytes:
    return pack_value((int(signed.kind), signed.body, signed.signature))


def _place(game: Game, chance: random.Random) -> int:
    """A record of any kind; rare kinds, such as a change of line-up, come as often as others."""
    kind = chance.choice(sorted({signed.kind for signed in game.records}))
    return chance.choice([i for i, one in enumerate(game.records) if one.kind is kind])


def sign_again(signed: Signed, body: bytes, signers: tuple[Signer, ...]) -> Signed:
    """Another body by the same players, as far as their keys are there."""
    tag = TAG_OF_KIND.get(signed.kind)
    if signed.kind in (BodyKind.GENESIS, BodyKind.LINE_UP):
        assert tag is not None
        if max(unpack_seals(signed.signature)) >= len(signers):
            return Signed(signed.kind, body, signed.signature)
        seals = {seat: signers[seat].sign(tag, body) for seat in unpack_seals(signed.signature)}
        return Signed(signed.kind, body, pack_seals(seals))
    for signer in signers if tag is not None else ():
        if signed.is_by(signer.key):
            return Signed(signed.kind, body, signer.sign(cast(Tag, tag), body))
    return Signed(signed.kind, body, signed.signature)


@cache
def games() -> tuple[Game, Game]:
    """One whose keys are known, and another one."""
    return Game.parse(*changed_game()), Game.parse(long_log(), ())


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
    data = changed_log_of(*games(), chance)
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
    (logs / "good.kotlog").write_bytes(long_log())
    data = changed_log_of(*games(), chance)
    (logs / "changed.kotlog").write_bytes(data)
    said = run_command(folder, "games", "--json")
    expect(said, {0}, "games")
    if "good.kotlog" not in said.out or "changed.kotlog" not in said.out:
        raise Fault("games leaves out a log")


def go_on(chance: random.Random, folder: Path) -> None:
    """`resume`, as far as the game itself: its list, and whether it would go on."""
    files = laid_files()
    seat = {name: files.files[PurePath(files.folder) / name] for name in ("log", "places")}
    if chance.random() < 0.5:
        game = Game.parse(seat["log"], (files.signer,))
        seat["log"] = changed_log_of(game, games()[1], chance)
    else:
        value = Changes(chance).change(read_value(seat["places"]), read_value(seeds.places()))
        seat["places"] = pack_value(value)
    changed = {PurePath(files.folder) / name: data for name, data in seat.items()}
    world = replace(files, files={**files.files, **changed}).put_into(folder)
    expect(run_command(folder, "resume", "--list"), {0, 8}, "resume --list")
    found = list[object]()

    async def note(*_words: object, **_how: object) -> Ending:
        found.append(1)
        return Ending(EndKind.KEPT)

    async def begin() -> Ending:
        return await resume(world, None, None, Recorder("me"), ANYWHERE)

    with patch.object(resume_module, "continue_game", note):
        ending = trio.run(begin)
    if ending.kind not in (EndKind.KEPT, EndKind.FILES, EndKind.NO_GAME):
        raise Fault(f"resume ends with {ending.kind}")
    if found and verify_log(seat["log"]).result is Result.WRONG:
        raise Fault("resume goes on with a log that is wrong")


@cache
def laid_files() -> UnfinishedFiles:
    return unfinished_files()


PASSPHRASE = "correct horse"
KNOWN = (("Zoë", b"\x01" * 32, "2026-10-02"), ("Rex", b"r" * 32, ""))


def import_identity(chance: random.Random, folder: Path) -> None:
    """`identity import` of a sealed file; where it refuses, nothing is left of it."""
    value = Changes(chance).change(
        [b"a" * 32, "Ana", list(map(list, KNOWN))], [b"r" * 32, "Rex", []]
    )
    fresh = chance.randbytes(known_keys.SALT_BYTES + known_keys.NONCE_BYTES)
    head = known_keys.MAGIC + known_keys.IDENTITY_FORM.to_bytes(4, "big") + fresh
    with (
        patch.object(known_keys, "SCRYPT_COST", 2),
        patch.object(identity, "read_one_line", lambda _fd: PASSPHRASE),
    ):
        cipher = known_keys._cipher(PASSPHRASE, head)
        sealed = cipher.encrypt(head[-known_keys.NONCE_BYTES :], pack_value(value), head)
        path = folder / "identity"
        path.write_bytes(head + sealed)
        said = run_command(folder, "identity", "import", str(path))
    expect(said, {0, 2, 9}, "identity import")
    is_there = (folder / "profiles" / "default" / "key").exists()
    if is_there != (said.code == 0):
        raise Fault(f"identity import ends with {said.code}, and a key is there: {is_there}")


SETTINGS = {
    "lang": "en", "name": "Ana", "monster": "Gigazaur", "plain": False, "symbols": "auto",
    "bell": True, "on_turn": "notify-send kotp2p", "speed": "normal", "code": True,
    "mailbox": "ws://192.168.1.20:4000/v1", "relay": "tcp:192.168.1.20:4001",
    "orders": "yield 3, stay 6, shop 4, skip Wings",
}  # fmt: skip


def read_settings(chance: random.Random, folder: Path) -> None:
    """`config`; what it takes, `config set` takes, too."""
    value = Changes(chance, OF_TOML).change(SETTINGS, {"layout": "wide", "bell": 1})
    (folder / "config.toml").write_text(
        tomlkit.dumps(value if isinstance(value, dict) else {}), encoding="utf-8"
    )
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
PAGE = "page"


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


@contextmanager
def opened_page() -> Iterator[GamePage]:
    with tempfile.TemporaryDirectory() as folder, started_browser() as browser:
        path = Path(folder) / "empty.html"
        path.write_text(build_page(None))
        page = GamePage(browser)
        page.show(path)
        yield page


def run_page(page: GamePage, seed: int, count: int) -> list[str]:
    """As `run_reader`: where the page says something else than `verify`."""
    found = []
    for number in range(seed, seed + count):
        data = changed_log_of(*games(), random.Random(f"{PAGE} {number}"))
        said = page.verdicts_on([data])[0]
        if differ(verify_log(data), said):
            found.append(f"{PAGE} {number}: {verify_log(data).result}, but {said}")
    return found


def main() -> int:
    parser = tool_parser("tests.tools.meanings", __doc__)
    parser.add_argument("--mutants", type=int, default=300, help="for each reader (300)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one (0)")
    parser.add_argument("--only", choices=(*READERS, PAGE), help="one reader")
    given = parser.parse_args()
    faults = 0
    for name in (*READERS, PAGE) if given.only is None else (given.only,):
        if name == PAGE:
            with opened_page() as page:
                found = run_page(page, given.first, given.mutants)
        else:
            found = run_reader(name, given.first, given.mutants)
        faults += len(found)
        print(f"{name}: {given.mutants} mutants, {len(found)} faults", flush=True)
        for fault in found:
            print(f"  {fault}", flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
