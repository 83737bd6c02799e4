"""Weighing everything, in points."""

from lcsim.duel import (
    Param,
    Strategy,
    can_follow,
    color_of,
    count_bits,
    count_wagers,
    is_wager,
    mask_points,
    plays_left,
    rank_of,
    skipped_cards,
    unseen_cards,
)


class Balanced(Strategy):
    """Weighs what a move earns, what it spoils, what it gives away and the time that is left.

    Idea: every move has a price in points. Laying a card costs the cards it skips, those still to
    come by the chance that they do. Opening costs what the color is expected to fall short of a
    safe profit, and so does a wager. A discard costs what the card is worth here, and what the
    opponent could make of it. When the plays left hardly suffice for the cards that can be laid,
    these count in full. So it opens on promise, multiplies what pays, waits with useless discards
    while that is cheap, and is not left with a full hand.
    Source: original; the weights are tuned by play against itself and the other strategies.
    """

    coming = Param(0.47, low=0, high=1, help="chance to draw an unseen card, at a full draw pile")
    open_at = Param(5.3, low=-30, high=40, help="expected net points that make opening safe")
    wager_at = Param(4.6, low=-30, high=40, help="expected net points that make a wager safe")
    doubt = Param(1.8, low=0, high=5, help="price of each expected point below those limits")
    opening = Param(3.2, low=-20, high=20, help="price of being tied to one more color")
    tempo = Param(1.7, low=-20, high=20, help="worth of laying a card over waiting")
    skip = Param(1.07, low=0, high=4, help="price of each point skipped that may still come")
    hurry_at = Param(3.7, low=0.1, high=12, help="spare plays below which points count at once")
    hope_at = Param(-2.2, low=-60, high=30, help="expected net points that give a color some worth")
    hope_over = Param(18.0, low=0.1, high=80, help="further points that give its cards full worth")
    keep = Param(1.07, low=0, high=3, help="price of discarding, for each point of worth here")
    wager_worth = Param(6.5, low=0, high=30, help="points that a wager is worth before opening")
    give = Param(
        0.57, low=0, high=3, help="price of each point the opponent could make of a discard"
    )
    hint = Param(0.42, low=0, high=1, help="share of that for a color the opponent has not opened")
    deny = Param(0.23, low=0, high=3, help="worth of each such point in a draw")
    pile = Param(3.7, low=-5, high=30, help="worth of an unknown card from the draw pile")
    chase = Param(
        0.21, low=0, high=1, help="share of the bonus that each card close to it is worth"
    )

    def lay(self, view, card):
        """Rate laying a card: what it earns in time, less what it skips and what it risks."""
        color = color_of(card)
        skipped = skipped_cards(view, card)
        spare = self.spare_plays(view, plays_left(view))
        factor = 1 + count_wagers(view.mine[color])
        lost = self.skip * self.chance(view) * mask_points(skipped & unseen_cards(view, color))
        lost += mask_points(self.drop_lowest(skipped & view.hand[color], -spare))
        rating = self.tempo - factor * lost
        if view.mine[color] and not is_wager(card):
            hurry = min(max(1.0 - spare / self.hurry_at, 0.0), 1.0)
            bonus = self.bonus_share(view, color) * count_bits(skipped & view.hand[color])
            return rating + hurry * factor * rank_of(card) - bonus
        return rating - self.risk(view, card, self.expected_net(view, color, spare))

    def discard(self, view, card):
        """Rate discarding a card: what it is worth to me and to them is lost."""
        spare = self.spare_plays(view, plays_left(view))
        return -self.keep * self.worth(view, card, spare) - self.give * self.gift(view, card)

    def draw(self, view, card):
        """Rate taking a face-up card instead of an unknown one."""
        spare = self.spare_plays(view, view.deck_left // 2)
        return self.worth(view, card, spare) + self.deny * self.gift(view, card) - self.pile

    def risk(self, view, card, net):
        """Return the price of opening, or of a wager, where `net` points are expected."""
        color = color_of(card)
        price = 0.0
        if view.mine[color] == 0:
            price += self.opening + self.doubt * max(self.open_at - net, 0.0)
        if is_wager(card):
            return price + self.doubt * max(self.wager_at - net, 0.0)
        return price

    def worth(self, view, card, spare):
        """Return the points that a card in hand is worth to me."""
        color = color_of(card)
        if not can_follow(view.playable[color], card):
            return 0.0
        if view.mine[color] and not is_wager(card):
            factor = 1 + count_wagers(view.mine[color])
            return factor * rank_of(card) + self.bonus_share(view, color)
        net = self.expected_net(view, color, spare)
        if view.mine[color]:
            return 0.7 * max(net, 0.0)  # it multiplies what is still only expected
        hope = min(max((net - self.hope_at) / self.hope_over, 0.0), 1.0)
        return hope * (self.wager_worth if is_wager(card) else rank_of(card))

    def gift(self, view, card):
        """Return the points that the opponent could make of a card."""
        color = color_of(card)
        if not can_follow(view.their_playable[color], card):
            return 0.0
        if view.theirs[color] == 0:
            return self.hint * (1 + rank_of(card))
        return float((1 + count_wagers(view.theirs[color])) * (1 + rank_of(card)))

    def expected_net(self, view, color, plays):
        """Return the sum that an expedition can expect to reach in `plays`, less its cost."""
        accepts = view.playable[color]
        held = view.hand[color] & accepts
        held = held if count_bits(held) <= plays else 0  # too late for them
        still_to_come = self.chance(view) * mask_points(accepts & unseen_cards(view, color))
        return mask_points(view.mine[color] | held) + still_to_come - view.expedition_cost

    def bonus_share(self, view, color):
        """Return what one more card is worth to an expedition that is close to the bonus."""
        cards = count_bits(view.mine[color] | (view.hand[color] & view.playable[color]))
        if view.bonus_cards == 0 or not view.bonus_cards - 2 <= cards <= view.bonus_cards:
            return 0.0
        return self.chase * view.bonus_points

    def spare_plays(self, view, plays):
        """Return how many of my plays are left when all that I can add to open colors is laid."""
        if plays < view.hand_size + self.hurry_at:  # before that it does not matter
            for color in range(view.colors):
                if view.mine[color]:
                    plays -= count_bits(view.hand[color] & view.playable[color])
        return plays

    def chance(self, view):
        """Return the chance that I draw an unseen card while it is of use."""
        return self.coming * view.deck_left / (view.deck_left + view.hand_size)

    @staticmethod
    def drop_lowest(mask, n):
        """Return `mask` without its `n` lowest cards."""
        while n > 0 and mask:
            mask &= mask - 1
            n -= 1
        return mask
