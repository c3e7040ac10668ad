"""Which seats are sent a body, and how often missing ones are asked for and sent."""

from dataclasses import replace
from itertools import pairwise

import pytest

from kotp2p.game.ledger import Ledger
from kotp2p.mesh.gossip import (
    MAX_EARLY_ENTRIES,
    MAX_HEIGHTS_AHEAD,
    MAX_REQUEST_PAUSE_SECONDS,
    REQUEST_PAUSE_SECONDS,
    EarlyEntries,
    Effect,
    Forks,
    Gossip,
    SeatBudgets,
    SendFrame,
    ShowNotice,
)
from kotp2p.mesh.reachability import Reachability
from kotp2p.peer.peer import Peer
from kotp2p.referee.model.answers import Answer, Keep, Seat, Stop
from kotp2p.seams.cores import RELAYS_AT_ONCE, SEAT_UNITS
from kotp2p.seams.notices import Cheated, LinkChanged
from kotp2p.wire.entries import Answering, BodyKind, Entry, Signed, sign_head
from kotp2p.wire.frames import Frame, Links, Want
from kotp2p.wire.lineups import CheatKind
from tests.support import five_players
from tests.support.five_players import SIGNERS, at_a_decision, genesis, owes
from tests.support.hearing import hear_frame

ME = 0
FRAME = Links(())


@pytest.fixture
def gossip() -> Gossip:
    """Of seat 0, with links to 1, 2 and 3; seat 1 has a link to 4."""
    reachability = Reachability(ME)
    reachability.start_clocks(len(SIGNERS), 0.0)
    for seat in (1, 2, 3):
        reachability.add_link(seat, 0.0)
    reachability.learn_links(1, (0, 4))
    return Gossip(Ledger(genesis()), reachability)


def sent(gossip: Gossip) -> list[tuple[Seat, Frame]]:
    found = [(e.seat, e.frame) for e in gossip.effects if isinstance(e, SendFrame)]
    gossip.effects.clear()
    return found


def request_times(gossip: Gossip, until: float) -> list[float]:
    """When requests to seat 1 go out, if one is tried every half second."""
    found, now = [], 0.0
    while now <= until:
        gossip.request_missing(1, now)
        if sent(gossip):
            found.append(now)
        now += REQUEST_PAUSE_SECONDS / 2
    return found


def test_a_frame_goes_to_seats_with_a_link_only(gossip: Gossip) -> None:
    gossip.send(4, FRAME)
    gossip.broadcast(FRAME)
    assert sent(gossip) == [(1, FRAME), (2, FRAME), (3, FRAME)]


def test_what_is_not_sent_may_be_taken_back_and_what_was_shown_stays(gossip: Gossip) -> None:
    gossip.broadcast(FRAME)
    gossip.show(LinkChanged(1, up=True))
    gossip.forget_unsent()
    assert gossip.effects == [ShowNotice(LinkChanged(1, up=True))]


def test_a_body_is_relayed_to_seats_without_a_link_to_its_author(gossip: Gossip) -> None:
    gossip.relay_frame(2, 4, FRAME)
    assert sent(gossip) == [(3, FRAME)]  # not to 1, which hears 4; nor back to 2


def test_news_is_relayed_until_its_author_has_used_up_its_relays(gossip: Gossip) -> None:
    for _ in range(RELAYS_AT_ONCE):
        gossip.relay_news(2, 4, FRAME)
        assert sent(gossip) == [(3, FRAME)]
    gossip.relay_news(2, 4, FRAME)
    assert sent(gossip) == []
    gossip.relay_news(2, 1, FRAME)  # each author for itself
    assert sent(gossip) == [(3, FRAME)]


def test_requests_that_bring_nothing_get_rarer(gossip: Gossip) -> None:
    times = request_times(gossip, 64.0)
    pauses = [after - before for before, after in pairwise(times)]
    assert pauses[:5] == [1.0, 2.0, 4.0, 8.0, 16.0]
    assert set(pauses[5:]) == {MAX_REQUEST_PAUSE_SECONDS}


def test_a_request_that_brings_something_is_soon_followed_by_another(gossip: Gossip) -> None:
    assert request_times(gossip, 3.0) == [0.0, 1.0, 3.0]
    gossip.ledger.accept_entry(owes(gossip.ledger, 1))
    gossip.request_missing(1, 7.0)
    gossip.request_missing(1, 8.0)
    assert sent(gossip) == [(1, Want(0, 0)), (1, Want(0, 0))]


def test_another_past_is_asked_for_again_until_this_copy_stands_elsewhere(gossip: Gossip) -> None:
    """The first answer may have been refused, as another request had just been served."""
    while gossip.ledger.height < 3:
        for seat in gossip.ledger.owing_seats():
            gossip.ledger.accept_entry(owes(gossip.ledger, seat))
    gossip.request_other_past(1, 1)
    gossip.request_missing(1, 0.0)
    gossip.request_missing(2, 0.0)
    assert sent(gossip) == [(1, Want(0, 1)), (1, Want(0, 1)), (2, Want(0, 3))]
    for seat in gossip.ledger.owing_seats():
        gossip.ledger.accept_entry(owes(gossip.ledger, seat))
    gossip.request_missing(1, 60.0)
    assert sent(gossip) == [(1, Want(0, gossip.ledger.height))]


def test_a_new_link_is_asked_at_once(gossip: Gossip) -> None:
    gossip.request_missing(1, 0.0)
    gossip.request_missing(1, 0.1)
    assert len(sent(gossip)) == 1
    gossip.forget_requests(1)
    gossip.request_missing(1, 0.2)
    assert len(sent(gossip)) == 1


def test_a_seat_that_asks_without_pause_is_served_now_and_then(gossip: Gossip) -> None:
    gossip.ledger.accept_entry(owes(gossip.ledger, 1))
    served = [gossip.serve_request(2, Want(0, 0), now / 10) for now in range(11)]
    assert [n for n, was in enumerate(served) if was] == [0, 5, 10]
    assert gossip.serve_request(3, Want(0, 0), 0.1)  # each seat for itself


# -- forks --------------------------------------------------------------------------------


def forks() -> Forks:
    """Of seat 0, with links to 1 and 2."""
    reachability = Reachability(0)
    for seat in (1, 2):
        reachability.add_link(seat, 0.0)
    ledger, _ = at_a_decision()
    return Forks(ledger, Gossip(ledger, reachability))


def shown(forks: Forks, source: Seat, author: Seat | None = None) -> dict[Seat, list[Signed]]:
    """The bodies that go over each link when `source` tells of another past, of `author` or its."""
    forks.answer_fork(source, source if author is None else author, forks.ledger.height)
    sent = [effect for effect in forks.gossip.effects if isinstance(effect, SendFrame)]
    forks.gossip.effects.clear()
    signed = [(e.seat, e.frame) for e in sent if isinstance(e.frame, Signed)]
    return {link: [frame for to, frame in signed if to == link] for link in (1, 2)}


def go_on(ledger: Ledger) -> Signed:
    (seat,) = ledger.owing_seats()
    entry = owes(ledger, seat)
    ledger.accept_entry(entry)
    return entry.signed


def test_all_are_shown_a_body_once_and_the_one_that_tells_each_time() -> None:
    """A cheat that told of another past at each height once filled all links."""
    table = forks()
    before = shown(table, 1)
    assert len(before[1]) > 5
    assert before[2] == before[1]
    news = go_on(table.ledger)
    behind = shown(table, 1)
    assert behind[2] == [news]
    assert behind[1] == [*before[1], news]
    assert shown(table, 2) == {1: [], 2: behind[1]}


def test_a_fork_is_answered_once_for_each_head_of_this_seat() -> None:
    table = forks()
    assert shown(table, 1)[1]
    assert shown(table, 1) == {1: [], 2: []}


def test_who_tells_of_other_pasts_without_end_uses_up_nothing_of_who_passes_that_on() -> None:
    table = forks()
    for height in range(100, 200):
        table.answer_fork(1, 3, height)
    assert shown(table, 1, author=3) == {1: [], 2: []}
    assert shown(table, 1)[1]


# -- answers to a fork --------------------------------------------------------------------


def told(answer: int) -> tuple[Ledger, Seat]:
    """A copy to which one of the two answers of a cheat has come, and nothing behind it."""
    ledger, cheat = five_players.at_a_decision()
    ledger.accept_entry(five_players.two_answers(ledger, cheat)[answer])
    return ledger, cheat


def peer(ledger: Ledger, seat: Seat, other: Seat) -> Peer:
    """A program that plays on, with a link over which nothing has come yet."""
    made = Peer(
        five_players.genesis(),
        seat,
        five_players.SIGNERS[seat],
        five_players.SEEDS[seat],
        resumed=ledger,
    )
    made.begin(0.0)
    made.link_up(other, 0.0)
    made.take_effects()
    return made


def sent_by(effects: list[Effect], seat: Seat) -> list[Signed]:
    return [
        e.frame
        for e in effects
        if isinstance(e, SendFrame) and e.seat == seat and isinstance(e.frame, Signed)
    ]


def head(ledger: Ledger, seat: Seat) -> Signed:
    return sign_head(
        five_players.SIGNERS[seat], five_players.genesis().id, seat, *ledger.place, ledger.head
    )


def test_what_one_says_keeps_nobody_from_asking_another_that_is_ahead() -> None:
    """Its HEADs and line-ups are passed on; meanwhile it told most of its answer, and one not."""
    ledger, cheat = five_players.at_a_decision()
    me, other = five_players.others(cheat)[:2]
    here, asked = peer(ledger, me, other), []
    for now, seat in ((1.0, cheat), (2.0, cheat), (2.5, other)):
        place = (0, ledger.height + 1, bytes(32))
        said = sign_head(five_players.SIGNERS[seat], genesis().id, seat, *place, beat=int(now))
        hear_frame(here, other, said, now)
        asked += [now for e in here.take_effects() if isinstance(getattr(e, "frame", 0), Want)]
    assert asked == [1.0, 2.0, 2.5]


def test_a_peer_that_is_as_far_on_another_past_is_shown_ours_and_sees_the_cheat() -> None:
    """No entry behind the two answers would tell: at the end of a game there is none."""
    (ours, cheat), (theirs, _) = told(0), told(1)
    assert ours.place == theirs.place
    me, other = five_players.others(cheat)[:2]
    here, there = peer(ours, me, other), peer(theirs, other, me)
    hear_frame(here, other, head(theirs, other), 1.0)
    shown = sent_by(here.take_effects(), other)
    assert BodyKind.PLAY in {signed.kind for signed in shown}
    for signed in shown:
        hear_frame(there, me, signed, 1.0)
    (named,) = [
        e.notice
        for e in there.take_effects()
        if isinstance(e, ShowNotice) and type(e.notice) is Cheated
    ]
    assert (named.seat, named.kind) == (cheat, CheatKind.EQUIVOCATION)


def test_a_peer_on_our_past_is_shown_nothing_however_far_it_is() -> None:
    ours, cheat = told(0)
    same, _ = told(0)
    behind, _ = five_players.at_a_decision()
    me, other = five_players.others(cheat)[:2]
    here = peer(ours, me, other)
    for ledger in (same, behind):
        hear_frame(here, other, head(ledger, other), 1.0)
        assert not [s for s in sent_by(here.take_effects(), other) if s.kind is not BodyKind.HEAD]


# -- early entries ------------------------------------------------------------------------


def entry_at(height: int, answer: Answer | None = None, attempt: int = 0, seat: int = 1) -> Entry:
    """What `seat` signs ahead of the others, on a past of its own."""
    load = Answering(Stop() if answer is None else answer, None)
    return Entry.sign(SIGNERS[seat], attempt, height, bytes(32), seat, load)


def heights(early: EarlyEntries) -> list[int]:
    return [place[1] for place in early._kept]


def test_an_entry_waits_until_its_height_is_reached() -> None:
    ledger = Ledger(genesis())
    early, entry = EarlyEntries(ledger), entry_at(1)
    in_its_name = Entry.sign(SIGNERS[2], *entry.place, bytes(32), 1, entry.payload)
    assert early.keep_entry(in_its_name) is None  # by another, it takes nobody's place
    assert early.keep_entry(entry) is None
    assert early.pop_due_entry() is None
    for seat in range(len(SIGNERS)):
        ledger.accept_entry(owes(ledger, seat))
    assert ledger.height == 1
    assert [early.pop_due_entry() for _ in range(3)] == [entry, in_its_name, None]


def test_two_entries_for_one_place_prove_a_cheat_before_it_is_reached() -> None:
    early = EarlyEntries(Ledger(genesis()))
    assert early.keep_entry(entry_at(5)) is None
    assert early.keep_entry(entry_at(5)) is None  # the same one again
    fault = early.keep_entry(entry_at(5, Keep()))
    assert fault is not None
    assert (fault.kind, fault.seat) == (CheatKind.EQUIVOCATION, 1)


def test_an_entry_far_ahead_is_not_kept() -> None:
    early = EarlyEntries(Ledger(genesis()))
    early.keep_entry(entry_at(MAX_HEIGHTS_AHEAD))
    early.keep_entry(entry_at(MAX_HEIGHTS_AHEAD + 1))
    assert len(early._kept) == 1


def test_a_seat_keeps_its_first_entries_and_no_more_than_its_places() -> None:
    early = EarlyEntries(Ledger(genesis()))
    for height in range(1, MAX_EARLY_ENTRIES + 2):
        assert early.keep_entry(entry_at(height)) is None
    assert heights(early) == list(range(1, MAX_EARLY_ENTRIES + 1))
    fault = early.keep_entry(entry_at(MAX_EARLY_ENTRIES, Keep()))
    assert fault is not None  # what is kept still proves a cheat
    assert early.keep_entry(entry_at(MAX_EARLY_ENTRIES + 1, Keep())) is None


def test_a_keeper_that_signs_in_many_attempts_takes_no_place_from_another_one() -> None:
    early = EarlyEntries(Ledger(genesis()))
    for attempt in range(1, 200):
        assert early.keep_entry(entry_at(1, attempt=attempt)) is None
    assert len(early._kept) == MAX_EARLY_ENTRIES
    early.keep_entry(entry_at(1, seat=2))
    assert len(early._kept) == MAX_EARLY_ENTRIES + 1


def test_what_no_keeper_has_signed_takes_no_place() -> None:
    early, entry = EarlyEntries(Ledger(genesis())), entry_at(1)
    forged = replace(entry, signed=entry.signed._replace(signature=bytes(64)))
    assert early.keep_entry(forged) is None
    assert not early._kept


def test_a_place_is_free_again_once_its_entry_is_due() -> None:
    ledger = Ledger(genesis())
    early = EarlyEntries(ledger)
    for height in range(1, MAX_EARLY_ENTRIES + 1):
        early.keep_entry(entry_at(height))
    for seat in range(len(SIGNERS)):
        ledger.accept_entry(owes(ledger, seat))
    assert early.pop_due_entry() == entry_at(1)
    early.keep_entry(entry_at(MAX_EARLY_ENTRIES + 1))
    assert heights(early) == list(range(2, MAX_EARLY_ENTRIES + 2))


def test_entries_come_out_in_the_order_of_the_game() -> None:
    ledger = Ledger(genesis())
    early = EarlyEntries(ledger)
    for seat in (2, 1):
        early.keep_entry(entry_at(1, seat=seat))
    for seat in range(len(SIGNERS)):
        ledger.accept_entry(owes(ledger, seat))
    found = [early.pop_due_entry() for _ in range(3)]
    assert [entry and entry.seat for entry in found] == [1, 2, None]


# -- what is done for one seat ------------------------------------------------------------


def test_work_is_done_for_a_seat_until_its_last_unit_is_spent() -> None:
    budgets = SeatBudgets()
    budgets.charge_work(1, SEAT_UNITS - 1)
    assert budgets.of(1).work.has(1, budgets.now)
    budgets.charge_work(1, 1)
    assert not budgets.of(1).work.has(1, budgets.now)
    assert budgets.of(2).work.has(1, budgets.now)
