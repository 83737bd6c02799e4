"""A run that is killed or interrupted from outside goes on as if nothing had been."""

import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

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
            time.sleep(float(pause))

    folder, games, unit_deals, pause, ruleset, *specs = sys.argv[1:]
    options = {"games": int(games), "seed": 3, "unit_deals": int(unit_deals)}
    plan = build_plan(build_match_experiment(specs, ruleset, **options))
    try:
        run_plan(plan, Path(folder), jobs=2, progress=Slow(), command="lcsim match again")
    except LcsimError as error:
        print(error, file=sys.stderr)
        sys.exit(error.exit_code)
    """
)
N_UNITS = 20


class Match(NamedTuple):
    """A match cut into N_UNITS units."""

    specs: Sequence[str]
    ruleset: str
    unit_deals: int

    @property
    def games(self) -> int:
        return N_UNITS * self.unit_deals * len(self.specs)


DUEL = Match(("ladder", "random-legal"), "duel", 100)
MATCHES = {
    "duel": DUEL,
    "board-of-two": Match(("steady", "racer"), "board-updown", 10),
    "board-of-three": Match(("steady", "racer", "random-legal"), "board-short", 10),
}


def make_plan(match: Match):
    options = {"games": match.games, "seed": 3, "unit_deals": match.unit_deals}
    return build_plan(build_match_experiment(match.specs, match.ruleset, **options))


def start(folder: Path, match: Match, *, pause: float) -> subprocess.Popen:
    """Start a player and return when a few of its units are stored."""
    words = [folder, match.games, match.unit_deals, pause, match.ruleset, *match.specs]
    command = [sys.executable, "-c", PLAYER, *map(str, words)]
    player = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 60
    while len(list((folder / "parts").glob("*.parquet"))) < 3:
        assert player.poll() is None, player.stderr.read()
        assert time.monotonic() < end
        time.sleep(0.005)
    return player


def read_bytes(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "parts").iterdir()}


@pytest.mark.parametrize("match", MATCHES.values(), ids=MATCHES)
def test_kill_9_and_a_second_start_give_the_undisturbed_result(match, tmp_path):
    plan = make_plan(match)
    with start(tmp_path / "a", match, pause=1.0) as player:
        with pytest.raises(RunDirError, match=f"in use by process {player.pid} on "):
            run_plan(plan, tmp_path / "a")
        player.send_signal(signal.SIGKILL)
    assert player.returncode == -signal.SIGKILL
    found = read_bytes(tmp_path / "a")  # the kill may have left a file half written, too
    kept = {name: data for name, data in found.items() if name.endswith(".parquet")}
    assert 3 <= len(kept) < N_UNITS
    assert not open_run(tmp_path / "a").is_finished()
    half = next(iter(kept.values()))[:1000]
    (tmp_path / "a" / "parts" / "half.parquet.99.tmp").write_bytes(half)
    result = run_plan(plan, tmp_path / "a", jobs=2)
    assert result.timing.units_read == len(kept)
    assert result.timing.units_played == N_UNITS - len(kept)
    undisturbed = run_plan(plan, tmp_path / "b", jobs=1)
    assert result.matchups == undisturbed.matchups
    assert read_bytes(tmp_path / "a") == read_bytes(tmp_path / "b")
    assert kept.items() <= read_bytes(tmp_path / "a").items()
    names = [sorted(path.name for path in (tmp_path / run).iterdir()) for run in "ab"]
    assert names[0] == names[1] == ["parts", "run.json", "sources"]


def test_ctrl_c_ends_with_the_command_that_goes_on(tmp_path):
    match = DUEL._replace(unit_deals=10_000)
    with start(tmp_path, match, pause=0.0) as player:
        player.send_signal(signal.SIGINT)
        said = player.stderr.read()
    assert player.returncode == 130
    assert "the finished units are kept" in said
    assert said.endswith("go on with: lcsim match again\n")
    assert "Warning" not in said
    assert "Traceback" not in said
    assert 3 <= len(read_bytes(tmp_path)) < N_UNITS
