"""The duel's cards: a code is `16 * color + index`, wagers at index 0-2, ranks 2-10 at 3-11.

A set of cards of one color is a bit mask over the indices. The code of a card can be stored in one
byte, and its color and index are one shift or mask away.
"""

from numba.extending import register_jitable

from lcsim.errors import UsageError

COLORS = "RGWBYP"
MAX_COLORS = len(COLORS)
COLOR_SLOTS = 8  # entries of the kernel's fields by color: eight int16 fill a vector register
CARDS_PER_COLOR = 12
FIRST_NUMBER = 3
WAGER_MASK = 0b111
NUMBER_MASK = 0xFFF & ~WAGER_MASK
LOWEST_RANK, HIGHEST_RANK = 2, 10


@register_jitable
def color_of(card: int) -> int:
    """Return the color of `card`, 0-5 for R G W B Y P."""
    return card >> 4


@register_jitable
def index_of(card: int) -> int:
    """Return the place of `card` in its color: its bit in a mask of that color."""
    return card & 15


@register_jitable
def is_wager(card: int) -> bool:
    """Tell whether `card` is a wager."""
    return (card & 15) < FIRST_NUMBER


@register_jitable
def rank_of(card: int) -> int:
    """Return the number on `card`, 2-10; 0 for a wager."""
    index = card & 15
    return 0 if index < FIRST_NUMBER else index - 1


@register_jitable
def add_ranks(mask: int) -> int:
    """Return the sum of the numbers on the cards of a mask; wagers count 0."""
    total = 0
    for index in range(FIRST_NUMBER, CARDS_PER_COLOR):
        total += (mask >> index & 1) * (index - 1)
    return total


@register_jitable
def make_card(color: int, index: int) -> int:
    """Return the code of the card at `index` of `color`."""
    return (color << 4) | index


def write_card(card: int) -> str:
    """Return the name of a card: color letter and rank, `Rw` for a wager."""
    return COLORS[card >> 4] + ("w" if is_wager(card) else str(rank_of(card)))


def write_mask(color: int, mask: int) -> str:
    """Return the cards of a mask by name, wagers first, ranks rising."""
    return " ".join(
        write_card(make_card(color, index)) for index in range(CARDS_PER_COLOR) if mask >> index & 1
    )


_INDEXES = {"w": 0} | {str(rank): rank + 1 for rank in range(LOWEST_RANK, HIGHEST_RANK + 1)}


def parse_card(text: str) -> int:
    """Return the code of the card named `text`; a wager is its color's first."""
    color, index = COLORS.find(text[:1].upper()), _INDEXES.get(text[1:].lower())
    if text[:1] and color >= 0 and index is not None:
        return make_card(color, index)
    raise UsageError(
        f"{text!r} is not a card",
        hint=f"A card is one of {' '.join(COLORS)} and 2 to 10, or w for a wager: R10, Bw.",
    )
