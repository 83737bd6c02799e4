"""Many games at once, side by side, for strategies that decide for many views in one call.

A game's lockstep engine advances every game of a batch until it waits for such a strategy or has
ended; finished games make room for the next ones. Then each strategy that is waited for is asked
about all its views together. What it is given are copies that it cannot write to, and what it
answers is checked here and, for legality, by the acts of the game.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from lcsim.errors import StrategyBrokeError
from lcsim.rules.game import PARAMS_DTYPE, Compiled, blame
from lcsim.rules.kernel import (
    AT_DEAL,
    AT_MOVE,
    AT_ROTATION,
    AT_SIZE,
    AT_STRATEGY,
    BAD_DRAW,
    BAD_PLAY,
    BAD_STEP,
    DONE,
    FAULTS,
    explain_break,
    seat_strategies,
    set_apart,
    show_place,
)
from lcsim.rules.pointers import find_address
from lcsim.rules.streams import Stream, Streams
from lcsim.rules.underway import OverrunError, contain, decide_plainly

BATCH = 1024  # games side by side
_VIEWS_A_LIMIT = 256  # views for which a batch strategy may take the time of one more decision

# Where a game stands between two calls of an engine.
NEW_GAME, NEW_ROUND, NEW_TURN, PLAYING, DRAWING, STEPPING, OVER = range(7)

WAITS, ENDED = -1, -2  # of a round that is played on: for a move; to its end

_DECISIONS = {BAD_PLAY: "choose_play", BAD_DRAW: "choose_draw", BAD_STEP: "choose_step"}
_WROTE = "it wrote into its views, which it may only read, or into what outlives the move: no state"
_ALONE = "; asked about one view at a time it does not break: its answers depend on the batch"


def find_players(strategies: Sequence[Compiled]) -> tuple[list[Any], npt.NDArray[np.int64]]:
    """Return the different batch strategies, and each strategy's number among them, -1 for none."""
    players: list[Any] = []
    numbers = []
    for strategy in strategies:
        if strategy.batch is not None and not any(one is strategy.batch for one in players):
            players.append(strategy.batch)
        found = [n for n, one in enumerate(players) if one is strategy.batch]
        numbers.append(found[0] if found else -1)
    return players, np.array(numbers, np.int64)


def build_engine_dtype(n_seats: int, n_decisions: int) -> np.dtype[Any]:
    """Return the record of who plays and where an engine is; all by strategy."""
    return np.dtype(
        [
            ("seed", "u8"),
            ("first_deal", "i8"),
            ("lane", "i8"),  # whose compiled strategy is asked
            ("next_game", "i8"),  # the number of the game that the next free lane takes
            ("at", "i8", (AT_SIZE,)),
            ("players", "i8", (n_seats,)),  # the number among the batch strategies, or -1
            ("waiting", "i8", (n_seats * n_decisions,)),  # games in each box
            ("hooks", "u8", (n_decisions, n_seats)),  # addresses of compiled decisions
            ("params", PARAMS_DTYPE, (n_seats,)),
        ]
    )


def build_slip_dtype(view: np.dtype[Any]) -> np.dtype[Any]:
    """Return the record of a game that waits in a box.

    There is a box for each batch strategy and decision, in that order.
    """
    return np.dtype(
        [
            ("seen", view),
            *([("unused", "u1", (-view.itemsize % 8,))] if view.itemsize % 8 else []),
            ("stream", "u8", (4,)),  # the seat's random numbers
            ("lane", "i8"),
            ("move", "i8"),  # the answer
        ]
    )


def set_up_engine(
    dtype: np.dtype[Any],
    strategies: Sequence[Compiled],
    signature: Any,
    *,
    seed: int,
    first_deal: int,
) -> tuple[list[Any], npt.NDArray[Any]]:
    """Return the different batch strategies, and the engine's record, (1,).

    It holds addresses of the strategies' hooks, because an engine is called at every step and is
    handed numbers quickly; the strategies keep what is there.
    """
    engine = set_apart(1, dtype)
    players, numbers = find_players(strategies)
    params, _, _ = seat_strategies(strategies)
    engine["seed"], engine["first_deal"] = np.uint64(seed), first_deal
    engine["players"][0, : len(numbers)] = numbers
    for number, strategy in enumerate(strategies):
        hooks = [find_address(hook, signature) for hook in strategy.hooks]
        engine["hooks"][0, :, number] = hooks
    engine["params"][0, : len(params)] = params
    return players, engine


def view_words(lanes: npt.NDArray[Any], field: str, *shape: int) -> npt.NDArray[np.uint64]:
    """Return the memory of a field of lanes (n,) as words, (n, *shape)."""
    fields: Mapping[str, Any] = lanes.dtype.fields or {}
    start = fields[field][1] // 8
    words = lanes.view(np.uint64).reshape(len(lanes), -1)
    return words[:, start : start + math.prod(shape)].reshape(len(lanes), *shape)


def ask(
    player: Any, decision: str, views: npt.NDArray[Any], streams: Streams
) -> npt.NDArray[np.int64]:
    """Return a batch strategy's moves for locked views (n,) and their streams, int64 (n,).

    Raises ValueError for an answer that cannot be moves, and whatever the strategy raises.
    """
    try:
        with contain():
            answer = getattr(player, decision)(views, streams)
    except ValueError as error:
        if "read-only" not in str(error):
            raise
        told = ValueError(_WROTE)
        raise told.with_traceback(error.__traceback__) from error
    n = len(views)
    wanted = f"; wanted is an array of {n} whole {'number' if n == 1 else 'numbers'}, one a view"
    if type(answer) is not np.ndarray:  # of a masked one the mask would be lost
        raise ValueError(f"it returned {_describe(answer)}{wanted}")
    if answer.dtype.kind == "f" and np.isnan(answer).any():
        raise ValueError(f"it returned NaN for {np.isnan(answer).sum()} of {n} views{wanted}")
    if answer.dtype.kind not in "iu":
        raise ValueError(f"it returned an array of {answer.dtype}{wanted}")
    if answer.shape != (n,):
        raise ValueError(f"it returned an array of shape {answer.shape}{wanted}")
    if answer.dtype.kind == "u" and n and answer.max() > np.iinfo(np.int64).max:
        raise ValueError(f"it returned {answer.max()}, which is not a move")
    moves: npt.NDArray[np.int64] = answer.astype(np.int64)
    return moves


def ask_one(
    player: Any, decision: str, view: tuple[Any, ...], rng: Stream, dtype: np.dtype[Any]
) -> int:
    """Return a batch strategy's move for one view of the referee: a batch of one."""
    states = np.array([rng.state], np.uint64)
    views = lock_records(np.array([tuple(view)], dtype))
    move = ask(player, decision, views, Streams(states))[0]
    rng.state = [int(word) for word in states[0]]
    return int(move)


def lock_records(records: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return records (n,) as an array on the same memory that nobody can write to."""
    return np.frombuffer(records.view(np.uint8).data.toreadonly(), records.dtype)


class Account:
    """Tells of games side by side who is deciding, and who broke what."""

    def __init__(
        self,
        play_game: Callable[..., Any],
        ruleset: Any,
        strategies: Sequence[Compiled],
        *,
        engine: npt.NDArray[Any],
        lanes: npt.NDArray[Any],
    ) -> None:
        """`play_game` is the referee's; `engine` and `lanes` are what the engine writes."""
        self.play_game, self.ruleset, self.strategies = play_game, ruleset, strategies
        self.engine, self.lanes = engine[0], lanes
        self.at, self.seed = engine["at"][0], int(engine["seed"][0])

    def __getitem__(self, _seat: int) -> Any:
        """Return what has the round and the turn of the game that the engine is at."""
        return self.lanes[self.engine["lane"]]

    def watch_engine(self) -> AbstractContextManager[None]:
        """Let a watcher see which compiled strategy is deciding while the body runs."""
        return show_place(self.ruleset, self.strategies, self, seed=self.seed, at=self.at)

    def watch_player(self, decision: str, lane: Any, n: int) -> AbstractContextManager[None]:
        """Let a watcher see a batch strategy that decides for n views, the first of `lane`."""
        game = (self.ruleset, self.seed, [one.decider.spec for one in self.strategies])
        share = 1 + n // _VIEWS_A_LIMIT
        return cast(
            AbstractContextManager[None],
            decide_plainly(lambda error: self.blame(decision, lane, error), game, share),
        )

    def blame(self, decision: str, lane: Any, error: Exception) -> StrategyBrokeError:
        """Return the error for a batch strategy that raised, with the line in its file."""
        number = (lane["seat"] - lane["rotation"]) % len(self.strategies)
        return blame(
            self.strategies[number].decider,
            decision,
            error,
            place=f"round {lane['round']}, turn {lane['turn']}",
            where={
                "deal": int(lane["deal"]),
                "rotation": int(lane["rotation"]),
                "strategy": int(number),
            },
        )

    def explain_engine(self, status: int, error: Exception | None) -> StrategyBrokeError:
        """Return the error for an engine that stopped, at what a strategy raised or answered."""
        fault = str(error) if error else FAULTS[status].format(move=self.at[AT_MOVE])
        told = self._replay(fault)
        if told.replay is not None or self.strategies[told.strategy].batch is None:
            return told
        lane = self.lanes[self.engine["lane"]]
        return self.blame(_DECISIONS.get(status, ""), lane, ValueError(fault + _ALONE))

    def explain_player(self, decision: str, lane: Any, error: Exception) -> StrategyBrokeError:
        """Return the error for what a batch strategy raised: the referee's, if it meets it too."""
        self.at[AT_DEAL], self.at[AT_ROTATION] = lane["deal"], lane["rotation"]
        self.at[AT_STRATEGY] = (lane["seat"] - lane["rotation"]) % len(self.strategies)
        told = self._replay(str(error))
        return told if told.replay is not None else self.blame(decision, lane, _note_batch(error))

    def _replay(self, fault: str) -> StrategyBrokeError:
        return explain_break(
            self.play_game, self.ruleset, self.strategies, seed=self.seed, at=self.at, fault=fault
        )


def run_lockstep(
    advance: Callable[[], int],
    account: Account,
    *,
    slips: npt.NDArray[Any],
    players: Sequence[Any],
    decisions: Sequence[str],
) -> None:
    """Advance the games and ask for the moves they wait for, until all have ended.

    `advance` returns DONE or what a strategy did wrong. `slips` are where games wait, (n boxes,
    n lanes). Raises StrategyBrokeError.
    """
    waiting = account.engine["waiting"]
    while True:
        try:
            with account.watch_engine():
                status = advance()
        except Exception as error:  # of a compiled strategy
            raise account.explain_engine(DONE, error) from error
        if status != DONE:
            raise account.explain_engine(status, None)
        boxes = np.flatnonzero(waiting)
        if not boxes.size:
            return
        for box in map(int, boxes):
            asked = slips[box, : waiting[box]]
            player, decision = players[box // len(decisions)], decisions[box % len(decisions)]
            _ask_box(account, player, decision, asked)


def _ask_box(account: Account, player: Any, decision: str, asked: npt.NDArray[Any]) -> None:
    """Ask a batch strategy about the games that wait for it, and write down its moves."""
    views, states = lock_records(asked)["seen"], asked["stream"]
    before = states.copy()
    lane = account.lanes[asked["lane"][0]]
    try:
        with account.watch_player(decision, lane, len(asked)):
            asked["move"] = ask(player, decision, views, Streams(states))
    except OverrunError as error:
        raise account.blame(decision, lane, error) from error
    except Exception as error:
        which = _find_culprit(player, decision, views, before)
        lane = account.lanes[asked["lane"][which]]
        raise account.explain_player(decision, lane, error) from error


def _find_culprit(
    player: Any, decision: str, views: npt.NDArray[Any], states: npt.NDArray[np.uint64]
) -> int:
    """Return the first view that breaks a batch strategy alone; 0 where none does."""
    for i in range(len(views)):
        try:
            ask(player, decision, views[i : i + 1], Streams(states[i : i + 1]))
        except Exception:
            return i
    return 0


def _note_batch(error: Exception) -> Exception:
    """Return an error that says that it needs a batch, with the lines where it was raised."""
    kind = "" if type(error) is ValueError else f"{type(error).__name__}: "
    return ValueError(f"{kind}{error}{_ALONE}").with_traceback(error.__traceback__)


def _describe(answer: object) -> str:
    return "nothing" if answer is None else f"a {type(answer).__name__}"
