"""More bugs planted on purpose: in what is judged, and in what follows from a proof.

As in `tests.tools.sim.planted`; these show only where somebody cheats, so each must be caught
within some dozens of games with cheats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from unittest.mock import patch

from kotp2p.game import conviction, verdicts
from kotp2p.game.chain import Chain
from kotp2p.game.conviction import convict_by_proof
from kotp2p.game.refusals import Cheat, Early, Forged, Fork, Stale, cheat_shown_by
from kotp2p.game.steps import Moved
from kotp2p.lobby import guest
from kotp2p.membership import adjourning, closing
from kotp2p.membership.adjourning import BREAK_SEALS_SECONDS, Adjournment, AgreedBreak
from kotp2p.membership.rejoin import Rejoin
from kotp2p.mesh.divergence import Divergence
from kotp2p.mesh.vote_intake import VoteIntake
from kotp2p.notices import Agreement
from kotp2p.peer.duties import Duties
from kotp2p.peer.peer import Peer
from kotp2p.wire.closings import Break
from kotp2p.wire.entries import Blame, Entry, Signed
from kotp2p.wire.genesis import Genesis
from kotp2p.wire.proofs import CheatKind, CheatProof
from kotp2p.wire.votes import Vote
from referee.model.answers import Answer, Pass, Seat, Stop
from tests.tools.sim.cheat_mix import LOOKING, STOPPING, STOPPING_SOME, cheat_mix
from tests.tools.sim.lying_hosts import HOST_LIES, HOST_MACHINE
from tests.tools.sim.mix import Mix
from tests.tools.sim.planted import Bug

CHEAT_BUGS: dict[str, Bug] = {}
AIMED: dict[str, tuple[str, ...]] = {}
"""The tricks that all cheats of a game play against a bug, if not those of their seeds."""


OF_TWO: set[str] = set()
"""Bugs that show at a table of two in calm weather, where a player can only stop for the day."""


def bug(
    words: str,
    *caught_by: str,
    tricks: tuple[str, ...] = (),
    of_two: bool = False,
    seeds: tuple[int, ...] = (),
) -> Callable[
    [Callable[[], AbstractContextManager[object]]], Callable[[], AbstractContextManager[object]]
]:  # fmt: skip
    def add(
        plant: Callable[[], AbstractContextManager[object]],
    ) -> Callable[[], AbstractContextManager[object]]:
        CHEAT_BUGS[plant.__name__] = Bug(words, plant, frozenset(caught_by), seeds)
        AIMED[plant.__name__] = tricks
        if of_two:
            OF_TWO.add(plant.__name__)
        return plant

    return add


def aimed(name: str, seed: int) -> Mix:
    """A game that may show this bug."""
    mix, tricks = cheat_mix(seed), AIMED[name]
    if not tricks:
        return mix
    if not set(tricks).isdisjoint(HOST_LIES):
        people = max(mix.players, 3)
        return replace(
            mix, players=people, bots=0, cheats={HOST_MACHINE: ()}, host_lies=tricks, looks=False
        )
    if name in OF_TWO:
        calm = dict.fromkeys(mix.weights, 0.0)
        two = replace(mix, players=2, bots=0, cheats={1: tricks}, looks=False, leavers=())
        return replace(two, hasty=(0, 1), lasting=20.0, weights=calm)
    looks = not set(tricks).isdisjoint(LOOKING)
    return replace(
        mix,
        players=max(mix.players, 3),
        bots=0,
        rules="short-second" if looks else mix.rules,
        cheats=dict.fromkeys(mix.cheats, tricks),
        looks=looks,
        breaks=mix.breaks or not set(tricks).isdisjoint(STOPPING_SOME),
    )


@bug(
    "an entry is judged on the line as it stands now, not as it stood",
    "I2", "I3", "I5", tricks=("two next commitments",), seeds=(34,),
)  # fmt: skip
def judged_on_the_wrong_line() -> AbstractContextManager[object]:
    def refused(entry: Entry, line: Chain) -> Cheat:
        try:
            line.accept_entry(replace(entry, prev=line.heads[entry.height]))
        except Cheat as fault:
            return fault
        except (Early, Forged) as fault:
            raise Forged("nothing") from fault
        raise Forged("an entry that is right")

    accept = Chain.accept_entry

    def accepts(line: Chain, entry: Entry) -> Moved | None:
        try:
            return accept(line, entry)
        except Fork as fault:
            raise cheat_shown_by(entry, CheatKind.BAD_ENTRY, "another past") from fault

    @contextmanager
    def planted() -> Iterator[None]:
        with (
            patch.object(conviction, "_refused", refused),
            patch.object(Chain, "accept_entry", accepts),
        ):
            yield

    return planted()


@bug("a vote is counted though its proof proves nothing", "I2", "I3", tricks=("bogus proof",))
def proofs_are_believed() -> AbstractContextManager[object]:
    def believes(genesis: Genesis, proof: CheatProof, chain: Chain) -> Cheat:
        try:
            return convict_by_proof(genesis, proof, chain)
        except Forged:
            last: Signed = proof.bodies[-1]
            entry = Entry.parse(last)
            return cheat_shown_by(entry, CheatKind.BAD_ENTRY, "somebody says so")

    return patch.object(verdicts, "convict_by_proof", believes)


@bug("the evidence leaves out the last step before the offence", "I3")
def evidence_is_short() -> AbstractContextManager[object]:
    return patch(
        "kotp2p.game.evidence.height_needed",
        lambda proof: max(0, conviction.height_needed(proof) - 1),
        create=True,
    )


@bug("who has cheated is told, but nobody votes", "I5", seeds=(39,))
def nobody_accuses() -> AbstractContextManager[object]:
    return patch.object(Peer, "_vote_by_proofs", lambda peer, now: False)


@bug(
    "whoever says he is further is waited for, without end",
    "I5", tricks=("false heartbeat",), seeds=(2,),
)  # fmt: skip
def claims_are_believed() -> AbstractContextManager[object]:
    note_head = Rejoin.note_head

    def believe(rejoin: Rejoin, seat: int, place: tuple[int, int], now: float) -> None:
        note_head(rejoin, seat, place, now)
        rejoin._claims[seat] = max(rejoin._claims.get(seat, place), place)
        rejoin._believed_until[seat] = float("inf")

    return patch.object(Rejoin, "note_head", believe)


@bug(
    "who blames a share that was right is believed",
    "I2", "I3", tricks=("false accusation",), seeds=(25,),
)  # fmt: skip
def blames_are_believed() -> AbstractContextManager[object]:
    refuse = Chain._refuse_blame

    def believes(chain: Chain, entry: Entry) -> None:
        assert isinstance(entry.payload, Blame)
        for share, step in chain.feed.shares:
            if share.id == entry.prev and step.taker == entry.seat:
                kind = CheatKind.WRONG_SHARE
                raise Cheat(share.seat, kind, share.height, "", share.signed, entry.signed)
        refuse(chain, entry)

    return patch.object(Chain, "_refuse_blame", believes)


@bug(
    "the seal of a seat that a break names absent is kept, and the record is not read back",
    "I4", tricks=("seals a break without itself",), of_two=True,
)  # fmt: skip
def absent_seal_is_kept() -> AbstractContextManager[object]:
    @contextmanager
    def planted() -> Iterator[None]:
        with (
            patch.object(adjourning, "check_break_seats", lambda ledger, stop, signers: None),
            patch.object(closing, "check_closing", lambda ledger, record: None),
        ):
            yield

    return planted()


@bug(
    "a vote that is not counted is written down all the same",
    "I4", tricks=("bodies of the greatest size", "votes against the innocent"), seeds=(39,),
)  # fmt: skip
def uncounted_vote_is_written() -> AbstractContextManager[object]:
    count_vote = VoteIntake.count_vote

    def writes(intake: VoteIntake, source: Seat, vote: Vote, now: float) -> Moved | None:
        try:
            return count_vote(intake, source, vote, now)
        except (Early, Stale, Fork):
            intake.gossip.append_record(vote.signed)
            raise

    return patch.object(VoteIntake, "count_vote", writes)


@bug(
    "an answer is signed that the game refuses, and the ledger alone finds it",
    "I17", tricks=("bodies of the greatest size",),
)  # fmt: skip
def signs_an_illegal_answer() -> AbstractContextManager[object]:
    sign_answer = Duties.sign_answer

    def illegal(duties: Duties, answer: Answer) -> None:
        sign_answer(duties, Pass() if isinstance(answer, Stop) else answer)

    return patch.object(Duties, "sign_answer", illegal)


@bug(
    "a session ends by a break that some have not signed, after a while",
    "I18", tricks=STOPPING_SOME, seeds=(12,),
)  # fmt: skip
def stops_alone() -> AbstractContextManager[object]:
    find, tell = Adjournment.find_agreed_break, Adjournment._tell_break
    since: dict[int, float] = {}

    def tells(
        stopping: Adjournment, here: Break, wishes: Mapping[Seat, bytes], now: float
    ) -> list[Signed]:
        since.setdefault(id(stopping), now)
        return tell(stopping, here, wishes, now)

    def finds(stopping: Adjournment, now: float) -> AgreedBreak | None:
        stop = stopping.signed_break
        if stop is not None and now >= since[id(stopping)] + BREAK_SEALS_SECONDS / 2:
            return stopping._agree(stop)
        return find(stopping, now)

    @contextmanager
    def planted() -> Iterator[None]:
        with (
            patch.object(Adjournment, "_tell_break", tells),
            patch.object(Adjournment, "find_agreed_break", finds),
        ):
            yield

    return planted()


@bug(
    "a guest signs a start without comparing it with the lobby",
    "I20", tricks=("game of other clocks", "game of other monsters"),
)  # fmt: skip
def signs_whatever_is_proposed() -> AbstractContextManager[object]:
    return patch.object(guest, "find_differences", lambda lobby, charter: ())


@bug("one digest that differs stops those who agree", "I2", tricks=STOPPING)
def one_digest_stops_all() -> AbstractContextManager[object]:
    return patch.object(
        Divergence, "_find_agreement", lambda divergence, disputes: (Agreement.NONE, None)
    )
