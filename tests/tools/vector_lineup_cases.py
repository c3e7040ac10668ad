"""Sequences for docs/vectors/lineups.json that are no whole change: each shows one rule of
PROTOCOL.md 9.3 to 9.5, at its boundary where it has one."""

from kotp2p.game.steps import Finished
from kotp2p.wire.lineups import Change, Reason
from tests.tools.vector_lineups import (
    LATER,
    Bench,
    gather,
    gone,
    other_decision,
    own_decision,
    own_found,
    sequence,
)  # fmt: skip
from tests.tools.vector_lineups import SEQUENCES as SEQUENCES

SECOND = b"\0\0\0\2" + bytes(4)


def left(keepers: int = 4) -> Bench:
    """Keeper 2 has left, and seat 0 is READY."""
    bench = Bench(keepers)
    bench.leave(2)
    return bench


# -- READY and assent ------------------------------------------------------------------------------


@sequence("one READY is missing", "No assent before all future members are READY.", left)
def _(bench: Bench) -> None:
    bench.ready(1, own_found(bench))


@sequence("READYs come before the fact", "READYs of others ask nobody along; the fact does.", 4)
def _(bench: Bench) -> None:
    plan = (Change(2, Reason.LEFT),)
    found = bench.found(plan, 1)
    bench.readies(found, 1, 3)
    bench.leave(2)


@sequence("a READY to something else", "Different READYs of one attempt make no line-up.", left)
def _(bench: Bench) -> None:
    bench.ready(1, own_found(bench))
    bench.ready(3, bench.found(gone(2)))


@sequence("two READYs of one keeper", "Who has two READYs in one attempt has none there.", left)
def _(bench: Bench) -> None:
    bench.ready(1, bench.found(gone(2)))
    bench.readies(own_found(bench), 1, 3)


@sequence("two READYs, and an assent", "A keeper that has assented is held to that READY.", left)
def _(bench: Bench) -> None:
    found = own_found(bench)
    bench.ready(1, bench.found(gone(2)))
    bench.ready(1, found)
    bench.assent(1, found)
    bench.ready(3, found)


@sequence("an assent without a READY", "An assent of another takes the place of its READY.", left)
def _(bench: Bench) -> None:
    bench.assents(own_found(bench), 1, 3)


@sequence("a READY of the process before", "`again` needs a READY of the process that it names.", 3)
def _(bench: Bench) -> None:
    bench.here(2)
    found = own_found(bench)
    bench.readies(found, 1, 2)


@sequence("a forged READY", "A READY that its keeper has not signed counts for nothing.", left)
def _(bench: Bench) -> None:
    found = own_found(bench)
    bench.signers[1], keep = bench.signers[3], bench.signers[1]
    bench.ready(1, found)
    bench.signers[1] = keep
    bench.ready(3, found)


@sequence("bound, and nobody else assents", "A bound keeper signs no entries.", left)
def _(bench: Bench) -> None:
    found = own_found(bench)
    bench.readies(found, 1, 3)
    bench.send(bench.entry(1).signed)
    bench.send(bench.entry(3).signed, 3)


@sequence("one assent for each attempt", "After an assent come later attempts only.", left)
def _(bench: Bench) -> None:
    found = own_found(bench)
    bench.readies(found, 1, 3)
    bench.flags(3, away=True)
    again = own_found(bench)
    bench.ready(1, again)
    bench.assent(1, again)


@sequence("an empty plan frees", "Who knows of a bound member is READY with an empty plan.", 3)
def _(bench: Bench) -> None:
    bench.without(1, 2)
    bench.flags(2, away=True)
    found = own_found(bench)
    bench.ready(1, found)
    bench.flags(2)  # the wish is older: it changes nothing


@sequence("a line-up of its own making", "An assent to what no other has found binds no other.", 3)
def _(bench: Bench) -> None:
    bench.assent(1, bench.found(gone(2), 1))
    bench.play(other_decision)


@sequence("another member is bound", "Who knows of a bound member opens nothing.", 4)
def _(bench: Bench) -> None:
    bench.play(own_decision)
    found = bench.found(gone(0), bench.peer.attempts.attempt)
    bench.readies(found, 1, 2, 3)
    bench.assent(1, found)


@sequence("a READY above what begins", "A READY ends when a line-up begins.", left)
def _(bench: Bench) -> None:
    found = own_found(bench)
    bench.readies(found, 1, 3)
    bench.flags(3, away=True)
    bench.without(3, serial=2)
    bench.assents(found, 1, 3)


@sequence("begun without seat 0", "A keeper adopts what has begun, also where it is put out.", 4)
def _(bench: Bench) -> None:
    found = bench.found(gone(0), 1)
    bench.agree(found, 1, 2, 3)


# -- attempts and pace -----------------------------------------------------------------------------


@sequence("alone for 2 T", "A READY ends after 2 T; T doubles with each attempt.", left)
def _(bench: Bench) -> None:
    for seconds in (1.9, 0.2, 3.9, 0.2, 7.9, 0.2):
        bench.wait(seconds)


@sequence("one other is ahead", "A keeper is READY wherever another is to the same.", left)
def _(bench: Bench) -> None:
    bench.ready(1, bench.found((Change(2, Reason.LEFT),), 5))
    bench.ready(1, bench.found((Change(2, Reason.LEFT),), 14))
    bench.wait(0.9)
    bench.wait(0.2)


@sequence("two others are ahead", "It goes to the attempt in which most are READY.", left)
def _(bench: Bench) -> None:
    bench.ready(1, bench.found((Change(2, Reason.LEFT),), 5))
    bench.ready(3, bench.found((Change(2, Reason.LEFT),), 7))
    bench.ready(3, bench.found((Change(2, Reason.LEFT),), 5))


@sequence("READY to something else above", "Another line-up takes nobody along.", lambda: left(3))
def _(bench: Bench) -> None:
    bench.ready(1, bench.found((), 5))
    bench.wait(1.1)


@sequence("far ahead", "A READY more than 64 above is read as 64 above.", left)
def _(bench: Bench) -> None:
    bench.ready(1, bench.found((Change(2, Reason.LEFT),), 900))
    bench.wait(1.1)


@sequence("READY with somebody ahead", "It is READY in its own attempt, and in that of another.", 4)
def _(bench: Bench) -> None:
    bench.ready(1, bench.found((Change(2, Reason.LEFT),), 4))
    bench.leave(2)


@sequence("three quick moves", "Who finds something else goes up at once thrice a second.", left)
def _(bench: Bench) -> None:
    for serial, without in enumerate(((3,), (), (3,), (), (3,)), 1):
        bench.flags(3, away=bool(without)) if serial == 1 else bench.leave(2, serial)
        bench.here(1, serial.to_bytes(4, "big") + bytes(4))
    bench.wait(1.0)


@sequence("a new finding with somebody ahead", "Who finds something else goes up by one.", left)
def _(bench: Bench) -> None:
    bench.ready(1, bench.found((Change(2, Reason.LEFT),), 50))
    bench.flags(3, away=True)


# -- LEAVE -----------------------------------------------------------------------------------------


@sequence("LEAVE 64 ahead", "A LEAVE takes a keeper above the attempt that it names.", 4)
def _(bench: Bench) -> None:
    bench.leave(2, 65)


@sequence("LEAVE more than 64 ahead", "A LEAVE too far ahead is a wish to be absent.", 4)
def _(bench: Bench) -> None:
    bench.leave(2, 66)


@sequence("two LEAVEs", "Two LEAVEs of one keeper are a proof.", 4)
def _(bench: Bench) -> None:
    bench.leave(2, 1)
    bench.leave(2, 3)


@sequence("all others leave", "Of one keeper alone a line-up is made, too.", 3)
def _(bench: Bench) -> None:
    bench.leave(1)
    bench.leave(2)


@sequence("it gives up", "Nothing is signed after LEAVE.", 3)
def _(bench: Bench) -> None:
    bench.wish("gives up")
    bench.send(bench.entry(1).signed)


@sequence("it gives up when bound", "LEAVE names the attempt to which it is bound.", left)
def _(bench: Bench) -> None:
    found = own_found(bench)
    bench.readies(found, 1, 3)
    bench.wish("gives up")


# -- wishes and the absent -------------------------------------------------------------------------


def owed_by_two() -> Bench:
    """All but keeper 2 have opened, and it holds up the game for more than a minute."""
    bench = Bench(3)
    bench.send(bench.entry(1).signed)
    bench.wait(5, times=13)
    return bench


@sequence("all wish one away", "Absent is whom all that would stay wish away.", owed_by_two)
def _(bench: Bench) -> None:
    bench.without(1, 2)
    bench.wish("goes on")
    bench.agree(own_found(bench), 1)


@sequence("its player waits", "Nobody is wished away whose player waits for them.", owed_by_two)
def _(bench: Bench) -> None:
    bench.without(1, 2)
    bench.wish("waits")
    bench.wait(125)


@sequence("it gives what it owes", "Who gives what it owes is not late any more.", owed_by_two)
def _(bench: Bench) -> None:
    bench.wish("goes on")
    bench.send(bench.entry(2).signed, 2)


@sequence("its player does not answer", "After two minutes a program goes along with them.", 3)
def _(bench: Bench) -> None:
    bench.send(bench.entry(1).signed)
    bench.without(1, 2)
    for seconds in (65, 60, 50, 15):
        bench.wait(seconds)


@sequence("its player says yes, then no", "An answer can be changed until a line-up begins.", 3)
def _(bench: Bench) -> None:
    bench.send(bench.entry(1).signed)
    bench.wait(5, times=13)
    bench.wish("goes on")
    bench.wish("waits")


@sequence("a wish comes to nothing", "A wish ends after a minute, and is made again 10 s later.", 4)
def _(bench: Bench) -> None:
    bench.send(bench.entry(1).signed)
    bench.send(bench.entry(3).signed, 3)
    bench.wait(5, times=13)
    bench.wish("goes on")
    bench.wait(5, times=16)


@sequence(
    "an automatic keeper",
    "A program without a player goes along at once.",
    lambda: Bench(3, automatic=(0,)),
)
def _(bench: Bench) -> None:
    bench.send(bench.entry(1).signed)
    bench.without(1, 2)
    bench.wait(5, times=13)


@sequence("two members", "With two members nobody is enough alone.", 2)
def _(bench: Bench) -> None:
    bench.wait(5, times=13)
    bench.wish("goes on")


@sequence("half of four", "Two of four are not enough.", 4)
def _(bench: Bench) -> None:
    for seat in (2, 3):
        bench.flags(seat, away=True)


@sequence("three of four", "Of several sets the largest that leaves enough is absent.", 5)
def _(bench: Bench) -> None:
    for seat in (2, 3):
        bench.flags(seat, away=True)


@sequence("of two sets the lower", "Of two sets of one size the lower seats are absent.", 5)
def _(bench: Bench) -> None:
    for seat in (2, 3, 4):
        bench.flags(seat, away=True)


@sequence("an older WISH", "Of one keeper the greatest serial counts.", 3)
def _(bench: Bench) -> None:
    bench.flags(2, away=True)
    bench.without(2, serial=2)


@sequence("it lets a bot play", "A player who lets a bot play wishes itself away.", 3)
def _(bench: Bench) -> None:
    bench.wish("lets a bot play")
    bench.agree(bench.found(gone(0), 1), 1, 2)


@sequence("nobody agrees to a bot", "A leaver with a bot waits 5 s for the line-up.", 3)
def _(bench: Bench) -> None:
    bench.wish("lets a bot play")
    bench.wait(4.9)
    bench.wait(0.2)


@sequence("all stop for today", "When all that are there have the flag, the process ends.", 3)
def _(bench: Bench) -> None:
    bench.wish("stops for today")
    bench.flags(1, stops=True)
    bench.flags(2, stops=True)
    bench.send(bench.entry(1).signed) if not bench.peer.has_ended else None


@sequence("it takes a stop back", "A wish to stop can be taken back.", 3)
def _(bench: Bench) -> None:
    bench.wish("stops for today")
    bench.wish("goes on today")
    bench.flags(1, stops=True)
    bench.flags(2, stops=True)


# -- coming back -----------------------------------------------------------------------------------


@sequence("a greater instance of its own", "Who hears a greater instance signs no more.", 3)
def _(bench: Bench) -> None:
    bench.here(0)
    bench.leave(2) if not bench.peer.has_ended else None


@sequence("put out and back", "A keeper that is out as absent says HERE with a greater epoch.", 3)
def _(bench: Bench) -> None:
    bench.agree(bench.found(gone(0), 1), 1, 2)
    plan = (Change(0, Reason.BACK, bench.peer.returning.instance),)
    found = bench.found(plan)
    bench.agree(found, 1, 2)
    bench.play_one()


@sequence("back twice", "A keeper that has come back is named again 8 s later.", 3)
def _(bench: Bench) -> None:
    bench.here(2)
    found = own_found(bench)
    bench.ready(1, found)
    bench.ready(2, found, LATER)
    bench.assents(found, 1, 2)
    bench.here(2, SECOND)
    bench.wait(7.8)
    bench.wait(1.0)


@sequence("an older HERE", "Of one keeper the greatest instance counts.", 3)
def _(bench: Bench) -> None:
    bench.here(2, SECOND)
    bench.here(2, LATER)


@sequence("absent and back", "A keeper that most do not refuse is back at once.", 4)
def _(bench: Bench) -> None:
    bench.flags(2, away=True)
    bench.agree(own_found(bench), 1, 3)
    bench.without(2, serial=2)
    bench.here(2)
    found = own_found(bench)
    bench.readies(found, 1, 3)
    bench.ready(2, found, LATER)
    bench.assents(found, 1, 2, 3)
    bench.play_one()


@sequence("back as another one goes", "Who comes back helps those that stay to be enough.", 4)
def _(bench: Bench) -> None:
    bench.flags(2, away=True)
    bench.agree(own_found(bench), 1, 3)
    bench.without(2, serial=2)
    bench.here(2)
    bench.flags(3, away=True)
    found = own_found(bench)
    bench.agree(found, 1)
    bench.ready(2, found, LATER)


@sequence("back with the instance that was named", "`back` needs a greater instance.", 4)
def _(bench: Bench) -> None:
    bench.here(2)
    found = own_found(bench)
    bench.readies(found, 1, 3)
    bench.ready(2, found, LATER)
    bench.assents(found, 1, 2, 3)
    bench.flags(2, away=True)
    bench.agree(own_found(bench), 1, 3)
    bench.wait(9)


# -- which counts ----------------------------------------------------------------------------------


@sequence("the greater attempt counts", "Of two that have begun the later one counts.", 5)
def _(bench: Bench) -> None:
    for found in (bench.found(gone(4), 1), bench.found(gone(3), 2)):
        bench.assent(0, found)
        for seat in (1, 2, 3 if found.attempt == 1 else 4):
            bench.assent(seat, found)


@sequence("the lower attempt comes late", "In whatever order they come.", 5)
def _(bench: Bench) -> None:
    for found in (bench.found(gone(3), 2), bench.found(gone(4), 1)):
        bench.assent(0, found)
        for seat in (1, 2, 3 if found.attempt == 1 else 4):
            bench.assent(seat, found)


@sequence("below a closed gather", "A line-up below the last closed gather is not followed.", 3)
def _(bench: Bench) -> None:
    early = bench.found(gone(0), 1)
    bench.play(other_decision)
    bench.assents(early, 1, 2)
    bench.play_one()


@sequence("two assents of one attempt", "A double vote is a proof: its author is out.", 4)
def _(bench: Bench) -> None:
    bench.assent(2, bench.found(gone(1), 3))
    bench.assent(2, bench.found(gone(3), 3))


@sequence("past its own assent", "An entry and an assent that passes it by are a proof.", left)
def _(bench: Bench) -> None:
    plan = (Change(2, Reason.LEFT),)
    own = own_found(bench)
    other = bench.found(plan, 9)
    bench.agree(own, 1, 3)
    bench.assent(3, other)
    bench.send(bench.entry(3).signed, 3)


@sequence("a fork before the last gather", "Also to who is bound the line's last gather stands.", 4)
def _(bench: Bench) -> None:
    bench.play(gather)
    bench.play(other_decision)
    proof = bench.two_answers(bench.peer.ledger.owing_seats()[0])
    bench.play(gather)
    bench.flags(2, away=True)
    bench.agree(own_found(bench), 1)
    bench.ready(3, own_found(bench))
    for seat in (1, 2, 3):
        bench.send(bench.entry(seat).signed, seat)
    bench.send(proof)


@sequence("equal attempts", "Of two of one attempt that begin the greater id counts.", 5)
def _(bench: Bench) -> None:
    for found, third in ((bench.found(gone(4), 1), 3), (bench.found(gone(3), 1), 4)):
        for seat in (0, 1, 2, third):
            bench.assent(seat, found)


@sequence("enough of both", "While no gather has closed there its predecessor counts, too.", 5)
def _(bench: Bench) -> None:
    first = bench.found(gone(3, 4), 1)
    for seat in (0, 1, 2):
        bench.assent(seat, first)
    bench.flags(2, away=True)


@sequence("a LEAVE that another has signed", "A forged fact counts for nothing.", 3)
def _(bench: Bench) -> None:
    bench.signers[2], keep = bench.signers[1], bench.signers[2]
    bench.leave(2)
    bench.signers[2] = keep


@sequence("assents without a LEAVE", "A line-up begins with `left` once the LEAVE has come.", 4)
def _(bench: Bench) -> None:
    found = bench.found((Change(2, Reason.LEFT),), 1)
    bench.assents(found, 0, 1, 3)
    bench.leave(2)


# -- the end ---------------------------------------------------------------------------------------


def _ended(keepers: int = 3) -> Bench:
    bench = Bench(keepers)
    for seat in range(1, keepers):
        bench.leave(seat)
    bench.play(lambda bench: isinstance(bench.peer.ledger.step, Finished))
    return bench


@sequence("the end of one", "At the end a member signs END.", _ended)
def _(_bench: Bench) -> None:
    pass


def all_sequences() -> dict[str, object]:
    return {name: make() for name, make in SEQUENCES.items()}
