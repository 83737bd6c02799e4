from pathlib import Path

import numpy as np
import pytest

from lcsim.errors import PartError
from lcsim.report.blocks import SEGMENT_DEALS, plan_blocks, shape_rows
from lcsim.report.source import Piece


def piece(matchup, first, n):
    return Piece(matchup, Path(f"{matchup}-{first}.parquet"), first, n)


def test_a_block_ends_where_no_part_straddles():
    pieces = [piece(0, 0, 8), piece(1, 0, 4), piece(1, 4, 4), piece(0, 8, 8), piece(1, 8, 8)]
    blocks = plan_blocks(pieces)
    assert [(block.first, block.end) for block in blocks] == [(0, 8), (8, 16)]
    assert blocks[0].cut() == [(0, 4), (4, 8)]
    assert sum(len(block.pieces) for block in blocks) == len(pieces)


def test_parts_of_different_sizes_and_gaps():
    blocks = plan_blocks([piece(0, 0, 6), piece(1, 0, 4), piece(1, 4, 4), piece(0, 20, 2)])
    assert [(block.first, block.end) for block in blocks] == [(0, 8), (20, 22)]
    assert blocks[0].cut() == [(0, 4), (4, 6), (6, 8)]
    assert plan_blocks([]) == []


def test_a_long_part_is_cut():
    (block,) = plan_blocks([piece(0, 5, 3 * SEGMENT_DEALS)])
    assert [end - first for first, end in block.cut()] == [SEGMENT_DEALS] * 3


def make_rows(n_deals, first=0):
    rows = np.zeros((n_deals, 2, 3), [("deal", "i8"), ("rotation", "i1"), ("round", "i2")])
    rows["deal"] = np.arange(first, first + n_deals)[:, None, None]
    rows["rotation"] = np.arange(2)[None, :, None]
    rows["round"] = np.arange(3)[None, None, :]
    return rows


def test_rows_take_their_shape():
    rows = make_rows(4, first=8)
    assert np.array_equal(shape_rows(piece(0, 8, 4), rows.ravel(), 2), rows)


@pytest.mark.parametrize("what", ["short", "long", "shuffled", "other deals"])
def test_rows_of_another_unit_are_refused(what):
    rows = {
        "short": make_rows(4, first=8).ravel()[:-1],
        "long": make_rows(5, first=8).ravel()[:29],
        "shuffled": make_rows(4, first=8).ravel()[::-1],
        "other deals": make_rows(4).ravel(),
    }[what]
    with pytest.raises(PartError, match="does not fit the run"):
        shape_rows(piece(0, 8, 4), rows, 2)
