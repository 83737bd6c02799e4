"""The board game played slowly and plainly: the oracle that the kernel is held against.

Read it beside the rules: nothing is clever here, and nothing is kept that a player at the table
does not have before them.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from lcsim.rules.board.cards import (
    COLORS,
    MAX_COLORS,
    RANK_MASK,
    add_card,
    color_of,
    rank_of,
    write_card,
)
from lcsim.rules.board.legal import DISCARD, DRAW_DECK, LEADER, NO_STEP
from lcsim.rules.board.outcome import (
    BRIDGES,
    DECK,
    ENDINGS,
    TURN_LIMIT,
    find_winners,
    name_tile,
)
from lcsim.rules.board.restrict import check_permitted, narrow_view
from lcsim.rules.board.ruleset import (
    MAX_SPACES,
    NO_TILE,
    STEP,
    BoardRuleset,
    build_color_mask,
    build_deck,
    build_tiles,
    check_players,
)
from lcsim.rules.board.scoring import add_points, score_artefacts, score_space
from lcsim.rules.board.table import Seat, Table
from lcsim.rules.board.view import View
from lcsim.rules.game import Decider
from lcsim.rules.referee import Frame
from lcsim.rules.streams import DECK_STREAM, TILE_STREAM, Stream


class BoardDecider(Decider, Protocol):
    """A strategy in the referee: from a view to a play, to a draw, or to a step."""

    def choose_play(self, view: View, rng: Stream) -> int:
        """Return a card to lay it, + LEADER to start with the leader; + DISCARD to discard it."""

    def choose_draw(self, view: View, rng: Stream) -> int:
        """Return the color of a discard pile, or DRAW_DECK."""

    def choose_step(self, view: View, rng: Stream) -> int:
        """Return the color of the pawn that a step moves, or NO_STEP."""


class Stack(NamedTuple):
    """A round laid out by hand: the whole deck in order, and the tiles place by place."""

    deck: Sequence[int]
    tiles: Sequence[int]


def stack_round(ruleset: BoardRuleset, *, seed: int, deal: int, round_: int) -> Stack:
    """Return the deck and the tiles as they are shuffled for a round."""
    deck, tiles = build_deck(ruleset), build_tiles(ruleset)
    Stream(seed, deal, round_, DECK_STREAM).shuffle(deck)
    Stream(seed, deal, round_, TILE_STREAM).shuffle(tiles)
    return Stack(deck, tiles)


def deal_table(ruleset: BoardRuleset, stack: Stack, round_: int, held: Sequence[Seat]) -> Table:
    """Return the table at the start of a round; `held` has the seats' points and artefacts."""
    n_seats, deck = len(held), list(stack.deck)
    ranks = build_color_mask(ruleset) & RANK_MASK
    accepts = [ranks if color < ruleset.colors else 0 for color in range(MAX_COLORS)]
    seats = [
        Seat(
            points=one.points,
            artefacts=one.artefacts,
            explorers=ruleset.explorers,
            accepts=list(accepts),
        )
        for one in held
    ]
    dealt, end = n_seats * ruleset.hand_size, len(deck) - ruleset.removed(n_seats)
    for i, card in enumerate(deck[:dealt]):
        hand = seats[i % n_seats].hand
        hand[color_of(card)] = add_card(hand[color_of(card)], rank_of(card))
    tiles = [[NO_TILE] * (MAX_SPACES + 1) for _ in range(MAX_COLORS)]
    places = [(color, space) for color, path in enumerate(ruleset.tile_places) for space in path]
    for (color, space), tile in zip(places, stack.tiles, strict=True):
        tiles[color][space] = tile
    return Table(ruleset, round_, seats, deck[dealt:end], deck[end:], tiles)


class Referee(Frame):
    """A game under way: deals its rounds and asks the deciders, seat by seat."""

    narrow_view = staticmethod(narrow_view)
    check_permitted = staticmethod(check_permitted)

    def play(self, stacks: Sequence[Stack] = ()) -> dict[str, Any]:
        """Play the game and return its replay; `stacks` lays out its rounds by hand."""
        rules: BoardRuleset = self.ruleset
        starter, held = 0, [Seat() for _ in range(self.n_seats)]
        for round_ in range(rules.rounds):
            address = {"seed": self.seed, "deal": self.deal, "round_": round_}
            stack = stacks[round_] if stacks else stack_round(rules, **address)
            table = deal_table(rules, stack, round_, held)
            self.rounds.append(self._play_round(table, stack, starter))
            starter = self._next_starter(table, starter)
            held = table.seats
        artefacts = [seat.artefacts for seat in held]
        points = [score_artefacts(rules, number) for number in artefacts]
        totals = [add_points(one.points, more) for one, more in zip(held, points, strict=True)]
        return {
            **self.open_record(),
            "players": self.n_seats,
            "rounds": self.rounds,
            "artefacts": artefacts,
            "artefact_points": points,
            "totals": totals,
            "winners": find_winners(totals, artefacts),
        }

    def _next_starter(self, table: Table, starter: int) -> int:
        last = starter
        if self.ruleset.next_starter == "after-last-advance" and table.last_advance >= 0:
            last = table.last_advance
        return (last + 1) % self.n_seats

    def _play_round(self, table: Table, stack: Stack, starter: int) -> dict[str, Any]:
        rngs = self.open_streams(table.round)
        turns: list[dict[str, Any]] = []
        self.under_way = {
            "round": table.round,
            "starter": starter,
            "deck": " ".join(map(write_card, stack.deck)),
            "tiles": _tell_tiles(table),
            "turns": turns,
        }
        seat = starter
        while not table.is_over and table.turn < self.ruleset.turn_limit:
            turns.append(self._play_turn(table, seat, rngs[seat]))
            table.turn += 1
            table.discarded_to = -1
            seat = (seat + 1) % self.n_seats
        return {
            **self.under_way,
            "ended_by": ENDINGS[self._find_ending(table)],
            **_settle_round(table),
        }

    def _find_ending(self, table: Table) -> int:
        if table.crossings >= self.ruleset.crossings_to_end:
            return BRIDGES
        return TURN_LIMIT if table.draw_pile else DECK

    def _play_turn(self, table: Table, seat: int, rng: Stream) -> dict[str, Any]:
        is_free = [space == 0 for space in table.seats[seat].spaces]
        move = self.decide(table, seat, rng, "choose_play", table.play)
        card = move & ~(DISCARD | LEADER)
        record: dict[str, Any] = {"seat": seat}
        if move & DISCARD:
            record["discard"] = write_card(card)
        else:
            record["lay"] = write_card(card)
            if is_free[color_of(card)]:
                record["pawn"] = "leader" if move & LEADER else "explorer"
            record["moves"] = self._move_pawns(table, seat, rng, color_of(card))
        if table.is_over:
            return record
        drawn: list[int] = []
        pile = self.decide(
            table, seat, rng, "choose_draw", lambda s, move: drawn.append(table.draw(s, move))
        )
        record["draw"] = "deck" if pile == DRAW_DECK else COLORS[pile]
        record["drawn"] = write_card(drawn[0])
        return record

    def _move_pawns(self, table: Table, seat: int, rng: Stream, color: int) -> list[list[Any]]:
        """Move the pawn of the color of the card laid, then those that steps add."""
        moves: list[list[Any]] = []
        spaces = table.seats[seat].spaces
        if spaces[color] == self.ruleset.last_space:
            color = self._choose_step(table, seat, rng)
        while color != NO_STEP:
            tile = table.advance(seat, color)
            moves.append([COLORS[color], spaces[color]])
            color = self._choose_step(table, seat, rng) if tile == STEP else NO_STEP
        return moves

    def _choose_step(self, table: Table, seat: int, rng: Stream) -> int:
        if not table.movable(seat):
            return NO_STEP
        return self.decide(table, seat, rng, "choose_step", table.check_step)


def play_game(
    ruleset: BoardRuleset,
    *,
    seed: int,
    deal: int,
    rotation: int,
    strategies: Sequence[Any],
    watch: Any = None,
    stacks: Sequence[Stack] = (),
) -> dict[str, Any]:
    """Play one game and return its replay, the object that `lcsim replay --json` prints.

    `strategies` are by number, each with `name`, `spec` and the decisions of BoardDecider; `stacks`
    lays the rounds out by hand.
    """
    check_players(ruleset, len(strategies))
    game = Referee(ruleset, strategies, seed=seed, deal=deal, rotation=rotation, watch=watch)
    return game.play(stacks)


def _tell_tiles(table: Table) -> dict[str, dict[str, str]]:
    return {
        COLORS[color]: {str(s): name_tile(tile) for s, tile in enumerate(path) if tile != NO_TILE}
        for color, path in enumerate(table.tiles[: table.ruleset.colors])
    }


def _settle_round(table: Table) -> dict[str, Any]:
    """Add the points under the pawns to the seats' own; return the end of the round's record."""
    rules, sums = table.ruleset, []
    for seat in table.seats:
        pawns = enumerate(seat.spaces)
        gained = sum(score_space(rules, s, is_leader=color == seat.leader) for color, s in pawns)
        seat.points = add_points(seat.points, gained)
        sums.append(gained)
    return {
        "pawns": [
            {
                COLORS[color]: [space, "leader" if color == seat.leader else "explorer"]
                for color, space in enumerate(seat.spaces)
                if space
            }
            for seat in table.seats
        ],
        "space_points": sums,
        "vp": [seat.vp for seat in table.seats],
        "artefacts": [seat.taken for seat in table.seats],
        "totals": [seat.points for seat in table.seats],
    }
