"""The invitation as a QR code, told in words."""

from __future__ import annotations

import io

import pytest

from cli.system.output import Output
from cli.text.lobby import describe_commands
from cli.ui.line_player import LinePlayer
from cli.ui.notice_feed import Audience
from cli.ui.plain import seat_plain_player
from kotp2p import bots
from kotp2p.net.invitation import Invitation
from kotp2p.notices import LobbyChanged, LobbySeat, TableOpened
from tests.support.local_game import Orders, piped, said

LINK = Invitation(("192.168.1.20",), 4242, bytes(10), bytes(10)).as_link()
OPEN = TableOpened(("192.168.1.20",), 4242, False)
ANA = LobbySeat("Ana", "Gigazaur", b"a", False, True)


def player_for(audience: Audience) -> LinePlayer:
    output = Output(io.StringIO(), io.StringIO())
    return seat_plain_player(output, bots.advise, audience=audience)


@pytest.mark.parametrize(
    ("opened", "text"),
    [(OPEN, "kotp2p join 192.168.1.20"), (TableOpened((), 4242, False, LINK), LINK)],
)
def test_the_word_says_what_the_code_holds(opened: TableOpened, text: str) -> None:
    front = piped()
    front.attach(Orders())
    front.show(opened)
    front.show(LobbyChanged((ANA, None), 0, "second"))
    before = len(said(front))
    front.read_line("qr")
    out = said(front)[before:]
    assert "A QR code is a picture, so it is not told line by line." in out
    assert text in out
    assert not set("".join(out)) & set("▀▄█")


@pytest.mark.parametrize("is_wanted", [True, False])
def test_the_flag_shows_it_when_the_table_opens(is_wanted: bool) -> None:
    front = player_for(Audience(shows_code=is_wanted))
    front.show(OPEN)
    assert any("A QR code is a picture" in line for line in said(front)) is is_wanted


@pytest.mark.parametrize(("you", "is_told"), [(0, True), (1, False)])
def test_the_word_is_among_the_commands_of_a_host(you: int, is_told: bool) -> None:
    rex = LobbySeat("Rex", "The King", b"r", False, False)
    lines = describe_commands(LobbyChanged((ANA, rex), you, "second"))
    assert any(line.startswith("qr: ") for line in lines) is is_told
