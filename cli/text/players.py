"""The players of a game in sentences: their names, what they have signed, who plays for whom."""

import functools
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import assert_never

from kotp2p.cli.text.i18n import N_, _, list_with_and, list_with_or
from kotp2p.game.steps import ChangedHands
from kotp2p.referee.box.rulesets import RULE_SETS, Options
from kotp2p.referee.model.answers import Seat
from kotp2p.wire.crypto import fingerprint
from kotp2p.wire.genesis import Charter, Clocks, Player, is_bot
from kotp2p.wire.lineups import CheatKind, Reason
from kotp2p.wire.names import are_alike, begins_like

# -- names ---------------------------------------------------------------------------------


def mark_reader(name: str, *, is_reader: bool) -> str:
    return _("{name} (you)", name=name) if is_reader else name


@functools.lru_cache(64)
def names_in_sentences(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of a table in the form that sentences use.

    A name that could be misread is put in quotation marks, which no name contains: one that begins
    like a word of the sentences, lists two things, or contains the name of another player. The wire
    format refuses only words of the English sentences, and no lists.
    """
    return tuple(_('"{name}"', name=n) if _could_deceive(n, names) else n for n in names)


def name_in_sentence(name: str) -> str:
    return names_in_sentences((name,))[0]


def _could_deceive(name: str, names: Iterable[str]) -> bool:
    words = name.split(" ")
    numbered = words[-1].isdecimal()  # the host gives such names to players with the same one
    # Translators: the words of your sentences that stand for players, with commas between them.
    own_words = _("nobody, everyone, everybody, someone, somebody, anyone, anybody, you, your")
    between = [join(["", ""]).strip() for join in (list_with_and, list_with_or)]
    parts = [
        " ".join(words[first:last])
        for first in range(len(words))
        for last in range(first + 1, len(words) + 1)
        if last - first < len(words) - numbered
    ]
    return (
        begins_like(name, tuple(word.strip() for word in own_words.split(",")))
        or any(are_alike(word, joining) for word in words[1:-1] for joining in between)
        or any(are_alike(part, other) for other in names if other != name for part in parts)
    )


# -- terms: rule set, options, clocks, and which player sits where -------------------------


def describe_chosen_options(rules: str, chosen: Options) -> list[str]:
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
    options = describe_chosen_options(charter.rules, charter.options) or [_("No options.")]
    return _(
        "Rule set {rules}, with its whole deck. {options} {clocks}",
        rules=charter.rules,
        options=" ".join(options),
        clocks=describe_signed_clocks(charter.clocks),
    )


def describe_signed_clocks(clocks: Clocks) -> str:
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
    """Describe a seat, with the fingerprint of the key with which its person signs."""
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


# -- seat history: who has played which seat, and where in the game that changed ------------


def describe_place(turn: int | None, height: int) -> str:
    """Return the words for a place in the game that follow "in" in a sentence."""
    if turn is None:
        return _("step {height}", height=height)
    return _("turn {turn}", turn=turn) if turn else _("the set-up")


def describe_seat_history(players: Sequence[Player], changes: Sequence[ChangedHands]) -> list[str]:
    """Describe who has played which seat; empty if every player has played their own."""
    called = names_in_sentences(tuple(player.name for player in players))
    return [
        _("{place}: {what}", place=describe_place(change.turn, change.height),
          what=" ".join(describe_change(change, called, None)))
        for change in changes
        if change.reason is not Reason.AGAIN or change.refused
    ]  # fmt: skip


def describe_change(change: ChangedHands, called: Sequence[str], reader: Seat | None) -> list[str]:
    lines = [_describe_reason(change, called, reader)]
    if change.refused:
        owed = (
            N_("You owed a part of a roll for which others had shown theirs."),
            N_("{name} owed a part of a roll for which others had shown theirs."),
        )
        lines += [
            _(owed[change.keeper != reader], name=called[change.keeper]),
            _("The log keeps this as a refused roll; a broken link looks the same."),
        ]
    pair = N_("Your program now plays for {name}."), N_("{keeper}'s program now plays for {name}.")
    lines += [
        _(pair[keeper != reader], keeper=called[keeper],
          name=mark_reader(called[seat], is_reader=seat == reader))
        for seat, keeper in change.seats
        if seat != change.keeper
    ]  # fmt: skip
    return lines


def _describe_reason(change: ChangedHands, called: Sequence[str], reader: Seat | None) -> str:
    name, is_own = called[change.keeper], change.keeper == reader
    match change.reason:
        case Reason.CHEATED if is_own:
            return _("You are out of the game for cheating.")
        case Reason.CHEATED:
            return _("{name} is out of the game for cheating.", name=name)
        case Reason.LEFT if is_own:
            return _("You have given up.")
        case Reason.LEFT:
            return _("{name} has given up.", name=name)
        case Reason.ABSENT if is_own:
            is_replaced = change.keeper in dict(change.seats)  # else it only was a witness
            return describe_own_absence() if is_replaced else _("The others go on without you.")
        case Reason.ABSENT:
            return _describe_absent(change, called, reader)
        case Reason.AGAIN if is_own:
            return _("You play on with this program, no longer with the one before.")
        case Reason.AGAIN:
            return _("{name} has started the program again and plays on.", name=name)
        case Reason.BACK if is_own:
            return _("You are back, and your monster is yours again.")
        case Reason.BACK:
            return _("{name} is back and plays again.", name=name)
        case _:
            assert_never(change.reason)


def describe_own_absence() -> str:
    return _("The others go on with a bot in your place. To take your seat again, type: back")


def _describe_absent(change: ChangedHands, called: Sequence[str], reader: Seat | None) -> str:
    name, keeper = called[change.keeper], dict(change.seats).get(change.keeper)
    if keeper is None:  # its monster was out: it only was a witness
        return _("{name} no longer watches.", name=name)
    pair = (
        N_("A bot plays for {name} until {name} is back, in your program."),
        N_("A bot plays for {name} until {name} is back, in {keeper}'s program."),
    )
    return _(pair[keeper != reader], name=name, keeper=called[keeper])


# -- cheats -------------------------------------------------------------------------------


_CHEATS: Mapping[CheatKind, str] = MappingProxyType({
    CheatKind.ILLEGAL_MOVE: N_("{name} made an illegal move."),
    CheatKind.EQUIVOCATION: N_("{name} signed two things of which only one can be true."),
    CheatKind.WRONG_OPENING: N_(
        "{name} opened another number for dice or cards than was sealed."
    ),
    CheatKind.COPIED_COMMITMENT: N_(
        "{name} copied what another player had sealed for dice or cards."
    ),
    CheatKind.WRONG_SHARE: N_("{name} gave a wrong share of a secret card."),
    CheatKind.BAD_ENTRY: N_("{name} signed what no unmodified program writes."),
})  # fmt: skip


def describe_cheat(kind: CheatKind, name: str) -> str:
    return _(_CHEATS[kind], name=name)
