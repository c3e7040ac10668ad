"""What a genesis must hold before anybody plays by it (PROTOCOL.md 6.2 and 6.3)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kotp2p.wire.crypto import Tag
from kotp2p.wire.encoding import BadBytes, Value, pack, unpack
from kotp2p.wire.genesis import (
    Charter,
    Clocks,
    Genesis,
    OtherVersion,
    Player,
    check_rows,
    parse_options,
    table_id,
)
from referee.box.setup import Options
from tests.tools.vector_table import SEATS, fill, small_genesis

GENESIS, ROWS = small_genesis()
CHARTER = GENESIS.charter
SIGNATURES = [signer.sign(Tag.GENESIS, GENESIS.body) for signer in SEATS]


def with_players(*players: Player, host: int = 0) -> Charter:
    at = host if host < len(players) else 0
    return replace(CHARTER, players=players, host=host, table=table_id(players, at, CHARTER.fresh))


def test_a_genesis_that_all_have_signed_is_read_as_it_was_built() -> None:
    found = Genesis.parse(GENESIS.body, SIGNATURES)
    assert (found.charter, found.rows, found.id) == (CHARTER, tuple(ROWS), GENESIS.id)
    assert found.signatures == tuple(SIGNATURES)


@pytest.mark.parametrize("seat", range(3))
def test_a_genesis_needs_the_signature_of_each_seat(seat: int) -> None:
    by_another = [*SIGNATURES]
    by_another[seat] = SIGNATURES[seat - 1]
    for wrong in (by_another, SIGNATURES[:-1], [*SIGNATURES, SIGNATURES[0]]):
        with pytest.raises(BadBytes):
            Genesis.parse(GENESIS.body, wrong)


def test_another_version_is_known_whatever_follows_it() -> None:
    for versions in ((1, 1), (5, 3), (6, 2)):
        with pytest.raises(OtherVersion):
            Genesis.parse(pack((*versions, "of another form")))
        with pytest.raises(OtherVersion):
            Genesis.parse(pack(versions))
    for value in ((), (5,)):
        with pytest.raises(BadBytes):
            Genesis.parse(pack(value))


def test_a_commitment_stands_once_in_a_genesis() -> None:
    dice = (ROWS[1].dice[0], ROWS[0].dice[1])
    copied = [replace(ROWS[0], dice=dice), *ROWS[1:]]
    with pytest.raises(BadBytes):
        check_rows(copied)
    with pytest.raises(BadBytes):
        Genesis.build(CHARTER, copied)


def test_a_genesis_has_a_row_for_each_seat() -> None:
    for rows in (ROWS[:-1], [*ROWS, ROWS[0]]):
        with pytest.raises(BadBytes):
            Genesis.build(CHARTER, rows)


def test_a_charter_is_of_a_game_that_can_be_played() -> None:
    CHARTER.check_playable()
    ana, rex, otto = CHARTER.players
    six = [replace(rex, name=f"Guest {n}", key=fill(n)) for n in (65, 66, 67, 68)]
    with_players(ana, rex).check_playable()
    last = with_players(ana, rex, *six, host=5)
    assert Charter.parse(unpack(pack(last.value()))).host == 5
    for wrong in (
        with_players(ana),
        with_players(ana, rex, *six, replace(rex, name="Zoe", key=fill(69))),
        with_players(ana, replace(rex, key=ana.key)),
        with_players(ana, replace(rex, name="ANA")),
        with_players(ana, rex, host=2),
        with_players(otto, ana),
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
    assert Charter.parse(value) == CHARTER
    changed: list[Value] = [value[:-1], (*value, 0)]
    for at, wrong in ((0, bytes(31)), (1, bytes(31)), (2, "x" * 33), (5, 1), (5, 6), (6, (0,))):
        changed.append((*value[:at], wrong, *value[at + 1 :]))
    players = value[4]
    assert isinstance(players, tuple)
    first = players[0]
    assert isinstance(first, tuple)
    for player in (
        first[:-1],
        (*first, 0),
        (bytes(32), *first[1:]),
        (*first[:4], 1, False),
        (*first[:5], 1),
    ):
        changed.append((*value[:4], (player, *players[1:]), *value[5:]))
    for wrong_charter in changed:
        with pytest.raises(BadBytes):
            Charter.parse(wrong_charter)


def test_a_bot_is_kept_by_the_host_and_a_person_by_themselves() -> None:
    found = Charter.parse(unpack(pack(CHARTER.value())))
    assert [player.keeper for player in found.players] == [0, 1, 0]


def test_a_seat_for_which_a_bot_answers_is_marked_and_keeps_itself() -> None:
    marked = with_players(*(replace(p, automatic=not p.bot) for p in CHARTER.players))
    value = unpack(pack(marked.value()))
    found = Charter.parse(value)
    assert found == marked
    assert [player.keeper for player in found.players] == [0, 1, 0]
    assert all(player.is_played_by_bot for player in found.players)
    assert isinstance(value, tuple)
    rows = value[4]
    assert isinstance(rows, tuple)
    for seat, wrong in (0, 1), (0, None), (2, True):
        changed = (*rows[:seat], (*rows[seat][:-1], wrong), *rows[seat + 1 :])
        with pytest.raises(BadBytes):
            Charter.parse((*value[:4], changed, *value[5:]))


def test_clocks_and_options_have_their_bounds() -> None:
    for ends in ((0, 86_400), (86_400, 0)):
        assert Clocks.parse(ends).value() == ends
    for wrong in ((86_401, 0), (0, 86_401), (0,), (0, 0, 0)):
        with pytest.raises(BadBytes):
            Clocks.parse(wrong)
    assert parse_options((True, False, "mixed")) == Options(two_player=True, tile_sides="mixed")
    for value in ((1, False, "red"), (True, 0, "red"), (True, False, "blue"), (True, False)):
        with pytest.raises(BadBytes):
            parse_options(value)
