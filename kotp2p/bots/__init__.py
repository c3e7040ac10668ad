"""Players without a person: two levels behind the same seam as a terminal (`kotp2p.front`).

Law: a bot is a pure function of what its seat may see. It has no memory and no clock, and its
only chance is `Noise`, keyed by its entropy and the position: asked the same question in the
same position it gives the same answer, also after a restart. It names no card and no rule
set: what a card does it learns by playing it on a fork of the game (`kotp2p.bots.worth`), so a
card that is added tomorrow needs no line here.

* `easy` knows the rules and little more: it keeps what looks nice, buys on a whim, and leaves
  Tokyo when it hurts (`kotp2p.bots.easy`).
* `normal` plays to win, by the rules stated in `kotp2p.bots.normal`. It is also what `advise`
  proposes to a person who presses Enter.

Known warts: a Keep card is worth a share of its printed price, whatever it says, and no bot
saves up for a card that it cannot pay yet.
"""

from __future__ import annotations

from kotp2p.bots.easy import choose as choose_easily
from kotp2p.bots.noise import Noise
from kotp2p.bots.normal import choose as choose_well
from kotp2p.front import Control, Front
from kotp2p.notices import Notice
from kotp2p.seat_view import SeatView
from referee.game import Game
from referee.model.answers import Answer, Item, Seat
from referee.model.decisions import Decision

__all__ = ["LEVELS", "Noise", "advise", "bot", "choose"]

LEVELS = ("easy", "normal")


def choose(
    level: str, game: Game, seat: Seat, decision: Decision, noise: Noise, top: Item | None = None
) -> Answer:
    """What a bot of `level` answers; always legal. `top`: the top card, if this seat knows it."""
    assert seat == decision.seat, "a bot answers for its own seat"
    match level:
        case "easy":
            return choose_easily(game, decision, noise)
        case "normal":
            return choose_well(game, decision, top)
        case _:
            raise ValueError(f"no bot plays at level {level!r}; there are {', '.join(LEVELS)}")


def advise(view: SeatView, decision: Decision) -> Answer:
    """What a sound player would do: the answer of `normal`."""
    return choose_well(view.game, decision, view.top)


def bot(level: str, entropy: bytes) -> Front:
    """A front that plays its seat by itself; `entropy` makes it differ from its neighbours."""
    if level not in LEVELS:
        raise ValueError(f"no bot plays at level {level!r}; there are {', '.join(LEVELS)}")
    return _Bot(level, entropy)


class _Bot:
    def __init__(self, level: str, entropy: bytes) -> None:
        self._level = level
        self._entropy = entropy

    def attach(self, control: Control) -> None:
        """A bot never leaves and orders nobody about."""

    def show(self, notice: Notice) -> None:
        """All that it needs is in the view that comes with the question."""

    async def decide(self, view: SeatView, decision: Decision) -> Answer:
        noise = Noise(self._entropy, view.game.digest())
        return choose(self._level, view.game, view.seat, decision, noise, view.top)
