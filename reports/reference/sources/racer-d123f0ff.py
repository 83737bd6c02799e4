"""A short round."""

from lcsim.board import (
    STEP,
    Param,
    Strategy,
    can_follow,
    color_of,
    count_bits,
    crossings_left,
    factor_on,
    next_tile,
    skipped_cards,
    starts_path,
)


class Racer(Strategy):
    """Runs a few pawns over the bridges and ends the round while others are still below.

    Idea: whoever ends the round chooses when the pawns are counted. So start few paths, those with
    most cards in hand, move the pawn that is nearest to its bridge, hardly mind the cards skipped,
    and make the last crossing as soon as it pays.
    Source: original.
    """

    paths = Param(4, low=1, high=5, help="paths to start")
    open_with = Param(2, low=1, high=8, help="cards of a color in hand needed to start its path")
    lead_with = Param(2, low=1, high=8, help="cards of a color in hand that call for the leader")
    skip = Param(0.5, low=0, high=20, help="price of a card in hand that no longer fits")
    ahead = Param(-10.0, low=-200, high=200, help="lead in this round needed to end it")

    def lay(self, view, card):
        """Start the longest colors; then move the pawn that stands furthest."""
        color = color_of(card)
        if starts_path(view, card):
            held = count_bits(view.hand[color])
            wanted = held >= self.open_with and self.count_paths(view) < self.paths
            return 20.0 + 3.0 * held if wanted else -50.0
        skipped = count_bits(skipped_cards(view, card))
        return 10.0 + self.step(view, color) - self.skip * skipped

    def discard(self, view, card):
        """Keep what fits a path under way, and long colors while paths are to be started."""
        color = color_of(card)
        if view.spaces[color] > 0:
            return -12.0 * can_follow(view.accepts[color], card)
        starting = self.count_paths(view) < self.paths
        return -1.0 * self.count_fans(view, card) - starting * count_bits(view.hand[color])

    def draw(self, view, card):
        """Take any card that moves a pawn."""
        color = color_of(card)
        moves = 0 < view.spaces[color] <= view.bridge_after
        return 1.0 if moves and can_follow(view.accepts[color], card) else -1.0

    def open_with_leader(self, view, card):
        """Send the leader where many cards are held."""
        return count_bits(view.hand[color_of(card)]) - self.lead_with + 0.5

    def step(self, view, color):
        """Run for the bridge with the pawn in front; make the last crossing when ahead."""
        space = view.spaces[color]
        crosses = space == view.bridge_after
        if crosses and crossings_left(view) == 1:
            return 100.0 if self.lead(view) >= self.ahead else -100.0
        if space > view.bridge_after:
            return 0.5
        return 1.0 + space + 2.0 * (next_tile(view, color) == STEP)

    def lead(self, view):
        """Return how many points my pawns stand above the best of the others' pawns."""
        best = -1000
        for other in range(view.n_players - 1):
            points = 0
            for color in range(view.colors):
                factor = view.leader_factor if view.their_leaders[other] == color else 1
                points += factor * view.space_points[view.their_spaces[other][color]]
            best = max(best, points)
        mine = 0
        for color in range(view.colors):
            mine += factor_on(view, color) * view.space_points[view.spaces[color]]
        return mine - best

    @staticmethod
    def count_paths(view):
        """Return how many paths I have started."""
        started = 0
        for color in range(view.colors):
            started += view.spaces[color] > 0
        return started

    @staticmethod
    def count_fans(view, card):
        """Return how many others have a row that `card` fits."""
        color, fans = color_of(card), 0
        for other in range(view.n_players - 1):
            started = view.their_spaces[other][color] > 0
            fans += started and can_follow(view.their_accepts[other][color], card)
        return fans
