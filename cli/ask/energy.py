"""Questions about energy: putting some on a card, and selling cards for it (RULES.md 3.11)."""

from __future__ import annotations

import re
from typing import assert_never

from kotp2p.cli.ask.question import NO_WORDS, Question, pick_option
from kotp2p.cli.ask.reply import Confirm, Give, Refuse, Reply
from kotp2p.cli.text import names
from kotp2p.cli.text.card_words import printed_name
from kotp2p.cli.text.i18n import _, list_with_and, list_with_commas
from kotp2p.cli.text.typed_words import DONE, NO, PASS
from kotp2p.referee.model.answers import Deposit, Done, Item, Sell
from kotp2p.referee.model.decisions import DepositDecision, SellDecision


class DepositQuestion(Question[DepositDecision, Deposit]):
    typed_words = (NO,)

    def facts(self) -> list[str]:
        return [
            _(
                "Your Monster Batteries can take up to {energy}.",
                energy=names.energy(self.decision.max_energy),
            )
        ]

    def own_hints(self) -> list[str]:
        return [
            _("Type how much of your energy goes on the card; the bank doubles it."),
        ]

    def own_prompt(self) -> str:
        return _(
            "Put how much energy on it, 0 to {most}? Enter for advice.",
            most=self.decision.max_energy,
        )

    def parse(self, text: str) -> Reply:
        if not re.fullmatch(r"[0-9]{1,4}", text) or int(text) > self.decision.max_energy:
            return Refuse(_("Type a number from 0 to {most}.", most=self.decision.max_energy))
        return Give(Deposit(int(text)))

    def own_line(self, answer: Deposit) -> str:
        return str(answer.energy)

    def own_label(self, answer: Deposit) -> str:
        return names.energy(answer.energy)


class SellQuestion(Question[SellDecision, Done | Sell]):
    typed_words = (NO, DONE, PASS)

    def facts(self) -> list[str]:
        return [_("With Metamorph you may sell cards for their printed cost.")]

    def _options(self) -> list[str]:
        return [names.item_name(self.view.game, card) for card in self.decision.cards]

    def own_hints(self) -> list[str]:
        game = self.view.game
        return [
            *(
                _("{n}: {card}, {energy}", n=n, card=printed_name(game.card(item)),
                  energy=names.energy(game.card(item).cost))
                for n, item in enumerate(self.decision.cards, 1)
            ),
            _("Type numbers: 1 3 sells cards 1 and 3. n: sell nothing."),
        ]  # fmt: skip

    def own_prompt(self) -> str:
        return _("Sell which cards? Type numbers; n for none, Enter for advice.")

    def parse(self, text: str) -> Reply:
        if text in NO_WORDS:
            return Give(Done())
        words = text.replace(",", " ").split()
        named = words if all(word.isdigit() for word in words) else [text]
        chosen: set[Item] = set()
        for word in named:
            found = pick_option(word, self._options())
            if isinstance(found, Refuse):
                return found
            chosen.add(self.decision.cards[found])
        game = self.view.game
        gain = sum(game.card(item).cost for item in chosen)
        return Confirm(
            _("Sell {cards} for {energy}?",
              cards=list_with_and([printed_name(game.card(item)) for item in sorted(chosen)]),
              energy=names.energy(gain)),
            Sell(tuple(sorted(chosen))),
        )  # fmt: skip

    def own_line(self, answer: Done | Sell) -> str:
        match answer:
            case Done():
                return "n"
            case Sell(cards=cards):
                return " ".join(str(self.decision.cards.index(card) + 1) for card in cards)
            case _:
                assert_never(answer)

    def own_label(self, answer: Done | Sell) -> str:
        match answer:
            case Done():
                return _("sell nothing")
            case Sell(cards=cards):
                return list_with_commas([printed_name(self.view.game.card(card)) for card in cards])
            case _:
                assert_never(answer)
