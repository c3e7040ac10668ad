"""The lobby in lines: seats, orders, names, monsters and marks."""

from dataclasses import replace

import pytest

from kotp2p.cli.text import lobby
from kotp2p.cli.text.lobby import describe_fault, list_monsters
from kotp2p.cli.text.players import describe_signed_seat
from kotp2p.cli.ui import player_commands
from kotp2p.cli.ui.notice_feed import Audience, NoticeFeed
from kotp2p.referee.box.rulesets import Options
from kotp2p.seams import notices
from kotp2p.wire.crypto import fingerprint
from kotp2p.wire.genesis import Clocks, LobbyOptions
from tests.support.hostile_seats import genesis
from tests.support.recorded_control import Orders

ANA = notices.LobbySeat("Ana", "Gigazaur", b"a", False, True)
REX = notices.LobbySeat("Rex", "The King", b"r", False, False)
OTTO = notices.LobbySeat("Otto", "Alienoid", b"o", True, False)
KIM = notices.LobbySeat("Kim", "Kraken", b"k", False, False)
Seats = tuple[notices.LobbySeat | None, ...]
READY_REX, READY_OTTO = replace(REX, ready=True), replace(OTTO, ready=True)


def table(*seats: notices.LobbySeat | None, you: int = 0) -> notices.LobbyChanged:
    return notices.LobbyChanged(seats, you, "second")


def do_command(line: str, here: notices.LobbyChanged, orders: Orders) -> list[str]:
    """Typed by somebody who was asked nothing before."""
    return player_commands.do_command(line, here, orders, player_commands.StartQuestion())


def test_the_first_look_names_everybody_and_what_to_type() -> None:
    told = NoticeFeed(Audience()).tell_notice(table(ANA, REX, None))
    shown = told.lines + told.hints
    assert "1 Ana, Gigazaur (you, host)" in shown
    assert "2 Rex, The King" in shown
    assert "3 free" in shown
    assert any("start" in line for line in shown)


def test_a_host_reads_whether_the_table_is_found_on_this_network() -> None:
    (command,) = lobby.describe_announcement(notices.TableAnnounced())
    assert command.endswith("kotp2p join")
    (trouble,) = lobby.describe_announcement(notices.TableAnnounced(fault="no multicast"))
    assert "no multicast" in trouble


def test_a_guest_is_not_told_to_start() -> None:
    assert not any("start:" in line for line in lobby.describe_commands(table(ANA, REX, you=1)))


def test_a_host_that_cannot_type_is_told_when_it_begins() -> None:
    told = NoticeFeed(Audience(can_type=False)).tell_notice(table(ANA, None))
    assert told.hints == ["The game begins as soon as every seat is taken."]
    (key,) = NoticeFeed(Audience(can_type=False)).tell_notice(table(ANA, REX, you=1)).hints
    assert key.startswith("Ana's key: ")


def test_a_host_that_starts_the_game_is_told_when_the_table_is_full() -> None:
    news = NoticeFeed(Audience(starts_game=True))
    news.tell_notice(table(ANA, None))
    told = news.tell_notice(table(ANA, REX))
    assert told.lines[-1] == "All seats are taken."
    assert told.hints == ["Type start to begin the game."]
    assert news.tell_notice(table(ANA, REX)).hints == []


def test_a_monster_that_somebody_has_is_told() -> None:
    wished = NoticeFeed(Audience(wanted_monster="Gigazaur"))
    assert wished.tell_notice(table(ANA, REX, you=1)).hints[0] == (
        "Gigazaur is taken; your monster is The King."
    )
    same = NoticeFeed(Audience(wanted_monster="Gigazaur"))
    assert len(same.tell_notice(table(ANA, REX)).hints) == 2


def test_a_login_name_that_nobody_can_have_is_told() -> None:
    refused = NoticeFeed(Audience(refused_name="nobody"))
    assert refused.tell_notice(table(ANA, REX)).hints[0] == (
        "Your login name nobody reads like a word of the game itself, so you are Ana here. Choose "
        "another name next time: --name Ana"
    )


READY_KIM, FULL = replace(KIM, ready=True), "All seats are taken."
NEXT_BOT = replace(OTTO, name="Nina", monster="Kraken", key=b"")
CHANGES = [
    ("a guest", (ANA, None, None), (ANA, REX, None), 0,
     ["Rex takes seat 2 as The King.", "1 seat is free."]),
    ("one goes, a bot comes", (ANA, REX, None), (ANA, None, OTTO), 0,
     ["Rex has left seat 2.", "Otto, a bot, takes seat 3 as Alienoid."]),
    ("nothing new", (ANA, None), (ANA, None), 0, []),
    ("ready", (ANA, REX, KIM), (ANA, READY_REX, KIM), 2, ["Rex is ready."]),
    ("not ready", (ANA, READY_REX, KIM), (ANA, REX, KIM), 2, ["Rex is not ready any more."]),
    ("oneself", (ANA, REX, KIM), (ANA, REX, READY_KIM), 2, ["You are ready."]),
    ("oneself not", (ANA, REX, READY_KIM), (ANA, REX, KIM), 2,
     ["You are not ready any more: type ready when you are."]),
    ("all who were ready", (ANA, READY_REX, READY_KIM, None), (ANA, REX, KIM, READY_OTTO), 0,
     ["Otto, a bot, takes seat 4 as Alienoid.",
      "The table has changed: type ready again, everyone who was.", FULL]),
    ("a second bot", (ANA, replace(READY_OTTO, key=b""), None),
     (ANA, replace(READY_OTTO, key=b""), replace(NEXT_BOT, ready=True)), 0,
     ["Nina, a bot, takes seat 3 as Kraken.", FULL]),
    ("everybody else", (ANA, REX, READY_OTTO), (ANA, READY_REX, READY_OTTO), 0,
     ["Rex is ready.", "Everyone else is ready: type start to begin the game."]),
    ("a name and a monster", (ANA, REX), (ANA, replace(REX, name="Pip", monster="Kraken")), 0,
     ["Rex is called Pip now.", "Pip plays Kraken now."]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "you", "lines"),
    [case[1:] for case in CHANGES],
    ids=[case[0] for case in CHANGES],
)
def test_each_change_is_one_line_and_then_the_free_seats(
    old: Seats, new: Seats, you: int, lines: list[str]
) -> None:
    assert lobby.describe_changes(table(*old, you=you), table(*new, you=you)) == lines


def test_who_has_another_seat_is_told_and_a_seat_that_a_bot_plays_is_ready_without_a_word() -> None:
    assert lobby.describe_changes(table(ANA, REX), table(REX, ANA, you=1)) == [
        "Rex has seat 1 now.",
        "Ana has seat 2 now.",
    ]
    with_bot = replace(READY_REX, automatic=True)
    assert lobby.describe_changes(table(ANA, None), table(ANA, with_bot))[1:] == [FULL]


def test_the_option_for_two_comes_and_goes_with_the_third_player() -> None:
    two = replace(table(ANA, REX, None), options=LobbyOptions(Options(two_player=True)))
    three = table(ANA, REX, OTTO)
    assert lobby.describe_changes(two, three)[1:] == [
        "Tokyo gives points now: the option for two players is off.",
        "All seats are taken.",
    ]
    assert lobby.describe_changes(three, two)[1:] == [
        "Option: two players get energy instead of points for Tokyo.",
        "1 seat is free.",
    ]
    slow = replace(two, options=replace(two.options, clocks=Clocks(0, 0)))
    assert lobby.describe_changes(three, slow)[1] == "The table now plays the rule set second."


def test_the_host_orders() -> None:
    orders = Orders()
    here = table(ANA, READY_REX, None)
    for line in ("start", " BOT ", "remove Rex the Great", "move Rex 3", "move The King ۳"):
        assert do_command(line, here, orders) == []
    assert orders.given == [
        ("start",), ("bot",), ("remove", "Rex the Great"), ("move", "Rex", 3),
        ("move", "The King", 3),
    ]  # fmt: skip


def test_orders_that_are_not_understood_say_so_and_do_nothing() -> None:
    orders = Orders()
    here = table(ANA, REX, None)
    for line in ("remove", "move", "move Rex", "move Rex x", "move 3", "33cc", "strat"):
        assert do_command(line, here, orders)
    assert do_command("start", table(ANA, REX, you=1), orders) == ["Only the host can do that."]
    assert orders.given == []


def test_who_shows_the_seats() -> None:
    lines = do_command("who", table(ANA, None), Orders())
    assert lines == ["1 Ana, Gigazaur (you, host)", "2 free"]


def test_every_refusal_of_the_lobby_has_its_sentence() -> None:
    said = [describe_fault(notices.LobbyRefused(why, "Rex")) for why in notices.LobbyFault]
    assert len(set(said)) == len(notices.LobbyFault)
    assert all(sentence.endswith(".") for sentence in said)


def test_a_host_reads_who_must_accept_whom() -> None:
    assert describe_fault(notices.LobbyRefused(notices.LobbyFault.UNSURE, "Rex", "Mia")) == (
        "Rex knows Mia by another key, and the game cannot begin until Rex types accept Mia: ask "
        "Rex to do so, or type remove Rex."
    )


def test_keys_are_shown_on_request() -> None:
    mia = notices.LobbySeat("Mia", "Alienoid", b"m", False, False, one_game=True)
    lines = do_command("keys", table(ANA, REX, OTTO, mia, None), Orders())
    assert [line.partition(":")[0] for line in lines] == ["1 Ana", "2 Rex", "4 Mia"]
    assert lines[2].endswith("(key for this game only)")


def test_a_player_whose_name_cannot_be_typed_is_meant_by_the_seat() -> None:
    miku, orders = notices.LobbySeat("美咲", "Alienoid", b"m", False, False), Orders()
    for words in ("remove 3", "move 3 2", "accept 3", "accept 9", "accept 2"):
        assert do_command(words, table(ANA, None, miku), orders) == []
    assert orders.given == [
        ("remove", "3"), ("move", "3", 2), ("accept", "3"), ("accept", "9"), ("accept", "2"),
    ]  # fmt: skip


def test_a_changed_key_is_asked_about_and_accepted() -> None:
    asked = lobby.describe_key_change(notices.KeyChanged("Rex", b"a" * 32, b"b" * 32))
    assert "accept Rex" in asked
    assert "--accept-new-keys" in lobby.describe_key_change(
        notices.KeyChanged("Rex", b"a", b"b", refused=True)
    )
    orders = Orders()
    assert do_command("accept rex", table(ANA, REX, you=1), orders) == []
    assert lobby.describe_accepted_key(notices.KeyAccepted("Rex", b"b" * 32)).startswith(
        "Rex is accepted with the key "
    )
    assert do_command("accept Bob", table(ANA, REX, you=1), Orders()) == []
    assert orders.given == [("accept", "rex")]
    assert do_command("accept", table(ANA, REX), orders)


def test_a_host_reads_of_open_where_seats_are_kept() -> None:
    here = table(ANA, None)
    assert not any(line.startswith("open:") for line in lobby.describe_commands(here))
    kept = replace(here, has_kept_seats=True)
    assert any(line.startswith("open:") for line in lobby.describe_commands(kept))


def test_guest_and_host_read_that_a_start_is_not_the_lobby() -> None:
    (line,) = NoticeFeed(Audience()).tell_notice(notices.StartDeclined("")).lines
    assert "signed nothing" in line
    (line,) = NoticeFeed(Audience()).tell_notice(notices.StartDeclined("Rex")).lines
    assert "remove Rex" in line


def test_all_read_what_they_have_signed() -> None:
    ana, rex, otto = genesis().charter.players
    seats = (ana, rex, replace(otto, keeper=0, automatic=True))
    charter = replace(genesis().charter, players=seats)
    (line,) = NoticeFeed(Audience()).tell_notice(notices.StartSigned(charter)).lines
    assert line == (
        "All have signed: Rule set second, with its whole deck. No options. Clocks: 120 s for a "
        "turn, 45 s for a reaction. Seats: "
        f"1 Ana (Gigazaur, key {fingerprint(ana.key)}), 2 Rex (The King, key "
        f"{fingerprint(rex.key)}), 3 Otto (Alienoid, a bot of Ana)."
    )
    passing = (ana, replace(rex, one_game=True), otto)
    assert describe_signed_seat(passing, 1).endswith(", for this game only)")
    assert NoticeFeed(Audience(solo=True)).tell_notice(notices.StartSigned(charter)).lines == []


def test_a_game_with_strangers_begins_with_what_a_majority_can_do() -> None:
    charter = genesis().charter
    known = NoticeFeed(Audience()).tell_notice(notices.StartSigned(charter)).lines
    *first, line = NoticeFeed(Audience()).tell_notice(notices.StartSigned(charter, (1, 2))).lines
    assert first == known
    assert line == (
        "You have not met the keys of Rex and Otto before. More than half of the players in the "
        "game can together let a bot play for anyone, even for a player who is on time."
    )


def test_another_game_says_who_may_come_and_how() -> None:
    feed = NoticeFeed(Audience())
    assert "Looking" in feed.tell_notice(notices.RematchNews(notices.RematchStep.SEARCHES)).lines[0]
    offers = notices.RematchNews(
        notices.RematchStep.OFFERS, ("Rex",), ("", "Rex"), playing=("Rex",)
    )
    told = feed.tell_notice(offers).lines
    assert "a seat kept for Rex" in told[0]
    assert "Rex has not answered, or is in a game already" in told[1]
    (access,) = feed.tell_notice(notices.TableOpened(("192.168.1.20",), 4242, False)).hints
    assert "whose program has ended types: kotp2p join 192.168.1.20" in access


def test_whoever_goes_from_one_lobby_to_another_is_told_of_the_other_one_only() -> None:
    feed = NoticeFeed(Audience())
    feed.tell_notice(table(ANA, None))
    told = feed.tell_notice(notices.RematchNews(notices.RematchStep.GOES, ("Rex",)))
    assert told.lines == ["Rex has opened the table: you go there."]
    shown = feed.tell_notice(table(REX, ANA, you=1)).lines
    assert "2 Ana, Gigazaur (you, host)" in shown
    assert not any("has left" in line or "takes seat" in line for line in shown)


# -- names, monsters and marks --------------------------------------------------------------


class Typist:
    def __init__(self) -> None:
        self.orders, self.question = Orders(), player_commands.StartQuestion()

    def type(self, line: str, here: notices.LobbyChanged) -> list[str]:
        return player_commands.do_command(line, here, self.orders, self.question)


def test_the_list_says_who_is_ready_in_a_word() -> None:
    assert lobby.list_seats(table(ANA, READY_REX, READY_OTTO)) == [
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


def test_a_start_is_asked_for_once_more_if_somebody_is_not_ready() -> None:
    typist, here = Typist(), table(ANA, REX, KIM, READY_OTTO)
    assert typist.type("start", here) == [
        "Rex and Kim are not ready. Press Enter to begin all the same."
    ]
    assert not typist.orders.given
    assert typist.type("start", table(ANA, READY_REX, KIM, READY_OTTO)) == []
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
    for here in (table(ANA, READY_OTTO), table(ANA, READY_REX), table(ANA, None)):
        typist = Typist()
        assert typist.type("start", here) == []
        assert typist.orders.given == [("start",)]


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
