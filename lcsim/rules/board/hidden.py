"""What a view does not show: the cards that lie elsewhere, and the order of the discard piles.

A table is one of lcsim.rules.board.simulate.
"""

from numba.extending import register_jitable

from lcsim.rules.bits import count_bits
from lcsim.rules.board.cards import (
    HIGHEST_RANK,
    MAX_COLORS,
    add_card,
    count_card,
    make_card,
    rank_of,
)
from lcsim.rules.board.view import MAX_OTHERS
from lcsim.rules.streams import next_float


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


@register_jitable
def draw_hands(table, generator):
    """Fill up the other hands, beside what is known of them; return how many cards are left.

    Each card is drawn by its odds, and moved to the end of the deck.
    """
    state, n = table.state, table.n_hidden
    for seat in range(1, table.rules.n_players):
        missing, total = table.rules.hand_size, 0.0
        for color in range(MAX_COLORS):
            state.hand[seat, color] = state.known[seat, color]
            missing -= count_bits(state.known[seat, color])
        odds = table.odds[seat - 1]
        for i in range(n):
            total += odds[table.deck[i]]
        for _ in range(missing):
            lot, i = next_float(generator) * total, 0
            while i < n - 1 and lot >= odds[table.deck[i]]:
                lot -= odds[table.deck[i]]
                i += 1
            n -= 1
            card = table.deck[i]
            total -= odds[card]
            table.deck[i], table.deck[n] = table.deck[n], card
            color = card >> 4
            state.hand[seat, color] = add_card(state.hand[seat, color], rank_of(card))
    return n
