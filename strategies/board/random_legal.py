"""Playing by lot."""

from lcsim.board import (
    DISCARD,
    DRAW_DECK,
    LEADER,
    NO_STEP,
    RANK_MASK,
    Strategy,
    count_bits,
    lowest_bit,
    make_card,
    random_below,
    starts_path,
)


class RandomLegal(Strategy):
    """Plays any legal move, each as likely as the others.

    Idea: the floor that every idea has to clear. Each play is as likely as any other, to lay or to
    discard, equal cards counted once; then each pile that may be drawn from is as likely. A pawn
    that starts is the leader by a lot among those free, and a step may move any pawn, or none.
    Source: original.
    """

    def choose_play(self, view, rng):
        """Draw a lot among the lays and discards."""
        plays = 0
        for color in range(view.colors):
            plays += count_bits(view.playable[color]) + count_bits(view.hand[color] & RANK_MASK)
        lot = random_below(rng, plays)
        for color in range(view.colors):
            lays, discards = view.playable[color], view.hand[color] & RANK_MASK
            if lot < count_bits(lays):
                card = make_card(color, self.pick(lays, lot))
                return card + self.pick_pawn(view, rng, card)
            lot -= count_bits(lays)
            if lot < count_bits(discards):
                return DISCARD + make_card(color, self.pick(discards, lot))
            lot -= count_bits(discards)
        return -1  # never reached: a hand is never empty

    def choose_draw(self, view, rng):
        """Draw a lot among the draw pile and the discard piles that are open."""
        lot = random_below(rng, 1 + count_bits(view.drawable))
        return DRAW_DECK if lot == 0 else self.pick(view.drawable, lot - 1)

    def choose_step(self, view, rng):
        """Draw a lot among the pawns that can step and moving none."""
        lot = random_below(rng, 1 + count_bits(view.movable))
        return NO_STEP if lot == 0 else self.pick(view.movable, lot - 1)

    def pick_pawn(self, view, rng, card):
        """Return LEADER by lot, as one of the pawns that are free, where `card` starts a path."""
        if not starts_path(view, card) or not view.may_lead:
            return 0
        return LEADER if random_below(rng, 1 + view.explorers) == 0 else 0

    @staticmethod
    def pick(mask, n):
        """Return the index of the set bit that has `n` set bits below it."""
        for _ in range(n):
            mask &= mask - 1
        return lowest_bit(mask)
