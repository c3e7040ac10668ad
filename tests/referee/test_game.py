"""`Game`: set-up, the check of inputs, forks, digests, seats that leave."""

from hashlib import sha256

import pytest

from kotp2p.referee.box.rulesets import CLASSIC, DARK, RULE_SETS, SECOND, Options, Setup
from kotp2p.referee.game import Game
from kotp2p.referee.model import answers, events
from kotp2p.referee.model.decisions import Chance, ChanceKind, Draw, Over
from kotp2p.referee.model.position import DIGEST_TAG, PENDING_KINDS
from kotp2p.referee.model.state import Place
from tests.support.referee_table import BAY, CITY, OUTSIDE, Sits, refuses, seated

CLAWS = (5, 5, 5, 0, 0, 0)
NONE = (0, 0, 0, 0, 0, 0)
ONE = (5, 0, 0, 0, 0, 0)


def started(seats: int = 3) -> Game:
    """The market is laid; the roll-off comes next."""
    game = Game(Setup(SECOND, seats, SECOND.deck()))
    game.submit(answers.Drawn((0, 1, 2)))
    return game


# -- set-up --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(RULE_SETS))
def test_the_market_is_laid_first_and_then_all_roll_for_the_start(name: str) -> None:
    rules = RULE_SETS[name]
    game = Game(Setup(rules, 3, rules.deck()))
    deck = len(rules.deck())
    assert game.pending == Chance(
        ChanceKind.CARDS, (Draw(deck, 0),) * 3, piles=(tuple(range(deck)), ())
    )
    happened = game.submit(answers.Drawn((4, 0, 9)))
    tiles = [events.TilesLaid(tuple(range(deck, deck + 20, 2)))] if rules.tiles else []
    assert happened == [events.MarketFilled(((0, 4), (1, 0), (2, 9))), *tiles]
    assert game.pending == Chance(ChanceKind.DICE, (Draw(6),) * 18)
    assert game.state.turn == 0


def test_the_most_claws_begin() -> None:
    game = started()
    happened = game.submit(answers.Drawn(NONE + CLAWS + ONE))
    assert isinstance(happened[0], events.FirstRolled)
    assert (game.state.active, game.state.turn) == (1, 1)
    assert game.pending == Chance(ChanceKind.DICE, (Draw(6),) * 6)


def test_only_the_tied_roll_again() -> None:
    """D-05, T40."""
    game = started()
    game.submit(answers.Drawn(CLAWS + CLAWS + ONE))
    assert game.pending == Chance(ChanceKind.DICE, (Draw(6),) * 12)
    game.submit(answers.Drawn(ONE + CLAWS))
    assert game.state.active == 1


def test_a_table_without_cards_is_played() -> None:
    game = Game(Setup(CLASSIC, 2, ()))
    assert game.pending == Chance(ChanceKind.DICE, (Draw(6),) * 12)
    game.submit(answers.Drawn(CLAWS + NONE))
    game.submit(answers.Drawn((4, 4, 4, 4, 4, 4)))
    game.submit(answers.Answered(0, answers.Stop()))
    assert game.state.monsters[0].energy == 6
    assert game.state.active == 1, "with energy but nothing to buy there is no question"


@pytest.mark.parametrize(
    ("rules", "seats", "options"),
    [
        (SECOND, 1, Options()),
        (SECOND, 7, Options()),
        (SECOND, 3, Options(two_player=True)),
        (CLASSIC, 3, Options(two_player=True)),
        (SECOND, 6, Options(bay_for_beginners=True)),
        (DARK, 3, Options(tile_sides="blue")),
        (SECOND, 3, Options(tile_sides="green")),
    ],
)
def test_a_setup_against_the_rules_is_no_game(rules, seats, options) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError):
        Setup(rules, seats, rules.deck(), options)


# -- the check of inputs ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (answers.Answered(1, answers.Stop()), answers.Reason.NOT_ASKED),
        (answers.Answered(0, answers.Done()), answers.Reason.WRONG_KIND),
        (answers.Answered(0, answers.Reroll((6,))), answers.Reason.NO_SUCH_DIE),
        (answers.Answered(0, answers.Reroll((2, 1))), answers.Reason.NO_SUCH_DIE),
        (answers.Answered(0, answers.Use(3)), answers.Reason.NOT_USABLE),
        (answers.Drawn((0,)), answers.Reason.NOT_ASKED),
        (answers.Looked(0, 0), answers.Reason.NOT_ASKED),
        (answers.Out(()), answers.Reason.NOT_ALIVE),
        (answers.Out((1, 0)), answers.Reason.NOT_ALIVE),
        (answers.Out((3,)), answers.Reason.NOT_ALIVE),
    ],
)
def test_what_answers_no_question_is_refused(given: answers.Input, reason: answers.Reason) -> None:
    game = started()
    game.submit(answers.Drawn(CLAWS + NONE + NONE))
    game.submit(answers.Drawn(NONE))
    before, pending = game.position(), game.pending
    refuses(game, given, reason)
    assert game.position() == before
    assert game.pending is pending


def test_chance_must_give_each_draw_a_value_of_its_own() -> None:
    game = Game(Setup(SECOND, 2, SECOND.deck()))
    for values in ((1, 2), (1, 1, 2), (len(SECOND.deck()), 1, 2), (-1, 1, 2)):
        refuses(game, answers.Drawn(values), answers.Reason.BAD_OUTCOME)
    refuses(game, answers.Answered(0, answers.Stop()), answers.Reason.NOT_ASKED)


def test_a_game_that_is_over_takes_nothing() -> None:
    play = seated(SECOND, Sits(CITY, points=18), Sits())
    play.roll("123123")
    play.finish_turn()
    assert play.game.pending == Over((0,))
    for given in (answers.Out((1,)), answers.Answered(0, answers.Stop()), answers.Drawn((0,))):
        refuses(play.game, given, answers.Reason.OVER)


# -- forks and digests -----------------------------------------------------------------------------


def test_a_fork_goes_its_own_way_and_draws_nothing() -> None:
    play = seated(SECOND, Sits(), Sits(CITY))
    play.roll("CC1233")
    fork = play.game.fork()
    assert fork.pending == play.game.pending
    fork.submit(answers.Answered(0, answers.Reroll((2,))))
    assert isinstance(fork.pending, Chance)
    assert play.asks == (0, "roll")
    assert play.monster(1).hearts == 10


def test_a_fork_in_the_set_up_repeats_it() -> None:
    game = started()
    game.submit(answers.Drawn(CLAWS + CLAWS + ONE))
    fork = game.fork()
    assert (fork.pending, fork.state) == (game.pending, game.state)
    fork.submit(answers.Drawn(ONE + CLAWS))
    assert game.state.turn == 0


def test_a_game_of_the_same_set_up_begins_with_a_turn_of_another_state() -> None:
    play = seated(SECOND, Sits(), Sits(CITY), Sits())
    state = play.state.copy()
    state.active = state.home = 1
    game = play.game.at_turn_of(state)
    again = Game.at_turn_start(play.game.setup, state)
    assert (game.pending, game.state) == (again.pending, again.state)
    assert game.state.monsters[1].points == 2, "its turn has begun in Tokyo"
    game.submit(answers.Drawn(NONE))
    assert (play.state.active, state.dice) == (0, [])


def test_the_digest_is_the_hash_of_the_numbers_of_the_position() -> None:
    game = started()
    numbers = [value for _, value in game.position()]
    assert max(numbers) < 128, "each number is one byte"
    assert game.digest() == sha256(DIGEST_TAG + bytes(numbers)).digest()


def test_the_position_names_its_fields_once_each() -> None:
    play = seated(SECOND, Sits(cards=("extra-head", "mimic")), Sits(CITY))
    labels = [label for label, _ in play.game.position()]
    assert len(labels) == len(set(labels))
    assert dict(play.game.position())["pending.kind"] == PENDING_KINDS.index("dice")
    assert dict(play.game.position())["pending.draws"] == 7
    assert dict(play.game.position())["seat 0.holdings.1.copies"] == 0


def test_the_state_behind_a_turn_end_is_kept() -> None:
    play = seated(SECOND, Sits(), Sits(CITY, points=3))
    play.roll("112233")
    end = play.finish_turn()
    assert end.monsters[1].points == 3
    assert play.monster(1).points == 5, "the next turn has begun in Tokyo"


# -- seats that leave (A-91) -----------------------------------------------------------------------


def test_a_seat_that_leaves_loses_all_and_its_place_stays_free() -> None:
    play = seated(
        SECOND, Sits(), Sits(CITY, points=7, energy=3, cards=("wings", "it-has-a-child")), Sits()
    )
    play.roll("112233")
    play.out(1)
    gone = play.monster(1)
    assert not gone.alive
    assert (gone.place, gone.hearts, gone.energy, gone.holdings) == (OUTSIDE, 0, 0, [])
    assert play.state.discard == [play.item("wings"), play.item("it-has-a-child")]
    assert events.Eliminated(1, left=True) in play.events
    assert play.asks == (0, "roll"), "the turn goes on"
    assert play.state.seat_at(Place.CITY) is None


def test_leaving_feeds_no_eater_of_the_dead() -> None:
    play = seated(SECOND, Sits(cards=("eater-of-the-dead",)), Sits(), Sits())
    play.out(2)
    assert play.monster(0).points == 0


def test_a_seat_that_leaves_at_the_yield_question_counts_as_staying() -> None:
    play = seated(SECOND, Sits(), Sits(CITY), Sits(BAY), *[Sits()] * 3)
    play.roll("CC1233")
    play.default_until("yield")
    assert play.asks == (1, "yield")
    play.out(1)
    assert play.asks == (2, "yield"), "the Bay is asked next"
    play.say(2, answers.Stay())
    assert play.monster(0).place is CITY
    assert play.monster(2).place is BAY


def test_when_the_active_monster_leaves_its_turn_ends_at_once() -> None:
    play = seated(SECOND, Sits(energy=6, cards=("energy-hoarder",), poison=1), Sits(CITY), Sits())
    play.roll("CC1233")
    play.out(0)
    assert events.TurnEnded(0) in play.events
    assert (play.state.active, play.monster(1).hearts) == (1, 10)
    assert play.monster(1).points == 2


def test_when_the_active_monster_leaves_its_attack_goes_no_further() -> None:
    play = seated(SECOND, Sits(), Sits(CITY), Sits(BAY, cards=("jets",)), *[Sits()] * 3)
    play.roll("CC1233")
    play.default_until("yield")
    play.out(0)
    assert play.monster(1).hearts == 8, "what has landed has landed"
    assert play.monster(2).hearts == 10, "the packet that Jets put aside has not"
    assert play.state.active == 1


def test_a_half_filled_market_is_filled_when_the_buyer_leaves() -> None:
    play = seated(
        SECOND,
        Sits(energy=5),
        Sits(CITY),
        Sits(),
        market=("corner-store", "wings", "jets"),
        undrawn=("tank", "heal"),
    )
    play.roll("112233")
    play.default_until("buy")
    play.say(0, answers.Buy(play.item("corner-store")))
    assert play.chance.kind is ChanceKind.CARDS
    play.out(0)
    play.draw("tank")
    assert play.state.active == 1
    assert play.state.resolving == []
    assert play.state.discard == [play.item("corner-store")]
    assert play.state.market[0] == play.item("tank")
    assert play.monster(0).points == 0


def test_the_rest_of_a_tie_rolls_anew_when_one_of_it_leaves() -> None:
    game = started(4)
    game.submit(answers.Drawn(CLAWS + CLAWS + CLAWS + ONE))
    game.submit(answers.Out((1,)))
    assert game.pending == Chance(ChanceKind.DICE, (Draw(6),) * 12)
    game.submit(answers.Out((2,)))
    assert (game.state.active, game.state.turn) == (0, 1), "alone in the tie, it begins"


def test_a_lone_survivor_wins_at_the_end_of_the_turn() -> None:
    """A-01: not before."""
    play = seated(SECOND, Sits(), Sits(CITY), Sits())
    play.out(1, 2)
    assert play.chance.kind is ChanceKind.DICE
    play.roll("112233")
    play.finish_turn()
    assert play.game.pending == Over((0,))


def test_when_all_leave_there_is_no_winner() -> None:
    play = seated(SECOND, Sits(), Sits(CITY))
    play.out(0, 1)
    assert play.game.pending == Over(())


def test_the_bay_closes_when_a_fifth_monster_leaves() -> None:
    """D-12 with A-91: the City is taken, so the Bay's monster is out of Tokyo."""
    play = seated(SECOND, Sits(), Sits(CITY), Sits(BAY), Sits(), Sits())
    play.out(4)
    assert play.monster(2).place is OUTSIDE


def test_the_bay_monster_moves_to_the_city_that_a_leaver_gives_up() -> None:
    play = seated(SECOND, Sits(), Sits(CITY), Sits(BAY), Sits(), Sits())
    play.out(1)
    assert play.monster(2).place is CITY
    assert events.EnteredTokyo(2, CITY) not in play.events
    assert play.monster(2).points == 0


def test_offers_that_a_leaver_takes_along_are_gone() -> None:
    """The open question is asked anew when its answers have changed."""
    play = seated(
        CLASSIC,
        Sits(energy=9, cards=("mimic",)),
        Sits(cards=("wings",)),
        Sits(cards=("jets", "stretchy")),
    )
    assert play.asks == (0, "copy")
    play.out(1)
    decision = play.decision
    assert play.asks == (0, "copy")
    assert list(decision.legal_answers())[1:] == [
        answer
        for answer in decision.legal_answers()
        if getattr(answer, "card", None) in (play.item("jets"), play.item("stretchy"))
    ]


def test_a_roll_of_camouflage_is_withdrawn_with_its_owner() -> None:
    play = seated(SECOND, Sits(), Sits(CITY, cards=("camouflage",)), Sits())
    play.roll("CC1233")
    play.default_until("response")
    play.say(1, answers.Use(play.item("camouflage")))
    assert play.chance.seat == 1
    play.out(1)
    assert play.monster(0).place is CITY
    assert not play.monster(1).alive


def test_one_leaves_after_another() -> None:
    play = seated(SECOND, Sits(), Sits(CITY), Sits(BAY), Sits(), Sits())
    play.roll("CC1233")
    play.default_until("yield")
    play.out(2)
    play.out(0)
    assert play.state.active == 1
    play.out(1)
    assert play.state.active == 3
    play.out(3)
    assert play.game.pending == Over((4,))
