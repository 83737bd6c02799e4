"""Tables of a game with more than two players, made from moments alone."""

from pathlib import Path

import numpy as np
import pytest

from lcsim.report.answers import answer_seat, answer_winner
from lcsim.report.collect import Collected, name_in_layer
from lcsim.report.frames import (
    estimate_seat,
    summarise_matchups,
    summarise_pairs,
    summarise_ranking,
    summarise_seats,
)
from lcsim.report.source import Entrant, Matchup, Source
from lcsim.stats.estimate import Moments, name_games, tabulate_games

LABELS = ("a", "b", "c")


@pytest.fixture(scope="module")
def points():
    rng = np.random.default_rng(8)
    return rng.integers(0, 100, (60, 3, 3)) + np.array([20, 10, 0])


@pytest.fixture(scope="module")
def collected(points):
    best = points == points.max(axis=2, keepdims=True)
    table = tabulate_games(points, best * (12 // best.sum(axis=2, keepdims=True)))
    names = name_games(3)
    layer = Moments.of([name_in_layer(0, name) for name in names], table)
    matchup = Matchup(0, "a vs b vs c", LABELS, "any", len(points))
    return Collected("any", (matchup,), {0: Moments.of(names, table)}, (layer,), {}, None)


@pytest.fixture(scope="module")
def source(collected):
    return Source(
        path=Path(),
        question="?",
        kind="any",
        seed=1,
        rulesets=("any",),
        matchups=collected.matchups,
        entrants=tuple(Entrant(label, label, "") for label in LABELS),
        pieces=(),
        versions={},
        command="",
        seconds=None,
        jobs=None,
        n_planned=60,
        notes=(),
    )


def test_ranking_of_three(points, collected, source):
    frame = summarise_ranking(collected, source).set_index("strategy")
    assert frame["win_rate"].sum() == pytest.approx(1)
    assert frame["diff"].sum() == pytest.approx(0, abs=1e-9)
    others = points[:, :, [1, 2]].mean(axis=(1, 2))
    margin = points[:, :, 0].mean(axis=1) - others
    assert frame.loc["a", "diff"] == pytest.approx(margin.mean())
    assert frame.loc["a", "diff_se"] == pytest.approx(margin.std(ddof=1) / np.sqrt(60))
    assert answer_winner(frame.reset_index(), collected.matchups, "").sentence.startswith("a wins ")


def test_every_pair_is_compared(points, collected):
    frame = summarise_matchups(collected)
    assert list(zip(frame["a"], frame["b"], strict=True)) == [("a", "b"), ("a", "c"), ("b", "c")]
    wanted = (points[:, :, 1] - points[:, :, 2]).mean()
    assert frame["diff"].iloc[2] == pytest.approx(wanted)


def test_the_seat_of_three(points, collected):
    row = summarise_seats(collected).iloc[0]
    assert row["fair_share"] == pytest.approx(1 / 3)
    # In rotation r seat 0 holds strategy -r: 0, 2, 1.
    first = np.stack([points[:, 0, 0], points[:, 1, 2], points[:, 2, 1]], axis=1)
    rest = (points.sum(axis=2) - first) / 2
    assert row["starter_diff"] == pytest.approx((first - rest).mean())
    rate, score = estimate_seat(collected)
    assert score.mean == pytest.approx(row["starter_diff"])
    assert rate.mean == pytest.approx(row["starter_win_rate"] - 1 / 3)
    assert "fair share" in answer_seat(rate, score, "").sentence


def test_pairs_over_all_matchups(collected):
    frame = summarise_pairs(collected, LABELS)
    alone = summarise_matchups(collected)
    assert len(frame) == 3
    for name in ("diff", "diff_se", "diff_win_rate", "diff_win_rate_se"):
        assert frame[name].to_numpy() == pytest.approx(alone[name].to_numpy())
    turned = summarise_pairs(collected, LABELS[::-1])
    assert turned["diff"].tolist() == pytest.approx((-frame["diff"]).tolist()[::-1])
    assert turned["diff_se"].tolist() == pytest.approx(frame["diff_se"].tolist()[::-1])
