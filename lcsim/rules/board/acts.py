"""What a legal act does to a round's state, and to what the seats see of it; compiled.

`seats` are the seats' views, brought up to date move by move with the state. A seat's view numbers
its opponents in the order in which they play after it.
"""

from numba.extending import register_jitable

from lcsim.rules.board.cards import MAX_COLORS, RANK_MASK, add_card, remove_card
from lcsim.rules.board.legal import (
    DISCARD,
    LEADER,
    NO_STEP,
    accepts_after,
    can_lay,
    can_open,
    can_step,
)
from lcsim.rules.board.ruleset import ARTEFACT, MAX_SEATS, NO_TILE, STEP
from lcsim.rules.board.state import find_playable
from lcsim.rules.kernel import BAD_PLAY, BAD_STEP, DONE

CROSSED = 5  # for the last time in this round
MOVES, ASKS = 6, 7  # while a turn's pawns move: one is to move; the seat is to say which


@register_jitable(forceinline=True)
def make_play(rules, state, seats, seat, play):
    """Lay or discard a card of the hand; a pawn that starts is set beside its path."""
    color, rank = (play >> 4) & 15, play & 15
    if play & ~(LEADER | (2 * DISCARD - 1)) or play >= LEADER + DISCARD or color >= MAX_COLORS:
        return BAD_PLAY
    if not state.hand[seat, color] >> rank & 1:
        return BAD_PLAY
    if play & DISCARD:
        _put_on_pile(rules, state, seats, color, play & (DISCARD - 1))
    elif can_lay(state.playable[seat, color], rank):
        if state.laid[seat, color]:
            if play & LEADER:
                return BAD_PLAY
        elif not can_open(play & LEADER, state.leader[seat], state.explorers[seat]):
            return BAD_PLAY
        else:
            _take_pawn(rules, state, seats, seat, color, play & LEADER)
        _lay(rules, state, seats, seat, color, rank)
    else:
        return BAD_PLAY
    change_hand(rules, state, seats, seat, play & (DISCARD - 1), False)
    return DONE


@register_jitable(forceinline=True)
def _take_pawn(rules, state, seats, seat, color, with_leader):
    if with_leader:
        state.leader[seat] = seats.seen[seat].leader = color
        seats.seen[seat].may_lead = 0
        watcher = seat
        for k in range(rules.n_players - 1):
            watcher = _watcher(rules, watcher)
            seats.seen[watcher].their_leaders[k] = color
    else:
        state.explorers[seat] -= 1
        seats.seen[seat].explorers = state.explorers[seat]
    if state.leader[seat] >= 0 and state.explorers[seat] == 0:
        for path in range(MAX_COLORS):  # without a pawn no other path can start
            if path != color and not state.laid[seat, path]:
                state.playable[seat, path] = seats.seen[seat].playable[path] = 0


@register_jitable(forceinline=True)
def _lay(rules, state, seats, seat, color, rank):
    laid = state.laid[seat, color]
    accepts = accepts_after(laid, rank, rules.color_mask & RANK_MASK, rules.either)
    laid = add_card(laid, rank)
    state.laid[seat, color] = seats.seen[seat].mine[color] = laid
    state.accepts[seat, color] = seats.seen[seat].accepts[color] = accepts
    watcher = seat
    for k in range(rules.n_players - 1):
        watcher = _watcher(rules, watcher)
        seats.seen[watcher].theirs[k, color] = laid
        seats.seen[watcher].their_accepts[k, color] = accepts


@register_jitable(forceinline=True)
def change_hand(rules, state, seats, seat, card, comes):
    """Add a card to a hand or remove it; one that leaves is no longer known there."""
    view, color, rank = seats.seen[seat], card >> 4, card & 15
    hand = state.hand[seat, color]
    hand = add_card(hand, rank) if comes else remove_card(hand, rank)
    state.hand[seat, color] = view.hand[color] = hand
    playable = find_playable(rules, state, seat, color)
    state.playable[seat, color] = view.playable[color] = playable
    if not comes:
        known = state.known[seat, color]
        if known >> rank & 1:
            _make_known(rules, state, seats, seat, color, remove_card(known, rank))


@register_jitable(forceinline=True)
def _put_on_pile(rules, state, seats, color, card):
    size = state.pile_size[color]
    state.pile[color, size] = card
    state.pile_size[color] = size + 1
    state.filled |= 1 << color
    _show_pile(rules, state, seats, color, card, add_card(state.discarded[color], card & 15))


@register_jitable(forceinline=True)
def take_discard(rules, state, seats, seat, color):
    """Take the top card of a pile into a hand, where all have seen it go; return it."""
    size = state.pile_size[color] - 1
    card = state.pile[color, size]
    state.pile_size[color] = size
    if not size:
        state.filled &= ~(1 << color)
    top = state.pile[color, size - 1] if size else -1
    _show_pile(rules, state, seats, color, top, remove_card(state.discarded[color], card & 15))
    known = add_card(state.known[seat, color], card & 15)
    _make_known(rules, state, seats, seat, color, known)
    return card


@register_jitable(forceinline=True)
def move_pawns(rules, state, seats, seat, play, step, rng, params):
    """Move the pawn of the card laid, then those that steps add; DONE, CROSSED or BAD_STEP."""
    color = (play >> 4) & 15
    status = begin_moves(rules, state, seat, color)
    while True:
        if status == ASKS:
            color = step(seats.seen[seat], rng, params)
            state.answer = color
            status = judge_step(state, seat, color)
        if status != MOVES:
            return status
        status = move_pawn(rules, state, seats, seat, color)


@register_jitable(forceinline=True)
def begin_moves(rules, state, seat, color):
    """Tell what a card laid does: MOVES its pawn, ASKS for a step in its place, or is DONE."""
    return _ask_step(state, seat) if state.space[seat, color] == rules.last_space else MOVES


@register_jitable(forceinline=True)
def judge_step(state, seat, color):
    """Tell what the answer of a seat that was asked for a step comes to."""
    if color == NO_STEP:
        return DONE
    return MOVES if 0 <= color < MAX_COLORS and state.movable[seat] >> color & 1 else BAD_STEP


@register_jitable(forceinline=True)
def move_pawn(rules, state, seats, seat, color):
    """Move a pawn one space; DONE, CROSSED, or ASKS where its tile lets the seat move on."""
    tile = _advance(rules, state, seats, seat, color)
    if state.crossings == rules.crossings_to_end:
        return CROSSED
    return _ask_step(state, seat) if tile == STEP else DONE


@register_jitable(forceinline=True)
def _ask_step(state, seat):
    return ASKS if state.movable[seat] else DONE


@register_jitable(forceinline=True)
def _advance(rules, state, seats, seat, color):
    """Move a pawn one space; return the tile there, after it is paid, or NO_TILE."""
    view = seats.seen[seat]
    space = state.space[seat, color] + 1
    state.space[seat, color] = view.spaces[color] = space
    state.last_advance = seat
    state.moves[state.n_moves] = color << 4 | space
    state.n_moves += 1
    bit = 1 << color
    movable = state.movable[seat] & ~bit
    movable |= bit if can_step(space, rules.last_space) else 0
    state.movable[seat] = view.movable = movable
    watcher = seat
    for k in range(rules.n_players - 1):
        watcher = _watcher(rules, watcher)
        seats.seen[watcher].their_spaces[k, color] = space
    if space == rules.bridge_after + 1:
        state.crossings += 1
        for one in range(rules.n_players):
            seats.seen[one].crossings = state.crossings
        if state.crossings == rules.crossings_to_end:
            return NO_TILE
    tile = state.tiles[color, space]
    if tile == ARTEFACT:
        state.tiles[color, space] = NO_TILE
        for one in range(rules.n_players):
            seats.seen[one].tiles[color, space] = NO_TILE
        state.artefacts[seat] += 1
        state.taken[seat] += 1
        _show_gain(rules, state, seats, seat)
    elif tile > 0:
        state.points[seat] += tile
        state.vp[seat] += tile
        _show_gain(rules, state, seats, seat)
    return tile


@register_jitable(forceinline=True)
def _watcher(rules, seat):
    """Return the seat before `seat`; the k-th from there sees it as its opponent number k."""
    return (seat if seat else rules.n_players) - 1 & (MAX_SEATS - 1)


@register_jitable(forceinline=True)
def _make_known(rules, state, seats, seat, color, known):
    state.known[seat, color] = known
    watcher = seat
    for k in range(rules.n_players - 1):
        watcher = _watcher(rules, watcher)
        seats.seen[watcher].known_theirs[k, color] = known


@register_jitable(forceinline=True)
def _show_pile(rules, state, seats, color, top, discarded):
    state.top[color] = top
    state.discarded[color] = discarded
    for seat in range(rules.n_players):
        seats.seen[seat].discard_top[color] = top
        seats.seen[seat].discarded[color] = discarded


@register_jitable(forceinline=True)
def _show_gain(rules, state, seats, seat):
    points, artefacts = state.points[seat], state.artefacts[seat]
    seats.seen[seat].my_points, seats.seen[seat].artefacts = points, artefacts
    watcher = seat
    for k in range(rules.n_players - 1):
        watcher = _watcher(rules, watcher)
        seats.seen[watcher].their_points[k] = points
        seats.seen[watcher].their_artefacts[k] = artefacts
