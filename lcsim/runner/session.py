"""One start of a run: reads the parts that exist, plays the others, counts them in order."""

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from heapq import merge
from pathlib import Path
from typing import Any

from lcsim.errors import InterruptedRunError
from lcsim.experiment import Matchup, Plan
from lcsim.experiment.plan import CHECKPOINT_DEALS
from lcsim.runner.backends import Backend
from lcsim.runner.courier import hire_courier
from lcsim.runner.progress import FORK_GAMES, Progress, Snapshot
from lcsim.runner.remote import PLAY, READ
from lcsim.runner.result import MatchupResult, RunResult, Timing
from lcsim.runner.stop import Stop, StopRule, build_stop_rule
from lcsim.runner.unit import UnitResult, play_unit, read_unit
from lcsim.stats.estimate import Moments, name_games
from lcsim.stats.rounding import format_count
from lcsim.store import RunDir
from lcsim.strategy import compile_strategy, load_engines


class _Tally:
    """A matchup's moments so far."""

    def __init__(self, matchup: Matchup) -> None:
        self.matchup = matchup
        self.games = Moments.empty(name_games(matchup.n_rotations))
        self.n_rounds = 0
        self.stop: Stop | None = None

    def add(self, games: Moments, n_rounds: int, rule: StopRule) -> None:
        """Count a unit, the next one in order, and look whether the rule stops here."""
        self.games += games
        self.n_rounds += n_rounds
        if self.games.n == self.matchup.n_deals:
            self.stop = rule.judge(self.games) or rule.conclude(self.games)
        elif self.games.n % CHECKPOINT_DEALS == 0:
            self.stop = rule.judge(self.games)

    def conclude(self) -> MatchupResult:
        """Return the result; every unit has been counted by now."""
        assert self.stop is not None, self.matchup.label
        return MatchupResult(self.matchup, self.games, self.n_rounds, self.stop)


class Session:
    """One start of a run. `keep` limits a run that had ended to the units it ended with."""

    def __init__(
        self,
        plan: Plan,
        run: RunDir | None,
        backend: Backend,
        progress: Progress,
        keep: set[str] | None = None,
    ) -> None:
        self._plan = plan
        self._run = run
        self._backend = backend
        self._progress = progress
        self._courier = hire_courier(plan, run, backend)
        self._rule = build_stop_rule(plan.experiment)
        self._tallies = [_Tally(matchup) for matchup in plan.matchups]
        self._stored: list[int] = []
        self._missing: list[int] = []
        for number, unit in enumerate(plan.units):
            if keep is None or unit.id in keep:
                part = self._find_part(number)
                has_part = part is not None and part.exists()
                (self._stored if has_part else self._missing).append(number)
        # What the forks will take, in games, for the progress line.
        self._n_later = FORK_GAMES * plan.n_fork_games if run else 0
        self._cancelled = False
        self._failed = False
        self._games_counted = 0
        self._units_played = 0
        self._rounds_played = 0

    def play(self, notify: Callable[[str], None] | None, command: str) -> RunResult:
        """Play and count everything; see `run_plan`."""
        begin = time.perf_counter()
        try:
            read = self._read_stored()
            strategies = self._compile(notify)
            ready = time.perf_counter()
            self._progress.start()
            with closing(self._play_missing(strategies)) as played:
                for unit in merge(read, played, key=lambda result: result.number):
                    self._count(unit, time.perf_counter() - ready)
        except KeyboardInterrupt:
            raise self._explain_interruption(command) from None
        finally:
            self._cancelled = True
            self._progress.stop()
        timing = Timing(
            seconds=time.perf_counter() - begin,
            seconds_before=ready - begin,
            jobs=self._backend.jobs,
            units_played=self._units_played,
            units_read=len(self._stored),
            rounds_played=self._rounds_played,
        )
        return RunResult(self._plan, tuple(one.conclude() for one in self._tallies), timing)

    def remove_surplus(self) -> None:
        """Remove the parts that were played ahead of the place where a rule stopped."""
        for number, unit in enumerate(self._plan.units):
            part = self._find_part(number)
            if part and unit.first_deal >= self._tallies[unit.matchup].games.n:
                part.unlink(missing_ok=True)

    def _find_part(self, number: int) -> Path | None:
        return self._run.find_part(self._plan.units[number].id) if self._run else None

    def _is_stopped(self, number: int) -> bool:
        return self._tallies[self._plan.units[number].matchup].stop is not None

    def _read_stored(self) -> list[UnitResult]:
        """Return the moments of the parts that exist; the first damaged one ends the run."""

        def read(number: int) -> UnitResult:
            part = self._find_part(number)
            assert part is not None
            return read_unit(self._plan, number, part=part)

        courier = self._courier
        results: list[Any] = list(
            courier.send(READ, self._stored) if courier else self._backend.run(read, self._stored)
        )
        for result in results:
            if result.error is not None:
                raise result.error
        return results

    def _compile(self, notify: Callable[[str], None] | None) -> list[Any]:
        if not self._missing or not self._backend.is_here:
            return []  # workers on other machines compile for themselves
        load_engines(self._plan.kind, self._plan.strategies, notify=notify)
        return [compile_strategy(strategy, notify=notify) for strategy in self._plan.strategies]

    def _play_missing(self, strategies: list[Any]) -> Generator[UnitResult, None, None]:
        def play(number: int) -> UnitResult:
            if self._cancelled or self._is_stopped(number):
                return UnitResult(number, None)
            part = self._find_part(number)
            result = play_unit(self._plan, number, strategies, part=part)
            self._failed = self._failed or result.error is not None
            return result

        def choose() -> Iterator[int]:
            for number in self._missing:
                if self._cancelled or self._failed:
                    return
                if not self._is_stopped(number):
                    yield number

        if self._courier:
            results: Generator[Any, None, None] = self._courier.send(PLAY, choose())
            yield from results
        else:
            yield from self._backend.run(play, choose())

    def _count(self, unit: UnitResult, seconds: float) -> None:
        if self._is_stopped(unit.number):
            return
        if unit.error is not None:
            raise unit.error
        assert unit.games is not None
        tally = self._tallies[self._plan.units[unit.number].matchup]
        tally.add(unit.games, unit.n_rounds, self._rule)
        self._games_counted += unit.games.n * tally.matchup.n_rotations
        if not unit.was_read:
            self._units_played += 1
            self._rounds_played += unit.n_rounds
        self._progress.update(
            Snapshot(
                n_games=self._games_counted,
                n_games_planned=self._plan.n_games + self._n_later,
                rounds_per_second=self._rounds_played / max(seconds, 1e-9),
                matchup=tally.matchup.label,
                games=tally.games,
            )
        )

    def _explain_interruption(self, command: str) -> InterruptedRunError:
        games = format_count(self._plan.n_games, "game")
        done = f"interrupted after {format_count(self._games_counted)} of {games}"
        if self._run is None:
            return InterruptedRunError(
                f"{done}; nothing was kept, because there is no folder to keep it in",
                hint=f"start again with: {command}" if command else "",
            )
        return InterruptedRunError(
            f"{done}; the finished units are kept in {self._run.path}",
            hint=f"go on with: {command}" if command else "give the same command again to go on",
        )
