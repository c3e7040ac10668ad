"""Questions about cards: buying, energy, and picking one thing (RULES.md 3.10, 3.11, K30)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import TypeAlias, assert_never

from kotp2p.cli.ask import preview, question
from kotp2p.cli.text import card_words, names
from kotp2p.cli.text.card_words import printed_name, printed_text
from kotp2p.cli.text.i18n import N_, _, in_context, list_with_and, list_with_commas, list_with_or
from kotp2p.cli.text.queries import price_tag, tags_of_market
from kotp2p.cli.text.story import describe_refusal
from kotp2p.cli.text.typed_words import (
    BUY,
    DONE,
    KEEP,
    LOOK,
    MARKET_LETTERS,
    NO,
    PASS,
    PLACES,
    SWEEP,
    TOP,
    YES,
    letters_in_own_language,
)
from kotp2p.referee.model import answers, decisions
from kotp2p.referee.rules.market import SWEEP_COST
from kotp2p.seams.notices import SeatView

# -- shop ----------------------------------------------------------------------------------
#
# Questions about buying: the shop (RULES.md 3.10), and buying before the others (K30).


MIN_LETTERS_OF_CARD_FOR_SALE = 3

BuyAnswer: TypeAlias = answers.Done | answers.Buy | answers.BuyTop | answers.Sweep | answers.Peek


class BuyQuestion(question.Question[decisions.BuyDecision, BuyAnswer]):
    title = N_("YOUR TURN: buy")
    waiting = N_("Waiting for {name} to buy.")
    typed_words = (NO, DONE, PASS, SWEEP, LOOK, TOP, BUY)
    typed_letters = PLACES

    def facts(self) -> list[str]:
        return [
            _("For sale: {cards}. You have {energy}.", cards=list_with_commas(self._market()),
              energy=names.energy(self.me.energy)),
            *self._elsewhere(),
            *preview.lines_of_purchases(self.view, self.decision, self._purchases()),
        ]  # fmt: skip

    def facts_beside_dice(self) -> list[str]:
        """Return the facts without energy and prices, which the table shows."""
        bought = preview.lines_of_gains(self.view, self.decision, self._purchases())
        return [*self._elsewhere(), *bought]

    def _purchases(self) -> list[tuple[str, answers.Answer]]:
        """Return (letter, answer) for all that can be bought; the top card if it is known."""
        found: list[tuple[str, answers.Answer]] = [
            (letter, answers.Buy(offer.card)) for letter, offer in self.lettered().items()
        ]
        top = self.view.top
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
                parts.append(_("{letter} {card} for {price}", price=price, **fields))
            else:
                why = tag.mark_obstacle()
                parts.append(_("{letter} {card} for {price} ({why})", price=price, why=why,
                               **fields))  # fmt: skip
        return parts or [_("no cards")]

    def _elsewhere(self) -> list[str]:
        lines = [
            _(
                "You may also buy {letter} {card} from {owner} for {energy}.",
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

    def lettered(self) -> dict[str, decisions.Offer]:
        market = self.view.game.state.market
        found: dict[str, decisions.Offer] = {}
        others = count(1)
        for offer in self.decision.offers:
            if offer.owner is None:
                found[MARKET_LETTERS[market.index(offer.card)]] = offer
            else:
                found[str(next(others))] = offer
        return found

    def own_hints(self) -> list[str]:
        lines = [
            _("{letter}: buy {card}", letter=letter,
              card=card_words.card_line(self.view.game.card(offer.card), offer.price))
            for letter, offer in self.lettered().items()
        ]  # fmt: skip
        if self.decision.peek:
            lines.append(_("l: look at the top card of the deck; nobody else sees it."))
        return lines

    def own_prompt(self) -> str:
        letters = list_with_or(list(self.lettered()))
        said = [_("You can buy none of them.")]
        if letters:
            said = [_("Do you buy {letters}?", letters=letters)]
        if self.decision.sweep:
            said.append(_("r pays {energy} for new cards.", energy=names.energy(SWEEP_COST)))
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

    def line_for_place(self, place: int) -> str:
        """Return the letter of this place of the market, even if it cannot be bought."""
        return own_letter(MARKET_LETTERS[place])

    def _can_buy_top(self) -> bool:
        return self.view.top is not None and self.decision.is_legal(answers.BuyTop(self.view.top))

    def parse(self, text: str) -> question.Reply:
        if text in question.NO_WORDS:
            return question.Give(answers.Done())
        if text == "r":
            return (
                question.Give(answers.Sweep())
                if self.decision.sweep
                else question.Refuse(self._why_no_sweep())
            )
        if text == "l":
            return self._peek()
        if text == "t":
            return self._buy_top()
        text = text.removeprefix("buy ")
        offer = self.lettered().get(text)
        return self._buy_by_name(text) if offer is None else question.Give(answers.Buy(offer.card))

    def _buy_by_name(self, text: str) -> question.Reply:
        """Read a name of a card, or the letter of a slot that cannot be bought."""
        market = self.view.game.state.market
        if text in MARKET_LETTERS and len(text) == 1:
            item = market[MARKET_LETTERS.index(text)]
            if item is None:
                return question.Refuse(_("There is no card {letter}.", letter=text))
            return self._refuse_card(item)
        offers = list(self.decision.offers)
        options = [names.item_name(self.view.game, offer.card) for offer in offers]
        long_enough = len(text) >= MIN_LETTERS_OF_CARD_FOR_SALE
        for item in market:
            if item is not None and all(offer.card != item for offer in offers):
                name = names.item_name(self.view.game, item)
                if long_enough and name.lower().startswith(text):
                    return self._refuse_card(item)
        found = question.pick_option(text, options) if long_enough and not text.isdigit() else None
        if found is None or isinstance(found, question.Refuse):
            return question.Refuse(
                _("{text} is not for sale; type {keys}, or n to end your turn.",
                  text=text, keys=list_with_or(list(self.lettered())) or "r")
            )  # fmt: skip
        return question.Give(answers.Buy(offers[found].card))

    def _why_no_sweep(self) -> str:
        if self.me.energy >= SWEEP_COST:
            return _("There are no cards that new ones could replace.")
        return _(
            "New cards cost {energy}; you have {have}.",
            energy=names.energy(SWEEP_COST),
            have=names.energy(self.me.energy),
        )

    def _peek(self) -> question.Reply:
        if self.decision.peek or self.decision.top:
            return question.Give(answers.Peek())
        return question.Refuse(
            _("You have no card that lets you look at the top card of the deck.")
        )

    def _refuse_card(self, item: answers.Item) -> question.Refuse:
        return question.Refuse(
            price_tag(self.view, item).describe_obstacle()
            or describe_refusal(
                answers.Reason.NOT_FOR_SALE
            )  # the referee offers what it can be bought for
        )

    def _buy_top(self) -> question.Reply:
        if self.view.top is None or not self.decision.top:
            return question.Refuse(_("You have not seen the top card."))
        if not self._can_buy_top():
            return self._refuse_card(self.view.top)
        return question.Give(answers.BuyTop(self.view.top))

    def offered(self) -> Iterator[BuyAnswer | answers.Use]:
        """Yield the answers, also the top card, which is secret and so not in the decision."""
        yield from super().offered()
        if self.view.top is not None and self._can_buy_top():
            yield answers.BuyTop(self.view.top)

    def spell(self, answer: BuyAnswer) -> tuple[str, str]:
        match answer:
            case answers.Done():
                return "n", _("buy nothing")
            case answers.Buy(card=card):
                return letter_of_card(self.lettered(), card), describe_purchase(self.view, card)
            case answers.BuyTop(card=card):
                return "t", describe_purchase(self.view, card)
            case answers.Sweep():
                return "r", _("three new cards")
            case answers.Peek():
                return "l", _("look at the top card")
            case _:
                assert_never(answer)


def own_letter(letter: str) -> str:
    return letters_in_own_language(letter, PLACES)


def describe_purchase(view: SeatView, card: answers.Item) -> str:
    return _("buy {card}", card=names.item_name(view.game, card))


def letter_of_card(lettered: Mapping[str, decisions.Offer], card: answers.Item) -> str:
    return next(letter for letter, offer in lettered.items() if offer.card == card)


class OpportunistQuestion(
    question.Question[decisions.OpportunistDecision, answers.Pass | answers.Buy]
):
    title = N_("YOUR CHANCE: buy first?")
    waiting = N_("Waiting for {name} to buy.")
    typed_words = (YES, NO, DONE, PASS, BUY)
    typed_letters = PLACES

    def facts(self) -> list[str]:
        purchases = [
            (letter, answers.Buy(offer.card)) for letter, offer in self._lettered().items()
        ]
        return [
            *(
                _(
                    "Your chance to buy first: {letter} {card} for {energy}; you have {have}.",
                    letter=letter,
                    card=names.item_name(self.view.game, offer.card),
                    energy=names.energy(offer.price),
                    have=self.me.energy,
                )
                for letter, offer in self._lettered().items()
            ),
            *preview.lines_of_purchases(self.view, self.decision, purchases),
        ]

    def facts_beside_dice(self) -> list[str]:
        offers = [
            _("{letter} {card} for {price}", letter=letter,
              card=names.item_name(self.view.game, offer.card), price=names.energy(offer.price))
            for letter, offer in self._lettered().items()
        ]  # fmt: skip
        purchases = [
            (letter, answers.Buy(offer.card)) for letter, offer in self._lettered().items()
        ]
        return [
            _("For sale: {cards}.", cards=list_with_commas(offers)),
            *preview.lines_of_gains(self.view, self.decision, purchases),
        ]

    def _lettered(self) -> dict[str, decisions.Offer]:
        return dict(zip(MARKET_LETTERS, self.decision.offers, strict=False))

    def line_for_place(self, place: int) -> str:
        """Return what is typed for a place of the market; its name if not offered."""
        item = self.view.game.state.market[place]
        for letter, offer in self._lettered().items():
            if offer.card == item:
                return own_letter(letter)
        return "-" if item is None else names.item_name(self.view.game, item)

    def own_hints(self) -> list[str]:
        return [
            *(
                _("{letter}: buy {card}", letter=letter,
                  card=card_words.card_line(self.view.game.card(offer.card), offer.price))
                for letter, offer in self._lettered().items()
            ),
            _("n: do not buy."),
        ]  # fmt: skip

    def own_prompt(self) -> str:
        return _(
            "Do you buy {letters}? n buys nothing, Enter for advice.",
            letters=list_with_or(list(self._lettered())),
        )

    def parse(self, text: str) -> question.Reply:
        if text in question.NO_WORDS:
            return question.Give(answers.Pass())
        if text in ("y", "yes") and len(self.decision.offers) == 1:
            return question.Give(answers.Buy(self.decision.offers[0].card))
        offer = self._lettered().get(text)
        if offer is not None:
            return question.Give(answers.Buy(offer.card))
        return question.Refuse(
            _("{text} is not an answer; type {keys}, or n for none.", text=text,
              keys=list_with_or(list(self._lettered())))
        )  # fmt: skip

    def spell(self, answer: answers.Pass | answers.Buy) -> tuple[str, str]:
        if isinstance(answer, answers.Pass):
            return "n", _("buy nothing")
        letter = letter_of_card(self._lettered(), answer.card)
        return letter, describe_purchase(self.view, answer.card)


# -- energy --------------------------------------------------------------------------------
#
# Questions about energy: putting some on a card, and selling cards for it (RULES.md 3.11).


class DepositQuestion(question.Question[decisions.DepositDecision, answers.Deposit]):
    title = N_("YOUR CHOICE")
    waiting = N_("Waiting for {name} to buy.")
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

    def parse(self, text: str) -> question.Reply:
        if text in question.NO_WORDS:
            return question.Give(answers.Done())
        words = text.replace(",", " ").split()
        named = words if all(word.isdigit() for word in words) else [text]
        chosen: set[answers.Item] = set()
        for word in named:
            found = question.pick_option(word, self._options())
            if isinstance(found, question.Refuse):
                return found
            chosen.add(self.decision.cards[found])
        game = self.view.game
        gain = sum(game.card(item).cost for item in chosen)
        return question.Confirm(
            _("Sell {cards} for {energy}?",
              cards=list_with_and([printed_name(game.card(item)) for item in sorted(chosen)]),
              energy=names.energy(gain)),
            answers.Sell(tuple(sorted(chosen))),
        )  # fmt: skip

    def spell(self, answer: answers.Done | answers.Sell) -> tuple[str, str]:
        if isinstance(answer, answers.Done):
            return "n", _("sell nothing")
        places = [str(self.decision.cards.index(card) + 1) for card in answer.cards]
        cards = [printed_name(self.view.game.card(card)) for card in answer.cards]
        return " ".join(places), list_with_commas(cards)


# -- questions that pick one thing: a card to copy, a tile, an extra turn ------------------


class CopyQuestion(question.Question[decisions.CopyDecision, answers.Keep | answers.Copy]):
    title = N_("YOUR CHOICE")
    waiting = N_("Waiting for {name} to choose.")
    typed_words = (NO, KEEP)
    proposal = N_("Advice: copy {what}.")

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
        lines = [_("{n}: {card}", n=n, card=option) for n, option in enumerate(self._options(), 1)]
        lines.append(_("Type a number or part of a name."))
        if self.decision.keep:
            lines.append(_("n: leave it as it is."))
        return lines

    def _options(self) -> list[str]:
        lines = []
        for item in self.decision.targets:
            seat = names.owner_of_item(self.view, item)
            name = names.item_name(self.view.game, item)
            if seat is None:
                lines.append(name)
            elif seat == self.decision.seat:
                lines.append(_("{card} (yours)", card=name))
            else:
                lines.append(
                    _("{card} ({owner})", card=name, owner=names.player_name(self.view, seat))
                )
        return lines

    def own_prompt(self) -> str:
        if self.decision.keep:
            return _("Copy which card? Type a number; n leaves it as it is, Enter for advice.")
        return _("Copy which card? Type a number; Enter for advice.")

    def parse(self, text: str) -> question.Reply:
        if text in ("n", "no", "keep") and self.decision.keep:
            return question.Give(answers.Keep())
        found = question.pick_option(text, self._options())
        return (
            found
            if isinstance(found, question.Refuse)
            else question.Give(answers.Copy(self.decision.targets[found]))
        )

    def propose(self, answer: answers.Keep | answers.Copy | answers.Use) -> question.Propose:
        found = super().propose(answer)
        if isinstance(answer, answers.Copy):
            return found
        return replace(found, sentence=_("Advice: {what}.", what=self.label(answer)))

    def spell(self, answer: answers.Keep | answers.Copy) -> tuple[str, str]:
        if isinstance(answer, answers.Keep):
            return "n", _("leave it as it is")
        place = self.decision.targets.index(answer.card) + 1
        return str(place), names.item_name(self.view.game, answer.card)


class TileQuestion(question.Question[decisions.TileDecision, answers.Take]):
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
            for n, name in enumerate(self._options(), 1)
        ]
        return [_("{tiles}; ? shows what they do.", tiles=list_with_commas(named))]

    def own_hints(self) -> list[str]:
        return [_("Type a number or part of a name.")]

    def _options(self) -> list[str]:
        return [names.item_name(self.view.game, tile) for tile in self.decision.tiles]

    def own_prompt(self) -> str:
        return _("Take which tile? Type a number; Enter for advice.")

    def parse(self, text: str) -> question.Reply:
        found = question.pick_option(text, self._options())
        return (
            found
            if isinstance(found, question.Refuse)
            else question.Give(answers.Take(self.decision.tiles[found]))
        )

    def spell(self, answer: answers.Take) -> tuple[str, str]:
        place = self.decision.tiles.index(answer.tile) + 1
        return str(place), names.item_name(self.view.game, answer.tile)


class AgainQuestion(question.Question[decisions.AgainDecision, answers.Again | answers.Pass]):
    title = N_("YOUR TURN: once more?")
    waiting = N_("Waiting for {name} to choose.")
    typed_words = (YES, NO)

    def facts(self) -> list[str]:
        return [_("Your three ones give you another turn, with one die fewer.")]

    def own_hints(self) -> list[str]:
        return [_("y: take it. n: do without it.")]

    def own_prompt(self) -> str:
        return _("Take another turn? y takes it, n does not; Enter for advice.")

    def parse(self, text: str) -> question.Reply:
        if text in ("y", "yes"):
            return question.Give(answers.Again())
        if text in ("n", "no"):
            return question.Give(answers.Pass())
        return question.Refuse(
            _("{text} is not an answer; type y or n, or press Enter.", text=text)
        )

    def spell(self, answer: answers.Again | answers.Pass) -> tuple[str, str]:
        is_taken = isinstance(answer, answers.Again)
        return (
            ("y", _("take the extra turn")) if is_taken else ("n", _("do without the extra turn"))
        )
