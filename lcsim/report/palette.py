"""The colours of a report: one a strategy, told apart by every common kind of colour vision.

The hues are those of Okabe and Ito (2008), with indigo and grey for yellow and black; the shades
were moved until the nearest two, as each kind of colour blindness sees them, lay far apart.
What is no strategy, such as the parts of a score, is told apart by the lightness of one hue that no
strategy has. Figures are drawn with the light sets and the inks below; in the HTML page each of
these becomes a CSS variable, so a figure follows the page into the dark.
"""

from collections.abc import Iterable, Mapping

LIGHT = (
    "#0077c7",
    "#b24900",
    "#0b5b30",
    "#f481b7",
    "#c9ad29",
    "#15bcff",
    "#44347e",
    "#737373",
)
DARK = (
    "#6bb3f8",
    "#f36b1e",
    "#2b8b58",
    "#e688a6",
    "#fdd54d",
    "#b0d7fc",
    "#7973f0",
    "#e6e6e6",
)
PARTS_LIGHT = ("#063a3b", "#1c6a6b", "#4f9b98", "#93c7c3", "#d9edea")
PARTS_DARK = ("#1d5556", "#348382", "#5fb0ab", "#9ad4ce", "#e0f5f2")
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


def pick_part(place: int) -> str:
    """Return the light colour of a part of a whole, by its place among the parts."""
    return PARTS_LIGHT[place % len(PARTS_LIGHT)]


def name_variables() -> Mapping[str, str]:
    """Return the CSS variable that stands for each colour of a figure."""
    inks = {INK: "--ink", MUTED: "--muted", RULE: "--rule", PAPER: "--paper"}
    parts = {color: f"--p{number}" for number, color in enumerate(PARTS_LIGHT)}
    strategies = {color: f"--s{number}" for number, color in enumerate(LIGHT)}
    return inks | {HIGH: "--high", LOW: "--low"} | parts | strategies
