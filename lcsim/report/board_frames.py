"""Small pandas tables of the board game, at full precision, as in lcsim.report.frames.

Errors are over deals. A ratio whose denominator never occurred is missing.
"""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from lcsim.report.board_tally import LENGTHS, PARTS, BoardTally
from lcsim.report.frames import build_frame, spread

_BROUGHT = ("brought", "profits")


def summarise_parts(tally: BoardTally, order: Iterable[str]) -> pd.DataFrame:
    """Return one row a strategy: its points a game, and what they are made of.

    `explorers`, `leader` (its factor counted), `vp` and `artefact_points` are what was brought;
    `floor` is what the rule "never fewer than 0 points" gives back, so that all add up to `points`.
    `doubling` is the part of `leader` that an explorer in its place would not have brought.
    """
    rows = []
    for label in order:
        sums = tally.read(label)
        row = {"strategy": label, "n_games": sums.total("games"), "n_deals": sums.n}
        for name in ("points", *PARTS, "doubling"):
            row |= spread(name, sums.ratio(name, "games"), interval=name == "points")
        rows.append(row)
    return build_frame(rows)


def summarise_pawns(tally: BoardTally, order: Iterable[str]) -> pd.DataFrame:
    """Return one row a strategy: what it opens in a round, and how far its pawns come.

    `opened` is expeditions a round; `leader_out` the share of rounds in which the leader set out;
    `space` and `leader_space` the mean space at the end of a round, of all pawns and of leaders;
    `crossed` and `leader_crossed` the shares of them beyond the bridge; `artefacts` tiles a game.
    """
    ratios = {
        "opened": ("opened", "rounds"),
        "leader_out": ("leaders", "rounds"),
        "space": ("steps", "opened"),
        "leader_space": ("leader_steps", "leaders"),
        "crossed": ("crossed", "opened"),
        "leader_crossed": ("crossed_leaders", "leaders"),
        "artefacts": ("artefacts", "games"),
    }
    rows = []
    for label in order:
        sums = tally.read(label)
        row = {"strategy": label, "n_pawns": sums.total("opened"), "n_deals": sums.n}
        for name, pair in ratios.items():
            row |= spread(name, sums.ratio(*pair), interval=name == "opened")
        rows.append(row)
    return build_frame(rows)


def summarise_expeditions(tally: BoardTally, order: Iterable[str]) -> pd.DataFrame:
    """Return one row a strategy: what an expedition brings, and how many bring more than 0.

    `score` is points of a pawn, the leader's factor counted; tiles are not.
    """
    rows = []
    for label in order:
        sums = tally.read(label)
        row = {"strategy": label, "n_expeditions": sums.total("opened"), "n_deals": sums.n}
        row |= spread("score", sums.ratio("brought", "opened"), interval=True)
        rows.append(row | spread("profit", sums.ratio("profits", "opened"), interval=True))
    return build_frame(rows)


def summarise_by_opened(tally: BoardTally, order: Iterable[str]) -> pd.DataFrame:
    """Return one row a strategy and number of expeditions that it opened in a round, from 1.

    `n_rounds` counts those rounds, and `n_expeditions` their expeditions.
    """
    rows = []
    for label in order:
        sums = tally.read(label)
        for n in tally.numbers:
            score, profit = (sums.ratio(f"{one}_{n}", f"opened_{n}") for one in _BROUGHT)
            row = {"strategy": label, "opened": n, "n_rounds": sums.total(f"rounds_{n}")}
            row |= {"n_expeditions": sums.total(f"opened_{n}")}
            row |= spread("score", score, interval=True)
            rows.append(row | spread("profit", profit, interval=True))
    return build_frame(rows)


def summarise_spaces(tally: BoardTally, order: Iterable[str]) -> pd.DataFrame:
    """Return one row a strategy and space: the share of its pawns, and of its leaders, there.

    `points` is what the space is worth to an explorer.
    """
    rows = []
    for label in order:
        sums = tally.read(label)
        for space in tally.spaces:
            row = {"strategy": label, "space": space, "points": int(tally.points[space])}
            row |= {"n_pawns": sums.total(f"pawns_{space}")}
            row |= spread("share", sums.ratio(f"pawns_{space}", "opened"), interval=True)
            row |= spread("leader_share", sums.ratio(f"leaders_{space}", "leaders"))
            rows.append(row)
    return build_frame(rows)


def summarise_artefacts(tally: BoardTally, order: Iterable[str]) -> pd.DataFrame:
    """Return one row a strategy and number of artefacts: the share of its games that end with it.

    The last number stands for more, too; `points` is what the number brings.
    """
    rows = []
    for label in order:
        sums = tally.read(label)
        for number, points in enumerate(tally.artefact_points):
            row = {"strategy": label, "artefacts": number, "points": points}
            row |= {"n_games": sums.total(f"kept_{number}")}
            rows.append(row | spread("share", sums.ratio(f"kept_{number}", "games")))
    return build_frame(rows)


def summarise_endings(tally: BoardTally) -> pd.DataFrame:
    """Return one row a number of players: turns a round, of all seats, and how rounds ended."""
    rows = []
    for n_players, sums in tally.read_lengths().items():
        row = {"players": n_players, "n_rounds": sums.total("rounds"), "n_deals": sums.n}
        for name in LENGTHS[1:]:
            row |= spread(name, sums.ratio(name, "rounds"))
        rows.append(row)
    return build_frame(rows)
