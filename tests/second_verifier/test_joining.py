"""A client written from the text alone plays a whole game with the program."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from cryptography.hazmat.primitives.serialization import Encoding

from kotp2p.game.verify import Result, verify_log
from tests.support.program import Program
from tests.support.two_verifiers import agree, vectors
from tests.tools.independent.client import Client, authority


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
