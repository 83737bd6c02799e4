"""Batches of duels through the kernel, and what is said when a strategy breaks in one."""

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lcsim.compiled import CompilationUnit
from lcsim.errors import StrategyBrokeError
from lcsim.rules.duel import kernel
from lcsim.rules.duel.outcome import ROW_DTYPE
from lcsim.rules.duel.referee import play_game
from lcsim.rules.duel.ruleset import SEATS, DuelRuleset, build_color_mask, build_deck, build_record
from lcsim.rules.duel.scoring import build_score_table
from lcsim.rules.duel.view import VIEW_DTYPE, VIEW_WORDS
from lcsim.rules.game import PARAMS_DTYPE, Compiled
from lcsim.rules.streams import RNG_DTYPE

_FAULTS = {
    kernel.BAD_PLAY: "chose {move}, which is not a legal play",
    kernel.BAD_DRAW: "chose {move}, which is not a legal draw",
    kernel.WROTE_VIEW: "wrote into its view, which it may only read",
}


def load_kernel(notify: Callable[[str], None] | None = None) -> Any:
    """Return the kernel, from the user's cache or compiled now; `notify` hears of the latter."""
    unit = _kernel_unit()
    if notify and not unit.is_compiled(kernel.play_batch.__name__):
        notify("compiling the duel's kernel, once for this version of lcsim: about ten seconds")
    return _compile_kernel()


@functools.cache
def _kernel_unit() -> CompilationUnit:
    source = Path(kernel.__file__)
    return CompilationUnit(source, source.read_text(encoding="utf-8"))


@functools.cache
def _compile_kernel() -> Any:
    return _kernel_unit().compile(kernel.play_batch, kernel.SIGNATURE, {})


def play_deals(
    ruleset: DuelRuleset,
    *,
    seed: int,
    first_deal: int,
    n_deals: int,
    strategies: Sequence[Compiled],
    n_rotations: int = SEATS,
    trace: npt.NDArray[Any] | None = None,
) -> npt.NDArray[Any]:
    """Play the deals first_deal .. first_deal + n_deals - 1, each in every rotation.

    Returns ROW_DTYPE (n_deals, n_rotations, n_rounds). `trace`, TURN_DTYPE (n,), gets the first n
    turns in the order of the rows. Raises StrategyBrokeError.
    """
    rows = np.zeros((n_deals, n_rotations, ruleset.rounds), kernel.RESULT_DTYPE)
    at = np.zeros(kernel.AT_SIZE, np.int64)
    state = np.zeros(1, kernel.STATE_DTYPE)
    plays, draws = zip(*(strategy.hooks for strategy in strategies), strict=True)
    views = _lay_out_views(ruleset)
    seating = (
        np.array([(strategy.params,) for strategy in strategies], PARAMS_DTYPE),
        np.array([((0,) * 4, int(strategy.uses_rng)) for strategy in strategies], RNG_DTYPE),
    )
    try:
        status = load_kernel()(
            build_record(ruleset),
            (np.uint64(seed), first_deal),
            plays,
            draws,
            seating,
            (np.array(build_deck(ruleset), np.uint8), build_score_table(ruleset)),
            (views, views.view(np.uint64).reshape(-1, VIEW_WORDS)),
            (state[0], state.view(np.uint64)),
            rows,
            np.zeros(0, kernel.TURN_DTYPE) if trace is None else trace,
            at,
        )
    except Exception as error:
        raise _explain(ruleset, strategies, seed, at, str(error)) from error
    if status != kernel.DONE:
        fault = _FAULTS[status].format(move=at[kernel.AT_MOVE])
        raise _explain(ruleset, strategies, seed, at, fault)
    return rows.view(ROW_DTYPE)


def _lay_out_views(ruleset: DuelRuleset) -> npt.NDArray[Any]:
    views = np.zeros(SEATS + 1, VIEW_DTYPE)
    for name in ("rounds", "colors", "hand_size", "expedition_cost", "turn_limit"):
        views[name] = getattr(ruleset, name)
    views["bonus_cards"], views["bonus_points"] = ruleset.bonus_cards, ruleset.bonus_points
    views["color_mask"] = build_color_mask(ruleset)
    views["either"] = ruleset.direction == "either"
    return views


def _explain(
    ruleset: DuelRuleset,
    strategies: Sequence[Compiled],
    seed: int,
    at: npt.NDArray[np.int64],
    fault: str,
) -> StrategyBrokeError:
    """Return the referee's account of the game that broke, or the kernel's where it has none."""
    deal, rotation = int(at[kernel.AT_DEAL]), int(at[kernel.AT_ROTATION])
    deciders = [strategy.decider for strategy in strategies]
    try:
        play_game(ruleset, seed=seed, deal=deal, rotation=rotation, strategies=deciders)
    except StrategyBrokeError as broke:
        return broke
    number = int(at[kernel.AT_STRATEGY])
    return StrategyBrokeError(
        f"{deciders[number].name} broke (deal {deal}, rotation {rotation}): {fault}",
        deal=deal,
        rotation=rotation,
        strategy=number,
    )
