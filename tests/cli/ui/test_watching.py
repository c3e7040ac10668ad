"""What somebody is shown who only watches: every game, line by line and drawn, and every word."""

import io
import re
from collections.abc import Iterator

import pytest

from kotp2p.cli.system.output import Output
from kotp2p.cli.ui.line_player import LinePlayer
from kotp2p.cli.ui.notice_feed import Audience
from kotp2p.cli.ui.plain import seat_plain_player
from kotp2p.cli.ui.screen.controls import seat_screen_player
from kotp2p.cli.ui.screen.draw import draw_screen
from kotp2p.extras import bots
from kotp2p.extras.watching.watcher import Watcher
from kotp2p.mesh.gossip import ShowNotice
from kotp2p.referee.model.events import TurnStarted
from kotp2p.seams import notices
from kotp2p.wire.frames import Admitted, LogPart
from tests.support.local_game import Orders, notes, said
from tests.support.recorded import GOLDEN_NAMES, golden_log

WATCHES = Audience(can_type=True, answers=False)
WORDS = (
    "state", "state me", "state 1", "shop", "card wings", "tiles", "dice", "who", "log", "since",
    "help", "?", "rules claws", "bot", "wait", "accept Rex", "b", "adjourn", "say hello",
    "statistics", "orders", "yield at 3", "words", "nonsense", "",
)  # fmt: skip
SIZES = ((80, 24), (100, 30), (132, 40), (60, 20), (40, 12))


def notices_of(name: str) -> Iterator[notices.Notice]:
    """What a watcher of that game is told, from its start, each once the last one is shown."""
    watcher, data = Watcher(from_start=True), golden_log(name)
    watcher.link_up(0)
    watcher.receive_frame(Admitted(0, True), 0)
    for at in range(0, len(data), 16_384):
        watcher.receive_frame(LogPart(at, data[at : at + 16_384]), 0)
        is_read = True
        while is_read:
            is_read = watcher.read_on()
            yield from (e.notice for e in watcher.take_effects() if isinstance(e, ShowNotice))


def begins_turn(notice: notices.Notice) -> bool:
    return isinstance(notice, notices.Happened) and any(
        isinstance(e, TurnStarted) for e in notice.events
    )


def plain_watcher() -> LinePlayer:
    output = Output(io.StringIO(), io.StringIO(), terminal=True)
    player = seat_plain_player(output, bots.advise, None, audience=WATCHES)
    player.attach(Orders())
    return player


@pytest.mark.parametrize("name", GOLDEN_NAMES)
def test_every_word_is_answered_in_every_turn_and_none_is_about_the_reader(name: str) -> None:
    player = plain_watcher()
    for notice in notices_of(name):
        player.show(notice)
        if begins_turn(notice):
            for word in WORDS:
                player.read_line(word)
    told = "\n".join(said(player))
    assert "You only watch, so the players decide about that." in told
    for words in (r"\(you\)", r"You have \d", "hits you", "you for", "Your dice", "You are out"):
        assert not re.search(words, told), words


@pytest.mark.parametrize("name", GOLDEN_NAMES)
def test_the_drawn_table_is_complete_in_every_turn_at_every_size(name: str) -> None:
    table = seat_screen_player(bots.advise, None, WATCHES)
    table.player.attach(Orders())
    for notice in notices_of(name):
        table.player.show(notice)
        if begins_turn(notice):
            for columns, rows in SIZES:
                drawn = draw_screen(table.screen, columns, rows)
                assert drawn


def test_how_many_watch_stands_in_the_title_and_is_told_in_a_line() -> None:
    table, plain = seat_screen_player(bots.advise, None, WATCHES), plain_watcher()
    started = next(n for n in notices_of("second") if isinstance(n, notices.GameStarted))
    for count, line in ((1, "1 person watches this table."), (2, "2 people watch this table."),
                        (0, "Nobody watches any more.")):  # fmt: skip
        for player in (table.player, plain):
            player.show(started)
            player.show(notices.WatchersChanged(count))
        assert line in notes(plain)
        marks = table.screen.status.title_marks(started.view)
        assert marks == ([f"{count} watch{'es' if count == 1 else ''}"] if count else [])


def test_what_concerns_the_watcher_is_told_in_a_sentence() -> None:
    plain = plain_watcher()
    for notice in (
        notices.WatchAdmitted(False, True), notices.WatchLinkChanged(up=False, seconds=120.0),
        notices.WatchLinkChanged(up=True), notices.RemarkRefused(),
        notices.NextGameAwaited(180.0), notices.Said("Kim", "hi", yours=False),
    ):  # fmt: skip
        plain.show(notice)
    assert notes(plain) == [
        "The game has not begun yet. You will see it from its start.",
        "You read what the players say to each other.",
        "The connection to the table was lost. It is tried again for 120 s; if it comes back, you "
        "go on where you were.",
        "The connection to the table is back.",
        "Nobody at the table hears you: who watches only reads.",
        "The same players may play again. You watch their next game too, if it begins within 180 "
        "s. Ctrl-C ends the waiting.",
    ]
    assert said(plain) == ["Kim says: hi"]


def test_a_watcher_leaves_without_being_asked() -> None:
    player, orders = plain_watcher(), Orders()
    player.attach(orders)
    player.show(next(n for n in notices_of("second") if isinstance(n, notices.GameStarted)))
    player.leaving.ask_to_leave()
    assert orders.left
