"""The board game for batch strategies: many games side by side, each advanced until it must wait.

The acts, the views and the order of things are the kernel's. A game lies in a lane that keeps its
state between two calls; a lane whose game has ended takes the next one.
"""

import numpy as np
from numba import from_dtype, types
from numba.extending import register_jitable

from lcsim.rules.board.acts import ASKS, CROSSED, MOVES, begin_moves, judge_step, move_pawn
from lcsim.rules.board.cards import MAX_DECK
from lcsim.rules.board.kernel import (
    HOOK_SIGNATURE,
    TURN_DTYPE,
    do_draw,
    do_play,
    next_starter,
    open_draw,
    open_seats,
    open_turn,
    shuffle_round,
    trace_turn,
)
from lcsim.rules.board.legal import DISCARD, DRAW_DECK
from lcsim.rules.board.outcome import BRIDGES, DECK, RESULT_DTYPE, TURN_LIMIT
from lcsim.rules.board.restrict import widen_seat
from lcsim.rules.board.ruleset import MAX_SEATS, RULES_DTYPE
from lcsim.rules.board.state import (
    STATE_DTYPE,
    check_views,
    deal_round,
    settle_round,
    show_table,
    strategy_of,
)
from lcsim.rules.board.view import SIGHT_DTYPE, VIEW_DTYPE
from lcsim.rules.kernel import (
    AT_DEAL,
    AT_MOVE,
    AT_ROTATION,
    AT_STRATEGY,
    DONE,
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
    STEPPING,
    WAITS,
    build_engine_dtype,
    build_slip_dtype,
)
from lcsim.rules.pointers import build_function_reader
from lcsim.rules.restriction import LIMITS_DTYPE, is_once
from lcsim.rules.streams import RNG_DTYPE

DECISIONS = ("choose_play", "choose_draw", "choose_step")  # PLAYING, DRAWING, STEPPING
_N_DECISIONS = len(DECISIONS)

LANE_DTYPE = np.dtype(
    [
        ("game", "i8"),  # its number in the results, rotation by rotation
        ("deal", "i8"),
        ("trace_at", "i8"),  # where in the trace its next turn goes, or -1
        ("answer", "i8"),  # that it waited for
        *((name, "i4") for name in ("rotation", "round", "starter", "stage")),
        *((name, "i4") for name in ("seat", "turn", "drawn", "ended_by")),
        ("streams", RNG_DTYPE, (MAX_SEATS,)),  # by strategy
        ("limits", LIMITS_DTYPE, (MAX_SEATS,)),  # by strategy
        ("state", STATE_DTYPE),
        ("sight", SIGHT_DTYPE),  # the seats' views, and one to compare
        ("deck", "u1", (MAX_DECK,)),
        ("unused", "u1", (-MAX_DECK % 8,)),
    ]
)
SLIP_DTYPE = build_slip_dtype(VIEW_DTYPE)
ENGINE_DTYPE = build_engine_dtype(MAX_SEATS, _N_DECISIONS)

_read_hook = build_function_reader(HOOK_SIGNATURE)
SIGNATURE = types.int64(
    from_dtype(RULES_DTYPE),
    from_dtype(ENGINE_DTYPE),
    from_dtype(LANE_DTYPE)[::1],
    types.Array(types.uint64, 3, "A"),
    from_dtype(SLIP_DTYPE)[:, ::1],
    types.Tuple((types.uint8[::1], types.int32[::1], types.uint8[::1])),
    types.Tuple((types.uint8[:, ::1], types.int32[:, ::1])),
    from_dtype(RESULT_DTYPE)[:, :, ::1],
    types.Tuple((from_dtype(TURN_DTYPE)[::1], types.int64[:, :, ::1])),
)


def advance_games(rules, engine, lanes, words, slips, supply, stacks, results, traces):
    """Advance every lane until it waits or no game is left; return DONE or what went wrong.

    engine: who plays, and where the engine is. words: the lanes' views as words. slips: where games
    wait, by box. supply: canonical deck, tiles, and places, 16 * color + space. stacks: decks and
    tiles by round that were laid out by hand, or of no round. traces: gets the turns, and where in
    it each round of the results begins, where turns are wanted.
    """
    trace, begins = traces
    desk = (np.empty(4, np.uint64), np.empty(supply[1].size, np.int32))
    _take_answers(rules, engine, lanes, slips)
    for i in range(lanes.size):
        lane = lanes[i]
        while True:
            if lane.stage == NEW_GAME:
                _begin_game(engine, lane, results)
            if lane.stage == OVER:
                break
            if lane.stage == NEW_ROUND:
                _begin_round(rules, engine, lane, (supply, stacks, desk), results, begins)
            status = _play_on(rules, engine, lane, slips, supply[0].size, trace, i)
            if status == ENDED:
                status = _end_round(rules, engine, lane, words[i], results)
            if status == WAITS:
                break
            if status != DONE:
                engine.at[AT_DEAL], engine.at[AT_ROTATION] = lane.deal, lane.rotation
                engine.at[AT_MOVE], engine.lane = lane.state.answer, i
                return status
    return DONE


ENTRY = advance_games


@register_jitable
def _take_answers(rules, engine, lanes, slips):
    """Hand out all answers, with the random streams moved on, before any slip is used again.

    A lane that a step keeps back waits in another box than those beside it, and they for its place.
    """
    for box in range(engine.waiting.size):
        for slot in range(engine.waiting[box]):
            slip = slips[box, slot]
            lane = lanes[slip.lane]
            lane.answer = slip.move
            rng = lane.streams[strategy_of(rules, lane.seat, lane.rotation)]
            for k in range(4):
                rng.state[k] = slip.stream[k]
        engine.waiting[box] = 0


@register_jitable
def _play_on(rules, engine, lane, slips, n_cards, trace, i):
    """Play a lane's round on; WAITS for a move, ENDED, or what a strategy did wrong."""
    end = n_cards - rules.removed
    answer = lane.answer
    while True:
        if lane.stage == NEW_TURN:
            if lane.drawn >= end or lane.turn == rules.turn_limit:
                lane.ended_by = DECK if lane.drawn >= end else TURN_LIMIT
                return ENDED
            _open_turn(rules, lane, end)
            stage = PLAYING
        else:
            status = _act(rules, lane, answer)
            if status not in (DONE, CROSSED, ASKS):
                engine.at[AT_STRATEGY] = strategy_of(rules, lane.seat, lane.rotation)
                return status
            stage = STEPPING if status == ASKS else DRAWING
            if status == CROSSED or (status == DONE and lane.stage == DRAWING):
                _end_turn(rules, lane, trace)
                if status == CROSSED:
                    lane.ended_by = BRIDGES
                    return ENDED
                continue
        lane.stage = stage
        waits, answer = _ask(rules, engine, lane, slips, i)
        if waits:
            return WAITS


@register_jitable(forceinline=True)
def _open_turn(rules, lane, end):
    """Show a seat the turn that it is to play."""
    seat = lane.seat & (MAX_SEATS - 1)
    view = lane.sight.seen[seat]
    view.turn, view.deck_left = lane.turn, end - lane.drawn
    limits = lane.limits[strategy_of(rules, seat, lane.rotation)]
    once = is_once(limits, lane.round, lane.turn)
    open_turn(limits, once, lane.state, view, seat)


@register_jitable(forceinline=True)
def _act(rules, lane, answer):
    """Do what a seat answered; DONE, ASKS for a step, CROSSED, or what is wrong with it."""
    state, sight, seat = lane.state, lane.sight, lane.seat & (MAX_SEATS - 1)
    limits = lane.limits[strategy_of(rules, seat, lane.rotation)]
    once = is_once(limits, lane.round, lane.turn)
    if lane.stage == DRAWING:
        next_card = lane.deck[lane.drawn]
        return do_draw(rules, limits, state, sight, seat, answer, next_card)
    color = (answer >> 4) & 15
    if lane.stage == PLAYING:
        status = do_play(rules, limits, once, state, sight, seat, answer)
        if status == DONE and not answer & DISCARD:
            status = begin_moves(rules, state, seat, color)
    else:
        state.answer = color = answer
        status = judge_step(state, seat, color)
    if status == MOVES:
        status = move_pawn(rules, state, sight, seat, color)
    if status == DONE:
        open_draw(rules, limits, once, state, sight.seen[seat])
    elif status == CROSSED and limits.used:
        widen_seat(state, sight.seen[seat], seat)
    return status


@register_jitable(forceinline=True)
def _ask(rules, engine, lane, slips, i):
    """Ask the seat for its decision of this stage; whether it is waited for, else the answer."""
    seat, decision = lane.seat & (MAX_SEATS - 1), lane.stage - PLAYING
    strategy = strategy_of(rules, seat, lane.rotation)
    view, rng, player = lane.sight.seen[seat], lane.streams[strategy], engine.players[strategy]
    if player >= 0:
        box = player * _N_DECISIONS + decision
        slot = engine.waiting[box]
        engine.waiting[box] = slot + 1
        slip = slips[box, slot]
        slip.lane = i
        for k in range(4):
            slip.stream[k] = rng.state[k]
        slip.seen = view
        return True, 0
    engine.at[AT_DEAL], engine.at[AT_ROTATION], engine.lane = lane.deal, lane.rotation, i
    engine.at[AT_STRATEGY] = strategy
    note_call(engine.at, decision)
    return False, _read_hook(engine.hooks[decision, strategy])(view, rng, engine.params[strategy])


@register_jitable
def _end_turn(rules, lane, trace):
    """Write down the turn, and go on to the next seat's."""
    if 0 <= lane.trace_at < trace.size:
        trace_turn(trace[lane.trace_at], lane.state, lane.seat)
        lane.trace_at += 1
    lane.drawn += lane.state.draw == DRAW_DECK
    lane.turn += 1
    lane.seat = lane.seat + 1 if lane.seat + 1 < rules.n_players else 0
    lane.stage = NEW_TURN


@register_jitable
def _begin_game(engine, lane, results):
    """Take the next game, if one is left."""
    number = engine.next_game
    if number == results.shape[0] * results.shape[1]:
        lane.stage = OVER
        return
    engine.next_game = number + 1
    d = number // results.shape[1]
    lane.game, lane.rotation = number, number - d * results.shape[1]
    lane.deal = engine.first_deal + d
    lane.round = lane.starter = 0
    for seat in range(MAX_SEATS):
        lane.state.points[seat] = lane.state.artefacts[seat] = 0
    lane.stage = NEW_ROUND


@register_jitable
def _begin_round(rules, engine, lane, room, results, begins):
    """Shuffle, deal, and show the seats the table; note in the results what round it is."""
    supply, stacks, desk = room
    d = lane.game // results.shape[1]
    result = results[d, lane.game - d * results.shape[1], lane.round]
    result.deal, result.rotation, result.round = lane.deal, lane.rotation, lane.round
    result.starter = strategy_of(rules, lane.starter, lane.rotation)
    where = (engine.seed, lane.deal, lane.round)
    shuffle_round(desk[0], where, supply, stacks, lane.deck, desk[1])
    open_seats(rules, lane.streams, engine.seed, result)
    deal_round(rules, lane.state, lane.deck, desk[1], supply[2])
    for seat in range(rules.n_players):
        lane.sight.seen[seat].round = lane.round
        show_table(rules, lane.state, lane.sight.seen[seat], seat)
    lane.seat, lane.turn, lane.drawn = lane.starter, 0, rules.n_players * rules.hand_size
    lane.trace_at = -1
    if begins.size:
        lane.trace_at = begins[d, lane.game - d * begins.shape[1], lane.round]
    lane.stage = NEW_TURN


@register_jitable
def _end_round(rules, engine, lane, words, results):
    """Hold the views against the state, write the round down, and go on to the next."""
    d = lane.game // results.shape[1]
    result = results[d, lane.game - d * results.shape[1], lane.round]
    result.turns, result.ended_by = lane.turn, lane.ended_by
    status = check_views(rules, (lane.sight, words), lane.state, result, engine.at)
    settle_round(rules, lane.state, result, lane.round == results.shape[2] - 1)
    lane.starter = next_starter(rules, lane.state, lane.starter)
    lane.round += 1
    lane.stage = NEW_ROUND if lane.round < results.shape[2] else NEW_GAME
    return status
