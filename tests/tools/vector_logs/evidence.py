"""Files of evidence, and some that prove nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from kotp2p.game.evidence import make_evidence
from kotp2p.game.steps import Finished
from kotp2p.wire.entries import Entry, Opening, Signed
from kotp2p.wire.proofs import CheatProof
from kotp2p.wire.votes import VoteChoice
from tests.support.scribe import Scribe, fill, rolling
from tests.tools.vector_logs.offences import (
    another_share,
    at_a_gather,
    at_a_position,
    blame,
    copied,
    illegal,
    no_position,
    of_another_past,
    other_position,
    shared,
    wrong_opening,
)
from tests.tools.vector_logs.right import short
from tests.tools.vector_logs.tables import asked, begun, others, two_answers
from tests.tools.vector_logs.wrong import headed, out_of_turn


def shown(scribe: Scribe, *bodies: Signed) -> bytes:
    return make_evidence(scribe.ledger, CheatProof(bodies))


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
    return s.farewell(asked(s)).signed, s.entry(asked(s)).signed


def leaves_and_its_bot_plays() -> bytes:
    scribe = Scribe(4, bots=1)
    return shown(scribe, scribe.farewell(0).signed, scribe.entry(3).signed)


def nothing_leaves_and_a_guest_plays() -> bytes:
    scribe = Scribe(4, bots=1)
    return shown(scribe, scribe.farewell(0).signed, scribe.entry(1).signed)


def nothing_a_bot_leaves_twice() -> bytes:
    scribe = Scribe(4, bots=1)
    return shown(scribe, scribe.farewell(3).signed, scribe.farewell(3, later=1).signed)


def _leaves_and_votes(s: Scribe) -> Iterable[Signed]:
    return s.farewell(0).signed, s.vote(0, (1,)).signed


def _votes_and_leaves(s: Scribe) -> Iterable[Signed]:
    vote = s.vote(0, (1,))
    s.take(vote)
    return s.farewell(0).signed, vote.signed


def _leaves_twice(s: Scribe) -> Iterable[Signed]:
    return s.farewell(0).signed, s.farewell(0, later=1).signed


def _votes_twice(s: Scribe) -> Iterable[Signed]:
    return s.vote(0, (1,)).signed, s.vote(0, (2,)).signed


def _votes_and_holds(s: Scribe) -> Iterable[Signed]:
    return s.vote(0, (1, 2)).signed, s.vote(0, (1,), 0, choice=VoteChoice.HELD).signed


def _votes_again(s: Scribe) -> Iterable[Signed]:
    return s.vote(0, (1,)).signed, s.vote(0, (2,), 2).signed


def _votes_against_no_seat(s: Scribe) -> Iterable[Signed]:
    return s.vote(0, (1,)).signed, s.vote(0, (5,)).signed


def wrong_share() -> bytes:
    scribe, share = shared(false=True)
    return shown(scribe, share.signed, blame(scribe, share).signed)


def two_shares() -> bytes:
    """Both right, each with a key of its own: whoever has one stands elsewhere than the others."""
    scribe, share = shared()
    return shown(scribe, share.signed, another_share(scribe, share).signed)


def false_blame() -> bytes:
    scribe, share = shared()
    return shown(scribe, blame(scribe, share).signed)


def opening_and_blame() -> bytes:
    """Whatever stands before a blame, only its game and its signature are looked at."""
    scribe, share = shared()
    first = next(
        item
        for done in scribe.ledger.chain.closed
        for item in done
        if isinstance(item, Entry) and isinstance(item.payload, Opening)
    )
    return shown(scribe, first.signed, blame(scribe, share).signed)


def opening_of_another_game_and_blame() -> bytes:
    scribe, share = shared()
    other = Scribe(2, number=1)
    return shown(scribe, other.entry(0).signed, blame(scribe, share).signed)


def two_blames() -> bytes:
    scribe, share = shared()
    return shown(scribe, blame(scribe, share).signed, blame(scribe, share, fill(0x33)).signed)


def blame_with_another_secret() -> bytes:
    scribe, share = shared()
    return shown(scribe, share.signed, blame(scribe, share, fill(0x33)).signed)


def blame_of_an_undone_share() -> bytes:
    """The share was wrong, and its author is out by votes about an earlier place."""
    scribe, share = shared(false=True, people=3)
    accusing, final = blame(scribe, share), scribe.ledger.chain.last_gather
    for seat in others(scribe, share.seat):
        scribe.take(scribe.vote(seat, (share.seat,), at=(0, final, scribe.ledger.heads[final])))
    scribe.until(lambda ledger: ledger.height > share.height)
    return shown(scribe, accusing.signed)


def illegal_after_a_rewind() -> bytes:
    scribe = begun()
    gone, at = asked(scribe), scribe.place
    scribe.step()
    for seat in others(scribe, gone):
        scribe.take(scribe.vote(seat, (gone,), at=at))
    scribe.until(lambda ledger: rolling(ledger) or isinstance(ledger.step, Finished))
    return shown(scribe, illegal(scribe).signed)


def of_another_game() -> bytes:
    other = Scribe(3, number=1)
    other.until(rolling)
    return shown(begun(), *two_answers(other, asked(other)).bodies)


EVIDENCE: dict[str, Callable[[], bytes]] = {
    "illegal": offence(illegal, begun),
    "illegal-after-a-rewind": illegal_after_a_rewind,
    "out-of-turn": offence(out_of_turn, begun),
    "wrong-opening": offence(wrong_opening, at_a_gather),
    "copied-commitment": offence(copied, at_a_gather),
    "no-position": offence(no_position, at_a_position),
    "two-answers": contradiction(lambda s: two_answers(s, asked(s)).bodies),
    "two-shares": two_shares,
    "leaves-and-plays": contradiction(_leaves_and_plays),
    "leaves-twice": contradiction(_leaves_twice),
    "leaves-and-its-bot-plays": leaves_and_its_bot_plays,
    "leaves-and-votes": contradiction(_leaves_and_votes),
    "nothing-leaves-and-a-guest-plays": nothing_leaves_and_a_guest_plays,
    "nothing-a-bot-leaves-twice": nothing_a_bot_leaves_twice,
    "nothing-votes-and-leaves": contradiction(_votes_and_leaves),
    "votes-twice": contradiction(_votes_twice),
    "nothing-votes-and-holds": contradiction(_votes_and_holds),
    "nothing-votes-against-no-seat": contradiction(_votes_against_no_seat),
    "wrong-share": wrong_share,
    "false-blame": false_blame,
    "opening-and-blame": opening_and_blame,
    "nothing-two-blames": two_blames,
    "nothing-opening-of-another-game-and-blame": opening_of_another_game_and_blame,
    "blame-with-another-secret": blame_with_another_secret,
    "nothing-an-honest-answer": offence(lambda s: s.entry(asked(s)), begun),
    "nothing-another-position": offence(other_position, at_a_position),
    "nothing-another-past": offence(of_another_past, begun),
    "nothing-a-blame-of-an-undone-share": blame_of_an_undone_share,
    "nothing-a-later-round": contradiction(_votes_again),
    "nothing-one-answer-twice": contradiction(lambda s: [s.entry(asked(s)).signed] * 2),
    "nothing-of-another-game": of_another_game,
    "nothing-plays-and-leaves": contradiction(lambda s: tuple(_leaves_and_plays(s))[::-1]),
    "nothing-torn": lambda: EVIDENCE["illegal"]()[:-9],
    "nothing-a-log": lambda: headed(b"kotp2pev" + short()[8:16]),
}
