"""Another game with the people of the last one: which table one opens, and after whom."""

from dataclasses import replace
from typing import Any

import pytest

from kotp2p.extras.shell import rematch
from kotp2p.lobby.known_keys import KnownKeys
from kotp2p.peer.peer import Peer
from kotp2p.referee.box.rulesets import Options
from kotp2p.seams.commands import WatchOffer
from kotp2p.seams.endings import Ending, EndKind, LastTable
from kotp2p.seams.world import World
from kotp2p.shell.profile import Profile
from kotp2p.shell.run import HostOptions, SeatWish
from kotp2p.wire.frames import CodeTold
from kotp2p.wire.genesis import Clocks
from tests.support.five_players import MONSTERS, SEEDS, SIGNERS, genesis_of
from tests.support.memory_tables import Recorder
from tests.support.memory_world import MemoryNet, memory_disk, world

AT = (("10.0.0.9", 4242),)
TABLE = LastTable(
    0, Clocks(90, 30), (AT,) * 5, "10.0.0.1", 5151, bytes(10), WatchOffer(2),
    CodeTold(7412, 3, 5), frozenset(range(5)),
)  # fmt: skip


def last_of(seat: int, people: int, late: int = 0, **options: bool) -> Ending:
    game = genesis_of(people, **options)
    view = Peer(game, seat, SIGNERS[seat], SEEDS[seat]).view
    return Ending(EndKind.FINISHED, view=view, table=replace(TABLE, late=late))


def machine_of(seat: int) -> World:
    here = world(MemoryNet(), "10.0.0.1", "a")
    memory_disk(here).files[here.profile_folder / "key"] = SIGNERS[seat].secret()
    return here


@pytest.mark.parametrize(
    ("people", "late", "players", "for_two"),
    [(5, 0, 5, False), (5, 1, 6, False), (5, 2, 6, False), (2, 0, 2, True), (2, 1, 3, False)],
)
async def test_the_next_table_is_the_last_one_with_its_seats_moved_on_and_room_for_the_late(
    people: int, late: int, players: int, for_two: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    gathered = list[rematch.Gathering]()

    async def note(gathering: rematch.Gathering) -> Ending:
        gathered.append(gathering)
        return Ending(EndKind.LEFT)

    monkeypatch.setattr(rematch.Gathering, "run", note)
    last, front = last_of(1, people, late, two_player=people == 2), Recorder("")
    await rematch.play_again(machine_of(1), SeatWish("Rex"), last, front, "hard")
    (made,) = gathered
    keys, monsters = [signer.key for signer in SIGNERS[:people]], MONSTERS[:people]
    assert made.options == HostOptions(
        rules="second", players=players, level="hard", start_when_full=True, bind="10.0.0.1",
        port=5151, options=Options(two_player=for_two), energy_for_two=people == 2,
        clocks=Clocks(90, 30), secret=bytes(10), order=(*keys[1:], keys[0]),
        monsters=(*monsters[1:], monsters[0]), watch=WatchOffer(2), code=CodeTold(7412, 3, 5),
    )  # fmt: skip
    assert (made.search.view, made.search.last, made.front) == (last.view, last.table, front)


@pytest.mark.parametrize(
    ("seat", "changed", "seconds"),
    [
        (0, {}, 0), (2, {}, 10), (2, {"host": 4}, 15), (4, {"host": 4}, 0), (0, {"host": 1}, 5),
        (2, {"present": frozenset({0, 4})}, 5), (2, {"relayed": frozenset({1})}, 26),
        (2, {"relayed": frozenset({2})}, 10), (2, {"targets": (AT, AT, AT, (), AT)}, 26),
        (2, {"targets": (AT, AT, (), AT, AT)}, 10),
        (2, {"relayed": frozenset({1}), "code": None}, 10),
    ],
)  # fmt: skip
async def test_one_waits_for_those_before_longer_where_a_code_is_needed(
    seat: int, changed: dict[str, Any], seconds: int
) -> None:
    last, profile = last_of(seat, 5), Profile(SIGNERS[seat], False, KnownKeys())
    assert last.view is not None
    table = replace(TABLE, **changed)
    search = rematch.TableSearch(machine_of(seat), profile, last.view, table)
    assert search.seconds_to_turn == seconds
    assert search.others == [other for other in range(5) if other != seat]
