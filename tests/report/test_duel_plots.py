"""What the plots of expeditions prepare, from tables of a few rows; drawing only has to work."""

import pandas as pd
import pytest
from conftest import draw_rows, write_run
from matplotlib.figure import Figure

from lcsim.report.build import build_report
from lcsim.report.expedition_pieces import MAX_LINES
from lcsim.report.figures import draw_figure
from lcsim.report.plots import duel_heat, expedition
from lcsim.report.plots.cut import note_cut
from lcsim.report.plots.text import shorten_count


def row(strategy, kind, score, *, n=100, profit=0.5, se=1.0):
    """Return a row of a table of expeditions; `kind` holds its own columns."""
    values = {"score": score, "score_se": se, "profit": profit, "profit_se": 0.02}
    for name, half in (("score", 2.0), ("profit", 0.04)):
        mean = values[name]
        values |= {f"{name}_ci95_lo": mean - half, f"{name}_ci95_hi": mean + half}
    if n == 0:
        values = dict.fromkeys(values)
    return {"strategy": strategy, **kind, "n_expeditions": n, **values}


def test_what_never_occurred_is_left_out_and_shares_stay_within_100():
    frame = pd.DataFrame(
        [
            row("a", {"turn": "1–4"}, 5.0, profit=0.99),
            row("a", {"turn": "5–8"}, 3.0),
            row("a", {"turn": "9–12"}, 0.0, n=0),
            row("b", {"turn": "1–4"}, 0.0, n=0),
            row("b", {"turn": "5–8"}, -2.0, n=7, profit=0.02),
            row("b", {"turn": "9–12"}, 0.0, n=0),
        ]
    )
    info = expedition.prepare(frame, "turn", {"a": 3, "b": 1})
    assert info.names == ("1–4", "5–8")
    assert [(line.label, line.color, len(line.points)) for line in info.lines] == [
        ("a", 3, 2),
        ("b", 1, 1),
    ]
    assert info.lines[0].points[0].profit.interval == (pytest.approx(95), 100)
    (point,) = info.lines[1].points
    assert (point.place, point.score.mean, point.score.interval) == (1, -2, (-4, 0))
    assert point.profit.interval == (0, pytest.approx(6))
    assert info.n_expeditions == 207


def test_an_interval_beyond_the_picture_has_an_arrow():
    frame = pd.DataFrame(
        [row("a", {"turn": kind}, mean) for kind, mean in (("1–4", 9.0), ("5–8", 30.0))]
    )
    info = expedition.prepare(frame, "turn", {"a": 0})
    assert not info.is_cut_off
    frame.loc[1, "score_ci95_hi"] = 90.0
    wide = expedition.prepare(frame, "turn", {"a": 0})
    assert wide.is_cut_off
    assert wide.span == info.span
    assert wide.span[1] < 90
    arrows = []
    for one in (info, wide):
        figure = Figure(figsize=(5, 5))
        expedition.draw(one, figure.add_subplot())
        lines = figure.axes[1].lines
        arrows.append(
            [tuple(map(float, a.get_xydata()[0])) for a in lines if a.get_marker() == "^"]
        )
    assert arrows == [[], [(1.0, wide.span[1])]]
    assert note_cut(wide.is_cut_off) == " (an arrow: the interval goes on beyond the picture)"
    assert note_cut(info.is_cut_off) == ""


def test_a_break_even_stands_where_the_line_crosses():
    kinds = [("1–3", 2.0), ("4–6", 4.0), ("7–9", 8.0)]
    frame = pd.DataFrame(
        [
            row("a", {"held": name, "held_mean": mean}, score)
            for (name, mean), score in zip(kinds, (-5.0, -1.0, 3.0), strict=True)
        ]
    )
    info = expedition.prepare(frame, "held", {"a": 0}, break_evens={"a": 5.0})
    assert info.lines[0].break_even == pytest.approx(1.25)
    assert expedition.prepare(frame, "held", {"a": 0}).lines[0].break_even is None


def test_squares_of_the_heat_map():
    frame = pd.DataFrame(
        [
            row("a", {"wagers": 0, "cards": 1}, -16.06, n=12_345, profit=0.0, se=0.1),
            row("a", {"wagers": 0, "cards": 2}, 0.0, n=0),
            row("a", {"wagers": 1, "cards": 2}, 40.0, n=3_000, profit=1.0, se=None),
            row("a", {"wagers": 1, "cards": 3}, 99.0, n=1),
            row("b", {"wagers": 0, "cards": 1}, -18.0, n=5),
            row("b", {"wagers": 0, "cards": 2}, 0.0, n=0),
            row("b", {"wagers": 1, "cards": 2}, 0.0, n=0),
            row("b", {"wagers": 1, "cards": 3}, 0.0, n=0),
            row("c", {"wagers": 2, "cards": 9}, 0.0, n=0),
        ]
    )
    info = duel_heat.prepare(frame, ["c", "b", "a"])
    assert [panel.label for panel in info.panels] == ["b", "a"]
    assert (info.wagers, info.cards, info.n_expeditions) == (1, 3, 15_351)
    first, second = info.panels
    assert first.empty == ((0, 2), (1, 2), (1, 3))
    assert second.empty == ((0, 2),)
    assert [cell.value for cell in second.cells] == ["−16.06", "40", "99.0"]
    assert second.cells[0].notes == ("± 0.10", "0 %", "12k")
    assert second.cells[1].notes == ("± ?", "100 %", "3000")
    assert info.reach == 40  # not 99: one expedition does not decide the colours


def test_counts_in_a_few_signs():
    counts = [0, 9_999, 10_000, 999_999, 1_234_567, 12_345_678]
    assert [shorten_count(count) for count in counts] == [
        "0",
        "9999",
        "10k",
        "999k",
        "1.2M",
        "12M",
    ]


def list_own(run):
    figures = build_report(run).list_figures()
    return {one.name: one for one in figures if one.name.startswith("expedition")}


def test_every_kind_has_its_figure(round_robin):
    figures = list_own(round_robin)
    kinds = ("heat", "by-cards", "by-held", "by-turn", "by-opened", "by-wagers")
    assert list(figures) == [f"expedition-{kind}" for kind in kinds]
    counts = {figure.info.n_expeditions for figure in figures.values()}
    assert len(counts) == 1
    for kind in ("heat", "by-held"):
        assert draw_figure(figures[f"expedition-{kind}"]).png.startswith(b"\x89PNG")
    assert figures["expedition-by-wagers"].info.names == ("0", "1", "2", "3")


def test_one_kind_of_expedition_is_drawn_too(rng, tmp_path):
    rows = draw_rows(rng, n_deals=3)
    for name in rows.dtype.names:
        if name.startswith("exp_0"):
            rows[name] = (rows[name] > 0) * 0xFFF
        elif name.startswith("exp_1"):
            rows[name] = 0
        elif name.startswith(("opened", "held")):
            rows[name] = 7
    run = write_run(tmp_path / "run", [rows], labels=[("a", "b")])
    figures = list_own(run)
    for kind in ("heat", "by-cards"):
        assert draw_figure(figures[f"expedition-{kind}"]).svg
    (panel,) = figures["expedition-heat"].info.panels
    assert [(cell.wagers, cell.cards, cell.value) for cell in panel.cells] == [(3, 12, "156")]


def test_many_strategies_are_named_in_the_caption(rng, tmp_path):
    names = [f"s{number}" for number in range(MAX_LINES + 2)]
    labels = [(names[0], name) for name in names[1:]]
    run = write_run(tmp_path / "run", [draw_rows(rng, n_deals=4) for _ in labels], labels=labels)
    figures = list_own(run)
    assert len(figures["expedition-by-held"].info.lines) == MAX_LINES
    assert f"The {MAX_LINES} strongest" in figures["expedition-by-held"].caption
    assert len(figures["expedition-heat"].info.panels) == duel_heat.MAX_PANELS
