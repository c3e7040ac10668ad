"""One decision put to a person: lines in, lines out, until there is an answer.

Scope: which question a decision is, and what a question waits for. A costly answer is
asked about once more (`Confirm`), and a proposal waits for a second Enter (`Propose`). Any other
line is then read afresh, so that no player is caught in a sub-question. After a `Confirm` only `y`
and Enter count, since a letter typed in a hurry must not do the next thing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, assert_never

from kotp2p.cli.ask import shop
from kotp2p.cli.ask.damage import ResponseQuestion, SwapQuestion, YieldQuestion
from kotp2p.cli.ask.dice import (
    ChangeQuestion,
    HeartsQuestion,
    OrderQuestion,
    ProbeQuestion,
    RollQuestion,
)
from kotp2p.cli.ask.question import Adviser, Confirm, Give, Propose, Question, Refuse, Reply
from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.typed_words import NO, YES
from kotp2p.referee.model import decisions
from kotp2p.referee.model.answers import Answer
from kotp2p.seams.notices import SeatView

QUESTIONS: Mapping[type[decisions.Decision], type[Question[Any, Any]]] = MappingProxyType({
    decisions.RollDecision: RollQuestion,
    decisions.ProbeDecision: ProbeQuestion,
    decisions.ChangeDecision: ChangeQuestion,
    decisions.OrderDecision: OrderQuestion,
    decisions.HeartsDecision: HeartsQuestion,
    decisions.ResponseDecision: ResponseQuestion,
    decisions.YieldDecision: YieldQuestion,
    decisions.SwapDecision: SwapQuestion,
    decisions.BuyDecision: shop.BuyQuestion,
    decisions.OpportunistDecision: shop.OpportunistQuestion,
    decisions.DepositDecision: shop.DepositQuestion,
    decisions.SellDecision: shop.SellQuestion,
    decisions.CopyDecision: shop.CopyQuestion,
    decisions.TileDecision: shop.TileQuestion,
    decisions.AgainDecision: shop.AgainQuestion,
})  # fmt: skip


def question_for(
    view: SeatView, decision: decisions.Decision, adviser: Adviser
) -> Question[Any, Any]:
    return QUESTIONS[type(decision)](view, decision, adviser)


@dataclass
class Explained:
    kinds: set[str] = field(default_factory=set)
    items: set[int] = field(default_factory=set)

    def note_decision(self, decision: decisions.Decision) -> bool:
        """Record the kind and its cards; return whether any of these is new."""
        items = {usable.item for usable in decision.uses}
        if isinstance(decision, decisions.BuyDecision | decisions.OpportunistDecision):
            items |= {offer.card for offer in decision.offers}
        fresh = decision.kind not in self.kinds or not items <= self.items
        self.kinds.add(decision.kind)
        self.items |= items
        return fresh


@dataclass
class QuestionDialogue:
    question: Question[Any, Any]
    explained: Explained
    answer: Answer | None = None
    waiting: Confirm | Propose | None = None
    """The reply that waits for its `y` or Enter."""
    veil: str = ""
    """A text that hides the question until Enter: other people may see the screen."""
    on_unveiled: Callable[[], None] = lambda: None
    coach: str = ""

    def first_lines(self) -> list[str]:
        """Return the question with its facts; the last line is the prompt."""
        if self.veil:
            return [self.veil]
        lines = self.question.facts()
        if self.explained.note_decision(self.question.decision):
            lines += self.question.hints()
        if self.coach:
            lines.append(self.coach)
        return [*lines, self.question.prompt()]

    def repeat_prompt(self, *, beside_dice: bool = False) -> list[str]:
        """Return the prompt alone, to follow other lines."""
        if self.veil:
            return [self.veil]
        match self.waiting:
            case Confirm(sentence=sentence):
                return [sentence, _("y does it, Enter goes back.")]
            case Propose(answer=answer, dice=dice) as proposed:
                asked = self.question
                then = asked.preview.lines_of_proposal(asked.view, asked.decision, answer)
                shown = [dice] if dice and not beside_dice else []
                return [proposed.words, *shown, *then, _("Enter does it.")]
            case None:
                return [self.question.prompt()]
            case _:
                assert_never(self.waiting)

    @property
    def shows_facts(self) -> bool:
        """Return whether the question is still as it was first put, with its facts."""
        return self.waiting is None and not self.veil

    def help_lines(self) -> list[str]:
        if self.veil:
            return [self.veil]
        proposed = self.repeat_prompt()[:-1] if isinstance(self.waiting, Propose) else []
        return [*proposed, *self.question.facts(), *self.question.hints()]

    def claims(self, word: str) -> bool:
        return not isinstance(self.waiting, Confirm) and self.question.claims(word)

    def read_line(self, line: str) -> list[str]:
        assert self.answer is None, "an answered question reads nothing more"
        text = line.strip().lower()
        if self.veil:
            return self._read_under_veil(text)
        match self.waiting:
            case Confirm(answer=answer):
                return self._confirm(text, answer)
            case Propose(answer=answer) if not text:
                return self._follow_reply(self.question.weigh(Give(answer)))
            case Propose() | None:
                return self._follow_reply(self.question.reply(line))
            case _:
                assert_never(self.waiting)

    def _read_under_veil(self, text: str) -> list[str]:
        if not text:
            self.veil = ""
            self.on_unveiled()
        return self.first_lines()

    def _follow_reply(self, reply: Reply) -> list[str]:
        match reply:
            case Give(answer=answer):
                return self._give(answer)
            case Refuse(sentence=sentence):
                self.waiting = None
                return [sentence, *self.repeat_prompt()]
            case Confirm() | Propose():
                self.waiting = reply
                return self.repeat_prompt()
            case _:
                assert_never(reply)

    def _confirm(self, text: str, answer: Answer) -> list[str]:
        if YES.is_typed(text):
            return self._give(answer)
        if not text or NO.is_typed(text):
            self.waiting = None
            return self.repeat_prompt()
        return [_("Type y to do it, or press Enter to go back."), *self.repeat_prompt()]

    def _give(self, answer: Answer) -> list[str]:
        self.waiting = None
        self.answer = answer
        return []


def describe_waiting(decision: decisions.Decision | None, name: str) -> str:
    if decision is None:
        return _(
            "Waiting for {name}: all programs together roll the dice and turn up cards.", name=name
        )
    return _(QUESTIONS[type(decision)].waiting, name=name)


# -- menu ----------------------------------------------------------------------------------


MAX_MENU_ENTRIES = 800
"""Longer lists are cut; the orders of all six groups are 720."""


@dataclass(frozen=True, slots=True)
class MenuEntry:
    line: str
    label: str
    """What it does; empty where the line says it."""


def list_answers(asking: QuestionDialogue) -> list[MenuEntry]:
    if asking.veil:
        return []
    if isinstance(asking.waiting, Confirm):
        return [MenuEntry(YES.translations[0], _("do it"))]
    question = asking.question
    found: dict[str, MenuEntry] = {}
    for answer in question.offered():
        line = question.line_for(answer)
        if line not in found:
            found[line] = MenuEntry(line, question.label(answer))
        if len(found) == MAX_MENU_ENTRIES:
            break
    return list(found.values())
