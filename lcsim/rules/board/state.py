"""The state of a round compiled: dealt, shown to the seats, held against what they see, settled.

The truth is a record of STATE_DTYPE. Each seat has a record of its view beside it for its strategy
to read; nothing is ever read back from a view.
"""

import numpy as np
from numba.extending import register_jitable

from lcsim.rules.board.cards import MAX_COLORS, RANK_MASK, add_card
from lcsim.rules.board.legal import playable_ranks
from lcsim.rules.board.ruleset import MAX_SEATS, MAX_SPACES, NO_TILE
from lcsim.rules.board.scoring import add_points, last_entry, score_pawn
from lcsim.rules.board.view import VIEW_WORDS
from lcsim.rules.kernel import AT_STRATEGY, DONE, WROTE_VIEW

MAX_MOVES = MAX_COLORS * MAX_SPACES  # of one player's pawns in a round

# The state of a round; what has MAX_SEATS first is by seat.
STATE_DTYPE = np.dtype(
    [
        ("answer", "i8"),  # of the strategy asked last
        ("play", "i8"),  # of this turn
        ("draw", "i8"),
        ("drawn", "i8"),
        ("piles", "i8"),  # mask of those that the seat to move may draw from
        ("hand", "i4", (MAX_SEATS, MAX_COLORS)),
        ("laid", "i4", (MAX_SEATS, MAX_COLORS)),
        ("accepts", "i4", (MAX_SEATS, MAX_COLORS)),
        ("playable", "i4", (MAX_SEATS, MAX_COLORS)),
        ("known", "i4", (MAX_SEATS, MAX_COLORS)),  # of that hand, what the others have seen
        ("space", "i4", (MAX_SEATS, MAX_COLORS)),
        ("leader", "i4", (MAX_SEATS,)),
        ("explorers", "i4", (MAX_SEATS,)),
        ("movable", "i4", (MAX_SEATS,)),
        ("points", "i4", (MAX_SEATS,)),
        ("artefacts", "i4", (MAX_SEATS,)),
        ("vp", "i4", (MAX_SEATS,)),  # of this round, and in `points` already
        ("taken", "i4", (MAX_SEATS,)),  # of this round, and in `artefacts` already
        ("discarded", "i4", (MAX_COLORS,)),
        ("top", "i4", (MAX_COLORS,)),
        ("pile_size", "i4", (MAX_COLORS,)),
        ("pile", "u1", (MAX_COLORS, 24)),
        ("tiles", "i4", (MAX_COLORS, MAX_SPACES + 1)),
        ("filled", "i4"),  # mask of the colors whose discard pile holds a card
        ("crossings", "i4"),
        ("last_advance", "i4"),  # the seat, or -1
        ("n_moves", "i4"),  # of this turn
        ("moves", "u1", (MAX_MOVES,)),
        ("unused", "u1", (-MAX_MOVES % 8,)),
    ]
)


@register_jitable(forceinline=True)
def strategy_of(rules, seat, rotation):
    """Return the number of the strategy in a seat."""
    number = seat - rotation
    return (number if number >= 0 else number + rules.n_players) & (MAX_SEATS - 1)


@register_jitable(forceinline=True)
def deal_round(rules, state, deck, board, places):
    """Clear the table, deal the hands and lay out the tiles."""
    state.filled = state.crossings = 0
    state.last_advance = -1
    for color in range(MAX_COLORS):
        state.discarded[color] = state.pile_size[color] = 0
        state.top[color] = -1
        for space in range(MAX_SPACES + 1):
            state.tiles[color, space] = NO_TILE
        for seat in range(MAX_SEATS):
            state.hand[seat, color] = state.laid[seat, color] = state.known[seat, color] = 0
            state.space[seat, color] = 0
            state.accepts[seat, color] = rules.color_mask & RANK_MASK if color < rules.colors else 0
    for i in range(board.size):
        state.tiles[places[i] >> 4, places[i] & 15] = board[i]
    seat = 0
    for i in range(rules.n_players * rules.hand_size):
        color = deck[i] >> 4
        state.hand[seat, color] = add_card(state.hand[seat, color], deck[i] & 15)
        seat = seat + 1 if seat + 1 < rules.n_players else 0
    for seat in range(rules.n_players):
        state.leader[seat] = -1
        state.explorers[seat] = rules.explorers
        state.movable[seat] = state.vp[seat] = state.taken[seat] = 0
        for color in range(MAX_COLORS):
            state.playable[seat, color] = find_playable(rules, state, seat, color)


@register_jitable(forceinline=True)
def find_playable(rules, state, seat, color):
    """Return the ranks of the cards of a color that a seat may lay now."""
    return playable_ranks(
        state.hand[seat, color],
        state.laid[seat, color],
        state.accepts[seat, color],
        state.leader[seat] < 0 or state.explorers[seat] > 0,
        rules.either,
        rules.open_any,
    )


@register_jitable(forceinline=True)
def show_table(rules, state, view, seat):
    """Build what a seat sees."""
    view.my_points, view.artefacts = state.points[seat], state.artefacts[seat]
    view.leader, view.explorers = state.leader[seat], state.explorers[seat]
    view.may_lead = state.leader[seat] < 0
    view.movable, view.crossings = state.movable[seat], state.crossings
    for color in range(MAX_COLORS):
        view.hand[color] = state.hand[seat, color]
        view.mine[color] = state.laid[seat, color]
        view.accepts[color] = state.accepts[seat, color]
        view.playable[color] = state.playable[seat, color]
        view.spaces[color] = state.space[seat, color]
        view.discarded[color] = state.discarded[color]
        view.discard_top[color] = state.top[color]
        for space in range(MAX_SPACES + 1):
            view.tiles[color, space] = state.tiles[color, space]
    other = seat
    for k in range(rules.n_players - 1):
        other = other + 1 if other + 1 < rules.n_players else 0
        view.their_points[k], view.their_artefacts[k] = state.points[other], state.artefacts[other]
        view.their_leaders[k] = state.leader[other]
        for color in range(MAX_COLORS):
            view.theirs[k, color] = state.laid[other, color]
            view.their_accepts[k, color] = state.accepts[other, color]
            view.known_theirs[k, color] = state.known[other, color]
            view.their_spaces[k, color] = state.space[other, color]


@register_jitable(forceinline=True)
def check_views(rules, sight, state, result, at):
    """Compare the views with the state they show; what changes each turn is written anew."""
    seats, words = sight
    fresh = seats.seen[MAX_SEATS]
    fresh.round = result.round
    for seat in range(rules.n_players):
        show_table(rules, state, fresh, seat)
        seats.seen[seat].turn = fresh.turn
        seats.seen[seat].deck_left = fresh.deck_left
        seats.seen[seat].drawable = fresh.drawable
        changed = np.uint64(0)
        for i in range(VIEW_WORDS):
            changed |= words[MAX_SEATS, i] ^ words[seat, i]
        if changed:
            at[AT_STRATEGY] = strategy_of(rules, seat, result.rotation)
            return WROTE_VIEW
    return DONE


@register_jitable(forceinline=True)
def settle_round(rules, state, result, is_last):
    """Add up the points under the pawns, and write down the round by strategy."""
    for seat in range(rules.n_players):
        number = strategy_of(rules, seat, result.rotation)
        gained = 0
        for color in range(MAX_COLORS):
            space = state.space[seat, color]
            is_leader = color == state.leader[seat]
            gained += score_pawn(rules.space_points[space], is_leader, rules.leader_factor)
            result.space[number, color] = space
        state.points[seat] = add_points(state.points[seat], gained)
        result.points[number] = state.points[seat]
        result.space_points[number] = gained
        result.vp[number] = state.vp[seat]
        result.artefacts[number] = state.taken[seat]
        result.leader[number] = state.leader[seat]
        if is_last:
            points = rules.artefact_points[last_entry(state.artefacts[seat])]
            result.artefact_points[number] = points
