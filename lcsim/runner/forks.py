"""Plays the forks of a run: moves of its first deals, each game played again without that move.

Forks are kept as parts for the report and leave no moments, so a run without a folder has none.
They come after all other units, go on where an earlier start stopped, and are the same for any
number of jobs.
"""

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from lcsim.errors import InterruptedRunError
from lcsim.experiment import Plan
from lcsim.runner.backends import Backend
from lcsim.runner.courier import hire_courier
from lcsim.runner.fork_unit import ForkResult, play_fork_unit, read_fork_unit
from lcsim.runner.progress import FORK_GAMES, Progress, Snapshot
from lcsim.runner.remote import PLAY_FORKS, READ_FORKS
from lcsim.runner.result import RunResult
from lcsim.stats.rounding import format_count
from lcsim.store import RunDir
from lcsim.strategy import compile_strategy


class ForkSession:
    """One start of the forks of a run."""

    def __init__(self, plan: Plan, run: RunDir, backend: Backend, progress: Progress) -> None:
        self._plan = plan
        self._run = run
        self._backend = backend
        self._progress = progress
        self._courier = hire_courier(plan, run, backend)
        numbers = range(len(plan.fork_units))
        self._stored = [number for number in numbers if self._find_part(number).exists()]
        self._missing = [number for number in numbers if not self._find_part(number).exists()]
        self._games = sum(self._count_games(number) for number in self._stored)
        self._n_games = 0
        self._cancelled = False
        self._failed = False

    def check_stored(self) -> None:
        """Raise PartError for the first part that is damaged: before anything is played."""

        def read(number: int) -> ForkResult:
            return read_fork_unit(self._plan, number, part=self._find_part(number))

        courier = self._courier
        results: Iterator[Any] = (
            courier.send(READ_FORKS, self._stored)
            if courier
            else self._backend.run(read, self._stored)
        )
        for result in list(results):
            if result.error is not None:
                raise result.error

    def play(
        self, result: RunResult, notify: Callable[[str], None] | None, command: str
    ) -> RunResult:
        """Play what is missing; return `result` with the time that took."""
        if not self._missing:
            return result
        begin = time.perf_counter()
        self._n_games = result.n_games
        try:
            strategies = self._compile(notify)
            self._progress.start()
            with closing(self._play_missing(strategies)) as played:
                rounds = 0
                for unit in played:
                    rounds += self._count(unit)
                    self._show(unit, rounds / max(time.perf_counter() - begin, 1e-9))
        except KeyboardInterrupt:
            raise self._explain_interruption(command) from None
        finally:
            self._cancelled = True
            self._progress.stop()
        seconds = time.perf_counter() - begin
        timing = replace(
            result.timing,
            seconds=result.timing.seconds + seconds,
            seconds_forks=seconds,
            fork_units_played=len(self._missing),
        )
        return replace(result, timing=timing)

    def _find_part(self, number: int) -> Path:
        return self._run.find_fork_part(self._plan.fork_units[number].id)

    def _compile(self, notify: Callable[[str], None] | None) -> list[Any]:
        if not self._backend.is_here:
            return []  # workers on other machines compile for themselves
        return [compile_strategy(strategy, notify=notify) for strategy in self._plan.strategies]

    def _play_missing(self, strategies: list[Any]) -> Generator[ForkResult, None, None]:
        def play(number: int) -> ForkResult:
            if self._cancelled:
                return ForkResult(number)
            part = self._find_part(number)
            result = play_fork_unit(self._plan, number, strategies, part=part)
            self._failed = self._failed or result.error is not None
            return result

        def choose() -> Iterator[int]:
            for number in self._missing:
                if self._cancelled or self._failed:
                    return
                yield number

        if self._courier:
            results: Generator[Any, None, None] = self._courier.send(PLAY_FORKS, choose())
            yield from results
        else:
            yield from self._backend.run(play, choose())

    def _count(self, unit: ForkResult) -> int:
        """Count a unit played; return the rounds it took: every game, and one more a fork."""
        if unit.error is not None:
            raise unit.error
        games = self._count_games(unit.number)
        self._games += games
        matchup = self._plan.matchups[self._plan.fork_units[unit.number].matchup]
        return (games + unit.n_forks) * matchup.n_rounds

    def _count_games(self, number: int) -> int:
        unit = self._plan.fork_units[number]
        return unit.n_deals * self._plan.matchups[unit.matchup].n_rotations

    def _show(self, unit: ForkResult, rounds_per_second: float) -> None:
        matchup = self._plan.matchups[self._plan.fork_units[unit.number].matchup]
        self._progress.update(
            Snapshot(
                n_games=self._plan.n_games + FORK_GAMES * self._games,
                n_games_planned=self._plan.n_games + FORK_GAMES * self._plan.n_fork_games,
                rounds_per_second=rounds_per_second,
                matchup=matchup.label,
                games=None,
            )
        )

    def _explain_interruption(self, command: str) -> InterruptedRunError:
        return InterruptedRunError(
            f"interrupted after all {format_count(self._n_games, 'game')}, with the moves of "
            f"{format_count(self._games)} of {format_count(self._plan.n_fork_games, 'game')} "
            f"forked; the finished units are kept in {self._run.path}",
            hint=f"go on with: {command}" if command else "give the same command again to go on",
        )
