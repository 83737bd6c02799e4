"""The points of an expedition."""

import functools

import numpy as np
import numpy.typing as npt
from numba.extending import register_jitable

from lcsim.errors import UsageError
from lcsim.rules.bits import count_bits
from lcsim.rules.duel.cards import (
    COLORS,
    FIRST_NUMBER,
    NUMBER_MASK,
    WAGER_MASK,
    index_of,
    parse_card,
    write_card,
)
from lcsim.rules.duel.legal import accepts_after
from lcsim.rules.duel.ruleset import DuelRuleset, build_color_mask
from lcsim.wording import pluralise

N_MASKS = 4096


@register_jitable
def score_mask(laid: int, cost: int, bonus_cards: int, bonus_points: int) -> int:
    """Return the points of the expedition that holds the cards of `laid`.

    (sum of numbers - cost) x (1 + wagers), and the bonus, which is never multiplied, for at least
    `bonus_cards` cards with wagers counted; 0 for an expedition that was not opened.
    """
    if laid == 0:
        return 0
    points = -cost
    for index in range(3, 12):
        if laid >> index & 1:
            points += index - 1
    points *= 1 + count_bits(laid & WAGER_MASK)
    if bonus_cards and count_bits(laid) >= bonus_cards:
        points += bonus_points
    return points


@functools.lru_cache(maxsize=64)
def build_score_table(ruleset: DuelRuleset) -> npt.NDArray[np.int32]:
    """Return the points of each of the 4096 masks of an expedition, int32[4096]."""
    rules = (ruleset.expedition_cost, ruleset.bonus_cards, ruleset.bonus_points)
    table = np.array([score_mask(mask, *rules) for mask in range(N_MASKS)], np.int32)
    table.flags.writeable = False
    return table


def parse_expedition(ruleset: DuelRuleset, text: str) -> tuple[int, int]:
    """Return (color, mask) of an expedition written in the order it was laid, `Rw R4 R6`.

    Raises UsageError, with the card, where the order or a card is against the ruleset.
    """
    cards = [parse_card(word) for word in text.split()]
    deck = build_color_mask(ruleset)
    color, mask, accepts = cards[0] >> 4 if cards else 0, 0, deck
    for card in cards:
        if card >> 4 >= ruleset.colors:
            raise UsageError(
                f"{text!r}: {write_card(card)} is not in the deck of {ruleset.spec}",
                hint=f"Its colors are {' '.join(COLORS[: ruleset.colors])}.",
            )
        if card >> 4 != color:
            raise UsageError(
                f"{text!r}: {write_card(card)} is of another color than the expedition",
                hint="An expedition holds cards of one color.",
            )
        index = index_of(card)
        spent = index < FIRST_NUMBER and count_bits(mask & WAGER_MASK) == ruleset.wagers_per_color
        if index < FIRST_NUMBER:
            index = count_bits(mask & WAGER_MASK)
        if spent or not accepts >> index & 1:
            raise UsageError(
                f"{text!r}: {write_card(card)} cannot be laid there",
                hint=_explain_order(ruleset, mask),
            )
        accepts = accepts_after(mask, index, deck, int(ruleset.direction == "either"))
        mask |= 1 << index
    return color, mask


def score_text(ruleset: DuelRuleset, text: str) -> int:
    """Return the points of an expedition written in the order it was laid."""
    _, mask = parse_expedition(ruleset, text)
    return int(build_score_table(ruleset)[mask])


def _explain_order(ruleset: DuelRuleset, mask: int) -> str:
    if not mask & NUMBER_MASK:
        n_wagers = ruleset.wagers_per_color
        wagers = pluralise(n_wagers, "wager")
        return f"The deck has {n_wagers} {wagers} of a color, and no such card."
    order = "rise" if ruleset.direction == "ascending" else "all rise or all fall"
    return f"Numbers {order}, each once, and wagers come before every number."
