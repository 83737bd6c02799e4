"""What each game adds to a report, in the one list of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lcsim.report.duel_tally import ExpeditionTally

if TYPE_CHECKING:
    from lcsim.report.tally import ExtraTally

_TALLIES = {"duel": ExpeditionTally}


def build_extra_tally(kind: str, ruleset: Any) -> ExtraTally | None:
    """Return an empty tally of what only this game has, or None where it has nothing."""
    tally = _TALLIES.get(kind)
    return None if tally is None else tally(ruleset)
