"""What a seat of the duel can be forbidden, and its view without that; see rules/restriction.py."""

from numba.extending import register_jitable

from lcsim.rules.duel.cards import (
    COLOR_SLOTS,
    COLORS,
    MAX_COLORS,
    NUMBER_MASK,
    WAGER_MASK,
    index_of,
    is_wager,
    parse_card,
    write_card,
)
from lcsim.rules.duel.legal import DISCARD, DRAW_DECK
from lcsim.rules.duel.view import View
from lcsim.rules.restriction import (
    MAX_EXPEDITIONS,
    NO_DISCARD_DRAWS,
    NO_LAY,
    NO_WAGERS,
    PLAY,
    Restriction,
    Vocabulary,
    bars_draws,
    find_denied,
    find_most,
    permit_cards,
)


def _deny_card(text: str) -> tuple[int, int, str]:
    """Return a card's color and mask; `Rw` stands for every wager of its color."""
    card = parse_card(text)
    mask = WAGER_MASK if is_wager(card) else 1 << index_of(card) & NUMBER_MASK
    return COLORS.index(text[:1].upper()), mask, write_card(card)


VOCABULARY = Vocabulary(
    items=(NO_WAGERS, NO_LAY, NO_DISCARD_DRAWS, MAX_EXPEDITIONS),
    deny_card=_deny_card,
    wager_mask=WAGER_MASK,
)


def narrow_view(view: View, restriction: Restriction, decision: str) -> View:
    """Return the view of a restricted seat; what is forbidden once is so for the play at hand."""
    now = restriction.at(view.round, view.turn)
    limit = now if decision == PLAY else restriction.always
    may_open = int(sum(map(bool, view.mine)) < limit.max_open)
    return view._replace(
        playable=tuple(
            permit_cards(cards, laid, denied, may_open)
            for cards, laid, denied in zip(view.playable, view.mine, limit.deny, strict=False)
        ),
        drawable=0 if now.no_draws else view.drawable,
    )


def check_permitted(view: View, restriction: Restriction, decision: str, move: int) -> None:
    """Raise ValueError for a move that is forbidden; `view` is narrowed."""
    if decision == PLAY:
        color, index = move >> 4, index_of(move)
        if 0 <= color < MAX_COLORS and (view.hand[color] & ~view.playable[color]) >> index & 1:
            raise ValueError(f"{write_card(move)} cannot be laid, or not by @{restriction.text}")
    elif move != DRAW_DECK and restriction.at(view.round, view.turn).no_draws:
        raise ValueError(f"@{restriction.text} leaves only the draw pile, {DRAW_DECK}, not {move}")


@register_jitable
def narrow_seat(limits, once, state, view, seat):
    """Show a seat of the kernel only what it may do; `widen_seat` takes that back."""
    may_open = _count_opened(state, seat) < find_most(limits, once)
    for color in range(COLOR_SLOTS):
        view.playable[color] = permit_cards(
            state.accepts[seat, color],
            state.laid[seat, color],
            find_denied(limits, once, color),
            may_open,
        )
    if bars_draws(limits, once):
        view.drawable = 0


@register_jitable
def widen_seat(state, view, seat):
    """Show a seat all that its expeditions accept."""
    for color in range(COLOR_SLOTS):
        view.playable[color] = state.accepts[seat, color]


@register_jitable
def permits_play(limits, once, state, seat, play):
    """Tell whether a play is none that is forbidden to a seat; others are judged elsewhere."""
    if not 0 <= play < DISCARD or play >> 4 >= MAX_COLORS:
        return True
    color = play >> 4
    may_open = _count_opened(state, seat) < find_most(limits, once)
    laid, denied = state.laid[seat, color], find_denied(limits, once, color)
    return permit_cards(1 << (play & 15), laid, denied, may_open) != 0


@register_jitable
def _count_opened(state, seat):
    opened = 0
    for color in range(MAX_COLORS):
        opened += state.laid[seat, color] != 0
    return opened
