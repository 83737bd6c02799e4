"""Playing by lot."""

from lcsim.duel import (
    DISCARD,
    DRAW_DECK,
    Strategy,
    count_bits,
    distinct_cards,
    lowest_bit,
    make_card,
    random_below,
)


class RandomLegal(Strategy):
    """Plays any legal move, each as likely as the others.

    Idea: the floor that every idea has to clear. Each play is as likely as any other, to lay or to
    discard, equal wagers counted once; then each pile that may be drawn from is as likely.
    Source: original.
    """

    def choose_play(self, view, rng):
        """Draw a lot among the lays and discards."""
        plays = 0
        for color in range(view.colors):
            plays += count_bits(self.lays(view, color)) + count_bits(self.discards(view, color))
        lot = random_below(rng, plays)
        for color in range(view.colors):
            lays, discards = self.lays(view, color), self.discards(view, color)
            if lot < count_bits(lays):
                return make_card(color, self.pick(lays, lot))
            lot -= count_bits(lays)
            if lot < count_bits(discards):
                return DISCARD + make_card(color, self.pick(discards, lot))
            lot -= count_bits(discards)
        return -1  # never reached: a hand is never empty

    def choose_draw(self, view, rng):
        """Draw a lot among the draw pile and the discard piles that are open."""
        lot = random_below(rng, 1 + count_bits(view.drawable))
        return DRAW_DECK if lot == 0 else self.pick(view.drawable, lot - 1)

    def lays(self, view, color):
        """Return the cards of a color that can be laid, as a mask."""
        return distinct_cards(view.hand[color] & view.playable[color])

    def discards(self, view, color):
        """Return the cards of a color that can be discarded, as a mask."""
        return distinct_cards(view.hand[color])

    @staticmethod
    def pick(mask, n):
        """Return the index of the set bit that has `n` set bits below it."""
        for _ in range(n):
            mask &= mask - 1
        return lowest_bit(mask)
