"""Playing every move out in the head."""

import numpy as np

from lcsim.duel import (
    DISCARD,
    DRAW_DECK,
    WAGER_MASK,
    Guest,
    Param,
    Strategy,
    distinct_cards,
    highest_bit,
    lay_out,
    lowest_bit,
    make_card,
    pick_move,
    unseen_cards,
    weigh_card,
)

FULL_PILE = 44  # cards: with so many a round played on takes longest


class Planner(Strategy):
    """Tries every move on the same dealt-out worlds, which a guest plays to the end of the round.

    Idea: what the view hides is dealt at random in agreement with all that it shows, and by how
    likely the opponent would still hold a card; each legal move is made there, and the guest plays
    on for both. All moves meet the same worlds. What a move is better by than the guest's own is
    summed up, and after each stage the worse half is dropped (sequential halving). The guest's own
    move is left only for one that is better beyond its error. In the last round winning counts
    beside points.
    Source: original; sequential halving after Karnin, Koren and Somekh (2013), determinised
    rollouts as in Ginsberg's GIB (2001).
    """

    rollout = Guest("tuned", help="who plays on in the rounds that are tried")
    samples = Param(1000, low=8, high=100000, help="rounds tried for a play with a full draw pile")
    draw_share = Param(0.4, low=0.01, high=1.0, help="share of them for a draw")
    doubt = Param(1.5, low=0.0, high=6.0, help="errors by which a move must beat the guest's")
    win = Param(30.0, low=0.0, high=500.0, help="points that winning the game is worth at its end")
    odds_later = Param(2.2, low=0.05, high=20.0, help="odds that they hold what they can lay later")
    odds_next = Param(0.55, low=0.05, high=20.0, help="odds of what they could have laid by now")
    odds_dead = Param(0.25, low=0.05, high=20.0, help="odds of what they can lay no more")
    odds_wager = Param(0.5, low=0.05, high=20.0, help="odds of a wager of a color not opened")

    def choose_play(self, view, rng):
        """Return the lay or discard that turns out best."""
        moves = np.empty(2 * view.hand_size, np.int64)
        n = 0
        for kind in range(2):
            for color in range(view.colors):
                cards = view.hand[color] if kind else view.hand[color] & view.playable[color]
                cards = distinct_cards(cards)
                while cards:
                    moves[n] = make_card(color, lowest_bit(cards)) + kind * DISCARD
                    cards &= cards - 1
                    n += 1
        return self.search(view, rng, moves[:n], self.samples)

    def choose_draw(self, view, rng):
        """Return the pile whose draw turns out best."""
        moves = np.empty(view.colors + 1, np.int64)
        moves[0], n, piles = DRAW_DECK, 1, view.drawable
        while piles:
            moves[n] = lowest_bit(piles)
            piles &= piles - 1
            n += 1
        return self.search(view, rng, moves[:n], self.samples * self.draw_share)

    def search(self, view, rng, moves, samples):
        """Return the best of the moves: the guest's, unless another is clearly better."""
        if len(moves) == 1:
            return moves[0]
        table = lay_out(view, self.rollout, rng)
        self.weigh_cards(view, table)
        win = self.win if view.round == view.rounds - 1 else 0.0
        stakes = (win, 1.0 * (view.my_points - view.their_points))
        samples *= FULL_PILE / max(view.deck_left, 4)
        return pick_move(table, moves, samples, self.doubt, stakes)

    def weigh_cards(self, view, table):
        """Tell the table which cards the opponent would have kept, and which laid or discarded."""
        for color in range(view.colors):
            cards, theirs = unseen_cards(view, color), view.theirs[color]
            accepts = view.their_playable[color]
            while cards:
                index = lowest_bit(cards)
                cards &= cards - 1
                odds = 1.0
                if not accepts >> index & 1:
                    odds = self.odds_dead
                elif theirs:
                    near = abs(index - highest_bit(theirs)) <= 2
                    odds = self.odds_next if near else self.odds_later
                elif WAGER_MASK >> index & 1:
                    odds = self.odds_wager
                weigh_card(table, make_card(color, index), odds)
