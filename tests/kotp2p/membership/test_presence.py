"""A seat is here, late, gone, and here again: each transition of the table, and what is told."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from kotp2p.absence_notices import Gone, Late, Returned
from kotp2p.game.ledger import Ledger
from kotp2p.membership.own_processes import OwnProcesses
from kotp2p.membership.presence import PRESENCE, Presence
from kotp2p.membership.rejoin import REPORT_MISSING_AFTER_SECONDS, WAIT_FOR_HEADS_SECONDS, Rejoin
from kotp2p.mesh.detours import DETOUR_SECONDS
from kotp2p.mesh.effects import ShowNotice
from kotp2p.mesh.gossip import Gossip
from kotp2p.mesh.reachability import Reachability
from kotp2p.notices import Detour, Missing, Notice, OwnClock
from kotp2p.votes.voting import Voting
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.genesis import Clocks
from kotp2p.wishes.clocks import MAX_TICK_SECONDS, VOTE_AFTER_SECONDS, SeatClocks
from referee.model.answers import Seat
from tests.support.five_players import PEOPLE, SIGNERS, at_a_decision, genesis, intake, others, owes
from tests.support.state_walks import followed, transitions

TURN = 20
VOTE_IN = int(VOTE_AFTER_SECONDS)


class Watch:
    """One peer's presence; the test says which seats are gone, and lets time pass."""

    def __init__(self, ledger: Ledger, seat: Seat) -> None:
        reach, clocks = Reachability(seat), SeatClocks(Clocks(turn=TURN, reaction=TURN))
        gossip = Gossip(ledger, reach)
        voting = Voting(ledger, intake(ledger, gossip), clocks, seat, SIGNERS[seat], {})
        own = OwnProcesses(ledger, seat)
        self.presence = Presence(ledger, gossip, reach, clocks, voting, Rejoin(), own)
        self.presence.begin(0.0, resumed=False)
        self.now = 0.0

    def sees(self, *gone: Seat, after: float = 0.0) -> list[Notice]:
        """What is told of seats being late or gone, once `after` seconds have passed."""
        self.presence.gossip.effects.clear()
        end = self.now + after
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Reachability, "find_gone_seats", lambda *_: dict.fromkeys(gone, 0.0))
            self.presence.update(self.now)
            while self.now < end:
                self.now = min(end, self.now + MAX_TICK_SECONDS)
                self.presence.update(self.now)
        return list(_told(self.presence.gossip.effects))


def _told(effects: Iterable[object]) -> Iterable[Notice]:
    for effect in effects:
        if isinstance(effect, ShowNotice) and isinstance(effect.notice, Gone | Late | Returned):
            yield effect.notice


def answered(ledger: Ledger) -> None:
    """The game goes on by one step."""
    for seat in ledger.owing_seats():
        ledger.accept_entry(owes(ledger, seat))


def test_a_seat_walks_through_every_transition() -> None:
    ledger, asked = at_a_decision()
    watch = Watch(ledger, (asked + 1) % PEOPLE)
    with followed(PRESENCE) as seen:
        assert watch.sees() == []
        assert watch.sees(after=TURN) == [Late((asked,), VOTE_IN)]
        assert watch.sees(after=TURN) == []  # told once at each place
        assert watch.sees(asked) == [Gone(asked, VOTE_IN)]
        assert watch.sees() == [Returned(asked)]  # still late, and told before
        watch.sees(asked)
        answered(ledger)
        assert watch.sees(asked) == []
        assert watch.sees() == [Returned(asked)]
        assert watch.sees(asked) == [Gone(asked, VOTE_IN)]
        answered(ledger)
        assert watch.sees(asked) == []
        other, asked = at_a_decision()
        watch = Watch(other, (asked + 1) % PEOPLE)
        assert watch.sees(after=TURN) == [Late((asked,), VOTE_IN)]
        answered(other)
        assert watch.sees() == []
    assert seen == transitions(PRESENCE)


def test_a_seat_that_was_gone_when_its_time_ran_out_is_told_to_be_late_when_it_is_back() -> None:
    ledger, asked = at_a_decision()
    watch = Watch(ledger, (asked + 1) % PEOPLE)
    assert watch.sees(asked, after=TURN) == [Gone(asked, VOTE_IN)]
    assert watch.sees() == [Returned(asked), Late((asked,), VOTE_IN)]


def own_clocks(watch: Watch) -> list[OwnClock]:
    effects = watch.presence.gossip.effects
    notices = [effect.notice for effect in effects if isinstance(effect, ShowNotice)]
    effects.clear()
    return [notice for notice in notices if isinstance(notice, OwnClock)]


def test_the_player_is_told_what_is_left_with_each_question_and_when_clocks_stop_or_go_on() -> None:
    ledger, asked = at_a_decision()
    watch = Watch(ledger, asked)
    watch.sees()
    assert own_clocks(watch) == [OwnClock(TURN, TURN, is_stopped=False)]
    watch.sees(after=3)
    assert own_clocks(watch) == []  # it runs by itself
    other = (asked + 1) % PEOPLE
    watch.presence.clocks.paused_until[other] = watch.now + 60
    watch.sees()
    assert own_clocks(watch) == [OwnClock(TURN - 3, TURN, is_stopped=True)]
    watch.sees(after=5)
    del watch.presence.clocks.paused_until[other]
    watch.sees()
    assert own_clocks(watch) == [OwnClock(TURN - 3, TURN, is_stopped=False)]
    answered(ledger)
    watch.sees()
    assert ledger.owing_seats() == (asked,)
    assert own_clocks(watch) == [OwnClock(TURN, TURN, is_stopped=False)]


def test_the_clock_of_another_player_is_not_told() -> None:
    ledger, asked = at_a_decision()
    watch = Watch(ledger, (asked + 1) % PEOPLE)
    watch.sees(after=3)
    assert own_clocks(watch) == []


def test_after_a_restart_the_seats_that_are_missing_are_told_and_that_all_are_back() -> None:
    ledger, me = at_a_decision()
    presence = Watch(ledger, me).presence
    reach = presence.reachability
    reach.start_clocks(PEOPLE, 0.0)
    presence.rejoin.begin(others(me), others(me), 0.0)
    told: list[Missing] = []
    for now in (0.0, REPORT_MISSING_AFTER_SECONDS, REPORT_MISSING_AFTER_SECONDS + 1):
        presence.gossip.effects.clear()
        presence.update(now)
        effects = presence.gossip.effects
        notices = [effect.notice for effect in effects if isinstance(effect, ShowNotice)]
        told += [notice for notice in notices if isinstance(notice, Missing)]
        if now:
            for seat in others(me):
                reach.add_link(seat, now)
    assert told == [Missing(tuple(others(me))), Missing(())]


def test_a_bot_that_is_back_decides_if_the_only_other_process_has_left_unheard() -> None:
    """Its files may have lost the farewell that those of its keeper still have."""
    ledger, bot = at_a_decision()
    presence = Watch(ledger, bot).presence
    presence.reachability.start_clocks(PEOPLE, 0.0)
    guest, *of_its_process = others(bot)
    presence.rejoin.begin(others(bot), [guest], 0.0)
    for seat in of_its_process:
        presence.rejoin.note_head(seat, ledger.place, 1.0)
    presence.update(1.0)
    assert not presence.rejoin.may_sign(ledger.place, 1.0 + WAIT_FOR_HEADS_SECONDS)
    ledger.accept_farewell(Farewell.sign(SIGNERS[guest], genesis().id, guest, *ledger.place))
    presence.update(2.0)
    assert presence.rejoin.may_sign(ledger.place, 2.0)


@pytest.mark.parametrize("is_gone", [False, True])
def test_of_a_seat_that_is_gone_no_detour_is_told(is_gone: bool) -> None:
    ledger, asked = at_a_decision()
    watch = Watch(ledger, (asked + 1) % PEOPLE)
    between = (asked + 2) % PEOPLE
    watch.presence.reachability.add_link(between, 0.0)
    watch.presence.reachability.learn_links(between, range(PEOPLE))
    watch.sees(*([asked] if is_gone else []), after=2 * DETOUR_SECONDS)
    effects = watch.presence.gossip.effects
    notices = [effect.notice for effect in effects if isinstance(effect, ShowNotice)]
    (detour,) = [notice for notice in notices if isinstance(notice, Detour)]
    assert (asked in detour.others) is not is_gone
