"""The board game compiled: a batch of deals a call, without the GIL, the same as the referee's.

The truth is the state (state.py), which acts change (acts.py) together with what the seats see.
After each round the views are built anew from the state and compared, so a strategy that writes
into its view is found, as would be a slip of the bookkeeping. Strategies are function pointers: the
kernel is compiled once, whoever plays, and for any number of players.
"""

import numpy as np
from numba import from_dtype, types
from numba.extending import register_jitable

from lcsim.rules.board.acts import (
    CROSSED,
    change_hand,
    make_play,
    move_pawns,
    take_discard,
)
from lcsim.rules.board.cards import MAX_COLORS
from lcsim.rules.board.legal import DISCARD, DRAW_DECK, drawable_piles
from lcsim.rules.board.outcome import BRIDGES, DECK, RESULT_DTYPE, TURN_LIMIT
from lcsim.rules.board.restrict import narrow_seat, permit_piles, permits_play, widen_seat
from lcsim.rules.board.ruleset import MAX_SEATS, RULES_DTYPE
from lcsim.rules.board.state import (
    MAX_MOVES,
    STATE_DTYPE,
    check_views,
    deal_round,
    settle_round,
    show_table,
    strategy_of,
)
from lcsim.rules.board.view import SIGHT_DTYPE, VIEW_DTYPE
from lcsim.rules.game import PARAMS_DTYPE
from lcsim.rules.kernel import (
    AT_DEAL,
    AT_MOVE,
    AT_ROTATION,
    AT_STRATEGY,
    AT_TURN,
    BAD_DRAW,
    BAD_PLAY,
    DONE,
    DRAW_CALL,
    PLAY_CALL,
    STEP_CALL,
    note_call,
)
from lcsim.rules.restriction import LIMITS_DTYPE, is_once
from lcsim.rules.streams import (
    DECK_STREAM,
    RNG_DTYPE,
    SEAT_STREAM,
    TILE_STREAM,
    open_stream,
    shuffle_items,
)

NO_DRAW = -2  # in a trace: the turn ended the round

# One turn as it is traced for whoever compares the kernel with the referee; a move is 16 * color +
# the space reached.
TURN_DTYPE = np.dtype(
    [
        ("play", "i2"),
        ("draw", "i2"),
        ("drawn", "i2"),
        ("n_moves", "i2"),
        ("moves", "u1", (MAX_MOVES,)),
        ("points", "i4"),  # of the seat, after the turn
        ("artefacts", "i4"),
    ]
)

_view = from_dtype(VIEW_DTYPE)
HOOK_SIGNATURE = types.int64(_view, from_dtype(RNG_DTYPE), from_dtype(PARAMS_DTYPE))
_hooks = types.UniTuple(types.FunctionType(HOOK_SIGNATURE), MAX_SEATS)
SIGNATURE = types.int64(
    from_dtype(RULES_DTYPE),
    types.Tuple((types.uint64, types.int64)),
    types.UniTuple(_hooks, 3),
    types.Tuple(
        (from_dtype(PARAMS_DTYPE)[::1], from_dtype(RNG_DTYPE)[::1], from_dtype(LIMITS_DTYPE)[::1])
    ),
    types.Tuple((types.uint8[::1], types.int32[::1], types.uint8[::1])),
    types.Tuple((types.uint8[:, ::1], types.int32[:, ::1])),
    types.Tuple((from_dtype(SIGHT_DTYPE), types.uint64[:, ::1])),
    from_dtype(STATE_DTYPE),
    from_dtype(RESULT_DTYPE)[:, :, ::1],
    from_dtype(TURN_DTYPE)[::1],
    types.int64[::1],
)


def play_batch(rules, address, hooks, seating, supply, stacks, sight, state, results, trace, at):
    """Play every deal, rotation and round of `results`; return DONE or what a strategy did wrong.

    address: seed and first deal. hooks: plays, draws and steps by strategy. seating: parameters,
    random streams and limits by strategy. supply: canonical deck, tiles, and places, 16 * color +
    space. stacks: decks and tiles by round that were laid out by hand, or of no round. sight: the
    seats' views and one to compare, and the same memory as words. trace: gets the first turns, as
    many as it holds. at: where the kernel is, int64[AT_SIZE].
    """
    deck, tiles, places = supply
    seats = sight[0]
    generator = np.empty(4, np.uint64)
    n_deals, n_rotations, n_rounds = results.shape
    decks = np.empty((n_rounds, deck.size), np.uint8)
    boards = np.empty((n_rounds, tiles.size), np.int32)
    for d in range(n_deals):
        at[AT_DEAL] = address[1] + d
        for round_ in range(n_rounds):
            where = (address[0], at[AT_DEAL], round_)
            shuffle_round(generator, where, supply, stacks, decks[round_], boards[round_])
        for rotation in range(n_rotations):
            at[AT_ROTATION] = rotation
            starter = 0
            for seat in range(MAX_SEATS):
                state.points[seat] = state.artefacts[seat] = 0
            for round_ in range(n_rounds):
                result = results[d, rotation, round_]
                result.deal, result.rotation, result.round = at[AT_DEAL], rotation, round_
                result.starter = strategy_of(rules, starter, rotation)
                open_seats(rules, seating[1], address[0], result)
                deal_round(rules, state, decks[round_], boards[round_], places)
                for seat in range(rules.n_players):
                    seats.seen[seat].round = round_
                    show_table(rules, state, seats.seen[seat], seat)
                dealt = (decks[round_], seats, state, starter)
                status = _play_round(rules, hooks, seating, dealt, result, trace, at)
                if status == DONE:
                    status = check_views(rules, sight, state, result, at)
                if status != DONE:
                    at[AT_MOVE] = state.answer
                    return status
                settle_round(rules, state, result, round_ == n_rounds - 1)
                starter = next_starter(rules, state, starter)
    return DONE


@register_jitable
def shuffle_round(generator, address, supply, stacks, deck, board):
    """Lay out the cards and the tiles of a round, at (seed, deal, round), or as in `stacks`."""
    seed, deal, round_ = address
    if round_ < stacks[0].shape[0]:
        for i in range(supply[0].size):
            deck[i] = stacks[0][round_, i]
        for i in range(supply[1].size):
            board[i] = stacks[1][round_, i]
        return
    for i in range(supply[0].size):
        deck[i] = supply[0][i]
    for i in range(supply[1].size):
        board[i] = supply[1][i]
    open_stream(generator, seed, deal, round_, DECK_STREAM)
    shuffle_items(deck, supply[0].size, generator)
    open_stream(generator, seed, deal, round_, TILE_STREAM)
    shuffle_items(board, supply[1].size, generator)


@register_jitable
def next_starter(rules, state, starter):
    """Return the seat that starts the next round, after one that `starter` started."""
    last = starter
    if rules.after_last_advance and state.last_advance >= 0:
        last = state.last_advance
    return last + 1 if last + 1 < rules.n_players else 0


@register_jitable
def open_seats(rules, streams, seed, result):
    """Open the random streams of the seats in a result's round, given by strategy."""
    for seat in range(rules.n_players):
        rng = streams[strategy_of(rules, seat, result.rotation)]
        if rng.used:
            open_stream(rng.state, seed, result.deal, result.round, SEAT_STREAM + seat)


@register_jitable
def _play_round(rules, hooks, seating, dealt, result, trace, at):
    deck, seats, state, starter = dealt
    ended_by = DECK
    drawn, end = rules.n_players * rules.hand_size, deck.size - rules.removed
    turn = 0
    seat = starter & (MAX_SEATS - 1)  # the mask tells the compiler that it is small
    while drawn < end:
        if turn == rules.turn_limit:
            ended_by = TURN_LIMIT
            break
        view = seats.seen[seat]
        view.turn = turn
        view.deck_left = end - drawn
        strategy = strategy_of(rules, seat, result.rotation)
        at[AT_STRATEGY] = strategy
        paper = (deck[drawn], at)
        status = _play_turn(rules, hooks, seating, seats, state, seat, strategy, paper)
        if status not in (DONE, CROSSED):
            return status
        if at[AT_TURN] < trace.size:
            trace_turn(trace[at[AT_TURN]], state, seat)
            at[AT_TURN] += 1
        turn += 1
        if status == CROSSED:
            ended_by = BRIDGES
            break
        drawn += state.draw == DRAW_DECK
        seat = (seat + 1 if seat + 1 < rules.n_players else 0) & (MAX_SEATS - 1)
    result.turns = turn
    result.ended_by = ended_by
    return DONE


@register_jitable(forceinline=True)
def _play_turn(rules, hooks, seating, seats, state, seat, strategy, paper):
    """Ask a seat for its play, its steps and its draw, and do them; the answers stay in `state`."""
    next_card, at = paper
    plays, draws, steps = hooks
    view, params, rng = seats.seen[seat], seating[0][strategy], seating[1][strategy]
    limits = seating[2][strategy]
    once = is_once(limits, view.round, view.turn)
    open_turn(limits, once, state, view, seat)
    note_call(at, PLAY_CALL)
    play = plays[strategy](view, rng, params)
    status = do_play(rules, limits, once, state, seats, seat, play)
    if status == DONE and not play & DISCARD:
        note_call(at, STEP_CALL)
        status = move_pawns(rules, state, seats, seat, play, steps[strategy], rng, params)
    if status != DONE:
        if limits.used:
            widen_seat(state, view, seat)
        return status
    open_draw(rules, limits, once, state, view)
    note_call(at, DRAW_CALL)
    pile = draws[strategy](view, rng, params)
    return do_draw(rules, limits, state, seats, seat, pile, next_card)


@register_jitable(forceinline=True)
def open_turn(limits, once, state, view, seat):
    """Show a seat what it may do in a turn that begins."""
    view.drawable = state.filled
    if limits.used:
        narrow_seat(limits, once, state, view, seat)
        view.drawable = permit_piles(limits, once, state.filled)
    state.n_moves = 0
    state.draw = NO_DRAW


@register_jitable(forceinline=True)
def do_play(rules, limits, once, state, seats, seat, play):
    """Make a play, before any pawn moves; DONE or BAD_PLAY."""
    state.play = state.answer = play
    if limits.used and not permits_play(limits, once, state, seat, play):
        return BAD_PLAY
    status = make_play(rules, state, seats, seat, play)
    if limits.used:
        narrow_seat(limits, False, state, seats.seen[seat], seat)
    return status


@register_jitable(forceinline=True)
def open_draw(rules, limits, once, state, view):
    """Show a seat the piles that it may draw from, after its play and its pawns' moves."""
    discarded_to = (state.play >> 4) & 15 if state.play & DISCARD else -1
    piles = drawable_piles(state.filled, discarded_to, rules.redraw_own_discard)
    if limits.used:
        piles = permit_piles(limits, once, piles)
    state.piles = view.drawable = piles


@register_jitable(forceinline=True)
def do_draw(rules, limits, state, seats, seat, pile, next_card):
    """Draw from a pile that is open or `next_card` of the draw pile; DONE or BAD_DRAW."""
    state.draw = state.answer = pile
    if pile == DRAW_DECK:
        state.drawn = next_card
    elif 0 <= pile < MAX_COLORS and state.piles >> pile & 1:
        state.drawn = take_discard(rules, state, seats, seat, pile)
    else:
        return BAD_DRAW
    change_hand(rules, state, seats, seat, state.drawn, True)
    if limits.used:
        widen_seat(state, seats.seen[seat], seat)
    return DONE


@register_jitable
def trace_turn(traced, state, seat):
    """Write down the turn that a seat has just played."""
    traced.play, traced.draw, traced.drawn = state.play, state.draw, state.drawn
    traced.n_moves = state.n_moves
    for i in range(state.n_moves):
        traced.moves[i] = state.moves[i]
    traced.points, traced.artefacts = state.points[seat], state.artefacts[seat]


ENTRY = play_batch
