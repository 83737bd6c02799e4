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
        playable = views["playable"]
        some = np.where(views["either"][:, None] > 0, playable, playable & -playable)
        rate_lay = self.rate_lays(views)
        best, cards = find_best(some, rate_lay)
        color, rows = best.argmax(axis=1), np.arange(len(views))
        best = best[rows, color]
        moves = cards[rows, color] + LEADER * self.send_leader(views, color)
        bad = np.flatnonzero(best < 0)
        if bad.size:
            rating, move = self.weigh_discards(views[bad])
            moves[bad] = np.where(rating > best[bad], DISCARD + move, moves[bad])
        return moves

    def choose_draw(self, views, rngs):
        """Take the top card that fits a pawn's next space best, without a leap."""
        piles = np.full(len(views), DRAW_DECK)
        some = np.flatnonzero(views["drawable"])
        if some.size:
            view = views[some]
            rank = view["discard_top"] & 15
            fits = view["drawable"][:, None] >> COLORS & view["accepts"] >> rank & 1
            fits &= view["spaces"] > 0
            rating = self.rate_steps(view) - (rank - find_low(view)) - 2.0
            piles[some] = pick_color(fits, rating, DRAW_DECK)
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

    def rate_lays(self, views):
        """Return a function from the ranks of cards, (n, 5), to what laying them is worth."""
        hand, mine, accepts = views["hand"], views["mine"] & RANK_MASK, views["accepts"]
        starts = mine == 0
        climbs = 10.0 + self.rate_steps(views)
        begins = 14.0 + np.bitwise_count(hand)
        turns = np.minimum(views["deck_left"], views["turn_limit"] - views["turn"])
        plays = (turns + views["n_players"] - 1) // views["n_players"]
        is_late = (plays < self.late)[:, None]
        either = views["either"][:, None] > 0

        def rate(rank):
            height = find_height(views, rank)
            start = np.where(is_late, -60.0, begins - self.low * height)
            below = (1 << rank) - 1
            lost = accepts & below
            if either.any():
                before = mine & ~(1 << rank)
                lost = np.where(either & (before > below), accepts & ~below & ~(1 << rank), lost)
                lost = np.where(either & (before == 0), 0, lost)
            skipped = np.bitwise_count(hand & (lost | lost << 16))
            return np.where(starts, start, climbs - self.rank * height - self.skip * skipped)

        return rate

    def send_leader(self, views, color):
        """Tell where a card of `color` starts a path with the leader, (n,)."""
        rows = np.arange(len(views))
        held = np.bitwise_count(views["hand"][rows, color])
        leads = (held >= self.lead_with) | (views["explorers"] == 0)
        return leads & (views["may_lead"] > 0) & (views["spaces"][rows, color] == 0)

    @staticmethod
    def weigh_discards(views):
        """Return the best discard's rating and its card, (n,): what fits nowhere, else high."""
        hand, accepts = views["hand"] & RANK_MASK, views["accepts"]
        useless = hand & ~accepts
        some = np.where(useless.any(axis=1)[:, None], useless & -useless, hand)

        def rate(rank):
            return (accepts >> rank & 1) * (0.3 * find_height(views, rank) - 12.0)

        best, cards = find_best(some, rate)
        color, rows = best.argmax(axis=1), np.arange(len(views))
        return best[rows, color], cards[rows, color]


def find_best(sets, rate):
    """Return the best rating of a card of each color in `sets`, (n, 5), and the first such card."""
    best, cards = np.full(sets.shape, NOTHING), np.zeros(sets.shape, int)
    while sets.any():
        rank = LOWEST.take(sets)
        rating = np.where(sets > 0, rate(rank), NOTHING)
        better = rating > best
        np.copyto(best, rating, where=better)
        np.copyto(cards, 16 * COLORS + rank, where=better)
        sets = sets & (sets - 1)
    return best, cards


def pick_color(allowed, rating, nothing):
    """Return the color that is rated highest above 0 of those allowed, (n,), or `nothing`."""
    rating = np.where(allowed, rating, 0.0)
    color = rating.argmax(axis=1)
    return np.where(rating[np.arange(len(rating)), color] > 0, color, nothing)


def find_low(views):
    """Return the lowest rank of the colors, (n, 1)."""
    return LOWEST.take(views["color_mask"] & RANK_MASK)[:, None]


def find_height(views, rank):
    """Return how far cards are from the near end of their color's ranks, (n, 5)."""
    ranks = views["color_mask"] & RANK_MASK
    low = LOWEST.take(ranks)
    below = rank - low[:, None]
    above = (low + np.bitwise_count(ranks) - 1)[:, None] - rank
    both = (views["either"][:, None] > 0) & (views["mine"] == 0)
    return np.where(both, np.minimum(below, above), below)
