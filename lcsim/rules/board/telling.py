"""A replay told in words, turn by turn."""

from collections.abc import Mapping
from typing import Any

from lcsim.rules.telling import ENDINGS, name_seats, tell_address, tell_draw, tell_result

_ENDINGS = {**ENDINGS, "bridges": "The last bridge is crossed: the round ends at once."}


def render_replay(record: Mapping[str, Any]) -> str:
    """Return the game of a replay record as lines of text."""
    names = name_seats(record)
    lines = [tell_address(record, names)]
    for round_ in record["rounds"]:
        lines += ["", f"Round {round_['round'] + 1}. {names[round_['starter']]} starts."]
        lines.append(f"Tiles: {_tell_tiles(round_['tiles'])}.")
        lines += [_tell_turn(i, turn, names) for i, turn in enumerate(round_["turns"])]
        lines.append(_ENDINGS[round_["ended_by"]])
        lines += [_tell_seat(round_, seat, name) for seat, name in enumerate(names)]
    lines += ["", "Artefacts of the game:"]
    lines += [
        f"{name}: {number}, {points:+} points"
        for name, number, points in zip(
            names, record["artefacts"], record["artefact_points"], strict=True
        )
    ]
    return "\n".join([*lines, tell_result(record, names)])


def _tell_tiles(tiles: Mapping[str, Mapping[str, str]]) -> str:
    return "; ".join(
        " ".join(f"{color}{space} {tile}" for space, tile in path.items())
        for color, path in tiles.items()
        if path
    )


def _tell_turn(number: int, turn: Mapping[str, Any], names: list[str]) -> str:
    if "discard" in turn:
        act = f"discards {turn['discard']}"
    else:
        act = f"lays {turn['lay']}"
        if "pawn" in turn:
            act += f", starting with {'the leader' if turn['pawn'] == 'leader' else 'an explorer'}"
        if turn["moves"]:
            act += ", moves to " + ", ".join(f"{color}{space}" for color, space in turn["moves"])
        else:
            act += ", moves nothing"
    end = f" and {tell_draw(turn)}" if "draw" in turn else ""
    return f"{number + 1:4}. {names[turn['seat']]} {act}{end}"


def _tell_seat(round_: Mapping[str, Any], seat: int, name: str) -> str:
    pawns = ", ".join(
        f"{color}{space}" + (" (leader)" if pawn == "leader" else "")
        for color, (space, pawn) in round_["pawns"][seat].items()
    )
    return (
        f"{name}: {pawns or 'no pawn'}; pawns {round_['space_points'][seat]:+}, "
        f"VP tiles {round_['vp'][seat]:+}, {round_['artefacts'][seat]} artefacts; "
        f"{round_['totals'][seat]} points"
    )
