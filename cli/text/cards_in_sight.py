"""Every card and tile that lies open on the table, with its text."""

from __future__ import annotations

from kotp2p.cli.text import card_search, card_words, names
from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.price_tags import tags_of_market
from kotp2p.seams.seat_view import SeatView


def list_cards_in_sight(view: SeatView) -> list[str]:
    """Those for sale, the reader's secret, those of each monster, and the tiles on the track."""
    game = view.game
    lines = [
        _("keep: the card stays with its owner. once: it works when it is bought, and is gone. "
          "Damage: each point of it takes a heart."),
        "",
        _("For sale:"),
    ]  # fmt: skip
    for letter, tag in tags_of_market(view):
        if tag is not None:
            lines.append(f" {letter} {tag.line_with_obstacle()}")
    if view.top is not None:
        top = card_words.card_line(game.card(view.top))
        lines.append(_("Your secret: the top card is {card}", card=top))
    for monster in game.state.monsters:
        if not monster.holdings:
            continue
        lines += ["", _("{name} has:", name=names.player_name(view, monster.seat))]
        for holding in monster.holdings:
            item = holding.item
            if names.is_card(game, item):
                lines.append("   " + card_words.card_line(game.card(item)))
            else:
                lines.append("   " + card_words.tile_line(game.setup.tile(item)))
            if holding.copies >= 0:
                lines.append(
                    "   "
                    + _(
                        "It copies {card}.",
                        card=card_search.describe_card(game.card(holding.copies)),
                    )
                )
    if game.state.tiles:
        lines += ["", _("Wickedness tiles on the track:")]
        lines += ["   " + card_words.tile_line(game.setup.tile(item)) for item in game.state.tiles]
    return lines
