"""Forks made by hand, in the layout of the store."""

import json

import numpy as np
from conftest import name_unit

from lcsim.rules import get_game
from lcsim.store import RunDir, write_part

FORK_DTYPE = get_game("duel").fork_dtype


def list_forks(*moves):
    """Return forks from (deal, strategy, chosen totals, other totals), and columns by name."""
    forks = np.zeros(len(moves), FORK_DTYPE)
    forks["wager"] = forks["cards"] = 1
    for row, (deal, strategy, chosen, other, columns) in zip(forks, moves, strict=True):
        row["deal"], row["strategy"] = deal, strategy
        for number in (0, 1):
            row[f"score_{number}"], row[f"other_{number}"] = chosen[number], other[number]
        for name, value in columns.items():
            row[name] = value
    return forks


def draw_forks(rng, *, n_deals, most=4):
    """Return random forks of both strategies, none to `most` a game, in the order of play."""
    counts = rng.integers(0, most + 1, (n_deals, 2))
    forks = np.zeros(counts.sum(), FORK_DTYPE)
    games = np.repeat(np.arange(2 * n_deals), counts.ravel())
    forks["deal"], forks["rotation"] = games // 2, games % 2
    for name, high in (("strategy", 2), ("round", 3), ("turn", 60), ("color", 5), ("held", 40)):
        forks[name] = rng.integers(0, high, len(forks))
    forks["wager"], forks["cards"] = rng.integers(1, 4, len(forks)), rng.integers(1, 9, len(forks))
    totals = rng.integers(-60, 150, (2, 2 * n_deals, 2))
    for number in (0, 1):
        forks[f"score_{number}"] = totals[0, games, number]
        forks[f"other_{number}"] = totals[1, games, number] + rng.integers(0, 9, len(forks))
    order = np.lexsort([forks[name] for name in ("turn", "round", "rotation", "deal")])
    return forks[order]


def add_forks(run, forks_by_matchup, *, n_deals, unit_deals=64):
    """Write forks of the first `n_deals` deals beside a run of `write_run`, and list them there."""
    manifest = json.loads((run / "run.json").read_text())
    units = []
    (run / "forks").mkdir()
    for number, forks in enumerate(forks_by_matchup):
        matchup = manifest["matchups"][number]
        for first in range(0, n_deals, unit_deals):
            end = min(first + unit_deals, n_deals)
            own = forks[(first <= forks["deal"]) & (forks["deal"] < end)]
            unit = name_unit(manifest, matchup, first, end - first, has_forks=True)
            places = {"matchup": number, "first_deal": first, "n_deals": end - first}
            units.append({"id": unit, **places})
            file = run / "forks" / f"{unit}.parquet"
            write_part(file, own, matchup=matchup["label"], ruleset=matchup["ruleset"])
    RunDir(run, {}).write_manifest(manifest | {"fork_units": units})
    return run
