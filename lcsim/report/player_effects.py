"""What more players change for a strategy: differences on the same deals, each with its error."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pandas as pd

from lcsim.report.document import Figure
from lcsim.report.frames import build_frame, spread, subtract_weights, weigh_scores, weigh_wins
from lcsim.report.plots import forest
from lcsim.stats.estimate import Estimate
from lcsim.stats.pooled import combine_layers
from lcsim.stats.rounding import format_count

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lcsim.report.collect import Collected
    from lcsim.report.sections import Chapter


def summarise_player_effects(collected: Collected, order: Iterable[str]) -> pd.DataFrame:
    """Return one row a number of players and strategy: what is different with so many.

    `players` are held `against` the next smaller number. `gain_diff` is the difference of what the
    strategy's share of the wins lies above its fair share, `score_diff` that of its mean scores;
    both over its matchups of that many players, which weigh the same, on the same deals.
    """
    counts = sorted({len(matchup.labels) for matchup in collected.matchups})
    labels = list(order)
    rows = []
    for fewer, more in pairwise(counts):
        for label in labels:
            own = [
                [m for m in collected.matchups if len(m.labels) == n and label in m.labels]
                for n in (more, fewer)
            ]
            if not all(own):
                continue
            wins = subtract_weights(*(weigh_wins(matchups, label) for matchups in own))
            rate = combine_layers(collected.layers, wins)
            gain = Estimate(rate.mean - 1 / more + 1 / fewer, rate.se, rate.n)
            points = subtract_weights(*(weigh_scores(matchups, label) for matchups in own))
            score = combine_layers(collected.layers, points)
            row: dict[str, Any] = {"ruleset": collected.ruleset}
            row |= {"players": more, "against": fewer, "strategy": label, "n_deals": rate.n}
            row |= spread("gain_diff", gain, interval=True)
            rows.append(row | spread("score_diff", score, interval=True))
    return build_frame(rows, ("players", "against", "n_deals"))


def build_player_figures(chapter: Chapter, effects: pd.DataFrame) -> list[Figure]:
    """Return the forest plots of what more players change; none where all matchups are alike."""
    if effects.empty:
        return []
    titles = [f"{more} players against {fewer}" for more, fewer in _list_counts(effects)]
    frame = effects.assign(group=titles, is_paired=True)
    return [
        _build_figure(chapter, frame, "gain", "win share above its fair share", is_share=True),
        _build_figure(chapter, frame, "score", "mean score", is_share=False),
    ]


def _list_counts(effects: pd.DataFrame) -> list[tuple[int, int]]:
    return list(zip(effects["players"], effects["against"], strict=True))


def _build_figure(
    chapter: Chapter, frame: pd.DataFrame, name: str, what: str, *, is_share: bool
) -> Figure:
    unit = "% of games" if is_share else "points a game"
    info = forest.prepare(
        frame,
        chapter.colors,
        name=f"{name}_diff",
        axis=f"change of the {what}, {unit}",
        is_share=is_share,
    )
    return Figure(
        chapter.name(f"players-{name}"),
        f"What more players do to the {what}",
        "Right of the dashed line a strategy has more with the larger number of players. Marks "
        "are differences, taken deal by deal, bars 95 % intervals, the text has the standard "
        f"error; n = up to {format_count(int(frame['n_deals'].max()))} deals.",
        info,
        forest.draw,
        info.size,
    )
