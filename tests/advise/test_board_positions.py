"""Board positions that no game comes to are refused at the entry that cannot be."""

import pytest

from lcsim.advise import DRAW, PLAY, STEP, parse_position
from lcsim.advise.games import ROOMS
from lcsim.errors import PositionError

EXAMPLE = ROOMS["board"].example


def change(*pairs):
    """Return the example with texts replaced, each of which is there once."""
    text = EXAMPLE
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


LAID = (('hand = "R4 R7', 'hand = "R7'), ("R2 R3 W1", "R2 R3 R4 W1"), ("draw_pile = 41  ", ""))
PLAYED = ("round = 1   ", 'played = "lay R4"\nround = 1')
DUE = ("round = 1   ", 'played = "lay R4"\nstep = true\nround = 1')


@pytest.mark.parametrize(
    ("pairs", "entry", "says"),
    [
        ([("R5L W2 B1", "R9L W9 B9")], "pawns", "have come 27 spaces, but there are 7 cards"),
        ([("R5L W2", "R3L W2")], "pawns", "R3 is behind its row, whose 4 cards move it to 4"),
        ([("artefacts = 2", "artefacts = 200")], "artefacts", "are 201 together, and 10"),
        ([("W2:step W3:vp5", "W2:vp5 W3:step")], "pawns", "have come 8 spaces, but there are 7"),
        ([("R5 G3 Y3L", "R6 G3 Y4L")], "others[0].pawns", "have come 13 spaces, but there are 10"),
        ([("Y2:vp15 Y4:artefact", "Y2:artefact Y4:vp15")], "tiles", "Y2:artefact lies where"),
        ([("points = 35", "points = 4")], "points", "are 4, but the VP tiles"),
        ([("points = 35", "points = 3500000000000000000000000")], "points", "100000000"),
        ([("points = 35", "points = 376")], "points", "give 375 at most"),
        ([("points = 20", "points = 19")], "others[0].points", "give 20 at least"),
        ([("round = 1", "round = 0")], "points", "give 5 in the first round"),
        (
            [("artefacts = 2", "artefacts = 0"), ("artefacts = 1", "artefacts = 0")],
            "artefacts",
            "and others[0].artefacts are together 0, but 1 that is gone",
        ),
        ([*LAID, DUE], "step", "none is due"),
        ([*LAID, DUE, ("R5L W2", "R6L W3")], "pawns", "the last of which has moved no pawn yet"),
        ([("round = 1   ", "step = true\nround = 1")], "step", "is due after a card is laid"),
    ],
)
def test_a_table_that_cannot_come_about_is_refused(pairs, entry, says):
    with pytest.raises(PositionError) as caught:
        parse_position(change(*pairs))
    assert caught.value.message.startswith(f"this position: {entry}: ")
    assert says in caught.value.message
    assert caught.value.hint


def test_the_last_step_tile_cannot_have_moved_its_own_pawn_there():
    """R2 and G2, both on step tiles, with a card each: the first step never came."""
    text = (
        'ruleset = "board:rounds=1,hand_size=1,removed_cards=90"\n'
        'hand = "W0"\nmine = "R0 G0"\npawns = "{pawns}"\n'
        'tiles = "R3:vp5 R5:step R6:step R7:step R9:step G2:step G4:step G5:step G7:step '
        "G9:step W2:vp5 W3:vp10 W5:vp10 W7:vp10 W9:vp15 B3:vp15 B4:artefact B6:artefact "
        'B7:artefact B9:artefact Y2:artefact Y4:artefact Y5:artefact Y7:artefact Y9:artefact"\n'
        "[[others]]\n"
    )
    parse_position(text.format(pawns="R1 G1"))
    with pytest.raises(PositionError, match="the last of which has moved no pawn yet"):
        parse_position(text.format(pawns="R1 G2"))


def test_a_step_that_is_due_is_asked_for():
    text = change(*LAID, ("R5L", "R6L"), DUE)
    position = parse_position(text)
    assert position.decision == STEP
    assert parse_position(change(*LAID, ("R5L", "R6L"), PLAYED)).decision == DRAW
    assert parse_position(EXAMPLE).decision == PLAY
    names = [
        ROOMS["board"].name_move(position, move) for move in ROOMS["board"].list_moves(position)
    ]
    assert names == ["move no pawn", "move R to 7 (artefact)", "move W to 3 (vp5)", "move B to 2"]
