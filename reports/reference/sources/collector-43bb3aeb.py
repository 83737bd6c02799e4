"""Artefacts above all."""

from lcsim.board import (
    ARTEFACT,
    STEP,
    Param,
    Strategy,
    artefact_value,
    can_follow,
    color_of,
    count_bits,
    next_tile,
    plays_left,
    skipped_cards,
    space_gain,
    starts_path,
)


class Collector(Strategy):
    """Goes for the artefacts before the others do, on as many paths as hold some.

    Idea: an artefact tile is gone once somebody has taken it, and a full collection is worth two
    cities; so be first. Start the paths with artefacts near their beginning, move the pawn that is
    nearest to one, and use every step for the same.
    Source: original.
    """

    open_with = Param(2, low=1, high=8, help="cards of a color in hand needed to start its path")
    late = Param(10, low=0, high=40, help="plays left below which no path is started")
    lead_with = Param(4, low=1, high=8, help="cards of a color in hand that call for the leader")
    skip = Param(4.0, low=0, high=20, help="price of a card in hand that no longer fits")
    artefact = Param(2.0, low=0, high=10, help="weight of an artefact's points, the more when near")
    least = Param(6.0, low=0, high=40, help="points that an artefact counts for at least")

    def lay(self, view, card):
        """Start paths with artefacts; move towards the nearest one."""
        color = color_of(card)
        skipped = self.skip * count_bits(skipped_cards(view, card))
        if starts_path(view, card):
            held = count_bits(view.hand[color])
            if held < self.open_with or plays_left(view) < self.late:
                return -60.0
            return 6.0 + 2.0 * held + self.pull(view, color) - skipped
        return 12.0 + self.step(view, color) - skipped

    def discard(self, view, card):
        """Keep what fits my rows, then what could start a path with artefacts."""
        color = color_of(card)
        if view.spaces[color] > 0:
            return -14.0 * can_follow(view.accepts[color], card)
        return -1.0 * count_bits(view.hand[color]) - 0.3 * self.pull(view, color)

    def draw(self, view, card):
        """Take a card that moves a pawn towards an artefact, or onto a better space."""
        color = color_of(card)
        if view.spaces[color] == 0 or not can_follow(view.accepts[color], card):
            return -1.0
        return self.pull(view, color) + space_gain(view, color) - 6.0

    def open_with_leader(self, view, card):
        """Send the leader where many cards are held."""
        return count_bits(view.hand[color_of(card)]) - self.lead_with + 0.5

    def step(self, view, color):
        """Move the pawn that is nearest to an artefact."""
        tile = next_tile(view, color)
        bonus = 8.0 if tile == STEP else 0.5 * max(tile, 0)
        return 1.0 + self.pull(view, color) + 0.7 * space_gain(view, color) + bonus

    def pull(self, view, color):
        """Return what the artefacts ahead on a path are worth, each the less the further it is."""
        total = 0.0
        space = max(view.spaces[color], 1)
        for ahead in range(space + 1, view.last_space + 1):
            if view.tiles[color][ahead] == ARTEFACT:
                total += 1.0 / (ahead - space)
        return self.artefact * self.price(view) * total

    def price(self, view):
        """Return the points that one more artefact may bring by the end of the game."""
        soon = 2 + 2 * (view.rounds - 1 - view.round)
        more = artefact_value(view, view.artefacts + soon) - artefact_value(view, view.artefacts)
        return max(self.least, more / soon)
