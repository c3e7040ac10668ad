"""Names, monsters and marks of the lobby in lines."""

from dataclasses import replace

from kotp2p.cli.text import lobby
from kotp2p.cli.text.lobby import list_monsters
from kotp2p.cli.ui import player_commands
from kotp2p.seams.notices import LobbyChanged, LobbySeat
from tests.support.recorded_control import Orders

ANA = LobbySeat("Ana", "Gigazaur", b"a", False, True)
REX = LobbySeat("Rex", "The King", b"r", False, False)
KIM = LobbySeat("Kim", "Kraken", b"k", False, False)
OTTO = LobbySeat("Otto", "Alienoid", b"o", True, False, ready=True)
READY_REX = replace(REX, ready=True)


def table(*seats: LobbySeat | None, you: int = 0) -> LobbyChanged:
    return LobbyChanged(seats, you, "second")


class Typist:
    def __init__(self) -> None:
        self.orders, self.question = Orders(), player_commands.StartQuestion()

    def type(self, line: str, here: LobbyChanged) -> list[str]:
        return player_commands.do_command(line, here, self.orders, self.question)


def test_the_list_says_who_is_ready_in_a_word() -> None:
    assert lobby.list_seats(table(ANA, READY_REX, OTTO)) == [
        "1 Ana, Gigazaur (you, host)",
        "2 Rex, The King (ready)",
        "3 Otto, Alienoid (bot)",
    ]


def test_everybody_can_choose() -> None:
    for you in (0, 1):
        typist, here = Typist(), table(ANA, REX, you=you)
        for line in ("name Otto von Rex", "MONSTER king", "ready", "not ready"):
            typist.type(line, here)
        assert typist.orders.given == [
            ("name", "Otto von Rex"), ("monster", "king"), ("ready", True), ("ready", False),
        ]  # fmt: skip


def test_a_choice_without_a_word_says_what_to_type() -> None:
    typist, here = Typist(), table(ANA, REX, you=1)
    assert typist.type("name", here) == ["Type the new name after it: name Ana."]
    assert typist.type("monster", here) == typist.type("monsters", here) == list_monsters(here)
    assert typist.type("not", here) == ["Type not ready if you are not ready any more."]
    assert not typist.orders.given


def test_the_monsters_are_listed_with_whose_they_are() -> None:
    lines = list_monsters(table(ANA, REX, you=1))
    assert lines[:3] == ["Gigazaur: taken by Ana", "The King: yours", "Alienoid: free"]
    assert len(lines) == 9


def test_ready_twice_is_said_and_not_sent() -> None:
    typist, here = Typist(), table(ANA, READY_REX, you=1)
    assert typist.type("ready", here) == ["You are ready already; not ready takes it back."]
    assert not typist.orders.given


def test_marks_are_told_as_they_change() -> None:
    old, new = table(ANA, REX, KIM, you=2), table(ANA, READY_REX, KIM, you=2)
    assert lobby.describe_changes(old, new) == ["Rex is ready."]
    assert lobby.describe_changes(new, old) == ["Rex is not ready any more."]
    mine = table(ANA, REX, replace(KIM, ready=True), you=2)
    assert lobby.describe_changes(old, mine) == ["You are ready."]
    assert lobby.describe_changes(mine, old) == [
        "You are not ready any more: type ready when you are."
    ]


def test_a_table_that_changes_asks_all_who_were_ready_in_one_line() -> None:
    kim = replace(KIM, ready=True)
    assert lobby.describe_changes(table(ANA, READY_REX, kim, None), table(ANA, REX, KIM, OTTO)) == [
        "Otto, a bot, takes seat 4 as Alienoid.",
        "The table has changed: type ready again, everyone who was.",
        "All seats are taken.",
    ]


def test_a_second_bot_sits_down_without_a_word_about_the_first() -> None:
    otto = replace(OTTO, key=b"")
    nina = replace(otto, name="Nina", monster="Kraken")
    assert lobby.describe_changes(table(ANA, otto, None), table(ANA, otto, nina)) == [
        "Nina, a bot, takes seat 3 as Kraken.",
        "All seats are taken.",
    ]


def test_the_host_is_told_when_everybody_else_is_ready() -> None:
    assert lobby.describe_changes(table(ANA, REX, OTTO), table(ANA, READY_REX, OTTO)) == [
        "Rex is ready.",
        "Everyone else is ready: type start to begin the game.",
    ]


def test_a_start_is_asked_for_once_more_if_somebody_is_not_ready() -> None:
    typist, here = Typist(), table(ANA, REX, KIM, OTTO)
    assert typist.type("start", here) == [
        "Rex and Kim are not ready. Press Enter to begin all the same."
    ]
    assert not typist.orders.given
    assert typist.type("start", table(ANA, READY_REX, KIM, OTTO)) == []
    assert typist.orders.given == [("start",)]
    assert typist.type("start", here) != []  # the next start is another question


def test_enter_begins_right_after_it_was_said_who_is_not_ready() -> None:
    typist, here = Typist(), table(ANA, REX)
    assert typist.type("", here) == []
    assert not typist.orders.given, "nothing was asked yet"
    typist.type("start", here)
    assert typist.type("", here) == []
    assert typist.orders.given == [("start",)]
    assert typist.type("", here) == []
    assert typist.orders.given == [("start",)], "one Enter begins one game"


def test_enter_begins_nothing_once_somebody_else_is_not_ready() -> None:
    typist = Typist()
    typist.type("start", table(ANA, REX))
    assert typist.type("", table(ANA, REX, KIM)) == [
        "Rex and Kim are not ready. Press Enter to begin all the same."
    ]
    assert not typist.orders.given
    typist.type("", table(ANA, REX, KIM))
    assert typist.orders.given == [("start",)]


def test_a_table_of_bots_or_of_ready_players_begins_at_once() -> None:
    for here in (table(ANA, OTTO), table(ANA, READY_REX), table(ANA, None)):
        typist = Typist()
        assert typist.type("start", here) == []
        assert typist.orders.given == [("start",)]


def test_a_seat_that_a_bot_plays_is_ready_without_a_word() -> None:
    with_bot = replace(READY_REX, automatic=True)
    assert lobby.describe_changes(table(ANA, None), table(ANA, with_bot))[1:] == [
        "All seats are taken."
    ]


def test_a_new_name_and_a_new_monster_are_a_sentence_each() -> None:
    pip = replace(REX, name="Pip", monster="Kraken")
    assert lobby.describe_changes(table(ANA, REX), table(ANA, pip)) == [
        "Rex is called Pip now.",
        "Pip plays Kraken now.",
    ]


def test_the_host_reads_who_is_away_and_who_is_back() -> None:
    here, gone = table(ANA, READY_REX), table(ANA, replace(READY_REX, away=True))
    assert lobby.describe_changes(here, gone) == [
        "Rex is away: the seat is kept for two minutes, and start begins without Rex. To free it "
        "now: remove Rex"
    ]
    assert lobby.describe_changes(gone, here) == ["Rex is back."]
    assert lobby.list_seats(gone)[1] == "2 Rex, The King (ready, away)"


def test_a_start_asks_nothing_about_who_is_away() -> None:
    typist = Typist()
    assert typist.type("start", table(ANA, replace(REX, away=True), READY_REX)) == []
    assert typist.orders.given == [("start",)]
