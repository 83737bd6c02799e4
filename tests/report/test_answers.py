"""What the first sentences claim where not everyone met everyone, and what is clear in them."""

import numpy as np
import pytest
from conftest import draw_rows, write_run

from lcsim.report.answers import GOING_FIRST, WHO_WINS, answer_seat
from lcsim.report.build import build_report
from lcsim.report.variant_answers import WHO_GAINS
from lcsim.stats.estimate import Estimate


def tell(path, labels, *, rulesets=("duel",), skills=(0.5, 0.2)):
    """Return the answers by question of a run in which the first of every pair is the better."""
    rng = np.random.default_rng(3)
    rows = [draw_rows(rng, n_deals=60, skills=skills) for _ in labels] * len(rulesets)
    each = [ruleset for ruleset in rulesets for _ in labels]
    run = write_run(path / "run", rows, labels=labels * len(rulesets), rulesets=each)
    return {answer.question: answer for answer in build_report(run).answers}


def test_pairs_that_never_met_are_not_compared(tmp_path):
    answer = tell(tmp_path, [("a", "b"), ("c", "d")])[WHO_WINS]
    assert "others" not in answer.sentence
    assert any(f"games against {one} (" in answer.sentence for one in "bd")
    assert "met other opponents, so their win rates do not compare" in answer.sentence
    assert "comes next" not in answer.sentence
    assert "told apart" not in answer.sentence


def test_a_one_sided_list_counts_the_opponents_met(tmp_path):
    answer = tell(tmp_path, [("a", "b"), ("a", "c"), ("d", "b")], skills=(0.5, 0.4))[WHO_WINS]
    assert answer.sentence.startswith(("a wins", "d wins"))
    met = "its 2 opponents" if answer.sentence.startswith("a") else "b"
    assert f"games against {met} (" in answer.sentence
    assert "met other opponents" in answer.sentence


def test_two_that_met_the_same_are_compared(tmp_path):
    labels = [("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "d")]
    sentence = tell(tmp_path, labels, skills=(0.5, 0.5))[WHO_WINS].sentence
    assert "met other opponents" not in sentence
    everyone = [*labels, ("a", "b")]
    assert "games against the 3 others" in tell(tmp_path / "all", everyone)[WHO_WINS].sentence


def test_a_variant_ranks_no_strategies_that_met_different_ones(tmp_path):
    rules = ("duel", "duel:expedition_cost=10")
    sentence = tell(tmp_path, [("a", "b"), ("c", "d")], rulesets=rules)[WHO_GAINS].sentence
    assert sentence.startswith("Not all met the same opponents")
    assert "wins most" not in sentence
    sentence = tell(tmp_path / "pair", [("a", "b")], rulesets=rules)[WHO_GAINS].sentence
    assert "wins most" in sentence


def test_a_win_rate_that_nothing_changes_is_said_once(tmp_path):
    rules = ("duel", "duel:expedition_cost=10")
    sentence = tell(tmp_path, [("a", "b")], rulesets=rules, skills=(0.95, 0.01))[WHO_GAINS].sentence
    assert sentence.startswith("a wins most under both, the same 100 ± 0 % of its games; no ")


@pytest.mark.parametrize(
    ("rate", "points", "start", "end"),
    [
        (0.017, 3.0, "It brings points: ", "lies within the error."),
        (0.017, -3.0, "It costs points: ", "lies within the error."),
        (0.05, 0.5, "It helps: ", "the points lie within their error."),
        (-0.05, -3.0, "It costs: ", "than the others."),
        (0.01, 0.5, "Within the error it does not: ", "than the others."),
    ],
)
def test_going_first_says_what_is_clear(rate, points, start, end):
    answer = answer_seat(Estimate(rate, 0.01, 500), Estimate(points, 0.5, 500), "")
    assert answer.question == GOING_FIRST
    assert answer.sentence.startswith(start)
    assert answer.sentence.endswith(end)
