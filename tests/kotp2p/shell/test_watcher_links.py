"""Watchers at the loop of a table: who is let in, and what is about them and not about the game."""

from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import Mock, call

import pytest

from kotp2p.mesh.feeds import MAX_RETURNING, CutWatcher, Feeds, TellPlayers
from kotp2p.net.links import FrameReceived, LinkClosed, LinkOpened
from kotp2p.seams.commands import NO_WATCHERS, StartGame, WatchOffer
from kotp2p.shell.table_loop import TableLoop, WatcherLinks
from kotp2p.wire.frames import Closed, Hello, HelloRole, Ping, RefusalCode, Watched
from tests.support.five_players import SIGNERS
from tests.support.game_of_one import Here

OPEN, CLOSED = WatchOffer(2), WatchOffer(2, secret=bytes(10))
NO, ELSEWHERE, FULL = RefusalCode.NO_WATCHERS, RefusalCode.NO_TABLE, RefusalCode.FULL
NOW = 7.5


def watchers_of(offer: WatchOffer, watching: int = 0, returning: int = 0) -> WatcherLinks:
    """So many watch, and so many keepers are back without their files."""
    links = Here(0).stage.loop.watchers
    links.feeds, links.keepers = Feeds(offer), frozenset({SIGNERS[1].key})
    for number in range(watching + returning):
        links.feeds.accept_link(number, NOW, is_keeper=number >= watching)
    return links


@pytest.mark.parametrize(
    ("offer", "here", "keeper", "invited", "table", "refused"),
    [
        (OPEN, (0, 0), 0, 0, b"", None), (OPEN, (1, 6), 0, 0, b"own", None),
        (OPEN, (0, 0), 0, 0, b"other", ELSEWHERE), (OPEN, (2, 0), 0, 1, b"", FULL),
        (CLOSED, (0, 0), 0, 1, b"", None), (CLOSED, (0, 0), 0, 0, b"", NO),
        (NO_WATCHERS, (0, 0), 0, 1, b"", NO), (NO_WATCHERS, (0, 5), 1, 0, b"own", None),
        (CLOSED, (2, 5), 1, 0, b"", None), (OPEN, (0, MAX_RETURNING), 1, 0, b"", FULL),
        (OPEN, (0, 0), 1, 0, b"other", ELSEWHERE),
    ],
)  # fmt: skip
async def test_who_may_watch_and_keepers_may_always_read(
    offer: WatchOffer,
    here: tuple[int, int],
    keeper: int,
    invited: int,
    table: bytes,
    refused: RefusalCode | None,
) -> None:
    links = watchers_of(offer, *here)
    links.connections.table = b"own"
    theirs = cast(Hello, SimpleNamespace(key=SIGNERS[1 if keeper else 2].key, table=table))
    refusal = links.judge_watcher(theirs, bool(invited))
    assert (refusal and refusal.code) == refused


@pytest.mark.parametrize("has_begun", [True, False])
async def test_watchers_are_told_that_a_lobby_closes_not_that_a_game_ends(has_begun: bool) -> None:
    links = watchers_of(OPEN, 2)
    here = cast(Any, links.connections)
    here.player_links = []
    if has_begun:
        links.begin_log(lambda: b"log", frozenset(), NOW)
    links.close()
    told = [number for number, frame in here.sent if frame == Closed(int(RefusalCode.CLOSED))]
    assert told == [0, 1] * (not has_begun)


@pytest.mark.parametrize(("only", "told"), [(None, [3, 5]), (5, [5]), (4, [])])
async def test_a_count_of_watchers_is_told_to_all_players_or_to_the_one_that_has_come(
    only: int | None, told: list[int]
) -> None:
    links = watchers_of(OPEN)
    here = cast(Any, links.connections)
    here.player_links = [SimpleNamespace(number=3), SimpleNamespace(number=5)]
    here.links = {7: Mock()}
    links.feeds._effects += [TellPlayers(Watched(2), only), CutWatcher(7), CutWatcher(8)]
    links.perform()
    here.links[7].cut.assert_called_once()
    assert here.sent == [(number, Watched(2)) for number in told]


async def test_a_player_who_comes_is_greeted_and_what_one_said_who_goes_is_forgotten() -> None:
    links, link = watchers_of(OPEN), cast(Any, SimpleNamespace(number=3))
    links.feeds = told = Mock()
    for event in (LinkOpened(link), FrameReceived(link, Ping()), LinkClosed(link)):
        links.note_player_link(event, NOW)
    assert told.mock_calls == [call.greet_player(3), call.lose_player(3, NOW)]


@pytest.mark.parametrize("role", HelloRole)
@pytest.mark.parametrize("is_player", [True, False])
@pytest.mark.parametrize("is_watcher", [True, False])
@pytest.mark.parametrize("kind", ["open", "closed", "ping", "count", "command"])
def test_only_of_players_the_counts_and_all_of_watchers_is_no_part_of_the_game(
    kind: str, is_watcher: bool, is_player: bool, role: HelloRole
) -> None:
    loop, stage = Mock(role=role), Mock(is_player_link=lambda _link: is_player)
    link = cast(Any, SimpleNamespace(number=3, is_watcher=is_watcher))
    item: Any = {
        "open": LinkOpened(link), "closed": LinkClosed(link), "command": StartGame(),
        "ping": FrameReceived(link, Ping()), "count": FrameReceived(link, Watched(4)),
    }[kind]  # fmt: skip
    taken = TableLoop._is_about_watchers(loop, item, stage, NOW)
    told = [] if kind == "command" else [call.note_player_link(item, NOW)]
    if is_watcher and told:
        told = [call.accept_event(item, NOW)]
    elif kind == "count" and is_player and role is HelloRole.PLAYER:
        told.append(call.hear_player(3, Watched(4), NOW))
    assert loop.watchers.mock_calls == told
    is_count = kind == "count" and role is HelloRole.PLAYER
    assert taken is (kind != "command" and (is_watcher or is_count))
