"""Which game is taught, and that it is remembered for each profile."""

from pathlib import Path

import pytest

from kotp2p.cli.commands.one_game import FirstGame, set_pace
from kotp2p.cli.system.config import load_config
from kotp2p.cli.system.options import Speed
from kotp2p.cli.system.output import Output
from kotp2p.cli.ui.notice_feed import Audience
from kotp2p.cli.ui.plain import seat_plain_player
from kotp2p.extras import bots
from kotp2p.net import machine
from kotp2p.referee.box.rulesets import SECOND
from kotp2p.seams.world import World
from tests.support.settings import write_settings


def world(data: Path, profile: str = "default") -> World:
    return machine.machine_world(data, data / "logs", profile)


def is_taught(game: FirstGame, *, terminal: bool = True) -> bool:
    return game.is_taught(terminal=terminal)


def test_the_first_game_of_each_profile_is_taught(tmp_path: Path) -> None:
    assert is_taught(FirstGame(world(tmp_path)))
    FirstGame(world(tmp_path)).remember()
    FirstGame(world(tmp_path)).remember()
    assert not is_taught(FirstGame(world(tmp_path)))
    assert is_taught(FirstGame(world(tmp_path, "work")))


@pytest.mark.parametrize(
    ("is_wanted", "terminal", "taught"),
    [(True, True, True), (True, False, False), (False, True, False)],
)
def test_only_who_sits_at_a_terminal_and_wants_it_is_taught(
    tmp_path: Path, is_wanted: bool, terminal: bool, taught: bool
) -> None:
    assert is_taught(FirstGame(world(tmp_path), is_wanted), terminal=terminal) is taught
    FirstGame(world(tmp_path)).remember()
    assert not is_taught(FirstGame(world(tmp_path), is_wanted), terminal=terminal)


def test_what_cannot_be_read_or_written_is_no_reason_to_stop(tmp_path: Path) -> None:
    (tmp_path / "coached").write_text("a file where a folder should be")
    game = FirstGame(world(tmp_path))
    game.remember()
    assert not is_taught(game)


@pytest.mark.parametrize(
    ("is_lesson", "wanted", "speed"),
    [
        (True, "", Speed.SLOW), (False, "", Speed.NORMAL),
        (True, "fast", Speed.FAST), (True, "normal", Speed.NORMAL),
    ],
)  # fmt: skip
def test_a_game_that_is_taught_is_slow_unless_a_speed_is_set(
    data: Path, monkeypatch: pytest.MonkeyPatch, is_lesson: bool, wanted: str, speed: Speed
) -> None:
    monkeypatch.setenv("KOTP2P_CONFIG", write_settings(data, speed=wanted))
    audience = Audience(solo=True, lesson=SECOND if is_lesson else None)
    player = seat_plain_player(Output.standard(terminal=True), bots.advise, audience=audience)
    set_pace(player, load_config())
    assert player.state.pace.speed is speed
