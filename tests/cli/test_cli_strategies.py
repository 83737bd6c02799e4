"""`lcsim strategies`."""

import json

import pytest

BREAKING = '''
"""A strategy that breaks."""

from lcsim.duel import Strategy


class Breaker(Strategy):
    """Divides by nothing."""

    def lay(self, view, card):
        return 1.0 / (view.turn - view.turn)

    def discard(self, view, card):
        return 0.0

    def draw(self, view, card):
        return 0.0
'''


def test_the_list_as_json(run):
    result = run("strategies", "list", "--kind", "duel", "--json")
    listed = {one["name"]: one for one in json.loads(result.stdout)["strategies"]}
    assert {"ladder", "cautious-opener"} <= set(listed)
    opener = listed["cautious-opener"]
    assert {key: opener[key] for key in ("kind", "form", "status", "source")} == {
        "kind": "duel",
        "form": "rating",
        "status": "ok",
        "source": "shipped",
    }
    assert opener["params"][0]["name"] == "open_at"
    assert set(opener["params"][0]) == {"name", "default", "low", "high", "type", "help"}


def test_the_list_in_words(run):
    text = run("strategies", "list").stdout
    assert "cautious-opener" in text
    assert "Opens an expedition only when" in text


def test_a_broken_file_is_listed_and_warned_of(run, in_folder):
    (in_folder / "broken.py").write_text("def f(:\n")
    result = run("strategies", "list", "--strategies", in_folder)
    assert result.exit_code == 0
    assert "warning" in result.stderr
    assert "broken.py" in result.stderr
    answer = json.loads(run("strategies", "list", "--strategies", in_folder, "--json").stdout)
    broken = next(one for one in answer["strategies"] if one["status"] == "broken")
    assert "line 1" in broken["error"]


def test_a_strategy_is_shown_with_its_parameters(run):
    text = run("strategies", "show", "cautious-opener").stdout
    assert "Source: " in text
    answer = json.loads(run("strategies", "show", "cautious-opener", "--json").stdout)
    first = answer["params"][0]
    assert f"cautious-opener:{first['name']}={first['default']:g}" in text
    assert answer["doc"].startswith(answer["summary"])


def test_a_new_strategy_works_at_once(run, in_folder):
    result = run("strategies", "new", "first-try")
    assert result.exit_code == 0
    path = in_folder / "strategies" / "duel" / "first_try.py"
    assert "class FirstTry(" in path.read_text()
    assert "lcsim strategies check strategies/duel/first_try.py" in path.read_text()
    listed = json.loads(run("strategies", "list", "--json").stdout)["strategies"]
    assert [one["source"] for one in listed if one["name"] == "first-try"] == ["local"]
    check = run("strategies", "check", path)
    assert check.exit_code == 0, check.stdout
    match = run("match", "first-try", "ladder", "--games", "200", "--json")
    assert json.loads(match.stdout)["strategies"][0]["spec"] == "first-try"


@pytest.mark.parametrize("kind", ["duel", "board"])
def test_a_new_batch_strategy_works_at_once(kind, run, in_folder):
    result = run("strategies", "new", "first-try", "--kind", kind, "--form", "batch")
    assert result.exit_code == 0
    path = in_folder / "strategies" / kind / "first_try.py"
    assert "class FirstTry(BatchStrategy)" in path.read_text()
    assert f"lcsim strategies check strategies/{kind}/first_try.py" in path.read_text()
    listed = json.loads(run("strategies", "list", "--json").stdout)["strategies"]
    assert [one["form"] for one in listed if one["name"] == "first-try"] == ["batch"]
    check = run("strategies", "check", path)
    assert (check.exit_code, check.stdout) == (0, f"{path}: fine\n")
    words = ("match", "first-try", "balanced", "--ruleset", kind, "--games", "200", "--json")
    assert json.loads(run(*words).stdout)["strategies"][0]["spec"] == "first-try"


@pytest.mark.parametrize(("kind", "name"), [("duel", "ladder-numpy"), ("board", "all-paths-numpy")])
def test_a_shipped_batch_strategy_passes_its_check(kind, name, run):
    result = run("strategies", "check", name, "--kind", kind)
    assert (result.exit_code, result.stdout) == (0, f"{name}: fine\n")


def test_a_form_that_there_is_not_is_refused(run, in_folder):
    result = run("strategies", "new", "first-try", "--form", "bach")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "did you mean 'batch'" in result.stderr


def test_a_new_strategy_overwrites_nothing(run, in_folder):
    assert run("strategies", "new", "my-idea").exit_code == 0
    path = in_folder / "strategies" / "duel" / "my_idea.py"
    path.write_text("mine\n")
    result = run("strategies", "new", "my-idea")
    assert result.exit_code == 2
    assert "exists already" in result.stderr
    assert path.read_text() == "mine\n"


@pytest.mark.parametrize("kind", ["duel", "board"])
def test_a_new_strategy_hides_none_that_is_there(run, in_folder, kind):
    result = run("strategies", "new", "balanced", "--kind", kind)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "there is a strategy balanced for this game already" in result.stderr
    assert f"{kind}/balanced.py" in result.stderr
    assert "my-balanced" in result.stderr
    assert not (in_folder / "strategies").exists()


def test_a_name_of_the_other_game_is_free(run, in_folder):
    assert run("strategies", "new", "ladder", "--kind", "board").exit_code == 0
    (in_folder / "strategies" / "other.py").write_text(BREAKING)
    result = run("strategies", "new", "breaker")
    assert result.exit_code == 2
    assert "strategies/other.py" in result.stderr


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("x-y", "its class XY would be found as 'xy'"),
        ("my-2nd", "its class My2nd would be found as 'my2nd'"),
        ("none", "its class would be called None"),
        ("strategy", "its class would be called Strategy"),
        ("param", "its class would be called Param"),
        ("My-Idea", "'My-Idea'"),
        ("my--idea", "joined by hyphens"),
    ],
)
def test_a_name_by_which_it_would_not_be_found_is_refused(run, in_folder, name, says):
    result = run("strategies", "new", name)
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in result.stderr
    assert list(in_folder.iterdir()) == []


def test_what_a_check_finds_has_file_and_line_and_exit_code_3(run, in_folder):
    path = in_folder / "breaker.py"
    path.write_text(BREAKING)
    result = run("strategies", "check", path)
    assert result.exit_code == 3
    assert f"{path}:11: error: " in result.stdout
    answer = json.loads(run("strategies", "check", path, "--json").stdout)
    assert not answer["ok"]
    finding = answer["checked"][0]["findings"][0]
    assert set(finding) == {"level", "path", "line", "what", "todo"}
    assert finding["todo"]


@pytest.mark.parametrize("name", ["ladder", "cautious-opener"])
def test_a_shipped_strategy_passes_its_check(name, run):
    result = run("strategies", "check", name)
    assert (result.exit_code, result.stdout) == (0, f"{name}: fine\n")


UNREADABLE = {
    "recursion": ("1.0 if card > 99 else self.lay(view, card + 1)", "lay calls itself"),
    "a field": ("1.0 if view.turn >= 0 else view.deck", "a view has no 'deck'"),
    "an attribute": ("1.0 if view.turn >= 0 else self.x", "self.x is no parameter"),
}


@pytest.mark.parametrize("why", UNREADABLE)
def test_a_replay_refuses_what_cannot_be_compiled(why, run, in_folder):
    code, says = UNREADABLE[why]
    text = BREAKING.replace("1.0 / (view.turn - view.turn)", code)
    (in_folder / "mine.py").write_text(text)
    for words in (("replay", "mine.py", "ladder"), ("match", "mine.py", "ladder", "--games", "20")):
        result = run(*words)
        assert (result.exit_code, result.stdout) == (3, "")
        assert says in result.stderr
        assert "mine.py, line 11" in result.stderr


WANTING = {
    "import random": "random makes its play differ from run to run",
    "import os": "os is out of bounds",
    "def f(memo=[]):\n    return 1": "f has a default value that can change",
}


@pytest.mark.parametrize("before", WANTING)
def test_all_commands_refuse_what_a_check_refuses(before, run, in_folder):
    text = BREAKING.partition("from")[2].replace("1.0 / (view.turn - view.turn)", "1.0")
    (in_folder / "mine.py").write_text(f"{before}\nfrom{text}")
    (in_folder / "mine.toml").write_text(
        'question = "?"\nstrategies = ["mine.py", "ladder"]\ngames = 20\n'
    )
    check = run("strategies", "check", "mine.py")
    assert check.exit_code == 3
    assert f"mine.py:1: error: {WANTING[before]}" in check.stdout
    for words in (
        ("match", "mine.py", "ladder", "--games", "20"),
        ("replay", "mine.py", "ladder"),
        ("run", "mine.toml"),
    ):
        result = run(*words)
        assert (result.exit_code, result.stdout) == (3, ""), words
        assert f"mine.py, line 1: {WANTING[before]}" in result.stderr
    listed = run("strategies", "list", "--strategies", ".")
    assert listed.exit_code == 0
    assert WANTING[before] in listed.stderr
