"""Valuing every color as a whole, before a move and after it."""

from lcsim.duel import (
    DISCARD,
    DRAW_DECK,
    Param,
    Strategy,
    accepts_after,
    can_follow,
    color_of,
    count_bits,
    count_wagers,
    distinct_cards,
    index_of,
    lowest_bit,
    make_card,
    mask_points,
    plays_left,
    rank_of,
    unseen_cards,
)


class Tuned(Strategy):
    """Plays the move after which its colors are worth most, in points it can expect.

    Idea: a color's worth is what its expedition will have scored at the end: the cards laid, those
    in hand by the chance that there is time for them, and the unseen ones by the chance that they
    come, less the cost, times the wagers, and the bonus by how near it is. A color not opened is
    worth what opening it promises, and never less than nothing. A lay moves a card from the hand to
    the table and gives up what it skips; a discard gives it up and lets the opponent have it; a
    draw adds a card and denies it. Taking any discard leaves the draw pile as it is: of an even
    number of cards that gives me a play more, of an odd number them, and one to each who does it
    twice. So it takes even useless cards while more wait in hand than there are plays for.
    Source: original; the weights come from `lcsim tune` against balanced (see experiments/tunings).
    """

    coming = Param(0.528, low=0.0, high=1.0, help="chance of an unseen card for an open color")
    coming_shared = Param(
        0.382, low=0.0, high=1.0, help="that chance where they have opened it too"
    )
    coming_new = Param(0.67, low=0.0, high=1.0, help="that chance for a color not opened")
    coming_theirs = Param(0.234, low=0.0, high=1.0, help="that chance where they alone opened it")
    coming_free = Param(0.407, low=0.0, high=1.2, help="that chance for a card of no use to them")
    hold = Param(1.06, low=0.5, high=1.1, help="share of their points that cards in hand count")
    hold_late = Param(0.962, low=-0.3, high=1.0, help="that share when there is no play to spare")
    hold_new = Param(1.2, low=0.5, high=1.3, help="share for cards of a color not opened")
    hold_new_late = Param(0.902, low=-0.5, high=1.2, help="that share when there is none to spare")
    hurry_at = Param(1.72, low=0.5, high=14.0, help="spare plays below which that share falls")
    wager_hope = Param(0.831, low=0.0, high=1.5, help="share that a wager in hand multiplies by")
    bonus_at = Param(6.1, low=4.0, high=9.0, help="cards expected from which the bonus counts")
    bonus_over = Param(2.99, low=0.3, high=6.0, help="further cards until it counts in full")
    bonus_share = Param(1.13, low=0.0, high=1.2, help="share of the bonus that counts then")
    opening = Param(5.55, low=-15.0, high=35.0, help="price of being tied to one more color")
    crowd = Param(1.1, low=-6.0, high=8.0, help="rise of that price with each color open already")
    too_late = Param(5.48, low=-2.0, high=10.0, help="price of opening for each card without time")
    many = Param(0.375, low=-6.0, high=10.0, help="worth of opening for each further card of it")
    opening_late = Param(-1.29, low=-20.0, high=30.0, help="rise of its price as the pile ends")
    early = Param(0.00102, low=-0.5, high=2.0, help="price of laying each point with time to spare")
    wager_late = Param(8.55, low=-15.0, high=30.0, help="rise of its price as the draw pile ends")
    fear = Param(1.67, low=0.5, high=2.5, help="weight of points expected below the cost")
    wager_price = Param(-1.85, low=-10.0, high=20.0, help="price of laying a wager")
    hope_at = Param(10.3, low=-40.0, high=20.0, help="expected points at which half hope begins")
    hope_over = Param(10.7, low=1.0, high=50.0, help="how softly hope begins, in points")
    hope_share = Param(0.657, low=0.0, high=1.3, help="share of its worth that a closed color has")
    tempo = Param(5.97, low=-12.0, high=30.0, help="worth of laying over waiting")
    tempo_late = Param(-2.8, low=-15.0, high=15.0, help="change of that as the draw pile ends")
    tempo_spare = Param(-6.89, low=-30.0, high=12.0, help="change of that with time to spare")
    tempo_junk = Param(
        0.352, low=-3.0, high=3.0, help="change of that for each useless card in hand"
    )
    give = Param(1.09, low=0.0, high=2.0, help="price of each point they could make of a discard")
    hint = Param(0.416, low=0.0, high=1.5, help="share of that for a color they have not opened")
    give_late = Param(0.967, low=-0.5, high=1.5, help="what is left of that as the draw pile ends")
    hint_late = Param(0.479, low=0.0, high=1.5, help="what is left of that as the draw pile ends")
    cover = Param(
        -0.0954, low=-0.5, high=1.0, help="worth of covering a point that they could take"
    )
    deny = Param(0.781, low=0.0, high=1.5, help="worth of each such point in a draw")
    pile = Param(14.0, low=-3.0, high=30.0, help="worth of an unknown card, and of a shorter round")
    pile_late = Param(1.0, low=-20.0, high=10.0, help="change of that as the draw pile ends")
    patience = Param(
        0.858, low=0.0, high=1.5, help="share of a card's worth that nobody else wants"
    )
    their_play = Param(
        -0.289, low=-5.0, high=25.0, help="price of one more play of theirs at the end"
    )
    stall_share = Param(
        1.26,
        low=0.3,
        high=1.3,
        help="cards waiting for a play from which the draw pile is left alone",
    )
    stall_at = Param(
        0.29, low=-2.0, high=3.0, help="further cards until then, where they gain a play by it"
    )
    stall_even = Param(-0.782, low=-2.0, high=3.0, help="further cards until then, where I gain it")
    stall = Param(21.5, low=0.0, high=40.0, help="worth of leaving the draw pile alone then")
    stall_more = Param(3.01, low=0.0, high=20.0, help="rise of that with each further card")
    best_first = Param(0.668, low=0.0, high=1.0, help="how far the best cards are laid first then")

    def choose_play(self, view, rng):
        """Return the lay or discard after which all is worth most."""
        late, plays, waiting = self.lateness(view), plays_left(view) - 1, self.count_waiting(view)
        less, now = self.shares(waiting - 1, plays), self.shares(waiting, plays)
        all_less, all_now = self.weigh_all(view, less, now)
        prices = self.price_lays(view, late, min(max(plays - waiting, 0) / 12.0, 1.0))
        move, best = -1, -1e9
        for color in range(view.colors):
            if view.hand[color] == 0:
                continue
            mine, held = view.mine[color], view.hand[color] & view.playable[color]
            found = self.gather(view, color)
            others_less = all_less - self.worth(view, found, less)
            others_now = all_now - self.worth(view, found, now)
            top = view.discard_top[color]
            covered = self.cover * self.gift(view, top, late) if top >= 0 else 0.0
            cards = distinct_cards(view.hand[color])
            while cards:
                index = lowest_bit(cards)
                card = make_card(color, index)
                cards &= cards - 1
                rating = all_now
                if held >> index & 1:
                    own, more = self.rate_lay(view, card, (plays, waiting), prices)
                    own += others_now + more * (others_now - others_less)
                    if own > best:
                        move, best = card, own
                    kept = self.without(found, index)
                    if mine:
                        rating = others_less + self.worth(view, kept, less)
                    else:
                        rating = others_now + self.worth(view, kept, now)
                rating += covered - self.give * self.gift(view, card, late)
                if rating > best:
                    move, best = card + DISCARD, rating
        return move

    def rate_lay(self, view, card, time, prices):
        """Return what a card's color is worth with it laid, and how many cards more wait then."""
        color, index = color_of(card), index_of(card)
        bit, mine = 1 << index, view.mine[color]
        (plays, waiting), (lay, opening, early, wager) = time, prices
        after = accepts_after(mine, index, view.color_mask, view.either)
        held = view.hand[color] & after & ~bit
        more = count_bits(held)
        if mine:
            more -= count_bits(view.hand[color] & view.playable[color])
            rating = lay
        else:
            rating = lay + self.many * more - opening
            rating -= self.too_late * max(waiting + more - plays, 0)
        if index < 3:
            rating -= wager
        else:
            rating -= early * (1 + count_wagers(mine)) * rank_of(card)
        found = self.gather_cards(view, color, mine | bit, held, after & unseen_cards(view, color))
        return rating + self.worth(view, found, self.shares(waiting + more, plays)), more

    def price_lays(self, view, late, spare):
        """Return what laying is worth; the prices of opening, of a point laid early, of a wager."""
        lay = self.tempo + self.tempo_late * late + self.tempo_spare * spare
        lay += self.tempo_junk * self.count_junk(view)
        opening = self.opening + self.crowd * self.count_open(view) + self.opening_late * late
        return lay, opening, self.early * spare, self.wager_price + self.wager_late * late

    def choose_draw(self, view, rng):
        """Return the pile whose card adds most, above what an unknown card is worth."""
        piles = view.drawable
        if piles == 0:
            return DRAW_DECK
        late, left = self.lateness(view), min(view.deck_left, view.turn_limit - view.turn)
        plays, waiting = left // 2, self.count_waiting(view)
        hurried, now = self.shares(waiting, plays - 1), self.shares(waiting, plays)
        all_hurried, all_now = self.weigh_all(view, hurried, now)
        pile, best = DRAW_DECK, self.pile + self.pile_late * late
        if left & 1:  # the draw pile left as it is gives them one play more, or me
            stay, over = -self.their_play * late, waiting - self.stall_at
            best += all_now
        else:
            stay, over = 0.0, waiting - self.stall_even
            best += all_hurried
        over -= self.stall_share * plays
        if over > 0.0:
            stay += self.stall + self.stall_more * over
        while piles:
            color = lowest_bit(piles)
            piles &= piles - 1
            card = view.discard_top[color]
            bit = 1 << index_of(card)
            gift = self.gift(view, card, late)
            rating = all_now
            if bit & view.playable[color]:
                found = self.gather(view, color)
                shares = now
                if view.mine[color]:  # a card more waits for as many plays
                    rating, shares = all_hurried, hurried
                gain = self.worth(view, self.add(found, index_of(card)), shares)
                gain -= self.worth(view, found, shares)
                rating += gain if gift > 0.0 else self.patience * gain
            rating += self.deny * gift + stay
            if rating > best:
                pile, best = color, rating
        return pile

    def weigh_all(self, view, shares, others):
        """Return what all colors are worth as they are, for two pairs of `shares`."""
        total, other = 0.0, 0.0
        for color in range(view.colors):
            found = self.gather(view, color)
            total += self.worth(view, found, shares)
            other += self.worth(view, found, others)
        return total, other

    def shares(self, waiting, plays):
        """Return the shares of their points that cards in hand count, of open and closed colors.

        `waiting` cards in hand fit open colors, and there are `plays` plays for them.
        """
        plays, waiting = max(plays, 0), max(waiting, 0)
        short = min(max((self.hurry_at - plays + waiting) / self.hurry_at, 0.0), 1.0)
        share = self.hold - (self.hold - self.hold_late) * short
        new_share = self.hold_new - (self.hold_new - self.hold_new_late) * short
        if waiting < plays:
            return share, new_share
        new_share *= self.in_time(plays / (waiting + 1.0))
        if waiting == plays:
            return share, new_share
        return share * self.in_time(plays / waiting), new_share

    def in_time(self, part):
        """Return the share of the points for which there is time, for a part of the cards."""
        return part * (1.0 + self.best_first * (1.0 - part))

    def gather(self, view, color):
        """Return what `gather_cards` says of a color as it is."""
        accepts = view.playable[color]
        held, unseen = view.hand[color] & accepts, unseen_cards(view, color) & accepts
        return self.gather_cards(view, color, view.mine[color], held, unseen)

    def gather_cards(self, view, color, mine, held, unseen):
        """Return what a color's worth hangs on, of masks: laid, in hand and fit, unseen and fit.

        These are: its factor, 0 if it is closed; points, cost included, and cards that are laid or
        may come; points, cards and wagers in hand.
        """
        seen = view.deck_left / (view.deck_left + view.hand_size)
        if view.theirs[color] == 0:
            chance = seen * (self.coming if mine else self.coming_new)
            points, length = chance * mask_points(unseen), chance * count_bits(unseen)
        else:
            free = unseen & ~view.their_playable[color]
            chance = seen * (self.coming_shared if mine else self.coming_theirs)
            more = seen * self.coming_free - chance
            points = chance * mask_points(unseen) + more * mask_points(free)
            length = chance * count_bits(unseen) + more * count_bits(free)
        points += mask_points(mine) - view.expedition_cost
        factor = 1 + count_wagers(mine) if mine else 0
        length += count_bits(mine)
        return factor, points, length, mask_points(held), count_bits(held), count_wagers(held)

    def without(self, found, index):
        """Return what `gather` says of a color once a card of the hand is gone."""
        factor, points, length, held_points, held_cards, held_wagers = found
        if index < 3:
            return factor, points, length, held_points, held_cards - 1, held_wagers - 1
        return factor, points, length, held_points - (index - 1), held_cards - 1, held_wagers

    def add(self, found, index):
        """Return what `gather` says of a color with a card more in hand."""
        factor, points, length, held_points, held_cards, held_wagers = found
        if index < 3:
            return factor, points, length, held_points, held_cards + 1, held_wagers + 1
        return factor, points, length, held_points + (index - 1), held_cards + 1, held_wagers

    def worth(self, view, found, shares):
        """Return the points that a color is expected to end with."""
        factor, points, length, held_points, held_cards, held_wagers = found
        share = shares[0] if factor else shares[1]
        points += share * held_points
        bonus = self.bonus(view, length + share * held_cards)
        if factor:
            if points < 0.0:
                points *= self.fear
            return (factor + self.wager_hope * share * held_wagers) * points + bonus
        promise = (1.0 + self.wager_hope * held_wagers) * points + bonus - self.hope_at
        return self.hope_share * self.soften(promise)

    def bonus(self, view, length):
        """Return the share of the bonus that so many expected cards are worth."""
        if view.bonus_cards == 0:
            return 0.0
        over = length - self.bonus_at - (view.bonus_cards - 8)
        if over <= 0.0:
            return 0.0
        return self.bonus_share * view.bonus_points * min(over / self.bonus_over, 1.0)

    def soften(self, value):
        """Return what is left of a promise that need not be kept: never less than nothing."""
        width = self.hope_over
        if value <= -width:
            return 0.0
        if value >= width:
            return value
        return (value + width) * (value + width) / (4.0 * width)

    def gift(self, view, card, late):
        """Return the points that the opponent could make of a card."""
        color = color_of(card)
        if not can_follow(view.their_playable[color], card):
            return 0.0
        worth = 1.0 + rank_of(card)
        if view.theirs[color]:
            worth *= 1 + count_wagers(view.theirs[color])
            return worth * (1.0 - (1.0 - self.give_late) * late)
        return self.hint * (1.0 - (1.0 - self.hint_late) * late) * worth

    def count_waiting(self, view):
        """Return how many cards in hand fit the colors that are open."""
        waiting = 0
        for color in range(view.colors):
            if view.mine[color]:
                waiting += count_bits(view.hand[color] & view.playable[color])
        return waiting

    def count_junk(self, view):
        """Return how many cards in hand fit no expedition of mine any more."""
        junk = 0
        for color in range(view.colors):
            junk += count_bits(view.hand[color] & ~view.playable[color])
        return junk

    def count_open(self, view):
        """Return how many colors I have opened."""
        opened = 0
        for color in range(view.colors):
            opened += view.mine[color] != 0
        return opened

    def lateness(self, view):
        """Return 0 for a full draw pile, 1 for an empty one."""
        return 1.0 - min(view.deck_left / 44.0, 1.0)
