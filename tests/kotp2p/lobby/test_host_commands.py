"""What a host can do at its table, and what it is told where it cannot."""

from kotp2p.lobby.lobby_effects import ShowNotice
from kotp2p.lobby.seating import Seating
from kotp2p.referee.box.rulesets import Options
from kotp2p.seams.notices import LobbyChanged, LobbyFault, LobbyRefused
from kotp2p.wire.frames import Lobby
from tests.support.lobby_room import Room


def bots_and_refusals(room: Room) -> tuple[int, list[LobbyFault]]:
    """The bots that sit there, and why others do not."""
    effects = room.host.take_effects()
    notices = [e.notice for e in effects if isinstance(e, ShowNotice)]
    return (
        sum(guest.is_kept for guest in room.host.seating.seated_guests()),
        [n.why for n in notices if isinstance(n, LobbyRefused)],
    )


def test_a_bot_sits_down_on_each_free_seat_and_on_no_other() -> None:
    room = Room.of(1, seats=4)
    for _ in range(3):
        room.host.add_bot()
    assert bots_and_refusals(room) == (2, [LobbyFault.FULL])
    seated = room.host.seating.seated_guests()
    assert len({guest.monster for guest in seated}) == 4
    assert len({guest.name for guest in seated}) == 4


def test_a_bot_that_is_removed_frees_its_seat_and_its_name() -> None:
    room = Room.of(1, seats=3)
    room.host.add_bot()
    (bot,) = (seat for seat in room.host.seating.seated_guests() if seat.is_kept)
    room.host.remove_player(bot.name, 0.0)
    room.pump(0.0)
    assert bots_and_refusals(room) == (0, [])
    assert room.said(Lobby)[-1].seats[2] is None
    room.join(2)
    assert room.said(Lobby)[-1].taken_seats[2].name == "Guest 2"


def test_bots_are_drawn_anew_for_each_table() -> None:
    tables = []
    for n in range(20):
        seating = Seating([None] * 4, chance=bytes([1, n]))
        for _ in range(4):
            seating.add_bot()
        tables.append([(guest.name, guest.monster) for guest in seating.seated_guests()])
    for seat in range(4):
        assert len({table[seat][0] for table in tables}) > 3
        assert len({table[seat][1] for table in tables}) > 3


def test_no_bot_sits_down_while_the_game_begins() -> None:
    room = Room.of(1, seats=4)
    room.host.start_game(0.0)
    bots_and_refusals(room)
    room.host.add_bot()
    assert bots_and_refusals(room) == (0, [LobbyFault.STARTING])


def test_two_players_have_their_option_as_long_as_they_are_two() -> None:
    """A-114. Each of them has read of it before the start, and the charter says it."""
    room = Room(seats=4, energy_for_two=True)
    shown = []
    for link in (1, 2):
        room.join(link)
        shown.append(_options_shown(room))
    room.host.remove_player("Guest 2", 1.0)
    room.pump(1.0)
    shown.append(_options_shown(room))
    assert shown == [Options(two_player=True), Options(), Options(two_player=True)]
    room.see_lobby(1.0)
    room.start(10.0)
    assert room.begun[0].genesis.charter.options == Options(two_player=True)


def _options_shown(room: Room) -> Options:
    """The options that the host was shown last; each guest was shown the same."""
    lobbies = [frame for _link, frame in room.told if isinstance(frame, Lobby)]
    notices = [notice for notice in room.notices if isinstance(notice, LobbyChanged)]
    assert lobbies[-1].options == notices[-1].options
    return notices[-1].options.options
