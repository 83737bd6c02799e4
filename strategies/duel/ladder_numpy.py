"""The yardstick for batch strategies: what ladder plays, in plain NumPy."""

import numpy as np

from lcsim.duel import DISCARD, DRAW_DECK, MAX_COLORS, BatchStrategy, count_bits, lowest_bit

MASKS = range(1 << 12)
NOTHING = 62  # above every step
LOWEST = np.array([lowest_bit(mask) for mask in MASKS])
COUNT = np.array([count_bits(mask) for mask in MASKS])
STEP = np.maximum(LOWEST - 2, 0)  # of the lowest card of a mask: the three wagers are one step
COLOR = 16 * np.arange(MAX_COLORS)  # what a card's color adds to its code


class LadderNumpy(BatchStrategy):
    """Climbs as ladder does, move for move, but decides for many games in one call.

    Idea: the moves of ladder written as sums over arrays: a view's fields by color are arrays of
    masks, (n, 6), and what is asked of a mask stands in a table of all 4096. So it shows how a
    batch strategy is written, and, since both play the same games, what the batches cost.
    Source: ladder.
    """

    open_above = 20  # cards in the draw pile

    def choose_play(self, views, rngs):
        """Lay the lowest fitting card, or open, or discard the lowest card of the first color."""
        hand, mine = views["hand"], views["mine"]
        cards = hand & views["playable"]
        is_open = mine > 0
        steps = STEP[cards * is_open]
        color = steps.argmin(axis=1)
        rows = np.arange(len(views))
        counts = COUNT[cards * ~is_open]
        fullest = counts.argmax(axis=1)
        climbs = steps[rows, color] < NOTHING
        opens = ~climbs & (views["deck_left"] > self.open_above) & (counts[rows, fullest] > 0)
        color[opens] = fullest[opens]
        lays = climbs | opens
        color[~lays] = (hand[~lays] > 0).argmax(axis=1)
        chosen = np.where(lays, cards[rows, color], hand[rows, color])
        return COLOR[color] + LOWEST[chosen] + DISCARD * ~lays

    def choose_draw(self, views, rngs):
        """Take the highest fitting top card of a started color, else the draw pile."""
        piles = np.full(len(views), DRAW_DECK)
        some = np.flatnonzero(views["drawable"])
        view = views[some]
        index = view["discard_top"] & 15
        is_open = view["drawable"][:, None] >> np.arange(MAX_COLORS) & (view["mine"] > 0)
        steps = np.maximum(index - 1, 1) * (view["playable"] >> index & is_open)
        highest = steps.argmax(axis=1)
        takes = steps[np.arange(len(view)), highest] > 0
        piles[some[takes]] = highest[takes]
        return piles
