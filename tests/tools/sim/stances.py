"""The stance of a seat, found anew from PROTOCOL.md 9.2 R16 to R19 and from what its copy holds.

Law: nothing of `kotp2p.votes` works here but the names of the stances and the objections that a
seat has signed and heard. Each rule is written as the protocol words it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from kotp2p.game.chain import Chain
from kotp2p.game.history import StandIn
from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Sharing, Solo
from kotp2p.game.vote_tally import VoteTally
from kotp2p.peer.peer import Peer
from kotp2p.votes.stances import Stance
from kotp2p.wire.entries import Entry
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.votes import Vote, VoteChoice

VotedSince: TypeAlias = Mapping[tuple[int, tuple[int, int], int], int]
"""By keeper, place and accused: the least round of its DROPs that came behind its objections."""
Stances: TypeAlias = dict[tuple[int, int], Stance]
"""By view and height; a seat is free wherever nothing is noted."""


def stances_of(peer: Peer) -> Stances:
    """All stances of a seat but the free ones."""
    ledger, me = peer.ledger, peer.seat
    found: Stances = {}
    for view, height, _ in peer._voting.locks.objected:
        if view == ledger.view:
            found[view, height] = Stance.HOLDING
    mine = [v for v in ledger.tally.all_votes() if v.seat == me]
    former = ledger.open_former()
    if not mine and former is None:
        return found
    heard = _heard(peer)
    # Also those that it must not take yet.
    farewells = {**peer._voting.locks.shown.held_farewells, **ledger.farewells}
    for vote in mine:
        found[vote.place] = Stance.RELEASED
    since = peer._voting.locks.shown._voted_since
    bound = [
        v
        for v in mine
        if not _is_past(v, ledger)
        and not _is_overtaken(v, ledger)
        and _binds(v, farewells, ledger.tally, ledger.chain, heard, since)
    ]
    for vote in bound:
        found[vote.place] = Stance.LOCKED
    for vote in bound:
        if _undoes(vote, ledger):
            found[vote.place] = Stance.BLOCKED
    if former is not None:
        for vote in former.tally.all_votes():
            later = vote.seat == me and vote.round > former.certificate.round
            if (
                later
                and _has_honest_others(peer)
                and _may_still_come(vote, ledger, farewells, former.tally, former.chain, heard)
            ):
                found[vote.place] = Stance.PLEDGED
    return found


def blocked_places(peer: Peer, stances: Stances) -> dict[tuple[int, int], bool]:
    """By place at which a seat with these stances is blocked: whether its last DROP there lacks one
    of a keeper that is not absent."""
    ledger, locks, found = peer.ledger, peer._voting.locks, {}
    for place in [at for at, stance in stances.items() if stance is Stance.BLOCKED]:
        mine = [v for v in ledger.tally.all_votes() if (v.seat, v.place) == (peer.seat, place)]
        last = max(mine, key=lambda vote: vote.round)
        absent = {*peer._voting.convicts, *ledger.farewells, *locks.shown.held_farewells}
        if not last.proofs:
            absent.update(locks.gone)
        found[place] = bool(_lacking(last, ledger.tally, ledger.chain) - absent)
    return found


def is_at_gather(peer: Peer) -> bool:
    """Or at a renewal, or at the end."""
    return not isinstance(peer.ledger.step, Solo | Sharing)


def _has_honest_others(peer: Peer) -> bool:
    """Another live keeper is not proven to cheat."""
    players, state = peer.genesis.players, peer.ledger.game.state
    keepers = {players[seat].keeper for seat in state.seats_alive()}
    return not keepers - {peer.seat} <= set(peer._voting.convicts)


def _heard(peer: Peer) -> list[Vote]:
    """Objections, and DROPs, counted or not."""
    locks = peer._voting.locks
    drops = [vote for votes in locks.shown._seen.values() for vote in votes.values()]
    return [vote for votes in locks.shown.heard.values() for vote in votes] + drops


def _lacking(vote: Vote, tally: VoteTally, chain: Chain) -> set[int]:
    """The needed keepers without this DROP."""
    players = chain.genesis.players
    live = {players[seat].keeper for seat in chain.starts[vote.height].alive}
    accused = {players[seat].keeper for seat in vote.seats}
    return live - accused - set(tally.votes.get(vote.matter, ()))


def _is_past(vote: Vote, ledger: Ledger) -> bool:
    """A gather has closed behind it; two, if it names proofs."""
    chain = ledger.chain
    floor = chain.gather_before_last if vote.proofs else chain.last_gather
    return vote.height < max(floor, ledger.tally.begins_at)


def _is_overtaken(vote: Vote, ledger: Ledger) -> bool:
    """Its author and a keeper that it lacks have both voted about the same in later rounds."""
    later = {
        seat
        for (height, round_, accused), votes in ledger.tally.votes.items()
        if (height, accused) == (vote.height, vote.seats) and round_ > vote.round
        for seat in votes
    }
    return vote.seat in later and bool(later & _lacking(vote, ledger.tally, ledger.chain))


def _binds(
    vote: Vote,
    farewells: Mapping[int, Farewell],
    tally: VoteTally,
    chain: Chain,
    heard: Iterable[Vote],
    since: VotedSince,
) -> bool:
    """It is not released, and the needed DROPs are not all there and too few."""
    lacking = _lacking(vote, tally, chain)
    return bool(lacking) and not any(
        _releases(keeper, vote, farewells, heard, since) for keeper in lacking
    )


def _releases(
    keeper: int,
    vote: Vote,
    farewells: Mapping[int, Farewell],
    heard: Iterable[Vote],
    since: VotedSince,
) -> bool:
    said = farewells.get(keeper)
    if said is not None and said.place > vote.place:
        if said.view > vote.view or vote.round not in said.rounds:
            return True
        round_ = vote.view, vote.round
        known = [h for h in heard if (h.seat, h.view, h.round) == (keeper, *round_)]
        if any((h.matter, h.head) != (vote.matter, vote.head) for h in known):
            return True
    for accused in vote.seats:
        voted = since.get((keeper, vote.place, accused))
        if voted is not None and voted <= vote.round:
            continue
        about = [
            set(h.proofs)
            for h in heard
            if (h.seat, h.choice) == (keeper, VoteChoice.HELD)
            and h.place == vote.place
            and accused in h.seats
        ]
        if about and set(vote.proofs) <= set().union(*about):
            return True
    return False


def _undoes(vote: Vote, ledger: Ledger) -> bool:
    """Its signer has taken something of an accused there, and misses no other accused that is
    asked and has not left."""
    chain, height = ledger.chain, vote.height
    if height < chain.height:
        done = {item.seat for item in chain.closed[height] if isinstance(item, Entry | StandIn)}
        return bool(done & set(vote.seats))
    taken = set(chain.gathered) & set(vote.seats)
    missing = set(chain.owing_seats()) & set(vote.seats)
    return bool(taken) and not missing


def _may_still_come(
    vote: Vote,
    ledger: Ledger,
    farewells: Mapping[int, Farewell],
    tally: VoteTally,
    chain: Chain,
    heard: Iterable[Vote],
) -> bool:
    """The certificate of a later round of the view before."""
    if not _binds(vote, farewells, tally, chain, heard, since={}):
        return False
    drops = [v for v in heard if v.choice is VoteChoice.DROP]
    elsewhere = {
        v.seat
        for v in (*tally.all_votes(), *ledger.tally.all_votes(), *drops)
        if (v.view, v.round) >= (vote.view, vote.round)
        and (v.matter, v.head) != (vote.matter, vote.head)
    }
    return not _lacking(vote, tally, chain) & (elsewhere | set(ledger.chain.gathered))
