"""Players without a person: three levels at the same seam as a terminal (`kotp2p.seams.commands`).

Scope: pure functions from what a seat may see to its answer. A bot has no memory and no clock. Its
only chance is `Noise`, keyed by its entropy and the position, so a bot that is asked the same
question in the same position gives the same answer, even after a restart. Not here: names of cards
or of rule sets. A bot learns what a card does by playing it on a fork of the game
(`bots.judgement`), so a new card needs no line in this room.

* `easy` is a single-minded beginner (`bots.easy`).
* `normal` plays to win, by the rules stated in `bots.normal`. It is also what `advise`
  proposes to a person who presses Enter.
* `hard` plays by the same rules, and judges a position by what a network has learned from games
  (`bots.learned`).

An `easy` bot has the temper of its name.

Known limitations: no bot bluffs, none remembers what others like, and none looks further ahead than
the end of the turn.
"""

from math import exp

from kotp2p.extras.bots.chances import UNKNOWING, standings_by_figures
from kotp2p.extras.bots.easy import EVEN, Temper, temper_of
from kotp2p.extras.bots.easy import choose_answer as choose_easily
from kotp2p.extras.bots.learned import standings_by_network
from kotp2p.extras.bots.normal import choose_answer as choose_well
from kotp2p.referee.game import GameReading
from kotp2p.referee.model.answers import Answer, Item
from kotp2p.referee.model.decisions import Decision
from kotp2p.seams.commands import Control, Front
from kotp2p.seams.cores import Noise
from kotp2p.seams.notices import Notice, SeatView

__all__ = ["LEVELS", "Noise", "advise", "choose", "judge", "make_bot"]

LEVELS = ("easy", "normal", "hard")
_APPRAISERS = {"normal": standings_by_figures, "hard": standings_by_network}


def choose(
    level: str,
    game: GameReading,
    decision: Decision,
    noise: Noise,
    top: Item | None = None,
    temper: Temper = EVEN,
) -> Answer:
    """Return the legal answer of a bot of `level` to a decision.

    `top` is the top card of the deck, if its seat knows it; `temper` is that of `easy`. If `game`
    is no longer at the decision, nothing can be tried, and the answer is the default.
    """
    if game.pending != decision:
        return decision.default
    if level == "easy":
        answer = choose_easily(game, decision, noise, temper)
    else:
        answer = choose_well(game, decision, top, _APPRAISERS[level])
    return answer if decision.is_legal(answer) else decision.default


def judge(game: GameReading) -> tuple[float, ...]:
    """Return the chance of each seat to win, as `hard` judges without trying the cards."""
    living = game.state.seats_alive()
    standings = standings_by_network(game, living[0], UNKNOWING)
    shares = {seat: exp(standing) for seat, standing in standings.items()}
    whole = sum(shares.values())
    return tuple(shares.get(seat, 0.0) / whole for seat in range(len(game.state.monsters)))


def advise(view: SeatView, decision: Decision) -> Answer:
    """Return the answer of `normal`, as advice to a person."""
    return choose("normal", view.game, decision, Noise(), view.top)


def make_bot(level: str, entropy: bytes) -> Front:
    """Return a front that plays its seat by itself, differing by `entropy`; raise ValueError."""
    if level not in LEVELS:
        raise ValueError(f"no bot plays at level {level!r}; there are {', '.join(LEVELS)}")
    return _Bot(level, entropy)


class _Bot:
    def __init__(self, level: str, entropy: bytes) -> None:
        self._level = level
        self._entropy = entropy

    def attach(self, control: Control) -> None:
        """Do nothing: a bot never leaves the game and starts nothing."""

    def show(self, notice: Notice) -> None:
        """Do nothing: the view that comes with a question has everything."""

    async def decide(self, view: SeatView, decision: Decision) -> Answer:
        noise = Noise(self._entropy, view.game.digest())
        temper = temper_of(view.players[view.seat].name) if view.players else EVEN
        return choose(self._level, view.game, decision, noise, view.top, temper)
