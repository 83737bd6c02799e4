"""A strategy against its restricted twin: differences worked by hand, signs, and what has none."""

import json
import math

import numpy as np
import pytest
from conftest import draw_board_rows, draw_rows, write_run

from lcsim.report.build import build_report
from lcsim.report.collect import collect_run
from lcsim.report.export import render_json
from lcsim.report.markdown import render_markdown
from lcsim.report.restrictions import (
    Worth,
    describe_restriction,
    find_twins,
    measure_twins,
    summarise_by_opponent,
    summarise_mirrors,
    summarise_restrictions,
)
from lcsim.report.source import open_source
from lcsim.rules.duel.outcome import settle_games
from lcsim.stats.estimate import Moments

TWIN = "x@no-wagers"


def open_twins(run):
    source = open_source(run)
    (collected,) = collect_run(source)
    return collected, find_twins(collected, source)


def score_rows(scores):
    """Return rows of one round with these scores, (n_deals, 2 rotations, 2 strategies)."""
    scores = np.array(scores)
    rows = draw_rows(np.random.default_rng(1), n_deals=len(scores), ruleset="classic")
    for number in (0, 1):
        rows[f"score_{number}"] = scores[:, :, number, None]
    return rows


def write_classic(path, games, labels, **options):
    return write_run(path, games, labels=labels, rulesets=["classic"] * len(labels), **options)


FREE = [[[30, 20], [10, 10]], [[50, 0], [0, 40]]]
BARRED = [[[10, 20], [10, 0]], [[20, 0], [0, 0]]]


def test_differences_by_hand(tmp_path):
    # Mean score of x by deal: 20 and 25; of its twin: 10 and 10. Differences 10 and 15: mean 12.5,
    # se (5 / sqrt 2) / sqrt 2 = 2.5. Apart, x has that error too and its twin none: pairing brought
    # nothing. Win rates: 3/4 and 1/2 against 1/2 and 3/4: differences 1/4 and -1/4, so 0 with an
    # error of 1/4. Margins: 5 and 5 against 0 and 10: differences 5 and -5.
    labels = [("x", "o"), (TWIN, "o")]
    run = write_classic(tmp_path / "run", [score_rows(FREE), score_rows(BARRED)], labels)
    collected, (twins,) = open_twins(run)
    assert (twins.free, twins.restricted, twins.restriction) == ("x", TWIN, "no-wagers")
    worth = measure_twins(collected, twins)
    score = worth["score"]
    assert (score.free.mean, score.restricted.mean, score.diff.mean) == (22.5, 10, 12.5)
    assert score.diff.se == pytest.approx(2.5)
    assert score.unpaired == pytest.approx(2.5)
    assert score.variance_left.mean == pytest.approx(1)
    assert score.variance_left.se == pytest.approx(1)
    assert worth["win_rate"].diff.mean == 0
    assert worth["win_rate"].diff.se == pytest.approx(0.25)
    assert worth["margin"].diff.mean == 0
    assert worth["margin"].diff.se == pytest.approx(5)


def draw_three(seed=3, n_deals=90):
    """Return rows of x and of its twin against o and p, and of both against each other."""
    rng = np.random.default_rng(seed)
    skills = [(0.5, 0.4), (0.5, 0.3), (0.45, 0.4), (0.45, 0.3), (0.5, 0.45)]
    return [draw_rows(rng, n_deals=n_deals, skills=pair) for pair in skills]


LABELS = [("x", "o"), ("x", "p"), (TWIN, "o"), (TWIN, "p"), ("x", TWIN)]


def test_opponents_weigh_the_same_and_are_added_up_by_deal(tmp_path):
    games = draw_three()
    collected, (twins,) = open_twins(write_run(tmp_path / "run", games, labels=LABELS))
    assert list(twins.shared) == ["o", "p"]
    means = [rows["score_0"].sum(axis=2).mean(axis=1) for rows in games[:4]]
    by_deal = (means[0] + means[1] - means[2] - means[3]) / 2
    pooled = measure_twins(collected, twins)["score"]
    assert pooled.diff.mean == pytest.approx(by_deal.mean())
    assert pooled.diff.se == pytest.approx(by_deal.std(ddof=1) / math.sqrt(90))
    against = measure_twins(collected, twins, "p")["score"].diff
    assert against.mean == pytest.approx((means[1] - means[3]).mean())
    wins = [settle_games(rows).win_twelfths[:, :, 0].mean(axis=1) / 12 for rows in games[:4]]
    rate = measure_twins(collected, twins)["win_rate"].diff
    assert rate.mean == pytest.approx((wins[0] + wins[1] - wins[2] - wins[3]).mean() / 2)


def test_the_frames_say_what_was_measured(tmp_path):
    collected, twins = open_twins(write_run(tmp_path / "run", draw_three(), labels=LABELS))
    pooled = summarise_restrictions(collected, twins).iloc[0]
    each = summarise_by_opponent(collected, twins)
    assert pooled["score"] == pytest.approx(each["score"].mean())
    assert pooled["score"] == pytest.approx(pooled["score_free"] - pooled["score_restricted"])
    assert (pooled["n_opponents"], pooled["n_games"], pooled["n_deals"]) == (2, 360, 90)
    assert list(each["opponent"]) == ["o", "p"]
    (mirror,) = summarise_mirrors(collected, twins).to_dict("records")
    settled = settle_games(draw_three()[4])
    assert mirror["win_rate"] == pytest.approx(settled.win_twelfths[:, :, 0].mean() / 12)
    assert mirror["fair_share"] == 0.5
    lead = (settled.points[:, :, 0] - settled.points[:, :, 1]).mean()
    assert mirror["score"] == pytest.approx(lead)


@pytest.mark.parametrize("unit_deals", [7, 40, 500])
def test_unit_size_changes_no_number(tmp_path, unit_deals):
    games = draw_three()
    runs = [
        write_run(tmp_path / str(size), games, labels=LABELS, unit_deals=size)
        for size in (64, unit_deals)
    ]
    one, other = (summarise_by_opponent(*open_twins(run)) for run in runs)
    assert one.equals(other)


def turn_round(rows):
    """Return the same games with the strategies in the other order."""
    turned = rows[:, ::-1].copy()
    turned["rotation"] = rows["rotation"]
    for name in rows.dtype.names:
        if "_0" in name:
            other = name.replace("_0", "_1")
            turned[name], turned[other] = rows[:, ::-1][other], rows[:, ::-1][name]
    return turned


def test_the_order_of_a_matchup_changes_no_number(tmp_path):
    games = draw_three()
    turned = [turn_round(rows) if number in (0, 3) else rows for number, rows in enumerate(games)]
    labels = [pair[::-1] if number in (0, 3) else pair for number, pair in enumerate(LABELS)]
    one = summarise_by_opponent(*open_twins(write_run(tmp_path / "a", games, labels=LABELS)))
    other = summarise_by_opponent(*open_twins(write_run(tmp_path / "b", turned, labels=labels)))
    assert one.equals(other)


def test_swapping_the_twins_swaps_the_sign(tmp_path):
    games = draw_three()
    swapped = [games[number] for number in (2, 3, 0, 1)]
    runs = [
        write_run(tmp_path / name, rows, labels=LABELS[:4])
        for name, rows in (("a", games[:4]), ("b", swapped))
    ]
    one, other = (summarise_restrictions(*open_twins(run)).iloc[0] for run in runs)
    for name in ("score", "margin", "win_rate"):
        assert other[name] == pytest.approx(-one[name], abs=1e-12)
        assert other[f"{name}_se"] == pytest.approx(one[f"{name}_se"])


def test_only_shared_opponents_are_compared(tmp_path):
    games = draw_three()
    labels = [("x", "o"), ("x", "p"), (TWIN, "o"), (TWIN, "q"), ("x:a=1", "q")]
    _, (twins,) = open_twins(write_run(tmp_path / "run", games, labels=labels))
    assert list(twins.shared) == ["o"]
    assert twins.mirrors == ()


def test_twins_that_never_meet_the_same_are_none(tmp_path):
    games = draw_three()[:2]
    _, found = open_twins(write_run(tmp_path / "a", games, labels=[("x", "o"), (TWIN, "p")]))
    assert found == []
    _, alone = open_twins(write_run(tmp_path / "b", games, labels=[(TWIN, "o"), (TWIN, "p")]))
    assert alone == []


def read_report(run):
    """Return the report as its JSON has it, with the names of its figures."""
    report = build_report(run)
    text = render_json(report)
    assert "nan" not in (text + render_markdown(report)).lower()
    return json.loads(text) | {"figures": [figure.name for figure in report.list_figures()]}


def find_answer(report, question):
    return next(a["answer"] for a in report["answers"] if a["question"] == question)


def test_the_report_answers_what_it_is_worth(tmp_path):
    labels = [tuple(name.replace("no-wagers", "no-discard-draws") for name in p) for p in LABELS]
    report = read_report(write_run(tmp_path / "run", draw_three(), labels=labels))
    said = find_answer(report, "What is drawing from discard piles worth?")
    assert said.startswith("On the same deals against the same opponents, drawing from discard")
    assert "points a game" in said
    assert said.endswith("% of games to x.")
    for name, rows in (("", 1), ("_by_opponent", 2), ("_mirror", 1)):
        assert len(report["tables"][f"restrictions{name}"]) == rows
    assert "restrictions" in report["figures"]


def test_without_restrictions_there_is_no_section(round_robin):
    report = build_report(round_robin)
    assert not [table for table in report.list_tables() if table.name.startswith("restrictions")]


def test_one_deal_gives_no_error(tmp_path):
    labels = [("x", "o"), ("x@max-expeditions=1", "o")]
    games = [rows[:1] for rows in draw_three()[:2]]
    report = read_report(write_run(tmp_path / "run", games, labels=labels))
    assert "one deal gives no error" in find_answer(
        report, "What is opening more than 1 expedition worth?"
    )
    (row,) = report["tables"]["restrictions"]
    assert row["score_se"] is row["score_variance_left"] is None


def test_a_restriction_that_changes_nothing_is_worth_nothing(tmp_path):
    labels = [("x", "o"), ("x@no-lay=R5", "o")]
    games = [draw_three()[0]] * 2
    report = read_report(write_run(tmp_path / "run", games, labels=labels))
    said = find_answer(report, "What is laying R5 worth?")
    assert said.startswith("Nothing that we can see: on the same deals")
    (row,) = report["tables"]["restrictions"]
    assert (row["score"], row["score_se"]) == (0, 0)
    assert (row["score_variance_left"], row["score_variance_left_se"]) == (0, 0)


def test_the_board_has_restrictions_too(rng, tmp_path):
    games = [draw_board_rows(rng, n_deals=40, n_players=n) for n in (2, 2, 3, 3, 3)]
    labels = [("o", "x"), ("o", "x@no-leader"), ("o", "p", "x"), ("x@no-leader", "p", "o")]
    labels.append(("x", "o", "x@no-leader"))
    run = write_run(tmp_path / "run", games, labels=labels, kind="board")
    collected, (twins,) = open_twins(run)
    assert list(twins.shared) == ["o", "o and p"]
    (mirror,) = summarise_mirrors(collected, [twins]).to_dict("records")
    assert mirror["fair_share"] == pytest.approx(1 / 3)
    report = read_report(run)
    assert "to x." in find_answer(report, "What is the leader worth?")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("no-wagers", "laying wagers"),
        ("max-expeditions=4", "opening more than 4 expeditions"),
        ("max-expeditions=1", "opening more than 1 expedition"),
        ("no-wagers+no-lay=R5", "laying wagers and laying R5"),
        ("no-lay=Rw:0.12", "laying Rw at turn 12 of round 0 (from 0)"),
        ("no-leader", "the leader"),
    ],
)
def test_restrictions_in_words(text, words):
    assert describe_restriction(text) == words


@pytest.mark.parametrize("share", [0.0, 0.4, 0.9])
def test_the_variance_left_and_its_error_are_those_of_repeated_runs(share):
    rng = np.random.default_rng(6)
    found, errors = [], []
    for _ in range(300):
        luck, own, other = rng.normal(0, 30, (3, 200))
        free, barred = (
            np.sqrt(share) * luck + np.sqrt(1 - share) * noise for noise in (own, other)
        )
        moments = Moments.of(("a", "b"), np.rint(np.stack([free, barred], axis=1)).astype(int))
        means = [moments.combination({name: 1}) for name in "ab"]
        unpaired = math.hypot(means[0].se, means[1].se)
        diff = moments.combination({"a": 1, "b": -1})
        left = Worth(*means, diff, unpaired).variance_left
        found.append(left.mean)
        errors.append(left.se)
    assert np.mean(found) == pytest.approx(1 - share, abs=0.02)
    assert np.mean(errors) == pytest.approx(np.std(found), rel=0.12)
