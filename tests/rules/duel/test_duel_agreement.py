"""Referee and kernel play the same games: every move, draw, card and score."""

import numpy as np
import pytest
from duel_playing import GAME, NAMES, assert_same_games, load
from hypothesis import given, settings
from hypothesis import strategies as st

from lcsim.rules import build_ruleset, parse_ruleset

SEED = 77


@pytest.mark.parametrize("preset", sorted(GAME.presets))
@pytest.mark.parametrize("name", NAMES)
def test_every_shipped_strategy_plays_the_same_in_both(name, preset):
    other = NAMES[(NAMES.index(name) + 1) % len(NAMES)]
    ruleset = parse_ruleset(preset)
    n_deals = 30 if ":" not in name + other else 4  # of one that searches, fewer
    games = assert_same_games(ruleset, (name, other), seed=SEED, first_deal=3, n_deals=n_deals)
    assert games == 2 * n_deals  # with eight strategies and three presets, 1,440 games


OVERRIDES = st.fixed_dictionaries(
    {},
    optional={
        "colors": st.integers(1, 6),
        "wagers_per_color": st.integers(0, 3),
        "lowest_rank": st.integers(2, 6),
        "highest_rank": st.integers(6, 10),
        "hand_size": st.integers(1, 12),
        "expedition_cost": st.integers(0, 60),
        "bonus_cards": st.integers(0, 12),
        "bonus_points": st.integers(0, 90),
        "rounds": st.integers(1, 4),
        "next_starter": st.sampled_from(["alternate", "leader"]),
        "redraw_own_discard": st.booleans(),
        "direction": st.sampled_from(["ascending", "either"]),
        "turn_limit": st.integers(1, 120),
    },
)


RESTRICTIONS = st.one_of(
    st.just(""),
    st.sampled_from(
        [
            "@no-wagers",
            "@no-discard-draws",
            "@max-expeditions=0",
            "@max-expeditions=2",
            "@no-lay=Rw+no-lay=G5",
            "@no-wagers:0.4",
            "@no-discard-draws:1.6+max-expeditions=3",
            "@max-expeditions=1:0.5+no-wagers",
        ]
    ),
)


@settings(max_examples=150, deadline=None)
@given(
    preset=st.sampled_from(sorted(GAME.presets)),
    changes=OVERRIDES,
    names=st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)),
    restrictions=st.tuples(RESTRICTIONS, RESTRICTIONS),
    seed=st.integers(0, 2**64 - 1),
    deal=st.integers(0, 2**40),
)
def test_random_rulesets_play_the_same_in_both(preset, changes, names, restrictions, seed, deal):
    deck = changes.get("colors", 5) * (
        changes.get("wagers_per_color", 3)
        + changes.get("highest_rank", 10)
        - changes.get("lowest_rank", 2)
        + 1
    )
    changes["hand_size"] = max(1, min(changes.get("hand_size", 8), (deck - 1) // 2))
    if deck < 3:
        return
    ruleset = build_ruleset(preset, changes)
    specs = [name + limits for name, limits in zip(names, restrictions, strict=True)]
    assert_same_games(ruleset, specs, seed=seed, first_deal=deal, n_deals=2)


def test_the_turn_limit_ends_a_round_in_both():
    ruleset = parse_ruleset("duel:turn_limit=7")
    loaded, compiled = load("ladder")
    rows = GAME.play_deals(
        ruleset, seed=1, first_deal=0, n_deals=4, strategies=[compiled, compiled]
    )
    assert (rows["turns"] == 7).all()
    assert {GAME.endings[ended] for ended in rows["ended_by"].ravel()} == {"turn_limit"}
    assert_same_games(ruleset, ("ladder", "ladder"), seed=1, first_deal=0, n_deals=4)
    assert loaded.form == "deciding"


def test_units_of_any_size_give_the_same_rows():
    ruleset = parse_ruleset("duel")
    both = [load("ladder")[1], load("cautious-opener")[1]]
    whole = GAME.play_deals(ruleset, seed=9, first_deal=100, n_deals=50, strategies=both)
    parts = [
        GAME.play_deals(ruleset, seed=9, first_deal=first, n_deals=n, strategies=both)
        for first, n in ((100, 1), (101, 30), (131, 19))
    ]
    assert np.concatenate(parts).tobytes() == whole.tobytes()


def test_a_match_of_a_strategy_with_itself_is_mirrored():
    ruleset = parse_ruleset("duel:rounds=1")
    one = load("cautious-opener")[1]
    rows = GAME.play_deals(ruleset, seed=4, first_deal=0, n_deals=60, strategies=[one, one])
    assert np.array_equal(rows["score_0"][:, 0], rows["score_1"][:, 1])
    assert np.array_equal(rows["score_1"][:, 0], rows["score_0"][:, 1])
