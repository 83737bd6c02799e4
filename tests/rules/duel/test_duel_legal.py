"""Legality in a table: what an expedition accepts after the cards laid."""

import pytest

from lcsim.rules import parse_ruleset
from lcsim.rules.duel.cards import index_of, parse_card, write_mask
from lcsim.rules.duel.legal import accepts_after, drawable_piles
from lcsim.rules.duel.ruleset import build_color_mask

FULL = build_color_mask(parse_ruleset("duel"))


def lay(cards, either=0):
    """Return what an expedition accepts after `cards`, wagers told apart by their order."""
    laid, accepts, wagers = 0, FULL, 0
    for word in cards.split():
        index = index_of(parse_card(word))
        if index < 3:
            index, wagers = wagers, wagers + 1
        assert accepts >> index & 1, f"{word} is illegal"
        accepts = accepts_after(laid, index, FULL, either)
        laid |= 1 << index
    return write_mask(0, accepts)


@pytest.mark.parametrize(
    ("cards", "either", "accepts"),
    [
        ("Rw", 0, "Rw Rw R2 R3 R4 R5 R6 R7 R8 R9 R10"),
        ("Rw Rw Rw", 0, "R2 R3 R4 R5 R6 R7 R8 R9 R10"),
        ("R2", 0, "R3 R4 R5 R6 R7 R8 R9 R10"),
        ("Rw R7", 0, "R8 R9 R10"),
        ("R10", 0, ""),
        ("R5", 1, "R2 R3 R4 R6 R7 R8 R9 R10"),
        ("Rw R5", 1, "R2 R3 R4 R6 R7 R8 R9 R10"),
        ("R5 R7", 1, "R8 R9 R10"),
        ("R5 R4", 1, "R2 R3"),
        ("R10 R2", 1, ""),
        ("Rw R3 R9", 1, "R10"),
        ("R9 R6 R5", 1, "R2 R3 R4"),
    ],
)
def test_what_an_expedition_accepts(cards, either, accepts):
    assert lay(cards, either) == accepts


@pytest.mark.parametrize(
    ("filled", "discarded_to", "redraw", "drawable"),
    [(0b101, -1, 0, 0b101), (0b101, 0, 0, 0b100), (0b101, 0, 1, 0b101), (0b1, 0, 0, 0)],
)
def test_a_seat_may_not_draw_what_it_has_just_discarded(filled, discarded_to, redraw, drawable):
    assert drawable_piles(filled, discarded_to, redraw) == drawable
