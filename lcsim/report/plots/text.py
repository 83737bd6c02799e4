"""Words in plots: names short enough to stand beside an axis."""

LONGEST = 26


def shorten(label: str, longest: int = LONGEST) -> str:
    """Return the label, its middle left out where it is longer than `longest` characters."""
    if len(label) <= longest:
        return label
    head = (longest - 1) * 2 // 3
    return f"{label[:head]}…{label[len(label) - (longest - 1 - head) :]}"
