"""Keepers whose farewells are as good as drop votes at a place (PROTOCOL.md 9.2 R7).

Scope: which of the farewells that a copy knows, with the body that shows each.
Not here: whether they and the votes make a certificate (`kotp2p.game.vote_tally`).

A farewell may stand in a known proof only: a cheat may say farewell and sign on. A copy that has
the entry first never takes the farewell. It counts here all the same. Otherwise copies with the
same votes would find different certificates, as the two bodies come in another order. To the chain
the seat has not left: the proof shows it then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from kotp2p.game.chain import Chain
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.proofs import CheatProof
from referee.model.answers import Seat


class Leavers(NamedTuple):
    """By keeper, the body that shows the farewell."""

    there: dict[Seat, Signed]
    """From that place, or from before it."""
    behind: dict[Seat, Signed]
    """From behind it, of the same view. Such a keeper will never vote there, and might have kept
    an accused seat by an objection. So this counts only where each vote names proofs."""


def find_leavers(place: tuple[int, int], chain: Chain, proofs: Iterable[CheatProof]) -> Leavers:
    """The keepers that have left, as seen from a place (view, height) of `chain`.

    A farewell from before it does not count if one of the leaving seats has signed an entry at or
    behind it and before that height: a certificate there undoes all others.
    """
    found = Leavers({}, {})
    for farewell, shown in _shown_farewells(chain, proofs):
        if farewell.place <= place:
            if not chain.has_signed_since(farewell, place[1]):
                found.there.setdefault(farewell.seat, shown)
        elif farewell.view == place[0]:
            found.behind.setdefault(farewell.seat, shown)
    return found


def _shown_farewells(
    chain: Chain, proofs: Iterable[CheatProof]
) -> Iterator[tuple[Farewell, Signed]]:
    """Those that the chain has taken first."""
    for farewell in dict.fromkeys(chain.farewells.values()):
        yield farewell, farewell.signed
    for proof in proofs:
        for signed in proof.bodies:
            if signed.kind is BodyKind.STAND_IN:
                yield Farewell.parse(signed, chain.genesis.id), proof.signed
