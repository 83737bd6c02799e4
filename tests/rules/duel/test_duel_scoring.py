"""Scores of expeditions, worked by hand."""

import json
from pathlib import Path

import pytest

from lcsim.errors import UsageError
from lcsim.rules import parse_ruleset
from lcsim.rules.duel.scoring import build_score_table, parse_expedition, score_text

CASES = json.loads((Path(__file__).parents[2] / "fixtures" / "scoring.json").read_text())


@pytest.mark.parametrize(
    ("ruleset", "cards", "points"),
    [(name, *case) for name in ("duel", "classic") for case in CASES[name]],
)
def test_an_expedition_scores_as_worked_by_hand(ruleset, cards, points):
    assert score_text(parse_ruleset(ruleset), cards) == points


@pytest.mark.parametrize("cards", CASES["illegal"])
def test_an_illegal_expedition_is_refused(cards):
    with pytest.raises(UsageError):
        score_text(parse_ruleset("duel"), cards)


@pytest.mark.parametrize(
    ("ruleset", "cards", "points"),
    [
        ("duel:bonus_points=0", "R2 R3 R4 R5 R6 R7 R8 R9", 24),
        ("duel:bonus_points=7,bonus_cards=2", "Rw R2", -29),
        ("duel:expedition_cost=0", "Rw R2", 4),
        ("duel:direction=either", "Rw R10 R4 R3", -6),
        ("duel-long", "P2 P10", -8),
    ],
)
def test_overrides_change_the_score(ruleset, cards, points):
    assert score_text(parse_ruleset(ruleset), cards) == points


@pytest.mark.parametrize(
    ("ruleset", "cards", "says"),
    [
        ("duel", "P2", "not in the deck"),
        ("duel:direction=either", "R5 R3 R4", "all rise or all fall"),
        ("duel:direction=either", "R5 Rw", "before every number"),
        ("duel:wagers_per_color=1", "Rw Rw", "1 wager of a color"),
        ("duel:lowest_rank=4", "R3", "cannot be laid"),
        ("duel", "Rw Rw Rw Rw", "3 wagers"),
    ],
)
def test_the_refusal_names_the_rule(ruleset, cards, says):
    with pytest.raises(UsageError) as caught:
        score_text(parse_ruleset(ruleset), cards)
    assert says in str(caught.value)


def test_the_table_has_every_mask():
    ruleset = parse_ruleset("duel")
    table = build_score_table(ruleset)
    for cards, points in CASES["duel"]:
        _, mask = parse_expedition(ruleset, cards)
        assert table[mask] == points
    assert table.shape == (4096,)
    assert not table.flags.writeable
