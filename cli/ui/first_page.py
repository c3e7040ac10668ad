"""The page before a player's first game.

Scope: its lines, its title, and how it is left.
Not here: the rules on it (`cli.text.rulebook`).
"""

from __future__ import annotations

from kotp2p.cli.system.options import Speed
from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.rulebook import first_page
from kotp2p.referee.box.rulesets import Options, RuleSet


def page_title() -> str:
    return _("Before your first game")


def first_page_lines(
    rules: RuleSet, options: Options, speed: Speed, *, is_easy: bool = False
) -> list[str]:
    lines = [
        *first_page(rules, options),
        *([_("Your rivals play easily in this game.")] if is_easy else []),
        _("A coach explains your first three turns; skip or coach off silences it."),
    ]
    if speed is Speed.SLOW:
        lines.append(_("You see the turns of the others slowly; speed normal changes that."))
    return lines


def guest_page_lines(rules: RuleSet, options: Options) -> list[str]:
    """For a first game at the table of another, whose lobby waits."""
    return [
        *first_page(rules, options),
        _("A coach explains your first three turns; skip or coach off silences it."),
        _("When you have read this, type ready: the host waits for that."),
    ]


def describe_page_prompt() -> str:
    return _("Press Enter: the game begins.")


def describe_way_on() -> str:
    """The reply to any other line."""
    return _("Nothing has begun yet: Enter begins the game, ? shows help.")
