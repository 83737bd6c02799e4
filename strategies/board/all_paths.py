"""Everywhere at once."""

from lcsim.board import (
    ARTEFACT,
    STEP,
    Param,
    Strategy,
    can_follow,
    color_of,
    count_bits,
    next_tile,
    plays_left,
    rank_of,
    skipped_cards,
    space_gain,
    starts_path,
)


class AllPaths(Strategy):
    """Starts every path as early as it can, so that hardly any card is useless.

    Idea: with all paths under way nearly every card drawn moves a pawn, and every tile is within
    reach; few turns are lost to discards. Low cards come first, on the pawns that stand lowest, so
    that all leave the negative spaces together. The leader goes where most cards are held.
    Source: original.
    """

    late = Param(14, low=0, high=40, help="plays left below which no path is started")
    lead_with = Param(3, low=1, high=8, help="cards of a color in hand that call for the leader")
    low = Param(1.0, low=0, high=10, help="price of each rank of a card that starts a path")
    skip = Param(4.0, low=0, high=20, help="price of a card in hand that no longer fits")
    rank = Param(0.5, low=0, high=5, help="price of each rank of a card laid: the low ones first")
    tile = Param(7.0, low=0, high=40, help="points that a step tile or an artefact is worth")

    def lay(self, view, card):
        """Start every path, with the lowest cards first; then climb evenly."""
        color = color_of(card)
        skipped = self.skip * count_bits(skipped_cards(view, card))
        if starts_path(view, card):
            if plays_left(view) < self.late:
                return -60.0
            return 14.0 + count_bits(view.hand[color]) - self.low * self.height(view, card)
        return 10.0 + self.step(view, color) - self.rank * self.height(view, card) - skipped

    def discard(self, view, card):
        """Keep what fits, and of that the low cards."""
        color = color_of(card)
        fits = can_follow(view.accepts[color], card)
        return fits * (0.3 * self.height(view, card) - 12.0)

    def draw(self, view, card):
        """Take a card that fits a pawn's next space without a leap."""
        color = color_of(card)
        if view.spaces[color] == 0 or not can_follow(view.accepts[color], card):
            return -1.0
        return self.step(view, color) - self.height(view, card) - 2.0

    def open_with_leader(self, view, card):
        """Send the leader where many cards are held, at the latest on the last path."""
        return count_bits(view.hand[color_of(card)]) - self.lead_with + 0.5

    def step(self, view, color):
        """Move where the next space and its tile pay most."""
        tile = next_tile(view, color)
        special = tile in {STEP, ARTEFACT}
        bonus = self.tile if special else 1.0 * tile
        return 1.0 + bonus + space_gain(view, color)

    @staticmethod
    def height(view, card):
        """Return how far a card is from the near end of its color's ranks."""
        rank, ranks = rank_of(card), view.color_mask & 0x7FF
        below = count_bits(ranks & ((1 << rank) - 1))
        above = count_bits(ranks) - 1 - below
        return min(below, above) if view.either and view.mine[color_of(card)] == 0 else below
