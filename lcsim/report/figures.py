"""From a Figure of the report to SVG and PNG bytes, without a display or any global state."""

from __future__ import annotations

import io
import re
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


def render_svg(figure: Figure) -> bytes:
    """Return the figure as an SVG file; the same data give the same bytes."""
    return _save(figure, "svg", metadata={"Date": None, "Creator": None})


def render_png(figure: Figure) -> bytes:
    """Return the figure as a PNG file."""
    return _save(figure, "png", dpi=PNG_DPI, metadata={"Software": None})


def render_inline(figure: Figure) -> str:
    """Return the figure as an <svg> element for the page, its colours as CSS variables.

    The element has a title for screen readers, no fixed size and no reference outside itself.
    """
    text = render_svg(figure).decode()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    head, _, body = text.partition(">")
    box = re.search(r'viewBox="([^"]+)"', head)
    opening = f'<svg viewBox="{box.group(1) if box else ""}" role="img"'
    opening += f' aria-labelledby="{figure.name}-title"'
    title = f'<title id="{figure.name}-title">{_escape(figure.title)}</title>'
    for color, variable in name_variables().items():
        body = body.replace(color, f"var({variable})")
    body = re.sub(r"'DejaVu Sans'(, [^;\"]*)?", "inherit", body)
    return f"{opening}>{title}{body}"


def _save(figure: Figure, form: str, **options: Any) -> bytes:
    import matplotlib as mpl
    from matplotlib.figure import Figure as Canvas

    buffer = io.BytesIO()
    style: Any = {**_STYLE, "svg.hashsalt": figure.name}
    with mpl.rc_context(style):
        canvas = Canvas(figsize=figure.size, layout="constrained")
        figure.draw(figure.info, canvas.add_subplot())
        canvas.savefig(buffer, format=form, **options)
    return buffer.getvalue()


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
