"""Questions that pick one thing: Mimic and Fluxling, tiles, the extra turn of Freeze Time."""

from __future__ import annotations

from cli.ask.question import Give, Propose, Question, Refuse, Reply, pick
from cli.text import names
from cli.text.i18n import _
from referee.model.answers import Again, Answer, Copy, Keep, Pass, Take
from referee.model.card_decisions import AgainDecision, CopyDecision, TileDecision


class CopyQuestion(Question[CopyDecision]):
    def facts(self) -> list[str]:
        name = names.item_name(self.view.game, self.decision.item)
        if self.decision.keep and not self.decision.cost:
            return [_("Your {card} may copy another card in play, for nothing.", card=name)]
        if not self.decision.cost:
            return [_("Your {card} copies a card in play.", card=name)]
        return [
            _(
                "Your {card} may copy another card in play for {energy}.",
                card=name,
                energy=names.energy(self.decision.cost),
            )
        ]

    def own_hints(self) -> list[str]:
        lines = [_("{n}: {card}", n=n, card=option) for n, option in enumerate(self._options(), 1)]
        lines.append(_("Type a number or part of a name."))
        if self.decision.keep:
            lines.append(_("Enter or n: leave it as it is."))
        else:
            lines.append(_("Enter proposes one; Enter again takes it."))
        return lines

    def _options(self) -> list[str]:
        lines = []
        for item in self.decision.targets:
            seat = names.owner(self.view, item)
            name = names.item_name(self.view.game, item)
            if seat is None:
                lines.append(name)
            elif seat == self.decision.seat:
                lines.append(_("{card} (yours)", card=name))
            else:
                lines.append(_("{card} ({owner})", card=name, owner=names.player(self.view, seat)))
        return lines

    def prompt(self) -> str:
        if self.decision.keep:
            return _("Your choice? A number or a name, Enter leaves it as it is{uses}.",
                     uses=self.use_words())  # fmt: skip
        return _("Your choice? A number or a name, Enter proposes{uses}.", uses=self.use_words())

    def parse(self, text: str) -> Reply:
        if text in ("n", "no", "keep") and self.decision.keep:
            return Give(Keep())
        found = pick(text, self._options())
        return found if isinstance(found, Refuse) else Give(Copy(self.decision.targets[found]))

    def enter(self) -> Reply:
        if self.decision.keep:
            return Give(Keep())
        answer = self.adviser(self.view, self.decision)
        if not isinstance(answer, Copy):
            answer = Copy(self.decision.targets[0])
        card = names.item_name(self.view.game, answer.card)
        return Propose(_("Proposed: copy {card}.", card=card), answer)


class TileQuestion(Question[TileDecision]):
    def facts(self) -> list[str]:
        setup = self.view.game.setup
        return [
            _("Your wickedness has reached {step}: one tile is yours.", step=self.decision.step),
            *(
                _("{n} {tile}: {text}", n=n, tile=setup.tile(tile).name, text=setup.tile(tile).text)
                for n, tile in enumerate(self.decision.tiles, 1)
            ),
        ]

    def own_hints(self) -> list[str]:
        return [_("Type a number or part of a name. Enter proposes one; Enter again takes it.")]

    def _options(self) -> list[str]:
        return [names.item_name(self.view.game, tile) for tile in self.decision.tiles]

    def prompt(self) -> str:
        return _("Your tile? A number or a name, Enter proposes{uses}.", uses=self.use_words())

    def parse(self, text: str) -> Reply:
        found = pick(text, self._options())
        return found if isinstance(found, Refuse) else Give(Take(self.decision.tiles[found]))

    def enter(self) -> Reply:
        answer: Answer = self.adviser(self.view, self.decision)
        if not isinstance(answer, Take):
            answer = self.decision.default
        assert isinstance(answer, Take)
        tile = names.item_name(self.view.game, answer.tile)
        return Propose(_("Proposed: {tile}.", tile=tile), answer)


class AgainQuestion(Question[AgainDecision]):
    def facts(self) -> list[str]:
        return [_("Your triple of ones gives you another turn, with one die fewer.")]

    def own_hints(self) -> list[str]:
        return [_("y or Enter: take it. n: your turns are over.")]

    def prompt(self) -> str:
        return _("Your other turn? Enter takes it, n does not{uses}.", uses=self.use_words())

    def parse(self, text: str) -> Reply:
        if text in ("y", "yes"):
            return Give(Again())
        if text in ("n", "no"):
            return Give(Pass())
        return Refuse(_("{text} is no answer; type y or n, or Enter.", text=text))

    def enter(self) -> Reply:
        return Give(Again())
