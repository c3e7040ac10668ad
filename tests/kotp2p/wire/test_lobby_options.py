"""The options of a table in the lobby: values here, texts on the wire."""

from __future__ import annotations

import pytest

from kotp2p.wire.genesis import Clocks
from kotp2p.wire.lobby_options import LobbyOptions
from referee.box.setup import Options


@pytest.mark.parametrize(
    ("texts", "options"),
    [
        ((), LobbyOptions()),
        (("two_player=true",), LobbyOptions(Options(two_player=True))),
        (("bay_for_beginners=true",), LobbyOptions(Options(bay_for_beginners=True))),
        (("tile_sides=mixed",), LobbyOptions(Options(tile_sides="mixed"))),
        (("turn_time=90", "reaction_time=0"), LobbyOptions(clocks=Clocks(90, 0))),
        (
            ("tile_sides=green", "new=1"),
            LobbyOptions(Options(tile_sides="green"), unknown=("new=1",)),
        ),
    ],
)
def test_options_are_spelled_and_read_back(texts: tuple[str, ...], options: LobbyOptions) -> None:
    assert options.texts() == texts
    assert LobbyOptions.parse(texts) == options


@pytest.mark.parametrize(
    "text",
    ["", "new", "two_player=yes", "tile_sides=blue", "turn_time=fast", "turn_time=-1", "a=b=c"],
)
def test_a_text_without_a_meaning_is_kept_as_it_came(text: str) -> None:
    assert LobbyOptions.parse((text,)) == LobbyOptions(unknown=(text,))
