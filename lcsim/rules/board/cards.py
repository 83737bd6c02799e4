"""The board game's cards: a code is `16 * color + rank`, each card being there twice.

A set of cards of one color is a mask that counts: bit r says that rank r is in it, bit 16 + r that
it is there a second time. So its set bits are its cards, and its low half is its ranks. Equal cards
are one card as far as anyone can tell: no mask knows which of the two it holds.
"""

from numba.extending import register_jitable

from lcsim.errors import UsageError

COLORS = "RGWBY"
MAX_COLORS = len(COLORS)
HIGHEST_RANK = 10
MAX_COPIES = 2
MAX_DECK = MAX_COLORS * (HIGHEST_RANK + 1) * MAX_COPIES
RANK_MASK = 0x7FF
SECOND = 16  # from a rank's bit to that of its second card


@register_jitable
def color_of(card: int) -> int:
    """Return the color of `card`, 0-4 for R G W B Y."""
    return card >> 4


@register_jitable
def rank_of(card: int) -> int:
    """Return the number on `card`, 0-10."""
    return card & 15


@register_jitable
def make_card(color: int, rank: int) -> int:
    """Return the code of the card of that color and rank."""
    return (color << 4) | rank


@register_jitable
def count_card(mask: int, rank: int) -> int:
    """Return how many cards of a rank are in the set `mask`: 0, 1 or 2."""
    return (mask >> rank & 1) + (mask >> (rank + SECOND) & 1)


@register_jitable
def add_card(mask: int, rank: int) -> int:
    """Return the set `mask` with one more card of a rank, of which it holds one at most."""
    bit = 1 << rank
    return mask | bit | (mask & bit) << SECOND


@register_jitable
def remove_card(mask: int, rank: int) -> int:
    """Return the set `mask` with one card of a rank less; a set without it stays as it is."""
    second = 1 << (rank + SECOND)
    return mask & ~second if mask & second else mask & ~(1 << rank)


@register_jitable
def join_cards(mask: int, other: int) -> int:
    """Return the set of the cards of two sets, which together hold no card more than twice."""
    return mask | other | (mask & other & RANK_MASK) << SECOND


@register_jitable
def cards_of_ranks(mask: int, ranks: int) -> int:
    """Return those cards of the set `mask` whose rank is in the mask `ranks`."""
    return mask & (ranks | ranks << SECOND)


def write_card(card: int) -> str:
    """Return the name of a card: color letter and rank."""
    return f"{COLORS[color_of(card)]}{rank_of(card)}"


def list_cards(color: int, mask: int) -> list[int]:
    """Return the codes of the cards in the set `mask` of a color, ranks rising."""
    ranks = range(HIGHEST_RANK + 1)
    return [make_card(color, rank) for rank in ranks for _ in range(count_card(mask, rank))]


_RANKS = {str(rank): rank for rank in range(HIGHEST_RANK + 1)}


def parse_card(text: str) -> int:
    """Return the code of the card named `text`."""
    color, rank = COLORS.find(text[:1].upper()), _RANKS.get(text[1:])
    if text[:1] and color >= 0 and rank is not None:
        return make_card(color, rank)
    raise UsageError(
        f"{text!r} is not a card",
        hint=f"A card is one of {' '.join(COLORS)} and 0 to {HIGHEST_RANK}: R10, B0.",
    )
