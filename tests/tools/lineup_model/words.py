"""What a process passes on of the words of others, and when: budgets (PROTOCOL.md 9.9).

An author that has used up its budget must not be able to show one seat what no other hears: they
would never find the same line-up. So words beyond it wait, and go along with the next READY of the
process that has them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.tools.lineup_model.bodies import Assent, Body, Here, Proof, Ready, Wish

if TYPE_CHECKING:
    from tests.tools.lineup_model.keeper import Process

AT_ONCE, AGAIN = 4.0, 0.1
"""How many words of an author are passed on at once, and again in a second: fewer than in the
program, so that hostile keepers use them up with less work."""


@dataclass
class Words:
    """The words of others that a process has not passed on yet."""

    kept: dict[object, Body] = field(default_factory=dict)
    _left: dict[int, tuple[float, float]] = field(default_factory=dict)
    """By author: how much was left of its budget, and when."""
    _told: Ready | None = None

    def pass_on(self, body: Body, process: Process) -> list[Body]:
        """Return what is passed on now that this body has come."""
        match body:
            case Ready():
                if body.attempt == process.attempt:
                    return [body]
            case Wish() | Here():
                if not process.book.counts(body):
                    return []
            case Assent():
                if process.book.has_begun(body.lineup):
                    return [body]
            case _:
                return [body]
        newest_alone = isinstance(body, Wish | Here)
        self.kept[(type(body), body.keeper) if newest_alone else body] = body
        return self.tell_some(process, body.keeper)

    def prove(self, process: Process) -> list[Body]:
        """Return what convicts those whose proof this process has not told."""
        book = process.book
        proofs = [Proof(keeper, bodies) for keeper, bodies in book.proofs.items()]
        return [proof for proof in proofs if book.take(proof)]

    def tell_some(self, process: Process, *authors: int) -> list[Body]:
        """Return as many of the words that wait as the budgets allow."""
        found = []
        for key, body in list(self.kept.items()):
            is_old = isinstance(body, Ready) and body.attempt <= process.lineup.attempt
            if is_old or (isinstance(body, Assent) and body not in process.book.known):
                del self.kept[key]
            elif (not authors or body.keeper in authors) and self.may_tell(body, process.now):
                found.append(self.kept.pop(key))
        return found

    def tell_all(self, process: Process) -> list[Body]:
        """Return all that this process may have gone by, once for each READY of its own."""
        own = process.ready
        if own is None or own is self._told:
            return []
        self._told = own
        found, self.kept = list(self.kept.values()), {}
        return found

    def may_tell(self, body: Body, now: float) -> bool:
        left, since = self._left.get(body.keeper, (AT_ONCE, now))
        left = min(AT_ONCE, left + AGAIN * (now - since))
        self._left[body.keeper] = max(left - 1.0, 0.0) if left >= 1.0 else left, now
        return left >= 1.0
