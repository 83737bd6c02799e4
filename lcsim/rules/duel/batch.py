"""Batches of duels through the kernel, or side by side where a batch strategy plays."""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lcsim.rules.duel import kernel, lockstep
from lcsim.rules.duel.outcome import ROW_DTYPE
from lcsim.rules.duel.referee import play_game
from lcsim.rules.duel.ruleset import SEATS, DuelRuleset, build_color_mask, build_deck, build_record
from lcsim.rules.duel.scoring import build_score_table
from lcsim.rules.duel.state import STATE_DTYPE, STATE_WORDS
from lcsim.rules.duel.view import VIEW_DTYPE, VIEW_WORDS
from lcsim.rules.game import Compiled
from lcsim.rules.kernel import (
    AT_MOVE,
    AT_SIZE,
    DONE,
    FAULTS,
    explain_break,
    seat_strategies,
    set_apart,
    show_place,
)
from lcsim.rules.kernel import load_kernel as load_any
from lcsim.rules.lockstep import (
    BATCH,
    Account,
    run_lockstep,
    set_up_engine,
    view_words,
)

_NO_FORKS = np.zeros(0, kernel.FORK_DTYPE)


def load_kernel(notify: Callable[[str], None] | None = None) -> Any:
    """Return the kernel, from the user's cache or compiled now; `notify` hears of the latter."""
    return load_any(kernel, title="the duel's kernel", notify=notify)


def load_lockstep(notify: Callable[[str], None] | None = None) -> Any:
    """Return the engine that waits for batch strategies, as `load_kernel`."""
    return load_any(lockstep, title="the duel's engine for batch strategies", notify=notify)


def play_deals(
    ruleset: DuelRuleset,
    *,
    seed: int,
    first_deal: int,
    n_deals: int,
    strategies: Sequence[Compiled],
    n_rotations: int = SEATS,
    trace: npt.NDArray[Any] | None = None,
    forks: npt.NDArray[Any] | None = None,
    batch: int = BATCH,
) -> npt.NDArray[Any]:
    """Play the deals first_deal .. first_deal + n_deals - 1, each in every rotation.

    Returns ROW_DTYPE (n_deals, n_rotations, n_rounds). `trace`, TURN_DTYPE (n,), gets the first n
    turns in the order of the rows. With `forks`, FORK_DTYPE (n_deals,), their games are played
    instead, (n_deals, 1, n_rounds). Where a batch strategy takes part, `batch` games are played
    side by side, which changes no row. Raises StrategyBrokeError.
    """
    rows = np.zeros((n_deals, n_rotations, ruleset.rounds), kernel.RESULT_DTYPE)
    address = (np.uint64(seed), first_deal, _NO_FORKS if forks is None else forks)
    traced = np.zeros(0, kernel.TURN_DTYPE) if trace is None else trace
    if any(strategy.batch is not None for strategy in strategies):
        _play_lockstep(ruleset, address, strategies, rows, traced, n_lanes=batch)
    else:
        _play_kernel(ruleset, address, strategies, rows, traced)
    return rows.view(ROW_DTYPE)


def _play_kernel(
    ruleset: DuelRuleset,
    address: tuple[Any, ...],
    strategies: Sequence[Compiled],
    rows: npt.NDArray[Any],
    trace: npt.NDArray[Any],
) -> None:
    """Fill `rows` and `trace` with the games, one after the other."""
    at = set_apart(AT_SIZE, np.int64)
    state = set_apart(1, STATE_DTYPE)
    plays, draws = zip(*(strategy.hooks for strategy in strategies), strict=True)
    views = _lay_out_views(ruleset)
    seed = int(address[0])
    try:
        play_batch = load_kernel()
        with show_place(ruleset, strategies, views, seed=seed, at=at):
            status = play_batch(
                build_record(ruleset),
                address,
                plays,
                draws,
                seat_strategies(strategies),
                (np.array(build_deck(ruleset), np.uint8), build_score_table(ruleset)),
                (views, views.view(np.uint64).reshape(-1, VIEW_WORDS)),
                (state[0], state.view(np.uint64)),
                rows,
                trace,
                at,
            )
    except Exception as error:
        fault = str(error)
        raise explain_break(
            play_game, ruleset, strategies, seed=seed, at=at, fault=fault
        ) from error
    if status != DONE:
        fault = FAULTS[status].format(move=at[AT_MOVE])
        raise explain_break(play_game, ruleset, strategies, seed=seed, at=at, fault=fault)


def _play_lockstep(
    ruleset: DuelRuleset,
    address: tuple[Any, ...],
    strategies: Sequence[Compiled],
    rows: npt.NDArray[Any],
    trace: npt.NDArray[Any],
    *,
    n_lanes: int,
) -> None:
    """Fill `rows` and `trace` with the games, at most `n_lanes` of them side by side."""
    begins = np.zeros((0, 0, 0), np.int64)
    if trace.size:  # where each round begins is known once its turns are
        _play_lockstep(ruleset, address, strategies, rows, trace[:0], n_lanes=n_lanes)
        ends = rows["turns"].astype(np.int64).cumsum()
        begins = (ends - rows["turns"].ravel()).reshape(rows.shape)
    n_lanes = min(n_lanes, rows[..., 0].size)
    seed, first_deal, forks = address
    setup = (lockstep.ENGINE_DTYPE, strategies, kernel.HOOK_SIGNATURE)
    players, engine = set_up_engine(*setup, seed=seed, first_deal=first_deal)
    lanes = set_apart(n_lanes, lockstep.LANE_DTYPE)
    _, lanes["streams"], lanes["limits"] = seat_strategies(strategies)
    lanes["views"] = _lay_out_views(ruleset)
    slips = np.zeros((engine["waiting"].size, n_lanes), lockstep.SLIP_DTYPE)
    advance = functools.partial(
        load_lockstep(),
        build_record(ruleset),
        engine[0],
        lanes,
        (
            view_words(lanes, "state", STATE_WORDS),
            view_words(lanes, "views", SEATS + 1, VIEW_WORDS),
        ),
        slips,
        (np.array(build_deck(ruleset), np.uint8), build_score_table(ruleset)),
        forks,
        rows,
        (trace, begins),
    )
    account = Account(play_game, ruleset, strategies, engine=engine, lanes=lanes)
    run_lockstep(advance, account, slips=slips, players=players, decisions=lockstep.DECISIONS)


def _lay_out_views(ruleset: DuelRuleset) -> npt.NDArray[Any]:
    views = set_apart(SEATS + 1, VIEW_DTYPE)
    for name in (
        "rounds",
        "colors",
        "hand_size",
        "expedition_cost",
        "turn_limit",
        "redraw_own_discard",
    ):
        views[name] = getattr(ruleset, name)
    views["bonus_cards"], views["bonus_points"] = ruleset.bonus_cards, ruleset.bonus_points
    views["color_mask"] = build_color_mask(ruleset)
    views["either"] = ruleset.direction == "either"
    return views
