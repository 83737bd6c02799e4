"""The race between moves, on worlds whose margins are written by hand or drawn."""

import numpy as np
import pytest

from lcsim.rules import search


class Worlds:
    """Margins of each move, by world: what a table and its guest would give; trials are counted."""

    def __init__(self, monkeypatch, margins, *, guests):
        self.margins, self.tried, self.world = margins, [], None
        monkeypatch.setattr(search, "ask_guest", lambda _table: guests)
        monkeypatch.setattr(search, "deal_world", self.deal)
        monkeypatch.setattr(search, "try_move", self.try_move)

    def deal(self, _table, world):
        self.world = world

    def try_move(self, _table, move):
        self.tried.append((self.world, move))
        return self.margins[move][self.world]

    def pick(self, moves, *, samples=3000, doubt=1.5, stakes=(0.0, 0.0)):
        return search.pick_move(None, np.array(moves), samples, doubt, stakes)


@pytest.fixture
def draw(monkeypatch):
    """Return a maker of worlds in which move m is worth means[m], with an error of 20 points."""

    def make(means, *, guests, seed=1):
        luck = np.random.default_rng(seed)
        margins = {move: luck.normal(mean, 20, 4000) for move, mean in means.items()}
        return Worlds(monkeypatch, margins, guests=guests)

    return make


def test_the_best_move_is_picked(draw):
    assert draw({3: 0, 8: 6, 9: -30, 20: 1}, guests=3).pick([20, 9, 8, 3]) == 8


def test_the_guests_move_stays_where_none_is_better(draw):
    assert draw({3: 0, 8: -6, 9: -30}, guests=3).pick([8, 9, 3]) == 3


def test_a_gain_below_its_error_is_not_believed(draw):
    means = {3: 0, 8: 1.0}
    assert draw(means, guests=3).pick([3, 8], samples=200, doubt=6.0) == 3
    assert draw(means, guests=3).pick([3, 8], samples=7000, doubt=0.0) == 8


def test_moves_that_are_clearly_behind_are_tried_no_more(draw):
    worlds = draw({3: 0, 8: 3, 9: -40, 10: -50, 11: -60}, guests=3)
    worlds.pick([3, 8, 9, 10, 11], samples=2000)
    counts = {move: sum(tried == move for _, tried in worlds.tried) for move in worlds.margins}
    assert max(counts[move] for move in (9, 10, 11)) == search.FIRST_LOOK
    assert counts[3] == counts[8] > 500


def test_it_ends_when_only_the_guests_move_is_left(draw):
    worlds = draw({3: 0, 8: -50, 9: -60}, guests=3)
    assert worlds.pick([9, 8, 3], samples=2000) == 3
    assert len(worlds.tried) == 3 * search.FIRST_LOOK


@pytest.mark.parametrize("samples", [1, 8, 100, 101, 999, 2000])
def test_no_more_is_tried_than_asked_but_each_move_once(draw, samples):
    worlds = draw({move: move / 10 for move in range(16)}, guests=0)
    worlds.pick(list(range(16)), samples=samples)
    assert 16 <= len(worlds.tried) < samples + 16 + 1
    first = worlds.tried[:16]
    assert sorted(move for _, move in first) == list(range(16))
    assert {world for world, _ in first} == {0}


def test_all_moves_of_a_world_are_tried_in_it(draw):
    worlds = draw({3: 0, 8: 1, 9: -1}, guests=3)
    worlds.pick([8, 3, 9], samples=60)
    assert [tried for tried in worlds.tried if tried[0] == 7] == [(7, 3), (7, 8), (7, 9)]


def test_one_move_is_not_tried(draw):
    worlds = draw({5: 0}, guests=5)
    assert worlds.pick([5]) == 5
    assert worlds.tried == []


def test_the_first_takes_the_place_of_a_move_that_is_forbidden(draw):
    assert draw({3: 0, 8: -6}, guests=4).pick([3, 8]) == 3


def test_winning_counts_beside_points(monkeypatch):
    """Move 8 loses a point in half of the worlds and wins the round in the others, by little."""
    margins = {3: [-1, -1] * 2000, 8: [-6, 1] * 2000}
    worlds = Worlds(monkeypatch, margins, guests=3)
    assert worlds.pick([3, 8], doubt=0.0) == 3
    assert worlds.pick([3, 8], doubt=0.0, stakes=(30.0, 0.0)) == 8
    assert worlds.pick([3, 8], doubt=0.0, stakes=(30.0, -20.0)) == 3


def test_a_twin_of_the_guests_move_is_rarely_preferred(draw):
    """Chance is above a doubt of 1.5 in one of 15 decisions; looking more than once adds some."""
    taken = sum(
        draw({3: 0, 8: 0}, guests=3, seed=seed).pick([3, 8], samples=800) == 8
        for seed in range(300)
    )
    assert 5 < taken < 45
