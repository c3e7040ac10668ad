"""Questions about dice: rolling, changing, the groups, the hearts (RULES.md 3.3 to 3.6)."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from kotp2p.cli.ask.foresight import foresee
from kotp2p.cli.ask.question import (
    NO_WORDS,
    Choice,
    Confirm,
    Give,
    Propose,
    Question,
    Refuse,
    Reply,
)
from kotp2p.cli.text import names
from kotp2p.cli.text import typed_words as words
from kotp2p.cli.text.i18n import N_, _, ascii_digits, list_with_and, list_with_commas, plural
from kotp2p.cli.text.story import count_of_tokens
from kotp2p.referee.model import decisions
from kotp2p.referee.model.answers import Done, Face, Hearts, Order, Pass, Reroll, Stop, Use
from kotp2p.referee.model.state import Token

# -- a typed line of faces: which dice it keeps, and which equal dice it throws ------------
#
# `33c` keeps two 3s and a claw. A capital letter, or a face followed by a star, keeps all dice
# with that face: `H`, `h*`, `3*`. The drawn dice and the answer read a line alike, by this.


_FACES = re.compile(r"(?:[123hebcHEBC]\*?)+")


KEYS_OF_DIGITS = str.maketrans('&é"', "123")
"""What a French keyboard types for digits without Shift."""


def spell_out_faces(line: str, dice: Sequence[Face]) -> str:
    """Return a line of faces with one small letter for each die that is kept; `hH` is `H`."""
    text = words.letters_in_english(words.plain_letters(ascii_digits(line)), words.FACES)
    keyed = words.letters_in_english(line.translate(KEYS_OF_DIGITS), words.FACES)
    lines = (re.sub("[ ,]", "", one) for one in (text, keyed))
    bare = next(filter(_FACES.fullmatch, lines), None)
    if bare is None:
        return text.lower()
    named: Counter[Face] = Counter()
    all_of: set[Face] = set()
    for sign, star in re.findall(r"(.)(\*?)", bare):
        face = names.FACE_OF_LETTER[sign.lower()]
        named[face] += 1
        if star or sign.isupper():
            all_of.add(face)
    for face in all_of:
        # At least one, so that a face that no die shows is refused by its name.
        named[face] = max(1, sum(die is face for die in dice))
    return "".join(words.letter_of_face(face) for face in named.elements())


def bracket_dice(dice: Sequence[Face], rolled: Sequence[int]) -> str:
    """List the dice with the kept ones in brackets, as in `[3] [3] heart claw`."""
    kept = [position not in rolled for position in range(len(dice))]
    shown = sorted(zip(dice, kept, strict=True), key=lambda die: (die[0], not die[1]))
    return " ".join(
        _("[{face}]", face=names.face(face)) if is_kept else names.face(face)
        for face, is_kept in shown
    )


# -- dice ----------------------------------------------------------------------------------


STOP_WORDS = ("d", "done", "stop")


class RollQuestion(Question[decisions.RollDecision, Stop | Reroll]):
    title = N_("YOUR TURN: roll {n} of {most}")
    waiting = N_("Waiting for {name} to roll or stop.")
    typed_words = (words.DONE,)
    typed_letters = words.FACES

    def heading(self) -> str:
        used = self.view.game.state.rolls
        return _(self.title, n=used, most=used + self.decision.rolls_left)

    def worth(self) -> str:
        """Describe what the dice give; hearts heal no monster in Tokyo (D-09)."""
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
            *self.preview.lines_of_default(self.view, self.decision, N_("Stop: {what}.")),
        ]

    def facts_beside_dice(self) -> list[str]:
        return self.facts()[1:]

    def own_hints(self) -> list[str]:
        if not self.decision.rolls_left:
            return [_("You have no rolls left. d: go on with these dice.")]
        return [
            _("Type what to keep: 33c keeps two 3s and a claw, H all hearts. The rest rolls."),
            _("h is a heart, e is energy, c is a claw. 0 rolls all dice."),
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
        return spell_out_faces(text, self.decision.dice)

    def parse(self, text: str) -> Reply:
        if text in STOP_WORDS:
            return self._stop()
        if not self.decision.rolls_left:
            return Refuse(_("You have no rolls left; d or Enter goes on."))
        if text == "0":
            return Give(Reroll(tuple(range(len(self.decision.dice)))))
        wanted = words.spell_faces(text).replace(" ", "").replace(",", "")
        if not wanted:
            return Refuse(_("That names no dice: type the faces to keep, or 0 to roll all dice."))
        strange = [sign for sign in wanted if sign not in names.FACE_OF_LETTER]
        if len(strange) > 1:
            return Refuse(
                _("{text} names no dice. Faces are 1 2 3 h e c; d stops, ? shows help.", text=text)
            )
        if strange:
            return Refuse(
                _("{sign} is not a face. Faces are 1 2 3 h e c; d stops, ? shows help.",
                  sign=strange[0])
            )  # fmt: skip
        return self._roll_others([names.FACE_OF_LETTER[sign] for sign in wanted])

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
        return Give(Reroll(tuple(rolled)))

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
        """Return the adviser's answer, or a stop if that wins."""
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
        """Yield the answers without a choice of dice, which is made die by die."""
        if self.decision.rolls_left:
            yield Reroll(tuple(range(len(self.decision.dice))))
        yield Stop()
        yield from self.uses.legal_answers()

    def spell(self, answer: Stop | Reroll) -> tuple[str, str]:
        match answer:
            case Stop():
                return "d", _("stop and take {worth}", worth=self.worth())
            case Reroll(dice=rolled):
                kept = sorted(die for n, die in enumerate(self.decision.dice) if n not in rolled)
                if not kept:
                    return "0", _("roll all dice")
                return "".join(map(words.letter_of_face, kept)), plural(
                    "keep {kept} and roll {n} die",
                    "keep {kept} and roll {n} dice",
                    len(rolled),
                    kept=names.faces(kept),
                )
            case _:
                assert_never(answer)


class ProbeQuestion(Question[decisions.ProbeDecision, Pass]):
    title = N_("YOUR CHANCE: one die again?")
    waiting = N_("Waiting for {name} to decide about rerolling a die.")
    typed_words = (words.NO, words.DONE, words.PASS)
    typed_letters = words.FACES

    def facts(self) -> list[str]:
        return [
            _(
                "{name}'s dice: {dice}. Worth {worth}.",
                name=names.player_name(self.view, self.decision.target),
                dice=names.faces(self.decision.dice),
                worth=names.worth_for(self.view, self.decision.target, self.decision.dice),
            ),
            *self.preview.lines_of_default(self.view, self.decision, N_("If none: {what}.")),
        ]

    def facts_beside_dice(self) -> list[str]:
        return self.facts()[1:]

    def own_hints(self) -> list[str]:
        return [_("Type a face: one die that shows it is rolled again. n: none.")]

    def own_prompt(self) -> str:
        return _("Type its face, n for none, Enter for advice.")

    def prompt(self) -> str:
        """Return the prompt without the card: a face alone is enough."""
        return self.own_prompt()

    def dice(self) -> Sequence[Face]:
        return self.decision.dice

    def choices(self) -> list[Choice]:
        return [Choice(NO_WORDS, Pass(), _("leave the dice as they are"))]

    def parse_other(self, text: str) -> Reply:
        return read_faces_of_card(self, text) or super().parse_other(text)


class ChangeQuestion(Question[decisions.ChangeDecision, Done]):
    title = N_("YOUR TURN: change dice")
    waiting = N_("Waiting for {name} to change dice.")
    typed_words = (words.DONE, words.NO)
    typed_letters = words.FACES

    def facts(self) -> list[str]:
        return [
            _(
                "Your dice: {dice}. Worth {worth}.",
                dice=names.faces(self.decision.dice),
                worth=names.worth_for(self.view, self.decision.seat, self.decision.dice),
            ),
            *self.preview.lines_of_default(
                self.view, self.decision, N_("If you change nothing: {what}.")
            ),
        ]

    def facts_beside_dice(self) -> list[str]:
        return self.facts()[1:]

    def own_prompt(self) -> str:
        return _("Change your dice? d leaves them, Enter for advice.")

    def dice(self) -> Sequence[Face]:
        return self.decision.dice

    def choices(self) -> list[Choice]:
        return [Choice(("n", "no", *STOP_WORDS), Done(), _("leave the dice as they are"))]

    def parse_other(self, text: str) -> Reply:
        return read_faces_of_card(self, text) or super().parse_other(text)


def read_faces_of_card(question: ProbeQuestion | ChangeQuestion, text: str) -> Reply | None:
    """Read faces without a card's name, if only one card takes a die."""
    takers = [usable for usable in question.decision.uses if usable.dice]
    if set(text) <= {*names.FACE_OF_LETTER, " ", ","} and len({u.effect for u in takers}) == 1:
        return question.uses.read_line(f"{question.uses.typed_word(takers[0])} {text}")
    return None


# -- resolve -------------------------------------------------------------------------------


class OrderQuestion(Question[decisions.OrderDecision, Order]):
    title = N_("YOUR TURN: order your dice")
    waiting = N_("Waiting for {name} to use the dice.")
    typed_letters = words.FACES

    def facts(self) -> list[str]:
        return self._facts(N_("Your dice are resolved in this order: {groups}."))

    def facts_beside_dice(self) -> list[str]:
        return self._facts(N_("Order: {groups}."))

    def _facts(self, message: str) -> list[str]:
        groups = list_with_commas(names.face(face) for face in self.decision.groups)
        foreseen = N_("Then: {what}.")
        lines = self.preview.lines_of_default(self.view, self.decision, foreseen)
        return [_(message, groups=groups), *lines]

    def own_hints(self) -> list[str]:
        return [_("Type the groups that you want first, for example hc; the others follow.")]

    def own_prompt(self) -> str:
        return _("Which groups first? Enter for advice.")

    def parse(self, text: str) -> Reply:
        wanted = text.replace(" ", "").replace(",", "")
        if not wanted:
            return Refuse(_("That names no group: type the groups that you want first."))
        order: list[Face] = []
        for sign in wanted:
            face = names.FACE_OF_LETTER.get(sign)
            if face is None or face not in self.decision.groups:
                letters = " ".join(words.own_letter_of_face(dice) for dice in self.decision.groups)
                return Refuse(
                    _(
                        "{sign} is not one of the groups: {letters}.",
                        sign=words.letters_in_own_language(sign, words.FACES),
                        letters=letters,
                    )
                )
            if face in order:
                return Refuse(_("{face} is named twice.", face=names.face(face)))
            order.append(face)
        rest = [face for face in self.decision.groups if face not in order]
        return Give(Order((*order, *rest)))

    def spell(self, answer: Order) -> tuple[str, str]:
        groups = answer.groups
        return "".join(map(words.letter_of_face, groups)), list_with_commas(map(names.face, groups))


class HeartsQuestion(Question[decisions.HeartsDecision, Hearts]):
    title = N_("YOUR TURN: use your hearts")
    waiting = N_("Waiting for {name} to use the dice.")
    typed_letters = (words.HEART, words.POISON, words.SHRINK, *words.PATIENTS)

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
                    letter=words.letters_in_own_language(letter, words.PATIENTS),
                    name=names.player_name(self.view, seat),
                    most=most,
                )
            )
        lines.append(_("Hearts left over are wasted."))
        return lines

    def own_prompt(self) -> str:
        return _("How do you use your hearts? Type {form}; Enter for advice.", form=self._form())

    def _patients(self) -> list[tuple[str, tuple[int, int]]]:
        """Return (letter, (seat, the most hearts it can take)) for each patient."""
        return list(zip(words.PATIENT_LETTERS, self.decision.patients, strict=False))

    def _form(self) -> str:
        letters = [letter for letter, most in self._limits() if most]
        return words.letters_in_own_language(" ".join(letters) or "h", self.typed_letters)

    def _limits(self) -> list[tuple[str, int]]:
        own = [("h", self.decision.heal), ("p", self.decision.poison), ("s", self.decision.shrink)]
        return own + [(letter, most) for letter, (_seat, most) in self._patients()]

    def parse(self, text: str) -> Reply:
        if not re.fullmatch(r"(?:[hpsa-f] ?\d{0,2}[ ,]*)+", text):
            return Refuse(
                _("Type it like this: {form}, each with a number or without.", form=self._form())
            )
        count = dict.fromkeys("hps" + words.PATIENT_LETTERS, 0)
        for letter, number in re.findall(r"([hpsa-f]) ?(\d{0,2})", text):
            count[letter] += int(number) if number else 1
        limits = dict(self._limits())
        for letter, n in count.items():
            if n > limits.get(letter, 0):
                return Refuse(
                    _("{letter} can take {most} of your hearts.",
                      letter=words.letters_in_own_language(letter, self.typed_letters),
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

    def spell(self, answer: Hearts) -> tuple[str, str]:
        given = dict(answer.give)
        spent = [("h", answer.heal), ("p", answer.poison), ("s", answer.shrink)]
        spent += [(letter, given.get(seat, 0)) for letter, (seat, _most) in self._patients()]
        line = " ".join(f"{letter}{n}" for letter, n in spent if n) or "h0"
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
        return line, list_with_and(parts) or _("nothing")
