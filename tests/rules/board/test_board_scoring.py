"""Points of pawns and artefacts, worked by hand."""

import json
from pathlib import Path

import pytest

from lcsim.errors import UsageError
from lcsim.rules import parse_ruleset
from lcsim.rules.board.scoring import add_points, score_artefacts, score_text

CASES = json.loads((Path(__file__).parents[2] / "fixtures" / "board.json").read_text())


@pytest.mark.parametrize("case", CASES["scoring"], ids=lambda case: case["why"])
def test_pawns_score_as_worked_by_hand(case):
    pawns = " ".join(
        f"{color}{space}{'L' if pawn == 'leader' else ''}"
        for color, (space, pawn) in case["pawns"].items()
    )
    gained = score_text(parse_ruleset("board"), pawns)
    assert add_points(case["points"], gained) == case["after"]


@pytest.mark.parametrize(
    ("preset", "number", "points"),
    [(name, *case) for name, table in CASES["artefacts"].items() for case in table.items()],
)
@pytest.mark.parametrize("direction", ["", "-updown"])
def test_artefacts_score_as_worked_by_hand(preset, direction, number, points):
    assert score_artefacts(parse_ruleset(preset + direction), int(number)) == points


@pytest.mark.parametrize(
    ("ruleset", "number", "points"),
    [
        ("board", 27, 70),
        ("board", 1000, 70),
        ("board:artefact_points=1/2", 0, 1),
        ("board:artefact_points=1/2", 40, 2),
    ],
)
def test_the_last_entry_is_for_more_too(ruleset, number, points):
    assert score_artefacts(parse_ruleset(ruleset), number) == points


@pytest.mark.parametrize(
    ("ruleset", "pawns", "points"),
    [
        ("board", "", 0),
        ("board", "R1 G2 W3 B4 Y5", -30),
        ("board", "r6 G7l", 75),
        ("board:leader_factor=3", "Y9L", 150),
        ("board:leader_factor=0", "Y1L", 0),
    ],
)
def test_overrides_change_the_score(ruleset, pawns, points):
    assert score_text(parse_ruleset(ruleset), pawns) == points


@pytest.mark.parametrize(
    ("pawns", "says"),
    [
        ("R0", "beside its path"),
        ("R10", "beside its path"),
        ("P3", "not a pawn"),
        ("Rw", "not a pawn"),
        ("R3 R4", "one too many"),
        ("R3L G4L", "one too many"),
    ],
)
def test_the_refusal_says_what_is_wrong(pawns, says):
    with pytest.raises(UsageError) as caught:
        score_text(parse_ruleset("board"), pawns)
    assert says in str(caught.value)
