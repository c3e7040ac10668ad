"""Questions when dice are resolved (RULES.md 3.6): the order of the groups, the hearts."""

from __future__ import annotations

import re

from kotp2p.cli.ask import preview
from kotp2p.cli.ask.question import Question
from kotp2p.cli.ask.reply import Give, Refuse, Reply
from kotp2p.cli.text import names
from kotp2p.cli.text.event_words import count_of_tokens
from kotp2p.cli.text.i18n import _, list_with_and, list_with_commas, plural
from kotp2p.cli.text.typed_words import (
    FACE_OF_LETTER,
    FACES,
    HEART,
    PATIENT_LETTERS,
    PATIENTS,
    POISON,
    SHRINK,
    letter_of_face,
    letters_in_own_language,
    own_letter_of_face,
)
from kotp2p.referee.model.answers import Face, Hearts, Order
from kotp2p.referee.model.decisions import HeartsDecision, OrderDecision
from kotp2p.referee.model.state import Token


class OrderQuestion(Question[OrderDecision, Order]):
    typed_letters = FACES

    def facts(self) -> list[str]:
        groups = list_with_commas(names.face(face) for face in self.decision.groups)
        return [
            _("Your dice are resolved in this order: {groups}.", groups=groups),
            *preview.lines_in_order(self.view, self.decision),
        ]

    def facts_beside_dice(self) -> list[str]:
        groups = list_with_commas(names.face(face) for face in self.decision.groups)
        return [
            _("Order: {groups}.", groups=groups),
            *preview.lines_in_order(self.view, self.decision),
        ]

    def own_hints(self) -> list[str]:
        return [
            _("Type the groups that you want first, for example hc; the others follow."),
        ]

    def own_prompt(self) -> str:
        return _("Which groups first? Enter for advice.")

    def parse(self, text: str) -> Reply:
        wanted = text.replace(" ", "").replace(",", "")
        if not wanted:
            return Refuse(_("That names no group: type the groups that you want first."))
        order: list[Face] = []
        for sign in wanted:
            face = FACE_OF_LETTER.get(sign)
            if face is None or face not in self.decision.groups:
                letters = " ".join(own_letter_of_face(group) for group in self.decision.groups)
                return Refuse(
                    _(
                        "{sign} is not one of the groups: {letters}.",
                        sign=letters_in_own_language(sign, FACES),
                        letters=letters,
                    )
                )
            if face in order:
                return Refuse(_("{face} is named twice.", face=names.face(face)))
            order.append(face)
        rest = [face for face in self.decision.groups if face not in order]
        return Give(Order((*order, *rest)))

    def own_line(self, answer: Order) -> str:
        return "".join(letter_of_face(face) for face in answer.groups)

    def own_label(self, answer: Order) -> str:
        return list_with_commas(names.face(face) for face in answer.groups)


class HeartsQuestion(Question[HeartsDecision, Hearts]):
    typed_letters = (HEART, POISON, SHRINK, *PATIENTS)

    def facts(self) -> list[str]:
        mine = [names.hearts(self.me.hearts)]
        if self.me.poison:
            mine.append(count_of_tokens(Token.POISON, self.me.poison))
        if self.me.shrink:
            mine.append(count_of_tokens(Token.SHRINK, self.me.shrink))
        return [
            plural(
                "Your dice show {n} heart; you have {mine}.",
                "Your dice show {n} hearts; you have {mine}.",
                self.decision.hearts,
                mine=list_with_and(mine),
            )
        ]

    def own_hints(self) -> list[str]:
        lines = []
        if self.decision.heal:
            lines.append(_("h: one heart for yourself; h2: two."))
        if self.decision.poison:
            lines.append(_("p: one heart removes a poison token from you."))
        if self.decision.shrink:
            lines.append(_("s: one heart removes a shrink token from you."))
        for letter, (seat, most) in self._patients():
            lines.append(
                _(
                    "{letter}: one heart for {name}, who can take {most}.",
                    letter=letters_in_own_language(letter, PATIENTS),
                    name=names.player_name(self.view, seat),
                    most=most,
                )
            )
        lines.append(_("Hearts left over are wasted."))
        return lines

    def own_prompt(self) -> str:
        return _("How do you use your hearts? Type {form}; Enter for advice.", form=self._form())

    def _patients(self) -> list[tuple[str, tuple[int, int]]]:
        """By the letter that is typed: (seat, the most hearts it can take)."""
        return list(zip(PATIENT_LETTERS, self.decision.patients, strict=False))

    def _form(self) -> str:
        letters = [letter for letter, most in self._limits() if most]
        return letters_in_own_language(" ".join(letters) or "h", self.typed_letters)

    def _limits(self) -> list[tuple[str, int]]:
        own = [("h", self.decision.heal), ("p", self.decision.poison), ("s", self.decision.shrink)]
        return own + [(letter, most) for letter, (_seat, most) in self._patients()]

    def parse(self, text: str) -> Reply:
        if not re.fullmatch(r"(?:[hpsa-f] ?\d{0,2}[ ,]*)+", text):
            return Refuse(
                _("Type it like this: {form}, each with a number or without.", form=self._form())
            )
        count = dict.fromkeys("hps" + PATIENT_LETTERS, 0)
        for letter, number in re.findall(r"([hpsa-f]) ?(\d{0,2})", text):
            count[letter] += int(number) if number else 1
        limits = dict(self._limits())
        for letter, n in count.items():
            if n > limits.get(letter, 0):
                return Refuse(
                    _("{letter} can take {most} of your hearts.",
                      letter=letters_in_own_language(letter, self.typed_letters),
                      most=limits.get(letter, 0))
                )  # fmt: skip
        if sum(count.values()) > self.decision.hearts:
            return Refuse(
                plural(
                    "Your dice show only {n} heart.",
                    "Your dice show only {n} hearts.",
                    self.decision.hearts,
                )
            )
        give = tuple(
            (seat, count[letter]) for letter, (seat, _most) in self._patients() if count[letter]
        )
        return Give(Hearts(count["h"], count["p"], count["s"], give))

    def own_line(self, answer: Hearts) -> str:
        given = dict(answer.give)
        spent = [("h", answer.heal), ("p", answer.poison), ("s", answer.shrink)]
        spent += [(letter, given.get(seat, 0)) for letter, (seat, _most) in self._patients()]
        return " ".join(f"{letter}{n}" for letter, n in spent if n) or "h0"

    def own_label(self, answer: Hearts) -> str:
        parts = []
        if answer.heal:
            parts.append(_("{hearts} for yourself", hearts=names.hearts(answer.heal)))
        if answer.poison:
            parts.append(_("{tokens} removed", tokens=count_of_tokens(Token.POISON, answer.poison)))
        if answer.shrink:
            parts.append(_("{tokens} removed", tokens=count_of_tokens(Token.SHRINK, answer.shrink)))
        parts += [
            _(
                "{hearts} for {name}",
                hearts=names.hearts(n),
                name=names.player_name(self.view, seat),
            )
            for seat, n in answer.give
        ]
        return list_with_and(parts) or _("nothing")
