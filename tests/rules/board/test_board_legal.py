"""Legality in a table: what a row accepts, what may open it, and sets of cards."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lcsim.board import unseen_cards
from lcsim.rules import parse_ruleset
from lcsim.rules.board.cards import (
    RANK_MASK,
    add_card,
    cards_of_ranks,
    count_card,
    join_cards,
    parse_card,
    rank_of,
    remove_card,
)
from lcsim.rules.board.legal import accepts_after, can_open, can_step, opening_ranks, playable_ranks
from lcsim.rules.board.referee import deal_table, stack_round
from lcsim.rules.board.ruleset import build_color_mask
from lcsim.rules.board.table import Seat

FULL = build_color_mask(parse_ruleset("board")) & RANK_MASK


def write_ranks(mask):
    return " ".join(str(rank) for rank in range(11) if mask >> rank & 1)


def collect(cards):
    """Return the set of cards of one color, given as ranks."""
    mask = 0
    for rank in cards:
        mask = add_card(mask, rank)
    return mask


@pytest.mark.parametrize(
    ("row", "either", "accepts"),
    [
        ("0", 0, "0 1 2 3 4 5 6 7 8 9 10"),
        ("5", 0, "5 6 7 8 9 10"),
        ("5 5", 0, "5 6 7 8 9 10"),
        ("2 9", 0, "9 10"),
        ("10", 0, "10"),
        ("5", 1, "0 1 2 3 4 5 6 7 8 9 10"),
        ("5 5", 1, "0 1 2 3 4 5 6 7 8 9 10"),
        ("5 5 3", 1, "0 1 2 3"),
        ("5 7", 1, "7 8 9 10"),
        ("5 7 7", 1, "7 8 9 10"),
        ("9 4 4", 1, "0 1 2 3 4"),
        ("0 10", 1, "10"),
        ("10 0", 1, "0"),
    ],
)
def test_what_a_row_accepts(row, either, accepts):
    laid, now = 0, FULL
    for rank in map(int, row.split()):
        assert now >> rank & 1
        now = accepts_after(laid, rank, FULL, either)
        laid = add_card(laid, rank)
    assert write_ranks(now) == accepts


@pytest.mark.parametrize(
    ("hand", "either", "open_any", "opens"),
    [
        ([], 0, 0, ""),
        ([3, 5, 9], 0, 0, "3"),
        ([3, 3, 9], 0, 0, "3"),
        ([3, 5, 9], 1, 0, "3 9"),
        ([4, 4], 1, 0, "4"),
        ([3, 5, 9], 0, 1, "3 5 9"),
    ],
)
def test_what_may_open_a_row(hand, either, open_any, opens):
    assert write_ranks(opening_ranks(collect(hand), either, open_any)) == opens
    assert write_ranks(playable_ranks(collect(hand), 0, FULL, 1, either, open_any)) == opens
    assert playable_ranks(collect(hand), 0, FULL, 0, either, open_any) == 0


def test_a_row_under_way_needs_no_pawn():
    assert write_ranks(playable_ranks(collect([2, 6, 6]), collect([5]), 0x7E0, 0, 0, 0)) == "6"


def test_pawns_that_start_and_pawns_that_step():
    assert [can_open(1, leader, 0) for leader in (-1, 0, 4)] == [True, False, False]
    assert [can_open(0, -1, explorers) for explorers in (0, 1, 4)] == [False, True, True]
    assert [can_step(space, 9) for space in (0, 1, 8, 9)] == [False, True, True, False]


COUNTS = st.lists(st.integers(0, 2), min_size=11, max_size=11)


@given(COUNTS, st.data())
def test_sets_count_cards(counts, data):
    cards = [rank for rank, count in enumerate(counts) for _ in range(count)]
    mask = collect(data.draw(st.permutations(cards)))
    assert [count_card(mask, rank) for rank in range(11)] == counts
    assert mask.bit_count() == len(cards)
    assert mask & RANK_MASK == sum(1 << rank for rank in set(cards))
    for rank in range(11):
        fewer = remove_card(mask, rank)
        assert count_card(fewer, rank) == max(0, counts[rank] - 1)
        assert fewer & ~(0x10001 << rank) == mask & ~(0x10001 << rank)
    rest = collect(rank for rank, count in enumerate(counts) for _ in range(2 - count))
    assert join_cards(mask, rest) == collect(sorted([*range(11), *range(11)]))
    ranks = data.draw(st.integers(0, RANK_MASK))
    assert cards_of_ranks(mask, ranks) == collect(r for r in cards if ranks >> r & 1)


@pytest.mark.parametrize("ruleset", ["board", "board:copies=1,lowest_rank=2,removed_cards=0"])
def test_cards_not_seen_are_those_of_the_deck_but_what_the_view_shows(ruleset):
    rules = parse_ruleset(ruleset)
    stack = stack_round(rules, seed=3, deal=1, round_=0)
    table = deal_table(rules, stack, 0, [Seat(), Seat(), Seat()])
    view = table.view(1)
    hidden = [*table.draw_pile, *table.removed]
    hidden += [card for i, card in enumerate(stack.deck[:24]) if i % 3 != 1]
    for color in range(5):
        expected = collect(rank_of(card) for card in hidden if card >> 4 == color)
        assert unseen_cards(view, color) == expected


@pytest.mark.parametrize("text", ["", "R", "R11", "Rw", "P3", "r-1", "R1.0"])
def test_a_card_that_is_none_is_refused(text):
    from lcsim.errors import UsageError

    with pytest.raises(UsageError):
        parse_card(text)


def test_every_card_has_its_name():
    names = [f"{color}{rank}" for color, rank in itertools.product("RGWBY", range(11))]
    assert [parse_card(name) for name in names] == [
        16 * color + rank for color, rank in itertools.product(range(5), range(11))
    ]
