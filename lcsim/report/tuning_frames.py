"""What a tuning found as small tables at full precision: by generation, parameter and neighbor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lcsim.report.frames import build_frame, spread
from lcsim.stats.estimate import TWELFTHS, Estimate

if TYPE_CHECKING:
    import pandas as pd

    from lcsim.report.tuning_source import Result, Tuning


def summarise_generations(tuning: Tuning) -> pd.DataFrame:
    """Return one row a generation, from 1: the goal of its mean and of the best of its settings.

    `best` is the largest of many estimates, so it promises too much.
    """
    settings = tuning.settings
    each = settings.players - 1 if settings.goal == "margin" else TWELFTHS
    return build_frame(
        {
            "generation": one.number + 1,
            "n_games": (one.number + 1) * tuning.games_each * (len(one.goals) + 1),
        }
        | spread("goal", one.estimate.estimate, interval=True)
        | {"best": max(one.goals, default=0) / (each * tuning.games_each), "spread": one.spread}
        for one in tuning.generations
    )


def summarise_values(tuning: Tuning) -> pd.DataFrame:
    """Return one row a generation and parameter: the value of its mean, and its place in range."""
    return build_frame(
        {
            "generation": one.number + 1,
            "parameter": name,
            "value": one.values[name],
            "share": param.find_share(one.values[name]),
        }
        for one in tuning.generations
        for name, param in tuning.params.items()
    )


def summarise_parameters(tuning: Tuning) -> pd.DataFrame:
    """Return one row a parameter: range, default, where the search began and what it found.

    `found` is the last generation's value where the tuning has not ended.
    """
    first, last = tuning.generations[0].values, tuning.generations[-1].values
    found = tuning.result.values if tuning.result else last
    return build_frame(
        {
            "parameter": name,
            "low": param.low,
            "high": param.high,
            "default": param.default,
            "begun": first[name],
            "found": found[name],
            "share": param.find_share(found[name]),
            "meaning": param.help,
        }
        for name, param in tuning.params.items()
    )


def summarise_judgement(result: Result, names: dict[str, str]) -> pd.DataFrame:
    """Return one row a statement: the search's own, the two on fresh deals, and the differences.

    `names` gives each statement its words.
    """
    values = {
        "searched": result.searched.estimate,
        "tuned": result.tuned.estimate,
        "start": result.start.estimate,
        "gain": result.gain.estimate,
        "gap": measure_gap(result),
    }
    return build_frame(
        {"statement": statement, "title": names[statement], "n_deals": value.n}
        | spread("goal", value, interval=True)
        for statement, value in values.items()
    )


def measure_gap(result: Result) -> Estimate:
    """Return the search's last estimate less that on fresh deals; the two share no deal."""
    searched, tuned = result.searched.estimate, result.tuned.estimate
    se = ((searched.se or 0.0) ** 2 + (tuned.se or 0.0) ** 2) ** 0.5
    return Estimate(searched.mean - tuned.mean, se, min(searched.n, tuned.n))


def summarise_neighbors(tuning: Tuning, result: Result) -> pd.DataFrame:
    """Return one row a neighbor of what was found, the parameters that cost most first."""
    worst: dict[str, float] = {}
    for one in result.neighbours:
        worst[one.param] = max(worst.get(one.param, one.loss.mean), one.loss.mean)
    ordered = sorted(result.neighbours, key=lambda one: (-worst[one.param], one.param, one.value))
    return build_frame(
        {
            "parameter": one.param,
            "value": one.value,
            "found": result.values[one.param],
            "off": tuning.params[one.param].find_share(one.value)
            - tuning.params[one.param].find_share(result.values[one.param]),
            "n_deals": one.loss.n,
        }
        | spread("loss", one.loss.estimate, interval=True)
        for one in ordered
    )
