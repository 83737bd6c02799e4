"""`lcsim run` and `lcsim report`."""

import json
import re

import pytest

EXPERIMENT = """
question = "Does a careful opening pay?"
cost = "next to nothing"
seed = 3
games = 400
rulesets = ["duel", "classic"]
strategies = ["cautious-opener", "ladder"]
"""
EXPECT = """
[[expect]]
strategy = "cautious-opener"
against = "ladder"
win_rate_{side} = 0.5
"""


@pytest.fixture
def experiment(in_folder):
    path = in_folder / "small.toml"
    path.write_text(EXPERIMENT)
    return path


def test_a_dry_run_says_what_would_be_played_and_plays_nothing(experiment, run, snapshot):
    result = run("run", "small.toml", "--dry-run")
    assert result.exit_code == 0
    snapshot("run-dry", result.stdout)
    assert [path.name for path in experiment.parent.iterdir()] == ["small.toml"]


def test_a_run_ends_with_its_answer_and_where_things_are(experiment, run, snapshot):
    result = run("run", "small.toml", "--jobs", "2")
    assert result.exit_code == 0, result.stderr
    snapshot("run-text", result.stdout)
    folder = experiment.parent / "reports" / "small"
    assert (folder / "report.html").exists()
    assert (folder / "run.json").exists()
    again = run("run", "small.toml", "--jobs", "2")
    assert again.stdout == result.stdout
    assert "nothing had to be played" in again.stderr


@pytest.mark.parametrize(("side", "code", "answer"), [("above", 0, "yes"), ("below", 1, "NO")])
def test_what_was_expected_is_answered(side, code, answer, experiment, run):
    experiment.write_text(EXPERIMENT + EXPECT.format(side=side))
    result = run("run", "small.toml", "--out", "here")
    assert result.exit_code == code, result.stderr
    assert re.search(rf"^Expected: .*: {answer}, it is", result.stdout, re.MULTILINE)


@pytest.mark.parametrize(("form", "name"), [("md", "report.md"), ("json", "report.json")])
def test_a_report_is_printed_and_written(form, name, experiment, run):
    assert run("run", "small.toml", "--out", "here").exit_code == 0
    written = (experiment.parent / "here" / name).read_text()
    result = run("report", "here", "--format", form)
    assert result.exit_code == 0, result.stderr
    assert result.stdout == written
    if form == "json":
        json.loads(result.stdout)


@pytest.mark.parametrize(("form", "suffix"), [("html", ".html"), ("csv", ".csv")])
def test_a_report_names_its_files(form, suffix, experiment, run):
    assert run("run", "small.toml", "--out", "here").exit_code == 0
    result = run("report", "here", "--format", form)
    assert result.exit_code == 0, result.stderr
    names = result.stdout.splitlines()
    assert all((experiment.parent / name).exists() for name in names)
    assert any(name.endswith(suffix) for name in names)


def test_a_match_that_was_kept_can_be_reported(run, in_folder):
    words = ("cautious-opener", "ladder", "--games", "200", "--out", "kept")
    assert run("match", *words).exit_code == 0
    assert run("report", "kept", "--format", "html").exit_code == 0
    assert (in_folder / "kept" / "report.html").stat().st_size > 1000
