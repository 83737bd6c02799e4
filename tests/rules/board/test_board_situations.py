"""Situations that must come out as the rules say, in the referee and in the kernel."""

import numpy as np
import pytest
from playing import GAME, play_kernel, play_referee

from lcsim.errors import StrategyBrokeError
from lcsim.rules import parse_ruleset
from lcsim.rules.board.cards import COLORS, parse_card, rank_of
from lcsim.rules.board.legal import DISCARD, LEADER
from lcsim.rules.board.outcome import build_row_dtype, find_winners
from lcsim.rules.board.referee import Stack
from lcsim.rules.board.ruleset import ARTEFACT, NO_TILE, STEP, build_deck

SCRIPT = __file__.replace("test_board_situations.py", "scripted.py")


def write_script(plays, steps=()):
    """Return the spec of a strategy that makes `plays`: `R5`, `R5*` with the leader, `-R5`.

    `steps` are pairs: after how many moves of its pawns, and the color or `.` for none.
    """
    params = []
    for turn, word in enumerate(plays.split()):
        card = parse_card(word.strip("-*"))
        code = card + DISCARD * word.startswith("-") + LEADER * word.endswith("*")
        params.append(f"play_{turn}={code}")
    params += [f"step_{moves}={-1 if to == '.' else COLORS.index(to)}" for moves, to in steps]
    return f"{SCRIPT}:{','.join(params)}"


def lay_out(ruleset, plays, tiles=()):
    """Return the round in which each seat gets its cards in the order in which it plays them.

    Where a seat plays less, it gets the highest cards that are left. `tiles` are by place, `R6`;
    all other places are empty.
    """
    pool = sorted(build_deck(ruleset), key=rank_of)
    wanted = [[parse_card(word.strip("-*")) for word in text.split()] for text in plays]
    for card in (card for cards in wanted for card in cards):
        pool.remove(card)
    n = len(plays)
    dealt = []
    for i in range(ruleset.deck_size - ruleset.removed(n)):
        queue = wanted[i % n]
        dealt.append(queue.pop(0) if queue else pool.pop())
    assert not any(wanted)
    places = [(color, space) for color, path in enumerate(ruleset.tile_places) for space in path]
    named = {(COLORS.index(place[0]), int(place[1:])): tile for place, tile in dict(tiles).items()}
    assert set(named) <= set(places)
    return Stack([*dealt, *pool], [named.get(place, NO_TILE) for place in places])


@pytest.fixture(params=["referee", "kernel"])
def play(request):
    """A function that plays one round laid out by hand and returns its record.

    The seats make `plays`; they are dealt those cards, or the ones of `cards`.
    """

    def play_round(ruleset, plays, steps=(), tiles=(), cards=()):
        ruleset = parse_ruleset(ruleset)
        steps = [*steps, *[()] * (len(plays) - len(steps))]
        specs = [write_script(*one) for one in zip(plays, steps, strict=True)]
        stacks = [lay_out(ruleset, cards or plays, tiles)]
        if request.param == "referee":
            return play_referee(ruleset, specs, stacks=stacks)["rounds"][0]
        return play_kernel(ruleset, specs, stacks=stacks, n_rotations=1)[0][0][0]

    return play_round


def climb(color, n, start=0):
    """Return the cards of n ranks of a color, rising."""
    return " ".join(f"{color}{rank}" for rank in range(start, start + n))


# Two players cross the bridges of G and W, and of G and Y: four crossings in 28 turns. Then the
# first walks R, and the second lays what it drew.
FOUR = [f"{climb('G', 7)} {climb('W', 7)}", f"{climb('G', 7)} {climb('Y', 7)}"]


def test_a_step_makes_the_fifth_crossing(play):
    round_ = play(
        "board-short",
        [f"{FOUR[0]} {climb('R', 6)}", f"{FOUR[1]} {climb('B', 5)}"],
        steps=[[(20, "R")]],
        tiles={"R6": STEP, "R7": 15},
    )
    assert round_["turns"][-1] == {"seat": 0, "lay": "R5", "moves": [["R", 6], ["R", 7]]}
    assert round_["ended_by"] == "bridges"
    assert round_["vp"] == [0, 0]
    assert len(round_["turns"]) == 39
    assert round_["pawns"][0] == {"R": [7, "explorer"], "G": [7, "explorer"], "W": [7, "explorer"]}


def test_the_tile_under_the_fifth_crossing_stays(play):
    round_ = play(
        "board-short",
        [f"{FOUR[0]} {climb('B', 6)}", f"{FOUR[1]} {climb('R', 5)}"],
        steps=[[(20, "B")]],
        tiles={"B6": STEP, "B7": ARTEFACT},
    )
    assert round_["turns"][-1]["moves"] == [["B", 6], ["B", 7]]
    assert "draw" not in round_["turns"][-1]
    assert round_["artefacts"] == [0, 0]


def test_the_tile_under_the_fourth_crossing_acts(play):
    round_ = play(
        "board-short:turn_limit=28",
        FOUR,
        tiles={"Y7": ARTEFACT, "W7": 5},
    )
    assert round_["artefacts"] == [0, 1]
    assert round_["vp"] == [5, 0]
    assert round_["ended_by"] == "turn_limit"


def test_one_player_makes_all_crossings(play):
    first = " ".join(climb(color, 3) for color in "RGWB") + " Y0* Y1 Y2"
    discards = " ".join(f"-{color}{rank}" for rank in (8, 9, 10) for color in "RGWBY")
    round_ = play("board-short:bridge_after=2", [first, discards])
    assert round_["turns"][-1] == {"seat": 0, "lay": "Y2", "moves": [["Y", 3]]}
    assert len(round_["turns"]) == 29
    assert round_["ended_by"] == "bridges"


def test_two_pawns_over_one_bridge_both_count(play):
    both = [f"{climb('R', 7)} -W9", f"{climb('R', 7)} -B9"]
    round_ = play("board-short:crossings_to_end=2", both)
    assert round_["ended_by"] == "bridges"
    assert len(round_["turns"]) == 14
    assert play("board-short:crossings_to_end=3,turn_limit=16", both)["ended_by"] == "turn_limit"


def test_steps_chain_and_a_taken_artefact_is_gone(play):
    round_ = play(
        "board-short:turn_limit=8",
        ["G0 Y0 W0 W1", "G0 G1 -R9 -R10"],
        steps=[[(4, "Y"), (5, "G")]],
        tiles={"G2": ARTEFACT, "W2": STEP, "Y2": STEP},
    )
    assert round_["turns"][6]["moves"] == [["W", 2], ["Y", 2], ["G", 2]]
    assert round_["artefacts"] == [0, 1]


def test_a_step_may_move_its_own_pawn_or_none(play):
    for answer, moves in ((("W"), [["W", 2], ["W", 3]]), (".", [["W", 2]])):
        round_ = play(
            "board-short:turn_limit=4",
            ["W0 W1", "-R9 -R10"],
            steps=[[(2, answer)]],
            tiles={"W2": STEP},
        )
        assert round_["turns"][2]["moves"] == moves


@pytest.mark.parametrize("answer", ["R", "B"])
def test_a_step_moves_a_pawn_under_way_only(play, answer):
    with pytest.raises(StrategyBrokeError, match=r"choose_step.*not a pawn that a step can move"):
        play(
            "board-short:turn_limit=4",
            ["W0 W1", "B0 B1"],
            steps=[[(2, answer)]],
            tiles={"W2": STEP},
        )


def test_a_step_that_can_move_no_pawn_moves_none(play):
    # The script would break if it were asked: its own pawn has just reached space 9.
    round_ = play(
        "board-short:turn_limit=18",
        [climb("R", 9), " ".join(f"-{card}" for card in climb("G", 9).split())],
        tiles={"R9": STEP},
    )
    assert round_["turns"][16]["moves"] == [["R", 9]]
    assert round_["turns"][16]["draw"] == "deck"


def test_every_pawn_that_passes_a_vp_tile_is_paid(play):
    round_ = play("board-short:turn_limit=6", ["G0 G1", "G0 G1", "G2 G3"], tiles={"G2": 10})
    assert round_["vp"] == [10, 10, 10]


@pytest.mark.parametrize("last", ["R8", "R7"])
def test_on_space_nine_a_legal_card_moves_another_pawn(play, last):
    plays = [f"B0 {climb('R', 9)} {last}", " ".join(f"-{card}" for card in climb("Y", 11).split())]
    arguments = ("board-short:turn_limit=22", plays, [[(10, "B")]])
    if last == "R7":
        with pytest.raises(StrategyBrokeError, match="R7 cannot be laid"):
            play(*arguments)
        return
    round_ = play(*arguments)
    assert round_["turns"][20]["moves"] == [["B", 2]]
    assert round_["pawns"][0] == {"R": [9, "explorer"], "B": [2, "explorer"]}


def test_on_space_nine_a_card_is_laid_without_a_move(play):
    plays = [f"{climb('R', 9)} R8", " ".join(f"-{card}" for card in climb("Y", 10).split())]
    round_ = play("board-short:turn_limit=20", plays)
    assert round_["turns"][18]["lay"] == "R8"
    assert round_["turns"][18]["moves"] == []


@pytest.mark.parametrize(
    ("preset", "row", "fails"),
    [
        ("board-short", "R5 R5", ""),
        ("board-short", "R5 R6 R5", "R5"),
        ("board-short-updown", "R5 R5 R3 R3", ""),
        ("board-short-updown", "R5 R5 R3 R4", "R4"),
        ("board-short-updown", "R5 R6 R6 R10", ""),
        ("board-short-updown", "R5 R6 R3", "R3"),
    ],
)
def test_rows_rise_or_fall(play, preset, row, fails):
    plays = [row, " ".join(f"-Y{rank}" for rank in range(len(row.split())))]
    ruleset = f"{preset}:opening=any,turn_limit={2 * len(row.split())}"
    if fails:
        with pytest.raises(StrategyBrokeError, match=f"{fails} cannot be laid"):
            play(ruleset, plays)
    else:
        round_ = play(ruleset, plays)
        assert round_["pawns"][0]["R"][0] == len(row.split())


@pytest.mark.parametrize(
    ("plays", "says"),
    [
        ("R5", "R5 cannot be laid"),
        ("R4* G4*", "the leader is on a path"),
        ("R4 R5*", "does not start an expedition"),
        ("R4 G4", "all explorers are on a path"),
        ("R4* G4 B3", "B3 cannot be laid"),
        ("-B3 -B3", "B3 is not in the hand"),
    ],
)
def test_what_a_seat_may_not_play(play, plays, says):
    cards = ["R4 R5 G4 B3 W9 W10 Y9 Y10", "Y0 Y1 Y2"]
    with pytest.raises(StrategyBrokeError, match=says):
        play("board-short:explorers=1,turn_limit=6", [plays, "-Y0 -Y1 -Y2"], cards=cards)


def test_the_last_card_of_the_draw_pile_ends_the_round(play):
    round_ = play("board-short:removed_cards=0/82", ["-R0 -R1", "-G0 -G1", "-Y0 -Y1"])
    assert [turn["seat"] for turn in round_["turns"]] == [0, 1, 2, 0]
    assert round_["turns"][-1]["draw"] == "deck"
    assert round_["ended_by"] == "deck"


@pytest.mark.parametrize(
    ("artefacts", "winners", "twelfths"), [((7, 5), [0], [12, 0]), ((5, 5), [0, 1], [6, 6])]
)
def test_artefacts_decide_between_equal_points(artefacts, winners, twelfths):
    assert find_winners([200, 200], artefacts) == winners
    rows = np.zeros((1, 1, 2), build_row_dtype(2))
    for number, held in enumerate(artefacts):
        rows[f"points_{number}"][..., -1] = 200
        rows[f"artefacts_{number}"] = [held - 2, 2]
    assert GAME.settle_games(None, rows).win_twelfths[0, 0].tolist() == twelfths


def test_the_leader_counts_double_and_vp_tiles_do_not(play):
    round_ = play("board-short:turn_limit=4", ["G0* G1", "G0 G1"], tiles={"G2": 10})
    assert round_["vp"] == [10, 10]
    assert round_["space_points"] == [-30, -15]
    assert round_["totals"] == [0, 0]
    assert round_["pawns"] == [{"G": [2, "leader"]}, {"G": [2, "explorer"]}]
