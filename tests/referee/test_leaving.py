"""A-91, A-108, A-109: a seat that leaves has not reached 0 hearts, so no effect of that acts; what
is being turned up still comes; the last one has a turn."""

import pytest

from kotp2p.referee.box.rulesets import DARK, SECOND, Options, Setup
from kotp2p.referee.game import Game
from kotp2p.referee.model import events
from kotp2p.referee.model.answers import Answered, Buy, Drawn, Hearts, Out, Sweep, Use
from kotp2p.referee.model.decisions import Chance, ChanceKind, Over
from kotp2p.referee.model.state import Holding
from tests.support.referee_table import BAY, CITY, Played, Sits, go_to_buying, lowest_cards, seated


@pytest.mark.parametrize("card", ["it-has-a-child", "zombify"])
def test_leaving_is_not_reaching_no_hearts(card: str) -> None:
    play = seated(DARK, Sits(), Sits(CITY, cards=(card,)), Sits(cards=("eater-of-the-dead",)))
    play.out(1)
    assert not play.monster(1).alive
    assert play.monster(2).points == 0


def test_burrowing_does_not_sting_for_a_seat_that_leaves_at_the_question() -> None:
    play = seated(SECOND, Sits(), Sits(CITY, cards=("burrowing",)), Sits())
    play.roll("C11223")
    play.default_until("yield")
    play.out(1)
    assert play.monster(0).hearts == 10


def test_who_is_asked_to_yield_is_still_asked_when_another_one_leaves() -> None:
    play = seated(SECOND, Sits(), Sits(CITY), Sits())
    play.roll("C11223")
    play.default_until("yield")
    play.out(2)
    assert play.asks == (1, "yield")


def test_a_copying_card_of_a_leaver_is_lost_with_its_link() -> None:
    play = seated(SECOND, Sits(), Sits(CITY, cards=("even-bigger", "mimic")), Sits())
    original, copy = play.monster(1).holdings
    copy.copies = original.item
    play.out(1)
    lost = [event.item for event in play.events if isinstance(event, events.CardLost)]
    assert lost == [copy.item, original.item]
    assert events.CopyPlaced not in play.kinds()


def test_the_extra_turns_of_a_leaver_are_lost() -> None:
    market = ("frenzy", "corner-store")
    play = seated(SECOND, Sits(energy=10), Sits(CITY), Sits(), market=market)
    play.roll("112233")
    play.default_until("buy")
    play.say(0, Buy(play.item("frenzy")))
    assert play.state.frenzy == 1
    play.out(0)
    assert events.TurnEnded(0) in play.events
    assert (play.state.active, play.state.frenzy) == (1, 0)


def test_a_leaver_can_close_the_bay_under_an_attacker() -> None:
    play = seated(SECOND, Sits(BAY), Sits(CITY), Sits(), Sits(), Sits())
    play.out(1)
    assert play.monster(0).place is CITY, "with four left the Bay is shut, and the City is free"


MARKET = ("jets", "corner-store", "skyscraper")


def is_turning_up_cards(play: Played) -> bool:
    pending = play.game.pending
    return isinstance(pending, Chance) and pending.kind is ChanceKind.CARDS


def test_a_sweep_is_filled_though_its_monster_leaves() -> None:
    undrawn = ("energize", "heal", "wings", "frenzy")
    play = seated(SECOND, Sits(energy=2), Sits(CITY), Sits(), market=MARKET, undrawn=undrawn)
    go_to_buying(play)
    play.say(0, Sweep())
    play.out(0)
    assert is_turning_up_cards(play)
    assert play.state.active == 0, "its turn has not ended"
    play.draw("energize", "heal", "wings")
    assert [play.game.card(i).key for i in play.state.market if i is not None] == [
        "energize", "heal", "wings",
    ]  # fmt: skip
    assert play.state.active == 1
    assert play.kinds().index(events.MarketFilled) < play.kinds().index(events.TurnEnded)


def test_a_purchase_is_filled_though_its_monster_leaves() -> None:
    undrawn = ("energize", "heal")
    play = seated(SECOND, Sits(energy=3), Sits(CITY), Sits(), market=MARKET, undrawn=undrawn)
    go_to_buying(play)
    play.say(0, Buy(play.item("corner-store")))
    play.out(0)
    assert is_turning_up_cards(play)
    play.draw("heal")
    assert play.state.market[1] == play.item("heal")
    assert play.state.discard == [play.item("corner-store")], "it is not resolved any more"
    assert play.state.active == 1


def _leave_before_the_first_turn(at: ChanceKind) -> tuple[Game, list[events.Event]]:
    game = Game(Setup(SECOND, 3, SECOND.deck(), Options()))
    happened: list[events.Event] = []
    while not (isinstance(game.pending, Chance) and game.pending.kind is at):
        assert isinstance(game.pending, Chance)
        happened += game.submit(Drawn(lowest_cards(game.pending)))
    happened += game.submit(Out((0, 2)))
    if at is ChanceKind.CARDS:
        assert isinstance(game.pending, Chance)
        happened += game.submit(Drawn(lowest_cards(game.pending)))
    return game, happened


def _play_its_turn(game: Game) -> list[events.Event]:
    happened: list[events.Event] = []
    while not isinstance(game.pending, Over):
        if isinstance(game.pending, Chance):
            happened += game.submit(Drawn((0,) * len(game.pending.draws)))
        else:
            happened += game.submit(Answered(game.pending.seat, game.pending.default))
    return happened


@pytest.mark.parametrize("at", [ChanceKind.CARDS, ChanceKind.DICE])
def test_the_last_one_before_turn_1_has_a_turn_in_which_the_game_ends(at: ChanceKind) -> None:
    """At the first cards, and at the roll for the start."""
    game, happened = _leave_before_the_first_turn(at)
    assert events.TurnStarted(1) in happened
    assert game.state.winners is None
    assert _play_its_turn(game)[-2:] == [events.TurnEnded(1), events.GameEnded((1,))]


def test_a_patient_that_leaves_at_its_window_is_not_healed_and_pays_nothing() -> None:
    patient = Sits(CITY, hearts=5, energy=6, cards=("rapid-healing",))
    play = seated(SECOND, Sits(cards=("healing-ray",)), patient, Sits())
    play.roll("HH1123")
    play.default_until("hearts")
    play.say(0, Hearts(0, give=((1, 2),)))
    assert play.asks == (1, "response")
    play.say(1, Use(play.item("rapid-healing")))
    play.out(1)
    assert play.monster(0).energy == 0
    assert not play.monster(1).alive


def test_a_sleeper_whose_hibernation_leaves_with_its_owner_wakes_for_the_groups_behind() -> None:
    """A-106: a Fluxling that copies nothing any more lets the claws count again."""
    play = seated(
        DARK,
        Sits(cards=("rapid-healing",), hearts=5, energy=2),
        Sits(CITY, hearts=9),
        Sits(cards=("hibernation",)),
    )
    deck = play.game.setup.deck
    fluxling = next(
        i for i in range(len(deck), len(deck) + 20) if play.game.setup.key(i) == "fluxling"
    )
    play.state.monsters[0].holdings.append(Holding(fluxling, 9, copies=play.item("hibernation")))
    play.roll("HH11CC")
    play.default_until("hearts")
    play.out(2)
    play.finish_turn()
    assert play.monster(1).hearts == 7
