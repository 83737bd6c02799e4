"""Forks the moves of one work unit, or looks at it again: rows into a part, a count out."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from lcsim.errors import LcsimError, PartError, StrategyBrokeError
from lcsim.experiment import Plan
from lcsim.rules import get_game
from lcsim.rules.underway import contain
from lcsim.runner.replay import write_replay_command
from lcsim.store import read_part, write_part


@dataclass(frozen=True, slots=True)
class ForkResult:
    """What is left of a unit of forks: how many moves were forked; `error` where it failed."""

    number: int
    n_forks: int = 0
    error: LcsimError | None = None


def play_fork_unit(plan: Plan, number: int, strategies: Sequence[Any], *, part: Path) -> ForkResult:
    """Fork the unit's moves and store them as `part`.

    `strategies` are the plan's, compiled. Failures come back as `ForkResult.error`.
    """
    unit = plan.fork_units[number]
    matchup = plan.matchups[unit.matchup]
    play_forks = get_game(plan.kind).play_forks
    assert play_forks is not None, plan.kind
    try:
        with contain():
            rows = play_forks(
                matchup.ruleset,
                seed=plan.experiment.seed,
                first_deal=unit.first_deal,
                n_deals=unit.n_deals,
                strategies=[strategies[one] for one in matchup.strategies],
            )
        write_part(part, rows, matchup=matchup.label, ruleset=matchup.ruleset.spec)
        return ForkResult(number, rows.size)
    except StrategyBrokeError as error:
        error.hint = error.hint or write_replay_command(plan, matchup, error)
        return ForkResult(number, error=error)
    except LcsimError as error:
        return ForkResult(number, error=error)


def read_fork_unit(plan: Plan, number: int, *, part: Path) -> ForkResult:
    """Look at a unit that was played before; a damaged part comes back as error."""
    unit = plan.fork_units[number]
    try:
        rows = read_part(part).rows
        fits = rows.dtype == get_game(plan.kind).fork_dtype and not np.any(
            (rows["deal"] < unit.first_deal) | (rows["deal"] >= unit.first_deal + unit.n_deals)
        )
        if not fits:
            raise PartError(
                f"the part {part} does not hold the forks of its unit",
                hint="delete that file and give the command of the run again",
            )
        return ForkResult(number, rows.size)
    except LcsimError as error:
        return ForkResult(number, error=error)
