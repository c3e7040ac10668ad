"""`python -m tests.tools.both_verifiers`: shows both verifiers logs of simulated games with cheats,
and logs that are made at random. It names those that they differ about, and keeps them."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from pathlib import Path
from random import Random
from unittest.mock import patch

from kotp2p.game.verify import examine_evidence
from kotp2p.referee.box.rulesets import RULE_SETS
from kotp2p.wire.lineups import Reason
from tests.support.tool_line import tool_parser
from tests.support.two_verifiers import agree
from tests.tools.independent import file, genesis
from tests.tools.independent.strife import strifes
from tests.tools.independent.verdict import evidence
from tests.tools.sim.rules import KNOWN, looking, short_tables
from tests.tools.sim.walk import cheat_mix, walk

TRIES = 90
"""Records of a log that is made at random, as many as are taken and refused together."""
LOOKED_AT = ("made-in-a-lab", "mimic")
"""What a rule set needs for a second look."""


@contextmanager
def rules_of(looks: bool) -> Iterator[None]:
    with ExitStack() as stack:
        stack.enter_context(short_tables())
        stack.enter_context(patch.object(genesis, "RULE_SETS", KNOWN))
        if looks:
            stack.enter_context(looking())
        yield


def difference(data: bytes) -> str:
    """Empty if both say the same of these bytes, and of what is canonical in them."""
    try:
        if data[:8] == file.EVIDENCE:
            cheat, other = examine_evidence(data).cheat, evidence(data).convicts
            one = None if cheat is None else cheat.seat
            return "" if one == other else f"evidence against {one} and {other}"
        found = agree(data)
        again = agree(found.canonical) if found.canonical else found
        # An offence may lie above the base of the line-up that puts its keeper out.
        is_proven = any(reason == Reason.CHEATED for _, _, _, reason, _ in found.changes)
        if again.canonical != found.canonical and not is_proven:
            return "the canonical log has another canonical log"
    except AssertionError as error:
        return str(error)
    return ""


def of_a_game(seed: int) -> Iterator[bytes]:
    """The logs that differ, of one simulated game with cheats."""
    mix = cheat_mix(seed)
    files = walk(mix, with_files=True).files
    with rules_of(mix.looks):
        yield from filter(difference, files)


def of_a_strife(seed: int, tries: int = TRIES) -> Iterator[bytes]:
    """The logs that differ, of one that is made at random and of its wrong ends. Every third is of
    a table at which two monsters can look at the top card."""
    looks = seed % 3 == 0
    sets = [
        name
        for name, rules in RULE_SETS.items()
        if not looks or {card.key for card in rules.cards}.issuperset(LOOKED_AT)
    ]
    with looking() if looks else ExitStack():
        yield from filter(difference, strifes(Random(f"strife {seed}"), sets, tries))


def main() -> int:
    parser = tool_parser("tests.tools.both_verifiers", __doc__)
    parser.add_argument("--games", type=int, default=20, help="simulated games (20)")
    parser.add_argument("--strifes", type=int, default=20, help="logs made at random (20)")
    parser.add_argument("--first", type=int, default=0, help="the first seed (0)")
    parser.add_argument("--keep", type=Path, help="a folder for the logs that differ")
    given = parser.parse_args()
    found = Counter[str]()
    for what, many, logs in (
        ("game", given.games, of_a_game),
        ("strife", given.strifes, of_a_strife),
    ):
        for seed in range(given.first, given.first + many):
            for data in logs(seed):
                found[what] += 1
                name = f"{what}-{seed}-{sha256(data).hexdigest()[:8]}"
                print(name, flush=True)
                if given.keep is not None:
                    given.keep.mkdir(parents=True, exist_ok=True)
                    (given.keep / name).write_bytes(data)
    print(f"{given.games} games, {given.strifes} strifes: {dict(found)} differ")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
