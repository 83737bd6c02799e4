"""Plans: units cover each deal once, and depend on their own matchup alone."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lcsim.errors import CountError, ExperimentError, LcsimError, RulesetError
from lcsim.experiment import build_match_experiment, build_plan, parse_experiment
from lcsim.experiment import plan as plan_module
from lcsim.experiment.beside import find_beside
from lcsim.experiment.plan import CHECKPOINT_DEALS, find_expected
from lcsim.rules import get_game
from lcsim.shipped import find_shipped

A, B, C = "ladder", "random-legal", "cautious-opener"


def plan_of(text: str, **changes):
    experiment = parse_experiment('question = "?"\n' + text)
    return build_plan(replace(experiment, **changes))


def labels_of(plan) -> list[str]:
    return [matchup.label for matchup in plan.matchups]


@given(
    games=st.integers(1, 200_000).map(lambda n: 2 * n),
    unit_deals=st.none() | st.integers(500, 10**6),
    precision=st.none() | st.just(0.1),
)
@settings(max_examples=60, deadline=None)
def test_units_cover_every_deal_once_in_order(games, unit_deals, precision):
    plan = build_plan(
        build_match_experiment(
            [A, B], games=games, seed=1, unit_deals=unit_deals, precision=precision
        )
    )
    expected = 0
    for unit in plan.units:
        assert unit.first_deal == expected
        assert 0 < unit.n_deals <= (unit_deals or 8192)
        expected += unit.n_deals
        if precision:
            last = unit.first_deal + unit.n_deals - 1
            assert unit.first_deal // CHECKPOINT_DEALS == last // CHECKPOINT_DEALS
    assert expected == games // 2
    assert len({unit.id for unit in plan.units}) == len(plan.units)
    assert plan.n_games == games


def test_long_games_have_smaller_units():
    plan = build_plan(build_match_experiment([A, B], "duel:rounds=1000", games=200_000, seed=1))
    assert max(unit.n_deals for unit in plan.units) * 2 * 1000 <= 65536


def test_adding_a_strategy_changes_no_unit():
    before = plan_of(f'strategies = ["{A}", "{B}"]')
    after = plan_of(f'strategies = ["{C}", "{A}", "{B}"]')
    assert {unit.id for unit in before.units} < {unit.id for unit in after.units}


def test_a_unit_is_named_by_all_that_decides_it():
    base = {"games": 2000, "seed": 1}
    plans = [
        build_plan(build_match_experiment([A, B], **base)),
        build_plan(build_match_experiment([B, A], **base)),
        build_plan(build_match_experiment([A, C], **base)),
        build_plan(build_match_experiment([A, A], **base)),
        build_plan(build_match_experiment([A, B], "duel:rounds=1", **base)),
        build_plan(build_match_experiment([A, B], "classic", **base)),
        build_plan(build_match_experiment([A, B], games=2000, seed=2)),
        build_plan(build_match_experiment([A, B], games=2002, seed=1)),
    ]
    first = [plan.units[-1].id for plan in plans]
    assert len(set(first)) == len(first)


def test_round_robin_gauntlet_and_listed_matchups():
    strategies = f'strategies = ["{A}", "{B}", "{C}"]\n'
    assert labels_of(plan_of(strategies)) == [f"{A} vs {B}", f"{A} vs {C}", f"{B} vs {C}"]
    gauntlet = plan_of(strategies + 'matchups = "gauntlet"')
    assert labels_of(gauntlet) == [f"{A} vs {B}", f"{A} vs {C}"]
    listed = plan_of(f'matchups = [["{C}", "{A}"], ["{B}", "{B}"]]')
    assert labels_of(listed) == [f"{C} vs {A}", f"{B} vs {B}#2"]
    assert listed.matchups[1].strategies == (2, 2)
    two = plan_of(strategies + 'rulesets = ["classic", "duel"]')
    assert [matchup.ruleset.spec for matchup in two.matchups] == ["classic"] * 3 + ["duel"] * 3


def test_a_strategy_against_itself_is_told_apart():
    plan = plan_of(f'strategies = ["{A}", "{A}"]')
    assert labels_of(plan) == [f"{A} vs {A}#2"]
    assert len(plan.strategies) == 1


def test_more_players_play_every_combination(monkeypatch):
    game = get_game("duel")
    many = replace(game, player_counts=range(2, 5))
    monkeypatch.setattr(plan_module, "get_game", lambda kind: many)
    text = f'strategies = ["{A}", "{B}", "{C}", "{A}"]\ngames = 12\n'
    plan = plan_of(text, players=3)
    assert labels_of(plan) == [
        f"{A} vs {B} vs {C}",
        f"{A} vs {B} vs {A}#2",
        f"{A} vs {C} vs {A}#2",
        f"{B} vs {C} vs {A}",
    ]
    assert {matchup.n_deals for matchup in plan.matchups} == {4}
    gauntlet = plan_of(text, players=3, matchups="gauntlet")
    assert labels_of(gauntlet) == [
        f"{A} vs {B} vs {C}",
        f"{A} vs {B} vs {A}#2",
        f"{A} vs {C} vs {A}#2",
    ]
    with pytest.raises(CountError, match="13 is no multiple of 3") as caught:
        plan_of(text, players=3, games=13)
    assert "12 or 15" in caught.value.hint


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        (f'strategies = ["{A}"]', ExperimentError, "1 cannot fill a game of 2"),
        (f'strategies = ["{A}", "laddr"]', LcsimError, "did you mean 'ladder'"),
        (f'matchups = [["{A}"]]', CountError, "matchups[0]: a game of duel has 2 players, not 1"),
        (f'matchups = [["{A}", "{B}"], ["{A}", "{B}"]]', ExperimentError, "is given twice"),
        (f'strategies = ["{A}", "{A}", "{B}"]', ExperimentError, "is given twice"),
    ],
)
def test_matchups_that_cannot_be_played(text, kind, said):
    with pytest.raises(kind) as caught:
        plan_of(text)
    assert said in caught.value.message


EXPECT = '\n[[expect]]\nwin_rate_above = 0.5\nstrategy = "{}"\n'


def test_expectations_are_found_by_label_spec_or_in_every_matchup():
    text = f'strategies = ["{A}", "{B}", "{C}"]\nrulesets = ["classic", "duel"]'
    plan = plan_of(text + EXPECT.format(B))
    (expectation,) = plan.experiment.expectations
    assert find_expected(plan, expectation) == [
        (0, 1, (0,)),
        (2, 0, (1,)),
        (3, 1, (0,)),
        (5, 0, (1,)),
    ]
    plan = plan_of(text + EXPECT.format(B) + f'against = "{C}"\nruleset = "duel"')
    assert find_expected(plan, plan.experiment.expectations[0]) == [(5, 0, (1,))]
    itself = plan_of(f'strategies = ["{A}", "{A}"]' + EXPECT.format(A) + f'against = "{A}#2"')
    assert find_expected(itself, itself.experiment.expectations[0]) == [(0, 0, (1,))]


def test_an_expectation_of_nobody_is_refused():
    text = f'strategies = ["{A}", "{B}"]'
    with pytest.raises(ExperimentError, match=r"expect\[0\]: no matchup has 'laddder'; did you"):
        plan_of(text + EXPECT.format("laddder"))
    with pytest.raises(ExperimentError, match="against 'nobody'"):
        plan_of(text + EXPECT.format(A) + 'against = "nobody"')
    with pytest.raises(ExperimentError, match="under 'classic'"):
        plan_of(text + EXPECT.format(A) + 'ruleset = "classic"')


@pytest.mark.parametrize("more", ["unit_deals = 1", "unit_deals = 2000\nprecision = 0.1"])
def test_more_units_than_can_be_kept_are_refused_before_they_are_cut(more):
    with pytest.raises(CountError, match=r"units, and a run has at most 2,000,000") as caught:
        plan_of(f'games = 10_000_000_000\nstrategies = ["{A}", "{B}"]\n{more}')
    assert "--unit-deals" in caught.value.hint


def test_a_file_of_ones_own_leaves_the_labels_of_others_alone(tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text((find_shipped("strategies") / "duel" / "ladder.py").read_text())
    plan = plan_of(f'strategies = ["{mine}", "{A}", "{B}"]')
    assert labels_of(plan) == [f"{mine} vs {A}", f"{mine} vs {B}", f"{A} vs {B}"]
    alone = plan_of(f'strategies = ["{A}", "{B}"]')
    assert {unit.id for unit in alone.units} < {unit.id for unit in plan.units}


def test_a_path_is_looked_for_beside_the_experiment_first(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source = (find_shipped("strategies") / "duel" / "ladder.py").read_text()
    for folder in (tmp_path, tmp_path / "deep"):
        folder.mkdir(exist_ok=True)
        (folder / "mine.py").write_text(source)
    (tmp_path / "other.py").write_text(source.replace("Ladder", "Other"))
    text = 'question = "?"\nstrategies = ["mine.py", "other.py"]' + EXPECT.format("mine.py")
    plan = build_plan(parse_experiment(text, path=tmp_path / "deep" / "x.toml"))
    assert [one.path for one in plan.strategies] == [
        (tmp_path / "deep" / "mine.py").resolve(),
        (tmp_path / "other.py").resolve(),
    ]
    assert find_expected(plan, plan.experiment.expectations[0]) == [(0, 0, (1,))]


def test_a_ruleset_is_checked_against_the_number_of_players(monkeypatch):
    asked = []

    def check(ruleset, n_players):
        asked.append((ruleset.spec, n_players))
        raise RulesetError("too many at the table", hint="send one away")

    game = replace(get_game("duel"), check_players=check)
    monkeypatch.setattr(plan_module, "get_game", lambda kind: game)
    with pytest.raises(RulesetError, match="too many at the table"):
        build_plan(build_match_experiment(["ladder", "ladder"], "classic", games=2, seed=1))
    assert asked == [("classic", 2)]
    text = 'question = "?"\nstrategies = ["ladder", "ladder"]\nrulesets = ["duel"]\ngames = 2\n'
    with pytest.raises(ExperimentError, match=r"x\.toml: rulesets\[0\]: too many") as caught:
        build_plan(parse_experiment(text, path=Path("x.toml")))
    assert caught.value.hint == "send one away"


def test_a_restricted_file_is_looked_for_beside_the_experiment_too(tmp_path, monkeypatch):
    folder = tmp_path / "there"
    folder.mkdir()
    (folder / "mine.py").write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert find_beside("mine.py@no-wagers", Path("there")) == "there/mine.py@no-wagers"
    assert find_beside("../there/mine.py:Mine:x=1", Path("there")) == "there/mine.py:Mine:x=1"
    assert find_beside("other.py", folder) == "other.py"
    assert find_beside("balanced@no-wagers", folder) == "balanced@no-wagers"
    assert find_beside("mine.py", None) == "mine.py"


def test_a_path_through_a_link_stays_as_it_leads(tmp_path, monkeypatch):
    (tmp_path / "far" / "deep").mkdir(parents=True)
    (tmp_path / "far" / "mine.py").write_text("", encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "far" / "deep")
    (tmp_path / "mine.py").write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    found = find_beside("../mine.py", Path("link"))
    assert Path(found).samefile(tmp_path / "far" / "mine.py")
