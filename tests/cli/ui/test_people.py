"""Several people before one screen: each is asked for themselves, and sees no secret of another."""

import random
from dataclasses import dataclass, field, replace
from itertools import pairwise

import trio
import trio.testing

from kotp2p.cli.ask.standing_orders import Orders as StandingOrders
from kotp2p.cli.ui.line_player import LinePlayer
from kotp2p.cli.ui.notice_feed import is_away, people_here, share_screen, view_for_all
from kotp2p.cli.ui.paced_front import PacedFront
from kotp2p.referee.model.answers import Answered
from kotp2p.referee.model.decisions import BuyDecision, Chance, Decision, Over, YieldDecision
from kotp2p.referee.model.events import YieldAnswered
from kotp2p.seams import notices
from kotp2p.seams.commands import Leave
from tests.support.laid_decisions import one_of_each_decision
from tests.support.local_game import Orders, at_terminal, draw, new_view, put_in, said


def shared(view: notices.SeatView, people: int) -> notices.SeatView:
    """With people on the first seats, and bots on the others."""
    players = tuple(replace(p, automatic=seat >= people) for seat, p in enumerate(view.players))
    return replace(view, players=players)


def test_the_people_here_are_the_seats_of_one_keeper_that_no_bot_plays() -> None:
    view = shared(new_view(4), 2)
    assert people_here(view) == people_here(replace(view, seat=1)) == (0, 1)
    assert share_screen(view)
    assert not share_screen(new_view(4))
    assert people_here(replace(view, seat=notices.WATCHER)) == ()


def test_nobody_is_you_in_what_all_are_told() -> None:
    view = replace(shared(new_view(4), 2), top=3)
    assert (view_for_all(view).seat, view_for_all(view).top) == (notices.WATCHER, None)
    alone = new_view(4)
    assert view_for_all(alone) is alone


def test_a_further_person_is_not_away_although_another_keeps_the_seat() -> None:
    view = shared(new_view(4), 2)
    assert not is_away(replace(view, seat=1))
    kept = replace(view, seat=1, keepers={1: 3})
    assert is_away(kept)
    kept.game.state.monsters[1].alive = False
    assert not is_away(kept), "there is nothing to come back to"


# -- two answers to one attack --------------------------------------------------------------


@dataclass
class Watched:
    """A front that notes what has been shown by the time of each question."""

    player: LinePlayer
    told: list[tuple[int, bool]] = field(default_factory=list)
    """The answers to attacks that have been shown."""
    asked: list[tuple[Decision, list[tuple[int, bool]]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        show = self.player.show

        def note(notice: notices.Notice) -> None:
            if isinstance(notice, notices.Happened):
                answered = (e for e in notice.events if isinstance(e, YieldAnswered))
                self.told += [(event.seat, event.yields) for event in answered]
            show(notice)

        self.player.show = note  # type: ignore[method-assign]

    async def type_answers(self) -> None:
        """Enter, and once more where that is proposed."""
        while True:
            if self.player.state.asking is None:
                await trio.lowlevel.checkpoint()
                continue
            decision = self.player.state.asking.question.decision
            if not self.asked or self.asked[-1][0] is not decision:
                self.asked.append((decision, list(self.told)))
            self.player.read_line("l" if isinstance(decision, YieldDecision) else "")


async def play_together(seed: int) -> tuple[Watched, list[Decision]]:
    """Six people at one keyboard."""
    view, chooser = shared(new_view(6), 6), random.Random(seed)
    watched = Watched(at_terminal())
    front = PacedFront(watched.player)
    decisions: list[Decision] = []
    front.attach(Orders())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(front.run)
        nursery.start_soon(watched.type_answers)
        front.show(notices.GameStarted(view))
        while not isinstance(pending := view.game.pending, Over) and len(decisions) < 400:
            if isinstance(pending, Chance):
                given: Answered | None = None
                events = put_in(view, draw(pending, chooser))
            else:
                decisions.append(pending)
                answer = await front.decide(replace(view, seat=pending.seat), pending)
                assert not isinstance(answer, Leave)
                given = Answered(pending.seat, answer)
                events = put_in(view, given)
            front.show(notices.Happened(tuple(events), view))
        nursery.cancel_scope.cancel()
    return watched, decisions


async def test_the_answer_of_the_city_is_hidden_until_the_bay_has_answered() -> None:
    watched, decisions = await play_together(5)
    pairs = [
        (first, second)
        for first, second in pairwise(decisions)
        if isinstance(first, YieldDecision) and isinstance(second, YieldDecision)
        if first.attacker == second.attacker and first.seat != second.seat
    ]
    assert pairs
    asked = {id(decision): told for decision, told in watched.asked}
    for first, second in pairs:
        assert asked[id(first)] == asked[id(second)]
    answered = sum(isinstance(decision, YieldDecision) for decision in decisions)
    assert len(watched.told) == answered


async def test_each_question_names_the_person_who_is_asked() -> None:
    watched, _decisions = await play_together(5)
    lines = said(watched.player)
    names = {"Ana", "Rex", "Mia", "Otto", "Lena", "Sam"}
    called = [line.split()[-3] for line in lines if line.startswith("It is up to ")]
    assert set(called) == names
    assert all(first != second for first, second in pairwise(called))
    assert not any(line.startswith("You ") for line in lines if "roll" in line)


# -- a card that one has looked at ------------------------------------------------------------


def peeked() -> tuple[notices.SeatView, BuyDecision]:
    view, decision = next(
        (view, decision)
        for view, decision in one_of_each_decision()
        if isinstance(decision, BuyDecision)
    )
    return shared(view, 2), replace(decision, top=True)


def before_screen(view: notices.SeatView) -> LinePlayer:
    player = at_terminal()
    player.attach(Orders())
    player.show(notices.GameStarted(replace(view)))
    return player


async def ask(player: LinePlayer, view: notices.SeatView, decision: Decision, *lines: str) -> None:
    async with trio.open_nursery() as nursery:

        async def decide() -> None:
            await player.decide(view, decision)

        nursery.start_soon(decide)
        await trio.testing.wait_all_tasks_blocked()
        for line in lines:
            player.read_line(line)
        nursery.cancel_scope.cancel()


async def test_a_card_that_one_has_looked_at_is_shown_after_their_enter() -> None:
    view, decision = peeked()
    card = next(i for i in range(len(view.game.setup.deck)) if i not in view.game.state.market)
    name = view.game.card(card).name
    player = before_screen(view)
    player.show(notices.TopRevealed(card))
    asked = replace(view, top=card)
    await ask(player, asked, decision, "shop", "a", "?")
    text = "\n".join(said(player))
    assert "Ana has looked at the top card of the deck." in text
    assert name not in text
    await ask(player, asked, decision, "")
    assert name in "\n".join(said(player))


async def test_a_card_that_was_shown_is_shown_to_the_same_person_without_asking_again() -> None:
    view, decision = peeked()
    player = before_screen(view)
    asked = replace(view, top=40)
    await ask(player, asked, decision, "")
    await ask(player, asked, decision)
    assert player.state.asking is None
    text = "\n".join(said(player))
    assert text.count("The others look away") == 1
    await ask(player, replace(view, seat=1), replace(decision, seat=1))
    await ask(player, asked, decision)
    assert "\n".join(said(player)).count("The others look away") == 2


# -- what belongs to one person ---------------------------------------------------------------


async def test_each_person_has_standing_orders_of_their_own() -> None:
    view, decision = peeked()
    player = before_screen(view)
    await ask(player, view, decision, "orders yield 3")
    assert player.standing.orders == StandingOrders(yield_at=3)
    await ask(player, replace(view, seat=1), replace(decision, seat=1))
    assert player.standing.orders == StandingOrders()
    await ask(player, view, decision)
    assert player.standing.orders == StandingOrders(yield_at=3)


async def test_leaving_asks_for_all_of_them() -> None:
    view, decision = peeked()
    player = before_screen(view)
    await ask(player, view, decision, "leave")
    assert "It ends for all of you." in "\n".join(said(player))
