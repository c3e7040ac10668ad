"""Players of a game that has ended, who want another one."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import trio

from kotp2p.extras.shell.rematch import play_again
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.notices import RematchNews, RematchStep
from kotp2p.shell.run import SeatWish
from tests.support.memory_tables import Recorder, TestTable


@dataclass
class Evening:
    """After a game: its players want another one, each after a time of their own."""

    table: TestTable
    fronts: dict[int, Recorder] = field(default_factory=dict)
    endings: dict[int, Ending] = field(default_factory=dict)

    def front(self, n: int) -> Recorder:
        return self.fronts.setdefault(n, Recorder(f"again {n}"))

    async def wants(self, n: int, after: float = 0.0) -> None:
        await trio.sleep(after)
        last = self.table.endings[n]
        assert last.view is not None
        name = last.view.players[last.view.seat].name
        self.endings[n] = await play_again(
            self.table.world_of(n), SeatWish(name), last, self.front(n)
        )

    async def gather(
        self, afters: dict[int, float], meanwhile: Callable[[], Awaitable[None]] | None = None
    ) -> None:
        for n in self.table.endings:
            self.table.free(n)
        with trio.fail_after(36_000):
            async with trio.open_nursery() as nursery:
                for n, after in afters.items():
                    nursery.start_soon(self.wants, n, after)
                if meanwhile is not None:
                    nursery.start_soon(meanwhile)

    def steps(self, n: int) -> list[RematchStep]:
        return [news.step for news in self.front(n).seen(RematchNews)]

    def hosts(self) -> set[int]:
        """The player that had opened the table, for each of them."""
        found = set()
        for ending in self.endings.values():
            assert ending.kind is EndKind.FINISHED
            assert ending.table is not None
            found.add(ending.table.host)
        return found

    def check_one_game(self, *people: int) -> None:
        assert sorted(self.endings) == sorted(people)
        views = [ending.view for ending in self.endings.values()]
        assert len({view.phrase for view in views if view is not None}) == 1
        assert [e.kind for e in self.endings.values()] == [EndKind.FINISHED] * len(people)


async def finished(table: TestTable) -> Evening:
    await table.run()
    return Evening(table)
