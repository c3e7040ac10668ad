"""A host that dies while it tells its guests that the game begins, as real processes."""

from __future__ import annotations

from pathlib import Path

from tests.support.processes import finished, guest, host, resumed


def test_a_guest_that_heard_nothing_of_the_host_plays_in_the_game_that_the_other_began(
    tmp_path: Path,
) -> None:
    homes = [tmp_path / name for name in ("ana", "rex", "mia")]
    dying = host(homes[0], 3, "--bind", "127.0.0.1", module="tests.support.dying_host")
    port = dying.port()
    guests = [guest(home, "127.0.0.1", port) for home in homes[1:]]
    assert dying.wait() == 9
    for program in guests:
        program.wait_for("Table phrase")
    back = resumed(homes[0])
    back.wait_for("You are back at the table")
    reports = finished([back, *guests])
    assert reports[0].confirmed_by == (0, 1, 2)
