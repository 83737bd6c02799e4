"""The yardstick for batch strategies of the board game: what all-paths plays, in plain NumPy."""

import numpy as np

from lcsim.board import (
    ARTEFACT,
    DISCARD,
    DRAW_DECK,
    LEADER,
    MAX_COLORS,
    NO_STEP,
    RANK_MASK,
    STEP,
    BatchStrategy,
    Param,
    lowest_bit,
    next_tiles,
    space_gains,
)

LOWEST = np.array([min(lowest_bit(ranks), 11) for ranks in range(RANK_MASK + 1)])
COLORS = np.arange(MAX_COLORS)
FIRST_CARDS = 16 * COLORS
NOTHING = -np.inf  # below every rating


class AllPathsNumpy(BatchStrategy):
    """Starts every path early as all-paths does, move for move, but for many games in one call.

    Idea: the ratings of all-paths as sums over arrays (n, 5), a card of each color at a time: the
    lowest, then the next, until no view has another. Of a row that only rises, the lowest is best,
    and discards are never worth more than nothing, so few are rated. So it shows how a batch
    strategy for the board game is written, and, since both play the same games, what batches cost.
    Source: all-paths.
    """

    late = Param(14, low=0, high=40, help="plays left below which no path is started")
    lead_with = Param(3, low=1, high=8, help="cards of a color in hand that call for the leader")
    low = Param(1.0, low=0, high=10, help="price of each rank of a card that starts a path")
    skip = Param(4.0, low=0, high=20, help="price of a card in hand that no longer fits")
    rank = Param(0.5, low=0, high=5, help="price of each rank of a card laid: the low ones first")
    tile = Param(7.0, low=0, high=40, help="points that a step tile or an artefact is worth")

    def choose_play(self, views, rngs):
        """Start every path, then climb evenly; else discard what fits nowhere."""
        playable, ends = views["playable"], find_ends(views)
        some = np.where(views["either"][:, None] > 0, playable, playable & -playable)
        best, cards = find_best(some, self.rate_lays(views, ends))
        color, at = pick_best(best)
        best = best.ravel().take(at)
        moves = cards.ravel().take(at) + LEADER * self.send_leader(views, color)
        bad = np.flatnonzero(best < 0)
        if bad.size:
            hand, accepts = views["hand"][bad] & RANK_MASK, views["accepts"][bad]
            rating, cards = weigh_discards(hand, accepts, [end[bad] for end in ends])
            moves[bad] = np.where(rating > best[bad], DISCARD + cards, moves[bad])
        return moves

    def choose_draw(self, views, rngs):
        """Take the top card that fits a pawn's next space best, without a leap."""
        piles = np.full(len(views), DRAW_DECK)
        rank = views["discard_top"] & 15
        fits = views["drawable"][:, None] >> COLORS & views["accepts"] >> rank & 1
        fits = (fits > 0) & (views["spaces"] > 0)
        some = np.flatnonzero(fits.any(axis=1))
        if some.size:
            view = views[some]
            rating = self.rate_steps(view) - find_height(find_ends(view), rank[some]) - 2.0
            piles[some] = pick_color(fits[some], rating, DRAW_DECK)
        return piles

    def choose_step(self, views, rngs):
        """Move where the next space and its tile pay most."""
        movable = views["movable"][:, None] >> COLORS & 1
        return pick_color(movable, self.rate_steps(views), NO_STEP)

    def rate_steps(self, views):
        """Return what the next space of each path and its tile are worth, (n, 5)."""
        tile = next_tiles(views)
        bonus = np.where((tile == STEP) | (tile == ARTEFACT), self.tile, tile)
        return 1.0 + bonus + space_gains(views)

    def rate_lays(self, views, ends):
        """Return a function from the ranks of cards, (n, 5), to what laying them is worth."""
        hand, mine, accepts = views["hand"], views["mine"] & RANK_MASK, views["accepts"]
        climbs, begins = 10.0 + self.rate_steps(views), 14.0 + np.bitwise_count(hand)
        turns = np.minimum(views["deck_left"], views["turn_limit"] - views["turn"])
        plays = (turns + views["n_players"] - 1) // views["n_players"]
        is_late = (plays < self.late)[:, None]
        either = views["either"][:, None] > 0
        has_either = either.any()

        def rate(rank):
            height, bit = find_height(ends, rank), 1 << rank
            lost = accepts & (bit - 1)
            if has_either:
                before = mine & ~bit
                lost = np.where(either & (before > bit), accepts & -(bit << 1), lost)
                lost = np.where(either & (before == 0), 0, lost)
            skipped = np.bitwise_count(hand & (lost | lost << 16))
            begin = np.where(is_late, -60.0, begins - self.low * height)
            climb = climbs - self.rank * height - self.skip * skipped
            return np.where(mine == 0, begin, climb)

        return rate

    def send_leader(self, views, color):
        """Tell where a card of `color` starts a path with the leader, (n,)."""
        rows = np.arange(len(views))
        held = np.bitwise_count(views["hand"][rows, color])
        leads = (held >= self.lead_with) | (views["explorers"] == 0)
        return leads & (views["may_lead"] > 0) & (views["spaces"][rows, color] == 0)


def weigh_discards(hand, accepts, ends):
    """Return the best discard's rating and its card, (n,): what fits nowhere, else the highest."""
    useless = hand & ~accepts
    some = np.where(useless.any(axis=1)[:, None], useless & -useless, hand)
    best, cards = find_best(
        some, lambda rank: (accepts >> rank & 1) * (0.3 * find_height(ends, rank) - 12.0)
    )
    _, at = pick_best(best)
    return best.ravel().take(at), cards.ravel().take(at)


def find_best(sets, rate):
    """Return the best rating of a card of each color in `sets`, (n, 5), and the first such card."""
    rank = LOWEST.take(sets)
    best, cards = np.where(sets > 0, rate(rank), NOTHING), FIRST_CARDS + rank
    sets = sets & (sets - 1)
    while sets.any():
        rank = LOWEST.take(sets)
        rating = np.where(sets > 0, rate(rank), NOTHING)
        cards = np.where(rating > best, FIRST_CARDS + rank, cards)
        best = np.maximum(best, rating)
        sets = sets & (sets - 1)
    return best, cards


def pick_best(ratings):
    """Return the color rated highest in each view, (n,), and where it is in the flat array."""
    color = ratings.argmax(axis=1)
    return color, MAX_COLORS * np.arange(len(ratings)) + color


def pick_color(allowed, ratings, nothing):
    """Return the color that is rated highest above 0 of those allowed, (n,), or `nothing`."""
    ratings = np.where(allowed, ratings, 0.0)
    color, at = pick_best(ratings)
    return np.where(ratings.ravel().take(at) > 0, color, nothing)


def find_ends(views):
    """Return the colors' lowest and highest ranks, (n, 1), and where either end is near, (n, 5)."""
    ranks = views["color_mask"] & RANK_MASK
    low = LOWEST.take(ranks)
    high = low + np.bitwise_count(ranks) - 1
    both = (views["either"][:, None] > 0) & (views["mine"] == 0)
    return low[:, None], high[:, None], both


def find_height(ends, rank):
    """Return how far cards are from the near end of their color's ranks, (n, 5)."""
    low, high, both = ends
    return np.where(both, np.minimum(rank - low, high - rank), rank - low)
