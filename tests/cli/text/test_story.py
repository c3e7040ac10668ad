"""Events as sentences: every event, about the reader and about others."""

from typing import get_args

import pytest

from kotp2p.cli.text.queries import SinceTurn
from kotp2p.cli.text.story import (
    SENTENCES,
    WRITERS,
    LineKind,
    Story,
    StoryContext,
    ToldLine,
    describe_event,
    kind_of_event,
    seat_of_event,
)
from kotp2p.referee.box.rulesets import DARK
from kotp2p.referee.model import events
from kotp2p.referee.model.answers import Face, Seat
from kotp2p.referee.model.state import NO_ITEM, Cause, DamageKind, Place, Source, Token, TurnKind
from kotp2p.seams.notices import GameStarted, Happened, LineUpBegun, SeatView
from tests.support.laid_decisions import dice, item, table, tile
from tests.support.local_game import new_view

VIEW = table()
WINGS, MIMIC = item(VIEW, "wings"), item(VIEW, "mimic")
DARK_VIEW = table(rules=DARK)
EVIL_LAIR, STARBURST = tile(DARK_VIEW, "evil-lair"), tile(DARK_VIEW, "starburst")
FULL = dice("11CHB3")


SAMPLES: list[tuple[events.Event, list[str]]] = [
    (events.FirstRolled(((0, dice("CC1")), (1, dice("1H3")))),
     ["The most claws begin: you 2 and Rex 0. So you begin."]),
    (events.FirstRolled(((0, dice("CC1233")), (1, dice("CC1233")))),
     ["The most claws begin: you 2 and Rex 2. Those with the most roll again."]),
    (events.FirstRolled(((0, dice("C11")), (1, dice("CC3")))),
     ["The most claws begin: you 1 and Rex 2. So Rex begins."]),
    (events.TurnStarted(0), ["Turn 0, yours: outside Tokyo, 10 hearts, 0 energy, 0 points."]),
    (events.TurnStarted(1), ["Turn 0, Rex: outside Tokyo, 10 hearts, 0 energy, 0 points."]),
    (events.TurnStarted(1, TurnKind.FRENZY),
     ["Turn 0, Rex's extra turn: outside Tokyo, 10 hearts, 0 energy, 0 points."]),
    (events.DiceRolled(0, tuple(range(6)), FULL), []),
    (events.DiceRolled(0, (2, 5), FULL), ["You roll 2 dice: 3, claw."]),
    (events.DiceRolled(1, (2, 5), FULL),
     ["Rex rerolls 2 dice: 3, claw. Now 1, 1, 3, heart, energy, claw."]),
    (events.DieChanged(0, WINGS, 1, Face.CLAW), ["With Wings, you turn one die into: claw."]),
    (events.RollGained(1, WINGS), ["Wings gives Rex one more roll."]),
    (events.DiceResolved(0, FULL, ()), ["Your final dice: 1, 1, 3, heart, energy, claw."]),
    (events.TripleOnesScored(0), []),
    (events.CardRolled(1, WINGS, dice("H1")), ["Rex rolls for Wings: 1, heart."]),
    (events.CardUsed(0, WINGS, "wings"), ["You use Wings."]),
    (events.PointsGained(0, 1, Cause.DICE), ["You get 1 point, now 0."]),
    (events.PointsGained(1, 2, Cause.TOKYO), ["Rex gets 2 points (Tokyo), now 0."]),
    (events.PointsGained(1, 0, Cause.TOKYO), []),
    (events.PointsLost(1, 2, Cause.CARD, WINGS), ["Rex loses 2 points (Wings), 0 left."]),
    (events.EnergyGained(0, 3, Cause.DICE), ["You get 3 energy, now 0."]),
    (events.EnergyLost(1, 6, Cause.PAYMENT), ["Rex pays 6 energy, 0 left."]),
    (events.EnergyGained(0, 2, Cause.PAYMENT), ["You are paid 2 energy, now 0."]),
    (events.HeartsGained(1, 1, Cause.DICE), ["Rex gets 1 heart, now 10."]),
    (events.HeartsLost(0, 2, DamageKind.POISON, None),
     ["Poison hurts you for 2 (10 hearts left)."]),
    (events.HeartsLost(1, 2, DamageKind.CARD, 0, WINGS),
     ["Wings hurts Rex for 2 (10 hearts left)."]),
    (events.HeartsLost(1, 2, DamageKind.CARD, 0), ["Rex loses 2 hearts, 10 left."]),
    (events.HeartsSet(1, 10), ["Rex has 10 hearts now."]),
    (events.DamagePrevented(0, 1), ["You are spared 1 heart."]),
    (events.DamagePrevented(1, 2, WINGS), ["Wings spares Rex 2 hearts."]),
    (events.Sheltered(0, WINGS), ["Wings keeps you from losing hearts for the rest of this turn."]),
    (events.TokensGained(0, Token.POISON, 1), ["You get 1 poison token."]),
    (events.TokensRemoved(1, Token.SHRINK, 2), ["Rex loses 2 shrink tokens."]),
    (events.EnteredTokyo(0, Place.CITY), ["You enter Tokyo."]),
    (events.EnteredTokyo(1, Place.BAY), ["Rex enters Tokyo Bay."]),
    (events.LeftTokyo(1, True), []),
    (events.LeftTokyo(1, False), ["Rex is out of Tokyo."]),
    (events.MovedToCity(1), ["Rex moves from Tokyo Bay to Tokyo City."]),
    (events.YieldAnswered(0, True), ["You leave Tokyo."]),
    (events.YieldAnswered(1, False), ["Rex stays in Tokyo."]),
    (events.HeartsReachedZero(1), ["Rex has no hearts left."]),
    (events.Eliminated(0),
     ["You are out of the game. You can go on watching; type leave to go."]),
    (events.Eliminated(1, True), ["Rex is no longer in the game."]),
    (events.Resurrected(1, WINGS, 10), ["Wings saves Rex: they are back with 10 hearts."]),
    (events.MarketFilled(((1, WINGS),)), ["For sale now: (b) Wings, 6 energy, keep."]),
    (events.DeckRenewed(), ["The deck is used up: the discard pile becomes the new deck."]),
    (events.MarketSwept(1, (WINGS,)), ["Rex sweeps the shop: three new cards come."]),
    (events.TopSeen(1), ["Rex looks at the top card of the deck."]),
    (events.TopLost(), ["The top card of the deck has changed; nobody has seen it."]),
    (events.CardBought(0, WINGS, 6, Source.MARKET, 1), ["You buy Wings."]),
    (events.CardBought(1, WINGS, 6, Source.TOP), ["Rex buys Wings, the top card of the deck."]),
    (events.CardBought(1, WINGS, 6, Source.MONSTER, owner=0), ["Rex buys your Wings."]),
    (events.CardBought(0, WINGS, 6, Source.MONSTER, owner=1), ["You buy Wings from Rex."]),
    (events.CardKept(1, WINGS), ["Rex has Wings now."]),
    (events.CardLost(1, WINGS), ["Rex discards Wings."]),
    (events.CardLost(1, WINGS, False), []),
    (events.CardDiscarded(WINGS), []),
    (events.CardSold(1, WINGS, 6), ["Rex sells Wings for 6 energy."]),
    (events.CountersChanged(0, WINGS, 2), ["On your Wings: 2 left."]),
    (events.CopyPlaced(1, MIMIC, WINGS), ["Rex's Mimic copies Wings now."]),
    (events.CopyPlaced(0, MIMIC, NO_ITEM), ["Your Mimic copies nothing now."]),
    (events.ItemMarked(0, WINGS), []),
    (events.WickednessChanged(1, 3), ["Rex's wickedness is 3 now."]),
    (events.TilesLaid((EVIL_LAIR, STARBURST)), ["Wickedness tiles: Evil Lair and Starburst."]),
    (events.TileTaken(1, EVIL_LAIR, 6), ["Rex takes Evil Lair."]),
    (events.TileTaken(0, NO_ITEM, 6), ["You reach step 6, and no tile is left for you."]),
    (events.Zombified(1, WINGS), ["Rex is a zombie now."]),
    (events.ExtraTurnGained(1, TurnKind.FRENZY), ["Rex will have another turn after this one."]),
    (events.ExtraTurnsLost(0), ["Your extra turns are lost."]),
    (events.RoarRecorded(1), ["Rex's Final Roar wins the game at the end of this turn."]),
    (events.TurnEnded(0), []),
    (events.GameEnded((0,)), ["The game is over: you win."]),
    (events.GameEnded((1,)), ["The game is over: Rex wins."]),
    (events.GameEnded((0, 1)), ["The game is over: you win together with Rex."]),
    (events.GameEnded((1, 2)), ["The game is over: Rex and Mia win together."]),
    (events.GameEnded(()), ["The game is over: all monsters are out, nobody wins."]),
]  # fmt: skip


def test_no_event_is_left_without_a_sentence() -> None:
    assert {type(event) for event, _lines in SAMPLES} == set(get_args(events.Event))


@pytest.mark.parametrize(("event", "lines"), SAMPLES, ids=lambda x: type(x).__name__)
def test_an_event_is_told(event: events.Event, lines: list[str]) -> None:
    view = DARK_VIEW if isinstance(event, events.TilesLaid | events.TileTaken) else VIEW
    assert describe_event(event, StoryContext(view, view.game.state)) == lines


def test_the_claws_of_one_attack_are_one_line() -> None:
    view = table()
    view.game.state.monsters[0].place = Place.OUTSIDE
    story = Story(view.game.state)
    lines = story.describe_events(
        [
            events.HeartsLost(0, 2, DamageKind.CLAWS, 1),
            events.HeartsLost(2, 3, DamageKind.CLAWS, 1),
            events.EnteredTokyo(1, Place.CITY),
            events.PointsGained(1, 1, Cause.TOKYO),
        ],
        view,
    )
    assert lines == [
        "Rex hits you for 2 (8 hearts left) and Mia for 3 (7 hearts left).",
        "Rex enters Tokyo.",
        "Rex gets 1 point (Tokyo), now 1.",
    ]


@pytest.mark.parametrize(
    ("seat", "before", "rolled", "told"),
    [
        (1, 19, "222211", "Rex gets 3 points (only 1 is needed to reach 20), now 20."),
        (0, 18, "333311", "You get 4 points (only 2 are needed to reach 20), now 20."),
        (1, 17, "333211", "Rex gets 3 points, now 20."),
    ],
)
def test_points_that_do_not_count_are_told(seat: int, before: int, rolled: str, told: str) -> None:
    view = table()
    state = view.game.state
    state.monsters[seat].points = before
    faces = dice(rolled)
    order = tuple(sorted(set(faces)))
    told_of: list[events.Event] = [
        events.DiceResolved(seat, faces, order),
        events.PointsGained(seat, 20 - before, Cause.DICE),
    ]
    assert Story(state).describe_events(told_of, view)[-1] == told


def test_each_group_of_numbers_is_told_with_its_own_points() -> None:
    view = table()
    state = view.game.state
    state.monsters[1].points = 17
    told_of: list[events.Event] = [
        events.DiceResolved(1, dice("111333"), (Face.ONE, Face.THREE)),
        events.PointsGained(1, 1, Cause.DICE),
        events.PointsGained(1, 2, Cause.DICE),
    ]
    assert Story(state).describe_events(told_of, view)[-2:] == [
        "Rex gets 1 point, now 18.",
        "Rex gets 3 points (only 2 are needed to reach 20), now 20.",
    ]


def test_a_bought_card_is_not_told_twice() -> None:
    view = table()
    view.game.state.market = [WINGS, None, None]
    told = StoryContext(view, view.game.state)
    assert describe_event(events.CardBought(1, WINGS, 6, Source.MARKET, 0), told) == [
        "Rex buys Wings."
    ]
    assert describe_event(events.CardKept(1, WINGS), told) == []


def test_a_tile_is_told_when_it_is_taken_and_when_it_goes() -> None:
    told = StoryContext(DARK_VIEW, DARK_VIEW.game.state)
    assert describe_event(events.TileTaken(1, STARBURST, 10), told) == ["Rex takes Starburst."]
    assert describe_event(events.CardKept(1, STARBURST), told) == []
    gone = describe_event(events.CardLost(1, STARBURST, False), told)
    assert gone == ["Rex's tile Starburst leaves the game."]


def test_dice_are_told_once() -> None:
    view = table()
    told = StoryContext(view, view.game.state)
    assert describe_event(events.DiceRolled(1, tuple(range(6)), FULL), told)
    assert describe_event(events.DiceResolved(1, FULL, ()), told) == []
    assert describe_event(events.DiceResolved(1, dice("11CHB1"), ()), told) == [
        "Rex's final dice: 1, 1, 1, heart, energy, claw."
    ]


def test_a_first_roll_is_told_where_no_question_shows_it() -> None:
    view = table()
    view.game.state.rolls = 0
    rolled: list[events.Event] = [events.DiceRolled(0, tuple(range(6)), FULL)]
    assert Story(view.game.state).describe_events(rolled, view) == []
    assert Story(view.game.state, asked=False).describe_events(rolled, view) == [
        "You roll 6 dice: 1, 1, 3, heart, energy, claw."
    ]


def test_the_last_two_have_nobody_to_watch() -> None:
    view = table(seats=2)
    *_, last = Story(view.game.state).describe_events([events.Eliminated(0)], view)
    assert last == "You are out of the game."


# -- kinds of lines -----------------------------------------------------------------------


@pytest.mark.parametrize("event_type", get_args(events.Event))
def test_every_event_has_a_kind(event_type: type[events.Event]) -> None:
    assert isinstance(kind_of_event(object.__new__(event_type)), LineKind)


def test_every_event_has_its_words_or_is_silent() -> None:
    silent = {events.TripleOnesScored, events.TurnEnded, events.CardDiscarded, events.ItemMarked}
    assert {*SENTENCES, *WRITERS, events.MarketFilled} == set(get_args(events.Event)) - silent


def test_a_sentence_knows_its_kind_and_its_monster() -> None:
    view = new_view(3)
    view.game.state.turn = 7
    story = Story(view.game.state)
    lines = story.describe_events(
        [
            events.TurnStarted(1),
            events.HeartsLost(0, 2, DamageKind.CLAWS, 1),
            events.HeartsLost(2, 1, DamageKind.CLAWS, 1),
            events.EnergyGained(2, 1, Cause.DICE),
            events.Eliminated(2),
        ],
        view,
    )
    told = [(line.kind, line.seat) for line in lines if isinstance(line, ToldLine)]
    assert len(told) == len(lines)
    assert told[:4] == [
        (LineKind.TURN, 1),
        (LineKind.DAMAGE, 1),  # the attacker, for all that are hit
        (LineKind.ENERGY, 2),
        (LineKind.DAMAGE, 2),
    ]
    (first, *_others) = lines
    assert isinstance(first, ToldLine)
    assert first.short == "Turn 8, Rex"


def test_an_event_of_no_monster_has_no_seat() -> None:
    assert seat_of_event(object.__new__(events.DeckRenewed)) is None


# -- since one's last turn ----------------------------------------------------------------


def hit(dealer: Seat | None, seat: Seat, amount: int) -> events.HeartsLost:
    return events.HeartsLost(seat, amount, DamageKind.CLAWS, dealer)


class Game:
    def __init__(self) -> None:
        self.view: SeatView = table(rolled="33CHB1")
        self.since = SinceTurn()
        self.since.note_notice(GameStarted(self.view))

    def goes(self, *events: events.Event) -> None:
        for event in events:
            event.apply(self.view.game.state)
        self.since.note_notice(Happened(events, self.view))

    @property
    def lines(self) -> list[str]:
        return self.since.describe(self.view)


def test_who_hit_whom_for_how_much_and_hearts_and_points_before_and_after() -> None:
    game = Game()
    game.goes(events.TurnEnded(0), events.TurnStarted(1), hit(1, 0, 1), hit(1, 2, 1))
    game.goes(events.PointsGained(1, 2, Cause.DICE), events.TurnEnded(1), events.TurnStarted(2))
    game.goes(hit(2, 0, 2))
    game.goes(hit(2, 0, 1), hit(2, 2, 1), events.TurnEnded(2), events.TurnStarted(0))
    assert game.lines == [
        "Ana (you): 6 hearts (10 before), 0 points.",
        "Mia: 8 hearts (10 before), 0 points; hit you for 3.",
        "Rex: 10 hearts, 2 points (0 before); hit you for 1 and Mia for 1.",
    ]


def test_what_was_bought_and_for_how_much() -> None:
    game = Game()
    tank, wings = item(game.view, "tank"), item(game.view, "wings")
    game.view.game.state.market = [tank, wings, None]
    game.since.note_notice(GameStarted(game.view))
    game.goes(events.TurnEnded(0), events.TurnStarted(1))
    game.goes(
        events.CardBought(1, tank, 4, Source.MARKET, 0), events.EnergyLost(1, 4, Cause.PAYMENT)
    )
    game.goes(events.CardBought(1, wings, 6, Source.MARKET, 1))
    assert game.lines == ["Rex: 10 hearts, 0 points; bought Tank for 4 and Wings for 6."]


@pytest.mark.parametrize(
    ("told_of", "lines"),
    [
        ((hit(1, 2, 3), events.HeartsGained(2, 1, Cause.DICE)),
         ["Rex: 10 hearts, 0 points; hit Mia for 3.", "Mia: 8 hearts (10 before), 0 points."]),
        ((hit(1, 2, 10), events.Eliminated(2), hit(None, 1, 1)),
         ["Rex: 9 hearts (10 before), 0 points; hit Mia for 10.", "Mia: out of the game."]),
        ((hit(1, 2, 1), events.TurnEnded(1)),
         ["Rex: 10 hearts, 0 points; hit Mia for 1.", "Mia: 9 hearts (10 before), 0 points."]),
    ],
    ids=["hearts that came back", "a fall, and poison is nobody's hit", "a turn of another ends"],
)  # fmt: skip
def test_all_that_happened_is_counted(told_of: tuple[events.Event, ...], lines: list[str]) -> None:
    game = Game()
    game.goes(events.TurnEnded(0), *told_of)
    assert game.lines == lines


def test_each_turn_of_ones_own_begins_anew_and_is_summed_up_once() -> None:
    game = Game()
    game.goes(hit(1, 0, 1))
    assert game.since.describe_once(game.view) == [], "no turn of the reader has ended yet"
    game.goes(events.TurnEnded(0), hit(1, 0, 2))
    told = game.since.describe_once(game.view)
    own, other = told
    assert own == "Ana (you): 7 hearts (9 before), 0 points."
    assert other == "Rex: 10 hearts, 0 points; hit you for 2."
    assert game.since.describe_once(game.view) == []
    game.goes(events.TurnEnded(0))
    assert game.lines == []


def test_what_does_not_count_any_more_is_not_told() -> None:
    game = Game()
    before = game.view.game.state.copy()
    game.goes(events.TurnEnded(0), hit(1, 0, 2))
    game.since.note_notice(LineUpBegun((), game.view, before))
    assert game.lines == []
    assert not game.since.has_had_turn


def test_before_a_game_there_is_nothing() -> None:
    assert SinceTurn().describe(table()) == []
