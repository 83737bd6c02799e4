"""A replay told in words: what every game's account has."""

from collections.abc import Mapping, Sequence
from typing import Any

ENDINGS: Mapping[str, str] = {
    "deck": "The draw pile is empty: the round ends.",
    "turn_limit": "The turn limit is reached: the round is scored as it stands.",
}
UNFINISHED = "The game goes no further."


def name_seats(record: Mapping[str, Any]) -> list[str]:
    """Return the strategies' specs by seat, told apart where one plays itself."""
    specs = record["strategies"]
    by_seat = [specs[record["seats"].index(seat)] for seat in range(len(specs))]
    if len(set(by_seat)) == len(by_seat):
        return by_seat
    return [f"{spec} (seat {seat})" for seat, spec in enumerate(by_seat)]


def tell_address(record: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return the first line: which game this is, and who sits where."""
    return (
        f"{record['ruleset']}, seed {record['seed']}, deal {record['deal']}, "
        f"rotation {record['rotation']}: " + ", ".join(f"seat {s} {n}" for s, n in enumerate(names))
    )


def tell_draw(turn: Mapping[str, Any]) -> str:
    """Return where a turn's card came from."""
    if turn["draw"] == "deck":
        return f"draws {turn['drawn']}"
    return f"takes {turn['drawn']} from the discard pile"


def tell_result(record: Mapping[str, Any], names: Sequence[str], *, tie: str = "") -> str:
    """Return the last line: the final scores and who has won.

    `tie` is what decides between equal points; it is told where it did.
    """
    totals = ", ".join(
        f"{name} {total}" for name, total in zip(names, record["totals"], strict=True)
    )
    winners = [names[seat] for seat in record["winners"]]
    if len(winners) == 1:
        verdict = f"{winners[0]} wins"
    elif len(winners) == len(names):
        verdict = "a draw"
    else:
        verdict = f"{', '.join(winners[:-1])} and {winners[-1]} share the win"
    if tie and record["totals"].count(max(record["totals"])) > len(winners):
        verdict += f" ({tie})"
    return f"Final score: {totals}: {verdict}."
