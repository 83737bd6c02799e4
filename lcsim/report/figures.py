"""From a Figure of the report to SVG and PNG bytes, without a display or any global state."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lcsim.report.palette import INK, MUTED, PAPER, RULE, name_variables

if TYPE_CHECKING:
    from lcsim.report.document import Figure

PNG_DPI = 160

_STYLE: dict[str, Any] = {
    "font.family": ["DejaVu Sans"],
    "font.size": 9.0,
    "text.parse_math": False,
    "text.color": INK,
    "axes.edgecolor": RULE,
    "axes.facecolor": "none",
    "axes.labelcolor": MUTED,
    "axes.labelsize": 9.0,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.axisbelow": True,
    "axes.unicode_minus": True,
    "figure.facecolor": PAPER,
    "grid.color": RULE,
    "grid.linewidth": 0.7,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "lines.solid_capstyle": "round",
    "svg.fonttype": "none",
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": MUTED,
    "ytick.labelcolor": INK,
    "xtick.major.size": 0.0,
    "ytick.major.size": 0.0,
}


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure drawn once: the SVG file and the PNG file."""

    svg: bytes
    png: bytes


def draw_figure(figure: Figure) -> Drawing:
    """Draw the figure; the same data give the same bytes."""
    import matplotlib as mpl
    from matplotlib.figure import Figure as Canvas

    style: Any = {**_STYLE, "svg.hashsalt": figure.name}
    with mpl.rc_context(style):
        canvas = Canvas(figsize=figure.size, layout="constrained")
        figure.draw(figure.info, canvas.add_subplot())
        svg = io.BytesIO()
        canvas.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
        canvas.set_layout_engine("none")  # the places found for the first file serve the second
        return Drawing(svg.getvalue(), render_png(canvas))


def render_png(canvas: Any) -> bytes:
    """Return a figure that has been laid out as the bytes of a PNG file."""
    png = io.BytesIO()
    canvas.savefig(png, format="png", dpi=PNG_DPI, metadata={"Software": None})
    return png.getvalue()


def embed_svg(svg: bytes, *, name: str, title: str) -> str:
    """Return the SVG file as an <svg> element for the page, its colours as CSS variables.

    The element has a title for screen readers, no fixed size and no reference outside itself.
    """
    text = svg.decode()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    head, _, body = text.partition(">")
    box = re.search(r'viewBox="([^"]+)"', head)
    opening = f'<svg viewBox="{box.group(1) if box else ""}" role="img"'
    opening += f' aria-labelledby="{name}-title"'
    for color, variable in name_variables().items():
        body = body.replace(color, f"var({variable})")
    body = re.sub(r"'DejaVu Sans'(, [^;\"]*)?", "inherit", body)
    return f'{opening}><title id="{name}-title">{_escape(title)}</title>{body}'


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
