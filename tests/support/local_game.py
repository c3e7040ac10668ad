"""A game without peers: one referee, seeded chance, a front for seat 0, bots for the rest."""

import io
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from kotp2p.cli.system.output import Output
from kotp2p.cli.ui import line_player, plain
from kotp2p.referee.box.cards import Card
from kotp2p.referee.box.rulesets import SECOND, RuleSet, Setup
from kotp2p.referee.game import Game
from kotp2p.referee.model.answers import Answer, Answered, BuyTop, Drawn, Input, Looked, Out
from kotp2p.referee.model.decisions import Chance, ChanceKind, Decision, Over
from kotp2p.referee.model.events import Event
from kotp2p.seams import commands, notices
from kotp2p.seams.commands import Front
from kotp2p.wire.genesis import Player
from tests.support import recorded_control
from tests.support.quick_advice import advise

NAMES = ("Ana", "Rex", "Mia", "Otto", "Lena", "Sam")
MONSTERS = ("Gigazaur", "The King", "Alienoid", "Cyber Kitty", "Meka Dragon", "Space Penguin")


def new_view(
    seats: int = 3, rules: RuleSet = SECOND, seat: int = 0, deck: tuple[Card, ...] | None = None
) -> notices.SeatView:
    """A game at its start; `deck`: other cards than those that a table is played with."""
    players = tuple(
        Player(NAMES[n], MONSTERS[n], bytes([seat]) * 32, seat, automatic=n != seat)
        for n in range(seats)
    )
    game = Game(Setup(rules, seats, rules.deck() if deck is None else deck))
    keepers = dict.fromkeys(range(seats), seat)
    return notices.SeatView(seat, players, game, "lemon train ocean piano", keepers)


def put_in(view: notices.SeatView, given: Input) -> list[Event]:
    """Plays on the game of a view, which a front only reads."""
    assert isinstance(view.game, Game)
    return view.game.submit(given)


def draw(chance: Chance, chooser: random.Random) -> Drawn:
    values: list[int] = []
    taken: set[tuple[int, int]] = set()
    for one in chance.draws:
        free = [v for v in range(one.size) if one.pool < 0 or (one.pool, v) not in taken]
        values.append(chooser.choice(free))
        taken.add((one.pool, values[-1]))
    return Drawn(tuple(values))


class Orders:
    """A control that remembers what it was told in words, and whether the seat left."""

    def __init__(self) -> None:
        self.left = False
        self.given: list[str] = []

    def __call__(self, command: commands.Command) -> None:
        match command:
            case commands.LeaveTable():
                self.left = True
            case commands.MarkReady(wanted=wanted):
                self.given.append("ready" if wanted else "not ready")
            case commands.GoOn(bot=bot):
                self.given.append("bot" if bot else "wait")
            case commands.StopToday(wanted=wanted):
                self.given.append("adjourn" if wanted else "play on")
            case _:
                fields = (str(getattr(command, name)) for name in command.__slots__)
                self.given.append(" ".join((recorded_control.WORDS[type(command)], *fields)))


@dataclass
class Table:
    """Plays `view.game` to its end; `front` sits on `view.seat`."""

    view: notices.SeatView
    front: Front
    chooser: random.Random
    orders: Orders = field(default_factory=Orders)
    decided: list[tuple[Decision, Answer]] = field(default_factory=list)
    others: Callable[[notices.SeatView, Decision], Answer] = advise
    longest: int = 5000

    async def play(self) -> None:
        self.front.attach(self.orders)
        self.front.show(notices.GameStarted(self.view))
        game = self.view.game
        for _step in range(self.longest):
            pending = game.pending
            if isinstance(pending, Over):
                self.front.show(notices.GameFinished(pending.winners, pending.winners, self.view))
                return
            if self.orders.left and game.state.monsters[self.view.seat].alive:
                self._submit(Out((self.view.seat,)))
            elif isinstance(pending, Chance):
                self._chance(pending)
            else:
                await self._decide(pending)
        raise AssertionError("the game does not end")

    def _chance(self, pending: Chance) -> None:
        if pending.kind is not ChanceKind.LOOK:
            self._submit(draw(pending, self.chooser))
            return
        assert pending.seat is not None
        self._submit(Looked(0, pending.seat))
        if pending.seat == self.view.seat:
            state = self.view.game.state
            self.view.top = self.chooser.choice(state.undrawn or state.discard)
            self.front.show(notices.TopRevealed(self.view.top))

    async def _decide(self, pending: Decision) -> None:
        if pending.seat != self.view.seat:
            view = notices.SeatView(pending.seat, self.view.players, self.view.game, "")
            self._submit(Answered(pending.seat, self.others(view, pending)))
            return
        answer = await self.front.decide(self.view, pending)
        if isinstance(answer, commands.Leave):
            self.orders.left = True
            return
        assert pending.is_legal(answer)
        self.decided.append((pending, answer))
        if isinstance(answer, BuyTop):
            self.view.top = None
        self._submit(Answered(pending.seat, answer))

    def _submit(self, given: Input) -> None:
        events = put_in(self.view, given)
        self.front.show(notices.Happened(tuple(events), self.view))


def piped(bot: Front | None = None) -> line_player.LinePlayer:
    return plain.seat_plain_player(Output(io.StringIO(), io.StringIO()), advise, bot)


def at_terminal(
    bot: Front | None = None, forget_typed: Callable[[], None] = lambda: None
) -> line_player.LinePlayer:
    output = Output(io.StringIO(), io.StringIO(), terminal=True)
    return plain.seat_plain_player(output, advise, bot, forget_typed)


def said(player: line_player.LinePlayer) -> list[str]:
    """All lines that were printed to stdout."""
    assert isinstance(player.display, plain.PlainDisplay)
    assert isinstance(player.display.output.out, io.StringIO)
    return player.display.output.out.getvalue().splitlines()


def notes(player: line_player.LinePlayer) -> list[str]:
    """All lines that were printed to stderr."""
    assert isinstance(player.display, plain.PlainDisplay)
    assert isinstance(player.display.output.err, io.StringIO)
    return player.display.output.err.getvalue().splitlines()
