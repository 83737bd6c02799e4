"""What a round and a game come to: the row stored for a round, and who won."""

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lcsim.rules.board.cards import COLORS, MAX_COLORS
from lcsim.rules.board.ruleset import ARTEFACT, MAX_SEATS, STEP
from lcsim.rules.game import Settled, share_wins

ENDINGS = ("deck", "bridges", "turn_limit")
TIE_BREAKER = "more artefacts"
DECK, BRIDGES, TURN_LIMIT = range(len(ENDINGS))

_ARTEFACT_BITS = 20  # artefacts decide between equal points

# One round as the kernel writes it, by strategy.
RESULT_DTYPE = np.dtype(
    [
        ("deal", "i8"),
        ("rotation", "i1"),
        ("starter", "i1"),  # number of the strategy that started the round
        ("round", "i2"),
        ("turns", "i2"),  # of all seats together
        ("ended_by", "i2"),  # index into ENDINGS
        ("points", "i4", (MAX_SEATS,)),  # held after the round
        ("space_points", "i4", (MAX_SEATS,)),  # what the pawns brought
        ("vp", "i4", (MAX_SEATS,)),  # what the VP tiles brought
        ("artefact_points", "i4", (MAX_SEATS,)),  # of the game: in the last round, 0 before
        ("artefacts", "i2", (MAX_SEATS,)),  # taken in the round
        ("leader", "i1", (MAX_SEATS,)),  # color of the leader's path, -1 for none
        ("space", "i1", (MAX_SEATS, MAX_COLORS)),  # of the pawn on each path, 0 for none
    ]
)
_SHARED = ("deal", "rotation", "starter", "round", "turns", "ended_by")
_BY_STRATEGY = ("points", "space_points", "vp", "artefact_points", "artefacts", "leader")


@functools.cache
def build_row_dtype(n_players: int) -> np.dtype[Any]:
    """Return the dtype of a stored round: RESULT_DTYPE flat, `points_0` … `space_0_R` … ."""
    numbers = range(n_players)
    return np.dtype(
        [
            *((name, RESULT_DTYPE[name]) for name in _SHARED),
            *(
                (f"{name}_{number}", RESULT_DTYPE[name].base)
                for name in _BY_STRATEGY
                for number in numbers
            ),
            *(
                (f"space_{number}_{color}", RESULT_DTYPE["space"].base)
                for number in numbers
                for color in COLORS
            ),
        ]
    )


def build_rows(results: npt.NDArray[Any], n_players: int) -> npt.NDArray[Any]:
    """Return the kernel's results, RESULT_DTYPE of any shape, as rows to be stored."""
    rows = np.empty(results.shape, build_row_dtype(n_players))
    for name in _SHARED:
        rows[name] = results[name]
    for number in range(n_players):
        for name in _BY_STRATEGY:
            rows[f"{name}_{number}"] = results[name][..., number]
        for place, color in enumerate(COLORS):
            rows[f"space_{number}_{color}"] = results["space"][..., number, place]
    return rows


def settle_games(rows: npt.NDArray[Any]) -> Settled:
    """Find points and winners; `rows` is of build_row_dtype (n_deals, n_rotations, n_rounds).

    Most points win, then most artefacts; what is equal still is shared.
    """
    n_players = sum(name.startswith("leader_") for name in rows.dtype.names or ())

    def stack(name: str, last: slice) -> npt.NDArray[np.int64]:
        columns = [rows[f"{name}_{number}"][..., last] for number in range(n_players)]
        return np.stack([column.sum(axis=2, dtype=np.int64) for column in columns], axis=2)

    final = slice(-1, None)
    points = np.maximum(0, stack("points", final) + stack("artefact_points", final))
    artefacts = stack("artefacts", slice(None))
    return Settled(points, share_wins((points << _ARTEFACT_BITS) + artefacts))


def find_winners(totals: Sequence[int], artefacts: Sequence[int]) -> list[int]:
    """Return the seats with most points, of those the ones with most artefacts."""
    standing = list(zip(totals, artefacts, strict=True))
    return [seat for seat, one in enumerate(standing) if one == max(standing)]


def name_tile(tile: int) -> str:
    """Return a tile's name: artefact, step, or vp with its points."""
    return {ARTEFACT: "artefact", STEP: "step"}.get(tile, f"vp{tile}")
