"""A replay told in words, turn by turn."""

from collections.abc import Mapping
from typing import Any

from lcsim.rules.telling import (
    ENDINGS,
    UNFINISHED,
    name_seats,
    tell_address,
    tell_draw,
    tell_result,
)
from lcsim.wording import pluralise


def render_replay(record: Mapping[str, Any]) -> str:
    """Return the game of a replay record as lines of text."""
    names = name_seats(record)
    lines = [tell_address(record, names)]
    for round_ in record["rounds"]:
        lines += ["", f"Round {round_['round']}. {names[round_['starter']]} starts."]
        lines += [_tell_turn(i, turn, names) for i, turn in enumerate(round_["turns"])]
        if "ended_by" not in round_:
            return "\n".join([*lines, UNFINISHED])
        lines.append(ENDINGS[round_["ended_by"]])
        for seat, expeditions in enumerate(round_["expeditions"]):
            cards = ", ".join(expeditions.values()) or "no expedition"
            score = round_["scores"][seat]
            lines.append(f"{names[seat]}: {cards}; {score} {pluralise(score, 'point')}")
    return "\n".join([*lines, "", tell_result(record, names)])


def _tell_turn(number: int, turn: Mapping[str, Any], names: list[str]) -> str:
    act = f"lays {turn['lay']}" if "lay" in turn else f"discards {turn['discard']}"
    return f"{number:4}. {names[turn['seat']]} {act} and {tell_draw(turn)}"
