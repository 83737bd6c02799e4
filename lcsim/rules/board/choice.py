"""From ratings to decisions: the best legal move by a strategy's own judgement.

A rating strategy says how good a move is; these functions ask it about every legal move and take
the best, the first in canonical order among equals: lays before discards, colors R G W B Y, ranks
rising. Equal cards are offered once. A card that starts an expedition takes the leader along where
`open_with_leader` rates that above 0, or where no explorer is left. A step goes to the pawn that
`step` rates highest above 0; to move none is worth 0.
"""

from lcsim.rules.bits import lowest_bit
from lcsim.rules.board.cards import RANK_MASK, make_card
from lcsim.rules.board.legal import DISCARD, LEADER, NO_STEP
from lcsim.rules.choice import check_rating


def choose_play_by_rating(view, rng, params):
    """Return the legal play that the strategy's `lay` or `discard` rates highest."""
    me = build_self(params)  # type: ignore[name-defined]  # noqa: F821
    move, best = -1, 0.0
    for color in range(view.colors):
        ranks = view.playable[color]
        while ranks:
            card = make_card(color, lowest_bit(ranks))
            ranks &= ranks - 1
            rating = check_rating(1.0 * lay(me, view, card))  # type: ignore[name-defined]  # noqa: F821
            if move < 0 or rating > best:
                move, best = card, rating
    for color in range(view.colors):
        ranks = view.hand[color] & RANK_MASK
        while ranks:
            card = make_card(color, lowest_bit(ranks))
            ranks &= ranks - 1
            rating = check_rating(1.0 * discard(me, view, card))  # type: ignore[name-defined]  # noqa: F821
            if move < 0 or rating > best:
                move, best = card + DISCARD, rating
    if move < DISCARD and view.spaces[move >> 4] == 0 and view.may_lead:
        rating = check_rating(1.0 * open_with_leader(me, view, move))  # type: ignore[name-defined]  # noqa: F821
        if rating > 0.0 or view.explorers == 0:
            move += LEADER
    return move


def choose_step_by_rating(view, rng, params):
    """Return the color of the pawn whose step `step` rates highest above 0, or NO_STEP."""
    me = build_self(params)  # type: ignore[name-defined]  # noqa: F821
    move, best = NO_STEP, 0.0
    pawns = view.movable
    while pawns:
        color = lowest_bit(pawns)
        pawns &= pawns - 1
        rating = check_rating(1.0 * step(me, view, color))  # type: ignore[name-defined]  # noqa: F821
        if rating > best:
            move, best = color, rating
    return move


def choose_step_by_rule(view, rng, params):
    """Return the strategy's own choice of a step."""
    return choose_step(build_self(params), view, rng)  # type: ignore[name-defined]  # noqa: F821
