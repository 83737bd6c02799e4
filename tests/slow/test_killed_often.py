"""Twenty kills at random moments, a start after each: the bytes of a run that nobody disturbed."""

import random
import shutil
import signal
import subprocess
import sys
import time

import pytest

from lcsim.store import open_run

KILLS = 20
DUEL = """
question = "Who wins?"
games = 64_000
unit_deals = 80
strategies = ["ladder", "random-legal"]
forks = {games = 800}
"""
BOARD = """
question = "Who wins?"
games = 12_000
players = 3
rulesets = ["board-short-updown"]
unit_deals = 10
strategies = ["steady", "racer", "random-legal"]
"""
TEXTS = {"duel": DUEL, "board": BOARD}


def start(file, folder, jobs=2):
    command = [sys.executable, "-m", "lcsim.cli.app", "run", str(file)]
    return subprocess.Popen(
        [*command, "--out", str(folder), "--jobs", str(jobs)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def count_parts(folder):
    folders = [folder / name for name in ("parts", "forks")]
    return sum(len(list(one.glob("*.parquet"))) for one in folders if one.is_dir())


def read_files(folder):
    """Return the bytes of all parts and sources, by place."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for part in ("parts", "forks", "sources")
        for path in (folder / part).glob("*")
    }


def kill_at_random(file, folder, chance):
    """Start the run and kill it: in its first moments, or some parts later. Tell whether it was."""
    process = start(file, folder)
    if chance.random() < 0.25:
        time.sleep(chance.uniform(0, 3))
    else:
        target = count_parts(folder) + chance.randint(0, 12)
        while process.poll() is None and count_parts(folder) < target:
            time.sleep(0.002)
        time.sleep(chance.uniform(0, 0.05))
    process.send_signal(signal.SIGKILL)
    _, told = process.communicate()
    assert process.returncode in (0, -signal.SIGKILL), told
    return process.returncode != 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", TEXTS)
def test_twenty_kills_change_no_byte(kind, tmp_path):
    seed = random.SystemRandom().randrange(2**32)
    print(f"the moments are those of seed {seed}")
    chance = random.Random(seed)
    file = tmp_path / "who.toml"
    file.write_text(TEXTS[kind])
    n_killed, reached = 0, []
    while n_killed < KILLS:
        if kill_at_random(file, tmp_path / "killed", chance):
            n_killed += 1
            reached.append(count_parts(tmp_path / "killed"))
        else:  # it came to its end: begin again, with as many kills to come
            shutil.rmtree(tmp_path / "killed")
    assert reached[-1] > reached[0]
    for folder, jobs in (("killed", 2), ("whole", 1)):
        with start(file, tmp_path / folder, jobs) as process:
            _, told = process.communicate()
        assert process.returncode == 0, told
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    assert read_files(killed) == read_files(whole)
    manifests = [open_run(folder).manifest for folder in (killed, whole)]
    for manifest in manifests:
        del manifest["files"], manifest["timing"]
    assert manifests[0] == manifests[1]
    names = [sorted(path.name for path in folder.iterdir()) for folder in (killed, whole)]
    assert names[0] == names[1]
