"""What the watchers of a process are sent of what its player is shown."""

from types import SimpleNamespace
from typing import cast

from kotp2p.mesh.feeds import Feeds
from kotp2p.net.connections import Connections
from kotp2p.seams import cores, front, notices
from kotp2p.shell.table_loop import WatcherLinks
from kotp2p.wire import crypto, entries, frames

LINK = 7


def watched(sent: list[tuple[int, frames.Frame]]) -> WatcherLinks:
    """A process that one watches; what goes out is noted."""
    connections = SimpleNamespace(
        role=frames.HelloRole.PLAYER, player_links=[], send_frame=lambda *one: sent.append(one)
    )
    feeds = Feeds(front.WatchOffer(4, has_chat=True))
    feeds.accept_link(LINK, 0.0)
    feeds.take_effects()
    guard = cores.OwnFaultGuard(lambda _: None)
    return WatcherLinks(cast(Connections, connections), lambda _: None, feeds, guard)


def test_watchers_hear_what_players_say_as_they_have_signed_it() -> None:
    sent: list[tuple[int, frames.Frame]] = []
    watchers = watched(sent)
    line = entries.ChatLine.sign(crypto.Signer(bytes(32)), bytes(32), 0, 1, "hello").signed
    watchers.note_notice(notices.Said("Rex", "hello", yours=False, line=line))
    watchers.perform()
    assert sent == [(LINK, line)]


def test_nothing_else_that_a_player_is_shown_goes_to_watchers() -> None:
    sent: list[tuple[int, frames.Frame]] = []
    watchers = watched(sent)
    watchers.note_notice(notices.Said("Zoe", "hello", yours=False))
    watchers.note_notice(notices.Returned(0))
    watchers.perform()
    assert sent == []
