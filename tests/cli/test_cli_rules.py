"""`lcsim rules`."""

import json

import pytest


def test_the_presets_are_listed(run, snapshot):
    snapshot("rules-list", run("rules", "list").stdout)
    names = [one["name"] for one in json.loads(run("rules", "list", "--json").stdout)["rulesets"]]
    assert {"classic", "duel", "duel-long"} <= set(names)


@pytest.mark.parametrize("spec", ["classic", "duel", "duel-long", "duel:rounds=1,bonus_points=0"])
def test_a_ruleset_is_shown_field_by_field(spec, run, snapshot):
    result = run("rules", "show", spec)
    assert result.exit_code == 0
    snapshot(f"rules-show-{spec.replace(':', '-').replace(',', '-')}", result.stdout)


def test_every_field_says_where_it_comes_from(run):
    shown = json.loads(run("rules", "show", "duel", "--json").stdout)
    assert shown["spec"] == "duel"
    fields = {field["name"]: field for field in shown["fields"]}
    assert fields["rounds"]["value"] == 3
    assert fields["turn_limit"]["assumed"]
    assert all(field["source"] for field in fields.values())


def test_two_rulesets_are_compared(run, snapshot):
    snapshot("rules-diff", run("rules", "diff", "classic", "duel").stdout)
    same = run("rules", "diff", "duel", "duel")
    assert same.stdout == "duel and duel are the same rules\n"
    answer = json.loads(run("rules", "diff", "duel", "duel:rounds=1", "--json").stdout)
    assert answer["differences"] == [{"name": "rounds", "a": 3, "b": 1}]


@pytest.mark.parametrize(
    ("spec", "cards", "score"),
    [
        ("duel", "", 0),
        ("duel", "Rw R4 R6", -20),
        ("duel", "Rw Rw R4 R5 R6 R7 R8 R10", 80),
        ("classic", "Rw Rw R4 R5 R6 R7 R8 R10", 60),
        ("duel:direction=either", "R6 R4", -10),
    ],
)
def test_an_expedition_is_scored(spec, cards, score, run):
    assert run("rules", "score", spec, cards).stdout == f"{score}\n"
    assert json.loads(run("rules", "score", spec, cards, "--json").stdout)["score"] == score
