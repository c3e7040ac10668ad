"""Whom a program holds for late, and until when (PROTOCOL.md 9.4)."""

from dataclasses import dataclass, field

import pytest

from kotp2p.game.steps import Roster
from kotp2p.lineup.absence import MAX_NEW_WISHES, MAX_REFUSALS, WISH_SECONDS, Absence, Welcome
from kotp2p.lineup.attempts import FIRST_WAIT_SECONDS, PULLS_AT_ONCE, Attempts
from kotp2p.lineup.plan import Facts
from kotp2p.referee.model.answers import Seat
from kotp2p.seams.notices import AskedBecause
from kotp2p.wire.entries import MAX_ATTEMPT, Signed
from kotp2p.wire.lineups import Change, Here, LineUp, Ready, Reason, sign_wish
from tests.support.scribe import Scribe
from tests.tools.vector_table import fill

Patch = pytest.MonkeyPatch
FIRST, AGAIN = bytes(8), bytes(7) + b"\1"


@dataclass
class Waiting:
    """Seat 0, where another process of seat 3 wants to play."""

    scribe: Scribe = field(default_factory=lambda: Scribe(4))
    comes_back: Seat = 3
    sent: list[Signed] = field(default_factory=list)

    def __post_init__(self) -> None:
        ledger, signer = self.scribe.ledger, self.scribe.signers[0]
        self.facts = Facts(ledger)
        self.attempts = Attempts(
            ledger, self.facts, 0, signer, FIRST, self.sent.append, lambda lineup: None
        )
        self.absence = Absence(ledger, self.facts, self.attempts, 0, signer, self.sent.append)
        seat, signer = self.comes_back, self.scribe.signers[self.comes_back]
        self.facts.accept_here(Here.sign(signer, self.scribe.game, seat, AGAIN))
        self.absence.begin(0.0)

    def hear(self, now: float, *ready: Seat) -> None:
        """Come to `now`, and hear that these are READY for what this one is READY for."""
        self.attempts.advance(now)
        own = self.attempts.own
        assert own is not None
        for seat in ready:
            signer, instance = self.scribe.signers[seat], AGAIN if seat == 3 else FIRST
            said = (self.scribe.game, seat, own.attempt, own.lineup, instance)
            self.attempts.accept_ready(Ready.sign(signer, *said))
        self.absence.advance(now)

    @property
    def without(self) -> list[Seat]:
        wish = self.facts.wishes.get(0)
        return list(wish.without) if wish is not None else []


def test_who_has_given_what_it_owed_is_late_again_after_ten_seconds_more() -> None:
    """Not at the beginning of each attempt: its wish to go on without them would come and go, and
    the others would hold it for restless."""
    waiting = Waiting()
    waiting.hear(0.0, 1, 2)
    waiting.hear(60.0, 1, 2)
    waiting.absence.go_on(True, 60.0)
    assert waiting.without == [3]
    waiting.hear(60.0, 1, 2, 3)
    assert waiting.without == []
    said = (waiting.scribe.game, 3, waiting.attempts.attempt, bytes(32), AGAIN)
    waiting.attempts.accept_ready(Ready.sign(waiting.scribe.signers[3], *said))  # two are none
    waiting.absence.excuse_silence(100.0)
    waiting.hear(100.0, 1, 2)
    waiting.hear(109.9, 1, 2)
    assert waiting.without == []
    waiting.hear(110.0, 1, 2)
    assert waiting.without == [3]
    found = waiting.attempts._found[1]
    assert found is not None
    found = found.in_attempt(found.attempt + 1, waiting.scribe.game)
    for seat, instance in ((1, FIRST), (3, AGAIN)):
        said = (waiting.scribe.game, seat, found.attempt, found.id, instance)
        waiting.attempts.accept_ready(Ready.sign(waiting.scribe.signers[seat], *said))
    waiting.hear(110.0)
    assert waiting.attempts.has_done_its_part(3)
    assert waiting.without == [3], "it is READY again and again, and never assents"


def test_a_wish_that_has_come_to_nothing_rests_and_its_keeper_is_offered_still() -> None:
    waiting = Waiting()
    waiting.hear(0.0, 1, 2)
    waiting.hear(60.0, 1, 2)
    waiting.absence.go_on(True, 60.0)
    waiting.hear(60.0 + WISH_SECONDS, 1, 2)
    assert (waiting.without, waiting.absence.offered.seats) == ([], (3,))


def test_whom_another_wishes_away_is_asked_about_after_ten_seconds() -> None:
    """At once, and one who answers without thinking puts out who was late for a moment."""
    waiting = Waiting()
    wish = sign_wish(waiting.scribe.signers[1], waiting.scribe.game, 1, 1, without=(3,))
    waiting.facts.accept_wish(wish)
    waiting.hear(0.0, 1, 2)
    for seconds, seats in ((9.9, ()), (10.0, (3,))):
        waiting.hear(seconds, 1, 2)
        assert waiting.absence.offered.seats == seats
    waiting.absence.go_on(True, 10.0)
    for seconds, without in ((69.9, [3]), (70.0, []), (79.9, []), (80.0, [3])):
        waiting.hear(seconds, 1, 2)
        assert waiting.without == without


def test_what_most_and_this_keeper_have_signed_is_owed_by_who_has_signed_nothing_later() -> None:
    waiting = Waiting(Scribe(6))
    scribe, attempts = waiting.scribe, waiting.attempts
    lineups = [scribe.line_up(Change(5, Reason.ABSENT), attempt=n) for n in (3, 4, 5)]
    scribe.take(scribe.assents(lineups[0], 1, 2, 3))  # without this one: seat 4 may not know of it
    assert attempts.waited_for() == ()
    scribe.take(scribe.assents(lineups[1], 0, 1, 2))
    assert attempts.waited_for() == (3, 4)
    scribe.take(scribe.assents(lineups[2], 3))
    assert attempts.waited_for() == (4,)


def test_the_latest_readies_far_above_are_kept_and_no_older_one_is_new() -> None:
    waiting = Waiting()
    said = []
    for attempt in (50, 51, 49, 52, 51):
        ready = (waiting.scribe.game, 1, attempt, fill(1), FIRST)
        said.append(waiting.attempts.accept_ready(Ready.sign(waiting.scribe.signers[1], *ready)))
    assert said == [True, True, False, True, False]
    assert sorted(waiting.attempts._readies[1]) == [51, 52]


@pytest.mark.parametrize(("people", "tenths"), [(4, 9), (2, 5)])
def test_nobody_is_taken_up_so_far_that_no_attempts_are_left(people: int, tenths: int) -> None:
    waiting = Waiting(Scribe(people), comes_back=people - 1)
    for seat in range(1, people):
        said = (waiting.scribe.game, seat, MAX_ATTEMPT, fill(1), FIRST)
        waiting.attempts.accept_ready(Ready.sign(waiting.scribe.signers[seat], *said))
    assert waiting.attempts._said_ahead(0.0) == [(MAX_ATTEMPT * tenths // 10, 0)]


def test_one_alone_takes_others_up_only_so_often() -> None:
    waiting = Waiting()
    signer, game = waiting.scribe.signers[1], waiting.scribe.game
    for n in range(PULLS_AT_ONCE + 1):
        waiting.attempts.accept_ready(Ready.sign(signer, game, 1, 50 * (n + 1), fill(1), FIRST))
        assert bool(waiting.attempts._said_ahead(0.0)) is (n < PULLS_AT_ONCE)
        waiting.attempts._go_up(0.0)


def test_who_is_out_goes_up_with_most_and_not_with_one() -> None:
    scribe = Scribe(4)
    scribe.lose(0)
    waiting = Waiting(scribe)
    for seat, ahead in ((1, []), (2, [(50, 0)])):
        said = Ready.sign(scribe.signers[seat], scribe.game, seat, 50, fill(1), FIRST)
        waiting.attempts.accept_ready(said)
        assert waiting.attempts._said_ahead(0.0) == ahead


def test_who_is_ready_for_what_is_wanted_no_more_goes_up_after_a_while() -> None:
    waiting = Waiting()
    waiting.hear(0.0, 1, 2)
    before = waiting.attempts.attempt
    waiting.facts.heres.clear()
    waiting.attempts._keep_pace(2 * FIRST_WAIT_SECONDS)
    assert (waiting.attempts.attempt > before, waiting.attempts.own) == (True, None)


@pytest.mark.parametrize("stays", [True, False])
def test_who_is_ready_to_undo_it_may_lose_the_end(monkeypatch: Patch, *, stays: bool) -> None:
    waiting = Waiting()
    assert not waiting.attempts.may_lose_end()
    waiting.hear(0.0, 1, 2)
    monkeypatch.setattr(Attempts, "stays_at_end", lambda self: stays)
    assert waiting.attempts.may_lose_end() is not stays


def test_who_has_assented_stands_still_until_that_begins() -> None:
    waiting = Waiting(Scribe(5))
    lineup = waiting.scribe.line_up(Change(4, Reason.ABSENT))
    for seat, is_still in ((1, False), (0, True), (2, True), (3, False)):
        waiting.scribe.take(waiting.scribe.assents(lineup, seat))
        assert waiting.attempts.stands_still() is is_still


def test_who_is_ready_for_nothing_is_disturbed_by_nobody() -> None:
    scribe = Scribe(4)
    scribe.lose(3)
    waiting = Waiting(scribe)
    waiting.hear(0.0, 1, 2)
    attempts = waiting.attempts
    assert (*attempts.disturbing(0.0), *attempts.staying()) == (3, 0, 1, 2, 3)
    attempts.own = None
    assert not attempts.disturbing(0.0)
    assert not attempts.staying()


def test_time_to_think_about_an_offer_is_counted_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who had thought for a minute was late as soon as it owed something; a witness was out."""
    waiting = Waiting()
    monkeypatch.setattr(Roster, "seats_of", lambda *_: ())
    monkeypatch.setattr(Absence, "_slow_to_agree", lambda _: {2})
    waiting.hear(0.0, 1, 2)
    for seconds, is_late in ((119.9, False), (120.0, True)):
        waiting.hear(seconds, 1, 2)
        assert (2 in waiting.absence.offered.seats) is is_late
    assert 2 not in waiting.absence._stalled
    assert waiting.without == [3], "a witness, too, is asked about for what its player thinks"


def test_no_program_is_restless_whatever_others_make_it_wish() -> None:
    """Two keepers that were out said HERE again and again: those that refused each of their
    processes blamed each other, and put one out."""
    waiting = Waiting()
    for seconds in range(12):
        waiting.absence.refuse(3, bytes([seconds] * 8), float(seconds))
    assert len(waiting.sent) == MAX_NEW_WISHES
    waiting.absence.stop_today(True, 12.0)
    assert len(waiting.sent) == MAX_NEW_WISHES + 1
    waiting.absence.refuse(3, AGAIN, 13.0)
    waiting.absence.advance(61.0)
    assert waiting.facts.wishes[0].refused == ((3, AGAIN),)


@pytest.mark.parametrize("leaves", [False, True])
def test_leavers_do_not_count_where_a_member_is_slow_to_agree(leaves: bool) -> None:
    """Three go on without seat 3: half of six members, and most of those that stay."""
    scribe = Scribe(6)
    waiting = Waiting(scribe)
    if leaves:
        scribe.ledger.accept_leave(scribe.leave(5))
    for seat in (1, 2):
        wish = sign_wish(scribe.signers[seat], scribe.game, seat, 1, without=(3,))
        waiting.facts.accept_wish(wish)
    for seconds in range(0, 65, 5):
        waiting.hear(seconds, 1, 2, 4, 5)
    waiting.absence.go_on(True, 60.0)
    assert 3 in waiting.without
    for seconds in range(65, 195, 5):
        waiting.hear(seconds, 1, 2, 4, 5)
        assert 4 not in waiting.absence.offered.seats or seconds >= 190
    assert (4 in waiting.absence.offered.seats) == leaves


def test_a_member_is_bound_by_its_assent_to_what_others_have_found_and_to_nothing_made_up() -> None:
    waiting = Waiting()
    waiting.hear(0.0, 1, 2)
    attempts, found = waiting.attempts, waiting.attempts._found[1]
    assert found is not None
    place = (found.predecessor, found.base, found.position)
    other = LineUp.build(waiting.scribe.game, found.attempt + 1, *place, found.plan, found.openings)
    for lineup, seat in [(other, 2), (found, 1)]:
        assent = lineup.assent(waiting.scribe.signers[seat])
        waiting.scribe.ledger.accept_line_up(lineup.signed({seat: assent}))
        assert attempts.bound_members() == []
    for lineup, bound in [(found, [1]), (other, [1, 2])]:
        for seat, signer in enumerate(waiting.scribe.signers):
            instance = AGAIN if seat == 3 else FIRST
            said = (waiting.scribe.game, seat, lineup.attempt, lineup.id, instance)
            attempts.accept_ready(Ready.sign(signer, *said))
        assert attempts.bound_members() == bound


@pytest.mark.parametrize(
    ("attempts", "is_same"), [((3, 4), True), ((4, 5), False), ((5, 4), False), ((5, 6), True)]
)
def test_a_line_up_is_no_more_the_same_from_the_attempt_on_in_which_a_leave_counts(
    attempts: tuple[int, int], is_same: bool
) -> None:
    waiting = Waiting()
    waiting.hear(0.0)
    scribe, found = waiting.scribe, waiting.attempts._found[1]
    assert found is not None
    scribe.take(scribe.leave(3, 4))
    one, other = [found.in_attempt(attempt, scribe.game) for attempt in attempts]
    assert waiting.attempts._has_same_plan(one, other) is is_same


def test_who_is_asked_about_does_not_depend_on_who_else_said_here_before() -> None:
    scribe = Scribe(5)
    scribe.lose(2, 3)
    waiting = Waiting(scribe)
    for seat in (4, 2):
        waiting.facts.accept_here(Here.sign(scribe.signers[seat], scribe.game, seat, AGAIN))
    welcome = Welcome(waiting.facts, waiting.attempts, waiting.absence, {2: MAX_REFUSALS})
    assert welcome.judge(0.0) == [(2, AskedBecause.REFUSED_ROLLS)]


def test_who_is_far_below_most_goes_up_to_them_at_once() -> None:
    waiting = Waiting()
    waiting.hear(0.0)
    found = waiting.attempts._found[1]
    assert found is not None
    far = found.in_attempt(100, waiting.scribe.game)
    for seat in (1, 2):
        assert waiting.attempts.attempt == 1
        said = (waiting.scribe.game, seat, 100, far.id, FIRST)
        waiting.attempts.accept_ready(Ready.sign(waiting.scribe.signers[seat], *said))
        waiting.attempts.advance(0.1)
    assert waiting.attempts.attempt == 100


@pytest.mark.parametrize(("leaves", "attempt"), [(2, 10), (3, 3)])
def test_only_a_member_that_leaves_uses_up_attempts(leaves: Seat, attempt: int) -> None:
    scribe = Scribe(4)
    scribe.lose(3)
    waiting = Waiting(scribe)
    waiting.attempts.advance(0.0)
    scribe.ledger.accept_leave(scribe.leave(leaves, 9))
    waiting.attempts.advance(1.0)
    assert waiting.attempts.attempt == attempt
