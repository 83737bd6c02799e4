"""`lcsim tune`: found on the command line, told in words and as JSON, and refused in sentences."""

import json
import shutil

import pytest

from lcsim.shipped import find_shipped

WORDS = ("tune", "cautious-opener", "--against", "eager-opener", "--ruleset", "duel:rounds=1")
SMALL = ("--budget", "1000", "--deals", "10", "--validation", "100", "--sensitivity", "20")


def test_a_tuning_prints_what_it_found_and_where(run, in_folder):
    result = run(*WORDS, *SMALL)
    assert result.exit_code == 0, result.output
    assert "tuned, on fresh deals" in result.stdout
    assert "gap: searched less fresh" in result.stdout
    assert "cautious-opener:" in result.stdout
    assert "generation 1 of" in result.stderr
    text = (in_folder / "reports" / "tune-cautious-opener" / "tuned.toml").read_text("utf-8")
    assert 'strategy = "cautious-opener"' in text


def test_a_loss_is_called_one_before_all_else(run, in_folder):
    words = ("tune", "cautious-opener:open_at=22", *WORDS[2:], "--spread", "1", "--deals", "2")
    words += ("--budget", "500", "--validation", "2000", "--sensitivity", "0", "--out", "t")
    result = run(*words)
    assert result.exit_code == 0, result.output
    told = result.stdout.partition("gap: searched less fresh")[2].partition("\n\n")[2]
    assert told.startswith("Worse than what you had: ")
    assert "Keep cautious-opener as it was." in told
    assert "--deals 8 --budget 2000" in told
    assert "Tuned in" not in told
    text = (in_folder / "t" / "tuned.toml").read_text("utf-8")
    assert text.startswith("# Worse than what you had: ")
    assert "Keep cautious-opener as it was." in run("report", "t", "--format", "md").stdout
    answer = json.loads(run(*words, "--json").stdout)
    assert answer["verdict"] == "worse"
    assert answer["sentence"].startswith("Worse than what you had: ")


def test_a_tuning_is_asked_for_again_from_anywhere(run, in_folder, monkeypatch):
    shutil.copy(find_shipped("strategies") / "duel" / "cautious_opener.py", "mine.py")
    few = ("--budget", "500", "--deals", "2", "--validation", "100", "--sensitivity", "0")
    words = ("tune", "mine.py:open_at=20@no-wagers", "--against", "mine.py", *few)
    first = json.loads(run(*words, "--out", "r/p4", "--json").stdout)
    text = (in_folder / "r" / "p4" / "tuned.toml").read_text("utf-8")
    assert 'strategy = "../../mine.py:open_at=20@no-wagers"\nagainst = ["../../mine.py"]' in text
    again = json.loads(run("tune", "r/p4/tuned.toml", "--out", "r/p4", "--json").stdout)
    assert again["spec"] == first["spec"]
    monkeypatch.chdir("r/p4")
    result = run("tune", "tuned.toml", "--out", "../p5", "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["values"] == first["values"]


def test_a_strategy_of_a_folder_is_written_as_its_file(run, in_folder):
    (in_folder / "own").mkdir()
    source = (find_shipped("strategies") / "duel" / "cautious_opener.py").read_text("utf-8")
    mine = source.replace("class CautiousOpener", "class Mine")
    (in_folder / "own" / "mine.py").write_text(mine, encoding="utf-8")
    few = ("--budget", "500", "--deals", "2", "--validation", "100", "--sensitivity", "0")
    result = run("tune", "mine", "--against", "ladder", *few, "--strategies", "own", "--out", "t")
    assert result.exit_code == 0, result.output
    text = (in_folder / "t" / "tuned.toml").read_text("utf-8")
    assert 'strategy = "../own/mine.py"\nagainst = ["ladder"]' in text


def test_a_tuning_and_an_experiment_are_told_apart(run, in_folder):
    shipped = find_shipped("experiments")
    result = run("run", shipped / "tunings" / "tuned-board.toml")
    assert result.exit_code == 2
    assert "tuned-board.toml is a tuning, not an experiment" in result.stderr
    assert "lcsim tune" in result.stderr
    assert len(result.stderr) < 400
    result = run("tune", shipped / "quickstart.toml")
    assert result.exit_code == 2
    assert "quickstart.toml is an experiment, not a tuning" in result.stderr
    assert "lcsim run" in result.stderr


def test_json_is_all_there_is_on_stdout_and_a_file_asks_for_the_same(run, in_folder):
    first = json.loads(run(*WORDS, *SMALL, "--out", "a", "--json").stdout)
    again = json.loads(run("tune", "a/tuned.toml", "--out", "b", "--json").stdout)
    for name in ("spec", "tuned", "gain", "gap", "neighbours"):
        assert first[name] == again[name]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("tune", "cautious-opener"), "needs opponents"),
        (("tune", "none.toml"), "cannot read"),
        (("tune", "none.toml", "--against", "balanced", "--seed", "3"), "--against, --seed cannot"),
        ((*WORDS, "--params", "opne_at"), "did you mean"),
        ((*WORDS, "--goal", "margn"), "--goal is 'margn', and must be one of margin, wins"),
        ((*WORDS, "--goal", "margn"), "Did you mean 'margin'?"),
        (("tune", "random-legal", "--against", "balanced"), "no parameter"),
        ((*WORDS, "--budget", "10"), "no generation"),
        ((*WORDS, "--spread", "2"), "--spread is 2, and must be above 0 and at most 1"),
        ((*WORDS, "--spread", "0"), "--spread is 0, and must be above 0 and at most 1"),
        ((*WORDS, "--spread", "nan"), "--spread has 'nan', which is not a number"),
        ((*WORDS, "--population", "1"), "--population is 1, and CMA-ES needs 4 or more"),
        ((*WORDS, "--population", "3"), "0, which lets the number follow"),
        ((*WORDS, "--population", str(10**15)), "pays for no generation"),
        ((*WORDS, "--players", "3"), "the card game is not played by 3 players"),
    ],
)
def test_what_cannot_be_tuned_is_said(run, in_folder, words, says):
    result = run(*words)
    assert result.exit_code == 2
    assert says in result.stderr
    assert "quickstart.toml" not in result.stderr
