"""What a seat, a card, a face and an amount are called in a sentence."""

from collections.abc import Iterable, Sequence
from typing import assert_never

from kotp2p.cli.text.i18n import _, list_with_commas, number, plural
from kotp2p.cli.text.player_rules import printed_name
from kotp2p.cli.text.players import mark_reader, names_in_sentences
from kotp2p.referee.game import GameReading
from kotp2p.referee.model.answers import Face, Item, Seat
from kotp2p.referee.model.state import Monster, Place
from kotp2p.referee.rules.monsters import MIN_ALIVE_FOR_BAY
from kotp2p.seams.notices import WATCHER, SeatView
from kotp2p.wire.genesis import Player
from kotp2p.wire.names import find_seat


def player_name(view: SeatView, seat: Seat) -> str:
    return names_in_sentences(tuple(player.name for player in view.players))[seat]


def marked_name(view: SeatView, seat: Seat) -> str:
    if view.is_played_by_bot(seat) and seat != view.seat:
        return _("{name} (bot)", name=player_name(view, seat))
    return name_for_reader(view, seat)


def name_for_reader(view: SeatView, seat: Seat) -> str:
    return mark_reader(player_name(view, seat), is_reader=seat == view.seat)


def find_players(players: Sequence[Player], wanted: str) -> list[Seat]:
    seat = find_seat(wanted, [player.name for player in players])
    if seat is not None:
        return [seat]
    begun = wanted.casefold()
    return [
        at
        for at, player in enumerate(players)
        if player.name.casefold().startswith(begun) or player.monster.casefold().startswith(begun)
    ]


def is_card(game: GameReading, item: Item) -> bool:
    return 0 <= item < len(game.setup.deck)


def item_name(game: GameReading, item: Item) -> str:
    return printed_name(game.card(item) if is_card(game, item) else game.setup.tile(item))


def owner_of_item(view: SeatView, item: Item) -> Seat | None:
    for monster in view.game.state.monsters:
        if any(holding.item == item for holding in monster.holdings):
            return monster.seat
    return None


FACE_OF_LETTER = {
    "1": Face.ONE, "2": Face.TWO, "3": Face.THREE, "h": Face.HEART, "e": Face.BOLT,
    "b": Face.BOLT, "c": Face.CLAW,
}  # fmt: skip
"""The bolt is energy, so both letters name it."""


def face(one: Face) -> str:
    match one:
        case Face.HEART:
            return _("heart")
        case Face.BOLT:
            return _("energy")
        case Face.CLAW:
            return _("claw")
        case Face.ONE | Face.TWO | Face.THREE:
            return number(one.letter)
        case _:
            assert_never(one)


def faces(dice: Iterable[Face]) -> str:
    """List the faces in a fixed order: `1, 3, 3, claw`."""
    return list_with_commas(face(die) for die in sorted(dice))


def hearts(n: int) -> str:
    return plural("{n} heart", "{n} hearts", n)


def points(n: int) -> str:
    return plural("{n} point", "{n} points", n)


def energy(n: int) -> str:
    return plural("{n} energy", "{n} energy", n)


def claws(n: int) -> str:
    return plural("{n} claw", "{n} claws", n)


def dice_count(n: int) -> str:
    return plural("{n} die", "{n} dice", n)


def is_alone(view: SeatView) -> bool:
    """Return whether all seats are kept by one machine, so that no player comes or goes."""
    return view.seat != WATCHER and len({player.keeper for player in view.players}) == 1


MEMBERS_TO_GO_ON = 3
"""With two, neither is more than half of both."""


def could_go_on(view: SeatView) -> bool:
    """Return whether others, as far as known, could go on with a bot in place of one of them."""
    return len(set(view.keepers.values())) >= MEMBERS_TO_GO_ON


def has_bay(view: SeatView) -> bool:
    """Return whether Tokyo has two places at this table, as long as enough monsters are alive."""
    is_closed = view.game.setup.options.bay_for_beginners
    return len(view.players) >= MIN_ALIVE_FOR_BAY and not is_closed


def place_name(view: SeatView, where: Place) -> str:
    match where:
        case Place.CITY:
            return _("in Tokyo City") if has_bay(view) else _("in Tokyo")
        case Place.BAY:
            return _("in Tokyo Bay")
        case Place.OUTSIDE:
            return _("outside Tokyo")


def owned_names(view: SeatView, monster: Monster, *, tiles: bool) -> Sequence[str]:
    """Return the cards or tiles of a monster, with their counters and what they copy."""
    names = []
    for holding in monster.holdings:
        if is_card(view.game, holding.item) is tiles:
            continue
        name = item_name(view.game, holding.item)
        if holding.copies >= 0:
            name = _("{name} as {copied}", name=name, copied=item_name(view.game, holding.copies))
        if holding.counters:
            name = _("{name} with {n} on it", name=name, n=holding.counters)
        names.append(name)
    return names


def points_of_face(face: Face, count: int) -> int:
    """Return the points of `count` dice of a face; 0 for fewer than three, or no number."""
    return face + count - 2 if face <= Face.THREE and count >= 3 else 0


def capped_points(n: int, counted: int, most: int) -> str:
    """Return `4 points (only 1 is needed to reach 20)`, where `counted` of the `n` fit."""
    if counted >= n:
        return points(n)
    return plural(
        "{points} (only {n} is needed to reach {most})",
        "{points} (only {n} are needed to reach {most})",
        counted,
        points=points(n),
        most=most,
    )


def worth_for(view: SeatView, seat: Seat, dice: Sequence[Face]) -> str:
    """Return what the dice give this monster without cards: `3 points, 2 claws, 1 energy`."""
    return list_with_commas(list_worth(view, seat, dice))


def list_worth(view: SeatView, seat: Seat, dice: Sequence[Face]) -> list[str]:
    """Return what the dice give this monster without cards, in parts; D-09 says who heals."""
    monster = view.game.state.monsters[seat]
    most = view.game.setup.rules.points_on_dial
    count = [sum(1 for die in dice if die is one) for one in Face]
    total = sum(points_of_face(one, count[one]) for one in Face)
    parts = []
    if total:
        parts.append(capped_points(total, min(total, most - monster.points), most))
    if count[Face.CLAW]:
        parts.append(claws(count[Face.CLAW]))
    if count[Face.BOLT]:
        parts.append(energy(count[Face.BOLT]))
    if count[Face.HEART]:
        shown = hearts(count[Face.HEART])
        heals = monster.place is Place.OUTSIDE
        parts.append(shown if heals else _("{hearts} (no healing in Tokyo)", hearts=shown))
    return parts or [_("nothing")]
