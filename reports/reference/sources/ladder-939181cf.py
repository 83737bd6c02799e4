"""The yardstick: the same moves as the C reference loop, so that speed can be compared."""

from lcsim.duel import (
    DISCARD,
    DRAW_DECK,
    MAX_COLORS,
    Strategy,
    count_bits,
    index_of,
    lowest_bit,
    make_card,
)


class Ladder(Strategy):
    """Climbs: lays the lowest card that fits a started expedition, opens its longest color early.

    Idea: the simplest play that finishes games: always the lowest step of the ladder; while more
    than 20 cards are left, open the color with most cards in hand; else discard the lowest card.
    It takes the highest top card of a discard pile that fits a started expedition.
    Source: the reference loop that lcsim is measured against.
    """

    open_above = 20  # cards in the draw pile

    def choose_play(self, view, rng):
        """Lay the lowest fitting card, or open, or discard the lowest card of the first color."""
        lowest, play = 62, -1
        for color in range(MAX_COLORS):
            cards = view.hand[color] & view.playable[color] * (view.mine[color] > 0)
            index = lowest_bit(cards)
            step = max(index - 2, 0)  # the three wagers are one step
            play = make_card(color, index) if step < lowest else play
            lowest = min(lowest, step)
        if play >= 0:
            return play
        if view.deck_left > self.open_above:
            most = 0
            for color in range(MAX_COLORS):
                cards = view.hand[color] & view.playable[color] * (view.mine[color] == 0)
                count = count_bits(cards)
                play = make_card(color, lowest_bit(cards)) if count > most else play
                most = max(count, most)
            if play >= 0:
                return play
        color = 0
        while not view.hand[color]:
            color += 1
        return DISCARD + make_card(color, lowest_bit(view.hand[color]))

    def choose_draw(self, view, rng):
        """Take the highest fitting top card of a started color, else the draw pile."""
        highest, pile = 0, DRAW_DECK
        piles = view.drawable
        while piles:
            color = lowest_bit(piles)
            piles &= piles - 1
            index = index_of(view.discard_top[color])
            fits = view.playable[color] >> index & 1 and view.mine[color] > 0
            step = max(index - 1, 1) * fits
            pile = color if step > highest else pile
            highest = max(step, highest)
        return pile
