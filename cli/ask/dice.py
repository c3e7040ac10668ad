"""Questions about dice: rolling (RULES.md 3.3), a reroll by another (3.4), changing dice (3.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from kotp2p.cli.ask import preview
from kotp2p.cli.ask.foresight import foresee
from kotp2p.cli.ask.kept_dice import bracket_dice, describe_split_faces, spell_out_faces
from kotp2p.cli.ask.question import Question
from kotp2p.cli.ask.reply import Confirm, Give, Propose, Refuse, Reply
from kotp2p.cli.text import names
from kotp2p.cli.text.i18n import _, list_with_commas, plural
from kotp2p.cli.text.typed_words import (
    DONE,
    FACE_OF_LETTER,
    FACES,
    NO,
    PASS,
    letter_of_face,
    spell_faces,
)
from kotp2p.referee.model.answers import Done, Face, Pass, Reroll, Stop, Use
from kotp2p.referee.model.decisions import ChangeDecision, ProbeDecision, RollDecision

STOP_WORDS = ("d", "done", "stop")


class RollQuestion(Question[RollDecision, Stop | Reroll]):
    """The typed faces are kept and the other dice are rolled."""

    typed_words = (DONE,)
    typed_letters = FACES

    def worth(self) -> str:
        """What the dice give; they heal nobody in Tokyo (D-09)."""
        return names.worth_for(self.view, self.decision.seat, self.decision.dice)

    def facts(self) -> list[str]:
        used = self.view.game.state.rolls
        return [
            _(
                "Your roll {n} of {most}: {dice}. Worth {worth}.",
                n=used,
                most=used + self.decision.rolls_left,
                dice=names.faces(self.decision.dice),
                worth=self.worth(),
            ),
            *preview.lines_if_stopped(self.view, self.decision),
        ]

    def facts_beside_dice(self) -> list[str]:
        return self.facts()[1:]

    def own_hints(self) -> list[str]:
        if not self.decision.rolls_left:
            return [_("You have no rolls left. d: go on with these dice.")]
        return [
            _("Type what to keep: 33c keeps two 3s and a claw, H all hearts. The rest rolls."),
            _("h is a heart, e is energy, c is a claw. 0 rolls all dice."),
            _("d: stop and go on with these dice."),
        ]

    def own_prompt(self) -> str:
        if not self.decision.rolls_left:
            if self.decision.uses:
                return _("No rolls left: d goes on, Enter for advice.")
            return _("No rolls left: d or Enter goes on.")
        return _("Keep which? 0 rolls all, d stops, Enter for advice.")

    def dice(self) -> Sequence[Face]:
        return self.decision.dice

    def fold_line(self, text: str) -> str:
        """A capital letter stands for all dice with its face."""
        return spell_out_faces(text, self.decision.dice)

    def remark_on(self, line: str) -> str:
        text = self.fold_line(self.in_english(line))
        found = self.parse(text) if text else None
        return found.remark if isinstance(found, Give) else ""

    def parse(self, text: str) -> Reply:
        if text in STOP_WORDS:
            return self._stop()
        if not self.decision.rolls_left:
            return Refuse(_("You have no rolls left; d or Enter goes on."))
        if text == "0":
            return Give(Reroll(tuple(range(len(self.decision.dice)))))
        wanted = spell_faces(text).replace(" ", "").replace(",", "")
        if not wanted:
            return Refuse(_("That names no dice: type the faces to keep, or 0 to roll all dice."))
        strange = [sign for sign in wanted if sign not in FACE_OF_LETTER]
        if len(strange) > 1:
            return Refuse(
                _("{text} names no dice. Faces are 1 2 3 h e c; d stops, ? shows help.", text=text)
            )
        if strange:
            return Refuse(
                _("{sign} is not a face. Faces are 1 2 3 h e c; d stops, ? shows help.",
                  sign=strange[0])
            )  # fmt: skip
        return self._roll_others([FACE_OF_LETTER[sign] for sign in wanted])

    def _roll_others(self, kept: list[Face]) -> Reply:
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
        return Give(Reroll(tuple(rolled)), describe_split_faces(self.decision.dice, rolled))

    def _stop(self) -> Reply:
        rolls = self.decision.rolls_left
        if rolls and self.view.game.state.rolls == 1 and self.advice() != Stop():
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

    def advice(self) -> Stop | Reroll | Use:
        """To stop, where that wins: no other roll is worth more."""
        return Stop() if self._is_won_by_stopping() else super().advice()

    def _is_won_by_stopping(self) -> bool:
        if self.view.game.pending != self.decision:
            return False
        return foresee(self.view.game, Stop()).winners == (self.view.seat,)

    def propose(self, answer: Stop | Reroll | Use) -> Propose:
        return replace(super().propose(answer), dice=self._bracket_dice(answer))

    def _bracket_dice(self, answer: Stop | Reroll | Use) -> str:
        match answer:
            case Stop():
                return _("Dice: {dice}.", dice=bracket_dice(self.decision.dice, ()))
            case Reroll(dice=rolled):
                return _("Dice: {dice}.", dice=bracket_dice(self.decision.dice, rolled))
            case Use():
                return ""
            case _:
                assert_never(answer)

    def offered(self) -> Iterator[Stop | Reroll | Use]:
        """Without the choice of dice, as a player picks them one by one."""
        if self.decision.rolls_left:
            yield Reroll(tuple(range(len(self.decision.dice))))
        yield Stop()
        yield from self.uses.legal_answers()

    def own_line(self, answer: Stop | Reroll) -> str:
        match answer:
            case Stop():
                return "d"
            case Reroll(dice=rolled):
                return "".join(letter_of_face(face) for face in sorted(self._kept(rolled))) or "0"
            case _:
                assert_never(answer)

    def own_label(self, answer: Stop | Reroll) -> str:
        match answer:
            case Stop():
                return _("stop and take {worth}", worth=self.worth())
            case Reroll(dice=rolled):
                kept = self._kept(rolled)
                if not kept:
                    return _("roll all dice")
                return plural(
                    "keep {kept} and roll {n} die",
                    "keep {kept} and roll {n} dice",
                    len(rolled),
                    kept=names.faces(kept),
                )
            case _:
                assert_never(answer)

    def _kept(self, rolled: tuple[int, ...]) -> list[Face]:
        return [face for n, face in enumerate(self.decision.dice) if n not in rolled]


class ProbeQuestion(Question[ProbeDecision, Pass]):
    """Nothing but a card, or nothing at all, answers it."""

    typed_words = (NO, DONE, PASS)
    typed_letters = FACES

    def facts(self) -> list[str]:
        return [
            _(
                "{name}'s dice: {dice}. Worth {worth}.",
                name=names.player_name(self.view, self.decision.target),
                dice=names.faces(self.decision.dice),
                worth=names.worth_for(self.view, self.decision.target, self.decision.dice),
            ),
            *preview.lines_if_not_rerolled(self.view, self.decision),
        ]

    def facts_beside_dice(self) -> list[str]:
        return self.facts()[1:]

    def own_hints(self) -> list[str]:
        return [_("Type a face: one die that shows it is rolled again. n: none.")]

    def own_prompt(self) -> str:
        return _("Type its face, n for none, Enter for advice.")

    def prompt(self) -> str:
        """The face alone is enough, so the card that does it is left out."""
        return self.own_prompt()

    def dice(self) -> Sequence[Face]:
        return self.decision.dice

    def parse(self, text: str) -> Reply:
        if text in ("n", "no", "d", "done", "pass"):
            return Give(Pass())
        return read_faces_of_card(self, text)

    def own_line(self, answer: Pass) -> str:
        return "n"

    def own_label(self, answer: Pass) -> str:
        return _("leave the dice as they are")


class ChangeQuestion(Question[ChangeDecision, Done]):
    typed_words = (DONE, NO)
    typed_letters = FACES

    def facts(self) -> list[str]:
        return [
            _(
                "Your dice: {dice}. Worth {worth}.",
                dice=names.faces(self.decision.dice),
                worth=names.worth_for(self.view, self.decision.seat, self.decision.dice),
            ),
            *preview.lines_if_left_alone(self.view, self.decision),
        ]

    def facts_beside_dice(self) -> list[str]:
        return self.facts()[1:]

    def own_hints(self) -> list[str]:
        return [_("d: leave the dice as they are.")]

    def own_prompt(self) -> str:
        return _("Change your dice? d leaves them, Enter for advice.")

    def dice(self) -> Sequence[Face]:
        return self.decision.dice

    def parse(self, text: str) -> Reply:
        if text in (*STOP_WORDS, "n", "no"):
            return Give(Done())
        return read_faces_of_card(self, text)

    def own_line(self, answer: Done) -> str:
        return "n"

    def own_label(self, answer: Done) -> str:
        return _("leave your dice as they are")


def read_faces_of_card(question: ProbeQuestion | ChangeQuestion, text: str) -> Reply:
    """Faces alone mean the card, if there is only one card that takes a die."""
    takers = [usable for usable in question.decision.uses if usable.dice]
    if set(text) <= {*FACE_OF_LETTER, " ", ","} and len({u.effect for u in takers}) == 1:
        found = question.uses.read_line(f"{question.uses.typed_word(takers[0])} {text}")
        if found is not None:
            return found
    forms = [question.uses.typed_form(usable) for usable in question.decision.uses]
    return Refuse(
        _("{text} is not an answer; type {forms}, or press Enter.", text=text,
          forms=list_with_commas(forms))
    )  # fmt: skip
