"""One round of the board game on the table: what lies where, and what a legal act does to it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from lcsim.rules.board.cards import (
    MAX_COLORS,
    RANK_MASK,
    add_card,
    color_of,
    count_card,
    list_cards,
    rank_of,
    remove_card,
    write_card,
)
from lcsim.rules.board.legal import (
    DISCARD,
    DRAW_DECK,
    LEADER,
    accepts_after,
    can_lay,
    can_open,
    can_step,
    drawable_piles,
    playable_ranks,
)
from lcsim.rules.board.ruleset import (
    ARTEFACT,
    MAX_ARTEFACT_ENTRIES,
    MAX_SPACES,
    NO_TILE,
    STEP,
    BoardRuleset,
    build_color_mask,
    pad,
)
from lcsim.rules.board.view import MAX_OTHERS, View
from lcsim.rules.referee import explain_pile
from lcsim.rules.streams import Stream

NO_LEADER = -1


def _zeros() -> list[int]:
    return [0] * MAX_COLORS


@dataclass
class Seat:
    """What belongs to one seat; lists are by color."""

    points: int = 0
    artefacts: int = 0  # of the whole game
    vp: int = 0  # of this round, and in `points` already
    taken: int = 0  # artefacts of this round, and in `artefacts` already
    explorers: int = 0
    leader: int = NO_LEADER
    hand: list[int] = field(default_factory=_zeros)
    laid: list[int] = field(default_factory=_zeros)
    accepts: list[int] = field(default_factory=_zeros)
    known: list[int] = field(default_factory=_zeros)
    spaces: list[int] = field(default_factory=_zeros)


@dataclass
class Table:
    """One round in progress."""

    ruleset: BoardRuleset
    round: int
    seats: list[Seat]
    draw_pile: list[int]  # the next card first
    removed: list[int]
    tiles: list[list[int]]  # by color and space
    piles: list[list[int]] = field(default_factory=lambda: [[] for _ in range(MAX_COLORS)])
    crossings: int = 0
    last_advance: int = -1  # the seat
    turn: int = 0
    discarded_to: int = -1

    def view(self, seat: int) -> View:
        """Return what `seat` sees."""
        me, rules = self.seats[seat], self.ruleset
        others = [*self.seats[seat + 1 :], *self.seats[:seat]]
        others += [Seat()] * (MAX_OTHERS - len(others))
        filled = sum(1 << color for color, pile in enumerate(self.piles) if pile)
        return View(
            my_points=me.points,
            their_points=tuple(other.points for other in others),
            hand=tuple(me.hand),
            mine=tuple(me.laid),
            theirs=tuple(tuple(other.laid) for other in others),
            accepts=tuple(me.accepts),
            their_accepts=tuple(tuple(other.accepts) for other in others),
            playable=tuple(self.playable(seat, color) for color in range(MAX_COLORS)),
            discarded=tuple(_collect(pile) for pile in self.piles),
            known_theirs=tuple(tuple(other.known) for other in others),
            discard_top=tuple(pile[-1] if pile else -1 for pile in self.piles),
            drawable=drawable_piles(filled, self.discarded_to, int(rules.redraw_own_discard)),
            spaces=tuple(me.spaces),
            their_spaces=tuple(tuple(other.spaces) for other in others),
            leader=me.leader,
            their_leaders=tuple(other.leader for other in others),
            may_lead=int(me.leader == NO_LEADER),
            explorers=me.explorers,
            movable=self.movable(seat),
            tiles=tuple(tuple(path) for path in self.tiles),
            artefacts=me.artefacts,
            their_artefacts=tuple(other.artefacts for other in others),
            crossings=self.crossings,
            deck_left=len(self.draw_pile),
            turn=self.turn,
            round=self.round,
            rounds=rules.rounds,
            n_players=len(self.seats),
            colors=rules.colors,
            color_mask=build_color_mask(rules),
            hand_size=rules.hand_size,
            removed=len(self.removed),
            either=int(rules.direction == "either"),
            open_any=int(rules.opening == "any"),
            last_space=rules.last_space,
            space_points=pad(rules.space_points, MAX_SPACES + 1, first=(0,)),
            bridge_after=rules.bridge_after,
            crossings_to_end=rules.crossings_to_end,
            leader_factor=rules.leader_factor,
            artefact_points=pad(rules.artefact_points, MAX_ARTEFACT_ENTRIES),
            turn_limit=rules.turn_limit,
        )

    def playable(self, seat: int, color: int) -> int:
        """Return the ranks of the cards of a color that a seat may lay now."""
        me, rules = self.seats[seat], self.ruleset
        return playable_ranks(
            me.hand[color],
            me.laid[color],
            me.accepts[color],
            int(me.leader == NO_LEADER or me.explorers > 0),
            int(rules.direction == "either"),
            int(rules.opening == "any"),
        )

    def movable(self, seat: int) -> int:
        """Return the mask of the colors whose pawn of a seat a step can move."""
        last = self.ruleset.last_space
        spaces = enumerate(self.seats[seat].spaces)
        return sum(1 << color for color, space in spaces if can_step(space, last))

    @property
    def is_over(self) -> bool:
        """Whether enough pawns have crossed, or the draw pile is empty."""
        return self.crossings >= self.ruleset.crossings_to_end or not self.draw_pile

    def play(self, seat: int, move: int) -> None:
        """Lay or discard a card; raises ValueError where that is illegal.

        A card that starts an expedition sets the pawn beside the path: `advance` moves it.
        """
        me = self.seats[seat]
        card = move & ~(DISCARD | LEADER)
        color, rank = color_of(card), rank_of(card)
        is_code = 0 <= move < DISCARD + LEADER and color < self.ruleset.colors
        if not is_code or (move & DISCARD and move & LEADER):
            raise ValueError(
                f"{move} is not a card to lay, + {LEADER} to start with the leader, nor a card "
                f"+ {DISCARD} to discard"
            )
        if not count_card(me.hand[color], rank):
            raise ValueError(f"{write_card(card)} is not in the hand")
        if move & DISCARD:
            self.piles[color].append(card)
            self.discarded_to = color
        else:
            self._lay(me, card, bool(move & LEADER), self.playable(seat, color))
            self.discarded_to = -1
        me.hand[color] = remove_card(me.hand[color], rank)
        me.known[color] = remove_card(me.known[color], rank)

    def _lay(self, me: Seat, card: int, with_leader: bool, playable: int) -> None:
        color, rank = color_of(card), rank_of(card)
        if not can_lay(playable, rank):
            raise ValueError(f"{write_card(card)} cannot be laid on its row")
        if me.laid[color]:
            if with_leader:
                raise ValueError(f"{write_card(card)} does not start an expedition for the leader")
        else:
            if not can_open(int(with_leader), me.leader, me.explorers):
                what = "the leader is" if with_leader else "all explorers are"
                raise ValueError(f"{write_card(card)} cannot start: {what} on a path already")
            if with_leader:
                me.leader = color
            else:
                me.explorers -= 1
        ranks = build_color_mask(self.ruleset) & RANK_MASK
        either = int(self.ruleset.direction == "either")
        me.accepts[color] = accepts_after(me.laid[color], rank, ranks, either)
        me.laid[color] = add_card(me.laid[color], rank)

    def check_step(self, seat: int, move: int) -> None:
        """Raise ValueError where `move` is neither -1 nor the color of a pawn that can step."""
        movable = self.movable(seat)
        if move != -1 and not (0 <= move < MAX_COLORS and movable >> move & 1):
            pawns = [str(color) for color in range(MAX_COLORS) if movable >> color & 1]
            raise ValueError(
                f"{move} is not a pawn that a step can move: those are {', '.join(pawns)}, and -1 "
                "moves none"
            )

    def advance(self, seat: int, color: int) -> int:
        """Move a pawn one space; return the tile that acts there, NO_TILE for none.

        Artefact and VP tiles are paid here; a step is for the caller to ask about. The tile under
        the crossing that ends the round does not act.
        """
        me = self.seats[seat]
        me.spaces[color] += 1
        self.last_advance = seat
        if me.spaces[color] == self.ruleset.bridge_after + 1:
            self.crossings += 1
            if self.crossings == self.ruleset.crossings_to_end:
                return NO_TILE
        tile = self.tiles[color][me.spaces[color]]
        if tile == ARTEFACT:
            me.artefacts += 1
            me.taken += 1
            self.tiles[color][me.spaces[color]] = NO_TILE
        elif tile not in (NO_TILE, STEP):
            me.points += tile
            me.vp += tile
        return tile

    def draw(self, seat: int, move: int) -> int:
        """Draw a card and return it; raises ValueError where that is illegal."""
        me = self.seats[seat]
        if move == DRAW_DECK:
            card = self.draw_pile.pop(0)
        else:
            drawable = self.view(seat).drawable
            if not 0 <= move < MAX_COLORS or not drawable >> move & 1:
                raise ValueError(explain_pile(move, drawable, MAX_COLORS, DRAW_DECK))
            card = self.piles[move].pop()
            me.known[color_of(card)] = add_card(me.known[color_of(card)], rank_of(card))
        me.hand[color_of(card)] = add_card(me.hand[color_of(card)], rank_of(card))
        return card


def _collect(cards: Sequence[int]) -> int:
    """Return the set of cards of one color."""
    mask = 0
    for card in cards:
        mask = add_card(mask, rank_of(card))
    return mask


def shuffle_hidden(table: Table, seat: int, stream: Stream) -> Table:
    """Return the table with all that `seat` cannot see dealt anew: the view stays the same.

    Cards the seat has seen the others take stay where they are.
    """
    others = [number for number in range(len(table.seats)) if number != seat]
    unknown = {
        number: [
            card
            for color in range(MAX_COLORS)
            for card in _list_unknown(table.seats[number], color)
        ]
        for number in others
    }
    hidden = [*table.draw_pile, *table.removed, *(card for one in others for card in unknown[one])]
    stream.shuffle(hidden)
    seats = list(table.seats)
    for number in others:
        hand = list(seats[number].known)
        for _ in unknown[number]:
            drawn = hidden.pop()
            hand[color_of(drawn)] = add_card(hand[color_of(drawn)], rank_of(drawn))
        seats[number] = replace(seats[number], hand=hand)
    size = len(table.draw_pile)
    return replace(table, seats=seats, draw_pile=hidden[:size], removed=hidden[size:])


def _list_unknown(seat: Seat, color: int) -> list[int]:
    known = list_cards(color, seat.known[color])
    cards = list_cards(color, seat.hand[color])
    for card in known:
        cards.remove(card)
    return cards
