"""What a seat of the board game can be forbidden, and its view without that."""

from numba.extending import register_jitable

from lcsim.rules.board.cards import MAX_COLORS, color_of, parse_card, rank_of, write_card
from lcsim.rules.board.legal import DISCARD, DRAW_DECK, LEADER
from lcsim.rules.board.view import View
from lcsim.rules.restriction import (
    MAX_EXPEDITIONS,
    NO_DISCARD_DRAWS,
    NO_LAY,
    NO_LEADER,
    PLAY,
    Restriction,
    Vocabulary,
    bars_draws,
    bars_leader,
    find_denied,
    find_most,
    permit_cards,
)


def _deny_card(text: str) -> tuple[int, int, str]:
    card = parse_card(text)
    return color_of(card), 1 << rank_of(card), write_card(card)


VOCABULARY = Vocabulary(
    items=(NO_LEADER, NO_LAY, NO_DISCARD_DRAWS, MAX_EXPEDITIONS), deny_card=_deny_card
)


def narrow_view(view: View, restriction: Restriction, decision: str) -> View:
    """Return the view of a restricted seat; what is forbidden once is so for the play at hand."""
    now = restriction.at(view.round, view.turn)
    limit = now if decision == PLAY else restriction.always
    opened = sum(map(bool, view.mine))
    may_open = may_begin(opened, limit.max_open, view.explorers, limit.no_leader)
    return view._replace(
        playable=tuple(
            permit_cards(cards, laid, denied, may_open)
            for cards, laid, denied in zip(view.playable, view.mine, limit.deny, strict=False)
        ),
        may_lead=0 if limit.no_leader else view.may_lead,
        drawable=0 if now.no_draws else view.drawable,
    )


def check_permitted(view: View, restriction: Restriction, decision: str, move: int) -> None:
    """Raise ValueError for a move that is forbidden; `view` is narrowed."""
    now = restriction.at(view.round, view.turn)
    if decision == PLAY and not move & DISCARD:
        color, rank = color_of(move & ~LEADER), rank_of(move)
        if 0 <= color < MAX_COLORS and (view.hand[color] & ~view.playable[color]) >> rank & 1:
            card = write_card(move & ~LEADER)
            raise ValueError(f"{card} cannot be laid, or not by @{restriction.text}")
        if move & LEADER and now.no_leader:
            raise ValueError(f"the leader cannot start by @{restriction.text}")
    if decision == "choose_draw" and move != DRAW_DECK and now.no_draws:
        raise ValueError(f"@{restriction.text} leaves only the draw pile, {DRAW_DECK}, not {move}")


@register_jitable
def may_begin(opened: int, most: int, explorers: int, no_leader: int) -> int:
    """Tell whether a restricted seat may open an expedition, if the rules let it."""
    return int(opened < most and (explorers > 0 or not no_leader))


@register_jitable
def narrow_seat(limits, once, state, view, seat):
    """Show a seat of the kernel only what it may do; `widen_seat` takes that back."""
    begin = _may_begin(limits, once, state, seat)
    for color in range(MAX_COLORS):
        view.playable[color] = permit_cards(
            state.playable[seat, color],
            state.laid[seat, color],
            find_denied(limits, once, color),
            begin,
        )
    view.may_lead = state.leader[seat] < 0 and not bars_leader(limits, once)


@register_jitable
def widen_seat(state, view, seat):
    """Show a seat all that the rules let it lay."""
    for color in range(MAX_COLORS):
        view.playable[color] = state.playable[seat, color]
    view.may_lead = state.leader[seat] < 0


@register_jitable
def permits_play(limits, once, state, seat, play):
    """Tell whether a play is none that is forbidden to a seat; others are judged elsewhere."""
    color, rank = (play >> 4) & 15, play & 15
    if play < 0 or play & DISCARD or color >= MAX_COLORS:
        return True
    if play & LEADER and bars_leader(limits, once):
        return False
    begin = _may_begin(limits, once, state, seat)
    laid, denied = state.laid[seat, color], find_denied(limits, once, color)
    return permit_cards(1 << rank, laid, denied, begin) != 0


@register_jitable
def permit_piles(limits, once, piles):
    """Return which of the discard piles open by the rules a seat may draw from."""
    return 0 if bars_draws(limits, once) else piles


@register_jitable
def _may_begin(limits, once, state, seat):
    opened = 0
    for color in range(MAX_COLORS):
        opened += state.laid[seat, color] != 0
    most, no_leader = find_most(limits, once), bars_leader(limits, once)
    return may_begin(opened, most, state.explorers[seat], no_leader)
