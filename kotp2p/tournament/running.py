"""Games of a contest on any executor.

Scope: handing out games, and taking in their results as they come.
Not here: processes and clusters (`cli.system.executors`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait

from kotp2p.tournament.contest import Contest, GameResult, play_game


def play_games(
    contest: Contest, numbers: Iterable[int], executor: Executor, at_once: int
) -> Iterator[GameResult]:
    """The results, in the order in which they come; at most `at_once` games are handed out.

    An error of a game or of the executor is raised here.
    """
    left = iter(numbers)
    running: set[Future[GameResult]] = set()
    while True:
        for number in left:
            running.add(executor.submit(play_game, contest, number))
            if len(running) >= at_once:
                break
        if not running:
            return
        done, running = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            yield future.result()
