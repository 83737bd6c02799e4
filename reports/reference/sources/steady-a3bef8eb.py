"""One path at a time, in small steps."""

from lcsim.board import (
    ARTEFACT,
    STEP,
    Param,
    Strategy,
    cards_of_ranks,
    color_of,
    count_bits,
    next_tile,
    plays_left,
    skipped_cards,
    space_gain,
    starts_path,
)


class Steady(Strategy):
    """Starts the paths it holds enough cards for and walks them evenly, tiles as they come.

    Idea: a path pays from its fourth space on, so start it with the cards to get there, skip as few
    cards as possible, and start nothing late. The leader goes on a path that is held well.
    Source: original.
    """

    open_with = Param(3, low=1, high=8, help="cards of a color in hand needed to start its path")
    lead_with = Param(4, low=1, high=8, help="cards of a color in hand that call for the leader")
    late = Param(8, low=0, high=40, help="plays left below which no path is started")
    skip = Param(4.0, low=0, high=20, help="points that a card costs which no longer fits")
    artefact = Param(8.0, low=0, high=40, help="points that an artefact is worth")
    another = Param(6.0, low=0, high=40, help="points that a step tile is worth")

    def lay(self, view, card):
        """Start what is held well; walk where the next space and its tile pay most."""
        color = color_of(card)
        skipped = self.skip * count_bits(skipped_cards(view, card))
        if starts_path(view, card):
            held = count_bits(view.hand[color])
            if held < self.open_with or plays_left(view) < self.late:
                return -100.0
            return 8.0 + held - skipped
        return 12.0 + self.gain(view, color) - skipped

    def discard(self, view, card):
        """Keep what fits my rows; feed nobody."""
        color = color_of(card)
        fits = view.accepts[color] >> (card & 15) & 1
        wanted = 0
        for other in range(view.n_players - 1):
            started = view.their_spaces[other][color] > 0
            wanted += started and view.their_accepts[other][color] >> (card & 15) & 1
        started = view.spaces[color] > 0
        return -10.0 * (started and fits) - 3.0 * wanted - count_bits(view.hand[color])

    def draw(self, view, card):
        """Take a card that fits a path under way without a leap."""
        color = color_of(card)
        fits = view.spaces[color] > 0 and view.accepts[color] >> (card & 15) & 1
        return 4.0 - self.leap(view, card) if fits else -1.0

    def open_with_leader(self, view, card):
        """Send the leader where many cards are held."""
        return count_bits(view.hand[color_of(card)]) - self.lead_with + 0.5

    def step(self, view, color):
        """Move where the next space and its tile pay most."""
        return 1.0 + self.gain(view, color)

    def gain(self, view, color):
        """Return what the next space of a path under way brings, its tile included."""
        tile = next_tile(view, color)
        points = 1.0 * space_gain(view, color)
        if tile == ARTEFACT:
            return points + self.artefact
        if tile == STEP:
            return points + self.another
        return points + tile

    @staticmethod
    def leap(view, card):
        """Return how many cards of my hand that fit now would not fit after `card`."""
        color, rank = color_of(card), card & 15
        below = cards_of_ranks(view.hand[color], view.accepts[color] & ((1 << rank) - 1))
        above = cards_of_ranks(view.hand[color], view.accepts[color] & ~((2 << rank) - 1))
        return min(count_bits(below), count_bits(above)) if view.either else count_bits(below)
