"""Two verifiers, one written from the text alone, come to the same about every log."""

import ast
import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import Encoding
from hypothesis import given
from hypothesis import strategies as st

from kotp2p.game.verify import Result, verify_log
from kotp2p.wire import names
from tests.support.names import ALIKE, NAMES, NO_NAMES
from tests.support.paths import ROOT
from tests.support.program import Program
from tests.support.two_verifiers import agree, vectors
from tests.tools.both_verifiers import of_a_game, of_a_strife
from tests.tools.independent import names as independent
from tests.tools.independent.client import Client, authority

HERE = ROOT / "tests" / "tools" / "independent"
LOGS = sorted((ROOT / "tests" / "logs").glob("*.kotlog"))


def mutated(data: bytes, chance: random.Random) -> Iterator[bytes]:
    """A bit flipped, a byte lost, a tail of another kind."""
    at = chance.randrange(len(data))
    yield data[:at] + bytes((data[at] ^ 1 << chance.randrange(8),)) + data[at + 1 :]
    yield data[:at] + data[at + 1 :]
    yield data[:at]
    yield data[:at] + bytes(chance.randrange(1, 400))


def test_the_other_verifier_imports_nothing_of_this_program() -> None:
    for path in HERE.glob("[!t]*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                is_ours = name.split(".")[0] == "kotp2p"
                assert not is_ours or name.startswith("kotp2p.referee"), path
                assert not name.startswith("tests.") or name.startswith(
                    "tests.tools.independent"
                ), path


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_both_say_the_same_of_a_log_and_of_its_mutations(path: Path) -> None:
    data = path.read_bytes()
    whole = agree(data)
    chance = random.Random(path.stem)
    for other in mutated(data, chance):
        agree(other)
    if whole.canonical:
        again = agree(whole.canonical)
        assert again.canonical == whole.canonical


# -- cheats ----------------------------------------------------------------------------------------

# Both verifiers say the same about logs of cheats; `tests.tools.both_verifiers` tries more.


@pytest.mark.parametrize("seed", (7700000,))
def test_both_say_the_same_of_the_logs_of_a_game_with_cheats(seed: int) -> None:
    assert list(of_a_game(seed)) == []


@pytest.mark.parametrize("seed", (1001, 1020, 1047, 1078))
def test_both_say_the_same_of_line_ups_leaves_and_proofs_at_random(seed: int) -> None:
    assert list(of_a_strife(seed, tries=40)) == []


@pytest.mark.parametrize("seed", (1225, 1263))
def test_both_say_the_same_of_offences_at_a_kept_gather_and_at_the_end(seed: int) -> None:
    assert list(of_a_strife(seed)) == []


# -- names -----------------------------------------------------------------------------------------

# Both readings of what a name is (PROTOCOL.md 2.1) agree on anything that somebody could send.


PIECES = "".join([*NAMES, *NO_NAMES.values(), *(name for pair in ALIKE for name in pair)])
SENT = (
    st.text(max_size=12) | st.text(PIECES, max_size=26) | st.text("Lx\u0323\u0301 .-1", max_size=9)
)


@given(SENT)
def test_both_know_a_name(text: str) -> None:
    assert independent.is_name(text) == names.is_name(text)
    if names.is_name(text):
        assert independent.looks(text) == names.looks_of(text)


@given(SENT, SENT)
def test_both_know_which_names_are_alike(one: str, other: str) -> None:
    one, other = names.clean_name(one, "Ana"), names.clean_name(other, "Bob")
    assert independent.alike(one, other) == names.are_alike(one, other)


# -- joining ---------------------------------------------------------------------------------------

# A client written from the text alone plays a whole game with the program.


def test_the_authority_has_the_same_bytes() -> None:
    found = vectors("links")
    for secret, name in (
        (b"kotp2p open table", "authority of an open table"),
        (bytes(range(10)), "authority of the secret 00..09"),
    ):
        assert authority(secret)[1].public_bytes(Encoding.DER).hex() == found[name]


def test_a_client_of_the_text_plays_and_seals_a_game(tmp_path: Path) -> None:
    host = Program(
        tmp_path / "host", "host", "--bot", "normal", "--players", "2", "--bind", "127.0.0.1",
        "--port", "0",
    )  # fmt: skip
    client = Client("Zoë")
    client.join(host.port())
    with closing(client):
        client.begin()
        mine = client.play()
    assert host.wait() == 0, "\n".join(host.lines[-20:])
    theirs = host.logs()[0].read_bytes()
    assert agree(mine).confirmed_by == (0, 1)
    assert verify_log(theirs).result is Result.SOUND
    assert verify_log(theirs).canonical == agree(mine).canonical
