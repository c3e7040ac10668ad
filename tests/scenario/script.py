"""Playing a scenario: each pending node is answered from the script, or takes its default.

Scope: the State to be judged is folded from the events over the State at the start, so a scenario
also proves that the events tell all that happened. It ends just before the event that starts the
next turn, although the referee itself is a step further then.
"""

from dataclasses import dataclass, field

from kotp2p.referee.game import Game
from kotp2p.referee.model import answers
from kotp2p.referee.model.decisions import Chance, ChanceKind, Decision, Over
from kotp2p.referee.model.events import CardBought, Event, TopLost, TurnStarted
from kotp2p.referee.model.state import Source, State
from kotp2p.referee.rules.turn import find_next_turn
from tests.scenario.form import Scenario
from tests.scenario.lines import AnswerLine, DiceLine, DrawLine, Line
from tests.scenario.setting import Setting
from tests.scenario.translate import Illegal, line_fits, translate_line

_MAX_STEPS = 5000
"""Far more steps than a scenario needs; a referee in an endless loop reaches them."""


class Failed(Exception):
    """The script cannot be played to its end; the message says what happened instead."""


@dataclass(slots=True)
class Outcome:
    game: Game
    state: State
    """The State at the moment of judging."""
    asked: list[tuple[answers.Seat, str]] = field(default_factory=list)
    dice: dict[answers.Seat, tuple[answers.Face, ...]] = field(default_factory=dict)
    """The dice of each monster's last turn."""
    next_turn: answers.Seat | None = None
    """The seat that has the next turn; None when the game is over."""


class Play:
    def __init__(self, scenario: Scenario, setting: Setting) -> None:
        self._scenario = scenario
        self._lines: tuple[Line, ...] = scenario.script
        self._used = 0
        self._deck = list(scenario.deck)
        self._fillers = setting.fillers
        self._top: answers.Item | None = None
        self._looks = 0
        game = Game.at_turn_start(setting.setup, setting.state.copy())
        self._game = game
        self._done = Outcome(game, game.state.copy())
        # A turn without a roll and without a question has ended by now.
        ended = None if isinstance(game.pending, Over) or self._lines else game.turn_end
        self._turn_begins = ended is not None
        if ended is not None:
            self._done = Outcome(game, ended.copy(), next_turn=game.state.active)

    def play(self) -> Outcome:
        """Play to the end that the scenario names; `Failed` if the script does not lead there."""
        for _ in range(_MAX_STEPS):
            if self._answer_node():
                break
        else:
            raise Failed("the game does not come to the end of the turn")
        if (line := self._next_line()) is not None:
            raise Failed(f"{line.text}: was never used")
        if self._done.state.winners is None and self._done.next_turn is None:
            self._done.next_turn = find_next_turn(self._done.state).seat
        return self._done

    def _next_line(self) -> Line | None:
        return self._lines[self._used] if self._used < len(self._lines) else None

    def _answer_node(self) -> bool:
        """Answer one node; True when the scenario is at its end."""
        if self._turn_begins:
            return True
        pending = self._game.pending
        ends_here = self._scenario.to_script_end and self._next_line() is None
        if isinstance(pending, Over):
            return True
        if isinstance(pending, Chance):
            if ends_here and pending.kind is ChanceKind.DICE:
                return True
            self._answer_chance(pending)
            return False
        self._done.asked.append((pending.seat, pending.kind))
        if ends_here:
            return True
        self._answer_decision(pending)
        return False

    def _submit(self, given: answers.Input) -> None:
        events = self._game.submit(given)
        for event in events:
            if isinstance(event, TurnStarted):
                self._done.next_turn = event.seat
                if self._next_line() is None and not self._scenario.to_script_end:
                    self._turn_begins = True
                    return
                self._done.dice.pop(event.seat, None)
            self._fold_event(event)
        if self._done.state != self._game.state:
            raise Failed("the events do not tell all that happened")

    def _fold_event(self, event: Event) -> None:
        state = self._done.state
        event.apply(state)
        if state.dice:
            self._done.dice[state.active] = tuple(state.dice)
        match event:
            case CardBought(source=Source.TOP):
                self._top = None
            case TopLost() if self._top is not None:
                # The card goes back unseen; in a scripted deck it still lies on top.
                self._deck.insert(0, self._game.card(self._top).key)
                self._top = None
            case _:  # no other event changes what lies on top
                pass

    # Decisions

    def _answer_decision(self, decision: Decision) -> None:
        """Answer from the script, else by default; a refused line leaves the decision open."""
        while isinstance(line := self._next_line(), AnswerLine) and line_fits(line, decision):
            said = translate_line(line, decision, self._game.state, self._game.setup, self._top)
            why = said.why if isinstance(said, Illegal) else None
            before = self._game.position()
            self._used += 1
            if not isinstance(said, Illegal):
                try:
                    self._submit(answers.Answered(decision.seat, said))
                except answers.IllegalAction as illegal:
                    why = str(illegal)
            if why is None:
                if line.refused:
                    raise Failed(f"{line.text}: should be refused, but is legal")
                return
            if not line.refused:
                raise Failed(f"{line.text}: is illegal ({why})")
            if self._game.position() != before or self._game.pending is not decision:
                raise Failed(f"{line.text}: was refused, but changed the game")
        self._submit(answers.Answered(decision.seat, decision.default))

    # Chance

    def _answer_chance(self, chance: Chance) -> None:
        match chance.kind:
            case ChanceKind.DICE:
                self._submit(answers.Drawn(self._take_dice_line(len(chance.draws))))
            case ChanceKind.CARDS:
                self._submit(answers.Drawn(self._draw_cards(chance)))
            case ChanceKind.LOOK:
                self._look_at_top(chance)
            case ChanceKind.SIDES:
                raise Failed("the sides of the tiles are drawn, but the table is already laid")

    def _take_dice_line(self, number: int) -> tuple[int, ...]:
        line = self._next_line()
        if not isinstance(line, DiceLine):
            instead = "the script is at its end" if line is None else f"next is {line.text}"
            raise Failed(f"a roll of {number} dice finds no dice line: {instead}")
        if len(line.faces) != number:
            raise Failed(f"{line.text}: {number} dice are rolled, not {len(line.faces)}")
        self._used += 1
        return tuple(face.value for face in line.faces)

    def _draw_cards(self, chance: Chance) -> tuple[int, ...]:
        values: list[int] = []
        drawn: list[answers.Item] = []
        for draw in chance.draws:
            pile = chance.piles[draw.pool]
            top, self._top = self._top, None
            item = self._choose_card(pile, drawn) if top is None else top
            drawn.append(item)
            values.append(pile.index(item))
        return tuple(values)

    def _look_at_top(self, chance: Chance) -> None:
        if chance.seat is None:
            raise Failed("a look is offered to nobody")
        if self._top is None:
            state = self._game.state
            self._top = self._choose_card(tuple(state.undrawn or sorted(state.discard)), [])
        self._looks += 1
        self._submit(answers.Looked(self._looks, chance.seat))

    def _choose_card(
        self, pile: tuple[answers.Item, ...], drawn: list[answers.Item]
    ) -> answers.Item:
        """The card of a `draw` line, else the next of `deck`, else one named nowhere, else any."""
        left = [item for item in pile if item not in drawn]
        line = self._next_line()
        if isinstance(line, DrawLine):
            self._used += 1
            return self._find_in_pile(line.card, left, line.text)
        if self._deck:
            key = self._deck.pop(0)
            return self._find_in_pile(key, left, f"deck, {key}")
        unnamed = [item for item in left if item in self._fillers]
        return min(unnamed or left, key=lambda item: (-self._game.card(item).cost, item))

    def _find_in_pile(self, key: str, left: list[answers.Item], text: str) -> answers.Item:
        for item in left:
            if self._game.card(item).key == key:
                return item
        raise Failed(f"{text}: is not in the pile that is drawn from")
