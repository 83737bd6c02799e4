"""My idea in one line."""

from lcsim.duel import (
    Param,
    Strategy,
    can_follow,
    color_of,
    hand_points,
    is_wager,
    mask_points,
    plays_left,
    rank_of,
    skipped_cards,
)


# A strategy says how good each move is; the engine offers the legal ones only and takes the best.
# - lay and discard rate a play, draw rates taking a face-up card: the draw pile is worth 0.
# - view is what the seat sees: view.hand, .mine, .theirs, .playable, .discarded, … hold a mask for
#   each color (bits 0-2 wagers, 3-11 ranks 2-10); view.deck_left, .turn, … are numbers.
# - Helpers of lcsim.duel read cards and masks: color_of, rank_of, mask_points, plays_left, …
# - self holds the Params and nothing else: the same view always gets the same answer.
# - Colors are range(view.colors). Numbers, tuples, loops and methods of your own all compile.
# - Change a number from outside:  lcsim match my-idea:open_at=15 balanced --games 20000
# - Keep it honest:                lcsim strategies check strategies/duel/my_idea.py
# - Need search or chance? Write choose_play(self, view, rng) and choose_draw instead of the three.
class MyIdea(Strategy):
    """Opens a color when the hand holds enough of it, then climbs in small steps.

    Idea: say here what you believe about the game.
    Source: original.
    """

    open_at = Param(18.0, low=0, high=54, help="points of a color in hand needed to open it")

    def lay(self, view, card):
        """Open what pays; prefer the step that skips least; hurry at the end."""
        color = color_of(card)
        if view.mine[color] == 0 and hand_points(view, color) < self.open_at:
            return -50.0
        if is_wager(card):
            return 2.0 if hand_points(view, color) >= self.open_at + 6.0 else -50.0
        hurry = 10.0 if plays_left(view) <= 4 else 0.0
        return 10.0 + hurry - mask_points(skipped_cards(view, card))

    def discard(self, view, card):
        """Keep what I can lay, and do not feed the opponent."""
        color = color_of(card)
        mine = view.mine[color] != 0 and can_follow(view.playable[color], card)
        theirs = view.theirs[color] != 0 and can_follow(view.their_playable[color], card)
        return -0.5 * rank_of(card) - 8.0 * mine - 4.0 * theirs

    def draw(self, view, card):
        """Take a face-up card that continues one of my expeditions."""
        color = color_of(card)
        fits = view.mine[color] != 0 and can_follow(view.playable[color], card)
        return rank_of(card) - 2.0 if fits else -1.0
