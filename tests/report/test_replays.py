"""The games that stand out are those that a plain search finds, however they are stored."""

import itertools
import json
import shlex

import numpy as np
import pytest
from conftest import draw_board_rows, draw_rows, write_run

from lcsim.report.build import build_report
from lcsim.report.write import write_report
from lcsim.rules.board.outcome import settle_games

LABELS = list(itertools.combinations("xyz", 2))


def read_extremes(path):
    table = next(t for t in build_report(path).list_tables() if t.name == "extremes")
    return table.frame.set_index("extreme")


def make_run(path, rows, labels=LABELS, **options):
    return write_run(path, rows, labels=labels, **options)


@pytest.fixture(scope="module")
def rows():
    return [draw_rows(np.random.default_rng(seed), n_deals=90) for seed in range(3)]


def test_they_are_the_extremes_of_all_games(rows, tmp_path):
    found = read_extremes(make_run(tmp_path / "run", rows))
    games = [
        (
            sum(row["score_0"]),
            sum(row["score_1"]),
            *pair,
            int(game["deal"][0]),
            int(game["rotation"][0]),
        )
        for pair, matchup in zip(LABELS, rows, strict=True)
        for game in matchup.reshape(-1, 3)
        for row in [game]
    ]
    scores = [max(a, b) for a, b, *_ in games]
    assert found.loc["highest_score", "value"] == max(scores)
    assert found.loc["lowest_score", "value"] == min(min(a, b) for a, b, *_ in games)
    margins = [abs(a - b) for a, b, *_ in games]
    a, b, x, y, deal, rotation = games[margins.index(max(margins))]
    row = found.loc["largest_margin"]
    assert row["value"] == max(margins)
    assert (row["deal"], row["rotation"]) == (deal, rotation)
    assert row["matchup"] == f"{x} vs {y}"
    assert row["strategy"] == (x if a > b else y)
    longest = found.loc["longest_round"]
    assert longest["value"] == max(int(matchup["turns"].max()) for matchup in rows)
    matchup = rows[LABELS.index(tuple(longest["matchup"].split(" vs ")))]
    game = matchup[longest["deal"], longest["rotation"]]
    assert game["turns"][longest["round"]] == longest["value"]


@pytest.mark.parametrize("unit_deals", [3, 40, 1000])
def test_unit_size_does_not_matter(rows, tmp_path, unit_deals):
    one = read_extremes(make_run(tmp_path / "one", rows))
    other = read_extremes(make_run(tmp_path / "other", rows, unit_deals=unit_deals))
    assert other.equals(one)


def test_of_equals_the_first_is_kept(rows, tmp_path):
    same = [matchup.copy() for matchup in rows]
    for matchup in same:
        matchup["turns"] = 44
    row = read_extremes(make_run(tmp_path / "run", same, unit_deals=7)).loc["longest_round"]
    assert (row["matchup"], row["deal"], row["rotation"], row["round"]) == ("x vs y", 0, 0, 0)


def test_a_lead_of_nothing_is_nobodys(tmp_path):
    rows = draw_rows(np.random.default_rng(1), n_deals=5)
    rows["score_1"] = rows["score_0"]
    run = make_run(tmp_path / "run", [rows], labels=[("x", "y")])
    write_report(run, formats=["json"])
    (row, *_) = json.loads((run / "report.json").read_text())["tables"]["extremes"]
    assert (row["value"], row["strategy"]) == (0, None)


def test_the_margin_is_over_the_second(tmp_path):
    rows = draw_board_rows(np.random.default_rng(2), n_deals=40, n_players=3)
    run = make_run(tmp_path / "run", [rows], labels=[("x", "y", "z")], kind="board")
    points = settle_games(rows).points
    ordered = np.sort(points, axis=-1)
    row = read_extremes(run).loc["largest_margin"]
    assert row["value"] == (ordered[..., -1] - ordered[..., -2]).max()
    assert row["strategy"] == "xyz"[points[row["deal"], row["rotation"]].argmax()]


def test_a_command_names_everything_that_decides_the_game(rows, tmp_path):
    run = make_run(tmp_path / "run", rows, rulesets=["duel:expedition_cost=10"] * 3)
    manifest = json.loads((run / "run.json").read_text())
    manifest["files"]["folders"] = ["my strategies"]
    (run / "run.json").write_text(json.dumps(manifest))
    row = read_extremes(run).loc["highest_score"]
    words = shlex.split(row["command"])
    assert words[:2] == ["lcsim", "replay"]
    assert words[2:4] == row["matchup"].split(" vs ")
    options = dict(zip(words[4::2], words[5::2], strict=True))
    assert options == {
        "--ruleset": "duel:expedition_cost=10",
        "--seed": "42",
        "--deal": str(row["deal"]),
        "--rotation": str(row["rotation"]),
        "--strategies": "my strategies",
    }
