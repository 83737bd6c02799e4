"""Small pandas tables of the duel's expeditions, at full precision, as in lcsim.report.frames."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd

from lcsim.report.duel_tally import (
    ALL,
    N_CARDS,
    N_WAGERS,
    PER_ROUND,
    CellSums,
    ExpeditionTally,
    column_of,
)
from lcsim.report.frames import build_frame, spread


def summarise_expeditions(tally: ExpeditionTally, order: Iterable[str]) -> pd.DataFrame:
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


def summarise_by_wagers(tally: ExpeditionTally, order: Iterable[str]) -> pd.DataFrame:
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


def summarise_by_cards(tally: ExpeditionTally, order: Iterable[str]) -> pd.DataFrame:
    """Return one row a strategy and number of cards on the expedition, wagers counted, 1 to 12."""
    return build_frame(
        {"strategy": label, "cards": cards} | _describe(tally.read(label, column_of(cards=cards)))
        for label in order
        for cards in range(1, N_CARDS)
    )


def summarise_by_both(tally: ExpeditionTally, order: Iterable[str]) -> pd.DataFrame:
    """Return one row a strategy, number of wagers and number of cards that go together."""
    return build_frame(
        {"strategy": label, "wagers": wagers, "cards": cards}
        | _describe(tally.read(label, column_of(wagers=wagers, cards=cards)))
        for label in order
        for wagers in range(N_WAGERS)
        for cards in range(max(1, wagers), N_CARDS - (N_WAGERS - 1 - wagers))
    )


def _describe(cell: CellSums) -> dict[str, Any]:
    return (
        {"n_expeditions": cell.x, "n_deals": cell.seen}
        | spread("score", cell.estimate_score(), interval=True)
        | spread("profit", cell.estimate_profit())
    )
