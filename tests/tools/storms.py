"""Tables in memory at which things go wrong at random: players leave, links break, processes die.

A process that has died comes back some minutes later. Some tables wait for it, others play on.
Whatever happens, no table hangs, nobody is accused, and every log verifies. One seed is one table;
`python -m tests.tools.storms FIRST LAST` runs many.
"""

import sys
from collections.abc import Callable
from itertools import combinations
from random import Random

import trio
import trio.testing

from kotp2p.game.verify import Result
from kotp2p.referee.box.rulesets import RULE_SETS
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import Cheated, Diverged
from tests.support.memory_tables import TestTable
from tests.support.tool_line import tool_parser
from tests.support.whole_games import Leaver


def storm(seed: int) -> TestTable:
    """Plays one table to its end; the mix of what happens is drawn from the seed."""
    chance = Random(seed)
    table = TestTable(
        players=chance.randint(2, 6),
        rules=chance.choice(sorted(RULE_SETS)),
        delay=chance.choice((0.0, 0.01, 0.3)),
        seed=f"storm {seed} ",
    )
    seats = range(table.players)
    for n in seats:
        if chance.random() < 0.25:
            table.fronts[n] = Leaver(f"leaver {n}", chance.randint(1, 30))
        table.front(n).goes_on = seed % 2 == 0
    if chance.random() < 0.3:
        hard_of_hearing = chance.sample(seats[1:], chance.randint(1, table.players - 1))
        table.net.undialable |= {f"10.0.0.{n + 1}" for n in hard_of_hearing}
    blows: list[tuple[float, Callable[[], None]]] = []
    dead: list[int] = []
    if chance.random() < 0.5:
        one, other = chance.choice(list(combinations(seats, 2)))
        blows.append((chance.uniform(5, 60), lambda: table.net.cut(_at(one), _at(other))))
    if chance.random() < 0.3:
        victim = chance.choice(seats)

        def die() -> None:
            if victim not in table.endings and victim in table.scopes:
                table.kill(victim)
                dead.append(victim)

        blows.append((chance.uniform(5, 60), die))

    async def meanwhile() -> None:
        for when, blow in sorted(blows, key=lambda b: b[0]):
            await trio.sleep_until(when)
            blow()
        for n in dead:
            await trio.sleep_until(300)
            with trio.move_on_after(5_000):  # the others may have finished without him
                await table.resume(n)
            table.free(n)

    async def run() -> None:
        await table.run(meanwhile)

    trio.run(run, clock=trio.testing.MockClock(autojump_threshold=0))
    return table


def _at(n: int) -> str:
    return f"10.0.0.{n + 1}"


def judge(table: TestTable) -> dict[str, int]:
    """Counts how the seats ended; fails if somebody is accused or a log is wrong."""
    counts: dict[str, int] = {}
    sound = []
    for n, ending in sorted(table.endings.items()):
        counts[ending.kind.value] = counts.get(ending.kind.value, 0) + 1
        assert not table.front(n).seen(Cheated)
        assert not table.front(n).seen(Diverged)
        if ending.log is None:
            continue
        report = table.report(n)
        assert report.result in (Result.SOUND, Result.UNFINISHED), (report.reason, n)
        assert (report.result is Result.SOUND) == (ending.kind is EndKind.FINISHED)
        if report.result is Result.SOUND:
            sound.append(report.canonical)
    assert len(set(sound)) <= 1
    return counts


def main(first: int, last: int) -> None:
    total: dict[str, int] = {}
    for seed in range(first, last):
        try:
            counts = judge(storm(seed))
        except BaseException:
            print(f"seed {seed}", file=sys.stderr)
            raise
        for kind, count in counts.items():
            total[kind] = total.get(kind, 0) + count
    print(f"{last - first} tables: {total}")


if __name__ == "__main__":
    parser = tool_parser("tests.tools.storms", __doc__)
    parser.add_argument("first", type=int, help="the first seed")
    parser.add_argument("last", type=int, help="the seed after the last one")
    seeds = parser.parse_args()
    main(seeds.first, seeds.last)
