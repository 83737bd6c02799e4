"""What tuned does in the board game where a strong player would not hesitate."""

from functools import partial

import board_tables
import pytest
from board_tables import IDLE, RULES, lay_out, sit

from lcsim.rules.board.cards import COLORS
from lcsim.rules.board.legal import DRAW_DECK, NO_STEP

ask = partial(board_tables.ask, "tuned")
play = partial(board_tables.ask_play, "tuned")


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
