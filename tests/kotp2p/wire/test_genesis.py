"""What a genesis must hold before anybody plays by it (PROTOCOL.md 6.2 and 6.3)."""

from dataclasses import replace

import pytest

from kotp2p.referee.box.rulesets import Options
from kotp2p.wire import genesis
from kotp2p.wire.crypto import Tag
from kotp2p.wire.encoding import BadBytes, Value, pack, unpack
from kotp2p.wire.entries import pack_seals
from tests.tools.vector_table import SEATS, fill, small_genesis

GENESIS, ROWS = small_genesis()
CHARTER = GENESIS.charter
SEALS = {seat: SEATS[seat].sign(Tag.GENESIS, GENESIS.body) for seat in GENESIS.keepers}


def with_players(*players: genesis.Player, host: int = 0) -> genesis.Charter:
    at = host if host < len(players) else 0
    return replace(
        CHARTER, players=players, host=host, table=genesis.table_id(players, at, CHARTER.fresh)
    )


def test_a_genesis_that_all_have_signed_is_read_as_it_was_built() -> None:
    found = genesis.Genesis.parse(GENESIS.body, pack_seals(SEALS))
    assert (found.charter, found.rows, found.id) == (CHARTER, tuple(ROWS), GENESIS.id)
    assert found.seals == SEALS
    assert found.signed.signature == pack_seals(SEALS)


@pytest.mark.parametrize("keeper", GENESIS.keepers)
def test_a_genesis_needs_the_signature_of_each_keeper(keeper: int) -> None:
    by_another = {**SEALS, keeper: SEALS[1 - keeper]}
    less = {seat: seal for seat, seal in SEALS.items() if seat != keeper}
    of_a_bot = {**SEALS, 2: SEATS[0].sign(Tag.GENESIS, GENESIS.body)}
    for wrong in (by_another, less, of_a_bot):
        with pytest.raises(BadBytes):
            genesis.Genesis.parse(GENESIS.body, pack_seals(wrong))


def test_another_version_is_known_whatever_follows_it() -> None:
    for versions in ((1, 1), (5, 2), (6, 3), (7, 2)):
        with pytest.raises(genesis.OtherVersion):
            genesis.Genesis.parse(pack((*versions, "of another form")))
        with pytest.raises(genesis.OtherVersion):
            genesis.Genesis.parse(pack(versions))
    for value in ((), (6,)):
        with pytest.raises(BadBytes):
            genesis.Genesis.parse(pack(value))


def test_a_commitment_stands_once_in_a_genesis() -> None:
    dice = (ROWS[1].dice[0], ROWS[0].dice[1])
    copied = [replace(ROWS[0], dice=dice), *ROWS[1:]]
    with pytest.raises(BadBytes):
        genesis.check_rows(copied)
    with pytest.raises(BadBytes):
        genesis.Genesis.build(CHARTER, copied)


def test_a_genesis_has_a_row_for_each_keeper() -> None:
    for rows in (ROWS[:-1], [*ROWS, ROWS[0]]):
        with pytest.raises(BadBytes):
            genesis.Genesis.build(CHARTER, rows)


def test_a_charter_is_of_a_game_that_can_be_played() -> None:
    CHARTER.check_playable()
    ana, rex, otto = CHARTER.players
    six = [replace(rex, name=f"Guest {n}", key=fill(63 + n), keeper=n) for n in (2, 3, 4, 5)]
    with_players(ana, rex).check_playable()
    last = with_players(ana, rex, *six, host=5)
    assert genesis.Charter.parse(unpack(pack(last.value()))).host == 5
    for wrong in (
        with_players(ana),
        with_players(ana, rex, *six, replace(rex, name="Zoe", key=fill(69), keeper=6)),
        with_players(ana, replace(rex, key=ana.key)),
        with_players(ana, replace(rex, name="ANA")),
        with_players(ana, rex, host=2),
        with_players(replace(otto, keeper=1), replace(ana, keeper=1)),
        with_players(ana, rex, otto, host=2),
        replace(CHARTER, rules="third"),
        replace(CHARTER, table=bytes(32)),
        replace(CHARTER, options=Options(two_player=True)),
        replace(CHARTER, options=Options(tile_sides="green")),
        replace(CHARTER, options=Options(bay_for_beginners=True)),
    ):
        with pytest.raises(BadBytes):
            wrong.check_playable()


def test_a_charter_has_its_fields_and_no_others() -> None:
    value = unpack(pack(CHARTER.value()))
    assert isinstance(value, tuple)
    assert genesis.Charter.parse(value) == CHARTER
    changed: list[Value] = [value[:-1], (*value, 0)]
    wrong_fields: list[tuple[int, Value]] = [
        (0, bytes(31)), (1, bytes(31)), (2, 0), (3, "x" * 33), (6, 2), (6, 6), (7, (0,)),
        (4, (1, False, "red")), (4, (True, 0, "red")),
    ]  # fmt: skip
    for at, wrong in wrong_fields:
        changed.append((*value[:at], wrong, *value[at + 1 :]))
    for owned in (
        first_seat(value)[:-1],
        (*first_seat(value), 0),
        (bytes(32), *first_seat(value)[1:]),
        (*first_seat(value)[:3], 1, False),
        (*first_seat(value)[:4], 1),
    ):
        changed.append(with_seat(value, 0, owned))
    for wrong_charter in changed:
        with pytest.raises(BadBytes):
            genesis.Charter.parse(wrong_charter)
    with pytest.raises(BadBytes):
        genesis.parse_options((True, False, "blue"))


def first_seat(value: tuple[Value, ...]) -> tuple[Value, ...]:
    seats = value[5]
    assert isinstance(seats, tuple)
    first = seats[0]
    assert isinstance(first, tuple)
    return first


def with_seat(value: tuple[Value, ...], seat: int, changed: Value) -> Value:
    seats = value[5]
    assert isinstance(seats, tuple)
    return (*value[:5], (*seats[:seat], changed, *seats[seat + 1 :]), *value[6:])


def test_a_seat_for_which_a_bot_answers_is_marked_and_keeps_itself() -> None:
    marked = with_players(*(replace(p, automatic=True) for p in CHARTER.players))
    found = genesis.Charter.parse(unpack(pack(marked.value())))
    assert found == marked
    assert [player.keeper for player in found.players] == [0, 1, 0]
    assert [genesis.is_bot(found.players, seat) for seat in range(3)] == [False, False, True]


def test_a_second_person_may_sit_at_the_machine_of_another_seat() -> None:
    ana, rex, otto = CHARTER.players
    both = with_players(ana, rex, replace(otto, automatic=False))
    found = genesis.Charter.parse(unpack(pack(both.value())))
    assert found == both
    assert found.players[2].key == ana.key
    assert not genesis.is_bot(found.players, 2)


@pytest.mark.parametrize(
    ("owner", "one_game"),
    [(2, False), (3, False), (6, False), (0, True), (None, False)],
    ids=["its own", "no seat", "beyond the last", "a key for one game", "nobody"],
)
def test_a_kept_seat_names_a_seat_that_keeps_itself(owner: Value, one_game: bool) -> None:
    value = unpack(pack(CHARTER.value()))
    assert isinstance(value, tuple)
    with pytest.raises(BadBytes):
        genesis.Charter.parse(with_seat(value, 2, (owner, "Otto", "Alienoid", True, one_game)))
    assert (
        genesis.Charter.parse(with_seat(value, 2, (0, "Otto", "Alienoid", True, False))) == CHARTER
    )


def test_a_keeper_of_another_seat_is_kept_by_nobody() -> None:
    ana, rex, otto = CHARTER.players
    with pytest.raises(BadBytes):
        genesis.Charter.parse(
            unpack(pack(with_players(ana, replace(rex, keeper=0), replace(otto, keeper=1)).value()))
        )
