"""`lcsim match`."""

import json
import re

import pytest

from lcsim.shipped import find_shipped

PAIR = ("cautious-opener", "ladder")
STEADY = ("ladder", "random-legal")  # which nobody will tune, so that the texts stay
GAMES = ("--games", "2000", "--seed", "5")


def _drop_what_may_differ(text):
    return {key: value for key, value in json.loads(text).items() if key not in ("timing", "files")}


def test_the_answer_is_a_table_and_a_sentence_a_question(run, snapshot):
    result = run("match", *STEADY, *GAMES)
    assert result.exit_code == 0
    snapshot("match-text", result.stdout)


def test_two_runs_of_a_command_print_the_same(run):
    assert run("match", *PAIR, *GAMES).stdout == run("match", *PAIR, *GAMES).stdout
    first, second = (run("match", *PAIR, *GAMES, "--json").stdout for _ in range(2))
    assert _drop_what_may_differ(first) == _drop_what_may_differ(second)


def test_json_has_every_number_with_its_error(run):
    result = run("match", *PAIR, *GAMES, "--json")
    assert result.stdout.count("\n") == 1
    answer = json.loads(result.stdout)
    assert (answer["ruleset"], answer["seed"]) == ("duel", 5)
    assert (answer["n_games"], answer["n_deals"], answer["n_rounds"]) == (2000, 1000, 6000)
    first, second = answer["strategies"]
    assert [first["spec"], second["spec"]] == list(PAIR)
    assert first["win_rate"] + second["win_rate"] == pytest.approx(1)
    for one in answer["strategies"]:
        assert 0 < one["win_rate_se"] < 0.05
        assert 0 < one["mean_score_se"] < 2
        assert 0 <= one["draw_rate"] < 0.1
    difference = answer["differences"][0]
    assert (difference["a"], difference["b"]) == PAIR
    assert difference["diff"] == pytest.approx(first["mean_score"] - second["mean_score"])
    low, high = difference["ci95"]
    assert low < difference["diff"] < high
    assert high - low == pytest.approx(2 * 1.96 * difference["se_diff"], rel=0.01)
    assert "turn_limit=400" in answer["assumed"]
    assert answer["files"] == {}


@pytest.mark.parametrize("words", [("--jobs", "1"), ("--jobs", "2"), ("--unit-deals", "37")])
def test_jobs_and_unit_size_change_no_number(words, run):
    plain = _drop_what_may_differ(run("match", *PAIR, *GAMES, "--json").stdout)
    other = _drop_what_may_differ(run("match", *PAIR, *GAMES, "--json", *words).stdout)
    assert {**other, "command": ""} == {**plain, "command": ""}


def test_swapping_the_strategies_turns_the_difference_round(run):
    ahead, behind = (
        json.loads(run("match", *pair, *GAMES, "--json").stdout)["differences"][0]
        for pair in (PAIR, PAIR[::-1])
    )
    assert ahead["diff"] > 0 > behind["diff"]


def test_a_strategy_against_itself_is_even(run):
    answer = json.loads(run("match", "ladder", "ladder", *GAMES, "--json").stdout)
    assert [one["label"] for one in answer["strategies"]] == ["ladder", "ladder#2"]
    assert [one["win_rate"] for one in answer["strategies"]] == [0.5, 0.5]
    text = run("match", "ladder", "ladder", *GAMES).stdout
    assert "It cannot be told" in text
    assert "No: there is no difference." in text


def test_one_deal_has_no_error_and_says_so(run):
    result = run("match", *PAIR, "--games", "2")
    assert result.exit_code == 0
    assert "± ?" in result.stdout
    answer = json.loads(run("match", *PAIR, "--games", "2", "--json").stdout)
    assert answer["strategies"][0]["mean_score_se"] is None
    assert answer["differences"][0]["ci95"] is None


def test_without_out_nothing_is_left(run, in_folder):
    result = run("match", *PAIR, *GAMES)
    assert "none are kept" in result.stdout
    assert list(in_folder.iterdir()) == []


def test_with_out_the_games_are_kept_and_named(run, in_folder):
    result = run("match", *PAIR, *GAMES, "--out", "kept")
    assert (in_folder / "kept" / "run.json").exists()
    assert list((in_folder / "kept" / "parts").glob("*.parquet"))
    assert "kept/run.json" in result.stdout
    assert "lcsim report kept" in result.stdout
    again = run("match", *PAIR, *GAMES, "--out", "kept")
    assert again.stdout == result.stdout
    assert "nothing had to be played" in again.stderr


def test_the_command_that_is_printed_gives_the_same_answer(run):
    text = run("match", "cautious-opener:open_at=18", "ladder", *GAMES).stdout
    words = re.search(r"^Again: lcsim (.*)$", text, re.MULTILINE)[1].split()
    assert run(*words).stdout == text


def test_precision_stops_once_it_is_reached(run):
    words = ("--precision", "2", "--seed", "5", "--json")
    answer = json.loads(run("match", *PAIR, *words).stdout)
    assert answer["stop"]["reason"] == "precision"
    low, high = answer["differences"][0]["ci95"]
    assert (high - low) / 2 <= 2
    assert answer["n_deals"] % 1024 == 0


def test_a_test_that_says_no_gives_exit_code_1(run):
    yes = run("match", *PAIR, "--sprt", "0,5", "--json")
    assert (yes.exit_code, json.loads(yes.stdout)["stop"]["decision"]) == (0, "H1")
    no = run("match", *PAIR[::-1], "--sprt", "0,5")
    assert no.exit_code == 1
    assert "SPRT: a difference of 0 fits better than one of 5" in no.stdout


def test_a_file_that_hides_a_shipped_strategy_is_told_of(run, in_folder):
    shipped = find_shipped("strategies") / "duel" / "ladder.py"
    mine = in_folder / "strategies" / "ladder.py"
    mine.parent.mkdir()
    mine.write_text(shipped.read_text())
    other = "random-legal@no-wagers"
    for command in ("match", "replay"):
        games = ("--games", 2) if command == "match" else ()
        assert "hides" not in run(command, "ladder", other, *games).stderr
    mine.write_text(shipped.read_text() + "\n# mine\n")
    for command in ("match", "replay"):
        games = ("--games", 2) if command == "match" else ()
        told = run(command, "ladder", other, *games).stderr
        assert f"ladder is {mine}, which hides {shipped}\n" in told
        assert "random-legal is" not in told
        assert "hides" not in run(command, str(mine), other, *games).stderr
