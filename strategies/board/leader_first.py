"""One great expedition."""

from lcsim.board import (
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


class LeaderFirst(Strategy):
    """Sends the leader out first, on the longest color, and brings it to the lost city.

    Idea: the leader's city is worth two. So the first path is the leader's, on the color with most
    cards in hand; its cards, its draws and the steps come before all others, its row skips nothing,
    and explorers only follow on colors that are held well.
    Source: original.
    """

    start_with = Param(3, low=1, high=8, help="cards of a color in hand to send the leader out")
    wait = Param(5, low=0, high=40, help="plays after which it goes out with fewer")
    follow_with = Param(3, low=1, high=8, help="cards of a color in hand to send an explorer out")
    late = Param(10, low=0, high=40, help="plays left below which no path is started")
    skip = Param(4.0, low=0, high=20, help="price of a card in hand that no longer fits")
    careful = Param(3.0, low=1, high=10, help="that price on the leader's path, as a multiple")
    first = Param(8.0, low=0, high=60, help="worth of moving the leader above an explorer")

    def lay(self, view, card):
        """Start with the leader; then move it, and explorers when it waits for cards."""
        color = color_of(card)
        skipped = self.skip * count_bits(skipped_cards(view, card))
        if starts_path(view, card):
            held = count_bits(view.hand[color])
            enough = self.follow_with
            if view.leader < 0:
                waited = view.turn >= self.wait * view.n_players
                enough = self.start_with - waited
            if held < enough or plays_left(view) < self.late:
                return -60.0
            return 8.0 + 2.0 * held - skipped
        if color == view.leader:
            skipped *= self.careful
        return 12.0 + self.step(view, color) - skipped

    def discard(self, view, card):
        """Keep the leader's cards before all others."""
        color = color_of(card)
        if view.spaces[color] > 0:
            weight = 30.0 if color == view.leader else 12.0
            return -weight * can_follow(view.accepts[color], card)
        return -1.0 * count_bits(view.hand[color])

    def draw(self, view, card):
        """Take what the leader can use, and what makes no leap for an explorer."""
        color = color_of(card)
        if view.spaces[color] == 0 or not can_follow(view.accepts[color], card):
            return -1.0
        return 10.0 if color == view.leader else 1.0 * space_gain(view, color) - 4.0

    def open_with_leader(self, view, card):
        """Send the leader out first."""
        return 1.0

    def step(self, view, color):
        """Move the leader while it has a way to go."""
        tile = next_tile(view, color)
        bonus = 8.0 if tile == STEP else 1.0 * max(tile, 0)
        leads = self.first if color == view.leader else 0.0
        return 1.0 + leads + bonus + 0.5 * space_gain(view, color)
