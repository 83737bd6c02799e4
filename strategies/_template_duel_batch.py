"""My idea in one line."""

import numpy as np

from lcsim.duel import (
    DRAWS,
    PLAYS,
    BatchStrategy,
    Param,
    legal_draws,
    legal_plays,
    unpack_cards,
)

RANKS = np.array([0, 0, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10])  # of a color's cards, wagers first


# A batch strategy decides for many games in one call; it is plain NumPy, and is not compiled.
# - views is a structured array of n views: views["deck_left"] is (n,), views["hand"] is (n, 6), a
#   mask for each color (bits 0-2 wagers, 3-11 ranks 2-10); unpack_cards makes (n, 6, 12) of it.
# - Rate all of PLAYS and DRAWS, strike out what is not legal, and take the first best.
# - rngs has one stream a view: random_float(rngs) gives n numbers.
# - A view must get the same answer whatever views are beside it. Sums of whole numbers are exact;
#   those of fractions may differ in the last digit with n, and then so may your moves.
# - A network of your own: net = Weights("my_idea.npz") in the class, self.net["name"] an array.
# - Keep it honest:  lcsim strategies check strategies/duel/my_idea.py
class MyIdea(BatchStrategy):
    """Opens a color when the hand holds enough of it, then climbs in small steps.

    Idea: say here what you believe about the game.
    Source: original.
    """

    open_at = Param(18, low=0, high=54, help="points of a color in hand needed to open it")

    def choose_play(self, views, rngs):
        """Open what pays, climb in small steps, and do not feed the opponent."""
        hand = unpack_cards(views["hand"] & views["playable"])
        points = (hand * RANKS).sum(axis=2)
        opens = (views["mine"] > 0) | (points >= self.open_at)
        lay = np.where(opens[:, :, None], 20 - RANKS, -50)
        mine = unpack_cards(views["playable"]) & (views["mine"] > 0)[:, :, None]
        theirs = unpack_cards(views["their_playable"]) & (views["theirs"] > 0)[:, :, None]
        discard = 5 - RANKS - 20 * mine - 8 * theirs
        ratings = np.stack([lay, discard], axis=1).reshape(len(views), -1)
        return PLAYS[np.where(legal_plays(views), ratings, -1000).argmax(axis=1)]

    def choose_draw(self, views, rngs):
        """Take a face-up card that continues one of my expeditions."""
        index = views["discard_top"] & 15
        fits = (views["mine"] > 0) & (views["playable"] >> index & 1 == 1)
        ratings = np.zeros((len(views), len(DRAWS)), int)
        ratings[:, 1:] = np.where(fits, RANKS[np.minimum(index, 11)], -1)
        return DRAWS[np.where(legal_draws(views), ratings, -1000).argmax(axis=1)]
