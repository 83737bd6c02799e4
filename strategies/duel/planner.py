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

FULL_PILE = 44  # cards of a round that begins, in the current edition
LAST_WAGER, FAR = 2, 4  # of a color's cards: index; how far from their last card all is far

# What a hidden card is to the opponent, and by how much that makes it likelier in their hand than
# others: the logarithms of its odds when the draw pile is empty, and what a full one adds.
KEPT = (
    (-0.16, -2.90),  # DEAD: neither they nor I can lay it
    (0.34, -2.14),  # they cannot, but I could
    (-1.92, 0.66),  # WAGER_TO_LAY: on wagers of theirs
    (-0.12, -0.25),  # WAGER: of a color that nobody has opened
    (-0.24, -1.90),  # of one that I have
    (-0.66, 0.36),  # NEXT: the next to their last card
    (-0.01, 0.18),  # the second
    (0.62, -0.25),  # the third
    (1.33, -0.69),  # further up
    (0.53, -3.82),  # MINE: of a color that only I have opened, where I cannot lay it
    (0.41, -1.02),  # where I could
    (0.04, -0.13),  # NEW: of a color that nobody has opened, from 2 to 4
    (0.48, -0.43),  # from 5 to 7
    (0.52, -0.46),  # from 8 to 10
)
DEAD, WAGER_TO_LAY, WAGER, NEXT, MINE, NEW = 0, 2, 3, 5, 9, 11


class Planner(Strategy):
    """Tries every move on the same dealt-out worlds, which a guest plays to the end of the round.

    Idea: what the view hides is dealt at random in agreement with all that it shows, and by how
    likely the opponent would still hold a card; each legal move is made there, and the guest plays
    on for both. All moves meet the same worlds. What a move is better by than the guest's own is
    summed up, and moves that fall clearly behind are dropped (a race). The guest's own move is left
    only for one that is better beyond its error. In the last round winning counts beside points.
    Source: original; races after Moore and Lee (1994), determinised rollouts as in Ginsberg's GIB
    (2001). What tuned holds was counted by experiments/beliefs/planner.py.
    """

    rollout = Guest("tuned", help="who plays on in the rounds that are tried")
    samples = Param(2200, low=8, high=100000, help="rounds tried for a play, at most")
    draw_share = Param(0.1, low=0.01, high=1.0, help="share of them for a draw")
    doubt = Param(1.5, low=0.0, high=6.0, help="errors by which a move must beat the guest's")
    win = Param(30.0, low=0.0, high=500.0, help="points that winning the game is worth at its end")
    belief = Param(1.0, low=0.0, high=2.0, help="trust in what they hold by their play, 0: none")

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
        return pick_move(table, moves, samples, self.doubt, stakes)

    def weigh_cards(self, view, table):
        """Tell the table which cards the opponent would have kept, and which laid or discarded."""
        begin = min(view.deck_left / FULL_PILE, 1.0)
        for color in range(view.colors):
            cards = unseen_cards(view, color)
            while cards:
                index = lowest_bit(cards)
                cards &= cards - 1
                end, more = KEPT[self.find_situation(view, color, index)]
                odds = np.exp(self.belief * (end + more * begin))
                weigh_card(table, make_card(color, index), odds)

    @staticmethod
    def find_situation(view, color, index):
        """Return what a hidden card is to the opponent, as a number into KEPT."""
        theirs, i_opened = view.theirs[color], view.mine[color] != 0
        i_could_lay = i_opened * (view.playable[color] >> index & 1)
        if not view.their_playable[color] >> index & 1:
            return DEAD + i_could_lay
        if WAGER_MASK >> index & 1:
            return WAGER_TO_LAY if theirs else WAGER + i_opened
        if theirs:
            return NEXT + min(abs(index - max(highest_bit(theirs), LAST_WAGER)), FAR) - 1
        if i_opened:
            return MINE + i_could_lay
        return NEW + (index - LAST_WAGER - 1) // 3
