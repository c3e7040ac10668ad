"""Logs that are right: games that have ended, and some that have not."""

import functools
from collections.abc import Callable

from kotp2p.game.steps import Finished, Gather, Sharing
from kotp2p.referee.box.rulesets import Options
from kotp2p.wire.entries import Signed
from kotp2p.wire.lineups import Change, CheatProof, Reason
from kotp2p.wire.records import HEAD_BYTES, ProgramNamed
from tests.support.scribe import Scribe, gathering, rolling, written
from tests.tools.vector_logs.tables import asked, at_second_look, begun, others, two_answers

FIRST, SECOND = b"\0\0\0\1" + bytes(4), b"\0\0\0\2" + bytes(4)
"""Instances of processes that have come back."""


RIGHT: dict[str, Callable[[], bytes]] = {}
Play = Callable[[Scribe], None]


def right(begin: Callable[[], Scribe] = begun, turn: int = 0) -> Callable[[Play], Play]:
    """Note the log of a table, with what a function does there, and then until a turn."""

    def note(play: Play) -> Play:
        def make() -> bytes:
            scribe = begin()
            play(scribe)
            if turn:
                scribe.until(lambda ledger: rolling(ledger) and ledger.chain.turns == turn)
            return scribe.file()

        RIGHT[play.__name__.replace("_", "-")] = make
        return play

    return note


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


RIGHT["short"] = short


@right(lambda: Scribe(2))
def two(scribe: Scribe) -> None:
    """To the last point, so through many turns."""
    scribe.finish(0, 1)


@right(lambda: Scribe(3, "classic"))
def classic(scribe: Scribe) -> None:
    """Signed by one of two members: the other one is named."""
    scribe.until(lambda ledger: rolling(ledger) and ledger.chain.turns == 4)
    scribe.go(2)
    scribe.finish(0)


@right(lambda: Scribe(2, "classic", Options(two_player=True)))
def two_player_classic(scribe: Scribe) -> None:
    scribe.finish(0, 1)


@right(lambda: Scribe(4))
def changed_at_the_end(scribe: Scribe) -> None:
    """One END came before the line-up; all name that in which the end was reached."""
    scribe.finish(1)
    scribe.take(scribe.assents(scribe.line_up(Change(3, Reason.ABSENT))))
    scribe.take(scribe.entry(0), scribe.entry(2))


@right(lambda: Scribe(2, "dark", Options(tile_sides="mixed"), number=1))
def mixed_tiles(scribe: Scribe) -> None:
    scribe.finish(0, 1)


def with_a_program() -> bytes:
    scribe = begun(2)
    named = ProgramNamed("kotp2p", "1.0").signed
    return written(scribe.game, [named, *scribe.log])


RIGHT["with-a-program"] = with_a_program


@right(lambda: Scribe(3, automatic=(1,)), turn=3)
def automatic(_scribe: Scribe) -> None:
    """A bot answers in place of one guest, whose program plays and signs like that of a person."""


@right(lambda: Scribe(4, bots=2), turn=6)
def bots(_scribe: Scribe) -> None:
    """Two seats are kept by the first one, which signs for them and opens once for all three."""


@right(lambda: Scribe(4, bots=1), turn=5)
def left_with_bots(scribe: Scribe) -> None:
    """The host leaves: its bots pass on to the next person clockwise."""
    scribe.until(lambda ledger: rolling(ledger) and ledger.chain.turns == 2)
    scribe.go(0)


@right(turn=4)
def absent(scribe: Scribe) -> None:
    """A bot answers for one keeper, kept by the next one, until the end."""
    scribe.lose(asked(scribe))


@right()
def back(scribe: Scribe) -> None:
    """It comes back, owes rows, and goes and comes again."""
    gone = asked(scribe)
    for instance in (FIRST, SECOND):
        scribe.lose(gone)
        scribe.until(lambda ledger: rolling(ledger) and ledger.chain.turns > 1)
        scribe.change(Change(gone, Reason.BACK, instance))
        scribe.step()
        scribe.until(rolling)


@right(turn=2)
def again(scribe: Scribe) -> None:
    scribe.change(Change(1, Reason.AGAIN, FIRST))


@right(turn=3)
def kept(scribe: Scribe) -> None:
    """The gather that is open goes on without a keeper that has opened. Its opening counts."""
    scribe.until(gathering)
    scribe.take(scribe.entry(2))
    scribe.lose(2)


@right(turn=3)
def kept_and_again(scribe: Scribe) -> None:
    """The rows of who plays from another process come behind the gather that is kept."""
    scribe.until(gathering)
    scribe.take(scribe.entry(0))
    scribe.change(Change(2, Reason.AGAIN, FIRST))


@right(lambda: begun(4), turn=3)
def kept_and_passed_by(scribe: Scribe) -> None:
    """An assent to a line-up that never begins passes the gather by: its keeper names the line-up
    that has kept it. In front of it another one has named that in which the gather began."""
    scribe.take(scribe.assents(scribe.line_up(Change(1, Reason.ABSENT), attempt=3), 3))
    scribe.change(Change(2, Reason.ABSENT), attempt=1)
    scribe.until(gathering)
    scribe.step(silent=(3,))
    scribe.change(Change(0, Reason.AGAIN, FIRST), attempt=6)


@right(turn=3)
def refused_roll(scribe: Scribe) -> None:
    """The others have opened, and one is put out that has not: rows of all, and another roll."""
    scribe.until(gathering)
    scribe.step(silent=(2,))
    scribe.lose(2)


@right()
def convicted(scribe: Scribe) -> None:
    cheat = asked(scribe)
    scribe.take(two_answers(scribe, cheat))
    scribe.change(Change(cheat, Reason.CHEATED))
    scribe.finish(*others(scribe, cheat))


@right(turn=2)
def convicted_far_back(scribe: Scribe) -> None:
    """The line goes back to the place of the contradiction, which a step has closed already."""
    cheat = asked(scribe)
    proof = two_answers(scribe, cheat)
    scribe.step()
    scribe.take(proof)
    scribe.change(Change(cheat, Reason.CHEATED))


@right(lambda: begun(5), turn=2)
def replaced(scribe: Scribe) -> None:
    """Two line-ups begin at one place: the later attempt counts, and what was played is undone."""
    later = scribe.line_up(Change(4, Reason.ABSENT), attempt=2)
    scribe.lose(3)
    scribe.until(rolling)
    scribe.step()
    scribe.take(scribe.assents(later))


@right()
def assents_in_vain(scribe: Scribe) -> None:
    """Not all assent to a line-up, which stands in the log without effect."""
    scribe.take(scribe.assents(scribe.line_up(Change(2, Reason.ABSENT)), 0))
    scribe.step()


@right(lambda: begun(4))
def assents_one_by_one(scribe: Scribe) -> None:
    lineup = scribe.line_up(Change(2, Reason.ABSENT))
    for keeper in (3, 0, 1):
        scribe.take(scribe.assents(lineup, keeper))
    scribe.step()


@right(lambda: begun(4))
def not_enough(scribe: Scribe) -> None:
    """All that stay assent, but they are half of the members."""
    plan = (Change(2, Reason.ABSENT), Change(3, Reason.ABSENT))
    scribe.take(scribe.assents(scribe.line_up(*plan), 0, 1))
    scribe.step()


@right()
def left_without_its_leave(scribe: Scribe) -> None:
    """All that stay assent that one has left, and its LEAVE comes behind them."""
    leave = scribe.leave(2)
    scribe.take(scribe.assents(scribe.line_up(Change(2, Reason.LEFT)), 0, 1))
    scribe.take(leave)
    scribe.step()


@right(lambda: Scribe(4, "classic"))
def witness(scribe: Scribe) -> None:
    """The own monster of a keeper is dead, and it signs all the same."""
    scribe.until(
        lambda ledger: isinstance(ledger.step, Gather) and bool(ledger.step.witnesses), most=6000
    )
    scribe.step()
    scribe.until(rolling)


@right(at_second_look)
def second_look(scribe: Scribe) -> None:
    scribe.until(lambda ledger: not isinstance(ledger.step, Sharing))
    scribe.finish(0, 1)


@right(lambda: at_second_look(3))
def burnt_card(scribe: Scribe) -> None:
    """The keeper of the seat that looked first is absent: nobody has looked."""
    assert isinstance(scribe.ledger.step, Sharing)
    scribe.lose(scribe.ledger.step.seat)
    scribe.until(lambda ledger: rolling(ledger) or isinstance(ledger.step, Finished))


RIGHT |= {
    "unfinished": lambda: begun().file(),
    "torn": lambda: short()[:-7],
    "torn-of-zeros": lambda: short() + bytes(300),
    "head-alone": lambda: short()[:HEAD_BYTES],
    "torn-in-the-genesis": lambda: short()[: HEAD_BYTES + 100],
    "without-an-end": lambda: written(played()[0].game, played()[1][:-1]),
}


@right()
def proof_without_a_line_up(scribe: Scribe) -> None:
    scribe.take(two_answers(scribe, asked(scribe)))


@right()
def two_leaves(scribe: Scribe) -> None:
    """Both stand in the log, and the proof of them."""
    one, other = scribe.leave(2, 1), scribe.leave(2, 4)
    scribe.take(one, other)
    scribe.take(CheatProof((one.signed, other.signed)))
    scribe.change(Change(2, Reason.CHEATED), attempt=2)
    scribe.step()
