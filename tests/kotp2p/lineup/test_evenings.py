"""What friends see when one of them does not answer, leaves, comes back or cheats (PROTOCOL 9)."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

import pytest

from kotp2p.extras.bots import Noise, choose
from kotp2p.game.verify import Report, Result, verify_log
from kotp2p.lineup import absence
from kotp2p.mesh.gossip import AskDecision
from kotp2p.peer.peer import Peer
from kotp2p.peer.presence import STALL_SECONDS
from kotp2p.referee.model.answers import Reroll, Seat
from kotp2p.seams import notices
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import Notice
from kotp2p.store.saved_game import SavedPlaces, epoch_of, game_folder, load_game, make_instance
from kotp2p.wire.entries import INSTANCE_BYTES, Answering, Entry
from kotp2p.wire.genesis import Clocks
from kotp2p.wire.lineups import Reason
from tests.support.memory_world import MemoryNet, memory_disk, world
from tests.tools.sim.mesh import Mesh, Process, log_bytes
from tests.tools.sim.signed_table import sign_table

N = TypeVar("N")
"""The kind of a notice."""
THINKING = 0.5


@dataclass
class Evening:
    """Friends that answer soon, but for those who are away from the keyboard."""

    seats: int = 3
    keepers: int = 3
    seed: str = "evening"
    clocks: Clocks = field(default_factory=lambda: Clocks(0, 0))
    automatic: tuple[Seat, ...] = ()
    away: set[Seat] = field(default_factory=set)
    mesh: Mesh = field(init=False)
    shown: dict[Seat, list[tuple[float, Notice]]] = field(default_factory=dict)
    _asked: dict[Seat, tuple[Process, AskDecision]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        chance = Random(self.seed)
        table = sign_table(chance, self.seats, self.keepers, "second", self.clocks, self.automatic)
        self.mesh = Mesh(table, chance, 0.02)
        self.mesh.on_ask = self._ask
        self.mesh.on_notice.append(self._show)
        for keeper in range(self.keepers):
            self.mesh.begin(keeper)
        self.mesh.dial_again()

    # -- what the friends do -------------------------------------------------------------------

    def _ask(self, process: Process, asked: AskDecision) -> None:
        is_own = asked.seat == process.keeper
        if is_own:
            self._asked[process.keeper] = (process, asked)
        if not is_own or process.keeper not in self.away:
            self.mesh.after(THINKING, lambda: self._answer(process, asked))

    def _answer(self, process: Process, asked: AskDecision) -> None:
        peer = process.peer
        if peer.ledger.place != asked.place or peer.ledger.game.pending != asked.decision:
            return
        view = peer.view_of(asked.seat)
        answer = choose("easy", view.game, asked.decision, Noise(), view.top)
        place, seat = asked.place, asked.seat
        self.mesh.do(process, lambda p: p.accept_answer(place, seat, answer, self.mesh.now))

    def sit_down(self, keeper: Seat) -> None:
        """Somebody is at the keyboard again, and presses a key."""
        self.away.discard(keeper)
        self.press(keeper, lambda peer, now: peer.come_back(now))
        if keeper in self._asked:
            self._answer(*self._asked[keeper])

    def press(self, keeper: Seat, what: Callable[[Peer, float], None]) -> None:
        process = self.mesh.processes[keeper]
        self.mesh.do(process, lambda peer: what(peer, self.mesh.now))

    def go_on(self, *keepers: Seat, bot: bool = True) -> None:
        for keeper in keepers:
            self.press(keeper, lambda peer, now: peer.go_on(bot, now))

    def restart(self, keeper: Seat) -> None:
        self.mesh.resume(keeper, self.mesh.processes[keeper].disk)
        self.mesh.dial_again()

    # -- time and what is seen -----------------------------------------------------------------

    def wait(self, seconds: float) -> None:
        self.mesh.run_until(self.mesh.now + seconds)

    def until(self, there: Callable[[], bool], within: float = 3600.0) -> None:
        self.mesh.run_until(self.mesh.now + within, there)
        assert there(), "it does not come"

    def play_out(self) -> None:
        here = [p for p in self.mesh.processes.values() if p.is_alive and p.ended is None]
        self.until(lambda: all(p.ended is not None for p in here))
        assert all(p.ended is not None and p.ended[0] is EndKind.FINISHED for p in here)

    def waits_for(self, keeper: Seat) -> None:
        """Until the game waits for this keeper's decision."""
        self.until(lambda: keeper in self._asked and self._is_asked(keeper))

    def _is_asked(self, keeper: Seat) -> bool:
        process, asked = self._asked[keeper]
        return process.peer.ledger.place == asked.place

    def _show(self, process: Process, notice: Notice) -> None:
        self.shown.setdefault(process.keeper, []).append((self.mesh.now, notice))

    def seen(self, keeper: Seat, kind: type[N]) -> list[N]:
        return [n for _, n in self.shown.get(keeper, ()) if isinstance(n, kind)]

    def peer(self, keeper: Seat) -> Peer:
        return self.mesh.processes[keeper].peer

    def ended(self, keeper: Seat) -> EndKind | None:
        ended = self.mesh.processes[keeper].ended
        return None if ended is None else ended[0]

    def report(self, keeper: Seat) -> Report:
        return verify_log(log_bytes(self.mesh.table, self.mesh.processes[keeper].disk))


ANA, REX, MIA, KIM = 0, 1, 2, 3


def reasons(evening: Evening, keeper: Seat) -> list[tuple[Seat, Reason]]:
    begun = evening.seen(keeper, notices.LineUpBegun)
    return [(change.keeper, change.reason) for notice in begun for change in notice.changes]


def offered_without(away: Seat, keepers: int = 3) -> Evening:
    """The game waits for this player, who is away, and the others are asked about that."""
    evening = Evening(keepers, keepers, away={away})
    evening.waits_for(away)
    evening.wait(absence.OFFER_AFTER_SECONDS + 2 * absence.SAMPLE_SECONDS)
    return evening


def without_mia() -> Evening:
    """The game waits for Mia, who is away, and the others let a bot play."""
    evening = offered_without(MIA)
    evening.go_on(ANA, REX)
    evening.wait(2.0)
    return evening


# -- somebody does not answer ------------------------------------------------------------------


@pytest.mark.parametrize("clock", [0, 120])
def test_after_a_minute_or_the_clock_the_others_are_offered_a_bot_not_before(clock: int) -> None:
    evening = Evening(away={MIA}, clocks=Clocks(clock, clock))
    evening.waits_for(MIA)
    evening.wait(max(absence.OFFER_AFTER_SECONDS, clock) - 1)
    assert evening.seen(ANA, notices.Offer) == []
    evening.wait(1 + 2 * absence.SAMPLE_SECONDS)
    (offer,) = evening.seen(ANA, notices.Offer)
    assert (offer.seats, offer.can_go_on, offer.yours) == ((MIA,), True, True)
    assert evening.seen(MIA, notices.Offer) == []


def test_each_turn_has_the_whole_time_of_its_clock_and_each_reaction_its_own() -> None:
    evening = Evening(clocks=Clocks(120, 60))

    def left(limit: int) -> list[float]:
        clocks = evening.seen(ANA, notices.OwnClock)
        return [clock.seconds_left for clock in clocks if clock.limit == limit]

    evening.until(lambda: left(120).count(120) == 2 and bool(left(60)))
    assert left(120)[:2] == [120, pytest.approx(120 - THINKING, abs=0.1)]
    assert set(left(60)) == {60}


def test_a_change_that_one_holds_up_is_shown_until_it_comes() -> None:
    evening = offered_without(MIA, 4)
    evening.go_on(KIM)
    evening.wait(1.0)
    evening.mesh.sleep(KIM)
    evening.go_on(ANA, REX)
    evening.wait(STALL_SECONDS + 2.0)
    assert evening.seen(ANA, notices.ChangeStalls) == [notices.ChangeStalls((KIM,))]
    evening.mesh.wake(KIM)
    evening.mesh.dial_again()
    evening.wait(30.0)
    told = [notice.seats for notice in evening.seen(ANA, notices.ChangeStalls)]
    assert told == [(KIM,), ()]  # not for a moment who was fast


def test_a_farewell_that_one_holds_up_is_no_longer_held_up_once_it_counts() -> None:
    evening = Evening(4, 4)
    evening.wait(10.0)
    evening.mesh.sleep(KIM)
    evening.press(REX, Peer.give_up)
    evening.wait(STALL_SECONDS + 2.0)
    evening.mesh.wake(KIM)
    evening.mesh.dial_again()
    evening.wait(1.0)
    told = [notice.seats for notice in evening.seen(ANA, notices.ChangeStalls)]
    assert told == [(KIM,), ()]


def test_a_bot_plays_once_all_others_agree_and_the_screen_names_whom_it_waits_for() -> None:
    evening = offered_without(MIA, 4)
    evening.go_on(ANA)
    evening.wait(1.0)
    assert evening.seen(REX, notices.Wished)[-1] == notices.Wished(ANA, (MIA,), (REX, 3))
    assert reasons(evening, ANA) == []
    evening.go_on(REX, 3)
    evening.wait(1.0)
    assert reasons(evening, ANA) == [(MIA, Reason.ABSENT)]
    assert evening.peer(ANA).view.is_played_by_bot(MIA)
    assert MIA in evening.peer(ANA).ledger.game.state.seats_alive()
    assert evening.seen(ANA, notices.OfferEnded)
    assert not evening.seen(ANA, notices.Unsteady)
    evening.play_out()
    told = [wish.without for seat in (ANA, REX, 3) for wish in evening.seen(seat, notices.Wished)]
    assert set(told) == {(MIA,)}  # a wish that has come true is not said to be taken back


def test_what_another_asks_for_can_be_agreed_to_before_ones_own_minute_is_over() -> None:
    evening = Evening(away={MIA})
    evening.waits_for(MIA)
    evening.wait(absence.OFFER_AFTER_SECONDS / 2)
    evening.peer(REX).absence._held.clear()  # Rex's machine has seen her hold up the game later
    evening.wait(absence.OFFER_AFTER_SECONDS / 2 + 2 * absence.SAMPLE_SECONDS)
    assert evening.seen(REX, notices.Offer) == []
    evening.go_on(ANA)
    evening.wait(absence.SAMPLE_SECONDS)
    (offer,) = evening.seen(REX, notices.Offer)
    assert (offer.seats, offer.can_go_on, offer.yours) == ((MIA,), True, True)
    evening.go_on(REX)
    evening.wait(absence.SAMPLE_SECONDS)
    assert reasons(evening, ANA) == [(MIA, Reason.ABSENT)]
    assert len(evening.seen(REX, notices.Offer)) == 1


def test_a_wish_can_be_changed_until_all_agree() -> None:
    evening = offered_without(MIA)
    evening.go_on(ANA)
    evening.wait(1.0)
    evening.go_on(ANA, bot=False)
    evening.go_on(REX)
    evening.wait(5.0)
    assert reasons(evening, ANA) == []
    evening.go_on(ANA)
    evening.wait(3.0)  # the two meet in an attempt
    assert reasons(evening, ANA) == [(MIA, Reason.ABSENT)]


def test_who_has_not_answered_the_offer_for_two_minutes_goes_along_with_the_others() -> None:
    evening = offered_without(MIA, 4)
    evening.go_on(ANA, 3)
    evening.mesh.sleep(REX)
    evening.wait(absence.ANSWER_SECONDS)
    evening.mesh.wake(REX)
    evening.mesh.dial_again()
    evening.wait(absence.ANSWER_SECONDS - 3 * absence.SAMPLE_SECONDS)
    assert reasons(evening, ANA) == []
    evening.wait(5 * absence.SAMPLE_SECONDS)
    assert reasons(evening, ANA) == [(MIA, Reason.ABSENT)]


def test_nobody_waits_for_the_wish_of_one_that_has_left() -> None:
    evening = offered_without(MIA, 5)
    evening.mesh.sleep(MIA)  # so the line-up without the one that leaves cannot begin either
    evening.press(4, lambda peer, now: peer.give_up(now))
    evening.go_on(ANA, 3)
    evening.wait(absence.SAMPLE_SECONDS)
    assert notices.Wished(3, (MIA,), (REX,)) in evening.seen(ANA, notices.Wished)
    evening.wait(absence.ANSWER_SECONDS)
    assert reasons(evening, ANA) == [(MIA, Reason.ABSENT), (4, Reason.LEFT)]


def test_nobody_waits_for_the_wish_of_one_whose_machine_is_off() -> None:
    evening = offered_without(MIA, 5)
    evening.mesh.sleep(4)
    evening.wait(absence.SAMPLE_SECONDS)
    evening.go_on(ANA, 3)  # and Rex does not answer
    evening.until(lambda: 4 in evening.peer(ANA).absence.offered.seats)
    evening.go_on(ANA, 3)
    evening.wait(absence.ANSWER_SECONDS + 2 * absence.SAMPLE_SECONDS)
    assert reasons(evening, ANA) == [(MIA, Reason.ABSENT), (4, Reason.ABSENT)]


def test_each_absence_is_asked_about_anew() -> None:
    evening = offered_without(MIA)
    evening.go_on(ANA)
    evening.sit_down(MIA)
    evening.wait(10.0)
    evening.away.add(MIA)
    evening.waits_for(MIA)
    evening.until(lambda: evening.peer(ANA).absence.offered.seats == (MIA,))
    evening.wait(1.0)
    assert evening.peer(REX).facts.wishes[ANA].without == ()


def test_who_would_rather_wait_is_shown_to_the_others_once() -> None:
    evening = offered_without(MIA, 4)
    for _ in range(2):
        evening.press(ANA, lambda peer, now: peer.go_on(bot=False, now=now))
        evening.wait(1.0)
    assert evening.seen(REX, notices.Wished) == [notices.Wished(ANA, (), ())]
    assert evening.seen(ANA, notices.Wished) == []
    evening.go_on(ANA)
    evening.wait(1.0)
    assert evening.seen(REX, notices.Wished)[-1].without == (MIA,)


def test_who_wants_the_same_in_the_next_absence_is_shown_again() -> None:
    evening = offered_without(MIA)
    for keeper in (ANA, REX):
        evening.go_on(keeper)
        evening.wait(2.0)
    evening.sit_down(MIA)
    evening.until(lambda: (MIA, Reason.BACK) in reasons(evening, ANA))
    evening.away.add(MIA)
    evening.wait(10.0)
    evening.waits_for(MIA)
    evening.until(lambda: evening.peer(ANA).absence.offered.seats == (MIA,))
    evening.go_on(ANA)
    evening.wait(1.0)
    wish = notices.Wished(ANA, (MIA,), (REX,))
    assert evening.seen(REX, notices.Wished).count(wish) == 2


def test_who_comes_back_does_not_want_to_stop_any_more() -> None:
    evening = offered_without(MIA)
    evening.press(MIA, lambda peer, now: peer.stop_today(True, now))
    evening.go_on(ANA, REX)
    evening.until(lambda: (MIA, Reason.BACK) in reasons(evening, ANA))
    assert not evening.peer(ANA).facts.wishes[MIA].stops


def test_who_has_said_to_wait_does_not_go_along() -> None:
    evening = offered_without(MIA, 4)
    evening.go_on(ANA, 3)
    evening.go_on(REX, bot=False)
    evening.wait(2 * absence.ANSWER_SECONDS)
    assert reasons(evening, ANA) == []


def test_of_two_nobody_is_enough_alone_and_the_offer_says_so() -> None:
    evening = offered_without(REX, 2)
    (offer,) = evening.seen(ANA, notices.Offer)
    assert not offer.can_go_on
    evening.go_on(ANA)
    evening.wait(60.0)
    assert reasons(evening, ANA) == []


def test_programs_that_answer_for_their_players_agree_by_themselves() -> None:
    evening = Evening(3, 3, automatic=(ANA, REX), away={MIA})
    evening.waits_for(MIA)
    evening.wait(absence.OFFER_AFTER_SECONDS + 3 * absence.SAMPLE_SECONDS)
    assert reasons(evening, ANA) == [(MIA, Reason.ABSENT)]


def test_an_answer_that_comes_ends_the_offer() -> None:
    evening = offered_without(MIA)
    evening.sit_down(MIA)
    evening.wait(0.2)
    assert evening.seen(ANA, notices.OfferEnded)[-1].seats == (MIA,)
    evening.play_out()


# -- coming back ---------------------------------------------------------------------------------


def test_a_player_who_is_at_the_keyboard_again_has_the_seat_again_and_reads_what_the_bot_did() -> (
    None
):
    evening = without_mia()
    evening.wait(3.0)
    evening.sit_down(MIA)
    evening.wait(3.0)
    assert reasons(evening, ANA)[-1] == (MIA, Reason.BACK)
    assert evening.seen(ANA, notices.ReturnAsked) == []
    (played,) = evening.seen(MIA, notices.PlayedForYou)
    assert played.events
    assert not evening.peer(ANA).view.is_played_by_bot(MIA)
    evening.play_out()


def test_a_player_whom_the_others_do_not_hear_is_not_asked_to_let_itself_back() -> None:
    evening = without_mia()
    for keeper in (ANA, REX):
        evening.mesh.sleep(keeper)
    evening.sit_down(MIA)
    evening.wait(absence.FOLLOW_SECONDS + 3.0)
    assert evening.seen(MIA, notices.ReturnAsked) == []


def test_the_program_of_a_player_who_is_away_does_not_come_back_by_itself() -> None:
    evening = without_mia()
    evening.wait(120.0)
    assert reasons(evening, ANA) == [(MIA, Reason.ABSENT)]


def test_the_process_after_one_that_came_back_is_the_later_one() -> None:
    evening = without_mia()
    first = evening.peer(MIA).returning.instance
    evening.sit_down(MIA)
    evening.wait(3.0)
    assert first < evening.peer(MIA).returning.instance < make_instance(1, bytes(INSTANCE_BYTES))


def test_a_machine_that_slept_for_a_quarter_of_an_hour_has_its_seat_again() -> None:
    evening = Evening()
    evening.wait(10.0)
    evening.mesh.sleep(MIA)
    evening.wait(40.0)
    assert [notice.seat for notice in evening.seen(ANA, notices.Gone)] == [MIA]
    evening.wait(absence.OFFER_AFTER_SECONDS)
    evening.go_on(ANA, REX)
    evening.wait(900.0 - 100.0)
    evening.mesh.wake(MIA)
    evening.mesh.dial_again()
    evening.wait(15.0)
    if evening.ended(ANA) is None:
        assert reasons(evening, ANA)[-1] == (MIA, Reason.BACK)
    evening.until(lambda: evening.ended(ANA) is not None)
    assert evening.report(ANA).result is Result.SOUND


def test_what_a_bot_plays_in_somebodys_place_comes_to_that_player_through_others() -> None:
    evening = without_mia()
    evening.mesh.apart.add((ANA, MIA))
    evening.mesh.drop(evening.mesh.links[ANA, MIA])
    assert evening.peer(REX).ledger.roster.keepers[MIA] == ANA
    height = evening.peer(MIA).ledger.height
    evening.until(lambda: evening.peer(MIA).ledger.height > height + 20, within=30)


def test_a_member_comes_back_through_a_keeper_that_is_out() -> None:
    evening = without_mia()
    evening.mesh.apart.add((ANA, REX))
    evening.mesh.kill(ANA)
    evening.wait(1)
    evening.restart(ANA)
    evening.until(lambda: (ANA, Reason.AGAIN) in reasons(evening, REX), within=60)


def test_a_program_that_is_begun_again_at_once_has_its_seat_and_nobody_is_asked() -> None:
    evening = Evening()
    evening.wait(10.0)
    evening.mesh.kill(MIA)
    evening.wait(2.0)
    evening.restart(MIA)
    evening.wait(absence.LISTEN_SECONDS + 2.0)
    assert reasons(evening, ANA) == [(MIA, Reason.AGAIN)]
    assert evening.seen(ANA, notices.Offer) == []
    evening.play_out()
    assert evening.report(MIA).result is Result.SOUND


def test_a_machine_that_slept_before_the_others_could_be_heard_listens_anew() -> None:
    evening = Evening()
    evening.wait(10.0)
    evening.restart(MIA)
    evening.wait(absence.LISTEN_SECONDS - 1.0)
    evening.mesh.sleep(MIA)
    evening.wait(30.0)
    evening.mesh.wake(MIA)
    returning = evening.mesh.processes[MIA].peer.returning
    assert not returning.may_sign(evening.mesh.now + 1.0)
    evening.wait(absence.LISTEN_SECONDS + 2.0)
    assert returning.may_sign(evening.mesh.now)


def test_without_its_file_of_epochs_a_process_is_later_than_the_one_that_the_log_names() -> None:
    evening = Evening()
    evening.wait(10.0)
    evening.restart(MIA)
    evening.wait(absence.LISTEN_SECONDS + 2.0)
    process, table = evening.mesh.processes[MIA], evening.mesh.table
    here, signer = world(MemoryNet(), "10.0.0.1", "a"), table.signers[MIA]
    folder = game_folder(here, table.genesis.id, signer.key)
    memory_disk(here).files |= {
        folder / "log": log_bytes(table, process.disk),
        folder / "seed": table.seeds[MIA],
        folder / "places": SavedPlaces.unknown(table.genesis).encode(),
    }
    saved = load_game(here, folder, signer)
    assert saved is not None
    assert saved.epoch == epoch_of(process.peer.returning.instance) > 0


def test_a_machine_that_sleeps_again_before_it_is_back_asks_again() -> None:
    evening = Evening(3, 3, automatic=(ANA, REX))
    evening.mesh.sleep(MIA)
    evening.until(lambda: (MIA, Reason.ABSENT) in reasons(evening, ANA))
    evening.mesh.wake(MIA)
    evening.mesh.dial_again()
    evening.until(lambda: MIA in evening.peer(ANA).facts.heres)
    evening.mesh.sleep(MIA)
    evening.wait(20.0)
    assert MIA in evening.peer(ANA).absence.refused
    evening.mesh.wake(MIA)
    evening.mesh.dial_again()
    evening.until(lambda: (MIA, Reason.BACK) in reasons(evening, ANA), within=15.0)


def test_a_machine_that_slept_while_its_player_was_asked_has_its_seat_again() -> None:
    evening = offered_without(MIA)
    evening.mesh.sleep(MIA)
    evening.go_on(ANA, REX)
    evening.wait(20.0)
    evening.mesh.wake(MIA)
    evening.mesh.dial_again()
    evening.until(lambda: (MIA, Reason.BACK) in reasons(evening, ANA), within=15.0)


# -- leaving and stopping ------------------------------------------------------------------------


def test_who_gives_up_is_out_within_a_second_and_nobody_is_asked() -> None:
    evening = Evening(4, 4)
    evening.wait(10.0)
    evening.press(MIA, lambda peer, now: peer.give_up(now))
    evening.wait(1.0)
    assert evening.ended(MIA) is EndKind.LEFT
    assert reasons(evening, ANA) == [(MIA, Reason.LEFT)]
    assert MIA not in evening.peer(ANA).ledger.game.state.seats_alive()
    assert MIA not in evening.peer(ANA).view.keepers
    assert evening.seen(ANA, notices.Offer) == []
    evening.play_out()


def test_who_lets_a_bot_play_on_keeps_the_monster_and_can_come_back() -> None:
    evening = Evening()
    evening.wait(10.0)
    evening.press(MIA, lambda peer, now: peer.let_bot_play(now))
    evening.wait(2.0)
    assert evening.ended(MIA) is EndKind.KEPT
    assert reasons(evening, ANA) == [(MIA, Reason.ABSENT)]
    assert evening.seen(ANA, notices.Offer) == []
    evening.restart(MIA)
    evening.wait(15.0)
    assert reasons(evening, ANA)[-1] == (MIA, Reason.BACK)
    evening.play_out()


def test_the_game_stops_for_today_when_all_that_are_there_agree() -> None:
    evening = Evening()
    evening.wait(10.0)
    for keeper in (ANA, REX):
        evening.press(keeper, lambda peer, now: peer.stop_today(True, now))
        evening.wait(1.0)
    assert evening.seen(MIA, notices.StopWanted)[-1] == notices.StopWanted(REX, True, (MIA,))
    assert evening.ended(ANA) is None
    evening.press(MIA, lambda peer, now: peer.stop_today(True, now))
    evening.wait(1.0)
    assert [evening.ended(keeper) for keeper in range(3)] == [EndKind.ADJOURNED] * 3
    for keeper in range(3):
        evening.restart(keeper)
    evening.play_out()


def test_a_wish_to_stop_can_be_taken_back() -> None:
    evening = Evening()
    evening.wait(10.0)
    evening.press(ANA, lambda peer, now: peer.stop_today(True, now))
    evening.press(ANA, lambda peer, now: peer.stop_today(False, now))
    evening.wait(1.0)
    for keeper in (REX, MIA):
        evening.press(keeper, lambda peer, now: peer.stop_today(True, now))
    evening.wait(1.0)
    assert [evening.ended(keeper) for keeper in range(3)] == [None] * 3


# -- cheats --------------------------------------------------------------------------------------


def test_a_proven_cheat_is_out_within_a_second() -> None:
    evening = Evening(4, 4, away={MIA})
    evening.waits_for(MIA)
    ledger, signer = evening.peer(ANA).ledger, evening.mesh.table.signers[MIA]
    for dice, to in (((0,), ANA), ((1,), REX)):
        load = Answering(Reroll(dice))
        entry = Entry.sign(signer, *ledger.place, ledger.head, MIA, load)
        evening.mesh.send(evening.mesh.processes[MIA], to, entry.signed)
    evening.wait(1.0)
    assert [notice.seat for notice in evening.seen(ANA, notices.Cheated)] == [MIA]
    for keeper in (ANA, REX, 3):
        assert reasons(evening, keeper) == [(MIA, Reason.CHEATED)]
    assert MIA not in evening.peer(REX).ledger.game.state.seats_alive()
    evening.play_out()


# -- the end -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seconds", "is_out"), [(5.0, False), (60.0, False), (5.0, True)])
def test_who_is_cut_off_at_the_end_is_waited_for_until_gone(seconds: float, is_out: bool) -> None:
    evening = without_mia() if is_out else Evening()
    evening.until(lambda: bool(evening.peer(ANA).ledger.game.state.winners is not None))
    evening.mesh.apart |= {(ANA, MIA), (REX, MIA)}
    for pair in evening.mesh.apart:
        evening.mesh.drop(evening.mesh.links[pair])
    evening.wait(seconds)
    evening.mesh.apart.clear()
    evening.mesh.dial_again()
    evening.wait(120.0)
    (finished,) = evening.seen(ANA, notices.GameFinished)
    assert (MIA in finished.confirmed_by) == (seconds < 30.0 and not is_out)
    assert evening.ended(MIA) is EndKind.FINISHED
    assert evening.report(ANA).result is Result.SOUND


def test_who_closes_the_lid_at_the_end_waits_for_the_others_when_it_is_open_again() -> None:
    evening = Evening()
    evening.until(lambda: bool(evening.peer(MIA).ledger.game.state.winners is not None))
    for change in (evening.mesh.sleep, evening.mesh.wake):
        for keeper in (MIA, ANA, REX):
            change(keeper)
        evening.mesh.dial_again()
        evening.wait(600.0)
    assert evening.seen(MIA, notices.GameFinished)[0].confirmed_by == (ANA, REX, MIA)


@pytest.mark.parametrize("keepers", [1, 2, 3, 4, 6])
def test_a_whole_evening_with_bots_ends_well(keepers: int) -> None:
    evening = Evening(6, keepers, seed=f"bots {keepers}")
    evening.play_out()
    for keeper in range(keepers):
        report = evening.report(keeper)
        assert (report.result, report.changes) == (Result.SOUND, ())
        assert report.confirmed_by == tuple(range(keepers))
        assert evening.seen(keeper, notices.ProgramFault) == []
