"""The duel played slowly and plainly: the oracle that the kernel is held against.

Read it beside the rules: nothing is clever here, and nothing is kept that a player at the table
does not have before them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from lcsim.rules.duel.cards import COLORS, MAX_COLORS, index_of, make_card, write_card
from lcsim.rules.duel.legal import (
    DISCARD,
    DRAW_DECK,
    accepts_after,
    can_discard,
    can_lay,
    drawable_piles,
)
from lcsim.rules.duel.outcome import ENDINGS, find_winners
from lcsim.rules.duel.restrict import check_permitted, narrow_view
from lcsim.rules.duel.ruleset import SEATS, DuelRuleset, build_color_mask, build_deck
from lcsim.rules.duel.scoring import score_mask
from lcsim.rules.duel.view import View
from lcsim.rules.game import Decider
from lcsim.rules.referee import Frame, explain_pile
from lcsim.rules.streams import DECK_STREAM, Stream


class DuelDecider(Decider, Protocol):
    """A strategy in the referee: from a view to a play, then from a view to a draw."""

    def choose_play(self, view: View, rng: Stream) -> int:
        """Return a card's code to lay it, the code + DISCARD to discard it."""

    def choose_draw(self, view: View, rng: Stream) -> int:
        """Return the color of a discard pile, or DRAW_DECK."""


@dataclass
class Seat:
    """What belongs to one seat in a round; lists are by color."""

    hand: list[int] = field(default_factory=lambda: [0] * MAX_COLORS)
    laid: list[int] = field(default_factory=lambda: [0] * MAX_COLORS)
    accepts: list[int] = field(default_factory=lambda: [0] * MAX_COLORS)
    known: list[int] = field(default_factory=lambda: [0] * MAX_COLORS)
    rows: list[list[int]] = field(default_factory=lambda: [[] for _ in range(MAX_COLORS)])


@dataclass
class Table:
    """One round in progress."""

    ruleset: DuelRuleset
    round: int
    points: list[int]  # by seat, of the rounds before
    draw_pile: list[int]  # the next card first
    seats: list[Seat]
    piles: list[list[int]] = field(default_factory=lambda: [[] for _ in range(MAX_COLORS)])
    turn: int = 0
    discarded_to: int = -1

    def view(self, seat: int) -> View:
        """Return what `seat` sees."""
        me, them, rules = self.seats[seat], self.seats[1 - seat], self.ruleset
        filled = sum(1 << color for color, pile in enumerate(self.piles) if pile)
        return View(
            my_points=self.points[seat],
            their_points=self.points[1 - seat],
            hand=tuple(me.hand),
            mine=tuple(me.laid),
            theirs=tuple(them.laid),
            playable=tuple(me.accepts),
            their_playable=tuple(them.accepts),
            discarded=tuple(sum(1 << index_of(card) for card in pile) for pile in self.piles),
            known_theirs=tuple(them.known),
            discard_top=tuple(pile[-1] if pile else -1 for pile in self.piles),
            drawable=drawable_piles(filled, self.discarded_to, int(rules.redraw_own_discard)),
            deck_left=len(self.draw_pile),
            turn=self.turn,
            round=self.round,
            rounds=rules.rounds,
            colors=rules.colors,
            hand_size=rules.hand_size,
            color_mask=build_color_mask(rules),
            expedition_cost=rules.expedition_cost,
            bonus_cards=rules.bonus_cards,
            bonus_points=rules.bonus_points,
            either=int(rules.direction == "either"),
            turn_limit=rules.turn_limit,
            redraw_own_discard=int(rules.redraw_own_discard),
        )

    def play(self, seat: int, move: int) -> None:
        """Lay or discard a card; raises ValueError where that is illegal."""
        me = self.seats[seat]
        card = move & ~DISCARD
        color, index = card >> 4, index_of(card)
        if not 0 <= move < 2 * DISCARD or color >= self.ruleset.colors:
            raise ValueError(f"{move} is not a card to lay, nor a card + {DISCARD} to discard")
        if not can_discard(me.hand[color], index):
            raise ValueError(f"{write_card(card)} is not in the hand")
        if not move & DISCARD:
            if not can_lay(me.hand[color], me.accepts[color], index):
                raise ValueError(f"{write_card(card)} cannot be laid on its expedition")
            mask, either = build_color_mask(self.ruleset), int(self.ruleset.direction == "either")
            me.accepts[color] = accepts_after(me.laid[color], index, mask, either)
            me.laid[color] |= 1 << index
            me.rows[color].append(card)
            self.discarded_to = -1
        else:
            self.piles[color].append(card)
            self.discarded_to = color
        me.hand[color] &= ~(1 << index)
        me.known[color] &= ~(1 << index)

    def draw(self, seat: int, move: int) -> int:
        """Draw a card and return it; raises ValueError where that is illegal."""
        me = self.seats[seat]
        if move == DRAW_DECK:
            card = self.draw_pile.pop(0)
        else:
            drawable = self.view(seat).drawable
            if not 0 <= move < self.ruleset.colors or not drawable >> move & 1:
                raise ValueError(explain_pile(move, drawable, MAX_COLORS, DRAW_DECK))
            card = self.piles[move].pop()
            me.known[card >> 4] |= 1 << index_of(card)
        me.hand[card >> 4] |= 1 << index_of(card)
        self.turn += 1
        self.discarded_to = -1
        return card

    def score(self, seat: int) -> int:
        """Return the points of a seat's expeditions."""
        rules = self.ruleset
        return sum(
            score_mask(laid, rules.expedition_cost, rules.bonus_cards, rules.bonus_points)
            for laid in self.seats[seat].laid
        )


def deal_table(
    ruleset: DuelRuleset, *, seed: int, deal: int, round_: int, points: Sequence[int]
) -> tuple[Table, list[int]]:
    """Return the table at the start of a round, and the deck in its order."""
    deck = build_deck(ruleset)
    Stream(seed, deal, round_, DECK_STREAM).shuffle(deck)
    dealt = SEATS * ruleset.hand_size
    table = Table(ruleset, round_, list(points), deck[dealt:], [Seat() for _ in range(SEATS)])
    for i, card in enumerate(deck[:dealt]):
        table.seats[i % SEATS].hand[card >> 4] |= 1 << index_of(card)
    for seat in table.seats:
        seat.accepts[: ruleset.colors] = [build_color_mask(ruleset)] * ruleset.colors
    return table, deck


class Referee(Frame):
    """A game under way: deals its rounds and asks the deciders, seat by seat."""

    narrow_view = staticmethod(narrow_view)
    check_permitted = staticmethod(check_permitted)

    def play(self) -> list[dict[str, Any]]:
        """Play every round and return their records."""
        starter = 0
        for round_ in range(self.ruleset.rounds):
            record = self._play_round(round_, starter)
            self.rounds.append(record)
            self.totals = [
                total + score for total, score in zip(self.totals, record["scores"], strict=True)
            ]
            starter = self._next_starter(starter)
        return self.rounds

    def _next_starter(self, starter: int) -> int:
        leaders = find_winners(self.totals)
        if self.ruleset.next_starter == "leader" and len(leaders) == 1:
            return leaders[0]
        return 1 - starter

    def _play_round(self, round_: int, starter: int) -> dict[str, Any]:
        table, deck = deal_table(
            self.ruleset, seed=self.seed, deal=self.deal, round_=round_, points=self.totals
        )
        rngs = self.open_streams(round_)
        turns: list[dict[str, Any]] = []
        self.under_way = {
            "round": round_,
            "starter": starter,
            "deck": " ".join(map(write_card, deck)),
            "turns": turns,
        }
        seat = starter
        while table.draw_pile and table.turn < self.ruleset.turn_limit:
            turns.append(self._play_turn(table, seat, rngs[seat]))
            seat = 1 - seat
        colors = range(self.ruleset.colors)
        return {
            **self.under_way,
            "ended_by": ENDINGS[0] if not table.draw_pile else ENDINGS[1],
            "expeditions": [
                {COLORS[c]: " ".join(map(write_card, s.rows[c])) for c in colors if s.rows[c]}
                for s in table.seats
            ],
            "scores": [table.score(seat) for seat in range(SEATS)],
        }

    def _play_turn(self, table: Table, seat: int, rng: Stream) -> dict[str, Any]:
        move = self.decide(table, seat, rng, "choose_play", table.play)
        card = write_card(move & ~DISCARD)
        record: dict[str, Any] = {"seat": seat, "discard" if move & DISCARD else "lay": card}
        drawn: list[int] = []
        pile = self.decide(
            table, seat, rng, "choose_draw", lambda s, move: drawn.append(table.draw(s, move))
        )
        record["draw"] = "deck" if pile == DRAW_DECK else COLORS[pile]
        record["drawn"] = write_card(drawn[0])
        return record


def play_game(
    ruleset: DuelRuleset,
    *,
    seed: int,
    deal: int,
    rotation: int,
    strategies: Sequence[Any],
    watch: Any = None,
) -> dict[str, Any]:
    """Play one game and return its replay, the object that `lcsim replay --json` prints.

    `strategies` are by number, each with `name`, `spec` and the decisions of DuelDecider.
    """
    game = Referee(ruleset, strategies, seed=seed, deal=deal, rotation=rotation, watch=watch)
    records = game.play()
    return {
        **game.open_record(),
        "rounds": records,
        "totals": game.totals,
        "winners": find_winners(game.totals),
    }


def shuffle_hidden(table: Table, seat: int, stream: Stream) -> Table:
    """Return the table with all that `seat` cannot see dealt anew: the view stays the same.

    Cards the seat has seen the opponent take stay where they are.
    """
    them = table.seats[1 - seat]
    unknown = [
        make_card(color, index)
        for color in range(MAX_COLORS)
        for index in range(12)
        if (them.hand[color] & ~them.known[color]) >> index & 1
    ]
    hidden = table.draw_pile + unknown
    stream.shuffle(hidden)
    changed = Seat(list(them.known), them.laid, them.accepts, them.known, them.rows)
    for card in hidden[len(table.draw_pile) :]:
        changed.hand[card >> 4] |= 1 << index_of(card)
    seats = [changed, table.seats[1]] if seat else [table.seats[0], changed]
    return Table(
        table.ruleset,
        table.round,
        table.points,
        hidden[: len(table.draw_pile)],
        seats,
        table.piles,
        table.turn,
        table.discarded_to,
    )
