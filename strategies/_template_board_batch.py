"""My idea in one line."""

import numpy as np

from lcsim.board import (
    ARTEFACT,
    DRAWS,
    PLAYS,
    STEP,
    STEPS,
    BatchStrategy,
    Param,
    legal_draws,
    legal_plays,
    legal_steps,
    next_tiles,
    space_gains,
    unpack_cards,
)

RANKS = np.arange(11)
NEVER = -(10**9)  # below every rating


# A batch strategy decides for many games in one call; it is plain NumPy, and is not compiled.
# - views is a structured array of n views: views["deck_left"] is (n,), views["hand"] is (n, 5), a
#   set of cards for each color; unpack_cards makes (n, 5, 11) of it, how many there are of each.
#   views["their_spaces"] is (n, 3, 5), by opponent; views["tiles"] is (n, 5, 13), by space.
# - Rate all of PLAYS, DRAWS and STEPS, strike out what is not legal, and take the first best.
# - rngs has one stream a view: random_float(rngs) gives n numbers.
# - A view must get the same answer whatever views are beside it. Sums of whole numbers are exact;
#   those of fractions may differ in the last digit with n, and then so may your moves.
# - A network of your own: net = Weights("my_idea.npz") in the class, self.net["name"] an array.
# - Keep it honest:  lcsim strategies check strategies/board/my_idea.py
class MyIdea(BatchStrategy):
    """Starts the colors it holds enough cards of, then moves where the next space pays most.

    Idea: say here what you believe about the game.
    Source: original.
    """

    open_with = Param(2, low=1, high=8, help="cards of a color in hand needed to start its path")

    def choose_play(self, views, rngs):
        """Start what is held while there is time, low cards first; move where it pays."""
        held = unpack_cards(views["hand"]).sum(axis=2)
        is_early = (views["deck_left"] >= 10 * views["n_players"])[:, None]
        starts = np.where((held >= self.open_with) & is_early, 8 + held, -50)
        is_open = views["spaces"] > 0
        pays = np.where(is_open, 12 + self.rate_steps(views), starts)
        lay = pays[:, :, None] - 2 * RANKS
        lead = lay + np.where(held > 2, 1, -50)[:, :, None]
        fits = unpack_cards(views["accepts"]) * is_open[:, :, None]
        discard = -held[:, :, None] - 15 * fits
        ratings = np.stack([lay, lead, discard], axis=1).reshape(len(views), -1)
        return PLAYS[np.where(legal_plays(views), ratings, NEVER).argmax(axis=1)]

    def choose_draw(self, views, rngs):
        """Take a face-up card that moves a pawn onto a much better space."""
        rank = views["discard_top"] & 15
        fits = (views["spaces"] > 0) & (views["accepts"] >> rank & 1 == 1)
        ratings = np.zeros((len(views), len(DRAWS)), int)
        ratings[:, 1:] = np.where(fits, space_gains(views) - 5, -1)
        return DRAWS[np.where(legal_draws(views), ratings, NEVER).argmax(axis=1)]

    def choose_step(self, views, rngs):
        """Move where the next space and its tile pay most."""
        ratings = np.zeros((len(views), len(STEPS)), int)
        ratings[:, 1:] = self.rate_steps(views)
        return STEPS[np.where(legal_steps(views), ratings, NEVER).argmax(axis=1)]

    @staticmethod
    def rate_steps(views):
        """Return what the next space of each path and its tile are worth, (n, 5)."""
        tile = next_tiles(views)
        bonus = np.where((tile == STEP) | (tile == ARTEFACT), 8, tile)
        return 1 + bonus + space_gains(views)
