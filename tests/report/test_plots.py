"""Plots are looked at through what they prepare; drawing is only seen to work."""

import pytest

from lcsim.report.build import build_report
from lcsim.report.document import Figure
from lcsim.report.figures import draw_figure, embed_svg
from lcsim.report.palette import (
    DARK,
    LIGHT,
    MARKERS,
    PARTS_DARK,
    PARTS_LIGHT,
    assign_colors,
    pick_color,
    pick_marker,
)
from lcsim.report.plots import win_rate
from lcsim.report.plots.text import shorten


@pytest.fixture(scope="module")
def figures(round_robin):
    return {figure.name: figure for figure in build_report(round_robin).list_figures()}


def test_win_rates_go_from_best_to_worst(figures):
    info = figures["win-rate"].info
    assert [row.label for row in info.rows] == ["bold", "even", "timid"]
    assert [row.place for row in info.rows] == [0, 1, 2]
    assert info.even == 50
    assert all(row.interval[0] < row.rate < row.interval[1] for row in info.rows)
    assert info.rows[0].text.endswith(" %")
    assert info.n_games == 3 * 2 * 800


def test_the_matrix_is_its_own_mirror(figures):
    info = figures["win-matrix"].info
    rates = {(square.row, square.column): square.rate for square in info.squares}
    assert len(rates) == 6
    for (row, column), rate in rates.items():
        assert rate + rates[column, row] == pytest.approx(100)


def test_ridges_hold_all_games(figures):
    info = figures["score-distribution"].info
    for ridge in info.ridges:
        assert sum(ridge.shares) == pytest.approx(100)
        assert ridge.low < ridge.median < ridge.high
        assert len(ridge.edges) == len(ridge.shares) + 1


def test_the_seat_has_a_total(figures):
    info = figures["seat-advantage"].info
    assert info.has_total
    assert [row.label for row in info.rows][-1] == "all matchups"


def test_every_figure_says_what_it_shows(figures):
    for figure in figures.values():
        assert "n = " in figure.caption
        assert "95 %" in figure.caption or "standard error" in figure.caption


def test_an_embedded_figure_has_no_colour_and_no_address_of_its_own(figures):
    figure = figures["win-rate"]
    svg = embed_svg(draw_figure(figure).svg, name=figure.name, title="a < b")
    assert "http" not in svg
    assert "var(--s0)" in svg
    assert LIGHT[0] not in svg
    assert "a &lt; b" in svg


def test_a_name_cannot_be_taken_for_a_formula():
    row = win_rate.Row("$\\frac{", 0, 50.0, None, "<50 %>")
    info = win_rate.Info((row,), 50.0, 2)
    figure = Figure("x", "x", "x", info, win_rate.draw, (5.0, 1.5))
    assert b"&lt;50 %&gt;" in draw_figure(figure).svg


def test_colours_follow_the_order_of_entry_and_do_not_repeat_with_markers():
    assert assign_colors(["b", "a", "b"]) == {"b": 0, "a": 1}
    assert len(set(LIGHT)) == len(set(DARK)) == len(LIGHT) == len(DARK)
    looks = {(pick_color(place), pick_marker(place)) for place in range(24)}
    assert len(looks) == 24
    assert len(MARKERS) == len(set(MARKERS))


# How colours look to the three kinds of colour blindness: Machado, Oliveira and Fernandes (2009),
# full severity, applied to linear RGB.
VISION = {
    "protan": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deutan": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritan": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}


def linear(color):
    values = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values]


def see(color, matrix):
    seen = [
        min(max(sum(m * v for m, v in zip(row, linear(color), strict=True)), 0), 1)
        for row in matrix
    ]
    return lab(seen)


def lab(rgb):
    to_xyz = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    white = (0.9505, 1.0, 1.089)
    shares = [
        sum(m * v for m, v in zip(row, rgb, strict=True)) / w
        for row, w in zip(to_xyz, white, strict=True)
    ]
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in shares)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize(
    ("palette", "apart"),
    [(LIGHT, 18), (DARK, 18), (PARTS_LIGHT, 12), (PARTS_DARK, 12)],
    ids=["light", "dark", "light parts", "dark parts"],
)
@pytest.mark.parametrize("vision", VISION)
def test_colours_stay_apart_for_every_vision(palette, apart, vision):
    seen = [see(color, VISION[vision]) for color in palette]
    gaps = {
        (i, j): sum((a - b) ** 2 for a, b in zip(seen[i], seen[j], strict=True)) ** 0.5
        for i in range(len(seen))
        for j in range(i)
    }
    assert min(gaps.values()) > apart, min(gaps, key=gaps.get)


def test_long_names_are_shortened_in_the_middle():
    assert shorten("balanced") == "balanced"
    short = shorten("wager-lover:open_at=18.5,more=2", 20)
    assert len(short) == 20
    assert short.startswith("wager-lover")
    assert short.endswith("more=2")
