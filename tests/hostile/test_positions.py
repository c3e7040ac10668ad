"""Hostile seats tell that their copy of the game differs, to stop the game of all others."""

from collections.abc import Collection, Iterable
from dataclasses import replace

import pytest

from kotp2p.game.ledger import Ledger
from kotp2p.mesh.gossip import SendFrame
from kotp2p.peer.peer import Peer
from kotp2p.referee.model.answers import Seat
from kotp2p.referee.model.position import digest_of_numbers
from kotp2p.seams.notices import Agreement, Diverged
from kotp2p.wire.entries import INSTANCE_BYTES, BodyKind, Entry, Opening, Signed
from kotp2p.wire.frames import Frame, PositionShown
from kotp2p.wire.lineups import Leave
from tests.support.five_players import PEOPLE, SEEDS, SIGNERS, genesis
from tests.support.wired_peers import Tamper, WiredPeers

MALLORY, TRUDY = 3, 4
FALSE = (1, 2, 3)
"""The numbers of a position that no game has."""
DIGEST = digest_of_numbers(FALSE)


def tells_another_digest(
    *seats: Seat, targets: Collection[Seat] = range(PEOPLE), digest: bytes | None = DIGEST
) -> Tamper:
    """The seats, in one hand, sign another digest of each position, and show one for `DIGEST`."""

    def tamper(target: Seat, frame: Frame) -> Iterable[Frame]:
        if isinstance(frame, PositionShown):
            return (replace(frame, numbers=FALSE),)
        author = next((seat for seat in seats if digest_in(frame, seat) is not None), None)
        if target not in targets or author is None:
            return (frame,)
        return (with_digest(frame, author, digest),)

    return tamper


def digest_in(frame: Frame, seat: Seat) -> bytes | None:
    """The digest of the position in an entry of `seat`; None if there is none."""
    if not isinstance(frame, Signed) or frame.kind is not BodyKind.PLAY:
        return None
    entry = Entry.parse(frame)
    load = entry.payload
    return load.position if entry.seat == seat and isinstance(load, Opening) else None


def with_digest(frame: Frame, seat: Seat, digest: bytes | None) -> Signed:
    assert isinstance(frame, Signed)
    entry = Entry.parse(frame)
    assert isinstance(entry.payload, Opening)
    other = replace(entry.payload, position=digest)
    place = (*entry.place, entry.prev)
    return Entry.sign(SIGNERS[seat], *place, seat, other).signed


def told_by(table: WiredPeers, seat: Seat) -> list[Diverged]:
    return [notice for notice in table.shown[seat] if isinstance(notice, Diverged)]


def go_on_without(table: WiredPeers, *seats: Seat) -> None:
    """The honest players wait until they may go on without these, and do so. These fall silent
    then: their programs would come back, and differ again."""
    table.play(lambda: all(table.offered(seat) == seats for seat in table.honest))
    for seat in seats:
        fall_silent(table, seat)
    table.go_on()


def test_a_position_that_nobody_has_asked_for_is_passed_over() -> None:
    table = WiredPeers(MALLORY)
    table.play_on(12)
    heights = {table.peers[seat].ledger.height for seat in table.honest}
    for height in range(min(heights) - 2, max(heights) + 3):
        table.send(MALLORY, [PositionShown(height, FALSE), PositionShown(height, (2**53 - 1,))])
    table.play_on(40)
    assert not table.ended
    assert not any(told_by(table, seat) for seat in table.honest)
    table.check_honest()


@pytest.mark.parametrize("hostile", [(MALLORY,), (MALLORY, TRUDY)])
def test_a_digest_of_a_minority_does_not_stop_those_who_agree(hostile: tuple[Seat, ...]) -> None:
    table = WiredPeers(*hostile)
    for seat in hostile:
        table.tamper[seat] = tells_another_digest(seat)
    table.play(lambda: all(len(told_by(table, seat)) == len(hostile) for seat in table.honest))
    for seat in table.honest:
        told = told_by(table, seat)
        assert {notice.seat for notice in told} == {*hostile}
        assert {notice.agreement for notice in told} == {Agreement.OURS}
    go_on_without(table, *hostile)
    table.play_on(20)
    assert not table.members() & {*hostile}
    assert not table.ended & {*table.honest}
    assert not any(table.accused[seat] for seat in table.honest)
    table.check_honest()


def test_the_first_number_that_differs_is_told_if_it_was_signed() -> None:
    table = WiredPeers(MALLORY, TRUDY)
    for seat in table.hostile:
        table.tamper[seat] = tells_another_digest(seat)
    table.deliver()
    table.play(lambda: bool(table.peers[0].intake.divergence.bodies_for_new_link()))
    height = table.peers[0].ledger.height
    table.send(MALLORY, [PositionShown(height, FALSE)])
    table.send(TRUDY, [PositionShown(height, (*FALSE, 4))])
    table.wait(10)
    for seat in table.honest:
        told = {notice.seat: (notice.field, notice.theirs) for notice in told_by(table, seat)}
        assert told == {MALLORY: ("turn", "1"), TRUDY: ("", "")}


def test_what_differs_is_told_on_a_new_link_and_the_own_position_is_shown_twice() -> None:
    """The first may have come before the other side knew of a dispute."""
    table = WiredPeers(MALLORY, TRUDY)
    for seat in table.hostile:
        table.tamper[seat] = tells_another_digest(seat)
    table.play(lambda: disputes(table, 0) == 2)
    peer = table.peers[0]
    peer.link_up(2, table.now)
    for _ in range(3):
        peer.receive_frame(MALLORY, PositionShown(peer.ledger.height, FALSE), table.now)
    sent = [e for e in peer.take_effects() if isinstance(e, SendFrame)]
    told = {e.frame for e in sent if e.seat == 2}
    assert told >= {*peer.intake.divergence.bodies_for_new_link()}
    assert [e.seat for e in sent if isinstance(e.frame, PositionShown)] == [MALLORY]


def test_a_copy_that_most_do_not_agree_with_stops() -> None:
    table = WiredPeers(2, MALLORY, TRUDY)
    for seat in table.hostile:
        table.tamper[seat] = tells_another_digest(seat)
    table.play(lambda: table.ended >= {*table.honest})
    for seat in table.honest:
        assert [notice.agreement for notice in told_by(table, seat)] == [Agreement.THEIRS]
    assert not any(table.accused[seat] for seat in table.honest)
    table.check_honest()


def test_who_has_not_signed_yet_is_waited_for() -> None:
    """Two against two: the fifth seat, which is silent for a while, decides."""
    table = WiredPeers(MALLORY, TRUDY)
    for seat in table.hostile:
        table.tamper[seat] = tells_another_digest(seat)
    table.tamper[2] = lambda target, frame: () if digest_in(frame, 2) else (frame,)
    table.play(lambda: bool(told_by(table, 0) and told_by(table, 1)))
    assert {n.agreement for n in (*told_by(table, 0), *told_by(table, 1))} == {Agreement.OPEN}
    del table.tamper[2]
    for seat in range(PEOPLE):
        if seat != 2:
            for one, other in ((2, seat), (seat, 2)):
                table.peers[one].link_up(other, table.now)
                table.perform(one)
    table.deliver()
    for seat in table.honest:
        assert {n.agreement for n in told_by(table, seat)} >= {Agreement.OURS}
    assert not table.ended & {*table.honest}
    table.check_honest()


@pytest.mark.parametrize("targets", [(0,), (0, 1), (2,)])
def test_another_digest_for_some_only_is_a_contradiction(targets: tuple[Seat, ...]) -> None:
    table = WiredPeers(MALLORY)
    table.tamper[MALLORY] = tells_another_digest(MALLORY, targets=targets)
    table.play(lambda: all(table.accused[seat] for seat in table.honest))
    table.play_on(10)
    table.check_convicted(MALLORY)
    table.check_honest()
    assert not table.ended & {*table.honest}


def test_two_digests_that_are_both_wrong_are_a_contradiction() -> None:
    table = WiredPeers(MALLORY)
    lie = tells_another_digest(MALLORY)

    def two_lies(target: Seat, frame: Frame) -> Iterable[Frame]:
        if digest_in(frame, MALLORY) is None:
            return (frame,)
        return (*lie(target, frame), with_digest(frame, MALLORY, bytes(32)))

    table.tamper[MALLORY] = two_lies
    table.play(lambda: all(table.accused[seat] for seat in table.honest))
    table.play_on(10)
    table.check_convicted(MALLORY)
    table.check_honest()


def test_another_digest_and_then_the_right_one_is_a_contradiction() -> None:
    table = WiredPeers(MALLORY)
    lie = tells_another_digest(MALLORY)
    table.tamper[MALLORY] = lambda target, frame: (*lie(target, frame), frame)
    table.play(lambda: all(table.accused[seat] for seat in table.honest))
    table.play_on(10)
    table.check_convicted(MALLORY)
    table.check_honest()


def keeps_back_digests(seat: Seat, late: list[Frame]) -> Tamper:
    """The openings of the seat that have a digest do not arrive; they are collected in `late`."""

    def tamper(target: Seat, frame: Frame) -> Iterable[Frame]:
        if digest_in(frame, seat) is None:
            return (frame,)
        late.append(frame)
        return ()

    return tamper


def leaves(table: WiredPeers, seat: Seat) -> None:
    table.leave(seat)
    table.deliver()


def farewell(table: WiredPeers, seat: Seat, later: int = 0) -> Signed:
    """Of a hostile seat, at the present line-up, or as if it had assented to so many more."""
    attempt = table.peers[0].ledger.attempt
    return Leave.sign(SIGNERS[seat], genesis().id, seat, attempt, attempt + later).signed


def fall_silent(table: WiredPeers, seat: Seat) -> None:
    """From now on the others hear only what the test sends in the name of the seat."""
    table.tamper[seat] = lambda target, frame: ()


def disputes(table: WiredPeers, seat: Seat) -> int:
    return len(table.peers[seat].intake.divergence.bodies_for_new_link())


def test_who_leaves_in_a_dispute_is_not_waited_for_and_stops_nobody() -> None:
    """Two against two. The digest of the fifth seat does not come: all that stay go on from a
    line-up without it, and the digests of that gather do not count any more."""
    table = WiredPeers(MALLORY, TRUDY)
    for seat in table.hostile:
        table.tamper[seat] = tells_another_digest(MALLORY, TRUDY)
    late: list[Frame] = []
    table.tamper[2] = keeps_back_digests(2, late)
    table.play(lambda: bool(late) and disputes(table, 0) == disputes(table, 1) == 2)
    leaves(table, 2)
    table.wait(3)
    assert table.ended == {2}
    assert not told_by(table, 0)
    assert table.peers[0].ledger.roster.members == {0, 1, MALLORY, TRUDY}
    assert table.peers[0].ledger.roster == table.peers[1].ledger.roster


@pytest.mark.parametrize("later", [0, 1, 900_000])
@pytest.mark.parametrize("has_third", [True, False], ids=["two of five", "two of four"])
def test_hostile_seats_that_dispute_and_say_leave_stop_nobody(has_third: bool, later: int) -> None:
    """Also as of line-ups that nobody else has found, and half of the table."""
    table = WiredPeers(MALLORY, TRUDY) if has_third else four_players()
    for seat in (MALLORY, TRUDY):
        table.tamper[seat] = tells_another_digest(MALLORY, TRUDY)
    here = (0, 1, 2) if has_third else (0, 1)
    table.play(lambda: all(disputes(table, seat) == 2 for seat in here))
    for seat in (MALLORY, TRUDY):
        table.send(seat, [farewell(table, seat, later)])
    table.play_on(20)
    assert not table.ended & {*here}
    assert table.members() == {*here}
    table.check_honest()


def four_players() -> WiredPeers:
    """The third of five has left, so two hostile seats are half of the table."""
    table = WiredPeers(2, MALLORY, TRUDY)
    leaves(table, 2)
    return table


def test_most_of_those_that_live_stop_nobody_if_most_members_agree() -> None:
    """Two of the three that live differ. The others are witnesses, and know who is right."""
    probe = WiredPeers()
    probe.play(lambda: len(probe.alive()) == 3)
    table = WiredPeers(*sorted(probe.alive())[1:])
    table.play(lambda: len(table.alive()) == 3)
    for seat in table.hostile:
        table.tamper[seat] = tells_another_digest(*table.hostile)
    go_on_without(table, *sorted(table.hostile))
    table.play(lambda: table.members() == {*table.honest})
    assert not table.ended & {*table.honest}
    table.check_honest()


def test_half_of_the_table_stops_the_game() -> None:
    table = four_players()
    for seat in (MALLORY, TRUDY):
        table.tamper[seat] = tells_another_digest(MALLORY, TRUDY)
    table.play(lambda: table.ended >= {*table.honest})
    for seat in table.honest:
        assert told_by(table, seat)[-1].agreement is Agreement.NONE
    assert not any(table.accused[seat] for seat in table.honest)


def test_those_who_have_left_at_the_place_of_a_dispute_stop_nobody() -> None:
    """Two say three things: two digests, and that they have left, before the second honest one."""
    table = four_players()
    for seat, digest in ((MALLORY, bytes(32)), (TRUDY, bytes(31) + b"1")):
        table.tamper[seat] = tells_another_digest(seat, digest=digest)
    late: list[Frame] = []
    table.tamper[1] = keeps_back_digests(1, late)
    table.play(lambda: bool(late) and disputes(table, 0) == 2)
    for seat in (MALLORY, TRUDY):
        fall_silent(table, seat)
        table.send(seat, [farewell(table, seat)])
    table.wait(10)
    assert not table.ended & {*table.honest}
    del table.tamper[1]
    table.send(1, late[:1], (0,))
    table.play_on(20)
    assert not table.ended & {*table.honest}
    assert table.members() == {*table.honest}
    table.check_honest()


def test_convicts_count_for_nothing_in_a_dispute() -> None:
    """Three against two, until two of the three sign one more. The third is no majority."""
    table = WiredPeers(2, MALLORY, TRUDY)
    for seat in table.hostile:
        table.tamper[seat] = tells_another_digest(seat, digest=bytes(32))
    table.play(lambda: all(disputes(table, seat) == 3 for seat in table.honest))
    entries = table.peers[0].intake.divergence.bodies_for_new_link()
    for seat in table.hostile:
        fall_silent(table, seat)
    for seat in (MALLORY, TRUDY):
        told = [signed for signed in entries if Entry.parse(signed).seat == seat]
        table.send(seat, [with_digest(told[0], seat, DIGEST)])
    table.wait(10)
    assert not table.ended & {*table.honest}
    for seat in table.honest:
        assert table.accused[seat] == {MALLORY, TRUDY}
        assert told_by(table, seat)[-1].agreement is Agreement.OURS


def come_back(table: WiredPeers, seat: Seat) -> None:
    """The process of a seat has died and is back, with what its log holds."""
    ledger = Ledger(genesis())
    for signed in table.records[seat]:
        if signed.kind is BodyKind.PLAY:
            ledger.accept_entry(Entry.parse(signed))
    others = [other for other in range(PEOPLE) if other != seat]
    for other in others:
        table.peers[other].link_down(seat, table.now)
    instance = (1).to_bytes(INSTANCE_BYTES, "big")
    table.peers[seat] = Peer(genesis(), seat, SIGNERS[seat], SEEDS[seat], ledger, instance)
    table.peers[seat].begin(table.now)
    for other in others:
        for one, there in ((seat, other), (other, seat)):
            table.peers[one].link_up(there, table.now)
            table.perform(one)


def test_seats_that_come_back_in_a_dispute_go_on_with_those_who_agree() -> None:
    table = WiredPeers(MALLORY, TRUDY)
    for seat in table.hostile:
        table.tamper[seat] = tells_another_digest(MALLORY, TRUDY)
    table.play(lambda: all(disputes(table, seat) == 2 for seat in table.honest))
    for seat in (0, 1):
        table.shown[seat].clear()
        come_back(table, seat)
    assert disputes(table, 0) == 0
    table.play(lambda: not table.members() & {*table.hostile})
    table.play_on(20)
    assert not table.members() & {*table.hostile}
    assert not table.ended & {*table.honest}
    table.check_honest()
