"""My idea in one line."""

from lcsim.board import (
    ARTEFACT,
    STEP,
    Param,
    Strategy,
    can_follow,
    color_of,
    count_bits,
    next_tile,
    plays_left,
    skipped_cards,
    space_gain,
    starts_path,
)


# A strategy says how good each move is; the engine offers the legal ones only and takes the best.
# - lay and discard rate a play; draw rates taking a face-up card: the draw pile is worth 0.
# - open_with_leader above 0 starts a path with the leader; step rates moving a pawn: none is 0.
# - view is what the seat sees: view.hand, .mine, .accepts, .spaces, .tiles, … are by color, and
#   .theirs, .their_spaces, … by opponent and color; view.deck_left, .crossings, … are numbers.
# - Helpers of lcsim.board read cards and sets: color_of, rank_of, count_bits, plays_left, …
# - self holds the Params and nothing else: the same view always gets the same answer.
# - Colors are range(view.colors), opponents range(view.n_players - 1); spaces and numbers of
#   players differ by ruleset. Numbers, tuples, loops and methods of your own all compile.
# - Change a number from outside:  lcsim match my-idea:open_with=3 steady --ruleset board
# - Keep it honest:                lcsim strategies check strategies/board/my_idea.py
# - Need search or chance? Write choose_play(self, view, rng), choose_draw and choose_step instead.
class MyIdea(Strategy):
    """Starts the colors it holds enough cards of, then moves where the next space pays most.

    Idea: say here what you believe about the game.
    Source: original.
    """

    open_with = Param(2, low=1, high=8, help="cards of a color in hand needed to start its path")

    def lay(self, view, card):
        """Start what is held while there is time; skip few cards; move where it pays."""
        color = color_of(card)
        skipped = 4.0 * count_bits(skipped_cards(view, card))
        if starts_path(view, card):
            held = count_bits(view.hand[color])
            if held < self.open_with or plays_left(view) < 10:
                return -50.0
            return 8.0 + held - skipped
        return 12.0 + self.step(view, color) - skipped

    def discard(self, view, card):
        """Keep what moves a pawn, then colors held in number."""
        color = color_of(card)
        if view.spaces[color] > 0 and can_follow(view.accepts[color], card):
            return -15.0
        return -1.0 * count_bits(view.hand[color])

    def draw(self, view, card):
        """Take a face-up card that moves a pawn onto a much better space."""
        color = color_of(card)
        fits = view.spaces[color] > 0 and can_follow(view.accepts[color], card)
        return space_gain(view, color) - 5.0 if fits else -1.0

    def open_with_leader(self, view, card):
        """Send the leader where many cards are held: its spaces count double."""
        return count_bits(view.hand[color_of(card)]) - 2.5

    def step(self, view, color):
        """Move where the next space and its tile pay most."""
        tile = next_tile(view, color)
        bonus = 8.0 if tile in {STEP, ARTEFACT} else 1.0 * tile
        return 1.0 + bonus + space_gain(view, color)
