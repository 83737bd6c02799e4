"""The table [forks]: how it is read, refused, and cut into units of its own."""

import dataclasses
from pathlib import Path

import pytest

from lcsim.errors import CountError, ExperimentError, UsageError
from lcsim.experiment import build_plan, parse_experiment
from lcsim.experiment import load as load_module
from lcsim.rules import GAMES

BASE = 'question = "Why?"\nstrategies = ["ladder", "random-legal", "cautious-opener"]\n'
FILE = Path("folder/x.toml")


def plan_of(text, **changes):
    return build_plan(dataclasses.replace(parse_experiment(BASE + text), **changes))


def test_nothing_is_forked_unless_asked_for():
    plan = plan_of("games = 200")
    assert plan.experiment.fork_games == plan.n_fork_games == 0
    assert plan.fork_units == ()


def test_the_first_deals_of_every_matchup_are_covered_once():
    plan = plan_of("games = 5_000\n[forks]\ngames = 1_500")
    assert plan.n_fork_games == 3 * 1500
    for number in range(3):
        own = [unit for unit in plan.fork_units if unit.matchup == number]
        deals = [
            deal for unit in own for deal in range(unit.first_deal, unit.first_deal + unit.n_deals)
        ]
        assert deals == list(range(750))
        assert len(own) == 8
    assert [unit.matchup for unit in plan.fork_units] == sorted(u.matchup for u in plan.fork_units)


def test_units_of_forks_are_bounded_and_follow_the_size_asked_for():
    many = plan_of("games = 200_000\n[forks]\ngames = 200_000")
    assert max(unit.n_deals for unit in many.fork_units) == 1024
    few = plan_of("games = 200\n[forks]\ngames = 100")
    assert [unit.n_deals for unit in few.fork_units] == [50] * 3
    sized = plan_of("games = 200\nunit_deals = 20\n[forks]\ngames = 100")
    assert [unit.n_deals for unit in sized.fork_units] == [20, 20, 10] * 3


def test_a_stopping_rule_cuts_no_fork():
    free = plan_of("games = 20_000\n[forks]\ngames = 6_000")
    ruled = plan_of("games = 20_000\nprecision = 1.0\n[forks]\ngames = 6_000")
    assert free.fork_units == ruled.fork_units
    assert free.units != ruled.units


def test_ids_are_those_of_no_other_unit_and_leave_the_others_alone():
    text = "games = 400\nunit_deals = 100\n"
    plain, forked = plan_of(text), plan_of(text + "[forks]\ngames = 400")
    assert plain.units == forked.units
    places = [(unit.matchup, unit.first_deal, unit.n_deals) for unit in forked.units]
    assert places == [(unit.matchup, unit.first_deal, unit.n_deals) for unit in forked.fork_units]
    ids = {unit.id for unit in (*forked.units, *forked.fork_units)}
    assert len(ids) == 2 * len(places)


@pytest.mark.parametrize("change", ["seed = 7", 'rulesets = ["classic"]'])
def test_ids_follow_what_decides_the_forks(change):
    text = "\ngames = 400\n[forks]\ngames = 400"
    ids = [{unit.id for unit in plan_of(head + text).fork_units} for head in ("", change)]
    assert not ids[0] & ids[1]
    again = {unit.id for unit in plan_of(text).fork_units}
    assert again == ids[0]


BAD = [
    ("[forks]", ExperimentError, "forks.games: is missing", ""),
    ("forks = 3", ExperimentError, "forks: must be a table, not 3", ""),
    ("[forks]\ngamez = 2", ExperimentError, "forks.gamez: unknown key; did you mean 'games'?", ""),
    ("[forks]\ngames = 2\ndeals = 1", ExperimentError, "forks.deals: unknown key", ""),
    ("[forks]\ngames = 2.5", ExperimentError, "forks.games: must be a whole number", ""),
    ("[forks]\ngames = 0", CountError, "forks.games: 0 is not possible", "from 1 to all of them"),
    ("[forks]\ngames = -4", CountError, "forks.games: -4 is not possible", "100"),
    ("[forks]\ngames = 102", CountError, "forks.games: 102 is not possible", "of them: 100"),
    ("[forks]\ngames = 99", CountError, "forks.games: 99 is no multiple of 2", "98 or 100"),
]


@pytest.mark.parametrize(("table", "kind", "said", "hint"), BAD, ids=[case[0] for case in BAD])
def test_mistakes_are_named(table, kind, said, hint):
    with pytest.raises(UsageError) as caught:
        build_plan(parse_experiment(f"{BASE}games = 100\n{table}", path=FILE))
    assert type(caught.value) is kind
    assert said in caught.value.message
    assert str(FILE) in caught.value.message
    assert hint in caught.value.hint


def test_a_game_without_forks_refuses_them(monkeypatch):
    text = 'question = "?"\nstrategies = ["steady", "racer"]\nrulesets = ["board"]\n'
    text += "games = 100\n[forks]\ngames = 10"
    game = dataclasses.replace(GAMES["board"], play_forks=None)
    monkeypatch.setattr(load_module, "get_game", {**GAMES, "board": game}.__getitem__)
    with pytest.raises(
        ExperimentError, match="the game 'board' has no moves that lcsim forks"
    ) as caught:
        parse_experiment(text)
    assert "duel" in caught.value.hint


def test_a_strategy_restricted_at_one_turn_cannot_be_forked():
    text = 'question = "?"\nstrategies = ["ladder@no-wagers:0.4", "random-legal"]\ngames = 100\n'
    assert build_plan(parse_experiment(text)).fork_units == ()
    with pytest.raises(
        ExperimentError, match=r"x\.toml: forks: ladder@no-wagers:0\.4 is restricted"
    ):
        build_plan(parse_experiment(f"{text}[forks]\ngames = 10", path=FILE))
