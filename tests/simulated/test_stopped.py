"""What a cheat has told two players at the very place where these stop for the day.

Nobody has compared it yet: a peer shows what it holds of a step on a new link, when somebody is
late, or when the step has closed. The law waits until they go on, and no longer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePath

import msgpack
import pytest
import trio

from kotp2p.endings import EndKind
from kotp2p.game.steps import Gather, Solo
from kotp2p.membership.adjourning import BREAK_SEALS_SECONDS
from kotp2p.mesh.reachability import GONE_AFTER_SILENT_SECONDS
from kotp2p.peer.peer import Peer
from kotp2p.wire.entries import BodyKind, Entry, Opening, Signed
from kotp2p.wire.frames import Frame
from kotp2p.wire.intents import IntentKind
from referee.model.answers import Seat
from tests.support.five_players import PEOPLE, SIGNERS, genesis
from tests.support.wired_peers import WiredPeers
from tests.tools.sim import wire
from tests.tools.sim.accountability import Accountability
from tests.tools.sim.cheat_game import CheatGame
from tests.tools.sim.cheat_mix import cheat_mix
from tests.tools.sim.clock import SimClock
from tests.tools.sim.life import Life
from tests.tools.sim.trace import Trace

MALLORY, GONE, *HONEST = range(PEOPLE)
MISLED = HONEST[-1]
"""Is told another thing than the rest."""
FIRST_GATHER = 5
"""Mallory cheats in the first gather from this height on: the game is on its way."""


def told_two_and_stopped() -> WiredPeers:
    """Mallory has shown two openings in a gather, which cannot close as a player has gone, and the
    others have agreed to stop for the day before that player was late."""
    table = WiredPeers(MALLORY, GONE)

    def tells_two(target: Seat, frame: Frame) -> Iterator[Frame]:
        entry = _opening_in(frame)
        if entry is None or entry.seat != MALLORY or target != MISLED:
            yield frame
        else:
            assert isinstance(entry.payload, Opening)
            other = replace(entry.payload, commitments=(bytes(32), *entry.payload.commitments[1:]))
            signer, place = SIGNERS[MALLORY], entry.place
            yield Entry.sign(signer, genesis().id, *place, entry.prev, MALLORY, other).signed

    table.tamper = {MALLORY: tells_two}
    table.play(lambda: all(_decides(table.peers[seat]) for seat in HONEST))
    table.unplug(GONE)
    table.wait(int(GONE_AFTER_SILENT_SECONDS) - 10)
    table.play(lambda: all(_waits_for_the_gone(table.peers[seat]) for seat in HONEST))
    table.wait(12)
    for seat in (MALLORY, *HONEST):
        table.peers[seat].declare_intent(IntentKind.ADJOURN, table.now)
        table._perform(seat)
    table.wait(int(BREAK_SEALS_SECONDS) + 2)
    assert table.ended >= {*HONEST}
    return table


def _opening_in(frame: Frame) -> Entry | None:
    """The entry in a frame, if it is an opening of the gather in which Mallory cheats."""
    if not isinstance(frame, Signed) or frame.kind is not BodyKind.PLAY:
        return None
    entry = Entry.parse(frame)
    is_it = isinstance(entry.payload, Opening) and entry.height >= FIRST_GATHER
    return entry if is_it else None


def _decides(peer: Peer) -> bool:
    ledger = peer.ledger
    at_decision = ledger.height >= FIRST_GATHER and isinstance(ledger.step, Solo)
    return at_decision and ledger.owing_seats() != (GONE,)


def _waits_for_the_gone(peer: Peer) -> bool:
    ledger = peer.ledger
    is_there = ledger.height >= FIRST_GATHER and isinstance(ledger.step, Gather)
    return is_there and ledger.owing_seats() == (GONE,)


def judged(table: WiredPeers, done: EndKind, *still_there: Seat) -> list[str]:
    """What the law of two bodies finds in the logs of the honest seats at this end."""
    cheats: dict[int, tuple[str, ...]] = {MALLORY: (), GONE: ()}
    mix = replace(cheat_mix(0), players=PEOPLE, bots=0, cheats=cheats)
    found = list[str]()

    async def judge() -> None:
        game = CheatGame(mix, SimClock.current(), Trace())
        laws = game.invariants
        laws.played_by = {seat: seat for seat in range(PEOPLE)}
        for seat in HONEST:
            machine = game.machines[seat]
            machine.life = Life(seat, 0, machine.address, peers=[table.peers[seat]])
            machine.done = None if seat in still_there else done
            laws.synced(machine.life, PurePath("log"), table.log(seat))
        game.judge_two_bodies()
        found.extend(violation.number for violation in laws.violations)

    trio.run(judge, clock=SimClock())
    return found


def test_two_shares_of_the_gather_in_which_all_have_stopped_convict_when_they_go_on() -> None:
    table = told_two_and_stopped()
    place = table.peers[MISLED].ledger.place
    shown = [table.peers[seat].ledger.chain.find_entry(place[1], MALLORY) for seat in HONEST]
    assert len({entry.id for entry in shown if entry is not None}) == 2
    assert None not in shown
    assert {table.peers[seat].ledger.place for seat in HONEST} == {place}
    assert not set().union(*table.accused)

    again = WiredPeers(MALLORY, GONE, logs=table.records)
    for away in again.hostile:  # the honest have it from each other alone
        again.unplug(away)
    again.wait(1)
    for seat in HONEST:
        assert again.accused[seat] == again.evidence[seat] == {MALLORY}
    again.check_honest()


def test_the_law_waits_for_those_who_have_stopped_there_and_for_nobody_else() -> None:
    table = told_two_and_stopped()
    for done in (EndKind.ADJOURNED, EndKind.CLAIMED):
        assert judged(table, done) == []
        assert judged(table, done, MISLED) == []
        assert "I3" in judged(table, done, MISLED, HONEST[0])
    assert "I3" in judged(table, EndKind.LEFT)


def told_two_things() -> Accountability:
    """A cheat has told one honest seat one thing at height 17, and another one another."""
    laws = Accountability(cheats=frozenset({2}), played_by={0: 0, 1: 1, 2: 2})
    for machine, payload in enumerate((b"one", b"other")):
        body = msgpack.packb([0, b"game", 0, 17, b"head", 2, 1, payload])
        laws.durable[machine, f"10.0.0.{machine}"] = {0: wire.Body(wire.PLAY, body)}
    return laws


@pytest.mark.parametrize(
    ("stopped_at", "found"), [((0, 17), []), ((0, 18), ["I3"]), ((1, 17), ["I3"]), (None, ["I3"])]
)
def test_two_bodies_are_excused_at_the_place_of_the_break_alone(
    stopped_at: tuple[int, int] | None, found: list[str]
) -> None:
    laws = told_two_things()
    laws.i3_two_bodies(set(), stopped_at={0: stopped_at} if stopped_at else None)
    assert [violation.number for violation in laws.violations] == found


@pytest.mark.parametrize(
    ("undone", "found"), [((0, 17), []), ((0, 16), []), ((0, 18), ["I3"]), ((1, 17), ["I3"])]
)
def test_two_bodies_are_excused_where_votes_have_undone_them(
    undone: tuple[int, int], found: list[str]
) -> None:
    laws = told_two_things()
    laws.i3_two_bodies(set(), undone={undone})
    assert [violation.number for violation in laws.violations] == found
