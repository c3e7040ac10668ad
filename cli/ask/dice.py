"""Questions about dice: rolling (RULES.md 3.3), Psychic Probe (3.4), changing dice (3.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cli.ask import preview
from cli.ask.question import FACES, Confirm, Give, Propose, Question, Refuse, Reply
from cli.text import names
from cli.text.i18n import _, plural
from referee.model.answers import Answer, Done, Face, Pass, Reroll, Stop, Use
from referee.model.dice_decisions import ChangeDecision, ProbeDecision, RollDecision
from referee.model.state import Place

STOP_WORDS = ("d", "done", "stop")


class RollQuestion(Question[RollDecision]):
    """Typed faces are kept and the rest is rolled."""

    def worth(self) -> str:
        """D-09: dice heal nobody in Tokyo."""
        return names.worth(self.decision.dice, heals=self.me.place is Place.OUTSIDE)

    def facts(self) -> list[str]:
        dice = self.decision.dice
        used = self.view.game.state.rolls
        return [
            _(
                "Your roll {n} of {most}: {dice}. Worth {worth}.",
                n=used,
                most=used + self.decision.rolls_left,
                dice=names.faces(dice),
                worth=self.worth(),
            ),
            *preview.if_stopped(self.view, self.decision),
        ]

    def facts_beside_dice(self) -> list[str]:
        return self.facts()[1:]

    def own_hints(self) -> list[str]:
        if not self.decision.rolls_left:
            return [_("You have no roll left. d or Enter: go on with these dice.")]
        return [
            _("Type the faces to keep and the rest is rolled: 33c keeps two 3s and a claw."),
            _("h is a heart, e energy, c a claw. 0 rolls all dice."),
            _("d stops: you go on with these dice."),
            _("Enter proposes what a sound player would do; Enter again does it."),
        ]

    def prompt(self) -> str:
        if not self.decision.rolls_left:
            return _("No roll left: d or Enter goes on{uses}.", uses=self.use_words())
        return _("Keep which? 0 rolls all, d stops, Enter proposes{uses}.", uses=self.use_words())

    def dice(self) -> Sequence[Face]:
        return self.decision.dice

    def parse(self, text: str) -> Reply:
        if text in STOP_WORDS:
            return self._stop()
        if not self.decision.rolls_left:
            return Refuse(_("You have no roll left; d or Enter goes on."))
        if text == "0":
            return Give(Reroll(tuple(range(len(self.decision.dice)))))
        wanted = text.replace(" ", "").replace(",", "")
        strange = [sign for sign in wanted if sign not in FACES]
        if strange:
            return Refuse(
                _("{sign} is no face; faces are 1 2 3 h e c, d stops, ? helps.", sign=strange[0])
            )
        return self._keep([FACES[sign] for sign in wanted])

    def _keep(self, kept: list[Face]) -> Reply:
        left = Counter(kept)
        shown = Counter(self.decision.dice)
        for face, n in left.items():
            if not shown[face]:
                return Refuse(_("None of your dice shows: {face}.", face=names.face(face)))
            if n > shown[face]:
                return Refuse(
                    plural(
                        "You have only {n} die that shows: {face}.",
                        "You have only {n} dice that show: {face}.",
                        shown[face],
                        face=names.face(face),
                    )
                )
        rolled = []
        for position, face in enumerate(self.decision.dice):
            if left[face]:
                left[face] -= 1
            else:
                rolled.append(position)
        if not rolled:
            return self._stop()
        return Give(Reroll(tuple(rolled)))

    def _stop(self) -> Reply:
        rolls = self.decision.rolls_left
        if rolls and self.view.game.state.rolls == 1:
            return Confirm(
                plural(
                    "You have {n} roll left, and your dice give: {worth}. Stop now?",
                    "You have {n} rolls left, and your dice give: {worth}. Stop now?",
                    rolls,
                    worth=self.worth(),
                ),
                Stop(),
            )
        return Give(Stop())

    def enter(self) -> Reply:
        if not self.decision.rolls_left and self.decision.default == Stop():
            return Give(Stop())
        answer = self.adviser(self.view, self.decision)
        return Propose(_("Proposed: {what}.", what=self.in_words(answer)), answer)

    def in_words(self, answer: Answer) -> str:
        match answer:
            case Reroll(dice=dice):
                kept = [f for p, f in enumerate(self.decision.dice) if p not in dice]
                if not kept:
                    return _("roll all dice")
                return _(
                    "keep {kept} and roll {count}",
                    kept=names.faces(kept),
                    count=names.dice_count(len(dice)),
                )
            case Use():
                return self.use_in_words(answer)
            case _:
                return _("stop and take {worth}", worth=self.worth())


class ProbeQuestion(Question[ProbeDecision]):
    """Only cards answer it, or nothing."""

    def facts(self) -> list[str]:
        return [
            _(
                "Dice of {name}: {dice}. Worth {worth}.",
                name=names.player(self.view, self.decision.target),
                dice=names.faces(self.decision.dice),
                worth=names.worth(self.decision.dice),
            ),
            *preview.if_let_lie(self.view, self.decision),
        ]

    def own_hints(self) -> list[str]:
        return [_("Type a face: one die that shows it is rolled again. Enter or n: none.")]

    def prompt(self) -> str:
        return _("Your chance to have one of these dice rolled again. A face, or Enter for none?")

    def dice(self) -> Sequence[Face]:
        return self.decision.dice

    def parse(self, text: str) -> Reply:
        if text in ("n", "no", "d", "done", "pass"):
            return Give(Pass())
        return one_card(self, text)

    def enter(self) -> Reply:
        return Give(Pass())


class ChangeQuestion(Question[ChangeDecision]):
    def facts(self) -> list[str]:
        return [
            _(
                "Your dice: {dice}. Worth {worth}.",
                dice=names.faces(self.decision.dice),
                worth=names.worth(self.decision.dice),
            ),
            *preview.if_left_alone(self.view, self.decision),
        ]

    def own_hints(self) -> list[str]:
        return [_("Enter or d: leave the dice as they are.")]

    def prompt(self) -> str:
        return _("Change your dice? Enter leaves them as they are{uses}.", uses=self.use_words())

    def dice(self) -> Sequence[Face]:
        return self.decision.dice

    def parse(self, text: str) -> Reply:
        if text in (*STOP_WORDS, "n", "no"):
            return Give(Done())
        return one_card(self, text)

    def enter(self) -> Reply:
        return Give(Done())


def one_card(question: ProbeQuestion | ChangeQuestion, text: str) -> Reply:
    """Faces alone mean the card, where only one is there that takes a die."""
    takers = [usable for usable in question.decision.uses if usable.dice]
    if set(text) <= {*FACES, " ", ","} and len({u.effect for u in takers}) == 1:
        found = question.read_use(f"{question.use_word(takers[0])} {text}")
        if found is not None:
            return found
    forms = [question.use_form(usable) for usable in question.decision.uses]
    return Refuse(
        _("{text} is no answer; type {forms}, or Enter.", text=text, forms=", ".join(forms))
    )
