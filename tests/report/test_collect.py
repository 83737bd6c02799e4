"""Everything counted part by part, against the plain sums over all rows at once."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from conftest import draw_rows, write_run

from lcsim.report.collect import collect_run
from lcsim.report.duel_frames import (
    summarise_by_both,
    summarise_by_cards,
    summarise_by_wagers,
    summarise_expeditions,
)
from lcsim.report.duel_tally import ExpeditionTally
from lcsim.report.frames import (
    estimate_seat,
    summarise_distributions,
    summarise_lengths,
    summarise_matchups,
    summarise_ranking,
    summarise_scores,
    summarise_seats,
)
from lcsim.report.source import open_source
from lcsim.rules.duel.ruleset import PRESETS
from lcsim.rules.duel.scoring import build_score_table

LABELS = [("x", "y"), ("x", "z"), ("y", "z")]


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(4)
    skills = {"x": 0.55, "y": 0.45, "z": 0.35}
    return [draw_rows(rng, n_deals=150, skills=(skills[a], skills[b])) for a, b in LABELS]


def collect(path, rows, unit_deals=64, labels=LABELS):
    source = open_source(write_run(path, rows, labels=labels, unit_deals=unit_deals))
    (collected,) = collect_run(source, ExpeditionTally)
    return source, collected


@pytest.fixture(scope="module")
def whole(rows, tmp_path_factory):
    return collect(tmp_path_factory.mktemp("whole") / "run", rows)


def totals(rows, number):
    """Return the points of a strategy, (n_deals, n_rotations)."""
    return rows[f"score_{number}"].sum(axis=2).astype(float)


def error(values):
    return np.std(values, ddof=1) / math.sqrt(len(values))


def test_the_size_of_parts_changes_nothing(rows, whole, tmp_path):
    source, collected = whole
    order = collected.labels
    for size in (7, 1000):
        _, other = collect(tmp_path / str(size), rows, unit_deals=size)
        assert other.games == collected.games
        for summarise in (
            lambda c: summarise_ranking(c, source),
            summarise_matchups,
            summarise_seats,
            lambda c: summarise_distributions(c, order),
            lambda c: summarise_by_both(c.extra, order),
            lambda c: summarise_expeditions(c.extra, order),
        ):
            assert summarise(other).equals(summarise(collected))


def test_ranking_against_plain_means_over_deals(rows, whole):
    source, collected = whole
    frame = summarise_ranking(collected, source).set_index("strategy")
    # x meets y in matchup 0 and z in matchup 1, as number 0; the unit is the deal over both.
    own = (totals(rows[0], 0) + totals(rows[1], 0)).mean(axis=1) / 2
    others = (totals(rows[0], 1) + totals(rows[1], 1)).mean(axis=1) / 2
    assert frame.loc["x", "mean_score"] == pytest.approx(own.mean())
    assert frame.loc["x", "mean_score_se"] == pytest.approx(error(own))
    assert frame.loc["x", "diff"] == pytest.approx((own - others).mean())
    assert frame.loc["x", "diff_se"] == pytest.approx(error(own - others))
    wins = {}
    for number, (a, b) in enumerate(LABELS):
        lead = totals(rows[number], 0) - totals(rows[number], 1)
        share = (np.sign(lead) + 1) / 2
        wins[a] = wins.get(a, 0) + share.mean(axis=1) / 2
        wins[b] = wins.get(b, 0) + (1 - share).mean(axis=1) / 2
    assert list(frame.index) == ["x", "y", "z"]
    assert frame.loc["y", "win_rate"] == pytest.approx(wins["y"].mean())
    assert frame.loc["y", "win_rate_se"] == pytest.approx(error(wins["y"]))
    assert frame.loc["y", "lead"] == pytest.approx((wins["y"] - wins["z"]).mean())
    assert frame.loc["y", "lead_se"] == pytest.approx(error(wins["y"] - wins["z"]))
    assert pd.isna(frame.loc["z", "next"])
    assert math.isnan(frame.loc["z", "lead"])


def test_pairs_and_seats_against_plain_means(rows, whole):
    _, collected = whole
    pair = summarise_matchups(collected).iloc[2]
    lead = (totals(rows[2], 0) - totals(rows[2], 1)).mean(axis=1)
    assert (pair["a"], pair["b"], pair["n_games"], pair["n_deals"]) == ("y", "z", 300, 150)
    assert pair["diff"] == pytest.approx(lead.mean())
    assert pair["diff_se"] == pytest.approx(error(lead))
    gains = []
    for matchup in rows:
        first, second = totals(matchup, 0), totals(matchup, 1)
        gains.append((first[:, 0] - second[:, 0] + second[:, 1] - first[:, 1]) / 2)
    seats = summarise_seats(collected)
    assert seats["starter_diff"].iloc[1] == pytest.approx(gains[1].mean())
    assert seats["starter_diff_se"].iloc[1] == pytest.approx(error(gains[1]))
    _, points = estimate_seat(collected)
    together = sum(gains) / 3
    assert (points.mean, points.se) == (
        pytest.approx(together.mean()),
        pytest.approx(error(together)),
    )


def test_scores_against_plain_counts(rows, whole):
    _, collected = whole
    points = np.concatenate([totals(rows[0], 0), totals(rows[1], 0)], axis=1)
    row = summarise_scores(collected, ["x"]).iloc[0]
    assert (row["lowest"], row["highest"]) == (points.min(), points.max())
    assert row["q50"] == np.quantile(points, 0.5, method="inverted_cdf")
    assert row["q05"] == np.quantile(points, 0.05, method="inverted_cdf")
    bins = summarise_distributions(collected, ["x"])
    assert bins["share"].sum() == pytest.approx(1)
    one = bins[bins["low"] == 100].iloc[0]
    shares = ((points >= 100) & (points <= 109)).mean(axis=1)
    assert one["share"] == pytest.approx(shares.mean())
    assert one["share_se"] == pytest.approx(error(shares))


def test_lengths(rows, whole):
    _, collected = whole
    row = summarise_lengths(collected, ("deck", "turn_limit")).iloc[0]
    assert row["turns"] == pytest.approx(rows[0]["turns"].mean())
    assert row["turns_se"] == pytest.approx(error(rows[0]["turns"].mean(axis=(1, 2))))
    assert (row["ended_deck"], row["ended_turn_limit"]) == (1, 0)


def count_expeditions(rows, label):
    """Return (deal, wagers, cards, points) of every expedition of a strategy, one by one."""
    table = build_score_table(PRESETS["duel"])
    found = []
    for matchup, pair in zip(rows, LABELS, strict=True):
        if label in pair:
            for color in "RGWBY":
                masks = matchup[f"exp_{pair.index(label)}_{color}"]
                for place in itertools.product(*map(range, masks.shape)):
                    mask = int(masks[place])
                    if mask:
                        cards, wagers = mask.bit_count(), (mask & 7).bit_count()
                        found.append((place[0], wagers, cards, int(table[mask])))
    return np.array(found)


def ratio(deals, values, n_deals=150):
    """Return the mean of values and its linearised error over deals."""
    mean = values.mean()
    counts = np.bincount(deals, minlength=n_deals)
    residuals = np.bincount(deals, weights=values, minlength=n_deals) - mean * counts
    return mean, math.sqrt(n_deals / (n_deals - 1) * (residuals**2).sum()) / counts.sum()


def test_expeditions_against_one_by_one(rows, whole):
    _, collected = whole
    deals, wagers, cards, points = count_expeditions(rows, "y").T
    tally = collected.extra
    frames = {
        "all": (summarise_expeditions(tally, ["y"]).iloc[0], deals >= 0),
        "two wagers": (summarise_by_wagers(tally, ["y"]).iloc[2], wagers == 2),
        "five cards": (summarise_by_cards(tally, ["y"]).iloc[4], cards == 5),
    }
    both = summarise_by_both(tally, ["y"])
    cell = both[(both["wagers"] == 1) & (both["cards"] == 4)].iloc[0]
    frames["both"] = (cell, (wagers == 1) & (cards == 4))
    for name, (row, chosen) in frames.items():
        mean, se = ratio(deals[chosen], points[chosen].astype(float))
        assert row["n_expeditions"] == chosen.sum(), name
        assert row["score"] == pytest.approx(mean), name
        assert row["score_se"] == pytest.approx(se), name
        mean, se = ratio(deals[chosen], (points[chosen] > 0).astype(float))
        assert (row["profit"], row["profit_se"]) == (pytest.approx(mean), pytest.approx(se)), name
    assert frames["all"][0]["opened"] == pytest.approx(len(deals) / (150 * 2 * 2 * 3))
    assert both["n_expeditions"].sum() == len(deals)


def test_with_and_without_wagers(rows, whole):
    _, collected = whole
    _, wagers, _, points = count_expeditions(rows, "z").T
    found = collected.extra.compare_wagers("z")
    wanted = points[wagers > 0].mean() - points[wagers == 0].mean()
    assert found.mean == pytest.approx(wanted)
    assert found.se > 0


def test_a_kind_seen_on_one_deal_has_no_error(rows, tmp_path):
    only = rows[0][:20].copy()
    for name in only.dtype.names:
        if name.startswith("exp_0"):
            only[name] &= 0b111111111000
    only["exp_0_R"][3, 1, 2] = 0b000000001111
    _, collected = collect(tmp_path / "run", [only], labels=LABELS[:1])
    row = summarise_by_wagers(collected.extra, ["x"]).iloc[3]
    assert (row["n_expeditions"], row["n_deals"]) == (1, 1)
    assert math.isnan(row["score_se"]) or row["score_se"] is None


def test_matchups_of_different_length(rows, tmp_path):
    short = [rows[0], rows[1][:90], rows[2][:40]]
    source, collected = collect(tmp_path / "run", short)
    frame = summarise_ranking(collected, source).set_index("strategy")
    wanted = (totals(rows[0], 0).mean() + totals(rows[1][:90], 0).mean()) / 2
    assert frame.loc["x", "mean_score"] == pytest.approx(wanted)
    assert frame.loc["x", "n_deals"] == 90
    assert frame["win_rate_se"].gt(0).all()
