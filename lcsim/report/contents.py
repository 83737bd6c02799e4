"""What stands in a report, in reading order: a new answer or section is named in these lists.

Every entry is a function of a Chapter, which is everything about one ruleset. It returns no answer
and no section where it has nothing to say. What one game alone has to say is named in
lcsim.report.games.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lcsim.report.games import EXTRAS
from lcsim.report.player_counts import build_count_answers, build_count_sections
from lcsim.report.precision import build_precision_sections
from lcsim.report.ratings import build_rating_answers, build_rating_sections
from lcsim.report.replays import build_replay_sections
from lcsim.report.restriction_sections import (
    build_restriction_answers,
    build_restriction_sections,
)
from lcsim.report.sections import (
    build_matchup_sections,
    build_ranking_sections,
    build_score_sections,
    build_seat_answers,
    build_seat_sections,
    build_winner_answers,
)

if TYPE_CHECKING:
    from lcsim.report.document import Answer, Section
    from lcsim.report.sections import Chapter


def build_game_answers(chapter: Chapter) -> list[Answer]:
    """Return the answers of the game's own questions."""
    extra = EXTRAS.get(chapter.game.kind)
    return [answer for build in extra.answers for answer in build(chapter)] if extra else []


def build_game_sections(chapter: Chapter) -> list[Section]:
    """Return the sections on what the game alone counts."""
    extra = EXTRAS.get(chapter.game.kind)
    return [section for build in extra.sections for section in build(chapter)] if extra else []


ANSWERS: tuple[Callable[[Chapter], list[Answer]], ...] = (
    build_winner_answers,
    build_rating_answers,
    build_game_answers,
    build_restriction_answers,
    build_seat_answers,
    build_count_answers,
)

SECTIONS: tuple[Callable[[Chapter], list[Section]], ...] = (
    build_ranking_sections,
    build_rating_sections,
    build_count_sections,
    build_matchup_sections,
    build_score_sections,
    build_game_sections,
    build_restriction_sections,
    build_seat_sections,
    build_precision_sections,
    build_replay_sections,
)
