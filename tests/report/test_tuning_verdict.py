"""Whether a tuning brought something, in one sentence: better, worse, or not to be told."""

import pytest
from tunings import change_tuning, write_goal, write_tuning

from lcsim.report.tuning import BROUGHT, build_tuning_report
from lcsim.report.tuning_verdict import judge_gain
from lcsim.stats.estimate import Estimate

ABOUT = {"name": "mine", "deals": 50, "budget": 300_000, "spread": 0.2}


@pytest.mark.parametrize(
    ("mean", "se", "outcome", "says"),
    [
        (1.3, 0.2, "better", "Better than what you had: 1.3 ± 0.2 points a game more than mine"),
        (-1.3, 0.2, "worse", "Worse than what you had: 1.3 ± 0.2 points a game less than mine"),
        (0.3, 0.2, "unclear", "No gain is shown: +0.3 ± 0.2 points a game over mine as it was"),
        (-0.3, 0.2, "unclear", "No gain is shown: −0.3 ± 0.2 points a game"),
        (0.0, 0.0, "unclear", "No gain: what it found plays as mine did"),
        (0.5, None, "unclear", "No gain is shown"),
    ],
)
def test_the_error_decides(mean, se, outcome, says):
    verdict = judge_gain(Estimate(mean, se, 20_000), is_share=False, **ABOUT)
    assert verdict.outcome == outcome
    assert verdict.is_better == (outcome == "better")
    assert verdict.sentence.startswith(says)
    assert bool(verdict.advice) == (outcome != "better")


def test_the_advice_is_more_games():
    worse = judge_gain(Estimate(-1.3, 0.2, 100), is_share=False, **ABOUT)
    assert worse.advice.startswith("Keep mine as it was.")
    assert "--deals 200 --budget 1200000" in worse.advice
    assert "--spread below 0.2" in worse.advice
    unclear = judge_gain(Estimate(0.1, 0.2, 100), is_share=False, **ABOUT)
    assert "larger --validation" in unclear.advice


def test_wins_are_percent():
    verdict = judge_gain(Estimate(-0.05, 0.01, 100), is_share=True, **ABOUT)
    assert "5.0 ± 1.0 % of games less" in verdict.sentence


@pytest.mark.parametrize(
    ("gain", "headline", "note"),
    [
        (write_goal(-1.3, 0.2, 5000), "a loss: −1.3 ± 0.2 points a game", "Worse than what you"),
        (write_goal(0.1, 0.2, 5000), "nothing that we can see", "No gain is shown: +0.1 ± 0.2"),
    ],
)
def test_the_report_says_first_that_there_is_no_gain(tmp_path, gain, headline, note):
    folder = write_tuning(tmp_path / "t")
    assert build_tuning_report(folder).notes == ()
    change_tuning(folder, lambda one: one["result"].update(gain=gain))
    report = build_tuning_report(folder)
    assert report.notes[0].startswith(note)
    answer = next(one for one in report.answers if one.question == BROUGHT)
    assert answer.headline == headline
    assert ("keep mine as it was" in answer.sentence) == (headline != "nothing that we can see")
    specs = next(one for one in report.list_tables() if one.name == "tuning_specs")
    assert [row[0].text for row in specs.rows] == ["as it was", "tuned"]
    assert specs.caption.startswith("What was tuned is ")
