"""`lcsim replay`."""

import json

PAIR = ("ladder", "random-legal")


def test_a_game_is_told_in_words(run, snapshot):
    words = ("--ruleset", "duel:rounds=1", "--seed", "42", "--deal", "7", "--rotation", "1")
    result = run("replay", *PAIR, *words)
    assert result.exit_code == 0
    snapshot("replay-words", result.stdout)


def test_json_is_one_object_a_game(run):
    text = run("replay", *PAIR, "--ruleset", "classic", "--deal", "5:8", "--json").stdout
    games = [json.loads(line) for line in text.splitlines()]
    assert [game["deal"] for game in games] == [5, 6, 7]
    assert all(game["seats"] == [0, 1] for game in games)
    assert all(game["strategies"] == list(PAIR) for game in games)


def test_rotation_moves_the_strategies_round_the_seats(run):
    text = run("replay", *PAIR, "--deal", "3", "--rotation", "1", "--json").stdout
    assert json.loads(text)["seats"] == [1, 0]


def test_the_games_are_those_of_the_match(run):
    words = ("--ruleset", "duel", "--seed", "9")
    match = json.loads(run("match", *PAIR, *words, "--games", "20", "--json").stdout)
    totals = [0, 0]
    for rotation in (0, 1):
        told = run("replay", *PAIR, *words, "--deal", "0:10", "--rotation", rotation, "--json")
        for game in map(json.loads, told.stdout.splitlines()):
            for strategy, seat in enumerate(game["seats"]):
                totals[strategy] += game["totals"][seat]
    assert [20 * one["mean_score"] for one in match["strategies"]] == totals


def test_a_game_that_breaks_is_told_up_to_the_turn_it_breaks_in(run, tmp_path):
    path = tmp_path / "breaks.py"
    path.write_text(
        "from lcsim.duel import *\nclass Breaks(Strategy):\n"
        "    def lay(self, view, card):\n        return 1 / (view.deck_left - 20)\n"
        "    def discard(self, view, card):\n        return 0\n"
        "    def draw(self, view, card):\n        return -1\n"
    )
    result = run("replay", str(path), "ladder", "--deal", "0")
    assert result.exit_code == 3
    lines = result.stdout.splitlines()
    assert lines[-1] == "The game goes no further."
    assert lines[-2].lstrip().startswith("23. ladder ")
    assert f"{path}, line 4: breaks broke in round 0, turn 24 (choose_play)" in result.stderr
    told = json.loads(run("replay", str(path), "ladder", "--deal", "0", "--json").stdout)
    assert len(told["rounds"][0]["turns"]) == 24
    assert "ended_by" not in told["rounds"][0]
