"""The duel compiled: a batch of deals a call, without the GIL, the same game as the referee's.

The truth is a record of STATE_DTYPE; each seat's view is kept up to date beside it, for strategies
to read. After each round the two are compared, so a strategy that writes into its view is found, as
would be a slip here. Strategies are function pointers: the kernel is compiled once, whoever plays.
"""

import numpy as np
from numba import from_dtype, types
from numba.extending import register_jitable

from lcsim.rules.duel.acts import ILLEGAL, make_play, take_discard
from lcsim.rules.duel.cards import MAX_COLORS
from lcsim.rules.duel.legal import DRAW_DECK, drawable_piles
from lcsim.rules.duel.restrict import narrow_seat, permits_play, widen_seat
from lcsim.rules.duel.ruleset import RULES_DTYPE, SEATS
from lcsim.rules.duel.state import STATE_DTYPE, begin_views, check_views, deal_cards
from lcsim.rules.duel.view import VIEW_DTYPE
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
    note_call,
)
from lcsim.rules.restriction import LIMITS_DTYPE, bars_draws, is_once
from lcsim.rules.streams import DECK_STREAM, RNG_DTYPE, SEAT_STREAM, open_stream, shuffle_items

# One round as the kernel writes it: the same bytes as outcome.ROW_DTYPE, seats turned to
# strategies.
RESULT_DTYPE = np.dtype(
    [
        ("deal", "i8"),
        ("rotation", "i1"),
        ("starter", "i1"),
        ("round", "i2"),
        ("turns", "i2"),
        ("ended_by", "i2"),
        ("score", "i4", (SEATS,)),
        ("expeditions", "u2", (SEATS * MAX_COLORS,)),
        ("opened", "i2", (SEATS * MAX_COLORS,)),
        ("held", "i2", (SEATS * MAX_COLORS,)),
    ]
)
# A game to be played again with one thing forbidden: laying cards of a color at one turn.
FORK_DTYPE = np.dtype(
    [
        ("deal", "i8"),
        ("rotation", "i2"),
        ("strategy", "i2"),
        ("round", "i2"),
        ("turn", "i2"),
        ("color", "i2"),
        ("deny", "i2"),  # mask of the cards
        ("unused", "i4"),
    ]
)
_STANDING, _FORKED = 1, 2  # why a seat is limited

ENDED_BY_DECK, ENDED_BY_TURN_LIMIT = 0, 1

# One turn, traced for whoever compares kernel and referee.
TURN_DTYPE = np.dtype([("play", "i2"), ("draw", "i2"), ("drawn", "i2")])

_view = from_dtype(VIEW_DTYPE)
HOOK_SIGNATURE = types.int64(_view, from_dtype(RNG_DTYPE), from_dtype(PARAMS_DTYPE))
_hook = types.FunctionType(HOOK_SIGNATURE)
SIGNATURE = types.int64(
    from_dtype(RULES_DTYPE),
    types.Tuple((types.uint64, types.int64, from_dtype(FORK_DTYPE)[::1])),
    types.UniTuple(_hook, SEATS),
    types.UniTuple(_hook, SEATS),
    types.Tuple(
        (from_dtype(PARAMS_DTYPE)[::1], from_dtype(RNG_DTYPE)[::1], from_dtype(LIMITS_DTYPE)[::1])
    ),
    types.Tuple((types.uint8[::1], types.Array(types.int32, 1, "C", readonly=True))),
    types.Tuple((_view[::1], types.uint64[:, ::1])),
    types.Tuple((from_dtype(STATE_DTYPE), types.uint64[::1])),
    from_dtype(RESULT_DTYPE)[:, :, ::1],
    from_dtype(TURN_DTYPE)[::1],
    types.int64[::1],
)


def play_batch(rules, address, plays, draws, seating, tables, sight, table, results, trace, at):
    """Play every deal, rotation and round of `results`; return DONE or what a strategy did wrong.

    address: seed, first deal, and the forks to play instead of deals in every rotation, if there
    are any. plays, draws: hooks by strategy. seating: parameters, random streams and limits by
    strategy. tables: canonical deck, uint8, and the points of each mask. sight: the
    seats' views and one to compare, and the same memory as words. table: the state, and the same
    as words. trace: gets the first turns, as many as it holds. at: where the kernel is, int64.
    """
    seed, first_deal, forks = address
    deck, scores = tables
    n_deals, n_rotations, n_rounds = results.shape
    decks = np.empty((n_rounds, deck.size), np.uint8)
    generator = np.empty(4, np.uint64)
    for d in range(n_deals):
        deal = forks[d].deal if forks.size else first_deal + d
        at[AT_DEAL] = deal
        shuffle_decks(decks, deck, generator, seed, deal)
        for k in range(n_rotations):
            rotation = k
            if forks.size:
                rotation = forks[d].rotation & 1
                limit_fork(seating[2], forks[d])
            at[AT_ROTATION] = rotation
            starter = points_0 = points_1 = 0
            for round_ in range(n_rounds):
                result = results[d, k, round_]
                result.deal = deal
                result.rotation = rotation
                result.round = round_
                result.starter = starter ^ rotation
                open_seats(seating[1], seed, deal, round_, rotation)
                deal_cards(rules, table, decks[round_])
                begin_views(sight, table[1], round_, points_0, points_1)
                paper = (result, scores, trace, at)
                status = _play_round(
                    rules, plays, draws, seating, decks[round_], sight[0], table[0], paper
                )
                if status == DONE:
                    status = check_views(sight, table[1], rotation, round_, points_0, points_1, at)
                if status != DONE:
                    return status
                points_0 += result.score[rotation]
                points_1 += result.score[1 ^ rotation]
                starter = next_starter(rules, starter, points_0, points_1)
    return DONE


@register_jitable
def limit_fork(limits, fork):
    """Forbid a strategy what a fork says, at its turn; what was forbidden before stays so."""
    for strategy in range(SEATS):
        limit = limits[strategy]
        limit.used &= _STANDING
        if strategy == fork.strategy:
            limit.used |= _FORKED
            limit.round, limit.turn = fork.round, fork.turn
            for color in range(MAX_COLORS):
                limit.once.deny[color] = fork.deny if color == fork.color else 0


@register_jitable
def shuffle_decks(decks, deck, generator, seed, deal):
    """Shuffle the deck of every round of a deal, uint8 (n_rounds, n cards)."""
    for round_ in range(decks.shape[0]):
        decks[round_, :] = deck
        open_stream(generator, seed, deal, round_, DECK_STREAM)
        shuffle_items(decks[round_], deck.size, generator)


@register_jitable
def next_starter(rules, starter, points_0, points_1):
    """Return the seat that starts the next round; the points are by seat."""
    if rules.leader_starts and points_0 != points_1:
        return 0 if points_0 > points_1 else 1
    return 1 - starter


@register_jitable
def open_seats(streams, seed, deal, round_, rotation):
    """Open the random streams of the seats in a round, given by strategy."""
    for strategy in range(SEATS):
        if streams[strategy].used:
            seat = strategy ^ rotation
            open_stream(streams[strategy].state, seed, deal, round_, SEAT_STREAM + seat)


@register_jitable
def _play_round(rules, plays, draws, seating, deck, views, state, paper):
    result, scores, trace, at = paper
    rotation = at[AT_ROTATION]
    ended_by = ENDED_BY_DECK
    drawn = SEATS * rules.hand_size
    turn = 0
    seat = (result.starter ^ rotation) & 1  # the mask tells the compiler that it is 0 or 1
    while drawn < deck.size:
        if turn == rules.turn_limit:
            ended_by = ENDED_BY_TURN_LIMIT
            break
        view, other = views[seat], views[seat ^ 1]
        strategy = (seat ^ rotation) & 1
        at[AT_STRATEGY] = strategy
        params, rng, limits = seating[0][strategy], seating[1][strategy], seating[2][strategy]
        once = is_once(limits, result.round, turn)

        open_turn(limits, once, state, view, seat, turn, deck.size - drawn)
        note_call(at, PLAY_CALL)
        play = plays[strategy](view, rng, params)
        piles = do_play(rules, limits, once, state, view, other, seat, play)
        if piles == ILLEGAL:
            at[AT_MOVE] = play
            return BAD_PLAY
        note_call(at, DRAW_CALL)
        pile = draws[strategy](view, rng, params)
        card = do_draw(limits, state, view, other, seat, piles, pile, deck[drawn & 127])
        if card == ILLEGAL:
            at[AT_MOVE] = pile
            return BAD_DRAW
        drawn += pile == DRAW_DECK
        if at[AT_TURN] < trace.size:
            traced = trace[at[AT_TURN]]
            traced.play, traced.draw, traced.drawn = play, pile, card
            at[AT_TURN] += 1
        turn += 1
        seat ^= 1
    result.turns, result.ended_by = turn, ended_by
    write_expeditions(state, scores, rotation, result)
    return DONE


@register_jitable(forceinline=True)
def open_turn(limits, once, state, view, seat, turn, deck_left):
    """Show a seat the turn that it is to play."""
    view.turn = turn
    view.deck_left = deck_left
    view.drawable = state.filled
    if limits.used:
        narrow_seat(limits, once, state, view, seat)


@register_jitable(forceinline=True)
def do_play(rules, limits, once, state, view, other, seat, play):
    """Make a play; return the mask of the piles that may be drawn from then, or ILLEGAL."""
    if limits.used and not permits_play(limits, once, state, seat, play):
        return ILLEGAL
    discarded_to = make_play(rules, state, view, other, seat, play)
    if discarded_to == ILLEGAL:
        return ILLEGAL
    piles = drawable_piles(state.filled, discarded_to, rules.redraw_own_discard)
    if limits.used:
        narrow_seat(limits, False, state, view, seat)
        if bars_draws(limits, once):
            piles = 0
    view.drawable = piles
    return piles


@register_jitable(forceinline=True)
def do_draw(limits, state, view, other, seat, piles, pile, next_card):
    """Draw from one of `piles` or `next_card` of the draw pile; return the card, or ILLEGAL."""
    if limits.used:
        widen_seat(state, view, seat)
    if pile == DRAW_DECK:
        hand = state.hand[seat, next_card >> 4] | 1 << (next_card & 15)
        state.hand[seat, next_card >> 4] = hand
        view.hand[next_card >> 4] = hand
        return np.int64(next_card)
    if 0 <= pile < MAX_COLORS and piles >> pile & 1:
        return np.int64(take_discard(state, view, other, seat, pile))
    return np.int64(ILLEGAL)


@register_jitable
def write_expeditions(state, scores, rotation, result):
    """Write down the expeditions of a round that has ended, and its points, by strategy."""
    for strategy in range(SEATS):
        total = 0
        for color in range(MAX_COLORS):
            laid = state.laid[strategy ^ rotation, color]
            at_color = strategy * MAX_COLORS + color
            result.expeditions[at_color] = laid
            result.opened[at_color] = state.opened[strategy ^ rotation, color]
            result.held[at_color] = state.held[strategy ^ rotation, color]
            total += scores[laid]
        result.score[strategy] = total


ENTRY = play_batch
