"""The one formatter of numbers for people: the error decides the digits.

An error is shown with one significant digit, or two where the first is a 1; the value stops at the
same place. Exports never pass through here: they keep full precision.
"""

import math

from lcsim.wording import pluralise

DASH = "–"
"""What stands where there is no number."""

MINUS = "\N{MINUS SIGN}"
PLUS_MINUS = "±"


def format_estimate(
    mean: float | None, se: float | None, *, signed: bool = False, unit: str = ""
) -> str:
    """Return "12.34 ± 0.05"; "12 ± ?" where the error is unknown and "–" where there is no mean."""
    if mean is None or not math.isfinite(mean):
        return DASH
    tail = f" {unit}" if unit else ""
    return f"{format_value(mean, se, signed=signed)} {PLUS_MINUS} {format_error(se)}{tail}"


def format_percent(rate: float | None, se: float | None, *, signed: bool = False) -> str:
    """Return a rate between 0 and 1, with its error, as "61.3 ± 0.2 %"."""
    if rate is None:
        return DASH
    return format_estimate(100 * rate, None if se is None else 100 * se, signed=signed, unit="%")


def format_value(mean: float | None, se: float | None, *, signed: bool = False) -> str:
    """Return the mean alone, with the digits its error allows (for a table that has both)."""
    if mean is None or not math.isfinite(mean):
        return DASH
    if se is None or not math.isfinite(se):
        return _fix(mean, _guess_decimals(mean), signed=signed)
    if se <= 0:
        return _trim(_fix(mean, 3, signed=signed))
    return _fix(mean, count_decimals(se), signed=signed)


def format_error(se: float | None) -> str:
    """Return a standard error alone: "0.05", "0.12", "?" where it is unknown."""
    if se is None or not math.isfinite(se):
        return "?"
    if se <= 0:
        return "0"
    return _fix(se, count_decimals(se), signed=False)


def format_interval(interval: tuple[float, float] | None, *, unit: str = "") -> str:
    """Return "12.2 to 12.5"; the interval's own width decides the digits."""
    if interval is None or not all(math.isfinite(end) for end in interval):
        return DASH
    low, high = interval
    quarter = (high - low) / 4
    tail = f" {unit}" if unit else ""
    ends = f"{format_value(low, quarter)} to {format_value(high, quarter)}"
    return f"{ends}{tail}" if high > low else f"{format_value(low, 0.0)}{tail}"


def format_percent_interval(interval: tuple[float, float] | None) -> str:
    """Return an interval of rates, cut to what a rate can be, as "61.0 to 61.8 %"."""
    if interval is None:
        return DASH
    low, high = (100 * min(max(end, 0.0), 1.0) for end in interval)
    return format_interval((low, high), unit="%")


def format_count(count: int, noun: str = "", plural: str = "") -> str:
    """Return a whole number with its thousands marked: "1,000,000", or "1 game" with a noun."""
    text = f"{count:,}".replace("-", MINUS)
    return f"{text} {pluralise(count, noun, plural)}" if noun else text


def format_seconds(seconds: float) -> str:
    """Return a duration as people say it: "0.8 s", "42 s", "3 min 20 s", "2 h 5 min"."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


def count_decimals(se: float) -> int:
    """Return the decimals an error above 0 allows; negative where tens or more are uncertain."""
    exponent = math.floor(math.log10(se))
    return -exponent + (1 if se / 10.0**exponent < 1.95 else 0)


def _guess_decimals(mean: float) -> int:
    if mean == 0:
        return 0
    return max(0, 1 - math.floor(math.log10(abs(mean))))


def _fix(value: float, decimals: int, *, signed: bool) -> str:
    rounded = round(value, decimals)
    text = f"{abs(rounded):,.{max(decimals, 0)}f}"
    if rounded < 0:
        return MINUS + text
    return f"+{text}" if signed and rounded > 0 else text


def _trim(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text
