"""Answering without letters: arrows pick among the answers, and dice one by one.

Scope: picking writes the line that could have been typed (`cli.ask.dialogue`), and Enter then sends
the line. Nothing is answered by picking alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from kotp2p.cli.ask.dialogue import MenuEntry, QuestionDialogue, list_answers
from kotp2p.cli.ask.dice import spell_out_faces
from kotp2p.cli.ask.question import Confirm, Propose
from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.typed_words import FACE_OF_LETTER, YES, letter_of_face, own_letter_of_face
from kotp2p.referee.model.answers import Face, Reroll, Stop
from kotp2p.referee.model.decisions import RollDecision


@dataclass
class Picker:
    picks_commands: bool = False
    """Commands are picked from, and not answers."""
    chosen: int | None = None
    """The index of the chosen answer in the list that is offered."""
    die: int | None = None
    """Where the cursor stands among the dice, sorted by face."""
    held: list[bool] | None = None
    """The dice that were picked one by one."""

    def step(self, offered: Sequence[MenuEntry], step: int) -> MenuEntry | None:
        """The next of the list, or the one before; None if the list is empty."""
        if not offered:
            return None
        if self.chosen is None or self.chosen >= len(offered):
            self.chosen = 0 if step > 0 else len(offered) - 1
        else:
            self.chosen = (self.chosen + step) % len(offered)
        return offered[self.chosen]

    def move_cursor(self, asking: QuestionDialogue | None, text: str, step: int) -> bool:
        """Goes to another die; False if there are none to pick from."""
        dice = keepable_dice(asking)
        if not dice or self.kept_dice(text, dice) is None:
            return False
        if self.die is None:
            self.die = 0 if step > 0 else len(dice) - 1
        else:
            self.die = (self.die + step) % len(dice)
        return True

    def point_at(self, die: int) -> None:
        """The cursor goes to this die, sorted by face."""
        self.die = die

    def toggle_die(self, asking: QuestionDialogue | None, text: str) -> str | None:
        """The line with the die under the cursor kept, or no longer; None if there is none."""
        dice = keepable_dice(asking)
        held = self.kept_dice(text, dice)
        if held is None or self.die is None or self.die >= len(dice):
            return None
        held[self.die] = not held[self.die]
        self.held = held
        kept = (face for face, is_kept in zip(dice, held, strict=True) if is_kept)
        return "".join(own_letter_of_face(face) for face in kept)

    def kept_dice(self, text: str, dice: list[Face]) -> list[bool] | None:
        """Which of the dice a line keeps; None if the line does not name faces.

        Equal dice cannot be told apart in a line. The dice that were picked are shown as kept if
        they fit the line, otherwise the first of each face."""
        signs = [sign for sign in spell_out_faces(text, dice) if sign not in " ,"]
        if any(sign not in FACE_OF_LETTER for sign in signs):
            return None
        wanted = Counter(FACE_OF_LETTER[sign] for sign in signs)
        if self.held is not None and len(self.held) == len(dice):
            picked = Counter(face for face, held in zip(dice, self.held, strict=True) if held)
            if picked == wanted:
                return list(self.held)
        held = []
        for face in dice:
            held.append(wanted[face] > 0)
            wanted[face] -= held[-1]
        return held


def shown_as_kept(
    picker: Picker, asking: QuestionDialogue | None, text: str, dice: list[Face]
) -> list[bool] | None:
    """Which of the dice stand in brackets: those that the line keeps, or those that a proposal
    would keep while nothing is typed."""
    if asking is None or text.strip() or not isinstance(asking.waiting, Propose):
        return picker.kept_dice(text, dice)
    match asking.waiting.answer:
        case Reroll(dice=rolled):
            shown = asking.question.dice()
            kept = [face for at, face in enumerate(shown) if at not in rolled]
            return picker.kept_dice("".join(letter_of_face(face) for face in kept), dice)
        case Stop():
            return [True] * len(dice)
        case _:  # a card, which keeps no dice
            return picker.kept_dice(text, dice)


def offered_answers(asking: QuestionDialogue | None, *, is_leave_asked: bool) -> list[MenuEntry]:
    """The answers to what is asked now."""
    if is_leave_asked:
        return [MenuEntry(YES.translations[0], _("leave"))]
    return [] if asking is None else list_answers(asking)


def keepable_dice(asking: QuestionDialogue | None) -> list[Face]:
    """The dice that may be kept or rolled, sorted as they are shown; empty if none may."""
    if asking is None or isinstance(asking.waiting, Confirm):
        return []
    decision = asking.question.decision
    if not isinstance(decision, RollDecision) or not decision.rolls_left:
        return []
    return sorted(decision.dice)
