"""Chasing the bonus for eight cards."""

from lcsim.duel import (
    Param,
    Strategy,
    can_follow,
    color_of,
    count_bits,
    is_wager,
    mask_points,
    plays_left,
    rank_of,
    skipped_cards,
    unseen_cards,
)


class Marathon(Strategy):
    """Runs few expeditions, and runs them long enough for the bonus.

    Idea: one expedition of eight cards, wagers counted, earns more than two of four. So start where
    many cards are in hand, with every wager and the smallest steps, skip nothing that may still
    come, and pick up whatever lengthens the row.
    Source: original.
    """

    start_with = Param(4, low=1, high=8, help="cards of a color in hand needed to open it")
    reach = Param(7, low=1, high=12, help="cards that a new expedition must still be able to get")
    patience = Param(8.0, low=0, high=54, help="points skipped at which a discard is as good")

    def lay(self, view, card):
        """Lengthen the longest row by the smallest step."""
        color = color_of(card)
        if view.mine[color] == 0 and not self.is_long(view, color):
            return -60.0
        skipped = skipped_cards(view, card)
        if plays_left(view) <= view.hand_size // 2:
            return 1.0 + rank_of(card) - mask_points(skipped & view.hand[color])
        row = count_bits(view.mine[color])
        return self.patience + 0.5 * row - mask_points(skipped) - 0.1 * is_wager(card)

    def discard(self, view, card):
        """Discard what lengthens no row, lone colors and low cards first."""
        color = color_of(card)
        if not can_follow(view.playable[color], card):
            return 0.0
        row = count_bits(view.mine[color])
        if row:
            return -10.0 - row
        return -1.0 * count_bits(view.hand[color]) - 0.3 * rank_of(card)

    def draw(self, view, card):
        """Take what lengthens a row, or fills a color that will soon be one."""
        color = color_of(card)
        if not can_follow(view.playable[color], card):
            return -1.0
        if view.mine[color]:
            return 1.0 + count_bits(view.mine[color])
        return count_bits(view.hand[color]) - self.start_with + 0.5

    def is_long(self, view, color):
        """Tell whether a color has cards enough in hand, and enough that may still come."""
        held = view.hand[color] & view.playable[color]
        within = count_bits(held | unseen_cards(view, color))
        in_time = plays_left(view) >= self.reach
        return count_bits(held) >= self.start_with and within >= self.reach and in_time
