"""A replay told in words, turn by turn."""

from collections.abc import Mapping
from typing import Any

_ENDINGS = {
    "deck": "The draw pile is empty: the round ends.",
    "turn_limit": "The turn limit is reached: the round is scored as it stands.",
}


def render_replay(record: Mapping[str, Any]) -> str:
    """Return the game of a replay record as lines of text."""
    names = _name_seats(record)
    lines = [
        f"{record['ruleset']}, seed {record['seed']}, deal {record['deal']}, "
        f"rotation {record['rotation']}: " + ", ".join(f"seat {s} {n}" for s, n in enumerate(names))
    ]
    for round_ in record["rounds"]:
        lines += ["", f"Round {round_['round'] + 1}. {names[round_['starter']]} starts."]
        lines += [_tell_turn(i, turn, names) for i, turn in enumerate(round_["turns"])]
        lines.append(_ENDINGS[round_["ended_by"]])
        for seat, expeditions in enumerate(round_["expeditions"]):
            cards = ", ".join(expeditions.values()) or "no expedition"
            lines.append(f"{names[seat]}: {cards}; {round_['scores'][seat]} points")
    totals = ", ".join(
        f"{name} {total}" for name, total in zip(names, record["totals"], strict=True)
    )
    winners = [names[seat] for seat in record["winners"]]
    verdict = f"{winners[0]} wins" if len(winners) == 1 else "a draw"
    return "\n".join([*lines, "", f"Final score: {totals}: {verdict}."])


def _name_seats(record: Mapping[str, Any]) -> list[str]:
    """Return the strategies' specs by seat, told apart where one plays itself."""
    specs = record["strategies"]
    by_seat = [specs[record["seats"].index(seat)] for seat in range(len(specs))]
    if len(set(by_seat)) == len(by_seat):
        return by_seat
    return [f"{spec} (seat {seat})" for seat, spec in enumerate(by_seat)]


def _tell_turn(number: int, turn: Mapping[str, Any], names: list[str]) -> str:
    act = f"lays {turn['lay']}" if "lay" in turn else f"discards {turn['discard']}"
    if turn["draw"] == "deck":
        source = f"draws {turn['drawn']}"
    else:
        source = f"takes {turn['drawn']} from the discard pile"
    return f"{number + 1:4}. {names[turn['seat']]} {act} and {source}"
