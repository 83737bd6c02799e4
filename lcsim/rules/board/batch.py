"""Batches of board games through the kernel, or side by side where a batch strategy plays."""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lcsim.rules.board import kernel, lockstep
from lcsim.rules.board.outcome import RESULT_DTYPE, build_rows
from lcsim.rules.board.referee import Stack, play_game
from lcsim.rules.board.ruleset import (
    MAX_SEATS,
    RULES_DTYPE,
    BoardRuleset,
    build_deck,
    build_record,
    build_tiles,
    check_players,
)
from lcsim.rules.board.state import STATE_DTYPE
from lcsim.rules.board.view import SIGHT_DTYPE, VIEW_DTYPE, VIEW_WORDS, View
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

_SIDE_BY_SIDE = 2 * BATCH  # games; steps set them apart, so that half of them wait for each answer


def load_kernel(notify: Callable[[str], None] | None = None) -> Any:
    """Return the kernel, from the user's cache or compiled now; `notify` hears of the latter."""
    return load_any(kernel, title="the board game's kernel", notify=notify)


def load_lockstep(notify: Callable[[str], None] | None = None) -> Any:
    """Return the engine that waits for batch strategies, as `load_kernel`."""
    return load_any(lockstep, title="the board game's engine for batch strategies", notify=notify)


def play_deals(
    ruleset: BoardRuleset,
    *,
    seed: int,
    first_deal: int,
    n_deals: int,
    strategies: Sequence[Compiled],
    n_rotations: int | None = None,
    trace: npt.NDArray[Any] | None = None,
    stacks: Sequence[Stack] = (),
    batch: int = _SIDE_BY_SIDE,
) -> npt.NDArray[Any]:
    """Play the deals first_deal .. first_deal + n_deals - 1, each in every rotation.

    Returns rows of build_row_dtype(n strategies), (n_deals, n_rotations, n_rounds). `trace`,
    TURN_DTYPE (n,), gets the first n turns in the order of the rows; `stacks` lays out the rounds
    of each game by hand. Where a batch strategy takes part, `batch` games are played side by side,
    which changes no row. Raises StrategyBrokeError.
    """
    n_players = len(strategies)
    check_players(ruleset, n_players)
    rotations = n_players if n_rotations is None else n_rotations
    results = np.zeros((n_deals, rotations, ruleset.rounds), RESULT_DTYPE)
    traced = np.zeros(0, kernel.TURN_DTYPE) if trace is None else trace
    address = (seed, first_deal, stacks)
    if any(strategy.batch is not None for strategy in strategies):
        _play_lockstep(ruleset, address, strategies, results, traced, n_lanes=batch)
    else:
        _play_kernel(ruleset, address, strategies, results, traced)
    return build_rows(results, n_players)


def _play_kernel(
    ruleset: BoardRuleset,
    address: tuple[int, int, Sequence[Stack]],
    strategies: Sequence[Compiled],
    results: npt.NDArray[Any],
    trace: npt.NDArray[Any],
) -> None:
    """Fill `results` and `trace` with the games, one after the other."""
    (seed, first_deal, stacks), n_players = address, len(strategies)
    at = set_apart(AT_SIZE, np.int64)
    padded = [*strategies, *[strategies[0]] * (MAX_SEATS - n_players)]
    views = _lay_out_views(ruleset, n_players)
    replay = functools.partial(play_game, stacks=stacks)
    try:
        play_batch = load_kernel()
        with show_place(ruleset, strategies, views, seed=seed, at=at):
            status = play_batch(
                build_record(ruleset, n_players),
                (np.uint64(seed), first_deal),
                tuple(zip(*(strategy.hooks for strategy in padded), strict=True)),
                seat_strategies(padded),
                _build_supply(ruleset),
                _build_stacks(ruleset, stacks),
                (views.view(SIGHT_DTYPE)[0], views.view(np.uint64).reshape(-1, VIEW_WORDS)),
                set_apart(1, STATE_DTYPE)[0],
                results,
                trace,
                at,
            )
    except Exception as error:
        fault = str(error)
        raise explain_break(replay, ruleset, strategies, seed=seed, at=at, fault=fault) from error
    if status != DONE:
        fault = FAULTS[status].format(move=at[AT_MOVE])
        raise explain_break(replay, ruleset, strategies, seed=seed, at=at, fault=fault)


def _play_lockstep(
    ruleset: BoardRuleset,
    address: tuple[int, int, Sequence[Stack]],
    strategies: Sequence[Compiled],
    results: npt.NDArray[Any],
    trace: npt.NDArray[Any],
    *,
    n_lanes: int,
) -> None:
    """Fill `results` and `trace` with the games, at most `n_lanes` of them side by side."""
    begins = np.zeros((0, 0, 0), np.int64)
    if trace.size:  # where each round begins is known once its turns are
        _play_lockstep(ruleset, address, strategies, results, trace[:0], n_lanes=n_lanes)
        ends = results["turns"].astype(np.int64).cumsum()
        begins = (ends - results["turns"].ravel()).reshape(results.shape)
    (seed, first_deal, stacks), n_players = address, len(strategies)
    n_lanes = min(n_lanes, results[..., 0].size)
    setup = (lockstep.ENGINE_DTYPE, strategies, kernel.HOOK_SIGNATURE)
    players, engine = set_up_engine(*setup, seed=seed, first_deal=first_deal)
    lanes = set_apart(n_lanes, lockstep.LANE_DTYPE)
    _, lanes["streams"][:, :n_players], lanes["limits"][:, :n_players] = seat_strategies(strategies)
    lanes["sight"]["seen"] = _lay_out_views(ruleset, n_players)
    slips = np.zeros((engine["waiting"].size, n_lanes), lockstep.SLIP_DTYPE)
    advance = functools.partial(
        load_lockstep(),
        build_record(ruleset, n_players),
        engine[0],
        lanes,
        view_words(lanes, "sight", MAX_SEATS + 1, VIEW_WORDS),
        slips,
        _build_supply(ruleset),
        _build_stacks(ruleset, stacks),
        results,
        (trace, begins),
    )
    replay = functools.partial(play_game, stacks=stacks)
    account = Account(replay, ruleset, strategies, engine=engine, lanes=lanes)
    run_lockstep(advance, account, slips=slips, players=players, decisions=lockstep.DECISIONS)


def _build_supply(ruleset: BoardRuleset) -> tuple[npt.NDArray[Any], ...]:
    """Return the deck and the tiles in canonical order, and the places of tiles."""
    places = [
        color << 4 | space for color, path in enumerate(ruleset.tile_places) for space in path
    ]
    return (
        np.array(build_deck(ruleset), np.uint8),
        np.array(build_tiles(ruleset), np.int32),
        np.array(places, np.uint8),
    )


def _build_stacks(
    ruleset: BoardRuleset, stacks: Sequence[Stack]
) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    shape = (len(stacks), -1) if stacks else (0, 0)
    return (
        np.array([stack.deck for stack in stacks], np.uint8).reshape(shape),
        np.array([stack.tiles for stack in stacks], np.int32).reshape(shape),
    )


def _lay_out_views(ruleset: BoardRuleset, n_players: int) -> npt.NDArray[Any]:
    views = set_apart(MAX_SEATS + 1, VIEW_DTYPE)
    record = build_record(ruleset, n_players)
    for name in set(RULES_DTYPE.names or ()) & set(View._fields):
        views[name] = record[name]
    views["rounds"] = ruleset.rounds
    views["their_leaders"] = -1
    return views
