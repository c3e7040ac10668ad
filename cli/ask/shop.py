"""Questions about cards and energy: the shop (RULES.md 3.10), Opportunist (K30), Monster
Batteries, selling (3.11)."""

from __future__ import annotations

import re
from itertools import count

from cli.ask import preview
from cli.ask.foresight import kills
from cli.ask.question import Confirm, Give, Propose, Question, Refuse, Reply, pick
from cli.text import names
from cli.text.events_cards import LETTERS
from cli.text.i18n import _, choice, listing
from referee.model.answers import Answer, Buy, BuyTop, Deposit, Done, Item, Pass, Peek, Sell, Sweep
from referee.model.card_decisions import (
    BuyDecision,
    DepositDecision,
    Offer,
    OpportunistDecision,
    SellDecision,
)

SWEEP_PRICE = 2
NO = ("n", "no", "d", "done", "pass")


class BuyQuestion(Question[BuyDecision]):
    """The market by its slots a b c, then cards of other monsters by numbers."""

    def facts(self) -> list[str]:
        return [
            _("Your shop: {cards}. You have {energy}.", cards=", ".join(self._market()),
              energy=names.energy(self.me.energy)),
            *self._elsewhere(),
            *preview.of_purchases(self.view, self.decision, self._ways()),
        ]  # fmt: skip

    def _ways(self) -> list[tuple[str, Answer]]:
        ways: list[tuple[str, Answer]] = [
            (letter, Buy(offer.card)) for letter, offer in self.lettered().items()
        ]
        top = self.view.top
        if top is not None and any(offer.card == top for offer in self.decision.tops):
            ways.append(("t", BuyTop(top)))
        return ways

    def _market(self) -> list[str]:
        prices = {offer.card: offer.price for offer in self.decision.offers}
        parts = []
        for letter, item in zip(LETTERS, self.view.game.state.market, strict=True):
            if item is None:
                continue
            card = self.view.game.card(item)
            fields = {"letter": letter, "card": card.name, "price": prices.get(item, card.cost)}
            if item in prices:
                parts.append(_("{letter} {card} {price}", **fields))
            else:
                parts.append(_("{letter} {card} {price} (too dear)", **fields))
        return parts or [_("no cards")]

    def _elsewhere(self) -> list[str]:
        lines = [
            _(
                "Your tentacles reach: {letter} {card} of {owner}, {energy}.",
                letter=letter,
                card=names.item_name(self.view.game, offer.card),
                owner=names.player(self.view, offer.owner),
                energy=names.energy(offer.price),
            )
            for letter, offer in self.lettered().items()
            if offer.owner is not None
        ]
        if self.view.top is not None and self.decision.top:
            top = self.view.game.card(self.view.top)
            lines.append(_("Your secret: the top card is {card}", card=names.card_line(top)))
        return lines

    def lettered(self) -> dict[str, Offer]:
        """What can be bought, by the letter that is typed."""
        market = self.view.game.state.market
        found: dict[str, Offer] = {}
        others = count(1)
        for offer in self.decision.offers:
            if offer.owner is None:
                found[LETTERS[market.index(offer.card)]] = offer
            else:
                found[str(next(others))] = offer
        return found

    def own_hints(self) -> list[str]:
        lines = [
            _("{letter}: buy {card}", letter=letter,
              card=names.card_line(self.view.game.card(offer.card)))
            for letter, offer in self.lettered().items()
        ]  # fmt: skip
        if self.decision.sweep:
            lines.append(
                _("r: pay {energy} for three new cards.", energy=names.energy(SWEEP_PRICE))
            )
        if self.decision.peek:
            lines.append(_("l: look at the top card of the deck; nobody else sees it."))
        if self.decision.top:
            lines.append(_("t: buy the top card of the deck, which you have seen."))
        lines.append(_("Enter ends your turn and buys nothing more. shop shows all texts."))
        return lines

    def prompt(self) -> str:
        keys = list(self.lettered())
        if self.decision.sweep:
            keys.append(_("r new cards"))
        if self.decision.peek:
            keys.append(_("l look"))
        if self.decision.top:
            keys.append(_("t top card"))
        return _(
            "Buy which: {keys}{uses}? Enter ends your turn.",
            keys=", ".join(keys),
            uses=self.use_words(),
        )

    def parse(self, text: str) -> Reply:
        if text in NO:
            return Give(Done())
        if text == "r":
            if not self.decision.sweep:
                return Refuse(
                    _("New cards cost {energy}; you have {have}.",
                      energy=names.energy(SWEEP_PRICE), have=names.energy(self.me.energy))
                )  # fmt: skip
            return Give(Sweep())
        if text == "l":
            return Give(Peek())
        if text == "t":
            return self._top()
        text = text.removeprefix("buy ")
        offer = self.lettered().get(text)
        return self._market_card(text) if offer is None else self._buy(offer)

    def _market_card(self, text: str) -> Reply:
        """A slot that is empty or too dear, or the name of a card."""
        market = self.view.game.state.market
        if text in LETTERS and len(text) == 1:
            item = market[LETTERS.index(text)]
            if item is None:
                return Refuse(_("There is no card {letter}.", letter=text))
            return self._too_dear(item)
        offers = list(self.decision.offers)
        options = [names.item_name(self.view.game, offer.card) for offer in offers]
        for item in market:
            if item is not None and all(offer.card != item for offer in offers):
                name = names.item_name(self.view.game, item)
                if len(text) > 2 and name.lower().startswith(text):
                    return self._too_dear(item)
        found = pick(text, options) if len(text) > 2 and not text.isdigit() else None
        if found is None or isinstance(found, Refuse):
            return Refuse(
                _("{text} is not for sale; type {keys}, or Enter to end your turn.",
                  text=text, keys=choice(list(self.lettered())) or "r")
            )  # fmt: skip
        return self._buy(offers[found])

    def _too_dear(self, item: Item) -> Refuse:
        card = self.view.game.card(item)
        return Refuse(
            _("{card} is too dear: you have {energy}.", card=card.name,
              energy=names.energy(self.me.energy))
        )  # fmt: skip

    def _top(self) -> Reply:
        if self.view.top is None or not self.decision.top:
            return Refuse(_("You have not seen the top card."))
        return Give(BuyTop(self.view.top))

    def _buy(self, offer: Offer) -> Reply:
        return bought(self, offer)

    def enter(self) -> Reply:
        return Give(Done())


def bought(question: BuyQuestion | OpportunistQuestion, offer: Offer) -> Reply:
    answer = Buy(offer.card)
    if kills(question.view, answer):
        return Confirm(
            _(
                "{card} takes your last hearts: you would be out of the game. Buy it?",
                card=names.item_name(question.view.game, offer.card),
            ),
            answer,
        )
    return Give(answer)


class OpportunistQuestion(Question[OpportunistDecision]):
    def facts(self) -> list[str]:
        ways = [(letter, Buy(offer.card)) for letter, offer in self._lettered().items()]
        return [
            *(
                _(
                    "Your chance to buy first: {letter} {card}, {energy} of your {have}.",
                    letter=letter,
                    card=names.item_name(self.view.game, offer.card),
                    energy=names.energy(offer.price),
                    have=self.me.energy,
                )
                for letter, offer in self._lettered().items()
            ),
            *preview.of_purchases(self.view, self.decision, ways),
        ]

    def _lettered(self) -> dict[str, Offer]:
        return dict(zip(LETTERS, self.decision.offers, strict=False))

    def own_hints(self) -> list[str]:
        return [
            *(
                _("{letter}: buy {card}", letter=letter,
                  card=names.card_line(self.view.game.card(offer.card)))
                for letter, offer in self._lettered().items()
            ),
            _("Enter or n: do not buy."),
        ]  # fmt: skip

    def prompt(self) -> str:
        return _(
            "Buy which: {keys}{uses}? Enter buys nothing.",
            keys=", ".join(self._lettered()),
            uses=self.use_words(),
        )

    def parse(self, text: str) -> Reply:
        if text in NO:
            return Give(Pass())
        if text in ("y", "yes") and len(self.decision.offers) == 1:
            return bought(self, self.decision.offers[0])
        offer = self._lettered().get(text)
        if offer is not None:
            return bought(self, offer)
        return Refuse(
            _("{text} is no answer; type {keys}, or Enter for none.", text=text,
              keys=choice(list(self._lettered())))
        )  # fmt: skip

    def enter(self) -> Reply:
        return Give(Pass())


class DepositQuestion(Question[DepositDecision]):
    def facts(self) -> list[str]:
        return [
            _(
                "Your Monster Batteries can take up to {energy}.",
                energy=names.energy(self.decision.most),
            )
        ]

    def own_hints(self) -> list[str]:
        return [
            _("Type how much of your energy goes on the card; the bank doubles it."),
            _("Enter proposes; Enter again does it."),
        ]

    def prompt(self) -> str:
        return _(
            "Your deposit, 0 to {most}{uses}? Enter proposes.",
            most=self.decision.most,
            uses=self.use_words(),
        )

    def parse(self, text: str) -> Reply:
        if not re.fullmatch(r"[0-9]{1,4}", text) or int(text) > self.decision.most:
            return Refuse(_("Type a number from 0 to {most}.", most=self.decision.most))
        return Give(Deposit(int(text)))

    def enter(self) -> Reply:
        answer: Answer = self.adviser(self.view, self.decision)
        if not isinstance(answer, Deposit):
            answer = Deposit(self.decision.most)
        return Propose(_("Proposed: {energy}.", energy=names.energy(answer.energy)), answer)


class SellQuestion(Question[SellDecision]):
    def facts(self) -> list[str]:
        return [_("Your Metamorph may sell cards for what is printed on them.")]

    def _options(self) -> list[str]:
        return [names.item_name(self.view.game, card) for card in self.decision.cards]

    def own_hints(self) -> list[str]:
        game = self.view.game
        return [
            *(
                _("{n}: {card}, {energy}", n=n, card=game.card(item).name,
                  energy=names.energy(game.card(item).cost))
                for n, item in enumerate(self.decision.cards, 1)
            ),
            _("Type numbers: 1 3 sells both. Enter or n: sell nothing."),
        ]  # fmt: skip

    def prompt(self) -> str:
        return _("Sell which? Numbers, or Enter for none{uses}.", uses=self.use_words())

    def parse(self, text: str) -> Reply:
        if text in NO:
            return Give(Done())
        words = text.replace(",", " ").split()
        named = words if all(word.isdigit() for word in words) else [text]
        chosen: set[Item] = set()
        for word in named:
            found = pick(word, self._options())
            if isinstance(found, Refuse):
                return found
            chosen.add(self.decision.cards[found])
        game = self.view.game
        gain = sum(game.card(item).cost for item in chosen)
        return Confirm(
            _("Sell {cards} for {energy}?",
              cards=listing([game.card(item).name for item in sorted(chosen)]),
              energy=names.energy(gain)),
            Sell(tuple(sorted(chosen))),
        )  # fmt: skip

    def enter(self) -> Reply:
        return Give(Done())
