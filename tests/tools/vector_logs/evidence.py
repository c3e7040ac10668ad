"""Files of evidence, and some that prove nothing."""

from collections.abc import Callable, Iterable

from kotp2p.game.steps import Cheat
from kotp2p.game.verify import make_evidence
from kotp2p.wire.entries import Entry, Opening, Signed
from kotp2p.wire.lineups import Change, CheatKind, Reason
from tests.support.scribe import Scribe, rolling
from tests.tools.vector_logs import offences
from tests.tools.vector_logs.right import short
from tests.tools.vector_logs.tables import asked, begun, others, two_answers
from tests.tools.vector_logs.wrong import headed, out_of_turn
from tests.tools.vector_table import fill


def shown(scribe: Scribe, *bodies: Signed) -> bytes:
    cheat = Cheat(0, CheatKind.BAD_ENTRY, 0, "", *bodies)
    return make_evidence(scribe.ledger, cheat)


def offence(make: Callable[[Scribe], Entry], place: Callable[[], Scribe]) -> Callable[[], bytes]:
    def evidence() -> bytes:
        scribe = place()
        return shown(scribe, make(scribe).signed)

    return evidence


def contradiction(make: Callable[[Scribe], Iterable[Signed]]) -> Callable[[], bytes]:
    def evidence() -> bytes:
        scribe = begun()
        return shown(scribe, *make(scribe))

    return evidence


def _leaves_and_plays(s: Scribe) -> Iterable[Signed]:
    """It has left in the attempts above 0, and plays in a line-up of a later one."""
    gone = asked(s)
    leave, lineup = s.leave(gone), s.lose(others(s, gone)[0])
    entry = Entry.sign(s.signers[gone], lineup.attempt, *s.place[1:], gone, s.load(gone))
    return leave.signed, entry.signed


def _leaves_and_assents(s: Scribe) -> Iterable[Signed]:
    lineup = s.line_up(Change(1, Reason.ABSENT))
    return s.leave(2).signed, lineup.proving(lineup.assent(s.signers[2]))


def _leaves_behind_its_assent(s: Scribe) -> Iterable[Signed]:
    lineup = s.line_up(Change(1, Reason.ABSENT))
    return s.leave(2, 1).signed, lineup.proving(lineup.assent(s.signers[2]))


def _leaves_twice(s: Scribe) -> Iterable[Signed]:
    return s.leave(0).signed, s.leave(0, 2).signed


def _double_vote(s: Scribe) -> Iterable[Signed]:
    ups = [s.line_up(Change(gone, Reason.ABSENT), attempt=2) for gone in (1, 2)]
    return [up.proving(up.assent(s.signers[0])) for up in ups]


def _assents_of_two_attempts(s: Scribe) -> Iterable[Signed]:
    ups = [s.line_up(Change(gone, Reason.ABSENT), attempt=gone) for gone in (1, 2)]
    return [up.proving(up.assent(s.signers[0])) for up in ups]


def surround_vote(plays_on: bool = True) -> bytes:
    """It assents to a line-up that goes on from line-up 0, and plays in one between."""
    scribe = begun(4)
    past = scribe.line_up(Change(1, Reason.ABSENT), attempt=3)
    scribe.lose(2)
    scribe.until(lambda ledger: rolling(ledger) and ledger.chain.turns == 2)
    gather = scribe.ledger.chain.closed[scribe.ledger.chain.last_gather]
    entry = next(e for e in gather if e.seat == (3 if plays_on else 0))
    return shown(scribe, entry.signed, past.proving(past.assent(scribe.signers[3])))


def nothing_an_assent_behind_its_line_up() -> bytes:
    """The later line-up comes from the one in which it has played."""
    scribe = begun(4)
    scribe.lose(2)
    scribe.until(lambda ledger: rolling(ledger) and ledger.chain.turns == 2)
    later = scribe.line_up(Change(1, Reason.ABSENT))
    gather = scribe.ledger.chain.closed[scribe.ledger.chain.last_gather]
    entry = next(e for e in gather if e.seat == 3)
    return shown(scribe, entry.signed, later.proving(later.assent(scribe.signers[3])))


def wrong_share() -> bytes:
    scribe, share = offences.shared(false=True)
    return shown(scribe, share.signed, offences.blame(scribe, share).signed)


def two_shares() -> bytes:
    """Both right, each with a key of its own: whoever has one stands elsewhere than the others."""
    scribe, share = offences.shared()
    return shown(scribe, share.signed, offences.another_share(scribe, share).signed)


def false_blame() -> bytes:
    scribe, share = offences.shared()
    return shown(scribe, offences.blame(scribe, share).signed)


def opening_and_blame() -> bytes:
    """Any body that a keeper has signed may stand before a blame."""
    scribe, share = offences.shared()
    first = next(
        item
        for done in scribe.ledger.chain.closed
        for item in done
        if isinstance(item, Entry) and isinstance(item.payload, Opening)
    )
    return shown(scribe, first.signed, offences.blame(scribe, share).signed)


def unsigned_and_blame() -> bytes:
    scribe, share = offences.shared()
    first = scribe.ledger.chain.closed[0][0].signed
    forged = Signed(first.kind, first.body, bytes(64))
    return shown(scribe, forged, offences.blame(scribe, share).signed)


def two_blames() -> bytes:
    scribe, share = offences.shared()
    one, other = offences.blame(scribe, share), offences.blame(scribe, share, fill(0x33))
    return shown(scribe, one.signed, other.signed)


def blame_with_another_secret() -> bytes:
    scribe, share = offences.shared()
    return shown(scribe, share.signed, offences.blame(scribe, share, fill(0x33)).signed)


def illegal_behind_a_line_up() -> bytes:
    scribe = begun()
    scribe.lose(others(scribe, asked(scribe))[0])
    scribe.until(rolling)
    return shown(scribe, offences.illegal(scribe).signed)


def nothing_illegal_by_who_keeps_another_seat() -> bytes:
    """A keeper signs for a seat that it does not keep."""
    scribe = begun()
    seat = asked(scribe)
    right = offences.illegal(scribe)
    other = scribe.signers[others(scribe, seat)[0]]
    place = right.attempt, right.height, right.prev, seat
    return shown(scribe, Entry.sign(other, *place, right.payload).signed)


def of_another_game() -> bytes:
    """Entries do not name their game: nobody honest signs two for one place of any."""
    other = Scribe(3, number=1)
    other.until(rolling)
    return shown(begun(), *two_answers(other, asked(other)).bodies)


EVIDENCE: dict[str, Callable[[], bytes]] = {
    "illegal": offence(offences.illegal, begun),
    "illegal-behind-a-line-up": illegal_behind_a_line_up,
    "nothing-illegal-by-another": nothing_illegal_by_who_keeps_another_seat,
    "out-of-turn": offence(out_of_turn, begun),
    "wrong-opening": offence(offences.wrong_opening, offences.at_a_gather),
    "copied-commitment": offence(offences.copied, offences.at_a_gather),
    "no-position": offence(offences.no_position, offences.at_a_position),
    "two-answers": contradiction(lambda s: two_answers(s, asked(s)).bodies),
    "two-shares": two_shares,
    "leaves-and-plays": contradiction(_leaves_and_plays),
    "leaves-and-assents": contradiction(_leaves_and_assents),
    "nothing-leaves-behind-its-assent": contradiction(_leaves_behind_its_assent),
    "leaves-twice": contradiction(_leaves_twice),
    "double-vote": contradiction(_double_vote),
    "nothing-assents-of-two-attempts": contradiction(_assents_of_two_attempts),
    "surround-vote": surround_vote,
    "nothing-an-assent-behind-its-line-up": nothing_an_assent_behind_its_line_up,
    "nothing-a-surround-vote-of-two": lambda: surround_vote(plays_on=False),
    "wrong-share": wrong_share,
    "false-blame": false_blame,
    "opening-and-blame": opening_and_blame,
    "nothing-two-blames": two_blames,
    "nothing-unsigned-and-blame": unsigned_and_blame,
    "blame-with-another-secret": blame_with_another_secret,
    "nothing-an-honest-answer": offence(lambda s: s.entry(asked(s)), begun),
    "nothing-another-position": offence(offences.other_position, offences.at_a_position),
    "nothing-another-past": offence(offences.of_another_past, begun),
    "nothing-one-answer-twice": contradiction(lambda s: [s.entry(asked(s)).signed] * 2),
    "of-another-game": of_another_game,
    "nothing-plays-and-leaves": contradiction(lambda s: tuple(_leaves_and_plays(s))[::-1]),
    "nothing-torn": lambda: EVIDENCE["illegal"]()[:-9],
    "nothing-a-log": lambda: headed(b"kotp2pev" + short()[8:16]),
}
