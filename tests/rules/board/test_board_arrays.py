"""Arrays of many views say what each view and the helpers for one of them say."""

import numpy as np
import pytest
from playing import GAME, load

from lcsim import board
from lcsim.board import DISCARD, DRAWS, LEADER, PLAYS, STEPS
from lcsim.rules import parse_ruleset
from lcsim.rules.board.cards import RANK_MASK, count_card, make_card
from lcsim.rules.board.restrict import narrow_view
from lcsim.rules.board.view import VIEW_DTYPE, View

SPECS = ["board-short", "board-short-updown:leader_factor=3", "board-short:explorers=1,opening=any"]


def collect(spec, n_players, restriction=""):
    """Return what the seats of a game saw: tuples of view, table, seat and decision."""
    found = []

    def watch(table, seat, decider, rng, decision):
        view = narrow_view(table.view(seat), decider.restriction, decision)
        found.append((view, decision))

    names = [f"{name}{restriction}" for name in ("racer", "random-legal", "collector", "steady")]
    deciders = [load(name)[0].decider for name in names[:n_players]]
    GAME.replay(parse_ruleset(spec), seed=6, deal=1, rotation=0, strategies=deciders, watch=watch)
    return [view for view, _ in found], [decision for _, decision in found]


def list_plays(view):
    """Return the legal plays of a view, by the rules' own words."""
    plays = set()
    for color in range(view.colors):
        for rank in range(11):
            card = make_card(color, rank)
            if view.hand[color] >> rank & 1:
                plays.add(DISCARD + card)
            if view.playable[color] >> rank & 1:
                if view.mine[color] or view.explorers:
                    plays.add(card)
                if view.may_lead and not view.mine[color]:
                    plays.add(LEADER + card)
    return plays


@pytest.mark.parametrize("restriction", ["", "@no-leader+max-expeditions=2"])
@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("n_players", [2, 4])
def test_legal_moves_are_those_of_each_view(spec, n_players, restriction):
    seen, _ = collect(spec, n_players, restriction)
    views = np.array(seen, VIEW_DTYPE)
    plays, draws, steps = (
        getattr(board, f"legal_{name}")(views) for name in ("plays", "draws", "steps")
    )
    assert len(seen) > 60
    assert plays.shape == (len(seen), 165)
    led = 0
    for view, play, draw, step in zip(seen, plays, draws, steps, strict=True):
        assert set(PLAYS[play].tolist()) == list_plays(view)
        piles = [c for c in range(5) if view.drawable >> c & 1]
        assert DRAWS[draw].tolist() == [-1, *piles]
        pawns = [c for c in range(5) if view.movable >> c & 1]
        assert STEPS[step].tolist() == [-1, *pawns]
        led += play[55:110].any()
    assert (led == 0) == bool(restriction)


@pytest.mark.parametrize("spec", SPECS)
def test_helpers_for_many_views_are_those_for_one(spec):
    seen, _ = collect(spec, 3)
    views = np.array(seen, VIEW_DTYPE)
    gains, tiles = board.space_gains(views), board.next_tiles(views)
    counts = board.unpack_cards(views["hand"])
    ranks = board.unpack_cards(views["accepts"])
    assert gains.any()
    assert set(tiles.ravel().tolist()) >= {board.NO_TILE, board.STEP, board.ARTEFACT}
    assert counts.max() == 2
    for i, view in enumerate(seen):
        assert gains[i].tolist() == [board.space_gain(view, color) for color in range(5)]
        assert tiles[i].tolist() == [board.next_tile(view, color) for color in range(5)]
        for color in range(5):
            held = [count_card(view.hand[color], rank) for rank in range(11)]
            assert counts[i, color].tolist() == held
            assert ranks[i, color].tolist() == [view.accepts[color] >> r & 1 for r in range(11)]


def test_every_play_has_a_number():
    assert len(set(PLAYS.tolist())) == len(PLAYS) == 165
    cards = PLAYS[:55]
    assert (np.diff(cards) > 0).all()
    assert PLAYS.tolist() == [*cards, *(LEADER + cards), *(DISCARD + cards)]
    for table in (PLAYS, DRAWS, STEPS):
        with pytest.raises(ValueError, match="read-only"):
            table[0] = 3


def test_no_view_at_all_is_a_batch_too():
    none = np.zeros(0, VIEW_DTYPE)
    assert board.legal_plays(none).shape == (0, 165)
    assert board.legal_steps(none).shape == board.legal_draws(none).shape == (0, 6)
    assert board.space_gains(none).shape == board.next_tiles(none).shape == (0, 5)
    assert board.unpack_cards(none["hand"]).shape == (0, 5, 11)


def test_sets_of_any_shape_are_unpacked():
    mask = 1 << 3 | 1 << 10 | 1 << 26
    assert board.unpack_cards(np.array(mask)).tolist() == [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 2]
    full = RANK_MASK | RANK_MASK << 16
    assert (board.unpack_cards(np.full((2, 3, 5), full)) == 2).all()
    assert View._fields == VIEW_DTYPE.names
