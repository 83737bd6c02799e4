"""Referee and kernel play the same games: every move, tile, draw, card and score."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from playing import GAME, NAMES, assert_same_games, load

from lcsim.errors import RulesetError
from lcsim.rules import build_ruleset, parse_ruleset

SEED = 77


@pytest.mark.parametrize("n_players", GAME.player_counts)
@pytest.mark.parametrize("preset", sorted(GAME.presets))
@pytest.mark.parametrize("name", NAMES)
def test_every_shipped_strategy_plays_the_same_in_both(name, preset, n_players):
    first = NAMES.index(name)
    names = [NAMES[(first + i) % len(NAMES)] for i in range(n_players)]
    n_deals = -(-18 // n_players)
    games = assert_same_games(
        parse_ruleset(preset), names, seed=SEED, first_deal=3, n_deals=n_deals
    )
    assert games >= 18  # with eleven strategies, over 2,300 games; below, some 480 more


@st.composite
def boards(draw):
    """Return overrides that make another board: paths, tiles and their places."""
    colors, last = draw(st.integers(1, 5)), draw(st.integers(2, 12))
    places = [
        sorted(draw(st.sets(st.integers(2, last), max_size=min(5, last - 1))))
        for _ in range(colors)
    ]
    n = sum(map(len, places))
    artefacts = draw(st.integers(0, n))
    steps = draw(st.integers(0, n - artefacts))
    vp = n - artefacts - steps
    return {
        "colors": colors,
        "tile_places": places,
        "artefact_tiles": artefacts,
        "step_tiles": steps,
        "vp_tiles": draw(st.lists(st.integers(1, 40), min_size=vp, max_size=vp)),
        "space_points": draw(st.lists(st.integers(-60, 60), min_size=last, max_size=last)),
        "bridge_after": draw(st.integers(1, last)),
    }


OVERRIDES = st.fixed_dictionaries(
    {},
    optional={
        "copies": st.integers(1, 2),
        "lowest_rank": st.integers(0, 5),
        "highest_rank": st.integers(5, 10),
        "hand_size": st.integers(1, 10),
        "removed_cards": st.lists(st.integers(0, 40), min_size=1, max_size=3),
        "rounds": st.integers(1, 3),
        "crossings_to_end": st.integers(1, 12),
        "explorers": st.integers(0, 5),
        "leader_factor": st.integers(0, 3),
        "artefact_points": st.lists(st.integers(-50, 90), min_size=2, max_size=12),
        "direction": st.sampled_from(["ascending", "either"]),
        "opening": st.sampled_from(["extreme", "any"]),
        "redraw_own_discard": st.booleans(),
        "next_starter": st.sampled_from(["after-last-advance", "after-last-starter"]),
        "turn_limit": st.integers(1, 120),
    },
)


RESTRICTIONS = st.sampled_from(
    [
        *("",) * 4,
        "@no-leader",
        "@no-discard-draws",
        "@max-expeditions=0",
        "@max-expeditions=2+no-leader",
        "@no-lay=R0+no-lay=G5",
        "@no-leader:0.1",
        "@no-discard-draws:1.6+max-expeditions=3",
    ]
)


@settings(max_examples=160, deadline=None)
@given(
    preset=st.sampled_from(sorted(GAME.presets)),
    board=st.one_of(st.just({}), boards()),
    changes=OVERRIDES,
    names=st.lists(st.tuples(st.sampled_from(NAMES), RESTRICTIONS), min_size=2, max_size=4),
    seed=st.integers(0, 2**64 - 1),
    deal=st.integers(0, 2**40),
)
def test_random_rulesets_play_the_same_in_both(preset, board, changes, names, seed, deal):
    try:
        ruleset = build_ruleset(preset, {**changes, **board})
        GAME.check_players(ruleset, len(names))
    except RulesetError:
        assume(False)
    assert parse_ruleset(ruleset.spec) == ruleset
    specs = [name + limits for name, limits in names]
    assert_same_games(ruleset, specs, seed=seed, first_deal=deal, n_deals=1)


def test_the_turn_limit_ends_a_round_in_both():
    ruleset = parse_ruleset("board:turn_limit=7")
    both = [load("random-legal")[1]] * 3
    rows = GAME.play_deals(ruleset, seed=1, first_deal=0, n_deals=4, strategies=both)
    assert (rows["turns"] == 7).all()
    assert {GAME.endings[ended] for ended in rows["ended_by"].ravel()} == {"turn_limit"}
    assert_same_games(ruleset, ["random-legal"] * 3, seed=1, first_deal=0, n_deals=4)


def test_units_of_any_size_give_the_same_rows():
    ruleset = parse_ruleset("board")
    three = [load("steady")[1], load("random-legal")[1], load("steady")[1]]
    whole = GAME.play_deals(ruleset, seed=9, first_deal=100, n_deals=50, strategies=three)
    parts = [
        GAME.play_deals(ruleset, seed=9, first_deal=first, n_deals=n, strategies=three)
        for first, n in ((100, 1), (101, 30), (131, 19))
    ]
    assert np.concatenate(parts).tobytes() == whole.tobytes()
    assert whole.shape == (50, 3, 3)


@pytest.mark.parametrize("n_players", GAME.player_counts)
def test_a_match_of_a_strategy_with_itself_is_the_same_in_every_rotation(n_players):
    same = [load("steady")[1]] * n_players
    rows = GAME.play_deals(
        parse_ruleset("board"), seed=4, first_deal=0, n_deals=40, strategies=same
    )
    for name in ("points", "vp", "artefacts", "leader"):
        for rotation in range(n_players):
            for number in range(n_players):
                seat = (number + rotation) % n_players
                turned = rows[f"{name}_{number}"][:, rotation]
                assert np.array_equal(turned, rows[f"{name}_{seat}"][:, 0])
