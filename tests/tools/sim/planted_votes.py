"""Bugs planted on purpose in the votes: for each rule of PROTOCOL.md 9.2 the program without it.

`tests/kotp2p/votes/test_planted_votes.py` names the quick test that fails with each of them.
`tests.tools.sim.planted` has bugs that only games show.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from unittest.mock import PropertyMock, patch

from kotp2p.game import ledger as ledgers
from kotp2p.game import undo_floors, vote_tally
from kotp2p.game.chain import Chain
from kotp2p.game.leavers import Leavers, find_leavers
from kotp2p.game.ledger import CheckedVote, Ledger
from kotp2p.game.vote_tally import VoteTally
from kotp2p.membership.rejoin import Rejoin
from kotp2p.votes import targets, voting
from kotp2p.votes.objections import Objections
from kotp2p.votes.shown_votes import ShownVotes
from kotp2p.votes.stances import Act
from kotp2p.votes.voting import Voting
from kotp2p.wire.proofs import CheatProof
from kotp2p.wire.votes import Vote
from kotp2p.wishes import clocks
from kotp2p.wishes.intents import Intents
from referee.model.answers import Seat
from tests.tools.sim.planted_locks import LOCK_BUGS, allowed
from tests.tools.sim.vote_bugs import VoteBug, adding_to

VOTE_BUGS: dict[str, VoteBug] = {**LOCK_BUGS}
bug = adding_to(VOTE_BUGS)


# -- counting ------------------------------------------------------------------------------


@bug("R4", "a vote may be about a height below that at which its view began")
def view_has_no_begin() -> AbstractContextManager[object]:
    @contextmanager
    def planted() -> Iterator[None]:
        def undo_floor(tally: VoteTally, chain: Chain) -> int:
            return chain.last_gather

        def convict_floor(tally: VoteTally, chain: Chain) -> int:
            return chain.gather_before_last

        with (
            patch.object(undo_floors, "undo_floor", undo_floor),
            patch.object(undo_floors, "convict_floor", convict_floor),
        ):
            yield

    return planted()


@bug("R6", "a vote counts though a proof that it names has not come")
def unknown_proof_is_counted() -> AbstractContextManager[object]:
    check = Ledger.check_vote

    def lenient(
        ledger: Ledger, vote: Vote, offered: Mapping[bytes, CheatProof]
    ) -> CheckedVote | None:
        has_come = {*vote.proofs} <= {*ledger.proofs, *offered}
        return check(ledger, vote if has_come else replace(vote, proofs=()), offered)

    return patch.object(Ledger, "check_vote", lenient)


@bug("R7", "a farewell that stands in a proof is not counted")
def farewell_in_proof_is_overlooked() -> AbstractContextManager[object]:
    def find_taken(place: tuple[int, int], chain: Chain, proofs: Iterable[CheatProof]) -> Leavers:
        return find_leavers(place, chain, ())

    return patch.object(ledgers, "find_leavers", find_taken)


@bug("R7", "a farewell counts behind an entry of its seat")
def farewell_counts_behind_an_entry() -> AbstractContextManager[object]:
    return patch.object(Chain, "has_signed_since", lambda chain, farewell, height: False)


@bug("R7", "a farewell from behind counts for nothing")
def farewell_from_behind_counts_for_nothing() -> AbstractContextManager[object]:
    return patch.object(VoteTally, "are_of_cheats", lambda tally, matter, needed: False)


@bug("R7", "a farewell from behind counts for votes without proofs")
def farewell_from_behind_counts_always() -> AbstractContextManager[object]:
    return patch.object(VoteTally, "are_of_cheats", lambda tally, matter, needed: True)


@bug("R7", "half of the live keepers are enough")
def half_is_enough() -> AbstractContextManager[object]:
    return patch.object(vote_tally, "is_majority", lambda needed, honest: 2 * needed >= honest)


@bug("R7", "convicts count in the majority")
def convicts_count() -> AbstractContextManager[object]:
    return patch.object(VoteTally, "proofs_of", lambda tally, matter, voters: {})


@bug("R9", "no vote of the former view is counted")
def former_view_is_closed() -> AbstractContextManager[object]:
    return patch.object(Ledger, "open_former", lambda ledger: None)


@bug("R9", "a vote of the former view is judged on the present line")
def former_line_is_forgotten() -> AbstractContextManager[object]:
    find = Ledger._find_line

    def finds(ledger: Ledger, vote: Vote) -> tuple[VoteTally, Chain]:
        return find(ledger, vote)[0], ledger.chain

    return patch.object(Ledger, "_find_line", finds)


# -- signing -------------------------------------------------------------------------------


@bug("R10", "a seat votes at a fork below the floor")
def floor_is_ignored() -> AbstractContextManager[object]:
    return patch.object(Ledger, "undo_floor", PropertyMock(return_value=0))


@bug("R11", "a seat does not join the round of others")
def rounds_never_meet() -> AbstractContextManager[object]:
    def next_round(
        ledger: Ledger, seat: Seat, height: int, accused: tuple[Seat, ...], behind: int = 0
    ) -> int | None:
        mine = ledger.tally.votes_of(seat)
        if mine and (mine[-1].height, mine[-1].seats) == (height, accused):
            return None
        return mine[-1].round + 1 if mine else 1

    return patch.object(Ledger, "next_round", next_round)


@bug("R11", "a seat that is back votes in a round that it has used")
def lost_rounds_are_used_again() -> AbstractContextManager[object]:
    return patch.object(ShownVotes, "find_own_votes", lambda shown: [])


@bug("R11", "a seat follows others as far ahead as they like")
def rounds_are_followed_far_ahead() -> AbstractContextManager[object]:
    return patch.object(vote_tally, "MAX_ROUNDS_AHEAD", 1000)


@bug("R11", "a seat follows a keeper that nobody needs")
def rounds_of_the_fallen_are_followed() -> AbstractContextManager[object]:
    next_round = VoteTally.next_round

    def for_all(
        tally: VoteTally,
        seat: Seat,
        height: int,
        accused: tuple[Seat, ...],
        needed: Collection[Seat],
        behind: int = 0,
    ) -> int | None:
        others = {vote.seat for vote in tally.all_votes()} - {seat}
        return next_round(tally, seat, height, accused, others, behind)

    return patch.object(VoteTally, "next_round", for_all)


@bug("R11", "a seat uses up its votes about one matter")
def votes_are_used_up() -> AbstractContextManager[object]:
    return patch.object(vote_tally, "MAX_LEADS", 1000)


@bug("R12", "a vote names no proof")
def proofs_are_left_out() -> AbstractContextManager[object]:
    return patch.object(voting, "proofs_that_convict", lambda ledger, convicts, height: {})


@bug("R13, R16", "a seat votes against a seat that it has objected for")
def objection_is_no_promise() -> AbstractContextManager[object]:
    return patch.object(Voting, "_has_objected", lambda *_: False)


@bug("R14, R19", "a pledged seat votes")
def pledged_seat_votes() -> AbstractContextManager[object]:
    return allowed(Act.SIGN_DROP)


@bug("R14", "after a restart a seat votes because of a proof where it was long ago")
def votes_behind_itself() -> AbstractContextManager[object]:
    return patch.object(Rejoin, "note_own", lambda rejoin, place, now: None)


@bug("R14", "after a restart a seat votes before it has heard the others")
def votes_before_it_hears() -> AbstractContextManager[object]:
    @contextmanager
    def planted() -> Iterator[None]:
        with (
            patch.object(Rejoin, "has_heard_others", lambda rejoin, now: True),
            patch.object(Rejoin, "may_sign", lambda rejoin, place, now: True),
        ):
            yield

    return planted()


@bug("R15", "the intents of the others are not waited for")
def words_are_not_waited_for() -> AbstractContextManager[object]:
    wants = Intents.wants_drop

    def wants_drop(intents: Intents, voter: Seat) -> bool:
        return voter != intents.seat or wants(intents, voter)

    return patch.object(Intents, "wants_drop", wants_drop)


@bug("R15", "an intent counts at whatever place it was declared")
def old_words_count() -> AbstractContextManager[object]:
    def wants_drop(intents: Intents, voter: Seat) -> bool:
        return voter in intents.newest and intents.newest[voter].seats == intents.open_vote

    return patch.object(Intents, "wants_drop", wants_drop)


@bug("R15", "a minority votes")
def minority_votes() -> AbstractContextManager[object]:
    return patch.object(Intents, "_are_enough", lambda intents, needed: True)


@bug("9.8 R1, 9.8 R2", "a proof about an undone line counts")
def undone_line_counts() -> AbstractContextManager[object]:
    return patch.object(targets.TargetFinder, "find_convicted", lambda finder: {*finder.convicts})


@bug("9.8 R1", "a vote is open as soon as a seat is late")
def votes_at_once() -> AbstractContextManager[object]:
    return patch.object(clocks, "VOTE_AFTER_SECONDS", 0.0)


# -- answers -------------------------------------------------------------------------------


@bug("R20", "no vote is answered")
def votes_are_not_answered() -> AbstractContextManager[object]:
    return patch.object(Objections, "answer_vote", lambda objections, vote: None)


@bug("R21", "a seat objects for one that it has voted against")
def voter_objects() -> AbstractContextManager[object]:
    return patch.object(Objections, "_may_object", lambda objections, height, seat: True)


@bug("R21", "a seat objects where one of the accused is waited for")
def waiting_is_overlooked() -> AbstractContextManager[object]:
    return patch.object(Objections, "_is_waited_for", lambda objections, vote: False)


@bug("9.1 R6", "nothing is shown to a voter")
def nothing_is_shown() -> AbstractContextManager[object]:
    return patch.object(Objections, "show_taken_of", lambda objections, vote: None)


@bug("R22", "an objection names no proof")
def objections_name_no_proof() -> AbstractContextManager[object]:
    return patch.object(Objections, "_checked_proofs", lambda objections, vote: ())


@bug("R23", "a vote that an earlier round has overtaken is not answered")
def overtaken_votes_are_not_answered() -> AbstractContextManager[object]:
    return patch.object(Objections, "_answer_former_votes", lambda objections: None)


@bug("R23", "a seat objects for one that it has voted against in a round that may still win")
def overtaken_voter_objects() -> AbstractContextManager[object]:
    return patch.object(Objections, "_votes_still_open", lambda objections, vote: [])


@bug("9.1 R7", "objections are not kept")
def objections_are_not_kept() -> AbstractContextManager[object]:
    return patch.object(ShownVotes, "note_objection", lambda shown, held: False)


@bug("9.6 R5", "a stuck vote at a fork keeps its seat there")
def nothing_is_passed_over() -> AbstractContextManager[object]:
    return patch.object(targets, "is_passed_over", lambda locks, convicts, found: False)
