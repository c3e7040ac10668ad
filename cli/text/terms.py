"""What the players of a game have signed: rule set, options, clocks, and who sits where.

Scope: the sentences that a lobby, the start of a game and `kotp2p verify` have in common.
"""

from __future__ import annotations

from kotp2p.cli.text.i18n import _, list_with_commas
from kotp2p.cli.text.names import names_in_sentences
from kotp2p.net.invitation import fingerprint
from kotp2p.referee.box.rulesets import RULE_SETS, Options
from kotp2p.referee.model.answers import Seat
from kotp2p.wire.genesis import Charter, Clocks, Player, is_bot


def describe_chosen_options(rules: str, chosen: Options) -> list[str]:
    """One sentence for each choice that the rule set leaves; empty if nothing was chosen."""
    rule_set = RULE_SETS.get(rules)
    lines = []
    if chosen.two_player:
        lines.append(_("Option: two players get energy instead of points for Tokyo."))
    if chosen.bay_for_beginners:
        lines.append(_("Option: Tokyo Bay stays closed."))
    if chosen.tile_sides != Options().tile_sides or (rule_set is not None and rule_set.tiles):
        lines.append(_describe_tile_sides(chosen.tile_sides))
    return lines


def _describe_tile_sides(sides: str) -> str:
    match sides:
        case "red":
            return _("The wickedness tiles show their red sides.")
        case "green":
            return _("The wickedness tiles show their green sides.")
        case _:  # "mixed"; the options of a table know these three
            return _("The side that each wickedness tile shows is drawn at random.")


def describe_signed_table(charter: Charter) -> str:
    """How the game is played, in one line."""
    options = describe_chosen_options(charter.rules, charter.options) or [_("No options.")]
    return _(
        "Rule set {rules}, with its whole deck. {options} {clocks}",
        rules=charter.rules,
        options=" ".join(options),
        clocks=_describe_signed_clocks(charter.clocks),
    )


def _describe_signed_clocks(clocks: Clocks) -> str:
    turn, reaction = clocks.turn, clocks.reaction
    match turn, reaction:
        case 0, 0:
            return _("No clocks.")
        case 0, _other:
            return _("Clocks: none for a turn, {reaction} s for a reaction.", reaction=reaction)
        case _other, 0:
            return _("Clocks: {turn} s for a turn, none for a reaction.", turn=turn)
        case _:  # both clocks run
            return _("Clocks: {turn} s for a turn, {reaction} s for a reaction.",
                     turn=turn, reaction=reaction)  # fmt: skip


def describe_signed_seat(players: tuple[Player, ...], seat: Seat) -> str:
    """With the fingerprint of a person's key, for comparing. A bot, and a further person at one
    machine, has none: the keeper signs."""
    called, player = names_in_sentences(tuple(p.name for p in players)), players[seat]
    fields: dict[str, object] = {"name": called[seat], "monster": player.monster}
    if is_bot(players, seat):
        return _("{name} ({monster}, a bot of {keeper})", keeper=called[player.keeper], **fields)
    if player.keeper != seat:
        return _(
            "{name} ({monster}, at {keeper}'s machine)", keeper=called[player.keeper], **fields
        )
    fields["key"] = fingerprint(player.key)
    if player.automatic:
        return _("{name} ({monster}, played by a bot, key {key})", **fields)
    if player.one_game:
        return _("{name} ({monster}, key {key}, for this game only)", **fields)
    return _("{name} ({monster}, key {key})", **fields)


def describe_signed_start(charter: Charter) -> list[str]:
    """For the beginning of a game: what the signatures of all players stand under."""
    players = charter.players
    seats = [
        _("{n} {seat}", n=n, seat=describe_signed_seat(players, n - 1))
        for n in range(1, len(players) + 1)
    ]
    return [
        _(
            "All have signed: {table} Seats: {seats}.",
            table=describe_signed_table(charter),
            seats=list_with_commas(seats),
        )
    ]
