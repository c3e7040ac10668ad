"""What the dice of another would do to the player: told as long as they lie there."""

from kotp2p import bots
from kotp2p.cli.ui.line_player import LinePlayer
from kotp2p.cli.ui.screen.controls import seat_screen_player
from kotp2p.cli.ui.screen.draw import draw_screen
from kotp2p.referee.model.events import DiceRolled, HeartsLost
from kotp2p.referee.model.state import DamageKind
from kotp2p.seams.notices import GameStarted, Happened, SeatView
from tests.support.laid_decisions import dice
from tests.support.local_game import at_terminal, notes
from tests.support.staged_turns import placed, rolled

WARNING = "These dice would cost you 2 hearts."


def throws(player: LinePlayer, view: SeatView, faces: str = "CC1123") -> None:
    player.show(Happened((DiceRolled(1, tuple(range(6)), dice(faces)),), view))


def test_in_lines_it_is_told_once_as_long_as_it_stays_the_same() -> None:
    player, view = at_terminal(), rolled("CC1123", placed(0), by=1)
    player.show(GameStarted(view))
    throws(player, view)
    throws(player, view)
    assert notes(player).count(WARNING) == 1
    player.show(Happened((HeartsLost(0, 2, DamageKind.CLAWS, 1),), view))
    throws(player, view)
    assert notes(player).count(WARNING) == 2


def test_on_the_screen_it_stands_below_the_table_and_not_in_the_log() -> None:
    seated = seat_screen_player(bots.advise)
    player, view = seated.player, rolled("CC1123", placed(0), by=1)

    def shown() -> list[str]:
        return ["".join(text for _s, text in row) for row in draw_screen(seated.screen, 80, 22)]

    player.show(GameStarted(view))
    throws(player, view)
    at = next(n for n, row in enumerate(shown()) if WARNING in row)
    assert shown()[18].startswith("-- ")
    assert at > 18
    assert not any(WARNING in line for line in seated.screen.log.lines)
    player.show(Happened((HeartsLost(0, 2, DamageKind.CLAWS, 1),), view))
    assert not any(WARNING in row for row in shown())
