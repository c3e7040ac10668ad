"""Rows for every size: nothing is wider than the window, nothing asked is cut."""

from dataclasses import replace
from random import Random

import pytest

from kotp2p.cli.text.i18n import line_width
from kotp2p.cli.ui.line_player import LinePlayer
from kotp2p.cli.ui.screen import panels
from kotp2p.cli.ui.screen.controls import DrawnTable, seat_screen_player
from kotp2p.cli.ui.screen.draw import PROMPT_ROWS, draw_screen
from kotp2p.cli.ui.screen.pages import key_lines
from kotp2p.cli.ui.screen.panels import LastEvents
from kotp2p.cli.ui.screen.screen import Screen
from kotp2p.cli.ui.screen.theme import cut_to_width, fold_lines, pad_to_width, row_width
from kotp2p.extras import bots
from kotp2p.referee.box.rulesets import RULE_SETS
from kotp2p.referee.model.answers import Face
from kotp2p.referee.model.decisions import YieldDecision
from kotp2p.referee.model.state import Holding, Place
from kotp2p.seams import notices
from tests.support.laid_decisions import item
from tests.support.local_game import Orders, new_view
from tests.support.screen_table import rows_of

SIZES = [(60, 20), (79, 24), (80, 23), (80, 24), (100, 24), (100, 30), (132, 40), (200, 60)]


def full_table(rules: str, names: tuple[str, ...] = ()) -> notices.SeatView:
    view = new_view(6, RULE_SETS[rules], deck=RULE_SETS[rules].deck())
    chooser = Random(1)
    state = view.game.state
    for monster in state.monsters:
        monster.energy = monster.points = 12
        monster.poison, monster.shrink = 2, 1
        monster.holdings = [Holding(item, n) for n, item in enumerate(chooser.sample(range(60), 4))]
    state.monsters[1].place, state.monsters[2].place = Place.CITY, Place.BAY
    state.monsters[3].alive = False
    state.market = [0, 20, 40]
    state.dice = [Face.CLAW] * 8
    if names:
        view.players = tuple(
            replace(p, name=name) for p, name in zip(view.players, names, strict=True)
        )
    return view


def at_the_table() -> tuple[DrawnTable, LinePlayer, Screen]:
    seated = seat_screen_player(bots.advise)
    seated.player.attach(Orders())
    return seated, seated.player, seated.screen


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_no_row_is_wider_than_the_window(rules: str, columns: int, rows: int) -> None:
    """UX checks 7 and 8."""
    names = ("W" * 24, "نام‌بلند" * 2, "Ｗｉｄｅ" * 3, "Otto", "é" * 24, "-")
    for view in (full_table(rules), full_table(rules, names)):
        _, player, screen = at_the_table()
        player.show(notices.GameStarted(view))
        drawn = draw_screen(screen, columns, rows - 2)
        assert len(drawn) == rows - 2
        assert max(row_width(row) for row in drawn) <= columns
        for row in panels.monster_rows(view, min(columns, 131), {3: 7}, LastEvents())[:4]:
            assert row_width(row) == min(columns, 131)
        own = rows_of(screen, columns, rows)[2]
        assert own.startswith(">G Gigazaur")
        assert "*" in own


def test_the_state_of_a_monster_is_told_in_words() -> None:
    """UX check 18: everything can be told without a colour."""
    view = full_table("second")
    _, player, screen = at_the_table()
    player.show(notices.GameStarted(view))
    rows = rows_of(screen)
    assert rows[2].startswith(">G Gigazaur")  # whose turn it is
    assert "TOKYO" in rows[3]
    assert "BAY" in rows[4]
    assert "out" in rows[5]
    assert "poison 2" in rows[2]
    view.game.state.monsters[0].energy = 0
    prices = [row for row in rows_of(screen, 80, 40) if row.startswith((" a ", " b ", " c "))]
    assert len(prices) == 3
    assert all("too dear" in row for row in prices)


def test_the_words_of_the_table_stand_in_the_title_where_others_can_come() -> None:
    for solo in (False, True):
        seated, view = seat_screen_player(bots.advise), new_view(3)
        players = [replace(p, keeper=0 if solo else n) for n, p in enumerate(view.players)]
        seated.player.show(notices.GameStarted(replace(view, players=tuple(players))))
        assert ("lemon train ocean piano" in rows_of(seated.screen)[0]) is not solo


def test_page_up_moves_the_log_by_the_rows_in_sight_but_one() -> None:
    seated, player, screen = at_the_table()
    player.show(notices.GameStarted(new_view(3)))
    screen.put_news([f"line {n}" for n in range(60)])
    before = [row for row in rows_of(screen) if row.startswith(" line")]
    seated.screen.turn_pages(-1)
    after = [row for row in rows_of(screen) if row.startswith(" line")]
    assert after[-1] == before[0]
    rule = next(row for row in rows_of(screen) if row.startswith("-- Log, "))
    assert f"{len(before) - 1} newer rows below" in rule
    seated.screen.turn_pages(1)
    assert [row for row in rows_of(screen) if row.startswith(" line")] == before


def test_absent_players_and_the_offer_stand_in_sight() -> None:
    view = new_view(3)
    seated, player, screen = at_the_table()
    player.show(notices.GameStarted(view))
    player.show(notices.Gone(1))
    assert "no word from Rex" in rows_of(screen)[0]
    player.show(notices.Offer((1,), can_go_on=True, yours=True))
    assert any("b lets a bot play for Rex" in row for row in rows_of(screen)[18:])
    seated.pick_command()
    assert screen.input.text == "bot"
    player.show(notices.Returned(1))
    assert "no word" not in rows_of(screen)[0]


def test_a_link_over_which_nothing_comes_stands_beside_the_name_and_counts_on() -> None:
    seated, now = seat_screen_player(bots.advise), [100.0]
    player, screen = seated.player, seated.screen
    screen.status.clock = lambda: now[0]
    player.show(notices.GameStarted(new_view(3)))
    player.show(notices.Quiet(1, 5))
    assert screen.seconds_to_change == 1
    now[0] += 2
    assert "Rex: nothing for 0:07" in rows_of(screen)[0]
    player.show(notices.Quiet(1, 0))
    assert "nothing for" not in rows_of(screen)[0]
    assert screen.seconds_to_change is None


def test_the_players_waited_for_are_named_and_no_clock_is_shown_meanwhile() -> None:
    view = new_view(3)
    _, player, screen = at_the_table()
    player.show(notices.GameStarted(view))
    player.show(notices.Waiting((1,), YieldDecision(1, 0)))
    assert not any("Waiting for Rex" in row for row in rows_of(screen))
    screen.put_waiting("")
    rows = rows_of(screen)
    assert any("Waiting for Rex to stay in Tokyo" in row for row in rows)
    assert " left" not in rows[18]


def seat(name: str, monster: str, *, bot: bool = False, host: bool = False) -> notices.LobbySeat:
    return notices.LobbySeat(name, monster, name.encode().ljust(32), bot, host)


ANA, REX = seat("Ana", "Gigazaur", host=True), seat("Rex", "The King")


def test_the_lobby_has_the_seats_and_the_way_in() -> None:
    seated, player, screen = at_the_table()
    orders = Orders()
    player.attach(orders)
    player.show(notices.TableOpened(("192.168.1.20", "fe80::1%eth0"), 4242, False))
    player.show(notices.LobbyChanged((ANA, None, None), 0, "second"))
    player.show(notices.LobbyChanged((ANA, REX, None), 0, "second"))
    rows = rows_of(screen)
    assert "Ana (you)" in rows[2]
    assert "Gigazaur" in rows[2]
    assert "Rex" in rows[3]
    assert "free" in rows[4]
    assert sum("kotp2p join 192.168.1.20" in row for row in rows) == 1
    assert not any("kotp2p join" in line for line in screen.log.lines)
    assert any("Rex takes seat 2" in row for row in rows)
    lines = []
    for _ in range(6):
        seated.pick_command()
        lines.append(screen.input.text)
    assert lines[:3] == ["start", "bot", "copy"]
    for line in ("start", "start", "bot", "remove Rex", "move Rex 3"):
        player.read_line(line)
    assert orders.given == ["start", "bot", "remove Rex", "move Rex 3"]


@pytest.mark.parametrize("players", [1, 2, 6])
def test_the_lobby_of_a_host_keeps_four_rows_of_the_log(players: int) -> None:
    _, player, screen = at_the_table()
    player.show(notices.TableOpened(("192.168.1.20",), 4242, False))
    player.show(notices.TableAnnounced())
    names = ["Ana", "Rex", "Kim", "Otto", "Mia", "Zoe"]
    monsters = ["Gigazaur", "The King", "Kraken", "Alienoid", "Cthulhu", "Meka Dragon"]
    seats = [seat(n, m, host=n == "Ana") for n, m in zip(names, monsters, strict=True)][:players]
    player.show(notices.LobbyChanged((*seats, *[None] * (6 - players)), 0, "second"))
    screen.put_news([f"line {n}" for n in range(9)])
    rows = rows_of(screen)
    assert all(any(f"line {n}" in row for row in rows) for n in range(5, 9))
    assert any("kotp2p join 192.168.1.20" in row for row in rows)
    assert all(any(name in row for row in rows) for name in names[:players])


def test_the_help_of_the_lobby_begins_with_what_can_be_typed_there() -> None:
    seated, player, screen = at_the_table()
    player.show(notices.TableOpened(("192.168.1.20",), 4242, False))
    player.show(notices.LobbyChanged((ANA, REX), 0, "second"))
    seated.show_help()
    assert screen.page is not None
    lines = screen.page.lines
    assert lines[0].startswith("start: begin the game.")
    assert lines.index("kotp2p join 192.168.1.20") < lines.index(key_lines()[0])
    assert any("TCP port 4242" in line for line in lines)


@pytest.mark.parametrize(("between", "begins"), [((), True), (("say wait",), False)])
def test_enter_begins_the_game_only_right_after_the_host_was_told_who_is_not_ready(
    between: tuple[str, ...], begins: bool
) -> None:
    seated, orders = seat_screen_player(bots.advise), Orders()
    player, screen = seated.player, seated.screen
    player.attach(orders)
    player.show(notices.LobbyChanged((ANA, REX), 0, "second"))
    player.read_line("start")
    assert any("Rex is not ready. Press Enter to begin all the same." in r for r in rows_of(screen))
    for line in (*between, ""):
        player.read_line(line)
    assert ("start" in orders.given) == begins


def test_the_question_who_is_not_ready_names_those_who_are_not_ready_now() -> None:
    _, player, screen = at_the_table()
    mia = seat("Mia", "Kraken")
    player.show(notices.LobbyChanged((ANA, REX, mia), 0, "second"))
    player.read_line("start")
    ready = replace(REX, ready=True)
    player.show(notices.LobbyChanged((ANA, ready, mia), 0, "second"))
    assert screen.prompt.remark == "Mia is not ready. Press Enter to begin all the same."
    player.show(notices.LobbyChanged((ANA, ready), 0, "second"))
    assert screen.prompt.remark == ""


def test_the_lobby_says_who_is_ready_and_lists_what_a_player_can_choose() -> None:
    seated, player, screen = at_the_table()
    player.show(notices.LobbyChanged((ANA, REX), 1, "second"))
    offered = []
    for _ in range(8):
        seated.pick_command()
        offered.append(screen.input.text)
    assert offered[:3] == ["ready", "monster Alienoid", "monster Meka Dragon"]
    assert "monster The King" not in offered
    player.show(notices.LobbyChanged((ANA, replace(REX, ready=True)), 1, "second"))
    assert "ready" in rows_of(screen)[3]
    text = "\n".join(rows_of(screen))
    assert "You are ready." in text and "The host starts the game." in text
    assert "Type ready" not in text


def test_a_long_question_grows_upwards() -> None:
    _, player, screen = at_the_table()
    player.show(notices.GameStarted(full_table("second")))
    player.state.is_leave_asked = True
    screen.prompt.lines = [f"Fact {n}: " + "word " * 25 for n in range(5)] + ["The prompt?"]
    rows = rows_of(screen)
    joined = " ".join(row.strip() for row in rows)
    assert all(f"Fact {n}:" in joined for n in range(5))
    assert "The prompt?" in rows[-1]
    assert rows[-1 - PROMPT_ROWS].startswith("-- Leave?")


def test_cutting_counts_columns() -> None:
    assert cut_to_width("abcdef", 6) == "abcdef"
    assert cut_to_width("abcdefg", 6) == "abcd.."
    assert line_width(pad_to_width("Ｗｉｄｅ", 7)) == 7
    assert cut_to_width("a\x1b[2Jb", 10) == "a?[2Jb"
    assert all(line_width(row) <= 10 for row in fold_lines(["x" * 35, "some words and more"], 10))


def test_a_single_card_of_a_monster_is_named_even_if_the_name_must_be_cut() -> None:
    view = full_table("second")
    monster = view.game.state.monsters[4]
    monster.holdings, monster.poison = [Holding(item(view, "high-altitude-bombing"), 1)], 0
    monster.shrink = 0
    row = panels.monster_rows(view, 80, {}, LastEvents())[5]
    assert "".join(text for _style, text in row).endswith("High Altitude..")
