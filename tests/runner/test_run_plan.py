"""Runs: the same rows and moments however they come about, and nothing played twice."""

import dataclasses
import errno
from pathlib import Path

import pytest

from lcsim.errors import (
    CountError,
    InterruptedRunError,
    PartError,
    RunDirError,
    StoreError,
    StrategyBrokeError,
    UsageError,
)
from lcsim.experiment import build_plan, parse_experiment
from lcsim.runner import NoProgress, run_plan
from lcsim.runner import unit as unit_module
from lcsim.stats.estimate import estimate_score, measure_games
from lcsim.store import open_run, read_part


class Interrupting(NoProgress):
    """Presses Ctrl-C after some units."""

    def __init__(self, after: int) -> None:
        self.left = after

    def update(self, snapshot: object) -> None:
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


@pytest.fixture
def played(monkeypatch) -> list[int]:
    """Return the list, still growing, of the first deals of the units that are really played."""
    firsts: list[int] = []
    original = unit_module.get_game

    def spy(kind: str) -> object:
        game = original(kind)

        def play(ruleset: object, **options: object) -> object:
            firsts.append(options["first_deal"])
            return game.play_deals(ruleset, **options)

        return dataclasses.replace(game, play_deals=play)

    monkeypatch.setattr(unit_module, "get_game", spy)
    return firsts


def comparable(folder: Path) -> dict:
    """Return a manifest without what may differ between two runs of one command."""
    manifest = open_run(folder).manifest
    return {key: value for key, value in manifest.items() if key not in ("timing", "files")}


def test_jobs_change_no_byte(tmp_path, make_table, read_bytes):
    plan = make_table()
    results = [run_plan(plan, tmp_path / str(jobs), jobs=jobs) for jobs in (1, 2, 5)]
    assert results[0].matchups == results[1].matchups == results[2].matchups
    assert len(plan.units) >= 3
    parts = [read_bytes(tmp_path / str(jobs)) for jobs in (1, 2, 5)]
    assert parts[0] == parts[1] == parts[2]
    assert set(parts[0]) == {f"{unit.id}.parquet" for unit in plan.units}
    assert comparable(tmp_path / "1") == comparable(tmp_path / "2")


@pytest.mark.parametrize("unit_deals", [1500, 333, 61, None])
def test_unit_size_changes_no_row(tmp_path, make_table, read_rows, unit_deals):
    one = run_plan(make_table(), tmp_path / "one", jobs=2)
    other = run_plan(make_table(unit_deals=unit_deals), tmp_path / "other", jobs=2)
    assert other.matchups == one.matchups
    assert read_rows(tmp_path / "other").equals(read_rows(tmp_path / "one"))


def test_rows_are_complete_and_agree_with_the_moments(tmp_path, make_plan, read_rows):
    result = run_plan(make_plan(), tmp_path, jobs=2)
    rows = read_rows(tmp_path)
    assert rows.height == 3000 * 3 == result.n_rounds
    assert rows.select("deal", "rotation", "round").n_unique() == rows.height
    assert result.n_games == 3000
    assert result.matchups[0].n_deals == 1500
    score = estimate_score(result.matchups[0].games, 0)
    assert score.mean == pytest.approx(rows["score_0"].sum() / 3000, rel=1e-12)
    assert result.stopped == "games"
    assert open_run(tmp_path).is_finished()


def test_without_a_folder_the_result_is_the_same(tmp_path, make_plan):
    assert run_plan(make_plan(), None).matchups == run_plan(make_plan(), tmp_path).matchups


def test_a_second_start_plays_nothing(tmp_path, make_table, read_bytes, played):
    plan = make_table()
    firsts = [unit.first_deal for unit in plan.units]
    first = run_plan(plan, tmp_path, jobs=2)
    before, timing = read_bytes(tmp_path), open_run(tmp_path).manifest["timing"]
    assert sorted(played) == firsts == list(range(0, plan.matchups[0].n_deals, 400))
    again = run_plan(make_table(), tmp_path, jobs=1)
    assert sorted(played) == firsts
    assert again.matchups == first.matchups
    assert (again.timing.units_played, again.timing.units_read) == (0, len(firsts))
    assert read_bytes(tmp_path) == before
    assert open_run(tmp_path).manifest["timing"] == timing


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupted_run_goes_on(tmp_path, make_table, read_bytes, played, jobs):
    plan = make_table(unit_deals=100)
    matchup = plan.matchups[0]
    with pytest.raises(InterruptedRunError) as caught:
        run_plan(plan, tmp_path / "a", jobs=jobs, progress=Interrupting(3), command="lcsim match …")
    assert caught.value.exit_code == 130
    done = 3 * 100 * matchup.n_rotations
    assert f"interrupted after {done} of 3,000 games" in caught.value.message
    assert caught.value.hint == "go on with: lcsim match …"
    assert not open_run(tmp_path / "a").is_finished()
    kept = read_bytes(tmp_path / "a")
    assert 3 <= len(kept) < len(plan.units)
    result = run_plan(plan, tmp_path / "a", jobs=jobs)
    assert sorted(played) == list(range(0, matchup.n_deals, 100))
    undisturbed = run_plan(plan, tmp_path / "b", jobs=jobs)
    assert result.matchups == undisturbed.matchups
    assert read_bytes(tmp_path / "a") == read_bytes(tmp_path / "b")
    assert kept.items() <= read_bytes(tmp_path / "b").items()
    assert comparable(tmp_path / "a") == comparable(tmp_path / "b")


def test_adding_a_strategy_changes_no_row(tmp_path, read_rows):
    base = 'question = "?"\ngames = 400\nstrategies = '
    names = ["ladder", "random-legal", "cautious-opener"]
    rows = []
    for count in (2, 3):
        plan = build_plan(parse_experiment(base + str(names[-count:])))
        run_plan(plan, tmp_path / str(count), jobs=2)
        rows.append(read_rows(tmp_path / str(count)))
    label = rows[0]["matchup"][0]
    assert rows[1].filter(rows[1]["matchup"] == label).equals(rows[0])
    assert rows[1]["matchup"].n_unique() == 3


def test_a_damaged_part_is_named_before_anything_is_played(tmp_path, make_plan, played):
    plan = make_plan()
    run_plan(plan, tmp_path, jobs=2)
    parts = open_run(tmp_path).list_parts()
    parts[3].write_bytes(parts[3].read_bytes()[:-50])
    parts[1].unlink()
    del played[:]
    with pytest.raises(PartError, match=parts[3].name) as caught:
        run_plan(plan, tmp_path, jobs=2)
    assert caught.value.exit_code == 4
    assert "delete that file" in caught.value.hint
    assert played == []
    parts[3].unlink()
    result = run_plan(plan, tmp_path, jobs=2)
    assert sorted(played) == [400, 1200]
    assert result.matchups == run_plan(plan, None).matchups


def test_a_part_of_another_shape_is_damaged(tmp_path, make_plan):
    plan = make_plan()
    run_plan(plan, tmp_path, jobs=2)
    target, other = open_run(tmp_path).list_parts()[:2]
    unit_module.write_part(target, read_part(other).rows[:-1], matchup="m", ruleset="r")
    with pytest.raises(PartError, match="does not hold the 400 deals"):
        run_plan(plan, tmp_path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"games": 3200}, "experiment.games was 3,000 and is now 3,200"),
        ({"seed": 12}, "seed was 11 and is now 12"),
        ({"ruleset": "duel:rounds=2"}, "experiment.rulesets[0] was 'duel'"),
        ({"specs": ("random-legal", "ladder")}, "experiment.strategies[0] was 'ladder'"),
        ({"unit_deals": 500}, "experiment.unit_deals was 400 and is now 500"),
        ({"precision": 0.5}, "experiment.precision was not given and is now 0.5"),
    ],
)
def test_another_experiment_is_refused_by_its_difference(tmp_path, make_plan, change, said):
    run_plan(make_plan(games=800), None)
    run_plan(make_plan(), tmp_path)
    before = (tmp_path / "run.json").read_bytes()
    with pytest.raises(RunDirError) as caught:
        run_plan(make_plan(**change), tmp_path)
    assert said in caught.value.message
    assert "--out" in caught.value.hint
    assert (tmp_path / "run.json").read_bytes() == before


def test_a_changed_source_is_refused_and_the_old_one_is_kept(tmp_path, make_plan, shipped_source):
    mine = tmp_path / "mine.py"
    mine.write_text(shipped_source)
    run_plan(make_plan((str(mine), "ladder")), tmp_path / "run")
    mine.write_text(shipped_source + "\n# changed\n")
    with pytest.raises(RunDirError, match=r"source of the strategy .*mine.* has changed") as caught:
        run_plan(make_plan((str(mine), "ladder")), tmp_path / "run")
    strategy = open_run(tmp_path / "run").manifest["strategies"][0]
    assert strategy["source"] in caught.value.message
    assert (tmp_path / "run" / "sources" / strategy["source"]).read_text() == shipped_source


def test_a_folder_of_something_else_is_refused(tmp_path, make_plan):
    (tmp_path / "thesis.tex").write_text("precious")
    with pytest.raises(RunDirError, match=r"thesis\.tex"):
        run_plan(make_plan(), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_full_disk_ends_the_run_with_a_sentence(tmp_path, make_plan, monkeypatch, jobs):
    original = Path.replace

    def fail(self: Path, target: Path) -> Path:
        if target.suffix == ".parquet":
            raise OSError(errno.ENOSPC, "No space left on device")
        return original(self, target)

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(StoreError, match="No space left on device"):
        run_plan(make_plan(), tmp_path, jobs=jobs)
    monkeypatch.undo()
    assert run_plan(make_plan(), tmp_path).matchups == run_plan(make_plan(), None).matchups


@pytest.mark.parametrize("jobs", [1, 2, 4])
def test_the_first_broken_game_in_order_is_told_with_its_replay(make_plan, monkeypatch, jobs):
    original = unit_module.get_game

    def break_from(kind: str) -> object:
        game = original(kind)

        def play(ruleset: object, **options: object) -> object:
            if options["first_deal"] >= 200:
                raise StrategyBrokeError(
                    "ladder broke", deal=options["first_deal"] + 1, rotation=1, strategy=0
                )
            return game.play_deals(ruleset, **options)

        return dataclasses.replace(game, play_deals=play)

    monkeypatch.setattr(unit_module, "get_game", break_from)
    with pytest.raises(StrategyBrokeError) as caught:
        run_plan(make_plan(unit_deals=100, ruleset="duel:rounds=1"), None, jobs=jobs)
    assert caught.value.exit_code == 3
    assert caught.value.hint.endswith(
        "lcsim replay ladder random-legal --ruleset duel:rounds=1 --seed 11 --deal 201 --rotation 1"
    )


def test_jobs_below_one_are_refused(make_plan):
    with pytest.raises(CountError, match="jobs: 0"):
        run_plan(make_plan(), None, jobs=0)


def test_an_sprt_between_more_than_two_is_refused(make_plan):
    plan = make_plan(sprt=(0, 1))
    three = dataclasses.replace(plan.matchups[0], labels=("a", "b", "c"))
    with pytest.raises(UsageError, match="compares two strategies"):
        run_plan(dataclasses.replace(plan, matchups=(three,)), None)


def test_moments_are_those_of_the_rows(tmp_path, make_table):
    plan = make_table()
    matchup = plan.matchups[0]
    result = run_plan(plan, tmp_path)
    total = None
    game = unit_module.get_game(plan.kind)
    for unit, path in zip(plan.units, open_run(tmp_path).list_parts(), strict=True):
        rows = read_part(path).rows.reshape(unit.n_deals, matchup.n_rotations, matchup.n_rounds)
        settled = game.settle_games(plan.rulesets[0], rows)
        games = measure_games(settled.points, settled.win_twelfths)
        total = games if total is None else total + games
    assert total == result.matchups[0].games
