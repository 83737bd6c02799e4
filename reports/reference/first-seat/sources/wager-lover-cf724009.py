"""Multiplying everything."""

from lcsim.duel import (
    Param,
    Strategy,
    can_follow,
    color_of,
    count_wagers,
    hand_points,
    is_wager,
    mask_points,
    plays_left,
    rank_of,
    skipped_cards,
    unseen_cards,
)


class WagerLover(Strategy):
    """Opens with wagers wherever there is half a promise, and hardly anywhere without.

    Idea: the same cards earn two, three or four times as much behind wagers, so collect wagers, lay
    them as soon as the color has some numbers to follow, and give the multiplied colors every turn.
    Source: original.
    """

    wager_at = Param(12.0, low=0, high=54, help="points of a color in hand needed to lay a wager")
    open_at = Param(20.0, low=0, high=54, help="points in hand needed to open without a wager")
    open_until = Param(7, low=0, high=40, help="own plays that must be left to open a color")
    leap = Param(8.0, low=0, high=54, help="points skipped at which a discard is as good")

    def lay(self, view, card):
        """Lay wagers first, then climb where most wagers lie."""
        color = color_of(card)
        points, factor = hand_points(view, color), 1 + count_wagers(view.mine[color])
        if view.mine[color] == 0 and plays_left(view) < self.open_until:
            return -60.0
        if is_wager(card):
            return 20.0 + points if points >= self.wager_at else -60.0
        if view.mine[color] == 0 and (points < self.open_at or count_wagers(view.hand[color])):
            return -60.0
        skipped = skipped_cards(view, card)
        if plays_left(view) <= view.hand_size // 2:
            return 1.0 + factor * (rank_of(card) - mask_points(skipped & view.hand[color]))
        return self.leap + factor - mask_points(skipped)

    def discard(self, view, card):
        """Keep wagers that may still come to use, and every card of a multiplied color."""
        color = color_of(card)
        fits = can_follow(view.playable[color], card)
        if is_wager(card):
            return -6.0 if fits and mask_points(unseen_cards(view, color)) > 20 else 0.0
        if view.mine[color] == 0:
            return -0.5 * rank_of(card) - 3.0 * count_wagers(view.hand[color])
        return -rank_of(card) * (1.0 + count_wagers(view.mine[color])) if fits else 0.0

    def draw(self, view, card):
        """Take wagers for a promising color, and what continues an expedition."""
        color = color_of(card)
        if not can_follow(view.playable[color], card):
            return -1.0
        if is_wager(card):
            return hand_points(view, color) - self.wager_at
        return float(rank_of(card)) if view.mine[color] else -1.0
