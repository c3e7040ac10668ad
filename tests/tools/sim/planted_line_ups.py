"""Bugs that are planted into the rules of line-ups: each must be found by a law.

A law that no bug breaks proves nothing. Each bug is one rule of PROTOCOL.md 9 left out, or turned
round, in all programs of a walk.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from kotp2p.game import ledger as ledgers
from kotp2p.game.chain import Chain
from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Roster
from kotp2p.lineup import plan as planning
from kotp2p.lineup.absence import Absence, Returning
from kotp2p.lineup.attempts import Attempts
from kotp2p.lineup.plan import Facts
from kotp2p.peer.bodies import HeldWords
from kotp2p.peer.peer import Peer
from kotp2p.peer.presence import Presence
from kotp2p.wire.lineups import LineUp, Reason

Plant = Callable[[], AbstractContextManager[Any]]


@dataclass(frozen=True, slots=True)
class Bug:
    rule: int
    """Of LINE-UPs, in the order of PROTOCOL.md 9."""
    words: str
    plant: Plant
    seeds: tuple[int, ...]
    """One of these finds it."""
    cheats: bool = False


def _replaced(owner: object, name: str, by: object) -> Plant:
    return lambda: patch.object(owner, name, by)


def _any_wish(facts: Facts, _keeper: int, other: int) -> bool:
    return any(other in wish.without for wish in facts.wishes.values())


def _base_before(ledger: Ledger, _plan: object) -> tuple[int, bool]:
    chain = ledger.chain
    floor = chain.begun[-1].height if chain.begun else 0
    return max(floor, chain.height - 2), False


def _closes_at_once(peer: Peer, now: float) -> None:
    if peer._over_at is not None and not peer.attempts.is_bound:
        peer._over_at = now - 1000
    _close_game(peer, now)


_close_game = Peer._close_game


def _says_stop(presence: Presence) -> bool:
    return any(wish.stops for wish in presence.facts.wishes.values())


def _all_out(lineup: LineUp, *reasons: Reason) -> tuple[int, ...]:
    wanted = (*reasons, Reason.ABSENT) if Reason.LEFT in reasons else reasons
    return tuple(change.keeper for change in lineup.plan if change.reason in wanted)


BUGS = (
    Bug(1, "witnesses owe nothing", _replaced(Roster, "others", lambda *_a: ()), (0,)),
    Bug(2, "facts are not passed on",
        _replaced(HeldWords, "pass_on", lambda *_a: None), (0,)),
    Bug(3, "one wish is enough", _replaced(Facts, "goes_without", _any_wish), (6,)),
    Bug(4, "who is READY plays on",
        _replaced(Attempts, "stands_still", lambda self: self.is_bound), (10,)),
    Bug(
        5,
        "who is READY or bound plays on",
        _replaced(Attempts, "stands_still", lambda _self: False),
        (10,),
    ),
    Bug(6, "no gather is kept", _replaced(Chain, "openings_kept", lambda *_a: None), (4,)),
    Bug(7, "any number is enough", _replaced(Roster, "has_majority", lambda *_a: True), (13,)),
    Bug(8, "an assent contradicts all entries before it",
        _replaced(ledgers, "excludes", lambda *_a: True), (6,)),
    Bug(9, "the base is an earlier place", _replaced(planning, "find_base", _base_before), (1,)),
    Bug(10, "of two line-ups the lower one counts",
        _replaced(LineUp, "rank", property(lambda self: (-self.attempt, self.id))), (0,)),
    Bug(11, "nobody is ever late", _replaced(Absence, "_limit", lambda *_a: 1e9), (15,)),
    Bug(
        12,
        "a process that comes back does not say so",
        _replaced(Returning, "say_here", lambda _self: None),
        (6, 10, 15),
    ),
    Bug(13, "an absent monster is taken out", _replaced(LineUp, "names", _all_out), (15,)),
    Bug(14, "one wish to stop is enough", _replaced(Presence, "has_stopped", _says_stop), (15,)),
    Bug(16, "the end waits for nobody", _replaced(Peer, "_close_game", _closes_at_once), (8,)),
    Bug(17, "line-ups are not written down",
        _replaced(Peer, "_record_line_up", lambda *_a: None), (11,)),
)  # fmt: skip
