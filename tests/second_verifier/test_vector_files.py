"""The vectors in docs/vectors, worked out by the other program."""

import json
from hashlib import sha256

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from kotp2p.referee.box.rulesets import RULE_SETS
from kotp2p.referee.game import Game
from tests.support.paths import VECTORS
from tests.support.two_verifiers import agree, vectors
from tests.tools import vector_logs
from tests.tools.independent import bodies, file, genesis, wire
from tests.tools.independent.bodies import LEAVE, LINE_UP, PLAY, SHARE
from tests.tools.independent.genesis import read
from tests.tools.independent.names import alike, is_name, looks
from tests.tools.independent.proofs import body_of
from tests.tools.independent.slots import below, stream
from tests.tools.independent.verdict import evidence
from tests.tools.vector_lineup_cases import SEQUENCES
from tests.tools.vector_lineups import play_sequence

FOLDER = VECTORS
TABLE, GAME, HEAD = b"\xcc" * 32, b"\xaa" * 32, b"\xbb" * 32


def nested(name: str, key: str) -> dict[str, str]:
    found: dict[str, dict[str, str]] = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return found[key]


def octets(words: str) -> bytes:
    return bytes.fromhex(words)


def name_of(data: bytes) -> str:
    found = wire.text(wire.decode(data))
    wire.need(len(found) <= 24, "too long a name")
    return found


def test_values_are_read_and_refused() -> None:
    found = vectors("encoding")
    for words in found["accepted"]:
        assert wire.encode(wire.decode(octets(words))) == octets(words)
    for words in nested("encoding", "refused").values():
        with pytest.raises(wire.Malformed):
            wire.decode(octets(words))


def test_names_are_read_and_their_looks_compared() -> None:
    found = vectors("names")
    for name, both in found["names"].items():
        assert is_name(name), name
        assert looks(name) == tuple(both)
    for why, words in found["refused"].items():
        assert not is_name(words), why
    for one, other, looks_of_one, looks_of_other in found["alike"]:
        assert alike(one, other)
        assert (looks(one), looks(other)) == (tuple(looks_of_one), tuple(looks_of_other))


def test_texts_are_read_and_refused() -> None:
    found = vectors("texts")
    for words in found["accepted"]:
        assert wire.encode(name_of(octets(words))) == octets(words)
    for words in nested("texts", "refused").values():
        with pytest.raises(wire.Malformed):
            name_of(octets(words))


def test_keys_and_signatures() -> None:
    found = vectors("keys")
    key, right = octets(found["key"]), octets(found["signature of 'body' as kotp2p/play/1"])
    assert wire.signed(key, "play", b"body", right)
    for words in nested("keys", "refused signatures").values():
        assert not wire.signed(key, "play", b"body", octets(words))
    for words in nested("keys", "refused keys").values():
        assert not wire.good_key(octets(words))


def test_hashes() -> None:
    found = vectors("hashes")
    assert wire.hashed("table", b"ab", 7).hex() == found["H(kotp2p/table/1; 'ab', 7)"]
    made = wire.derived(b"\x51" * 32, "contribution", TABLE, 0, 0)
    assert made.hex() == found["D(51*32; kotp2p/contribution/1; cc*32, 0, 0)"]
    assert genesis.phrase(GAME) == found["phrase of aa*32"]


def test_draws() -> None:
    found = vectors("draws")
    seeds = [bytes((byte,)) * 32 for byte in (0x51, 0x52, 0x53)]
    dice = [wire.derived(seed, "contribution", TABLE, 0, 4) for seed in seeds]
    assert [part.hex() for part in dice] == found["contributions to dice slot 4"]
    shown = [wire.hashed("commitment", TABLE, 0, n, 4, part).hex() for n, part in enumerate(dice)]
    assert shown == found["commitments"]
    result = wire.hashed("result", GAME, HEAD, 0, 4, *dice)
    assert result.hex() == found["result of dice slot 4"]
    for size, many, name in ((6, 12, "twelve dice"), (2, 10, "ten tile sides of dice slot 4")):
        numbers = stream(result)
        assert [below(numbers, size) for _ in range(many)] == found[name]
    numbers = stream(result)
    great = [str(below(numbers, 3 << 62)) for _ in range(10)]
    assert great == found["ten below 3 * 2^62 (rejections)"]
    cards = stream(octets(found["result of card slot 9 of the same contributions"]))
    first = second = below(cards, 66)
    while second == first:
        second = below(cards, 66)
    assert [first, second] == [found["of 66"], found["of 66, that one taken"]]


def leb128(number: int) -> bytes:
    lowest, rest = number % 128, number // 128
    return bytes([lowest + 128]) + leb128(rest) if rest else bytes([lowest])


def test_a_position_is_hashed_from_its_numbers() -> None:
    for shown in vectors("positions").values():
        for position in shown:
            numbers = b"".join(leb128(number) for _, number in position["numbers"])
            made = sha256(b"kotp2p/position/2\0" + numbers).hexdigest()
            assert made == position["digest"]


def test_a_charter_names_a_box_and_no_cards() -> None:
    boxes = vectors("boxes")
    sizes = [len(rules.deck()) for rules in RULE_SETS.values()]
    assert [sum(card[3] for card in box["cards"]) for box in boxes.values()] == sizes
    assert [len(box["sides"]) for box in boxes.values()] == [0, 0, 20]
    charter = wire.array(wire.array(wire.decode(octets(vectors("start")["genesis body"])), 4)[2], 8)
    assert wire.text(charter[3]) in boxes


PROOF = "proof of two answers"


def test_the_id_of_a_proof() -> None:
    proof = nested("entries", PROOF)
    assert wire.hashed("proof", octets(proof["body"])).hex() == proof["id"]
    assert len(bodies.proof_parts(octets(proof["body"]))) == 2


def test_answers_and_entries() -> None:
    for words in vectors("answers").values():
        bodies.answer(wire.decode(octets(words)))
    key = Ed25519PrivateKey.from_private_bytes(b"\x02" * 32).public_key().public_bytes_raw()
    for name in vectors("entries"):
        made = nested("entries", name)
        if not isinstance(made, dict) or "id" not in made or name == PROOF:
            continue
        kind = bodies.SHARE if name in ("share", "blame") else bodies.PLAY
        body = octets(made["body"])
        assert bodies.entry(kind, body).id.hex() == made["id"]
        assert wire.signed(key, bodies.TAGS[kind], body, octets(made["signature"]))


def test_line_ups_and_leaves() -> None:
    found = vectors("entries")
    gathered = wire.hashed("gather", GAME, HEAD, 17, b"\x01" * 32, b"\x02" * 32)
    assert gathered.hex() == found["gather of ids 01*32, 02*32 at head bb*32, height 17"]
    for name in ("line-up", "line-up that begins with rows"):
        made = nested("entries", name)
        up = bodies.line_up(octets(made["body"]))
        assert (up.game, up.id.hex()) == (GAME, made["line-up id"])
        for seat, mark in bodies.seals(octets(made["signature"])):
            key = Ed25519PrivateKey.from_private_bytes(bytes((seat + 1,)) * 32).public_key()
            assert wire.signed(key.public_bytes_raw(), "lineup", octets(made["body"]), mark)
    leave = bodies.leave(octets(nested("entries", "leave")["body"]))
    assert (leave.game, leave.line_up, leave.attempt) == (GAME, 2, 3)
    assert bodies.program(octets(nested("entries", "program")["body"])) == ("kotp2p", "1.0")


def test_second_look() -> None:
    found = {name: octets(words) for name, words in vectors("second-look").items()}
    look = wire.derived(b"\x52" * 32, "look-key", TABLE, 9)
    assert look == found["secret of a look, seed 52*32, table cc*32, slot 9"]
    share = wire.derived(b"\x51" * 32, "share-key", TABLE, 9, found["its key"])
    assert share == found["secret of the share for it, seed 51*32"]
    secret = X25519PrivateKey.from_private_bytes(found["taker's secret"])
    common = secret.exchange(X25519PublicKey.from_public_bytes(found["giver's key"]))
    key = wire.derived(common, "seal", found["giver's key"], found["taker's key"])
    context = wire.encode([GAME, 17, 9, 0, 1])
    assert context == found["associated data"]
    opened = ChaCha20Poly1305(key).decrypt(bytes(12), found["sealed"], context)
    assert opened == found["contribution"]
    with pytest.raises(wire.Malformed):
        bodies.answer([12, found["refused key of a look"]])


def test_start() -> None:
    found = vectors("start")
    body = octets(found["genesis body"])
    made = genesis.read(body)
    assert (made.game.hex(), made.table.hex()) == (found["game id"], found["table"])
    assert genesis.assented(made, body, octets(found["seals"]))
    assert genesis.phrase(made.game) == found["phrase"]
    rows = wire.array(wire.array(wire.decode(body))[3])
    seals = [
        wire.hashed("nonce", made.table, made.seats[keeper].key, wire.encode(row))
        for keeper, row in zip(made.keepers, rows, strict=True)
    ]
    assert [seal.hex() for seal in seals] == found["sealed"]
    assert file.head(made.game[:16]).hex() == found["log head"]
    game = Game(made.setup)
    assert [number for _, number in game.position()] == found["first position"]
    assert game.digest().hex() == found["its digest"]


ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


def letters(data: bytes) -> str:
    number, many = int.from_bytes(data, "big"), len(data) * 8 // 5
    return "".join(ALPHABET[number >> 5 * n & 31] for n in reversed(range(many)))


def test_links() -> None:
    found = vectors("links")
    leaves = [octets(found[name]) for name in found if name.startswith("leaf of")]
    assert wire.hashed("binding", *leaves).hex() == found["binding"]
    said: list[wire.Value] = [True, octets(found["binding"])]
    hellos = [octets(found["dialler's HELLO"]), octets(found["listener's HELLO"])]
    message = wire.encode([*said, *map(wire.decode, hellos)])
    assert message.hex() == found["signed by the dialler"]
    keys = [wire.array(wire.decode(hello))[6] for hello in hellos]
    answer = wire.encode([False, *said[1:], *map(wire.decode, hellos)])
    for key, words, proof in zip(keys, (message, answer), ("dialler's", "listener's"), strict=True):
        assert isinstance(key, bytes)
        assert wire.signed(key, "hello", words, octets(found[f"{proof} proof"]))
    invited = nested("links", "invitation")
    mark = wire.hashed("fingerprint", octets(invited["host"]))[:10]
    assert letters(mark) == found["fingerprint of the host's key"].replace(" ", "").replace("-", "")
    content = b"\x01" + octets(invited["secret"]) + mark
    code = letters(content + wire.hashed("invitation", content)[:4])
    assert invited["link"] == f"kotp2p://192.168.1.20,[2001:db8::7]:4243/{code}"


@pytest.mark.parametrize("name", sorted(vectors("frames")))
def test_a_frame_is_a_length_and_an_array(name: str) -> None:
    data = octets(vectors("frames")[name])
    assert int.from_bytes(data[:4], "big") == len(data) - 4
    kind, *_ = wire.array(wire.decode(data[4:]))
    wire.need(isinstance(kind, int), wire.text(name))


# -- lineups ---------------------------------------------------------------------------------------

# docs/vectors/lineups.json: what comes to a keeper, and what it signs (PROTOCOL.md 9.3).


STORED = vectors("lineups")


def test_there_are_some_eighty() -> None:
    assert set(STORED) == set(SEQUENCES) and len(STORED) >= 78


@pytest.mark.parametrize("name", sorted(STORED))
def test_a_keeper_signs_what_the_sequence_says(name: str) -> None:
    events = STORED[name]["events"]
    assert play_sequence(STORED[name]) == [event["signs"] for event in events]


@pytest.mark.parametrize("name", sorted(STORED))
def test_a_sequence_is_what_the_code_writes(name: str) -> None:
    assert SEQUENCES[name]() == STORED[name]


@pytest.mark.parametrize("name", sorted(STORED))
def test_another_reader_takes_what_is_signed(name: str) -> None:
    genesis = read(bytes.fromhex(STORED[name]["genesis"]))
    for event in STORED[name]["events"]:
        for kind, body in event["signs"]:
            if kind in (PLAY, LINE_UP, LEAVE, SHARE):
                body_of(genesis, kind, bytes.fromhex(body))


# -- vector logs -----------------------------------------------------------------------------------

# docs/vectors/logs is what the code writes, and both verifiers say what its index says.


LOGS = VECTORS / "logs"
FILES = vector_logs.files()
INDEX: dict[str, dict[str, object]] = json.loads((LOGS / "index.json").read_text("utf-8"))


def test_the_index_names_all_files_and_no_other() -> None:
    assert set(INDEX) == set(FILES) == {path.name for path in LOGS.glob("*.kot*")}


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_log_is_what_the_code_writes_and_says_what_the_index_says(name: str) -> None:
    data = (LOGS / name).read_bytes()
    assert data == FILES[name]()
    assert INDEX[name] == vector_logs.saying(name, data)
    if name.endswith(".kotproof"):
        assert evidence(data).convicts == INDEX[name]["convicts"]
        return
    found = agree(data)
    assert INDEX[name] == {
        "verdict": found.result,
        "record": found.record,
        "offset": found.offset,
        "entries": found.entries,
        "winners": found.winners if found.winners is None else list(found.winners),
        "confirmed by": list(found.confirmed_by),
        "changes": [list(change) for change in found.changes],
        "phrase": found.phrase,
        "canonical": sha256(found.canonical).hexdigest() if found.canonical else "",
    }


@pytest.mark.parametrize("name", sorted(FILES))
def test_the_name_of_a_file_says_what_it_comes_to(name: str) -> None:
    said = INDEX[name]
    if name.endswith(".kotproof"):
        assert (said["convicts"] is None) == name.startswith("nothing-")
    else:
        wrong = name.startswith("wrong-")
        assert (said["verdict"] in ("wrong", "unreadable")) == wrong
