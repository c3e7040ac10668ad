"""A decision as a question to a person: its words, and a typed line -> an answer.

Law: no I/O and no state here. A `Question` knows one decision and says
* `facts`: what there is to know now, one fact a line;
* `hints`: what each answer does, one a line (shown the first time and on `?`);
* `prompt`: the short form, with the answers and what Enter does, in one line;
* `parse`: what a typed line means; `enter`: what Enter alone means.
Every reply but `Refuse` carries an answer that `Decision.why_illegal` lets pass: `reply` sees to
that for all kinds, so that nothing typed can crash or skip a decision.

Enter never throws anything away: it does what costs nothing, or proposes and does it only
when it is pressed again. Rapid Healing fits at every decision of its owner, so cards that can
be used are parsed here, for all kinds. The kinds are in `ask_dice`, `ask_resolve`,
`ask_damage`, `ask_shop` and `ask_choice`; `question` in `asking` picks one.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from cli.text import names
from cli.text.i18n import _, ascii_digits, choice
from cli.text.refusals import refusal
from kotp2p.seat_view import SeatView
from referee.box.printed import Card
from referee.model.answers import Answer, Face, Use
from referee.model.decision_base import Usable
from referee.model.decisions import Decision

D = TypeVar("D", bound=Decision)

Adviser: TypeAlias = Callable[[SeatView, Decision], Answer]
"""What a sound player would do."""


def no_advice(view: SeatView, decision: Decision) -> Answer:
    return decision.default


@dataclass(frozen=True, slots=True)
class Give:
    """The answer."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class Refuse:
    """Not an answer; one sentence says why, and the same question comes again."""

    sentence: str


@dataclass(frozen=True, slots=True)
class Confirm:
    """A costly one: `y` does it, Enter goes back."""

    sentence: str
    answer: Answer


@dataclass(frozen=True, slots=True)
class Propose:
    """Enter again does it; anything else is read as an answer of its own."""

    sentence: str
    answer: Answer


Reply: TypeAlias = Give | Refuse | Confirm | Propose

FACES = {"1": Face.ONE, "2": Face.TWO, "3": Face.THREE, "h": Face.HEART, "e": Face.BOLT,
         "b": Face.BOLT, "c": Face.CLAW}  # fmt: skip
"""Letters of the faces; the bolt is energy, so both letters name it."""

HEAL = "rapid-healing"
SHORTEST = 3
"""Letters of a card's name that are needed to use it."""
SHORTEST_CHOICE = 2
"""Letters of a name that are needed to pick it from a list."""


class Question(ABC, Generic[D]):
    def __init__(self, view: SeatView, decision: D, adviser: Adviser = no_advice) -> None:
        self.view = view
        self.decision = decision
        self.adviser = adviser
        self.me = view.game.state.monsters[decision.seat]

    # -- the words ---------------------------------------------------------------------

    @abstractmethod
    def facts(self) -> list[str]: ...

    def facts_beside_dice(self) -> list[str]:
        """For a reader before whom the dice lie."""
        return self.facts()

    @abstractmethod
    def own_hints(self) -> list[str]: ...

    @abstractmethod
    def prompt(self) -> str: ...

    def hints(self) -> list[str]:
        return self.own_hints() + [self.use_hint(usable) for usable in self.decision.uses]

    def title(self) -> str:
        """The heading, when the question is named from outside."""
        return self.prompt()

    # -- what was typed ----------------------------------------------------------------

    @abstractmethod
    def parse(self, text: str) -> Reply:
        """`text` is stripped, in lower case, with ASCII digits, and not empty."""

    @abstractmethod
    def enter(self) -> Reply: ...

    def reply(self, line: str) -> Reply:
        """What a line means; whatever it holds, an answer in it is legal."""
        text = ascii_digits(" ".join(line.split())).lower()
        found = self.enter() if not text else self._read(text)
        if isinstance(found, Refuse):
            return found
        reason = self.decision.why_illegal(found.answer)
        return found if reason is None else Refuse(refusal(reason))

    def _read(self, text: str) -> Reply:
        if len(text) > 200:
            return Refuse(_("That line is too long."))
        used = None if set(text) <= set(FACES) else self.read_use(text)
        return used or self.parse(text)

    # -- cards that can be used --------------------------------------------------------

    def effect_of(self, usable: Usable) -> Card | None:
        cards = self.view.game.setup.rules.cards
        return next((card for card in cards if card.key == usable.effect), None)

    def use_word(self, usable: Usable) -> str:
        """What is typed to use it: `heal`, or the first word of the card's name."""
        if usable.effect == HEAL and names.is_card(self.view.game, usable.item):
            card = self.view.game.card(usable.item)
            if card.key == HEAL:
                return "heal"
        name = names.item_name(self.view.game, usable.item)
        return re.split(r"[^\w]+", name.lower().replace("'", ""))[0]

    def use_name(self, usable: Usable) -> str:
        name = names.item_name(self.view.game, usable.item)
        effect = self.effect_of(usable)
        if effect is None or effect.name == name:
            return name
        return _("{name} as {copied}", name=name, copied=effect.name)

    def use_hint(self, usable: Usable) -> str:
        effect = self.effect_of(usable)
        return _(
            "{word}: use {card}, {price}. {text}",
            word=self.use_form(usable),
            card=self.use_name(usable),
            price=names.energy(usable.cost) if usable.cost else _("free"),
            text=effect.text if effect else "",
        ).rstrip()

    def use_form(self, usable: Usable) -> str:
        """The word with the faces that it wants behind it: `stretchy h 3`."""
        word = self.use_word(usable)
        if not usable.dice:
            return word
        die = _letter(self.dice()[usable.dice[0]])
        if len(usable.faces) > 1:
            face = next(f for f in usable.faces if f is not self.dice()[usable.dice[0]])
            return f"{word} {die} {_letter(face)}"
        return f"{word} {die}"

    def dice(self) -> Sequence[Face]:
        return self.view.game.state.dice

    def read_use(self, text: str) -> Reply | None:
        """A line that begins with the name of a usable card; None if it does not."""
        for usable in self.decision.uses:
            rest = self._after_name(usable, text)
            if rest is not None:
                return self._use(usable, rest)
        return None

    def _after_name(self, usable: Usable, text: str) -> str | None:
        if text.startswith("use "):
            text = text[4:]
        name = names.item_name(self.view.game, usable.item).lower()
        if text == name or text.startswith(name + " "):
            return text[len(name) :]
        word, _space, rest = text.partition(" ")
        own = self.use_word(usable)
        if word == own or (len(word) >= SHORTEST and name.startswith(word)):
            return rest
        return None

    def _use(self, usable: Usable, rest: str) -> Reply:
        """`rest` names the die by its face and then what it becomes, as far as needed."""
        wanted = [FACES[sign] for sign in rest if sign in FACES]
        if any(sign not in FACES and sign not in " ,=>" for sign in rest):
            return Refuse(_("After the card only faces: {form}.", form=self.use_form(usable)))
        die: int | None = None
        if usable.dice:
            shown = {self.dice()[position] for position in usable.dice}
            only = next(iter(shown)) if len(shown) == 1 else None
            needed = 1 + (len(usable.faces) > 1)
            if len(wanted) < needed and only is not None:
                wanted = [only, *wanted]
            if len(wanted) < needed:
                return Refuse(_("Say which die, by its face: {form}.", form=self.use_form(usable)))
            fitting = [p for p in usable.dice if self.dice()[p] is wanted[0]]
            if not fitting:
                return Refuse(
                    _("{card} cannot take such a die: {face}.",
                      card=self.use_name(usable), face=names.face(wanted[0]))
                )  # fmt: skip
            die, wanted = fitting[0], wanted[1:]
        face = usable.faces[0] if len(usable.faces) == 1 else None
        if len(usable.faces) > 1:
            face, wanted = wanted[0], wanted[1:]
        if wanted and wanted != [face]:
            return Refuse(_("Too many faces; like this: {form}.", form=self.use_form(usable)))
        return Give(Use(usable.item, die, face))

    def use_in_words(self, use: Use) -> str:
        """For a proposal."""
        usable = next(u for u in self.decision.uses if u.item == use.item)
        if use.die is None:
            return _("use {card}", card=self.use_name(usable))
        old = names.face(self.dice()[use.die])
        if use.face is None:
            return _("use {card} on a die that shows: {old}", card=self.use_name(usable), old=old)
        return _(
            "use {card}: {old} becomes {new}",
            card=self.use_name(usable),
            old=old,
            new=names.face(use.face),
        )

    def use_words(self) -> str:
        """The words of all usable cards, for the short prompt; may be empty."""
        words = list(dict.fromkeys(self.use_form(u) for u in self.decision.uses))
        return "".join(_(", or {word}", word=word) for word in words)


def _letter(face: Face) -> str:
    return "123hec"[face]


def pick(text: str, options: Sequence[str]) -> int | Refuse:
    """A number from 1, or the beginning of one of the names."""
    if text.isdigit():
        if 1 <= int(text) <= len(options):
            return int(text) - 1
        return Refuse(_("There is no number {n}; 1 to {most}.", n=text, most=len(options)))
    found = [i for i, option in enumerate(options) if option.lower().startswith(text)]
    found = found or [i for i, option in enumerate(options) if text in option.lower()]
    if not found or len(text) < SHORTEST_CHOICE:
        return Refuse(_("None of them is called {text}; type its number.", text=text))
    if len({options[i] for i in found}) > 1:
        return Refuse(
            _("{text} may be {names}; type more.", text=text,
              names=choice([options[i] for i in found]))
        )  # fmt: skip
    return found[0]
