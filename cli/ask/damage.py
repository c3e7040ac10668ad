"""Questions to a monster that is hit (RULES.md 3.7): defences, Tokyo, exchanging a card.

The questions of a turn are three modules: the dice, the damage, the shop.
"""

from typing import assert_never

from kotp2p.cli.ask.question import Choice, PickQuestion, Question, Refuse, Reply, fits_any_decision
from kotp2p.cli.text import names, player_rules
from kotp2p.cli.text import typed_words as words
from kotp2p.cli.text.i18n import N_, _, list_with_or
from kotp2p.referee.model.answers import Pass, Stay, Swap, Yield
from kotp2p.referee.model.decisions import ResponseDecision, SwapDecision, Usable, YieldDecision
from kotp2p.referee.model.state import DamageKind


class ResponseQuestion(Question[ResponseDecision, Pass]):
    title = N_("YOU ARE HIT: defend?")
    waiting = N_("Waiting for {name} to defend.")
    typed_words = (words.NO, words.NONE, words.PASS)

    def heading(self) -> str:
        if self.decision.damage is DamageKind.LOSS:
            return _("YOUR ENERGY IS TAKEN: defend?")
        return super().heading()

    def facts(self) -> list[str]:
        defences = [
            (self.uses.card_name(usable), next(usable.legal_answers()))
            for usable in self.decision.uses
            if not usable.dice
        ]
        return [self._threat(), *self.preview.lines_of_damage(self.view, self.decision, defences)]

    def facts_beside_dice(self) -> list[str]:
        """Return the facts without the attack, of which the preview says what it takes."""
        _threat, *foreseen = self.facts()
        return foreseen if foreseen and self.decision.damage is DamageKind.CLAWS else self.facts()

    def _threat(self) -> str:
        asked = self.decision
        name = "" if asked.dealer is None else names.player_name(self.view, asked.dealer)
        fields = {"name": name, "hearts": names.hearts(asked.amount), "have": self.me.hearts}
        match asked.damage:
            case DamageKind.LOSS:
                return _(
                    "You are about to lose {n} of your {have} energy.",
                    n=asked.amount,
                    have=self.me.energy,
                )
            case DamageKind.POISON:
                return _("Poison is about to take {hearts} from you; you have {have}.", **fields)
            case DamageKind.CLAWS if name:
                return _("Your monster is hit by {name} for {hearts}; you have {have}.", **fields)
            case DamageKind.CLAWS | DamageKind.CARD:
                return _("Your monster is about to lose {hearts}; you have {have}.", **fields)
            case _:
                assert_never(asked.damage)

    def own_hints(self) -> list[str]:
        if self.decision.damage is DamageKind.LOSS:
            return [_("n: let the energy go.")]
        if self.lethal:
            return [_("n: take the damage; you would have no hearts left.")]
        return [_("n: take the damage; {left} left.", left=names.hearts(self._hearts_left()))]

    def use_hint(self, usable: Usable) -> str:
        hint = super().use_hint(usable)
        if self.decision.takes_all or not self._heals(usable):
            return hint
        if self.decision.damage is DamageKind.LOSS:
            return hint
        return _(
            "{hint} Then the damage leaves you {hearts}.",
            hint=hint,
            hearts=names.hearts(max(0, self._hearts_left() + 1)),
        )

    def own_prompt(self) -> str:
        asked = list_with_or([*self.uses.typed_forms(), _("n for none")])
        return _("Your defence: {words}? Enter for advice.", words=asked)

    def prompt(self) -> str:
        """Return the prompt without cards, which are the answers themselves here."""
        return self.own_prompt()

    @property
    def lethal(self) -> bool:
        return self.decision.damage is not DamageKind.LOSS and self._hearts_left() <= 0

    def _hearts_left(self) -> int:
        return self.me.hearts - self.decision.amount

    def _heals(self, usable: Usable) -> bool:
        return fits_any_decision(self.view.game.setup.rules, usable)

    def choices(self) -> list[Choice]:
        is_loss = self.decision.damage is DamageKind.LOSS
        label = _("let the energy go") if is_loss else _("take the damage")
        return [Choice(("n", "no", "none", "take", "pass"), Pass(), label)]


class YieldQuestion(Question[YieldDecision, Stay | Yield]):
    title = N_("YOU ARE HIT: stay or leave?")
    waiting = N_("Waiting for {name} to stay in Tokyo or leave.")
    typed_words = (words.STAY, words.YIELD, words.YES, words.NO)

    def facts(self) -> list[str]:
        hit = _(
            "Your monster in Tokyo was hit by {name}; you have {hearts}.",
            name=names.player_name(self.view, self.decision.attacker),
            hearts=names.hearts(self.me.hearts),
        )
        return [hit, *self.preview.lines_of_yield(self.view, self.decision)]

    def facts_beside_dice(self) -> list[str]:
        return self.facts()[1:] or self.facts()

    def own_prompt(self) -> str:
        return _("s stays, l leaves, Enter for advice.")

    def choices(self) -> list[Choice]:
        return [
            Choice(("s", "stay"), Stay(), _("stay in Tokyo")),
            Choice(("l", "yield", "leave tokyo"), Yield(), _("leave Tokyo")),
        ]

    def parse_other(self, text: str) -> Reply:
        if text in ("y", "yes", "n", "no"):
            text = words.words_in_own_language(text, self.typed_words)
            return Refuse(
                _("{text} could mean either: type s to stay in Tokyo or l to leave it.", text=text)
            )
        if text == "leave":
            return Refuse(_("Type l to leave Tokyo; to leave the game, type quit."))
        return super().parse_other(text)

    def claims(self, text: str) -> bool:
        return text == "leave"


class SwapQuestion(PickQuestion[SwapDecision, Pass | Swap]):
    title = N_("YOUR CHOICE")
    waiting = N_("Waiting for {name} to choose.")
    typed_words = (words.NO, words.KEEP)

    def facts(self) -> list[str]:
        return [
            _(
                "You may exchange your Unstable DNA for one of {name}'s cards.",
                name=names.player_name(self.view, self.decision.attacker),
            )
        ]

    def own_hints(self) -> list[str]:
        game = self.view.game
        return [
            _("{n}: {card}", n=n, card=player_rules.card_line(game.card(card)))
            for n, card in enumerate(self.decision.cards, 1)
        ] + [_("Type a number or part of a name. n: keep what you have.")]

    def own_prompt(self) -> str:
        return _("Take which card? Type a number; n keeps what you have, Enter for advice.")

    def options(self) -> list[tuple[str, Pass | Swap]]:
        game = self.view.game
        return [(names.item_name(game, card), Swap(card)) for card in self.decision.cards]

    def choices(self) -> list[Choice]:
        none = Choice(("n", "no", "keep"), Pass(), _("leave it as it is"))
        return [*super().choices(), none]
