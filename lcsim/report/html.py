"""The report as one HTML file that needs nothing else: no network, no other file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lcsim.report.document import Cell, Figure, Report, Table
from lcsim.report.figures import embed_svg
from lcsim.report.palette import DARK, LIGHT, PARTS_DARK, PARTS_LIGHT, pick_marker

if TYPE_CHECKING:
    from collections.abc import Mapping

_TEMPLATES = Path(__file__).parent / "templates"
SHAPES = {
    "o": "circle",
    "s": "square",
    "D": "diamond",
    "^": "up",
    "v": "down",
    "P": "plus",
    "X": "cross",
    "h": "hexagon",
}
"""The CSS class that gives a chip the shape of a marker of the plots."""
LONG_TABLE = 16
"""Rows above which a table scrolls in a box of its own."""


def render_html(report: Report, svgs: Mapping[str, bytes], *, base: str = "") -> str:
    """Return the page with the figures' SVG files in it; every text from the run is escaped.

    `base` leads from the page's folder to the run's, with a slash at its end where they differ.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )

    def draw(figure: Figure) -> Markup:
        return Markup(embed_svg(svgs[figure.name], name=figure.name, title=figure.title))

    environment.filters["bound"] = bind_numbers
    template = environment.get_template("page.html.j2")
    return template.render(
        report=report,
        style=Markup(_read("page.css") + _declare_colors()),
        script=Markup(_read("page.js")),
        is_figure=lambda item: isinstance(item, Figure),
        is_long=lambda item: isinstance(item, Table) and len(item.rows) > LONG_TABLE,
        draw=draw,
        base=base,
        color_of=lambda label: _color(report.colors, label),
        shape_of=lambda label: SHAPES[pick_marker(report.colors[label])],
        bar_of=_bar,
    )


def bind_numbers(text: str) -> str:
    """Return text in which no line breaks between a number, its error and its unit."""
    return re.sub(r"(?<=[\d±?]) (?=[±%?\d])", "\N{NO-BREAK SPACE}", text)


def _read(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8")


def _declare_colors() -> str:
    def declare(strategies: tuple[str, ...], parts: tuple[str, ...]) -> str:
        named = [*(("s", *one) for one in enumerate(strategies))]
        named += [("p", *one) for one in enumerate(parts)]
        return "".join(f"--{letter}{i}:{color};" for letter, i, color in named)

    light, dark = declare(LIGHT, PARTS_LIGHT), declare(DARK, PARTS_DARK)
    return f":root{{{light}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"


def _color(colors: Mapping[str, int], label: str | None) -> str | None:
    if label is None or label not in colors:
        return None
    return f"var(--s{colors[label] % len(LIGHT)})"


def _bar(cell: Cell) -> Any:
    """Return the length of a cell's bar in percent, or None."""
    return None if cell.bar is None else round(100 * min(max(cell.bar, 0.0), 1.0), 1)
