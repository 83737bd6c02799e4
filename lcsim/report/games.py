"""What each game adds to a report, in the one list of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lcsim.report.board_expeditions import (
    build_board_expedition_sections,
    build_board_worth_answers,
)
from lcsim.report.board_sections import build_board_answers, build_board_sections
from lcsim.report.board_tally import BoardTally, count_pawns
from lcsim.report.duel_expeditions import (
    build_expedition_sections,
    build_wagering_answers,
    build_wagering_sections,
    build_worth_answers,
)
from lcsim.report.duel_forks import count_forks
from lcsim.report.duel_openings import build_opening_answers, build_opening_sections
from lcsim.report.duel_tally import ExpeditionTally, count_expeditions
from lcsim.report.duel_wager_value import build_wager_answers, build_wager_sections

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lcsim.report.document import Answer, Section
    from lcsim.report.sections import Chapter
    from lcsim.report.source import Source
    from lcsim.report.tally import ExtraTally, Play


@dataclass(frozen=True, slots=True)
class Extra:
    """What a game counts beside scores and wins, and what it says from that.

    `answers` and `sections` are functions of a Chapter, in reading order; each may return none.
    Rulesets that agree in their `deck_fields` share their deals, so they are compared deal by deal.
    `measures` are counts a player and round, by name with what they are called; `measure` gives
    them, each summed over a deal's rounds and rotations, (n_deals, n_strategies). `count_forks`
    gives a ruleset's forked moves as the chapter's sections want them, where the game has any.
    """

    build_tally: Callable[[Any], ExtraTally]
    answers: tuple[Callable[[Chapter], list[Answer]], ...]
    sections: tuple[Callable[[Chapter], list[Section]], ...]
    deck_fields: tuple[str, ...]
    measures: Mapping[str, str]
    measure: Callable[[Any, Play], dict[str, NDArray[np.int64]]]
    count_forks: Callable[[Source, str], Any] | None = None


EXTRAS = {
    "duel": Extra(
        ExpeditionTally,
        (
            build_worth_answers,
            build_opening_answers,
            build_wagering_answers,
            build_wager_answers,
        ),
        (
            build_expedition_sections,
            build_opening_sections,
            build_wagering_sections,
            build_wager_sections,
        ),
        ("colors", "wagers_per_color", "lowest_rank", "highest_rank"),
        {"opened": "expeditions opened"},
        count_expeditions,
        count_forks,
    ),
    "board": Extra(
        BoardTally,
        (build_board_worth_answers, build_board_answers),
        (build_board_expedition_sections, build_board_sections),
        ("colors", "copies", "lowest_rank", "highest_rank"),
        {"opened": "expeditions opened", "crossed": "pawns over the bridge"},
        count_pawns,
    ),
}
"""By kind. A game that is not here has the sections that every game has."""
