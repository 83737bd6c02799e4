"""A round played on from what a seat sees: hidden cards dealt anew, a move made, points counted.

As in the duel (lcsim.rules.duel.simulate), for two to four players: `lay_out` puts on a table what
a view shows, its seat to move as seat 0, `lay_out_step` what it shows before a step. In its worlds
(lcsim.rules.simulate) are dealt: the other hands, the draw pile, the cards taken out of the round,
and the order of the discard piles below their tops.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from numba.extending import overload, register_jitable

from lcsim.rules.bits import count_bits
from lcsim.rules.board.acts import CROSSED, change_hand, make_play, move_pawns, take_discard
from lcsim.rules.board.cards import MAX_COLORS, MAX_DECK
from lcsim.rules.board.hidden import draw_hands, list_hidden, stack_pile
from lcsim.rules.board.kernel import HOOK_SIGNATURE
from lcsim.rules.board.legal import DISCARD, DRAW_DECK, NO_STEP, can_step, drawable_piles
from lcsim.rules.board.ruleset import MAX_SEATS, MAX_SPACES, RULES_DTYPE
from lcsim.rules.board.scoring import add_points, last_entry, score_pawn
from lcsim.rules.board.state import STATE_DTYPE, find_playable, show_table
from lcsim.rules.board.view import MAX_OTHERS, SIGHT_DTYPE, VIEW_DTYPE
from lcsim.rules.guest import GuestPlayer, read_guest
from lcsim.rules.kernel import BAD_STEP, DONE, DRAW_CALL, PLAY_CALL, STEP_CALL
from lcsim.rules.pointers import build_function_reader
from lcsim.rules.simulate import ME, Simulation, note_decision
from lcsim.rules.streams import (
    RNG_DTYPE,
    SIMULATION_STREAM,
    open_stream,
    shuffle_items,
)

_CODES = 16 * MAX_COLORS

TABLE_DTYPE = np.dtype(
    [
        ("state", STATE_DTYPE),
        ("sight", SIGHT_DTYPE),
        ("rules", RULES_DTYPE),
        ("rng", RNG_DTYPE, (MAX_SEATS,)),  # for the guest, by seat
        ("guest", "u8"),  # address of its record
        ("number", "u8"),  # of the table, by which its worlds are dealt
        ("hidden", "u1", (MAX_DECK,)),  # cards that the view does not show
        ("odds", "f8", (MAX_OTHERS, _CODES)),  # by card: how likely it is in that one's hand
        ("deck", "u1", (MAX_DECK,)),
        ("unused", "u1", (-2 * MAX_DECK % 8,)),
        ("n_hidden", "i8"),
        ("drawn", "i8"),
        ("left", "i8"),  # cards in the draw pile
        ("turn", "i8"),
        ("seat", "i8"),  # to move
        ("decision", "i8"),  # that it has to make: PLAY_CALL, DRAW_CALL or STEP_CALL
        ("drawable", "i8"),  # mask of the piles open to the seat to move, before a draw
        ("has_order", "i8"),  # 1 where the order of the discard piles is known
    ]
)

SIMULATION = Simulation(
    __name__, table=TABLE_DTYPE, view=VIEW_DTYPE, title="the board game's simulation"
)
SIGNATURES = SIMULATION.signatures
_read_hook = build_function_reader(HOOK_SIGNATURE)


# -- for strategies and plain Python --------------------------------------------------------------


def lay_out(view: Any, guest: GuestPlayer, rng: Any) -> npt.NDArray[Any]:
    """Return a table with what `view` shows before a play or a draw, on which `guest` will play.

    It is a TABLE_DTYPE (2,): a thing to hand on. One number of `rng` says which worlds it has. In
    plain Python it is of use as long as the guest is there.
    """
    return SIMULATION.lay_out(view, guest, rng)


def lay_out_step(view: Any, guest: GuestPlayer, rng: Any) -> npt.NDArray[Any]:
    """Return a table as `lay_out` does, for a view that `choose_step` gets.

    Such a view looks like one before the draw that follows. The table takes steps: the color of a
    pawn that can move, or NO_STEP.
    """
    table = lay_out(view, guest, rng)
    table["decision"] = STEP_CALL
    return table


def weigh_card(table: npt.NDArray[Any], other: int, card: int, odds: float) -> None:
    """Make a hidden card more likely in an opponent's hand than others, whose odds are 1.

    `other` counts opponents as the view does. Each of their unknown cards is drawn by the odds of
    those that are left, the next player's first.
    """
    table["odds"][0, other, card] = odds


@overload(lay_out)
def _lay_out(view, guest, rng):
    return SIMULATION.compile_lay_out()


@overload(lay_out_step)
def _lay_out_step(view, guest, rng):
    def lay_out_step(view, guest, rng):
        table = lay_out(view, guest, rng)
        table[0].decision = STEP_CALL
        return table

    return lay_out_step


@overload(weigh_card)
def _weigh_card(table, other, card, odds):
    def weigh_card(table, other, card, odds):
        table[0].odds[other, card] = odds

    return weigh_card


# -- compiled -------------------------------------------------------------------------------------


def lay_out_table(tables, view, guest, number):
    """Put on a table what a view shows, its seat to move; hidden cards are still missing."""
    table = tables[0]
    state, sight = table.state, table.sight
    _write_rules(table.rules, view)
    for color in range(MAX_COLORS):
        state.hand[ME, color] = view.hand[color]
        state.laid[ME, color], state.accepts[ME, color] = view.mine[color], view.accepts[color]
        state.space[ME, color] = view.spaces[color]
        state.discarded[color], state.top[color] = view.discarded[color], view.discard_top[color]
        state.pile_size[color] = count_bits(view.discarded[color])
        state.filled |= (view.discarded[color] != 0) << color
        stack_pile(state, color)
        for space in range(MAX_SPACES + 1):
            state.tiles[color, space] = view.tiles[color, space]
    state.points[ME], state.artefacts[ME] = view.my_points, view.artefacts
    state.leader[ME], state.explorers[ME] = view.leader, view.explorers
    state.crossings, state.last_advance = view.crossings, -1
    explorers = view.explorers + _count_explorers(state, ME)
    for k in range(view.n_players - 1):
        _seat_other(state, view, k, explorers)
    for seat in range(view.n_players):
        for color in range(MAX_COLORS):
            can = can_step(state.space[seat, color], view.last_space)
            state.movable[seat] |= can << color
    for seat in range(MAX_SEATS):
        sight.seen[seat] = view
    table.n_hidden = list_hidden(table.hidden, view)
    table.odds[:] = 1.0
    table.guest, table.number, table.seat = guest, number, ME
    table.turn, table.left, table.drawable = view.turn, view.deck_left, view.drawable
    table.decision = PLAY_CALL if _count_hand(view) == view.hand_size else DRAW_CALL
    for seat in range(MAX_SEATS):
        table.rng[seat].used = read_guest(guest).uses_rng
    return 0


@register_jitable
def _write_rules(rules, view):
    """Write what acts ask of a ruleset; a view does not say whether an own discard may be drawn."""
    rules.n_players, rules.colors, rules.color_mask = view.n_players, view.colors, view.color_mask
    rules.hand_size, rules.removed, rules.turn_limit = view.hand_size, view.removed, view.turn_limit
    rules.last_space, rules.bridge_after = view.last_space, view.bridge_after
    rules.crossings_to_end, rules.leader_factor = view.crossings_to_end, view.leader_factor
    rules.either, rules.open_any = view.either, view.open_any
    for space in range(MAX_SPACES + 1):
        rules.space_points[space] = view.space_points[space]
    for number in range(view.artefact_points.size):
        rules.artefact_points[number] = view.artefact_points[number]


@register_jitable
def _seat_other(state, view, k, explorers):
    """Put an opponent's rows, pawns and gains on the table."""
    seat = k + 1
    for color in range(MAX_COLORS):
        state.laid[seat, color] = view.theirs[k, color]
        state.accepts[seat, color] = view.their_accepts[k, color]
        state.known[seat, color] = view.known_theirs[k, color]
        state.space[seat, color] = view.their_spaces[k, color]
    state.points[seat], state.artefacts[seat] = view.their_points[k], view.their_artefacts[k]
    state.leader[seat] = view.their_leaders[k]
    state.explorers[seat] = explorers - _count_explorers(state, seat)


@register_jitable
def _count_explorers(state, seat):
    """Return how many explorers of a seat are on paths."""
    pawns = 0
    for color in range(MAX_COLORS):
        pawns += state.space[seat, color] > 0
    return pawns - (state.leader[seat] >= 0)


@register_jitable
def _count_hand(view):
    """Return how many cards are in my hand."""
    cards = 0
    for color in range(MAX_COLORS):
        cards += count_bits(view.hand[color])
    return cards


def deal_table(tables, world):
    """Deal the hidden cards of a world: the other hands, then the draw pile; the rest is out."""
    table = tables[0]
    state, rules, generator = table.state, table.rules, table.rng[ME].state
    open_stream(generator, table.number, world, 0, SIMULATION_STREAM)
    if not table.has_order:
        for color in range(MAX_COLORS):
            if state.pile_size[color] > 2:
                stack_pile(state, color)
                shuffle_items(state.pile[color], state.pile_size[color] - 1, generator)
    for i in range(table.n_hidden):
        table.deck[i] = table.hidden[i]
    shuffle_items(table.deck, draw_hands(table, generator), generator)
    for seat in range(rules.n_players):
        for color in range(MAX_COLORS):
            state.playable[seat, color] = find_playable(rules, state, seat, color)
        show_table(rules, state, table.sight.seen[seat], seat)
    if table.rng[ME].used:
        for seat in range(rules.n_players):
            stream = SIMULATION_STREAM + 1 + seat
            open_stream(table.rng[seat].state, table.number, world, 0, stream)
    return 0


def try_on_table(tables, move):
    """Return the margin after a move of the seat to move, on a copy of the table."""
    tables[1] = tables[0]  # not an array of its own: it would be freed while its record is in use
    table = tables[1]
    guest = read_guest(table.guest)
    is_over = False
    _show_turn(table)
    if table.decision == DRAW_CALL:
        _draw_card(table, move)
    else:
        if table.decision == PLAY_CALL:
            is_over = _play_card(table, move, guest)
        else:
            is_over = _take_step(table, move, guest)
        if not is_over:
            _draw_card(table, _ask(table, guest, DRAW_CALL))
    while not is_over and table.left > 0 and table.turn < table.rules.turn_limit:
        _show_turn(table)
        is_over = _play_card(table, _ask(table, guest, PLAY_CALL), guest)
        if not is_over:
            _draw_card(table, _ask(table, guest, DRAW_CALL))
    return _count_margin(table)


def ask_at_table(tables):
    """Return what the guest does, whose random numbers are those of a world of its own."""
    table = tables[0]
    if table.rng[ME].used:
        open_stream(table.rng[ME].state, table.number, -1, 0, SIMULATION_STREAM)
    return _ask(table, read_guest(table.guest), table.decision)


@register_jitable
def _ask(table, guest, decision):
    """Return the guest's decision for the seat to move."""
    seat = table.seat
    view, rng = table.sight.seen[seat], table.rng[seat]
    note_decision(guest, decision)
    return _read_hook(guest.decisions[decision])(view, rng, guest.params)


@register_jitable
def _show_turn(table):
    """Show the seat to move what changes from turn to turn."""
    view = table.sight.seen[table.seat]
    view.turn, view.deck_left = table.turn, table.left
    if table.drawable >= 0:  # as the view that was laid out has it
        view.drawable, table.drawable = table.drawable, -1
    else:
        view.drawable = table.state.filled


@register_jitable
def _play_card(table, play, guest):
    """Make a play and the moves of pawns it brings; tell whether that ended the round."""
    state, sight, rules, seat = table.state, table.sight, table.rules, table.seat
    state.n_moves = 0
    if make_play(rules, state, sight, seat, play) != DONE:
        raise ValueError("a move in a simulation is not a legal play")
    if not play & DISCARD and _move_pawns(table, play, guest):
        return True
    discarded_to = (play >> 4) & 15 if play & DISCARD else -1
    piles = drawable_piles(state.filled, discarded_to, rules.redraw_own_discard)
    sight.seen[seat].drawable = piles
    return False


@register_jitable
def _take_step(table, color, guest):
    """Move a pawn as a step, or none, and those that further steps add; tell as `_play_card`."""
    seat, state = table.seat, table.state
    state.n_moves = 0
    if color == NO_STEP:
        return False
    if not 0 <= color < MAX_COLORS or not state.movable[seat] >> color & 1:
        raise ValueError("a move in a simulation is not a legal step")
    return _move_pawns(table, color << 4, guest)  # not at the end of its path, so it moves


@register_jitable
def _move_pawns(table, play, guest):
    """Move the pawn of the card laid, and those that steps add; tell whether the round is over."""
    state, sight, rules, seat = table.state, table.sight, table.rules, table.seat
    step = _read_hook(guest.decisions[STEP_CALL])
    note_decision(guest, STEP_CALL)
    status = move_pawns(rules, state, sight, seat, play, step, table.rng[seat], guest.params)
    if status == BAD_STEP:
        raise ValueError("a move in a simulation is not a legal step")
    return status == CROSSED


@register_jitable
def _draw_card(table, pile):
    """Make a draw of the seat to move; the next seat is to move then."""
    state, sight, rules, seat = table.state, table.sight, table.rules, table.seat
    if pile == DRAW_DECK:
        card = np.int64(table.deck[table.drawn])
        table.drawn += 1
        table.left -= 1
    elif 0 <= pile < MAX_COLORS and sight.seen[seat].drawable >> pile & 1:
        card = np.int64(take_discard(rules, state, sight, seat, pile))
    else:
        raise ValueError("a move in a simulation is not a legal draw")
    change_hand(rules, state, sight, seat, card, True)
    table.turn += 1
    table.seat = seat + 1 if seat + 1 < rules.n_players else 0


@register_jitable
def _count_margin(table):
    """Return the points of seat 0 at the round's end less those of the best other seat."""
    best = -(2**30)
    for seat in range(1, table.rules.n_players):
        best = max(best, _count_points(table, seat))
    return _count_points(table, ME) - best


@register_jitable
def _count_points(table, seat):
    """Return a seat's points after the round, with what its artefacts promise."""
    state, rules = table.state, table.rules
    gained = 0
    for color in range(MAX_COLORS):
        is_leader = color == state.leader[seat]
        points = rules.space_points[state.space[seat, color]]
        gained += score_pawn(points, is_leader, rules.leader_factor)
    return add_points(add_points(state.points[seat], gained), _promise(table, seat))


@register_jitable
def _promise(table, seat):
    """Return the points that a seat can expect for its artefacts at the end of the game.

    In the rounds to come there are as many for all as there have been a round, and each goes to a
    seat by lot, so a seat's share is binomial.
    """
    state, rules, view = table.state, table.rules, table.sight.seen[ME]
    done, found = view.round + 1, 0
    for one in range(rules.n_players):
        found += state.artefacts[one]
    to_come = (found * (view.rounds - done) + done // 2) // done
    odds, total = (1.0 - 1.0 / rules.n_players) ** to_come, 0.0
    for more in range(to_come + 1):
        total += odds * rules.artefact_points[last_entry(state.artefacts[seat] + more)]
        odds *= (to_come - more) / ((more + 1) * (rules.n_players - 1.0))
    return np.int64(np.floor(total + 0.5))
