"""The colours of a report: one a strategy, told apart by every common kind of colour vision.

The light set is that of Okabe and Ito (2008) without its yellow, which white paper swallows, and
with indigo and grey added; the dark set is the same hues, lightened. Figures are drawn with the
light set and the inks below; in the HTML page each of these becomes a CSS variable, so a figure
follows the page into the dark.
"""

from collections.abc import Iterable, Mapping

LIGHT = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#e69f00",
    "#56b4e9",
    "#4b3f8f",
    "#7f7f7f",
)
DARK = (
    "#4da3dd",
    "#f0803c",
    "#2fc49a",
    "#e39cc5",
    "#f2b53a",
    "#8fd0f7",
    "#9d92e6",
    "#a8a8a8",
)
MARKERS = ("o", "s", "D", "^", "v", "P", "X", "h")

INK = "#22262b"
MUTED = "#6a7078"
RULE = "#dcd8cf"
PAPER = "#fffefc"

HIGH = "#0b6fa8"
LOW = "#c8590a"


def assign_colors(labels: Iterable[str]) -> dict[str, int]:
    """Return each label's place in the palette: its order of entry, whatever the results say."""
    return {label: number for number, label in enumerate(dict.fromkeys(labels))}


def pick_color(place: int) -> str:
    """Return the light colour at a place; the palette begins again where it ends."""
    return LIGHT[place % len(LIGHT)]


def pick_marker(place: int) -> str:
    """Return the marker at a place; where colours repeat, markers do not repeat with them."""
    return MARKERS[(place + place // len(LIGHT)) % len(MARKERS)]


def name_variables() -> Mapping[str, str]:
    """Return the CSS variable that stands for each colour of a figure."""
    inks = {INK: "--ink", MUTED: "--muted", RULE: "--rule", PAPER: "--paper"}
    return inks | {HIGH: "--high", LOW: "--low"} | {c: f"--s{i}" for i, c in enumerate(LIGHT)}
