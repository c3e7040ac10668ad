"""What a seed does to a table with cheats: who cheats, how, and which faults strike besides."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from kotp2p.wire.genesis import Clocks
from tests.tools.sim import forgeries, large_bodies, lies, proof_floods, two_wishes
from tests.tools.sim.cheats import Trick
from tests.tools.sim.lying_hosts import ALONE, HOST_LIES, HOST_MACHINE
from tests.tools.sim.mix import FAULTS, SECOND_PROCESS, Mix, mix

TRICKS: dict[str, type[Trick]] = {
    made.name: made
    for made in (
        lies.TwoAnswers,
        lies.TwoCommitments,
        lies.WrongOpening,
        lies.CopiedCommitment,
        lies.CopiedAtOnce,
        lies.IllegalMove,
        lies.AnotherKind,
        lies.OldHead,
        lies.Withheld,
        lies.AnotherDigest,
        lies.WrongShare,
        lies.NoVotes,
        lies.SomeVotes,
        lies.FalseHead,
        lies.FalseLinks,
        lies.PassesNothingOn,
        forgeries.OutOfTurn,
        forgeries.AheadOfTime,
        forgeries.ForgedAuthor,
        forgeries.AnotherGame,
        forgeries.Replay,
        forgeries.PastAgain,
        forgeries.Spam,
        forgeries.Huge,
        forgeries.TwoFarewells,
        forgeries.PlaysOn,
        forgeries.TwoVotes,
        forgeries.VotesAndHolds,
        forgeries.FalseHeld,
        forgeries.EmptyVotes,
        forgeries.BogusProof,
        forgeries.FalseBlame,
        forgeries.BlamesNothing,
        forgeries.AnotherEnd,
        forgeries.AnotherPosition,
        forgeries.EarlyCommits,
        proof_floods.ManyProofs,
        proof_floods.UnknownProofs,
        proof_floods.BelowItsView,
        proof_floods.LateProofs,
        large_bodies.LargestBodies,
        large_bodies.SealsItsAbsence,
        two_wishes.TwoWishes,
    )
}
LARGE = ("bodies of the greatest size", "seals a break without itself")
"""For cheats that have other tricks, too, in some games."""
ABOUT_POSITIONS = ("another digest", "another position")
STOPPING = ("another digest",)
"""Of a half of all players this stops the game with a word. Nobody is accused."""
LOOKING = ("wrong share", "false accusation", "accusation of nothing")
"""For tables at which two look at the same card."""
ABOUT_PROOFS = (
    "huge and many proofs", "votes that name unknown proofs", "votes below their view",
    "proofs after their votes",
)  # fmt: skip
"""For cheats that have other tricks, too: by themselves they give nobody a reason to vote."""
STOPPING_SOME = ("wishes to stop for some",)
"""For cheats at tables where people stop for the day now and then."""
WITHHOLDING = (
    "withheld", "no votes", "votes for some", "old head", "false heartbeat", "false links",
    "passes nothing on", "ahead of time",
)  # fmt: skip
"""Which nobody can tell from a bad network."""
NEVER = ("older copy", "second start")
"""Faults that are left out here. Whoever restores an older copy of his disk relies on the others
to tell him what he has signed since (PROTOCOL.md 10.6), and cheats need not do that."""


def cheat_mix(seed: int) -> Mix:
    chance = Random(f"cheats {seed}")
    plain = mix(seed % 1_000_000 * 50)  # never one of the full games
    looks = chance.random() < 0.12
    players = chance.choice((2, 3, 3, 3, 4, 4, 5, 6))
    bots = 1 if players > 2 and chance.random() < 0.15 else 0
    people = players - bots
    calm = chance.random() < 0.5
    weights = {kind: 0.0 if calm or kind in NEVER else plain.weights[kind] for kind in FAULTS}
    weights[SECOND_PROCESS] = float(Random(f"second process {seed}").random() < 0.12)
    crowd = chance.choice((1, 1, 1, 2, 2, 3, people - 1))
    cheats = chance.sample(range(people), max(1, min(crowd, people - 1)))
    apart = (*ABOUT_POSITIONS, *LOOKING, *ABOUT_PROOFS, *LARGE, *STOPPING_SOME)
    names = [name for name in TRICKS if name not in apart]
    some = Random(f"tricks {seed}")
    tricks = {n: tuple(some.sample(names, some.choice((1, 1, 2, 3, 5)))) for n in cheats}
    if looks:  # the two are few seats of many
        players = people = max(players, 3)
        bots = 0
        cheats = some.sample(range(people), people - 1)
        tricks = {
            n: (some.choice(LOOKING), *some.sample(names, some.randint(0, 1))) for n in cheats
        }
    elif chance.random() < 0.04:
        tricks[cheats[0]] = (some.choice(ABOUT_POSITIONS),)
    more = Random(f"proofs {seed}")
    if more.random() < 0.35:
        for n in more.sample(cheats, more.randint(1, len(cheats))):
            tricks[n] = (*tricks[n], more.choice(ABOUT_PROOFS))
    _some_write_large_bodies(seed, tricks, cheats)
    breaks = _some_wish_to_stop(seed, tricks)
    host_lies = () if bots or looks else _some_hosts_lie(seed, tricks, people)
    return replace(
        plain,
        seed=seed,
        players=players,
        bots=bots,
        rules="short-second" if looks else plain.rules,
        lasting=20.0 if calm else plain.lasting,
        weights=weights,
        leavers=tuple(n for n in plain.leavers if n < people),
        hasty=tuple(n for n in range(people) if n in plain.hasty or chance.random() < 0.2),
        lost=None,
        breaks=breaks,
        clocks=chance.choice((Clocks(), Clocks(20, 10))),
        cheats=tricks,
        host_lies=host_lies,
        looks=looks,
    )


def _some_write_large_bodies(
    seed: int, tricks: dict[int, tuple[str, ...]], cheats: list[int]
) -> None:
    chance = Random(f"large bodies {seed}")
    if chance.random() < 0.15:
        n = chance.choice(cheats)
        tricks[n] = (*tricks[n], chance.choice(LARGE))


def _some_wish_to_stop(seed: int, tricks: dict[int, tuple[str, ...]]) -> bool:
    """In some games people stop for the day now and then, and a cheat uses that."""
    wishes = Random(f"wishes {seed}")
    if wishes.random() >= 0.1:
        return False
    n = wishes.choice(sorted(tricks))
    tricks[n] = (*tricks[n], *STOPPING_SOME)
    return True


def _some_hosts_lie(seed: int, tricks: dict[int, tuple[str, ...]], people: int) -> tuple[str, ...]:
    """In the lobby; and some of these hosts play by the rules afterwards."""
    chance = Random(f"host lies {seed}")
    some_are_honest = len(tricks.keys() | {HOST_MACHINE}) < people
    if chance.random() >= 0.15 or not some_are_honest:
        return ()
    lies = tuple(chance.sample(HOST_LIES, chance.randint(1, 3)))
    tricks.setdefault(HOST_MACHINE, ())
    if chance.random() < 0.3:
        tricks[HOST_MACHINE] = ()
        return (*lies, *ALONE)
    return lies
