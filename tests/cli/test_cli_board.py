"""The commands on the board game: two to four strategies, and what is said of bad input."""

import json
from pathlib import Path

import pytest
from test_cli_bad_input import Case

from lcsim.experiment import build_plan, load_experiment
from lcsim.rules import get_game
from lcsim.shipped import find_shipped
from lcsim.store import read_part

FOUR = ("steady", "random-legal", "racer", "steady")
BOARD = ("--ruleset", "board-short", "--seed", "5")
PLACES = ["3/5/6/7/9", "2/4/5/7/9", "2/3/5/7/9", "3/4/6/7/9", "2/4/5/7/9"]


def tiles(*first: str) -> str:
    return "board:tile_places=" + "|".join([*first, *PLACES[len(first) :]])


CASES = {
    "five-strategies": Case(("match", *FOUR, "racer", *BOARD), 2, ("2 to 4 players", "not 5")),
    "one-strategy": Case(("match", "steady", *BOARD), 2, ("2 to 4 players", "not 1")),
    "three-for-a-duel": Case(("match", "ladder", "ladder", "ladder"), 2, ("2 players", "not 3")),
    "replay-of-five": Case(("replay", *FOUR, "racer", *BOARD), 2, ("5 strategies",)),
    "rotation-too-high": Case(
        ("replay", *FOUR, *BOARD, "--rotation", "4"), 2, ("--rotation is 4", "0 to 3")
    ),
    "too-few-cards-for-three": Case(
        ("match", *FOUR[:3], "--ruleset", "board:removed_cards=30/86", "--games", "3"),
        2,
        ("with 3 players removed_cards=86", "at most 85"),
    ),
    "too-few-cards-to-replay": Case(
        ("replay", *FOUR[:3], "--ruleset", "board:removed_cards=30/86"), 2, ("with 3 players",)
    ),
    "too-few-cards-in-a-file": Case(
        ("run", "cards.toml"), 2, ("cards.toml: rulesets[0]", "with 2 players removed_cards=94")
    ),
    "games-no-multiple-of-three": Case(
        ("match", *FOUR[:3], *BOARD, "--games", "1000"), 2, ("999 or 1,002",)
    ),
    "games-for-all-numbers": Case(("run", "mixed.toml"), 2, ("no multiple of 12", "96 or 108")),
    "artefact-table-too-short": Case(
        ("rules", "show", "board:artefact_points=5"), 2, ("artefact_points=5", "2 to 32")
    ),
    "artefact-table-too-short-in-a-file": Case(
        ("run", "short.toml"), 2, ("short.toml: rulesets[1]", "artefact_points", "2 to 32")
    ),
    "list-of-no-numbers-in-a-file": Case(
        ("run", "words.toml"), 2, ("words.toml: rulesets[0]", "vp_tiles", "whole numbers")
    ),
    "tile-on-space-0": Case(("rules", "show", tiles("0/5/6/7/9")), 2, ("space 0 of R",)),
    "tile-on-space-10": Case(("rules", "show", tiles("3/5/6/7/10")), 2, ("space 10 of R",)),
    "tile-on-space-10-in-a-file": Case(
        ("run", "tiles.toml"), 2, ("tiles.toml: rulesets[0]", "space 10 of R")
    ),
    "not-25-places": Case(("rules", "show", tiles("5/6/7/9")), 2, ("24 places for 25 tiles",)),
    "strategy-of-the-other-game": Case(("match", "ladder", "steady", *BOARD), 2, ("'ladder'",)),
    "rulesets-of-two-games": Case(("run", "both.toml"), 2, ("both.toml: rulesets[1]", "'duel'")),
    "too-few-cards-for-anyone": Case(
        ("match", *FOUR, "--ruleset", "board:highest_rank=0"),
        2,
        ("lcsim: board: removed_cards=30", "for any number of players", "hands of at most 4"),
    ),
    "unknown-field-of-a-match": Case(
        ("match", *FOUR, "--ruleset", "board:round=1"), 2, ("lcsim: unknown field", "'rounds'")
    ),
    "empty-file": Case(
        ("match", "empty.py", "steady", *BOARD), 3, ("is empty", "lcsim.board;", "--kind board")
    ),
    "no-pawn": Case(("rules", "score", "board", "R9L Q2"), 2, ("'Q2'", "pawn")),
}
HEAD = 'question = "?"\nstrategies = ["steady", "racer"]\ngames = 12\n'
FILES = {
    "empty.py": "",
    "cards.toml": HEAD + 'rulesets = [{preset = "board", removed_cards = [94]}]\n',
    "short.toml": HEAD + 'rulesets = ["board", {preset = "board", artefact_points = [5]}]\n',
    "words.toml": HEAD + 'rulesets = [{preset = "board", vp_tiles = ["five", "ten"]}]\n',
    "tiles.toml": HEAD + 'rulesets = [{preset = "board", tile_places = [[3, 5, 6, 7, 10], '
    "[2, 4, 5, 7, 9], [2, 3, 5, 7, 9], [3, 4, 6, 7, 9], [2, 4, 5, 7, 9]]}]\n",
    "both.toml": HEAD + 'rulesets = ["board", "duel"]\n',
    "mixed.toml": 'question = "?"\nrulesets = ["board"]\ngames = 100\nmatchups = '
    '[["steady", "racer"], ["steady", "racer", "racer"], ["steady", "racer", "racer", "racer"]]\n',
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_bad_input_is_answered_with_a_sentence(case, run, in_folder):
    for name, text in FILES.items():
        (in_folder / name).write_text(text)
    result = run(*case.words)
    assert (result.exit_code, result.stdout) == (case.code, ""), result.stderr
    for part in case.says:
        assert part in result.stderr


def test_four_meet_and_shares_and_ranks_add_up(run):
    result = run("match", *FOUR, *BOARD, "--games", "400", "--json")
    assert result.exit_code == 0, result.stderr
    answer = json.loads(result.stdout)
    assert [one["label"] for one in answer["strategies"]] == [*FOUR[:3], "steady#2"]
    assert sum(one["win_rate"] for one in answer["strategies"]) == pytest.approx(1)
    assert sum(one["mean_rank"] for one in answer["strategies"]) == pytest.approx(10)
    assert all(one["mean_rank_se"] > 0 for one in answer["strategies"])
    assert len(answer["differences"]) == 6
    assert (answer["n_games"], answer["n_deals"]) == (400, 100)


def test_the_table_has_shares_and_ranks(run):
    text = run("match", *FOUR[:3], *BOARD, "--games", "300").stdout
    assert "win share" in text
    assert "mean rank" in text
    assert "of equals each would win 33 %" in text
    assert "against random-legal" in text
    assert "ahead of the mean of the others" in text


def test_of_two_nothing_new_is_said(run):
    text = run("match", "steady", "racer", *BOARD, "--games", "100").stdout
    assert "win rate" in text
    assert "mean rank" not in text
    assert "(a draw counts half; of equal points more artefacts win)" in text


def test_the_rules_that_no_field_changes_are_shown(run):
    text = run("rules", "show", "board").stdout
    assert "What no field changes:\n- A round ends at once" in text
    assert "those with most artefacts of the whole game" in text
    assert "fewer than 0 points" in text
    fixed = json.loads(run("rules", "show", "board", "--json").stdout)["fixed"]
    assert all(f"- {sentence}\n" in text for sentence in fixed)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_a_game_is_told_in_words_and_as_json(n, run):
    words = ("replay", *FOUR[:n], *BOARD, "--deal", "3", "--rotation", str(n - 1))
    assert "Round 0." in run(*words).stdout
    game = json.loads(run(*words, "--json").stdout)
    assert (game["kind"], game["players"], len(game["totals"])) == ("board", n, n)
    assert game["rounds"][0]["tiles"]["R"]["3"]


def test_pawns_are_scored(run):
    assert run("rules", "score", "board", "R9L G7 W4").stdout == "135\n"


def test_the_presets_are_shown_with_what_is_assumed(run):
    text = run("rules", "show", "board").stdout
    assert "  assumed: " in text
    assert "direction" in run("rules", "diff", "board", "board-updown").stdout


def test_lists_of_a_table_change_the_rules(in_folder, run):
    table = '{preset = "board-short", artefact_points = [0, 5], vp_tiles = [5, 5, 5, 5, 5, 5, 5]}'
    (in_folder / "own.toml").write_text(HEAD + f"rulesets = [{table}]\n")
    result = run("run", "own.toml", "--dry-run")
    assert result.exit_code == 0, result.stderr
    assert "board-short:" in result.stdout
    assert "artefact_points=0/5" in result.stdout


def test_a_new_board_strategy_is_accepted_and_plays_among_three(in_folder, run):
    text = run("strategies", "new", "my-idea", "--kind", "board").stdout
    assert "lcsim match my-idea balanced --ruleset board" in text
    path = in_folder / "strategies" / "board" / "my_idea.py"
    check = run("strategies", "check", path)
    assert (check.exit_code, check.stdout) == (0, f"{path}: fine\n")
    table = ("my-idea", "steady", "my-idea:open_with=3")
    result = run("match", *table, "--ruleset", "board", "--games", "30", "--json")
    assert result.exit_code == 0, result.stderr
    answer = json.loads(result.stdout)
    assert [one["spec"] for one in answer["strategies"]] == list(table)
    assert sum(one["mean_rank"] for one in answer["strategies"]) == pytest.approx(6)


SHIPPED = sorted(find_shipped("experiments").glob("*.toml"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_every_shipped_experiment_can_be_planned(path: Path):
    experiment = load_experiment(path)
    plan = build_plan(experiment)
    assert plan.units
    assert experiment.cost


def test_an_experiment_of_two_three_and_four_is_reported(in_folder, run):
    text = FILES["mixed.toml"].replace("games = 100", "games = 120")
    (in_folder / "mixed.toml").write_text(text.replace('"board"', '"board-short"'))
    result = run("run", "mixed.toml")
    assert result.exit_code == 0, result.stderr
    assert "What do more players change?" in result.stdout
    assert "a shared win counts its part." in result.stdout
    assert "a draw counts half." not in result.stdout
    assert (in_folder / "reports" / "mixed" / "report.html").exists()
    _try_readme_recipe(in_folder / "reports" / "mixed")


def _try_readme_recipe(folder):
    """What README says of asking parts with different numbers of players gives games' points."""
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    recipe = next(
        code
        for block in readme.split("```python\n")[1:]
        if "diagonal" in (code := block.partition("```")[0])
    )
    assert "reports/players/parts" in recipe
    scope = {}
    exec(recipe.replace("reports/players", str(folder)).partition("print(")[0], scope)
    asked = scope["games"].select("matchup", "deal", "rotation", points=scope["points"]).collect()
    assert asked["matchup"].n_unique() == 3
    game = get_game("board")
    for path in sorted((folder / "parts").glob("*.parquet")):
        part = read_part(path)
        n = sum(name.startswith("leader_") for name in part.rows.dtype.names)
        settled = game.settle_games(None, part.rows.reshape(-1, n, 1)).points[:, :, 0]
        mine = asked.filter(matchup=part.matchup).sort("deal", "rotation")["points"]
        assert mine.to_list() == settled.ravel().tolist()


def test_the_columns_of_the_parts_are_explained(run):
    text = run("rules", "columns", "board").stdout
    assert "points_N           running total of strategy N" in text
    answer = json.loads(run("rules", "columns", "duel", "--json").stdout)
    assert answer["parts"]["exp_N_C"] in run("rules", "columns", "duel").stdout
    assert "wager" in answer["forks"]
    result = run("rules", "columns", "bored")
    assert result.exit_code == 2
    assert "did you mean 'board'" in result.stderr
