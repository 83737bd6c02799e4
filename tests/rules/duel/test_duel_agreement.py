"""Referee and kernel play the same games: every move, draw, card and score."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lcsim.rules import build_ruleset, get_game, parse_ruleset
from lcsim.rules.duel.cards import parse_card, write_card
from lcsim.rules.duel.kernel import TURN_DTYPE
from lcsim.rules.duel.legal import DISCARD
from lcsim.strategy import compile_strategy, find_strategies, load_strategy

GAME = get_game("duel")
NAMES = sorted(entry.name for entry in find_strategies(kind="duel") if entry.source == "shipped")
SEED = 77


@cache
def load(name):
    loaded = load_strategy(name, kind="duel")
    return loaded, compile_strategy(loaded)


def tell_turn(turn):
    """Return a traced turn as the referee's record has it, without the seat."""
    card = write_card(int(turn["play"]) & ~DISCARD)
    pile = "deck" if turn["draw"] < 0 else "RGWBYP"[turn["draw"]]
    return {
        "discard" if turn["play"] & DISCARD else "lay": card,
        "draw": pile,
        "drawn": write_card(int(turn["drawn"])),
    }


def mask_of(cards):
    """Return the mask of an expedition's text, wagers from the lowest bit."""
    mask = 0
    for word in cards.split():
        index = parse_card(word) & 15
        while mask >> index & 1:
            index += 1
        mask |= 1 << index
    return mask


def count_as_laid(mask):
    """Return the mask with its wagers moved to the lowest bits: equal wagers are equal."""
    wagers = (mask & 7).bit_count()
    return (mask & ~7) | ((1 << wagers) - 1)


def assert_same_games(ruleset, names, *, seed, first_deal, n_deals):
    """Play deals through both and compare all there is; return the number of games."""
    loaded, compiled = zip(*(load(name) for name in names), strict=True)
    games = 0
    for deal in range(first_deal, first_deal + n_deals):
        trace = np.zeros(2 * ruleset.rounds * ruleset.turn_limit, TURN_DTYPE)
        rows = GAME.play_deals(
            ruleset, seed=seed, first_deal=deal, n_deals=1, strategies=compiled, trace=trace
        )[0]
        at = 0
        for rotation in range(2):
            record = GAME.replay(
                ruleset,
                seed=seed,
                deal=deal,
                rotation=rotation,
                strategies=[one.decider for one in loaded],
            )
            seats = record["seats"]
            games += 1
            for told, row in zip(record["rounds"], rows[rotation], strict=True):
                for turn in told["turns"]:
                    expected = {key: value for key, value in turn.items() if key != "seat"}
                    assert tell_turn(trace[at]) == expected
                    at += 1
                assert row["turns"] == len(told["turns"])
                assert GAME.endings[row["ended_by"]] == told["ended_by"]
                assert seats[row["starter"]] == told["starter"]
                for number, seat in enumerate(seats):
                    assert row[f"score_{number}"] == told["scores"][seat]
                    for color in "RGWBYP":
                        laid = count_as_laid(int(row[f"exp_{number}_{color}"]))
                        assert laid == mask_of(told["expeditions"][seat].get(color, ""))
        settled = GAME.settle_games(ruleset, rows[None])
        assert settled.win_twelfths.sum() == 24
    return games


@pytest.mark.parametrize("preset", sorted(GAME.presets))
@pytest.mark.parametrize("name", NAMES)
def test_every_shipped_strategy_plays_the_same_in_both(name, preset):
    other = NAMES[(NAMES.index(name) + 1) % len(NAMES)]
    ruleset = parse_ruleset(preset)
    games = assert_same_games(ruleset, (name, other), seed=SEED, first_deal=3, n_deals=30)
    assert games == 60  # with eight strategies and three presets, 1,440 games


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


@settings(max_examples=150, deadline=None)
@given(
    preset=st.sampled_from(sorted(GAME.presets)),
    changes=OVERRIDES,
    names=st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)),
    seed=st.integers(0, 2**64 - 1),
    deal=st.integers(0, 2**40),
)
def test_random_rulesets_play_the_same_in_both(preset, changes, names, seed, deal):
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
    assert_same_games(ruleset, names, seed=seed, first_deal=deal, n_deals=2)


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
