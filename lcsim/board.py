"""The door for authors of strategies for the board game: everything a strategy may import.

A rating strategy defines `lay`, `discard`, `draw`, `open_with_leader` and `step`; each returns how
good that move is. The draw pile is worth 0, and so is moving no pawn; a leader starts an expedition
where `open_with_leader` is above 0. A deciding strategy defines `choose_play(self, view, rng)`,
which returns a card to lay it, with `+ LEADER` to start an expedition with the leader, or
`DISCARD + card`; `choose_draw(self, view, rng)`, which returns the color of a discard pile or
DRAW_DECK; and `choose_step(self, view, rng)`, which returns the color of the pawn that a step
moves, or NO_STEP. Both run in plain Python and compiled, and must do the same in both.

A batch strategy (BatchStrategy) has `choose_play(self, views, rngs)`, `choose_draw` and
`choose_step`, for n views at once: `views` is a structured array (n,) with the fields of View,
those by color (n, 5), by opponent (n, 3) and (n, 3, 5), tiles (n, 5, 13); `rngs` has one random
stream a view, and the answer is an array of n moves. It is plain NumPy, and may keep Weights in a
file beside its own. For it are PLAYS, DRAWS, STEPS and what is legal of them, unpack_cards,
next_tiles and space_gains; helpers that take a view are for the other forms.

A card is a small integer, `16 * color + rank`. A set of cards of one color counts: bit r is set for
a card of rank r, bit 16 + r for a second one, so count_bits counts cards. A set of ranks has the
low bits alone.
"""

from numba.extending import register_jitable

from lcsim.rules.bits import count_bits, highest_bit, lowest_bit
from lcsim.rules.board.arrays import (
    DRAWS,
    PLAYS,
    STEPS,
    legal_draws,
    legal_plays,
    legal_steps,
    next_tiles,
    space_gains,
    unpack_cards,
)
from lcsim.rules.board.cards import (
    MAX_COLORS,
    RANK_MASK,
    add_card,
    cards_of_ranks,
    color_of,
    count_card,
    join_cards,
    make_card,
    rank_of,
    remove_card,
)
from lcsim.rules.board.legal import DISCARD, DRAW_DECK, LEADER, NO_STEP, accepts_after
from lcsim.rules.board.ruleset import ARTEFACT, KIND, MAX_ARTEFACT_ENTRIES, NO_TILE, STEP
from lcsim.rules.board.simulate import lay_out, lay_out_step, weigh_card
from lcsim.rules.board.view import View
from lcsim.rules.search import pick_move
from lcsim.rules.simulate import ask_guest, deal_world, try_move
from lcsim.rules.streams import random_below, random_float
from lcsim.strategy.base import StrategyBase
from lcsim.strategy.params import Guest, Param
from lcsim.strategy.weights import Weights

__all__ = [
    "ARTEFACT",
    "DISCARD",
    "DRAWS",
    "DRAW_DECK",
    "LEADER",
    "MAX_COLORS",
    "NO_STEP",
    "NO_TILE",
    "PLAYS",
    "RANK_MASK",
    "STEP",
    "STEPS",
    "BatchStrategy",
    "Guest",
    "Param",
    "Strategy",
    "View",
    "Weights",
    "accepts_after",
    "add_card",
    "artefact_value",
    "ask_guest",
    "can_follow",
    "cards_of_ranks",
    "color_of",
    "count_bits",
    "count_card",
    "crossings_left",
    "deal_world",
    "factor_on",
    "highest_bit",
    "join_cards",
    "lay_out",
    "lay_out_step",
    "legal_draws",
    "legal_plays",
    "legal_steps",
    "lowest_bit",
    "make_card",
    "next_tile",
    "next_tiles",
    "pick_move",
    "plays_left",
    "random_below",
    "random_float",
    "rank_of",
    "remove_card",
    "skipped_cards",
    "space_gain",
    "space_gains",
    "starts_path",
    "try_move",
    "unpack_cards",
    "unseen_cards",
    "weigh_card",
]


class Strategy(StrategyBase):
    """The base of every strategy for the board game."""

    kind = KIND


class BatchStrategy(StrategyBase):
    """The base of every strategy for the board game that decides for many views at once."""

    kind = KIND
    is_batch = True


@register_jitable
def starts_path(view: View, card: int) -> bool:
    """Tell whether laying `card` starts an expedition of mine."""
    return view.spaces[card >> 4] == 0


@register_jitable
def factor_on(view: View, color: int) -> int:
    """Return what the spaces of `color` count for me: the leader's factor where it is, else 1."""
    return view.leader_factor if view.leader == color else 1


@register_jitable
def space_gain(view: View, color: int) -> int:
    """Return the points that the next space of `color` is worth above the one my pawn is on.

    0 at the end of the path. For a path not started it is the points of space 1, for an explorer.
    """
    space = view.spaces[color]
    if space >= view.last_space:
        return 0
    gain = view.space_points[space + 1] - view.space_points[space]
    return gain * factor_on(view, color)


@register_jitable
def next_tile(view: View, color: int) -> int:
    """Return the tile on the space after my pawn's of `color`: NO_TILE, ARTEFACT, STEP or VP."""
    space = view.spaces[color]
    return view.tiles[color][space + 1] if space < view.last_space else NO_TILE


@register_jitable
def artefact_value(view: View, n: int) -> int:
    """Return the points for holding `n` artefacts at the end of the game."""
    return view.artefact_points[min(n, MAX_ARTEFACT_ENTRIES - 1)]


@register_jitable
def crossings_left(view: View) -> int:
    """Return how many more pawns must cross a bridge to end the round."""
    return view.crossings_to_end - view.crossings


@register_jitable
def can_follow(accepts: int, card: int) -> bool:
    """Tell whether a row that accepts the ranks of `accepts` accepts `card`."""
    return accepts >> (card & 15) & 1 == 1


@register_jitable
def plays_left(view: View) -> int:
    """Return how many plays I have left, this one included, if only the draw pile is drawn from.

    Crossings may end the round before.
    """
    turns = min(view.deck_left, view.turn_limit - view.turn)
    return (turns + view.n_players - 1) // view.n_players


@register_jitable
def unseen_cards(view: View, color: int) -> int:
    """Return the cards of `color` that may be in the draw pile, unknown hands or out of the round.

    The result is a set: of each rank, as many as I have not seen.
    """
    seen = join_cards(join_cards(view.hand[color], view.mine[color]), view.discarded[color])
    for other in range(view.n_players - 1):
        seen = join_cards(seen, view.theirs[other][color])
        seen = join_cards(seen, view.known_theirs[other][color])
    return _take_away(view.color_mask, seen)


@register_jitable
def _take_away(mask: int, seen: int) -> int:
    """Return the set `mask` without the cards of the set `seen`, all of which are in it."""
    twice = mask >> 16  # ranks there twice
    once = seen & RANK_MASK & twice
    gone = seen & RANK_MASK & ~twice | seen >> 16
    return mask & ~(once << 16) & ~(gone | gone << 16)


@register_jitable
def skipped_cards(view: View, card: int) -> int:
    """Return the set of the other cards in my hand that fit their row now, not after `card`.

    For a path not started the row would still take any card, so all that `card` leaves behind
    counts.
    """
    color, rank = card >> 4, card & 15
    after = accepts_after(view.mine[color], rank, view.color_mask & RANK_MASK, view.either)
    lost = view.accepts[color] & ~after
    return cards_of_ranks(remove_card(view.hand[color], rank), lost)
