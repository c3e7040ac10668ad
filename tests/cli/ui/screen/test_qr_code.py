"""The invitation as a QR code: its squares are those of segno, dark on light, and fit or say so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import segno

from cli.system.choices import Palette, Shade, Symbols
from cli.text.how_to_join import code_texts
from cli.ui.screen import theme
from cli.ui.screen.code_page import CodePage
from cli.ui.screen.draw import draw_screen
from cli.ui.screen.drawn_table import DrawnTable, seat_screen_player
from cli.ui.screen.palettes import code_styles
from cli.ui.screen.qr_code import DARK, LIGHT, QUIET_ZONES, make_code
from cli.ui.screen.rows import Row, row_width
from kotp2p import bots
from kotp2p.net.invitation import Invitation
from kotp2p.notices import GameStarted, LobbyChanged, LobbySeat, TableOpened
from tests.support.local_game import Orders, new_view

TEXT = "kotp2p join 192.168.1.20"
LINK = Invitation(("192.168.1.20", "10.0.0.7"), 4243, bytes(range(10)), bytes(10)).as_link()
ONE_PLACE = Invitation(("192.168.1.20",), 4243, bytes(range(10)), bytes(10)).as_link()
OPEN = TableOpened(("192.168.1.20",), 4242, False)
INVITED = TableOpened(("192.168.1.20",), 4243, False, LINK)
ANA = LobbySeat("Ana", "Gigazaur", b"a", False, True)
REX = LobbySeat("Rex", "The King", b"r", False, False)


@pytest.fixture(params=[Symbols.UNICODE, Symbols.ASCII])
def symbols(request: pytest.FixtureRequest) -> Iterator[Symbols]:
    theme.use_symbols(request.param)
    yield request.param
    theme.use_symbols(Symbols.ASCII)


@pytest.fixture
def blocks() -> Iterator[None]:
    theme.use_symbols(Symbols.UNICODE)
    yield
    theme.use_symbols(Symbols.ASCII)


def squares_of(rows: list[Row]) -> list[list[bool]]:
    """Whether each square of a drawing is dark, as an eye reads it."""
    halves = {"█": (True, True), "▀": (True, False), "▄": (False, True), " ": (False, False)}
    found: list[list[bool]] = []
    for row in rows:
        if len(row) > 1:  # one part for each square, two columns wide
            assert all(text == "  " for _style, text in row)
            found.append([style == DARK for style, _text in row])
        else:
            ((style, text),) = row
            assert style == LIGHT
            found += [[halves[sign][half] for sign in text] for half in (0, 1)]
    return found


@pytest.mark.parametrize("quiet", QUIET_ZONES)
@pytest.mark.parametrize("has_blocks", [True, False])
@pytest.mark.parametrize("text", [TEXT, LINK, ONE_PLACE.upper()])
def test_the_squares_are_those_of_segno_within_a_light_border(
    text: str, has_blocks: bool, quiet: int
) -> None:
    matrix = [[bool(one) for one in row] for row in segno.make_qr(text, error="l").matrix]
    side = len(matrix)
    code = make_code(text)
    rows = code.rows(quiet, has_blocks=has_blocks)
    assert (row_width(rows[0]), len(rows)) == code.size(quiet, has_blocks=has_blocks)
    found = squares_of(rows)
    inside = [row[quiet : quiet + side] for row in found[quiet : quiet + side]]
    assert inside == matrix
    for y, row in enumerate(found):
        for x, is_dark in enumerate(row):
            is_inside = quiet <= x < quiet + side and quiet <= y < quiet + side
            assert is_inside or not is_dark


@pytest.mark.parametrize("palette", Palette)
@pytest.mark.parametrize("shade", Shade)
def test_dark_squares_are_dark_on_every_terminal(palette: Palette, shade: Shade) -> None:
    """Without colours the terminal's own two are taken, the lighter one for the ground."""
    styles = code_styles(palette, shade)
    if palette is not Palette.MONO:
        assert styles == {LIGHT: "#000000 bg:#ffffff", DARK: "#ffffff bg:#000000"}
    else:
        light_ground = LIGHT if shade is Shade.LIGHT else DARK
        assert {style for style, look in styles.items() if look == ""} == {light_ground}
        assert {style for style, look in styles.items() if look == "reverse"} == {LIGHT, DARK} - {
            light_ground
        }


def hosted(opened: TableOpened | None, *, you: int = 0) -> DrawnTable:
    seated = seat_screen_player(bots.advise)
    seated.player.attach(Orders())
    if opened is not None:
        seated.player.show(opened)
    seated.player.show(LobbyChanged((ANA, REX), you, "second"))
    return seated


def shown(seated: DrawnTable, columns: int = 80, rows: int = 24) -> list[Row]:
    return draw_screen(seated.screen, columns, rows - 2)


def code_in(rows: list[Row]) -> list[Row]:
    """The rows that have squares, without what stands beside them."""
    parts = [[part for part in row if part[0] in (LIGHT, DARK)] for row in rows]
    return [row for row in parts if row]


@pytest.mark.usefixtures("blocks")
@pytest.mark.parametrize(
    ("opened", "text"), [(OPEN, TEXT), (INVITED, ONE_PLACE.upper())], ids=["open", "invited"]
)
def test_a_window_of_80x24_has_room_for_every_code(opened: TableOpened, text: str) -> None:
    seated = hosted(opened)
    seated.player.read_line("QR")
    rows = shown(seated)
    assert len(rows) == 22
    assert all(row_width(row) <= 80 for row in rows)
    drawn = code_in(rows)
    assert drawn in [make_code(text).rows(quiet, has_blocks=True) for quiet in QUIET_ZONES]
    said = " ".join("".join(part for style, part in row if style == "log").strip() for row in rows)
    assert "Esc closes it." in said
    assert ("lets in everybody" in said) is bool(opened.invitation)


@pytest.mark.usefixtures("symbols")
@pytest.mark.parametrize("opened", [OPEN, INVITED])
def test_the_window_that_is_asked_for_is_large_enough_and_one_less_is_not(
    opened: TableOpened,
) -> None:
    seated = hosted(opened)
    seated.player.read_line("qr")
    said = " ".join("".join(text for _style, text in row) for row in shown(seated, 60, 20))
    words = said.split()
    columns, rows = int(words[words.index("columns") - 1]), int(words[words.index("rows;") - 1])
    assert "60 and 20" in said
    assert code_in(shown(seated, columns, rows))
    assert not code_in(shown(seated, columns - 1, rows))
    assert not code_in(shown(seated, columns, rows - 1))


def test_only_the_host_has_an_invitation() -> None:
    seated = hosted(None, you=1)
    seated.player.read_line("qr")
    assert seated.screen.page is None
    assert seated.screen.prompt.remark == "Only the host can do that."


def test_the_page_closes_with_esc_and_when_the_game_begins() -> None:
    seated = hosted(OPEN)
    player, screen = seated.player, seated.screen
    player.read_line("qr")
    pages = [screen.page]
    seated.controls.turn_pages(1)
    seated.controls.close_page()
    pages.append(screen.page)
    player.read_line("qr")
    player.show(GameStarted(new_view(2)))
    pages.append(screen.page)
    player.read_line("qr")
    pages.append(screen.page)
    assert [isinstance(page, CodePage) for page in pages] == [True, False, False, False]


def test_it_is_among_the_commands_of_a_host_to_pick_from() -> None:
    picked = []
    for seated in (hosted(OPEN), hosted(None, you=1)):
        lines = set()
        for _ in range(20):
            seated.controls.pick_command()
            lines.add(seated.screen.input.text)
        picked.append("qr" in lines)
    assert picked == [True, False]


def test_a_link_in_capitals_is_the_same_invitation() -> None:
    full, short = code_texts(INVITED, {}).texts
    assert full == LINK
    assert short == ONE_PLACE.upper()
    assert Invitation.parse(short) == Invitation.parse(ONE_PLACE)


def test_a_link_with_an_ipv6_address_stays_as_it_is() -> None:
    link = Invitation(("fe80::1%eth0", "10.0.0.7"), 4242, bytes(10), bytes(10)).as_link()
    _full, short = code_texts(TableOpened((), 4242, False, link), {}).texts
    assert "[fe80::1%eth0]/" in short
    assert Invitation.parse(short).places == ("fe80::1%eth0",)
