"""Hostile seats at a table that wants to stop for today: nobody is sent away alone.

The law of all these games: either all honest seats end their session, or none does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from kotp2p.membership.adjourning import BREAK_COUNTS_SECONDS, BREAK_SEALS_SECONDS
from kotp2p.mesh.reachability import GONE_AFTER_SILENT_SECONDS
from kotp2p.wire.closings import Break, pack_seals
from kotp2p.wire.crypto import Tag
from kotp2p.wire.entries import BodyKind, Head, Signed
from kotp2p.wire.frames import Frame
from kotp2p.wire.intents import Intent, IntentKind
from referee.model.answers import Seat
from tests.support.five_players import PEOPLE, SIGNERS, genesis
from tests.support.wired_peers import WiredPeers

VICTIM, OTHER, THIRD, ACCOMPLICE, MALLORY = range(PEOPLE)
WISHES = (BodyKind.WORD, BodyKind.CLOSE)
WAIT, ADJOURN = IntentKind.WAIT, IntentKind.ADJOURN


def keeps_its_wishes(target: Seat, frame: Frame) -> Iterator[Frame]:
    """What a hostile seat wants, and what it signs, is told by the test alone."""
    if not isinstance(frame, Signed) or frame.kind not in WISHES:
        yield frame


def table_of(*hostile: Seat) -> WiredPeers:
    """Nobody answers any question: the game stands."""
    table = WiredPeers(*hostile)
    table.silent = set(range(PEOPLE))
    table.tamper = dict.fromkeys(hostile, keeps_its_wishes)
    table.wait(2)
    return table


def all_wish_to_stop(table: WiredPeers, *but: Seat) -> None:
    for seat in set(table.honest) - {*but}:
        table.peers[seat].declare_intent(ADJOURN, table.now)
        table._perform(seat)
    table.deliver()


def tells(
    table: WiredPeers,
    kind: IntentKind,
    serial: int,
    *targets: Seat,
    author: Seat = MALLORY,
    via: Seat = MALLORY,
) -> None:
    place = table.peers[author].ledger.place
    wish = Intent.sign(SIGNERS[author], genesis().id, author, serial, kind, place)
    table.send(via, [wish.signed], targets)
    table.deliver()


def seals(table: WiredPeers, stop: Break, *targets: Seat, author: Seat = MALLORY) -> None:
    body = stop.body(genesis().id)
    seal = pack_seals({author: SIGNERS[author].sign(Tag.CLOSE, body)})
    table.send(author, [Signed(BodyKind.CLOSE, body, seal)], targets)
    table.deliver()


def ended(table: WiredPeers) -> set[Seat]:
    return table.ended & {*table.honest}


def play_on_together(table: WiredPeers, seconds: int = 60) -> None:
    for _ in range(seconds):
        table.wait(1)
        assert not ended(table)


def all_stop(table: WiredPeers, within: float) -> None:
    table.wait(int(within))
    assert ended(table) == {*table.honest}
    table.check_honest()


# -- a wish that not all are told ------------------------------------------------------------


def test_a_wish_that_one_alone_is_told_is_passed_on_to_all() -> None:
    table = table_of(MALLORY)
    all_wish_to_stop(table)
    tells(table, ADJOURN, 1, VICTIM)
    all_stop(table, BREAK_SEALS_SECONDS + 2)


@pytest.mark.parametrize("serial", [1, 2])
def test_a_wish_to_stop_for_one_and_to_wait_for_the_others(serial: int) -> None:
    """Also two wishes with one serial number."""
    table = table_of(MALLORY)
    all_wish_to_stop(table)
    place = table.peers[MALLORY].ledger.place
    words = [
        Intent.sign(SIGNERS[MALLORY], genesis().id, MALLORY, n, kind, place).signed
        for n, kind in ((1, ADJOURN), (serial, WAIT))
    ]
    table.send(MALLORY, words[:1], [VICTIM])
    table.send(MALLORY, words[1:], [OTHER, THIRD, ACCOMPLICE])
    table.wait(60)
    assert ended(table) == (set() if serial == 2 else {*table.honest})


def test_a_wish_that_is_taken_back_before_one_alone_as_soon_as_all_have_signed() -> None:
    table = table_of(MALLORY)
    all_wish_to_stop(table)
    tells(table, ADJOURN, 1)
    tells(table, WAIT, 2, OTHER)
    play_on_together(table)


def test_two_cheats_that_each_tell_another_seat() -> None:
    table = table_of(ACCOMPLICE, MALLORY)
    all_wish_to_stop(table)
    for cheat, one in ((ACCOMPLICE, OTHER), (MALLORY, THIRD)):
        tells(table, ADJOURN, 1, VICTIM, author=cheat, via=cheat)
        tells(table, WAIT, 2, one, author=cheat, via=cheat)
    play_on_together(table)
    for cheat in (ACCOMPLICE, MALLORY):
        tells(table, ADJOURN, 3, VICTIM, author=cheat, via=cheat)
    all_stop(table, BREAK_SEALS_SECONDS + 2)


def flood(table: WiredPeers, *targets: Seat) -> int:
    """Wishes until nobody passes on any more of this seat. Returns the last serial number."""
    place = table.peers[MALLORY].ledger.place
    for serial in range(1, 101):
        wish = Intent.sign(SIGNERS[MALLORY], genesis().id, MALLORY, serial, WAIT, place)
        table.send(MALLORY, [wish.signed], targets)
    table.deliver()
    return 100


def test_wishes_that_nobody_passes_on_any_more() -> None:
    """After a flood the one seat knows a newer wish, or the others."""
    for first, then in ((VICTIM, OTHER), (OTHER, VICTIM)):
        table = table_of(MALLORY)
        all_wish_to_stop(table)
        serial = flood(table)
        tells(table, ADJOURN, serial + 1, first)
        tells(table, WAIT, serial + 2, then)
        play_on_together(table)
        table.check_honest()


def test_a_wish_that_changes_again_and_again_to_both_sides() -> None:
    """The time of one seat runs out while others have just heard something else."""
    table = table_of(MALLORY)
    all_wish_to_stop(table)
    serial = flood(table)
    for turn in range(60):
        serial += 2
        tells(table, ADJOURN, serial, VICTIM)
        if turn % 9 == 8:
            tells(table, WAIT, serial - 1, OTHER)
            tells(table, ADJOURN, serial, OTHER)
        if turn % 10 == 9:
            tells(table, WAIT, serial + 1, THIRD)
        table.wait(1)
        assert ended(table) in (set(), {*table.honest})


# -- through others ---------------------------------------------------------------------------


def without_link(table: WiredPeers, one: Seat, other: Seat) -> None:
    table.peers[one].link_down(other, table.now)
    table.peers[other].link_down(one, table.now)
    for seat in (one, other):
        table._perform(seat)
    table.deliver()


def in_a_row(table: WiredPeers) -> None:
    """The honest seats hear each other only through the next one; Mallory is linked to all."""
    for one, other in ((VICTIM, THIRD), (VICTIM, ACCOMPLICE), (OTHER, ACCOMPLICE)):
        without_link(table, one, other)


@pytest.mark.parametrize("is_flooded", [False, True])
def test_seats_that_hear_each_other_through_others(is_flooded: bool) -> None:
    table = table_of(MALLORY)
    in_a_row(table)
    all_wish_to_stop(table)
    serial = flood(table) if is_flooded else 1
    tells(table, ADJOURN, serial + 1, VICTIM)
    tells(table, WAIT, serial + 2, ACCOMPLICE)
    play_on_together(table)
    tells(table, ADJOURN, serial + 3, ACCOMPLICE)
    all_stop(table, BREAK_SEALS_SECONDS + 2)


# -- what a wish is worth ---------------------------------------------------------------------


def test_a_cheat_that_wishes_to_stop_and_dies_holds_up_nobody() -> None:
    table = table_of(MALLORY)
    all_wish_to_stop(table)
    tells(table, ADJOURN, 1, VICTIM)
    table.peers[MALLORY].keep_seat()
    all_stop(table, BREAK_SEALS_SECONDS + 2)


@pytest.mark.parametrize("cheats", [(MALLORY,), (ACCOMPLICE, MALLORY), (THIRD, 3, MALLORY)])
def test_cheats_that_do_not_sign_hold_up_nobody(cheats: tuple[Seat, ...]) -> None:
    table = table_of(*cheats)
    all_wish_to_stop(table)
    for cheat in cheats:
        tells(table, ADJOURN, 1, author=cheat, via=cheat)
    assert not ended(table)
    all_stop(table, BREAK_SEALS_SECONDS + 2)


def test_a_cheat_that_signs_for_one_alone_ends_the_session_of_all() -> None:
    table = table_of(MALLORY)
    all_wish_to_stop(table)
    tells(table, ADJOURN, 1)
    stop = table.peers[VICTIM]._closing.adjournment.signed_break
    assert stop is not None
    seals(table, stop, VICTIM)
    all_stop(table, 1)


def test_a_cheat_that_plays_on_with_one_and_signs_for_another() -> None:
    """All honest seats have signed. Those that were told of a retreat end all the same."""
    table = table_of(MALLORY)
    all_wish_to_stop(table)
    tells(table, ADJOURN, 1)
    stop = table.peers[VICTIM]._closing.adjournment.signed_break
    assert stop is not None
    tells(table, WAIT, 2, OTHER)
    table.wait(3)
    assert not ended(table)
    assert table.peers[VICTIM]._closing.adjournment.signed_break is None
    seals(table, stop, VICTIM)
    all_stop(table, 1)


def test_a_cheat_cannot_keep_its_signature_for_another_hour() -> None:
    table = table_of(MALLORY)
    all_wish_to_stop(table)
    tells(table, ADJOURN, 1)
    stop = table.peers[VICTIM]._closing.adjournment.signed_break
    assert stop is not None
    tells(table, WAIT, 2)
    table.wait(int(BREAK_COUNTS_SECONDS) + 1)
    seals(table, stop)
    play_on_together(table)


def test_a_cheat_that_hides_from_one_seat_is_not_absent() -> None:
    """It plays on with the others. The one seat holds it for gone, and wishes to stop."""
    table = table_of(MALLORY)

    def hides(target: Seat, frame: Frame) -> Iterable[Frame]:
        return () if target == VICTIM else keeps_its_wishes(target, frame)

    without_link(table, VICTIM, MALLORY)
    table.tamper[MALLORY] = hides
    for peer in table.peers:  # it says that it has a link to all, so that nobody passes on
        peer.follower.reachability.learn_links(MALLORY, range(PEOPLE))
        peer.follower.reachability._neighbours[VICTIM] = frozenset(range(1, PEOPLE))
    table.wait(int(GONE_AFTER_SILENT_SECONDS) + 6)
    gone = table.peers[VICTIM]._voting.clocks.gone_since
    assert set(gone) == {MALLORY}
    assert not table.peers[OTHER]._voting.clocks.gone_since
    all_wish_to_stop(table)
    play_on_together(table, 2 * int(GONE_AFTER_SILENT_SECONDS))


def test_the_wish_of_another_evening_is_taken_back() -> None:
    """A cheat shows one seat what another had wished for before it came back."""
    table = table_of(MALLORY)
    all_wish_to_stop(table, OTHER)
    tells(table, ADJOURN, 1, VICTIM)
    tells(table, ADJOURN, 7, VICTIM, author=OTHER)
    play_on_together(table)
    table.peers[OTHER].declare_intent(ADJOURN, table.now)
    table._perform(OTHER)
    all_stop(table, BREAK_SEALS_SECONDS + 2)


def test_a_heartbeat_that_a_break_calls_forth_is_the_last_one() -> None:
    """A break that names a present seat absent is answered with its heartbeat alone."""
    table = table_of(MALLORY)
    ledger = table.peers[MALLORY].ledger
    stop = Break(ledger.view, ledger.height, ledger.head, (THIRD,))
    sent: list[Frame] = []
    table.tamper[VICTIM] = lambda target, frame: sent.append(frame) or [frame]  # type: ignore[func-returns-value]
    for _ in range(3):
        seals(table, stop, VICTIM)  # a link may carry it again and again
    shown = [f for f in sent if isinstance(f, Signed) and f.kind is BodyKind.HEAD]
    assert [Head.parse(head, genesis().id).seat for head in shown] == [THIRD]
