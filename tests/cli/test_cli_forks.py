"""Forks from the command line: an experiment with [forks], its report, and the replays it names."""

import json
import shlex

from lcsim.rules import get_game

EXPERIMENT = """
question = "What is a wager worth?"
games = 200
strategies = ["ladder", "ladder@no-wagers", "wager-lover"]
[forks]
games = 40
"""


def test_a_dry_run_tells_the_forks(run, in_folder):
    (in_folder / "x.toml").write_text(EXPERIMENT)
    result = run("run", "x.toml", "--dry-run")
    assert result.exit_code == 0
    assert "The moves of the first 40 games of each matchup are forked, in 3 more units." in (
        result.stdout
    )
    assert not (in_folder / "reports").exists()


def test_a_wrong_key_is_named(run, in_folder):
    (in_folder / "x.toml").write_text(EXPERIMENT.replace("games = 40", "gams = 40"))
    result = run("run", "x.toml")
    assert result.exit_code == 2
    assert "forks.gams: unknown key; did you mean 'games'?" in result.stderr


def test_both_games_of_a_fork_can_be_seen_again(run, in_folder):
    (in_folder / "x.toml").write_text(EXPERIMENT)
    played = run("run", "x.toml", "--out", "wagers", "--jobs", "2")
    assert played.exit_code == 0, played.output
    assert "What is a wager worth? To be allowed wagers is worth" in played.stdout
    assert " of it forking moves" in played.stderr
    values = json.loads((in_folder / "wagers" / "report.json").read_text())
    extremes = values["tables"]["wager_extremes"]
    assert len(extremes) == 10
    for row in extremes:
        for command, suffix in (("replay", ""), ("replay_without", "_without")):
            told = run(*shlex.split(row[command])[1:], "--json")
            assert told.exit_code == 0, told.output
            game = json.loads(told.stdout)
            place = row["matchup"].split(" vs ").index(row["strategy"])
            seats = game["seats"]
            totals = [game["totals"][seats[place]], game["totals"][seats[1 - place]]]
            assert totals == [row[f"own{suffix}"], row[f"opponent{suffix}"]]
        turn = _find_turn(run, row["replay"], row)
        assert turn["lay"] == row["card"]
        assert _find_turn(run, row["replay_without"], row).get("lay") != row["card"]


def test_forks_alone_are_played_again_where_they_are_missing(run, in_folder):
    (in_folder / "x.toml").write_text(EXPERIMENT)
    words = ("run", "x.toml", "--out", "wagers")
    assert "rounds at" in run(*words).stderr
    assert run(*words).stderr == "nothing had to be played: everything was there\n"
    next((in_folder / "wagers" / "forks").iterdir()).unlink()
    again = run(*words).stderr
    assert again.startswith("no game had to be played, ")
    assert again.endswith(" of it forking moves\n")


def _find_turn(run, command, row):
    game = json.loads(run(*shlex.split(command)[1:], "--json").stdout)
    return game["rounds"][row["round"]]["turns"][row["turn"]]


def test_a_game_without_forks_refuses_them(run, in_folder):
    assert get_game("board").play_forks is None
    text = EXPERIMENT.replace('"ladder", "ladder@no-wagers", "wager-lover"', '"steady", "racer"')
    (in_folder / "x.toml").write_text(
        text.replace("games = 200", 'games = 200\nkind = "board"\nrulesets = ["board"]')
    )
    result = run("run", "x.toml")
    assert result.exit_code == 2
    assert "the game 'board' has no moves that lcsim forks" in result.stderr
