"""Stopping rules: the same place for any number of jobs and any unit size; expectations."""

import json

import pytest

from lcsim.experiment import build_plan, parse_experiment
from lcsim.experiment.plan import CHECKPOINT_DEALS
from lcsim.report.build import build_report
from lcsim.runner import evaluate_expectations, is_answered_no, run_plan
from lcsim.stats.paired import compare_scores
from lcsim.store import open_run

FAR = {"games": 40_000, "seed": 5}


@pytest.mark.parametrize("rule", [{"precision": 2.0}, {"sprt": (0.0, 20.0)}])
def test_a_rule_stops_at_the_same_deal(tmp_path, make_plan, read_rows, rule):
    results, rows = [], []
    for number, (jobs, unit_deals) in enumerate([(1, None), (2, None), (2, 100), (3, 5000)]):
        folder = tmp_path / str(number)
        plan = make_plan(**FAR, **rule, unit_deals=unit_deals)
        results.append(run_plan(plan, folder, jobs=jobs).matchups)
        rows.append(read_rows(folder))
        parts = {path.stem for path in (folder / "parts").iterdir()}
        assert parts == {unit["id"] for unit in open_run(folder).manifest["units"]}
        again = run_plan(plan, folder, jobs=jobs)
        assert again.timing.units_played == 0
        assert again.matchups == results[-1]
    n_deals = results[0][0].n_deals
    assert n_deals < 20_000
    assert n_deals % CHECKPOINT_DEALS == 0
    assert all(result == results[0] for result in results)
    assert all(frame.equals(rows[0]) for frame in rows)
    assert rows[0].height == n_deals * 2 * 3


def test_a_precision_is_reached_and_not_before(make_plan):
    result = run_plan(make_plan(**FAR, precision=1.5), None)
    (played,) = result.matchups
    assert result.stopped == played.stop.reason == "precision"
    low, high = compare_scores(played.games, 0, 1).ci95()
    assert (high - low) / 2 <= 1.5
    assert "1.5 was asked for" in played.stop.sentence
    shorter = make_plan(games=2 * (played.n_deals - CHECKPOINT_DEALS), seed=5, precision=1.5)
    assert run_plan(shorter, None).stopped == "games"


def test_a_precision_out_of_reach_says_how_far_it_came(make_plan):
    result = run_plan(make_plan(precision=0.001), None)
    assert result.stopped == "games"
    assert result.n_games == 3000
    assert "allow more games" in result.matchups[0].stop.sentence


def test_an_sprt_decides_and_its_no_is_a_no(make_plan):
    yes = run_plan(make_plan(("ladder", "random-legal"), sprt=(0, 10), **FAR), None)
    no = run_plan(make_plan(("random-legal", "ladder"), sprt=(0, 10), **FAR), None)
    assert (yes.matchups[0].stop.decision, no.matchups[0].stop.decision) == ("H1", "H0")
    assert (is_answered_no(yes), is_answered_no(no)) == (False, True)
    assert yes.stopped == "sprt"


STILL = """
from lcsim.duel import Strategy


class Still(Strategy):
    def lay(self, view, card):
        return -100.0

    def discard(self, view, card):
        return 0.0

    def draw(self, view, card):
        return -1.0
"""


@pytest.mark.parametrize(
    ("specs", "rule", "reason", "decision", "said"),
    [
        # All games are drawn, 0 to 0.
        (("still", "still"), {"precision": 0.1}, "precision", None, "known to ± 0 points"),
        (("still", "still"), {"sprt": (0.0, 2.0)}, "sprt", "H0", "difference 0 ± 0 over 1,024"),
        (("still", "still"), {"sprt": (-1.0, 1.0)}, "sprt", None, "more games would not tell"),
        # From both seats a strategy wins against itself as much as it loses: no variance.
        (("ladder", "ladder"), {"precision": 1e-6}, "precision", None, "known to ± 0 points"),
        (("ladder", "ladder"), {"sprt": (-2.0, -1.0)}, "sprt", "H1", "difference 0 ± 0"),
        # One wins all.
        (("ladder", "still"), {"sprt": (0.0, 2.0)}, "sprt", "H1", "a difference of 2 fits"),
        (("still", "ladder"), {"sprt": (0.0, 2.0)}, "sprt", "H0", "a difference of 0 fits"),
        (("ladder", "random-legal"), {"precision": 9.0}, "precision", None, "9 was asked for"),
    ],
)
def test_where_there_is_little_to_measure_it_still_stops(
    tmp_path, make_plan, specs, rule, reason, decision, said
):
    file = tmp_path / "still.py"
    file.write_text(STILL, encoding="utf-8")
    chosen = tuple(str(file) if spec == "still" else spec for spec in specs)
    plan = make_plan(chosen, "duel:rounds=1", **(FAR | {"games": 10_000_000}), **rule)
    run = tmp_path / "run"
    result = run_plan(plan, run)
    (played,) = result.matchups
    assert played.n_deals == CHECKPOINT_DEALS
    assert (result.stopped, played.stop.decision) == (reason, decision)
    manifest = open_run(run).manifest
    json.dumps(manifest, allow_nan=False)
    (told,) = manifest["results"]["matchups"]
    assert (told["stopped"], told["decision"]) == (reason, decision)
    assert said in told["sentence"]
    assert told["sentence"] in build_report(run).notes


def test_every_matchup_stops_by_itself(tmp_path):
    text = """
    question = "?"
    games = 20_000
    precision = 3.0
    strategies = ["ladder", "random-legal", "cautious-opener"]
    """
    plan = build_plan(parse_experiment(text))
    alone = build_plan(parse_experiment(text.replace('"random-legal", ', "")))
    together = run_plan(plan, tmp_path, jobs=2)
    assert together.matchups[1].games == run_plan(alone, None, jobs=2).matchups[0].games
    assert {one.stop.reason for one in together.matchups} == {"precision"}
    manifest = open_run(tmp_path).manifest
    assert [one["n_deals"] for one in manifest["results"]["matchups"]] == [
        one.n_deals for one in together.matchups
    ]


def outcome_of(table: str):
    text = 'question = "?"\ngames = 600\nstrategies = ["ladder", "random-legal"]\n[[expect]]\n'
    result = run_plan(build_plan(parse_experiment(text + table)), None)
    return result, evaluate_expectations(result)


@pytest.mark.parametrize(
    ("table", "holds"),
    [
        ('strategy = "ladder"\nwin_rate_above = 0.5', True),
        ('strategy = "ladder"\nwin_rate_below = 0.5', False),
        ('strategy = "random-legal"\ndiff_above = 0', False),
        ('strategy = "random-legal"\nagainst = "ladder"\ndiff_below = 0', True),
    ],
)
def test_expectations_are_judged(table, holds):
    result, (outcome,) = outcome_of(table)
    assert outcome.is_clear
    assert outcome.holds is holds
    assert is_answered_no(result) is not holds
    assert ("NO" in outcome.sentence) is not holds
    assert "±" in outcome.sentence


def test_an_answer_within_the_error_says_so():
    _, (outcome,) = outcome_of('strategy = "ladder"\ndiff_above = 0')
    bound = outcome.estimate.mean - outcome.estimate.se / 2
    _, (close,) = outcome_of(f'strategy = "ladder"\ndiff_above = {bound}')
    assert close.holds
    assert not close.is_clear
    assert close.sentence.endswith("the bound lies within the error")


def test_two_bounds_are_two_outcomes():
    _, outcomes = outcome_of('strategy = "ladder"\nwin_rate_above = 0.5\ndiff_above = 1000')
    assert [outcome.holds for outcome in outcomes] == [True, False]
    assert "points a game" in outcomes[1].sentence
