"""Plays one work unit, or reads it back: rows in, moments out."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from lcsim.errors import LcsimError, PartError, StrategyBrokeError
from lcsim.experiment import Matchup, Plan, WorkUnit
from lcsim.rules import get_game
from lcsim.rules.underway import contain
from lcsim.runner.replay import write_replay_command
from lcsim.stats.estimate import Moments, measure_games
from lcsim.stats.rounding import format_count
from lcsim.store import read_part, write_part


@dataclass(frozen=True, slots=True)
class UnitResult:
    """What is left of a unit once its rows are stored; `number` is its place in the plan.

    `error` is set instead of moments where it failed, so that the first failure in the order of
    the units is the one that is told, for any number of jobs.
    """

    number: int
    games: Moments | None
    n_rounds: int = 0
    was_read: bool = False
    error: LcsimError | None = None


def play_unit(
    plan: Plan, number: int, strategies: Sequence[Any], *, part: Path | None
) -> UnitResult:
    """Play the unit, store its rows as `part` if that is given, and return its moments.

    `strategies` are the plan's, compiled. Failures come back as `UnitResult.error`.
    """
    unit = plan.units[number]
    matchup = plan.matchups[unit.matchup]
    try:
        with contain():
            rows = get_game(plan.kind).play_deals(
                matchup.ruleset,
                seed=plan.experiment.seed,
                first_deal=unit.first_deal,
                n_deals=unit.n_deals,
                strategies=[strategies[one] for one in matchup.strategies],
            )
        if part is not None:
            write_part(part, rows, matchup=matchup.label, ruleset=matchup.ruleset.spec)
        return UnitResult(number, _measure(plan, matchup, rows), rows.size)
    except StrategyBrokeError as error:
        error.hint = write_replay_command(plan, matchup, error)
        return UnitResult(number, None, error=error)
    except LcsimError as error:
        return UnitResult(number, None, error=error)


def read_unit(plan: Plan, number: int, *, part: Path) -> UnitResult:
    """Return the moments of a unit that was played before; a damaged part comes back as error."""
    unit = plan.units[number]
    matchup = plan.matchups[unit.matchup]
    try:
        rows = _shape_rows(plan, unit, matchup, read_part(part).rows, part)
        return UnitResult(number, _measure(plan, matchup, rows), rows.size, was_read=True)
    except LcsimError as error:
        return UnitResult(number, None, error=error)


def _measure(plan: Plan, matchup: Matchup, rows: np.ndarray) -> Moments:
    settled = get_game(plan.kind).settle_games(matchup.ruleset, rows)
    return measure_games(settled.points, settled.win_twelfths)


def _shape_rows(
    plan: Plan, unit: WorkUnit, matchup: Matchup, rows: np.ndarray, part: Path
) -> np.ndarray:
    shape = (unit.n_deals, matchup.n_rotations, matchup.n_rounds)
    row_dtype = get_game(plan.kind).row_dtype(len(matchup.strategies))
    if rows.dtype != row_dtype or rows.size != np.prod(shape):
        raise PartError(
            f"the part {part} does not hold the {format_count(shape[0], 'deal')} of its unit",
            hint="delete that file and give the command of the run again",
        )
    return rows.reshape(shape)
