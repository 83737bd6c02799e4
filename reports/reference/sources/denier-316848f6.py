"""Starving the opponent."""

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


class Denier(Strategy):
    """Gives the opponent nothing, and takes away what they are waiting for.

    Idea: a card that the opponent cannot get is as good as points. Hold every card that one of
    their expeditions wants, discard only what is dead to them, pick up what they could use, and
    play a few safe expeditions of one's own with what is left.
    Source: original.
    """

    hold = Param(3.0, low=0, high=10, help="price of a discard, for a point they could make")
    seize = Param(1.0, low=0, high=10, help="worth of a draw, for a point they could make")
    open_at = Param(19.0, low=0, high=54, help="points of a color in hand needed to open it")
    wager_at = Param(25.0, low=0, high=54, help="points of a color in hand needed to lay a wager")
    leap = Param(12.0, low=0, high=54, help="points skipped at which a harmless discard is as good")

    def lay(self, view, card):
        """Open what pays, and climb in small steps."""
        color = color_of(card)
        points = hand_points(view, color)
        if is_wager(card):
            return 12.0 if points >= self.wager_at else -60.0
        if view.mine[color] == 0 and points < self.open_at:
            return -60.0
        skipped = skipped_cards(view, card)
        if plays_left(view) <= view.hand_size // 2:
            return 1.0 + rank_of(card) - mask_points(skipped & view.hand[color])
        return self.leap - mask_points(skipped)

    def discard(self, view, card):
        """Discard what is dead to them, and of no use to me."""
        color = color_of(card)
        useful = can_follow(view.playable[color], card) and view.mine[color] != 0
        return -self.hold * self.use_to_them(view, card) - 0.4 * rank_of(card) - 8.0 * useful

    def draw(self, view, card):
        """Take what I can lay, and what they would take."""
        color = color_of(card)
        fits = view.mine[color] != 0 and can_follow(view.playable[color], card)
        return self.seize * self.use_to_them(view, card) + fits * (rank_of(card) + 6.0) - 6.0

    def use_to_them(self, view, card):
        """Return the points that the opponent could make of a card."""
        color = color_of(card)
        if not can_follow(view.their_playable[color], card):
            return 0.0
        if view.theirs[color] == 0:
            return 0.2 * rank_of(card)
        if is_wager(card):
            return 0.2 * mask_points(unseen_cards(view, color))
        return float((1 + count_wagers(view.theirs[color])) * rank_of(card))
