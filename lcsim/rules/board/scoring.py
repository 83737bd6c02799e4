"""The points of the board game: pawns at the end of a round, artefacts at the end of the game."""

import re

from numba.extending import register_jitable

from lcsim.errors import UsageError
from lcsim.rules.board.cards import COLORS
from lcsim.rules.board.ruleset import MAX_ARTEFACT_ENTRIES, MAX_SPACES, BoardRuleset, pad


@register_jitable
def score_pawn(points: int, is_leader: int, leader_factor: int) -> int:
    """Return what a pawn on a space of `points` brings: negative ones are multiplied too."""
    return points * leader_factor if is_leader else points


@register_jitable
def add_points(held: int, gained: int) -> int:
    """Return the points held after a round or a game: never fewer than none."""
    return max(0, held + gained)


@register_jitable
def last_entry(n_artefacts: int) -> int:
    """Return the place of a number of artefacts in the padded table of their points."""
    return min(n_artefacts, MAX_ARTEFACT_ENTRIES - 1)


def score_artefacts(ruleset: BoardRuleset, n_artefacts: int) -> int:
    """Return the points for a number of artefacts at the end of the game."""
    return pad(ruleset.artefact_points, MAX_ARTEFACT_ENTRIES)[last_entry(n_artefacts)]


def score_space(ruleset: BoardRuleset, space: int, *, is_leader: bool) -> int:
    """Return the points of a pawn on a space; 0 for one that has not started."""
    points = pad(ruleset.space_points, MAX_SPACES + 1, first=(0,))[space]
    return score_pawn(points, int(is_leader), ruleset.leader_factor)


def score_text(ruleset: BoardRuleset, text: str) -> int:
    """Return the points of a player's pawns at the end of a round, written `R9L G7 W4`.

    A pawn is the letter of its path and its space, with L for the leader. Raises UsageError.
    """
    points, leaders, paths = 0, 0, set()
    for word in text.split():
        match = re.fullmatch(r"([A-Z])(\d{1,2})(L?)", word.upper())
        if not match or match[1] not in COLORS[: ruleset.colors]:
            raise UsageError(
                f"{text!r}: {word!r} is not a pawn",
                hint=f"A pawn is one of {' '.join(COLORS[: ruleset.colors])} and its space, L "
                "after it for the leader: R9L G7 W4.",
            )
        color, space = match[1], int(match[2])
        if not 1 <= space <= ruleset.last_space:
            raise UsageError(
                f"{text!r}: {word!r} is beside its path",
                hint=f"Spaces are 1 to {ruleset.last_space}.",
            )
        leaders += bool(match[3])
        if color in paths or leaders > 1:
            raise UsageError(
                f"{text!r}: {word!r} is one too many",
                hint="A player has one pawn a path, and one leader.",
            )
        paths.add(color)
        points += score_space(ruleset, space, is_leader=bool(match[3]))
    return points
