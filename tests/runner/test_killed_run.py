"""A run that is killed or interrupted from outside goes on as if nothing had been."""

import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from lcsim.errors import RunDirError
from lcsim.experiment import build_match_experiment, build_plan
from lcsim.runner import run_plan
from lcsim.store import open_run

PLAYER = textwrap.dedent(
    """
    import sys, time
    from pathlib import Path
    from lcsim.errors import LcsimError
    from lcsim.experiment import build_match_experiment, build_plan
    from lcsim.runner import NoProgress, run_plan

    class Slow(NoProgress):
        def update(self, snapshot):
            time.sleep(float(sys.argv[3]))

    options = {"games": int(sys.argv[2]), "seed": 3, "unit_deals": int(sys.argv[2]) // 40}
    plan = build_plan(build_match_experiment(["ladder", "random-legal"], **options))
    try:
        run_plan(plan, Path(sys.argv[1]), jobs=2, progress=Slow(), command="lcsim match again")
    except LcsimError as error:
        print(error, file=sys.stderr)
        sys.exit(error.exit_code)
    """
)
N_UNITS = 20


def make_plan(games: int):
    options = {"games": games, "seed": 3, "unit_deals": games // 40}
    return build_plan(build_match_experiment(["ladder", "random-legal"], **options))


def start(folder: Path, games: int, *, pause: float) -> subprocess.Popen:
    """Start a player and return when a few of its units are stored."""
    command = [sys.executable, "-c", PLAYER, str(folder), str(games), str(pause)]
    player = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 60
    while len(list((folder / "parts").glob("*.parquet"))) < 3:
        assert player.poll() is None, player.stderr.read()
        assert time.monotonic() < end
        time.sleep(0.005)
    return player


def read_bytes(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "parts").iterdir()}


def test_kill_9_and_a_second_start_give_the_undisturbed_result(tmp_path):
    games = 4000
    with start(tmp_path / "a", games, pause=0.2) as player:
        with pytest.raises(RunDirError, match=f"in use by process {player.pid} on "):
            run_plan(make_plan(games), tmp_path / "a")
        player.send_signal(signal.SIGKILL)
    assert player.returncode == -signal.SIGKILL
    kept = read_bytes(tmp_path / "a")
    assert 3 <= len(kept) < N_UNITS
    assert not open_run(tmp_path / "a").is_finished()
    half = next(iter(kept.values()))[:1000]
    (tmp_path / "a" / "parts" / "half.parquet.99.tmp").write_bytes(half)
    result = run_plan(make_plan(games), tmp_path / "a", jobs=2)
    assert result.timing.units_read == len(kept)
    assert result.timing.units_played == N_UNITS - len(kept)
    undisturbed = run_plan(make_plan(games), tmp_path / "b", jobs=1)
    assert result.matchups == undisturbed.matchups
    assert read_bytes(tmp_path / "a") == read_bytes(tmp_path / "b")
    assert kept.items() <= read_bytes(tmp_path / "a").items()
    names = [sorted(path.name for path in (tmp_path / run).iterdir()) for run in "ab"]
    assert names[0] == names[1] == ["parts", "run.json", "sources"]


def test_ctrl_c_ends_with_the_command_that_goes_on(tmp_path):
    with start(tmp_path, 400_000, pause=0.0) as player:
        player.send_signal(signal.SIGINT)
        said = player.stderr.read()
    assert player.returncode == 130
    assert "the finished units are kept" in said
    assert said.endswith("go on with: lcsim match again\n")
    assert "Warning" not in said
    assert "Traceback" not in said
    assert 3 <= len(read_bytes(tmp_path)) < N_UNITS
