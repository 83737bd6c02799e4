"""What a game offers the floors above: one value a game, so that they never ask which it is."""

import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from lcsim.errors import StrategyBrokeError
from lcsim.rules.restriction import Restriction, Vocabulary
from lcsim.rules.ruleset import FieldNote
from lcsim.rules.underway import OverrunError

MAX_PARAMS = 64
MAX_GUESTS = 2
# A strategy's parameters in a kernel: numbers, and addresses of its guests (see lcsim.rules.guest).
PARAMS_DTYPE = np.dtype([("value", "f8", (MAX_PARAMS,)), ("guest", "u8", (MAX_GUESTS,))])
TWELFTHS = 12  # a win in units that two, three or four winners can share


class Settled(NamedTuple):
    """Games decided: points and win shares, int64 (n_deals, n_rotations, n_strategies)."""

    points: npt.NDArray[np.int64]
    win_twelfths: npt.NDArray[np.int64]


class Decider(Protocol):
    """A strategy as the referee plays it; a game's `decisions` name the methods it calls."""

    name: str
    spec: str
    path: Path
    lines: Mapping[str, int]  # where each decision begins in the file of `path`
    restriction: Restriction  # what its seat may not do


class Compiled(Protocol):
    """A strategy as a kernel plays it: function pointers in the order of the game's `decisions`."""

    @property
    def hooks(self) -> tuple[Any, ...]:
        """One compiled function a decision."""

    @property
    def params(self) -> npt.NDArray[np.float64]:
        """The parameters, float64[n], n >= 1."""

    @property
    def guests(self) -> Sequence[int]:
        """The addresses of its guests' records, as many as it declares."""

    @property
    def uses_rng(self) -> bool:
        """Whether it asks for random numbers."""

    @property
    def batch(self) -> Any:
        """The object whose methods decide for many views at once; None for compiled ones."""

    @property
    def decider(self) -> Decider:
        """The same strategy for the referee."""


@dataclass(frozen=True, slots=True)
class AuthorContract:
    """What an author writes, and how it becomes the game's decisions.

    `methods` gives the methods of each form with their arguments after `self`. `decisions` are the
    functions of (view, rng, params) that a kernel calls; `templates` has one for each by form, in
    which the author's methods and `build_self` are free names. Those of the batch form are never
    called: its games wait instead.
    """

    methods: Mapping[str, Mapping[str, tuple[str, ...]]]
    view_fields: tuple[str, ...]
    batch_dtype: np.dtype[Any]  # of a view as batch strategies get it
    decisions: tuple[str, ...]
    templates: Mapping[str, tuple[Callable[..., Any], ...]]
    signature: Any


@dataclass(frozen=True, slots=True)
class Game:
    """One game: its presets, how it is played, stored, scored and told."""

    kind: str
    title: str
    presets: Mapping[str, Any]
    player_counts: range
    endings: tuple[str, ...]
    row_dtype: Callable[[int], np.dtype[Any]]  # of a stored round, by number of players
    author: AuthorContract
    describe: Callable[[Any], list[FieldNote]]
    fixed: tuple[str, ...]  # rules that no field changes, a sentence each, with the source
    check_players: Callable[[Any, int], None]  # whether a ruleset can be played by that many
    load_kernel: Callable[..., Any]
    load_lockstep: Callable[..., Any]  # the engine that waits for batch strategies
    play_deals: Callable[..., npt.NDArray[Any]]
    settle_games: Callable[[Any, npt.NDArray[Any]], Settled]
    replay: Callable[..., dict[str, Any]]
    render_replay: Callable[[Mapping[str, Any]], str]
    score_text: Callable[[Any, str], int]
    shuffle_hidden: Callable[..., Any]
    restrictions: Vocabulary  # what a seat can be forbidden
    find_tools: Callable[..., Sequence[int]] = tuple  # addresses of the simulation's functions
    tie_breaker: str = ""  # who wins of those with equal points, where that decides anything
    fork_dtype: np.dtype[Any] | None = None  # a move forked, where the game knows what to fork
    play_forks: Callable[..., npt.NDArray[Any]] | None = None


def share_wins(points: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return each strategy's share of the win in twelfths: most points wins, equals share."""
    best = points == points.max(axis=2, keepdims=True)
    shares: npt.NDArray[np.int64] = best * (TWELFTHS // best.sum(axis=2, keepdims=True))
    return shares


def seat_of(strategy: int, rotation: int, n_seats: int) -> int:
    """Return the seat of a strategy in a rotation."""
    return (strategy + rotation) % n_seats


def order_by_seat(items: Sequence[Any], rotation: int) -> list[Any]:
    """Return `items`, given by strategy, in the order of their seats."""
    return [items[(seat - rotation) % len(items)] for seat in range(len(items))]


def blame(
    decider: Decider, decision: str, error: Exception, *, place: str, where: Mapping[str, int]
) -> StrategyBrokeError:
    """Return the error for a strategy that raised or chose nonsense, with the line in its file.

    `place` says where in the game; `where` is its deal and rotation, and the strategy's number.
    """
    text = str(error) or type(error).__name__
    if type(error) is not ValueError and not isinstance(error, OverrunError):
        text = f"{type(error).__name__}: {text}"
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(decider.path)]
    line = lines[-1] if lines else decider.lines.get(decision)
    return StrategyBrokeError(
        f"{decider.path}, line {line}: {decider.name} broke in {place} ({decision}): {text}",
        deal=where["deal"],
        rotation=where["rotation"],
        strategy=where["strategy"],
        path=decider.path,
        line=line,
    )
