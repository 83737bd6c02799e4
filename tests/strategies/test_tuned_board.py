"""What tuned does in the board game where a strong player would not hesitate."""

from functools import cache

import pytest

from lcsim.rules import parse_ruleset
from lcsim.rules.board.cards import COLORS, RANK_MASK, add_card, parse_card, rank_of
from lcsim.rules.board.legal import DISCARD, DRAW_DECK, LEADER, NO_STEP, accepts_after
from lcsim.rules.board.ruleset import (
    MAX_SPACES,
    NO_TILE,
    build_color_mask,
    build_deck,
)
from lcsim.rules.board.table import Seat, Table
from lcsim.rules.streams import Stream
from lcsim.strategy import load_strategy

RULES = parse_ruleset("board")


def sit(hand, rows="", *, leader="", points=0):
    """Return a seat: its hand, `R1 R3 B0` laid, each card a space, and the leader's color."""
    seat = Seat(points=points, explorers=RULES.explorers)
    ranks = build_color_mask(RULES) & RANK_MASK
    seat.accepts = [ranks] * RULES.colors
    for card in map(parse_card, hand.split()):
        seat.hand[card >> 4] = add_card(seat.hand[card >> 4], rank_of(card))
    for card in map(parse_card, rows.split()):
        color, rank = card >> 4, rank_of(card)
        seat.accepts[color] = accepts_after(seat.laid[color], rank, ranks, either=0)
        seat.laid[color] = add_card(seat.laid[color], rank)
        seat.spaces[color] += 1
    seat.leader = COLORS.index(leader) if leader else -1
    seat.explorers -= sum(space > 0 for space in seat.spaces) - (seat.leader >= 0)
    return seat


def lay_out(me, *others, tiles=(), piles="", deck_left=30, round_=0):
    """Return the table of these seats; `tiles` are by place, R5, all other places are empty."""
    paths = [[NO_TILE] * (MAX_SPACES + 1) for _ in COLORS]
    for place, tile in dict(tiles).items():
        paths[COLORS.index(place[0])][int(place[1:])] = tile
    table = Table(RULES, round_, [me, *others], build_deck(RULES)[:deck_left], [0] * 30, paths)
    for card in map(parse_card, piles.split()):
        table.piles[card >> 4].append(card)
    seats = table.seats
    table.crossings = sum(space > RULES.bridge_after for seat in seats for space in seat.spaces)
    return table


@cache
def load():
    return load_strategy("tuned", kind="board").decider


def ask(hook, table):
    return getattr(load(), hook)(table.view(0), Stream(1, 0, 0, 16))


def play(table):
    """Return what tuned plays, as it is written: R5, R5* with the leader, -R5 for a discard."""
    move = ask("choose_play", table)
    card = move & ~(DISCARD | LEADER)
    name = f"{COLORS[card >> 4]}{rank_of(card)}"
    return ("-" if move & DISCARD else "") + name + ("*" if move & LEADER else "")


IDLE = "G0 G1 W0 B0 B1 Y0 Y1 Y2"  # an opponent's hand, which nobody looks at


def test_a_row_climbs_in_its_lowest_step():
    me = sit("R3 R4 R5 R7 R8 R8 R9 R10", "R1 R2 G5 W5 B5 Y5", leader="R")
    assert play(lay_out(me, sit(IDLE, "G3 W3"))) == "R3"


def test_the_leader_goes_where_the_cards_are():
    me = sit("R0 R1 R2 R4 R5 R7 R8 R9")
    assert play(lay_out(me, sit(IDLE), deck_left=64)) == "R0*"


def test_no_path_is_started_that_only_costs():
    me = sit("R9 G1 G2 W1 W2 B1 B2 Y1", "G5 W5 B5 Y5", leader="G")
    assert play(lay_out(me, sit(IDLE), deck_left=4)).startswith("-")


def test_what_an_opponent_waits_for_is_kept():
    me = sit("R2 R2 G2 G2 W2 W2 B2 B2", "R5 G5 W5 B5 Y5", leader="R")
    other = sit(IDLE, "R1 R1 G1 G1 W1 W1 B3 B4 Y3", leader="G")
    assert play(lay_out(me, other)) == "-B2"


def test_the_last_play_takes_the_most_points_at_once():
    rows = "R0 R1 R2 R3 R4 R5 G0 G1 G2 G3 W0 W1 W2 W3"
    me = sit("R6 G4 W4 B1 B2 Y1 Y2 Y3", rows)
    assert play(lay_out(me, sit(IDLE), deck_left=2)) == "R6"  # from 15 to 30
    me = sit("R6 G4 W4 B1 B2 Y1 Y2 Y3", rows)
    table = lay_out(me, sit(IDLE), deck_left=2, tiles={"G5": 15})
    assert play(table) == "G4"  # from 5 to 10, and the tile


@pytest.mark.parametrize(("points", "ends"), [(200, True), (-200, False)])
def test_the_game_is_ended_when_ahead_and_not_when_behind(points, ends):
    far = " ".join(f"{color}{rank}" for color in "GW" for rank in range(7))
    me = sit("R6 B3 B8 Y3 Y4 W3 W4 G3", f"R0 R1 R2 R3 R4 R5 {far} B1", points=300 + points)
    ahead = " ".join(f"{color}{rank}" for color in "GW" for rank in range(7))
    other = sit(IDLE, ahead, points=300)
    table = lay_out(me, other, round_=2)
    assert table.crossings == RULES.crossings_to_end - 1
    assert (play(table) == "R6") is ends


def test_a_discard_that_a_row_waits_for_is_taken():
    me = sit("R8 G1 W1 W2 B1 B2 Y1 Y2", "R0 R1 R2 R3 R4 R5 G5 W5 B5 Y5", leader="R")
    assert ask("choose_draw", lay_out(me, sit(IDLE), piles="G2 R6")) == COLORS.index("R")


def test_a_discard_that_nothing_waits_for_is_left():
    me = sit("R8 G1 W1 W2 B1 B2 Y1 Y2", "R0 R1 R2 R3 R4 R5 G5 W5 B5 Y5", leader="R")
    assert ask("choose_draw", lay_out(me, sit(IDLE), piles="G2 R4")) == DRAW_DECK


def test_a_step_goes_to_the_leader_over_the_bridge():
    me = sit("R8 G7 W7 B7 B8 Y7 Y8", "R0 R1 R2 R3 R4 R5 G0 G1 G2 W0 W1", leader="R")
    assert ask("choose_step", lay_out(me, sit(IDLE))) == COLORS.index("R")


def test_a_step_does_not_end_a_game_that_is_lost_by_it():
    far = " ".join(f"{color}{rank}" for color in "GWBY" for rank in range(9))
    me = sit("R8 G9 W9 B9 Y9", "R0 R1 R2 R3 R4 R5")
    table = lay_out(me, sit(IDLE, far, points=100), round_=2)
    assert ask("choose_step", table) == NO_STEP
