"""Every number, byte string and list of a body or frame has the bounds that PROTOCOL.md states: a
reader takes the first and the last value, and nothing beyond (sections 2, 4, 5, 6 and 9)."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

from kotp2p.referee.box.rulesets import Options
from kotp2p.wire.addresses import SignedAddress
from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import MAX_INT, BadBytes, Value, pack, unpack
from kotp2p.wire.entries import BodyKind, ChatLine, Entry, Head, Signed
from kotp2p.wire.frames import Lobby, decode, encode
from kotp2p.wire.genesis import Clocks, LobbyOptions
from kotp2p.wire.lineups import Here, Leave, LineUp, Ready, Wish
from kotp2p.wire.records import MAX_LOG_BYTES, ProgramNamed
from tests.tools.vector_table import GAME, HEAD_BYTES, fill
from tests.tools.vectors import BY_HAND, FILES, FOLDER

Path = tuple[int, ...]
SEAT, ATTEMPT, HEIGHT, ANY = (0, 5), (0, 1_000_000), (0, 1_000_000), (0, MAX_INT)
KEY = Signer(fill(1)).key


@dataclass(frozen=True)
class Form:
    """A kind of body or frame: a right value, and by path the bounds of its parts."""

    read: Callable[[bytes], object]
    """Raises BadBytes."""
    value: tuple[Value, ...]
    numbers: dict[Path, tuple[int, int]] = field(default_factory=dict)
    sizes: dict[Path, int] = field(default_factory=dict)
    """Of byte strings that have one size."""
    lists: dict[Path, tuple[int, int, Callable[[int], tuple[Value, ...]]]] = field(
        default_factory=dict
    )
    """The least and the greatest length, and a list of any length whose members are right."""
    texts: dict[Path, int] = field(default_factory=dict)
    """The most characters."""
    truths: tuple[Path, ...] = ()


def seats(number: int) -> tuple[Value, ...]:
    return tuple(range(number))


def ids(number: int) -> tuple[Value, ...]:
    return tuple(n.to_bytes(32, "big") for n in range(number))


def same(item: Value) -> Callable[[int], tuple[Value, ...]]:
    return lambda number: (item,) * number


def of_game(kind: BodyKind, parse: Callable[[Signed, bytes], object]) -> Callable[[bytes], object]:
    return lambda body: parse(Signed(kind, body, bytes(64)), GAME)


def entry(kind: BodyKind) -> Callable[[bytes], object]:
    return lambda body: Entry.parse(Signed(kind, body, bytes(64)))


def without_marks(frame: bytes) -> object:
    """A LOBBY with as many places as it should have marks."""
    fields = unpack(frame)
    assert isinstance(fields, tuple)
    marks = (b"",) * len(fields[1]) if len(fields) == 5 and isinstance(fields[1], tuple) else ()
    return decode(pack((*fields, marks)))


def before(kind: int, payload: Value) -> tuple[Value, ...]:
    return (0, 0, HEAD_BYTES, 0, kind, payload)


def line_up(body: bytes) -> object:
    return LineUp.parse(body, GAME)


def program(body: bytes) -> object:
    return ProgramNamed.parse(Signed(BodyKind.PROGRAM, body, b""))


def gone(number: int) -> tuple[Value, ...]:
    """A plan in which the first keepers are absent."""
    return tuple((keeper, 3, None) for keeper in range(number))


def unwanted(number: int) -> tuple[Value, ...]:
    return tuple((keeper, bytes(8)) for keeper in range(number))


OF_ENTRY: dict[Path, tuple[int, int]] = {(0,): ATTEMPT, (1,): HEIGHT, (3,): SEAT}
OF_ENTRY_SIZES: dict[Path, int] = {(2,): 32}
PLAY, SHARE = entry(BodyKind.PLAY), entry(BodyKind.SHARE)
ROW: Value = (fill(1), ids(2), tuple(ids(10)[2:]))
MOST_BYTES = same(fill(7))
FORMS = {
    "answer": Form(PLAY, before(1, (3,)), OF_ENTRY, OF_ENTRY_SIZES),
    "opening": Form(
        PLAY,
        before(2, ((fill(1),), (fill(2),), fill(3), fill(4))),
        OF_ENTRY,
        OF_ENTRY_SIZES | {(5, 0, 0): 32, (5, 1, 0): 32, (5, 2): 32, (5, 3): 32},
        {(5, 0): (0, 8, MOST_BYTES), (5, 1): (0, 8, MOST_BYTES)},
    ),
    "rows": Form(
        PLAY,
        before(3, (ids(2), ids(8))),
        OF_ENTRY,
        OF_ENTRY_SIZES | {(5, 0, 0): 32, (5, 1, 0): 32},
        {(5, 0): (2, 2, ids), (5, 1): (8, 8, ids)},
    ),
    "share": Form(
        SHARE,
        before(4, (KEY, bytes(48))),
        OF_ENTRY,
        OF_ENTRY_SIZES | {(5, 0): 32, (5, 1): 48},
    ),
    "blame": Form(
        SHARE, before(5, (bytes(32),)), OF_ENTRY, OF_ENTRY_SIZES | {(5, 0): 32}
    ),
    "witness": Form(PLAY, before(6, None), OF_ENTRY, OF_ENTRY_SIZES),
    "end": Form(
        PLAY,
        before(7, ((0,), fill(1))),
        OF_ENTRY | {(5, 0, 0): SEAT},
        OF_ENTRY_SIZES | {(5, 1): 32},
        {(5, 0): (0, 6, seats)},
    ),
    "line-up": Form(
        line_up,
        (GAME, 1, fill(1), 0, HEAD_BYTES, fill(2), ((0, 1, None),), (fill(3),)),
        {(1,): (1, 1_000_000), (3,): HEIGHT, (6, 0, 0): SEAT, (6, 0, 1): (1, 3)},
        {(0,): 32, (2,): 32, (4,): 32, (5,): 32, (7, 0): 32},
        {(6,): (0, 6, gone), (7,): (0, 6, ids)},
    ),
    "line-up with one that is back": Form(
        line_up,
        (GAME, 1, fill(1), 0, HEAD_BYTES, fill(2), ((0, 4, bytes(8)),), None),
        {(6, 0, 1): (4, 5)},
        {(6, 0, 2): 8},
    ),
    "leave": Form(
        of_game(BodyKind.LEAVE, Leave.parse),
        (GAME, 0, 0, 1_000_000),
        {(1,): SEAT, (2,): ATTEMPT},
        {(0,): 32},
    ),
    "leave of an assent": Form(
        of_game(BodyKind.LEAVE, Leave.parse), (GAME, 0, 7, 7), {(3,): (7, 1_000_000)}, {(0,): 32}
    ),
    "ready": Form(
        of_game(BodyKind.READY, Ready.parse),
        (GAME, 0, 1, fill(1), bytes(8)),
        {(1,): SEAT, (2,): (1, 1_000_000)},
        {(0,): 32, (3,): 32, (4,): 8},
    ),
    "head": Form(
        of_game(BodyKind.HEAD, Head.parse),
        (GAME, 0, 0, HEAD_BYTES, 0, bytes(8), 0),
        {(1,): ATTEMPT, (2,): HEIGHT, (4,): SEAT, (6,): ANY},
        {(0,): 32, (3,): 32, (5,): 8},
    ),
    "wish": Form(
        of_game(BodyKind.WISH, Wish.parse),
        (GAME, 0, 0, (0,), ((0, bytes(8)),), 0),
        {(1,): SEAT, (2,): ANY, (3, 0): SEAT, (4, 0, 0): SEAT, (5,): (0, 3)},
        {(0,): 32, (4, 0, 1): 8},
        {(3,): (0, 6, seats), (4,): (0, 6, unwanted)},
    ),
    "here": Form(
        of_game(BodyKind.HERE, Here.parse), (GAME, 0, bytes(8)), {(1,): SEAT}, {(0,): 32, (2,): 8}
    ),
    "program": Form(program, ("kotp2p", "1.0"), texts={(0,): 64, (1,): 64}),
    "address": Form(
        of_game(BodyKind.ADDRESS, SignedAddress.parse),
        (GAME, 0, 0, (("10.0.0.1", 1),), "tcp:relay.test:4001", bytes(32)),
        {(1,): SEAT, (2,): ANY, (3, 0, 1): (1, 65_535)},
        {(0,): 32, (5,): 32},
        {(3,): (0, 16, same(("10.0.0.1", 1))), (3, 0): (2, 2, lambda n: ("10.0.0.1", 1, 1)[:n])},
    ),
    "chat": Form(
        of_game(BodyKind.CHAT, ChatLine.parse),
        (GAME, 0, 0, "hi"),
        {(1,): SEAT, (2,): ANY},
        {(0,): 32},
        texts={(3,): 200},
    ),
    "HELLO": Form(
        decode,
        (64, 6, 2, 0, bytes(8), bytes(32), KEY, bytes(32)),
        {(1,): ANY, (2,): ANY, (3,): (0, 1)},
        {(4,): 8, (5,): 32, (6,): 32, (7,): 32},
    ),
    "PROOF": Form(decode, (65, bytes(64)), sizes={(1,): 64}),
    "REFUSAL": Form(
        decode, (66, 0, 0, 0, "no"), {(1,): ANY, (2,): ANY, (3,): ANY}, texts={(4,): 200}
    ),
    "SIT": Form(
        decode,
        (67, "Ana", "Gigazaur", 0, False, bytes(16), False),
        {(3,): (0, 65_535)},
        {(5,): 16},
        texts={(1,): 24, (2,): 24},
        truths=((4,), (6,)),
    ),
    "LOBBY": Form(
        without_marks,
        (
            68,
            ((KEY, "Ana", "Gigazaur", True, False, False, bytes(16)), None),
            "second",
            (False, False, "red"),
            (0, 0),
        ),
        {(4, 0): (0, 86_400), (4, 1): (0, 86_400)},
        {(1, 0, 0): 32, (1, 0, 6): 16},
        {(1,): (0, 6, same(None)), (4,): (2, 2, same(0))},
        {(2,): 32},
        ((1, 0, 3), (1, 0, 4), (1, 0, 5)),
    ),
    "LOBBY with marks": Form(
        decode,
        (68, (None, None), "second", (False, False, "red"), (0, 0), (bytes(64), b"")),
        sizes={(5, 0): 64},
        lists={(5,): (2, 2, same(bytes(64)))},
    ),
    "CHOOSE": Form(decode, (86, 0, "Ana", "Kraken"), {(1,): ANY}, texts={(2,): 24, (3,): 24}),
    "READY": Form(decode, (87, 0, bytes(64)), {(1,): ANY}, {(2,): 64}),
    "DENIED": Form(decode, (88, 0, 0), {(1,): ANY, (2,): ANY}),
    "STAND": Form(decode, (69,)),
    "CLOSED": Form(decode, (70, 0), {(1,): ANY}),
    "SEALED": Form(decode, (72, bytes(32), bytes(32)), sizes={(1,): 32, (2,): 32}),
    "ALL-SEALED": Form(
        decode, (73, bytes(32), ids(1)), sizes={(1,): 32, (2, 0): 32}, lists={(2,): (0, 6, ids)}
    ),
    "ROW": Form(
        decode,
        (74, bytes(32), ROW),
        sizes={(1,): 32, (2, 0): 32, (2, 1, 0): 32, (2, 2, 0): 32},
        lists={(2, 1): (2, 2, ids), (2, 2): (8, 8, ids)},
    ),
    "GENESIS-SHOWN": Form(decode, (75, b"body")),
    "LINKS": Form(decode, (78, (0,)), {(1, 0): SEAT}, lists={(1,): (0, 6, seats)}),
    "WANT": Form(decode, (79, 0, 0), {(1,): ATTEMPT, (2,): HEIGHT}),
    "CODE": Form(
        decode, (93, 7412, 0, 0), {(1,): (1000, 9999), (2,): (0, 2047), (3,): (0, 2047)}
    ),
    "POSITION": Form(decode, (81, 0, (0,)), {(1,): HEIGHT, (2, 0): ANY}),
    "PING": Form(decode, (82,)),
    "SAID": Form(decode, (83, b"body", bytes(64)), sizes={(2,): 64}),
    "WATCH": Form(
        decode, (89, 0, bytes(32)), {(1,): (0, MAX_LOG_BYTES)}, {(2,): 32}
    ),
    "WATCH again": Form(decode, (89, 1, b"")),
    "ADMITTED": Form(decode, (90, 0, False), {(1,): (0, MAX_LOG_BYTES)}, truths=((2,),)),
    "LOG-PART": Form(decode, (91, 0, b"x"), {(1,): (0, MAX_LOG_BYTES)}),
    "UNSURE": Form(
        decode, (84, (KEY,)), sizes={(1, 0): 32}, lists={(1,): (0, 6, same(KEY))}
    ),
    "DECLINED": Form(decode, (85, bytes(32)), sizes={(1,): 32}),
}  # fmt: skip


def put(value: Value, path: Path, new: Value) -> Value:
    if not path:
        return new
    assert isinstance(value, tuple)
    at, *rest = path
    return (*value[:at], put(value[at], tuple(rest), new), *value[at + 1 :])


def find(value: Value, path: Path) -> Value:
    for at in path:
        assert isinstance(value, tuple)
        value = value[at]
    return value


def takes(form: Form, value: Value) -> bool:
    try:
        form.read(pack(value))
    except BadBytes:
        return False
    return True


def beyond(form: Form) -> Iterator[tuple[Path, Value]]:
    """Each place, with a value that is a little too small or too large there."""
    for path, (least, most) in form.numbers.items():
        yield from ((path, number) for number in (least - 1, most + 1) if 0 <= number <= MAX_INT)
    for path, size in form.sizes.items():
        yield from ((path, bytes((1,)) * (size + more)) for more in (-1, 1))
    for path, (least, most, make) in form.lists.items():
        yield from ((path, make(size)) for size in (least - 1, most + 1) if size >= 0)
    for path, length in form.texts.items():
        yield path, "x" * (length + 1)


@pytest.mark.parametrize("name", FORMS)
def test_each_part_takes_its_first_and_its_last_value(name: str) -> None:
    form = FORMS[name]
    assert takes(form, form.value)
    for path, bounds in form.numbers.items():
        for number in bounds:
            assert takes(form, put(form.value, path, number)), (path, number)
    for path, (least, most, make) in form.lists.items():
        for size in (least, most):
            assert takes(form, put(form.value, path, make(size))), (path, size)
    for path, length in form.texts.items():
        assert takes(form, put(form.value, path, "x" * length)), path
    for path in form.truths:
        assert takes(form, put(form.value, path, True)), path


@pytest.mark.parametrize("name", FORMS)
def test_no_part_takes_a_value_beyond(name: str) -> None:
    form = FORMS[name]
    for path, wrong in beyond(form):
        assert not takes(form, put(form.value, path, wrong)), (path, wrong)


@pytest.mark.parametrize("name", FORMS)
def test_no_field_may_be_missing_and_none_is_left_over(name: str) -> None:
    form = FORMS[name]
    lists = [(), *(p for p in form.lists if form.lists[p][0] == form.lists[p][1])]
    lists += {path[:-1] for path in form.truths if len(path) > 1}
    if isinstance(find(form.value, (-1,)), tuple) and name in ("answer", "opening", "rows"):
        lists.append((5,))
    for path in lists:
        value = find(form.value, path)
        assert isinstance(value, tuple)
        assert not takes(form, put(form.value, path, value[:-1])), path
        assert not takes(form, put(form.value, path, (*value, 0))), path


@pytest.mark.parametrize("name", FORMS)
def test_each_part_has_its_type(name: str) -> None:
    form = FORMS[name]
    for path in (*form.numbers, *form.sizes, *form.lists, *form.texts, *form.truths):
        for wrong in (True, 0, b"", "", ()):
            if type(wrong) is not type(find(form.value, path)):
                assert not takes(form, put(form.value, path, wrong)), (path, wrong)


@pytest.mark.parametrize("name", [name for name in FORMS if (0,) in FORMS[name].sizes])
def test_a_body_of_another_game_is_refused(name: str) -> None:
    form = FORMS[name]
    assert not takes(form, put(form.value, (0,), fill(0xAB)))


UNORDERED: dict[str, list[tuple[Path, Value]]] = {
    "line-up": [((6,), gone(2)[::-1]), ((6,), (*gone(1), *gone(1)))],
    "wish": [
        ((3,), (1, 0)), ((3,), (1, 1)),
        ((4,), unwanted(2)[::-1]), ((4,), (*unwanted(1), *unwanted(1))),
    ],
    "end": [((5, 0), (1, 0)), ((5, 0), (1, 1))],
    "LINKS": [((1,), (1, 0)), ((1,), (1, 1))],
}  # fmt: skip


@pytest.mark.parametrize("name", UNORDERED)
def test_a_list_that_ascends_names_nothing_twice(name: str) -> None:
    for path, wrong in UNORDERED[name]:
        assert not takes(FORMS[name], put(FORMS[name].value, path, wrong)), wrong


@pytest.mark.parametrize("reason", [1, 2, 3])
def test_a_keeper_that_is_put_out_names_no_process(reason: int) -> None:
    form = FORMS["line-up"]
    assert takes(form, put(form.value, (6, 0), (0, reason, None)))
    assert not takes(form, put(form.value, (6, 0), (0, reason, bytes(8))))


@pytest.mark.parametrize("reason", [4, 5])
def test_a_keeper_that_plays_on_names_its_process(reason: int) -> None:
    form = FORMS["line-up"]
    assert takes(form, put(form.value, (6, 0), (0, reason, bytes(8))))
    assert not takes(form, put(form.value, (6, 0), (0, reason, None)))


def test_a_leave_is_in_no_line_up_above_the_assent_that_it_names() -> None:
    form = FORMS["leave"]
    assert takes(form, (GAME, 0, 7, 7))
    assert not takes(form, (GAME, 0, 8, 7))


def test_a_line_up_may_keep_no_open_gather() -> None:
    form = FORMS["line-up"]
    assert takes(form, put(form.value, (7,), None))


@pytest.mark.parametrize(
    ("read", "kind"),
    [(SHARE, 1), (SHARE, 2), (SHARE, 3), (SHARE, 6), (SHARE, 7), (PLAY, 4), (PLAY, 5)],
)
def test_an_entry_is_of_the_class_of_its_type(read: Callable[[bytes], object], kind: int) -> None:
    named = {1: "answer", 2: "opening", 3: "rows", 4: "share", 5: "blame", 6: "witness", 7: "end"}
    value = FORMS[named[kind]].value
    assert value[4] == kind
    with pytest.raises(BadBytes):
        read(pack(value))


@pytest.mark.parametrize("kind", [0, 8])
def test_an_entry_is_of_a_type_that_there_is(kind: int) -> None:
    value = put(FORMS["answer"].value, (4,), kind)
    for read in (PLAY, SHARE):
        with pytest.raises(BadBytes):
            read(pack(value))


# -- options of the table -----------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        LobbyOptions(),
        LobbyOptions(Options(two_player=True)),
        LobbyOptions(Options(bay_for_beginners=True)),
        LobbyOptions(Options(tile_sides="mixed")),
        LobbyOptions(clocks=Clocks(90, 0)),
        LobbyOptions(clocks=Clocks(0, 86_400)),
    ],
)
def test_options_are_written_and_read_back(options: LobbyOptions) -> None:
    lobby = Lobby((None, None), "second", options)
    assert decode(encode(lobby)[4:]) == lobby


@pytest.mark.parametrize(
    ("options", "clocks"),
    [
        ((False, False, "blue"), (120, 45)),
        ((False, False), (120, 45)),
        ((False, False, "red", "new=1"), (120, 45)),
        ((0, False, "red"), (120, 45)),
        ((False, False, "red"), (86_401, 45)),
        ((False, False, "red"), (120,)),
        ((False, False, "red"), ()),
    ],
)
def test_options_that_this_version_does_not_know_are_no_lobby(
    options: tuple[object, ...], clocks: tuple[object, ...]
) -> None:
    with pytest.raises(BadBytes):
        Lobby.parse(((None, None), "second", options, clocks))


# -- vectors ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_vector_file_is_what_the_code_does(name: str) -> None:
    assert json.loads((FOLDER / name).read_text("utf-8")) == FILES[name]()


def test_there_is_no_vector_file_that_nothing_checks() -> None:
    assert {path.name for path in FOLDER.glob("*.json")} == BY_HAND | set(FILES)
