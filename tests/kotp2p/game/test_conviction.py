"""What one body or two show of their author, and what shows nothing (PROTOCOL.md 9.6)."""

from dataclasses import replace

import pytest

from kotp2p.game.ledger import Ledger, convict
from kotp2p.game.steps import Cheat, Differs, Early, Finished, Forged, Fork, Gather
from kotp2p.referee.model.answers import Buy, Reroll
from kotp2p.wire import lineups
from kotp2p.wire.crypto import HASH_BYTES
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import Answering, End, Entry, Opening, Payload, Rows, Signed
from tests.support.five_players import SIGNERS, at_a_decision, genesis, owes
from tests.support.scribe import Scribe, rolling
from tests.tools.vector_logs import offences
from tests.tools.vector_table import fill


def signed_by(ledger: Ledger, seat: int, payload: Payload, prev: bytes = b"") -> Entry:
    attempt, height = ledger.place
    return Entry.sign(SIGNERS[seat], attempt, height, prev or ledger.head, seat, payload)


def judge(ledger: Ledger, *bodies: Signed) -> Cheat:
    return convict(ledger, lineups.CheatProof(bodies))


def assent(seat: int, ledger: Ledger, attempt: int, absent: int, pred: bytes = b"") -> Signed:
    """To a line-up without one keeper, from the present place."""
    plan = (lineups.Change(absent, lineups.Reason.ABSENT),)
    base = (ledger.height, ledger.head)
    before = pred or genesis().id
    lineup = lineups.LineUp.build(genesis().id, attempt, before, base, fill(7), plan, ())
    return lineup.proving(lineup.assent(SIGNERS[seat]))


def test_an_answer_against_the_rules_alone_is_a_proof() -> None:
    ledger, asked = at_a_decision()
    found = judge(ledger, signed_by(ledger, asked, Answering(Buy(0))).signed)
    assert (found.seat, found.kind) == (asked, lineups.CheatKind.ILLEGAL_MOVE)


def test_it_is_one_also_where_another_answer_of_that_seat_was_taken() -> None:
    ledger, asked = at_a_decision()
    illegal = signed_by(ledger, asked, Answering(Buy(0)))
    ledger.accept_entry(owes(ledger, asked))
    found = judge(ledger, illegal.signed)
    assert (found.seat, found.kind) == (asked, lineups.CheatKind.ILLEGAL_MOVE)


def test_a_right_answer_alone_proves_nothing_before_it_is_taken_and_behind() -> None:
    ledger, asked = at_a_decision()
    right = owes(ledger, asked)
    for _ in range(2):
        with pytest.raises(Forged):
            judge(ledger, right.signed)
        ledger.accept_entry(right)


def test_an_answer_on_another_past_alone_proves_nothing() -> None:
    ledger, asked = at_a_decision()
    with pytest.raises(Fork):
        judge(ledger, signed_by(ledger, asked, Answering(Buy(0)), fill(9)).signed)


def test_who_commits_to_what_another_has_shown_is_the_cheat_and_not_who_is_asked() -> None:
    scribe = Scribe(4)
    scribe.until(rolling)
    asked = scribe.ledger.owing_seats()[0]
    copier, owner = [seat for seat in range(4) if seat != asked][:2]
    scribe.change(lineups.Change(copier, lineups.Reason.AGAIN, bytes(7) + b"1"))
    row = scribe.ledger.genesis.rows[owner]
    with pytest.raises(Cheat) as shown:
        scribe.take(scribe.entry(copier, Rows(row.dice, row.cards)))
    assert (shown.value.seat, shown.value.kind) == (copier, lineups.CheatKind.COPIED_COMMITMENT)


def test_a_blame_from_before_the_last_line_up_proves_nothing() -> None:
    scribe, share = offences.shared(people=4)
    proof = lineups.CheatProof((offences.blame(scribe, share).signed,))
    assert convict(scribe.ledger, proof).kind is lineups.CheatKind.WRONG_SHARE
    scribe.until(rolling)
    scribe.lose(*scribe.ledger.owing_seats())
    with pytest.raises(Fork):
        convict(scribe.ledger, proof)


def test_an_answer_that_no_keeper_has_signed_proves_nothing() -> None:
    ledger, asked = at_a_decision()
    unsigned = signed_by(ledger, asked, Answering(Buy(0))).signed._replace(signature=bytes(64))
    with pytest.raises(Forged):
        judge(ledger, unsigned)


def test_an_answer_of_a_place_that_is_not_reached_waits() -> None:
    ledger, asked = at_a_decision()
    later = Entry.sign(SIGNERS[asked], 0, ledger.height + 1, ledger.head, asked, Answering(Buy(0)))
    with pytest.raises(Early):
        judge(ledger, later.signed)


def in_good_order() -> dict[str, tuple[Signed, Signed]]:
    """By name: two bodies of seat 1. More pairs are in docs/vectors/logs."""
    ledger, _ = at_a_decision()
    entry = signed_by(ledger, 1, Answering(Reroll((0,)))).signed
    elsewhere = signed_by(ledger, 1, Answering(Reroll((1,))), fill(9)).signed
    earlier = Entry.sign(SIGNERS[1], 0, ledger.height - 1, fill(9), 1, Answering(Reroll((0,))))
    leave = lineups.Leave.sign(SIGNERS[1], genesis().id, 1, 0, 0).signed
    return {
        "entries on two pasts": (entry, elsewhere),
        "an entry before a leave": (leave, entry),
        "the same leave twice": (leave, leave),
        "the same assent twice": (assent(1, ledger, 3, 2), assent(1, ledger, 3, 2)),
        "an assent that comes from its entry": (earlier.signed, assent(1, ledger, 3, 2)),
    }  # fmt: skip


@pytest.mark.parametrize("name", in_good_order())
def test_two_bodies_that_an_honest_keeper_may_sign_prove_nothing(name: str) -> None:
    ledger, _ = at_a_decision()
    with pytest.raises(Forged):
        judge(ledger, *in_good_order()[name])


def test_bodies_of_two_seats_contradict_nothing() -> None:
    ledger, _ = at_a_decision()
    first = signed_by(ledger, 1, Answering(Reroll((0,)))).signed
    second = signed_by(ledger, 2, Answering(Reroll((1,)))).signed
    with pytest.raises(Forged):
        judge(ledger, first, second)


def test_an_assent_from_a_line_up_that_is_not_known_waits() -> None:
    ledger, _ = at_a_decision()
    entry = signed_by(ledger, 1, Answering(Reroll((0,)))).signed
    with pytest.raises(Early):
        judge(ledger, entry, assent(1, ledger, 3, 2, pred=fill(3)))


def test_what_may_be_signed_in_any_number_is_in_no_proof() -> None:
    wishes = [lineups.sign_wish(SIGNERS[1], genesis().id, 1, n).signed for n in (1, 2)]
    with pytest.raises(BadBytes):
        lineups.CheatProof.unpack(lineups.CheatProof((wishes[0], wishes[1])).pack())
    ledger, _ = at_a_decision()
    with pytest.raises(BadBytes):
        judge(ledger, *wishes)


# -- the end --------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_right", [False, True])
def test_other_winners_are_an_offence_only_with_the_right_digest(is_right: bool) -> None:
    scribe = Scribe(2)
    scribe.until(lambda ledger: isinstance(ledger.step, Finished))
    own = scribe.entry(0).payload
    assert isinstance(own, End)
    other = replace(own, winners=(0, 1), position=own.position if is_right else fill(9))
    ended = scribe.entry(0, other)
    with pytest.raises(Cheat if is_right else Differs):
        scribe.ledger.accept_entry(ended)
    if is_right:
        assert judge(scribe.ledger, ended.signed).detail == "other winners"
    else:
        with pytest.raises(Forged):
            judge(scribe.ledger, ended.signed)


# -- the digest of the position (PROTOCOL.md 5.6) ------------------------------------------------


def at_a_gather(*, is_due: bool) -> Ledger:
    ledger = Ledger(genesis())
    while not (isinstance(ledger.step, Gather) and ledger.chain.feed.position_due is is_due):
        for seat in ledger.owing_seats():
            ledger.accept_entry(owes(ledger, seat))
    return ledger


@pytest.mark.parametrize("is_due", [False, True])
def test_an_opening_without_a_digest_that_is_due_or_with_one_that_is_not_is_an_offence(
    is_due: bool,
) -> None:
    ledger = at_a_gather(is_due=is_due)
    opening = owes(ledger, 0).payload
    assert isinstance(opening, Opening)
    assert (opening.position is not None) is is_due
    digest = None if is_due else ledger.chain.feed.position_digest()
    with pytest.raises(Cheat) as shown:
        ledger.accept_entry(signed_by(ledger, 0, replace(opening, position=digest)))
    assert shown.value.kind is lineups.CheatKind.BAD_ENTRY


def test_another_digest_accuses_nobody_and_is_not_taken() -> None:
    ledger = at_a_gather(is_due=True)
    opening = owes(ledger, 0).payload
    assert isinstance(opening, Opening)
    with pytest.raises(Differs):
        ledger.accept_entry(signed_by(ledger, 0, replace(opening, position=bytes(HASH_BYTES))))
    assert 0 in ledger.owing_seats()
    ledger.accept_entry(owes(ledger, 0))
    assert 0 not in ledger.owing_seats()
