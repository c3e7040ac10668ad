"""`kotp2p bots run`: bots play against each other, and the outcome is told."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cli.system.executors import (
    NoWorkers,
    Workers,
    count_cores,
    describe_stopped_workers,
    fault_of_workers,
    interruptible,
    open_workers,
)
from cli.system.exit_codes import Exit
from cli.system.options import CommonFlags
from cli.system.output import Output
from cli.system.progress import shown_progress
from cli.text import tournament
from cli.text.i18n import _
from kotp2p.tournament.contest import Contest, GameResult, contender_of_level
from kotp2p.tournament.running import play_games
from kotp2p.tournament.standings import Standings, sum_up
from referee.box.setup import MAX_SEATS, MIN_SEATS

DOCUMENT_VERSION = 1


@dataclass(frozen=True, slots=True)
class TournamentRequest:
    levels: tuple[str, ...]
    games: int
    """For each rule set."""
    rules: tuple[str, ...]
    seed: int
    jobs: int | None
    """None: one for each core."""
    cluster: str | None
    """The address of a Dask scheduler; it goes without `jobs`."""
    shows_cards: bool
    as_json: bool


@dataclass(frozen=True, slots=True)
class _Played:
    contest: Contest
    standings: Standings


def run_tournament(request: TournamentRequest) -> int:
    output = Output.standard()
    if not MIN_SEATS <= len(request.levels) <= MAX_SEATS:
        output.note_line(
            _("kotp2p: a table has {least} to {most} bots, as in: kotp2p bots run normal easy easy",
              least=MIN_SEATS, most=MAX_SEATS)
        )  # fmt: skip
        return Exit.USAGE
    fault = fault_of_workers(request.jobs, request.cluster)
    if fault:
        output.note_line(_("kotp2p: {fault}", fault=fault))
        return Exit.USAGE
    jobs = request.jobs or count_cores()
    try:
        with interruptible(), open_workers(jobs, request.cluster) as workers:
            run = _Run(request, workers)
            run.play()
    except NoWorkers as fault:
        output.note_line(_("kotp2p: {fault}", fault=fault))
        return Exit.UNREACHABLE
    except KeyboardInterrupt:  # before the first game was handed out
        return Exit.STOPPED
    _print(request, run.played, output)
    if run.trouble:
        output.note_line(run.trouble)
    return run.exit_code


class _Run:
    """The contests of one command, one for each rule set."""

    def __init__(self, request: TournamentRequest, workers: Workers) -> None:
        self.played: list[_Played] = []
        self.exit_code = Exit.DONE
        self.trouble = ""
        self._request = request
        self._workers = workers

    def play(self) -> None:
        """Until all games are played, or the player or the workers stop."""
        bots = tuple(contender_of_level(level) for level in self._request.levels)
        for rules in self._request.rules:
            contest = Contest(rules, bots, self._request.seed)
            results: list[GameResult] = []
            try:
                self._play_contest(contest, results)
            except KeyboardInterrupt:
                self.exit_code = Exit.STOPPED
            except self._workers.failures as error:
                self.exit_code = Exit.UNREACHABLE
                self.trouble = describe_stopped_workers(error)
            self.played.append(_Played(contest, sum_up(contest, results)))
            if self.exit_code is not Exit.DONE:
                return

    def _play_contest(self, contest: Contest, results: list[GameResult]) -> None:
        games = self._request.games
        plain = CommonFlags.plain
        with shown_progress(games, contest.rules, plain=plain) as progress:
            for result in play_games(
                contest, range(games), self._workers.executor, self._workers.at_once
            ):
                results.append(result)
                progress.step()


def _print(request: TournamentRequest, played: Sequence[_Played], output: Output) -> None:
    if request.as_json:
        document = {
            "version": DOCUMENT_VERSION,
            "levels": request.levels,
            "seed": request.seed,
            "games": request.games,
            "contests": [
                tournament.standings_as_object(one.contest, request.games, one.standings)
                for one in played
            ],
        }
        output.write_document(json.dumps(document))
        return
    for number, one in enumerate(played):
        if number:
            output.say_unbroken("")
        for line in _lines_of(one, request):
            output.say_unbroken(line)


def _lines_of(one: _Played, request: TournamentRequest) -> Iterator[str]:
    standings, plain = one.standings, CommonFlags.plain
    yield from tournament.describe_contest(one.contest, standings)
    if standings.games < request.games:
        yield _("{missing} of {games} games have not been played to their end.",
                missing=request.games - standings.games, games=request.games)  # fmt: skip
    if not standings.games:
        return
    yield ""
    yield from tournament.list_bots(standings, plain=plain)
    yield ""
    yield from tournament.list_places(standings, plain=plain)
    if request.shows_cards and standings.cards:
        yield ""
        yield from tournament.list_cards(standings, plain=plain)
