"""Points on the way."""

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


class TileHunter(Strategy):
    """Walks where VP tiles and step tiles lie, and chains one step to the next.

    Idea: VP tiles pay every pawn that comes by, never turn negative, and stay for the rounding at
    the end; a step tile is a free turn. So choose the paths by the tiles on them, those within
    reach first, and move the pawn whose next tile sets off another.
    Source: original.
    """

    open_with = Param(2, low=1, high=8, help="cards of a color in hand needed to start its path")
    open_for = Param(16.0, low=0, high=80, help="worth of tiles and cards needed to start a path")
    late = Param(9, low=0, high=40, help="plays left below which no path is started")
    lead_with = Param(4, low=1, high=8, help="cards of a color in hand that call for the leader")
    skip = Param(5.0, low=0, high=20, help="price of a card in hand that no longer fits")
    another = Param(10.0, low=0, high=40, help="points that a step tile is worth")
    artefact = Param(3.0, low=0, high=40, help="points that an artefact is worth")

    def lay(self, view, card):
        """Start the paths with most tiles; walk to the best of them."""
        color = color_of(card)
        skipped = self.skip * count_bits(skipped_cards(view, card))
        if starts_path(view, card):
            held = count_bits(view.hand[color])
            promise = self.hunt(view, color, held + 3) + 3.0 * held
            if held < self.open_with or promise < self.open_for or plays_left(view) < self.late:
                return -60.0
            return 0.3 * promise - skipped
        return 12.0 + self.step(view, color) - skipped

    def discard(self, view, card):
        """Keep what fits my rows, then what could start a path with tiles."""
        color = color_of(card)
        if view.spaces[color] > 0:
            return -14.0 * can_follow(view.accepts[color], card)
        return -1.0 * count_bits(view.hand[color]) - 0.1 * self.hunt(view, color, 5)

    def draw(self, view, card):
        """Take a card that moves a pawn to a tile, or onto a better space."""
        color = color_of(card)
        if view.spaces[color] == 0 or not can_follow(view.accepts[color], card):
            return -1.0
        return self.step(view, color) - 8.0

    def open_with_leader(self, view, card):
        """Send the leader where many cards are held."""
        return count_bits(view.hand[color_of(card)]) - self.lead_with + 0.5

    def step(self, view, color):
        """Move the pawn whose next tile is best, and whose next tiles are near."""
        here = self.worth(next_tile(view, color))
        near = 0.2 * self.hunt(view, color, 3)
        return 1.0 + here + near + 0.8 * space_gain(view, color)

    def hunt(self, view, color, reach):
        """Return what the tiles of a path are worth that lie within `reach` spaces."""
        total = 0.0
        space = max(view.spaces[color], 1)
        for ahead in range(space + 1, min(space + reach, view.last_space) + 1):
            total += self.worth(view.tiles[color][ahead])
        return total

    def worth(self, tile):
        """Return what a tile is worth."""
        if tile == STEP:
            return self.another
        if tile == ARTEFACT:
            return self.artefact
        return 1.0 * tile
