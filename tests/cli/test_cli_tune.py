"""`lcsim tune`: found on the command line, told in words and as JSON, and refused in sentences."""

import json

import pytest

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
