"""What a legal act does to a round's state, and to what both seats see of it; compiled.

`view` is that of the seat that acts, `other` the opponent's; both are kept up to date with the
state, move by move. `rules` may be any record with the ruleset's `color_mask` and `either`.
"""

from numba.extending import register_jitable

from lcsim.rules.duel.cards import MAX_COLORS, add_ranks
from lcsim.rules.duel.legal import DISCARD, accepts_after, can_discard, can_lay

ILLEGAL = -2


@register_jitable(forceinline=True)
def make_play(rules, state, view, other, seat, play):
    """Lay or discard a card; return the color discarded to, -1 for none, or ILLEGAL."""
    color, index = (play >> 4) & 15, play & 15
    if play & ~(2 * DISCARD - 1) or color >= MAX_COLORS:
        return ILLEGAL
    if play < DISCARD:
        if not can_lay(state.hand[seat, color], state.accepts[seat, color], index):
            return ILLEGAL
        _lay(rules, state, view, other, seat, color, index)
        return -1
    if not can_discard(state.hand[seat, color], index):
        return ILLEGAL
    _discard(state, view, other, seat, color, index)
    return color


@register_jitable
def _lay(rules, state, view, other, seat, color, index):
    bit = 1 << index
    laid = state.laid[seat, color]
    accepts = accepts_after(laid, index, rules.color_mask, rules.either)
    if not laid:
        state.opened[seat, color] = view.turn + 1
        state.held[seat, color] = add_ranks(state.hand[seat, color])
    hand = state.hand[seat, color] & ~bit
    state.hand[seat, color] = hand
    state.laid[seat, color] = laid | bit
    state.accepts[seat, color] = accepts
    view.hand[color] = hand
    view.mine[color] = laid | bit
    view.playable[color] = accepts
    other.theirs[color] = laid | bit
    other.their_playable[color] = accepts
    _forget(state, other, seat, color, bit)


@register_jitable
def _discard(state, view, other, seat, color, index):
    bit = 1 << index
    card = (color << 4) | index
    hand = state.hand[seat, color] & ~bit
    size = state.pile_size[color]
    state.hand[seat, color] = hand
    state.pile[color, size & 15] = card
    state.top[color] = card
    state.pile_size[color] = size + 1
    state.filled |= 1 << color
    discarded = state.discarded[color] | bit
    state.discarded[color] = discarded
    view.hand[color] = hand
    view.discard_top[color] = card
    view.discarded[color] = discarded
    other.discard_top[color] = card
    other.discarded[color] = discarded
    _forget(state, other, seat, color, bit)


@register_jitable
def take_discard(state, view, other, seat, color):
    """Take the top card of a pile into a hand, where the other seat has seen it go; return it."""
    size = (state.pile_size[color] - 1) & 15
    card = state.pile[color, size]
    bit = 1 << (card & 15)
    top = state.pile[color, size - 1] if size else -1
    hand = state.hand[seat, color] | bit
    known = state.known[seat, color] | bit
    state.hand[seat, color] = hand
    state.known[seat, color] = known
    state.top[color] = top
    state.pile_size[color] = size
    if not size:
        state.filled &= ~(1 << color)
    discarded = state.discarded[color] & ~bit
    state.discarded[color] = discarded
    view.hand[color] = hand
    view.discard_top[color] = top
    view.discarded[color] = discarded
    other.discard_top[color] = top
    other.discarded[color] = discarded
    other.known_theirs[color] = known
    return card


@register_jitable
def _forget(state, other, seat, color, bit):
    """A card left the hand of `seat`: the other seat no longer knows it there."""
    known = state.known[seat, color]
    if known & bit:
        state.known[seat, color] = known ^ bit
        other.known_theirs[color] = known ^ bit
