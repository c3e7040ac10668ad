"""Questions that pick one thing: a card to copy, a tile, an extra turn."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from kotp2p.cli.ask.question import Question, pick_option
from kotp2p.cli.ask.reply import Give, Propose, Refuse, Reply
from kotp2p.cli.text import names
from kotp2p.cli.text.card_words import printed_name, printed_text
from kotp2p.cli.text.i18n import N_, _, in_context, list_with_commas
from kotp2p.cli.text.typed_words import KEEP, NO, YES
from kotp2p.referee.model.answers import Again, Copy, Keep, Pass, Take, Use
from kotp2p.referee.model.decisions import AgainDecision, CopyDecision, TileDecision


class CopyQuestion(Question[CopyDecision, Keep | Copy]):
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

    def parse(self, text: str) -> Reply:
        if text in ("n", "no", "keep") and self.decision.keep:
            return Give(Keep())
        found = pick_option(text, self._options())
        return found if isinstance(found, Refuse) else Give(Copy(self.decision.targets[found]))

    def propose(self, answer: Keep | Copy | Use) -> Propose:
        found = super().propose(answer)
        if isinstance(answer, Copy):
            return found
        return replace(found, sentence=_("Advice: {what}.", what=self.label(answer)))

    def own_line(self, answer: Keep | Copy) -> str:
        match answer:
            case Keep():
                return "n"
            case Copy(card=card):
                return str(self.decision.targets.index(card) + 1)
            case _:
                assert_never(answer)

    def own_label(self, answer: Keep | Copy) -> str:
        match answer:
            case Keep():
                return _("leave it as it is")
            case Copy(card=card):
                return names.item_name(self.view.game, card)
            case _:
                assert_never(answer)


class TileQuestion(Question[TileDecision, Take]):
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
        """The names alone: `?` and the cards in sight have their texts."""
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

    def parse(self, text: str) -> Reply:
        found = pick_option(text, self._options())
        return found if isinstance(found, Refuse) else Give(Take(self.decision.tiles[found]))

    def own_line(self, answer: Take) -> str:
        return str(self.decision.tiles.index(answer.tile) + 1)

    def own_label(self, answer: Take) -> str:
        return names.item_name(self.view.game, answer.tile)


class AgainQuestion(Question[AgainDecision, Again | Pass]):
    typed_words = (YES, NO)

    def facts(self) -> list[str]:
        return [_("Your three ones give you another turn, with one die fewer.")]

    def own_hints(self) -> list[str]:
        return [_("y: take it. n: do without it.")]

    def own_prompt(self) -> str:
        return _("Take another turn? y takes it, n does not; Enter for advice.")

    def parse(self, text: str) -> Reply:
        if text in ("y", "yes"):
            return Give(Again())
        if text in ("n", "no"):
            return Give(Pass())
        return Refuse(_("{text} is not an answer; type y or n, or press Enter.", text=text))

    def own_line(self, answer: Again | Pass) -> str:
        match answer:
            case Again():
                return "y"
            case Pass():
                return "n"
            case _:
                assert_never(answer)

    def own_label(self, answer: Again | Pass) -> str:
        match answer:
            case Again():
                return _("take the extra turn")
            case Pass():
                return _("do without the extra turn")
            case _:
                assert_never(answer)
