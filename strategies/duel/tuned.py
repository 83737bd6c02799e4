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
    draw adds a card, denies it, and makes the round longer where there is more in hand than time.
    Source: original; the weights come from `lcsim tune` against balanced (see experiments/tunings).
    """

    coming = Param(0.545, low=0.0, high=1.0, help="chance of an unseen card for an open color")
    coming_shared = Param(
        0.448, low=0.0, high=1.0, help="that chance where they have opened it too"
    )
    coming_new = Param(0.606, low=0.0, high=1.0, help="that chance for a color not opened")
    coming_theirs = Param(0.407, low=0.0, high=1.0, help="that chance where they alone opened it")
    hold = Param(1.063, low=0.5, high=1.1, help="share of their points that cards in hand count")
    hold_late = Param(0.32, low=-0.3, high=1.0, help="that share when there is no play to spare")
    hold_new = Param(1.094, low=0.5, high=1.3, help="share for cards of a color not opened")
    hold_new_late = Param(0.5, low=-0.5, high=1.2, help="that share when there is none to spare")
    hurry_at = Param(3.7, low=0.5, high=14.0, help="spare plays below which that share falls")
    wager_hope = Param(0.6, low=0.0, high=1.5, help="share that a wager in hand multiplies by")
    bonus_at = Param(6.21, low=4.0, high=9.0, help="cards expected from which the bonus counts")
    bonus_over = Param(2.65, low=0.3, high=6.0, help="further cards until it counts in full")
    bonus_share = Param(0.72, low=0.0, high=1.2, help="share of the bonus that counts then")
    opening = Param(8.1, low=-15.0, high=35.0, help="price of being tied to one more color")
    crowd = Param(1.6, low=-6.0, high=8.0, help="rise of that price with each color open already")
    too_late = Param(2.5, low=-2.0, high=10.0, help="price of opening for each card without time")
    fear = Param(1.43, low=0.5, high=2.5, help="weight of points expected below the cost")
    wager_price = Param(5.9, low=-10.0, high=20.0, help="price of laying a wager")
    hope_at = Param(11.2, low=-40.0, high=20.0, help="expected points at which half hope begins")
    hope_over = Param(4.0, low=1.0, high=50.0, help="how softly hope begins, in points")
    hope_share = Param(0.83, low=0.0, high=1.3, help="share of its worth that a closed color has")
    tempo = Param(10.7, low=-12.0, high=30.0, help="worth of laying over waiting")
    tempo_late = Param(-0.9, low=-15.0, high=15.0, help="change of that as the draw pile ends")
    tempo_spare = Param(-9.5, low=-30.0, high=12.0, help="change of that with time to spare")
    tempo_junk = Param(
        -1.62, low=-3.0, high=3.0, help="change of that for each useless card in hand"
    )
    give = Param(1.06, low=0.0, high=2.0, help="price of each point they could make of a discard")
    hint = Param(0.79, low=0.0, high=1.5, help="share of that for a color they have not opened")
    give_late = Param(0.14, low=-0.5, high=1.5, help="what is left of that as the draw pile ends")
    hint_late = Param(0.62, low=0.0, high=1.5, help="what is left of that as the draw pile ends")
    cover = Param(0.48, low=-0.5, high=1.0, help="worth of covering a point that they could take")
    deny = Param(0.68, low=0.0, high=1.5, help="worth of each such point in a draw")
    pile = Param(9.8, low=-3.0, high=15.0, help="worth of an unknown card")
    pile_late = Param(5.1, low=-10.0, high=6.0, help="change of that as the draw pile ends")
    patience = Param(1.06, low=0.0, high=1.5, help="share of a card's worth that nobody else wants")
    stretch = Param(
        20.1, low=-5.0, high=60.0, help="worth of a longer round for each card too many"
    )

    def choose_play(self, view, rng):
        """Return the lay or discard after which all is worth most."""
        late, plays = self.lateness(view), plays_left(view)
        waiting = self.count_waiting(view)
        short = self.shortage(plays - waiting)
        lay = self.tempo + self.tempo_late * late + self.tempo_junk * self.count_junk(view)
        lay += self.tempo_spare * min(max(plays - waiting, 0) / 12.0, 1.0)
        opening = self.opening + self.crowd * self.count_open(view)
        move, best = -1, -1e9
        for color in range(view.colors):
            hand, mine, accepts = view.hand[color], view.mine[color], view.playable[color]
            if hand == 0:
                continue
            held, unseen = hand & accepts, unseen_cards(view, color)
            before = self.value(view, color, (mine, held, unseen & accepts), short)
            top = view.discard_top[color]
            covered = self.cover * self.gift(view, top, late) if top >= 0 else 0.0
            cards = distinct_cards(hand)
            while cards:
                index = lowest_bit(cards)
                bit = 1 << index
                card = make_card(color, index)
                cards &= cards - 1
                kept = before
                if bit & held:
                    after = accepts_after(mine, index, view.color_mask, view.either)
                    rest = hand & after & ~bit
                    value = self.value(view, color, (mine | bit, rest, unseen & after), short)
                    rating = value - before + lay
                    if mine == 0:
                        over = waiting + count_bits(rest) + 1 - plays
                        rating -= opening + self.too_late * max(over, 0)
                    if index < 3:
                        rating -= self.wager_price
                    if rating > best:
                        move, best = card, rating
                    kept = self.value(view, color, (mine, held & ~bit, unseen & accepts), short)
                rating = kept - before - self.give * self.gift(view, card, late) + covered
                if rating > best:
                    move, best = card + DISCARD, rating
        return move

    def choose_draw(self, view, rng):
        """Return the pile whose card adds most, above what an unknown card is worth."""
        pile = DRAW_DECK
        piles = view.drawable
        if piles == 0:
            return pile
        late = self.lateness(view)
        plays = view.deck_left // 2
        waiting = self.count_waiting(view)
        short = self.shortage(plays - waiting)
        best = self.pile + self.pile_late * late - self.stretch * max(waiting - plays, 0)
        while piles:
            color = lowest_bit(piles)
            piles &= piles - 1
            card = view.discard_top[color]
            bit = 1 << index_of(card)
            gift = self.gift(view, card, late)
            rating = 0.0
            accepts, mine = view.playable[color], view.mine[color]
            if bit & accepts:
                held, unseen = view.hand[color] & accepts, unseen_cards(view, color) & accepts
                rating = self.value(view, color, (mine, held | bit, unseen), short)
                rating -= self.value(view, color, (mine, held, unseen), short)
            rating = rating + self.deny * gift if gift > 0.0 else self.patience * rating
            if rating > best:
                pile, best = color, rating
        return pile

    def value(self, view, color, cards, short):
        """Return the points that a color is expected to end with.

        `cards` are masks: those laid, those in hand that fit, and the unseen ones that fit.
        """
        mine, held, unseen = cards
        seen = view.deck_left / (view.deck_left + view.hand_size)
        shared = view.theirs[color] != 0
        if mine:
            comes = (self.coming_shared if shared else self.coming) * seen
            hold = self.hold - (self.hold - self.hold_late) * short
            points = mask_points(mine) + hold * mask_points(held) + comes * mask_points(unseen)
            length = count_bits(mine) + hold * count_bits(held) + comes * count_bits(unseen)
            factor = 1.0 + count_wagers(mine) + self.wager_hope * hold * count_wagers(held)
            net = points - view.expedition_cost
            return factor * (net if net > 0.0 else self.fear * net) + self.bonus(view, length)
        comes = (self.coming_theirs if shared else self.coming_new) * seen
        hold = self.hold_new - (self.hold_new - self.hold_new_late) * short
        points = hold * mask_points(held) + comes * mask_points(unseen) - view.expedition_cost
        length = hold * count_bits(held) + comes * count_bits(unseen)
        factor = 1.0 + self.wager_hope * count_wagers(held)
        promise = factor * points + self.bonus(view, length) - self.hope_at
        return self.hope_share * self.soften(promise)

    def bonus(self, view, length):
        """Return the share of the bonus that so many expected cards are worth."""
        if view.bonus_cards == 0:
            return 0.0
        near = (length - self.bonus_at - (view.bonus_cards - 8)) / self.bonus_over
        return self.bonus_share * view.bonus_points * min(max(near, 0.0), 1.0)

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

    def shortage(self, spare):
        """Return 0 where there is time for all that fits, 1 where there is no play to spare."""
        return min(max((self.hurry_at - spare) / self.hurry_at, 0.0), 1.0)

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
