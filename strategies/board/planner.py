"""Playing every move out in the head."""

import numpy as np

from lcsim.board import (
    DISCARD,
    DRAW_DECK,
    LEADER,
    NO_STEP,
    RANK_MASK,
    Guest,
    Param,
    Strategy,
    lay_out,
    lay_out_step,
    lowest_bit,
    make_card,
    pick_move,
)


class Planner(Strategy):
    """Tries every move on the same dealt-out worlds, which a guest plays to the end of the round.

    Idea: what the view hides is dealt at random in agreement with all that it shows; each legal
    play, step and draw is made there, and the guest plays on for everybody. All moves meet the same
    worlds. What a move is better by than the guest's own is summed up, and moves that fall clearly
    behind are dropped (a race). The guest's own move is left only for one that is better beyond its
    error. In the last round winning counts beside points.
    Source: original; races after Moore and Lee (1994), determinised rollouts as in Ginsberg's GIB
    (2001).
    """

    rollout = Guest("tuned", help="who plays on in the rounds that are tried")
    samples = Param(1200, low=8, high=100000, help="rounds tried for a play, at most")
    draw_share = Param(0.25, low=0.01, high=1.0, help="share of them for a draw")
    step_share = Param(0.6, low=0.01, high=1.0, help="share of them for a step")
    doubt = Param(1.5, low=0.0, high=6.0, help="errors by which a move must beat the guest's")
    win = Param(100.0, low=0.0, high=500.0, help="points that winning is worth at the end")

    def choose_play(self, view, rng):
        """Return the lay or discard that turns out best."""
        moves = np.empty(3 * view.hand_size, np.int64)
        n = 0
        for color in range(view.colors):
            starts = view.spaces[color] == 0
            ranks = view.playable[color]
            while ranks:
                card = make_card(color, lowest_bit(ranks))
                ranks &= ranks - 1
                if not starts or view.explorers:
                    moves[n] = card
                    n += 1
                if starts and view.may_lead:
                    moves[n] = card + LEADER
                    n += 1
        for color in range(view.colors):
            ranks = view.hand[color] & RANK_MASK
            while ranks:
                moves[n] = make_card(color, lowest_bit(ranks)) + DISCARD
                ranks &= ranks - 1
                n += 1
        if n == 1:
            return moves[0]
        table = lay_out(view, self.rollout, rng)
        return self.search(view, table, moves[:n], self.samples)

    def choose_draw(self, view, rng):
        """Return the pile whose draw turns out best."""
        if view.drawable == 0:
            return DRAW_DECK
        table = lay_out(view, self.rollout, rng)
        moves = self.list_colors(DRAW_DECK, view.drawable)
        return self.search(view, table, moves, self.samples * self.draw_share)

    def choose_step(self, view, rng):
        """Return the pawn whose step turns out best, or none."""
        table = lay_out_step(view, self.rollout, rng)
        moves = self.list_colors(NO_STEP, view.movable)
        return self.search(view, table, moves, self.samples * self.step_share)

    @staticmethod
    def list_colors(first, colors):
        """Return the moves that stand beside colors, and those: int64 (n,)."""
        moves = np.empty(8, np.int64)
        moves[0], n = first, 1
        while colors:
            moves[n] = lowest_bit(colors)
            colors &= colors - 1
            n += 1
        return moves[:n]

    def search(self, view, table, moves, samples):
        """Return the best of the moves: the guest's, unless another is clearly better."""
        win = self.win if view.round == view.rounds - 1 else 0.0
        return pick_move(table, moves, samples, self.doubt, (win, 0.0))
