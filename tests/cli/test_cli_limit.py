"""A strategy that never answers, met at the command line: named, ended, what was finished kept."""

import re
import subprocess
import sys

import pytest

from lcsim.runner.watchdog import DECISION_LIMIT
from lcsim.store import open_run

# It hangs in the few deals that give it a certain hand.
DUEL = """
from lcsim.duel import Strategy

class Mine(Strategy):
    def lay(self, view, card):
        n = 0.0
        while view.turn < 2 and {rare}:
            n += 1.0
        return n

    def discard(self, view, card):
        return 1.0

    def draw(self, view, card):
        return -1.0
"""
BOARD = """
    def open_with_leader(self, view, card):
        return -1.0

    def step(self, view, color):
        return -1.0
"""
THREE_WAGERS = "view.hand[0] & 7 == 7"
A_PAIR = "view.hand[0] >> 16 & 1 == 1"
TEXTS = {
    "duel": DUEL.format(rare=THREE_WAGERS),
    "board": DUEL.replace("lcsim.duel", "lcsim.board").format(rare=A_PAIR) + BOARD,
}
SEEDS = {"duel": 3000, "board": 4000}  # of them, the first deal that hangs lies behind 20 units


def call(folder, *words):
    command = [sys.executable, "-m", "lcsim.cli.app", *words, "--decision-limit", "0.2"]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=300
    )


def options(kind):
    words = f"--ruleset {kind} --games 4000 --unit-deals 5 --jobs 2 --seed {SEEDS[kind]}"
    return words.split()


@pytest.mark.parametrize("kind", TEXTS)
def test_a_match_ends_with_the_culprit_and_keeps_what_was_finished(kind, tmp_path):
    (tmp_path / "mine.py").write_text(TEXTS[kind])
    done = call(tmp_path, "match", "mine.py", "random-legal", *options(kind), "--out", "run")
    assert done.returncode == 3, done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    said = r"mine\.py, line 5: mine broke in round \d, turn [01] \(choose_play\): no answer within"
    assert re.search(said, done.stderr)
    assert "what was finished is kept in run" in done.stderr
    run = open_run(tmp_path / "run")
    kept = {path.stem for path in run.list_parts()}
    finished = [unit for unit in run.manifest["units"] if unit["id"] in kept]
    hung = int(re.search(r"--deal (\d+)", done.stderr)[1])
    assert hung >= 100  # so both threads had written parts before one of them hung
    assert len(finished) >= 19
    assert not any(0 <= hung - unit["first_deal"] < unit["n_deals"] for unit in finished)
    words = re.search(r"up to that turn: lcsim (.*)", done.stderr)[1].split()
    replayed = call(tmp_path, *words)
    assert replayed.returncode == 3
    assert re.search(r"mine\.py, line [78]: mine broke in round \d, turn ", replayed.stderr)
    assert "The game goes no further" in replayed.stdout


def test_check_finds_an_endless_loop_and_a_file_that_never_loads(tmp_path):
    (tmp_path / "mine.py").write_text(DUEL.format(rare="view.turn >= 0"))
    (tmp_path / "file.py").write_text("while True:\n    pass\n")
    done = call(tmp_path, "strategies", "check", "mine.py", "file.py")
    assert done.returncode == 3
    assert re.search(r"mine\.py:[78]: error: mine broke in round 0, turn 0", done.stdout)
    assert re.search(r"file\.py:[12]: error: importing it does not end", done.stdout)


def test_the_usual_limit_is_the_one_that_the_help_tells(run):
    assert f"[default: ({DECISION_LIMIT:g})]" in run("match", "--help").stdout
    for seconds in ("0", "-1", "x", "nan", "1e9"):
        result = run("match", "ladder", "ladder", "--decision-limit", seconds)
        assert result.exit_code == 2
        assert "--decision-limit" in result.stderr
