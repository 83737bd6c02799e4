"""Two of a kind: strategies that differ in every other move and are equally strong."""

from lcsim.duel import Param, Strategy, can_follow, color_of, hand_points, is_wager, rank_of


class Twin(Strategy):
    """Plays by points, and between colors that are alike takes the first or the last.

    Idea: no rule tells the colors apart, so with `lean` 1 and with -1 it is one strategy in a
    mirror: it plays other moves, and whatever it wins with the one it wins with the other. Every
    tie between colors is broken by `lean`, so none is left to their order.
    Source: original.
    """

    lean = Param(1.0, low=-1, high=1, help="above 0 the last of equal colors, below 0 the first")
    open_at = Param(16.0, low=0, high=54, help="points of a color in hand needed to open it")

    def lay(self, view, card):
        """Climb in small steps in what is open or pays for itself."""
        color = color_of(card)
        if is_wager(card) or (view.mine[color] == 0 and hand_points(view, color) < self.open_at):
            return -20.0 + 0.01 * self.lean * color
        return 10.0 - rank_of(card) + 0.01 * self.lean * color

    def discard(self, view, card):
        """Keep what still fits."""
        color = color_of(card)
        useful = can_follow(view.playable[color], card)
        return -1.0 - rank_of(card) * useful + 0.01 * self.lean * color

    def draw(self, view, card):
        """Take what continues an expedition."""
        color = color_of(card)
        fits = view.mine[color] != 0 and can_follow(view.playable[color], card)
        return rank_of(card) + 0.01 * self.lean * color if fits else -1.0
