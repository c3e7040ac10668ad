"""Logs that are wrong, each in one way, and some that cannot be read."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import replace

from kotp2p.game.steps import Renewal, Solo
from kotp2p.wire.closings import Break, End, pack_seals
from kotp2p.wire.crypto import Tag, digest
from kotp2p.wire.encoding import array, pack, unpack
from kotp2p.wire.entries import Answering, BodyKind, Commits, Entry, Signed
from kotp2p.wire.genesis import PROTOCOL_VERSION
from kotp2p.wire.proofs import CheatProof
from kotp2p.wire.records import HEAD_BYTES, LOG_FORMAT, LOG_MAGIC
from kotp2p.wire.votes import VoteChoice
from referee.model import answers as a
from tests.support.scribe import Scribe, fill, rolling, written
from tests.tools.vector_logs.offences import (
    at_a_gather,
    at_a_position,
    blame,
    copied,
    illegal,
    no_position,
    of_another_past,
    other_position,
    shared,
    wrong_opening,
)
from tests.tools.vector_logs.right import played, short
from tests.tools.vector_logs.tables import (
    asked,
    begun,
    beyond_a_gather,
    others,
    two_answers,
)


def changed(at: int, *instead: Signed) -> bytes:
    """The short log with other records at `at`; negative from the end."""
    scribe, log = played()
    at %= len(log)
    return written(scribe.game, (*log[:at], *instead, *log[at + 1 :]))


def behind(scribe: Scribe, *given: Entry | Signed) -> bytes:
    more = [one.signed if isinstance(one, Entry) else one for one in given]
    return scribe.file([*scribe.log, *more])


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes((data[at] ^ 1,)) + data[at + 1 :]


def _u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def headed(front: bytes) -> bytes:
    """The short log with another beginning of its head."""
    whole = front + short()[len(front) : HEAD_BYTES - 4]
    return whole + zlib.crc32(whole).to_bytes(4, "big") + short()[HEAD_BYTES:]


def forged() -> bytes:
    old = played()[1][8]
    return changed(8, Signed(old.kind, old.body, flipped(old.signature, 0)))


def turned_round() -> bytes:
    log = list(played()[1])
    log[8], log[12] = log[12], log[8]
    return written(played()[0].game, log)


def end_of_another_game() -> bytes:
    other = Scribe(2, number=1)
    other.finish(0, 1)
    return changed(-1, other.log[-1])


def other_winners() -> bytes:
    scribe = played()[0]
    right = scribe.ledger.chain.build_end()
    loser = tuple(seat for seat in (0, 1) if seat not in right.winners)
    body = End(right.height, right.head, loser, right.position).body(scribe.game)
    return changed(-1, scribe.sealed(body, (0, 1)))


def forged_seal() -> bytes:
    log = played()[1]
    seals = {0: log[-1].signature[1:65], 1: log[-1].signature[1:65]}
    return changed(-1, Signed(BodyKind.CLOSE, log[-1].body, pack_seals(seals)))


def another_salt() -> bytes:
    return written(fill(9), played()[1])


def genesis_not_signed_by_all() -> bytes:
    old = played()[1][0]
    return changed(0, Signed(old.kind, old.body, old.signature[:64]))


def vote(choice: VoteChoice, twice: bool = False) -> bytes:
    scribe = begun()
    gone = asked(scribe)
    given = scribe.vote(
        others(scribe, gone)[0], (gone,), int(choice is VoteChoice.DROP), choice=choice
    )
    return behind(scribe, given.signed, *([given.signed] if twice else []))


def vote_with_a_proof_of_nothing() -> bytes:
    scribe = begun()
    gone = asked(scribe)
    honest = CheatProof((scribe.entry(gone).signed,))
    vote = scribe.vote(others(scribe, gone)[0], (gone,), proofs=[honest])
    return behind(scribe, honest.signed, vote.signed)


def vote_without_its_proof() -> bytes:
    """The vote names a proof that does not stand before it."""
    scribe = begun()
    gone = asked(scribe)
    proof = two_answers(scribe, gone)
    return behind(scribe, scribe.vote(others(scribe, gone)[0], (gone,), proofs=[proof]).signed)


def proof_twice() -> bytes:
    scribe = begun()
    proof = two_answers(scribe, asked(scribe))
    return behind(scribe, proof.signed, proof.signed)


def vote_behind_a_closed_gather() -> bytes:
    """Nothing is proven against one of the two accused."""
    scribe, at, accused = beyond_a_gather()
    proofs = [two_answers(scribe, accused[0])]
    (voter,) = others(scribe, *accused)
    vote = scribe.vote(voter, accused, proofs=proofs, at=at)
    return behind(scribe, *(proof.signed for proof in proofs), vote.signed)


def vote_behind_two_closed_gathers() -> bytes:
    scribe, at, accused = beyond_a_gather(two=True)
    proofs = [two_answers(scribe, seat) for seat in accused]
    (voter,) = others(scribe, *accused)
    vote = scribe.vote(voter, accused, proofs=proofs, at=at)
    return behind(scribe, *(proof.signed for proof in proofs), vote.signed)


def _second_view() -> tuple[Scribe, tuple[int, int, bytes], int, int]:
    """At the renewal of a view that has just begun; the place whose seat is out, that seat, and
    another one."""
    scribe = begun(4)
    gone, at = asked(scribe), scribe.place
    for seat in others(scribe, gone):
        scribe.take(scribe.vote(seat, (gone,)))
    return scribe, at, gone, (gone + 1) % 4


def vote_below_its_view() -> bytes:
    """Its height is that of the certificate with which its view began. It names a proof."""
    scribe, (_, height, before), gone, next_ = _second_view()
    proof = two_answers(scribe, next_)
    at = (scribe.ledger.view, height, before)
    vote = scribe.vote(gone, (next_,), proofs=[proof], at=at)
    return behind(scribe, proof.signed, vote.signed)


def vote_of_a_former_view_below_it() -> bytes:
    """The view of the vote has ended before its renewal, so a certificate of a later round may
    still take the place of the one that ended it. But no seat comes back by votes about a height
    at which another view stood."""
    scribe, (_, height, before), gone, next_ = _second_view()
    view = scribe.ledger.view
    third, last = others(scribe, gone, next_)
    for seat in (third, last):
        scribe.take(scribe.vote(seat, (next_,)))
    vote = scribe.vote(gone, (third,), 2, at=(view, height, before))
    return behind(scribe, vote.signed)


def entry_of_an_ended_view() -> bytes:
    scribe = begun()
    gone, late = asked(scribe), scribe.entry(asked(scribe))
    for seat in others(scribe, gone):
        scribe.take(scribe.vote(seat, (gone,)))
    return behind(scribe, late)


def renewal_of_another_window() -> bytes:
    scribe = begun()
    gone = asked(scribe)
    for seat in others(scribe, gone):
        scribe.take(scribe.vote(seat, (gone,)))
    assert isinstance(scribe.ledger.step, Renewal)
    seat = others(scribe, gone)[0]
    right = scribe.load(seat)
    assert isinstance(right, Commits)
    return behind(scribe, scribe.entry(seat, replace(right, dice_slot=right.dice_slot + 1)))


def entry_behind_a_farewell() -> bytes:
    scribe = begun()
    leaver = others(scribe, asked(scribe))[0]
    scribe.take(scribe.farewell(leaver))
    scribe.until(lambda ledger: not isinstance(ledger.step, Solo))
    scribe.ledger.farewells.clear()
    return behind(scribe, scribe.entry(leaver))


def farewell_of_a_bot() -> bytes:
    scribe = Scribe(3, bots=1)
    scribe.until(rolling)
    return behind(scribe, scribe.farewell(2).signed)


def entry_of_a_bot_behind_the_farewell_of_its_keeper() -> bytes:
    scribe = Scribe(4, bots=1)
    scribe.take(scribe.farewell(0))
    return behind(scribe, scribe.entry(3))


def farewell_before_an_entry_of_a_bot() -> bytes:
    scribe = Scribe(4, bots=1)
    scribe.take(scribe.entry(3))
    return behind(scribe, scribe.farewell(0).signed)


def blame_in_a_log() -> bytes:
    scribe, share = shared(false=True)
    return behind(scribe, blame(scribe, share))


def break_at_another_place() -> bytes:
    scribe = begun()
    body = Break(0, scribe.ledger.height + 1, scribe.ledger.head, ()).body(scribe.game)
    return behind(scribe, scribe.sealed(body, (0, 1, 2)))


def break_of_an_absent_seat() -> bytes:
    scribe = begun()
    return behind(scribe, scribe.stop((0, 1, 2), (asked(scribe),)))


def break_without_a_seat_that_is_not_at_the_table() -> bytes:
    scribe = begun()
    return behind(scribe, scribe.stop((0, 1, 2), (5,)))


def break_without_a_dead_seat() -> bytes:
    scribe = begun()
    gone = asked(scribe)
    for seat in others(scribe, gone):
        scribe.take(scribe.vote(seat, (gone,)))
    return behind(scribe, scribe.stop(others(scribe, gone), (gone,)))


def break_without_a_seat_that_has_left() -> bytes:
    """It has said farewell from a place that is not reached yet, so its monster still lives."""
    scribe = begun()
    leaver = asked(scribe)
    scribe.take(scribe.farewell(leaver, later=3))
    return behind(scribe, scribe.stop(others(scribe, leaver), (leaver,)))


def break_signed_by_the_keeper_of_an_absent_bot() -> bytes:
    scribe = Scribe(3, bots=1)
    scribe.until(rolling)
    return behind(scribe, scribe.stop((0, 1), (2,)))


def end_before_the_end() -> bytes:
    scribe = begun()
    body = End(scribe.ledger.height, scribe.ledger.head, (0,), fill(9)).body(scribe.game)
    return behind(scribe, scribe.sealed(body, (0, 1, 2)))


def genesis_of(change: Callable[[tuple[object, ...]], tuple[object, ...]]) -> bytes:
    """A log of nothing but a genesis with another charter, which all have signed."""
    scribe = begun()
    protocol, rules, charter, rows = array(unpack(scribe.log[0].body), 4)
    body = pack((protocol, rules, change(array(charter)), rows))  # type: ignore[arg-type]
    signatures = b"".join(signer.sign(Tag.GENESIS, body) for signer in scribe.signers)
    return written(digest(Tag.GENESIS, body), [Signed(BodyKind.GENESIS, body, signatures)])


def with_a_deck(charter: tuple[object, ...]) -> tuple[object, ...]:
    """Three cards, between options and seats, where a charter had its deck before version 5."""
    return (*charter[:4], ("corner-store", "energize", "extra-head"), *charter[4:])


def with_a_kept_person(charter: tuple[object, ...]) -> tuple[object, ...]:
    """Each seat names the seat of its keeper in place of a boolean, and all name the host."""
    seats = [(*array(seat)[:4], 0, False) for seat in array(charter[4])]
    return (*charter[:4], tuple(seats), *charter[5:])


def with_a_seat(charter: tuple[object, ...], number: int, *marks: bool) -> tuple[object, ...]:
    """With other marks behind the monster of that seat: bot, one game, automatic."""
    seats = list(array(charter[4]))
    seats[number] = (*array(seats[number], 6)[:3], *marks)
    return (*charter[:4], tuple(seats), *charter[5:])


def with_a_bot_as_host(charter: tuple[object, ...]) -> tuple[object, ...]:
    return with_a_seat(charter, 0, True, False, False)


def with_two_marks_of_a_bot(charter: tuple[object, ...]) -> tuple[object, ...]:
    return with_a_seat(charter, 1, True, False, True)


def with_a_mark_left_out(charter: tuple[object, ...]) -> tuple[object, ...]:
    return with_a_seat(charter, 1, False, False)


def of_place(make: Callable[[Scribe], Entry], place: Callable[[], Scribe]) -> Callable[[], bytes]:
    def wrong() -> bytes:
        scribe = place()
        return behind(scribe, make(scribe))

    return wrong


def out_of_turn(scribe: Scribe) -> Entry:
    return scribe.entry(others(scribe, asked(scribe))[0], Answering(a.Stop()))


def another_kind(scribe: Scribe) -> Entry:
    return scribe.entry(asked(scribe), Commits(2, (fill(1), fill(2)), 8, (fill(3),) * 8))


WRONG: dict[str, Callable[[], bytes]] = {
    "checksum-of-a-record": lambda: flipped(short(), 3000),
    "checksum-of-a-length": lambda: flipped(short(), 40),
    "forged-signature": forged,
    "turned-round": turned_round,
    "left-out": lambda: changed(8),
    "doubled": lambda: changed(8, played()[1][8], played()[1][8]),
    "behind-the-end": lambda: changed(-1, played()[1][-1], played()[1][-2]),
    "end-of-another-game": end_of_another_game,
    "other-winners": other_winners,
    "forged-seal": forged_seal,
    "another-salt": another_salt,
    "genesis-not-signed-by-all": genesis_not_signed_by_all,
    "genesis-with-a-deck": lambda: genesis_of(with_a_deck),
    "genesis-with-keepers": lambda: genesis_of(with_a_kept_person),
    "genesis-of-a-bot-as-host": lambda: genesis_of(with_a_bot_as_host),
    "genesis-with-two-marks-of-a-bot": lambda: genesis_of(with_two_marks_of_a_bot),
    "genesis-with-a-mark-left-out": lambda: genesis_of(with_a_mark_left_out),
    "no-genesis": lambda: changed(0),
    "illegal": of_place(illegal, begun),
    "out-of-turn": of_place(out_of_turn, begun),
    "another-kind-of-entry": of_place(another_kind, begun),
    "another-past": of_place(of_another_past, begun),
    "wrong-opening": of_place(wrong_opening, at_a_gather),
    "copied-commitment": of_place(copied, at_a_gather),
    "other-position": of_place(other_position, at_a_position),
    "no-position": of_place(no_position, at_a_position),
    "held-in-a-log": lambda: vote(VoteChoice.HELD),
    "vote-twice": lambda: vote(VoteChoice.DROP, twice=True),
    "proof-twice": proof_twice,
    "vote-with-a-proof-of-nothing": vote_with_a_proof_of_nothing,
    "vote-without-its-proof": vote_without_its_proof,
    "vote-behind-a-closed-gather": vote_behind_a_closed_gather,
    "vote-behind-two-closed-gathers": vote_behind_two_closed_gathers,
    "vote-below-its-view": vote_below_its_view,
    "vote-of-a-former-view-below-it": vote_of_a_former_view_below_it,
    "entry-of-an-ended-view": entry_of_an_ended_view,
    "renewal-of-another-window": renewal_of_another_window,
    "entry-behind-a-farewell": entry_behind_a_farewell,
    "farewell-of-a-bot": farewell_of_a_bot,
    "bot-behind-a-farewell": entry_of_a_bot_behind_the_farewell_of_its_keeper,
    "farewell-before-a-bot": farewell_before_an_entry_of_a_bot,
    "blame-in-a-log": blame_in_a_log,
    "break-at-another-place": break_at_another_place,
    "break-of-an-absent-seat": break_of_an_absent_seat,
    "break-without-a-seat-of-no-table": break_without_a_seat_that_is_not_at_the_table,
    "break-without-a-dead-seat": break_without_a_dead_seat,
    "break-without-a-seat-that-has-left": break_without_a_seat_that_has_left,
    "break-of-a-keeper-without-its-bot": break_signed_by_the_keeper_of_an_absent_bot,
    "end-before-the-end": end_before_the_end,
    "unreadable-head": lambda: flipped(short(), 20),
    "later-version": lambda: headed(LOG_MAGIC + _u32(LOG_FORMAT) + _u32(PROTOCOL_VERSION + 1)),
    "older-format": lambda: headed(LOG_MAGIC + _u32(1) + _u32(4)),
}
