"""Logs that are right: games that have ended, and some that have not."""

from __future__ import annotations

import functools
from collections.abc import Callable

from kotp2p.game.steps import Finished, Solo
from kotp2p.wire.entries import Signed
from kotp2p.wire.proofs import CheatProof
from kotp2p.wire.records import HEAD_BYTES
from referee.box.setup import Options
from tests.support.scribe import Scribe, gathering, rolling, written
from tests.tools.vector_logs.tables import (
    asked,
    at_second_look,
    begun,
    beyond_a_gather,
    others,
    two_answers,
)


@functools.cache
def played() -> tuple[Scribe, tuple[Signed, ...]]:
    """Two seats, from the first roll until one leaves, and the end that both have signed."""
    scribe = begun(2)
    scribe.until(lambda ledger: rolling(ledger) and ledger.chain.turns == 3)
    scribe.take(scribe.farewell(asked(scribe)))
    scribe.finish(0, 1)
    return scribe, tuple(scribe.log)


def short() -> bytes:
    return played()[0].file()


def two() -> bytes:
    """To the last point, so through many turns."""
    scribe = Scribe(2)
    scribe.finish(0, 1)
    return scribe.file()


def mixed_tiles() -> bytes:
    scribe = Scribe(2, "dark", Options(tile_sides="mixed"), number=1)
    scribe.finish(0, 1)
    return scribe.file()


def classic() -> bytes:
    """Signed by one seat alone."""
    scribe = Scribe(3, "classic")
    scribe.until(lambda ledger: rolling(ledger) and ledger.chain.turns == 4)
    scribe.take(*(scribe.farewell(seat) for seat in (1, 2)))
    scribe.finish(0)
    return scribe.file()


def farewell() -> bytes:
    """Said at a question of its own, with an entry in a gather behind it for the others."""
    scribe = begun()
    leaver = asked(scribe)
    scribe.take(scribe.farewell(leaver))
    scribe.finish(*others(scribe, leaver))
    return scribe.file()


def farewell_ahead() -> bytes:
    """From a place three heights on: until there the seat plays as before."""
    scribe = begun()
    scribe.take(scribe.farewell(asked(scribe), later=3))
    scribe.finish(0, 1, 2)
    return scribe.file()


def automatic() -> bytes:
    """A bot answers in place of one guest, whose program plays and signs like that of a person."""
    scribe = Scribe(3, automatic=(1,))
    scribe.until(lambda ledger: rolling(ledger) and ledger.chain.turns == 4)
    scribe.take(*(scribe.farewell(seat) for seat in (0, 2)))
    scribe.finish(0, 1, 2)
    return scribe.file()


def farewell_with_bots() -> bytes:
    """A host leaves where its bot is asked, and its bots with it: one body for three seats."""
    scribe = Scribe(4, bots=2)
    scribe.until(lambda ledger: rolling(ledger) and ledger.chain.turns == 3)
    scribe.take(scribe.farewell(0))
    scribe.finish(0, 1, 2)
    return scribe.file()


def dropped() -> bytes:
    scribe = begun()
    gone = asked(scribe)
    for seat in others(scribe, gone):
        scribe.take(scribe.vote(seat, (gone,)))
    scribe.finish(*others(scribe, gone))
    return scribe.file()


def rewound() -> bytes:
    """The accused's answer, and a step behind it, came before the votes of the others."""
    scribe = begun()
    gone, at = asked(scribe), scribe.place
    scribe.step()
    scribe.step(silent=others(scribe, gone))
    for seat in others(scribe, gone):
        scribe.take(scribe.vote(seat, (gone,), at=at))
    scribe.finish(*others(scribe, gone))
    return scribe.file()


def later_round() -> bytes:
    """A certificate, a part of its renewal, and one of a later round in its place."""
    scribe = begun(4)
    gone, at = asked(scribe), scribe.place
    slow = (gone + 1) % 4
    for seat in others(scribe, gone):
        scribe.take(scribe.vote(seat, (gone,), at=at))
    scribe.take(scribe.entry(slow))
    for seat in others(scribe, gone, slow):
        scribe.take(scribe.vote(seat, tuple(sorted((gone, slow))), 3, at=at))
    scribe.until(rolling)
    return scribe.file()


def left_and_dropped() -> bytes:
    """A farewell counts as a vote: one vote and one farewell drop the third of four."""
    scribe = begun(4)
    gone = asked(scribe)
    left, *rest = others(scribe, gone)
    scribe.take(scribe.farewell(left))
    for seat in rest:
        scribe.take(scribe.vote(seat, (gone,)))
    scribe.finish(*rest)
    return scribe.file()


def left_in_vain() -> bytes:
    """A farewell, taken on the line of the new view, and votes of a later round of the former one.
    They would suffice with it. But on the former line its seat has played behind its place, before
    the height of these votes, so there it does not count as a vote."""
    scribe = begun(4)
    leaver, height = asked(scribe), scribe.ledger.height - 1
    gone, *rest = others(scribe, leaver)
    at = (scribe.ledger.view, height, scribe.ledger.heads[height])
    said = scribe.farewell(leaver)
    scribe.until(gathering)
    later = scribe.place
    for seat in (leaver, *rest):
        scribe.take(scribe.vote(seat, (gone,), at=at))
    scribe.take(said)
    for seat in rest:
        scribe.take(scribe.vote(seat, (gone,), 2, at=later))
    scribe.until(rolling)
    return scribe.file()


def votes_in_vain() -> bytes:
    """One vote is not enough; the accused came back."""
    scribe = begun()
    gone = asked(scribe)
    scribe.take(scribe.vote(others(scribe, gone)[0], (gone,)))
    for _ in range(4):
        scribe.step()
    return scribe.file()


def vote_of_one_who_is_out() -> bytes:
    """Of three, one has left. Their vote is counted, but nobody needs it, so that the proof in it
    does not help the one vote that is needed."""
    scribe = begun()
    cheat = asked(scribe)
    left, last = others(scribe, cheat)
    scribe.take(scribe.farewell(left))
    scribe.until(lambda ledger: len(ledger.game.state.seats_alive()) == 2)
    scribe.until(lambda ledger: ledger.step == Solo(cheat))
    proof = two_answers(scribe, cheat)
    scribe.take(scribe.vote(last, (cheat,)))
    scribe.take(proof, scribe.vote(left, (cheat,), proofs=[proof]))
    return scribe.file()


def convicted() -> bytes:
    """A proof leaves one honest seat enough: two of three have signed two answers each."""
    scribe = begun()
    cheats = tuple(sorted((asked(scribe), (asked(scribe) + 1) % 3)))
    proofs = [two_answers(scribe, seat) for seat in cheats]
    scribe.take(*proofs)
    for seat in others(scribe, *cheats):
        scribe.take(scribe.vote(seat, cheats, proofs=proofs))
    scribe.finish(*others(scribe, *cheats))
    return scribe.file()


def convicted_far_back() -> bytes:
    """Two of three convicted: the vote of the third undoes a gather that a copy without a vote has
    closed behind its height, and what stands behind that."""
    scribe, at, cheats = beyond_a_gather()
    proofs = [two_answers(scribe, seat) for seat in cheats]
    scribe.take(*proofs)
    for seat in others(scribe, *cheats):
        scribe.take(scribe.vote(seat, cheats, proofs=proofs, at=at))
    scribe.finish(*others(scribe, *cheats))
    return scribe.file()


def left_twice() -> bytes:
    """A farewell has stood in in a gather that has closed; a proof of another one undoes it."""
    scribe = Scribe(3)
    scribe.until(gathering)
    at, leaver = scribe.place, 0
    one, two = scribe.farewell(leaver), scribe.farewell(leaver, later=1)
    scribe.take(one)
    scribe.step()
    proof = CheatProof((one.signed, two.signed))
    scribe.take(proof)
    for seat in others(scribe, leaver):
        scribe.take(scribe.vote(seat, (leaver,), proofs=[proof], at=at))
    scribe.finish(1, 2)
    return scribe.file()


def second_look() -> bytes:
    scribe = at_second_look()
    for _ in range(12):
        scribe.step()
    return scribe.file()


def unfinished() -> bytes:
    return begun().file()


def torn() -> bytes:
    return begun().file()[:-5]


def head_alone() -> bytes:
    return begun().file()[:HEAD_BYTES]


def torn_in_the_genesis() -> bytes:
    return begun().file()[: HEAD_BYTES + 100]


def torn_of_zeros() -> bytes:
    return begun().file() + bytes(1000)


def torn_behind_the_end() -> bytes:
    return short() + bytes(7)


def without_an_end() -> bytes:
    return written(played()[0].game, played()[1][:-1])


def adjourned() -> bytes:
    scribe = begun()
    scribe.log.append(scribe.stop((0, 1, 2)))
    return scribe.file()


def claimed() -> bytes:
    scribe = begun()
    gone = asked(scribe)
    scribe.log.append(scribe.stop(others(scribe, gone), (gone,)))
    return scribe.file()


def adjourned_after_the_end() -> bytes:
    """The game is over, and nobody has signed its end. A seat that has left signs the break."""
    scribe = begun()
    leaver = asked(scribe)
    scribe.take(scribe.farewell(leaver))
    scribe.until(lambda ledger: isinstance(ledger.step, Finished))
    scribe.log.append(scribe.stop((0, 1, 2)))
    return scribe.file()


def resumed() -> bytes:
    """Adjourned twice at one place, and gone on with."""
    scribe = begun()
    scribe.log += [scribe.stop((0, 1, 2)), scribe.stop((0, 1, 2))]
    scribe.step()
    return scribe.file()


RIGHT: dict[str, Callable[[], bytes]] = {
    made.__name__.replace("_", "-"): made
    for made in (
        short, two, classic, mixed_tiles, automatic, farewell, farewell_ahead,
        farewell_with_bots, dropped, rewound, later_round,
        left_and_dropped, left_twice, left_in_vain, votes_in_vain, vote_of_one_who_is_out,
        convicted, convicted_far_back, second_look, unfinished, torn,
        torn_of_zeros, torn_behind_the_end, head_alone,
        torn_in_the_genesis, without_an_end, adjourned, claimed, adjourned_after_the_end,
        resumed,
    )
}  # fmt: skip
