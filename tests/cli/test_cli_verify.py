"""`lcsim verify`: what it says, in words and as JSON, and its exit codes."""

import json

import pytest

from lcsim.store import open_run, read_part, write_part


@pytest.fixture
def played(run, in_folder):
    """A small run in ./run."""
    options = ("--games", 400, "--unit-deals", 25, "--seed", 3, "--out", "run")
    assert run("match", "ladder", "random-legal", *options).exit_code == 0
    return in_folder / "run"


def test_a_sound_run_is_said_to_be_so(run, played):
    result = run("verify", "run", "--units", 3, "--seed", 5)
    assert result.exit_code == 0
    assert result.stdout.startswith("run: 3 of 8 units played again: the same bytes.\n")
    assert "The same units again: --seed 5" in result.stdout
    assert "random-legal  shipped" in result.stdout
    every = run("verify", "run", "--all", "--json")
    found = json.loads(every.stdout)
    assert found["units"] == {"stored": 8, "compared": 8}
    assert found["same_rules_code"] is True
    assert found["strategies"][0] == {"spec": "ladder", "known_from": "shipped"}


def test_a_unit_that_differs_is_named_with_exit_code_4(run, played):
    path = open_run(played).list_parts()[2]
    part = read_part(path)
    rows = part.rows.copy()
    rows["turns"] += 1
    write_part(path, rows, matchup=part.matchup, ruleset=part.ruleset)
    result = run("verify", "run", "--all")
    assert (result.exit_code, result.stdout) == (4, "")
    assert f"{path.name}: in deal 50, rotation 0, round 0 its turns is" in result.stderr


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("none",), 4, "there is no folder none"),
        (("run", "--all", "--units", 3), 2, "contradict each other"),
        (("run", "--units", 0), 2, "--units is 0"),
        (("run", "--seed", -1), 2, "the seed is -1"),
        (("run", "--strategies", "nowhere"), 2, "nowhere"),
    ],
)
def test_what_cannot_be_is_refused(run, played, words, code, said):
    result = run("verify", *words)
    assert (result.exit_code, result.stdout) == (code, "")
    assert said in result.stderr
