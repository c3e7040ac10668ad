"""The cards that a player can use at a decision: the words for them, and typed lines about them.

Scope: what is typed to use a card (`heal`, `stretchy h 3`), what such a line means, and how a
use is described. A card may be usable at any kind of decision, so all questions share this.
Not here: what else a use leads to (`cli.ask.preview`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kotp2p.cli.ask.foresight import is_lost_by_use
from kotp2p.cli.ask.reply import Give, Refuse, Reply
from kotp2p.cli.text import names
from kotp2p.cli.text.card_words import printed_name, printed_text
from kotp2p.cli.text.i18n import _, in_context
from kotp2p.cli.text.typed_words import (
    FACE_OF_LETTER,
    FACES,
    HEAL,
    letters_in_english,
    own_letter_of_face,
)
from kotp2p.referee.box.cards import Card
from kotp2p.referee.box.rulesets import RuleSet
from kotp2p.referee.cards.effects import effect_of
from kotp2p.referee.model.answers import Face, Use
from kotp2p.referee.model.decisions import Decision, Usable
from kotp2p.referee.table.table import Effect
from kotp2p.seams.seat_view import SeatView

MIN_LETTERS_OF_CARD = 3
"""Letters of a card's name that are needed to use it."""
FACES_TO_CHOOSE_FROM = 2
"""With so many faces, a use has to name the new one."""


def printed_card(rules: RuleSet, usable: Usable) -> Card | None:
    """The card whose effect this is: for a copying card, the copied one."""
    return next((card for card in rules.cards if card.key == usable.effect), None)


def fits_any_decision(rules: RuleSet, usable: Usable) -> bool:
    """True for healing that its owner may buy at every decision (RULES A-86)."""
    card = printed_card(rules, usable)
    effect = None if card is None else effect_of(card)
    return effect is not None and Effect.offer_anytime in effect.hooks


@dataclass(frozen=True, slots=True)
class CardUses:
    view: SeatView
    decision: Decision
    dice: Sequence[Face]
    """The dice that a use may name."""

    @property
    def usables(self) -> tuple[Usable, ...]:
        return self.decision.uses

    # -- the words -----------------------------------------------------------------------

    def typed_word(self, usable: Usable) -> str:
        """What is typed to use it: the word for healing, or the first word of the card's name."""
        rules = self.view.game.setup.rules
        if fits_any_decision(rules, usable) and not self._is_copy(usable):
            return HEAL.translations[0]
        return _first_word(names.item_name(self.view.game, usable.item).lower())

    def _is_copy(self, usable: Usable) -> bool:
        return self.view.game.setup.key(usable.item) != usable.effect

    def card_name(self, usable: Usable) -> str:
        name = names.item_name(self.view.game, usable.item)
        card = printed_card(self.view.game.setup.rules, usable)
        if card is None or printed_name(card) == name:
            return name
        return _("{name} as {copied}", name=name, copied=printed_name(card))

    def typed_form(self, usable: Usable) -> str:
        """The word, followed by the faces that it needs: `stretchy h 3`."""
        word = self.typed_word(usable)
        if not usable.dice:
            return word
        old = self.dice[usable.dice[0]]
        if len(usable.faces) > 1:
            new = _example_of_new_face(usable, old)
            return f"{word} {own_letter_of_face(old)} {own_letter_of_face(new)}"
        return f"{word} {own_letter_of_face(old)}"

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
        if self.view.game.pending != self.decision or not is_lost_by_use(self.view.game, use):
            return (
                names.energy(usable.cost)
                if usable.cost
                else in_context("a card that costs nothing to use", "free")
            )
        if usable.cost:
            return _("{energy}, and the card is lost", energy=names.energy(usable.cost))
        return _("for no energy, but the card is lost")

    def label_of(self, use: Use) -> str:
        """What this use does, as part of a sentence."""
        card = self.card_name(self._usable(use))
        if use.die is None:
            return _("use {card}", card=card)
        old = names.face(self.dice[use.die])
        if use.face is None:
            return _("use {card} on a die that shows: {old}", card=card, old=old)
        return _("use {card}: {old} becomes {new}", card=card, old=old, new=names.face(use.face))

    def line_for(self, use: Use) -> str:
        """What the reader types for this use."""
        usable = self._usable(use)
        words = [self.typed_word(usable)]
        if use.die is not None:
            words.append(own_letter_of_face(self.dice[use.die]))
        if use.face is not None and len(usable.faces) > 1:
            words.append(own_letter_of_face(use.face))
        return " ".join(words)

    def legal_answers(self) -> Iterator[Use]:
        for usable in self.usables:
            yield from (use for use in usable.legal_answers() if not self.is_idle(use))

    def is_idle(self, use: Use) -> bool:
        """Whether it turns a die into the face that it shows. The rules allow that."""
        return use.die is not None and use.face is self.dice[use.die]

    def _usable(self, use: Use) -> Usable:
        return next(usable for usable in self.usables if usable.item == use.item)

    # -- what was typed ------------------------------------------------------------------

    def read_line(self, text: str) -> Reply | None:
        """A line that begins with the name of a usable card; None if it does not."""
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
        """What is typed to use it, in the reader's language and in English."""
        word = self.typed_word(usable)
        return HEAL.spellings if HEAL.is_typed(word) else (word,)

    def _names(self, usable: Usable) -> tuple[str, ...]:
        """Of the card in the reader's language and in English, in small letters."""
        game = self.view.game
        printed = game.card(usable.item) if names.is_card(game, usable.item) else None
        shown = names.item_name(game, usable.item)
        return tuple(
            dict.fromkeys(one.lower() for one in (shown, printed.name if printed else shown))
        )

    def _read_faces(self, usable: Usable, rest: str) -> Reply:
        """`rest` names the die by its face and then what it becomes, as far as needed."""
        rest = letters_in_english(rest.strip(), FACES)
        wanted = [FACE_OF_LETTER[sign] for sign in rest if sign in FACE_OF_LETTER]
        if any(sign not in FACE_OF_LETTER and sign not in " ,=>" for sign in rest):
            return Refuse(
                _("Only faces can follow the card: {form}.", form=self.typed_form(usable))
            )
        die: int | None = None
        if usable.dice:
            shown = {self.dice[position] for position in usable.dice}
            needed = 1 + (len(usable.faces) > 1)
            if len(wanted) < needed and len(shown) == 1 and shown.isdisjoint(wanted):
                wanted = [*shown, *wanted]
            if len(wanted) < needed:
                return Refuse(self._say_what_is_missing(usable, wanted))
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
            return Refuse(
                _("Too many faces; type it like this: {form}.", form=self.typed_form(usable))
            )
        use = Use(usable.item, die, face)
        if face is not None and self.is_idle(use):
            return Refuse(_("That die shows {face} already.", face=names.face(face)))
        return Give(use)

    def _say_what_is_missing(self, usable: Usable, named: Sequence[Face]) -> str:
        form = self.typed_form(usable)
        if len(usable.faces) < FACES_TO_CHOOSE_FROM:
            return _("Say which die, by its face: {form}.", form=form)
        if not named:
            return _("Say which die, by its face, and which face it becomes: {form}.", form=form)
        return _("Say both faces, the old one and the new one: {form}.", form=form)


def _first_word(name: str) -> str:
    return re.split(r"[^\w]+", name.replace("'", ""))[0]


def _example_of_new_face(usable: Usable, old: Face) -> Face:
    """A heart if it may be: it is the example that is least taken for a place among the dice."""
    others = [face for face in usable.faces if face is not old]
    return Face.HEART if Face.HEART in others else others[0]
