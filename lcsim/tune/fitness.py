"""How good a setting is: games on whole deal groups against a pool, the same for all settings."""

from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from lcsim.errors import StrategyBrokeError
from lcsim.experiment.command import write_replay_command
from lcsim.rules import get_game
from lcsim.runner.backends import Backend
from lcsim.stats.estimate import TWELFTHS, Estimate
from lcsim.strategy import CompiledStrategy, LoadedStrategy, compile_strategy

Goal = Literal["margin", "wins"]
SELF = "self"  # the strategy itself, as it was in the generation before

Scores = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Pool:
    """Whom a setting meets: `tables` are the groups of opponents, None for the strategy itself.

    `folders` are those of `--strategies`, for the command that replays a game.
    """

    ruleset: Any
    tables: tuple[tuple[CompiledStrategy | None, ...], ...]
    goal: Goal
    folders: tuple[Path, ...] = ()

    @property
    def n_players(self) -> int:
        """Return how many sit at a table."""
        return len(self.tables[0]) + 1

    def count_games(self, n_deals: int) -> int:
        """Return the games that one setting plays on so many deals."""
        return len(self.tables) * self.n_players * n_deals


def build_pool(
    opponents: Sequence[CompiledStrategy | None],
    ruleset: Any,
    *,
    n_players: int,
    goal: Goal,
    folders: Sequence[Path] = (),
) -> Pool:
    """Return the pool of all groups of opponents; with two players each one alone."""
    if n_players == len(opponents) + 1:
        return Pool(ruleset, (tuple(opponents),), goal, tuple(folders))
    seats = range(len(opponents))
    groups = combinations_with_replacement(seats, n_players - 1)
    tables = tuple(tuple(opponents[one] for one in group) for group in groups)
    return Pool(ruleset, tables, goal, tuple(folders))


def score_settings(
    pool: Pool,
    settings: Sequence[LoadedStrategy],
    itself: LoadedStrategy,
    *,
    seed: int,
    deals: range,
    backend: Backend,
) -> Scores:
    """Play every setting against every table on the same deals; return its goal a deal group.

    int64 (n settings, n tables, n_deals), summed over a deal's rotations: the margin in points
    times (n_players - 1), or the share of wins in twelfths. Exact, so the same for any backend.

    Raises StrategyBrokeError for the first setting that breaks, with its values and the command
    that replays the game.
    """
    compiled = [compile_strategy(one) for one in settings]
    rival = compile_strategy(itself)

    def play(task: tuple[int, int]) -> Scores | StrategyBrokeError:
        setting, table = task
        seats = [compiled[setting], *(one or rival for one in pool.tables[table])]
        try:
            return _play(pool, seats, seed, deals)
        except StrategyBrokeError as error:
            return _name_setting(pool, seats, seed, error)

    tasks: Iterable[tuple[int, int]] = [
        (setting, table) for setting in range(len(settings)) for table in range(len(pool.tables))
    ]
    scores = []
    answers: Any = backend.run(play, tasks)
    with closing(answers):
        for answer in answers:  # in order, so that the first that broke is told for any jobs
            if isinstance(answer, StrategyBrokeError):
                raise answer
            scores.append(answer)
    return np.stack(scores).reshape(len(settings), len(pool.tables), len(deals))


def estimate_goal(pool: Pool, scores: Scores) -> Estimate:
    """Return the mean a game and its error over deal groups; scores are (n tables, n_deals)."""
    return describe_groups(scores.sum(axis=0), _unit(pool) * len(pool.tables))


def describe_groups(sums: Scores, unit: float) -> Estimate:
    """Return the mean over deal groups of sums, (n_deals,), in units of `unit`, and its error."""
    n = len(sums)
    se = float(sums.std(ddof=1)) / n**0.5 / unit if n > 1 else None
    return Estimate(float(sums.mean()) / unit, se, n)


def compare_goals(pool: Pool, first: Scores, second: Scores) -> Estimate:
    """Return the first less the second on the same deals, with the error of the difference."""
    return describe_groups((first - second).sum(axis=0), _unit(pool) * len(pool.tables))


def _unit(pool: Pool) -> float:
    """Return what a goal of 1 a game is in a deal group's sum over its rotations."""
    each = pool.n_players - 1 if pool.goal == "margin" else TWELFTHS
    return float(each * pool.n_players)


def _name_setting(
    pool: Pool, seats: Sequence[CompiledStrategy], seed: int, error: StrategyBrokeError
) -> StrategyBrokeError:
    """Add to an error who played with which values, and how to see that game."""
    specs = [one.decider.spec for one in seats]
    error.message += f"; it was played as {specs[error.strategy]}"
    command = write_replay_command(
        specs,
        ruleset=pool.ruleset.spec,
        seed=seed,
        deal=error.deal,
        rotation=error.rotation,
        folders=map(str, pool.folders),
    )
    error.hint = f"replay that game up to that turn: {command}"
    return error


def _play(pool: Pool, seats: list[CompiledStrategy], seed: int, deals: range) -> Scores:
    game = get_game(pool.ruleset.kind)
    rows = game.play_deals(
        pool.ruleset, seed=seed, first_deal=deals.start, n_deals=len(deals), strategies=seats
    )
    settled = game.settle_games(pool.ruleset, rows)
    games: Scores = settled.win_twelfths[:, :, 0]
    if pool.goal == "margin":
        games = pool.n_players * settled.points[:, :, 0] - settled.points.sum(axis=2)
    groups: Scores = games.sum(axis=1)
    return groups
