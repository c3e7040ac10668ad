"""Logs that are right: games that have ended, and some that have not."""

import functools
from collections.abc import Callable

from kotp2p.game.steps import Finished, Gather, Sharing
from kotp2p.referee.box.rulesets import Options
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.lineups import Change, CheatProof, Reason
from kotp2p.wire.records import HEAD_BYTES, ProgramNamed
from tests.support.scribe import Scribe, gathering, rolling, written
from tests.tools.vector_logs.tables import asked, at_second_look, begun, others, two_answers

FIRST, SECOND = b"\0\0\0\1" + bytes(4), b"\0\0\0\2" + bytes(4)
"""Instances of processes that have come back."""


@functools.cache
def played() -> tuple[Scribe, tuple[Signed, ...]]:
    """Three seats, from the first roll until two leave, and the end of the last one."""
    scribe = begun()
    scribe.until(lambda ledger: rolling(ledger) and ledger.chain.turns == 3)
    for seat in (1, 2):
        scribe.go(seat)
    scribe.finish(0)
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


def two_player_classic() -> bytes:
    scribe = Scribe(2, "classic", Options(two_player=True))
    scribe.finish(0, 1)
    return scribe.file()


def classic() -> bytes:
    """Signed by one of two members: the other one is named."""
    scribe = Scribe(3, "classic")
    scribe.until(lambda ledger: rolling(ledger) and ledger.chain.turns == 4)
    scribe.go(2)
    scribe.finish(0)
    return scribe.file()


def with_a_program() -> bytes:
    scribe = begun(2)
    named = ProgramNamed("kotp2p", "1.0").signed
    return written(scribe.game, [named, *scribe.log])


def automatic() -> bytes:
    """A bot answers in place of one guest, whose program plays and signs like that of a person."""
    scribe = Scribe(3, automatic=(1,))
    scribe.until(lambda ledger: rolling(ledger) and ledger.chain.turns == 3)
    return scribe.file()


def bots() -> bytes:
    """Two seats are kept by the first one, which signs for them and opens once for all three."""
    scribe = Scribe(4, bots=2)
    scribe.until(lambda ledger: rolling(ledger) and ledger.chain.turns == 6)
    return scribe.file()


def left_with_bots() -> bytes:
    """The host leaves: its bots pass on to the next person clockwise."""
    scribe = Scribe(4, bots=1)
    scribe.until(lambda ledger: rolling(ledger) and ledger.chain.turns == 2)
    scribe.go(0)
    scribe.until(lambda ledger: rolling(ledger) and ledger.chain.turns == 5)
    return scribe.file()


def absent() -> bytes:
    """A bot answers for one keeper, kept by the next one, until the end."""
    scribe = begun()
    scribe.lose(asked(scribe))
    scribe.until(lambda ledger: rolling(ledger) and ledger.chain.turns == 4)
    return scribe.file()


def back() -> bytes:
    """It comes back, owes rows, and goes and comes again."""
    scribe = begun()
    gone = asked(scribe)
    for instance in (FIRST, SECOND):
        scribe.lose(gone)
        scribe.until(lambda ledger: rolling(ledger) and ledger.chain.turns > 1)
        scribe.change(Change(gone, Reason.BACK, instance))
        scribe.step()
        scribe.until(rolling)
    return scribe.file()


def again() -> bytes:
    scribe = begun()
    scribe.change(Change(1, Reason.AGAIN, FIRST))
    scribe.until(lambda ledger: rolling(ledger) and ledger.chain.turns == 2)
    return scribe.file()


def kept() -> bytes:
    """The gather that is open goes on without a keeper that has opened. Its opening counts."""
    scribe = begun()
    scribe.until(gathering)
    scribe.take(scribe.entry(2))
    scribe.lose(2)
    scribe.until(lambda ledger: rolling(ledger) and ledger.chain.turns == 3)
    return scribe.file()


def kept_and_again() -> bytes:
    """The rows of who plays from another process come behind the gather that is kept."""
    scribe = begun()
    scribe.until(gathering)
    scribe.take(scribe.entry(0))
    scribe.change(Change(2, Reason.AGAIN, FIRST))
    scribe.until(lambda ledger: rolling(ledger) and ledger.chain.turns == 3)
    return scribe.file()


def kept_and_passed_by() -> bytes:
    """An assent to a line-up that never begins passes the gather by: its keeper names the line-up
    that has kept it. In front of it another one has named that in which the gather began."""
    scribe = begun(4)
    scribe.take(scribe.assents(scribe.line_up(Change(1, Reason.ABSENT), attempt=3), 3))
    scribe.change(Change(2, Reason.ABSENT), attempt=1)
    scribe.until(gathering)
    scribe.step(silent=(3,))
    scribe.change(Change(0, Reason.AGAIN, FIRST), attempt=6)
    scribe.until(lambda ledger: rolling(ledger) and ledger.chain.turns == 3)
    return scribe.file()


def refused_roll() -> bytes:
    """The others have opened, and one is put out that has not: rows of all, and another roll."""
    scribe = begun()
    scribe.until(gathering)
    scribe.step(silent=(2,))
    scribe.lose(2)
    scribe.until(lambda ledger: rolling(ledger) and ledger.chain.turns == 3)
    return scribe.file()


def convicted() -> bytes:
    scribe = begun()
    cheat = asked(scribe)
    scribe.take(two_answers(scribe, cheat))
    scribe.change(Change(cheat, Reason.CHEATED))
    scribe.finish(*others(scribe, cheat))
    return scribe.file()


def convicted_far_back() -> bytes:
    """The line goes back to the place of the contradiction, which a step has closed already."""
    scribe = begun()
    cheat = asked(scribe)
    proof = two_answers(scribe, cheat)
    scribe.step()
    scribe.take(proof)
    scribe.change(Change(cheat, Reason.CHEATED))
    scribe.until(lambda ledger: rolling(ledger) and ledger.chain.turns == 2)
    return scribe.file()


def replaced() -> bytes:
    """Two line-ups begin at one place: the later attempt counts, and what was played is undone."""
    scribe = begun(5)
    later = scribe.line_up(Change(4, Reason.ABSENT), attempt=2)
    scribe.lose(3)
    scribe.until(rolling)
    scribe.step()
    scribe.take(scribe.assents(later))
    scribe.until(lambda ledger: rolling(ledger) and ledger.chain.turns == 2)
    return scribe.file()


def assents_in_vain() -> bytes:
    """Not all assent to a line-up, which stands in the log without effect."""
    scribe = begun()
    scribe.take(scribe.assents(scribe.line_up(Change(2, Reason.ABSENT)), 0))
    scribe.step()
    return scribe.file()


def assents_one_by_one() -> bytes:
    scribe = begun(4)
    lineup = scribe.line_up(Change(2, Reason.ABSENT))
    for keeper in (3, 0, 1):
        scribe.take(scribe.assents(lineup, keeper))
    scribe.step()
    return scribe.file()


def not_enough() -> bytes:
    """All that stay assent, but they are half of the members."""
    scribe = begun(4)
    plan = (Change(2, Reason.ABSENT), Change(3, Reason.ABSENT))
    scribe.take(scribe.assents(scribe.line_up(*plan), 0, 1))
    scribe.step()
    return scribe.file()


def left_without_its_leave() -> bytes:
    """All that stay assent that one has left, and its LEAVE comes behind them."""
    scribe = begun()
    leave = scribe.leave(2)
    scribe.take(scribe.assents(scribe.line_up(Change(2, Reason.LEFT)), 0, 1))
    scribe.take(leave)
    scribe.step()
    return scribe.file()


def witness() -> bytes:
    """The own monster of a keeper is dead, and it signs all the same."""
    scribe = Scribe(4, "classic")
    scribe.until(
        lambda ledger: isinstance(ledger.step, Gather) and bool(ledger.step.witnesses), most=6000
    )
    scribe.step()
    scribe.until(rolling)
    return scribe.file()


def second_look() -> bytes:
    scribe = at_second_look()
    scribe.until(lambda ledger: not isinstance(ledger.step, Sharing))
    scribe.finish(0, 1)
    return scribe.file()


def burnt_card() -> bytes:
    """The keeper of the seat that looked first is absent: nobody has looked."""
    scribe = at_second_look(3)
    assert isinstance(scribe.ledger.step, Sharing)
    scribe.lose(scribe.ledger.step.seat)
    scribe.until(lambda ledger: rolling(ledger) or isinstance(ledger.step, Finished))
    return scribe.file()


def unfinished() -> bytes:
    return begun().file()


def torn() -> bytes:
    return short()[:-7]


def head_alone() -> bytes:
    return short()[:HEAD_BYTES]


def torn_in_the_genesis() -> bytes:
    return short()[: HEAD_BYTES + 100]


def torn_of_zeros() -> bytes:
    return short() + bytes(300)


def without_an_end() -> bytes:
    scribe, log = played()
    return written(scribe.game, log[:-1])


def proof_without_a_line_up() -> bytes:
    scribe = begun()
    scribe.take(two_answers(scribe, asked(scribe)))
    return scribe.file()


def two_leaves() -> bytes:
    """Both stand in the log, and the proof of them."""
    scribe = begun()
    one, other = scribe.leave(2, 1), scribe.leave(2, 4)
    scribe.take(one, other)
    scribe.take(CheatProof((one.signed, other.signed)))
    scribe.change(Change(2, Reason.CHEATED), attempt=2)
    scribe.step()
    assert scribe.log[0].kind is BodyKind.GENESIS
    return scribe.file()


RIGHT: dict[str, Callable[[], bytes]] = {
    made.__name__.replace("_", "-"): made
    for made in (
        short, two, classic, two_player_classic, mixed_tiles, with_a_program, automatic, bots,
        left_with_bots, absent, back, again, kept, kept_and_again, kept_and_passed_by, refused_roll,
        convicted, convicted_far_back, replaced, assents_in_vain, assents_one_by_one, not_enough,
        left_without_its_leave, witness, second_look, burnt_card, unfinished, torn, torn_of_zeros,
        head_alone, torn_in_the_genesis, without_an_end, proof_without_a_line_up, two_leaves,
    )
}  # fmt: skip
