"""Experiment files: good ones are read, and every kind of mistake is named with its place."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lcsim.errors import CountError, ExperimentError, UsageError
from lcsim.experiment import (
    build_match_experiment,
    build_plan,
    load_experiment,
    parse_experiment,
)
from lcsim.experiment.load import check_games
from lcsim.shipped import find_shipped

BASE = 'question = "Who wins?"\nstrategies = ["ladder", "random-legal"]\n'
FILE = Path("folder/x.toml")


def test_defaults():
    experiment = parse_experiment(BASE)
    assert experiment.kind == "duel"
    assert (experiment.seed, experiment.games, experiment.players) == (42, 100_000, 2)
    assert [ruleset.spec for ruleset in experiment.rulesets] == ["duel"]
    assert experiment.strategies == ("ladder", "random-legal")
    assert experiment.matchups == "round-robin"
    assert not experiment.has_stop_rule


def test_everything_said():
    experiment = parse_experiment(
        BASE
        + """
        cost = "a minute"
        kind = "duel"
        seed = 18446744073709551615
        games = 2_000
        rulesets = ["classic", {preset = "duel", rounds = 1, redraw_own_discard = true}]
        matchups = [["ladder", "random-legal"], ["ladder", "ladder"]]
        unit_deals = 50
        sprt = [0, 1.5]
        [[expect]]
        strategy = "ladder"
        against = "random-legal"
        win_rate_above = 0.6
        diff_below = 100
        """,
        path=FILE,
    )
    assert experiment.seed == 2**64 - 1
    assert [ruleset.spec for ruleset in experiment.rulesets] == [
        "classic",
        "duel:rounds=1,redraw_own_discard=yes",
    ]
    assert experiment.matchups == (("ladder", "random-legal"), ("ladder", "ladder"))
    assert experiment.sprt == (0, 1.5)
    assert experiment.has_stop_rule
    assert [(one.quantity, one.side, one.bound) for one in experiment.expectations] == [
        ("win_rate", "above", 0.6),
        ("diff", "below", 100),
    ]
    assert experiment.folder == FILE.parent


def test_matchups_may_name_the_strategies_alone():
    experiment = parse_experiment('question = "?"\nmatchups = [["b", "a"], ["c", "b"]]')
    assert experiment.strategies == ("b", "a", "c")


BAD = [
    ("games = 3", CountError, "games: 3 is no multiple of 2", "2 or 4"),
    ("games = 1", CountError, "games: 1 is no multiple of 2", "possible: 2"),
    ("games = 0", CountError, "games: 0", "from 1 to"),
    ("games = -2", CountError, "games: -2", "from 1 to"),
    ("games = 10_000_000_002", CountError, "games: 10000000002", "from 1 to"),
    ("games = 2.0", ExperimentError, "games: must be a whole number, not 2.0", ""),
    ("games = true", ExperimentError, "games: must be a whole number, not true", ""),
    ('games = "many"', ExperimentError, 'games: must be a whole number, not the text "many"', ""),
    ("gamez = 2", ExperimentError, "gamez: unknown key; did you mean 'games'?", ""),
    ("seed = -1", CountError, "seed: -1", "18446744073709551615"),
    ("seed = 18446744073709551616", CountError, "seed: 18446744073709551616", "0 to"),
    ("players = 3", CountError, "players: a game of duel has 2 players, not 3", ""),
    ("unit_deals = 0", CountError, "unit_deals: 0", "from 1 to"),
    ("precision = 0", CountError, "precision: 0", "half-width"),
    ("precision = nan", ExperimentError, "precision: must be a finite number", ""),
    ("sprt = [1]", ExperimentError, "sprt: must have 2 entries, not 1", ""),
    ("sprt = [2, 1]", CountError, "sprt: 2 is not below 1", ""),
    ("precision = 1\nsprt = [0, 1]", ExperimentError, "both say when to stop", "leave one"),
    ("rulesets = []", ExperimentError, "rulesets: must not be empty", ""),
    ('rulesets = "duel"', ExperimentError, "rulesets: must be a list in brackets", ""),
    ("rulesets = [3]", ExperimentError, "rulesets[0]: must be a text", ""),
    ('rulesets = ["dul"]', ExperimentError, "rulesets[0]: unknown ruleset 'dul'", ""),
    ('rulesets = ["duel:bonus=1"]', ExperimentError, "'bonus': ", ""),
    ('rulesets = [{preset = "duel", rounds = "x"}]', ExperimentError, "rulesets[0]: ", ""),
    ('rulesets = [{preset = "duel", rounds = 0}]', ExperimentError, "rulesets[0]: ", ""),
    ("rulesets = [{rounds = 1}]", ExperimentError, "a table with a preset", ""),
    ('rulesets = ["duel", "duel:rounds=3"]', ExperimentError, "rulesets[1]: duel is given", ""),
    ('kind = "board"', ExperimentError, "this experiment is about 'board'", ""),
    ('matchups = "all"', ExperimentError, 'matchups: must be "round-robin", "gauntlet"', ""),
    ("matchups = []", ExperimentError, "matchups: must be", ""),
    ('matchups = [["ladder", "x"]]', ExperimentError, "matchups[0][1]: 'x' is not among", ""),
    ("expect = 1", ExperimentError, "expect: must be a list", ""),
    ('[expect]\nstrategy = "ladder"', ExperimentError, "expect: must be a list of tables", ""),
    ('[[expect]]\nstratgy = "ladder"', ExperimentError, "expect[0].stratgy: unknown key", ""),
    ('[[expect]]\nstratgy = "ladder"', ExperimentError, "did you mean 'strategy'?", ""),
    ('[[expect]]\nstrategy = "ladder"', ExperimentError, "expect[0]: says nothing", "above"),
    (
        '[[expect]]\nstrategy = "ladder"\nwin_rate_above = 60',
        ExperimentError,
        "expect[0].win_rate_above: must be less than 1, not 60",
        "",
    ),
    (
        '[[expect]]\nstrategy = "ladder"\nwin_rate_below = 0',
        ExperimentError,
        "expect[0].win_rate_below: must be greater than 0, not 0",
        "",
    ),
    (
        '[[expect]]\nstrategy = "ladder"\nwin_rate_above = 0.6\nwin_rate_below = 0.5',
        ExperimentError,
        "expect[0]: nothing is above 0.6 and below 0.5",
        "win_rate_above that is less than win_rate_below",
    ),
    (
        '[[expect]]\nstrategy = "ladder"\ndiff_above = -3\ndiff_below = -3',
        ExperimentError,
        "expect[0]: nothing is above -3 and below -3",
        "diff_above",
    ),
    ("games = ", ExperimentError, "line 3", "toml"),
    ("games", ExperimentError, "at the end, line 3", "toml"),
]


@pytest.mark.parametrize(("line", "kind", "said", "hint"), BAD, ids=[case[0] for case in BAD])
def test_mistakes_are_named(line, kind, said, hint):
    with pytest.raises(UsageError) as caught:
        build_plan(parse_experiment(BASE + line, path=FILE))
    assert type(caught.value) is kind
    assert said in caught.value.message
    assert str(FILE) in caught.value.message
    assert hint in caught.value.hint
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('strategies = ["a"]', "question: is missing"),
        ('question = ""\nstrategies = ["a"]', "question: must not be empty"),
        ('question = "?"', "strategies: is missing"),
        (
            f'question = "{"W" * 300}?"\nstrategies = ["a"]',
            "question: has 301 characters, more than 300",
        ),
    ],
)
def test_what_is_missing_is_named(text, said):
    with pytest.raises(ExperimentError, match=said):
        parse_experiment(text)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(ExperimentError, match=r"cannot read .*none\.toml: No such file"):
        load_experiment(tmp_path / "none.toml")
    with pytest.raises(ExperimentError, match="cannot read"):
        load_experiment(tmp_path)
    latin = tmp_path / "latin.toml"
    latin.write_bytes(BASE.encode() + 'cost = "très cher"'.encode("latin-1"))
    with pytest.raises(ExperimentError, match=r"latin\.toml, line 3: this is no UTF-8"):
        load_experiment(latin)


@given(st.integers(1, 10**9), st.lists(st.integers(2, 4), min_size=1, max_size=3))
def test_the_nearest_possible_numbers_of_games_are_possible(games, rotations):
    try:
        check_games(games, rotations)
    except CountError as error:
        near = [int(text.replace(",", "")) for text in error.hint.split(": ")[1].split(" or ")]
        assert min(abs(games - one) for one in near) <= max(rotations) ** 2
        for one in near:
            check_games(one, rotations)
    else:
        assert all(games % n == 0 for n in rotations)


def test_a_match_is_an_experiment_of_one_matchup():
    experiment = build_match_experiment(
        ["ladder", "ladder"], "duel:rounds=1", games=200, seed=7, precision=0.5
    )
    assert experiment.matchups == (("ladder", "ladder"),)
    assert experiment.strategies == ("ladder",)
    assert (experiment.games, experiment.seed, experiment.precision) == (200, 7, 0.5)
    assert experiment.path is None
    with pytest.raises(CountError, match="2 players, not 3"):
        build_match_experiment(["a", "b", "c"], games=6, seed=0)


def test_a_match_of_long_specs_has_a_short_question():
    specs = [f"folder/{'long/' * 30}{name}.py" for name in ("one", "two")]
    experiment = build_match_experiment(specs, games=200, seed=7)
    assert experiment.question == "Who wins, and by how much?"
    assert parse_experiment(f'question = "{"W" * 299}?"\nstrategies = ["a", "b"]').question


def test_shipped_experiments_open_with_their_question_and_their_cost():
    files = sorted(find_shipped("experiments").glob("*.toml"))
    assert files
    for file in files:
        experiment = load_experiment(file)
        assert experiment.question.endswith("?"), file
        assert experiment.cost, file
        text = file.read_text(encoding="utf-8")
        assert text.startswith("# "), file
        assert list(tomllib.loads(text))[:2] == ["question", "cost"], file


def test_quickstart_asks_what_it_should():
    experiment = load_experiment(find_shipped("experiments") / "quickstart.toml")
    assert experiment.seed == 2026
    assert experiment.games >= 100_000
    assert experiment.matchups == "round-robin"
    assert len(set(experiment.strategies)) == 9
    assert "tuned" in experiment.strategies  # or the answer would not be the strongest


def test_a_number_of_thousands_of_digits_is_refused():
    with pytest.raises(ExperimentError, match="too long to be read"):
        parse_experiment(f'question = "?"\nseed = {"9" * 5000}')
