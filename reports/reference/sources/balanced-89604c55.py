"""Weighing everything, in points."""

from lcsim.board import (
    ARTEFACT,
    DISCARD,
    DRAW_DECK,
    LEADER,
    NO_STEP,
    RANK_MASK,
    STEP,
    Param,
    Strategy,
    accepts_after,
    artefact_value,
    cards_of_ranks,
    color_of,
    count_bits,
    crossings_left,
    factor_on,
    lowest_bit,
    make_card,
    plays_left,
    rank_of,
    remove_card,
    unseen_cards,
)


class Balanced(Strategy):
    """Weighs what a move earns, what it spoils, what it gives away and the time that is left.

    Idea: every path has a reach, the space its pawn should come to with the cards held and a share
    of those still to come in the plays that are left; its worth is the points up to there, tiles
    included, each the less the less likely it is. A card laid costs what its row then skips, a path
    costs what it falls short of a safe profit, a discard what the card would have brought here and
    what the others can make of it. When the plays left hardly suffice for the cards held, points at
    once count instead. The leader goes where its points are expected to be well above zero, an
    artefact is worth its part of the table by the end of the game, and the last crossing is made
    when it leaves the others behind.
    Source: original; the weights are tuned by play against itself and the other strategies.
    """

    coming = Param(
        1.49, low=0, high=2, help="share of the unseen cards to come that will be of use"
    )
    stride = Param(0.5, low=0, high=2, help="weight of the step tiles ahead in a card's spaces")
    pace = Param(1.27, low=0.1, high=3, help="turns of one seat for a space on the way to the end")
    spread = Param(0.58, low=0, high=3, help="doubt about the reach, for each card still to come")
    open_at = Param(-10.4, low=-60, high=90, help="expected points that make a path safe to start")
    doubt = Param(0.7, low=0, high=5, help="price of each expected point below that")
    opening = Param(0.68, low=-30, high=30, help="price of being tied to one more path")
    height = Param(0.29, low=0, high=10, help="price of each rank that a path is started above")
    tempo = Param(5.74, low=-20, high=40, help="worth of laying a card over waiting")
    skip = Param(0.8, low=0, high=4, help="weight of the cards skipped")
    unseen_skip = Param(0.62, low=0, high=4, help="weight of the cards skipped that may still come")
    hurry_at = Param(4.78, low=0.1, high=20, help="spare plays below which points count at once")
    now = Param(0.3, low=0, high=3, help="weight of the next space's points while in a hurry")
    race = Param(0.21, low=0, high=3, help="weight of an artefact on the next space: be first")
    hope_at = Param(-16.7, low=-90, high=60, help="expected points that give a color some worth")
    hope_over = Param(23.6, low=0.1, high=150, help="further points that give cards full worth")
    keep = Param(1.19, low=0, high=4, help="price of discarding, for each point of worth here")
    give = Param(0.4, low=0, high=4, help="price of each point others could make of a discard")
    hint = Param(0.19, low=0, high=1, help="share of that for a path the other has not started")
    leap = Param(0.02, low=0, high=1, help="share of that lost for each rank that it would skip")
    deny = Param(0.37, low=0, high=4, help="worth of each such point in a draw")
    pile = Param(4.0, low=-10, high=40, help="worth of an unknown card from the draw pile")
    patience = Param(
        50, low=0, high=400, help="plays after which the draw pile alone is drawn from"
    )
    lead_at = Param(11.2, low=-50, high=60, help="space points expected that call for the leader")
    lead_late = Param(0.3, low=-2, high=5, help="points more for each play left")
    step_tile = Param(14.7, low=0, high=50, help="points that a step tile is worth")
    artefacts = Param(6.56, low=0, high=40, help="artefacts to come in a round, for all players")
    finish = Param(
        0.51, low=0, high=5, help="points a play brings the others while a round goes on"
    )
    decide = Param(67.2, low=0, high=500, help="worth of ending the game when ahead")

    def choose_play(self, view, rng):
        """Return the best lay or discard by its price in points."""
        turns = self.count_turns(view)
        look = self.look_ahead(view, turns)
        move, best = -1, -1e9
        for color in range(view.colors):
            if view.hand[color] == 0:
                continue
            started = view.spaces[color] > 0
            fits = self.follow(view, color)
            held = cards_of_ranks(view.hand[color], fits)
            unseen = cards_of_ranks(unseen_cards(view, color), fits)
            reach, worth, step_back, _ = self.weigh(view, color, held, unseen, look)
            hope = 1.0 if started else self.hope(worth)
            ranks = view.playable[color]
            while ranks:
                card = make_card(color, lowest_bit(ranks))
                ranks &= ranks - 1
                rating = self.tempo - step_back * self.count_skipped(view, card, held, unseen, look)
                if started:
                    rating += self.gain_now(view, color, look) + self.rate_end(view, color, turns)
                else:
                    rating -= self.opening + self.doubt * max(self.open_at - worth, 0.0)
                    rating -= self.height * self.count_below(view, card)
                if rating > best:
                    move, best = card + self.pick_pawn(view, card, reach, turns), rating
            ranks = view.hand[color] & RANK_MASK
            while ranks:
                card = make_card(color, lowest_bit(ranks))
                ranks &= ranks - 1
                useful = fits >> rank_of(card) & 1
                rating = -self.keep * useful * hope * step_back - self.give * self.gift(view, card)
                if rating > best:
                    move, best = DISCARD + card, rating
        return move

    def choose_draw(self, view, rng):
        """Return the pile whose top card is worth most, if more than an unknown card."""
        pile, best = DRAW_DECK, self.pile
        piles = view.drawable
        if piles == 0 or view.turn >= self.patience * view.n_players:
            return pile
        look = self.look_ahead(view, max(self.count_turns(view) - 1, 0))
        while piles:
            color = lowest_bit(piles)
            piles &= piles - 1
            card = view.discard_top[color]
            rating = self.deny * self.gift(view, card)
            fits = self.follow(view, color)
            if fits >> rank_of(card) & 1 and look[1] > 0:
                held = cards_of_ranks(view.hand[color], fits)
                unseen = cards_of_ranks(unseen_cards(view, color), fits)
                _, worth, _, step_on = self.weigh(view, color, held, unseen, look)
                rating += step_on if view.spaces[color] else step_on * self.hope(worth)
            if rating > best:
                pile, best = color, rating
        return pile

    def choose_step(self, view, rng):
        """Return the pawn that one space more helps most."""
        turns = self.count_turns(view)
        look = self.look_ahead(view, turns)
        move, best = NO_STEP, 0.0
        pawns = view.movable
        while pawns:
            color = lowest_bit(pawns)
            pawns &= pawns - 1
            fits = self.follow(view, color)
            held = cards_of_ranks(view.hand[color], fits)
            unseen = cards_of_ranks(unseen_cards(view, color), fits)
            _, _, _, step_on = self.weigh(view, color, held, unseen, look)
            rating = 1.0 + step_on + self.gain_now(view, color, look)
            rating += self.rate_end(view, color, turns)
            if rating > best:
                move, best = color, rating
        return move

    def look_ahead(self, view, turns):
        """Return what all moves are judged by.

        That is: plays left, those left when what fits is laid, the chance that an unseen card comes
        to me while it is of use, spaces that a card moves with the steps it brings, the worth of an
        artefact, and how much points at once count.
        """
        unknown = view.deck_left + view.removed + (view.n_players - 1) * view.hand_size
        share = min(self.coming * turns / unknown, 1.0)
        spare, ahead, steps = turns, 0, 0
        for color in range(view.colors):
            if view.spaces[color]:
                spare -= count_bits(cards_of_ranks(view.hand[color], self.follow(view, color)))
            for space in range(view.spaces[color] + 1, view.last_space + 1):
                steps += view.tiles[color][space] == STEP
            ahead += view.last_space - view.spaces[color]
        stride = 1.0 + self.stride * steps / max(ahead - steps, 1)
        hurry = min(max(1.0 - spare / self.hurry_at, 0.0), 1.0)
        return turns, spare, share, stride, self.price_artefact(view, turns), hurry

    def count_turns(self, view):
        """Return how many plays I can expect, until the draw pile or the last crossing ends it."""
        distances, need = 0, crossings_left(view)
        for color in range(view.colors):
            distances += self.mark(view, view.spaces[color])
            for other in range(view.n_players - 1):
                distances += self.mark(view, view.their_spaces[other][color])
        spaces = 0
        for distance in range(1, 12):
            pawns = min(distances >> 5 * distance & 31, need)
            spaces += pawns * distance
            need -= pawns
        return min(plays_left(view), int(self.pace * spaces / view.n_players) + 1)

    @staticmethod
    def mark(view, space):
        """Return one in the field of five bits that counts pawns so far from their bridge."""
        distance = view.bridge_after + 1 - space
        return 1 << 5 * min(distance, 11) if distance > 0 else 0

    def price_artefact(self, view, turns):
        """Return what one artefact more is worth, somewhere about the number I shall end with."""
        each = self.artefacts / view.n_players
        left = view.rounds - 1 - view.round
        middle = view.artefacts + int(each * (left + min(turns / 24.0, 1.0)) + 0.5)
        width = 1 + left
        low = max(middle - width, view.artefacts)
        high = max(middle + width, low + 1)
        return 1.0 * (artefact_value(view, high) - artefact_value(view, low)) / (high - low)

    @staticmethod
    def follow(view, color):
        """Return the ranks that my row accepts, in the better direction where both are open."""
        accepts, laid = view.accepts[color], view.mine[color] & RANK_MASK
        if view.either == 0 or laid == 0 or laid & (laid - 1):
            return accepts
        up, down = accepts & ~(laid - 1), accepts & (2 * laid - 1)
        rising = count_bits(cards_of_ranks(view.hand[color], up)) * 16 + count_bits(up)
        falling = count_bits(cards_of_ranks(view.hand[color], down)) * 16 + count_bits(down)
        return up if rising >= falling else down

    def weigh(self, view, color, held, unseen, look):
        """Return a path's reach, the points up to there, of its last space, and of one more.

        `held` and `unseen` are the cards that fit its row.
        """
        turns, spare, share, stride, price, _ = look
        space = view.spaces[color]
        plays = turns if space else max(spare, 0)
        to_come = share * count_bits(unseen)
        reach = space + stride * min(count_bits(held) + to_come, 1.0 * plays)
        leads = space == 0 and view.explorers == 0
        factor = view.leader_factor if leads else factor_on(view, color)
        step = 1.0 / (1.0 + self.spread * to_come)
        worth, less, more = 0.0, 0.0, 0.0
        before = view.space_points[space]
        level = 0.5 + (reach - space + 0.5) * step  # the chance to come to a space, once cut
        for ahead in range(space + 1, view.last_space + 1):
            if level <= 0.0:
                break
            points = view.space_points[ahead]
            value = factor * (points - before) + self.value_tile(view.tiles[color][ahead], price)
            before = points
            more += value * min(level, 1.0)
            level -= step
            worth += value * min(max(level, 0.0), 1.0)
            less += value * min(max(level - step, 0.0), 1.0)
        return reach, worth, worth - less, more - worth

    def value_tile(self, tile, price):
        """Return the points that a tile is worth."""
        if tile == ARTEFACT:
            return price
        if tile == STEP:
            return self.step_tile
        return 1.0 * tile

    def gain_now(self, view, color, look):
        """Return what the next space is worth at once: all in a hurry, an artefact in any case."""
        space = view.spaces[color]
        if space >= view.last_space:
            return 0.0
        price, hurry = look[4], look[5]
        tile = view.tiles[color][space + 1]
        gain = factor_on(view, color) * (view.space_points[space + 1] - view.space_points[space])
        rating = self.now * hurry * (gain + self.value_tile(tile, price))
        return rating + self.race * price if tile == ARTEFACT else rating

    def rate_end(self, view, color, turns):
        """Return what it is worth to end the round, where the pawn of `color` does so."""
        if view.spaces[color] != view.bridge_after or crossings_left(view) > 1:
            return 0.0
        rating = self.finish * turns * (view.n_players - 1)
        if view.round == view.rounds - 1:
            rating += self.decide if self.is_ahead(view, color) else -10.0 * self.decide
        return rating

    def is_ahead(self, view, color):
        """Tell whether I have most points if the game ends with a step of the pawn of `color`."""
        mine = view.my_points + artefact_value(view, view.artefacts)
        for path in range(view.colors):
            space = view.spaces[path] + (path == color)
            mine += factor_on(view, path) * view.space_points[space]
        for other in range(view.n_players - 1):
            theirs = view.their_points[other] + artefact_value(view, view.their_artefacts[other])
            for path in range(view.colors):
                factor = view.leader_factor if view.their_leaders[other] == path else 1
                theirs += factor * view.space_points[view.their_spaces[other][path]]
            if theirs > mine:
                return False
        return True

    def count_skipped(self, view, card, held, unseen, look):
        """Return how many cards fit no more after `card`, those to come by their chance."""
        laid, rank = view.mine[color_of(card)], rank_of(card)
        held = remove_card(held, rank)
        if view.either and laid & RANK_MASK & ~(1 << rank) == 0:
            return 1.0 * self.count_lost(held, rank)
        lost = RANK_MASK & ~accepts_after(laid, rank, view.color_mask & RANK_MASK, view.either)
        to_come = look[2] * count_bits(cards_of_ranks(unseen, lost))
        return self.skip * count_bits(cards_of_ranks(held, lost)) + self.unseen_skip * to_come

    @staticmethod
    def count_lost(hand, rank):
        """Return how many cards a row loses that begins with `rank` and may rise or fall."""
        below = count_bits(cards_of_ranks(hand, (1 << rank) - 1))
        above = count_bits(cards_of_ranks(hand, RANK_MASK & ~((2 << rank) - 1)))
        return min(below, above)

    @staticmethod
    def count_below(view, card):
        """Return how many ranks a path that starts with `card` leaves behind."""
        bit, ranks = 1 << rank_of(card), view.color_mask & RANK_MASK
        below = count_bits(ranks & (bit - 1))
        above = count_bits(ranks & ~(2 * bit - 1))
        return min(below, above) if view.either else below

    def pick_pawn(self, view, card, reach, turns):
        """Return LEADER where the leader should start the path of `card`, else 0."""
        if view.spaces[color_of(card)] or not view.may_lead:
            return 0
        if view.explorers == 0:
            return LEADER
        at = min(max(int(reach + 0.5), 1), view.last_space)
        return LEADER if view.space_points[at] >= self.lead_at + self.lead_late * turns else 0

    def hope(self, worth):
        """Return how much of their worth the cards of a path have that is not started."""
        return min(max((worth - self.hope_at) / self.hope_over, 0.0), 1.0)

    def gift(self, view, card):
        """Return the points that the others could make of a card, the next of them first."""
        color, bit, total = color_of(card), 1 << rank_of(card), 0.0
        for other in range(view.n_players - 1):
            accepts = view.their_accepts[other][color]
            if accepts & bit:
                leap = count_bits(accepts & (bit - 1))
                if view.either:
                    leap = min(leap, count_bits(accepts & ~(2 * bit - 1)))
                points = 10.0 if view.their_spaces[other][color] else 10.0 * self.hint
                total += points * max(1.0 - self.leap * leap, 0.0) / (1 + other)
        return total
