"""A decision as a question to a person: its words, a typed line as its answer, and back.

Scope: what all kinds of question share. A `Question` knows one decision and says
* `facts`: what there is to know now, one fact a line;
* `hints`: what each answer does, one a line (shown the first time and on `?`);
* `prompt`: the short form, with the answers and what Enter does, in one line;
* `parse`: what a typed line means; `enter`: what Enter alone means;
* `line_for`: the line that gives an answer, the inverse of `parse`; `label`: what it does.

Every reply but `Refuse` carries an answer that `Decision.why_illegal` lets pass. `reply` checks
this for all kinds, so that nothing typed can crash the game or skip a decision.

Enter means yes, at every kind of question: it proposes the advice, and pressed again it gives the
answer that it has proposed. Only where there is a single answer Enter gives it at once. Where the
advice would let another win, or put the player out, Enter proposes an answer that does not, so that
Enter alone is safe wherever there is a safe answer.

A card may be usable at any kind of decision, so uses are read here before the question reads its
own answers.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import ClassVar, Generic, TypeAlias, TypeVar, cast

from kotp2p.cli.ask import foresight
from kotp2p.cli.text import i18n, names
from kotp2p.cli.text import typed_words as words
from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.player_rules import printed_name, printed_text
from kotp2p.cli.text.story import describe_refusal
from kotp2p.cli.wing import Preview, take_default, wing
from kotp2p.referee.box.cards import Card
from kotp2p.referee.box.rulesets import RuleSet
from kotp2p.referee.cards.effects import effect_of
from kotp2p.referee.model.answers import Answer, Face, Use
from kotp2p.referee.model.decisions import Decision, Usable
from kotp2p.referee.table.table import Effect
from kotp2p.seams.notices import SeatView

D = TypeVar("D", bound=Decision)
A = TypeVar("A", bound=Answer)
"""The answers of one kind of decision, apart from the use of a card."""

Adviser: TypeAlias = Callable[[SeatView, Decision], Answer]

NO_WORDS = ("n", "no", "d", "done", "pass")
ADVICE_WORDS = ("advice", "hint")
"""Words that ask for a proposal, also where Enter gives an answer."""
MAX_LINE = 200
MIN_LETTERS_OF_NAME = 2


class Question(ABC, Generic[D, A]):
    typed_words: ClassVar[tuple[words.TypedWord, ...]] = ()
    """What `parse` reads besides letters and names; other languages have words of their own."""
    typed_letters: ClassVar[tuple[words.TypedWord, ...]] = ()
    title: ClassVar[str]
    waiting: ClassVar[str]

    def __init__(self, view: SeatView, decision: D, adviser: Adviser = take_default) -> None:
        self.view = view
        self.decision = decision
        self.adviser = adviser
        self.me = view.game.state.monsters[decision.seat]
        self.uses = CardUses(view, decision, self.dice())

    @property
    def preview(self) -> Preview:
        """Return what describes answers before they are given."""
        return wing().make_preview()

    def heading(self) -> str:
        return _(self.title)

    @abstractmethod
    def facts(self) -> list[str]: ...

    def facts_beside_dice(self) -> list[str]:
        """Return the facts that the drawn table does not show beside dice, cards and log."""
        return self.facts()

    def own_hints(self) -> list[str]:
        """Return what the prompt does not say of what may be typed."""
        return []

    @abstractmethod
    def own_prompt(self) -> str: ...

    def prompt(self) -> str:
        """Return the question in one line, with the cards that can be used instead."""
        forms = self.uses.typed_forms()
        if not forms:
            return self.own_prompt()
        return _("{prompt} Or use a card: {cards}.",
                 prompt=self.own_prompt(), cards=i18n.list_with_commas(forms))  # fmt: skip

    def hints(self) -> list[str]:
        return [*self.own_hints(), *(self.use_hint(usable) for usable in self.decision.uses)]

    def use_hint(self, usable: Usable) -> str:
        return self.uses.describe_use(usable)

    def dice(self) -> Sequence[Face]:
        return self.view.game.state.dice

    def choices(self) -> list[Choice]:
        return []

    def parse(self, text: str) -> Reply:
        """Parse a text that is stripped, in lower case, with ASCII digits, and not empty."""
        chosen = next((one for one in self.choices() if text in one.words), None)
        return self.parse_other(text) if chosen is None else Give(chosen.answer)

    def parse_other(self, text: str) -> Reply:
        own = [self.line_for(cast("A", choice.answer)) for choice in self.choices()]
        known = i18n.list_with_or([*self.uses.typed_forms(), *own])
        return Refuse(
            _("{text} is not an answer; type {words}, or press Enter.", text=text, words=known)
        )

    def enter(self) -> Give | Propose:
        only = self._find_only_answer()
        return self.propose(self.advice()) if only is None else Give(only)

    def _find_only_answer(self) -> A | Use | None:
        """Return the only answer, or None if there are several to choose from."""
        first = list(islice(self.offered(), 2))
        return first[0] if len(first) == 1 else None

    def claims(self, text: str) -> bool:
        """Return whether a command of the table is read as an answer here."""
        return False

    def reply(self, line: str) -> Reply:
        """Return the meaning of a line; any answer in the reply is legal."""
        text = self.fold_line(self.in_english(line))
        found = self._read(text) if text else self._enter_safely()
        if isinstance(found, Refuse):
            return found
        illegal = self.decision.why_illegal(found.answer)
        if illegal is not None:
            return Refuse(describe_refusal(illegal))
        if not isinstance(found, Propose):
            return self.weigh(found)
        return replace(found, reason=wing().give_reason(self.view, self.decision, found.answer))

    def weigh(self, reply: Give | Confirm) -> Reply:
        """Return the reply, or a `Confirm` if it lets another win or puts the player out."""
        stakes = foresight.find_stakes(self.view, self.decision, reply.answer)
        if stakes == foresight.NOTHING_AT_STAKE:
            return reply
        label = self.label(cast("A | Use", reply.answer))
        return Confirm(foresight.describe_stakes(self.view, stakes, label), reply.answer)

    def _enter_safely(self) -> Reply:
        found = self.enter()
        if not self._is_grave(found.answer):
            return found
        answer = self._find_harmless_answer()
        return found if answer is None else self.propose(answer)

    def _find_harmless_answer(self) -> A | Use | None:
        """Return the advice if it is harmless, else the first answer that surely is, if any."""
        advice = self.advice()
        if not self._is_grave(advice):
            return advice
        for answer in islice(self.offered(), foresight.MAX_ANSWERS_COMPARED):
            if not self._is_grave(answer):
                return answer
        return None

    def _is_grave(self, answer: Answer) -> bool:
        return foresight.find_stakes(self.view, self.decision, answer) != foresight.NOTHING_AT_STAKE

    def propose(self, answer: A | Use) -> Propose:
        return Propose(_("Advice: {what}.", what=self.label(answer)), answer)

    def in_english(self, line: str) -> str:
        """Return the line with English words and letters in place of translated ones."""
        text = words.plain_letters(i18n.ascii_digits(" ".join(line.split())))
        text = words.words_in_english(text, (*self.typed_words, *words.EVERYWHERE))
        return words.letters_in_english(text, self.typed_letters)

    def has_word(self, line: str) -> bool:
        return any(word.is_typed(line) for word in self.typed_words)

    def fold_line(self, text: str) -> str:
        """Return the line as `parse` expects it: in lower case, unless a subclass differs."""
        return text.lower()

    def _read(self, text: str) -> Reply:
        if len(text) > MAX_LINE:
            return Refuse(_("That line is too long."))
        if text in ADVICE_WORDS:
            return self.propose(self.advice())
        # A line of face letters alone names dice, never a card.
        used = None if set(text) <= set(names.FACE_OF_LETTER) else self.uses.read_line(text)
        return used or self.parse(text)

    def spell(self, answer: A) -> tuple[str, str]:
        """Return the English line that `parse` understands as this answer, and what it does."""
        chosen = next(one for one in self.choices() if one.answer == answer)
        return chosen.words[0], chosen.label

    def line_for(self, answer: A | Use) -> str:
        if isinstance(answer, Use):
            return self.uses.line_for(answer)
        line, _label = self.spell(answer)
        found = words.words_in_own_language(line, self.typed_words)
        return words.letters_in_own_language(line, self.typed_letters) if found == line else found

    def label(self, answer: A | Use) -> str:
        return self.uses.label_of(answer) if isinstance(answer, Use) else self.spell(answer)[1]

    def offered(self) -> Iterator[A | Use]:
        """Yield the answers that can be picked from a list, in its order."""
        for answer in self.decision.legal_answers():
            if not isinstance(answer, Use) or not self.uses.is_idle(answer):
                yield cast("A | Use", answer)

    def advice(self) -> A | Use:
        """Return the adviser's answer, or the default one if that is not legal here."""
        answer = self.adviser(self.view, self.decision)
        legal = answer if self.decision.is_legal(answer) else self.decision.default
        return cast("A | Use", legal)  # a decision allows its own answers and uses only


class PickQuestion(Question[D, A]):
    @abstractmethod
    def options(self) -> list[tuple[str, A]]:
        """Return each thing with its answer."""

    def choices(self) -> list[Choice]:
        return [Choice((str(n),), a, name) for n, (name, a) in enumerate(self.options(), 1)]

    def parse_other(self, text: str) -> Reply:
        options = self.options()
        found = pick_option(text, [name for name, _answer in options])
        return found if isinstance(found, Refuse) else Give(options[found][1])


def pick_option(text: str, options: Sequence[str]) -> int | Refuse:
    """Return the index of the option that a number from 1, or a part of a name, means."""
    if text.isdigit():
        if 1 <= int(text) <= len(options):
            return int(text) - 1
        return Refuse(_("There is no number {n}; type 1 to {most}.", n=text, most=len(options)))
    options = [i18n.without_isolates(option) for option in options]
    found = [i for i, option in enumerate(options) if option.lower().startswith(text)]
    found = found or [i for i, option in enumerate(options) if text in option.lower()]
    if not found or len(text) < MIN_LETTERS_OF_NAME:
        return Refuse(_("None of them is called {text}; type its number.", text=text))
    if len({options[i] for i in found}) > 1:
        return Refuse(
            _("{text} may be {names}; type more.", text=text,
              names=i18n.list_with_or([options[i] for i in found]))
        )  # fmt: skip
    return found[0]


# -- what a typed line means: an answer, or a question back --------------------------------


@dataclass(frozen=True, slots=True)
class Choice:
    words: tuple[str, ...]
    """In English; the first one is shown."""
    answer: Answer
    label: str


@dataclass(frozen=True, slots=True)
class Give:
    answer: Answer


@dataclass(frozen=True, slots=True)
class Refuse:
    sentence: str


@dataclass(frozen=True, slots=True)
class Confirm:
    """A costly answer: `y` gives it, Enter goes back."""

    sentence: str
    answer: Answer


@dataclass(frozen=True, slots=True)
class Propose:
    """A proposal that Enter accepts; any other line is read as an answer of its own."""

    sentence: str
    answer: Answer
    dice: str = field(default="", compare=False)
    reason: str = field(default="", compare=False)

    @property
    def words(self) -> str:
        return " ".join(part for part in (self.sentence, self.reason) if part)


Reply: TypeAlias = Give | Refuse | Confirm | Propose


# -- cards that can be used at a decision: the words, and typed lines about them -----------


MIN_LETTERS_OF_CARD = 3
FACES_TO_CHOOSE_FROM = 2
"""A use with this many faces must name the new one."""


def printed_card(rules: RuleSet, usable: Usable) -> Card | None:
    """Return the card of this effect: for a copying card, the copied one."""
    return next((card for card in rules.cards if card.key == usable.effect), None)


def fits_any_decision(rules: RuleSet, usable: Usable) -> bool:
    """Return whether this is healing that can be bought at every decision (RULES A-86)."""
    card = printed_card(rules, usable)
    return card is not None and Effect.offer_anytime in effect_of(card).hooks


@dataclass(frozen=True, slots=True)
class CardUses:
    view: SeatView
    decision: Decision
    dice: Sequence[Face]

    @property
    def usables(self) -> tuple[Usable, ...]:
        return self.decision.uses

    def typed_word(self, usable: Usable) -> str:
        """Return the word that uses the card: that for healing, or the name's first word."""
        rules = self.view.game.setup.rules
        is_copy = self.view.game.setup.key(usable.item) != usable.effect
        if fits_any_decision(rules, usable) and not is_copy:
            return words.HEAL.translations[0]
        return _first_word(names.item_name(self.view.game, usable.item).lower())

    def card_name(self, usable: Usable) -> str:
        name = names.item_name(self.view.game, usable.item)
        card = printed_card(self.view.game.setup.rules, usable)
        if card is None or printed_name(card) == name:
            return name
        return _("{name} as {copied}", name=name, copied=printed_name(card))

    def typed_form(self, usable: Usable) -> str:
        """Return the word with example faces that it needs, as in `stretchy h 3`."""
        word = self.typed_word(usable)
        if not usable.dice:
            return word
        old = self.dice[usable.dice[0]]
        if len(usable.faces) > 1:
            new = _example_of_new_face(usable, old)
            return f"{word} {words.own_letter_of_face(old)} {words.own_letter_of_face(new)}"
        return f"{word} {words.own_letter_of_face(old)}"

    def typed_forms(self) -> list[str]:
        return list(dict.fromkeys(self.typed_form(usable) for usable in self.usables))

    def describe_use(self, usable: Usable) -> str:
        card = printed_card(self.view.game.setup.rules, usable)
        fields = {
            "word": self.typed_form(usable),
            "card": self.card_name(usable),
            "price": self._describe_price(usable),
            "text": printed_text(card) if card else "",
        }
        if not usable.dice or len(usable.faces) < FACES_TO_CHOOSE_FROM:
            return _("{word}: use {card}, {price}. {text}", **fields).rstrip()
        old = self.dice[usable.dice[0]]
        return _(
            "{word}: turn one {old} into one {new} with {card}, {price}. {text}",
            old=names.face(old),
            new=names.face(_example_of_new_face(usable, old)),
            **fields,
        ).rstrip()

    def _describe_price(self, usable: Usable) -> str:
        use = next(usable.legal_answers())
        if self.view.game.pending != self.decision or not foresight.is_lost_by_use(
            self.view.game, use
        ):
            return (
                names.energy(usable.cost)
                if usable.cost
                else i18n.in_context("a card that costs nothing to use", "free")
            )
        if usable.cost:
            return _("{energy}, and the card is lost", energy=names.energy(usable.cost))
        return _("for no energy, but the card is lost")

    def label_of(self, use: Use) -> str:
        card = self.card_name(self._usable(use))
        if use.die is None:
            return _("use {card}", card=card)
        old = names.face(self.dice[use.die])
        if use.face is None:
            return _("use {card} on a die that shows: {old}", card=card, old=old)
        return _("use {card}: {old} becomes {new}", card=card, old=old, new=names.face(use.face))

    def line_for(self, use: Use) -> str:
        usable = self._usable(use)
        parts = [self.typed_word(usable)]
        if use.die is not None:
            parts.append(words.own_letter_of_face(self.dice[use.die]))
        if use.face is not None and len(usable.faces) > 1:
            parts.append(words.own_letter_of_face(use.face))
        return " ".join(parts)

    def legal_answers(self) -> Iterator[Use]:
        for usable in self.usables:
            yield from (use for use in usable.legal_answers() if not self.is_idle(use))

    def is_idle(self, use: Use) -> bool:
        """Return whether the use turns a die into the face it shows, which the rules allow."""
        return use.die is not None and use.face is self.dice[use.die]

    def _usable(self, use: Use) -> Usable:
        return next(usable for usable in self.usables if usable.item == use.item)

    def read_line(self, text: str) -> Reply | None:
        """Read a line that begins with the name of a usable card; None if it does not."""
        for usable in self.usables:
            rest = self._after_name(usable, text)
            if rest is not None:
                return self._read_faces(usable, rest)
        return None

    def _after_name(self, usable: Usable, text: str) -> str | None:
        text = text.removeprefix("use ")
        word, _space, rest = text.partition(" ")
        for name in self._names(usable):
            if text == name or text.startswith(name + " "):
                return text[len(name) :]
        if word in (*self._words(usable), *map(_first_word, self._names(usable))):
            return rest
        if len(word) < MIN_LETTERS_OF_CARD:
            return None
        return rest if any(name.startswith(word) for name in self._names(usable)) else None

    def _words(self, usable: Usable) -> tuple[str, ...]:
        word = self.typed_word(usable)
        return words.HEAL.spellings if words.HEAL.is_typed(word) else (word,)

    def _names(self, usable: Usable) -> tuple[str, ...]:
        game = self.view.game
        printed = game.card(usable.item) if names.is_card(game, usable.item) else None
        shown = names.item_name(game, usable.item)
        return tuple(
            dict.fromkeys(one.lower() for one in (shown, printed.name if printed else shown))
        )

    def _read_faces(self, usable: Usable, rest: str) -> Reply:
        """Read the faces after a card's name: that of the die, then the new one if needed."""
        rest = words.letters_in_english(rest.strip(), words.FACES)
        wanted = [names.FACE_OF_LETTER[sign] for sign in rest if sign in names.FACE_OF_LETTER]
        if any(sign not in names.FACE_OF_LETTER and sign not in " ,=>" for sign in rest):
            return self._ask_for_form(usable)
        die: int | None = None
        if usable.dice:
            shown = {self.dice[position] for position in usable.dice}
            needed = 1 + (len(usable.faces) > 1)
            if len(wanted) < needed and len(shown) == 1 and shown.isdisjoint(wanted):
                wanted = [*shown, *wanted]
            if len(wanted) < needed:
                return self._ask_for_form(usable)
            fitting = [p for p in usable.dice if self.dice[p] is wanted[0]]
            if not fitting:
                return Refuse(
                    _("{card} cannot use a die that shows: {face}.",
                      card=self.card_name(usable), face=names.face(wanted[0]))
                )  # fmt: skip
            die, wanted = fitting[0], wanted[1:]
        face = usable.faces[0] if len(usable.faces) == 1 else None
        if len(usable.faces) > 1:
            face, wanted = wanted[0], wanted[1:]
        if wanted and wanted != [face]:
            return self._ask_for_form(usable)
        use = Use(usable.item, die, face)
        if face is not None and self.is_idle(use):
            return Refuse(_("That die shows {face} already.", face=names.face(face)))
        return Give(use)

    def _ask_for_form(self, usable: Usable) -> Refuse:
        form = self.typed_form(usable)
        return Refuse(_("Type it like this: {form}.", form=form))


def _first_word(name: str) -> str:
    return re.split(r"[^\w]+", name.replace("'", ""))[0]


def _example_of_new_face(usable: Usable, old: Face) -> Face:
    """Return a heart if allowed, as it is least likely read as a place among the dice."""
    others = [face for face in usable.faces if face is not old]
    return Face.HEART if Face.HEART in others else others[0]
