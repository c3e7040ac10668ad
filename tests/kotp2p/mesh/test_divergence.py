"""What a player is told where copies of a game differ though all is legal (PROTOCOL.md 5.6)."""

from dataclasses import replace

import pytest

from kotp2p.game.steps import Finished
from kotp2p.mesh.gossip import POSITION_TIMEOUT_SECONDS, Divergence, Gossip, SendFrame
from kotp2p.mesh.reachability import Reachability
from kotp2p.referee.model.position import digest_of_numbers
from kotp2p.seams.notices import Agreement
from kotp2p.wire.entries import Entry, Signed
from kotp2p.wire.frames import PositionShown
from tests.support.scribe import Scribe
from tests.tools.vector_table import fill

OURS, THEIRS, OPEN, NONE = Agreement.OURS, Agreement.THEIRS, Agreement.OPEN, Agreement.NONE


class Disputing:
    """Seat 0 of five at the end. The others have signed its digest (=), A or B, or nothing (-)."""

    def __init__(self, signed: str, left: int | None = None) -> None:
        self.scribe = scribe = Scribe(5)
        scribe.until(lambda ledger: isinstance(ledger.step, Finished))
        if left is not None:
            scribe.take(scribe.leave(left))
        reachability = Reachability(0)
        reachability.start_clocks(5, 0.0)
        for seat in (1, 2):
            reachability.add_link(seat, 0.0)
        self.gossip = Gossip(scribe.ledger, reachability)
        self.divergence = Divergence(scribe.ledger, self.gossip, 0)
        for seat, digest in enumerate(signed, 1):
            if digest == "=":
                scribe.take(scribe.entry(seat))
            elif digest != "-":
                other = self.end(seat, fill(ord(digest)))
                assert self.divergence.note_entry(1, other, 0.0) is None
                assert self.divergence.note_entry(1, other, 0.0) is None

    def end(self, seat: int, digest: bytes | None) -> Entry:
        assert digest is not None
        load = replace(self.scribe.ledger.chain.build_end(), position=digest)
        return self.scribe.entry(seat, load)

    def told(self, now: float) -> list[tuple[int, Agreement, bool]]:
        """Each seat, who agrees, and whether the number that differs is known."""
        found = []
        while (news := self.divergence.find_news(now)) is not None:
            found.append((news.seat, news.agreement, bool(news.field)))
        return found

    def sent(self) -> list[tuple[int, type]]:
        effects, self.gossip.effects[:] = list(self.gossip.effects), []
        return [(e.seat, type(e.frame)) for e in effects if isinstance(e, SendFrame)]


@pytest.mark.parametrize(
    ("signed", "told"),
    [
        ("A---", [(1, OPEN)]), ("A==-", [(1, OURS)]), ("A=--", [(1, OPEN)]),
        ("AAA-", [(1, THEIRS), (2, THEIRS), (3, THEIRS)]),
        ("AAB-", [(1, OPEN), (2, OPEN), (3, OPEN)]),
        ("BAAA", [(2, THEIRS), (3, THEIRS), (4, THEIRS)]),
        ("AABB", [(1, NONE), (2, NONE), (3, NONE), (4, NONE)]),
    ],
)  # fmt: skip
def test_a_player_is_told_whose_copy_differs_and_with_which_most_agree(
    signed: str, told: list[tuple[int, Agreement]]
) -> None:
    disputing = Disputing(signed)
    assert disputing.told(POSITION_TIMEOUT_SECONDS - 0.1) == []
    assert disputing.divergence.deadline == POSITION_TIMEOUT_SECONDS
    assert disputing.told(POSITION_TIMEOUT_SECONDS) == [(*each, False) for each in told]


def test_who_has_left_does_not_count() -> None:
    assert Disputing("A==-").told(9.0) == [(1, OURS, False)]
    assert Disputing("A=--", left=3).told(9.0) == [(1, OPEN, False)]
    assert Disputing("A=A-", left=4).told(9.0) == [(1, NONE, False), (3, NONE, False)]


@pytest.mark.parametrize(("signed", "at_once"), [("A==-", True), ("A---", False)])
def test_a_number_that_differs_is_told_at_once_where_most_agree(signed: str, at_once: bool) -> None:
    disputing = Disputing(signed)
    ledger, divergence = disputing.scribe.ledger, disputing.divergence
    numbers = [value for _, value in ledger.game.position()]
    numbers[3] += 1
    shown = PositionShown(ledger.height, tuple(numbers))
    known = divergence._disputed[1]
    known.entry = disputing.end(1, digest_of_numbers(numbers))
    divergence.compare_position(2, shown)
    divergence.compare_position(1, replace(shown, height=shown.height - 1))
    divergence.compare_position(1, replace(shown, numbers=(9, *shown.numbers)))
    assert not known.difference[0]
    divergence.compare_position(1, shown)
    assert known.difference[1:] == (str(numbers[3] - 1), str(numbers[3]))
    assert disputing.told(0.0) == ([(1, OURS, True)] if at_once else [])


def test_a_copy_that_has_signed_shows_its_position_and_once_more_when_it_is_shown_another() -> None:
    disputing = Disputing("A---")
    divergence, ledger = disputing.divergence, disputing.scribe.ledger
    assert disputing.sent() == [(2, Signed)]  # who is linked and has not sent it
    divergence.show_position()
    assert disputing.sent() == []  # it owes its own digest
    disputing.scribe.take(disputing.scribe.entry(0))
    numbers = tuple(value for _, value in ledger.game.position())
    divergence._disputed[1].entry = disputing.end(1, digest_of_numbers(numbers))
    for sent in ([(1, PositionShown)], []):
        divergence.show_position()
        assert disputing.sent() == sent
    for sent in ([(1, PositionShown)], []):
        divergence.compare_position(1, PositionShown(ledger.height, numbers))
        assert disputing.sent() == sent


def test_a_seat_that_signs_two_digests_is_a_cheat() -> None:
    disputing = Disputing("A---")
    scribe, divergence = disputing.scribe, disputing.divergence
    second = disputing.end(1, fill(7))
    known = divergence._disputed[1].entry
    for cheat in (divergence.note_entry(2, second, 0.0), divergence.find_second_entry(second)):
        assert cheat is not None and cheat.seat == 1
        assert set(cheat.proof.bodies) == {known.signed, second.signed}
    assert divergence.find_second_entry(scribe.entry(2)) is None
    assert divergence.find_second_entry(known) is None
