"""The state of a round compiled: dealt, shown to the seats, and held against what they see.

The truth is a record of STATE_DTYPE. Each seat has a record of its view beside it for its strategy
to read; nothing is ever read back from a view.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numba.extending import register_jitable

from lcsim.rules.duel.cards import CARDS_PER_COLOR, COLOR_SLOTS
from lcsim.rules.duel.ruleset import SEATS
from lcsim.rules.duel.view import VIEW_DTYPE, VIEW_WORDS
from lcsim.rules.kernel import AT_STRATEGY, DONE, WROTE_VIEW

# The state of a round; fields of (SEATS, COLOR_SLOTS) are masks of cards by seat and color.
STATE_DTYPE = np.dtype(
    [
        ("hand", "i2", (SEATS, COLOR_SLOTS)),
        ("laid", "i2", (SEATS, COLOR_SLOTS)),
        ("accepts", "i2", (SEATS, COLOR_SLOTS)),
        ("known", "i2", (SEATS, COLOR_SLOTS)),  # of that hand, what the other seat has seen
        ("opened", "i2", (SEATS, COLOR_SLOTS)),  # the turn it was opened at, from 1; 0 for never
        ("held", "i2", (SEATS, COLOR_SLOTS)),  # ranks in hand just before it was opened, added up
        ("discarded", "i2", (COLOR_SLOTS,)),
        ("top", "i2", (COLOR_SLOTS,)),  # card on top of each discard pile, or -1
        ("pile_size", "i2", (COLOR_SLOTS,)),
        ("pile", "u1", (COLOR_SLOTS, CARDS_PER_COLOR)),
        ("filled", "i2"),  # mask of the colors whose discard pile holds a card
        ("unused", "i2", (3,)),
    ]
)


def _find_words(dtype: np.dtype[Any], *names: str) -> list[int]:
    """Return where fields begin in a record, in words."""
    fields: Mapping[str, Any] = dtype.fields or {}
    return [fields[name][1] // 8 for name in names]


# A field by color is two words, and is shown and cleared as such.
STATE_WORDS = STATE_DTYPE.itemsize // 8
_FIELD_WORDS = COLOR_SLOTS * 2 // 8
_HAND, _LAID, _ACCEPTS, _KNOWN, _DISCARDED, _TOP = _find_words(
    STATE_DTYPE, "hand", "laid", "accepts", "known", "discarded", "top"
)
_V_HAND, _V_MINE, _V_THEIRS, _V_PLAYABLE, _V_THEIR_PLAYABLE = _find_words(
    VIEW_DTYPE, "hand", "mine", "theirs", "playable", "their_playable"
)
_V_KNOWN_THEIRS, _V_DISCARDED, _V_DISCARD_TOP, _V_NUMBERS = _find_words(
    VIEW_DTYPE, "known_theirs", "discarded", "discard_top", "drawable"
)


@register_jitable
def begin_views(sight, state, round_, points_0, points_1):
    """Show both seats the table as a round begins; the points are by seat."""
    views, words = sight
    for seat in range(SEATS):
        view = views[seat]
        view.round = round_
        view.my_points = points_1 if seat else points_0
        view.their_points = points_0 if seat else points_1
        _show(words, state, seat)


@register_jitable
def deal_cards(rules, table, deck):
    """Clear the table, given as a record and as words, and deal the hands."""
    state, words = table
    for i in range(STATE_WORDS):
        words[i] = 0
    for i in range(_FIELD_WORDS):
        words[_TOP + i] = ~np.uint64(0)  # -1 for each color
    for color in range(rules.colors):
        state.accepts[0, color] = rules.color_mask
        state.accepts[1, color] = rules.color_mask
    for i in range(SEATS * rules.hand_size):
        state.hand[i & 1, deck[i] >> 4] |= 1 << (deck[i] & 15)


@register_jitable
def _show(views, state, seat):
    """Copy what a seat sees of the table into its view; both are given as words."""
    me, them = _FIELD_WORDS * seat, _FIELD_WORDS * (1 - seat)
    for i in range(_FIELD_WORDS):
        views[seat, _V_HAND + i] = state[_HAND + me + i]
        views[seat, _V_MINE + i] = state[_LAID + me + i]
        views[seat, _V_THEIRS + i] = state[_LAID + them + i]
        views[seat, _V_PLAYABLE + i] = state[_ACCEPTS + me + i]
        views[seat, _V_THEIR_PLAYABLE + i] = state[_ACCEPTS + them + i]
        views[seat, _V_KNOWN_THEIRS + i] = state[_KNOWN + them + i]
        views[seat, _V_DISCARDED + i] = state[_DISCARDED + i]
        views[seat, _V_DISCARD_TOP + i] = state[_TOP + i]


@register_jitable
def _differ(views, seat, state):
    """Tell whether a view is not what `_show` gives, or its numbers not those of the one kept."""
    me, them = _FIELD_WORDS * seat, _FIELD_WORDS * (1 - seat)
    changed = views[SEATS, 0] ^ views[seat, 0]
    for i in range(_V_NUMBERS, VIEW_WORDS):
        changed |= views[SEATS, i] ^ views[seat, i]
    for i in range(_FIELD_WORDS):
        changed |= views[seat, _V_HAND + i] ^ state[_HAND + me + i]
        changed |= views[seat, _V_MINE + i] ^ state[_LAID + me + i]
        changed |= views[seat, _V_THEIRS + i] ^ state[_LAID + them + i]
        changed |= views[seat, _V_PLAYABLE + i] ^ state[_ACCEPTS + me + i]
        changed |= views[seat, _V_THEIR_PLAYABLE + i] ^ state[_ACCEPTS + them + i]
        changed |= views[seat, _V_KNOWN_THEIRS + i] ^ state[_KNOWN + them + i]
        changed |= views[seat, _V_DISCARDED + i] ^ state[_DISCARDED + i]
        changed |= views[seat, _V_DISCARD_TOP + i] ^ state[_TOP + i]
    return changed != 0


@register_jitable
def check_views(sight, state, rotation, round_, points_0, points_1, at):
    """Compare the views with the state they show; what changes each turn is written anew."""
    views, words = sight
    fresh = views[SEATS]
    fresh.round = round_
    for seat in range(SEATS):
        fresh.my_points = points_1 if seat else points_0
        fresh.their_points = points_0 if seat else points_1
        views[seat].turn = fresh.turn
        views[seat].deck_left = fresh.deck_left
        views[seat].drawable = fresh.drawable
        if _differ(words, seat, state):
            at[AT_STRATEGY] = seat ^ rotation
            return WROTE_VIEW
    return DONE
