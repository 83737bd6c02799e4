"""Opening only what already pays."""

from lcsim.duel import (
    Param,
    Strategy,
    can_follow,
    color_of,
    hand_points,
    is_wager,
    mask_points,
    plays_left,
    rank_of,
    skipped_cards,
)


class CautiousOpener(Strategy):
    """Opens an expedition only when the hand already pays its cost.

    Idea: most losses are expeditions that never earn their cost back, so wait until the points of a
    color in hand cover it; a wager is laid only on a hand well above that. Then climb in small
    steps, and rather discard than leap.
    Source: original.
    """

    open_at = Param(20.0, low=0, high=54, help="points of a color in hand needed to open it")
    wager_at = Param(22.0, low=0, high=54, help="points of a color in hand needed to lay a wager")
    leap = Param(11.0, low=0, high=54, help="points skipped at which a discard is as good")

    def lay(self, view, card):
        """Prefer the smallest step; never open below the limit."""
        color = color_of(card)
        points = hand_points(view, color)
        if is_wager(card):
            return 12.0 if points >= self.wager_at else -40.0
        if view.mine[color] == 0 and points < self.open_at:
            return -40.0
        if plays_left(view) <= view.hand_size // 2:
            return 1.0 + rank_of(card) - mask_points(skipped_cards(view, card) & view.hand[color])
        return self.leap - mask_points(skipped_cards(view, card))

    def discard(self, view, card):
        """Discard what neither seat can use, low cards before high ones."""
        color = color_of(card)
        mine = can_follow(view.playable[color], card) and view.mine[color] != 0
        theirs = can_follow(view.their_playable[color], card) and view.theirs[color] != 0
        return -0.5 * rank_of(card) - 8.0 * mine - 4.0 * theirs

    def draw(self, view, card):
        """Take a card that continues an expedition."""
        color = color_of(card)
        fits = view.mine[color] != 0 and can_follow(view.playable[color], card)
        return 1.0 + rank_of(card) if fits else -1.0
