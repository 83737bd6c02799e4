"""Clusters of this machine: Dask and Ray give the bytes of threads, and a killed worker costs time.

These run where the extra `cluster` is installed.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lcsim.errors import StrategyBrokeError, UsageError, WorkerError
from lcsim.experiment import build_match_experiment, build_plan
from lcsim.runner import NoProgress, clusters, open_backend, run_plan

pytestmark = pytest.mark.filterwarnings("ignore")  # what schedulers warn of is theirs
WHY = "needs the extra `cluster`: pip install 'lcsim[cluster]'"
TABLES = {
    "duel": (("balanced", "random-legal"), "duel"),
    "board": (("steady", "random-legal", "racer"), "board-short"),
    "batch": (("ladder-numpy", "random-legal"), "duel"),
    "board batch": (("all-paths-numpy", "random-legal", "steady"), "board-short"),
}


@pytest.fixture(scope="module")
def dask():
    distributed = pytest.importorskip("distributed", reason=WHY)
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def ray():
    pytest.importorskip("ray", reason=WHY)
    backend = clusters.RayBackend(None, 2)
    yield backend
    backend.close()


@pytest.fixture
def make_backend(request, dask_or_ray):
    if dask_or_ray == "ray":
        backend = request.getfixturevalue("ray")
        yield lambda plan: backend
        return
    with open_backend("dask", request.getfixturevalue("dask").scheduler_address, None, None) as one:
        yield lambda plan: one


@pytest.fixture(params=["dask", "ray"])
def dask_or_ray(request):
    return request.param


def read_bytes(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "parts").iterdir()}


@pytest.mark.parametrize("table", TABLES)
def test_a_cluster_gives_the_bytes_of_threads(table, make_backend, make_plan, tmp_path):
    plan = make_plan(*TABLES[table], games=240, unit_deals=10)
    here = run_plan(plan, tmp_path / "a", jobs=1)
    there = run_plan(plan, tmp_path / "b", backend=make_backend(plan))
    assert there.matchups == here.matchups
    assert there.timing.jobs == 2
    assert read_bytes(tmp_path / "a") == read_bytes(tmp_path / "b")


def test_a_cluster_hands_back_our_errors(make_backend, tmp_path):
    file = tmp_path / "mine.py"
    methods = ("lay", "discard", "draw")
    text = "".join(
        f"\n    def {name}(self, view, card):\n        return 1.0 / (8.0 - view.turn)\n"
        for name in methods
    )
    file.write_text(f"from lcsim.duel import Strategy\n\n\nclass Mine(Strategy):{text}")
    plan = build_plan(build_match_experiment([str(file), "balanced"], "duel", games=20, seed=1))
    with pytest.raises(StrategyBrokeError) as broken:
        run_plan(plan, None, backend=make_backend(plan))
    assert str(file) in broken.value.message
    assert f"lcsim replay {file} balanced" in broken.value.hint


def test_a_dask_worker_killed_in_the_middle_changes_no_byte(dask, make_plan, tmp_path):
    plan = make_plan(*TABLES["duel"], games=2400, unit_deals=20)
    run_plan(plan, tmp_path / "a", jobs=1)

    class Killer(NoProgress):
        killed = 0

        def update(self, snapshot):
            if not self.killed:
                self.killed = next(iter(dask.workers.values())).pid
                os.kill(self.killed, signal.SIGKILL)

    killer = Killer()
    with open_backend("dask", dask.scheduler_address, 2, plan) as backend:
        run_plan(plan, tmp_path / "b", backend=backend, progress=killer)
    assert killer.killed
    assert read_bytes(tmp_path / "a") == read_bytes(tmp_path / "b")


def test_a_unit_that_dask_gives_up_ends_the_run(dask):
    with open_backend("dask", dask.scheduler_address, 2, None) as backend:
        with pytest.raises(WorkerError, match="Dask gave a unit up"):
            list(backend.run(os._exit, [3]))
        assert list(backend.run(abs, [-1, -2])) == [1, 2]


def test_a_scheduler_that_dies_is_named_and_the_run_goes_on_elsewhere(make_plan, tmp_path):
    pytest.importorskip("distributed", reason=WHY)
    plan = make_plan(*TABLES["duel"], games=2400, unit_deals=20)
    file = tmp_path / "scheduler.json"
    command = (sys.executable, "-m", "distributed.cli.dask_scheduler", "--no-dashboard")
    place = ("--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file))
    worker = (sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", str(file))
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with (
        subprocess.Popen((*command, *place), **quiet) as scheduler,
        subprocess.Popen((*worker, "--no-dashboard", "--nthreads", "1"), **quiet) as hand,
    ):

        class Killer(NoProgress):
            def update(self, snapshot):
                scheduler.kill()

        try:
            while not file.exists():
                time.sleep(0.1)
            with (
                open_backend("dask", str(file), 2, plan) as backend,
                pytest.raises(WorkerError, match="scheduler was lost") as lost,
            ):
                run_plan(plan, tmp_path / "run", backend=backend, progress=Killer())
        finally:
            scheduler.kill()
            hand.kill()
    assert "Start it and its workers again" in lost.value.hint
    run_plan(plan, tmp_path / "run", jobs=2)
    run_plan(plan, tmp_path / "whole", jobs=1)
    assert read_bytes(tmp_path / "run") == read_bytes(tmp_path / "whole")


def test_no_scheduler_at_the_address_is_said(monkeypatch):
    pytest.importorskip("distributed", reason=WHY)
    monkeypatch.setattr(clusters, "CONNECT_SECONDS", 0.5)
    with (
        pytest.raises(UsageError, match="no Dask scheduler answers at tcp:"),
        open_backend("dask", "tcp://127.0.0.1:9", None, None),
    ):
        pass
