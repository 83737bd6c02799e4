"""What a view does not show: the cards that lie elsewhere, and the order of the discard piles."""

from numba.extending import register_jitable

from lcsim.rules.board.cards import HIGHEST_RANK, count_card, make_card
from lcsim.rules.board.view import MAX_OTHERS


@register_jitable
def list_hidden(hidden, view):
    """Write the cards that a view does not show, in canonical order; return how many."""
    n = 0
    for color in range(view.colors):
        for rank in range(HIGHEST_RANK + 1):
            copies = count_card(view.color_mask, rank) - count_card(view.hand[color], rank)
            copies -= count_card(view.mine[color], rank) + count_card(view.discarded[color], rank)
            for k in range(MAX_OTHERS):
                copies -= count_card(view.theirs[k, color], rank)
                copies -= count_card(view.known_theirs[k, color], rank)
            for _ in range(copies):
                hidden[n] = make_card(color, rank)
                n += 1
    return n


@register_jitable
def stack_pile(state, color):
    """Lay a discard pile's cards in canonical order, but for its top."""
    top, n = state.top[color], 0
    for rank in range(HIGHEST_RANK + 1):
        card = make_card(color, rank)
        for _ in range(count_card(state.discarded[color], rank) - (card == top)):
            state.pile[color, n] = card
            n += 1
    if top >= 0:
        state.pile[color, n] = top
