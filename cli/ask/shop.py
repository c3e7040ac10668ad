"""Questions about cards: buying, energy, and picking one thing (RULES.md 3.10, 3.11, K30)."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import TypeAlias, TypeVar

from kotp2p.cli.ask import question
from kotp2p.cli.text import names, player_rules
from kotp2p.cli.text import typed_words as words
from kotp2p.cli.text.i18n import N_, _, in_context, list_with_and, list_with_commas, list_with_or
from kotp2p.cli.text.player_rules import printed_name, printed_text
from kotp2p.cli.text.queries import price_tag, tags_of_market
from kotp2p.cli.text.story import describe_refusal
from kotp2p.referee.model import answers, decisions
from kotp2p.referee.rules.market import SWEEP_COST

# -- shop ----------------------------------------------------------------------------------


MIN_LETTERS_OF_CARD_FOR_SALE = 3

BuyAnswer: TypeAlias = answers.Done | answers.Buy | answers.BuyTop | answers.Sweep | answers.Peek


Sale = TypeVar("Sale", bound=decisions.BuyDecision | decisions.OpportunistDecision)


class ShopQuestion(question.Question[Sale, question.A]):
    """Whether to buy one of the cards that are offered, each of which has a letter."""

    waiting = N_("Waiting for {name} to buy.")
    typed_letters = words.PLACES

    def lettered(self) -> dict[str, decisions.Offer]:
        """Return the offers by what is typed: a letter of the market, or else a number."""
        market, others = self.view.game.state.market, count(1)
        found: dict[str, decisions.Offer] = {}
        for offer in self.decision.offers:
            is_there = offer.card in market
            found[
                words.MARKET_LETTERS[market.index(offer.card)] if is_there else str(next(others))
            ] = offer
        return found

    def purchases(self) -> list[tuple[str, answers.Answer]]:
        return [(letter, answers.Buy(offer.card)) for letter, offer in self.lettered().items()]

    def own_hints(self) -> list[str]:
        return [
            _("{letter}: buy {card}", letter=letter,
              card=player_rules.card_line(self.view.game.card(offer.card), offer.price))
            for letter, offer in self.lettered().items()
        ]  # fmt: skip

    def choices(self) -> list[question.Choice]:
        return [
            question.Choice((letter, f"buy {letter}"), answer, self.describe_purchase(answer.card))
            for letter, answer in self.purchases()
            if isinstance(answer, answers.Buy)
        ]

    def describe_purchase(self, card: answers.Item) -> str:
        return _("buy {card}", card=names.item_name(self.view.game, card))

    def line_for_place(self, place: int) -> str:
        """Return the letter of this place of the market, even if it cannot be bought."""
        return words.letters_in_own_language(words.MARKET_LETTERS[place], words.PLACES)

    def parse_other(self, text: str) -> question.Reply:
        """Read a name of a card, or the letter of a slot that cannot be bought."""
        text = text.removeprefix("buy ")
        market = self.view.game.state.market
        if text in words.MARKET_LETTERS and len(text) == 1:
            item = market[words.MARKET_LETTERS.index(text)]
            if item is None:
                return question.Refuse(_("There is no card {letter}.", letter=text))
            return self.refuse_card(item)
        if len(text) < MIN_LETTERS_OF_CARD_FOR_SALE or text.isdigit():
            return super().parse_other(text)
        game, offers = self.view.game, self.decision.offers
        offered = [offer.card for offer in offers]
        for item in market:
            if item is None or item in offered:
                continue
            if names.item_name(game, item).lower().startswith(text):
                return self.refuse_card(item)
        found = question.pick_option(text, [names.item_name(game, item) for item in offered])
        if isinstance(found, question.Refuse):
            return super().parse_other(text)
        return question.Give(answers.Buy(offered[found]))

    def refuse_card(self, item: answers.Item) -> question.Refuse:
        # The referee offers what can be paid for, but for what a card keeps from sale.
        return question.Refuse(
            price_tag(self.view, item).describe_obstacle()
            or describe_refusal(answers.Reason.NOT_FOR_SALE)
        )


class BuyQuestion(ShopQuestion[decisions.BuyDecision, BuyAnswer]):
    title = N_("YOUR TURN: buy")
    typed_words = (words.NO, words.DONE, words.PASS, words.SWEEP, words.LOOK, words.TOP, words.BUY)

    def facts(self) -> list[str]:
        return [
            _("For sale: {cards}. You have {energy}.", cards=list_with_commas(self._market()),
              energy=names.energy(self.me.energy)),
            *self._elsewhere(),
            *self.preview.lines_of_purchases(self.view, self.decision, self.purchases()),
        ]  # fmt: skip

    def facts_beside_dice(self) -> list[str]:
        """Return the facts without energy and prices, which the table shows."""
        bought = self.preview.lines_of_purchases(
            self.view, self.decision, self.purchases(), with_rest=False
        )
        return [*self._elsewhere(), *bought]

    def purchases(self) -> list[tuple[str, answers.Answer]]:
        """Return all that can be bought; the top card if it is known."""
        found, top = super().purchases(), self.view.top
        if top is not None and any(offer.card == top for offer in self.decision.tops):
            found.append(("t", answers.BuyTop(top)))
        return found

    def _market(self) -> list[str]:
        parts = []
        for letter, tag in tags_of_market(self.view):
            if tag is None:
                continue
            fields = {"letter": letter, "card": printed_name(tag.card)}
            price = names.energy(tag.price)
            if tag.can_be_bought:
                parts.append(_("({letter}) {card} for {price}", price=price, **fields))
            else:
                why = tag.mark_obstacle()
                parts.append(_("({letter}) {card} for {price} ({why})", price=price, why=why,
                               **fields))  # fmt: skip
        return parts or [_("no cards")]

    def _elsewhere(self) -> list[str]:
        lines = [
            _(
                "You may also buy ({letter}) {card} from {owner} for {energy}.",
                letter=letter,
                card=names.item_name(self.view.game, offer.card),
                owner=names.player_name(self.view, offer.owner),
                energy=names.energy(offer.price),
            )
            for letter, offer in self.lettered().items()
            if offer.owner is not None
        ]
        if self.view.top is not None and self.decision.top:
            tag = price_tag(self.view, self.view.top)
            lines.append(_("Only you know the top card: {card}", card=tag.line()))
            if not tag.can_be_bought:
                lines.append(tag.describe_obstacle())
        return lines

    def own_hints(self) -> list[str]:
        lines = super().own_hints()
        if self.decision.peek:
            lines.append(_("l: look at the top card of the deck; nobody else sees it."))
        return lines

    def own_prompt(self) -> str:
        letters = list_with_or(list(self.lettered()))
        said = [_("You can buy none of them.")]
        if letters:
            said = [_("Buy {letters}?", letters=letters)]
        if self.decision.sweep:
            said.append(_("r: new cards for {energy}.", energy=names.energy(SWEEP_COST)))
        if self.decision.peek:
            said.append(_("l looks at the top card."))
        if self._can_buy_top():
            said.append(_("t buys the top card."))
        way_on = _("n ends your turn, Enter for advice.")
        if self._find_only_answer() is not None:
            way_on = _("Enter ends your turn.")
        return " ".join([*said, way_on])

    def claims(self, text: str) -> bool:
        return text == "look" and (self.decision.peek or self.decision.top)

    def _can_buy_top(self) -> bool:
        return self.view.top is not None and self.decision.is_legal(answers.BuyTop(self.view.top))

    def choices(self) -> list[question.Choice]:
        nothing = question.Choice(question.NO_WORDS, answers.Done(), _("buy nothing"))
        found = [nothing, *super().choices()]
        if self.decision.sweep:
            found.append(question.Choice(("r",), answers.Sweep(), _("three new cards")))
        if self.decision.peek or self.decision.top:
            found.append(question.Choice(("l",), answers.Peek(), _("look at the top card")))
        top = self.view.top
        if top is not None and self._can_buy_top():
            label = self.describe_purchase(top)
            found.append(question.Choice(("t",), answers.BuyTop(top), label))
        return found

    def parse_other(self, text: str) -> question.Reply:
        match text:
            case "r":
                return question.Refuse(self._why_no_sweep())
            case "l":
                return question.Refuse(
                    _("You have no card that lets you look at the top card of the deck.")
                )
            case "t" if self.view.top is not None and self.decision.top:
                return self.refuse_card(self.view.top)
            case "t":
                return question.Refuse(_("You have not seen the top card."))
            case _:  # a typed word
                return super().parse_other(text)

    def _why_no_sweep(self) -> str:
        if self.me.energy >= SWEEP_COST:
            return _("There are no cards that new ones could replace.")
        return _("New cards cost {energy}; you have {have}.",
                 energy=names.energy(SWEEP_COST), have=names.energy(self.me.energy))  # fmt: skip

    def offered(self) -> Iterator[BuyAnswer | answers.Use]:
        """Yield the answers, also the top card, which is secret and so not in the decision."""
        yield from super().offered()
        if self.view.top is not None and self._can_buy_top():
            yield answers.BuyTop(self.view.top)


class OpportunistQuestion(ShopQuestion[decisions.OpportunistDecision, answers.Pass | answers.Buy]):
    title = N_("YOUR CHANCE: buy first?")
    typed_words = (words.YES, words.NO, words.DONE, words.PASS, words.BUY)

    def facts(self) -> list[str]:
        return [
            *(
                _(
                    "Your chance to buy first: ({letter}) {card} for {energy}; you have {have}.",
                    letter=letter,
                    card=names.item_name(self.view.game, offer.card),
                    energy=names.energy(offer.price),
                    have=self.me.energy,
                )
                for letter, offer in self.lettered().items()
            ),
            *self.preview.lines_of_purchases(self.view, self.decision, self.purchases()),
        ]

    def facts_beside_dice(self) -> list[str]:
        offers = [
            _("({letter}) {card} for {price}", letter=letter,
              card=names.item_name(self.view.game, offer.card), price=names.energy(offer.price))
            for letter, offer in self.lettered().items()
        ]  # fmt: skip
        return [
            _("For sale: {cards}.", cards=list_with_commas(offers)),
            *self.preview.lines_of_purchases(
                self.view, self.decision, self.purchases(), with_rest=False
            ),
        ]

    def own_hints(self) -> list[str]:
        return [*super().own_hints(), _("n: do not buy.")]

    def own_prompt(self) -> str:
        return _(
            "Buy {letters}? n buys nothing, Enter for advice.",
            letters=list_with_or(list(self.lettered())),
        )

    def choices(self) -> list[question.Choice]:
        found = super().choices()
        if len(found) == 1:
            found = [replace(found[0], words=(*found[0].words, "y", "yes"))]
        return [*found, question.Choice(question.NO_WORDS, answers.Pass(), _("buy nothing"))]


# -- energy --------------------------------------------------------------------------------


class DepositQuestion(question.Question[decisions.DepositDecision, answers.Deposit]):
    title = N_("YOUR CHOICE")
    waiting = N_("Waiting for {name} to buy.")
    typed_words = (words.NO,)

    def facts(self) -> list[str]:
        return [
            _(
                "Your Monster Batteries can take up to {energy}.",
                energy=names.energy(self.decision.max_energy),
            )
        ]

    def own_hints(self) -> list[str]:
        return [_("Type how much of your energy goes on the card; the bank doubles it.")]

    def own_prompt(self) -> str:
        return _("Put how much energy on it, 0 to {most}? Enter for advice.",
                 most=self.decision.max_energy)  # fmt: skip

    def parse(self, text: str) -> question.Reply:
        if not re.fullmatch(r"[0-9]{1,4}", text) or int(text) > self.decision.max_energy:
            return question.Refuse(
                _("Type a number from 0 to {most}.", most=self.decision.max_energy)
            )
        return question.Give(answers.Deposit(int(text)))

    def spell(self, answer: answers.Deposit) -> tuple[str, str]:
        return str(answer.energy), names.energy(answer.energy)


class SellQuestion(question.Question[decisions.SellDecision, answers.Done | answers.Sell]):
    title = N_("YOUR TURN: sell")
    waiting = N_("Waiting for {name} to choose.")
    typed_words = (words.NO, words.DONE, words.PASS)

    def facts(self) -> list[str]:
        return [_("With Metamorph you may sell cards for their printed cost.")]

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

    def parse(self, text: str) -> question.Reply:
        if text in question.NO_WORDS:
            return question.Give(answers.Done())
        parts = text.replace(",", " ").split()
        named = parts if all(part.isdigit() for part in parts) else [text]
        options = [names.item_name(self.view.game, card) for card in self.decision.cards]
        chosen: set[answers.Item] = set()
        for word in named:
            found = question.pick_option(word, options)
            if isinstance(found, question.Refuse):
                return found
            chosen.add(self.decision.cards[found])
        game = self.view.game
        gain = sum(game.card(item).cost for item in chosen)
        return question.Confirm(
            _(
                "Sell {cards} for {energy}?",
                cards=list_with_and([printed_name(game.card(item)) for item in sorted(chosen)]),
                energy=names.energy(gain),
            ),
            answers.Sell(tuple(sorted(chosen))),
        )

    def spell(self, answer: answers.Done | answers.Sell) -> tuple[str, str]:
        if isinstance(answer, answers.Done):
            return "n", _("sell nothing")
        places = [str(self.decision.cards.index(card) + 1) for card in answer.cards]
        cards = [printed_name(self.view.game.card(card)) for card in answer.cards]
        return " ".join(places), list_with_commas(cards)


# -- questions that pick one thing: a card to copy, a tile, an extra turn ------------------


class CopyQuestion(question.PickQuestion[decisions.CopyDecision, answers.Keep | answers.Copy]):
    title = N_("YOUR CHOICE")
    waiting = N_("Waiting for {name} to choose.")
    typed_words = (words.NO, words.KEEP)

    def facts(self) -> list[str]:
        card = names.item_name(self.view.game, self.decision.item)
        if not self.decision.keep and not self.decision.cost:
            return [_("Your {card} copies a card in play.", card=card)]
        if not self.decision.cost:
            return [_("Your {card} may copy another card in play for free.", card=card)]
        return [
            _(
                "Your {card} may copy another card in play for {energy}.",
                card=card,
                energy=names.energy(self.decision.cost),
            )
        ]

    def own_hints(self) -> list[str]:
        options = enumerate(self.options(), 1)
        lines = [_("{n}: {card}", n=n, card=option) for n, (option, _copy) in options]
        lines.append(_("Type a number or part of a name."))
        if self.decision.keep:
            lines.append(_("n: leave it as it is."))
        return lines

    def options(self) -> list[tuple[str, answers.Keep | answers.Copy]]:
        return [(self._describe_target(item), answers.Copy(item)) for item in self.decision.targets]

    def _describe_target(self, item: answers.Item) -> str:
        seat = names.owner_of_item(self.view, item)
        name = names.item_name(self.view.game, item)
        if seat is None:
            return name
        if seat == self.decision.seat:
            return _("{card} (yours)", card=name)
        return _("{card} ({owner})", card=name, owner=names.player_name(self.view, seat))

    def own_prompt(self) -> str:
        if self.decision.keep:
            return _("Copy which card? Type a number; n leaves it as it is, Enter for advice.")
        return _("Copy which card? Type a number; Enter for advice.")

    def choices(self) -> list[question.Choice]:
        game = self.view.game
        found = [
            replace(choice, label=_("copy {card}", card=names.item_name(game, item)))
            for choice, item in zip(super().choices(), self.decision.targets, strict=True)
        ]
        if self.decision.keep:
            no = ("n", "no", "keep")
            found.append(question.Choice(no, answers.Keep(), _("leave it as it is")))
        return found


class TileQuestion(question.PickQuestion[decisions.TileDecision, answers.Take]):
    title = N_("YOUR CHOICE")
    waiting = N_("Waiting for {name} to choose.")

    def facts(self) -> list[str]:
        setup = self.view.game.setup
        return [
            _("Your wickedness has reached {step}: choose a tile.", step=self.decision.step),
            *(
                _("{n} {tile}: {text}", n=n, tile=printed_name(tile), text=printed_text(tile))
                for n, tile in enumerate(map(setup.tile, self.decision.tiles), 1)
            ),
        ]

    def facts_beside_dice(self) -> list[str]:
        """Return the names alone: `?` and the cards in sight have their texts."""
        named = [
            in_context("number and name of a tile", "{n} {tile}", n=n, tile=name)
            for n, (name, _take) in enumerate(self.options(), 1)
        ]
        return [_("{tiles}; ? shows what they do.", tiles=list_with_commas(named))]

    def own_hints(self) -> list[str]:
        return [_("Type a number or part of a name.")]

    def options(self) -> list[tuple[str, answers.Take]]:
        game = self.view.game
        return [(names.item_name(game, tile), answers.Take(tile)) for tile in self.decision.tiles]

    def own_prompt(self) -> str:
        return _("Take which tile? Type a number; Enter for advice.")


class AgainQuestion(question.Question[decisions.AgainDecision, answers.Again | answers.Pass]):
    title = N_("YOUR TURN: once more?")
    waiting = N_("Waiting for {name} to choose.")
    typed_words = (words.YES, words.NO)

    def facts(self) -> list[str]:
        return [_("Your three ones give you another turn, with one die fewer.")]

    def own_hints(self) -> list[str]:
        return [_("y: take it. n: do without it.")]

    def own_prompt(self) -> str:
        return _("Take another turn? y takes it, n does not; Enter for advice.")

    def choices(self) -> list[question.Choice]:
        return [
            question.Choice(("y", "yes"), answers.Again(), _("take the extra turn")),
            question.Choice(("n", "no"), answers.Pass(), _("do without the extra turn")),
        ]
