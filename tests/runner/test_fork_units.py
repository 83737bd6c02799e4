"""Forks of a run: parts of their own, the same however they come about, and none played twice."""

import dataclasses
import os
import pty
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import polars as pl
import pytest

from lcsim.errors import InterruptedRunError, PartError, StrategyBrokeError
from lcsim.experiment import build_plan, parse_experiment
from lcsim.rules import get_game
from lcsim.runner import NoProgress, run_plan
from lcsim.runner import fork_unit as forks_module
from lcsim.store import open_run, read_part, write_part
from lcsim.strategy import compile_strategy

TEXT = """
question = "What is a wager worth?"
seed = 11
games = 400
rulesets = ["duel:rounds=2"]
matchups = [["ladder", "random-legal"], ["ladder", "cautious-opener"]]
unit_deals = {unit_deals}
[forks]
games = {games}
"""


def make_plan(*, unit_deals=20, games=120, **changes):
    text = TEXT.format(unit_deals=unit_deals, games=games)
    return build_plan(dataclasses.replace(parse_experiment(text), **changes))


def read_bytes(folder):
    return {path.name: path.read_bytes() for path in (folder / "forks").iterdir()}


def read_rows(folder):
    frames = [pl.read_parquet(path) for path in sorted((folder / "forks").iterdir())]
    return pl.concat(frames).sort("matchup", "deal", "rotation", "round", "turn")


def comparable(folder):
    manifest = open_run(folder).manifest
    return {key: value for key, value in manifest.items() if key not in ("timing", "files")}


class Interrupting(NoProgress):
    """Presses Ctrl-C after some units of forks."""

    def __init__(self, after):
        self.left = after

    def update(self, snapshot):
        self.left -= snapshot.games is None
        if self.left == 0:
            raise KeyboardInterrupt


@pytest.fixture
def forked(monkeypatch):
    """Return the list, still growing, of what is really forked: (first strategy, first deal)."""
    found = []
    original = forks_module.get_game

    def spy(kind):
        game = original(kind)

        def play(ruleset, **options):
            found.append((options["strategies"][1].decider.name, options["first_deal"]))
            return game.play_forks(ruleset, **options)

        return dataclasses.replace(game, play_forks=play)

    monkeypatch.setattr(forks_module, "get_game", spy)
    return found


def test_jobs_change_no_byte(tmp_path):
    plan = make_plan()
    for jobs in (1, 2, 5):
        run_plan(plan, tmp_path / str(jobs), jobs=jobs)
    parts = [read_bytes(tmp_path / str(jobs)) for jobs in (1, 2, 5)]
    assert parts[0] == parts[1] == parts[2]
    assert set(parts[0]) == {f"{unit.id}.parquet" for unit in plan.fork_units}
    assert comparable(tmp_path / "1") == comparable(tmp_path / "2")


@pytest.mark.parametrize("unit_deals", [7, 60])
def test_unit_size_changes_no_row(tmp_path, unit_deals):
    run_plan(make_plan(), tmp_path / "one", jobs=2)
    run_plan(make_plan(unit_deals=unit_deals), tmp_path / "other", jobs=2)
    assert read_rows(tmp_path / "one").equals(read_rows(tmp_path / "other"))


def test_parts_hold_the_forks_of_the_first_deals(tmp_path):
    plan = make_plan()
    result = run_plan(plan, tmp_path, jobs=2)
    rows = read_rows(tmp_path)
    assert rows.columns[:2] == ["matchup", "ruleset"]
    assert set(rows["matchup"]) == {matchup.label for matchup in plan.matchups}
    assert (rows["deal"].min(), rows["deal"].max()) == (0, 59)
    strategies = [compile_strategy(strategy) for strategy in plan.strategies]
    forks = get_game("duel").play_forks(
        plan.rulesets[0], seed=11, first_deal=0, n_deals=60, strategies=strategies[:2]
    )
    own = rows.filter(rows["matchup"] == "ladder vs random-legal")
    for name in forks.dtype.names:
        assert np.array_equal(own[name].to_numpy(), forks[name]), name
    assert len(own) > 100
    assert result.timing.fork_units_played == len(plan.fork_units) == 6
    assert 0 < result.timing.seconds_forks < result.timing.seconds


def test_forks_leave_all_other_results_alone(tmp_path):
    plain = run_plan(make_plan(fork_games=0), tmp_path / "plain", jobs=2)
    forked = run_plan(make_plan(), tmp_path / "forked", jobs=2)
    assert forked.matchups == plain.matchups
    parts = [
        {path.name: path.read_bytes() for path in (tmp_path / run / "parts").iterdir()}
        for run in ("plain", "forked")
    ]
    assert parts[0] == parts[1]
    names = [
        sorted(path.name for path in (tmp_path / run).iterdir()) for run in ("plain", "forked")
    ]
    assert names == [["parts", "run.json", "sources"], ["forks", "parts", "run.json", "sources"]]
    assert "fork_units" not in open_run(tmp_path / "plain").manifest
    listed = open_run(tmp_path / "forked").manifest
    assert listed["experiment"]["forks"] == {"games": 120}
    assert [unit["id"] for unit in listed["fork_units"]] == [u.id for u in make_plan().fork_units]


def test_without_a_folder_nothing_is_forked(forked):
    assert run_plan(make_plan(), None).matchups == run_plan(make_plan(fork_games=0), None).matchups
    assert forked == []


def test_a_second_start_forks_nothing(tmp_path, forked):
    run_plan(make_plan(), tmp_path, jobs=2)
    before, timing = read_bytes(tmp_path), open_run(tmp_path).manifest["timing"]
    wanted = sorted(
        (name, first) for name in ("random-legal", "cautious-opener") for first in (0, 20, 40)
    )
    assert sorted(forked) == wanted
    again = run_plan(make_plan(), tmp_path, jobs=1)
    assert sorted(forked) == wanted
    assert again.timing.fork_units_played == 0
    assert read_bytes(tmp_path) == before
    assert open_run(tmp_path).manifest["timing"] == timing


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupted_run_goes_on_with_its_forks(tmp_path, forked, jobs):
    plan = make_plan(unit_deals=5)
    with pytest.raises(InterruptedRunError) as caught:
        run_plan(plan, tmp_path / "a", jobs=jobs, progress=Interrupting(2), command="lcsim run …")
    assert "after all 800 games" in caught.value.message
    assert "20 of 240 games forked" in caught.value.message
    assert caught.value.hint == "go on with: lcsim run …"
    assert not open_run(tmp_path / "a").is_finished()
    kept = read_bytes(tmp_path / "a")
    assert 2 <= len(kept) < 24
    result = run_plan(plan, tmp_path / "a", jobs=jobs)
    assert result.timing.units_played == 0
    assert result.timing.fork_units_played == 24 - len(kept)
    assert len(forked) == len(set(forked)) == 24
    run_plan(plan, tmp_path / "b", jobs=jobs)
    assert read_bytes(tmp_path / "a") == read_bytes(tmp_path / "b")
    assert comparable(tmp_path / "a") == comparable(tmp_path / "b")


def test_a_damaged_part_is_named_before_anything_is_played(tmp_path, forked):
    plan = make_plan()
    run_plan(plan, tmp_path, jobs=2)
    parts = [open_run(tmp_path).find_fork_part(unit.id) for unit in plan.fork_units]
    whole = parts[3].read_bytes()
    parts[3].write_bytes(whole[:-50])
    parts[1].unlink()
    del forked[:]
    with pytest.raises(PartError, match=parts[3].name) as caught:
        run_plan(plan, tmp_path, jobs=2)
    assert caught.value.exit_code == 4
    assert forked == []
    parts[3].unlink()
    run_plan(plan, tmp_path, jobs=2)
    assert sorted(forked) == [("cautious-opener", 0), ("random-legal", 20)]
    assert parts[3].read_bytes() == whole


def test_a_part_of_other_deals_or_of_rounds_is_damaged(tmp_path):
    plan = make_plan()
    run_plan(plan, tmp_path, jobs=2)
    run = open_run(tmp_path)
    target, other = (run.find_fork_part(unit.id) for unit in plan.fork_units[:2])
    for rows in (read_part(other).rows, read_part(run.list_parts()[0]).rows):
        write_part(target, rows, matchup="m", ruleset="r")
        with pytest.raises(PartError, match="does not hold the forks of its unit"):
            run_plan(plan, tmp_path)


@pytest.mark.parametrize("jobs", [1, 4])
def test_the_first_broken_fork_in_order_is_told_with_its_replay(tmp_path, monkeypatch, jobs):
    original = forks_module.get_game

    def break_from(kind):
        game = original(kind)

        def play(ruleset, **options):
            if options["first_deal"] >= 20:
                place = {"deal": options["first_deal"] + 1, "rotation": 1, "strategy": 0}
                raise StrategyBrokeError("ladder broke", **place)
            return game.play_forks(ruleset, **options)

        return dataclasses.replace(game, play_forks=play)

    monkeypatch.setattr(forks_module, "get_game", break_from)
    with pytest.raises(StrategyBrokeError) as caught:
        run_plan(make_plan(), tmp_path, jobs=jobs)
    assert caught.value.hint.endswith(
        "lcsim replay ladder random-legal --ruleset duel:rounds=2 --seed 11 --deal 21 --rotation 1"
    )
    assert not open_run(tmp_path).is_finished()


PLAYER = textwrap.dedent(
    """
    import sys, time
    from pathlib import Path
    from lcsim.experiment import build_plan, load_experiment
    from lcsim.runner import NoProgress, build_progress, run_plan

    class Slow(NoProgress):
        def update(self, snapshot):
            time.sleep(0.3 if snapshot.games is None else 0)

    plan = build_plan(load_experiment(Path(sys.argv[1])))
    progress = Slow() if len(sys.argv) == 4 else build_progress()
    run_plan(plan, Path(sys.argv[2]), jobs=2, progress=progress)
    """
)


def test_kill_9_and_a_second_start_give_the_undisturbed_forks(tmp_path):
    file = tmp_path / "x.toml"
    file.write_text(TEXT.format(unit_deals=10, games=200))
    command = [sys.executable, "-c", PLAYER, str(file), str(tmp_path / "a"), "slowly"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as player:
        end = time.monotonic() + 60
        while len(list((tmp_path / "a" / "forks").glob("*.parquet"))) < 3:
            assert player.poll() is None, player.stderr.read()
            assert time.monotonic() < end
            time.sleep(0.01)
        player.send_signal(signal.SIGKILL)
    assert player.returncode == -signal.SIGKILL
    plan = make_plan(unit_deals=10, games=200)
    kept = read_bytes(tmp_path / "a")
    assert 3 <= len(kept) < len(plan.fork_units) == 20
    (tmp_path / "a" / "forks" / "half.parquet.99.tmp").write_bytes(b"PAR1")
    result = run_plan(plan, tmp_path / "a", jobs=2)
    assert (result.timing.units_played, result.timing.fork_units_played) == (0, 20 - len(kept))
    run_plan(plan, tmp_path / "b", jobs=1)
    assert read_bytes(tmp_path / "a") == read_bytes(tmp_path / "b")
    assert kept.items() <= read_bytes(tmp_path / "a").items()


def test_the_progress_line_goes_on_through_the_forks(tmp_path):
    file = tmp_path / "x.toml"
    file.write_text(TEXT.format(unit_deals=10, games=400))
    own, its = pty.openpty()
    command = [sys.executable, "-c", PLAYER, str(file), str(tmp_path / "a")]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "150"}
    with subprocess.Popen(command, stderr=its, env=environment) as player:
        os.close(its)
        shown = b""
        try:
            while chunk := os.read(own, 65536):
                shown += chunk
        except OSError:  # the other end is closed
            pass
    os.close(own)
    assert player.returncode == 0, shown
    assert "forking moves" in shown.decode()
