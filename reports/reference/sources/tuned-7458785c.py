"""Valuing every path as a whole, before a move and after it."""

from lcsim.board import (
    ARTEFACT,
    DISCARD,
    DRAW_DECK,
    LEADER,
    NO_STEP,
    NO_TILE,
    RANK_MASK,
    STEP,
    Param,
    Strategy,
    accepts_after,
    add_card,
    artefact_value,
    cards_of_ranks,
    count_bits,
    crossings_left,
    factor_on,
    highest_bit,
    lowest_bit,
    make_card,
    next_tile,
    plays_left,
    rank_of,
    remove_card,
    space_gain,
    unseen_cards,
)

PATIENCE = 50  # plays of a seat after which it draws from the draw pile alone


class Tuned(Strategy):
    """Plays the move after which its paths are worth most, in points it can expect.

    Idea: a path's worth is what its pawn will still earn, spaces and tiles: how far it comes is a
    matter of the cards in hand, of the unseen ones by the chance that they come while the row is
    low enough, and of the time. A lay moves the pawn and gives up what the row then skips, a
    discard lets others have a card, a draw adds one. The last crossing takes what was to come.
    Source: original; the weights come from `lcsim tune` against balanced (see experiments/tunings).
    """

    coming = Param(0.99, low=0.0, high=3.0, help="plays to come in which an unseen card can come")
    between = Param(0.68, low=0.0, high=1.2, help="use of an unseen card below my highest in hand")
    beyond = Param(0.96, low=0.0, high=1.2, help="use of an unseen card above my highest in hand")
    hold = Param(1.25, low=0.5, high=1.3, help="spaces for a card in hand that fits")
    hold_late = Param(0.65, low=-0.3, high=1.2, help="the same when there is no play to spare")
    hold_new = Param(0.97, low=0.3, high=1.3, help="spaces for a card of a path not started")
    hold_new_late = Param(0.63, low=-0.5, high=1.2, help="the same when there is no play to spare")
    hurry_at = Param(5.5, low=0.5, high=16.0, help="spare plays below which those shares fall")
    stride = Param(0.95, low=0.8, high=1.8, help="spaces to a card laid, for the steps it brings")
    spread = Param(1.36, low=0.0, high=3.0, help="doubt about the reach, for each card to come")
    surplus = Param(11.3, low=0.0, high=30.0, help="worth of a card beyond the end of a path")
    pace = Param(2.27, low=0.3, high=3.0, help="turns of a seat for a space on the way to the end")
    pace_over = Param(1.4, low=-2.0, high=4.0, help="turns more, however near the end is")
    step_tile = Param(18.7, low=0.0, high=40.0, help="points that a step tile is worth")
    artefacts = Param(6.5, low=2.0, high=12.0, help="artefacts to come in a round, for all")
    opening = Param(6.9, low=-30.0, high=30.0, help="price of being tied to one more path")
    opening_late = Param(8.8, low=-20.0, high=40.0, help="change of that as the draw pile ends")
    crowd = Param(-3.3, low=-8.0, high=8.0, help="rise of that price with each path started")
    hope_at = Param(-14.6, low=-60.0, high=40.0, help="expected points at which half hope begins")
    hope_over = Param(11.8, low=1.0, high=60.0, help="how softly hope begins, in points")
    tempo = Param(12.0, low=-20.0, high=30.0, help="worth of laying over waiting")
    tempo_junk = Param(-2.9, low=-6.0, high=6.0, help="change of that for each useless card")
    tempo_late = Param(13.2, low=-20.0, high=20.0, help="change of that as the draw pile ends")
    lead_at = Param(5.0, low=-30.0, high=60.0, help="points expected that call for the leader")
    give = Param(1.26, low=0.0, high=2.0, help="price of each point others could make of a discard")
    hint = Param(7.7, low=-2.0, high=10.0, help="points for a card of a path not started by them")
    leap = Param(0.1, low=0.0, high=0.4, help="share of it lost for each rank that it would skip")
    pile = Param(13.2, low=-10.0, high=25.0, help="worth of an unknown card from the draw pile")
    coming_theirs = Param(0.68, low=0.0, high=2.0, help="the others' use of unseen cards")
    linger = Param(3.9, low=0.5, high=10.0, help="plays in a round that I do not end")
    end_theirs = Param(1.1, low=0.0, high=3.0, help="weight of what the end takes from the others")
    decide = Param(43.0, low=0.0, high=300.0, help="worth of ending the game when ahead")

    def choose_play(self, view, rng):
        """Return the lay or discard after which all is worth most."""
        look = self.look_ahead(view, self.count_turns(view))
        lay = self.tempo + self.tempo_late * look[6] + self.tempo_junk * look[7]
        move, best = -1, -1e9
        for color in range(view.colors):
            if view.hand[color] == 0:
                continue
            row = self.find_row(view, color)
            space, held, unseen, falling = row
            before = self.value(view, color, row, look)
            playable = view.playable[color]
            while playable:
                rank = lowest_bit(playable)
                playable = playable & ~(1 << rank) if view.either else 0
                if space:
                    card, after = make_card(color, rank), self.lay_card(view, color, rank)
                    rating = self.advance(view, color, after, look)
                else:
                    card, rating = self.rate_start(view, color, rank, look)
                rating += lay - before
                if rating > best:
                    move, best = card, rating
            ranks = view.hand[color] & RANK_MASK
            while ranks:
                rank = lowest_bit(ranks)
                ranks &= ranks - 1
                rest = remove_card(held, rank)
                rating = -self.give * self.gift(view, color, rank, look)
                if rest != held:
                    after = self.value(view, color, (space, rest, unseen, falling), look)
                    rating += after - before
                if rating > best:
                    move, best = DISCARD + make_card(color, rank), rating
        return move

    def choose_draw(self, view, rng):
        """Return the pile whose card adds most, above what an unknown card is worth."""
        pile, piles = DRAW_DECK, view.drawable
        if piles == 0 or view.turn >= PATIENCE * view.n_players:
            return pile
        look = self.look_ahead(view, self.count_turns(view))
        best = self.pile
        while piles:
            color = lowest_bit(piles)
            piles &= piles - 1
            row = self.find_row(view, color)
            hand = add_card(view.hand[color], rank_of(view.discard_top[color]))
            cards = (row[0], hand, view.mine[color], view.accepts[color])
            more = self.sort_row(view, color, cards)
            rating = self.value(view, color, more, look) - self.value(view, color, row, look)
            if rating > best:
                pile, best = color, rating
        return pile

    def choose_step(self, view, rng):
        """Return the pawn that one space more helps most."""
        look = self.look_ahead(view, self.count_turns(view))
        move, best = NO_STEP, 0.0
        pawns = view.movable
        while pawns:
            color = lowest_bit(pawns)
            pawns &= pawns - 1
            row = self.find_row(view, color)
            space, held, unseen, falling = row
            after = (space + 1, held, unseen, falling)
            rating = 1.0 + self.advance(view, color, after, look)
            rating -= self.value(view, color, row, look)
            if rating > best:
                move, best = color, rating
        return move

    def look_ahead(self, view, turns):
        """Return what all moves are judged by, with so many plays after this one.

        That is: these plays, the chance that an unseen card comes to me in one of them, the same of
        an opponent or in his hand, the worth of an artefact, the spaces to a card in hand of a path
        started and not, how much of the draw pile is gone, and how many cards in hand are useless.
        """
        unknown = view.deck_left + view.removed + (view.n_players - 1) * view.hand_size
        share = min(self.coming * turns / unknown, 1.0)
        theirs = min(self.coming_theirs * (turns + view.hand_size) / unknown, 1.0)
        spare, junk = turns, 0
        for color in range(view.colors):
            if view.spaces[color]:
                held = count_bits(self.find_row(view, color)[1])
                junk += count_bits(view.hand[color]) - held
                spare -= held
        short = min(max(1.0 - spare / self.hurry_at, 0.0), 1.0)
        hold = self.hold + (self.hold_late - self.hold) * short
        hold_new = self.hold_new + (self.hold_new_late - self.hold_new) * short
        late = 1.0 - min(view.deck_left / 64.0, 1.0)
        return turns, share, theirs, self.price_artefact(view, turns), hold, hold_new, late, junk

    def count_turns(self, view):
        """Return how many plays I can expect after this one, as the round ends by pile or bridge.

        The pawns that lack least to cross are counted, in a field of five bits for each distance.
        """
        distances, spaces, need = 0, 0, crossings_left(view)
        bridge = view.bridge_after + 1
        for color in range(view.colors):
            distances += 1 << 5 * min(max(bridge - view.spaces[color], 0), 11)
            for other in range(view.n_players - 1):
                distance = bridge - view.their_spaces[other][color]
                distances += 1 << 5 * min(max(distance, 0), 11)
        for distance in range(1, 12):
            pawns = min(distances >> 5 * distance & 31, need)
            spaces += pawns * distance
            need -= pawns
        turns = self.pace * spaces / view.n_players + self.pace_over
        turns = min(turns, 1.0 * plays_left(view))
        return max(turns - 1.0, 0.0)

    def price_artefact(self, view, turns):
        """Return what one artefact more is worth, somewhere about the number I shall end with."""
        each, left = self.artefacts / view.n_players, view.rounds - 1 - view.round
        middle = view.artefacts + int(each * (left + min(turns / 24.0, 1.0)) + 0.5)
        low = max(middle - 1 - left, view.artefacts)
        high = max(middle + 1 + left, low + 1)
        return 1.0 * (artefact_value(view, high) - artefact_value(view, low)) / (high - low)

    def find_row(self, view, color):
        """Return my row of a color: the pawn's space, and as `sort_row`."""
        cards = (view.spaces[color], view.hand[color], view.mine[color], view.accepts[color])
        return self.sort_row(view, color, cards)

    @staticmethod
    def sort_row(view, color, cards):
        """Return a pawn's space, cards in hand and unseen ones that fit its row, 1 if it falls.

        `cards` has the space, the hand, the cards laid, and the ranks that these accept: of those
        the better half where the row can still rise and fall.
        """
        space, hand, laid, fits = cards
        ranks, falling = laid & RANK_MASK, 0
        if view.either and ranks & (ranks - 1):
            falling = fits & 1
        elif view.either and ranks:
            up, down = fits & ~(ranks - 1), fits & (2 * ranks - 1)
            rising = count_bits(cards_of_ranks(hand, up)) * 16 + count_bits(up)
            sinking = count_bits(cards_of_ranks(hand, down)) * 16 + count_bits(down)
            fits, falling = (up, 0) if rising >= sinking else (down, 1)
        held, unseen = cards_of_ranks(hand, fits), cards_of_ranks(unseen_cards(view, color), fits)
        return space, held, unseen, falling

    def value(self, view, color, row, look):
        """Return the points that a path is still expected to bring; `row` as of `sort_row`.

        A path not started is worth what it promises, never less than nothing.
        """
        space = row[0]
        reach, width = self.reach(row, look)
        factor = factor_on(view, color)
        if space == 0 and view.explorers == 0:
            factor = view.leader_factor
        worth = self.climb(view, color, (space, factor, reach, width), look[3])
        if space:
            return worth
        over, soft = worth - self.hope_at, self.hope_over
        near = min(max(over, -soft), soft) + soft
        return near * near / (4.0 * soft) + max(over - soft, 0.0)

    def reach(self, row, look):
        """Return how many spaces the pawn of a row can expect to move, and how doubtful that is."""
        space, held, unseen, falling = row
        below = 0
        if held:
            ranks = held & RANK_MASK
            skipped = ~(2 * (ranks & -ranks) - 1) if falling else (1 << highest_bit(ranks)) - 1
            below = count_bits(cards_of_ranks(unseen, skipped & RANK_MASK))
        above = count_bits(unseen) - below
        to_come = look[1] * (self.between * below + self.beyond * above)
        cards = (look[4] if space else look[5]) * count_bits(held) + to_come
        return self.stride * min(cards, 1.0 * look[0]), 1.0 + self.spread * to_come

    def climb(self, view, color, pawn, price):
        """Return the points of the spaces and tiles ahead of a pawn, each by its chance.

        `pawn` has its space, what spaces count for it, how many it can expect to move, and over how
        many spaces that expectation is spread.
        """
        space, factor, reach, width = pawn
        worth, step = 0.0, 1.0 / width
        before = view.space_points[space]
        level = 0.5 + (reach - 0.5) * step
        for ahead in range(space + 1, view.last_space + 1):
            if level <= 0.0:
                break
            points, tile = view.space_points[ahead], view.tiles[color][ahead]
            gain = 1.0 * factor * (points - before)
            before = points
            if tile == STEP:
                gain += self.step_tile
            elif tile == ARTEFACT:
                gain += price
            elif tile != NO_TILE:
                gain += tile
            worth += gain * min(level, 1.0)
            level -= step
        return worth + self.surplus * max(reach - (view.last_space - space), 0.0)

    def advance(self, view, color, after, look):
        """Return what a move of a pawn brings, tile or end included, and the row `after`."""
        space = view.spaces[color]
        if space == view.bridge_after and crossings_left(view) == 1:
            return self.rate_end(view, color)
        rating = self.value(view, color, after, look) + space_gain(view, color)
        tile = next_tile(view, color) if space < view.last_space else STEP
        if tile == STEP:
            return rating + self.step_tile
        return rating + (look[3] if tile == ARTEFACT else max(tile, 0))

    def lay_card(self, view, color, rank):
        """Return the row of a color after a card of `rank` is laid on it and has moved its pawn."""
        laid = view.mine[color]
        accepts = accepts_after(laid, rank, view.color_mask & RANK_MASK, view.either)
        hand, laid = remove_card(view.hand[color], rank), add_card(laid, rank)
        space = min(view.spaces[color] + 1, view.last_space)
        return self.sort_row(view, color, (space, hand, laid, accepts))

    def rate_start(self, view, color, rank, look):
        """Return the play that starts a path with `rank`, and what the path is worth then."""
        reach, width = self.reach(self.lay_card(view, color, rank), look)
        card, first = make_card(color, rank), 1.0 * view.space_points[1]
        worth = first + self.climb(view, color, (1, 1, reach, width), look[3])
        if view.may_lead:
            factor = view.leader_factor
            led = factor * first + self.climb(view, color, (1, factor, reach, width), look[3])
            card += LEADER if view.explorers == 0 or led - worth > self.lead_at else 0
            worth = worth if view.explorers else led
        for path in range(view.colors):
            worth -= self.crowd * (view.spaces[path] > 0)
        return card, worth - self.opening - self.opening_late * look[6]

    def rate_end(self, view, color):
        """Return what it is worth that the pawn of `color` ends the round by its crossing."""
        look = self.look_ahead(view, min(plays_left(view) - 1.0, self.linger))
        mine, theirs = 0.0, 0.0
        for path in range(view.colors):
            if view.spaces[path] and path != color:
                mine += self.value(view, path, self.find_row(view, path), look)
            for other in range(view.n_players - 1):
                theirs += self.climb(view, path, self.guess(view, other, path, look), look[3])
        theirs *= self.end_theirs / (view.n_players - 1)
        rating = space_gain(view, color) + theirs - mine
        if view.round == view.rounds - 1:
            rating += self.decide if self.is_ahead(view, color) else -10.0 * self.decide
        return rating

    @staticmethod
    def is_ahead(view, color):
        """Tell whether I have most points if the game ends with a step of the pawn of `color`."""
        mine = view.my_points + artefact_value(view, view.artefacts) + space_gain(view, color)
        for path in range(view.colors):
            mine += factor_on(view, path) * view.space_points[view.spaces[path]]
        for other in range(view.n_players - 1):
            theirs = view.their_points[other] + artefact_value(view, view.their_artefacts[other])
            for path in range(view.colors):
                factor = view.leader_factor if view.their_leaders[other] == path else 1
                theirs += factor * view.space_points[view.their_spaces[other][path]]
            if theirs > mine:
                return False
        return True

    def guess(self, view, other, color, look):
        """Return an opponent's pawn on a path, as `climb` takes it, by what I know of his hand."""
        space = view.their_spaces[other][color]
        accepts = view.their_accepts[other][color]
        known = count_bits(cards_of_ranks(view.known_theirs[other][color], accepts))
        to_come = look[2] * count_bits(cards_of_ranks(unseen_cards(view, color), accepts))
        reach = self.stride * min(known + to_come, 1.0 * look[0]) if space else 0.0
        factor = view.leader_factor if view.their_leaders[other] == color else 1
        return space, factor, reach, 1.0 + self.spread * to_come

    def gift(self, view, color, rank, look):
        """Return the points that the others could make of a card, the next of them first."""
        bit, total = 1 << rank, 0.0
        for other in range(view.n_players - 1):
            accepts = view.their_accepts[other][color]
            if accepts & bit:
                points = self.hint
                if view.their_spaces[other][color]:
                    space, factor, reach, width = self.guess(view, other, color, look)
                    points = self.climb(view, color, (space, factor, reach + 1.0, width), look[3])
                    points -= self.climb(view, color, (space, factor, reach, width), look[3])
                leap = count_bits(accepts & (bit - 1))
                if view.either:
                    leap = min(leap, count_bits(accepts & ~(2 * bit - 1)))
                total += points * max(1.0 - self.leap * leap, 0.0) / (1 + other)
        return total
