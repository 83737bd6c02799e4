"""Whether a table of the board game can come about: its pawns, tiles and gains agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from lcsim.advise.position import fail
from lcsim.rules.board.cards import COLORS, color_of
from lcsim.rules.board.ruleset import ARTEFACT, NO_TILE, STEP, BoardRuleset
from lcsim.rules.board.table import Seat, Table
from lcsim.wording import pluralise

_STEPS = "A pawn moves one space for each card of its row; each step tile may move one pawn more."
_GAINS = "VP tiles count at once, pawns at the end of each round."


@dataclass(frozen=True, slots=True)
class Side:
    """A player: where its entries stand, `others[0].` or nothing, and the cards of its rows."""

    place: str
    seat: Seat
    cards: Sequence[int]


def check_reach(table: Table, sides: Sequence[Side], *, is_stepping: bool) -> None:
    """Raise PositionError at an entry that no round comes to; `is_stepping` where a step is due."""
    for side in sides:
        _check_rows(side, table.ruleset)
        _check_steps(side, table, unused=int(is_stepping and not side.place))
    _check_artefact_tiles(table, sides)
    for side in sides:
        _check_points(side, table)
    _check_artefacts(table, sides)


def _check_artefact_tiles(table: Table, sides: Sequence[Side]) -> None:
    for color, path in enumerate(table.tiles):
        furthest = max(side.seat.spaces[color] for side in sides)
        for space in range(furthest + 1):
            if path[space] == ARTEFACT:
                raise fail(
                    "tiles",
                    f"{COLORS[color]}{space}:artefact lies where a pawn has come by",
                    hint="The first pawn to come there takes it: leave it out, or move the pawn.",
                )


def _check_rows(side: Side, ruleset: BoardRuleset) -> None:
    for color, n in Counter(map(color_of, side.cards)).items():
        space, least = side.seat.spaces[color], min(n, ruleset.last_space)
        if space < least:
            raise fail(
                f"{side.place}pawns",
                f"{COLORS[color]}{space} is behind its row, whose {n} "
                f"{pluralise(n, 'card')} {pluralise(n, 'moves', 'move')} it to {least} at least",
                hint=_STEPS,
            )


def _check_steps(side: Side, table: Table, *, unused: int) -> None:
    """Check that the pawns have come no further than cards and step tiles could move them.

    Each space was reached by a card or by a step, and each step came of a card at the end of its
    path or of a pawn on a step tile. So where steps were needed and all were used, the last of them
    must have moved a pawn to where no step tile lies.
    """
    spaces, last = side.seat.spaces, table.ruleset.last_space
    rows = Counter(map(color_of, side.cards))
    pushed = [color for color, space in enumerate(spaces) if space > min(rows[color], last)]
    if pushed and all(table.tiles[color][spaces[color]] == STEP for color in pushed):
        unused = max(unused, 1)
    tiles = sum(table.tiles[c][s] == STEP for c, end in enumerate(spaces) for s in range(end + 1))
    if sum(spaces) + unused > len(side.cards) + tiles:
        spare = ", the last of which has moved no pawn yet" if unused and tiles else ""
        raise fail(
            f"{side.place}pawns",
            f"have come {sum(spaces)} {pluralise(sum(spaces), 'space')}, but there are "
            f"{len(side.cards)} {pluralise(len(side.cards), 'card')} in rows, and {tiles} step "
            f"{pluralise(tiles, 'tile')} reached{spare}",
            hint=_STEPS,
        )


def _check_points(side: Side, table: Table) -> None:
    """Check points against the VP tiles of this round and what earlier rounds can have brought."""
    points, rules = side.seat.points, table.ruleset
    gained = sum(
        max(table.tiles[color][space], 0)
        for color, end in enumerate(side.seat.spaces)
        for space in range(end + 1)
    )
    if points < gained or (points > gained and not table.round):
        what = "in the first round" if not table.round else "at least"
        raise fail(
            f"{side.place}points",
            f"are {points}, but the VP tiles that these pawns have reached give {gained} {what}",
            hint=_GAINS,
        )
    best = max(rules.space_points)
    pawns = max(0, best) * (rules.explorers + max(1, rules.leader_factor))
    most = gained + table.round * (pawns + sum(rules.vp_tiles))
    if points > most:
        raise fail(
            f"{side.place}points",
            f"are {points}, and {table.round} {pluralise(table.round, 'round')} and the VP tiles "
            f"of this one give {most} at most",
            hint=_GAINS,
        )


def _check_artefacts(table: Table, sides: Sequence[Side]) -> None:
    """Check that those taken are shared out, among players whose pawns have come by."""
    gone = [
        (color, space)
        for color, places in enumerate(table.ruleset.tile_places)
        for space in places
        if table.tiles[color][space] == NO_TILE
    ]
    passed = [{p for p in gone if side.seat.spaces[p[0]] >= p[1]} for side in sides]
    for size in range(1, len(sides) + 1):
        for group in combinations(range(len(sides)), size):
            rest = [passed[k] for k in range(len(sides)) if k not in group]
            alone = set(gone).difference(*rest)
            held = sum(sides[k].seat.artefacts for k in group)
            if held < len(alone):
                raise fail(
                    f"{sides[group[0]].place}artefacts",
                    f"{_name_group(sides, group)} {held}, but {len(alone)} that "
                    f"{pluralise(len(alone), 'is', 'are')} gone from this round's tiles lay where "
                    f"only {'these' if size > 1 else 'this'} {pluralise(size, 'player')} came by",
                    hint="An artefact is its player's for the rest of the game.",
                )
    held = sum(side.seat.artefacts for side in sides)
    most = len(gone) + table.round * table.ruleset.artefact_tiles
    if held > most:
        raise fail(
            "artefacts",
            f"of all players are {held} together, and {most} can have been taken so far",
            hint=f"{len(gone)} are gone from this round's tiles, and a round has "
            f"{table.ruleset.artefact_tiles}.",
        )


def _name_group(sides: Sequence[Side], group: Sequence[int]) -> str:
    others = " and ".join(f"{sides[k].place}artefacts" for k in group[1:])
    return f"and {others} are together" if others else "is"
