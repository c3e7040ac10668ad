"""Questions when dice are resolved (RULES.md 3.6): the order of the groups, the hearts."""

from __future__ import annotations

import re

from cli.ask import preview
from cli.ask.question import FACES, Give, Propose, Question, Refuse, Reply
from cli.text import names
from cli.text.events_values import tokens
from cli.text.i18n import _, listing, plural
from referee.model.answers import Answer, Face, Hearts, Order, Use
from referee.model.dice_decisions import HeartsDecision, OrderDecision
from referee.model.kinds import Token


class OrderQuestion(Question[OrderDecision]):
    def facts(self) -> list[str]:
        return [
            _(
                "Your dice are resolved in this order: {groups}.",
                groups=", ".join(names.face(face) for face in self.decision.groups),
            ),
            *preview.in_order(self.view, self.decision),
        ]

    def own_hints(self) -> list[str]:
        return [
            _("Type the groups that you want first, for example hc; the others follow."),
            _("Enter: the order as it is."),
        ]

    def prompt(self) -> str:
        return _("Your order? Groups that go first, or Enter as it is{uses}.",
                 uses=self.use_words())  # fmt: skip

    def parse(self, text: str) -> Reply:
        wanted = text.replace(" ", "").replace(",", "")
        order: list[Face] = []
        for sign in wanted:
            face = FACES.get(sign)
            if face is None or face not in self.decision.groups:
                letters = " ".join("123hec"[group] for group in self.decision.groups)
                return Refuse(
                    _("{sign} is not one of the groups: {letters}.", sign=sign, letters=letters)
                )
            if face in order:
                return Refuse(_("{face} is named twice.", face=names.face(face)))
            order.append(face)
        rest = [face for face in self.decision.groups if face not in order]
        return Give(Order((*order, *rest)))

    def enter(self) -> Reply:
        return Give(Order(self.decision.groups))


class HeartsQuestion(Question[HeartsDecision]):
    def facts(self) -> list[str]:
        mine = [names.hearts(self.me.hearts)]
        if self.me.poison:
            mine.append(tokens(Token.POISON, self.me.poison))
        if self.me.shrink:
            mine.append(tokens(Token.SHRINK, self.me.shrink))
        return [
            plural(
                "Your dice show {n} heart; you have {mine}.",
                "Your dice show {n} hearts; you have {mine}.",
                self.decision.hearts,
                mine=listing(mine),
            )
        ]

    def own_hints(self) -> list[str]:
        lines = []
        if self.decision.heal:
            lines.append(_("h: one heart for yourself; h2: two."))
        if self.decision.poison:
            lines.append(_("p: one heart takes a poison token off you."))
        if self.decision.shrink:
            lines.append(_("s: one heart takes a shrink token off you."))
        for letter, (seat, most) in zip("abcdef", self.decision.patients, strict=False):
            lines.append(
                _(
                    "{letter}: one heart for {name}, who can take {most}.",
                    letter=letter,
                    name=names.player(self.view, seat),
                    most=most,
                )
            )
        lines.append(_("What is left over is wasted. Enter proposes; Enter again does it."))
        return lines

    def prompt(self) -> str:
        return _(
            "Your hearts? Like {form}; Enter proposes{uses}.",
            form=self._form(),
            uses=self.use_words(),
        )

    def _form(self) -> str:
        letters = [letter for letter, most in self._limits() if most]
        return " ".join(letters) or "h"

    def _limits(self) -> list[tuple[str, int]]:
        own = [("h", self.decision.heal), ("p", self.decision.poison), ("s", self.decision.shrink)]
        gifts = [
            (letter, most)
            for letter, (_seat, most) in zip("abcdef", self.decision.patients, strict=False)
        ]
        return own + gifts

    def parse(self, text: str) -> Reply:
        if not re.fullmatch(r"(?:[hpsa-f] ?\d{0,2}[ ,]*)+", text):
            return Refuse(_("Like this: {form}, each with a number or none.", form=self._form()))
        count = dict.fromkeys("hpsabcdef", 0)
        for letter, number in re.findall(r"([hpsa-f]) ?(\d{0,2})", text):
            count[letter] += int(number) if number else 1
        limits = dict(self._limits())
        for letter, n in count.items():
            if n > limits.get(letter, 0):
                return Refuse(
                    _("{letter} can take {most} of your hearts.", letter=letter,
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
            (seat, count[letter])
            for letter, (seat, _most) in zip("abcdef", self.decision.patients, strict=False)
            if count[letter]
        )
        return Give(Hearts(count["h"], count["p"], count["s"], give))

    def enter(self) -> Reply:
        answer = self.adviser(self.view, self.decision)
        return Propose(_("Proposed: {what}.", what=self.in_words(answer)), answer)

    def in_words(self, answer: Answer) -> str:
        match answer:
            case Hearts():
                parts = []
                if answer.heal:
                    parts.append(_("{hearts} for yourself", hearts=names.hearts(answer.heal)))
                if answer.poison:
                    parts.append(_("{tokens} off", tokens=tokens(Token.POISON, answer.poison)))
                if answer.shrink:
                    parts.append(_("{tokens} off", tokens=tokens(Token.SHRINK, answer.shrink)))
                parts += [
                    _("{hearts} for {name}", hearts=names.hearts(n),
                      name=names.player(self.view, seat))
                    for seat, n in answer.give
                ]  # fmt: skip
                return listing(parts) or _("nothing")
            case Use():
                return self.use_in_words(answer)
            case _:
                return _("nothing")
