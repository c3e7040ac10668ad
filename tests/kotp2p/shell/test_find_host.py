"""What a guest is told when the table that it dials does not let it in."""

from dataclasses import dataclass, field
from typing import cast
from unittest.mock import AsyncMock, Mock

import pytest
import trio

from kotp2p.net.connections import Connections
from kotp2p.net.handshake import ClosedSilently, NotInvited
from kotp2p.seams.endings import EndKind
from kotp2p.seams.world import CannotReach
from kotp2p.shell import find_host
from kotp2p.wire.crypto import OPEN_TABLE_SECRET


class Closed:
    async def dial_host(self, *_: object) -> None:
        raise NotInvited("a certificate of another table")


@pytest.mark.parametrize(
    ("secret", "kind"),
    [(OPEN_TABLE_SECRET, EndKind.NOT_INVITED), (b"0123456789", EndKind.OTHER_TABLE)],
)
async def test_without_an_invitation_one_is_needed_and_with_one_it_is_of_another_table(
    secret: bytes, kind: EndKind
) -> None:
    table = find_host.TableAddress(("10.0.0.1",), 4242, secret)
    with pytest.raises(find_host.NotSeated) as refused:
        await find_host._connect_at(cast(Connections, Closed()), table, "10.0.0.1")
    assert refused.value.ending.kind is kind


@dataclass
class Broken:
    """What is there breaks off in the handshake."""

    dialled: list[str] = field(default_factory=list)

    async def dial_host(self, place: str, *_: object) -> None:
        self.dialled.append(place)
        raise ClosedSilently("closed without a word")


RELAYED = "relay:tcp:relay.test:4001/" + "00" * 32


@pytest.mark.parametrize(
    ("place", "kind", "dials"),
    [
        ("10.0.0.1", EndKind.NOT_A_TABLE, 1),
        (RELAYED, EndKind.RELAY_REFUSES, 1 + len(find_host.RELAY_PAUSES_SECONDS)),
    ],
)
@pytest.mark.virtual_time
async def test_a_relay_that_breaks_off_is_tried_again_and_named_and_no_table_is_doubted(
    place: str, kind: EndKind, dials: int
) -> None:
    broken = Broken()
    with pytest.raises(find_host.NotSeated) as refused:
        await find_host.connect_to_host(
            cast(Connections, broken), find_host.TableAddress((place,), 4242)
        )
    assert refused.value.ending.kind is kind
    assert broken.dialled == [place] * dials


@dataclass
class Places:
    """Places of an invitation, and after how many seconds the host answers there."""

    answers: dict[str, float]
    dialled: list[str] = field(default_factory=list)

    async def dial_host(self, place: str, *_: object) -> str:
        self.dialled.append(place)
        if place not in self.answers:
            await trio.sleep(10)
            raise CannotReach("no-answer", place)
        await trio.sleep(self.answers[place])
        return f"link to {place}"


FAST, SLOW = find_host.PLACE_SECONDS - 1, find_host.PLACE_SECONDS + 1


@pytest.mark.parametrize(
    ("answers", "dialled"),
    [
        ({"six": FAST, "four": FAST}, ["six"]),
        ({"four": FAST}, ["six", "four"]),
        ({"home": SLOW}, ["six", "four", "home"]),
        ({"six": SLOW, "home": SLOW}, ["six", "four", "home"]),
        ({"four": SLOW}, ["six", "four", "home", "six", "four"]),
    ],
)
@pytest.mark.virtual_time
async def test_a_place_that_is_silent_waits_until_the_others_have_been_tried(
    answers: dict[str, float], dialled: list[str]
) -> None:
    table = find_host.TableAddress(("six", "four", "home"), 4242)
    places = Places(answers)
    _link, place = await find_host.connect_to_host(cast(Connections, places), table)
    assert places.dialled == dialled
    assert place == dialled[-1]


@pytest.mark.virtual_time
@pytest.mark.parametrize(("first", "seconds"), [("six", 1.0), (RELAYED, 0.0)])
async def test_a_relay_waits_a_second_for_a_direct_way_and_not_where_there_is_none(
    first: str, seconds: float
) -> None:
    places, began = Places({RELAYED: 0.0}), trio.current_time()
    table = find_host.TableAddress(tuple({first: 1, RELAYED: 2}), 4242)
    _link, place = await find_host.connect_to_host(cast(Connections, places), table)
    assert (place, trio.current_time() - began) == (RELAYED, seconds)


@pytest.mark.virtual_time
async def test_of_two_links_of_one_moment_the_second_ends() -> None:
    made, moment = [Mock(run=AsyncMock()), Mock(run=AsyncMock())], trio.Event()

    async def dial(place: str, *_: object) -> Mock:
        if place == RELAYED:
            moment.set()
        else:
            await moment.wait()
        return made[place == RELAYED]

    table = find_host.TableAddress(("six", RELAYED), 4242)
    link, _place = await find_host.connect_to_host(cast(Connections, Mock(dial_host=dial)), table)
    assert [other.cut.call_count for other in made] == [other is not link for other in made]


@pytest.mark.virtual_time
async def test_a_silence_at_all_places_is_told_after_each_had_its_full_time() -> None:
    places = Places({})
    with pytest.raises(find_host.NotSeated) as silence:
        await find_host.connect_to_host(
            cast(Connections, places), find_host.TableAddress(("six", "four"), 4242)
        )
    assert silence.value.ending.kind is EndKind.NO_ANSWER
    assert places.dialled == ["six", "four", "six"]
