"""Opening early and wide."""

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
)


class EagerOpener(Strategy):
    """Opens every color it holds some cards of, as early as it can.

    Idea: a card in hand earns nothing, and an open color makes use of whatever is drawn later. So
    open each color with a few cards in hand while there are turns enough to fill it, lowest card
    first, and lay no wager where so little is known.
    Source: original.
    """

    open_with = Param(3, low=1, high=8, help="cards of a color in hand that are enough to open it")
    open_until = Param(11, low=0, high=40, help="own plays that must be left to open a color")
    leap = Param(10.0, low=0, high=54, help="points skipped at which a discard is as good")

    def lay(self, view, card):
        """Open the fullest color in time, then climb in small steps."""
        color = color_of(card)
        if is_wager(card):
            return -50.0
        if view.mine[color] == 0:
            cards = count_bits(view.hand[color] & view.playable[color])
            if cards < self.open_with or plays_left(view) < self.open_until:
                return -50.0
            return self.leap + 5.0 * cards - rank_of(card)
        if plays_left(view) <= view.hand_size // 2:
            return 1.0 + rank_of(card) - mask_points(skipped_cards(view, card) & view.hand[color])
        return self.leap - mask_points(skipped_cards(view, card))

    def discard(self, view, card):
        """Discard wagers first, then what fits no open expedition of mine, low before high."""
        color = color_of(card)
        fits = view.mine[color] != 0 and can_follow(view.playable[color], card)
        return -0.5 * rank_of(card) - 10.0 * (fits and not is_wager(card))

    def draw(self, view, card):
        """Take a number that continues an expedition."""
        color = color_of(card)
        fits = view.mine[color] != 0 and can_follow(view.playable[color], card)
        return rank_of(card) - 2.0 if fits else -1.0
