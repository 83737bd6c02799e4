"""What planner does in the board game where every world says the same."""

import os
import subprocess
import sys
from collections import Counter
from copy import deepcopy
from functools import partial

import board_tables
import pytest
from board_tables import IDLE, RULES, lay_out, sit

from lcsim.experiment import build_match_experiment, build_plan
from lcsim.rules import get_game, parse_ruleset
from lcsim.rules.board.cards import COLORS
from lcsim.rules.board.legal import DRAW_DECK, NO_STEP
from lcsim.rules.streams import Stream
from lcsim.runner import run_plan
from lcsim.strategy import compile_strategy, load_strategy
from lcsim.testing import check_strategy

SPEC = "planner:samples=160,rollout="
GUESTS = ["tuned", "random-legal"]  # the second never has the right idea by itself


@pytest.fixture(params=GUESTS)
def ask(request):
    return partial(board_tables.ask, SPEC + request.param)


@pytest.fixture(params=GUESTS)
def play(request):
    return partial(board_tables.ask_play, SPEC + request.param)


def test_the_last_play_takes_the_most_points_at_once(play):
    rows = "R0 R1 R2 R3 R4 R5 G0 G1 G2 G3 W0 W1 W2 W3"
    me = sit("R6 G4 W4 B1 B2 Y1 Y2 Y3", rows)
    assert play(lay_out(me, sit(IDLE), deck_left=1)) == "R6"  # from 15 to 30
    me = sit("R6 G4 W4 B1 B2 Y1 Y2 Y3", rows)
    table = lay_out(me, sit(IDLE), deck_left=1, tiles={"G5": 15})
    assert play(table) == "G4"  # from 5 to 10, and the tile


def test_no_path_is_started_that_only_costs(play):
    me = sit("R9 G1 G2 W1 W2 B1 B2 Y1", "G5 W5 B5 Y5", leader="G")
    assert play(lay_out(me, sit(IDLE), deck_left=1)).startswith("-")


@pytest.mark.parametrize(
    ("hand", "points", "ends"),
    [("R6 B3 B8 Y3 Y4 W3 W4 G3", 370, True), ("R6 G7 G8 W7 W8 B1 Y1 Y2", 270, False)],
)
def test_the_game_is_ended_when_ahead_and_not_when_time_brings_the_lead(hand, points, ends):
    far = " ".join(f"{color}{rank}" for color in "GW" for rank in range(7))
    me = sit(hand, f"R0 R1 R2 R3 R4 R5 {far}", points=points)
    table = lay_out(me, sit(IDLE, far, points=330), round_=2, deck_left=20)
    assert table.crossings == RULES.crossings_to_end - 1
    assert (board_tables.ask_play(SPEC + "steady", table) == "R6") is ends


def test_a_discard_that_brings_one_more_play_is_taken():
    me = sit("R4 G1 W1 W2 B1 B2 Y1", "R0 R1 R2 R3 R4 R5 G5 W5 B5 Y5", leader="R")
    table = lay_out(me, sit(IDLE), piles="G2 R6", deck_left=2)
    assert board_tables.ask(SPEC + "steady", "choose_draw", table) == COLORS.index("R")


def test_the_draw_pile_is_drawn_from_where_nothing_else_lies(ask):
    me = sit("R4 G1 W1 W2 B1 B2 Y1", "R0 R1 R2 R3 R4 R5", leader="R")
    assert ask("choose_draw", lay_out(me, sit(IDLE))) == DRAW_DECK


def test_a_step_goes_where_it_brings_most(ask):
    me = sit("R8 G7 W7 B7 B8 Y7 Y8", "R0 R1 R2 R3 R4 R5 G0 G1 W0 W1", leader="R")
    assert ask("choose_step", lay_out(me, sit(IDLE), deck_left=1)) == COLORS.index("R")
    table = lay_out(me, sit(IDLE), deck_left=1, tiles={"G3": 50})
    assert ask("choose_step", table) == COLORS.index("G")


def test_a_step_does_not_end_a_game_that_is_lost_by_it():
    far = " ".join(f"{color}{rank}" for color in "GWBY" for rank in range(9))
    me = sit("R8 G9 W9 B9 Y9 Y9 Y8", "R0 R1 R2 R3 R4 R5")
    table = lay_out(me, sit(IDLE, far, points=100), round_=2)
    assert board_tables.ask(SPEC + "steady", "choose_step", table) == NO_STEP


@pytest.mark.slow
def test_it_passes_the_check():
    assert check_strategy(SPEC + "steady", kind="board", n_games=3) == []


def test_cards_that_it_cannot_see_change_nothing():
    asked = Counter()

    def watch(table, seat, decider, rng, decision):
        other = game.shuffle_hidden(table, seat, Stream(1, table.turn, seat, 99))
        moves = [
            getattr(decider, decision)(one.view(seat), deepcopy(rng)) for one in (table, other)
        ]
        assert moves[0] == moves[1]
        asked[decision] += 1

    game, decider = get_game("board"), load_strategy(SPEC + "racer", kind="board").decider
    rules = parse_ruleset("board-short")
    game.replay(rules, seed=4, deal=0, rotation=0, strategies=[decider] * 3, watch=watch)
    assert min(asked[name] for name in ("choose_play", "choose_draw", "choose_step")) > 5


@pytest.mark.parametrize("others", [1, 2, 3])
def test_its_games_are_the_same_for_any_number_of_jobs(others, tmp_path):
    specs = [SPEC + "racer", *["steady"] * others]
    experiment = build_match_experiment(specs, "board-short", games=2 * 12, seed=7, unit_deals=2)
    parts = []
    for jobs in (1, 2):
        folder = tmp_path / str(jobs)
        run_plan(build_plan(experiment), folder, jobs=jobs)
        parts.append({path.name: path.read_bytes() for path in (folder / "parts").iterdir()})
    assert parts[0] == parts[1]
    assert len(parts[0]) > 2


@pytest.mark.parametrize("n_players", [2, 3, 4])
def test_it_beats_its_guest(n_players):
    strategies = [SPEC + "steady", *["steady"] * (n_players - 1)]
    compiled = [compile_strategy(load_strategy(spec, kind="board")) for spec in strategies]
    ruleset, game = parse_ruleset("board"), get_game("board")
    rows = game.play_deals(ruleset, seed=17, first_deal=0, n_deals=30, strategies=compiled)
    won = game.settle_games(ruleset, rows).win_twelfths[..., 0].mean(axis=1) / 12
    assert won.mean() - 2.6 * won.std(ddof=1) / len(won) ** 0.5 > 1 / n_players


@pytest.mark.parametrize("kind", ["duel", "board-short"])
def test_no_memory_is_read_that_was_given_back(kind, tmp_path):
    """The C library fills what is freed with a pattern, so that whoever still reads it is lost."""
    command = [sys.executable, "-m", "lcsim.cli.app", "match", "planner:samples=40", "tuned"]
    options = ["--ruleset", kind, "--games", "4", "--jobs", "1"]
    done = subprocess.run(
        [*command, *options],
        cwd=tmp_path,
        env={**os.environ, "MALLOC_PERTURB_": "165"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
