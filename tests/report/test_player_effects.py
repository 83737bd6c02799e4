"""What more players change, held against plain differences deal by deal."""

import math

import numpy as np
import pytest
from conftest import draw_board_rows, write_run

from lcsim.report.build import build_report
from lcsim.report.write import write_report
from lcsim.rules.board.outcome import settle_games

LABELS = [("x", "y"), ("x", "y", "z")]


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(9)
    return [draw_board_rows(rng, n_deals=70, n_players=n) for n in (2, 3)]


def test_an_effect_is_a_difference_deal_by_deal(rows, tmp_path):
    run = write_run(tmp_path / "run", rows, labels=LABELS, kind="board")
    report = build_report(run)
    frame = next(t for t in report.list_tables() if t.name == "players_effects").frame
    assert [*frame["strategy"].sort_values()] == ["x", "y"], "z met the others in threes only"
    row = frame.set_index("strategy").loc["x"]
    settled = [settle_games(part) for part in rows]
    shares = [one.win_twelfths[..., 0].mean(axis=1) / 12 for one in settled]
    wanted = (shares[1] - 1 / 3) - (shares[0] - 1 / 2)
    assert row["gain_diff"] == pytest.approx(wanted.mean())
    assert row["gain_diff_se"] == pytest.approx(wanted.std(ddof=1) / math.sqrt(70))
    points = [one.points[..., 0].mean(axis=1) for one in settled]
    wanted = points[1] - points[0]
    assert row["score_diff"] == pytest.approx(wanted.mean())
    assert row["score_diff_se"] == pytest.approx(wanted.std(ddof=1) / math.sqrt(70))
    info = next(figure for figure in report.list_figures() if figure.name == "players-gain").info
    assert [title for title, _ in info.groups] == ["3 players against 2"]
    assert [row.n_text for row in info.rows] == ["70", "70"]


def test_tables_of_one_size_have_none(rows, tmp_path):
    run = write_run(tmp_path / "run", rows[1:], labels=LABELS[1:], kind="board")
    write_report(run)
    assert not (run / "figures" / "players-gain.svg").exists()
    assert (run / "tables" / "players.csv").exists()
