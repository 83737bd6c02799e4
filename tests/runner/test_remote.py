"""Units played elsewhere: the same bytes, errors of ours, and nothing needed there but lcsim."""

import os
import pickle
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from lcsim.errors import (
    InterruptedRunError,
    LcsimError,
    StrategyBrokeError,
    UnknownNameError,
    UsageError,
    WorkerError,
)
from lcsim.experiment import build_match_experiment, build_plan, parcel
from lcsim.runner import NoProgress, open_backend, run_plan
from lcsim.runner.choose import choose_backend
from lcsim.runner.courier import Courier
from lcsim.runner.futures import LostError, ProcessBackend, RemoteBackend
from lcsim.runner.remote import PLAY, READ, play_order
from lcsim.runner.watchdog import limit_decisions

JOBS = 2
BATCH = ("ladder-numpy", "random-legal")
BROKEN = """from lcsim.duel import Strategy


class Mine(Strategy):
    \"\"\"Breaks at some point.\"\"\"

    def lay(self, view, card):
        {body}
        return 1.0

    def discard(self, view, card):
        return 0.0

    def draw(self, view, card):
        return -1.0
"""


@pytest.fixture(scope="module")
def processes():
    return ProcessBackend(JOBS)


class Here(RemoteBackend):
    """Plays orders in this process, after a pickle's way there and back."""

    jobs = JOBS

    def _open(self, task):
        return self

    def send(self, item):
        return item

    def fetch(self, future):
        return future

    def cancel(self, futures):
        self.cancelled = len(futures)


class HereAndNow(Here):
    def _open(self, task):
        self.task = pickle.loads(pickle.dumps(task))
        return self

    def send(self, item):
        return pickle.loads(pickle.dumps(self.task(pickle.loads(pickle.dumps(item)))))


def count_files(folder: Path) -> dict[str, bytes]:
    names = ("parts", "forks")
    return {file.name: file.read_bytes() for name in names for file in (folder / name).glob("*")}


def test_processes_give_the_bytes_of_threads(make_table, processes, tmp_path):
    plan = make_table(games=600, unit_deals=40)
    here = run_plan(plan, tmp_path / "a", jobs=1)
    there = run_plan(plan, tmp_path / "b", backend=processes)
    assert there.matchups == here.matchups
    assert there.timing.jobs == JOBS
    assert count_files(tmp_path / "a") == count_files(tmp_path / "b")


def test_a_batch_strategy_plays_the_same_in_processes_which_are_chosen(make_plan, tmp_path):
    plan = make_plan(BATCH, games=200, unit_deals=20)
    here = run_plan(plan, tmp_path / "a", jobs=1)
    assert isinstance(choose_backend(plan, JOBS), ProcessBackend)
    assert not choose_backend(plan, 1).is_remote
    assert not choose_backend(make_plan(), JOBS).is_remote
    assert run_plan(plan, tmp_path / "b", jobs=JOBS).matchups == here.matchups
    assert count_files(tmp_path / "a") == count_files(tmp_path / "b")


def test_forks_are_played_elsewhere_and_stored_parts_read_there(make_plan, tmp_path):
    plan = make_plan(games=400, unit_deals=50)
    experiment = replace(plan.experiment, fork_games=60, unit_deals=10)
    plan = build_plan(experiment)
    run_plan(plan, tmp_path / "a", jobs=1)
    kept = count_files(tmp_path / "a")
    run_plan(plan, tmp_path / "b", backend=HereAndNow())
    assert count_files(tmp_path / "b") == kept
    for folder in ("parts", "forks"):
        next((tmp_path / "b" / folder).iterdir()).unlink()
    again = run_plan(plan, tmp_path / "b", backend=HereAndNow())
    assert (again.timing.units_played, again.timing.fork_units_played) == (1, 1)
    assert count_files(tmp_path / "b") == kept
    damaged = next((tmp_path / "b" / "parts").iterdir())
    damaged.write_bytes(damaged.read_bytes()[:-20])
    with pytest.raises(LcsimError, match=damaged.name):
        run_plan(plan, tmp_path / "b", backend=HereAndNow())


def test_a_source_travels_with_its_unit_and_its_errors_name_the_file(
    shipped_source, processes, tmp_path
):
    file = tmp_path / "mine" / "own.py"
    file.parent.mkdir()
    file.write_text(shipped_source)
    experiment = build_match_experiment([str(file), "random-legal"], "duel", games=80, seed=1)
    plan = build_plan(replace(experiment, unit_deals=10))
    here = run_plan(plan, None, jobs=1)
    file.unlink()
    assert run_plan(plan, None, backend=HereAndNow()).matchups == here.matchups
    file.write_text(BROKEN.format(body="if view.turn > 8:\n            return 1 / 0.0"))
    plan = build_plan(replace(experiment, unit_deals=10))
    with pytest.raises(StrategyBrokeError) as broken:
        run_plan(plan, None, backend=processes)
    assert broken.value.path == file
    assert str(file) in broken.value.message
    assert f"lcsim replay {file} random-legal" in broken.value.hint
    with pytest.raises(StrategyBrokeError) as at_home:
        run_plan(plan, None, jobs=1)
    assert str(at_home.value) == str(broken.value)
    assert vars(at_home.value) == vars(broken.value)


def test_an_endless_decision_elsewhere_ends_the_run_with_its_name(processes, tmp_path):
    file = tmp_path / "endless.py"
    loop = "while view.turn > 4:\n            pass"
    file.write_text(BROKEN.format(body=loop))
    plan = build_plan(build_match_experiment([str(file), "random-legal"], "duel", games=20, seed=1))
    with (
        limit_decisions(0.5),
        pytest.raises(StrategyBrokeError, match=r"no answer within 0.5 s") as broken,
    ):
        run_plan(plan, None, backend=processes)
    assert f"lcsim replay {file} random-legal" in broken.value.hint


def test_a_killed_process_costs_the_units_it_held(make_plan, processes, tmp_path):
    plan = make_plan(games=1200, unit_deals=20)
    run_plan(plan, tmp_path / "a", jobs=1)

    class Killer(NoProgress):
        killed = 0

        def update(self, snapshot):
            from joblib.externals.loky import get_reusable_executor

            if not self.killed:
                self.killed = next(iter(get_reusable_executor(reuse=True)._processes))
                os.kill(self.killed, signal.SIGKILL)

    killer = Killer()
    run_plan(plan, tmp_path / "b", backend=processes, progress=killer)
    assert killer.killed
    assert count_files(tmp_path / "a") == count_files(tmp_path / "b")


def test_a_unit_that_kills_its_worker_is_told_from_those_lost_with_it():
    class Deadly(Here):
        sent: list[int]

        def fetch(self, future):
            self.sent = [*getattr(self, "sent", []), future]
            if future == 3 or self.sent.count(future) < 2:
                raise LostError("a worker died")
            return future

    backend, answers = Deadly(), []
    with pytest.raises(WorkerError, match="a worker died, 3 times over"):
        answers.extend(backend.run(abs, range(9)))
    assert backend.sent.count(3) >= 3


def test_closing_cancels_what_is_under_way():
    backend, taken = Here(), []
    answers = backend.run(abs, (taken.append(item) or item for item in range(99)))
    assert [next(answers), next(answers)] == [0, 1]
    answers.close()
    assert backend.cancelled == len(taken) - 2
    assert len(taken) <= 3 * JOBS + 2


def test_ctrl_c_keeps_what_is_finished_and_ends_no_process(make_plan, processes, tmp_path):
    plan = make_plan(games=1200, unit_deals=20)

    class Impatient(NoProgress):
        def update(self, snapshot):
            raise KeyboardInterrupt

    with pytest.raises(InterruptedRunError, match="the finished units are kept"):
        run_plan(plan, tmp_path, backend=processes, progress=Impatient())
    assert 1 <= len(count_files(tmp_path)) < len(plan.units)
    run_plan(plan, tmp_path, backend=processes)
    assert len(count_files(tmp_path)) == len(plan.units)


def write_order(plan, run=None):
    """Return the header and the order of a plan's first unit, as a courier writes them."""
    courier = Courier(plan, run, Here())
    return courier._task.args[0], next(iter(courier.send(PLAY, [0])))


def test_a_worker_with_another_lcsim_is_refused(make_plan, monkeypatch):
    plan = make_plan(games=40, unit_deals=20)
    for engine, reason in (
        ({"lcsim": "9.9", "rules": "ab", "schema": 2}, "this is lcsim 9.9"),
        ({**parcel._describe_engine(), "rules": "ab"}, "another version of the rules' code"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(parcel, "_describe_engine", lambda engine=engine: engine)
            header, order = write_order(plan)
        error = play_order(header, order).error
        assert isinstance(error, UsageError)
        assert f"the worker process {os.getpid()} on " in error.message
        assert reason in error.message
        assert "Install" in error.hint


def test_a_worker_that_does_not_see_the_folder_says_so(make_plan, tmp_path):
    header, order = write_order(make_plan(games=40, unit_deals=20))
    there = str(tmp_path / "elsewhere")
    order = (*order[:3], f"{there}/parts/x.parquet")
    error = play_order((header[0], there, "ab", *header[3:]), order).error
    assert isinstance(error, UsageError)
    assert f"does not see the run in {there}: no such file" in error.message
    assert "--out" in error.hint
    Path(there).mkdir()
    (tmp_path / "elsewhere" / "run.json").write_text("{}")
    error = play_order((header[0], there, "ab", *header[3:]), (READ, *order[1:])).error
    assert "another run lies there" in error.message


def test_backends_that_cannot_be_say_what_to_do(make_plan, monkeypatch):
    plan = make_plan()
    cases = (
        (("dusk", None), UnknownNameError, "did you mean 'dask'"),
        (("dask", None), UsageError, "needs the address of a scheduler"),
        (("threads", "tcp://host:8786"), UsageError, "is for a cluster"),
        ((None, "tcp://host:8786"), UsageError, "is for a cluster"),
    )
    for (name, scheduler), kind, message in cases:
        with pytest.raises(kind, match=message), open_backend(name, scheduler, 1, plan):
            pass
    for name, module in (("dask", "distributed"), ("ray", "ray")):
        monkeypatch.setitem(__import__("sys").modules, module, None)
        with (
            pytest.raises(UsageError, match=f"needs the package {module}") as missing,
            open_backend(name, "host:1", 1, plan),
        ):
            pass
        assert "lcsim[cluster]" in missing.value.hint


def test_every_error_survives_its_way_back():
    error = UnknownNameError("preset", "dool", ["duel"], hint="look")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))
