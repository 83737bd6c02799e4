"""Small pandas tables of the duel's expeditions, at full precision, as in lcsim.report.frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from lcsim.report.duel_columns import (
    ALL,
    BY_HELD,
    BY_OPENED,
    BY_TURN,
    CELLS,
    HELD,
    N_CARDS,
    N_WAGERS,
    PER_ROUND,
    TURNS,
    Bands,
    column_of,
)
from lcsim.report.duel_tally import CellSums, ExpeditionTally
from lcsim.report.frames import build_frame, spread


def summarise_expeditions(tally: ExpeditionTally, order: Sequence[str]) -> pd.DataFrame:
    """Return one row a strategy: its expeditions a round, what one scores, and how many pay.

    `score` is points an expedition, `profit` the share that score above 0, `opened` expeditions a
    round. Errors are over deals; `n_deals` counts those that have such an expedition.
    """
    rows = []
    for label in order:
        opened = tally.read(label, PER_ROUND).estimate_score()
        row = {"strategy": label} | spread("opened", opened)
        rows.append(row | _describe(tally.read(label, ALL)))
    return build_frame(rows)


def summarise_by_wagers(tally: ExpeditionTally, order: Sequence[str]) -> pd.DataFrame:
    """Return one row a strategy and number of wagers on the expedition, 0 to 3.

    Descriptive: wagers are laid on the better hands, so a difference between rows is not what a
    wager is worth.
    """
    return build_frame(
        {"strategy": label, "wagers": wagers}
        | _describe(tally.read(label, column_of(wagers=wagers)))
        for label in order
        for wagers in range(N_WAGERS)
    )


def summarise_by_cards(tally: ExpeditionTally, order: Sequence[str]) -> pd.DataFrame:
    """Return one row a strategy and number of cards on the expedition, wagers counted, 1 to 12."""
    return build_frame(
        {"strategy": label, "cards": cards} | _describe(tally.read(label, column_of(cards=cards)))
        for label in order
        for cards in range(1, N_CARDS)
    )


def summarise_by_both(tally: ExpeditionTally, order: Sequence[str]) -> pd.DataFrame:
    """Return one row a strategy, number of wagers and number of cards that go together."""
    return build_frame(
        {"strategy": label, "wagers": wagers, "cards": cards}
        | _describe(tally.read(label, column_of(wagers=wagers, cards=cards)))
        for label in order
        for wagers, cards in CELLS
    )


def summarise_by_turn(tally: ExpeditionTally, order: Sequence[str]) -> pd.DataFrame:
    """Return one row a strategy and band of turns of the round at which expeditions were opened.

    Turns are those of both seats, from 1; `turn_low` is a band's lowest, the last is open above.
    """
    return _summarise_bands(tally, order, TURNS, "turn", BY_TURN)


def summarise_by_held(tally: ExpeditionTally, order: Sequence[str]) -> pd.DataFrame:
    """Return one row a strategy and band of points held when an expedition was opened.

    The points are the sum of the ranks of its color in hand, the first card laid included;
    `held_low` is a band's lowest, the last is open above, and `held_mean` the mean in the band.
    """
    frame = _summarise_bands(tally, order, HELD, "held", BY_HELD)
    means = [tally.find_mean_held(label, band) for label in order for band in range(len(HELD))]
    frame.insert(3, "held_mean", pd.Series(means, dtype=float))
    return frame


def summarise_by_opened(tally: ExpeditionTally, order: Sequence[str]) -> pd.DataFrame:
    """Return one row a strategy and number of expeditions that it opened in a round, from 1.

    `n_rounds` counts those rounds, and `n_expeditions` their expeditions.
    """
    rows = []
    for label in order:
        for opened in range(1, tally.n_colors + 1):
            cell = tally.read(label, BY_OPENED + opened - 1)
            row = {"strategy": label, "opened": opened, "n_rounds": cell.x // opened}
            rows.append(row | _describe(cell))
    return build_frame(rows)


def summarise_openings(tally: ExpeditionTally, order: Sequence[str]) -> pd.DataFrame:
    """Return one row a strategy: when it opens, holding what, and from what on that pays.

    `turn` and `held` are means over its expeditions. `pays` tells whether they pay "from" some
    points held on, "always" or "never", or whether that is "unclear"; `break_even` is those points,
    from which an expedition brings 0 or more on average. Its 95 % interval goes from the most that
    clearly lose, `break_even_ci95_lo`, to the fewest that clearly gain.
    """
    rows: list[dict[str, Any]] = []
    for label in order:
        found = tally.find_break_even(label)
        ends = found if found and found.verdict in {"from", "unclear"} else None
        row = {"strategy": label, "n_expeditions": tally.read(label, ALL).x}
        row |= spread("turn", tally.estimate_opening(label, "turns"))
        row |= spread("held", tally.estimate_opening(label, "held"))
        row |= {
            "pays": found and found.verdict,
            "break_even": found and found.at,
            "break_even_ci95_lo": ends and ends.clear_below,
            "break_even_ci95_hi": ends and ends.clear_above,
        }
        rows.append(row)
    return build_frame(rows)


def _summarise_bands(
    tally: ExpeditionTally, order: Sequence[str], bands: Bands, name: str, first: int
) -> pd.DataFrame:
    return build_frame(
        {"strategy": label, name: shown, f"{name}_low": low}
        | _describe(tally.read(label, first + place))
        for label in order
        for place, (shown, low) in enumerate(zip(bands.list_names(), bands.lows, strict=True))
    )


def _describe(cell: CellSums) -> dict[str, Any]:
    return (
        {"n_expeditions": cell.x, "n_deals": cell.seen}
        | spread("score", cell.estimate_score(), interval=True)
        | spread("profit", cell.estimate_profit(), interval=True)
    )
