"""Games forked where a wager was laid: the same deal again, with that wager forbidden at that turn.

What a wager was worth to a strategy at the moment it laid it is what the game brought as it was
played, less what it brings with the strategy's best other move there, both played to the end. The
deal, the opponent and everything before the turn are the same.
"""

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import from_dtype, types
from numba.extending import register_jitable

from lcsim.compiled import CompilationUnit
from lcsim.errors import UsageError
from lcsim.rules.bits import count_bits
from lcsim.rules.duel.batch import play_deals
from lcsim.rules.duel.cards import COLOR_SLOTS, MAX_COLORS, WAGER_MASK, add_ranks
from lcsim.rules.duel.kernel import FORK_DTYPE, RESULT_DTYPE, TURN_DTYPE, shuffle_decks
from lcsim.rules.duel.legal import DISCARD, DRAW_DECK
from lcsim.rules.duel.outcome import settle_games
from lcsim.rules.duel.ruleset import RULES_DTYPE, SEATS, DuelRuleset, build_deck, build_record
from lcsim.rules.game import Compiled

FORK_ROW_DTYPE = np.dtype(
    [
        ("deal", "i8"),
        ("rotation", "i1"),
        ("strategy", "i1"),  # number of the strategy that laid the wager
        ("round", "i2"),
        ("turn", "i2"),  # turns of the round before it, of both seats
        ("color", "i1"),
        ("wager", "i1"),  # 1 to 3: which of its expedition
        ("cards", "i1"),  # cards of the color in hand, the wager included
        ("opened", "i1"),  # expeditions of its own in this round before it
        ("held", "i2"),  # sum of the ranks of the color in hand
        ("deck_left", "i2"),
        *((f"score_{strategy}", "i4") for strategy in range(SEATS)),  # of the game, as played
        *((f"other_{strategy}", "i4") for strategy in range(SEATS)),  # with the best other move
    ]
)

_SIGNATURE = types.int64(
    from_dtype(RULES_DTYPE),
    types.Tuple((types.uint64, types.int64)),
    types.uint8[::1],
    from_dtype(RESULT_DTYPE)[:, :, ::1],
    from_dtype(TURN_DTYPE)[::1],
    from_dtype(FORK_ROW_DTYPE)[::1],
)


def play_forks(
    ruleset: DuelRuleset,
    *,
    seed: int,
    first_deal: int,
    n_deals: int,
    strategies: Sequence[Compiled],
) -> npt.NDArray[Any]:
    """Play the deals in every rotation, and again for every wager laid with it forbidden there.

    Returns FORK_ROW_DTYPE (n wagers laid,), in the order in which they were laid. Raises
    StrategyBrokeError, and UsageError for a strategy that is restricted at one turn already.
    """
    for strategy in strategies:
        if strategy.decider.restriction.turn >= 0:
            raise UsageError(
                f"{strategy.decider.spec} is restricted at one turn: its games cannot be forked",
                hint="Fork the strategy without that restriction.",
            )
    address: dict[str, Any] = {"seed": seed, "first_deal": first_deal, "n_deals": n_deals}
    rows = play_deals(ruleset, **address, strategies=strategies)
    trace = np.zeros(int(rows["turns"].sum()), TURN_DTYPE)
    play_deals(ruleset, **address, strategies=strategies, trace=trace)
    found = _find_wagers(ruleset, seed, first_deal, rows, trace)
    if not found.size:
        return found
    forks = np.zeros(found.size, FORK_DTYPE)
    for name in ("deal", "rotation", "strategy", "round", "turn", "color"):
        forks[name] = found[name]
    forks["deny"] = WAGER_MASK
    others = play_deals(
        ruleset,
        seed=seed,
        first_deal=first_deal,
        n_deals=found.size,
        n_rotations=1,
        strategies=strategies,
        forks=forks,
    )
    played = settle_games(rows).points[found["deal"] - first_deal, found["rotation"]]
    forked = settle_games(others).points[:, 0]
    for number in range(SEATS):
        found[f"score_{number}"] = played[:, number]
        found[f"other_{number}"] = forked[:, number]
    return found


def _find_wagers(
    ruleset: DuelRuleset,
    seed: int,
    first_deal: int,
    rows: npt.NDArray[Any],
    trace: npt.NDArray[Any],
) -> npt.NDArray[Any]:
    laid = (trace["play"] < DISCARD) & (1 << (trace["play"] & 15) & WAGER_MASK != 0)
    found = np.zeros(np.count_nonzero(laid), FORK_ROW_DTYPE)
    _compile_finder()(
        build_record(ruleset),
        (np.uint64(seed), first_deal),
        np.array(build_deck(ruleset), np.uint8),
        rows.view(RESULT_DTYPE),
        trace,
        found,
    )
    return found


@functools.cache
def _compile_finder() -> Any:
    source = Path(__file__)
    unit = CompilationUnit(source, source.read_text(encoding="utf-8"))
    return unit.compile(find_wagers, _SIGNATURE, {})


def find_wagers(rules, address, deck, results, trace, found):
    """Follow the traced turns with the cards in view; write down every wager laid, return n."""
    n_found = at = 0
    decks = np.empty((results.shape[2], deck.size), np.uint8)
    generator = np.empty(4, np.uint64)
    hand = np.empty((SEATS, COLOR_SLOTS), np.int64)
    laid = np.empty((SEATS, COLOR_SLOTS), np.int64)
    for d in range(results.shape[0]):
        shuffle_decks(decks, deck, generator, address[0], address[1] + d)
        for rotation in range(results.shape[1]):
            for round_ in range(results.shape[2]):
                result = results[d, rotation, round_]
                hand[:] = 0
                laid[:] = 0
                drawn = SEATS * rules.hand_size
                for i in range(drawn):
                    hand[i & 1, decks[round_, i] >> 4] |= 1 << (decks[round_, i] & 15)
                seat = result.starter ^ rotation
                for turn in range(result.turns):
                    play, card = trace[at].play, trace[at].drawn
                    color, bit = (play >> 4) & 7, 1 << (play & 15)
                    if play < DISCARD:
                        if bit & WAGER_MASK:
                            row = found[n_found]
                            n_found += 1
                            row.deal, row.rotation, row.round = result.deal, rotation, round_
                            row.strategy, row.turn, row.color = seat ^ rotation, turn, color
                            row.deck_left = deck.size - drawn
                            _describe_wager(row, hand[seat], laid[seat])
                        laid[seat, color] |= bit
                    hand[seat, color] &= ~bit
                    hand[seat, card >> 4] |= 1 << (card & 15)
                    drawn += trace[at].draw == DRAW_DECK
                    at += 1
                    seat ^= 1
    return n_found


@register_jitable
def _describe_wager(row, hand, laid):
    row.wager = count_bits(laid[row.color]) + 1
    row.cards = count_bits(hand[row.color])
    row.held = add_ranks(hand[row.color])
    row.opened = 0
    for color in range(MAX_COLORS):
        row.opened += laid[color] != 0
