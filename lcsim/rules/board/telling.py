"""A replay told in words, turn by turn."""

from collections.abc import Mapping
from typing import Any

from lcsim.rules.board.outcome import TIE_BREAKER
from lcsim.rules.telling import (
    ENDINGS,
    UNFINISHED,
    name_seats,
    tell_address,
    tell_draw,
    tell_result,
)
from lcsim.wording import pluralise

Tiles = dict[str, dict[str, str]]  # what lies where, by color and space

_ENDINGS = {**ENDINGS, "bridges": "The last bridge is crossed: the round ends at once."}


def render_replay(record: Mapping[str, Any]) -> str:
    """Return the game of a replay record as lines of text."""
    names = name_seats(record)
    lines = [tell_address(record, names)]
    for round_ in record["rounds"]:
        lines += ["", f"Round {round_['round']}. {names[round_['starter']]} starts."]
        tiles = {color: dict(path) for color, path in round_["tiles"].items()}
        lines.append(f"Tiles: {_tell_tiles(tiles)}.")
        lines += [_tell_turn(i, turn, names, tiles) for i, turn in enumerate(round_["turns"])]
        if "ended_by" not in round_:
            return "\n".join([*lines, UNFINISHED])
        lines.append(_ENDINGS[round_["ended_by"]])
        lines += [_tell_seat(round_, seat, name) for seat, name in enumerate(names)]
    lines += ["", "Artefacts of the game:"]
    lines += [
        f"{name}: {number}, {points:+} {pluralise(points, 'point')}"
        for name, number, points in zip(
            names, record["artefacts"], record["artefact_points"], strict=True
        )
    ]
    return "\n".join([*lines, tell_result(record, names, tie=TIE_BREAKER)])


def _tell_tiles(tiles: Tiles) -> str:
    return "; ".join(
        " ".join(f"{color}{space} {tile}" for space, tile in path.items())
        for color, path in tiles.items()
        if path
    )


def _tell_turn(number: int, turn: Mapping[str, Any], names: list[str], tiles: Tiles) -> str:
    if "discard" in turn:
        act = f"discards {turn['discard']}"
    else:
        act = f"lays {turn['lay']}"
        if "pawn" in turn:
            act += f", starts with {'the leader' if turn['pawn'] == 'leader' else 'an explorer'}"
        moves = [
            _tell_move(color, str(space), tiles, acts="draw" in turn or i < len(turn["moves"]) - 1)
            for i, (color, space) in enumerate(turn["moves"])
        ]
        act += f", moves {', '.join(moves)}" if moves else ", moves no pawn"
    end = f" and {tell_draw(turn)}" if "draw" in turn else ""
    return f"{number:4}. {names[turn['seat']]} {act}{end}"


def _tell_move(color: str, space: str, tiles: Tiles, *, acts: bool) -> str:
    """Return where a pawn goes and the tile that acts there; an artefact is gone after that."""
    tile = tiles[color].get(space, "") if acts else ""
    if tile == "artefact":
        del tiles[color][space]
    return f"{color} to {space}" + (f" ({tile})" if tile else "")


def _tell_seat(round_: Mapping[str, Any], seat: int, name: str) -> str:
    pawns = ", ".join(
        f"{color} on {space}" + (" (leader)" if pawn == "leader" else "")
        for color, (space, pawn) in round_["pawns"][seat].items()
    )
    total = round_["totals"][seat]
    return (
        f"{name}: {pawns or 'no pawn'}; pawns {round_['space_points'][seat]:+}, "
        f"VP tiles {round_['vp'][seat]:+}, artefacts {round_['artefacts'][seat]}; "
        f"{total} {pluralise(total, 'point')}"
    )
