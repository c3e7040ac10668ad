"""A hostile seat keeps its votes, or its openings too, back to keep a convict in the game."""

from __future__ import annotations

from collections.abc import Iterable

from kotp2p.absence_notices import Dropped, Rewound
from kotp2p.game.steps import Gather, Solo
from kotp2p.wire.entries import Answering, BodyKind, Entry, Signed
from kotp2p.wire.frames import Frame
from kotp2p.wire.intents import IntentKind
from referee.model.answers import Pass, Reroll, Seat
from referee.model.dice_decisions import RollDecision
from tests.support.five_players import SIGNERS, genesis
from tests.support.wired_peers import WiredPeers

CONVICT, ACCOMPLICE = 3, 4


def heartbeats_alone(_seat: Seat, frame: Frame) -> Iterable[Frame]:
    """No opening, and no vote."""
    return () if isinstance(frame, Signed) and frame.kind is not BodyKind.HEAD else (frame,)


def no_votes(_seat: Seat, frame: Frame) -> Iterable[Frame]:
    return () if isinstance(frame, Signed) and frame.kind is BodyKind.VOTE else (frame,)


def test_an_accomplice_that_is_convicted_behind_a_fork_holds_up_nobody_who_is_asked_there() -> None:
    """Its offence proves nothing at the fork. So all honest seats have voted there against the
    other cheat alone, and lack its vote; and neither of the two is asked before the next gather."""
    table = WiredPeers(CONVICT, ACCOMPLICE)
    ledger = table.peers[0].ledger

    def is_roll_of_honest() -> bool:
        asked = isinstance(ledger.game.pending, RollDecision)
        return asked and isinstance(ledger.step, Solo) and ledger.step.seat in table.honest

    table.tamper[ACCOMPLICE] = no_votes
    table.play(is_roll_of_honest)
    view, height = ledger.place
    twice, offence = (
        Entry.sign(SIGNERS[seat], genesis().id, view, at, ledger.heads[at], seat, Answering(Pass()))
        for seat, at in ((CONVICT, height - 1), (ACCOMPLICE, height))
    )
    table.send(ACCOMPLICE, [offence.signed])
    table.send(CONVICT, [twice.signed])
    table.deliver()
    assert {vote.seat for vote in ledger.tally.all_votes()} == {*table.honest}
    table.play_on(6)
    table.check_convicted(CONVICT, ACCOMPLICE)
    assert ledger.view > 0
    table.check_honest()


def test_nobody_reads_that_an_accomplice_was_on_time_that_held_up_the_vote_against_a_cheat() -> (
    None
):
    """The votes are at the height where the cheat has answered twice. There the accomplice was
    asked nothing, and at the next one it has kept all waiting."""
    table = WiredPeers(CONVICT, ACCOMPLICE)
    ledger = table.peers[0].ledger

    def is_roll_of_convict() -> bool:
        asked = isinstance(ledger.game.pending, RollDecision)
        return asked and isinstance(ledger.step, Solo) and ledger.step.seat == CONVICT

    table.play(is_roll_of_convict)
    view, fork = ledger.place
    twice = Entry.sign(
        SIGNERS[CONVICT], genesis().id, view, fork, ledger.head, CONVICT, Answering(Reroll((0,)))
    )
    table.tamper[ACCOMPLICE] = heartbeats_alone
    table.play(lambda: ledger.height > fork and isinstance(ledger.step, Gather))
    table.send(CONVICT, [twice.signed])
    wider = (CONVICT, ACCOMPLICE)
    table.play(lambda: all(table.peers[s]._voting.intents.open_vote == wider for s in table.honest))
    assert ledger.owing_seats() == (ACCOMPLICE,)
    for seat in table.honest:
        table.peers[seat].declare_intent(IntentKind.DROP, table.now)
        table._perform(seat)
    table.deliver()
    # The convict has no vote, and its program is unmodified: it stands for all that only watch.
    rewound, dropped = (n for n in table.shown[CONVICT] if isinstance(n, Rewound | Dropped))
    assert isinstance(rewound, Rewound)
    assert isinstance(dropped, Dropped)
    assert rewound.height == fork
    assert (dropped.seats, dropped.by) == (wider, tuple(table.honest))
    assert dropped.punctual == ()
    table.play_on(6)
    table.check_convicted(CONVICT)
    table.check_honest()
