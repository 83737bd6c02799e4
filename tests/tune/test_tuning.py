"""Tunings as a whole: the same end for any jobs and after any interruption, and judged fresh."""

import json
from dataclasses import replace

import numpy as np
import pytest

from lcsim.errors import CountError, ExperimentError, InterruptedRunError, RunDirError
from lcsim.rules import parse_ruleset
from lcsim.runner.backends import ThreadBackend
from lcsim.shipped import find_shipped
from lcsim.strategy import compile_strategy, load_strategy
from lcsim.tune.fitness import build_pool, compare_goals, estimate_goal, score_settings
from lcsim.tune.judge import VALIDATION_DEALS
from lcsim.tune.settings import Settings, build_settings, load_settings, prepare_tuning
from lcsim.tune.tuning import run_tuning

SMALL = Settings(
    strategy="cautious-opener",
    against=("eager-opener", "self"),
    ruleset="duel:rounds=1",
    seed=5,
    budget=4000,
    deals=20,
    validation=400,
    sensitivity=80,
)
BOARD = replace(
    SMALL,
    strategy="steady",
    against=("leader-first", "steady"),
    ruleset="board-short",
    players=3,
    goal="wins",
    budget=3000,
    deals=5,
    validation=90,
    sensitivity=30,
)


def tune(settings, out, jobs=1, watch=None):
    return run_tuning(prepare_tuning(settings), out, ThreadBackend(jobs), watch=watch)


@pytest.mark.parametrize("settings", [SMALL, BOARD], ids=["duel", "board"])
def test_the_jobs_change_nothing(settings, tmp_path):
    one, two = (tune(settings, tmp_path / str(jobs), jobs) for jobs in (1, 2))
    assert one == two
    assert one.n_generations >= 3
    for name in ("tune.json", "generations.jsonl", "tuned.toml"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()


def test_a_stopped_tuning_goes_on_to_the_same_end(tmp_path):
    whole = tune(SMALL, tmp_path / "whole")

    def stop(generation, _n):
        if generation.number == 3:
            raise KeyboardInterrupt

    with pytest.raises(InterruptedRunError, match="after 4 of"):
        tune(SMALL, tmp_path / "cut", watch=stop)
    lines = (tmp_path / "cut" / "generations.jsonl").read_bytes()
    (tmp_path / "cut" / "generations.jsonl").write_bytes(lines + b'{"number": 4, "val')  # a kill
    seen = []
    assert tune(SMALL, tmp_path / "cut", watch=lambda one, _: seen.append(one.number)) == whole
    assert seen[0] == 4
    for name in ("tune.json", "generations.jsonl", "tuned.toml"):
        assert (tmp_path / "cut" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_what_comes_out_is_judged_on_deals_that_the_search_never_saw(tmp_path):
    outcome = tune(SMALL, tmp_path / "t")
    loaded = load_strategy(outcome.spec, kind="duel")
    assert {name: loaded.params[name] for name in outcome.values} == outcome.values
    pool = build_pool(
        [compile_strategy(load_strategy("eager-opener", kind="duel")), None],
        parse_ruleset(SMALL.ruleset),
        n_players=2,
        goal="margin",
    )
    deals = range(VALIDATION_DEALS, VALIDATION_DEALS + 100)
    start = load_strategy(SMALL.strategy, kind="duel")
    scores = score_settings(
        pool, [loaded, start], loaded, seed=5, deals=deals, backend=ThreadBackend(1)
    )
    assert outcome.tuned == estimate_goal(pool, scores[0])
    assert outcome.gain == compare_goals(pool, scores[0], scores[1])
    assert outcome.gain.mean == pytest.approx(outcome.tuned.mean - outcome.start.mean)
    assert outcome.gap.mean == pytest.approx(outcome.searched.mean - outcome.tuned.mean)
    assert {one.param for one in outcome.neighbours} == set(outcome.values)


def test_a_search_from_a_bad_start_finds_a_better_one(tmp_path):
    bad = replace(SMALL, strategy="cautious-opener:open_at=54,wager_at=0", budget=16000)
    outcome = tune(bad, tmp_path / "t")
    assert outcome.gain.mean > 5 * outcome.gain.se


def test_goals_are_means_a_game():
    margin = build_pool([None], parse_ruleset("duel"), n_players=2, goal="margin")
    sums = np.array([[4, 8, 0]])  # a deal group is two games: 2, 4 and 0 points ahead a game
    assert estimate_goal(margin, sums).mean == pytest.approx(2.0)
    wins = build_pool([None, None], parse_ruleset("board"), n_players=3, goal="wins")
    assert estimate_goal(wins, np.array([[36, 0]])).mean == pytest.approx(0.5)
    assert estimate_goal(wins, np.array([[36, 36]])).se == 0


def test_the_file_of_a_tuning_asks_for_it_again(tmp_path):
    outcome = tune(SMALL, tmp_path / "t")
    file = tmp_path / "t" / "tuned.toml"
    assert load_settings(file) == SMALL
    assert outcome.spec in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "path", sorted((find_shipped("experiments") / "tunings").glob("*.toml")), ids=lambda p: p.stem
)
def test_the_shipped_tunings_are_of_strategies_that_have_what_they_tune(path):
    settings = load_settings(path)
    tuning = prepare_tuning(settings)
    assert settings.question
    assert set(settings.params) <= set(tuning.space.names)
    assert "# Cost: " in path.read_text(encoding="utf-8")


def test_another_tuning_does_not_go_on_in_a_folder(tmp_path):
    tune(SMALL, tmp_path / "t")
    with pytest.raises(RunDirError, match="holds another tuning: seed was 5 and is now 6"):
        tune(replace(SMALL, seed=6), tmp_path / "t")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(RunDirError, match=r"letter\.txt"):
        tune(SMALL, tmp_path / "full")


def test_a_damaged_tuning_is_named(tmp_path):
    tune(SMALL, tmp_path / "t")
    (tmp_path / "t" / "tune.json").write_text("{", encoding="utf-8")
    with pytest.raises(RunDirError, match=r"tune\.json"):
        tune(SMALL, tmp_path / "t")


def test_the_manifest_is_plain_json_without_nan(tmp_path):
    tune(SMALL, tmp_path / "t")
    text = (tmp_path / "t" / "tune.json").read_text(encoding="utf-8")
    manifest = json.loads(text, parse_constant=lambda name: pytest.fail(name))
    assert manifest["status"] == "finished"
    assert manifest["params"]["open_at"]["high"] == 54


@pytest.mark.parametrize(
    ("changes", "kind", "says"),
    [
        ({"against": []}, ExperimentError, "against"),
        ({"goal": "glory"}, ExperimentError, "goal"),
        ({"deals": 1}, ExperimentError, "deals"),
        ({"deals": 1}, ExperimentError, "tuned-duel.toml"),
        ({"population": 3}, CountError, "population is 3, and CMA-ES needs 4 or more"),
        ({"spread": 0.0}, ExperimentError, "spread"),
        ({"budgte": 3}, ExperimentError, "did you mean"),
        ({"players": 3}, CountError, "not played by 3"),
    ],
)
def test_bad_settings_are_explained(changes, kind, says):
    good = {"strategy": "cautious-opener", "against": ["eager-opener"], "players": 2}
    with pytest.raises(kind) as caught:
        prepare_tuning(build_settings({**good, **changes}))
    assert says in f"{caught.value}"


def test_a_budget_that_pays_for_nothing_is_refused(tmp_path):
    with pytest.raises(CountError, match="no generation"):
        tune(replace(SMALL, budget=10), tmp_path / "t")
