"""Where somebody votes because of proofs: where others can join him, and nobody is waited for."""

from __future__ import annotations

from kotp2p.charges import charge
from kotp2p.entries import Answering, Entry, Farewell
from kotp2p.promises import Promises
from kotp2p.proofs import Proof
from kotp2p.steps import equivocation
from referee.answers import Pass
from tests.kotp2p.five import (
    SIGNERS,
    accuse,
    at_a_decision,
    genesis,
    others,
    owes,
    proof_against,
    two_answers,
)


def test_who_has_gone_on_joins_those_who_accuse_more_where_he_has_voted() -> None:
    """He was released by a farewell; who stands still there does not take it."""
    ledger, cheat = at_a_decision()
    there, _ = at_a_decision()
    me, leaver, other, *_ = others(cheat)
    promises = Promises(ledger, me)
    convicts = {seat: ledger.judge(proof_against(seat)) for seat in (cheat, leaver)}
    ledger.vote(accuse(there, me, (cheat,), (cheat,)))
    ledger.accept(owes(ledger, cheat))
    view, height = ledger.place
    ledger.part(Farewell.sign(SIGNERS[leaver], genesis().id, leaver, view, height))
    both = tuple(sorted((cheat, leaver)))
    assert charge(promises, convicts) == (ledger.height, both)
    ledger.vote(accuse(there, leaver, both[:1], (cheat,), 2))
    assert charge(promises, convicts) == (ledger.height, both)
    ledger.vote(accuse(there, other, both, both, 2))
    assert charge(promises, convicts) == (there.height, both)


def test_who_waits_for_convicts_alone_votes_again_where_they_are_convicted() -> None:
    """What the last of them has done, behind that place, proves nothing there."""
    ledger, cheat = at_a_decision()
    there, _ = at_a_decision()
    helper, me, *rest = others(cheat)
    answers = two_answers(ledger, cheat)
    ledger.accept(answers[0])
    for voter in (me, *rest):
        ledger.vote(accuse(there, voter, (cheat,), (cheat,)))
    promises, convicts = Promises(ledger, me), {cheat: equivocation(*answers)}
    assert promises.standing_still()
    assert charge(promises, convicts) == (there.height, (cheat,))
    early = Entry.sign(
        SIGNERS[helper], genesis().id, *ledger.place, ledger.head, helper, Answering(Pass())
    )
    convicts[helper] = ledger.judge(Proof((early.signed,)))
    assert charge(promises, convicts) == (ledger.height, tuple(sorted((cheat, helper))))
