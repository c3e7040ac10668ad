"""A recorded game in plain lines."""

import io

from kotp2p.cli.extras.replay.player import ReplayPlayer
from kotp2p.cli.extras.replay.replay import PlainReplay
from kotp2p.cli.system.output import Output
from tests.support.log_bytes import offsets
from tests.support.recorded import golden_log, player_of


def tell(player: ReplayPlayer, *lines: str) -> list[str]:
    paper, typed = io.StringIO(), list(lines)

    def read_line() -> str:
        if not typed:
            raise EOFError
        return typed.pop(0)

    PlainReplay(player, Output(paper, paper)).step_through(read_line)
    return paper.getvalue().splitlines()


def told_in_full(data: bytes) -> list[str]:
    paper = io.StringIO()
    PlainReplay(player_of(data), Output(paper, paper)).tell_all()
    return paper.getvalue().splitlines()


def test_the_whole_game_is_told_with_its_verdict() -> None:
    lines = told_in_full(golden_log("second"))
    assert lines[0] == "The game begins: all players have signed its start."
    assert lines[-2:] == ["The game is over: Guest 3 wins.", "game.kotlog: sound"]
    assert sum(line.startswith("Turn ") for line in lines) == 47


def test_who_plays_for_the_absent_is_told_and_who_has_given_up() -> None:
    lines = told_in_full(golden_log("absent"))
    assert lines.count("A bot plays for Guest 4 until Guest 4 is back, in Ana's program.") == 1
    assert lines.count("Guest 1 has given up.") == 1


def test_enter_tells_one_event_after_the_other() -> None:
    lines = tell(player_of(golden_log("second")), "", "", "")
    assert lines[:3] == [
        "Enter shows the next event; ? lists the other words.",
        "Before the first turn, step 1 of 4, record 0 of 746.",
        "The game begins: all players have signed its start.",
    ]
    assert lines[3:5] == ["> ", "For sale now: a Gourmet, 4 energy, keep."]


def test_a_jump_says_where_it_leads() -> None:
    lines = tell(player_of(golden_log("second")), "g 14", "b", "g 99", "q")
    at = lines.index("> g 14")
    assert lines[at + 1].startswith("Turn 14 of 47, step 1 of ")
    assert lines[at + 2].startswith("Turn 14, Guest 3: ")
    assert lines[lines.index("> b") + 1].startswith("Turn 13 of 47, step 9 of 9, ")
    assert lines[lines.index("> g 99") + 1] == "This log has 47 turns."
    assert lines[-1] == "> q"


def test_play_tells_the_rest() -> None:
    player = player_of(golden_log("second"))
    lines = tell(player, "g 46", "play", "b", "q")
    at = lines.index("> play")
    assert [line[:7] for line in lines[at:] if line.startswith("Turn 4")] == ["Turn 47"] * 2
    assert lines[lines.index("> b") - 1] == "game.kotlog: sound"
    assert not player.is_playing


def test_what_is_asked_about_the_table_is_answered() -> None:
    lines = tell(player_of(golden_log("second")), "shop", "where", "?", "q")
    assert "game.kotlog: sound" in lines
    assert lines.count("n: the next decision; p: the one before; n NAME, p NAME: of one player.")


def test_a_wrong_log_is_told_up_to_its_first_wrong_record() -> None:
    data = golden_log("second")
    at = offsets(data)[97] + 30
    wrong = data[:at] + bytes((data[at] ^ 1,)) + data[at + 1 :]
    *lines, verdict = told_in_full(wrong)
    assert verdict.startswith("game.kotlog: WRONG at record 97, ")
    assert lines == told_in_full(data)[: len(lines)]
    assert tell(player_of(wrong), "end", "q")[-2] == verdict
