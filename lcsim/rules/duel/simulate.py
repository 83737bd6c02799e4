"""A round played on from what a seat sees: hidden cards dealt anew, a move made, points counted.

`lay_out` puts on a table what a view shows; its worlds (lcsim.rules.simulate) agree with all that
the view shows, and are dealt: the opponent's unknown cards, the draw pile, and the order of the
discard piles below their tops. Seat 0 is the seat of the view; the acts are the kernel's. The
opponent knows none of my cards there: a view does not tell which of them they have seen.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from numba.extending import overload, register_jitable

from lcsim.rules.bits import count_bits
from lcsim.rules.duel.acts import ILLEGAL, make_play, take_discard
from lcsim.rules.duel.cards import CARDS_PER_COLOR, COLOR_SLOTS, MAX_COLORS, make_card
from lcsim.rules.duel.kernel import HOOK_SIGNATURE
from lcsim.rules.duel.legal import DRAW_DECK, drawable_piles
from lcsim.rules.duel.scoring import score_mask
from lcsim.rules.duel.state import STATE_DTYPE
from lcsim.rules.duel.view import VIEW_DTYPE
from lcsim.rules.guest import GuestPlayer, read_guest
from lcsim.rules.kernel import DRAW_CALL, PLAY_CALL
from lcsim.rules.pointers import build_function_reader
from lcsim.rules.simulate import ME, Simulation, note_decision
from lcsim.rules.streams import (
    RNG_DTYPE,
    SIMULATION_STREAM,
    next_float,
    open_stream,
    shuffle_items,
)

THEM = ME + 1
_DECK, _CODES = 72, 96

TABLE_DTYPE = np.dtype(
    [
        ("state", STATE_DTYPE),
        ("seen", VIEW_DTYPE, (2,)),
        ("rng", RNG_DTYPE, (2,)),  # for the guest, by seat
        ("guest", "u8"),  # address of its record
        ("number", "u8"),  # of the table, by which its worlds are dealt
        ("hidden", "u1", (_DECK,)),  # cards that the view does not show
        ("odds", "f8", (_CODES,)),  # by card: how likely it is in the opponent's hand
        ("deck", "u1", (_DECK,)),
        ("n_hidden", "i8"),
        ("drawn", "i8"),
        ("seat", "i8"),  # to move
        ("has_order", "i8"),  # 1 where the order of the discard piles is known
    ]
)

SIMULATION = Simulation(__name__, table=TABLE_DTYPE, view=VIEW_DTYPE, title="the duel's simulation")
SIGNATURES = SIMULATION.signatures
_read_hook = build_function_reader(HOOK_SIGNATURE)


# -- for strategies and plain Python --------------------------------------------------------------


def lay_out(view: Any, guest: GuestPlayer, rng: Any) -> npt.NDArray[Any]:
    """Return a table with what `view` shows, TABLE_DTYPE (2,), on which `guest` will play.

    One number of `rng` says which worlds it has. In plain Python the table is of use as long as the
    guest is there.
    """
    return SIMULATION.lay_out(view, guest, rng)


def weigh_card(table: npt.NDArray[Any], card: int, odds: float) -> None:
    """Make a hidden card more likely in the opponent's hand than others, whose odds are 1.

    Each of their unknown cards is drawn by the odds of those that are left. The draw pile gets the
    others.
    """
    table["odds"][0, card] = odds


@overload(lay_out)
def _lay_out(view, guest, rng):
    return SIMULATION.compile_lay_out()


@overload(weigh_card)
def _weigh_card(table, card, odds):
    def weigh_card(table, card, odds):
        table[0].odds[card] = odds

    return weigh_card


# -- compiled -------------------------------------------------------------------------------------


def lay_out_table(tables, view, guest, number):
    """Put on a table what a view shows, its seat to move; hidden cards are still missing."""
    table = tables[0]
    state = table.state
    for color in range(COLOR_SLOTS):
        state.hand[ME, color] = view.hand[color]
        state.laid[ME, color], state.laid[THEM, color] = view.mine[color], view.theirs[color]
        state.accepts[ME, color] = view.playable[color]
        state.accepts[THEM, color] = view.their_playable[color]
        state.known[THEM, color] = view.known_theirs[color]
        state.discarded[color], state.top[color] = view.discarded[color], view.discard_top[color]
        state.pile_size[color] = count_bits(view.discarded[color])
        state.filled |= (view.discarded[color] != 0) << color
        _stack_pile(state, color)
    table.seen[ME] = table.seen[THEM] = view
    me, them = table.seen[ME], table.seen[THEM]
    them.my_points, them.their_points = view.their_points, view.my_points
    for color in range(COLOR_SLOTS):
        them.mine[color], them.theirs[color] = view.theirs[color], view.mine[color]
        them.playable[color] = view.their_playable[color]
        them.their_playable[color] = view.playable[color]
        them.known_theirs[color] = 0
    table.n_hidden = _list_hidden(table.hidden, view)
    table.odds[:] = 1.0
    table.guest, table.number, table.seat, me.turn = guest, number, ME, view.turn
    table.rng[ME].used = table.rng[THEM].used = read_guest(guest).uses_rng
    return 0


@register_jitable
def _list_hidden(hidden, view):
    """Write the cards that a view does not show, in canonical order; return how many."""
    n = 0
    for color in range(view.colors):
        seen = view.hand[color] | view.mine[color] | view.theirs[color]
        seen |= view.discarded[color] | view.known_theirs[color]
        for index in range(CARDS_PER_COLOR):
            if (view.color_mask & ~seen) >> index & 1:
                hidden[n] = make_card(color, index)
                n += 1
    return n


@register_jitable
def _stack_pile(state, color):
    """Lay a discard pile's cards in canonical order, but for its top."""
    top, n = state.top[color], 0
    for index in range(CARDS_PER_COLOR):
        card = make_card(color, index)
        if state.discarded[color] >> index & 1 and card != top:
            state.pile[color, n] = card
            n += 1
    if top >= 0:
        state.pile[color, n] = top


def deal_table(tables, world):
    """Deal the hidden cards of a world: the opponent's unknown cards lie behind the draw pile."""
    table = tables[0]
    state, generator = table.state, table.rng[ME].state
    open_stream(generator, table.number, world, 0, SIMULATION_STREAM)
    if not table.has_order:
        for color in range(MAX_COLORS):
            if state.pile_size[color] > 2:
                _stack_pile(state, color)
                shuffle_items(state.pile[color], state.pile_size[color] - 1, generator)
    _draw_hand(table, generator)
    shuffle_items(table.deck, table.seen[ME].deck_left, generator)
    for color in range(COLOR_SLOTS):
        state.hand[THEM, color] = state.known[THEM, color]
    for i in range(table.seen[ME].deck_left, table.n_hidden):
        state.hand[THEM, table.deck[i] >> 4] |= 1 << (table.deck[i] & 15)
    for color in range(COLOR_SLOTS):
        table.seen[THEM].hand[color] = state.hand[THEM, color]
    if table.rng[ME].used:
        for seat in range(2):
            stream = SIMULATION_STREAM + 1 + seat
            open_stream(table.rng[seat].state, table.number, world, 0, stream)
    return 0


@register_jitable
def _draw_hand(table, generator):
    """Move the opponent's unknown cards to the end of the deck, one by one, each by its odds."""
    total, n = 0.0, table.n_hidden
    for i in range(n):
        table.deck[i] = table.hidden[i]
        total += table.odds[table.hidden[i]]
    while n > table.seen[ME].deck_left:
        left = next_float(generator) * total
        i = 0
        while i < n - 1 and left >= table.odds[table.deck[i]]:
            left -= table.odds[table.deck[i]]
            i += 1
        n -= 1
        total -= table.odds[table.deck[i]]
        table.deck[i], table.deck[n] = table.deck[n], table.deck[i]


def try_on_table(tables, move):
    """Return the margin of the round after a move of the seat to move, on a copy of the table."""
    tables[1] = tables[0]  # not an array of its own: it would be freed while its record is in use
    table = tables[1]
    guest = read_guest(table.guest)
    if _is_at_play(table):
        _play_card(table, move)
        move = _ask(table, guest, DRAW_CALL)
    _draw_card(table, move)
    while table.seen[ME].deck_left > 0 and table.seen[ME].turn < table.seen[ME].turn_limit:
        _play_card(table, _ask(table, guest, PLAY_CALL))
        _draw_card(table, _ask(table, guest, DRAW_CALL))
    return _count_margin(table)


def ask_at_table(tables):
    """Return what the guest does, whose random numbers are those of a world of its own."""
    table = tables[0]
    if table.rng[ME].used:
        open_stream(table.rng[ME].state, table.number, -1, 0, SIMULATION_STREAM)
    return _ask(table, read_guest(table.guest), PLAY_CALL if _is_at_play(table) else DRAW_CALL)


@register_jitable
def _ask(table, guest, decision):
    """Return the guest's decision for the seat to move."""
    note_decision(guest, decision)
    view, rng = table.seen[table.seat], table.rng[table.seat]
    return _read_hook(guest.decisions[decision])(view, rng, guest.params)


@register_jitable
def _is_at_play(table):
    """Tell whether the seat to move has yet to play a card, or to draw one."""
    cards = 0
    for color in range(COLOR_SLOTS):
        cards += count_bits(table.state.hand[ME, color])
    return cards == table.seen[ME].hand_size


@register_jitable
def _play_card(table, play):
    """Make a play of the seat to move; its view then offers the draws."""
    seat, state = table.seat, table.state
    view = table.seen[seat]
    discarded_to = make_play(view, state, view, table.seen[seat ^ 1], seat, play)
    if discarded_to == ILLEGAL:
        raise ValueError("a move in a simulation is not a legal play")
    view.drawable = drawable_piles(state.filled, discarded_to, view.redraw_own_discard)


@register_jitable
def _draw_card(table, pile):
    """Make a draw of the seat to move; the other seat is to move then."""
    seat, state = table.seat, table.state
    view, other = table.seen[seat], table.seen[seat ^ 1]
    if pile == DRAW_DECK:
        card = table.deck[table.drawn]
        table.drawn += 1
        state.hand[seat, card >> 4] |= 1 << (card & 15)
        view.hand[card >> 4] = state.hand[seat, card >> 4]
    elif 0 <= pile < MAX_COLORS and view.drawable >> pile & 1:
        take_discard(state, view, other, seat, pile)
    else:
        raise ValueError("a move in a simulation is not a legal draw")
    table.seat = seat ^ 1
    view.turn += 1
    view.deck_left -= pile == DRAW_DECK
    other.turn, other.deck_left, other.drawable = view.turn, view.deck_left, state.filled


@register_jitable
def _count_margin(table):
    """Return the points of seat 0's expeditions less those of seat 1's."""
    view, total = table.seen[ME], 0
    for color in range(MAX_COLORS):
        total += _score(view, table.state.laid[ME, color])
        total -= _score(view, table.state.laid[THEM, color])
    return total


@register_jitable
def _score(view, laid):
    return score_mask(laid, view.expedition_cost, view.bonus_cards, view.bonus_points)
