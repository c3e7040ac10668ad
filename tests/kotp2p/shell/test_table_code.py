"""The code of a table in a game: which of two codes counts, who answers, who is told."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import cast

import pytest
import trio
import trio.testing

from kotp2p.lobby.known_keys import NewKeyPolicy
from kotp2p.net.links import Link, LinkClosed
from kotp2p.rendezvous.servers import Servers
from kotp2p.seams.notices import CodeStep, TableCode
from kotp2p.seams.world import MailboxTrouble, Rendezvous
from kotp2p.shell.profile import open_profile
from kotp2p.shell.run import HostedTable, HostOptions, SeatWish
from kotp2p.shell.table_code import ABSENCE_SECONDS, CHANGES_AT_ONCE, HeldCode
from kotp2p.wire.frames import CodeTold
from tests.support.five_players import genesis
from tests.support.game_of_one import FakeLink, Here
from tests.support.memory_tables import Recorder
from tests.support.memory_world import MemoryNet, world

CODE = CodeTold(3, 7412, 10, 20)
SERVERS = Servers("ws://127.0.0.1:1/v1", "")


@dataclass
class Deaf:
    """A mailbox server that answers nobody; when it was asked."""

    asked: list[float] = field(default_factory=list)
    servers: Servers = SERVERS

    def mailbox(self, _side: str, _number: int) -> object:
        self.asked.append(trio.current_time())
        raise MailboxTrouble("it is not there")


def held(deaf: Deaf, front: Recorder) -> HeldCode:
    here = replace(world(MemoryNet(), "10.0.0.1", "a"), rendezvous=cast(Rendezvous, deaf))
    code = HeldCode(here, front, lambda _: None)
    code.listen_at(None, os.urandom(32), b"")
    return code


@pytest.mark.parametrize(
    ("other", "is_news"),
    [
        (CODE, False),
        (replace(CODE, revision=2, number=9999), False),
        (replace(CODE, revision=4, number=1000), True),
        (replace(CODE, number=7413), True),
        (replace(CODE, number=7411), False),
    ],
)
def test_of_two_codes_the_later_one_counts_and_of_two_at_once_the_greater_number(
    other: CodeTold, *, is_news: bool
) -> None:
    front = Recorder("Rex")
    code = held(Deaf(), front)
    code.known = CODE
    assert code.hear(other, 0.0) is is_news
    assert code.known == (other if is_news else CODE)
    assert [shown.step for shown in front.seen(TableCode)] == [CodeStep.MOVED] * is_news


def test_a_player_who_changes_the_code_without_end_is_heard_eight_times() -> None:
    code = held(Deaf(), Recorder("Rex"))
    heard = [code.hear(replace(CODE, revision=n), 0.0) for n in range(20)]
    assert heard == [True] * CHANGES_AT_ONCE + [False] * (20 - CHANGES_AT_ONCE)


async def test_a_code_is_answered_only_while_that_is_wanted(
    autojump_clock: trio.testing.MockClock,
) -> None:
    deaf = Deaf()
    code = held(deaf, Recorder("Rex"))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(code.run)
        await trio.sleep(10)
        assert not deaf.asked
        code.answer()
        await trio.sleep(10)
        assert not deaf.asked, "no code is known"
        code.hear(CODE, trio.current_time())
        await trio.sleep(10)
        count = len(deaf.asked)
        assert count
        code.answer(wanted=False)
        await trio.sleep(100)
        assert len(deaf.asked) == count
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("last", [CODE, None])
async def test_a_rematch_has_the_code_of_the_game_before(last: CodeTold | None) -> None:
    front = Recorder("Ana")
    code = held(Deaf(), front)
    table = HostedTable(SeatWish("Ana"), HostOptions(code=last))
    profile = await open_profile(code.world, front, NewKeyPolicy.ASK)
    table.open_code(code.world, profile, 4242, code)
    assert (code.known == CODE) is (last is not None)
    assert code.known is not None


HOST = genesis().charter.host
ORDER = sorted(genesis().keepers, key=lambda seat: (seat != HOST, seat))


def seated(place: int) -> tuple[Here, list[bool]]:
    """The process of the player who comes as the `place`th, and when it began and ended to
    answer."""
    here, said = Here(ORDER[place]), list[bool]()
    code = SimpleNamespace(
        known=CODE, can_answer=True, answer=lambda *, wanted: said.append(wanted)
    )
    here.stage.context.code = code  # type: ignore[misc,assignment]  # it is a namespace here
    return here, said


@pytest.mark.parametrize(
    ("place", "present", "answers"),
    [
        (0, (), True),
        (1, (), True),
        (1, (2,), True),
        (1, (0,), False),
        (2, (1,), False),
        (2, (3,), True),
    ],
)
async def test_the_host_answers_and_else_the_first_present_player_in_seat_order(
    place: int, present: tuple[int, ...], *, answers: bool, autojump_clock: trio.testing.MockClock
) -> None:
    here, wanted = seated(place)
    for n in present:
        here.accept(FakeLink(ORDER[n], n + 1, True))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(here.stage._answer_in_turn)
        await trio.sleep(ABSENCE_SECONDS + 1)
        nursery.cancel_scope.cancel()
    assert wanted == [answers]


async def test_who_comes_back_takes_the_answering_over(
    autojump_clock: trio.testing.MockClock,
) -> None:
    here, wanted = seated(1)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(here.stage._answer_in_turn)
        await trio.sleep(ABSENCE_SECONDS + 1)
        back = FakeLink(HOST, 1, True)
        here.accept(back)
        await trio.sleep(1)
        assert wanted == [True, False]
        here.stage.accept_item(LinkClosed(cast(Link, back)), 0.0)
        await trio.sleep(ABSENCE_SECONDS - 1)
        assert wanted == [True, False], "the host may be on its way"
        await trio.sleep(2)
        assert wanted == [True, False, True]
        nursery.cancel_scope.cancel()


async def test_a_player_who_links_is_told_the_code() -> None:
    here, _wanted = seated(1)
    here.accept(FakeLink(ORDER[2], 7, True))
    assert (7, CODE) in here.sent
