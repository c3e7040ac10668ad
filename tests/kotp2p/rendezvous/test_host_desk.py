"""The host at its mailbox: whom it answers, how many guesses it hears, and when it moves away."""

import os
from dataclasses import replace
from random import Random

import pytest

from kotp2p.rendezvous import desks
from kotp2p.rendezvous.exchange import Entropy, GuestExchange, HostExchange, Introduction
from kotp2p.rendezvous.mailbox import Message
from kotp2p.rendezvous.words import Code
from tests.support.courses import digest_of
from tests.support.memory_world import seeded

CODE = Code(7412, 3, 5)
WRONG = replace(CODE, first=4)
TOKEN = b"t" * 32


def introduce(_seen_at: str) -> Introduction:
    return Introduction(b"s", b"f" * 10, (), "tcp:relay.test:4001", TOKEN)


def desk_of(*, is_first: bool = True, entropy: Entropy = os.urandom) -> desks.HostDesk:
    return desks.HostDesk(CODE, entropy, introduce, is_first=is_first)


def spent_desk(entropy: Entropy = os.urandom) -> desks.HostDesk:
    """One that has heard all wrong words that it hears at once."""
    desk = desk_of(entropy=entropy)
    for _ in range(desks.GUESSES_AT_ONCE):
        assert ask(desk, WRONG)[1]
    return desk


def guest_says(phase: str, body: bytes, *, at: float = 1000.0, is_old: bool = False) -> Message:
    return Message(desks.GUEST_SIDE, phase, body, at, is_old)


def host_says(phase: str, body: bytes, *, at: float = 1000.0, is_old: bool = False) -> Message:
    return Message(desks.HOST_SIDE, phase, body, at, is_old)


def ask(
    desk: desks.HostDesk, code: Code, now: float = 0.0
) -> tuple[GuestExchange, list[desks.DeskEffect]]:
    """One guest goes as far as its confirmation; returns what follows from that."""
    guest = GuestExchange(code, os.urandom)
    desk.hear(guest_says(f"{guest.id}/3", guest.confirm(answered(desk, guest, now), "")), now)
    return guest, desk.take_effects()


def answered(desk: desks.HostDesk, guest: GuestExchange, now: float = 0.0) -> bytes:
    desk.hear(guest_says(f"{guest.id}/1", guest.open()), now)
    (answer,) = desk.take_effects()
    assert isinstance(answer, desks.Answer)
    return answer.body


def was_introduced(guest: GuestExchange, effects: list[desks.DeskEffect]) -> bool:
    answers = [e for e in effects if isinstance(e, desks.Answer) and e.phase == f"{guest.id}/4"]
    return bool(answers) and answers[0].body != desks.WRONG_WORDS


def test_a_friend_is_admitted_at_the_relay_and_introduced() -> None:
    guest, (admitted, answer) = ask(desk_of(), CODE)
    assert admitted == desks.Admit(TOKEN)
    assert isinstance(answer, desks.Answer)
    assert guest.read_introduction(answer.body).token == TOKEN


@pytest.mark.parametrize("place", [0, 1, 2])
def test_strangers_who_answer_that_the_words_are_wrong_keep_no_friend_out(place: int) -> None:
    desk, guest, end = desk_of(), desks.GuestDesk(CODE, os.urandom), None
    opening = guest.open()
    asked = opening.phase[:-2]
    desk.hear(guest_says(opening.phase, opening.body), 0)
    (answer,) = desk.take_effects()
    assert isinstance(answer, desks.Answer)
    answers = [HostExchange(WRONG, asked, os.urandom).answer(opening.body) for _ in range(2)]
    answers.insert(place, answer.body)
    for body in answers:
        confirmation = guest.hear(host_says(answer.phase, body), "")
        assert isinstance(confirmation, desks.Answer)
        assert guest.hear(host_says(answer.phase, body), "") is None
        assert guest.hear(host_says(f"{asked}/4", desks.WRONG_WORDS), "") is None
        assert guest.is_refused
        desk.hear(guest_says(confirmation.phase, confirmation.body), 0)
        end = next((e for e in desk.take_effects()[1:] if isinstance(e, desks.Answer)), end)
    assert end is not None
    assert isinstance(guest.hear(host_says(end.phase, end.body), ""), Introduction)


def test_a_guest_may_be_refused_by_seven_and_waits_on_behind_the_eighth() -> None:
    guest = desks.GuestDesk(CODE, os.urandom)
    opening = guest.open()
    asked = opening.phase[:-2]
    for heard in range(1, desks.MAX_ANSWERS + 1):
        answer = HostExchange(WRONG, asked, os.urandom).answer(opening.body)
        guest.hear(host_says(f"{asked}/2", answer), "")
        guest.hear(host_says(f"{asked}/4", desks.WRONG_WORDS), "")
        assert guest.is_refused is (heard < desks.MAX_ANSWERS)


def test_a_confirmation_that_came_while_the_host_connected_anew_is_heard_and_none_costs_twice() -> (
    None
):
    desk, guest = desk_of(), GuestExchange(CODE, os.urandom)
    confirmation = guest.confirm(answered(desk, guest), "")
    for body in (b"a stranger's", b"a stranger's", confirmation):
        desk.hear(guest_says(f"{guest.id}/3", body, is_old=True), 1)
    assert was_introduced(guest, desk.take_effects()[1:])
    assert desk.guesses.wrong == 1


def test_what_the_mailbox_has_not_told_on_is_said_again_on_the_next_connection() -> None:
    """A server that meets a guest who leaves just then drops the host and tells nobody else."""
    desk, guest = desk_of(), GuestExchange(CODE, os.urandom)
    answer = answered(desk, guest)
    desk.hear(host_says(f"{guest.id}/2", answer), 0)
    desk.hear(guest_says(f"{guest.id}/3", guest.confirm(answer, "")), 0)
    _admit, introduced = desk.take_effects()
    assert isinstance(introduced, desks.Answer)
    for was_told, again in ((False, [introduced]), (True, [])):
        desk.hear(host_says(introduced.phase, introduced.body, is_old=not was_told), 1)
        desk.end_old(1000.0, 1)
        assert desk.take_effects() == again


def test_ten_wrong_guesses_are_heard_at_once_and_the_next_in_thirty_seconds() -> None:
    desk = spent_desk()
    friend, effects = ask(desk, CODE)
    assert effects == []
    desk.tick(desks.SECONDS_PER_GUESS - 0.1)
    assert desk.take_effects() == []
    assert desk.deadline == pytest.approx(desks.SECONDS_PER_GUESS)
    desk.tick(desks.SECONDS_PER_GUESS)
    assert was_introduced(friend, desk.take_effects())


def test_a_hundred_wrong_guesses_end_the_code() -> None:
    desk, now = desk_of(), 0.0
    for heard in range(desks.MAX_GUESSES):
        effects = ask(desk, WRONG, now)[1]
        assert (desks.CodeUsedUp() in effects) is (heard == desks.MAX_GUESSES - 1)
        now += desks.SECONDS_PER_GUESS
    guest = GuestExchange(CODE, os.urandom)
    desk.hear(guest_says(f"{guest.id}/1", guest.open()), now)
    assert desk.take_effects() == []


def test_two_hundred_guests_are_answered_in_an_hour() -> None:
    pace = desks.AskingPace()
    assert all(pace.may_ask(0.0) for _ in range(desks.MAX_IDS))
    assert not pace.may_ask(desks.IDS_SECONDS - 1)
    assert pace.may_ask(desks.IDS_SECONDS)


def test_strangers_who_use_up_a_number_make_the_host_move_once() -> None:
    desk = desk_of(is_first=False)
    for _ in range(desks.MAX_IDS):
        answered(desk, GuestExchange(CODE, os.urandom))
    for _ in range(2):
        stranger = GuestExchange(CODE, os.urandom)
        desk.hear(guest_says(f"{stranger.id}/1", stranger.open()), 0)
    assert desk.take_effects() == [desks.NumberTaken()]


def test_a_guest_that_has_vanished_is_not_waited_for_longer_than_a_minute() -> None:
    desk = desk_of()
    answered(desk, GuestExchange(CODE, os.urandom), 5.0)
    assert desk.is_busy(5.0 + desks.OLD_GUEST_SECONDS - 0.1)
    assert not desk.is_busy(5.0 + desks.OLD_GUEST_SECONDS)


def test_strangers_of_the_network_leave_the_guests_of_the_mailbox_their_answers() -> None:
    desk = desk_of()
    for _ in range(desks.MAX_IDS):
        stranger = GuestExchange(CODE, os.urandom)
        assert desk.answer_on_link(f"{stranger.id}/1", stranger.open(), 0.0)
    late = GuestExchange(CODE, os.urandom)
    assert desk.answer_on_link(f"{late.id}/1", late.open(), 0.0) is None
    friend, effects = ask(desk, CODE)
    assert was_introduced(friend, effects)


def test_repeats_and_phases_out_of_order_are_passed_over() -> None:
    desk, guest = desk_of(), GuestExchange(CODE, os.urandom)
    desk.hear(guest_says(f"{guest.id}/3", b"early"), 0)
    desk.hear(guest_says(f"{guest.id}/1", opening := guest.open()), 0)
    assert len(desk.take_effects()) == 1
    for phase in (f"{guest.id}/1", f"{guest.id}/2", f"{guest.id}/4", "x/1", "pake", ""):
        desk.hear(guest_says(phase, opening), 0)
    desk.hear(Message("somebody", f"{os.urandom(8).hex()}/1", opening, 0, False), 0)
    assert desk.take_effects() == []
    assert desk.guesses.wrong == 0


@pytest.mark.parametrize("times", [[29.9], [0.1], [0.1] * 4 + [29.9] * 5, [14, 29]])
def test_strangers_who_confirm_in_time_for_each_guess_do_not_keep_a_friend_out(
    times: list[float],
) -> None:
    """It comes before each guess that is heard, at any time, and as often as chance has it."""
    desk, slots, heard = spent_desk(seeded(str(times))), 12, 0
    for slot in range(slots):
        friends: list[GuestExchange] = []
        for second in sorted([*times, at := 7.3 * slot % 30]):
            guest, _ = ask(desk, CODE if second == at else WRONG, 30 * slot + second)
            friends += [guest] * (second == at)
        desk.tick(30 * slot + 30)
        heard += was_introduced(friends[0], desk.take_effects())
    assert heard >= slots / 6


def test_what_a_stranger_confirms_first_for_a_guest_that_must_wait_keeps_it_not_out() -> None:
    desk, guest = spent_desk(), GuestExchange(CODE, os.urandom)
    answer = answered(desk, guest, 1)
    for body in (b"a guess", guest.confirm(answer, "")):
        desk.hear(guest_says(f"{guest.id}/3", body), 1)
    for slot in (1, 2):
        desk.tick(slot * desks.SECONDS_PER_GUESS)
    assert was_introduced(guest, desk.take_effects()[-1:])
    assert desk.guesses.wrong <= desks.GUESSES_AT_ONCE + 1


@pytest.mark.parametrize(
    ("after", "is_heard"), [(desks.OLD_GUEST_SECONDS - 0.1, True), (60, False)]
)
def test_a_guest_waits_a_minute_to_be_heard(after: float, is_heard: bool) -> None:
    desk = spent_desk()
    friend, _ = ask(desk, CODE)
    desk.tick(after)
    assert was_introduced(friend, desk.take_effects()) is is_heard


def test_nobody_on_a_link_confirms_for_a_guest_that_waits_at_the_mailbox() -> None:
    desk = spent_desk()
    friend, _ = ask(desk, CODE)
    assert desk.answer_on_link(f"{friend.id}/3", b"a guess", desks.SECONDS_PER_GUESS) is None
    desk.tick(desks.SECONDS_PER_GUESS)
    assert was_introduced(friend, desk.take_effects())


def test_who_plays_the_host_at_a_new_number_makes_the_host_move() -> None:
    desk = desk_of()
    desk.hear(host_says("0" * 16 + "/2", b"x"), 0)
    assert desk.take_effects() == [desks.NumberTaken()]


@pytest.mark.parametrize("on_link", [False, True])
def test_a_stranger_who_confirms_in_place_of_a_guest_keeps_it_not_out(*, on_link: bool) -> None:
    desk, guest = desk_of(), GuestExchange(CODE, os.urandom)
    confirmation = guest.confirm(answered(desk, guest), "")
    if on_link:
        assert desk.answer_on_link(f"{guest.id}/4", b"no guess", 0) is None
        assert desk.answer_on_link(f"{guest.id}/3", b"a guess", 0) is not None
    else:
        desk.hear(guest_says(f"{guest.id}/3", b"a guess"), 0)
    assert desk.guesses.wrong == 1
    desk.hear(guest_says(f"{guest.id}/3", confirmation), 0)
    assert was_introduced(guest, [desk.take_effects()[-1]])
    desk.hear(guest_says(f"{guest.id}/3", confirmation), 0)
    assert desk.take_effects() == []
    assert desk.guesses.wrong == 1


def test_few_own_tests_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desks, "MAX_KNOWN_IDS", 2)
    desk = desk_of()
    tests = [desk.open_test() for _ in range(4)]
    assert list(desk._own_tests) == [test.phase.removesuffix("/1") for test in tests[2:]]


def test_its_own_words_do_not_make_a_host_move() -> None:
    desk = desk_of()
    test = desk.open_test()
    desk.hear(guest_says(test.phase, test.body), 0)
    (answer,) = desk.take_effects()
    assert isinstance(answer, desks.Answer)
    desk.hear(host_says(answer.phase, answer.body), 0)
    assert desk.take_effects() == []
    assert desk.has_said(answer.phase, answer.body)


def test_the_number_of_a_game_that_goes_on_may_have_had_another_host() -> None:
    desk = desk_of(is_first=False)
    desk.hear(host_says("0" * 16 + "/2", b"x"), 0)
    desk.hear(host_says("1" * 16 + "/2", b"x", is_old=True), 0)
    desk.end_old(1000.0, 0)
    assert desk.take_effects() == []
    desk.leave_number()  # the mailbox lets the host in no more
    assert desk.take_effects() == [desks.NumberTaken()]


@pytest.mark.parametrize(("age", "is_taken"), [(desks.FRESH_HOST_SECONDS - 1, True), (90.0, False)])
def test_a_host_that_answers_within_90_seconds_has_the_number(age: float, is_taken: bool) -> None:
    desk = desk_of()
    desk.hear(host_says("0" * 16 + "/2", b"x", at=1000.0 - age, is_old=True), 0)
    desk.end_old(1000.0, 0)
    assert (desks.NumberTaken() in desk.take_effects()) is is_taken


@pytest.mark.parametrize(
    ("age", "is_answered"), [(desks.OLD_GUEST_SECONDS - 1, True), (60.0, False)]
)
def test_a_guest_that_asked_a_minute_ago_waits_no_more(age: float, is_answered: bool) -> None:
    desk, guest = desk_of(is_first=False), GuestExchange(CODE, os.urandom)
    desk.hear(guest_says(f"{guest.id}/1", guest.open(), at=1000.0 - age, is_old=True), 0)
    desk.end_old(1000.0, 0)
    assert bool(desk.take_effects()) is desk.is_busy(0) is is_answered
    assert not desk.is_busy(desks.OLD_GUEST_SECONDS)


def test_nobody_takes_the_place_of_a_guest_that_has_asked_before() -> None:
    desk, guest = desk_of(is_first=False), GuestExchange(CODE, os.urandom)
    for asking in (guest, GuestExchange(CODE, os.urandom)):
        desk.hear(guest_says(f"{guest.id}/1", asking.open(), is_old=True), 0)
    desk.end_old(1000.0, 0)
    (answer,) = desk.take_effects()
    assert isinstance(answer, desks.Answer)
    desk.hear(guest_says(f"{guest.id}/3", guest.confirm(answer.body, "")), 0)
    assert was_introduced(guest, desk.take_effects())


def test_a_guest_that_was_answered_already_is_not_answered_again() -> None:
    desk, guest = desk_of(is_first=False), GuestExchange(CODE, os.urandom)
    desk.hear(guest_says(f"{guest.id}/1", guest.open(), is_old=True), 0)
    desk.hear(host_says(f"{guest.id}/2", b"x", is_old=True), 0)
    desk.end_old(1000.0, 0)
    assert desk.take_effects() == []


def test_a_confirmation_to_another_one_who_answers_is_a_guess_and_costs_no_number() -> None:
    desk, guest = desk_of(is_first=False), GuestExchange(CODE, os.urandom)
    desk.hear(guest_says(f"{guest.id}/1", guest.open()), 0)
    desk.hear(host_says(f"{guest.id}/2", b"of another one"), 0)
    desk.hear(guest_says(f"{guest.id}/3", b"sealed with another key"), 0)
    assert desk.guesses.wrong == 1
    assert desks.NumberTaken() not in desk.take_effects()


def test_a_recorded_evening_at_a_mailbox_goes_as_it_went() -> None:
    """Friends and strangers ask, confirm, repeat and answer, new and old, there and on links."""
    chance, drawn, now, seen = Random(1), seeded("host"), 1000.0, list[object]()
    desk = desk_of(entropy=lambda size: drawn(size) if size <= 8 else os.urandom(size))
    guests: list[desks.GuestDesk] = []
    posted = [desk.open_test()]
    told = [desks.Answer("0" * 16 + "/2", b"of a stranger")]
    for _ in range(400):
        now += chance.choice((0, 0, 0.5, 2, 9))
        what, is_old = chance.randrange(10), chance.random() < 0.3
        if what == 0 or (what == 1 and len(guests) < 40):
            code = CODE if chance.random() < 0.3 else WRONG
            guests.append(desks.GuestDesk(code, seeded(str(len(guests)))))
            posted.append(guests[-1].open())
        elif what < 7:
            one = chance.choice(posted[-4:])
            body = one.body if chance.random() < 0.7 else b"a stranger's"
            if what == 2 and (answer := desk.answer_on_link(one.phase, body, now)):
                seen.append(answer.phase)
            desk.hear(
                guest_says(one.phase, body, at=now - chance.randrange(90), is_old=is_old), now
            )
        elif what == 7:
            one = chance.choice(told[-5:])
            desk.hear(
                host_says(one.phase, one.body, at=now - chance.randrange(99), is_old=is_old), now
            )
        elif what == 8:
            desk.end_old(now * chance.randrange(2), now)
        else:
            desk.tick(now)
        effects = [*desk.take_effects()]
        answers = [effect for effect in effects if isinstance(effect, desks.Answer)]
        told += answers
        for guest in guests:
            heard = [guest.hear(host_says(a.phase, a.body), "") for a in answers]
            posted += [one for one in heard if isinstance(one, desks.Answer)]
            seen.append((guest.is_refused, guest.is_answered, guest.hears_several))
        seen += [(e.phase, not e.body) if isinstance(e, desks.Answer) else e for e in effects]
        seen += [desk.deadline, desk.is_busy(now), desk.guesses.wrong, desk.pace.last]
    assert digest_of(seen) == "11cc9d9e80fa23c3"
