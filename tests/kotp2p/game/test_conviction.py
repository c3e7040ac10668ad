"""What one body or two show of their author, and what shows nothing (PROTOCOL.md 9.6)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kotp2p.game.conviction import height_needed
from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Cheat, Differs, Forged, Fork
from kotp2p.game.steps import Gather
from kotp2p.wire.crypto import HASH_BYTES
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import Answering, Entry, Opening, Payload, Signed
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.intents import Intent, IntentKind
from kotp2p.wire.proofs import CheatKind, CheatProof
from kotp2p.wire.votes import Vote, VoteChoice
from referee.model.answers import Buy, Reroll
from tests.support.five_players import (
    SIGNERS,
    at_a_decision,
    drop,
    genesis,
    held,
    owes,
    two_answers,
)
from tests.tools.vector_table import fill


def signed_by(ledger: Ledger, seat: int, payload: Payload, game: bytes = b"") -> Entry:
    view, height = ledger.place
    before, of = ledger.head, game or genesis().id
    return Entry.sign(SIGNERS[seat], of, view, height, before, seat, payload)


def judge(ledger: Ledger, *bodies: Signed) -> Cheat:
    return ledger.judge_proof(CheatProof(bodies))


def test_an_answer_against_the_rules_alone_is_a_proof() -> None:
    ledger, asked = at_a_decision()
    found = judge(ledger, signed_by(ledger, asked, Answering(Buy(0))).signed)
    assert (found.seat, found.kind) == (asked, CheatKind.ILLEGAL_MOVE)


def test_it_is_one_also_where_another_answer_of_that_seat_was_taken() -> None:
    ledger, asked = at_a_decision()
    illegal = signed_by(ledger, asked, Answering(Buy(0)))
    ledger.accept_entry(owes(ledger, asked))
    found = judge(ledger, illegal.signed)
    assert (found.seat, found.kind) == (asked, CheatKind.ILLEGAL_MOVE)


def test_a_right_answer_alone_proves_nothing_before_it_is_taken_and_behind() -> None:
    ledger, asked = at_a_decision()
    right = owes(ledger, asked)
    for _ in range(2):
        with pytest.raises(Forged):
            judge(ledger, right.signed)
        ledger.accept_entry(right)


def test_an_answer_on_another_past_alone_proves_nothing() -> None:
    ledger, asked = at_a_decision()
    view, height = ledger.place
    answer = Answering(Buy(0))
    entry = Entry.sign(SIGNERS[asked], genesis().id, view, height, fill(9), asked, answer)
    with pytest.raises(Fork):
        judge(ledger, entry.signed)


def test_an_answer_of_another_game_or_that_its_seat_has_not_signed_proves_nothing() -> None:
    ledger, asked = at_a_decision()
    unsigned = signed_by(ledger, asked, Answering(Buy(0))).signed._replace(signature=bytes(64))
    for signed in (signed_by(ledger, asked, Answering(Buy(0)), fill(9)).signed, unsigned):
        with pytest.raises(Forged):
            judge(ledger, signed)


def contradictions() -> dict[str, tuple[Signed, Signed]]:
    """By name: two bodies of seat 1."""
    ledger, _ = at_a_decision()
    view, height = ledger.place
    game = genesis().id
    bye = Farewell.sign(SIGNERS[1], game, 1, view, height)
    early = Farewell.sign(SIGNERS[1], game, 1, view, height - 1)
    later = Farewell.sign(SIGNERS[1], game, 1, view, height + 1, [1])
    entries = [signed_by(ledger, 1, Answering(Reroll((n,)))).signed for n in (0, 1)]
    answer = Answering(Reroll((1,)))
    behind = Entry.sign(SIGNERS[1], game, view, height + 1, fill(9), 1, answer)
    next_view = Farewell.sign(SIGNERS[1], game, 1, view + 1, height)
    drops = [drop(ledger, 1, (accused,), 1).signed for accused in (2, 3)]
    return {
        "two entries": (entries[0], entries[1]),
        "two farewells": (early.signed, bye.signed),
        "an entry behind a farewell": (bye.signed, entries[0]),
        "two votes of a round": (drops[0], drops[1]),
        "a vote that a farewell does not name": (bye.signed, drops[0]),
        "the same entry twice": (entries[0], entries[0]),
        "an entry before a farewell": (later.signed, entries[0]),
        "a vote that a farewell names": (later.signed, drops[0]),
        "the same vote twice": (drops[0], drops[0]),
        "votes of two rounds": (drops[0], drop(ledger, 1, (3,), 2).signed),
        "a vote and an objection": (drops[0], held(ledger, 1, 2).signed),
        "two objections": (held(ledger, 1, 2).signed, held(ledger, 1, 3).signed),
        "an entry and a vote": (entries[0], drops[0]),
        "entries of two heights": (entries[0], behind.signed),
        "a vote of the view before a farewell": (next_view.signed, drops[0]),
    }


SHOW = [
    "two entries", "two farewells", "an entry behind a farewell", "two votes of a round",
    "a vote that a farewell does not name",
]  # fmt: skip
"""The names of those that show a cheat."""


@pytest.mark.parametrize("name", SHOW)
def test_two_bodies_that_exclude_each_other_convict_their_author(name: str) -> None:
    ledger, _ = at_a_decision()
    assert judge(ledger, *contradictions()[name]).seat == 1


@pytest.mark.parametrize("name", sorted(contradictions().keys() - set(SHOW)))
def test_two_bodies_that_an_honest_seat_may_sign_prove_nothing(name: str) -> None:
    ledger, _ = at_a_decision()
    with pytest.raises(Forged):
        judge(ledger, *contradictions()[name])


@pytest.mark.parametrize("name", SHOW)
def test_a_contradiction_is_of_one_author_who_has_signed_both(name: str) -> None:
    ledger, _ = at_a_decision()
    first, second = contradictions()[name]
    for bodies in (
        (first._replace(signature=bytes(64)), second),
        (first, second._replace(signature=bytes(64))),
    ):
        with pytest.raises(Forged):
            judge(ledger, *bodies)


def test_a_contradiction_needs_no_chain_and_an_illegal_answer_needs_it_up_to_its_place() -> None:
    ledger, asked = at_a_decision()
    twice = [entry.signed for entry in two_answers(ledger, asked)]
    assert ledger.height > 0
    assert height_needed(CheatProof(tuple(twice))) == 0
    assert height_needed(CheatProof((twice[0],))) == ledger.height


def test_entries_of_two_games_contradict_nothing() -> None:
    ledger, _ = at_a_decision()
    here = signed_by(ledger, 1, Answering(Reroll((0,)))).signed
    there = signed_by(ledger, 1, Answering(Reroll((1,))), fill(9)).signed
    for bodies in ((here, there), (there, here)):
        with pytest.raises(Forged):
            judge(ledger, *bodies)


def test_bodies_of_two_seats_contradict_nothing() -> None:
    ledger, _ = at_a_decision()
    first = signed_by(ledger, 1, Answering(Reroll((0,)))).signed
    second = signed_by(ledger, 2, Answering(Reroll((1,)))).signed
    with pytest.raises(Forged):
        judge(ledger, first, second)


def test_what_may_be_signed_in_any_number_is_in_no_proof() -> None:
    ledger, _ = at_a_decision()
    wishes = [
        Intent.sign(SIGNERS[1], genesis().id, 1, n, IntentKind.WAIT, ledger.place).signed
        for n in (1, 2)
    ]
    with pytest.raises(BadBytes):
        CheatProof.unpack(CheatProof((wishes[0], wishes[1])).pack())
    with pytest.raises(BadBytes):
        judge(ledger, *wishes)


def test_votes_about_a_seat_that_is_not_at_the_table_prove_nothing() -> None:
    ledger, _ = at_a_decision()
    votes = [
        Vote.sign(
            SIGNERS[1], genesis().id, ledger.place, ledger.head, 1, VoteChoice.DROP, seats, 1
        ).signed
        for seats in ((2,), (5,))
    ]
    with pytest.raises(Forged):
        judge(ledger, *votes)


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
    assert shown.value.kind is CheatKind.BAD_ENTRY


def test_another_digest_accuses_nobody_and_is_not_taken() -> None:
    ledger = at_a_gather(is_due=True)
    opening = owes(ledger, 0).payload
    assert isinstance(opening, Opening)
    with pytest.raises(Differs):
        ledger.accept_entry(signed_by(ledger, 0, replace(opening, position=bytes(HASH_BYTES))))
    assert 0 in ledger.owing_seats()
    ledger.accept_entry(owes(ledger, 0))
    assert 0 not in ledger.owing_seats()
