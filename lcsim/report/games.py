"""What each game adds to a report, in the one list of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lcsim.report.duel_expeditions import build_duel_answers, build_duel_sections
from lcsim.report.duel_tally import ExpeditionTally

if TYPE_CHECKING:
    from lcsim.report.document import Answer, Section
    from lcsim.report.sections import Chapter
    from lcsim.report.tally import ExtraTally


@dataclass(frozen=True, slots=True)
class Extra:
    """What a game counts beside scores and wins, and what it says from that."""

    build_tally: Callable[[Any], ExtraTally]
    build_answers: Callable[[Chapter], list[Answer]]
    build_sections: Callable[[Chapter], list[Section]]


EXTRAS = {"duel": Extra(ExpeditionTally, build_duel_answers, build_duel_sections)}
"""By kind. A game that is not here has the sections that every game has."""
