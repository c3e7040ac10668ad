"""What may be asked at any time."""

from dataclasses import replace

from kotp2p.cli.text.queries import TableQueries, chat_text, help_lines
from kotp2p.referee.box.rulesets import DARK
from kotp2p.referee.model.answers import Face
from kotp2p.referee.model.state import Holding, Place
from kotp2p.seams.notices import SeatView
from tests.support.laid_decisions import among_persons, item, table, tile
from tests.support.local_game import new_view


def desk() -> TableQueries:
    view = table()
    rex = view.game.state.monsters[1]
    rex.place = Place.CITY
    rex.points, rex.energy, rex.poison = 15, 1, 2
    rex.holdings = [
        Holding(item(view, "mimic"), 1, copies=item(view, "wings")),
        Holding(item(view, "smoke-cloud"), 2, counters=3),
    ]
    view.game.state.monsters[2].alive = False
    view.game.state.market = [item(view, "wings"), None, item(view, "tank")]
    found = TableQueries()
    found.view = view
    return found


def test_state_of_all_and_of_one() -> None:
    rex = (
        "Rex, The King, in Tokyo, 10 hearts, 15 points, 1 energy, 2 poison tokens, "
        "cards: Mimic as Wings, Smoke Cloud with 3 on it."
    )
    assert desk().answer_query("state") == [
        "Ana (you), Gigazaur, outside Tokyo, 10 hearts, 0 points, 0 energy, no cards.",
        rex,
        "Mia, Alienoid, out of the game.",
    ]
    assert desk().answer_query("STATE  re") == [rex]
    assert desk().answer_query("state the king") == [rex]
    assert desk().answer_query("state 2") == [rex]


def test_shop_shows_every_text() -> None:
    lines = desk().answer_query("shop")
    assert lines is not None
    assert lines[0].startswith("(a) Wings, 6 energy, keep (too dear): ")
    assert lines[1].startswith("(c) Tank, 4 energy, once (too dear): ")
    assert lines[-1] == "You have 0 energy."


def test_tiles_before_a_monster_and_on_the_track() -> None:
    view = table(rules=DARK)
    found = TableQueries()
    found.view = view
    me = view.game.state.monsters[0]
    me.wickedness = 7
    me.holdings = [
        Holding(item(view, "wings"), 1),
        Holding(tile(view, "fluxling"), 2, copies=item(view, "wings")),
    ]
    assert found.answer_query("state me") == [
        "Ana (you), Gigazaur, outside Tokyo, 10 hearts, 0 points, 0 energy, wickedness 7, "
        "cards: Wings, tiles: Fluxling as Wings."
    ]
    assert found.answer_query("tiles") == ["No tiles are left."]
    view.game.state.tiles = [tile(view, "tireless")]
    line = "Tireless, tile of step 3: Gain 1 energy at the start of each of your turns."
    assert found.answer_query("tiles") == [line]
    assert found.answer_query("card tireless") == [line]
    assert desk().answer_query("tiles") == ["The second rules have no tiles."]


def test_dice() -> None:
    found = desk()
    assert found.answer_query("dice") == ["No dice have been rolled this turn."]
    assert found.view is not None
    found.view.game.state.dice = [Face.THREE, Face.THREE, Face.THREE, Face.CLAW]
    assert found.answer_query("dice") == ["Your dice: 3, 3, 3, claw. Worth 3 points, 1 claw."]


def test_log_shows_what_was_told_last() -> None:
    found = desk()
    assert found.answer_query("log") == ["Nothing to show."]
    found.history.extend(str(n) for n in range(30))
    assert found.answer_query("log") == [str(n) for n in range(20, 30)]
    assert found.answer_query("log 2") == ["28", "29"]
    assert found.answer_query("log ۲") == ["28", "29"]
    assert found.answer_query("log 0") == ["Nothing to show."]
    assert found.answer_query("log 9999") == [str(n) for n in range(30)]


def test_other_lines_are_none_of_its_business() -> None:
    for line in ("", "33c", "d", "statement", "shop a", "dice 3", "who am i", "y"):
        assert desk().answer_query(line) is None
    assert TableQueries().answer_query("state") is None


def words(view: SeatView) -> set[str]:
    return {line.partition(":")[0] for line in help_lines(view)}


def test_the_help_names_nothing_that_this_table_does_not_have() -> None:
    second, dark = among_persons(), among_persons(rules=DARK)
    assert {"tiles", "say WORDS", "bot, wait", "adjourn"} <= words(dark)
    assert words(dark) - words(second) == {"tiles"}
    assert words(second) - words(new_view(3)) == {"say WORDS", "bot, wait", "adjourn"}


def test_only_where_others_have_bots_it_is_said_whose_a_bot_is() -> None:
    found = TableQueries()
    found.view = new_view(3)
    assert "2 Rex, The King, a bot" in (found.answer_query("who") or [])
    ana, rex, mia = found.view.players
    found.view.players = (ana, replace(rex, keeper=1, automatic=False), mia)
    found.view.keepers = {0: 0, 1: 1, 2: 0}
    assert "3 Mia, Alienoid, a bot played by Ana (you)" in (found.answer_query("who") or [])
    found.view.keepers = {0: 1, 1: 1, 2: 1}
    assert (found.answer_query("who") or [])[:3] == [
        "1 Ana (you), Gigazaur, away: a bot plays, in Rex's program",
        "2 Rex, The King",
        "3 Mia, Alienoid, a bot played by Rex",
    ]


def test_chat_is_what_follows_say() -> None:
    lines = ("say good roll", " SAY  Hi", "say", "says hi", "state")
    assert [chat_text(line) for line in lines] == ["good roll", "Hi", "", "", ""]
