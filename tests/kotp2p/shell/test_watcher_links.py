"""What the watchers of a process are sent of what its player is shown."""

from types import SimpleNamespace
from typing import cast

from kotp2p.net.connections import Connections
from kotp2p.seams.cores import OwnFaultGuard
from kotp2p.seams.front import WatchOffer
from kotp2p.seams.notices import Returned, Said
from kotp2p.shell.watcher_links import WatcherLinks
from kotp2p.watching.feeds import Feeds
from kotp2p.wire.crypto import Signer
from kotp2p.wire.entries import ChatLine
from kotp2p.wire.frames import Frame, HelloRole

LINK = 7


def watched(sent: list[tuple[int, Frame]]) -> WatcherLinks:
    """A process that one watches; what goes out is noted."""
    connections = SimpleNamespace(
        role=HelloRole.PLAYER, player_links=[], send_frame=lambda *one: sent.append(one)
    )
    feeds = Feeds(WatchOffer(4, has_chat=True))
    feeds.accept_link(LINK, 0.0)
    feeds.take_effects()
    guard = OwnFaultGuard(lambda _: None)
    return WatcherLinks(cast(Connections, connections), lambda _: None, feeds, guard)


def test_watchers_hear_what_players_say_as_they_have_signed_it() -> None:
    sent: list[tuple[int, Frame]] = []
    watchers = watched(sent)
    line = ChatLine.sign(Signer(bytes(32)), bytes(32), 0, 1, "hello").signed
    watchers.note_notice(Said("Rex", "hello", yours=False, line=line))
    watchers.perform()
    assert sent == [(LINK, line)]


def test_nothing_else_that_a_player_is_shown_goes_to_watchers() -> None:
    sent: list[tuple[int, Frame]] = []
    watchers = watched(sent)
    watchers.note_notice(Said("Zoe", "hello", yours=False))
    watchers.note_notice(Returned(0))
    watchers.perform()
    assert sent == []
