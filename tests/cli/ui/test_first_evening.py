"""A first game: easy rivals who become normal ones after a win, and a guest who is taught, too."""

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kotp2p.cli.commands import one_game, play
from kotp2p.cli.commands.one_game import FirstGame, Played
from kotp2p.cli.commands.person import Person
from kotp2p.cli.system.options import Speed
from kotp2p.cli.system.output import Output
from kotp2p.cli.ui.notice_feed import Audience
from kotp2p.cli.ui.plain import seat_plain_player
from kotp2p.cli.ui.player_commands import ask_for_another
from kotp2p.cli.ui.player_state import first_page_lines
from kotp2p.cli.ui.screen.controls import seat_screen_player
from kotp2p.cli.ui.screen.theme import fold_lines
from kotp2p.cli.wing import Wing
from kotp2p.referee.box.rulesets import SECOND, Options
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.notices import GameStarted, LobbyChanged, LobbySeat
from kotp2p.seams.world import World
from kotp2p.shell.run import HostOptions
from tests.support.local_game import Orders, new_view, said
from tests.support.quick_advice import advise

HOST = LobbySeat("Ana", "Gigazaur", b"a", False, True)
GUEST = LobbySeat("Rex", "The King", b"b", False, False)
LOBBY = LobbyChanged((HOST, GUEST), 1, "second")


def test_bots_are_easy_until_a_game_is_won(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = Ending(EndKind.FINISHED, view=new_view(3), winners=(1,))
    endings = iter([lost, replace(lost, winners=(0,)), lost])
    levels: list[tuple[str, bool]] = []

    def play_game(
        _person: Person, _play: object, world: World, *, table: HostOptions, **said: Any
    ) -> Played:
        levels.append((table.level, said["is_easy"]))
        FirstGame(world).remember()
        return Played(0, next(endings), wants_another=len(levels) < 3)

    monkeypatch.setenv("KOTP2P_DATA", str(tmp_path))
    monkeypatch.setattr(one_game, "play_game", play_game)
    monkeypatch.setattr(play, "is_terminal", lambda: True)
    monkeypatch.setattr(play, "wing", Wing)
    assert play.solo(Person(), HostOptions(), is_level_chosen=False) == 0
    assert levels == [("easy", True), ("easy", True), ("normal", False)]


def test_the_page_before_a_first_game_says_that_the_rivals_play_easily() -> None:
    sentence = "Your rivals are easy bots in this game."
    assert sentence in first_page_lines(SECOND, Options(), Speed.NORMAL, is_easy=True)
    assert sentence not in first_page_lines(SECOND, Options(), Speed.NORMAL)
    slowly = first_page_lines(SECOND, Options(), Speed.SLOW, is_easy=True)
    assert slowly[-1].startswith("Your rivals are easy bots, shown slowly")


def test_the_page_before_a_first_game_fits_80x24() -> None:
    lines = first_page_lines(SECOND, Options(), Speed.SLOW, is_easy=True)
    assert len(fold_lines(lines, 78)) <= 16


def test_after_a_win_against_easy_bots_normal_ones_are_offered() -> None:
    won = Ending(EndKind.FINISHED, view=new_view(3), winners=(0,))
    assert "against normal bots?" in ask_for_another(won, was_easy=True)
    assert "against normal bots?" not in ask_for_another(won)
    assert "against normal bots?" not in ask_for_another(replace(won, winners=(1,)), was_easy=True)


def test_a_new_guest_gets_the_page_once_and_is_told_to_type_ready() -> None:
    output = Output(io.StringIO(), io.StringIO(), terminal=True)
    front = seat_plain_player(output, advise, audience=Audience(is_new_guest=True))
    front.attach(Orders())
    front.show(LOBBY)
    front.show(replace(LOBBY, seats=(HOST, replace(GUEST, monster="Kraken"))))
    text = "\n".join(said(front))
    assert text.count("The aim: 20 points") == 1
    assert text.count("When you have read this, type ready: the host waits for that.") == 1
    assert front.coaching.is_on


@pytest.mark.parametrize(("seats", "reward"), [(2, "1 energy"), (3, "1 point")])
def test_the_page_tells_of_the_option_for_two_where_no_other_comes(seats: int, reward: str) -> None:
    table = seat_screen_player(advise, audience=Audience(is_new_guest=True))
    options = replace(LOBBY.options, options=Options(two_player=True))
    free = (None,) * (seats - 2)
    table.player.show(replace(LOBBY, seats=(HOST, GUEST, *free), options=options))
    assert table.screen.page is not None
    assert f"That is {reward}" in " ".join(table.screen.page.lines)


def test_on_the_drawn_table_the_page_of_a_guest_lies_over_the_lobby_and_never_over_a_game() -> None:
    table = seat_screen_player(advise, audience=Audience(is_new_guest=True))
    table.player.show(LOBBY)
    assert table.screen.page is not None
    assert table.screen.page.lines[-1].endswith("type ready: the host waits for that.")
    table.player.show(GameStarted(new_view(3)))
    assert table.screen.page is None


def test_a_guest_who_knows_the_game_is_not_taught() -> None:
    table = seat_screen_player(advise, audience=Audience())
    table.player.show(LOBBY)
    assert table.screen.page is None
    assert not table.player.coaching.is_on
