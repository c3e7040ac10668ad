"""Lines of chat in a game: whose they are, which are shown, and how often (PROTOCOL.md 9.7)."""

import pytest

from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Forged
from kotp2p.mesh.gossip import Chat, Gossip, SendFrame, ShowNotice
from kotp2p.mesh.reachability import Reachability
from kotp2p.seams.cores import CHAT_WINDOW_SECONDS, MAX_CHAT_LINES
from kotp2p.seams.notices import Said
from kotp2p.wire.entries import ChatLine, Signed
from tests.support.five_players import SIGNERS, genesis

ME, REX, OTTO = 0, 1, 2


def at_the_table() -> Chat:
    """With links to Rex and Otto; neither has told of a link between the two."""
    reachability = Reachability(ME)
    for seat in (REX, OTTO):
        reachability.add_link(seat, 0.0)
    return Chat(genesis(), Gossip(Ledger(genesis()), reachability), ME, SIGNERS[ME])


def line(seat: int, serial: int, words: str = "hi", signer: int | None = None) -> Signed:
    by = SIGNERS[seat if signer is None else signer]
    return ChatLine.sign(by, genesis().id, seat, serial, words).signed


def shown(chat: Chat) -> list[Said]:
    notices = [e.notice for e in chat.gossip.effects if isinstance(e, ShowNotice)]
    return [notice for notice in notices if isinstance(notice, Said)]


def sent(chat: Chat) -> list[tuple[int, Signed]]:
    return [
        (e.seat, e.frame)
        for e in chat.gossip.effects
        if isinstance(e, SendFrame) and isinstance(e.frame, Signed)
    ]


def test_a_line_is_shown_and_passed_on_once_however_often_it_comes() -> None:
    chat = at_the_table()
    for source in (REX, OTTO, REX):
        chat.accept_line(source, line(REX, 1), 0.0)
    assert shown(chat) == [Said("Rex", "hi", False)]
    assert sent(chat) == [(OTTO, line(REX, 1))]
    chat.accept_line(REX, line(REX, 0), 0.0)
    assert len(shown(chat)) == 1


def test_a_line_that_its_author_has_not_signed_is_forged() -> None:
    chat = at_the_table()
    with pytest.raises(Forged):
        chat.accept_line(OTTO, line(REX, 1, signer=OTTO), 0.0)
    assert chat.gossip.effects == []


def test_so_many_lines_of_one_author_are_heard_and_the_others_as_before() -> None:
    chat = at_the_table()
    for serial in range(1, MAX_CHAT_LINES + 10):
        chat.accept_line(REX, line(REX, serial), 0.0)
    assert len(shown(chat)) == MAX_CHAT_LINES
    chat.accept_line(REX, line(OTTO, 1), 0.0)
    assert shown(chat)[-1].name == "Otto"
    chat.accept_line(REX, line(REX, 1000), CHAT_WINDOW_SECONDS)
    assert len(shown(chat)) == MAX_CHAT_LINES + 2


def test_what_this_player_says_goes_to_all_links_and_is_shown_as_theirs() -> None:
    chat = at_the_table()
    chat.say_line("  hello ")
    assert shown(chat) == [Said("Ana", "hello", True)]
    mine = line(ME, 1, "hello")
    assert sent(chat) == [(REX, mine), (OTTO, mine)]
    chat.accept_line(REX, mine, 0.0)
    assert len(shown(chat)) == 1
    assert len(sent(chat)) == 2


def test_nothing_is_said_without_a_visible_character() -> None:
    chat = at_the_table()
    chat.say_line(" \t ")
    assert chat.gossip.effects == []


def test_after_a_restart_lines_are_numbered_behind_those_that_come_back() -> None:
    chat = at_the_table()
    chat.accept_line(REX, line(ME, 7, "of before"), 0.0)
    assert shown(chat) == []
    for words in ("one", "two"):
        chat.say_line(words)
    serials = [ChatLine.parse(s, genesis().id).serial for seat, s in sent(chat) if seat == REX]
    assert serials == [8, 9]
