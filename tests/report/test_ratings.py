"""The section on ratings: what is shown, when it is not, and where one number misleads."""

import csv
import itertools
import json
import re

import numpy as np
import pandas as pd
import pytest
from conftest import draw_rows, write_run

from lcsim.report.build import build_report
from lcsim.report.document import Figure
from lcsim.report.export import render_json
from lcsim.report.figures import draw_figure
from lcsim.report.markdown import render_markdown
from lcsim.report.plots import rating as rating_plot
from lcsim.report.ratings import HOW_MUCH_BETTER, format_likelihood
from lcsim.report.write import write_report

LABELS = [("x", "y"), ("x", "z"), ("y", "z")]


def set_winner(rows, share_of_first, *, seed=0):
    """Give the first strategy that share of the games, by points alone."""
    rng = np.random.default_rng(seed)
    won = rng.random(rows.shape[:2]) < share_of_first
    rows["score_0"] = np.where(won, 20, 5)[:, :, None]
    rows["score_1"] = 10
    return rows


def write_pairs(path, shares, *, n_deals=60, labels=None):
    """Write a run in which the first of each pair wins that share of its games."""
    rng = np.random.default_rng(1)
    rows = [
        set_winner(draw_rows(rng, n_deals=n_deals), share, seed=seed)
        for seed, share in enumerate(shares)
    ]
    return write_run(path, rows, labels=labels or LABELS)


def read(run):
    """Return the report, after holding its texts against words of nonsense."""
    report = build_report(run)
    for text in (render_json(report), render_markdown(report)):
        assert not re.search(r"\b(nan|inf|infinity|None|NaN|Infinity)\b", text)
    return report


def answer(report):
    found = [one.sentence for one in report.answers if one.question == HOW_MUCH_BETTER]
    return found[0] if found else None


@pytest.fixture(scope="module")
def sections(round_robin):
    return {section.anchor: section for section in build_report(round_robin).sections}


def test_the_section_has_ratings_errors_and_every_pair(sections):
    figure, ratings, pairs = sections["ratings"].items
    assert [row.label for row in figure.info.rows] == ["bold", "even", "timid"]
    assert all(row.low < row.rating < row.high for row in figure.info.rows)
    assert [row[0].text for row in ratings.rows] == ["bold", "even", "timid"]
    assert re.fullmatch(r"\+\d+ ± \d+", ratings.rows[0][1].text)
    assert [cell.text for cell in pairs.rows[0]] == ["bold", "·", ">99.9 %", ">99.9 %"]
    assert [cell.text for cell in pairs.rows[2]] == ["timid", "<0.1 %", "<0.1 %", "·"]
    assert "bootstrap samples of 400 deals" in ratings.caption


def test_the_answer_says_how_much_better(round_robin, tmp_path):
    write_report(round_robin, formats=["json", "csv"], out=tmp_path)
    report = json.loads((tmp_path / "report.json").read_text("utf-8"))
    said = answer(build_report(round_robin))
    assert said in [one["answer"] for one in report["answers"]]
    assert re.match(r"bold rates \+\d+ ± \d+ Elo points, \+\d+ ± \d+ above even, which", said)
    assert "From the first to the last, timid, it is" in said
    with (tmp_path / "tables/ratings.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert float(rows[0]["rating"]) == report["tables"]["ratings"][0]["rating"]
    assert sum(float(row["rating"]) for row in rows) == pytest.approx(0, abs=1e-6)
    with (tmp_path / "tables/rating_pairs.csv").open(encoding="utf-8", newline="") as file:
        pairs = list(csv.DictReader(file))
    assert [(row["a"], row["b"]) for row in pairs] == list(
        itertools.combinations(("bold", "even", "timid"), 2)
    )
    for row in pairs:
        residual = float(row["win_rate_a"]) - float(row["predicted"])
        assert float(row["residual"]) == pytest.approx(residual)


def test_the_size_of_parts_changes_no_digit(rng, tmp_path):
    rows = [draw_rows(rng, n_deals=1500, skills=skills) for skills in ((0.5, 0.4), (0.5, 0.45))]
    texts = []
    for unit_deals in (64, 333, 5000):
        run = tmp_path / str(unit_deals)
        write_run(run, rows, labels=[("x", "y"), ("x", "z")], unit_deals=unit_deals)
        write_report(run, formats=["csv"])
        tables = [run / f"tables/{name}.csv" for name in ("ratings", "rating_pairs")]
        texts.append([table.read_text() for table in tables])
    assert texts[0] == texts[1] == texts[2]
    assert "1,024 groups of deals" in render_markdown(build_report(run))


@pytest.mark.parametrize(
    ("shares", "labels"),
    [((0.6,), [("x", "y")]), ((0.6, 0.6), [("x", "y"), ("v", "w")])],
    ids=["two", "two pairs that never met"],
)
def test_without_a_scale_there_is_no_section(shares, labels, tmp_path):
    report = read(write_pairs(tmp_path / "run", shares, labels=labels))
    assert answer(report) is None
    assert "ratings" not in {section.anchor for section in report.sections}


def test_a_cycle_is_warned_of(tmp_path):
    report = read(write_pairs(tmp_path / "run", (0.8, 0.2, 0.8)))
    assert "One number a strategy is misleading here: " in answer(report)
    assert "and yet" in answer(report)
    (section,) = [one for one in report.sections if one.anchor == "ratings"]
    assert section.lead.startswith("One number a strategy is misleading here: ")


def test_one_that_wins_every_game_is_bounded_from_below(tmp_path):
    report = read(write_pairs(tmp_path / "run", (1, 1, 0.6)))
    said = answer(report)
    assert said.startswith("x won every game against the rated ones, so its rating has no upper")
    tables = {table.name: table for table in report.list_tables()}
    shown = [cell.text for cell in tables["ratings"].rows[0]]
    assert re.fullmatch(r"above \+\d+", shown[1])
    assert shown[1:5] == [shown[1], shown[1], "–", ">99.9 %"]
    infos = {figure.name: figure.info for figure in report.list_figures()}
    row = infos["rating"].rows[0]
    assert (row.rating, row.high) == (None, None)
    assert row.text == shown[1] == f"above +{row.low:.0f}"


def test_one_that_loses_every_game_comes_last(tmp_path):
    said = answer(read(write_pairs(tmp_path / "run", (0.7, 1, 1))))
    assert said.startswith("x rates ")
    assert "z lost every game against the rated ones, so its rating has no lower end" in said


def test_a_strict_order(tmp_path):
    said = answer(read(write_pairs(tmp_path / "run", (1, 1, 1))))
    assert "y lost every game against x" in said


def test_one_deal(tmp_path):
    rows = [set_winner(draw_rows(np.random.default_rng(1), n_deals=1), 1) for _ in LABELS]
    for one in rows:
        one["score_0"][:, 1] = 0
    rows[1]["score_0"] = 20
    report = read(write_run(tmp_path / "run", rows, labels=LABELS))
    assert "One deal gives no error" in answer(report)
    (table,) = [one for one in report.list_tables() if one.name == "ratings"]
    shown = [cell.text for cell in table.rows[1]]
    assert shown[0] == "y"
    assert shown[1:5] == ["0 ± ?", "–", "+131 ± ?", "–"]


def test_every_game_is_drawn(rng, tmp_path):
    rows = [draw_rows(rng, n_deals=20) for _ in LABELS]
    for one in rows:
        one["score_1"] = one["score_0"]
    said = answer(read(write_run(tmp_path / "run", rows, labels=LABELS)))
    assert "cannot be told apart" in said
    assert "all rate the same" in said


def test_many_strategies_have_a_table_and_no_matrix(rng, tmp_path):
    labels = [("s0", f"s{number}") for number in range(1, 12)]
    rows = [draw_rows(rng, n_deals=12) for _ in labels]
    report = read(write_run(tmp_path / "run", rows, labels=labels))
    tables = {table.name: table for table in report.list_tables()}
    assert len(tables["ratings"].rows) == 12
    assert tables["rating_pairs"].headers == ()
    assert len(tables["rating_pairs"].frame) == 12 * 11 // 2


def test_likelihoods_have_the_digits_of_the_samples():
    shares = (None, 0.5, 0.984, 0.99, 0.9995, 0.004, 0.0004)
    shown = [format_likelihood(share) for share in shares]
    assert shown == ["–", "50 %", "98 %", "99.0 %", ">99.9 %", "0.4 %", "<0.1 %"]


def test_the_plot_keeps_room_and_draws_what_has_no_end():
    columns = ("rating", "rating_se", "rating_ci95_lo", "rating_ci95_hi")
    rows = [
        (None, None, 600.0, None),
        (300.0, None, 200.0, None),
        (10.0, 2.0, 6.0, 14.0),
        (-5.0, None, None, None),
        (None, None, None, -700.0),
        (None, None, None, None),
    ]
    frame = pd.DataFrame(rows, columns=columns)
    frame["strategy"] = [f"s{number}" for number in range(6)]
    info = rating_plot.prepare(frame, {f"s{number}": number for number in range(6)}, 10)
    assert info.low < -700
    assert info.high > 600
    assert [row.text for row in info.rows] == [
        "above +600",
        "+300 ± ?",
        "+10 ± 2",
        "−5.0 ± ?",
        "below −700",
        "–",
    ]
    figure = Figure("rating", "x", "x", info, rating_plot.draw, (7.0, 3.0))
    assert b"above +600" in draw_figure(figure).svg
