"""What playing every seat saves: against plain variances, and against games that are known."""

import numpy as np
import pytest
from conftest import draw_board_rows, draw_rows, write_run

from lcsim.report.build import build_report
from lcsim.report.collect import collect_run
from lcsim.report.group_tally import GroupTally
from lcsim.report.slices import N_SLICES, find_slice, mark_slices
from lcsim.report.source import open_source
from lcsim.report.tally import Play
from lcsim.rules.duel.outcome import settle_games


def collect(path, rows, *, labels=(("x", "y"),), **options):
    source = open_source(write_run(path, rows, labels=list(labels), **options))
    return collect_run(source)[0]


def test_it_is_the_ratio_of_two_variances(rng, tmp_path):
    rows = draw_rows(rng, n_deals=300)
    found = collect(tmp_path / "run", [rows]).groups.compare(0, 0, "score")
    settled = settle_games(rows)
    margins = (settled.points[..., 0] - settled.points[..., 1]).astype(float)
    wanted = margins.mean(axis=1).var(ddof=1) / (margins.var(ddof=1) / 2)
    assert found.mean == pytest.approx(wanted)
    assert abs(found.mean - 1) < 4 * found.se, "the rows of both seats are drawn independently"
    assert found.n == N_SLICES


@pytest.mark.parametrize("unit_deals", [11, 1000])
def test_unit_size_changes_nothing(rng, tmp_path, unit_deals):
    rows = [draw_rows(rng, n_deals=90), draw_rows(rng, n_deals=50)]
    labels = [("x", "y"), ("x", "z")]
    one = collect(tmp_path / "one", rows, labels=labels).groups
    other = collect(tmp_path / "other", rows, labels=labels, unit_deals=unit_deals).groups
    for matchup in (0, 1):
        for quantity in ("score", "win_rate"):
            assert one.compare(matchup, 0, quantity) == other.compare(matchup, 0, quantity)


def play(points):
    """Return games (n_deals, n_rotations, n_strategies) of these points; the winner takes all."""
    points = np.array(points, dtype=np.int64)
    wins = 12 * (points == points.max(axis=2, keepdims=True)).astype(np.int64)
    labels = tuple("xyz"[: points.shape[2]])
    return Play(0, labels, np.zeros((*points.shape[:2], 1), [("turns", "i4")]), points, wins)


def test_cards_that_decide_everything_cancel_out():
    tally = GroupTally()
    for number in range(8):
        tally.add(play([[[10 + number, 0], [0, 10 + number]]] * 4), number)
    left = tally.compare(0, 0, "score")
    assert (left.mean, left.se) == (0, 0)
    assert tally.compare(0, 0, "win_rate").mean == 0


def test_games_that_repeat_each_other_are_worth_half():
    rng = np.random.default_rng(1)
    tally = GroupTally()
    for number in range(16):
        points = rng.integers(0, 100, size=(50, 1, 2)).repeat(2, axis=1)
        tally.add(play(points), number)
    left = tally.compare(0, 0, "score")
    assert left.mean == pytest.approx(2, rel=0.01)


def test_without_variance_there_is_nothing_to_save():
    tally = GroupTally()
    tally.add(play([[[5, 3], [5, 3]]] * 6), 0)
    assert tally.compare(0, 0, "score") is None


def test_of_three_each_is_measured(rng, tmp_path):
    rows = draw_board_rows(rng, n_deals=64, n_players=3)
    run = write_run(tmp_path / "run", [rows], labels=[("x", "y", "z")], kind="board")
    table = next(t for t in build_report(run).list_tables() if t.name == "pairing_by_seat")
    assert list(table.frame["strategy"]) == ["x", "x", "y", "y", "z", "z"]
    assert (table.frame["variance_left"] > 0).all()


def test_slices_hold_neighbouring_deals(rng, tmp_path):
    run = write_run(tmp_path / "run", [draw_rows(rng, n_deals=40)], labels=[("x", "y")])
    marks = mark_slices(open_source(run).pieces)
    sizes = np.bincount([find_slice(marks, deal) for deal in range(40)])
    assert len(sizes) == N_SLICES
    assert set(sizes) <= {2, 3}
    assert mark_slices([]) == (0,)
