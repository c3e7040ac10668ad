"""Lines of chat in a game: whose they are, which are shown, and how often (PROTOCOL.md 9.7)."""

from __future__ import annotations

import pytest

from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Forged
from kotp2p.mesh.gossip import ChatReader, ChatWriter, Gossip, SendFrame, ShowNotice
from kotp2p.mesh.reachability import Reachability
from kotp2p.seams.cores import CHAT_WINDOW_SECONDS, MAX_CHAT_LINES
from kotp2p.seams.notices import Said
from kotp2p.wire.entries import ChatLine, Signed
from tests.support.five_players import SIGNERS, genesis

ME, REX, OTTO = 0, 1, 2


def at_the_table() -> ChatReader:
    """With links to Rex and Otto; neither has told of a link between the two."""
    reachability = Reachability(ME)
    for seat in (REX, OTTO):
        reachability.add_link(seat, 0.0)
    return ChatReader(genesis(), Gossip(Ledger(genesis()), reachability), ME)


def line(seat: int, serial: int, words: str = "hi", signer: int | None = None) -> Signed:
    by = SIGNERS[seat if signer is None else signer]
    return ChatLine.sign(by, genesis().id, seat, serial, words).signed


def shown(reader: ChatReader) -> list[Said]:
    return [
        e.notice
        for e in reader.gossip.effects
        if isinstance(e, ShowNotice) and isinstance(e.notice, Said)
    ]


def sent(reader: ChatReader) -> list[tuple[int, Signed]]:
    return [
        (e.seat, e.frame)
        for e in reader.gossip.effects
        if isinstance(e, SendFrame) and isinstance(e.frame, Signed)
    ]


def test_a_line_is_shown_and_passed_on_once_however_often_it_comes() -> None:
    reader = at_the_table()
    for source in (REX, OTTO, REX):
        reader.accept_line(source, line(REX, 1), 0.0)
    assert shown(reader) == [Said("Rex", "hi", False)]
    assert sent(reader) == [(OTTO, line(REX, 1))]
    assert reader.last_serial(REX) == 1
    reader.accept_line(REX, line(REX, 0), 0.0)
    assert len(shown(reader)) == 1


def test_a_line_that_its_author_has_not_signed_is_forged() -> None:
    reader = at_the_table()
    with pytest.raises(Forged):
        reader.accept_line(OTTO, line(REX, 1, signer=OTTO), 0.0)
    assert reader.gossip.effects == []
    assert reader.last_serial(REX) == 0


def test_so_many_lines_of_one_author_are_heard_and_the_others_as_before() -> None:
    reader = at_the_table()
    for serial in range(1, MAX_CHAT_LINES + 10):
        reader.accept_line(REX, line(REX, serial), 0.0)
    assert len(shown(reader)) == MAX_CHAT_LINES
    reader.accept_line(OTTO, line(OTTO, 1), 0.0)
    assert shown(reader)[-1].name == "Otto"
    reader.accept_line(REX, line(REX, 1000), CHAT_WINDOW_SECONDS)
    assert len(shown(reader)) == MAX_CHAT_LINES + 2


def test_what_this_player_says_goes_to_all_links_and_is_shown_as_theirs() -> None:
    reader = at_the_table()
    writer = ChatWriter(reader, SIGNERS[ME])
    writer.say_line("  hello ", 0.0)
    assert shown(reader) == [Said("Ana", "hello", True)]
    mine = line(ME, 1, "hello")
    assert sent(reader) == [(REX, mine), (OTTO, mine)]
    reader.accept_line(REX, mine, 0.0)
    assert len(shown(reader)) == 1
    assert len(sent(reader)) == 2


def test_nothing_is_said_without_a_visible_character() -> None:
    reader = at_the_table()
    ChatWriter(reader, SIGNERS[ME]).say_line(" \t ", 0.0)
    assert reader.gossip.effects == []


def test_after_a_restart_lines_are_numbered_behind_those_that_come_back() -> None:
    reader = at_the_table()
    writer = ChatWriter(reader, SIGNERS[ME])
    reader.accept_line(REX, line(ME, 7, "of before"), 0.0)
    assert shown(reader) == []
    for words in ("one", "two"):
        writer.say_line(words, 0.0)
    serials = [ChatLine.parse(s, genesis().id).serial for seat, s in sent(reader) if seat == REX]
    assert serials == [8, 9]
