"""Positions of the board game told again, taken from games, and the moves there are in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from lcsim.advise.board_text import EXAMPLE, UNSEEN, BoardText, build_position
from lcsim.advise.judge import (
    FEWEST_LATER,
    LATER_DEALS,
    LATER_ROUNDS,
    Judge,
    judge_last_round,
)
from lcsim.advise.position import DRAW, PLAY, STEP, Notify, Position, Room
from lcsim.rules.board import GAME, simulate
from lcsim.rules.board.cards import (
    COLORS,
    MAX_COLORS,
    RANK_MASK,
    color_of,
    count_card,
    list_cards,
    make_card,
    rank_of,
    write_card,
)
from lcsim.rules.board.legal import (
    DISCARD,
    DRAW_DECK,
    LEADER,
    NO_STEP,
    accepts_after,
    can_lay,
)
from lcsim.rules.board.outcome import name_tile
from lcsim.rules.board.ruleset import NO_TILE, BoardRuleset, build_color_mask
from lcsim.rules.board.table import NO_LEADER, Seat, Table


def hide_table(table: Table, seat: int, decision: str) -> Position:
    """Return a referee's table as `seat` sees it: it becomes seat 0, the next to play seat 1."""
    seats = [_copy_seat(one) for one in (*table.seats[seat:], *table.seats[:seat])]
    for other in seats[1:]:
        other.hand = list(other.known)
    last = table.last_advance
    shown = replace(
        table,
        seats=seats,
        draw_pile=[UNSEEN] * len(table.draw_pile),
        removed=[UNSEEN] * len(table.removed),
        tiles=[list(path) for path in table.tiles],
        piles=[list(pile) for pile in table.piles],
        last_advance=last if last < 0 else (last - seat) % len(seats),
    )
    return Position(table.ruleset, shown, decision)


def _copy_seat(seat: Seat) -> Seat:
    return replace(
        seat,
        hand=list(seat.hand),
        laid=list(seat.laid),
        accepts=list(seat.accepts),
        known=list(seat.known),
        spaces=list(seat.spaces),
    )


def tell_play(before: Position, after: Position) -> str:
    """Return what seat 0 played between two positions of its turn, as `played` has it."""
    was, now = before.table.seats[0], after.table.seats[0]
    color = next(c for c in range(MAX_COLORS) if was.hand[c] != now.hand[c])
    cards = list_cards(color, was.hand[color])
    for card in list_cards(color, now.hand[color]):
        cards.remove(card)
    return f"{'lay' if was.laid[color] != now.laid[color] else 'discard'} {write_card(cards[0])}"


def list_entries(position: Position) -> dict[str, Any]:
    """Return the entries of the text that tells this position."""
    table: Table = position.table
    ruleset, (me, *others) = table.ruleset, table.seats
    entries: dict[str, Any] = {
        "ruleset": ruleset.spec,
        "round": table.round,
        "points": me.points,
        "artefacts": me.artefacts,
        "turn": table.turn,
        "draw_pile": len(table.draw_pile),
        "hand": _write_sets(me.hand),
        "mine": _write_rows(me, ruleset),
        "pawns": _write_pawns(me),
        "discards": " ".join(write_card(card) for pile in table.piles for card in pile),
        "tiles": _write_tiles(table),
        "played": position.played,
        **({"step": True} if position.decision == STEP else {}),
        "others": [
            {
                "points": other.points,
                "artefacts": other.artefacts,
                "mine": _write_rows(other, ruleset),
                "pawns": _write_pawns(other),
                "known": _write_sets(other.known),
            }
            for other in others
        ],
    }
    kept = {"hand", "tiles"}
    return {name: value for name, value in entries.items() if value != "" or name in kept}


def _write_sets(masks: list[int]) -> str:
    cards = (card for color, mask in enumerate(masks) for card in list_cards(color, mask))
    return " ".join(map(write_card, cards))


def _write_rows(seat: Seat, ruleset: BoardRuleset) -> str:
    rows = [_order_row(color, seat, ruleset) for color in range(ruleset.colors)]
    return " ".join(write_card(card) for row in rows for card in row)


def _order_row(color: int, seat: Seat, ruleset: BoardRuleset) -> list[int]:
    """Return a row's cards rising, or falling where only so it accepts what it does."""
    rising = list_cards(color, seat.laid[color])
    falling = rising[::-1]
    is_rising = _find_accepted(rising, ruleset) == seat.accepts[color] or not rising
    return rising if is_rising else falling


def _find_accepted(row: list[int], ruleset: BoardRuleset) -> int:
    ranks = build_color_mask(ruleset) & RANK_MASK
    laid, accepts = 0, ranks
    for card in row:
        accepts = accepts_after(laid, rank_of(card), ranks, int(ruleset.direction == "either"))
        laid |= 1 << rank_of(card)
    return accepts


def _write_pawns(seat: Seat) -> str:
    return " ".join(
        f"{COLORS[color]}{space}{'L' if color == seat.leader else ''}"
        for color, space in enumerate(seat.spaces)
        if space
    )


def _write_tiles(table: Table) -> str:
    return " ".join(
        f"{COLORS[color]}{space}:{name_tile(tile)}"
        for color, path in enumerate(table.tiles)
        for space, tile in enumerate(path)
        if tile != NO_TILE
    )


def list_moves(position: Position) -> list[int]:
    """Return the different moves: of equal cards one, lays before discards, no step before one."""
    if position.decision == STEP:
        movable = position.view.movable
        return [NO_STEP, *(c for c in range(MAX_COLORS) if movable >> c & 1)]
    if position.decision == DRAW:
        drawable = position.view.drawable
        return [DRAW_DECK, *(c for c in range(MAX_COLORS) if drawable >> c & 1)]
    hand = position.table.seats[0].hand
    cards = [
        make_card(color, rank)
        for color, mask in enumerate(hand)
        for rank in range(RANK_MASK.bit_length())
        if count_card(mask, rank)
    ]
    lays = [move for card in cards for move in _list_lays(position.table, card)]
    return [*lays, *(card + DISCARD for card in cards)]


def _list_lays(table: Table, card: int) -> Iterator[int]:
    me, color = table.seats[0], color_of(card)
    if not can_lay(table.playable(0, color), rank_of(card)):
        return
    if me.laid[color] or me.explorers:
        yield card
    if not me.laid[color] and me.leader == NO_LEADER:
        yield card + LEADER


def name_move(position: Position, move: int) -> str:
    """Return a move in words: "lay R0 with the leader", "take Y7", "move R to 6 (artefact)"."""
    if position.decision == PLAY:
        name = write_card(move & ~(DISCARD | LEADER))
        if move & DISCARD:
            return f"discard {name}"
        return f"lay {name} with the leader" if move & LEADER else f"lay {name}"
    if position.decision == STEP:
        return "move no pawn" if move == NO_STEP else _name_step(position, move)
    if move == DRAW_DECK:
        return "draw from the draw pile"
    return f"take {write_card(position.view.discard_top[move])}"


def _name_step(position: Position, color: int) -> str:
    space = position.view.spaces[color] + 1
    tile = position.view.tiles[color][space]
    what = f" ({name_tile(tile)})" if tile != NO_TILE else ""
    return f"move {COLORS[color]} to {space}{what}"


def lay_out(position: Position, guest: Any, rng: Any) -> Any:
    """Return the position as a table of the simulation, the order of its piles known."""
    lay_out_view = simulate.lay_out_step if position.decision == STEP else simulate.lay_out
    table = lay_out_view(position.view, guest, rng)
    table["has_order"] = 1
    for color, pile in enumerate(position.table.piles):
        table["state"]["pile"][0, color, : len(pile)] = pile
    table["rules"]["redraw_own_discard"] = position.ruleset.redraw_own_discard
    return table


def build_judge(position: Position, compiled: Any, seed: int, notify: Notify) -> Judge:
    """Return what each margin at the end of this round is worth.

    Before the last round, the later ones are played many times by the strategy against itself,
    without artefacts, which the margin values already, and each of their ends may follow.
    """
    view = position.view
    n_later = view.rounds - view.round - 1
    if not n_later:
        return judge_last_round(0)
    GAME.load_kernel(notify)
    rules = replace(position.ruleset, rounds=n_later, artefact_points=(0, 0))
    n_deals = max(FEWEST_LATER, LATER_ROUNDS // (n_later * view.n_players))
    rows = GAME.play_deals(
        rules,
        seed=seed,
        first_deal=LATER_DEALS,
        n_deals=n_deals,
        strategies=[compiled] * view.n_players,
    )
    points = GAME.settle_games(rules, rows).points
    others = [np.delete(points, n, axis=2).max(axis=2) for n in range(view.n_players)]
    margins = [points[..., n] - best for n, best in enumerate(others)]
    return Judge(0, np.sort(np.ravel(margins)).astype(np.float64), n_deals)


ROOM = Room(
    model=BoardText,
    example=EXAMPLE,
    build=build_position,
    hide=hide_table,
    list_entries=list_entries,
    list_moves=list_moves,
    name_move=name_move,
    tell_play=tell_play,
    lay_out=lay_out,
    build_judge=build_judge,
)
