"""Questions to a monster that is hit (RULES.md 3.7): defences, Tokyo, Unstable DNA."""

from __future__ import annotations

from cli.ask import preview
from cli.ask.question import HEAL, Confirm, Give, Question, Refuse, Reply, pick
from cli.text import names
from cli.text.i18n import _
from referee.model.answers import Answer, Pass, Stay, Swap, Use, Yield
from referee.model.damage_decisions import ResponseDecision, SwapDecision, YieldDecision
from referee.model.decision_base import (
    Usable,
)
from referee.model.kinds import DamageKind

STOPS_ALL = ("wings", "super-jump")
"""Defences that leave nothing to chance."""


class ResponseQuestion(Question[ResponseDecision]):
    """Damage is about to land; or (LOSS) energy is about to be taken."""

    def facts(self) -> list[str]:
        ways = [
            (self.use_name(usable), next(usable.legal_answers()))
            for usable in self.decision.uses
            if not usable.dice
        ]
        return [*self._coming(), *preview.of_damage(self.view, self.decision, ways)]

    def _coming(self) -> list[str]:
        asked = self.decision
        who = "" if asked.dealer is None else names.player(self.view, asked.dealer)
        fields = {"who": who, "hearts": names.hearts(asked.amount), "have": self.me.hearts}
        match asked.damage:
            case DamageKind.LOSS:
                return [
                    _(
                        "Your energy is about to be taken: {n} of {have}.",
                        n=asked.amount,
                        have=self.me.energy,
                    )
                ]
            case DamageKind.POISON:
                return [_("Your poison is about to take {hearts}; you have {have}.", **fields)]
            case DamageKind.CLAWS if who:
                return [_("Your monster is hit by {who} for {hearts}; you have {have}.", **fields)]
            case _:
                return [_("Your monster is about to lose {hearts}; you have {have}.", **fields)]

    def own_hints(self) -> list[str]:
        if self.decision.damage is DamageKind.LOSS:
            return [_("n: let it be taken.")]
        if self.lethal:
            return [_("n: take the damage; you would be at no hearts.")]
        return [_("n: take the damage; {left} left.", left=names.hearts(self._left()))]

    def use_hint(self, usable: Usable) -> str:
        hint = super().use_hint(usable)
        if usable.effect != HEAL or self.decision.damage is DamageKind.LOSS:
            return hint
        return _(
            "{hint} Then the damage leaves you {hearts}.",
            hint=hint,
            hearts=names.hearts(max(0, self._left() + 1)),
        )

    def prompt(self) -> str:
        what = self._safe()
        if isinstance(what, Use):
            return _(
                "Your defence: n for none{uses}? Enter: {what}.",
                uses=self.use_words(),
                what=self.use_in_words(what),
            )
        return _("Your defence: n for none{uses}? Enter: none.", uses=self.use_words())

    @property
    def lethal(self) -> bool:
        return self.decision.damage is not DamageKind.LOSS and self._left() <= 0

    def _left(self) -> int:
        return self.me.hearts - self.decision.amount

    def _safe(self) -> Answer:
        """What Enter does: a defence that costs nothing; at the last heart, one that saves."""
        free = [u for u in self.decision.uses if not u.cost and u.effect != HEAL]
        saving = [u for u in self.decision.uses if self.lethal and self._saves(u)]
        chosen = free or saving
        return next(chosen[0].legal_answers()) if chosen else Pass()

    def _saves(self, usable: Usable) -> bool:
        if usable.effect == HEAL:
            times = self.me.energy // usable.cost if usable.cost else 1
            return self._left() + times > 0
        return usable.effect in STOPS_ALL

    def parse(self, text: str) -> Reply:
        if text in ("n", "no", "none", "take", "pass"):
            return self._take()
        return Refuse(
            _("{text} is no answer; type n{uses}, or Enter.", text=text, uses=self.use_words())
        )

    def _take(self) -> Reply:
        if self.lethal:
            return Confirm(
                _("You would have no hearts left, though you have a defence. Take the damage?"),
                Pass(),
            )
        return Give(Pass())

    def enter(self) -> Reply:
        safe = self._safe()
        return self._take() if safe == Pass() else Give(safe)


class YieldQuestion(Question[YieldDecision]):
    def facts(self) -> list[str]:
        lines = [
            _(
                "Your monster in Tokyo was hit by {who}; you have {hearts}.",
                who=names.player(self.view, self.decision.attacker),
                hearts=names.hearts(self.me.hearts),
            )
        ]
        foreseen = preview.of_yield(self.view, self.decision)
        if self.decision.pending and not foreseen:
            lines.append(
                _(
                    "If you stay you lose {hearts} more; if you leave you do not.",
                    hearts=names.hearts(self.decision.pending),
                )
            )
        return [*lines, *foreseen]

    def own_hints(self) -> list[str]:
        two = self.view.game.setup.options.two_player  # D-28: energy instead of points
        return [
            _(
                "s: stay; {gain} if you are still in Tokyo when your turn starts.",
                gain=names.energy(1) if two else names.points(2),
            ),
            _(
                "y: leave Tokyo; {who} takes the place.",
                who=names.player(self.view, self.decision.attacker),
            ),
        ]

    def prompt(self) -> str:
        if self._deadly:
            return _(
                "Your choice: s stay, y leave Tokyo{uses}? Enter leaves.", uses=self.use_words()
            )
        return _("Your choice: s stay, y leave Tokyo{uses}? Enter stays.", uses=self.use_words())

    @property
    def _deadly(self) -> bool:
        return self.decision.pending >= self.me.hearts

    def parse(self, text: str) -> Reply:
        if text in ("s", "stay", "n", "no"):
            if self._deadly:
                return Confirm(_("Staying takes your last hearts, leaving does not. Stay?"), Stay())
            return Give(Stay())
        if text in ("y", "yield", "yes", "l"):
            return Give(Yield())
        return Refuse(_("{text} is no answer; type s to stay or y to leave Tokyo.", text=text))

    def enter(self) -> Reply:
        return Give(Yield() if self._deadly else Stay())


class SwapQuestion(Question[SwapDecision]):
    def facts(self) -> list[str]:
        return [
            _(
                "Your Unstable DNA may be exchanged for a card of {who}.",
                who=names.player(self.view, self.decision.attacker),
            )
        ]

    def own_hints(self) -> list[str]:
        game = self.view.game
        return [
            _("{n}: {card}", n=n, card=names.card_line(game.card(card)))
            for n, card in enumerate(self.decision.cards, 1)
        ] + [_("Type a number or part of a name. Enter or n: keep what you have.")]

    def prompt(self) -> str:
        return _("Your choice? A number, or Enter to keep what you have{uses}.",
                 uses=self.use_words())  # fmt: skip

    def parse(self, text: str) -> Reply:
        if text in ("n", "no", "keep"):
            return Give(Pass())
        found = pick(text, [names.item_name(self.view.game, c) for c in self.decision.cards])
        return found if isinstance(found, Refuse) else Give(Swap(self.decision.cards[found]))

    def enter(self) -> Reply:
        return Give(Pass())
