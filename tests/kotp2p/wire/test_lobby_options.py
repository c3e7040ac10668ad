"""The options and clocks of a table: LOBBY and the charter spell them alike."""

import pytest

from kotp2p.referee.box.rulesets import Options
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.frames import Lobby, decode, encode
from kotp2p.wire.genesis import Clocks, LobbyOptions


@pytest.mark.parametrize(
    "options",
    [
        LobbyOptions(),
        LobbyOptions(Options(two_player=True)),
        LobbyOptions(Options(bay_for_beginners=True)),
        LobbyOptions(Options(tile_sides="mixed")),
        LobbyOptions(clocks=Clocks(90, 0)),
        LobbyOptions(clocks=Clocks(0, 86_400)),
    ],
)
def test_options_are_written_and_read_back(options: LobbyOptions) -> None:
    lobby = Lobby((None, None), "second", options)
    assert decode(encode(lobby)[4:]) == lobby


@pytest.mark.parametrize(
    ("options", "clocks"),
    [
        ((False, False, "blue"), (120, 45)),
        ((False, False), (120, 45)),
        ((False, False, "red", "new=1"), (120, 45)),
        ((0, False, "red"), (120, 45)),
        ((False, False, "red"), (86_401, 45)),
        ((False, False, "red"), (120,)),
        ((False, False, "red"), ()),
    ],
)
def test_options_that_this_version_does_not_know_are_no_lobby(
    options: tuple[object, ...], clocks: tuple[object, ...]
) -> None:
    with pytest.raises(BadBytes):
        Lobby.parse(((None, None), "second", options, clocks))
