"""The duel for batch strategies: many games side by side, each advanced until it has to wait.

The acts, the views and the order of things are the kernel's. A game lies in a lane that keeps its
state between two calls; a lane whose game has ended takes the next one. What is touched at every
step lies in records, whose parts are reached without counting references.
"""

import numpy as np
from numba import from_dtype, types
from numba.extending import register_jitable

from lcsim.rules.duel.acts import ILLEGAL
from lcsim.rules.duel.cards import CARDS_PER_COLOR, MAX_COLORS
from lcsim.rules.duel.kernel import (
    ENDED_BY_DECK,
    ENDED_BY_TURN_LIMIT,
    FORK_DTYPE,
    HOOK_SIGNATURE,
    RESULT_DTYPE,
    TURN_DTYPE,
    do_draw,
    do_play,
    limit_fork,
    next_starter,
    open_seats,
    open_turn,
    write_expeditions,
)
from lcsim.rules.duel.legal import DRAW_DECK
from lcsim.rules.duel.ruleset import RULES_DTYPE, SEATS
from lcsim.rules.duel.state import STATE_DTYPE, begin_views, check_views, deal_cards
from lcsim.rules.duel.view import BATCH_DTYPE, VIEW_DTYPE
from lcsim.rules.kernel import (
    AT_DEAL,
    AT_MOVE,
    AT_ROTATION,
    AT_STRATEGY,
    BAD_DRAW,
    BAD_PLAY,
    DONE,
    DRAW_CALL,
    PLAY_CALL,
    note_call,
)
from lcsim.rules.lockstep import (
    DRAWING,
    ENDED,
    NEW_GAME,
    NEW_ROUND,
    NEW_TURN,
    OVER,
    PLAYING,
    WAITS,
    build_engine_dtype,
    build_slip_dtype,
)
from lcsim.rules.pointers import build_function_reader
from lcsim.rules.restriction import LIMITS_DTYPE, is_once
from lcsim.rules.streams import DECK_STREAM, RNG_DTYPE, open_stream, shuffle_items

DECISIONS = ("choose_play", "choose_draw")
_N_DECISIONS = len(DECISIONS)
_MAX_DECK = MAX_COLORS * CARDS_PER_COLOR

LANE_DTYPE = np.dtype(
    [
        ("game", "i8"),  # its number in the results, rotation by rotation
        ("deal", "i8"),
        ("trace_at", "i8"),  # where in the trace its next turn goes, or -1
        ("box", "i8"),  # where it waits
        ("slot", "i8"),
        *((name, "i4") for name in ("rotation", "round", "starter", "stage")),
        *((name, "i4") for name in ("seat", "turn", "drawn", "size", "play", "piles")),
        ("points", "i4", (SEATS,)),  # by seat, of the rounds before
        ("streams", RNG_DTYPE, (SEATS,)),  # by strategy
        ("limits", LIMITS_DTYPE, (SEATS,)),  # by strategy
        ("state", STATE_DTYPE),
        ("views", VIEW_DTYPE, (SEATS + 1,)),  # of the seats, and one to compare
        ("deck", "u1", (_MAX_DECK,)),
    ]
)
SLIP_DTYPE = build_slip_dtype(BATCH_DTYPE)
ENGINE_DTYPE = build_engine_dtype(SEATS, _N_DECISIONS)

_read_hook = build_function_reader(HOOK_SIGNATURE)
SIGNATURE = types.int64(
    from_dtype(RULES_DTYPE),
    from_dtype(ENGINE_DTYPE),
    from_dtype(LANE_DTYPE)[::1],
    types.Tuple((types.Array(types.uint64, 2, "A"), types.Array(types.uint64, 3, "A"))),
    from_dtype(SLIP_DTYPE)[:, ::1],
    types.Tuple((types.uint8[::1], types.Array(types.int32, 1, "C", readonly=True))),
    from_dtype(FORK_DTYPE)[::1],
    from_dtype(RESULT_DTYPE)[:, :, ::1],
    types.Tuple((from_dtype(TURN_DTYPE)[::1], types.int64[:, :, ::1])),
)


def advance_games(rules, engine, lanes, words, slips, tables, forks, results, traces):
    """Advance every lane until it waits or no game is left; return DONE or what went wrong.

    engine: who plays, and where the engine is. words: the lanes' states and views as words. slips:
    where games wait, by box. tables: canonical deck, and the points of each mask. forks: games to
    play instead of deals in every rotation, if there are any. traces: gets the turns, and where in
    it each round of the results begins, where turns are wanted.
    """
    trace, begins = traces
    for box in range(engine.waiting.size):
        engine.waiting[box] = 0
    for i in range(lanes.size):
        lane = lanes[i]
        while True:
            if lane.stage == NEW_GAME:
                _begin_game(engine, lane, forks, results)
            if lane.stage == OVER:
                break
            if lane.stage == NEW_ROUND:
                of_lane = (words[0][i], words[1][i])
                _begin_round(rules, engine, lane, tables[0], of_lane, begins)
            status = _play_on(rules, engine, lane, slips, trace, i)
            if status == ENDED:
                of_lane = (words[0][i], words[1][i])
                status = _end_round(rules, engine, lane, tables[1], of_lane, results)
            if status == WAITS:
                break
            if status != DONE:
                engine.at[AT_DEAL], engine.at[AT_ROTATION] = lane.deal, lane.rotation
                engine.lane = i
                return status
    return DONE


ENTRY = advance_games


@register_jitable
def _play_on(rules, engine, lane, slips, trace, i):
    """Play a lane's round on; WAITS for a move, ENDED, or what a strategy did wrong."""
    state, rotation = lane.state, lane.rotation
    answer = _take_answer(lane, slips)
    while True:
        if lane.stage == NEW_TURN and (lane.drawn >= lane.size or lane.turn == rules.turn_limit):
            return ENDED
        seat = lane.seat & 1
        strategy = (seat ^ rotation) & 1
        view, other, player = lane.views[seat], lane.views[seat ^ 1], engine.players[strategy]
        params, rng, limits = engine.params[strategy], lane.streams[strategy], lane.limits[strategy]
        once = is_once(limits, lane.round, lane.turn)
        engine.at[AT_STRATEGY] = strategy
        if lane.stage == NEW_TURN:
            open_turn(limits, once, state, view, seat, lane.turn, lane.size - lane.drawn)
            lane.stage = PLAYING
            if player >= 0:
                _wait(engine, lane, player * _N_DECISIONS, view, rng, slips, i)
                return WAITS
            engine.at[AT_DEAL], engine.at[AT_ROTATION], engine.lane = lane.deal, rotation, i
            note_call(engine.at, PLAY_CALL)
            answer = _read_hook(engine.hooks[0, strategy])(view, rng, params)
        if lane.stage == PLAYING:
            piles = do_play(rules, limits, once, state, view, other, seat, answer)
            if piles == ILLEGAL:
                engine.at[AT_MOVE] = answer
                return BAD_PLAY
            lane.play, lane.piles, lane.stage = answer, piles, DRAWING
            if player >= 0:
                _wait(engine, lane, player * _N_DECISIONS + 1, view, rng, slips, i)
                return WAITS
            engine.at[AT_DEAL], engine.at[AT_ROTATION], engine.lane = lane.deal, rotation, i
            note_call(engine.at, DRAW_CALL)
            answer = _read_hook(engine.hooks[1, strategy])(view, rng, params)
        next_card = lane.deck[lane.drawn & 127]
        card = do_draw(limits, state, view, other, seat, lane.piles, answer, next_card)
        if card == ILLEGAL:
            engine.at[AT_MOVE] = answer
            return BAD_DRAW
        if 0 <= lane.trace_at < trace.size:
            traced = trace[lane.trace_at]
            traced.play, traced.draw, traced.drawn = lane.play, answer, card
            lane.trace_at += 1
        lane.drawn += answer == DRAW_DECK
        lane.turn += 1
        lane.seat = seat ^ 1
        lane.stage = NEW_TURN


@register_jitable
def _take_answer(lane, slips):
    """Return the move that a lane waited for, after its random stream has moved on; 0 for none."""
    if not PLAYING <= lane.stage <= DRAWING:
        return 0
    slip, rng = slips[lane.box, lane.slot], lane.streams[(lane.seat ^ lane.rotation) & 1]
    for k in range(4):
        rng.state[k] = slip.stream[k]
    return slip.move


@register_jitable
def _wait(engine, lane, box, view, rng, slips, i):
    """Lay a view and its stream into a box of the desk."""
    slot = engine.waiting[box]
    engine.waiting[box] = slot + 1
    lane.box, lane.slot = box, slot
    slip = slips[box, slot]
    slip.lane = i
    for k in range(4):
        slip.stream[k] = rng.state[k]
    _copy_view(view, slip.seen)


@register_jitable
def _copy_view(view, to):
    for color in range(MAX_COLORS):
        to.hand[color], to.mine[color] = view.hand[color], view.mine[color]
        to.theirs[color], to.playable[color] = view.theirs[color], view.playable[color]
        to.their_playable[color] = view.their_playable[color]
        to.discarded[color], to.discard_top[color] = view.discarded[color], view.discard_top[color]
        to.known_theirs[color] = view.known_theirs[color]
    to.my_points, to.their_points = view.my_points, view.their_points
    to.drawable, to.deck_left, to.turn = view.drawable, view.deck_left, view.turn
    to.round, to.rounds, to.colors = view.round, view.rounds, view.colors
    to.hand_size, to.color_mask, to.either = view.hand_size, view.color_mask, view.either
    to.expedition_cost, to.turn_limit = view.expedition_cost, view.turn_limit
    to.redraw_own_discard = view.redraw_own_discard
    to.bonus_cards, to.bonus_points = view.bonus_cards, view.bonus_points


@register_jitable
def _begin_game(engine, lane, forks, results):
    """Take the next game, if one is left."""
    number = engine.next_game
    if number == results.shape[0] * results.shape[1]:
        lane.stage = OVER
        return
    engine.next_game = number + 1
    d = number // results.shape[1]
    lane.game, lane.rotation = number, number - d * results.shape[1]
    lane.deal = engine.first_deal + d
    if forks.size:
        lane.deal, lane.rotation = forks[d].deal, forks[d].rotation & 1
        limit_fork(lane.limits, forks[d])
    lane.round = lane.starter = 0
    lane.points[0] = lane.points[1] = 0
    lane.stage = NEW_ROUND


@register_jitable
def _begin_round(rules, engine, lane, canonical, words, begins):
    """Shuffle, deal, and show both seats the table."""
    generator = np.empty(4, np.uint64)
    open_stream(generator, engine.seed, lane.deal, lane.round, DECK_STREAM)
    lane.size = canonical.size
    for i in range(canonical.size):
        lane.deck[i] = canonical[i]
    shuffle_items(lane.deck, canonical.size, generator)
    open_seats(lane.streams, engine.seed, lane.deal, lane.round, lane.rotation)
    deal_cards(rules, (lane.state, words[0]), lane.deck)
    begin_views((lane.views, words[1]), words[0], lane.round, lane.points[0], lane.points[1])
    lane.seat, lane.turn, lane.drawn = lane.starter, 0, SEATS * rules.hand_size
    lane.trace_at = -1
    if begins.size:
        d = lane.game // begins.shape[1]
        lane.trace_at = begins[d, lane.game - d * begins.shape[1], lane.round]
    lane.stage = NEW_TURN


@register_jitable
def _end_round(rules, engine, lane, scores, words, results):
    """Hold the views against the state, write the round down, and go on to the next."""
    rotation = lane.rotation
    d = lane.game // results.shape[1]
    result = results[d, lane.game - d * results.shape[1], lane.round]
    result.deal, result.rotation, result.round = lane.deal, rotation, lane.round
    result.starter, result.turns = lane.starter ^ rotation, lane.turn
    result.ended_by = ENDED_BY_DECK if lane.drawn >= lane.size else ENDED_BY_TURN_LIMIT
    write_expeditions(lane.state, scores, rotation, result)
    points_0, points_1 = lane.points[0], lane.points[1]
    sight = (lane.views, words[1])
    status = check_views(sight, words[0], rotation, lane.round, points_0, points_1, engine.at)
    lane.points[0] += result.score[rotation]
    lane.points[1] += result.score[1 ^ rotation]
    lane.starter = next_starter(rules, lane.starter, lane.points[0], lane.points[1])
    lane.round += 1
    lane.stage = NEW_ROUND if lane.round < results.shape[2] else NEW_GAME
    return status
