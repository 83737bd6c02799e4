"""`lcsim run` and `lcsim report`."""

import json
import re
import subprocess
import sys

import pytest

EXPERIMENT = """
question = "Does a plan pay?"
cost = "next to nothing"
seed = 3
games = 400
rulesets = ["duel", "classic"]
strategies = ["ladder", "random-legal"]
"""
PLURAL_OF_ONE = r"(?<![\d.,:=−-])1 (?!ms\b|(?:as|is|has|was|plays|gains|loses|leaves)\b)[a-z]+s\b"
EXPECT = """
[[expect]]
strategy = "ladder"
against = "random-legal"
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


def test_one_is_not_told_in_the_plural(in_folder, run):
    (in_folder / "one.toml").write_text(
        'question = "?"\nstrategies = ["ladder", "random-legal"]\ngames = 2\n'
    )
    dry = run("run", "one.toml", "--dry-run").stdout
    assert "1 matchup, 2 games in 1 unit; seed 42" in dry
    result = run("run", "one.toml", "--jobs", "1")
    assert " on 1 job, " in result.stderr
    told = [result.stdout, (in_folder / "reports" / "one" / "report.md").read_text()]
    told.append(run("match", "ladder", "random-legal", "--games", "2").stdout)
    for text in told:
        assert re.findall(PLURAL_OF_ONE, text) == []


@pytest.mark.parametrize("name", ["quickstart", "experiments/quickstart.toml"])
def test_what_comes_with_lcsim_is_found_from_anywhere(name, in_folder, run):
    result = run("run", name, "--dry-run")
    assert result.exit_code == 0, result.stderr
    assert "100,000" in result.stdout
    assert "into reports/quickstart" in result.stdout
    assert "comes with lcsim" in result.stderr


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


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A run that was played once, for the tests that only read it."""
    folder = tmp_path_factory.mktemp("played")
    words = ["match", "ladder", "random-legal", "--games", "200", "--out", str(folder / "kept")]
    command = [sys.executable, "-m", "lcsim.cli.app", *words]
    subprocess.run(command, check=True, capture_output=True)
    return folder


@pytest.mark.parametrize(("form", "name"), [("md", "report.md"), ("json", "report.json")])
def test_a_report_is_printed_and_written(form, name, played, run, monkeypatch):
    monkeypatch.chdir(played)
    result = run("report", "kept", "--format", form)
    assert result.exit_code == 0, result.stderr
    assert result.stdout == (played / "kept" / name).read_text()
    assert f"kept/{name}" in result.stderr
    if form == "json":
        assert json.loads(result.stdout)["answers"]


@pytest.mark.parametrize(("form", "suffix"), [("html", ".html"), ("csv", ".csv")])
def test_a_report_names_its_files(form, suffix, played, run, monkeypatch):
    monkeypatch.chdir(played)
    result = run("report", "kept", "--format", form)
    assert result.exit_code == 0, result.stderr
    names = result.stdout.splitlines()
    assert all((played / name).stat().st_size > 0 for name in names)
    assert any(name.endswith(suffix) for name in names)
